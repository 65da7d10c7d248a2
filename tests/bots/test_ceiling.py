"""Ends of Moon Leap that are solved exactly are worth what value iteration finds, and a long search agrees."""

from typing import Any

import numpy as np
import pytest

from plenilune import bots
from plenilune.bots import Budget
from plenilune.core.record import CHANCE, OVER
from studies import ceiling
from studies.ceiling import BOTH, FIRST, GAME, NOBODY, PERFECT, SECOND, Scratch
from tests.moon_leap.positions import DrawnMatch, ending

# All ten pawns are near the end. In all but the last both seats have a pawn that cannot go, so both may pass forever.
ENDS = [
    "w3 w2 . w1 o2 o4 . o3 w4 o1 . w5 o5",
    "w3 o3 o4 w4 o1 o2 w2 w1 . . w5 o5",
    "w3 . o1 w5 w1 o5 o3 o2 w2 . o4 . w4",
]


@pytest.fixture(params=ENDS)
def end(request: pytest.FixtureRequest) -> DrawnMatch:
    return ending(request.param)


def solved(end: DrawnMatch) -> Scratch:
    scratch = ceiling.new_scratch(20_000)
    count = ceiling.find_all(scratch, ceiling.written(end.state), 0)
    assert 20 < count < 20_000
    ceiling.solve_first(scratch, count)
    return scratch


def worth(scratch: Scratch, end: DrawnMatch, mover: int, who: int) -> float:
    return float(scratch.worth[scratch.table[ceiling.slot(scratch, ceiling.written(end.state))], mover, who])


class ValueIteration:
    """What seat 1 wins, by going over all states again and again until nothing changes."""

    def __init__(self, end: DrawnMatch, who: int) -> None:
        self.who = who
        self.values: dict[bytes, float] = {}
        self.next: dict[bytes, tuple[int, list[bytes]]] = {}
        for mover in range(2):
            start: Any = GAME.State.copy(end.state)
            start.mover = mover
            self._explore(start)
        for _ in range(400):
            before = dict(self.values)
            for state in self.next:
                self.values[state] = self._value(state)
            if max(abs(before[state] - value) for state, value in self.values.items()) < 1e-12:
                return
        raise AssertionError("it does not settle")

    def _explore(self, start: Any) -> None:
        todo = [start]
        while todo:
            state = todo.pop()
            if state.tobytes() in self.values:
                continue
            self.values[state.tobytes()] = 0.5
            if state.to_play == OVER:
                scores = [GAME.score(state, seat) for seat in range(2)]
                self.values[state.tobytes()] = 0.5 + 0.5 * np.sign(scores[0] - scores[1])
                continue
            after = [self._after(state, action) for action in self._actions(state)]
            self.next[state.tobytes()] = (int(state.to_play), [child.tobytes() for child in after])
            todo += after

    def _actions(self, state: Any) -> list[int]:
        """Those that may be played; by a greedy seat, the one it plays."""
        out = np.zeros(GAME.actions.size, np.int32)
        actions = [int(action) for action in out[: GAME.legal(state, out)]]
        if state.to_play == CHANCE or PERFECT[self.who, state.to_play]:
            return actions
        return [bots.load("greedy", GAME).think(GAME, state, int(state.to_play), seed=1).action]

    def _after(self, state: Any, action: int) -> Any:
        child = GAME.State.copy(state)
        GAME.apply(child, action)
        return child

    def _value(self, state: bytes) -> float:
        actor, after = self.next[state]
        found = [self.values[child] for child in after]
        return sum(found) / len(found) if actor == CHANCE else [max, min][actor](found)

    def of(self, end: DrawnMatch, mover: int) -> float:
        start: Any = GAME.State.copy(end.state)
        start.mover = mover
        return self.values[start.tobytes()]


def test_a_position_is_written_and_read(end: DrawnMatch) -> None:
    for mover in range(2):
        end.state.mover = mover
        state: Any = GAME.State.new()
        ceiling.set_up(state, ceiling.written(end.state), mover)
        assert state.tobytes() == end.state.tobytes()


@pytest.mark.parametrize("who", [BOTH, FIRST, SECOND, NOBODY])
def test_an_end_is_worth_what_value_iteration_finds(end: DrawnMatch, who: int) -> None:
    scratch, iterated = solved(end), ValueIteration(end, who)
    for mover in range(2):
        assert worth(scratch, end, mover, who) == pytest.approx(iterated.of(end, mover), abs=1e-9)


def test_perfect_play_is_never_worse_than_greedys(end: DrawnMatch) -> None:
    scratch = solved(end)
    for mover in range(2):
        first, nobody, second = (worth(scratch, end, mover, who) for who in (FIRST, NOBODY, SECOND))
        assert first >= nobody >= second
        assert first >= worth(scratch, end, mover, BOTH) >= second


def test_a_long_search_finds_what_is_exact(end: DrawnMatch) -> None:
    scratch, bot = solved(end), bots.load("mcts:20000", GAME)
    for face in ("3", "4", "5", "*"):
        end = ending(end.drawing, roll=face)
        if len(end.legal()) > 1:
            choice = ceiling.known_choice(scratch, end.state)
            thought = bot.think(GAME, end.state, end.to_play)
            assert choice.lost(thought.action, choice.exact) < 0.005
            assert thought.worth[thought.action] == pytest.approx(choice.exact[thought.action], abs=0.03)


def test_in_a_whole_match_of_four_random_loses_more_than_greedy_and_a_search_less() -> None:
    match, choices = ceiling.greedy_match("four", seats=4)
    assert match.over
    assert {int(state.to_play) for state in choices} == {0, 1, 2, 3}
    budget = Budget(simulations=1_000)
    lost = {
        bot: sum(ceiling.seen_by_search(state, n, budget, bot) for n, state in enumerate(choices))
        for bot in ("random", "greedy", "mcts:1000")
    }
    assert lost["random"] > lost["greedy"] > lost["mcts:1000"] >= 0
