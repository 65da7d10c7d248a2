"""A game from outside the package, the tutorial's, played in the browser: on the generic board, then on its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Invite
from tests.browser.test_matches import at_random
from tests.browser.visitor import PHONE, WIDE, Visitor
from tests.server.running import Process

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "tests" / "tutorial"


@pytest.fixture(scope="module")
def generic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that has the game, with pages that do not know it."""
    yield from serve(tmp_path_factory.mktemp("generic"))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with pages that were built with the game's client folder."""
    folder = tmp_path_factory.mktemp("own")
    variables = {**os.environ, "PLENILUNE_GAMES": str(GAMES), "PLENILUNE_WEB": str(folder / "web")}
    subprocess.run([sys.executable, ROOT / "client" / "build.py"], env=variables, check=True, timeout=300)
    yield from serve(folder, PLENILUNE_WEB=str(folder / "web"))


def serve(folder: Path, **variables: str) -> Iterator[str]:
    settings = {"PLENILUNE_LIMITS": "off", "PLENILUNE_BOT_PAUSE": "0", "PLENILUNE_GAMES": str(GAMES)}
    process = Process("--data", str(folder), **settings, **variables)
    yield process.address
    process.stop()


def play_to_the_end(lena: Visitor) -> None:
    """From the card on the home page to the results, which are the server's."""
    card = lena.goto("/").page.locator("article").filter(has=lena.page.get_by_role("img", name="Lanterns"))
    card.locator(".btn.gold").click()
    lena.page.wait_for_selector(".table[data-ready]")
    choose = at_random()
    while lena.my_turn():
        lena.act(choose)
    result = lena.ask("GET", f"/api/tables/{lena.page.url.rsplit('/', 1)[-1]}")["result"]
    shown = lena.page.locator("dialog tr.sum td").all_inner_texts()  # by place
    assert sorted(shown) == sorted(str(score) for score in result["scores"])


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_game_without_a_client_folder_is_played_on_the_generic_board(
    visit: Invite, generic: str, size: tuple[int, int]
) -> None:
    lena = visit(address=generic, size=size)
    play_to_the_end(lena)
    assert lena.page.locator(".board .generic").count() == 1
    lena.picture(f"generic-board-{size[0]}")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_game_outside_the_package_is_played_on_its_own_board(visit: Invite, own: str, size: tuple[int, int]) -> None:
    lena = visit(address=own, size=size)
    drawn = lena.goto("/").page.locator("article h2 svg > text").all_text_contents()
    assert "".join(drawn) == "LANTERNS", "the game draws its name"
    lena.picture(f"own-home-{size[0]}")
    play_to_the_end(lena)
    assert lena.page.locator(".board .lanterns").count() == 1
    lena.picture(f"own-board-{size[0]}")


def test_a_game_without_drawn_rules_shows_its_rules_in_words(visit: Invite, generic: str) -> None:
    lena = visit(address=generic).goto("/rules/lanterns")
    lena.page.get_by_text("Each seat is whispered a secret colour.").wait_for()
    lena.page.get_by_role("searchbox").fill("whispered")
    lena.page.get_by_text("1 section").wait_for()
