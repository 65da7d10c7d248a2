"""Keeps folders of modules: builds what is missing or out of date, writes the index, and finds what has been built.

A folder holds, for each game and each version of its rules, `<game>-<rules>.<hash>.wasm` and `.json` (`manifest.py`),
and `index.json`, which says what there is. `.built.json` says from which sources, and is not for pages.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plenilune.core.compiling import progress
from plenilune.core.engine import cache_home
from plenilune.core.fingerprint import PACKAGE, fingerprint
from plenilune.game import Game, load, names
from plenilune.info import game_info
from plenilune.wasm.compile import CANNOT

SHIPPED = PACKAGE / "web" / "modules"  # those of the package's own games, with the pages
INDEX, BUILT = "index.json", ".built.json"
# Of modules and manifests: pages that know another one ask to be reloaded (client/src/rules/manifest.ts has the same
# number). Raise it with every change after which an older page would misread them.
FORMAT = 1


class Wanted(NamedTuple):
    """One version of a game's rules."""

    game: str
    rules: int

    def __str__(self) -> str:
        return f"{self.game}-{self.rules}"


@dataclass(frozen=True)
class Built:
    """A module that is there, or why there can be none."""

    sources: str  # their fingerprint
    name: str = ""  # of its files, without ending
    reason: str = ""

    def is_in(self, folder: Path) -> bool:
        return bool(self.reason) or all((folder / f"{self.name}{ending}").exists() for ending in (".wasm", ".json"))


class BuildFailed(Exception):
    """A module could not be built, though it should have been."""


def build(folder: Path, games: Iterable[str] = ()) -> dict[Wanted, Built]:
    """Have modules of all versions of these games, or of all games there are, in the folder. What is there and made
    from the same sources stays; what is no longer wanted goes."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [Wanted(name, rules) for name in games or names() for rules in load(name).versions]
    there = read_built(folder)
    built = {which: there[which] for which in wanted if which in there and is_current(there[which], which, folder)}
    missing = [which for which in wanted if which not in built]
    with progress("Building the modules for pages", len(missing), patience=0) as advance:
        for done, (which, made) in enumerate(compiled(folder, missing)):
            advance(done)
            built[which] = made
    built = {which: built[which] for which in wanted}
    write(folder / INDEX, msgspec.json.encode(index({which: made.name for which, made in built.items() if made.name})))
    write(folder / BUILT, msgspec.json.encode({str(which): [*which, made] for which, made in built.items()}))
    forget(folder, built)
    return built


def is_current(made: Built, which: Wanted, folder: Path) -> bool:
    return made.sources == sources(which) and made.is_in(folder)


def compiled(folder: Path, missing: list[Wanted]) -> Iterator[tuple[Wanted, Built]]:
    """Each by a process of its own, as many at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(compile_apart, folder, which): which for which in missing}
        for finished in as_completed(running):
            yield running[finished], finished.result()


def compile_apart(folder: Path, which: Wanted) -> Built:
    command = [sys.executable, "-m", "plenilune.wasm.compile", str(folder), which.game, str(which.rules)]
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(command, env=environment(cache), capture_output=True, text=True, check=False)
    if done.returncode == CANNOT:
        return Built(sources(which), reason=done.stderr.strip())
    if done.returncode:
        raise BuildFailed(f"{which} cannot be built:\n{done.stderr}")
    return Built(sources(which), name=done.stdout.strip())


def environment(cache: str) -> dict[str, str]:
    """What decides how numba compiles is as usual, and the same each time."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return kept | {"PLENILUNE_CACHE": cache, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(sys.path)}


@functools.cache
def sources(which: Wanted) -> str:
    """The fingerprint of all that decides what a module is made of."""
    home = load(which.game).State.home()
    parts = [fingerprint(home), fingerprint(PACKAGE / "wasm"), str(which), importlib.metadata.version("llvmlite")]
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:12]


# The folder


def index(files: Mapping[Wanted, str]) -> dict[str, Any]:
    """What `index.json` says of modules in these files (`ModuleIndex` in client/src/rules/manifest.ts)."""
    modules: dict[str, dict[str, str]] = {}
    for which, file in files.items():
        modules.setdefault(which.game, {})[str(which.rules)] = file
    games = [{**msgspec.to_builtins(game_info(load(name))), "modules": found} for name, found in modules.items()]
    return {"version": version(), "format": FORMAT, "games": games}


def version() -> str:
    """Of Plenilune, which need not be installed while it is being packed."""
    project = PACKAGE.parent / "pyproject.toml"
    if project.exists():
        return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])
    return importlib.metadata.version("plenilune")


def read_built(folder: Path) -> dict[Wanted, Built]:
    try:
        stored = json.loads((folder / BUILT).read_bytes())
        return {Wanted(game, rules): Built(**made) for game, rules, made in stored.values()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def forget(folder: Path, built: dict[Wanted, Built]) -> None:
    """Delete modules that were replaced."""
    kept = {made.name for made in built.values()}
    for file in folder.iterdir():
        if file.suffix in (".wasm", ".json") and file.stem not in kept and file.name not in (INDEX, BUILT):
            file.unlink()


def write(path: Path, content: bytes) -> None:
    """Atomically: readers find the old content or the new."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.write_bytes(content)
    beside.replace(path)


# What has been built


def available() -> dict[Wanted, Path]:
    """The modules there are for all games, as paths without ending."""
    every = [Wanted(name, rules) for name in names() for rules in load(name).versions]
    return {which: found for which in every if (found := built(load(*which)))}


def built(game: Game) -> Path | None:
    """The module of this game by the version of its rules, as a path without ending: one that came with the pages, or
    one that was built on this machine because the game or its component table is somebody's own."""
    shipped = game.State.home().is_relative_to(PACKAGE) and _listed(SHIPPED, game)
    return shipped or _listed(on_demand(game.name), game)


def command(name: str) -> list[str]:
    """What builds the game's modules where `built` finds them. Run it with `nice`: it takes a processor for a while."""
    return [sys.executable, "-m", "plenilune.wasm", str(on_demand(name)), name]


def on_demand(name: str) -> Path:
    """The folder for modules of a game as it is on this machine, with its component table."""
    return cache_home() / f"modules-{name}-{sources(Wanted(name, load(name).version))}"


def _listed(folder: Path, game: Game) -> Path | None:
    """What the folder's index says, if it is of the same component table."""
    try:
        games = json.loads((folder / INDEX).read_bytes())["games"]
    except FileNotFoundError:
        return None
    for listed in games:
        if (listed["name"], listed["components"]) == (game.name, game.components):
            file = listed["modules"].get(str(game.version))
            return folder / file if file else None
    return None
