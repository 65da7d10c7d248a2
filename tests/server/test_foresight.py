"""Nobody foresees the dice: until a roll is committed, nothing that is answered depends on it.

Two tables with the same history differ only in their seeds. Whatever is asked at one is asked at the other: lists of
actions of all lengths, with unknown words and rolls in every position, to be played, previewed and hinted, by requests
and over websockets. The answers must be equal byte for byte, and the dice may not even be looked at.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from plenilune import load
from plenilune.bots import hints
from plenilune.core.dice import Dice
from plenilune.core.errors import Refusal
from plenilune.position import Position
from plenilune.server.tables.decide import playing
from tests.play import package_games
from tests.server.attempts import Attempts
from tests.server.running import PATIENCE, Guest, Live, Running
from tests.server.test_noninterference import tell_what_was_given, worth_of_what_was_given

TURNS = 14  # at which everything is asked
LONGEST = 64  # actions in a list; one more is not a message of the protocol
GAMES = [(name, seats) for name in package_games() for seats in (1, 2) if seats in load(name).seats]
UNKNOWN = ["fly home", "roll 1", "roll 7", "?"]


class World:
    """Chance plays the same at both tables when something is committed; meanwhile nobody may ask what it will be."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.committing = False
        self.looked: list[int] = []
        self._random = random.Random(3)
        self._outcomes: dict[tuple[int, int], int] = {}
        patch.setattr(Dice, "pick", lambda dice, ply, outcomes: self._pick(dice, ply, outcomes))
        patch.setattr(hints, "stream", tell_what_was_given)
        patch.setattr(hints, "worth_of", worth_of_what_was_given)

    def _pick(self, dice: Dice, ply: int, outcomes: Any) -> Any:
        if dice.seed == "warm-up":  # a match of the thread that has the code of bots loaded
            return outcomes[0]
        if not self.committing:
            self.looked.append(ply)
            return outcomes[int(dice.commitment, 16) % len(outcomes)]
        index = self._outcomes.setdefault((ply, len(outcomes)), self._random.randrange(len(outcomes)))
        return outcomes[index]

    @contextmanager
    def commit(self) -> Iterator[None]:
        self.committing = True
        try:
            yield
        finally:
            self.committing = False


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


class Pair:
    """One person alone at two tables, which differ in their seeds only."""

    def __init__(self, world: World, guest: Guest, game: str, seats: int) -> None:
        self.world, self.guest, self.asked = world, guest, 0
        with world.commit():
            self.tables = [guest.table(game, *["me"] * seats)["table"]["id"] for _ in range(2)]
        self._sockets: list[Live] = []
        self.look()

    def look(self) -> None:
        seat = max(-1, int(self.guest.state(self.tables[0])["to_play"]))
        self.state = self.guest.state(self.tables[0], seat)

    @contextmanager
    def connected(self) -> Iterator[None]:
        """With a websocket at each table."""
        with self.guest.live(self.tables[0]) as one, self.guest.live(self.tables[1]) as two:
            self._sockets = [one, two]
            for live in self._sockets:
                live.wait("update")
                while not live.table["bots_ready"]:  # hints are asked for
                    live.next()
            yield

    def ask(self, kind: str, actions: list[str]) -> Any:
        """Ask at both tables, over websockets and, unless it is a hint, by requests. The answers must be the same,
        whatever they say. Returns one of them."""
        said = self._over_sockets(kind, actions)
        if kind != "hint":
            self._by_requests(kind, actions)
        return json.loads(said[-1])

    def _by_requests(self, kind: str, actions: list[str]) -> None:
        body = {"kind": kind, "id": "x", "ply": self.state["ply"], "actions": actions}
        answers = [self.guest.http.post(f"/api/tables/{table}/{kind}", json=body) for table in self.tables]
        self._compare(f"{kind} {actions}", [[str(answer.status_code), answer.text] for answer in answers])

    def _over_sockets(self, kind: str, actions: list[str]) -> list[str]:
        more = {"seconds": 0.1} if kind == "hint" else {"ply": self.state["ply"]}
        for live in self._sockets:
            live.say(kind, id="x", actions=actions, **more)
        answers = [answers_to(live) for live in self._sockets]
        self._compare(f"{kind} {actions} over a websocket", answers)
        return answers[0]

    def _compare(self, what: str, answers: list[list[str]]) -> None:
        self.asked += 1
        assert answers[0] == answers[1], f"{what} tells the seeds apart"
        assert not self.world.looked, f"{what} looks at the dice"

    def play(self, actions: list[str]) -> None:
        with self.world.commit():
            for table in self.tables:
                self.guest.play(table, *actions, ply=self.state["ply"])
        self.look()


def answers_to(live: Live) -> list[str]:
    """The bytes of all answers to what was asked; what is said about the table meanwhile does not belong to them."""
    found = list[str]()
    while True:
        text = str(live.socket.recv(PATIENCE))
        message = json.loads(text)
        if message["kind"] == "table":
            continue
        found.append(text)
        assert message["kind"] in ("refused", "previewed", "hinted"), message
        if message["kind"] != "hinted" or message["done"]:
            return found


def turn(pair: Pair, player: random.Random) -> list[str]:
    """Actions as far as they can be previewed: to the end of the turn, to chance or to a secret."""
    actions: list[str] = []
    legal = pair.state["legal"]
    while legal:
        actions.append(player.choice(legal))
        answer = pair.ask("preview", actions)
        if answer["stopped"] == "secret":
            break
        legal = answer["legal"]
    return actions


def lists(actions: list[str], player: random.Random, texts: list[str], lengths: Iterable[int]) -> Iterator[list[str]]:
    """Lists that cannot be played as a whole: with a word that is none in every position, and longer than a turn."""
    for place in range(len(actions) + 1):
        for word in UNKNOWN:
            yield [*actions[:place], word, *actions[place:]]
    for length in lengths:
        if length > len(actions):
            yield [*actions, *(player.choice([*texts, *UNKNOWN]) for _ in range(length - len(actions)))]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_no_answer_depends_on_a_roll_that_is_not_committed(
    world: World, ada: Guest, server: Running, attempts: Attempts, game: str, seats: int
) -> None:
    pair, player, texts = Pair(world, ada, game, seats), random.Random(game), list(load(game).actions.texts)
    for number in range(TURNS):
        if not pair.state["legal"]:
            break
        with pair.connected():
            actions = turn(pair, player)
            for length in range(len(actions) + 1):
                pair.ask("hint", actions[:length])
            some = {len(actions) + n for n in (1, 2, 3)} | {LONGEST, LONGEST + 1}
            for asked in lists(actions, player, texts, sorted(some if number else range(LONGEST + 2))):
                assert pair.ask("play", asked)["kind"] == "refused", asked
                pair.ask("preview", asked)
                pair.ask("hint", asked)
        pair.play(actions)
    assert pair.state["ply"] > 10
    attempts.add(pair.asked)


def careless_check(position: Position, seat: int, texts: list[str], ply: int) -> None:
    """Lets chance play in the middle of a list, before it is refused."""
    after = position.copy()
    for text in texts:
        after.play(text)
        after.roll(Dice("of this table"))


def careless_ahead(position: Position, seat: int, texts: list[str]) -> Any:
    """Looks beyond the roll, though it shows nothing of it."""
    with suppress(Refusal):
        careless_check(position, seat, texts, 0)
    return AHEAD(position, seat, texts)


AHEAD = Position.ahead


@pytest.mark.parametrize("kind", ["play", "preview", "hint"])
def test_a_server_that_rolls_before_it_answers_is_found_out(
    world: World, ada: Guest, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The attack this is all about, on a server that lets chance play in the middle of a list."""
    if kind == "play":
        monkeypatch.setattr(playing, "check_actions", careless_check)
    else:
        monkeypatch.setattr(Position, "ahead", careless_ahead)
    pair = Pair(world, ada, "moon-leap", 2)
    with pair.connected(), pytest.raises(AssertionError, match="looks at the dice"):
        pair.ask(kind, [pair.state["legal"][0], "roll 1"])
