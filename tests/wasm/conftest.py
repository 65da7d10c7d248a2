"""The modules of all games, and a Node to run them."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plenilune import Game
from plenilune.core.engine import PLAIN
from plenilune.wasm.build import BUILT, Built, Wanted, build

ROOT = Path(__file__).parents[2]
MADE = ROOT / "build" / "modules"  # by make, of the package's own games
MODULES = ROOT / "build" / "test-modules"
REPLAY = Path(__file__).with_name("replay.mjs")
Replay = Callable[[Path, Any], dict[str, Any]]

collect_ignore_glob = ["*"] if PLAIN else []  # with NUMBA_DISABLE_JIT nothing is compiled


@pytest.fixture(scope="session")
def built() -> dict[Wanted, Built]:
    """The modules of all games that the tests find; built once, and again when their sources have changed."""
    MODULES.mkdir(parents=True, exist_ok=True)
    with (MODULES / ".lock").open("w") as lock:  # tests run in several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        if written(MADE) > written(MODULES):
            shutil.copytree(MADE, MODULES, dirs_exist_ok=True)
        return build(MODULES)


def written(folder: Path) -> float:
    """When something was built there last; 0 if nothing was."""
    return (folder / BUILT).stat().st_mtime if (folder / BUILT).exists() else 0


@pytest.fixture
def module(game: Game, built: dict[Wanted, Built]) -> Path:
    return MODULES / built[Wanted(game.name, game.version)].name


@pytest.fixture(scope="session")
def node() -> str:
    """The machine's, or the one that builds the client."""
    spec = importlib.util.spec_from_file_location("client_build", ROOT / "client" / "build.py")
    assert spec
    assert spec.loader
    client = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(client)
    client.npm()  # puts it on the path
    return str(shutil.which("node"))


@pytest.fixture
def replay(node: str, tmp_path: Path) -> Replay:
    """Has Node do what a fixture says with a module; returns what came out otherwise than natively."""

    def run(module: Path, fixture: Any) -> dict[str, Any]:
        file = tmp_path / "fixture.json"
        file.write_text(json.dumps(fixture), "utf-8")
        done = subprocess.run([node, str(REPLAY), str(module), str(file)], stdout=subprocess.PIPE, check=False)
        found: dict[str, Any] = json.loads(done.stdout)
        assert done.returncode == any(found.values())
        return found

    return run


def compile_apart(folder: Path, *words: str, **environment: str) -> str:
    """Run `plenilune.wasm.compile` in a process of its own; returns what it says."""
    command = [sys.executable, "-m", "plenilune.wasm.compile", str(folder), *words]
    given = os.environ | {"PLENILUNE_CACHE": str(folder / "cache")} | environment
    return subprocess.run(command, cwd=ROOT, env=given, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
