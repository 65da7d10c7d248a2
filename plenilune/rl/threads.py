"""The matches of a batch in this machine's memory, played by its processors."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plenilune.bots.pool import cores
from plenilune.core.compiling import first_use
from plenilune.core.engine import PLAIN
from plenilune.game import Game
from plenilune.rl import crew
from plenilune.rl import lanes as compiled
from plenilune.rl.crew import Crew, Given
from plenilune.rl.lanes import Lanes, Rules, Scratch, Shown

Array = NDArray[Any]
COMPILED_FUNCTIONS = 60  # about, for the progress bar


class Threads:
    """What a batch asks of whatever plays its matches; `cuda.Gpu` does the same on a GPU."""

    def __init__(self, game: Game, threads: int) -> None:
        self.game = game
        players = 1 if PLAIN else min(threads, cores())  # those without a core would only take others' from them
        self._scratch = [Scratch(*scratch(game)) for _ in range(players)]
        self._crew: Crew | None = None

    # Arrays

    def hold(self, rules: Rules, lanes: Lanes, shown: Shown) -> tuple[Lanes, Shown]:
        """Play these from now on. Returns them where they are now."""
        self.rules, self.lanes, self.shown = rules, lanes, shown
        n = len(lanes.states)
        self._given = Given(np.zeros(n, np.int64), np.zeros(n, np.int32), np.zeros(n, bool))
        first_use(self.game, crew.work, self._rehearse, COMPILED_FUNCTIONS, "environments")
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
        self._given.actions[:] = actions  # a copy: nobody changes it between the check and the play
        board = self._do(crew.MATCH)
        wrong, fault = int(board[crew.FIRST]), int(board[crew.LAST])
        return (wrong, -1) if wrong < len(actions) else (-1, fault)

    def reset(self, mask: Array) -> int:
        self._given.mask[:] = mask
        return int(self._do(crew.RESET)[crew.LAST])

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

    def _do(self, job: int) -> Array:
        """Have a job done by all threads. Returns the board, which tells what has gone wrong."""
        if self._crew is None or self._crew.process != os.getpid():
            self._crew = Crew(self.rules, self.lanes, self.shown, self._scratch, self._given)
        self._crew.wake()
        crew.work(self.rules, self.lanes, self.shown, self._scratch[0], self._given, self._crew.board, crew.CALLER, job)
        return self._crew.board

    def _rehearse(self) -> None:
        """Have everything compiled."""
        nothing = Given(*(array[:0] for array in self._given))
        board = crew.new_board(1)
        crew.work(self.rules, self.lanes, self.shown, self._scratch[0], nothing, board, crew.CALLER, crew.MATCH)


def scratch(game: Game, threads: int = 1) -> tuple[Array, Array]:
    """A state and room for action numbers."""
    return np.zeros(threads, game.State.dtype), np.zeros(game.actions.size, np.int32)
