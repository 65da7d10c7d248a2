"""Component tables as owners of other boxes might write them, made from the shipped one."""

from __future__ import annotations

import random
import re
from pathlib import Path

from plenilune.games import via_nebula

SHIPPED = (Path(via_nebula.__file__).parent / "via-nebula.table").read_text("utf-8")
MAPS = ("beginner", "expert")


def width(columns: int, row: int) -> int:
    return columns if row % 2 else columns - 1


def scattered(columns: int, rows: int, ruins: int, seed: int = 1) -> list[list[str]]:
    """A map of this size: 24 meadows and so many ruins anywhere, a few forests, the rest mist."""
    places = [(row, column) for row in range(1, rows + 1) for column in range(width(columns, row))]
    signs = ["m"] * 24 + ["r"] * ruins + ["f"] * (len(places) // 12)
    signs += ["."] * (len(places) - len(signs))
    random.Random(seed).shuffle(signs)
    lines: list[list[str]] = [[] for _ in range(rows)]
    for (row, _), sign in zip(places, signs, strict=True):
        lines[row - 1].append(sign)
    return lines


def with_map(text: str, map: str, lines: list[list[str]]) -> str:
    """The table with another map."""
    kept = [line for line in text.splitlines() if line.split()[:2] != ["row", map]]
    rows = [f"row {map} {number} {' '.join(signs)} known" for number, signs in enumerate(lines, 1)]
    return "\n".join([*kept, *rows]) + "\n"


def with_maps(columns: int, rows: int, ruins: int, seed: int = 1) -> str:
    text = SHIPPED
    for map in MAPS:
        text = with_map(text, map, scattered(columns, rows, ruins, seed))
    return text


def with_specials(*resources: str, text: str = SHIPPED) -> str:
    """The table with these special tokens instead; as many plain ones as make 25 together."""
    kept = [line for line in text.splitlines() if line.split()[:1] != ["special"]]
    plain = [number for number, line in enumerate(kept) if line.split()[:1] == ["token"]]
    for number in plain[25 - len(resources) :][::-1]:
        del kept[number]
    extra = [f"token extra-{n} clay 3 1 known" for n in range(25 - len(resources) - len(plain))]
    specials = [f"special odd-{n} {resource} 5 0 known" for n, resource in enumerate(resources)]
    return "\n".join([*kept, *extra, *specials]) + "\n"


def with_rows(*rows: str, without: str = " ", text: str = SHIPPED) -> str:
    """The table with rows added, and without those that begin like this."""
    kept = [line for line in text.splitlines() if not " ".join(line.split()).startswith(without)]
    return "\n".join([*kept, *rows]) + "\n"


def known(text: str = SHIPPED) -> str:
    """The same table by somebody who is sure of everything."""
    return re.sub(r"\b(likely|reconstructed)$", "known", text, flags=re.M)


CARD_POINTS = [f"points store-{letter} {n} once known" for n, letter in enumerate("abcdef", 1)]
BEHIND_MEADOWS = """
r m . m m m m m
 m m . m . . f
. . m m m x m .
 m m . r m m m
. m m . m m m m
"""  # the only way to the ruin in a1 is over meadows
LARGEST_BOX = with_specials("food", "stone", "stone", "wood", "clay", "clay", text=with_maps(11, 11, 30, 2))
BOXES = {
    "as large as can be": LARGEST_BOX,
    "ten rows": with_maps(12, 10, 12),
    "eleven rows of eleven": with_maps(11, 11, 10),
    "eight rows of fifteen": with_maps(15, 8, 9),
    "thirteen columns": with_maps(13, 9, 12),
    "six short rows": with_maps(9, 6, 5),
    "maps of two sizes": with_map(with_maps(10, 7, 8), "expert", scattered(12, 9, 11, 2)),
    "one ruin": with_maps(12, 9, 1),
    "forty ruins": with_maps(12, 10, 40, 6),
    "a ruin behind meadows": with_map(
        SHIPPED, "beginner", [line.split() for line in BEHIND_MEADOWS.split("\n") if line]
    ),
    "two special tokens of wood": with_specials("wood", "wood", "stone", "clay", "wheat"),
    "four special tokens": with_specials("food", "stone", "clay", "wheat"),
    "seven special tokens": with_specials("food", "stone", "clay", "wheat", "wood", "wood", "wood"),
    "points of each copy": with_rows(*CARD_POINTS),
    "points of each copy and none of the kind": with_rows(*CARD_POINTS, without="points store "),
    "a copy that counts otherwise": with_rows("points airway-c 1 token known"),
    "everything known": known(),
}
