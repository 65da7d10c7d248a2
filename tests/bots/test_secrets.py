"""No bot knows more than its seat has seen, whatever it is handed."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from plenilune import Match, bots, load, names
from plenilune.bots import Budget, hints, review
from plenilune.core.engine import generator
from plenilune.game import Game
from tests.play import walk

EVERY = 7  # choices
SECRETIVE = [name for name in names() if load(name).secrets]


@pytest.fixture(params=SECRETIVE)
def match(request: pytest.FixtureRequest) -> Match:
    return Match(request.param, 3, "a")


def choices(match: Match) -> Iterator[Match]:
    """Every few choices of a random match."""
    count = 0
    for ahead in walk(match):
        if not ahead.over and len(ahead.legal()) > 1:
            count += 1
            if count % EVERY == 0:
                yield ahead


def two_truths(game: Game, seen: Any, seat: int) -> list[Any]:
    """Two states that look the same to the seat and are not."""
    truths: list[Any] = [game.State.copy(seen) for _ in range(40)]
    for seed, truth in enumerate(truths):
        game.resample(truth, seat, generator(seed))
    others = [truth for truth in truths if truth.tobytes() != truths[0].tobytes()]
    return [truths[0], *others[:1]]


def test_there_are_games_with_secrets() -> None:
    assert {"lanterns", "via-nebula"} <= set(SECRETIVE)


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:60"])
def test_a_bot_that_is_handed_the_truth_answers_as_if_it_had_not_been(match: Match, name: str) -> None:
    bot, told = bots.load(name, match.game), 0
    for at in choices(match):
        seat = at.to_play
        truths = two_truths(at.game, at.seen_by(seat), seat)
        answers = [bot.think(at.game, state, seat) for state in (at.seen_by(seat), at.state, *truths)]
        assert all(answer == answers[0] for answer in answers)
        told += len(truths) - 1
    assert told  # there were two


def test_nor_does_a_hint_or_a_review_know_more(match: Match) -> None:
    budget = Budget(simulations=40)
    for at in islice(choices(match), 3):
        seat, action = at.to_play, at.legal_numbers()[0]
        truths = [at.seen_by(seat), *two_truths(at.game, at.seen_by(seat), seat)]
        answers = [list(hints.stream(at.game, truth, seat, budget))[-1] for truth in truths]
        remarks = [review.remark_on(at.game, truth, seat, action, budget) for truth in truths]
        assert all(answer == answers[0] for answer in answers)
        assert all(remark == remarks[0] for remark in remarks)


def test_what_a_bot_is_handed_stays_as_it_was(match: Match) -> None:
    bot = bots.load("mcts:20", match.game)
    for at in choices(match):
        before = at.state.tobytes()
        bot.think(at.game, at.state, at.to_play)
        assert at.state.tobytes() == before
