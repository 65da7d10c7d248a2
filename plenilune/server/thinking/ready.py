"""Makes games ready to play while pages are already being served.

What has never been compiled on this machine is compiled in a process of its own, which can be ended at any time, and
only read from disk here: compiling would keep everybody waiting. Tables wait for the rules of their game, bots for the
code they think with; a game that somebody waits for comes first.
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

from plenilune import bots, engine
from plenilune.bots import tree
from plenilune.compiling import prepare
from plenilune.errors import Refusal
from plenilune.fingerprint import fingerprint
from plenilune.game import Game, load, names
from plenilune.match import Match
from plenilune.server.thinking.priority import step_back

RULES, BOTS = "rules", "bots"
Part = tuple[str, str]  # RULES or BOTS, of the game of that name


class Ready:
    def __init__(self) -> None:
        self._parts: dict[Part, Future[None]] = {(part, name): Future() for part in (RULES, BOTS) for name in names()}
        self._wanted: list[Part] = []
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="getting ready")

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        if self._thread.ident:
            self._thread.join()

    async def rules(self, name: str, version: int | None = None) -> None:
        """Until the game can be played without delay."""
        await self._wait((RULES, name))

    async def bots(self, name: str, version: int | None = None) -> None:
        """Until its bots can think without delay."""
        await self._wait((BOTS, name))

    def has_bots(self, name: str, version: int | None = None) -> bool:
        return not self._awaited((BOTS, name))

    def when_bots(self, name: str, version: int | None, tell: Callable[[], None]) -> None:
        """Have it told, in the loop that runs now, when bots no longer wait; whoever asks is in no hurry."""
        loop = asyncio.get_running_loop()

        def told(_: Future[None]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(tell)

        if future := self._awaited((BOTS, name)):
            future.add_done_callback(told)

    async def _wait(self, part: Part) -> None:
        if future := self._awaited(part):
            self._wanted.append(part)
            await asyncio.shield(asyncio.wrap_future(future))

    def _awaited(self, part: Part) -> Future[None] | None:
        """What is still to come."""
        future = self._parts.get(part)
        return future if future and self._thread.is_alive() and not future.done() else None

    def _run(self) -> None:
        step_back()
        try:
            while (part := self._next()) and not self._closing.is_set():
                with contextlib.suppress(Refusal):  # whoever opens a table of it is told
                    self._make(part)
                self._parts[part].set_result(None)
        finally:
            for future in self._parts.values():
                if not future.done():
                    future.set_result(None)

    def _next(self) -> Part | None:
        """What somebody waits for, then all rules, then all bots."""
        missing = [part for part, future in self._parts.items() if not future.done()]
        return next((part for part in self._wanted if part in missing), missing[0] if missing else None)

    def _make(self, part: Part) -> None:
        kind, name = part
        game = load(name)
        if not _marker(kind, game).exists():
            self._compile(kind, name)
        if not self._closing.is_set():
            use(kind, game)

    def _compile(self, kind: str, name: str) -> None:
        with subprocess.Popen([sys.executable, "-m", "plenilune.server.thinking.ready", kind, name]) as process:
            while process.poll() is None:
                if self._closing.wait(0.05):
                    process.terminate()


_used: set[Part] = set()


def use(kind: str, game: Game) -> None:
    """Have everything compiled or read from disk."""
    if (kind, game.name) in _used:
        return
    prepare(game)
    if kind == BOTS:
        match = Match(game, game.seats[-1], "ready")
        seen = match.seen_by(match.to_play)
        for name in ("greedy", "mcts:1"):
            bots.load(name, game).think(game, seen, match.to_play)
    _used.add((kind, game.name))
    _marker(kind, game).touch()


def _marker(kind: str, game: Game) -> Path:
    """A file that says that this has been compiled as it is now."""
    what = f"searched-{fingerprint(Path(tree.__file__))}" if kind == BOTS else "compiled"
    return engine.cache_folder(game.State.home()) / what


if __name__ == "__main__":
    step_back()
    use(sys.argv[1], load(sys.argv[2]))
