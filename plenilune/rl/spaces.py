"""What the environments of Gymnasium and PettingZoo share."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from plenilune.core.errors import BadSetting

MODES = ("ansi", "human", "svg")


def check_mode(render_mode: str | None) -> None:
    if render_mode not in (None, *MODES):
        raise BadSetting(f"render_mode is one of {', '.join(MODES)}, not {render_mode!r}")


def observation_space(size: int, actions: int) -> spaces.Dict:
    return spaces.Dict(
        {"observation": spaces.Box(0, 255, (size,), np.uint8), "action_mask": spaces.Box(0, 1, (actions,), np.int8)}
    )
