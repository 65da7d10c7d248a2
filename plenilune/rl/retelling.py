"""What a seat has been told of a match so far, and other matches of which it would have been told the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from plenilune.core.engine import apply, legal, rule
from plenilune.core.record import OVER, SPECTATOR
from plenilune.game import Game
from plenilune.position import legal as legal_numbers


class Told(NamedTuple):
    """A match from its beginning."""

    game: Game
    start: Any  # the state before the first action, as an array of one
    actions: tuple[int, ...]
    known: bytes  # how many words of each action each viewer may read, the spectator first; empty: everybody all

    def words(self, ply: int, viewer: int) -> int | None:
        viewers = len(self.known) // max(1, len(self.actions))
        return self.known[ply * viewers + viewer - SPECTATOR] if self.known else None

    def text(self, ply: int, viewer: int) -> str:
        return self.game.actions.text(self.actions[ply], self.words(ply, viewer))

    def texts(self, viewer: int) -> list[str]:
        """What the viewer has been told, ply by ply, with `?` for what it may not know."""
        return [self.text(ply, viewer) for ply in range(len(self.actions))]


def retold(told: Told, viewer: int, chooser: random.Random) -> tuple[int, ...]:
    """The actions of another match of which the viewer would have been told the same.

    Every outcome that is hidden from the viewer is drawn again in turn, from those that leave the rest possible: what
    it is exchanged with takes its place wherever that is hidden too. So what the viewer could work out stays.
    """
    actions = told.actions
    for ply in range(len(actions)):
        if _is_hidden(told, ply, viewer):
            actions = _drawn_again(told._replace(actions=actions), ply, viewer, chooser)
    return actions


def _is_hidden(told: Told, ply: int, viewer: int) -> bool:
    words = told.words(ply, viewer)
    return words is not None and words < len(told.game.actions.split(told.actions[ply]).parts)


def _drawn_again(told: Told, ply: int, viewer: int, chooser: random.Random) -> tuple[int, ...]:
    """The actions with another outcome at that ply, or the same."""
    text = told.text(ply, viewer)
    words = told.words(ply, viewer)
    candidates = [n for n in _legal_at(told, ply) if told.game.actions.text(n, words) == text]
    for candidate in chooser.sample(candidates, len(candidates)):
        actions = _exchanged(told, ply, candidate, viewer)
        if is_possible(told, actions):
            return actions
    return told.actions


def _legal_at(told: Told, ply: int) -> list[int]:
    state, out = told.start.copy(), np.zeros(told.game.actions.size, np.int32)
    replay(state, np.array(told.actions[:ply], np.int32), out)
    return legal_numbers(told.game, state[0])


def _exchanged(told: Told, ply: int, candidate: int, viewer: int) -> tuple[int, ...]:
    """Put the candidate's hidden words there, and those it had wherever the candidate's are hidden."""
    words = told.words(ply, viewer) or 0
    one = told.game.actions.split(told.actions[ply]).parts[words:]
    other = told.game.actions.split(candidate).parts[words:]
    swap = {one: other, other: one}
    return tuple(
        _with_words(told, at, viewer, swap) if _is_hidden(told, at, viewer) else number
        for at, number in enumerate(told.actions)
    )


def _with_words(told: Told, ply: int, viewer: int, swap: dict[tuple[int, ...], tuple[int, ...]]) -> int:
    space, words = told.game.actions, told.words(ply, viewer) or 0
    verb, parts = space.split(told.actions[ply])
    parts = (*parts[:words], *swap.get(parts[words:], parts[words:]))
    table = space.verbs[verb]
    text = " ".join([verb, *(choices[part] for choices, part in zip(table, parts, strict=True))])
    return space.parse(text)


def is_possible(told: Told, actions: Sequence[int]) -> bool:
    out = np.zeros(told.game.actions.size, np.int32)
    return bool(replay(told.start.copy(), np.array(actions, np.int32), out))


@rule
def replay(state: Any, actions: Any, out: Any) -> bool:
    """Play the actions in the only state of an array; stops and returns False at one that is not legal."""
    s = state[0]
    for action in actions:
        n = legal(s, out) if s.to_play != OVER else 0
        found = False
        for i in range(n):
            found = found or out[i] == action
        if not found:
            return False
        apply(s, action)
    return True
