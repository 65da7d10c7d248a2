"""A state as plain Python numbers and lists, for code that reads many fields: numpy is slow to return them one by
one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np


def plain_state(state: Any, *fields: str) -> Any:
    """All of it, or these fields.

    >>> pawn = np.dtype((np.record, [("space", np.int8)]))
    >>> kind = np.dtype((np.record, [("to_play", np.int32), ("where", np.int8, (2,)), ("pawns", pawn, (2,))]))
    >>> plain_state(np.zeros(1, kind)[0])
    namespace(to_play=0, where=[0, 0], pawns=[namespace(space=0), namespace(space=0)])
    """
    values = dict(zip(state.dtype.names, state.item(), strict=True))  # all at once is cheaper than one by one
    return SimpleNamespace(**{name: _plain(values[name]) for name in fields or values})


def _plain(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    return [plain_state(item) for item in value] if value.dtype.names else value.tolist()
