"""What documents and comments say of files is so, and the documents make pages."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"`([\w./-]+)`")
ENDINGS = (".py", ".ts", ".svelte", ".mjs", ".toml", ".md", "/")
# Not in the sources: addresses, other machines' folders, what is built, what readers name, an environment's name, and
# a document of LLVM's.
ELSEWHERE = re.compile(r"^(/|\.venv/|build/|dist/|assets/|modules/|plenilune/\w+-v\d|table\.md$|\.\w+$|Linking\.md$)")
COMMENT = re.compile(r"^\s*(?:/\*|\*|//|<!--).*|//\s.*$", re.MULTILINE)  # in the client, whose code has backticks too


def sources() -> set[str]:
    """Every file in git and every folder of one."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [Path(line) for line in listed.splitlines()]
    return {path.as_posix() for file in files for path in (file, *file.parents)}


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "client" / "README.md", *(ROOT / "docs").rglob("*.md")]


def code(known: set[str]) -> list[Path]:
    return [ROOT / path for path in known if path.endswith((".py", ".ts", ".svelte", ".mjs", ".css"))]


def missing(file: Path, known: set[str]) -> list[str]:
    text = file.read_text("utf-8")
    prose = text if file.suffix in (".py", ".md") else "\n".join(COMMENT.findall(text))
    named = {name for name in NAMED.findall(prose) if "/" in name or name.endswith(ENDINGS)}
    ends = {path.rstrip("/") for path in named if not ELSEWHERE.search(path)}
    return sorted(end for end in ends if not any(path == end or path.endswith(f"/{end}") for path in known))


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="these are not the sources in git")
def test_every_file_that_a_document_or_a_comment_names_exists() -> None:
    known, found = sources(), {}
    for file in [*documents(), *code(known)]:
        if wrong := missing(file, known):
            found[file.relative_to(ROOT).as_posix()] = wrong
    assert found == {}


@pytest.mark.slow
def test_the_documents_make_pages_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Batch" in (tmp_path / "reference.html").read_text("utf-8")
