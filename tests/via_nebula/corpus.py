"""Good and bad component tables, and what is wrong with each: the page's editor must find the same."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plenilune.core import components
from plenilune.games.via_nebula import tables
from plenilune.games.via_nebula.checking import problems
from tests.via_nebula.boxes import BOXES, CARD_POINTS, SHIPPED, with_map, with_maps, with_rows, with_specials

LINES = SHIPPED.split("\n")
WORDS = (
    "0",
    "-1",
    "99",
    "04",
    "wood",
    "x",
    "r",
    "m",
    "known",
    "store-a",
    "2-equal",
    "wood+wood",
    "9+",
    "\u2028",
    "\x1cf",
)
CHANGES = (  # a row's beginning, and what it is instead
    ("count tiles 60", "count tiles 61 known"),
    ("count tiles 60", "crate tiles 60 known"),
    ("seats craftsmen", "seats craftsmen 3 2 known"),
    ("seats sites", "seats craftsmen 3 2 2 known"),
    ("kind store", "kind shop contract 6 swap known"),
    ("token wood-3a", "token Wood wood 3 1 known"),
    ("token wood-3a", "constructor wood-3a wood 3 1 known"),
    ("token wood-3a", "token constructor wood 3 1 known"),
    ("row beginner 2", "row beginner 2 . . . . constructor . . . . . . known"),
    ("token wood-3a", "token wood-5 wood 3 1 known"),
    ("token wood-3a", "token wood-3a wood 1 1 sure"),
    ("token food-4b", "token food-4b food 9 99 known # the last"),
    ("special wood-5", "special wood-5 wood 5 1 known"),
    ("points store", "points store 2 ever likely"),
    ("points store", "points store-b 2 once likely"),
    ("card store-b", "card store-c clay+wheat known"),
    ("card store-b", "card store-b clay+ known"),
    ("card shortcut-b", "card shortcut-b wood known\ncard shortcut-c wood known"),
    ("row beginner 2", "row beginner 3 . . . . . . . . . . . known"),
    ("row beginner 2", "row beginner 2 . . known"),
    ("row beginner 2", "row beginner 2"),
    ("row beginner 4", "row beginner 4 . . w f . r . . f f . known"),
    ("row beginner 1", "row beginner 1 m known"),
    ("row atoll 1", "row atoll 1 . . . known"),
    ("row beginner 9", "row beginner 9 m m m m m m m m m m m m known"),
    ("row beginner 9", "row beginner 9 . . . . . . . . . . . . known"),
)


def cases() -> Iterator[dict[str, Any]]:
    """Each as the lines of the shipped table that are replaced, and what Python says of it."""
    for name, text in named().items():
        changed = text.split("\n")
        before = next((n for n, (a, b) in enumerate(zip(LINES, changed, strict=False)) if a != b), len(LINES))
        after = 0
        while after < min(len(LINES), len(changed)) - before and LINES[-1 - after] == changed[-1 - after]:
            after += 1
        table = read(text)
        yield {
            "name": name,
            "before": before,
            "after": after,
            "lines": changed[before : len(changed) - after],
            "uncertain": [row.line for row in table.uncertain],
            "problems": [[found.line, found.key, found.words] for found in problems(table, tables.SCHEMA)],
        }


def named() -> dict[str, str]:
    texts = {"as it ships": SHIPPED, **BOXES}
    for begins, instead in CHANGES:
        texts[instead] = "\n".join(instead if " ".join(line.split()).startswith(begins) else line for line in LINES)
    for row in ("count tiles", "seats sites", "kind mayor", "token food-4b", "points mayor", "card shortcut-b"):
        texts[f"without {row}"] = with_rows(without=row)
    cut = with_map(SHIPPED, "beginner", [["m"] * 12, [*"mmmmmmmmmmm"], ["m", *"-" * 11], [*"-" * 11], ["r", *"." * 11]])
    texts |= {
        "nothing": "",
        "too wide and too high": with_maps(13, 11, 12),
        "no ruin": with_maps(12, 9, 0),
        "no map": with_map(SHIPPED, "expert", []),
        "no meadow": with_map(SHIPPED, "expert", [[*"r...."], [*"...."]]),
        "cut off": cut,
        "no special token": with_specials(),
        "too much printed": SHIPPED.replace("       4       2  likely", "       9       2  likely"),
        "points of most copies": with_rows(*CARD_POINTS[1:], without="points store "),
        "other ends of lines": SHIPPED.replace("\n", "\r\n"),
        "a mark of the order of bytes": "\ufeff" + SHIPPED,
    }
    for seed in range(60):
        chooser, lines = random.Random(seed), list(LINES)
        number = chooser.choice([n for n, line in enumerate(lines) if line and not line.startswith("#")])
        words = lines[number].split()
        words[chooser.randrange(len(words))] = chooser.choice(WORDS)
        lines[number] = " ".join(words)
        texts[f"word {seed}"] = "\n".join(lines)
    return texts


def read(text: str) -> components.Table:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "own.table"
        file.write_bytes(text.encode())
        return components.read_table(file)
