"""Whatever decides what compiled rules do changes their fingerprint, and so where they are kept."""

import ast
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import plenilune
from plenilune import load
from plenilune.core import fingerprint as real

PACKAGE = Path(plenilune.__file__).parent


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module `fingerprint`, about a copy of the package that can be edited."""
    copy = tmp_path / "plenilune"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "web", "server"))
    monkeypatch.setattr(real, "PACKAGE", copy)
    forget()
    yield real
    forget()


def forget() -> None:
    for cached in (real.fingerprint, real._imports, real._module):
        cached.cache_clear()


def digest(source: Path) -> str:
    forget()
    return real.fingerprint(source)


def needed_by(file: Path) -> set[Path]:
    """The file and the modules it imports, directly or not, found by another way than ours: from whole parse trees, and
    from what is loaded."""
    found, waiting = set[Path](), [file]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += directly_needed_by(file)
    return found


def directly_needed_by(file: Path) -> list[Path]:
    names = set[str]()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    loaded = [sys.modules[name] for name in names if name.startswith("plenilune.") and name in sys.modules]
    return [Path(module.__file__) for module in loaded if module.__file__ and not hasattr(module, "__path__")]


def test_editing_any_module_that_rules_import_changes_their_fingerprint(copied: ModuleType) -> None:
    rules = copied.PACKAGE / "games" / "via_nebula"
    before = digest(rules)
    load("via-nebula")
    needed = sorted(needed_by(PACKAGE / "games" / "via_nebula" / "rules.py"))
    assert {"engine.py", "record.py", "spaces.py", "components.py", "tables.py"} <= {file.name for file in needed}
    for file in [*needed, PACKAGE / "game.py"]:
        edited = copied.PACKAGE / file.relative_to(PACKAGE)
        text = edited.read_text("utf-8")
        edited.write_text(text + "\nEDITED = True\n", "utf-8")
        assert digest(rules) != before, f"an edit of {file.relative_to(PACKAGE)} goes unnoticed"
        edited.write_text(text, "utf-8")
    assert digest(rules) == before


def test_editing_what_rules_do_not_import_leaves_their_fingerprint(copied: ModuleType) -> None:
    rules = copied.PACKAGE / "games" / "via_nebula"
    before = digest(rules)
    for name in ("match.py", "commands/main.py", "games/moon_leap/rules.py"):
        (copied.PACKAGE / name).write_text("EDITED = True\n")
    assert digest(rules) == before


@pytest.mark.parametrize(
    "statement",
    [
        "from plenilune.core import drawing",
        "from plenilune.core import (\n    drawing,  # in colour\n    errors,\n)",
        "from plenilune.core.drawing import GOLD as gold",
        "import plenilune.core.drawing",
        "def late():\n    from plenilune.core.drawing import GOLD",
    ],
)
def test_every_form_of_import_is_followed(statement: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    file.write_text(f'"""Prose:\nfrom the plenilune, with love.\n"""\n{statement}\n')
    assert PACKAGE / "core" / "drawing.py" in real.imported([file])
