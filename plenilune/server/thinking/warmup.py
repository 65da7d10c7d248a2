"""Compiles and loads the games' code in the background, while pages are already being served.

Code that has never been compiled on this machine is compiled in a separate process, which can be ended at any time, and
only loaded from disk here: compiling in this process would block everybody. Tables wait for the rules of their game,
bots for the compiled search. A game that somebody waits for comes first. Earlier versions of the rules are loaded only
when a match that uses them is opened; modules for pages, of games or component tables that did not come with them, are
built only when a page has asked which there are.

What cannot be prepared is tried again, after longer and longer pauses, while everything else goes on. Until it succeeds
it is a problem of the server, and requests for it are refused at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
import time
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
from plenilune.server.protocol.refusals import Denied
from plenilune.wasm.build import build, built, on_demand

log = logging.getLogger("plenilune")
RULES, BOTS, MODULES = "rules", "bots", "modules"
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 300.0  # seconds before what could not be prepared is tried again


class Part(NamedTuple):
    """One thing to compile and load."""

    kind: str  # RULES, BOTS or MODULES
    game: str
    version: int | None = None  # of the rules; None: the current one

    def __str__(self) -> str:
        return f"the {self.kind} of {self.game}" + (f", version {self.version}," if self.version else "")


class Failure(NamedTuple):
    """Why a part could not be prepared, and when it is tried again, by the monotonic clock."""

    why: str
    pause: float
    until: float


class Warmup:
    """`start` begins, and `supervised` has a thread that has died begin again."""

    def __init__(self) -> None:
        self._games = names()
        self._parts = {Part(kind, name): Future[None]() for kind in (RULES, BOTS) for name in self._games}
        self._current: dict[str, int] = {}  # the current version of the rules of each game that has been loaded
        self._wanted: list[Part] = []
        self._failures: dict[Part, Failure] = {}
        self._closing = threading.Event()
        self._changed = threading.Condition()  # its lock protects all of the above
        self._thread: threading.Thread | None = None
        self._ended = Future[None]()  # of the thread
        self._died = False  # as `supervised` has said

    def start(self) -> None:
        self._ended = Future[None]()
        self._thread = threading.Thread(target=self._run, args=[self._ended], name="warm-up")
        self._thread.start()

    async def supervised(self) -> None:
        """Raises what the thread has died of, if it dies. To be called again then: it starts another one."""
        if self._died:
            self._died = False
            self.start()
        try:
            await asyncio.shield(asyncio.wrap_future(self._ended))
        except Exception:
            self._died = True
            raise
        await asyncio.Event().wait()  # closed: until its supervisor is closed, too

    def close(self) -> None:
        with self._changed:
            self._closing.set()
            self._changed.notify_all()
        if self._thread:
            self._thread.join()
        for future in list(self._parts.values()):
            if not future.done():
                future.set_result(None)

    def problems(self) -> list[str]:
        """What cannot be prepared, one sentence each."""
        with self._changed:
            return sorted(f"{part} cannot be prepared: {failure.why}" for part, failure in self._failures.items())

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
            await asyncio.shield(asyncio.wrap_future(future))  # raises `Denied` if it cannot be prepared

    def _awaited(self, kind: str, name: str, version: int | None, wanted: bool = False) -> Future[None] | None:
        """The next part that is missing, if any. An earlier version is compiled only once somebody asks for it."""
        with self._changed:
            if name not in self._games or self._thread is None or self._closing.is_set():
                return None
            part = self._part(kind, name, version)
            future = self._parts.setdefault(part, Future())
            if future.done():
                return None
            if wanted and part in self._failures:
                raise unprepared(part)
            self._wanted += [part] * wanted
            self._changed.notify_all()
            return future

    def _part(self, kind: str, name: str, version: int | None) -> Part:
        """The current version is known only once it has been loaded."""
        earlier = version if version != self._current.get(name, version) else None
        return Part(kind, name, earlier)

    def _run(self, ended: Future[None]) -> None:
        try:
            while part := self._next():
                self._prepare(part)
        except Exception as error:  # the supervisor is told
            ended.set_exception(error)
        else:
            ended.set_result(None)

    def _next(self) -> Part | None:
        """What somebody waits for first, then all rules, all bots, and earlier versions; None when closing."""
        with self._changed:
            while not self._closing.is_set():
                missing = self._missing()
                self._wanted = [part for part in self._wanted if part in missing]
                if missing:
                    return (self._wanted or missing)[0]
                again = [failure.until - time.monotonic() for failure in self._failures.values()]
                self._changed.wait(max(0.0, min(again)) if again else None)
        return None

    def _missing(self) -> list[Part]:
        """What is to be prepared now."""
        at = time.monotonic()
        paused = {part for part, failure in self._failures.items() if failure.until > at}
        return [part for part, future in self._parts.items() if not future.done() and part not in paused]

    def _prepare(self, part: Part) -> None:
        try:
            self._make(part)
        except Refusal:
            pass  # told to those who open a table of that game
        except Exception as error:
            log.warning("%s cannot be prepared: %s", part, error, exc_info=error)
            if part.kind != MODULES:  # pages do without them
                return self._failed(part, error)
        with self._changed:
            self._failures.pop(part, None)
            future = self._parts[part]
        if not future.done():
            future.set_result(None)

    def _failed(self, part: Part, error: Exception) -> None:
        """Refuse those who wait; other parts come first from now on."""
        with self._changed:
            before = self._failures.get(part)
            pause = min(2 * before.pause, LONGEST_PAUSE) if before else FIRST_PAUSE
            self._failures[part] = Failure(f"{type(error).__name__}: {error}", pause, time.monotonic() + pause)
            future, self._parts[part] = self._parts.pop(part), Future()
        future.set_exception(unprepared(part))

    def _make(self, part: Part) -> None:
        current = load(part.game)
        self._current[part.game] = current.version
        game = current if part.version is None else current.at_version(part.version)
        if not is_made(part.kind, game):
            self._compile(part)
        if part.kind != MODULES and not self._closing.is_set():
            warm_up(part.kind, game)

    def _compile(self, part: Part) -> None:
        words = [str(word) for word in part if word is not None]
        with subprocess.Popen([sys.executable, "-m", "plenilune.server.thinking.warmup", *words]) as process:
            while process.poll() is None:
                if self._closing.wait(0.05):
                    process.terminate()
        if process.returncode and not self._closing.is_set():
            raise ChildProcessError(f"the process that compiles them ended with {process.returncode}")


def unprepared(part: Part) -> Denied:
    return Denied("unavailable", f"{part} cannot be prepared on this server now: try again later")


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


def is_made(kind: str, game: Game) -> bool:
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
