"""The built client's files as a server sends them: to whom, how packed, and for how long they may be kept."""

import gzip
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from plenilune.game import Game
from plenilune.server.http import pages
from plenilune.server.http.headers import HEADERS
from plenilune.server.settings import Settings
from plenilune.server.thinking import modules, warmup
from plenilune.server.thinking.warmup import MODULES, Part, Warmup
from tests.server.attempts import Attempts
from tests.server.running import PATIENCE, Guest, Running, running, sqlite

INDEX = """<!doctype html><html lang="en">
<meta http-equiv="content-security-policy" content="default-src 'none'" />
<link rel="icon" href="./moon.svg" /><script type="module" src="./assets/main-1.js"></script></html>"""
FILES = {
    "index.html": INDEX,
    "sw.js": "worker",
    "assets/main-1.js": "main " * 100,
    "assets/main-1.css": "body {}",
    "moon.svg": "<svg/>",
    "manifest.webmanifest": "{}",
    "icon-192.png": "picture",
    "modules/index.json": "{}",
    "modules/moon-leap-2.1234.wasm": "\0asm",
    "modules/moon-leap-2.1234.json": "{}",
}


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A built client, beside something that is none of it."""
    folder = tmp_path / "web"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "way-out.js").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setattr(pages, "WEB", folder)
    return folder


@pytest.fixture
def server(web: Path, settings: Settings) -> Iterator[Running]:
    """One that has started with these files."""
    with running(settings) as server:
        yield server


@pytest.fixture
def plain(server: Running) -> Iterator[httpx.Client]:
    """Somebody who takes nothing that is packed."""
    with httpx.Client(base_url=server.address, headers={"accept-encoding": "identity"}, verify=False) as client:
        yield client


def test_without_the_built_client_the_server_says_how_to_build_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pages, "WEB", tmp_path / "nothing")
    with running(settings) as server:
        ada = server.guest()
        assert "make play" in ada.get("/")
        assert ada.http.get("/table/abc").headers["location"] == "/"


def test_every_address_without_a_file_is_the_page_with_addresses_from_the_root(ada: Guest, web: Path) -> None:
    page = ada.get("/")
    assert '<html data-server lang="en">' in page
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == ["/moon.svg", "/assets/main-1.js"]
    for path in ("/index.html", "/table/abc", "/rules/moon-leap", "/table/abc/replay?ply=3"):
        assert ada.get(path) == page


@pytest.mark.parametrize(
    "path",
    [
        "/..%2fsecret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/way-out.js",
        "/%00.js",
        "/" + "a" * 4000,
    ],
)
def test_nothing_else_on_the_machine_is_served(ada: Guest, web: Path, path: str) -> None:
    said = ada.http.get(path)
    assert said.status_code in (200, 400, 404)
    assert "secret" not in said.text.replace("secret.txt", "")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/assets/main-1.js", "text/javascript; charset=utf-8"),
        ("/assets/main-1.css", "text/css; charset=utf-8"),
        ("/moon.svg", "image/svg+xml"),
        ("/icon-192.png", "image/png"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/modules/moon-leap-2.1234.wasm", "application/wasm"),
        ("/modules/moon-leap-2.1234.json", "application/json"),
    ],
)
def test_every_file_says_what_it_is_whatever_the_system_believes(ada: Guest, web: Path, path: str, kind: str) -> None:
    assert ada.http.get(path).headers["content-type"] == kind


def test_what_is_named_by_its_contents_is_kept_forever_and_all_else_is_asked_for_again(ada: Guest, web: Path) -> None:
    kept = {name: ada.http.get(f"/{name}").headers["cache-control"] for name in FILES}
    forever = {name for name, how in kept.items() if "immutable" in how}
    assert forever == {
        "assets/main-1.js",
        "assets/main-1.css",
        "modules/moon-leap-2.1234.wasm",
        "modules/moon-leap-2.1234.json",
    }
    assert {kept[name] for name in kept.keys() - forever} == {"no-cache"}


def test_a_client_that_has_a_file_is_told_so_until_a_server_starts_with_another(
    ada: Guest, web: Path, settings: Settings, tmp_path: Path
) -> None:
    """All files are those of the same build, also while another is being installed."""
    tag = ada.http.get("/sw.js").headers["etag"]
    (web / "sw.js").write_text("another worker")
    again = ada.http.get("/sw.js", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    with running(sqlite(tmp_path / "later")) as later:
        changed = later.guest().http.get("/sw.js", headers={"if-none-match": tag})
    assert (changed.status_code, changed.text) == (200, "another worker")


def test_pages_wait_for_no_disk_and_what_is_not_there_is_not_looked_for(
    attempts: Attempts, ada: Guest, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread for each request kept all others waiting."""
    for variable in pages.OWN:  # then the modules are those that came with the pages
        monkeypatch.delenv(variable, raising=False)
    before = [ada.http.get(f"/{name}").content for name in FILES]
    shutil.rmtree(web)

    async def never(*arguments: Any) -> Any:
        raise AssertionError("nothing needs a thread")

    monkeypatch.setattr(pages, "asyncio", SimpleNamespace(to_thread=never))
    assert [ada.http.get(f"/{name}").content for name in FILES] == before
    for number in range(100):
        assert ada.http.get(f"/assets/nothing-{number}.js").status_code == 404
        assert ada.http.get(f"/modules/nothing-{number}.wasm").status_code == 404
        assert ada.http.get(f"/page/{number}").status_code == 200
        attempts.add(3)


@pytest.mark.parametrize("accepted", ["gzip", "br, GZIP", "gzip;q=0.5", "gzip ; q=1.0, identity"])
def test_files_are_sent_packed_to_clients_that_can_unpack_them(plain: httpx.Client, web: Path, accepted: str) -> None:
    with plain.stream("GET", "/assets/main-1.js", headers={"accept-encoding": accepted}) as said:
        packed = b"".join(said.iter_raw())
    assert said.headers["content-encoding"] == "gzip"
    assert len(packed) < len(FILES["assets/main-1.js"])
    assert gzip.decompress(packed).decode() == FILES["assets/main-1.js"]


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "gzip;q=0.000", "gzippy"])
def test_and_as_they_are_to_everybody_else(plain: httpx.Client, web: Path, accepted: str) -> None:
    said = plain.get("/assets/main-1.js", headers={"accept-encoding": accepted})
    assert "content-encoding" not in said.headers
    assert said.text == FILES["assets/main-1.js"]
    assert "accept-encoding" in said.headers["vary"]


def test_pictures_are_packed_already(ada: Guest, web: Path) -> None:
    assert "content-encoding" not in ada.http.get("/icon-192.png").headers


def test_a_part_of_a_file_is_the_whole_file(ada: Guest, web: Path) -> None:
    said = ada.http.get("/assets/main-1.js", headers={"range": "bytes=0-3"})
    assert (said.status_code, said.text) == (200, FILES["assets/main-1.js"])


def test_the_built_page_carries_the_policy_that_the_server_sends() -> None:
    """On a static host it is all there is."""
    index = (Path(pages.__file__).parents[2] / "web" / "index.html").read_text()
    (carried,) = re.findall(r'http-equiv="content-security-policy" content="([^"]*)"', index)
    sent = HEADERS["content-security-policy"].replace("; frame-ancestors 'none'", "")  # which no page can say itself
    assert carried == sent


# Modules of custom games and component tables


def names_in(listing: Any) -> dict[str, list[str]]:
    return {game["name"]: list(game["modules"].values()) for game in listing["games"]}


@pytest.mark.parametrize(
    "path", ["..%2fsecret.txt", "lanterns-1.json", "index.wasm", ".built.json", "lanterns-1..wasm"]
)
def test_only_what_the_index_of_modules_names_is_looked_for(ada: Guest, web: Path, path: str) -> None:
    said = ada.http.get(f"/modules/{path}")
    assert said.status_code == 404
    assert "secret" not in said.text.replace("secret.txt", "")


def test_a_game_of_ones_own_gets_a_module_in_a_process_beside_the_server(
    web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test's folder of pages brings none, so that this is every game; one is enough to be built."""
    asked: list[str] = []

    def build_one(part: Part) -> None:
        asked.append(part.game)
        for name in ("lanterns-1.12ab.wasm", "lanterns-1.12ab.json"):
            (tmp_path / name).write_text(name)
        made.add(part.game)

    def found(game: Game) -> Path | None:
        return tmp_path / "lanterns-1.12ab" if game.name == "lanterns" and game.name in made else None

    made: set[str] = set()
    monkeypatch.setattr(Warmup, "_compile", lambda self, part: build_one(part))
    monkeypatch.setattr(warmup, "is_made", lambda kind, game: kind != MODULES or game.name != "lanterns" or bool(made))
    monkeypatch.setattr(warmup, "warm_up", lambda kind, game: None)
    monkeypatch.setattr(modules, "built", found)
    with running(sqlite(tmp_path)) as server:
        ada = server.guest()
        until = time.monotonic() + PATIENCE
        while not (listed := names_in(ada.get("/modules/index.json"))) and time.monotonic() < until:
            time.sleep(0.05)
        assert listed == {"lanterns": ["lanterns-1.12ab"]}
        assert ada.http.get("/modules/lanterns-1.12ab.wasm").text == "lanterns-1.12ab.wasm"
        assert "immutable" in ada.http.get("/modules/lanterns-1.12ab.wasm").headers["cache-control"]
        for _ in range(3):
            ada.get("/modules/index.json")
    assert asked == ["lanterns"], "however often it is asked for"
