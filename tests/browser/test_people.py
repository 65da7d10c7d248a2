"""What people ask of one another and of the operators: a rematch, a seat that is kept, a report; keys and deletion."""

import json
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute

from tests.browser.conftest import Invite
from tests.browser.games import QUICK, TILES
from tests.browser.visitor import Visitor


def sit_together(host: Visitor, *others: Visitor, **settings: Any) -> str:
    match = host.table(QUICK, "me", *["open" for _ in others], **settings)
    for other in others:
        other.introduce()
        other.ask("POST", f"/api/tables/{match}/join")
    return match


@pytest.fixture
def ended(visit: Invite) -> tuple[Visitor, Visitor, str]:
    """Ada and Ben look at the results of their match."""
    ada, ben = visit("Ada"), visit("Ben")
    match = sit_together(ada, ben, clock={"kind": "bank", "bank": 600})
    ben.ask("POST", f"/api/tables/{match}/resign")
    for person in (ada, ben):
        person.sit(match).page.locator("dialog .headline").wait_for()
    return ada, ben, match


def next_table(person: Visitor, match: str) -> str:
    person.page.wait_for_url(lambda url: "/table/" in url and match not in url)
    return person.page.url.rsplit("/", 1)[-1]


def test_a_rematch_begins_when_the_other_accepts(ended: tuple[Visitor, Visitor, str]) -> None:
    ada, ben, match = ended
    ada.page.get_by_role("button", name="Rematch").click()
    follower = next_table(ada, match)
    ada.page.get_by_text("Waiting for Ben").wait_for()
    table = ada.ask("GET", f"/api/tables/{follower}")
    assert table["status"] == "waiting"
    assert table["clocks"]["running"] is None, "a clock runs before everybody has accepted"

    ben.page.get_by_text("Ada wants a rematch").first.wait_for()
    ben.picture("rematch-asked-wide-dark")
    ben.page.locator("dialog").get_by_role("button", name="Accept rematch").click()
    assert next_table(ben, match) == follower
    for person in (ada, ben):
        person.page.wait_for_selector(".board")
        assert person.page.locator(".breach").count() == 0
    fairness = ada.ask("GET", f"/api/tables/{follower}")["fairness"]
    assert len(fairness["nonces"]) == 2


def test_a_rematch_is_accepted_in_the_waiting_room_too(ended: tuple[Visitor, Visitor, str]) -> None:
    ada, ben, match = ended
    ada.page.get_by_role("button", name="Rematch").click()
    follower = next_table(ada, match)
    ben.goto(f"/table/{follower}")
    ben.page.get_by_role("button", name="Accept and join").click()
    for person in (ada, ben):
        person.page.wait_for_selector(".board")


def test_nobody_is_made_to_play_a_rematch(ended: tuple[Visitor, Visitor, str]) -> None:
    ada, ben, match = ended
    ada.page.get_by_role("button", name="Rematch").click()
    follower = next_table(ada, match)
    ben.page.get_by_text("Ada wants a rematch").first.wait_for()
    ben.goto("/")
    ada.page.get_by_role("button", name="Fill with bots and start").click()
    ada.page.wait_for_selector(".board")
    assert ada.ask("GET", f"/api/tables/{follower}")["seats"][0]["held_by"] == "bot"


def test_the_host_may_invite_somebody_else_to_a_rematch(ended: tuple[Visitor, Visitor, str], visit: Invite) -> None:
    ada, _, match = ended
    ada.page.get_by_role("button", name="Rematch").click()
    next_table(ada, match)
    ada.page.get_by_role("button", name="Invite someone else").click()
    cleo = visit("Cleo")
    cleo.page.goto(ada.page.locator(".address").inner_text())
    cleo.page.get_by_role("button", name="Join").click()
    cleo.page.wait_for_selector(".board")


def test_a_friends_seat_stays_reserved_when_the_friend_leaves(visit: Invite) -> None:
    ada, ben, eve = visit("Ada"), visit("Ben"), visit("Eve")
    ada.goto(f"/?new={TILES}").page.get_by_role("button", name="3", exact=True).click()
    for seat in ("Player 2", "Player 3"):
        ada.page.get_by_label(seat).select_option("friend")
    ada.page.get_by_role("button", name="Create table").click()
    ben.page.goto(ada.page.locator(".address").inner_text())
    ben.page.get_by_role("button", name="Join").click()
    ben.page.get_by_role("button", name="Leave table").click()
    ben.page.wait_for_url(ben.address + "/")
    ada.page.get_by_text("Waiting for Ben").wait_for()
    eve.goto(f"/table/{ada.page.url.rsplit('/', 1)[-1]}")
    assert eve.page.get_by_role("button", name="Join").count() == 0
    ben.goto(f"/table/{ada.page.url.rsplit('/', 1)[-1]}")
    ben.page.get_by_role("button", name="Accept and join").click()
    ben.page.get_by_role("button", name="Leave table").wait_for()


def open_chat(person: Visitor) -> None:
    person.press("l")
    person.page.get_by_role("button", name="Chat", exact=True).click()


def test_a_line_can_be_reported_to_the_operators(visit: Invite) -> None:
    ada, ben = visit("Ada"), visit("Ben")
    match = sit_together(ada, ben)
    ada.ask("POST", f"/api/tables/{match}/say", {"text": "You play like a crater"})
    sent: list[Any] = []
    ben.page.on("request", lambda asked: sent.append(asked.post_data_json) if "/report" in asked.url else None)
    ben.sit(match)
    open_chat(ben)
    ben.page.get_by_role("button", name="Report this message from Ada").click()
    ben.page.get_by_label("Note (optional)").fill("Rude")
    ben.page.get_by_role("button", name="Report", exact=True).click()
    ben.page.get_by_text("Reported. Thank you!").wait_for()
    assert sent == [{"line": 1, "note": "Rude"}]
    assert ben.page.get_by_role("button", name="Report this message from Ada").count() == 0


def test_nobody_reports_their_own_line(visit: Invite) -> None:
    ada, ben = visit("Ada"), visit("Ben")
    match = sit_together(ada, ben)
    ada.ask("POST", f"/api/tables/{match}/say", {"text": "Full moon tonight"})
    ada.sit(match)
    open_chat(ada)
    ada.page.get_by_text("Full moon tonight").wait_for()
    assert ada.page.locator("dialog .flag").count() == 0


def test_a_line_that_a_moderator_removes_disappears_at_once(visit: Invite) -> None:
    ada, ben = visit("Ada"), visit("Ben")
    match = sit_together(ada, ben)
    sockets: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(route.send)
        sockets.append(route)

    ben.page.route_web_socket("**/live*", through)
    said = ada.ask("POST", f"/api/tables/{match}/say", {"text": "You play like a crater"})
    ben.sit(match)
    open_chat(ben)
    ben.page.get_by_text("You play like a crater").wait_for()
    sockets[-1].send(json.dumps({"kind": "chat", **said, "text": "", "deleted": True}))
    ben.page.get_by_text("Removed by a moderator").wait_for()
    assert ben.page.get_by_text("You play like a crater").count() == 0


def test_an_api_key_is_made_shown_once_and_revoked(visit: Invite) -> None:
    lena = visit()
    lena.introduce()
    lena.goto("/").page.get_by_role("button", name="Settings and your data").click()
    lena.page.get_by_label("Key name").fill("my bot")
    lena.page.get_by_role("button", name="Create key").click()
    key = lena.page.locator(".made code").inner_text()
    assert len(key) >= 32
    lena.goto("/").page.get_by_role("button", name="Settings and your data").click()
    lena.page.get_by_text("never used").wait_for()
    assert lena.page.get_by_text(key).count() == 0
    lena.page.get_by_role("button", name="Revoke the key my bot").click()
    lena.page.get_by_role("button", name="Yes, revoke").click()
    lena.wait(lambda: lena.page.get_by_text("never used").count() == 0, "for the key to go")
    assert lena.ask("GET", "/api/keys")["keys"] == []


def test_who_deletes_themselves_is_forgotten(visit: Invite) -> None:
    lena = visit()
    lena.introduce()
    lena.goto("/").page.get_by_role("button", name="Settings and your data").click()
    lena.page.get_by_role("button", name="Delete my account", exact=True).click()
    lena.page.get_by_text("It can’t be undone").wait_for()
    with lena.page.expect_navigation():
        lena.page.get_by_role("button", name="Yes, delete").click()
    assert lena.ask("GET", "/api/me")["me"] is None
