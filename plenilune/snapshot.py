"""A state as plain Python numbers and lists, for code that looks at much of it: numpy hands out a record's fields one
by one, and slowly."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np


def snapshot(state: Any, *fields: str) -> Any:
    """All of it, or these fields.

    >>> kind = np.dtype((np.record, [("to_play", np.int32), ("where", np.int8, (2,))]))
    >>> snapshot(np.zeros(1, kind)[0])
    namespace(to_play=0, where=[0, 0])
    """
    return SimpleNamespace(**{name: _plain(state[name]) for name in fields or state.dtype.names})


def _plain(value: Any) -> Any:
    if value.dtype.names:
        return [snapshot(item) for item in value] if isinstance(value, np.ndarray) else snapshot(value)
    return value.tolist()
