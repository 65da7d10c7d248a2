"""`@rule` compiles a rules function, and the generic `legal` and `apply` pick a game's own by its state record."""

from __future__ import annotations

import functools
import inspect
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from numba import types
from numba.extending import overload

from plenilune.core import numba_patches
from plenilune.core.errors import BadCache
from plenilune.core.fingerprint import fingerprint

F = TypeVar("F", bound=Callable[..., Any])
PLAIN = bool(numba.config.DISABLE_JIT)  # NUMBA_DISABLE_JIT=1: rules run as the Python they are
PACKAGE = Path(__file__).parents[1]
MONTH = 30 * 24 * 3600


def rule(f: F) -> F:
    """A function of the rules: compiled when it is first called, and cached on disk."""
    if PLAIN:
        return f
    return numba_patches.compiled(f, cache_folder(source_of(f)))


def inlined(f: F) -> F:
    """A rule that becomes a part of whatever calls it: for one that is given many arrays, which would cost more to pass
    than most of them cost to use."""
    if PLAIN:
        return f
    return numba_patches.compiled(f, cache_folder(source_of(f)), inlined=True)


def source_of(f: Callable[..., Any]) -> Path:
    """The sources the function is cached by, with what they import: its file, or the whole folder of its game or
    search."""
    file = Path(inspect.getfile(inspect.unwrap(f)))
    return file if file.parent in (PACKAGE / "core", PACKAGE / "bots") else file.parent


# numba does not notice edits in imported modules or tables (numba#1833): whatever changes them changes the folder.
@functools.cache
def cache_folder(source: Path) -> Path:
    """Where compiled rules of a file or a folder of sources are kept."""
    base = cache_home()
    folder = base / f"{source.stem}-{fingerprint(source)}"
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _forget_old(base)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, os.strerror(13))
    except OSError as error:
        advice = "set PLENILUNE_CACHE to a folder that can be written"
        raise BadCache(f"compiled rules cannot be kept in {folder} ({error.strerror}): {advice}") from error
    return folder


def cache_home() -> Path:
    return Path(os.environ.get("PLENILUNE_CACHE") or platformdirs.user_cache_dir("plenilune"))


def _forget_old(base: Path) -> None:
    for folder in base.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < time.time() - MONTH:
            shutil.rmtree(folder, ignore_errors=True)


def stack_array(shape: tuple[int, ...], dtype: Any) -> Callable[[], Any]:
    """A function that gives a rule a scratch array, which lives until the rule returns. It is on the stack, costs
    nothing, and is not cleared."""
    return (lambda: np.empty(shape, dtype)) if PLAIN else numba_patches.stack_array(shape, dtype)


def fetch_nothing(array: Any, i: int) -> None:
    """As Python, rules wait for other things than memory."""


# (array, i): have the processor fetch a record of a contiguous array, which must have it, before it is needed.
fetch: Callable[[Any, int], None] = fetch_nothing if PLAIN else numba_patches.fetch


@rule
def below(rng: Any, n: int) -> int:
    """A number below n from a searcher's own generator (splitmix64 in a one-element array)."""
    x = rng[0] + np.uint64(0x9E3779B97F4A7C15)
    rng[0] = x
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    # The upper half times n: as fair as a remainder for any n a game has, and far cheaper than dividing.
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


if PLAIN:
    below = np.errstate(over="ignore")(below)  # the generator is meant to overflow


def generator(seed: int) -> Any:
    """A random generator for compiled code."""
    return np.array([seed], np.uint64)


@rule
def hide_nothing(s: Any, viewer: int) -> None:
    """For a game without secrets."""


@rule
def guess_nothing(s: Any, viewer: int, rng: Any) -> None:
    """For a game without secrets."""


@rule
def rank_by_score(s: Any, out: Any) -> None:
    """For a game without ties to break: one more than the seats that have more points."""
    for seat in range(s.seats):
        out[seat] = 1
        for other in range(s.seats):
            if score(s, other) > score(s, seat):
                out[seat] += 1


_rules: dict[str, dict[str, Callable[..., Any]]] = {}


def register(dtype: np.dtype[Any], functions: dict[str, Callable[..., Any]]) -> None:
    """Tell the generic functions below what to call for states of this type."""
    _rules.setdefault(_key(dtype), {}).update(functions)


def _key(dtype: np.dtype[Any]) -> str:
    return " ".join(dtype.names or ())  # among them the one named after the rules' fingerprint (record.py)


def generic(name: str, otherwise: Callable[..., Any] | None = None, by: int = 0) -> Callable[..., Any]:
    """A function that calls a game's own `name`, picked by the type of the state it is given (or of another record:
    the argument number `by`); `otherwise` is for games that have none. Compiled code picks when it is compiled, and
    calls at no cost."""

    def find(key: str) -> Callable[..., Any]:
        f = _rules[key].get(name) or otherwise
        if f is None:
            raise TypeError(f"this game has no {name!r}")
        return f

    def call(s: Any, *arguments: Any) -> Any:
        return find(_key((s, *arguments)[by].dtype))(s, *arguments)

    def compiled(s, *arguments):  # type: ignore[no-untyped-def]  # numba compares signatures
        record = (s, *arguments)[by]
        if not isinstance(record, types.Record):
            return None
        f = find(_key(numba_patches.dtype_of(record)))
        return lambda s, *arguments: f(s, *arguments)

    overload(call)(compiled)
    return call


legal = generic("legal")
apply = generic("apply")
score = generic("score")
places = generic("places")
hide = generic("hide")
resample = generic("resample")


@rule
def score_and_rank(s: Any, scores: Any, ranks: Any) -> None:
    """Every seat's score and place, in one call: passing a state to compiled code costs more than scoring all seats."""
    for seat in range(s.seats):
        scores[seat] = score(s, seat)
    places(s, ranks)


def standing(s: Any) -> tuple[list[int], list[int]]:
    """Every seat's score and its place, as if the match ended now; seats may share a place."""
    scores, ranks = np.zeros((2, s["seats"]), np.int32)
    score_and_rank(s, scores, ranks)
    return scores.tolist(), ranks.tolist()


RECORD = object()  # stands in a signature for the state's own type
NUMBER, NUMBERS, GENERATOR = types.int64, types.int32[::1], types.uint64[::1]
VALUES = types.float64[::1]
SIGNATURES = {
    "setup": (RECORD, NUMBER, NUMBERS),
    "legal": (RECORD, NUMBERS),
    "apply": (RECORD, NUMBER),
    "score": (RECORD, NUMBER),
    "places": (RECORD, NUMBERS),
    "hide": (RECORD, NUMBER),
    "resample": (RECORD, NUMBER, GENERATOR),
}
OPTIONAL = {
    "evaluate": (RECORD, VALUES),
    "prefer": (RECORD, NUMBERS, NUMBER, VALUES),
    "known": (RECORD, NUMBER, NUMBER),
}


def signature(name: str) -> tuple[Any, ...]:
    return SIGNATURES.get(name) or OPTIONAL[name]


def compile_all(dtype: np.dtype[Any], functions: dict[str, Callable[..., Any]]) -> Iterator[str]:
    """Compile a game's functions one by one, saying which comes next."""
    record = numba.from_dtype(dtype)
    for name, f in functions.items():
        yield name
        if not PLAIN:
            with interrupts_held():
                f.compile(tuple(record if a is RECORD else a for a in signature(name)))  # type: ignore[attr-defined]
    yield "score_and_rank"
    if not PLAIN:
        with interrupts_held():
            score_and_rank.compile((record, NUMBERS, NUMBERS))  # type: ignore[attr-defined]


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Ctrl-C takes effect afterwards: numba, interrupted, leaves a function that can neither be called nor compiled."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[Any] = []
    before = signal.signal(signal.SIGINT, lambda *arguments: held.append(arguments))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt
