"""Play a recorded match again, and refuse it where it is not what its rules and its dice give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plenilune.core.errors import Refusal
from plenilune.match import Match
from plenilune.position import layout
from plenilune.replay import Replay


class StoredState(NamedTuple):
    """A state as a database has it."""

    layout: str
    state: bytes | None


class Differs(Refusal):
    """What is recorded is not what the rules and the dice give."""


def verify_file(text: str) -> Match:
    """Check a saved match: rules, components, every action, every roll, the scores."""
    return Match.load(text, check_dice=True)


def verify_stored(replay: Replay, actors: Sequence[int], stored: StoredState) -> Match:
    """Check a match in a database: the same, who played each action, and the state they lead to."""
    match = Match.replayed(replay, check_dice=True)
    for ply, (actor, actual) in enumerate(zip(actors, match.actors, strict=True)):
        if actor != actual:
            raise Differs(f"ply {ply}: {replay.actions[ply]!r} was played by {actor}, and {actual} is to play")
    if stored.layout == layout(match.game) and stored.state != match.state.tobytes():
        raise Differs("its actions lead to another state than is stored")
    return match
