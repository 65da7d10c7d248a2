"""The page's own code against the native rules, bots and files: `client/test/modules`, with facts made here."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from plenilune import load
from tests.play import package_games
from tests.wasm.conftest import MODULES
from tests.wasm.page_facts import facts

pytestmark = pytest.mark.slow
CLIENT = Path(__file__).parents[2] / "client"


@pytest.mark.usefixtures("built")
def test_the_page_plays_thinks_and_writes_files_as_python_does(tmp_path: Path) -> None:
    for name in package_games():
        (tmp_path / f"{name}.json").write_text(json.dumps(facts(load(name))), "utf-8")
    places = {"PLENILUNE_MODULES": str(MODULES), "PLENILUNE_FACTS": str(tmp_path)}
    command = [sys.executable, str(CLIENT / "build.py"), "test:modules"]
    done = subprocess.run(command, env=os.environ | places, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Tests" in done.stdout
