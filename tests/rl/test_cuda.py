"""Batches on a GPU tell what those on the CPU tell, byte for byte; the kernels compile for GPUs that are not here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import gpu
from benchmarks.environments import KINDS
from plenilune import BadSetting
from plenilune.rl import Batch
from tests.play import package_games

ROOT = Path(__file__).parents[2]
REGISTERS = 255  # that a thread may have at most
pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="there is no numba-cuda for macOS")

# The simulator runs the rules as plain Python, in a process of its own: whether to compile is decided at import.
SIMULATED = """
import json, sys
from benchmarks.gpu import outputs
from plenilune.rl import Batch
game, steps, how = json.loads(sys.argv[1])
print(json.dumps(list(outputs(Batch(game, device="cuda", **how), steps))))
"""
SETTINGS: list[dict[str, Any]] = [
    {"actions": "code", "observe": "tokens", "autoreset": "next", "views": True},
    {"actions": "option", "observe": "state", "autoreset": "same"},
    {"actions": "number", "observe": "planes", "autoreset": "same", "views": True},
]


def simulated(game: str, steps: int, how: dict[str, Any]) -> list[tuple[str, str]]:
    done = subprocess.run(
        [sys.executable, "-c", SIMULATED, json.dumps([game, steps, how])],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [(what, digest) for what, digest in json.loads(done.stdout)]


@pytest.mark.slow
@pytest.mark.parametrize("how", SETTINGS, ids=lambda how: f"{how['actions']} {how['observe']}")
@pytest.mark.parametrize("game", package_games())
def test_a_simulated_gpu_tells_the_same_bytes_as_compiled_code(game: str, how: dict[str, Any]) -> None:
    how = {"seats": 2, "n": 3, "seed": 11, "most_steps": 5, **how}
    expected = list(gpu.outputs(Batch(game, **how), steps=8))
    assert len(expected) > 60
    assert simulated(game, 8, how) == expected


@pytest.mark.slow
@pytest.mark.parametrize("game", package_games())
def test_the_kernel_compiles_for_hopper(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    ptx = gpu.assembly(game, 2, actions=KINDS[game], observe="tokens")
    assert ".target sm_90" in ptx
    assert not re.search(r"^\s*\.const\b", ptx, re.M)  # tables are in global memory: core/numba_patches.py
    found = gpu.kernel(ptx)
    with capsys.disabled():
        print(f"\n{game}: {found.registers} registers, stack {found.stack}, spilled {found.spilled}")
    assert 0 < found.registers <= REGISTERS
    assert found.spilled == 0


AS_WITH_NUMPY_2_5 = """
import numpy as np
from plenilune.core.numba_patches import cuda_module
vars(np).pop("row_stack", None)
{patch}
import numba.cuda.np.arrayobj
"""


def test_numba_cuda_can_be_imported_with_numpy_2_5_because_of_the_patch() -> None:
    def imported(patch: str) -> str:
        command = [sys.executable, "-c", AS_WITH_NUMPY_2_5.format(patch=patch)]
        return subprocess.run(command, capture_output=True, text=True).stderr

    assert "has no attribute 'row_stack'" in imported(""), "numba-cuda needs it no more: remove the patch"
    assert imported("cuda_module()") == ""


def test_what_tells_the_bytes_apart_finds_a_difference() -> None:
    one, other = (list(gpu.outputs(Batch("moon-leap", 2, 3, seed), steps=2)) for seed in (1, 2))
    assert one != other


def test_without_a_gpu_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from plenilune.rl import cuda

    monkeypatch.setattr(cuda.cuda, "is_available", lambda: False)
    with pytest.raises(BadSetting, match="device='cuda' needs an NVIDIA GPU with its driver, and there is none here"):
        Batch("moon-leap", device="cuda")
    gpu.main(["moon-leap"])
    said = capsys.readouterr().out
    assert said == (
        "Nothing was measured: device='cuda' needs an NVIDIA GPU with its driver, and there is none here.\n"
    )


def test_without_numba_cuda_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for arguments in (["moon-leap"], ["--compare", "moon-leap"], ["--kernels", "moon-leap"]):
        gpu.main(arguments)
        said = capsys.readouterr().out
        assert said == "Nothing was measured: device='cuda' needs numba-cuda: pip install 'plenilune[cuda]'.\n"


def test_half_a_simulator_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SIMULATED, json.dumps(["moon-leap", 1, {}])],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "set both NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1, or neither" in done.stderr
