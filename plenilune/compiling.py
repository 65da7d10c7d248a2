"""Compile a game's rules and what bots do with them, once per machine, and say so while it lasts."""

from __future__ import annotations

import inspect
import pickle
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plenilune.drawing import is_terminal
from plenilune.errors import BadCache
from plenilune.game import Game

if TYPE_CHECKING:
    from rich.progress import Progress

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
_ready: set[tuple[str, int]] = set()  # games, by name and version of the rules
_used: set[tuple[str, int, str]] = set()  # and what generic code has been used with them


def prepare(game: Game) -> None:
    """Have the game's rules compiled, or read from disk; shows progress on a terminal if it takes long."""
    from plenilune import engine

    if engine.PLAIN or (game.name, game.version) in _ready:
        return
    _compile_or_heal(lambda: _compile_rules(game), [game.State.home(), Path(engine.__file__)])
    _ready.add((game.name, game.version))


def first_use(game: Game, f: Callable[..., Any], use: Callable[[], object], parts: int) -> None:
    """Have `f`, generic code, compiled for the game or read from disk, by a first `use` of it; shows progress as the
    rules do. `parts` is about how many functions that compiles. Nothing happens if it has been used before."""
    from plenilune import engine, search

    use_of_it = (game.name, game.version, getattr(f, "__name__", ""))
    if engine.PLAIN or use_of_it in _used:
        return
    own = Path(inspect.getfile(inspect.unwrap(f)))

    def compile_parts() -> None:
        with _progress(f"Compiling bots for {game.title}, once on this machine", parts) as advance, _telling(advance):
            use()

    _compile_or_heal(compile_parts, [own, Path(engine.__file__), Path(search.__file__), game.State.home()])
    _used.add(use_of_it)


def _compile_or_heal(compile_all: Callable[[], None], sources: Sequence[Path]) -> None:
    """If what is kept on disk has been damaged, it is forgotten, source by source, until all can be compiled again."""
    from plenilune import engine

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
    from plenilune import engine

    functions = {name: getattr(game, name) for name in engine.SIGNATURES}
    with _progress(f"Compiling {game.title}, once on this machine", len(functions) + 1) as advance:
        for done, _ in enumerate(engine.compile_all(game.State.dtype, functions)):
            advance(done)


@contextmanager
def _telling(advance: Callable[[int], None]) -> Iterator[None]:
    """Tells how many functions have been compiled, at the beginning and the end of each."""
    from numba.core import event

    class Count(event.Listener):  # type: ignore[misc]
        done = 0

        def on_start(self, _: Any) -> None:
            advance(self.done)

        def on_end(self, _: Any) -> None:
            self.done += 1
            advance(self.done)

    with event.install_listener("numba:compile", Count()):
        yield


@contextmanager
def _progress(text: str, steps: int) -> Iterator[Callable[[int], None]]:
    """A bar that shows once it has taken a while, on a terminal; it is told how many steps are done."""
    began, bar = time.perf_counter(), None

    def advance(done: int) -> None:
        nonlocal bar
        if bar is None and is_terminal(sys.stderr) and time.perf_counter() - began > PATIENCE:
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
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    progress.add_task(text, total=steps)
    progress.start()
    return progress
