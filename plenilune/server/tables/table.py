"""One table: a match that is live. What it holds is a cache of the match's rows, which another process may overtake.

Everybody acts through the same door: what is asked for is checked, kept, acknowledged, and then told to all who watch.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from plenilune.dice import Dice
from plenilune.engine import standing
from plenilune.errors import Refusal
from plenilune.game import Game, load
from plenilune.record import OVER, SPECTATOR
from plenilune.server import protocol
from plenilune.server.protocol import ChatLine, Clocks, LogEntry, Play, Played, Preview, Previewed, SeatInfo, TableInfo
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import (
    BOT,
    FRIEND,
    OPEN,
    PERSON,
    By,
    Entry,
    Person,
    bot_of,
    deal_of,
    digest,
    entry_of,
    line_of,
    now,
    read,
    read_clock,
    read_result,
    seat_infos,
    tidy,
    with_seats,
)
from plenilune.server.storage.store import Change, Overtaken, Row, Store
from plenilune.server.tables import board as boards
from plenilune.server.tables import clocks
from plenilune.server.tables.audience import Audience
from plenilune.server.tables.board import Board, Step
from plenilune.server.tables.diff import encode, show, whole
from plenilune.server.thinking.ready import Ready

TRIES = 5  # when another process is faster


class Table:
    def __init__(self, store: Store, row: Row, seats: list[dict[str, Any]]) -> None:
        self.store = store
        self.id: str = row["id"]
        self.lock = asyncio.Lock()
        self.audience = Audience(self)
        self.log: list[Entry] = []
        self.requests: dict[str, Entry] = {}  # what was asked for, and what it led to
        self.chat: list[ChatLine] = []
        self.used = time.monotonic()
        self.lease = 10_000
        self.bots_ready: Callable[[], bool] = lambda: True
        # After every change, for bots and the lobby; and whether it was made here.
        self.changed: Callable[[Table, bool], None] = lambda table, here: None
        self._take(row, seats)

    def _take(self, row: Row, seats: list[dict[str, Any]]) -> None:
        """Hold what the rows say."""
        self.row = dict(row)
        self.seats = seats
        self.clock = read_clock(row["clock"])
        self.left: list[int | None] = read(row["left"])
        self.options: dict[str, str] = read(row["options"])
        self.problem: str | None = None
        self.game: Game | None = None
        self.board: Board | None = None
        try:
            self.game = load(row["game"])
            self.board = self._board(self.game)
        except Refusal as refusal:
            self.problem = f"this match cannot go on here: {refusal}"

    def _board(self, game: Game) -> Board | None:
        """From the kept state, if its layout is ours; else by playing all actions again, if the rules are the same."""
        row = self.row
        if row["state"] is None:
            return None
        if row["components"] != game.components:
            ours = game.components or "none"
            raise Denied("cannot_continue", f"it is played with components {row['components']}, and here are {ours}")
        if row["layout"] == boards.layout(game):
            return Board.at(game, row["seed"], row["state"], row["ply"])
        if row["rules"] != game.version:
            raise Denied("cannot_continue", f"it is played by rules {row['rules']}, and here are {game.version}")
        return None  # played again once the log is here

    # Loading

    @classmethod
    async def open(cls, store: Store, id: str, ready: Ready) -> Table | None:
        row = await store.match(id)
        if row is None:
            return None
        await ready.rules(row["game"])
        seats = (await store.seats_of([id]))[id]
        table = cls(store, row, seats)
        table._read_on(*await table._unread(row))
        return table

    async def _unread(self, row: Row) -> tuple[list[Row], list[Row]]:
        """The actions and chat lines that are not here yet. Another process may have kept more since the row was read:
        actions that it does not know of come with the next one."""
        found = await self.store.actions_of(self.id, len(self.log))
        lines = await self.store.chat_of(self.id, len(self.chat))
        return [action for action in found if action["ply"] < row["ply"]], lines

    def _read_on(self, rows: list[Row], lines: list[Row]) -> None:
        self._add([entry_of(row) for row in rows])
        self.chat += [line_of(row) for row in lines]
        if self.game and self.row["state"] is not None and not self.board and not self.problem:
            self.board = replayed(self.game, self.row, self.options, self.log, len(self.seats))

    async def refresh(self) -> None:
        """Catch up with what another process has kept."""
        async with self.lock:
            await self._reload()

    async def _reload(self) -> None:
        row = await self.store.match(self.id)
        seats = (await self.store.seats_of([self.id])).get(self.id)
        if row is None or seats is None:
            return
        before, said = (self.row["version"], self.seats), len(self.chat)
        if row["version"] == self.row["version"]:
            self.seats = seats  # presence does not count as a change
        else:
            unread = await self._unread(row)  # first: between the row and its actions nobody may look
            self._take(row, seats)
            self._read_on(*unread)
        if before != (self.row["version"], self.seats):
            self.audience.tell(self.chat[said:])
            self.changed(self, False)

    def take_up(self, rows: Sequence[Row]) -> None:
        """The actions of a match that was kept as it began."""
        self._add(entry_of(row) for row in rows)

    async def follow(self, rematch: str) -> None:
        """Another match follows this one."""

        def make() -> tuple[Change, Board | None] | None:
            if self.row["rematch"]:
                return None
            return Change(self.id, self.row["version"], self.ply, {"rematch": rematch}), None

        await self._change(make)

    def _add(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.log.append(entry)
            if entry.request:
                self.requests[entry.request] = entry

    # Who may

    @property
    def status(self) -> str:
        return str(self.row["status"])

    @property
    def ply(self) -> int:
        return int(self.row["ply"])

    @property
    def to_play(self) -> int:
        return int(self.row["to_play"])

    @property
    def has_secrets(self) -> bool:
        return bool(self.game and self.game.secrets)

    def seats_of(self, person: Person | None) -> list[int]:
        return [s["seat"] for s in self.seats if person and s["person"] == person.id]

    def may_watch(self, person: Person | None) -> bool:
        return bool(self.row["spectators"] or self.seats_of(person) or self.is_host(person))

    def is_host(self, person: Person | None) -> bool:
        return bool(person and person.id == self.row["host"])

    def check_watching(self, person: Person | None) -> None:
        if not self.may_watch(person):
            raise Denied("forbidden", "only who sits at this table may watch it")

    def viewer(self, person: Person | None, wanted: int | None) -> int:
        """Whose eyes a person may look through: their own seats', or a spectator's."""
        self.check_watching(person)
        mine = self.seats_of(person)
        if wanted is None:
            return mine[0] if len(mine) == 1 else SPECTATOR
        if wanted != SPECTATOR and wanted not in mine:
            raise Denied("forbidden", f"seat {wanted + 1} is not yours")
        return wanted

    def seat_of_bot(self) -> int | None:
        """The seat to play, if a bot plays it."""
        return self.to_play if self.status == "playing" and not self.problem and self._bot_plays(self.to_play) else None

    def _bot_plays(self, seat: int, seats: Sequence[Row] | None = None) -> bool:
        return seat >= 0 and bot_of((seats or self.seats)[seat], self.row["stand_in"]) is not None

    def _check_playing(self) -> Board:
        if self.status == "waiting":
            raise Denied("not_started", "the match has not begun: seats are free")
        if self.status == "over":
            raise Denied("over", "the match is over", self.ply)
        if self.problem or not self.board:
            raise Denied("cannot_continue", self.problem or "this match cannot go on here", self.ply)
        return self.board

    def _check_mine(self, person: Person, seat: int | None) -> list[int]:
        mine = self.seats_of(person)
        if not mine:
            raise Denied("forbidden", "you have no seat at this table")
        if seat is not None and seat not in mine:
            raise Denied("forbidden", f"seat {seat + 1} is not yours")
        return mine if seat is None else [seat]

    # The door

    async def play(self, person: Person, asked: Play) -> Played:
        """A person's actions: all of them are played, or none."""
        request = f"{person.id}:{asked.id}"

        def make() -> tuple[Change, Board | None] | None:
            if request in self.requests:
                return None
            mine = self._check_mine(person, asked.seat)
            board = self._check_playing()
            self._check_fresh(asked.ply)
            if self.to_play not in mine:
                raise Denied("not_your_turn", f"it is seat {self.to_play + 1}'s turn", self.ply)
            seat = self.to_play
            if asked.hash and asked.hash != boards.digest(board.seen(seat)):
                raise Denied("stale", "the match stands otherwise than where you played", self.ply)
            return self._played(seat, asked.actions, "person", request)

        await self._change(make)
        kept = self.requests[request]
        return Played(asked.id, kept.last, kept.hash)

    async def play_for_bot(self, seat: int, ply: int, action: str) -> None:
        """A bot's action; one that comes too late is refused like anybody's."""

        def make() -> tuple[Change, Board | None]:
            self._check_playing()
            self._check_fresh(ply)
            if self.seat_of_bot() != seat:
                raise Denied("not_your_turn", f"no bot is to play for seat {seat + 1}", self.ply)
            by: By = "bot" if self.seats[seat]["held_by"] == BOT else "stand-in"
            return self._played(seat, [action], by, None)

        await self._change(make)

    def _check_fresh(self, ply: int) -> None:
        if ply != self.ply:
            raise Denied("stale", f"played at ply {ply}, and the match is at ply {self.ply}", self.ply)

    def _played(self, seat: int, texts: Sequence[str], by: By, request: str | None) -> tuple[Change, Board]:
        assert self.board
        after, steps = self.board.copy(), []
        for number, text in enumerate(texts):
            if after.to_play != seat:
                raise Denied(
                    "illegal_action", f"{text!r} comes after the turn has ended or chance has played", self.ply
                )
            steps.append(after.play(text))
            if number == len(texts) - 1 or after.to_play < 0:
                steps += after.roll()
        at, changed_seats, left = now(), [], list(self.left)
        if by == "person" and self.seats[seat]["absent"]:  # whoever plays is there
            changed_seats.append(self.seats[seat] | {"absent": False})
            left[seat] = clocks.taken_back(self.clock, left[seat])
        hash = boards.digest(after.seen(seat))
        entries = [self._row_of(self.ply + i, step, by, at, after.ply) for i, step in enumerate(steps)]
        entries[0] |= {"request": request, "hash": hash}
        row = self._row_after(after, at, with_seats(self.seats, changed_seats), left)
        return Change(self.id, self.row["version"], after.ply, row, entries, changed_seats), after

    def _row_of(self, ply: int, step: Step, by: By, at: int, last: int) -> dict[str, Any]:
        assert self.game
        return {
            "match": self.id,
            "ply": ply,
            "text": self.game.actions.texts[step.number],
            "actor": step.actor,
            "by": by if step.actor >= 0 else "chance",
            "at": at,
            "known": " ".join(map(str, step.known or ())),
            "request": None,
            "last": last,
            "hash": "",
        }

    def _row_after(self, after: Board, at: int, seats: Sequence[Row], left: list[int | None]) -> dict[str, Any]:
        """The match's row once this is played."""
        before, next_seat = self.to_play, after.to_play
        same_turn = next_seat == before
        since, deadline, turn = self.row["since"], self.row["deadline"], self.row["turn"]
        if not same_turn:
            turn = after.ply
            if before >= 0 and self.status == "playing":
                left[before] = clocks.after_turn(self.clock, left[before], since, at)
        if not same_turn or isinstance(self.clock, protocol.DaysClock):
            since, deadline = self._clock_for(next_seat, seats, left, at)
        return {
            "state": after.state.tobytes(),
            "layout": boards.layout(after.game),
            "ply": after.ply,
            "to_play": next_seat,
            "turn": turn,
            "left": encode(left).decode(),
            **self._waiting_for(next_seat, seats, since, deadline, at),
            **self._outcome(after, at),
        }

    def _clock_for(
        self, seat: int, seats: Sequence[Row], left: Sequence[int | None], at: int
    ) -> tuple[int | None, int | None]:
        """When the seat's time begins and ends; a bot's never does."""
        if seat < 0 or self._bot_plays(seat, seats):
            return None, None
        return at, clocks.deadline(self.clock, left[seat], at)

    def _waiting_for(
        self, seat: int, seats: Sequence[Row], since: int | None, deadline: int | None, at: int
    ) -> dict[str, Any]:
        """A bot that is to play is thought for by the process that kept what made it so."""
        bot = self._bot_plays(seat, seats)
        return {"since": since, "deadline": deadline, "bot_turn": bot, "claimed": at + self.lease if bot else 0}

    def _outcome(self, after: Board, at: int) -> dict[str, Any]:
        if after.to_play != OVER:
            return {"status": "playing", "changed": at, "result": None, "score": None}
        scores, places = standing(after.state)
        result = encode(protocol.Result(scores, places, False)).decode()
        return {"status": "over", "changed": at, "result": result, "score": scores[0] if after.seats == 1 else None}

    async def _change(self, make: Callable[[], tuple[Change, Board | None] | None]) -> None:
        """Keep what `make` makes of the table as it is, again if another process was faster; then tell everybody.
        Nobody who goes away in the meantime takes half of it with them."""
        await asyncio.shield(self._keep(make))

    async def _keep(self, make: Callable[[], tuple[Change, Board | None] | None]) -> None:
        async with self.lock:
            self.used = time.monotonic()
            for _ in range(TRIES):
                made = make()
                if made is None:
                    return
                try:
                    await self.store.change(made[0])
                except Overtaken:
                    await self._reload()
                    continue
                self._hold(*made)
                return
        raise Denied("unavailable", "too much happens at this table at once; nothing has changed", self.ply)

    def _hold(self, change: Change, after: Board | None) -> None:
        """What was kept is true now."""
        self.row |= change.row | {"version": change.version + 1}
        self.left = read(self.row["left"])
        self.seats = with_seats(self.seats, change.seats)
        self._add(entry_of(row) for row in change.actions)
        lines = [line_of(row) for row in change.chat]
        self.chat += lines
        self.board = after or self.board
        self.audience.tell(lines, bool(change.seats or not change.actions or self.status == "over"))
        self.changed(self, True)

    # Sitting down and getting up

    async def join(self, person: Person, asked: protocol.Join) -> None:
        def make() -> tuple[Change, Board | None] | None:
            if self.status != "waiting":
                raise Denied("seat_taken", "the match has begun: all seats are taken")
            if self.seats_of(person):
                raise Denied("seat_taken", "you already sit at this table")
            seat = self._seat_for(person, asked)
            return self.seated([seat | {"held_by": PERSON, "person": person.id, "name": person.name, "secret": None}])

        await self._change(make)

    def _seat_for(self, person: Person, asked: protocol.Join) -> dict[str, Any]:
        if asked.secret:
            found = [s for s in self.seats if s["secret"] == digest(asked.secret)]
            if not found:
                raise Denied("bad_secret", "this invitation is not good, or it was used before")
            return found[0]
        free = [s for s in self.seats if s["held_by"] == OPEN and asked.seat in (None, s["seat"])]
        if not free:
            raise Denied("seat_taken", "no such seat is free at this table")
        return free[0]

    def seated(self, changed_seats: list[dict[str, Any]]) -> tuple[Change, Board | None]:
        """The match begins when nobody is missing any more."""
        change = Change(self.id, self.row["version"], self.ply, {}, [], changed_seats)
        seats = with_seats(self.seats, changed_seats)
        if any(s["held_by"] in (FRIEND, OPEN) for s in seats):
            return change, None
        after, change.row, change.actions = self._begun(seats)
        change.ply = after.ply
        return change, after

    def _begun(self, seats: Sequence[Row]) -> tuple[Board, dict[str, Any], list[dict[str, Any]]]:
        assert self.game
        after = Board.begin(self.game, len(seats), self.options, self.row["seed"])
        steps, at = after.roll(), now()
        rows = [self._row_of(i, step, "chance", at, after.ply) for i, step in enumerate(steps)]
        return after, self._row_after(after, at, seats, list(self.left)), rows

    async def start(self, person: Person, bot: str) -> None:
        """The host fills what is free with bots."""

        def make() -> tuple[Change, Board | None]:
            if not self.is_host(person):
                raise Denied("forbidden", "only who made the table may start it")
            if self.status != "waiting":
                raise Denied("over" if self.status == "over" else "seat_taken", "the match has begun")
            free = [s for s in self.seats if s["held_by"] in (FRIEND, OPEN)]
            return self.seated([s | {"held_by": BOT, "bot": bot, "name": bot, "secret": None} for s in free])

        await self._change(make)

    async def invite(self, person: Person, seat: int) -> str:
        """A new link for a seat that nobody has; the old one stops working."""
        secret = secrets.token_hex(16)

        def make() -> tuple[Change, Board | None]:
            if not self.is_host(person):
                raise Denied("forbidden", "only who made the table may invite")
            if seat >= len(self.seats):
                raise Denied("not_found", f"this table has {len(self.seats)} seats, and no seat {seat + 1}")
            if self.seats[seat]["held_by"] not in (FRIEND, OPEN) or self.status != "waiting":
                raise Denied("seat_taken", f"seat {seat + 1} is taken")
            held = self.seats[seat] | {"held_by": FRIEND, "secret": digest(secret)}
            return Change(self.id, self.row["version"], self.ply, {}, [], [held]), None

        await self._change(make)
        return secret

    async def leave(self, person: Person, seat: int | None) -> None:
        """While the table waits the seat is free again. Later the stand-in plays, if that keeps nobody else waiting;
        a match that would be left to bots alone waits."""

        def make() -> tuple[Change, Board | None] | None:
            mine = self._check_mine(person, seat)
            if self.status == "waiting":
                return self._left_waiting(mine)
            self._check_playing()
            others = [s for s in self.seats if s["held_by"] == PERSON and not (s["absent"] or s["resigned"])]
            if all(s["person"] == person.id for s in others):
                return None
            return self._handed([self.seats[n] | {"absent": True} for n in mine])

        await self._change(make)

    def _left_waiting(self, mine: list[int]) -> tuple[Change, Board | None]:
        free = {"held_by": OPEN, "person": None, "name": "", "secret": None}
        seats = [self.seats[n] | free for n in mine]
        row: dict[str, Any] = {}
        if not any(s["held_by"] == PERSON for s in with_seats(self.seats, seats)):
            row = {"status": "over", "changed": now()}
        return Change(self.id, self.row["version"], self.ply, row, [], seats), None

    def _handed(self, changed_seats: list[dict[str, Any]]) -> tuple[Change, Board | None]:
        """Seats go to the stand-in, or back to their persons: the clock of the one to play begins anew."""
        seats, at, left, seat = with_seats(self.seats, changed_seats), now(), list(self.left), self.to_play
        if self._bot_plays(seat, seats) != self._bot_plays(seat):
            if self._bot_plays(seat):
                left[seat] = clocks.taken_back(self.clock, left[seat])
            elif left[seat] is not None and self.row["since"] is not None:
                left[seat] = max(0, (left[seat] or 0) - (at - self.row["since"]))
            since, deadline = self._clock_for(seat, seats, left, at)
        else:
            since, deadline = self.row["since"], self.row["deadline"]
        row = {"left": encode(left).decode(), **self._waiting_for(seat, seats, since, deadline, at)}
        return Change(self.id, self.row["version"], self.ply, row, [], changed_seats), None

    async def come_back(self, person: Person, seat: int | None) -> None:
        def make() -> tuple[Change, Board | None] | None:
            mine = self._check_mine(person, seat)
            self._check_playing()
            if any(self.seats[n]["resigned"] for n in mine):
                raise Denied("forbidden", "who has resigned cannot come back")
            absent = [self.seats[n] | {"absent": False} for n in mine if self.seats[n]["absent"]]
            return self._handed(absent) if absent else None

        await self._change(make)

    async def time_out(self) -> None:
        """The seat to play has run out of time: the stand-in plays until the person takes the seat back."""

        def make() -> tuple[Change, Board | None] | None:
            due = self.row["deadline"]
            if self.status != "playing" or self.problem or due is None or due > now():
                return None
            return self._handed([self.seats[self.to_play] | {"absent": True}])

        await self._change(make)

    async def resign(self, person: Person, seat: int | None) -> None:
        """With one other seat left, or none, the match ends; otherwise the stand-in plays on."""

        def make() -> tuple[Change, Board | None] | None:
            mine = self._check_mine(person, seat)
            self._check_playing()
            gone = [self.seats[n] | {"absent": True, "resigned": True} for n in mine if not self.seats[n]["resigned"]]
            if not gone:
                return None
            change, after = self._handed(gone)
            still = [s["seat"] for s in with_seats(self.seats, gone) if not s["resigned"]]
            if len(still) <= 1:
                change.row |= self._given_up(still)
            return change, after

        await self._change(make)

    def _given_up(self, still: list[int]) -> dict[str, Any]:
        board = self._check_playing()
        scores = standing(board.state)[0]
        places = [1 if n in still else len(still) + 1 for n in range(len(self.seats))]
        result = encode(protocol.Result(scores, places, True)).decode()
        over = {"status": "over", "result": result, "changed": now(), "score": None}
        return over | {"since": None, "deadline": None, "bot_turn": False, "claimed": 0}

    async def say(self, person: Person, asked: protocol.Say) -> ChatLine:
        lines: list[dict[str, Any]] = []

        def make() -> tuple[Change, Board | None]:
            mine = self._check_mine(person, None)
            if not self.row["chat"]:
                raise Denied("forbidden", "nobody talks at this table")
            text = tidy(asked.text)
            if bool(text) == bool(asked.phrase):
                raise Denied("bad_request", "say a line of your own or a quick phrase")
            if asked.phrase and asked.phrase not in protocol.PHRASES:
                there = ", ".join(protocol.PHRASES)
                raise Denied("bad_request", f"there is no quick phrase {asked.phrase!r}; there are: {there}")
            line = {"match": self.id, "number": len(self.chat) + 1, "person": person.id, "name": person.name}
            lines[:] = [line | {"seat": mine[0], "text": text, "phrase": asked.phrase, "at": now()}]
            return Change(self.id, self.row["version"], self.ply, {}, [], [], lines), None

        await self._change(make)
        return line_of(lines[0])

    # Looking

    def preview(self, person: Person, asked: Preview) -> Previewed:
        mine = self._check_mine(person, asked.seat)
        board = self._check_playing()
        self._check_fresh(asked.ply)
        if self.to_play not in mine:
            raise Denied("not_your_turn", f"it is seat {self.to_play + 1}'s turn", self.ply)
        ahead = board.ahead(self.to_play, asked.actions)
        found = show(board.game, ahead.seen, self.ply)
        legal = board.legal_for(ahead.seen, self.to_play)
        to_play = int(ahead.seen.to_play)
        return Previewed(
            asked.id,
            self.ply,
            ahead.done,
            ahead.stopped,
            whole(found.view),
            to_play,
            legal,
            found.scores,
            found.places,
        )

    def hinted(self, person: Person, actions: Sequence[str]) -> tuple[Board, Any]:
        """The board, and what the seat to play would see of it after these actions: a hint may be given for that."""
        mine, board = self._check_mine(person, None), self._check_playing()
        if not self.row["hints"]:
            raise Denied("forbidden", "there are no hints at this table")
        if self.to_play not in mine:
            raise Denied("not_your_turn", f"it is seat {self.to_play + 1}'s turn", self.ply)
        ahead = board.ahead(self.to_play, actions)
        if ahead.stopped:
            why = boards.STOPS[ahead.stopped]
            raise Denied("illegal_action", f"there is no hint for what follows {actions[-1]!r}: {why}", self.ply)
        return board, ahead.seen

    def told(self, entry: Entry, viewer: int) -> LogEntry:
        """The action as the viewer may know it; all of it once the match is over."""
        verb, _, rest = entry.text.partition(" ")
        args = rest.split()
        if entry.known and self.game and self.board and self.board.to_play != OVER:
            number = self.game.actions.parse(entry.text)
            args = self.game.actions.text(number, entry.known[viewer + 1]).split()[1:]
        return LogEntry(entry.ply, entry.actor, f"{self.row['game']}.{verb}", args, entry.by, entry.at)

    def clocks(self) -> Clocks:
        since = self.row["since"]
        return Clocks(self.left, self.to_play if since is not None else None, since, self.row["deadline"])

    def info(self, person: Person | None) -> TableInfo:
        row, mine = self.row, self.seats_of(person)
        return TableInfo(
            id=self.id,
            game=row["game"],
            options=self.options,
            status=row["status"],
            seats=self.seat_infos(),
            mine=mine,
            host=row["host"],
            am_host=self.is_host(person),
            clock=self.clock,
            clocks=self.clocks(),
            public=row["public"],
            spectators=row["spectators"],
            hints=row["hints"],
            bots_ready=self.bots_ready(),
            chat=row["chat"],
            stand_in=row["stand_in"],
            ply=self.ply,
            to_play=self.to_play,
            created=row["created"],
            changed=row["changed"],
            fairness=protocol.Fairness(Dice(row["seed"]).commitment, row["seed"] if self.is_open() else None),
            daily=deal_of(row),
            result=read_result(row["result"]) if row["result"] else None,
            rematch=row["rematch"],
            watching=self.audience.spectators(),
            problem=self.problem,
        )

    def seat_infos(self) -> list[SeatInfo]:
        return seat_infos(self.seats, self.row["stand_in"], self.audience.here())

    def is_open(self) -> bool:
        """The seed and everything that follows from it may be shown."""
        deal = deal_of(self.row)
        return self.status == "over" and (deal is None or deal.closes <= now())


def replayed(game: Game, row: Row, options: dict[str, str], log: Sequence[Entry], seats: int) -> Board:
    """The board after playing all actions again."""
    board = Board.begin(game, seats, options, row["seed"])
    for entry in log:
        board.play(entry.text)
    return board
