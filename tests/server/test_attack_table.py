"""The table of attacks in docs/server.md: each names a test that there is, and that counts its attempts."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.server.attempts import TEST, documented, rows

HERE = Path(__file__).parent
ROWS = rows()


def signature(file: str, test: str) -> list[str]:
    tree = ast.parse((HERE / file).read_text())
    (found,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == test]
    return [argument.arg for argument in found.args.args]


def test_there_is_a_table() -> None:
    assert len(ROWS) > 30


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_each_attack_has_a_test_that_counts_its_attempts(row: list[str]) -> None:
    attack, attempts, before, after, tests = row
    assert attack
    assert before
    assert after
    file, test = TEST.findall(tests)[0]
    assert documented(file, test) == int(attempts.replace(",", "")) > 0
    assert "attempts" in signature(file, test)
