"""Who may import whom: arrows between the rooms of the house point one way (docs/architecture.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import plenilune

ROOT = Path(plenilune.__file__).parent
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
    "rl": {"core", "game", "position", "match", "bots"},
    "training": {"core", "game", "games", "bots"},  # it makes the weights of games
    "server": {"core", "game", "position", "match", "replay", "verify", "bots", "info", "rl", "wasm"},
    "commands": {"core", "game", "match", "replay", "verify", "bots", "server"},
    "__main__": {"commands"},
    "__init__": {"core", "game", "match"},
}
# The same inside the core.
CORE: dict[str, set[str]] = {
    "__init__": set(),
    "errors": set(),
    "drawing": set(),
    "snapshot": set(),
    "components": {"errors"},
    "fingerprint": {"components"},
    "record": {"fingerprint"},
    "spaces": {"errors"},
    "dice": {"errors"},
    "numba_patches": set(),
    "engine": {"errors", "fingerprint", "numba_patches"},
    "maths": {"engine"},
    "drivers": {"engine", "maths", "record"},
    "encoding": {"engine", "fingerprint", "record"},
    "shape": {"engine", "record"},
    "changes": {"engine", "record", "shape"},
    "compiling": {"errors", "drawing", "engine", "drivers", "shape", "changes", "numba_patches"},
}


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(file: Path) -> set[str]:
    """What the file imports when it runs; imports for types only do not count."""
    found: set[str] = set()
    for node in running(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in ("plenilune", "plenilune.core"):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {module for module in found if module.split(".")[0] == "plenilune"}


def running(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it, without the branches for type checkers."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from running(child)


def test_arrows_point_one_way() -> None:
    for file in ROOT.rglob("*.py"):
        own = file.relative_to(ROOT).parts[0].removesuffix(".py")
        wrong = {m for m in imports(file) if room(m) != own and room(m) not in ALLOWED[own]}
        assert not wrong, f"{file.relative_to(ROOT)} may not import {', '.join(sorted(wrong))}"


def test_arrows_inside_the_core_point_one_way() -> None:
    for file in (ROOT / "core").glob("*.py"):
        wrong = {m for m in imports(file) if m.split(".")[2] not in CORE[file.stem]}
        assert not wrong, f"core/{file.name} may not import {', '.join(sorted(wrong))}"


def test_games_do_not_know_one_another() -> None:
    for file in (ROOT / "games").rglob("*.py"):
        own = file.relative_to(ROOT / "games").parts[0]
        others = {m for m in imports(file) if m.startswith("plenilune.games.") and m.split(".")[2] != own}
        assert not others, f"{file.relative_to(ROOT)} imports {others}"


@pytest.mark.parametrize("allowed", [ALLOWED, CORE], ids=["package", "core"])
def test_the_allowed_arrows_make_no_circle(allowed: dict[str, set[str]]) -> None:
    left = {name: rooms - {"games"} if name == "game" else set(rooms) for name, rooms in allowed.items()}
    while left:
        free = [name for name, rooms in left.items() if not rooms & set(left)]
        assert free, f"a circle among {sorted(left)}"
        left = {name: rooms for name, rooms in left.items() if name not in free}
