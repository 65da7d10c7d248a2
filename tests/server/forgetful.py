"""A server that acknowledges what it will only write a moment later: for the tests to notice."""

import asyncio
import sys
from collections.abc import Callable, Sequence

from plenilune.commands.main import main
from plenilune.server.storage.quotas import Quota
from plenilune.server.storage.rows import Change
from plenilune.server.storage.store import Store

LATER = 0.2  # seconds
commit = Store.commit


async def promise(
    self: Store, match: str, version: int, finish: Callable[[], Change], limits: Sequence[Quota] = ()
) -> Change:
    change = finish()

    async def keep() -> None:
        await asyncio.sleep(LATER)
        await commit(self, match, version, lambda: change)

    asyncio.get_running_loop().create_task(keep())
    return change


if __name__ == "__main__":
    Store.commit = promise  # type: ignore[method-assign]
    sys.exit(main(sys.argv[1:]))
