"""Which part may import which: arrows point one way (docs/architecture.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import plenilune
from tools.architecture import ALLOWED, CORE, DECIDE, PARTS, PICTURE, SERVER, direct, picture
from tools.architecture import imports as drawn

ROOT = Path(plenilune.__file__).parent
FOLDERS = {"plenilune", "plenilune.core", "plenilune.server", "plenilune.server.tables"}  # `from` them come modules
# Those that use numba's internals, and the tests that their patches are needed.
PATCHING = {
    "plenilune/core/numba_patches.py",
    "plenilune/wasm/target.py",
    "tests/test_numba_patches.py",
    "tests/wasm/test_target.py",
}


def part(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(file: Path) -> set[str]:
    """What the file imports when it runs; imports for types only do not count."""
    found: set[str] = set()
    for node in running(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in FOLDERS:
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
        wrong = {m for m in imports(file) if part(m) != own and part(m) not in ALLOWED[own]}
        assert not wrong, f"{file.relative_to(ROOT)} may not import {', '.join(sorted(wrong))}"


def test_arrows_inside_the_core_point_one_way() -> None:
    for file in (ROOT / "core").glob("*.py"):
        wrong = {m for m in imports(file) if m.split(".")[2] not in CORE[file.stem]}
        assert not wrong, f"core/{file.name} may not import {', '.join(sorted(wrong))}"


def test_arrows_inside_the_server_point_one_way() -> None:
    for file in (ROOT / "server").rglob("*.py"):
        own = file.relative_to(ROOT / "server").parts[0].removesuffix(".py")
        found = {module.split(".")[2] for module in imports(file) if part(module) == "server"}
        wrong = found - {own} - SERVER[own]
        assert not wrong, f"server/{file.relative_to(ROOT / 'server')} may not import {', '.join(sorted(wrong))}"


def test_what_decides_at_a_table_imports_neither_sql_nor_sockets() -> None:
    for file in (ROOT / "server" / "tables" / "decide").glob("*.py"):
        found = {".".join(module.split(".")[2:]) for module in imports(file) if part(module) == "server"}
        wrong = {module for module in found if not any(f"{module}.".startswith(f"{known}.") for known in DECIDE)}
        assert not wrong, f"decide/{file.name} may not import {', '.join(sorted(wrong))}"


@pytest.mark.parametrize("folder", ["plenilune", "tests", "benchmarks", "examples", "studies", "client", "tools"])
def test_internals_of_numba_are_used_in_the_two_modules_that_patch_it(folder: str) -> None:
    for file in (ROOT.parent / folder).rglob("*.py"):
        name = file.relative_to(ROOT.parent).as_posix()
        if name not in PATCHING and "node_modules" not in file.parts:
            found = {module for module in mentioned(ast.parse(file.read_text("utf-8"))) if is_internal(module)}
            assert not found, f"{name} uses {', '.join(sorted(found))}"


def mentioned(tree: ast.AST) -> set[str]:
    """What is imported anywhere in a file, or read as an attribute of `numba`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Attribute):
            found.add(ast.unparse(node))
    return found


def is_internal(module: str) -> bool:
    """numba's other modules and names with an underscore are private; so is the whole of numba-cuda's and LLVM's."""
    first, *rest = module.split(".")
    return first == "numba" and bool(rest) and (rest[0] in ("core", "np", "cuda", "cpython") or rest[0].startswith("_"))


def test_games_do_not_know_one_another() -> None:
    for file in (ROOT / "games").rglob("*.py"):
        own = file.relative_to(ROOT / "games").parts[0]
        others = {m for m in imports(file) if m.startswith("plenilune.games.") and m.split(".")[2] != own}
        assert not others, f"{file.relative_to(ROOT)} imports {others}"


@pytest.mark.parametrize("allowed", [ALLOWED, CORE, SERVER], ids=["package", "core", "server"])
def test_the_allowed_arrows_make_no_circle(allowed: dict[str, set[str]]) -> None:
    left = {name: others - {"games"} if name == "game" else set(others) for name, others in allowed.items()}
    while left:
        free = [name for name, others in left.items() if not others & set(left)]
        assert free, f"a circle among {sorted(left)}"
        left = {name: others for name, others in left.items() if name not in free}


def test_the_picture_shows_what_may_be_imported() -> None:
    assert PICTURE.read_text("utf-8") == picture(), "redraw it: python -m tools.architecture"
    assert set(PARTS) - {"client"} == set(ALLOWED) - {"__main__", "__init__"}


def test_every_arrow_in_the_picture_points_down() -> None:
    assert all(PARTS[start].row > PARTS[end].row for start, end in direct(drawn()))
