"""A digest of everything that decides what a game's compiled rules do."""

from __future__ import annotations

import ast
import functools
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from plenilune.core import components

PACKAGE = Path(__file__).parents[1]
# A line that begins an import, with what it has in parentheses. Parsing whole files would take ten times as long.
STATEMENT = re.compile(r"^[ \t]*((?:from|import) [^\n(]*(?:\([^)]*\))?)", re.MULTILINE)


@functools.cache
def fingerprint(source: Path) -> str:
    """The digest for rules in a game's folder (its sources, learned weights and component table), or in a file that
    belongs to no game; with every module of the package that they import, directly or not."""
    import importlib.metadata  # not needed before a game is loaded

    digest = hashlib.sha256(importlib.metadata.version("numba").encode())
    own = [source] if source.is_file() else sorted(source.glob("*.py"))
    for file in [*imported(own), *own, *sorted(source.glob("*.npy"))]:
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    if source.is_dir():
        digest.update(components.digest(source).encode())
    return digest.hexdigest()[:12]


def imported(files: Iterable[Path]) -> list[Path]:
    """The modules of the package that the files import, directly or not."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        new = set(_imports(waiting.pop())) - found
        found |= new
        waiting += new
    return sorted(found)


@functools.cache
def _imports(file: Path) -> list[Path]:
    statements = [text for text in STATEMENT.findall(file.read_text("utf-8")) if PACKAGE.name in text]
    names = [name for text in statements for name in _imported_names(_parsed(text))]
    return [path for path in map(_module, names) if path]


def _parsed(text: str) -> ast.AST:
    try:
        return ast.parse(text).body[0]
    except SyntaxError:  # prose that begins like a statement
        return ast.Pass()


def _imported_names(node: ast.AST) -> list[str]:
    """The modules that a statement imports; of `from package import name`, the name if it is one."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        inside = [f"{node.module}.{alias.name}" for alias in node.names]
        return [name if _module(name) else node.module for name in inside]
    return []


@functools.cache
def _module(name: str) -> Path | None:
    """The file of a module of this package."""
    top, *parts = name.split(".")
    if top != PACKAGE.name:
        return None
    place = PACKAGE.joinpath(*parts)
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()), None)
