"""The pages: files of the built client, compressed once. Every address without a file is a page of the client."""

from __future__ import annotations

import asyncio
import functools
import gzip
import hashlib
import os
import re
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


async def answer(request: Request) -> Response:
    path, modules = request.path_params["path"], request.app.state.server.modules
    file = await asyncio.to_thread(_module, path, modules) if path.startswith(MODULES) else await _found(path)
    if file:
        return _response(request, file, FOR_EVER if HASHED.match(path) else "no-cache")
    if path and "." in path.rsplit("/", 1)[-1]:
        raise Denied("not_found", f"there is no file {path[:100]!r}")
    if index := await _found(INDEX):
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


async def _found(path: str) -> File | None:
    return await asyncio.to_thread(_find, path)


def _module(path: str, modules: Modules) -> File | None:
    """One that came with the pages, or was built here since; only what the modules' index names is looked for."""
    own = any(os.environ.get(variable) for variable in OWN)
    if file := None if own and path == LISTING else _find(path):
        return file
    if path == LISTING:
        return _file(modules.listing(), ".json")
    place = modules.file(path.removeprefix(MODULES))
    return _read(place, 0) if place else None


def _find(path: str) -> File | None:
    try:
        place = (WEB / path).resolve()
        if path and place.is_file() and place.is_relative_to(WEB.resolve()):
            return _read(place, place.stat().st_mtime_ns)
    except (ValueError, OSError):  # no file can have such a name
        pass
    return None


@functools.lru_cache(maxsize=500)
def _read(place: Path, changed: int) -> File:
    """The file as it was when it was changed last."""
    body = place.read_bytes()
    if place == (WEB / INDEX).resolve():
        body = served(body)
    return _file(body, place.suffix)


def _file(body: bytes, suffix: str) -> File:
    gzipped = None if suffix in PACKED else gzip.compress(body, mtime=0)
    digest = hashlib.sha256(body).hexdigest()[:20]
    return File(body, gzipped, f'W/"{digest}"', TYPES.get(suffix, "application/octet-stream"))


def served(index: bytes) -> bytes:
    """The page as a server sends it, for any address: it names its files from the root, and says that there is one."""
    return index.replace(b'="./', b'="/').replace(b"<html", b"<html data-server", 1)
