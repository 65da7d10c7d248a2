"""A game is one folder in Python and one in the client: no other code names it, and no test lists them all."""

import ast
import io
import re
import subprocess
import tokenize
from pathlib import Path

import pytest

from tests.browser.games import GAMES

ROOT = Path(__file__).parent.parent
# Where a name is meant, with the reason.
ALLOWED = {
    "tests/browser/games.py": "the browser's tests choose games by what they are about",
    "client/test/modules/assistant.test.ts": "compiled rules are of some game",
}
PLACES = ("plenilune", "client", "tests/browser", "benchmarks/client.py")
COMMENTS = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<![:\"'])//[^\n]*", re.DOTALL)

# Facts about each of today's games, where a new game need not be.
LISTS = {
    "benchmarks/speed.py": "what is aimed at for a game, and the nearest game of OpenSpiel",
    "benchmarks/environments.py": "what is aimed at for a game, and how its actions are named where that is fastest",
    "tests/server/test_migrations.py": "the matches in a database of 0.1",
}


def tracked(*patterns: str) -> list[str]:
    found = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in found.stdout.split() if (ROOT / path).exists()]


def sources() -> list[str]:
    return [
        path
        for path in tracked(*PLACES)
        if Path(path).suffix in (".py", ".ts", ".svelte", ".html", ".js", ".mjs", ".css")
        and not path.startswith(("plenilune/games/", "client/src/games/"))
        and path not in ALLOWED
    ]


def code(path: str) -> str:
    """The source without its comments and docstrings."""
    text = (ROOT / path).read_text("utf-8")
    return python_code(text) if path.endswith(".py") else COMMENTS.sub("", text)


def python_code(text: str) -> str:
    kept, at_start = [], True  # of a statement, where a string is a docstring
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and at_start):
            continue
        if token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            at_start = True
            continue
        at_start = False
        kept.append(token.string)
    return "\n".join(kept)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="these are not the sources in git")
@pytest.mark.parametrize("game", GAMES)
def test_no_code_outside_its_folders_names_a_game(game: str) -> None:
    first, *rest = game.split("-")
    name = re.compile(rf"\b{first}[-_ ]?{'[-_ ]?'.join(rest)}", re.IGNORECASE)
    found = sources()
    assert len(found) > 100
    assert [path for path in found if name.search(code(path))] == []


def listed(node: ast.AST) -> set[str]:
    """The games that are named, in any spelling, in a list, tuple, set or dictionary that is written out."""
    if not isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
        return set()
    texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    plain = [text.lower().replace("_", "-").replace(" ", "-") for text in texts]
    return {game for game in GAMES if any(game in text for text in plain)}


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="these are not the sources in git")
def test_no_test_or_benchmark_lists_the_games() -> None:
    """A new game is tested and measured because its folder is there."""
    found = [path for path in tracked("*.py") if path not in LISTS]
    assert len(found) > 100
    for path in found:
        nodes = ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
        assert not any(listed(node) == set(GAMES) for node in nodes), f"{path} lists the games"
