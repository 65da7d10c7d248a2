"""What a search would play, told while it is still searching."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plenilune.bots import mcts
from plenilune.bots.review import chances_after
from plenilune.bots.thought import Budget, Stop, Thought, never, seed_of
from plenilune.core.errors import BadSetting
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Game
from plenilune.position import hidden


def stream(
    game: Game, seen: Any, seat: int, budget: Budget, seed: int | None = None, stop: Stop = never
) -> Iterator[dict[str, Any]]:
    """Better and better answers to what the seat should play, from what it has seen, each ready for JSON; the last one
    says that it is `done`."""
    if seen.to_play != seat:
        who = "chance" if seen.to_play == CHANCE else f"seat {seen.to_play + 1}"
        what = "the match is over" if seen.to_play == OVER else f"{who} is to play"
        raise BadSetting(f"seat {seat + 1} asked for a hint, but {what}")
    seen = hidden(game, seen, seat)
    return _answers(game, seat, mcts.Search(game, seen, seat, budget, seed_of(seen) if seed is None else seed, stop))


def worth_of(game: Game, seen: Any, seat: int, action: int, budget: Budget, stop: Stop = never) -> float:
    """The seat's chance to win once it has played the action, as far as it can tell."""
    return round(chances_after(game, hidden(game, seen, seat), seat, action, budget, stop)[seat], 4)


def _answers(game: Game, seat: int, search: mcts.Search) -> Iterator[dict[str, Any]]:
    answer: dict[str, Any] = {}
    for thought in search.thoughts():
        answer = plain_answer(game, seat, thought)
        yield answer
    yield {**answer, "done": True}


def plain_answer(game: Game, seat: int, thought: Thought) -> dict[str, Any]:
    text, order = game.actions.text, sorted(thought.visits, key=lambda a: (a != thought.action, -thought.visits[a], a))
    return {
        "seat": seat,
        "action": text(thought.action),
        "values": [round(value, 4) for value in thought.values],
        "actions": [
            {"action": text(a), "worth": round(thought.worth[a], 4), "visits": thought.visits[a]} for a in order
        ],
        "line": [text(action) for action in thought.line],
        "simulations": thought.simulations,
        "solved": thought.solved,
        "done": False,
    }
