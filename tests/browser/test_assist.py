"""What a page computes itself at a server's table: previews, hints and reviews where no secret is needed."""

import json

import pytest
from playwright.sync_api import WebSocket

from tests.browser.conftest import Invite
from tests.browser.games import GAMES, QUICK, SECRETS, TILES
from tests.browser.visitor import Visitor

OPEN = [game for game in GAMES if game != SECRETS]


def asked(visitor: Visitor) -> list[str]:
    """Fills with the kinds of messages that the page sends the server."""
    kinds: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: kinds.append(json.loads(frame)["kind"]))

    visitor.page.on("websocket", listen)
    return kinds


def without_webassembly(visitor: Visitor) -> Visitor:
    visitor.page.add_init_script("delete globalThis.WebAssembly")
    return visitor


def first(picks: list[str]) -> str:
    return picks[0]


def turns(visitor: Visitor, number: int) -> None:
    """Play on for so many plies, for any seat, or to the end."""
    until = visitor.ply + number
    while visitor.ply < until and visitor.my_turn():
        visitor.act(first)


@pytest.mark.parametrize("game", OPEN)
def test_once_the_rules_are_here_the_server_is_asked_for_no_previews(visit: Invite, game: str) -> None:
    lena = visit()
    kinds = asked(lena)
    with lena.page.expect_response("**/modules/*.wasm"):
        lena.sit(lena.table(game, "me", "greedy"))
        turns(lena, 1)
    lena.wait(lambda: previews_stay_away(lena, kinds), "for a preview that is made in the page")
    before = kinds.count("preview"), kinds.count("play")
    turns(lena, 12)
    assert (kinds.count("preview"), kinds.count("play") > before[1]) == (before[0], True)


def previews_stay_away(visitor: Visitor, kinds: list[str]) -> bool:
    before = kinds.count("preview")
    turns(visitor, 1)
    return kinds.count("preview") == before


def test_where_there_are_secrets_the_server_is_asked(visit: Invite) -> None:
    lena = visit()
    kinds = asked(lena)
    lena.sit(lena.table(SECRETS, "me", "greedy"))
    turns(lena, 4)
    before = kinds.count("preview")
    turns(lena, 4)
    assert kinds.count("preview") > before


@pytest.mark.parametrize("game", [TILES])
def test_a_hint_is_found_in_the_page(visit: Invite, game: str) -> None:
    lena = visit()
    kinds = asked(lena)
    lena.sit(lena.table(game, "me", "greedy"))
    lena.wait(lambda: previews_stay_away(lena, kinds), "for the rules")
    lena.my_turn()
    lena.press("h")
    lena.page.wait_for_selector(".hint .gold")
    assert "hint" not in kinds


def test_without_webassembly_the_server_answers_as_ever(visit: Invite) -> None:
    lena = without_webassembly(visit())
    kinds = asked(lena)
    lena.sit(lena.table(TILES, "me", "greedy"))
    turns(lena, 20)
    lena.my_turn()
    lena.press("h")
    lena.page.wait_for_selector(".hint .gold")
    assert kinds.count("preview") > 3
    assert kinds.count("hint") == 1


@pytest.mark.parametrize("game", [QUICK, SECRETS])
def test_a_review_is_made_in_the_page_when_nothing_is_secret_any_more(visit: Invite, game: str) -> None:
    lena = visit()
    requests = reviews(lena, game)
    assert requests == []


def test_without_webassembly_the_server_reviews(visit: Invite) -> None:
    lena = without_webassembly(visit())
    requests = reviews(lena, QUICK)
    assert len(requests) == 1


def reviews(visitor: Visitor, game: str) -> list[str]:
    """Which reviews the server is asked for when somebody wants one."""
    match = visitor.table(game, "me", "greedy")
    visitor.finish(match)
    visitor.goto(f"/table/{match}/replay?ply=40")
    requests: list[str] = []
    visitor.page.on("request", lambda r: requests.append(r.url) if r.url.endswith("/review") else None)
    visitor.page.get_by_role("button", name="Review this game").click()
    visitor.page.get_by_role("img", name="Win chance").wait_for()
    visitor.page.get_by_role("button", name="Next mistake").wait_for()  # it is complete
    assert visitor.page.locator(".remark p").count() > 1, "there is no remark"
    return requests
