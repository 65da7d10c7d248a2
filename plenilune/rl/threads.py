"""The matches of a batch in this machine's memory, played by its processors."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plenilune.core.compiling import first_use
from plenilune.game import Game
from plenilune.rl import lanes as compiled
from plenilune.rl.lanes import Lanes, Rules, Scratch, Shown

Array = NDArray[Any]
COMPILED_FUNCTIONS = 60  # about, for the progress bar


class Threads:
    """What a batch asks of whatever plays its matches; `cuda.Gpu` does the same on a GPU."""

    def __init__(self, game: Game, threads: int) -> None:
        self.game, self.threads = game, threads
        self._scratch = [Scratch(*scratch(game)) for _ in range(threads)]
        self._pools: dict[int, ThreadPoolExecutor] = {}  # by process: a fork has none of the threads it was forked from

    # Arrays

    def hold(self, rules: Rules, lanes: Lanes, shown: Shown) -> tuple[Lanes, Shown]:
        """Play these from now on. Returns them where they are now."""
        self.rules, self.lanes, self.shown = rules, lanes, shown
        self._chosen = np.zeros(len(lanes.states), np.int32)
        first_use(self.game, compiled.play, self._rehearse, COMPILED_FUNCTIONS, "environments")
        return lanes, shown

    def put(self, array: Array) -> Array:
        """The array, where it can be played with."""
        return array

    def reach(self, array: Array) -> Array:
        """The array itself if Python can write to it, otherwise a copy."""
        return array

    def copy(self, array: Array) -> Array:
        return array.copy()

    def write(self, array: Array, values: Array) -> None:
        array[...] = values

    def taken(self, actions: ArrayLike) -> Array:
        """What somebody has made actions of, as an array."""
        return np.asarray(actions)

    # Playing: what lanes.py does, for all lanes

    def step(self, actions: Array) -> tuple[int, int]:
        """Returns the first lane whose action is not legal and a lane whose rules are at fault, or -1 for either."""
        given = np.array(actions, np.int64)  # a copy: nobody changes it between the check and the play
        wrong = compiled.match_actions(self.rules, self.lanes, given, self._chosen, 0, len(given))
        return (wrong, -1) if wrong >= 0 else (-1, self._each(compiled.play, self._chosen))

    def reset(self, mask: Array) -> int:
        return self._each(compiled.reset, mask)

    def write_step(self) -> None:
        for i in range(len(self.lanes.states)):
            compiled.write_step(self.rules, self.lanes, self.shown, self._scratch[0], i)

    def sample(self, samplers: Array, options: bool) -> Array:
        out = np.zeros(len(samplers), np.int64)
        compiled.sample(self.lanes.counts, self.lanes.keys, samplers, options, out)
        return out

    def observe_all(self, seat: int, out: Array) -> None:
        compiled.observe_all(self.rules, self.lanes, self._scratch[0], seat, out)

    def hide(self, seats: Array, seen: Array) -> None:
        compiled.hide_all(self.lanes.states, seats, seen)

    # Inside

    def _pool(self) -> ThreadPoolExecutor:
        """This process's threads."""
        process = os.getpid()
        if process not in self._pools:
            self._pools[process] = ThreadPoolExecutor(self.threads - 1, "batch")
        return self._pools[process]

    def _rehearse(self) -> None:
        """Have everything compiled."""
        work, room = (self.rules, self.lanes, self.shown), self._scratch[0]
        compiled.reset(*work, room, np.zeros(1, bool), 0, 0)
        compiled.match_actions(self.rules, self.lanes, np.zeros(1, np.int64), self._chosen, 0, 0)
        compiled.play(*work, room, self._chosen, 0, 0)

    def _each(self, work: Callable[..., int], what: Array) -> int:
        """Share the lanes among the threads; this one does the last share."""
        play, n = partial(work, self.rules, self.lanes, self.shown), len(what)
        ends = [n * (thread + 1) // self.threads for thread in range(self.threads)]
        shares = list(zip(self._scratch, [0, *ends], ends, strict=False))
        running = [self._pool().submit(play, room, what, *share) for room, *share in shares[:-1]]
        room, *share = shares[-1]
        return max([play(room, what, *share), *(future.result() for future in running)])


def scratch(game: Game, threads: int = 1) -> tuple[Array, Array]:
    """A state and room for action numbers."""
    return np.zeros(threads, game.State.dtype), np.zeros(game.actions.size, np.int32)
