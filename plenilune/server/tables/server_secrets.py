"""What only the servers of one database know: secrets of theirs, and what is derived from them."""

from __future__ import annotations

import hmac
import secrets

from plenilune.game import Game
from plenilune.server.clock import now
from plenilune.server.protocol import DiceOffer
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import commitment
from plenilune.server.storage.store import Store
from plenilune.server.tables import daily

NAMES = ("daily", "dice", "networks")
OFFERED, SKEW = 600_000, 60_000  # milliseconds: a ticket's life, and how far other machines' clocks may be ahead


class ServerSecrets:
    def __init__(self) -> None:
        self._secrets: dict[str, bytes] = {}

    async def load(self, store: Store) -> None:
        for name in NAMES:
            self._secrets[name] = bytes.fromhex(await store.fact(name, lambda: secrets.token_hex(32)))

    def network(self, address: str) -> str:
        """A keyed digest of an address: it is all that is stored, and enough to compare two."""
        return hmac.digest(self._secrets["networks"], address.encode(), "sha256").hex()[:16] if address else ""

    def offer(self) -> DiceOffer:
        """Commit to a seed before anybody contributes a nonce. The ticket begins with the time."""
        ticket = f"{now() // 1000:08x}{secrets.token_hex(12)}"
        return DiceOffer(ticket, commitment(self._offered(ticket)))

    def seed(self, ticket: str | None) -> str:
        """The seed that was offered with the ticket, or a new one."""
        return self._offered(ticket) if ticket else secrets.token_hex(16)

    def _offered(self, ticket: str) -> str:
        """The ticket's seed. Expired tickets are refused: a table that used one may have been deleted since, and its
        players know the seed."""
        if not -SKEW <= now() - 1000 * int(ticket[:8], 16) <= OFFERED:
            raise Denied("ticket_expired", "this ticket has expired: ask for a new one")
        return hmac.digest(self._secrets["dice"], ticket.encode(), "sha256").hex()[:32]

    def daily_seed(self, game: Game, day: str) -> str:
        return daily.seed(self._secrets["daily"].hex(), game, day)
