"""The page that teaches how to add a game is run: its code, its sessions, and the game that comes of it."""

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from plenilune import Match
from tests.play import finished

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "adding-a-game.md"
GAMES = ROOT / "tests" / "tutorial"
FENCE = re.compile(r"^(?:\*\*`(?P<file>[^`]+)`\*\*\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = ("python", "markdown", "ts", "svelte")  # blocks of these kinds are parts of files
GENERATED = {"lanterns/client/view.ts"}  # and compared with its source by tests/server/test_typescript.py


def between_blocks(file: str) -> str:
    """Two blank lines in Python, as the formatter wants them between functions, and one elsewhere."""
    return "\n\n\n" if file.endswith(".py") else "\n\n"


class Block(NamedTuple):
    line: int
    kind: str  # one of FILES, pycon or sh
    file: str  # the file it belongs to; nothing for a session
    text: str


def read_page() -> list[Block]:
    page = PAGE.read_text("utf-8")
    return [
        Block(page.count("\n", 0, m.start("text")), m["kind"], m["file"] or "", m["text"]) for m in FENCE.finditer(page)
    ]


BLOCKS = read_page()
SESSIONS = [number for number, block in enumerate(BLOCKS) if block.kind == "pycon"]


def files_of(blocks: list[Block]) -> dict[str, str]:
    """The files that the blocks make, by name."""
    texts: dict[str, list[str]] = {}
    for block in blocks:
        if block.file:
            texts.setdefault(block.file, []).append(block.text.strip("\n"))
    return {file: between_blocks(file).join(parts) + "\n" for file, parts in texts.items()}


def write_files(blocks: list[Block], folder: Path) -> None:
    for file, text in files_of(blocks).items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, "utf-8")


def run_python(program: str, games: Path, *arguments: str) -> str:
    """What the program prints, with uncompiled rules, where games are found in this folder."""
    variables = {"PLENILUNE_GAMES": str(games), "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    done = subprocess.run(command, env={**os.environ, **variables}, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_all_code_on_the_page_belongs_to_a_file_or_a_session() -> None:
    for block in BLOCKS:
        assert (block.kind in FILES) == bool(block.file), f"line {block.line}: which file is this block of?"


def test_the_page_has_every_file_of_the_game() -> None:
    found = (file for file in GAMES.glob("lanterns/**/*") if file.is_file() and "__pycache__" not in file.parts)
    assert set(files_of(BLOCKS)) == {file.relative_to(GAMES).as_posix() for file in found} - GENERATED


@pytest.mark.parametrize("file", files_of(BLOCKS))
def test_the_blocks_of_a_file_are_the_file(file: str) -> None:
    on_page, on_disk = files_of(BLOCKS)[file], (GAMES / file).read_text("utf-8")
    names = f"{PAGE.relative_to(ROOT)}: {file}", str((GAMES / file).relative_to(ROOT))
    if difference := "\n".join(difflib.unified_diff(on_page.splitlines(), on_disk.splitlines(), *names, lineterm="")):
        pytest.fail(f"the page and the file differ\n{difference}", pytrace=False)
    assert on_page == on_disk


RUN_SESSION = """
import doctest, sys
line, text = sys.argv[1:]
session = doctest.DocTestParser().get_doctest(text, {}, "the session", "docs/adding-a-game.md", int(line))
sys.exit(1 if doctest.DocTestRunner().run(session).failed else 0)
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", SESSIONS, ids=lambda number: f"line-{BLOCKS[number].line}")
def test_a_session_needs_only_what_stands_above_it(number: int, tmp_path: Path) -> None:
    write_files(BLOCKS[:number], tmp_path)
    run_python(RUN_SESSION, tmp_path, str(BLOCKS[number].line), BLOCKS[number].text)


RANDOM_MATCH = """
from plenilune import Match, load
from tests.play import finished
print(load("lanterns").State.home())
print(finished(Match("lanterns", 3, "moon", bag="small"), 5).save(), end="")
"""


def test_the_game_made_from_the_page_plays_a_match(tmp_path: Path) -> None:
    write_files(BLOCKS, tmp_path)
    home, _, saved = run_python(RANDOM_MATCH, tmp_path).partition("\n")
    assert Path(home) == tmp_path / "lanterns"
    assert saved == finished(Match("lanterns", 3, "moon", bag="small"), 5).save()
