"""What is done to numba, so that it generates WebAssembly, works and is still needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from plenilune.wasm.target import PATCHES
from tests.wasm.conftest import ROOT

pytestmark = pytest.mark.slow
RULES = """
import ctypes, hashlib, math, os, sys
import numpy as np
from plenilune.wasm import link, target
target.PATCHES.pop(os.environ.get("WITHOUT"), None)
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

number = ctypes.CDLL(None).abs
number.argtypes, number.restype = [ctypes.c_int], ctypes.c_int

@rule
def call(a):
    return number(a)

made = target.Exports("sums")
made.add("divide", divide, (NUMBER, NUMBER))
made.add("add_up", add_up, (VALUES,))
"""
BUILD = f"""{RULES}
assert made.parameters == {{"divide": ["a", "b"], "add_up": ["values", "values.length"]}}
sys.stdout.buffer.write(link.link(made.object_file(), {{n: target.EXPORT + n for n in made.parameters}}))
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
LOOK = f"""{RULES}
(compiled,) = divide.overloads.values()
code = compiled.library.get_llvm_str()
for wrapper in ("cpython", "cfunc"):
    print(wrapper, wrapper in code)
print("trap", "llvm.trap" in code)
print("object", hashlib.sha256(made.object_file()).hexdigest())
try:
    made.add("call", call, (NUMBER,))
    print("a rule that uses something of this process is compiled")
except TypeError as error:
    print(str(error).split("<")[0])
"""
# What is otherwise without each patch.
OTHERWISE = {
    "the code generator": "call take_over() first",
    "a trap in the place of an exception": "trap False",
    "no wrapper for Python": "cpython True",
    "no wrapper for C": "cfunc True",
    "a name without code": "'Codegen' object has no attribute 'set_env'",
    "no address of this process": "a rule that uses something of this process is compiled",
    "nothing kept on disk": "no compiled object yet",
}


def python(code: str, folder: Path, without: str = "") -> subprocess.CompletedProcess[bytes]:
    file = folder / "code.py"
    file.write_text(code)
    return subprocess.run(
        [sys.executable, str(file)],
        env={"PYTHONPATH": str(ROOT), "PLENILUNE_CACHE": str(folder), "WITHOUT": without},
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


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return looked_at(tmp_path_factory.mktemp("usual"))


def looked_at(folder: Path, without: str = "") -> set[str]:
    """What is said of the code that is made, or the error."""
    made = python(LOOK, folder, without)
    return set((made.stdout + made.stderr).decode().splitlines())


def test_rules_are_compiled_for_a_module_alone_and_the_same_each_time(usual: set[str], tmp_path: Path) -> None:
    assert {"cpython False", "cfunc False", "trap True"} < usual
    assert looked_at(tmp_path) == usual


def test_a_rule_that_needs_something_of_the_process_is_refused(usual: set[str]) -> None:
    assert any("a rule uses something of this process" in line for line in usual)


@pytest.mark.parametrize("patch", PATCHES)
def test_every_patch_is_needed(patch: str, usual: set[str], tmp_path: Path) -> None:
    found = looked_at(tmp_path, without=patch)
    assert any(OTHERWISE[patch] in line for line in found - usual), f"numba does it itself now: remove {patch!r}"
