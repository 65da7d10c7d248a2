"""The WebAssembly modules for pages: those that came with them, and those built for other games or components."""

from __future__ import annotations

import contextlib
from pathlib import Path

from plenilune.core.errors import Refusal
from plenilune.game import load, names
from plenilune.server.protocol.encoding import encode
from plenilune.server.thinking.warmup import Warmup
from plenilune.wasm.build import Wanted, built, index


class Modules:
    def __init__(self, warmup: Warmup) -> None:
        self.warmup = warmup
        self._made = -1  # for how many games it was certain when `_files` was found
        self._files: dict[Wanted, Path] = {}  # without endings

    def listing(self) -> bytes:
        """The index of the modules there are so far; starts building the missing ones."""
        self.warmup.begin_modules()
        return encode(index({which: path.name for which, path in self._found().items()}))

    def file(self, name: str) -> Path | None:
        """The file of that name, if it belongs to a module."""
        stem, _, ending = name.rpartition(".")
        place = next((path for path in self._found().values() if path.name == stem), None)
        return place.with_name(name) if place and ending in ("wasm", "json") else None

    def _found(self) -> dict[Wanted, Path]:
        made = self.warmup.modules_made()
        if made != self._made:
            self._files, self._made = _available(), made
        return self._files


def _available() -> dict[Wanted, Path]:
    found: dict[Wanted, Path] = {}
    for name in names():
        with contextlib.suppress(Refusal):  # a game that cannot be loaded is offered nowhere
            for rules in load(name).versions:
                if path := built(load(name, rules)):
                    found[Wanted(name, rules)] = path
    return found
