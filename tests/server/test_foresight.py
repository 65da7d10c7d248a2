"""Nobody foresees the dice: until a roll is committed, nothing that is answered depends on it.

Two tables with the same history differ only in their seeds. Whatever is asked at one is asked at the other: lists of
actions of all lengths, with unknown words and rolls in every position, to be played, previewed and hinted. The answers
must be equal byte for byte, and the dice may not even be looked at.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from plenilune import load
from plenilune.bots import hints
from plenilune.core.dice import Dice
from plenilune.position import Position
from plenilune.server.tables.decide import playing
from tests.play import package_games
from tests.server.running import Guest, Running
from tests.server.test_noninterference import tell_what_was_given, worth_of_what_was_given

TURNS = 14  # at which everything is asked
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
        self.world, self.guest = world, guest
        with world.commit():
            self.tables = [guest.table(game, *["me"] * seats)["table"]["id"] for _ in range(2)]

    @property
    def state(self) -> Any:
        return self.guest.state(self.tables[0], self._seat())

    def _seat(self) -> int:
        return max(-1, int(self.guest.state(self.tables[0])["to_play"]))

    def ask(self, kind: str, actions: list[str]) -> Any:
        """Ask at both; the answers must be the same, whatever they say."""
        ply = self.state["ply"]
        body = {"kind": kind, "id": "x", "ply": ply, "actions": actions}
        answers = [self.guest.http.post(f"/api/tables/{table}/{kind}", json=body) for table in self.tables]
        texts = {f"{answer.status_code} {answer.text}" for answer in answers}
        assert len(texts) == 1, f"{kind} {actions} tells the seeds apart: {texts}"
        assert not self.world.looked, f"{kind} {actions} looks at the dice"
        return answers[0].json()

    def play(self, actions: list[str]) -> None:
        ply = self.state["ply"]
        with self.world.commit():
            for table in self.tables:
                self.guest.play(table, *actions, ply=ply)


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


def lists(actions: list[str], player: random.Random, texts: list[str]) -> Iterator[list[str]]:
    """Lists that cannot be played as a whole: with a word that is none in every position, or with more than a turn."""
    for place in range(len(actions) + 1):
        for word in UNKNOWN:
            yield [*actions[:place], word, *actions[place:]]
    for length in (1, 2, 3, 60 - len(actions)):
        yield [*actions, *(player.choice([*texts, *UNKNOWN]) for _ in range(length))]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_no_answer_depends_on_a_roll_that_is_not_committed(
    world: World, ada: Guest, server: Running, game: str, seats: int
) -> None:
    from plenilune import load

    pair, player, texts = Pair(world, ada, game, seats), random.Random(game), list(load(game).actions.texts)
    for _ in range(TURNS):
        if not pair.state["legal"]:
            break
        actions = turn(pair, player)
        for asked in lists(actions, player, texts):
            answer = pair.ask("play", asked)
            assert answer["kind"] == "refused", (asked, answer)
            pair.ask("preview", asked)
        _hints(pair, actions)
        pair.play(actions)
    assert pair.state["ply"] > 10


def _hints(pair: Pair, actions: list[str]) -> None:
    said = [_hinted(pair, table, actions) for table in pair.tables]
    assert said[0] == said[1]
    assert not pair.world.looked


def _hinted(pair: Pair, table: str, actions: list[str]) -> list[str]:
    """What is answered to hints for every part of the turn, and for lists that go on after it."""
    answers = []
    with pair.guest.live(table) as live:
        live.wait("update")
        for asked in ([], *(actions[: n + 1] for n in range(len(actions))), [*actions, "roll 1"], ["fly home"]):
            live.say("hint", id="x", seconds=0.1, actions=list(asked))
            answer = live.wait(lambda m: m["kind"] == "refused" or (m["kind"] == "hinted" and m["done"]))
            answers.append(json.dumps(answer))
    return answers


def test_a_server_that_rolls_before_it_refuses_is_found_out(
    world: World, ada: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack this is all about, on a server that lets chance play in the middle of a list."""

    def careless(position: Position, seat: int, texts: list[str], ply: int) -> None:
        after = position.copy()
        for text in texts:
            after.play(text)
            after.roll(Dice("of this table"))

    monkeypatch.setattr(playing, "check_actions", careless)
    pair = Pair(world, ada, "moon-leap", 2)
    with pytest.raises(AssertionError, match="looks at the dice"):
        pair.ask("play", [pair.state["legal"][0], "roll 1"])
