"""The arrays of a batch, and whether there is memory for them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np

from plenilune.core.encoding import Nothing
from plenilune.position import Position
from plenilune.rl.lanes import Lanes, Rules, Shown
from plenilune.rl.settings import ACTIONS, AUTORESET, Settings

REST_OF_ROW = 48  # bytes of generators, counts and marks
MEMORY, CONTAINER = Path("/proc/meminfo"), Path("/sys/fs/cgroup")  # where Linux tells what is left


def check_memory(settings: Settings) -> None:
    """Before anything is taken: a machine may promise more memory than it has, and then kill the process."""
    number, state = settings.action_type.itemsize, settings.game.State.dtype.itemsize
    finals = 1 + settings.has_finals
    states = 1 + (settings.observe == "state") * finals
    step = (1 + (settings.actions == "code")) * settings.width * number + settings.action_count
    step += finals * settings.encoded.dtype.itemsize + 4 * settings.seats + REST_OF_ROW
    if settings.actions == "option":
        step += (settings.width + 1) * settings.encoding.Option.dtype.itemsize
    kept = states * state + settings.history * settings.game.bound * number
    if settings.n * (kept + step * (1 if settings.views else 2)) > free_memory():
        raise MemoryError


def free_memory() -> float:
    """Bytes, as far as the system tells; without end where it does not."""
    found = [np.inf]
    with contextlib.suppress(OSError, ValueError, StopIteration):
        line = next(line for line in MEMORY.read_text("ascii").splitlines() if line.startswith("MemAvailable"))
        found.append(1024 * int(line.split()[1]))
    with contextlib.suppress(OSError, ValueError):  # a container's limit
        most, used = ((CONTAINER / name).read_text("ascii") for name in ("memory.max", "memory.current"))
        found.append(int(most) - int(used))
    return min(found)


def rules_of(settings: Settings) -> Rules:
    return Rules(
        by=ACTIONS[settings.actions],
        observe=settings.encoded is not Nothing,
        autoreset=AUTORESET[settings.autoreset],
        secrets=bool(settings.game.secrets),
        manual=settings.manual,
        most=settings.most_steps,
        kept=settings.history,
    )


def new_lanes(settings: Settings) -> Lanes:
    game, n, width, number = settings.game, settings.n, settings.width, settings.action_type
    start = np.array([Position.begin(game, settings.seats, settings.options).state], game.State.dtype)
    legal = np.full((n, width), -1, number)
    return Lanes(
        start=start,
        states=np.repeat(start, n),
        rngs=np.zeros(n, np.uint64),
        legal=legal,
        keys=np.full((n, width), -1, number) if settings.actions == "code" else legal,
        counts=np.zeros(n, np.int32),
        steps=np.zeros(n, np.int32),
        plies=np.zeros(n, np.int32),
        history=np.zeros((n, game.bound) if settings.history else (1, 1), number),
        done=np.zeros(n, np.uint8),
    )


def new_shown(settings: Settings) -> Shown:
    n, observed = settings.n, settings.encoded.dtype
    options = (n, settings.width + 1) if settings.actions == "option" else (1, 1)  # one more is always blank
    ended = n if settings.has_finals and settings.observe == "state" else 0
    return Shown(
        to_play=np.zeros(n, np.int32),
        observations=np.zeros(n, observed),
        masks=np.zeros((n, settings.action_count), np.uint8),
        rewards=np.zeros((n, settings.seats), np.float32),
        terminated=np.zeros(n, np.uint8),
        truncated=np.zeros(n, np.uint8),
        finals=np.zeros(n if settings.has_finals else 1, observed),
        ended=np.zeros(ended, settings.game.State.dtype),
        options=np.zeros(options, settings.encoding.Option.dtype),
    )
