"""Who may import whom: arrows between the rooms of the house point one way (docs/architecture.md)."""

import ast
from pathlib import Path

import plenilune

ROOT = Path(plenilune.__file__).parent
# Each room with those it may import from; games do not know one another.
CORE = {
    "errors",
    "components",
    "fingerprint",
    "record",
    "spaces",
    "engine",
    "search",
    "drawing",
    "dice",
    "replay",
    "snapshot",
}
ALLOWED = {
    "errors": set(),
    "drawing": set(),
    "snapshot": set(),
    "components": {"errors"},
    "fingerprint": {"components"},
    "record": {"fingerprint"},
    "spaces": {"errors"},
    "dice": {"errors"},
    "replay": {"errors"},
    "engine": {"errors", "fingerprint"},
    "search": {"engine", "record"},
    "game": {*CORE, "games"},  # `games` only to find and import by name
    "compiling": {*CORE, "game"},
    "position": {*CORE, "game", "compiling"},
    "games": {*CORE, "game"},
    "match": {*CORE, "game", "compiling"},
    "bots": {*CORE, "game", "match", "compiling"},
    "rl": {*CORE, "game", "match", "bots"},
    "server": {*CORE, "game", "compiling", "position", "match", "bots", "rl"},
    "perft": {*CORE, "game", "match"},
    "bench": {*CORE, "game", "match", "compiling", "bots"},
    "commands": {*CORE, "game", "match", "bots", "server"},
    "cli": {*CORE, "game", "match", "bots", "perft", "bench", "server", "terminal", "commands"},
    "terminal": {*CORE, "game", "match", "bots"},
    "__main__": {"cli"},
    "__init__": {"errors", "game", "match", "record"},
}


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "plenilune":
            found |= {f"plenilune.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {module for module in found if module.split(".")[0] == "plenilune"}


def test_arrows_point_one_way() -> None:
    for file in ROOT.rglob("*.py"):
        own = file.relative_to(ROOT).parts[0].removesuffix(".py")
        wrong = {m for m in imports(file) if room(m) != own and room(m) not in ALLOWED[own]}
        assert not wrong, f"{file.relative_to(ROOT)} may not import {', '.join(sorted(wrong))}"


def test_games_do_not_know_one_another() -> None:
    for file in (ROOT / "games").rglob("*.py"):
        own = file.relative_to(ROOT / "games").parts[0]
        others = {m for m in imports(file) if m.startswith("plenilune.games.") and m.split(".")[2] != own}
        assert not others, f"{file.relative_to(ROOT)} imports {others}"


def test_the_allowed_arrows_make_no_circle() -> None:
    order: list[str] = []
    left = {name: rooms - {"games"} if name == "game" else set(rooms) for name, rooms in ALLOWED.items()}
    while left:
        free = [name for name, rooms in left.items() if not rooms & set(left)]
        assert free, f"a circle among {sorted(left)}"
        order += free
        left = {name: rooms for name, rooms in left.items() if name not in free}
