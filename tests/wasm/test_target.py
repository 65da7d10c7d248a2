"""What is done to numba, so that it generates WebAssembly, works."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.wasm.conftest import ROOT

pytestmark = pytest.mark.slow
BUILD = """
import math, sys
import numpy as np
from plenilune.wasm import link, target
target.take_over()
from plenilune.core.engine import NUMBER, VALUES, rule

TABLE = np.arange(10.0)

@rule
def divide(a, b):
    return a // b

@rule
def add_up(values):
    total = 0.0
    for value in values:
        total += math.sqrt(value) + TABLE[len(values)]
    return int(total)

made = target.Exports("sums")
made.add("divide", divide, (NUMBER, NUMBER))
made.add("add_up", add_up, (VALUES,))
assert made.parameters == {"divide": ["a", "b"], "add_up": ["values", "values.length"]}
sys.stdout.buffer.write(link.link(made.object_file(), {n: target.EXPORT + n for n in made.parameters}))
"""
USE = """
const { divide, add_up, memory, __heap_base } = new WebAssembly.Instance(
  new WebAssembly.Module(require("fs").readFileSync(process.argv[2]))).exports
memory.grow(1)
const at = Math.ceil(__heap_base.value / 8) * 8
new Float64Array(memory.buffer, at, 3).set([4, 9, 16])
console.log(divide(7, 2), divide(-7, 2), add_up(at, 3))
try { divide(1, 0) } catch (error) { console.log(error.constructor.name, error.message) }
"""
ADDRESS = """
import ctypes
from plenilune.wasm import target
target.take_over()
from plenilune.core.engine import NUMBER, rule

number = ctypes.CDLL(None).abs
number.argtypes, number.restype = [ctypes.c_int], ctypes.c_int

@rule
def call(a):
    return number(a)

target.Exports("calls").add("call", call, (NUMBER,))
"""


def python(code: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    file = folder / "code.py"
    file.write_text(code)
    return subprocess.run(
        [sys.executable, str(file)],
        env={"PYTHONPATH": str(ROOT), "PLENILUNE_CACHE": str(folder)},
        capture_output=True,
        check=False,
    )


def test_a_rule_counts_reads_tables_and_traps_where_python_would_raise(node: str, tmp_path: Path) -> None:
    made = python(BUILD, tmp_path)
    assert made.returncode == 0, made.stderr.decode()
    (tmp_path / "sums.wasm").write_bytes(made.stdout)
    (tmp_path / "use.cjs").write_text(USE)
    told = subprocess.check_output([node, str(tmp_path / "use.cjs"), str(tmp_path / "sums.wasm")], text=True)
    assert told.splitlines() == ["3 -4 18", "RuntimeError unreachable"]


def test_a_rule_that_needs_something_of_the_process_is_refused(tmp_path: Path) -> None:
    made = python(ADDRESS, tmp_path)
    assert made.returncode != 0
    assert b"a rule uses something of this process" in made.stderr
