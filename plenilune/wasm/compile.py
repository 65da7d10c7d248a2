"""Builds one module, in a process that does nothing else: `python -m plenilune.wasm.compile FOLDER GAME RULES`.

Writes `<game>-<rules>.<hash>.wasm` and `.json`, and says what the files are called.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import msgspec

from plenilune.core.errors import BadGame
from plenilune.game import Game, load

CANNOT = 3  # exit status: this game can have no module


def compile_module(game: Game) -> tuple[bytes, bytes]:
    """The game's module and its manifest."""
    from plenilune.wasm import exports, link, manifest, target  # with numba, which has to be taken over first

    offered, made = exports.exports(game), target.Exports(game.name)
    for name, (f, arguments) in offered.items():
        made.add(name, f, arguments)
    symbols = {name: target.EXPORT + name for name in offered}
    described = manifest.manifest(game, made.parameters)
    return link.link(made.object_file(), symbols), msgspec.json.encode(described)


def write(folder: Path, game: Game) -> str:
    """Builds the module into the folder; returns the files' name without ending."""
    module, described = compile_module(game)
    name = f"{game.name}-{game.version}.{hashlib.sha256(module + described).hexdigest()[:8]}"
    (folder / f"{name}.json").write_bytes(described)
    (folder / f"{name}.wasm").write_bytes(module)
    return name


def main(folder: str, name: str, rules: str) -> None:
    from plenilune.wasm import target

    target.take_over()
    try:
        print(write(Path(folder), load(name, int(rules))))
    except BadGame as reason:
        print(reason, file=sys.stderr)
        sys.exit(CANNOT)


if __name__ == "__main__":
    main(*sys.argv[1:])
