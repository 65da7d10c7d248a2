"""Which part of the package may import which, and the picture of it: `python -m tools.architecture` redraws it.

`tests/test_arrows.py` checks the imports, and that the picture shows them.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

PICTURE = Path(__file__).parents[1] / "docs" / "architecture.svg"

# Each package or module with those it may import from; games do not know one another.
ALLOWED: dict[str, set[str]] = {
    "core": set(),
    "replay": {"core"},
    "game": {"core", "games"},  # `games` only to find and import by name
    "position": {"core", "game"},
    "games": {"core", "game"},
    "match": {"core", "game", "position", "replay"},
    "bots": {"core", "game", "position", "match"},
    "verify": {"core", "position", "match", "replay"},
    "info": {"core", "game"},
    "wasm": {"core", "game", "bots", "info"},
    "rl": {"core", "game", "position", "match", "replay", "bots"},
    "training": {"core", "game", "bots"},
    "server": {"core", "game", "position", "match", "replay", "verify", "bots", "info", "rl", "wasm"},
    "commands": {"core", "game", "match", "replay", "verify", "bots", "rl", "training", "server"},
    "__main__": {"commands"},
    "__init__": {"core", "game", "match"},
}
# The same inside the core.
CORE: dict[str, set[str]] = {
    "__init__": set(),
    "errors": set(),
    "drawing": set(),
    "components": {"errors"},
    "fingerprint": {"components"},
    "record": {"fingerprint"},
    "spaces": {"errors"},
    "dice": {"errors"},
    "numba_patches": set(),
    "engine": {"errors", "fingerprint", "numba_patches"},
    "maths": {"engine"},
    "sorting": {"engine"},
    "drivers": {"engine", "maths", "record"},
    "encoding": {"engine", "fingerprint", "record"},
    "shape": {"engine", "record"},
    "changes": {"engine", "record", "shape"},
    "compiling": {"errors", "drawing", "engine", "drivers", "shape", "changes", "numba_patches"},
}
# And inside the server.
SERVER: dict[str, set[str]] = {
    "__init__": set(),
    "clock": set(),
    "garbage": set(),
    "settings": set(),
    "supervisor": set(),
    "protocol": set(),
    "storage": {"clock", "protocol", "settings", "supervisor"},
    "thinking": {"protocol"},
    "tables": {"clock", "protocol", "settings", "storage", "supervisor", "thinking"},
    "http": {"clock", "protocol", "settings", "storage", "supervisor", "tables", "thinking"},
    "serve": {"clock", "garbage", "http", "settings", "storage"},
}
# What decides at a table knows this of the server, and so no SQL, no socket and no clock.
DECIDE = {
    "protocol",
    "storage.names",
    "storage.rows",
    "tables.clocks",
    "tables.daily",
    "tables.decide",
    "thinking.thinkers",
}


class Part(NamedTuple):
    column: float
    row: int  # from the bottom; every arrow points down
    about: str


PARTS = {
    "core": Part(1.5, 0, "what games are made of"),
    "replay": Part(0, 2, ".match files"),
    "game": Part(2, 1, "what a game is"),
    "position": Part(1, 2, "a match at one ply"),
    "info": Part(2, 2, "what lobbies show"),
    "games": Part(3, 2, "one folder a game"),
    "match": Part(1, 3, "a whole match"),
    "bots": Part(1.4, 4, "search, arena, hints, review"),
    "verify": Part(0, 5, "the check of matches"),
    "rl": Part(1, 5, "batches and environments"),
    "wasm": Part(2, 5, "modules for pages"),
    "training": Part(3, 5, "makes the weights"),
    "server": Part(1, 6, "live tables"),
    "client": Part(3, 6, "the pages"),
    "commands": Part(1, 7, "the command line"),
}
# The client imports nothing: it speaks the server's protocol and runs the modules.
ACROSS = {"client": {"server", "wasm"}}
WIDTH, HEIGHT, ACROSS_STEP, UP_STEP, MARGIN = 190, 54, 222, 92, 30
SIZE = (3 * ACROSS_STEP + WIDTH + 2 * MARGIN, 7 * UP_STEP + HEIGHT + 2 * MARGIN)
STYLE = """
.ground { fill: #161c3a } .part { fill: #2d3768; stroke: #4a568f }
.name { fill: #f2c14e; font-size: 17px } .about { fill: #eef0fb; font-size: 12.5px }
.arrow { fill: none; stroke: #f2c14e; stroke-width: 1.5; marker-end: url(#head) } .across { stroke-dasharray: 5 4 }
"""


def imports() -> dict[str, set[str]]:
    """What is drawn: without what only leads into the package, and without finding games by name."""
    drawn = {name: others & set(PARTS) for name, others in ALLOWED.items() if name in PARTS}
    return drawn | {"game": drawn["game"] - {"games"}}


def direct(arrows: dict[str, set[str]]) -> set[tuple[str, str]]:
    """The arrows that do not follow from others (the transitive reduction)."""

    def reached(name: str) -> set[str]:
        return arrows[name].union(*(reached(other) for other in arrows[name]))

    return {
        (name, other)
        for name, others in arrows.items()
        for other in others
        if not any(other in reached(between) for between in others - {other})
    }


def picture() -> str:
    arrows = [arrow(start, end) for start, end in sorted(direct(imports()))]
    arrows += [arrow(start, end, " across") for start, ends in ACROSS.items() for end in sorted(ends)]
    width, height = SIZE
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="system-ui, sans-serif" role="img" '
            'aria-label="The parts of the package and the direction of imports">',
            f"<style>{STYLE}</style>",
            '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"'
            ' orient="auto"><path d="M0 0L10 5L0 10z" fill="#f2c14e"/></marker></defs>',
            f'<rect class="ground" width="{width}" height="{height}" rx="20"/>',
            *arrows,
            *(box(name, part) for name, part in PARTS.items()),
            "</svg>\n",
        ]
    )


def corner(part: Part) -> tuple[float, float]:
    return MARGIN + part.column * ACROSS_STEP, SIZE[1] - MARGIN - HEIGHT - part.row * UP_STEP


def box(name: str, part: Part) -> str:
    x, y = corner(part)
    middle = f'x="{x + WIDTH / 2:g}" text-anchor="middle"'
    return (
        f'<rect class="part" x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="10"/>'
        f'<text class="name" {middle} y="{y + 23:g}">{name}</text>'
        f'<text class="about" {middle} y="{y + 42:g}">{escape(part.about)}</text>'
    )


def arrow(start: str, end: str, kind: str = "") -> str:
    (x, y), (to_x, to_y) = corner(PARTS[start]), corner(PARTS[end])
    if PARTS[start].row == PARTS[end].row:
        return f'<path class="arrow{kind}" d="M{x:g} {y + HEIGHT / 2:g}H{to_x + WIDTH:g}"/>'
    x, y, to_x = x + WIDTH / 2, y + HEIGHT, to_x + WIDTH / 2
    bend = (to_y - y) / 2
    return f'<path class="arrow{kind}" d="M{x:g} {y:g}C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}"/>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
