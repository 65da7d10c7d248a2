"""Who plays Nova Luna in the tests, and how a match came to its end."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from plenilune import Match
from plenilune.game import Game
from tests.nova_luna.positions import tokens_left

Player = Callable[[Match, list[str]], str]


def at_random(rng: random.Random) -> Player:
    return lambda match, legal: rng.choice(legal)


def against_an_eager_seat(rng: random.Random) -> Player:
    """Seat 1 takes and places whatever covers most at once; everything else is random."""

    def choose(match: Match, legal: list[str]) -> str:
        if match.to_play != 0 or legal[0] in ("keep", "refill") or ("stop" in legal and rng.random() < 0.3):
            return rng.choice(legal)
        return max(legal, key=lambda action: (promise(match, action), rng.random()))

    return choose


def promise(match: Match, action: str) -> int:
    """What seat 1 has after the action, and after the best placement if it is a take: the more the better."""
    after = played(match.game, match.state, match.game.actions.parse(action))
    if not action.startswith("take"):
        return worth(match.game, after)
    out = np.zeros(match.game.actions.size, np.int32)
    placements = out[: match.game.legal(after, out)]
    return max(worth(match.game, played(match.game, after, int(place))) for place in placements)


def played(game: Game, state: Any, action: int) -> Any:
    after = game.State.copy(state)
    game.apply(after, action)
    return after


def worth(game: Game, state: Any) -> int:
    score = int(game.score(state, 0))
    return -score if state.seats == 1 else score


def finish(match: Match, player: Player) -> Match:
    while not match.over:
        match.play(player(match, match.legal()))
    return match


def ending(match: Match) -> str:
    """How the match came to its end; in solo, how phase 1 did as well."""
    last = "last token" if 0 in tokens_left(match) else "no more tiles"
    if match.seats > 1:
        return last
    if match.view().solo.phase == 1:
        return "last token in phase 1"
    return f"{'stopped' if 'stop' in match.history else 'ran out'}, {last}"
