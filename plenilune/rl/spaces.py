"""What the environments of Gymnasium and PettingZoo share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from plenilune.core.errors import BadSetting

MODES = ("ansi", "human", "svg")


def check_mode(render_mode: str | None) -> None:
    if render_mode not in (None, *MODES):
        raise BadSetting(f"render_mode is one of {', '.join(MODES)}, not {render_mode!r}")


def observation_space(size: int, actions: int, number: Any = np.uint8) -> spaces.Dict:
    """Of so many numbers of that type: bytes, or float32."""
    least, most = (0, 255) if number == np.uint8 else (-np.inf, np.inf)
    return spaces.Dict(
        {"observation": spaces.Box(least, most, (size,), number), "action_mask": spaces.Box(0, 1, (actions,), np.int8)}
    )
