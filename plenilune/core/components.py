"""Component tables: what is printed on a game's board, tiles and cards, as a text file a player can replace.

A game's folder holds `<game>.table`; a file of the same name in the folder `PLENILUNE_COMPONENTS` takes its place.
A table is lines of words; `#` begins a comment. Each game's `tables.py` gives the words their meaning.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from plenilune.core.errors import BadComponents

VARIABLE = "PLENILUNE_COMPONENTS"
SUFFIX = ".table"
KNOWN = "known"  # the certainty of what is beyond doubt
WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Row:
    table: Path
    line: int
    words: tuple[str, ...]

    def refuse(self, reason: str) -> NoReturn:
        raise BadComponents(f"{self.table}, line {self.line}: {reason}")

    def expect(self, *what: str) -> tuple[str, ...]:
        """The words after the first, which must be as many as the named ones.

        >>> Row(Path("moon.table"), 7, ("post", "2")).expect("SEATS", "SPACE")
        Traceback (most recent call last):
        plenilune.core.errors.BadComponents: moon.table, line 7: expected 'post SEATS SPACE', not 'post 2'
        """
        if len(self.words) != len(what) + 1:
            wanted = " ".join((self.words[0], *what))
            self.refuse(f"expected {wanted!r}, not {' '.join(self.words)!r}")
        return self.words[1:]

    def number(self, word: str, low: int, high: int) -> int:
        """The word as a whole number from low to high; a number has one spelling, so that equal tables are equal."""
        if not WHOLE_NUMBER.fullmatch(word) or not low <= int(word) <= high:
            self.refuse(f"expected a whole number from {low} to {high}, not {word!r}")
        return int(word)

    def one_of(self, word: str, words: tuple[str, ...]) -> str:
        if word not in words:
            self.refuse(f"expected one of {', '.join(words)}, not {word!r}")
        return word


@dataclass(frozen=True)
class Table:
    path: Path
    rows: tuple[Row, ...]

    @property
    def digest(self) -> str:
        """Names what the table says, whatever its comments and spacing."""
        meaning = "\n".join(" ".join(row.words) for row in self.rows)
        return hashlib.sha256(meaning.encode()).hexdigest()[:12]

    @property
    def uncertain(self) -> tuple[Row, ...]:
        """The rows that end with another word than `known`: in every table the last word says how sure a figure is."""
        return tuple(row for row in self.rows if row.words[-1] != KNOWN)

    def refuse(self, reason: str, line: int = 0) -> NoReturn:
        raise BadComponents(f"{self.path}{f', line {line}' if line else ''}: {reason}")


@functools.cache
def table(home: Path) -> Table:
    """The component table of the game in the folder `home`: the player's own if there is one, else the game's."""
    return read_table(_replacement(home) or standard(home))


def standard(home: Path) -> Path:
    return home / (home.name.replace("_", "-") + SUFFIX)


def digest(home: Path) -> str:
    """The table's digest, or nothing for a game without one."""
    return table(home).digest if standard(home).exists() else ""


def read_table(path: Path) -> Table:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise BadComponents(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadComponents(f"{path}: not a text file (byte {error.start} is not UTF-8)") from error
    split = ((number, tuple(line.partition("#")[0].split())) for number, line in enumerate(lines, 1))
    return Table(path, tuple(Row(path, number, words) for number, words in split if words))


def _replacement(home: Path) -> Path | None:
    folder = os.environ.get(VARIABLE)
    if not folder:
        return None
    try:
        files = [file.name for file in Path(folder).iterdir()]
    except OSError as error:
        raise BadComponents(f"{VARIABLE} is {folder!r}, which cannot be read: {error.strerror}") from error
    name = standard(home).name
    return Path(folder) / name if name in files else None
