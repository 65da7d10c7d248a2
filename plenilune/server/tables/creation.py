"""New tables are written, and people sit down: the shell around `decide/creating.py` and `joining.py`, with its ids,
secrets, quotas and races."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from plenilune.game import Game, load
from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.protocol import Invite, NewTable
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage.failures import Taken
from plenilune.server.storage.people import still_there
from plenilune.server.storage.quotas import (
    Quota,
    attempts,
    made_lately,
    seated,
    unfinished,
    unfinished_public,
    waiting_elsewhere,
    waiting_public,
)
from plenilune.server.storage.rows import Person, commitment, new_id
from plenilune.server.storage.store import Store
from plenilune.server.tables import clocks, daily, decide
from plenilune.server.tables.decide import NewRows, Origin, TableState
from plenilune.server.tables.registry import Tables
from plenilune.server.tables.server_secrets import ServerSecrets
from plenilune.server.tables.table import Table

MOST_UNFINISHED = 60  # tables of one host
MOST_SEATED = 60  # unfinished tables at which one person has a seat
MOST_WAITING_ELSEWHERE = 20  # tables of others at which one person has a seat and which wait for players
MOST_WAITING_PUBLIC = 10  # public tables from one network that wait for players
MOST_PUBLIC = 60  # of its public tables that are not over and at which something happened today


class Creation:
    def __init__(
        self,
        store: Store,
        tables: Tables,
        known: ServerSecrets,
        settings: Settings,
        tally: Callable[[str, float], None],
    ) -> None:
        self._store, self._tables, self._secrets, self._tally = store, tables, known, tally
        self._limited, self._a_day = settings.limits, settings.tables_a_day

    async def create(self, person: Person, asked: NewTable, network: str = "") -> tuple[Table, Sequence[Invite]]:
        invited = [secrets.token_hex(16) for _ in asked.seats]
        made = decide.new_table(person, asked, _origin(network), invited)
        limits = self._quotas(person, made, network)
        try:
            table = await self._insert(made, self._secrets.seed(asked.ticket), asked.ticket, limits)
        except Taken:
            raise Denied("ticket_expired", "this ticket was used before: ask for a new one") from None
        return table, made.invites

    async def _insert(
        self,
        made: NewRows,
        seed: str,
        ticket: str | None = None,
        limits: Sequence[Quota] = (),
        ranked: Quota | None = None,
    ) -> Table:
        row = replace(made.row, commitment=commitment(seed))
        state = TableState(row, made.seats, load(row.game), None, None)
        table = await self._tables.insert(state, seed, ticket, [still_there(row.host), *limits], ranked)
        self._tally("new_tables", 1)
        return table

    def _quotas(self, person: Person, made: NewRows, network: str) -> list[Quota]:
        if not self._limited:
            return []
        found = [unfinished(person.id, MOST_UNFINISHED), *self._made_lately(network)]
        if any(seat.person == person.id for seat in made.seats):
            found.append(seated(person.id, MOST_SEATED))
        if made.row.public:
            found.append(waiting_public(network, MOST_WAITING_PUBLIC))
            found.append(unfinished_public(network, MOST_PUBLIC, now() - clocks.DAY))
        return found

    def _made_lately(self, network: str) -> list[Quota]:
        return [made_lately(network, self._a_day, now() - clocks.DAY)] if self._limited else []

    # Seats at tables

    async def join(self, person: Person, table: Table, asked: protocol.Join) -> None:
        limits = [seated(person.id, MOST_SEATED), waiting_elsewhere(person.id, MOST_WAITING_ELSEWHERE)]
        await table.join(person, asked, [still_there(person.id), *(limits if self._limited else ())])

    # Rematches

    async def rematch(self, person: Person, old: Table, asked: protocol.Rematch, network: str = "") -> Table:
        """Ask for a rematch, or accept one: it begins when everybody has accepted. A ticket does not accept what
        somebody else has asked for: their commitment was not seen before the nonce was sent."""
        decide.check_rematch(old.state, person)
        if old.row.rematch is None:
            await self._new_rematch(person, old, asked, network)
        assert old.row.rematch
        table = await self._tables.get(old.row.rematch)
        if asked.ticket is None and table.row.status == "waiting" and not decide.seats_of(table.state, person):
            await self.join(person, table, protocol.Join(nonce=asked.nonce))
        return table

    async def _new_rematch(self, person: Person, old: Table, asked: protocol.Rematch, network: str) -> None:
        made = decide.rematch_table(old.state, person, asked.nonce, _origin(network))
        limits = self._quotas(person, made, network)
        try:
            table = await self._insert(made, self._secrets.seed(asked.ticket), asked.ticket, limits)
            follower: str | None = table.id
        except Taken:  # somebody else has asked at the same moment
            follower = await self._store.rematch_of(old.id)
        if follower is None:
            raise Denied("ticket_expired", "this ticket was used before: ask for a new one")
        await old.follow(follower)

    # The daily deal

    async def deal(self, person: Person, game: Game, network: str = "") -> Table:
        """The person's attempt at today's deal, begun if it has not been."""
        day = daily.today(now())
        daily.check(game, day, now())
        if mine := await self._store.lobby.deal_of(person.id, game.name, day, daily.closes(day)):
            return await self._tables.get(mine.id)
        since, _ = await self._store.people.created(person.id)
        made = decide.daily_table(person, since, game, day, _origin(network))
        ranked = attempts(network, game.name, day, daily.RANKED_PER_NETWORK) if network else None
        limits = self._made_lately(network)
        try:
            return await self._insert(made, self._secrets.daily_seed(game, day), None, limits, ranked)
        except Taken:
            mine = await self._store.lobby.deal_of(person.id, game.name, day, daily.closes(day))
            assert mine
            return await self._tables.get(mine.id)


def _origin(network: str) -> Origin:
    return Origin(new_id(), network, now())
