"""Nobody learns from the server what the rules hide: two matches that differ only in hidden facts look the same.

Twins are played in lock step: what some hands hold differs, and so does the seed; all that others may know is equal.
Each twin is played on a server of its own, where time and chance are scripted, and everything that is sent to somebody
who is not entitled to the difference must be equal, byte for byte. Of the seed only the SHA-256 may be told.

PLENILUNE_LONG_TESTS=on compares whole matches, of all options.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import logging
import os
import random
import re
import secrets
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest

from plenilune.bots import hints
from plenilune.core.dice import Dice
from plenilune.core.errors import IllegalAction
from plenilune.core.record import CHANCE, OVER, SPECTATOR
from plenilune.game import Game, load
from plenilune.position import Position, hidden, legal
from plenilune.server import clock
from plenilune.server.protocol import LogEntry
from plenilune.server.tables import lobby, shown
from plenilune.server.tables.server_secrets import ServerSecrets
from plenilune.server.tables.table import Table
from plenilune.server.thinking import warmup
from plenilune.server.thinking.thinkers import Thinkers
from tests.play import settings as all_settings
from tests.server.attempts import Attempts
from tests.server.running import COMPILING, Guest, Running, new_id, running, sqlite

LONG = os.environ.get("PLENILUNE_LONG_TESTS") == "on"
MOST_PLIES = 10_000 if LONG else 55  # of a match that is compared
PROBED = 8 if LONG else 25  # turns between two rounds of questions
START = 1_800_000_000_000
TICK = 1_234  # milliseconds between two actions
SEEDS = ("6e6f76616c756e617669616e6562756c", "d3b07384d113edec49eaa6238ad5ff00")
Setting = tuple[str, int, dict[str, str]]


# Twins


class Twins(NamedTuple):
    game: Game
    options: dict[str, str]
    seats: int
    hiders: set[int]  # the seats whose hands differ
    scripts: tuple[list[str], list[str]]  # what happens at each, ply by ply
    actors: list[int]
    differ: int  # in how many plies there was a difference


def twins(setting: Setting, plies: int = MOST_PLIES) -> Twins:
    """Of some, those that differ at the most plies: they may come to be equal, or to where only one could go on."""
    found = [some_twins(setting, plies, random.Random(f"{setting} {number}")) for number in range(12)]
    return max(found, key=lambda twins: (twins.differ, len(twins.actors)))


def some_twins(setting: Setting, plies: int, player: random.Random) -> Twins:
    game, seats, options = load(setting[0]), setting[1], setting[2]
    hiders = set(player.sample(range(seats), player.randint(1, max(1, seats - 1)))) if game.secrets else set()
    others = [viewer for viewer in range(SPECTATOR, seats) if viewer not in hiders]
    states = [begin(game, seats, options) for _ in SEEDS]
    scripts: tuple[list[str], list[str]] = ([], [])
    actors: list[int] = []
    ready = differ = 0  # the ply of the last turn of a seat
    while len(actors) < plies or states[0].to_play == CHANCE:
        pair = next_pair(game, states, others, player)
        if pair is None:
            break
        actors.append(int(states[0].to_play))
        for script, state, number in zip(scripts, states, pair, strict=True):
            script.append(game.actions.text(number))
            game.apply(state, number)
        differ += states[0].tobytes() != states[1].tobytes()
        ready = len(actors) if states[0].to_play >= 0 else ready
    cut = (scripts[0][:ready], scripts[1][:ready])
    return Twins(game, options, seats, hiders, cut, actors[:ready], differ)


def begin(game: Game, seats: int, options: dict[str, str]) -> Any:
    state = game.State.new()
    words = [game.options[name].index(word) for name, word in game.choices(seats, options).items()]
    game.setup(state, seats, np.array(words, np.int32))
    return state


def next_pair(game: Game, states: list[Any], others: list[int], player: random.Random) -> tuple[int, int] | None:
    """One action for each twin, which the others cannot tell apart; different ones, if there are such."""
    first, second = (legal(game, state) for state in states)
    for one in player.sample(first, len(first)):
        said = words(game, states[0], one, others)
        fits = [n for n in second if words(game, states[1], n, others) == said and n != one]
        for other in [*player.sample(fits, len(fits)), *([one] if one in second else [])]:
            after = [played(game, state, n) for state, n in zip(states, (one, other), strict=True)]
            if all(state.to_play != OVER for state in after) and look_alike(game, after, others):
                return one, other
    return None


def words(game: Game, state: Any, number: int, viewers: list[int]) -> list[str]:
    """The action as each of the viewers may know it."""
    if game.known is None:
        return [game.actions.text(number)]
    return [game.actions.text(number, game.known(state, number, viewer)) for viewer in viewers]


def played(game: Game, state: Any, number: int) -> Any:
    after = game.State.copy(state)
    game.apply(after, number)
    return after


def look_alike(game: Game, states: list[Any], viewers: list[int]) -> bool:
    return all(len({seen(game, state, viewer) for state in states}) == 1 for viewer in viewers)


def seen(game: Game, state: Any, viewer: int) -> bytes:
    return bytes(hidden(game, state, viewer).tobytes())


# A server whose time and chance are scripted


class World:
    """What is random on a server, the same in every run; but chance plays by the script, and the seed is given."""

    def __init__(self, game: Game, seed: str, script: list[str]) -> None:
        self.game, self.seed, self.script = game, seed, script
        self.at = START
        self.seed_is_next = False
        self._random = random.Random(7)
        self._pick, self._seed = Dice.pick, ServerSecrets.seed

    def pick(self, dice: Dice, ply: int, outcomes: Any) -> Any:
        if dice.seed != self.seed:
            return self._pick(dice, ply, outcomes)
        number = self.game.actions.parse(self.script[ply])
        assert number in outcomes
        return number

    def token_hex(self, size: int = 32) -> str:
        return self._random.randbytes(size).hex()

    def give_seed(self, known: ServerSecrets, ticket: str | None) -> str:
        if self.seed_is_next:
            self.seed_is_next = False
            return self.seed
        return self._seed(known, ticket)

    @contextlib.contextmanager
    def ruling(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clock, "_steady", lambda: self.at * 1_000_000)
            patch.setattr(clock, "_offset", 0)
            patch.setattr(clock, "system", clock.now)
            patch.setattr(secrets, "token_hex", self.token_hex)
            patch.setattr(secrets, "choice", self._random.choice)
            patch.setattr(ServerSecrets, "seed", lambda known, ticket: self.give_seed(known, ticket))
            patch.setattr(Dice, "pick", lambda dice, ply, outcomes: self.pick(dice, ply, outcomes))
            patch.setattr(lobby, "BREATH", 0.0)
            patch.setattr(hints, "stream", tell_what_was_given)
            patch.setattr(hints, "worth_of", worth_of_what_was_given)
            yield


def tell_what_was_given(game: Game, state: Any, seat: int, *rest: Any, **more: Any) -> Iterator[dict[str, Any]]:
    """Instead of a hint, which takes its time: a digest of all that a hint is made from."""
    given = hashlib.sha256(state.tobytes()).hexdigest()
    nothing: dict[str, Any] = {"action": "", "values": [], "actions": [], "simulations": 0, "solved": False}
    yield {"seat": seat, "line": [given], "done": True, **nothing}


def worth_of_what_was_given(game: Game, state: Any, seat: int, action: int, *rest: Any) -> float:
    return zlib.crc32(state.tobytes() + bytes([action % 256, seat]))


class Sink(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


# One run, and everything that is sent in it


Traffic = dict[str, list[str]]  # by who and how


class Tap:
    """A connection, of which every word is written down."""

    def __init__(self, said: list[str], read: Callable[[], str], send: Callable[[str], None] | None = None) -> None:
        self.said, self._read, self._send = said, read, send

    def read(self) -> Any:
        self.said.append(self._read())
        return json.loads(self.said[-1] or "{}")

    def until(self, wanted: Callable[[Any], bool]) -> Any:
        while not wanted(message := self.read()):
            pass
        return message

    def ask(self, kind: str, **fields: Any) -> Any:
        """Say something with an id, and wait for its answer."""
        assert self._send
        id = new_id()
        fields |= {"kind": kind, "id": id}
        self._send(json.dumps(fields))
        answer = self.until(lambda m: m.get("id") == id and m.get("done", True))
        self.said[:] = [line.replace(id, "ID") for line in self.said]
        return answer


class Run:
    """One of the twins, played on a server with everybody watching."""

    def __init__(self, server: Running, world: World, twins: Twins) -> None:
        self.server, self.world, self.twins = server, world, twins
        self.traffic: Traffic = {}
        self.people: dict[str, Guest] = {f"seat {n}": server.guest(f"Guest {n}") for n in range(twins.seats)}
        self.people |= {"spectator": server.guest("Watcher"), "nobody": server.guest(None)}
        self.taps: dict[str, Tap] = {}

    def play(self) -> Traffic:
        with contextlib.ExitStack() as stack:
            self.match = self._table()
            self._open_taps(stack)
            plies = [ply for ply, actor in enumerate(self.twins.actors) if actor >= 0]
            for turn, (ply, after) in enumerate(itertools.pairwise([*plies, len(self.twins.actors)])):
                if turn % PROBED == 0:
                    self._hear_lobby(ply)
                    self._probe(ply)
                self._act(ply, after)
            self._probe(len(self.twins.actors))
        return self.traffic

    def _table(self) -> str:
        host, rest = self.people["seat 0"], [self.people[f"seat {n}"] for n in range(1, self.twins.seats)]
        self.world.seed_is_next = True
        clock = {"kind": "bank", "bank": 24 * 3600, "increment": 5}
        wishes = ["me", *["open"] * len(rest)]
        made = host.table(self.twins.game.name, *wishes, options=self.twins.options, public=True, clock=clock)
        assert made["table"]["fairness"]["commitment"] == Dice(self.world.seed).commitment
        match: str = made["table"]["id"]
        for guest in rest:
            self.world.at += TICK
            guest.post(f"/api/tables/{match}/join", {})
        return match

    def _open_taps(self, stack: contextlib.ExitStack) -> None:
        for who, guest in self.people.items():
            socket = stack.enter_context(guest.socket(f"/api/tables/{self.match}/live"))
            read = functools.partial(socket.recv, 20)
            self.taps[f"{who} socket"] = Tap(self.traffic.setdefault(f"{who} socket", []), read, socket.send)
        for who in (f"seat {self.twins.seats - 1}", "nobody"):
            said, lines = self.traffic.setdefault(f"{who} stream", []), self._lines(stack, who)
            self.taps[f"{who} stream"] = Tap(said, functools.partial(next, lines))
        for tap in self.taps.values():
            tap.until(lambda m: m.get("kind") == "update")
        socket = stack.enter_context(self.people["spectator"].socket("/api/lobby/live"))
        self.lobby = Tap([], functools.partial(socket.recv, 20))

    def _lines(self, stack: contextlib.ExitStack, who: str) -> Iterator[str]:
        reader = self.server.guest(None)
        reader.http.cookies.update(self.people[who].http.cookies)
        response = stack.enter_context(reader.http.stream("GET", f"/api/tables/{self.match}/stream"))
        return response.iter_lines()

    def _hear_lobby(self, ply: int) -> None:
        """Its messages are bundled as time allows: what counts is what is said of each ply."""
        found: list[Any] = []
        while not found:
            message = self.lobby.read()
            rows = message.get("rows") or message.get("live", [])
            found = [row for row in rows if row["id"] == self.match and row["ply"] >= ply]
        self.traffic.setdefault("spectator lobby", []).append(json.dumps(found))

    def _act(self, ply: int, after: int) -> None:
        self.world.at += TICK
        actor = self.taps[f"seat {self.twins.actors[ply]} socket"]
        answer = actor.ask("play", ply=ply, actions=[self.world.script[ply]])
        assert (answer["kind"], answer["ply"]) == ("played", after), answer
        for tap in self.taps.values():
            tap.until(lambda m: m.get("kind") == "update" and m["ply"] == after)

    # Asking for more than one may know

    def _probe(self, ply: int) -> None:
        for who, guest in self.people.items():
            said = self.traffic.setdefault(f"{who} http", [])
            for method, path, body in self._questions(ply):
                said.append(self._asked(guest, method, path, body))
            if who.startswith("seat"):
                self._ask_about_actions(who, ply)
        metrics = self._asked(self.people["nobody"], "GET", "/metrics").splitlines()
        self.traffic.setdefault("nobody metrics", []).extend(
            line for line in metrics if not re.search("seconds|memory|content-length", line)
        )
        self.traffic.setdefault("nobody http", []).append(self._asked(self.people["nobody"], "GET", "/api/health"))

    def _questions(self, ply: int) -> Iterator[tuple[str, str, Any]]:
        table = f"/api/tables/{self.match}"
        for path in ("", "/state", "/dice", "/match", "/review", f"/history?first={max(0, ply - 2)}"):
            yield "GET", table + path, None
        hider = min(self.twins.hiders, default=0)  # refused, but for the seat itself
        yield "GET", f"{table}/state?viewer={hider}", None
        yield "GET", f"{table}/history?first={ply}&viewer={hider}", None
        yield "GET", "/api/lobby", None
        for text in self._forbidden(ply):
            body = {"kind": "play", "id": "forbidden", "ply": ply, "actions": [text]}
            yield "POST", f"{table}/play", body
            yield "POST", f"{table}/preview", body | {"kind": "preview"}
        yield "POST", f"{table}/play", body | {"ply": ply + 1}

    def _forbidden(self, ply: int) -> list[str]:
        """Actions that the seat to play cannot play, or does not know whether it can."""
        texts, player = self.twins.game.actions.texts, random.Random(ply)
        seats = [self.people[f"seat {n}"] for n in range(self.twins.seats)]
        may = {text for guest in seats for text in guest.state(self.match)["legal"]}
        chosen = [text for text in player.sample(list(texts), min(12, len(texts))) if text not in may]
        return [*chosen[:2], "fly home"]

    def _asked(self, guest: Guest, method: str, path: str, body: Any = None) -> str:
        response = guest.http.request(method, path, json=body)
        headers = sorted(f"{name}: {value}" for name, value in response.headers.items() if name != "date")
        return "\n".join([f"{method} {path} {response.status_code}", *headers, response.text])

    def _ask_about_actions(self, who: str, ply: int) -> None:
        tap = self.taps[f"{who} socket"]
        legal = self.people[who].state(self.match)["legal"]
        for text in random.Random(ply).sample(legal, min(5, len(legal))):
            assert tap.ask("preview", ply=ply, actions=[text])["kind"] == "previewed"
        tap.ask("preview", ply=ply, actions=["fly home"])
        tap.ask("hint", seconds=0.1)
        for text in legal[:3]:
            tap.ask("hint", seconds=0.1, actions=[text])


def run(folder: Path, twins: Twins, which: int) -> Traffic:
    folder.mkdir()
    world = World(twins.game, SEEDS[which], twins.scripts[which])
    written: list[str] = []
    handler = Sink(written)
    with world.ruling():
        logging.getLogger().addHandler(handler)
        try:
            with running(sqlite(folder, metrics="public")) as server:
                server.in_loop(
                    server.server.thinkers.warmup.until_bots(twins.game.name), COMPILING
                )  # tables tell when they are
                traffic = Run(server, world, twins).play()
        finally:
            logging.getLogger().removeHandler(handler)
    return traffic | {"nobody log": written}


def compare(folder: Path, twins: Twins) -> None:
    """Play both and compare all that was sent to those who are not entitled to the difference."""
    warmup.warm_up(warmup.BOTS, twins.game)  # hints are asked for: nobody's patience is for compiling
    first, second = (run(folder / str(which), twins, which) for which in range(2))
    assert first.keys() == second.keys()
    for who in first:
        for traffic, seed in zip((first, second), SEEDS, strict=True):
            assert not any(seed in message for message in traffic[who]), f"{who} has read the seed"
        if not any(who.startswith(f"seat {hider} ") for hider in twins.hiders):
            assert_equal(who, *(without_commitment(t[who], s) for t, s in zip((first, second), SEEDS, strict=True)))


def without_commitment(messages: list[str], seed: str) -> list[str]:
    return [message.replace(Dice(seed).commitment, "COMMITMENT") for message in messages]


def assert_equal(who: str, first: list[str], second: list[str]) -> None:
    for number, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            at = next(i for i, (a, b) in enumerate(zip(one + "$", other + "$", strict=False)) if a != b)
            excerpts = [text[max(0, at - 100) : at + 60] for text in (one, other)]
            raise AssertionError(f"{who} can tell the twins apart, by message {number}: {excerpts}")
    assert len(first) == len(second), f"{who} can tell the twins apart, by how many messages come"


# The proof


def compared() -> list[Setting]:
    """Every game with every number of seats; its options in turn."""
    if LONG:
        return all_settings()
    by_seats = {key: list(found) for key, found in itertools.groupby(all_settings(), key=lambda s: s[:2])}
    return [found[number % len(found)] for number, found in enumerate(by_seats.values())]


@pytest.mark.parametrize("setting", compared(), ids=str)
def test_who_is_not_entitled_is_sent_the_same_bytes(attempts: Attempts, setting: Setting, tmp_path: Path) -> None:
    found = twins(setting)
    assert len(found.actors) > 20
    if found.game.secrets:
        assert found.differ > len(found.actors) // 3, "twins that hardly differ prove nothing"
    compare(tmp_path, found)
    attempts.add(len(found.actors))


SHOW_ALL = Position.seen, shown.log_entry, Table.info, Position.ahead


def leak_state(position: Position, viewer: int) -> Any:
    return position.game.State.copy(position.state)


def leak_log(state: Any, entry: Any, viewer: int) -> LogEntry:
    return msgspec.structs.replace(SHOW_ALL[1](state, entry, viewer), args=entry.text.split()[1:])


def leak_seed(table: Table, person: Any) -> Any:
    return msgspec.structs.replace(SHOW_ALL[2](table, person), stand_in=table._seed[:2])


def leak_preview(position: Position, seat: int, texts: Any) -> Any:
    return SHOW_ALL[3](position, seat, texts)._replace(seen=position.state)


def leak_error(position: Position, seat: int, texts: Any) -> Any:
    try:
        return SHOW_ALL[3](position, seat, texts)
    except IllegalAction as error:
        raise IllegalAction(f"{error} {hashlib.sha256(position.state.tobytes()).hexdigest()[0]}") from None


@pytest.mark.parametrize(
    ("owner", "name", "leak"),
    [
        (Position, "seen", leak_state),
        (Position, "ahead", leak_preview),
        (Position, "ahead", leak_error),
        (shown, "log_entry", leak_log),
        (Table, "info", leak_seed),
    ],
    ids=["a view", "a preview", "a refusal", "a log entry", "two digits of the seed"],
)
def test_what_leaks_is_found(owner: Any, name: str, leak: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = twins(("via-nebula", 3, {"map": "beginner"}), plies=45)
    monkeypatch.setattr(owner, name, leak)
    with pytest.raises(AssertionError, match="can tell the twins apart"):
        compare(tmp_path, found)


def test_bots_are_given_what_their_seat_has_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that knew more would give it away by what it plays."""
    given: list[tuple[Game, bytes, bytes]] = []
    choose = Thinkers.choose

    async def spy(self: Thinkers, owner: Any, name: Any, game: Game, state: Any, seat: int, stop: Any) -> str:
        given.append((game, state.tobytes(), seen(game, state, seat)))
        return await choose(self, owner, name, game, state, seat, stop)

    monkeypatch.setattr(Thinkers, "choose", spy)
    with running(sqlite(tmp_path)) as server:
        ada = server.guest()
        match = ada.table("via-nebula", "me", "random", "greedy", "random")["table"]["id"]
        with ada.live(match) as live:
            while live.my_turn() and live.update["ply"] < 120:
                live.act()
    assert len(given) > 20
    assert all(state == hidden for _, state, hidden in given)
