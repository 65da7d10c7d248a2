"""All tables that are live in this process: opened when asked for, forgotten when nobody is there.

A bot's turn is taken by the process that kept the action before it; when that one falls silent, by whoever sees first
that its claim has run out. Deadlines are in the database, so that they outlive every process.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from plenilune.bots import Bot
from plenilune.errors import Refusal
from plenilune.game import Game, load
from plenilune.server import protocol
from plenilune.server.protocol import BotSeat, Friend, Invite, Mine, NewTable
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage.rows import BOT, FRIEND, OPEN, PERSON, Person, a_name, bot_of, digest, new_id, now
from plenilune.server.storage.store import CHANNEL, SEATED, Row, Store, actions, matches, seats
from plenilune.server.tables import board as boards
from plenilune.server.tables import clocks, daily
from plenilune.server.tables.diff import encode
from plenilune.server.tables.table import Table
from plenilune.server.thinking.fairness import Owner
from plenilune.server.thinking.thinkers import Thinkers, bot

log = logging.getLogger("plenilune")
IDLE = 60.0  # seconds after which a table that nobody watches is forgotten
SWEEP = 0.25  # seconds between two looks at deadlines and waiting bots
MOST_UNFINISHED = 60  # tables of one person
PRESENT, PRESENCE = 45_000, 20.0  # how long a sign of presence holds, in ms, and how often it is given, in s
MANY = 100


class Tables:
    def __init__(self, store: Store, settings: Settings, thinkers: Thinkers) -> None:
        self.store, self.settings, self.thinkers = store, settings, thinkers
        self.live: dict[str, Table] = {}
        self.thinking: dict[str, asyncio.Task[None]] = {}  # by match
        self.counts: Counter[str] = Counter()  # for the metrics
        self.stirred: Callable[[Table], None] = lambda table: None  # something changed at a table: for the lobby
        self._opening: dict[str, asyncio.Task[Table | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Tables]:
        if not self.store.shared:  # nobody else is there: whatever was claimed is free
            await self.store.execute(matches.update().where(matches.c.bot_turn).values(claimed=0))
        loops: list[Any] = [self._every(SWEEP, self._sweep), self._every(IDLE / 4, self._forget)]
        loops.append(self._every(self.settings.lease / 3, self._renew))
        if self.store.shared:
            loops += [self._listen(), self._every(self.settings.poll, self._poll), self._every(PRESENCE, self._present)]
        for loop in loops:
            self.spawn(loop)
        try:
            yield self
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Something that goes on by itself, until the server closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _every(self, seconds: float, work: Callable[[], Any]) -> None:
        while True:
            try:
                await work()
            except Refusal as refusal:
                log.warning("%s", refusal)
            except Exception:
                log.exception("the server goes on")
            await asyncio.sleep(seconds)

    # Finding and forgetting

    async def get(self, id: str) -> Table:
        """The table, opened if it is not live yet."""
        table = self.live.get(id)
        if table is None:
            opening = self._opening.get(id)
            if opening is None:
                opening = self._opening[id] = asyncio.create_task(Table.open(self.store, id, self.thinkers.ready))
                opening.add_done_callback(lambda _: self._opening.pop(id, None))
            found = await asyncio.shield(opening)
            if found is None:
                raise Denied("not_found", f"there is no table {id!r}")
            table = self._add(self.live.get(id, found))
        table.used = time.monotonic()
        return table

    def _add(self, table: Table) -> Table:
        ready, game = self.thinkers.ready, table.row["game"]
        table.lease = int(self.settings.lease * 1000)
        table.changed = self._changed
        table.bots_ready = lambda: ready.has_bots(game)
        if table.id not in self.live:
            ready.when_bots(game, table.audience.tell)
        self.live[table.id] = table
        return table

    def _changed(self, table: Table, here: bool) -> None:
        self.stirred(table)
        if here:
            self.attend(table)

    async def _forget(self) -> None:
        before = time.monotonic() - IDLE
        for table in list(self.live.values()):
            if (
                not table.audience.watchers
                and table.used < before
                and table.id not in self.thinking
                and not table.lock.locked()
            ):
                del self.live[table.id]

    # New tables

    async def create(self, person: Person, asked: NewTable) -> tuple[Table, list[Invite]]:
        game = load(asked.game)
        options = game.choices(len(asked.seats), asked.options)
        for name in [asked.stand_in, *(s.bot for s in asked.seats if isinstance(s, BotSeat))]:
            bot(name, game)
        await self._check_quota(person)
        table = self._new(person, game, options, asked)
        invites = []
        for number, wish in enumerate(asked.seats):
            seat, invite = _seat(table["id"], number, wish, person)
            table["seats"].append(seat)
            invites += [invite] if invite else []
        return await self._insert(table), invites

    def _new(self, person: Person, game: Game, options: dict[str, str], asked: NewTable) -> dict[str, Any]:
        at = now()
        return {
            "id": new_id(),
            "version": 1,
            "game": game.name,
            "rules": game.version,
            "components": game.components,
            "layout": boards.layout(game),
            "options": encode(options).decode(),
            "seed": secrets.token_hex(16),
            "status": "waiting",
            "state": None,
            "ply": 0,
            "to_play": -1,
            "turn": 0,
            "host": person.id,
            "clock": encode(asked.clock).decode(),
            "left": encode(clocks.full(asked.clock, len(asked.seats))).decode(),
            "since": None,
            "deadline": None,
            "bot_turn": False,
            "claimed": 0,
            "public": asked.public,
            "spectators": asked.spectators,
            "hints": asked.hints,
            "chat": asked.chat,
            "stand_in": asked.stand_in,
            "created": at,
            "changed": at,
            "result": None,
            "score": None,
            "daily": None,
            "daily_of": None,
            "follows": None,
            "rematch": None,
            "seats": [],
        }

    async def _insert(self, new: dict[str, Any]) -> Table:
        """Keep a new table, and begin at once if nobody is missing."""
        await self.thinkers.ready.rules(new["game"])
        rows = new.pop("seats")
        table = Table(self.store, new, rows)
        begun: list[dict[str, Any]] = []
        if not any(seat["held_by"] in (FRIEND, OPEN) for seat in rows):
            change, board = table.seated([])
            new, begun, table.board = new | change.row, change.actions, board
            table.row = dict(new)

        async def keep(connection: Any) -> None:
            await connection.execute(matches.insert(), new)
            await connection.execute(seats.insert(), rows)
            if begun:
                await connection.execute(actions.insert(), begun)

        await self.store.run(keep)
        table.take_up(begun)
        self._add(table)
        self.counts["tables"] += 1
        self._changed(table, True)
        return table

    async def _check_quota(self, person: Person) -> None:
        where = (matches.c.host == person.id) & (matches.c.status != "over")
        found = await self.store.one(sa.select(sa.func.count().label("n")).select_from(matches).where(where))
        if found and found["n"] >= MOST_UNFINISHED and self.settings.limits:
            raise Denied("too_many", f"you have {found['n']} unfinished tables: finish or leave some first")

    async def rematch(self, person: Person, old: Table) -> Table:
        """The same again, with everybody one seat further; who asks second gets the same table."""
        if not old.seats_of(person):
            raise Denied("forbidden", "you have no seat at this table")
        if old.status != "over" or old.row["result"] is None:
            raise Denied("not_over", "the match is not over")
        if old.row["daily"]:
            raise Denied("forbidden", "nobody gets a deal twice")
        if old.row["rematch"]:
            return await self.get(old.row["rematch"])
        assert old.game
        await self._check_quota(person)
        asked = NewTable(
            old.game.name, [Mine() for _ in old.seats], old.options, old.clock, stand_in=old.row["stand_in"]
        )
        new = self._new(person, old.game, old.options, asked)
        new |= {name: old.row[name] for name in ("public", "spectators", "hints", "chat")} | {"follows": old.id}
        order = old.seats[1:] + old.seats[:1]
        fresh = {"match": new["id"], "absent": False, "resigned": False, "present": 0}
        new["seats"] = [seat | fresh | {"seat": number} for number, seat in enumerate(order)]
        try:
            table = await self._insert(new)
        except IntegrityError:  # somebody else has asked at the same time
            found = await self.store.one(sa.select(matches.c.id).where(matches.c.follows == old.id))
            assert found
            table = await self.get(found["id"])
        await old.follow(table.id)
        return table

    async def deal(self, person: Person, game: Game) -> Table:
        """Today's deal: mine, if I have begun it."""
        day = daily.today(now())
        daily.check(game, day, now())
        if mine := await self.deal_of(person, game, day):
            return await self.get(mine["id"])
        options = game.choices(1, {})
        asked = NewTable(game.name, [Mine()], options, spectators=False, hints=False, chat=False)
        new = self._new(person, game, options, asked)
        seed = daily.seed(await self.daily_secret(), game, day)
        new |= {"daily": day, "daily_of": person.id, "seed": seed}
        new["seats"] = [_seat(new["id"], 0, Mine(), person)[0]]
        try:
            return await self._insert(new)
        except IntegrityError:
            mine = await self.deal_of(person, game, day)
            assert mine
            return await self.get(mine["id"])

    async def deal_of(self, person: Person, game: Game, day: str) -> Row | None:
        where = (matches.c.game == game.name) & (matches.c.daily == day) & (matches.c.daily_of == person.id)
        return await self.store.one(sa.select(matches.c.id, matches.c.score, matches.c.changed).where(where))

    async def daily_secret(self) -> str:
        return await self.store.fact("daily", lambda: secrets.token_hex(32))

    # Bots

    def attend(self, table: Table) -> None:
        """If a bot is to play, have it think."""
        if table.seat_of_bot() is not None and table.id not in self.thinking:
            task = self.spawn(self._play_bots(table))
            self.thinking[table.id] = task
            task.add_done_callback(lambda _: self._thought(table))

    def _thought(self, table: Table) -> None:
        self.thinking.pop(table.id, None)

    async def _play_bots(self, table: Table) -> None:
        """Play for the table's bots until a person is to play. Until then they keep what they have found out."""
        sitting: dict[tuple[int, str], Bot] = {}
        while (seat := table.seat_of_bot()) is not None:
            board, ply, began = table.board, table.ply, time.monotonic()
            assert board
            name = bot_of(table.seats[seat], table.row["stand_in"]) or table.row["stand_in"]
            stale = lambda ply=ply, seat=seat: table.ply != ply or table.seat_of_bot() != seat  # noqa: E731
            try:
                thinker = sitting.setdefault((seat, name), self.thinkers.sit(bot(name, board.game)))
                owner = Owner(network="", person=table.row["host"])
                action = await self.thinkers.choose(owner, thinker, board.game, board.seen(seat), seat, stale)
                if table.audience.watchers:
                    await asyncio.sleep(max(0.0, self.settings.bot_pause - (time.monotonic() - began)))
                await table.play_for_bot(seat, ply, action)
                self.counts["bot_actions"] += 1
            except Denied as denied:
                if denied.reason not in ("stale", "not_your_turn", "over"):
                    log.warning("bot %s at %s: %s", name, table.id, denied)
                    return  # its claim runs out, and somebody tries again
            except Exception:
                log.exception("bot %s at %s", name, table.id)
                return

    async def _renew(self) -> None:
        """Those we think for stay ours."""
        if self.thinking:
            where = matches.c.id.in_(list(self.thinking)) & matches.c.bot_turn
            until = now() + int(self.settings.lease * 1000)
            await self.store.execute(matches.update().where(where).values(claimed=until))

    async def _sweep(self) -> None:
        await self._time_out()
        await self._pick_up()

    async def _time_out(self) -> None:
        where = (matches.c.status == "playing") & (matches.c.deadline <= now())
        for row in await self.store.all(sa.select(matches.c.id).where(where).limit(MANY)):
            table = await self.get(row["id"])
            with contextlib.suppress(Denied):
                await table.time_out()
                self.counts["time_outs"] += 1

    async def _pick_up(self) -> None:
        """Bots whose process has gone: whoever claims the match first thinks for it."""
        free = (matches.c.status == "playing") & matches.c.bot_turn & (matches.c.claimed < now())
        for row in await self.store.all(sa.select(matches.c.id).where(free).limit(MANY)):
            until = now() + int(self.settings.lease * 1000)
            claim = matches.update().where((matches.c.id == row["id"]) & free).values(claimed=until)
            if await self.store.execute(claim):
                table = await self.get(row["id"])
                await table.refresh()
                self.attend(table)

    # Other processes

    async def _listen(self) -> None:
        """Hear what other processes have kept; begin again whenever the connection is lost."""
        while True:
            try:
                async with self.store.engine.connect() as connection:
                    raw = await connection.get_raw_connection()
                    driver: Any = raw.driver_connection
                    await driver.add_listener(CHANNEL, self._heard)
                    while not driver.is_closed():
                        await asyncio.sleep(1)
                        await driver.execute("SELECT 1")
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log.warning("no notifications for a moment: %s", error)
                await asyncio.sleep(1)

    def _heard(self, connection: Any, pid: int, channel: str, payload: str) -> None:
        match = payload.partition(" ")[0]
        if match in self.live and pid not in self.store.pids:
            self.spawn(self._refresh(self.live[match]))

    async def _refresh(self, table: Table) -> None:
        with contextlib.suppress(Denied):  # the next look will find it
            await table.refresh()

    async def _poll(self) -> None:
        """What a notification should have told, had it come."""
        ids = list(self.live)
        for start in range(0, len(ids), 1000):
            where = matches.c.id.in_(ids[start : start + 1000])
            for row in await self.store.all(sa.select(matches.c.id, matches.c.version).where(where)):
                table = self.live.get(row["id"])
                if table and table.row["version"] < row["version"] and not table.lock.locked():
                    await table.refresh()

    # Presence

    def come(self, table: Table) -> None:
        """Somebody has come or gone: other processes are told."""
        if self.store.shared:
            self.spawn(self._tell_presence(table))

    async def _tell_presence(self, table: Table) -> None:
        here, until = table.audience.here(), now() + PRESENT
        people = [s["seat"] for s in table.seats if s["held_by"] == PERSON]
        rows = [_presence(table, seat, until if seat in here else 0) for seat in people]

        async def keep(connection: Any) -> None:
            if rows:
                await connection.execute(SEATED, rows)
            payload = {"channel": CHANNEL, "payload": f"{table.id} {table.ply}"}
            await connection.execute(sa.text("SELECT pg_notify(:channel, :payload)"), payload)

        with contextlib.suppress(Denied):
            await self.store.run(keep)

    async def _present(self) -> None:
        until, tables = now() + PRESENT, sorted(self.live.values(), key=lambda table: table.id)
        rows = [_presence(table, seat, until) for table in tables for seat in sorted(table.audience.here())]
        for start in range(0, len(rows), MANY):  # not all at once: others want to write in between
            await self.store.execute(SEATED, rows[start : start + MANY])


def _presence(table: Table, seat: int, until: int) -> dict[str, Any]:
    """For `SEATED`: until when the seat's person is connected to some process."""
    return {"of": table.id, "at_seat": seat, "present": until}


def _seat(match: str, number: int, wish: protocol.SeatWish, person: Person) -> tuple[dict[str, Any], Invite | None]:
    """A seat's row, and the invitation if it is held for a friend."""
    seat: dict[str, Any] = {"match": match, "seat": number, "held_by": OPEN, "person": None, "name": "", "bot": None}
    seat |= {"absent": False, "resigned": False, "secret": None, "present": 0}
    if isinstance(wish, Mine):
        return seat | {"held_by": PERSON, "person": person.id, "name": a_name(wish.name or person.name)}, None
    if isinstance(wish, BotSeat):
        return seat | {"held_by": BOT, "bot": wish.bot, "name": wish.bot}, None
    if isinstance(wish, Friend):
        invite = invitation(match, number, secrets.token_hex(16))
        return seat | {"held_by": FRIEND, "secret": digest(invite.secret)}, invite
    return seat, None


def invitation(match: str, seat: int, secret: str) -> Invite:
    """The secret stands behind the `#`, which browsers keep to themselves."""
    return Invite(seat, secret, f"/table/{match}#{secret}")
