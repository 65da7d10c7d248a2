"""Makes games ready to play while pages are already being served.

What has never been compiled on this machine is compiled in a process of its own, which can be ended at any time, and
only read from disk here: compiling would keep everybody waiting. Tables wait for the rules of their game, bots for the
code they think with; a game that somebody waits for comes first. Earlier versions of rules are made ready only when a
match that is played by them is opened.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple

from plenilune import bots, engine
from plenilune.bots import tree
from plenilune.compiling import prepare
from plenilune.errors import Refusal
from plenilune.fingerprint import fingerprint
from plenilune.game import Game, load, names
from plenilune.match import Match
from plenilune.server.thinking.priority import step_back

RULES, BOTS = "rules", "bots"


class Part(NamedTuple):
    """What is made ready at a time."""

    kind: str  # RULES or BOTS
    game: str
    version: int | None = None  # of the rules; None is the present one


class Ready:
    def __init__(self) -> None:
        self._games = names()
        self._parts = {Part(kind, name): Future[None]() for kind in (RULES, BOTS) for name in self._games}
        self._present: dict[str, int] = {}  # the present version of each game that has been loaded
        self._wanted: list[Part] = []
        self._closing = threading.Event()
        self._news = threading.Condition()  # guards all of this
        self._thread = threading.Thread(target=self._run, name="getting ready")

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        with self._news:
            self._closing.set()
            self._news.notify_all()
        if self._thread.ident:
            self._thread.join()

    async def rules(self, name: str, version: int | None = None) -> None:
        """Until the game can be played without delay."""
        await self._wait(RULES, name, version)

    async def bots(self, name: str, version: int | None = None) -> None:
        """Until its bots can think without delay."""
        await self._wait(BOTS, name, version)

    def has_bots(self, name: str, version: int | None = None) -> bool:
        return not self._awaited(BOTS, name, version)

    def when_bots(self, name: str, version: int | None, tell: Callable[[], None]) -> None:
        """Have it told, in the loop that runs now, when bots no longer wait; whoever asks is in no hurry."""
        loop = asyncio.get_running_loop()

        def look_again() -> None:
            if self.has_bots(name, version):
                tell()
            else:
                self.when_bots(name, version, tell)

        def made(_: Future[None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(look_again)

        if future := self._awaited(BOTS, name, version):
            future.add_done_callback(made)

    async def _wait(self, kind: str, name: str, version: int | None) -> None:
        while future := self._awaited(kind, name, version, wanted=True):
            await asyncio.shield(asyncio.wrap_future(future))

    def _awaited(self, kind: str, name: str, version: int | None, wanted: bool = False) -> Future[None] | None:
        """What is still to come next, if anything is. An earlier version is made once it has been asked for."""
        with self._news:
            if name not in self._games or not self._thread.is_alive() or self._closing.is_set():
                return None
            part = self._part(kind, name, version)
            future = self._parts.setdefault(part, Future())
            if future.done():
                return None
            self._wanted += [part] * wanted
            self._news.notify_all()
            return future

    def _part(self, kind: str, name: str, version: int | None) -> Part:
        """Which version is the present one is known once that has been made."""
        earlier = version if version != self._present.get(name, version) else None
        return Part(kind, name, earlier)

    def _run(self) -> None:
        step_back()
        try:
            while part := self._next():
                with contextlib.suppress(Refusal):  # whoever opens a table of it is told
                    self._make(part)
                self._parts[part].set_result(None)
        finally:
            with self._news:
                self._closing.set()
                left = [future for future in self._parts.values() if not future.done()]
            for future in left:
                future.set_result(None)

    def _next(self) -> Part | None:
        """What somebody waits for, then all rules, all bots, and earlier versions; None when it is time to end."""
        with self._news:
            self._news.wait_for(lambda: self._closing.is_set() or self._missing())
            missing = self._missing()
            wanted = [part for part in self._wanted if part in missing]
            self._wanted = wanted
            return None if self._closing.is_set() else (wanted or missing)[0]

    def _missing(self) -> list[Part]:
        return [part for part, future in self._parts.items() if not future.done()]

    def _make(self, part: Part) -> None:
        present = load(part.game)
        self._present[part.game] = present.version
        game = present if part.version is None else present.at_version(part.version)
        if not _marker(part.kind, game).exists():
            self._compile(part)
        if not self._closing.is_set():
            use(part.kind, game)

    def _compile(self, part: Part) -> None:
        words = [str(word) for word in part if word is not None]
        with subprocess.Popen([sys.executable, "-m", "plenilune.server.thinking.ready", *words]) as process:
            while process.poll() is None:
                if self._closing.wait(0.05):
                    process.terminate()


_used: set[tuple[str, str, int]] = set()


def use(kind: str, game: Game) -> None:
    """Have everything compiled or read from disk."""
    if (kind, game.name, game.version) in _used:
        return
    prepare(game)
    if kind == BOTS:
        match = Match(game, game.seats[-1], "ready")
        seen = match.seen_by(match.to_play)
        for name in ("greedy", "mcts:1"):
            bots.load(name, game).think(game, seen, match.to_play)
    _used.add((kind, game.name, game.version))
    _marker(kind, game).touch()


def _marker(kind: str, game: Game) -> Path:
    """A file that says that this has been compiled as it is now."""
    what = f"searched-{fingerprint(Path(tree.__file__))}" if kind == BOTS else "compiled"
    return engine.cache_folder(game.State.home()) / f"{what}-{game.version}"


if __name__ == "__main__":
    step_back()
    kind, name, *version = sys.argv[1:]
    use(kind, load(name, *map(int, version)))
