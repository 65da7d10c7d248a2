"""Saved batches: a line that says what they are of, and the bytes of their arrays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plenilune.core.errors import BadSetting
from plenilune.core.record import CHANCE, OVER
from plenilune.position import layout
from plenilune.rl.checks import shown
from plenilune.rl.settings import Settings

Array = NDArray[Any]
FORMAT = "plenilune batch 1"
MOST_PLIES = 2**30  # of a match that is restored: they are counted in 32 bits


def head(settings: Settings) -> dict[str, Any]:
    """What two batches must share for one to resume the other."""
    game = settings.game
    return {
        "format": FORMAT,
        "game": game.name,
        "rules": game.version,
        "components": game.components,
        "layout": layout(game),
        "seats": settings.seats,
        "options": settings.options,
        "n": settings.n,
        "actions": settings.actions,
        "observe": settings.observe,
        "chance": settings.chance,
        "autoreset": settings.autoreset,
        "most_steps": settings.most_steps,
        "history": settings.history,
    }


def packed(settings: Settings, arrays: Mapping[str, Array]) -> bytes:
    parts = [array.tobytes() for array in arrays.values()]
    first = {**head(settings), "sha256": hashlib.sha256(b"".join(parts)).hexdigest()}
    return b"".join([json.dumps(first).encode(), b"\n", *parts])


def unpacked(settings: Settings, saved: bytes, like: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays of a saved batch, which have the shapes of those; refused if the batch was made otherwise, or if no
    batch can hold them."""
    if not isinstance(saved, bytes | bytearray | memoryview):
        raise BadSetting(f"a saved batch is bytes, not {shown(saved)}")
    line, _, data = bytes(saved).partition(b"\n")
    digest = _check_head(settings, line)
    parts = {name: np.zeros_like(array) for name, array in like.items()}
    if hashlib.sha256(data).hexdigest() != digest or len(data) != sum(values.nbytes for values in parts.values()):
        raise BadSetting("the saved batch is damaged: its digest does not fit")
    for values in parts.values():
        values.view(np.uint8).reshape(-1)[:] = np.frombuffer(data[: values.nbytes], np.uint8)
        data = data[values.nbytes :]
    _check_arrays(settings, parts)
    return parts


def _check_head(settings: Settings, line: bytes) -> Any:
    """Returns the digest that the line gives."""
    try:
        given = json.loads(line)
        digest = given.pop("sha256")
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
        raise BadSetting("this is not a saved batch") from error
    for key, ours in head(settings).items():
        if given.get(key) != ours:
            raise BadSetting(f"the saved batch has another {key}: {shown(given.get(key))} instead of {ours!r}")
    return digest


def _check_arrays(settings: Settings, saved: Mapping[str, Array]) -> None:
    """Refuse what no batch can hold, as far as it shows without knowing the rules."""
    states, plies, to_play = saved["states"], saved["plies"], saved["states"]["to_play"]
    waits = (to_play == OVER) | ((to_play == CHANCE) & settings.manual)
    actions = saved.get("history", plies[:0])
    sound = [
        states["seats"] == settings.seats,
        ((to_play >= 0) & (to_play < settings.seats)) | waits,
        (plies >= 0) & (plies < MOST_PLIES),
        saved["steps"] >= 0,
        (actions >= 0) & (actions < settings.game.actions.size),
        *(saved[name] <= 1 for name in ("done", "terminated", "truncated")),
    ]
    if not all(found.all() for found in sound):
        raise BadSetting("the saved batch is damaged: no batch can hold what it holds")
