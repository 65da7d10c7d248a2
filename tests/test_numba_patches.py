"""What is done to numba, and with its internals, works and is still needed."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from plenilune.core import engine, numba_patches
from plenilune.core.engine import PLAIN

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")


# Random ids of functions

GAMES = """
import sys
import numpy as np
from plenilune.core.engine import rule

STONES = np.dtype([("pile", "i4", (8,)), ("drawn", "i8")])
CARDS = np.dtype([("hand", "i8"), ("deck", "i4", (8,)), ("pile", "i4", (8,)), ("drawn", "i8")])

@rule
def draw(s, left):
    for i in range(8):  # too much to be put into its caller whole
        if (s.pile[i] * 7 + s.drawn) % 5 == i % 3:
            for j in range(i):
                if (s.pile[j] + left[i]) % 3 != 1:
                    left[j] += s.pile[i] * j
                    s.drawn += 1
    for i in range(8):
        if (s.pile[i] * 3 + left[i]) % 5 == i % 3:
            for j in range(i):
                if (s.pile[j] + s.drawn) % 7 != 1:
                    left[j] -= s.pile[i] + j
                    s.drawn += 2
    return s.drawn

@rule
def draw_twice(s, left):
    return draw(s, left) + draw(s, left)

for name in sys.argv[1:]:
    s = np.zeros(1, globals()[name])[0]
    s["pile"] = range(8)
    print(name, draw_twice(s, np.zeros(8, np.int32)))
"""


def test_what_one_process_keeps_on_disk_is_never_taken_for_what_another_keeps(tmp_path: Path) -> None:
    (tmp_path / "games.py").write_text(GAMES)

    def play(*games: str) -> list[str]:
        command = [sys.executable, str(tmp_path / "games.py"), *games]
        environment = os.environ | {"PLENILUNE_CACHE": str(tmp_path / "cache")}
        return subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        ).stdout.splitlines()

    stones, cards = play("STONES"), play("CARDS")
    assert play("STONES", "CARDS") == stones + cards
    assert play("CARDS", "STONES") == cards + stones


FIRST_ID = """
{patch}
from numba.core.bytecode import FunctionIdentity
print(FunctionIdentity.from_function(lambda: 0).unique_id)
"""


def first_id(patch: str) -> int:
    code = FIRST_ID.format(patch=patch)
    return int(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout)


def test_functions_of_two_processes_have_different_ids_because_of_the_patch() -> None:
    assert first_id("import numba") == first_id("import numba"), "numba does it itself now: remove the patch"
    patch = "import plenilune.core.numba_patches"
    assert first_id(patch) != first_id(patch)


# What `compiled` asks of numba


def first(numbers: Any) -> Any:
    return numbers[1:][0]


def test_rules_count_no_references_because_they_are_told_not_to(tmp_path: Path) -> None:
    numbers = np.arange(3)
    rule, usual = numba_patches.compiled(first, tmp_path), numba.njit(first)
    assert rule(numbers) == usual(numbers) == 1
    assert "NRT_" not in llvm(rule)
    assert "NRT_" in llvm(usual), "numba does it itself now: remove _nrt=False"


def llvm(f: Any) -> str:
    (text,) = f.inspect_llvm().values()
    return str(text)


def test_a_compiled_function_is_kept_in_its_folder(tmp_path: Path) -> None:
    assert numba_patches.compiled(first, tmp_path)(np.arange(3)) == 1
    assert list(tmp_path.rglob("*first*.nbi"))


# Arrays on the stack


def test_a_rule_gets_a_scratch_array_of_its_own() -> None:
    scratch = engine.stack_array((2, 3), "int64")

    @engine.rule
    def fill(first: int, deeper: int) -> int:
        own = scratch()
        for row in range(2):
            for column in range(3):
                own[row, column] = first + 10 * row + column
        beneath = fill(first + 100, deeper - 1) if deeper else 0
        return int(beneath + own[0, 0] + own[1, 2])

    assert fill(1, 0) == 1 + 13
    assert fill(1, 1) == 1 + 13 + 101 + 113, "the inner call has a scratch array of its own"


def test_a_scratch_array_is_not_allocated(tmp_path: Path) -> None:
    scratch = numba_patches.stack_array((4,), np.float64)

    def fill(number: float) -> float:
        own = scratch()
        own[0] = number
        return float(own[0])

    made = numba.njit(fill)
    assert made(2.0) == 2.0
    assert "NRT_" not in llvm(made)


# Memory


@pytest.mark.parametrize(("size", "lines"), [(100, 0), (3753, 59)])
def test_each_line_of_a_large_record_is_fetched(size: int, lines: int) -> None:
    states = np.zeros(2, np.dtype([("cells", "u1", (size,))]))

    def fetch_one(states: Any, i: int) -> None:
        engine.fetch(states, i)

    made = numba.njit(fetch_one)
    made(states, 1)
    assert llvm(made).count("call void @llvm.prefetch") in (lines, 2 * lines), "once, or once more where it is inlined"
    assert not states["cells"].any()


# Types, and progress


def test_a_records_type_leads_back_to_its_dtype() -> None:
    dtype = np.dtype([("seats", "i4"), ("where", "i1", (4, 6))])
    assert numba_patches.dtype_of(numba.from_dtype(dtype)) == dtype


def test_compilations_are_counted() -> None:
    inner = numba.njit(lambda number: number + 1)
    outer = numba.njit(lambda number: inner(number) * 2)
    told: list[int] = []
    with numba_patches.compilations_counted(told.append):
        assert outer(1) == 4
    assert (told[0], told[-1]) == (0, 2)
    assert told == sorted(told)


# Atomic numbers


def test_threads_that_change_a_number_lose_nothing() -> None:
    add, lower, lift = map(numba_patches.atomic_change, ("add", "min", "max"))

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator]
    def count(board: Any, times: int, start: int) -> int:
        before = 0
        for i in range(times):
            before = add(board, 1, 3)
            lower(board, 2, start + i)
            lift(board, 3, start + i)
        numba_patches.atomic_store(board, 0, numba_patches.atomic_load(board, 1))
        numba_patches.yield_processor()
        return before

    board = np.zeros(4, np.int64)
    board[2] = 10**9
    assert count(board, 1, 5) == 0
    assert board.tolist() == [3, 3, 5, 5]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(count, [board] * 3, [100_000] * 3, [7, 2, 9]))
    assert board[1:].tolist() == [3 * 300_001, 2, 100_008]
