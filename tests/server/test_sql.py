"""All SQL lives in one package: nobody else imports a database library or the schema, or writes a statement."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import plenilune

ROOT = Path(plenilune.__file__).parent
STORAGE = ROOT / "server" / "storage"
LIBRARIES = {"sqlalchemy", "sqlite3", "aiosqlite", "asyncpg"}
SCHEMA = "plenilune.server.storage.schema"
STATEMENT = re.compile(
    r"\s*(SELECT\s.|INSERT INTO\s|UPDATE \w+ SET\s|DELETE FROM\s|(CREATE|ALTER|DROP) (TABLE|INDEX)\s|PRAGMA \w|VACUUM\b"
    r"|(BEGIN|COMMIT|ROLLBACK)\s*($|IMMEDIATE|EXCLUSIVE)|(UN)?LISTEN \w|NOTIFY \w)"
)


def outside() -> Iterator[tuple[Path, ast.AST]]:
    for file in ROOT.rglob("*.py"):
        if STORAGE not in file.parents:
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                yield file, node


def imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return set()


def test_nobody_else_imports_a_database_library_or_the_schema() -> None:
    for file, node in outside():
        found = {name for name in imported(node) if name.split(".")[0] in LIBRARIES or name.startswith(SCHEMA)}
        assert not found, f"{file.relative_to(ROOT)} imports {found}"


def test_nobody_else_writes_a_statement() -> None:
    for file, node in outside():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not STATEMENT.match(node.value), f"{file.relative_to(ROOT)}:{node.lineno} has {node.value[:60]!r}"


def test_these_checks_would_find_what_they_look_for() -> None:
    store = (STORAGE / "database.py").read_text("utf-8")
    nodes = list(ast.walk(ast.parse(store)))
    assert any(name.split(".")[0] in LIBRARIES for node in nodes for name in imported(node))
    assert any(name.startswith(SCHEMA) for node in nodes for name in imported(node))
    assert any(isinstance(node, ast.Constant) and STATEMENT.match(str(node.value)) for node in nodes)
