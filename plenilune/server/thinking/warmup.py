"""Compiles and loads the games' code in the background, while pages are already being served.

Code that has never been compiled on this machine is compiled in a separate process, which can be ended at any time, and
only loaded from disk here: compiling in this process would block everybody. Tables wait for the rules of their game,
bots for the compiled search. A game that somebody waits for comes first. Earlier versions of the rules are loaded only
when a match that uses them is opened; modules for pages, of games or component tables that did not come with them, are
built only when a page has asked which there are.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple

from plenilune import bots
from plenilune.bots.search.simulation import simulate
from plenilune.core import engine
from plenilune.core.compiling import prepare
from plenilune.core.errors import Refusal
from plenilune.core.fingerprint import fingerprint
from plenilune.game import Game, load, names
from plenilune.match import Match
from plenilune.wasm.build import build, built, on_demand

RULES, BOTS, MODULES = "rules", "bots", "modules"


class Part(NamedTuple):
    """One thing to compile and load."""

    kind: str  # RULES, BOTS or MODULES
    game: str
    version: int | None = None  # of the rules; None: the current one


class Warmup:
    def __init__(self) -> None:
        self._games = names()
        self._parts = {Part(kind, name): Future[None]() for kind in (RULES, BOTS) for name in self._games}
        self._current: dict[str, int] = {}  # the current version of the rules of each game that has been loaded
        self._wanted: list[Part] = []
        self._closing = threading.Event()
        self._changed = threading.Condition()  # its lock protects all of the above
        self._thread = threading.Thread(target=self._run, name="warm-up")

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        with self._changed:
            self._closing.set()
            self._changed.notify_all()
        if self._thread.ident:
            self._thread.join()

    async def until_rules(self, name: str, version: int | None = None) -> None:
        """Wait until the game can be played without delay."""
        await self._wait(RULES, name, version)

    async def until_bots(self, name: str, version: int | None = None) -> None:
        """Wait until its bots can think without delay."""
        await self._wait(BOTS, name, version)

    def begin_modules(self) -> None:
        """Build the modules that did not come with the pages, after everything else."""
        with self._changed:
            for name in self._games:
                self._parts.setdefault(Part(MODULES, name), Future())
            self._changed.notify_all()

    def modules_made(self) -> int:
        """The number of games whose modules have been built, or cannot be."""
        with self._changed:
            return sum(part.kind == MODULES and future.done() for part, future in self._parts.items())

    def has_bots(self, name: str, version: int | None = None) -> bool:
        return not self._awaited(BOTS, name, version)

    def on_bots(self, name: str, version: int | None, callback: Callable[[], None]) -> None:
        """Call back, in the running loop, once bots can think. Unlike `until_bots`, this asks for no priority."""
        loop = asyncio.get_running_loop()

        def check_again() -> None:
            if self.has_bots(name, version):
                callback()
            else:
                self.on_bots(name, version, callback)

        def made(_: Future[None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(check_again)

        if future := self._awaited(BOTS, name, version):
            future.add_done_callback(made)

    async def _wait(self, kind: str, name: str, version: int | None) -> None:
        while future := self._awaited(kind, name, version, wanted=True):
            await asyncio.shield(asyncio.wrap_future(future))

    def _awaited(self, kind: str, name: str, version: int | None, wanted: bool = False) -> Future[None] | None:
        """The next part that is missing, if any. An earlier version is compiled only once somebody asks for it."""
        with self._changed:
            if name not in self._games or not self._thread.is_alive() or self._closing.is_set():
                return None
            part = self._part(kind, name, version)
            future = self._parts.setdefault(part, Future())
            if future.done():
                return None
            self._wanted += [part] * wanted
            self._changed.notify_all()
            return future

    def _part(self, kind: str, name: str, version: int | None) -> Part:
        """The current version is known only once it has been loaded."""
        earlier = version if version != self._current.get(name, version) else None
        return Part(kind, name, earlier)

    def _run(self) -> None:
        try:
            while part := self._next():
                with contextlib.suppress(Refusal):  # reported to whoever opens a table of that game
                    self._make(part)
                self._parts[part].set_result(None)
        finally:
            with self._changed:
                self._closing.set()
                left = [future for future in self._parts.values() if not future.done()]
            for future in left:
                future.set_result(None)

    def _next(self) -> Part | None:
        """What somebody waits for first, then all rules, all bots, and earlier versions; None when closing."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing.is_set() or self._missing())
            missing = self._missing()
            wanted = [part for part in self._wanted if part in missing]
            self._wanted = wanted
            return None if self._closing.is_set() else (wanted or missing)[0]

    def _missing(self) -> list[Part]:
        return [part for part, future in self._parts.items() if not future.done()]

    def _make(self, part: Part) -> None:
        current = load(part.game)
        self._current[part.game] = current.version
        game = current if part.version is None else current.at_version(part.version)
        if not _is_made(part.kind, game):
            self._compile(part)
        if part.kind != MODULES and not self._closing.is_set():
            warm_up(part.kind, game)

    def _compile(self, part: Part) -> None:
        words = [str(word) for word in part if word is not None]
        with subprocess.Popen([sys.executable, "-m", "plenilune.server.thinking.warmup", *words]) as process:
            while process.poll() is None:
                if self._closing.wait(0.05):
                    process.terminate()


_warm: set[tuple[str, str, int]] = set()


def warm_up(kind: str, game: Game) -> None:
    """Compile everything, or load it from disk."""
    if (kind, game.name, game.version) in _warm:
        return
    prepare(game)
    if kind == BOTS:
        match = Match(game, game.seats[-1], "warm-up")
        seen = match.seen_by(match.to_play)
        for name in ("greedy", "mcts:1"):
            bots.load(name, game).think(game, seen, match.to_play)
    _warm.add((kind, game.name, game.version))
    _marker(kind, game).touch()


def _is_made(kind: str, game: Game) -> bool:
    return built(game) is not None if kind == MODULES else _marker(kind, game).exists()


def _marker(kind: str, game: Game) -> Path:
    """A file whose existence says that the present code has been compiled."""
    what = f"searched-{fingerprint(engine.source_of(simulate))}" if kind == BOTS else "compiled"
    return engine.cache_folder(game.State.home()) / f"{what}-{game.version}"


def _end_with_children() -> None:
    """Building modules starts processes, which are to end with this one."""
    os.setpgrp()
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))


if __name__ == "__main__":
    if sys.platform != "win32":
        os.nice(10)  # players go before compiling
        _end_with_children()
    kind, name, *version = sys.argv[1:]
    if kind == MODULES:
        build(on_demand(name), [name])
    else:
        warm_up(kind, load(name, *map(int, version)))
