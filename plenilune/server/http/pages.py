"""The pages: files of the built client, read once. Every address without a file is a page of the client."""

from __future__ import annotations

import asyncio
import functools
import gzip
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from plenilune.server.protocol.refusals import Denied
from plenilune.server.thinking.modules import Modules

WEB = Path(os.environ.get("PLENILUNE_WEB") or Path(__file__).parents[2] / "web")  # the built client
INDEX = "index.html"
MODULES, LISTING = "modules/", "modules/index.json"
OWN = ("PLENILUNE_GAMES", "PLENILUNE_COMPONENTS")  # games and component tables for which no module came with the pages
# A system's own list may be wrong, and browsers are told not to guess.
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
PACKED = (".png",)  # what compressing again makes no smaller
MODULE = re.compile(r"modules/[\w-]+\.[0-9a-f]+\.(wasm|json)")
HASHED = re.compile(r"(assets|modules)/(?!index\.json$)")  # the names change with the contents
GZIP = re.compile(r"gzip(\s*;\s*q=(?!0(\.0*)?$).*)?")  # of Accept-Encoding; q=0 refuses it
FOR_EVER = "public, max-age=31536000, immutable"
UNBUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Plenilune</title>
<h1>Plenilune</h1>
<p>The server runs, but the pages have not been built here. In a checkout, <code>make play</code> builds them
and starts the server.</p>
<p>Programs need no pages: the <a href="/api/openapi.json">API</a> is there, and <code>plenilune play</code> is the
table in the terminal.</p>
"""


class File(NamedTuple):
    body: bytes
    gzipped: bytes | None
    tag: str
    media: str


class Pages:
    """The built client's files, as they were when the server started: no request waits for the disk, and none looks for
    a file that is not there. They are a few megabytes; what is asked for is kept compressed, too."""

    def __init__(self, folder: Path, modules: Modules) -> None:
        self._bodies = dict(_bodies(folder))
        self._files: dict[str, File] = {}
        self._packing = asyncio.Lock()  # each file once
        self._modules = modules

    async def find(self, path: str) -> File | None:
        if path.startswith(MODULES) and (path == LISTING or path not in self._bodies):
            return await self._module(path)
        return self._files.get(path) or await self._packed(path)

    async def _packed(self, path: str) -> File | None:
        if path not in self._bodies:
            return None
        async with self._packing:
            if path not in self._files:
                self._files[path] = await asyncio.to_thread(_file, self._bodies[path], Path(path).suffix)
        return self._files[path]

    async def _module(self, path: str) -> File | None:
        """One that was built here since; only what the modules' index names is looked for."""
        own = any(os.environ.get(variable) for variable in OWN)
        if path == LISTING:
            came = None if own else await self._packed(path)
            return came or await asyncio.to_thread(lambda: _file(self._modules.listing(), ".json"))
        return await asyncio.to_thread(_built, self._modules, path) if MODULE.fullmatch(path) else None


async def answer(request: Request) -> Response:
    path, pages = request.path_params["path"], request.app.state.server.pages
    if file := await pages.find(path):
        return _response(request, file, FOR_EVER if HASHED.match(path) else "no-cache")
    if path and "." in path.rsplit("/", 1)[-1]:
        raise Denied("not_found", f"there is no file {path[:100]!r}")
    if index := await pages.find(INDEX):
        return _response(request, index, "no-cache")
    return HTMLResponse(UNBUILT) if not path else RedirectResponse("/")


def _response(request: Request, file: File, kept: str) -> Response:
    headers = {"cache-control": kept, "etag": file.tag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if file.gzipped and _takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(file.gzipped, headers=headers | {"content-encoding": "gzip"}, media_type=file.media)
    return Response(file.body, headers=headers, media_type=file.media)


def _takes_gzip(accepted: str) -> bool:
    return any(GZIP.fullmatch(word.strip()) for word in accepted.lower().split(","))


def _bodies(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file in the folder, by its path; nothing outside that a link leads to."""
    for place in sorted(folder.rglob("*")):
        if place.is_file() and place.resolve().is_relative_to(folder.resolve()):
            path, body = place.relative_to(folder).as_posix(), place.read_bytes()
            yield path, served(body) if path == INDEX else body


def _built(modules: Modules, path: str) -> File | None:
    place = modules.file(path.removeprefix(MODULES))
    return _read(place) if place else None


@functools.lru_cache(maxsize=100)
def _read(place: Path) -> File:
    """A module's file; its name changes with its contents."""
    return _file(place.read_bytes(), place.suffix)


def _file(body: bytes, suffix: str) -> File:
    gzipped = None if suffix in PACKED else gzip.compress(body, mtime=0)
    digest = hashlib.sha256(body).hexdigest()[:20]
    return File(body, gzipped, f'W/"{digest}"', TYPES.get(suffix, "application/octet-stream"))


def served(index: bytes) -> bytes:
    """The page as a server sends it, for any address: it names its files from the root, and says that there is one."""
    return index.replace(b'="./', b'="/').replace(b"<html", b"<html data-server", 1)
