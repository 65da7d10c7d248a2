"""What `make docs` adds to MkDocs: files outside docs/ that pages link to belong to the site, under project/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, normpath, relpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = "project/"
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")  # the path of a link or picture, without its anchor


def on_files(files: Files, config: MkDocsConfig) -> Files:
    waiting = [file.src_uri for file in files.documentation_pages()]
    waiting += [uri for uri in nav_pages(config.nav) if uri.startswith(OUTSIDE)]
    while waiting:
        uri = waiting.pop()
        if files.get_file_from_path(uri) is None:
            path = str(ROOT / uri.removeprefix(OUTSIDE))
            files.append(File.generated(config, uri, abs_src_path=path))
        if uri.endswith(".md"):
            text = (ROOT / place(uri)).read_text("utf-8")
            waiting += [found for found in targets(uri, text) if files.get_file_from_path(found) is None]
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    uri = page.file.src_uri
    return LINK.sub(lambda link: relpath(target(uri, link[1]), dirname(uri) or "."), markdown)


def nav_pages(nav: Any) -> Iterator[str]:
    for entry in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else ():
        if isinstance(entry, str):
            yield entry
        else:
            yield from nav_pages(entry)


def targets(uri: str, text: str) -> list[str]:
    """Files outside docs/ to which a page links."""
    found = [target(uri, link) for link in LINK.findall(text)]
    return [uri for uri in found if uri.startswith(OUTSIDE) and (ROOT / place(uri)).is_file()]


def target(uri: str, link: str) -> str:
    """Where on the site a page's link leads."""
    path = normpath(f"{dirname(place(uri))}/{link}".lstrip("/"))
    return path.removeprefix("docs/") if path.startswith("docs/") else OUTSIDE + path


def place(uri: str) -> str:
    """Where in the repository a file of the site lies."""
    return uri.removeprefix(OUTSIDE) if uri.startswith(OUTSIDE) else f"docs/{uri}"
