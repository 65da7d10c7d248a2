"""A server that acknowledges what it will only keep a moment later: for the tests to notice."""

import asyncio
import sys

from plenilune import cli
from plenilune.server.storage.store import Change, Store

LATER = 0.2  # seconds


async def promise(self: Store, change: Change) -> None:
    loop = asyncio.get_running_loop()
    loop.call_later(LATER, self._waiting.put_nowait, (change, loop.create_future()))


if __name__ == "__main__":
    Store.change = promise  # type: ignore[method-assign]
    sys.exit(cli.main(sys.argv[1:]))
