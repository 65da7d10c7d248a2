"""The documents: every Markdown file is wrapped, and every relative link leads somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WIDTH = 120
LINK = re.compile(r"\]\((?!\w+:)([^)\s]*)\)")
WHERE = ("*.md", "client/*.md", "docs/**/*.md", "plenilune/**/*.md", "tests/**/*.md")
PAGES = sorted(page for pattern in WHERE for page in ROOT.glob(pattern))
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def prose(page: Path) -> list[str]:
    """The lines outside fenced code."""
    parts = re.split(r"^```.*?^```", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return "".join(parts).splitlines()


def anchors(page: Path) -> set[str]:
    """What headings can be linked to by."""
    headings = [line.lstrip("# ") for line in prose(page) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@each_page
def test_lines_fit_into_120_columns(page: Path) -> None:
    """Tables, code, and words that are too long themselves, such as addresses, cannot be wrapped."""
    lines = [line for line in prose(page) if not line.startswith(("|", "    ")) and " " in line.strip()]
    wide = [line for line in lines if len(line) > WIDTH]
    assert wide == []


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall("\n".join(prose(page))):
        path, _, anchor = link.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), link
        assert not anchor or anchor in anchors(there), link


def test_there_are_pages() -> None:
    assert {"README.md", "CONTRIBUTING.md", "server.md", "RULES.md"} <= {page.name for page in PAGES}
