"""A server in a process of its own and a real Chromium, once for all tests of this folder."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

import plenilune
from plenilune import load
from plenilune.server.thinking.warmup import BOTS, RULES, is_made
from tests.browser.games import GAMES
from tests.browser.visitor import Visitor
from tests.server.running import Process

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WEB = Path(plenilune.__file__).parent / "web" / "index.html"


@pytest.fixture(scope="session")
def server_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    if not WEB.exists():
        pytest.fail("the pages are not built: make plenilune/web/index.html")
    settings = {"PLENILUNE_LIMITS": "off", "PLENILUNE_BOT_PAUSE": "0", "PLENILUNE_GAMES": ""}
    _compile(settings)
    process = Process("--data", str(tmp_path_factory.mktemp("server")), **settings)
    yield process.address
    process.stop()


def _compile(settings: dict[str, str]) -> None:
    """Otherwise the first visitors would wait for rules and bots, longer than these tests are patient."""
    for kind in (RULES, BOTS):
        for game in GAMES:
            if not is_made(kind, load(game)):
                command = [sys.executable, "-m", "plenilune.server.thinking.warmup", kind, game]
                subprocess.run(command, env=os.environ | settings, check=True)


HEADLESS = "chromium-headless-shell"  # the same engine without windows of its own, which take more time than the pages
WINDOWED = ("chromium", "chromium-browser", "google-chrome")


def browser_path(*names: str) -> str | None:
    names = names or (HEADLESS, *WINDOWED)
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = browser_path()
    if path is None:
        pytest.fail("these tests need a browser: install Chromium, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


Invite = Callable[..., Visitor]


@pytest.fixture
def visit(chromium: Browser, server_address: str) -> Iterator[Invite]:
    """Lets somebody in; nobody may leave with a complaint of the browser's."""
    visitors: list[Visitor] = []

    def enter(name: str = "Lena", address: str = server_address, **wishes: Any) -> Visitor:
        visitors.append(Visitor(chromium, address, name, **wishes))
        return visitors[-1]

    yield enter
    complaints = [complaint for visitor in visitors for complaint in visitor.complaints]
    for visitor in visitors:
        visitor.close()
    assert complaints == []
