"""Information states, and resampling consistent with them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from plenilune.core.engine import apply, legal, rule
from plenilune.core.record import OVER, SPECTATOR
from plenilune.game import Game
from plenilune.position import legal as legal_numbers


class Transcript(NamedTuple):
    """A match from its beginning, and how much of it each viewer may know."""

    game: Game
    start: Any  # the state before the first action, as an array of one
    actions: tuple[int, ...]
    known: bytes  # how many words of each action each viewer may read, the spectator first; empty: everybody all

    def words(self, ply: int, viewer: int) -> int | None:
        viewers = len(self.known) // max(1, len(self.actions))
        return self.known[ply * viewers + viewer - SPECTATOR] if self.known else None

    def text(self, ply: int, viewer: int) -> str:
        return self.game.actions.text(self.actions[ply], self.words(ply, viewer))

    def information_state(self, viewer: int) -> list[str]:
        """The actions as the viewer knows them, with `?` for what it may not know."""
        return [self.text(ply, viewer) for ply in range(len(self.actions))]


def resampled(transcript: Transcript, viewer: int, chooser: random.Random) -> tuple[int, ...]:
    """The actions of another match that the viewer cannot tell from this one: its information state is the same.

    Every outcome that is hidden from the viewer is drawn again in turn, from those that leave the rest possible: what
    it is exchanged with takes its place wherever that is hidden too. So what the viewer could work out stays.
    """
    actions = transcript.actions
    for ply in range(len(actions)):
        if _is_hidden(transcript, ply, viewer):
            actions = _resampled_at(transcript._replace(actions=actions), ply, viewer, chooser)
    return actions


def _is_hidden(transcript: Transcript, ply: int, viewer: int) -> bool:
    words = transcript.words(ply, viewer)
    return words is not None and words < len(transcript.game.actions.split(transcript.actions[ply]).parts)


def _resampled_at(transcript: Transcript, ply: int, viewer: int, chooser: random.Random) -> tuple[int, ...]:
    """The actions with another outcome at that ply, or the same."""
    text = transcript.text(ply, viewer)
    words = transcript.words(ply, viewer)
    candidates = [n for n in _legal_at(transcript, ply) if transcript.game.actions.text(n, words) == text]
    for candidate in chooser.sample(candidates, len(candidates)):
        actions = _exchanged(transcript, ply, candidate, viewer)
        if is_possible(transcript, actions):
            return actions
    return transcript.actions


def _legal_at(transcript: Transcript, ply: int) -> list[int]:
    state, out = transcript.start.copy(), np.zeros(transcript.game.actions.size, np.int32)
    replay(state, np.array(transcript.actions[:ply], np.int32), out)
    return legal_numbers(transcript.game, state[0])


def _exchanged(transcript: Transcript, ply: int, candidate: int, viewer: int) -> tuple[int, ...]:
    """Put the candidate's hidden words there, and those it had wherever the candidate's are hidden."""
    words = transcript.words(ply, viewer) or 0
    one = transcript.game.actions.split(transcript.actions[ply]).parts[words:]
    other = transcript.game.actions.split(candidate).parts[words:]
    swap = {one: other, other: one}
    return tuple(
        _with_words(transcript, at, viewer, swap) if _is_hidden(transcript, at, viewer) else number
        for at, number in enumerate(transcript.actions)
    )


def _with_words(transcript: Transcript, ply: int, viewer: int, swap: dict[tuple[int, ...], tuple[int, ...]]) -> int:
    space, words = transcript.game.actions, transcript.words(ply, viewer) or 0
    verb, parts = space.split(transcript.actions[ply])
    parts = (*parts[:words], *swap.get(parts[words:], parts[words:]))
    table = space.verbs[verb]
    text = " ".join([verb, *(choices[part] for choices, part in zip(table, parts, strict=True))])
    return space.parse(text)


def is_possible(transcript: Transcript, actions: Sequence[int]) -> bool:
    out = np.zeros(transcript.game.actions.size, np.int32)
    return bool(replay(transcript.start.copy(), np.array(actions, np.int32), out))


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
