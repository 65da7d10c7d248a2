"""How often an attack is tried. docs/server.md says so of each, and the test itself checks that it is true."""

from __future__ import annotations

import re
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "server.md"
HEADER = "| attack | attempts | before | after | test |"
TEST = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


class Attempts:
    def __init__(self) -> None:
        self.made = 0

    def add(self, number: int = 1) -> None:
        self.made += number


def rows() -> list[list[str]]:
    """The cells of each attack in the table."""
    lines = iter(DOCUMENT.read_text().splitlines())
    for line in lines:
        if line == HEADER:
            break
    next(lines, "")
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def documented(file: str, test: str) -> int | None:
    """The attempts of one run of this test, if the table counts them."""
    for _, attempts, *_, tests in rows():
        if TEST.findall(tests)[:1] == [(file, test)]:
            return int(attempts.replace(",", ""))
    return None
