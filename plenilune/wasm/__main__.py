"""`python -m plenilune.wasm FOLDER [GAME…]` has modules of these games, or of all, in the folder."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from plenilune.core.errors import Refusal
from plenilune.wasm.build import INDEX, BuildFailed, Built, Wanted, build

USAGE = "usage: python -m plenilune.wasm FOLDER [GAME ...]"


def main(words: list[str]) -> None:
    if not words:
        sys.exit(USAGE)
    folder = Path(words[0])
    try:
        made = build(folder, words[1:])
    except (Refusal, BuildFailed) as reason:
        sys.exit(str(reason))
    for which, module in made.items():
        print(summary(folder, which, module))
    print(f"{INDEX}: {sizes(folder / INDEX)}")


def summary(folder: Path, which: Wanted, made: Built) -> str:
    if made.reason:
        return f"{which}: no module, because {made.reason}"
    files = {ending: sizes(folder / f"{made.name}.{ending}") for ending in ("wasm", "json")}
    return f"{made.name}: " + ", ".join(f"{ending} {size}" for ending, size in files.items())


def sizes(file: Path) -> str:
    content = file.read_bytes()
    return f"{len(content) / 1000:.1f} kB ({len(gzip.compress(content)) / 1000:.1f} kB compressed)"


if __name__ == "__main__":
    main(sys.argv[1:])
