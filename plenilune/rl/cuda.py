"""The matches of a batch in the memory of a GPU, played by its threads: `Batch(device="cuda")`.

The rules are those of lanes.py, compiled for the GPU by numba-cuda. A thread plays one match, or each so many-th if
there are more matches than threads.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plenilune.core import numba_patches
from plenilune.core.compiling import first_use
from plenilune.core.engine import PLAIN, cache_folder, source_of
from plenilune.core.errors import BadSetting
from plenilune.game import Game
from plenilune.rl import lanes as compiled
from plenilune.rl.lanes import Lanes, Rules, Scratch, Shown

Array = NDArray[Any]
cuda = numba_patches.cuda_module()
SIMULATED = numba_patches.cuda_is_simulated()  # NUMBA_ENABLE_CUDASIM=1: kernels run as the Python they are
BLOCK = 64  # threads; few, because what is left of a multiprocessor's registers lies idle
THREADS = 512  # at most on a multiprocessor: they need scratch, and their registers leave no room for more
WRONG, FAULT = range(2)  # places in `faults`: the first lane with an illegal action, a lane whose rules are at fault
COMPILED_FUNCTIONS = 180  # about, for the progress bar


def kernel(f: Any) -> Any:
    """A function that the host calls and each thread of the GPU runs."""
    return numba_patches.compiled_for_cuda(f, cache_folder(source_of(f)))


# A thread's lanes are those from its own number on, in steps of how many threads there are.


@kernel
def match_actions(rules: Rules, lanes: Lanes, actions: Any, chosen: Any, faults: Any) -> None:
    for i in range(cuda.grid(1), len(chosen), cuda.gridsize(1)):
        if compiled.match_actions(rules, lanes, actions, chosen, i, i + 1) >= 0:
            cuda.atomic.min(faults, WRONG, i)


@kernel
def play(rules: Rules, lanes: Lanes, shown: Shown, scratch: Scratch, chosen: Any, faults: Any) -> None:
    if faults[WRONG] < len(chosen):
        return
    thread = cuda.grid(1)
    room = Scratch(scratch.seen[thread : thread + 1], scratch.numbers[:, thread])
    for i in range(thread, len(chosen), cuda.gridsize(1)):
        fault = compiled.play(rules, lanes, shown, room, chosen, i, i + 1)
        if fault >= 0:
            cuda.atomic.max(faults, FAULT, fault)


@kernel
def reset(rules: Rules, lanes: Lanes, shown: Shown, scratch: Scratch, mask: Any, faults: Any) -> None:
    thread = cuda.grid(1)
    room = Scratch(scratch.seen[thread : thread + 1], scratch.numbers[:, thread])
    for i in range(thread, len(mask), cuda.gridsize(1)):
        fault = compiled.reset(rules, lanes, shown, room, mask, i, i + 1)
        if fault >= 0:
            cuda.atomic.max(faults, FAULT, fault)


@kernel
def write_step(rules: Rules, lanes: Lanes, shown: Shown, scratch: Scratch) -> None:
    thread = cuda.grid(1)
    room = Scratch(scratch.seen[thread : thread + 1], scratch.numbers[:, thread])
    for i in range(thread, len(lanes.states), cuda.gridsize(1)):
        compiled.write_step(rules, lanes, shown, room, i)


@kernel
def observe_all(rules: Rules, lanes: Lanes, scratch: Scratch, seat: int, out: Any) -> None:
    thread = cuda.grid(1)
    room = Scratch(scratch.seen[thread : thread + 1], scratch.numbers[:, thread])
    for i in range(thread, len(out), cuda.gridsize(1)):
        compiled.observe_as(rules, lanes.states[i], seat, out, room, i)


@kernel
def hide(states: Any, seats: Any, seen: Any) -> None:
    for i in range(cuda.grid(1), len(states), cuda.gridsize(1)):
        compiled.hide_all(states[i : i + 1], seats[i : i + 1], seen[i : i + 1])


@kernel
def sample(counts: Any, keys: Any, rngs: Any, options: bool, out: Any) -> None:
    for i in range(cuda.grid(1), len(out), cuda.gridsize(1)):
        compiled.sample(counts[i : i + 1], keys[i : i + 1], rngs[i : i + 1], options, out[i : i + 1])


@kernel
def widen(numbers: Any, out: Any) -> None:
    """Actions of any type as those of one type, for which alone `match_actions` is compiled."""
    for i in range(cuda.grid(1), len(out), cuda.gridsize(1)):
        out[i] = numbers[i]


class Gpu:
    """What `threads.Threads` does, on a GPU."""

    def __init__(self, game: Game, n: int) -> None:
        require()
        self.game = game
        block = min(BLOCK, n)
        most = getattr(cuda.get_current_device(), "MULTIPROCESSOR_COUNT", 1) * THREADS
        self._grid = math.ceil(min(n, most) / block), block
        self._packed: dict[np.dtype[Any], np.dtype[Any]] = {}  # by the type of records here, their type elsewhere
        self._launchers: dict[Any, Any] = {}

    # Arrays

    def hold(self, rules: Rules, lanes: Lanes, shown: Shown) -> tuple[Lanes, Shown]:
        n, threads = len(lanes.states), math.prod(self._grid)
        seen = np.zeros(threads, self.game.State.dtype)
        # The numbers of a thread are a column: what the threads of a warp read together then lies together.
        numbers = np.zeros((self.game.actions.size, threads), np.int32)
        self._check_memory([*lanes, *shown, seen, numbers])
        legal = self.put(lanes.legal)
        keys = legal if lanes.keys is lanes.legal else self.put(lanes.keys)
        rest = {name: self.put(getattr(lanes, name)) for name in Lanes._fields if name not in ("legal", "keys")}
        self.rules, self.lanes = rules, Lanes(legal=legal, keys=keys, **rest)
        self.shown, self._scratch = Shown(*map(self.put, shown)), Scratch(self.put(seen), self.put(numbers))
        self._chosen, self._given = self.put(np.zeros(n, np.int32)), self.put(np.zeros(n, np.int64))
        self._sampled, self._nothing = self.put(np.zeros(n, np.int64)), np.array([n, -1], np.int64)
        self._faults = self.put(self._nothing)
        first_use(self.game, play, self._rehearse, COMPILED_FUNCTIONS, "environments on a GPU")
        return self.lanes, self.shown

    def put(self, array: Array) -> Any:
        if not array.dtype.names:
            return cuda.to_device(array)
        dtype = aligned(array.dtype)
        self._packed[dtype] = array.dtype
        return cuda.to_device(widened(array, dtype))

    def reach(self, array: Any) -> Array:
        return self.copy(array)

    def copy(self, array: Any) -> Array:
        if isinstance(array, np.ndarray):
            return array.copy()
        found = np.ascontiguousarray(array.copy_to_host())
        return narrowed(found, self._packed[found.dtype]) if found.dtype.names else found

    def write(self, array: Any, values: Array) -> None:
        array.copy_to_device(widened(values, array.dtype) if values.dtype.names else values)

    def taken(self, actions: ArrayLike) -> Any:
        if getattr(actions, "__cuda_ndarray__", False):  # numba-cuda's own
            return actions
        return cuda.as_cuda_array(actions) if hasattr(actions, "__cuda_array_interface__") else np.asarray(actions)

    # Playing

    def step(self, actions: Any) -> tuple[int, int]:
        if isinstance(actions, np.ndarray):
            self._given.copy_to_device(np.ascontiguousarray(actions, np.int64))
        else:
            self._launch(widen, actions, self._given)
        self._launch(match_actions, self.rules, self.lanes, self._given, self._chosen, self._faults)
        self._launch(play, self.rules, self.lanes, self.shown, self._scratch, self._chosen, self._faults)
        return self._answer()

    def reset(self, mask: Array) -> int:
        self._launch(reset, self.rules, self.lanes, self.shown, self._scratch, cuda.to_device(mask), self._faults)
        return self._answer()[FAULT]

    def write_step(self) -> None:
        self._launch(write_step, self.rules, self.lanes, self.shown, self._scratch)

    def sample(self, samplers: Any, options: bool) -> Any:
        self._launch(sample, self.lanes.counts, self.lanes.keys, samplers, options, self._sampled)
        return self._sampled

    def observe_all(self, seat: int, out: Any) -> None:
        self._launch(observe_all, self.rules, self.lanes, self._scratch, seat, out)

    def hide(self, seats: Any, seen: Any) -> None:
        self._launch(hide, self.lanes.states, seats, seen)

    # Inside

    def _launch(self, what: Any, *arguments: Any) -> None:
        if what not in self._launchers:
            with warnings.catch_warnings(action="ignore"):  # of grids too small to keep a GPU busy
                self._launchers[what] = what[self._grid]
        self._launchers[what](*arguments)

    def _answer(self) -> tuple[int, int]:
        """What the kernels have found wrong; waits for them."""
        wrong, fault = self._faults.copy_to_host().tolist()
        if (wrong, fault) != tuple(self._nothing):
            self._faults.copy_to_device(self._nothing)
        return (wrong if wrong < self._nothing[WRONG] else -1), fault

    def _rehearse(self) -> None:
        """Have everything compiled, and change nothing."""
        self.reset(np.zeros(len(self.lanes.states), bool))
        self._faults.copy_to_device(np.array([-1, -1], np.int64))
        self._launch(match_actions, self.rules, self.lanes, self._given, self._chosen, self._faults)
        self._launch(play, self.rules, self.lanes, self.shown, self._scratch, self._chosen, self._faults)
        self._faults.copy_to_device(self._nothing)

    def _check_memory(self, arrays: list[Array]) -> None:
        if sum(array.nbytes for array in arrays) > cuda.current_context().get_memory_info().free:
            raise MemoryError


def require() -> None:
    """Refuse if nothing here can run kernels."""
    if SIMULATED != PLAIN:
        raise BadSetting(
            "the simulator of a GPU runs the rules as plain Python: set both NUMBA_ENABLE_CUDASIM=1 and "
            "NUMBA_DISABLE_JIT=1, or neither"
        )
    if not SIMULATED and not cuda.is_available():
        raise BadSetting("device='cuda' needs an NVIDIA GPU with its driver, and there is none here")


# Records


def aligned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of records whose fields are at the same places, with padding at the end so that each begins at a
    multiple of its width. A GPU reads others byte by byte. The same type if a field is at no such place."""
    if not dtype.names:
        return dtype
    parts = {
        "names": list(dtype.names),
        "formats": [inner(dtype[name]) for name in dtype.names],
        "offsets": [dtype.fields[name][1] for name in dtype.names],  # type: ignore[index]
        "itemsize": math.ceil(dtype.itemsize / widest(dtype)) * widest(dtype),
    }
    try:
        return np.dtype((np.record, np.dtype(parts, align=True)))  # type: ignore[call-overload]
    except ValueError:
        return dtype


def inner(dtype: np.dtype[Any]) -> Any:
    """The same for a field, whose width stays as it is."""
    base = aligned(dtype.base)
    return (base if base.itemsize == dtype.base.itemsize else dtype.base, dtype.shape)


def widest(dtype: np.dtype[Any]) -> int:
    base = dtype.base
    return max(widest(base[name]) for name in base.names) if base.names else base.alignment


def widened(records: Array, dtype: np.dtype[Any]) -> Array:
    """The records with padding."""
    wide = np.zeros(records.shape, dtype)
    rows(wide)[:, : records.dtype.itemsize] = rows(np.ascontiguousarray(records))
    return wide


def narrowed(records: Array, dtype: np.dtype[Any]) -> Array:
    """The records without it."""
    narrow = np.empty(records.shape, dtype)
    rows(narrow)[:] = rows(records)[:, : dtype.itemsize]
    return narrow


def rows(records: Array) -> Array:
    found: Array = records.view(np.uint8).reshape(-1, records.dtype.itemsize)
    return found


# What the compiler makes of it


def assembly(rules: Rules, lanes: Lanes, shown: Shown, capability: tuple[int, int]) -> str:
    """What `play` becomes for GPUs of this compute capability; needs none. The arrays give their types alone."""
    lanes, shown = Lanes(*map(_like, lanes)), Shown(*map(_like, shown))
    scratch = Scratch(_like(lanes.states), np.zeros((1, 1), np.int32))
    arguments = (rules, lanes, shown, scratch, np.zeros(1, np.int32), np.zeros(2, np.int64))
    return numba_patches.ptx(play, arguments, capability)


def _like(array: Array) -> Array:
    return np.zeros((1,) * array.ndim, aligned(array.dtype))
