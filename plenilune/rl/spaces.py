"""What the environments of Gymnasium and PettingZoo share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from plenilune.rl.checks import one_of

MODES = ("ansi", "human", "svg")


def check_mode(render_mode: str | None, modes: Sequence[str] = MODES) -> None:
    if render_mode is not None:
        one_of("render_mode", render_mode, modes)


def observation_space(size: int, actions: int, number: Any = np.uint8) -> spaces.Dict:
    """Of so many numbers of that type: bytes, or float32."""
    least, most = (0, 255) if number == np.uint8 else (-np.inf, np.inf)
    return spaces.Dict(
        {"observation": spaces.Box(least, most, (size,), number), "action_mask": spaces.Box(0, 1, (actions,), np.int8)}
    )
