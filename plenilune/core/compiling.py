"""Compile a game's rules and the searches that use them, once per machine, with a progress bar."""

from __future__ import annotations

import itertools
import pickle
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plenilune.core.drawing import is_terminal
from plenilune.core.errors import BadCache

if TYPE_CHECKING:
    from rich.progress import Progress

    from plenilune.game import Game

PATIENCE = 0.5  # seconds before there is a progress bar
# What reading a file that has been cut off or written over may raise.
DAMAGE = (
    pickle.UnpicklingError,
    EOFError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ImportError,
    MemoryError,
    SystemError,
)
_prepared: set[tuple[str, int]] = set()  # games, by name and version of the rules
_used: set[tuple[str, int, str]] = set()  # and what generic code has been used with them


def prepare(game: Game) -> None:
    """Compile the game's rules or load them from disk; shows progress on a terminal if that takes long."""
    from plenilune.core import engine

    if engine.PLAIN or (game.name, game.version) in _prepared:
        return
    _compile_or_repair(lambda: _compile_rules(game), [game.State.home(), Path(engine.__file__)])
    _prepared.add((game.name, game.version))


def first_use(game: Game, f: Callable[..., Any], use: Callable[[], object], parts: int, what: str = "bots") -> None:
    """Have `f`, generic code, compiled for the game or read from disk, by a first `use` of it; shows progress as the
    rules do. `parts` is about how many functions that compiles. Nothing happens if it has been used before."""
    from plenilune.core import drivers, engine, numba_patches

    use_of_it = (game.name, game.version, getattr(f, "__name__", ""))
    if engine.PLAIN or use_of_it in _used:
        return

    def compile_parts() -> None:
        text = f"Compiling {what} for {game.title}, once on this machine"
        with progress(text, parts) as advance, numba_patches.compilations_counted(advance):
            use()

    sources = [engine.source_of(f), Path(engine.__file__), Path(drivers.__file__), game.State.home()]
    _compile_or_repair(compile_parts, sources)
    _used.add(use_of_it)


def _compile_or_repair(compile_all: Callable[[], None], sources: Sequence[Path]) -> None:
    """If cached code is damaged, delete it, source by source, until everything compiles again."""
    from plenilune.core import engine

    for source in sources:
        folder = engine.cache_folder(source)
        try:
            return compile_all()
        except OSError as error:
            raise BadCache(f"compiled rules cannot be kept in {folder}: {error.strerror}") from error
        except DAMAGE:
            shutil.rmtree(folder, ignore_errors=True)
    compile_all()


def _compile_rules(game: Game) -> None:
    from plenilune.core import changes, engine, shape

    functions = {name: getattr(game, name) for name in engine.SIGNATURES}
    if game.known:
        functions["known"] = game.known
    steps = engine.compile_all(game.State.dtype, functions)
    if isinstance(game.view, shape.RecordView):
        steps = itertools.chain(steps, game.view.compile(game.State.dtype), changes.compile())
    with progress(f"Compiling {game.title}, once on this machine", len(functions) + 3) as advance:
        for done, _ in enumerate(steps):
            advance(done)


@contextmanager
def progress(text: str, steps: int, patience: float | None = None) -> Iterator[Callable[[int], None]]:
    """A progress bar, shown on a terminal once it has taken a while; call what is yielded with the steps done."""
    began, bar = time.perf_counter(), None
    until = began + (PATIENCE if patience is None else patience)

    def advance(done: int) -> None:
        nonlocal bar
        if bar is None and is_terminal(sys.stderr) and time.perf_counter() >= until:
            bar = _bar(text, steps)
        if bar:
            bar.update(bar.task_ids[0], completed=min(done, steps))

    try:
        yield advance
    finally:
        if bar:
            bar.stop()


def _bar(text: str, steps: int) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(text, total=steps)
    bar.start()
    return bar
