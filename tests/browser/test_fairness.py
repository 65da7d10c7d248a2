"""Players contribute to the dice, and their browsers notice a server that does not keep to what it has shown."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Route, WebSocketRoute

from tests.browser.conftest import Invite
from tests.browser.games import QUICK
from tests.browser.visitor import Visitor

Change = Callable[[dict[str, Any]], None]


def test_a_finished_match_is_verified_with_the_players_numbers(visit: Invite) -> None:
    lena = visit()
    match = lena.play_by_the_clock(QUICK)
    lena.finish(match)
    told = lena.ask("GET", f"/api/tables/{match}/dice")
    assert len(told["nonces"]) == 1
    lena.goto(f"/table/{match}/dice")
    assert lena.page.locator(".verdict").count() == 4  # my number, the seed, the seats, the rolls
    assert lena.page.locator(".bad").count() == 0
    assert told["nonces"][0] in lena.page.locator(".share.mine").inner_text()
    assert lena.page.locator("tbody tr").count() == len(told["rolls"]) > 20


def test_the_same_rolls_do_not_pass_with_another_number(visit: Invite) -> None:
    lena = visit()
    match = lena.play_by_the_clock(QUICK)
    lena.finish(match)
    answer(lena, f"**/api/tables/{match}/dice", lambda told: told.update(nonces=["0" * 32]))
    lena.goto(f"/table/{match}/dice")
    lena.page.locator(".verdict.bad", has_text="left out the number").wait_for()
    lena.page.locator(".verdict.bad", has_text="rolls are wrong").wait_for()


def test_dice_can_be_looked_at_before_the_end(visit: Invite) -> None:
    lena = visit()
    match = lena.play_by_the_clock(QUICK)
    lena.goto(f"/table/{match}/dice")
    lena.page.get_by_text("The seed is revealed when the game is over").wait_for()
    assert lena.page.locator(".share.mine").count() == 1
    assert lena.page.locator(".verdict.bad").count() == 0


def test_everybody_who_sits_down_adds_a_number(visit: Invite) -> None:
    ada, ben = visit("Ada"), visit("Ben")
    ada.goto(f"/?new={QUICK}").page.get_by_role("button", name="Create table").click()
    link = ada.page.locator(".address").inner_text()
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Join").click()
    for person in (ada, ben):
        person.page.wait_for_selector(".table[data-ready]")
        person.page.wait_for_selector(".board")
    people = [ada.ask("GET", "/api/me")["me"]["id"], ben.ask("GET", "/api/me")["me"]["id"]]
    table = ada.ask("GET", f"/api/tables/{ada.page.url.rsplit('/', 1)[-1]}")
    assert [nonce["person"] for nonce in table["fairness"]["nonces"]] == people
    for person in (ada, ben):
        assert person.page.locator(".breach").count() == 0


def test_a_server_that_changes_its_commitment_is_not_trusted(visit: Invite) -> None:
    lena = visit()
    lie(lena, lambda fairness: fairness.update(commitment="0" * 64))
    lena.play_by_the_clock(QUICK)
    warning = lena.page.get_by_role("alert")
    warning.get_by_text("The server changed the dice fingerprint: don’t trust").wait_for()
    warning.get_by_role("button", name="Close").click()
    assert warning.count() == 0


def test_a_server_that_drops_my_number_is_not_trusted(visit: Invite) -> None:
    lena = visit()
    lie(lena, lambda fairness: fairness.update(nonces=[]))
    lena.play_by_the_clock(QUICK)
    lena.page.get_by_role("alert").get_by_text("left out the number your browser added").wait_for()


def test_a_number_added_after_the_beginning_is_not_trusted(visit: Invite) -> None:
    lena = visit()
    match = lena.play_by_the_clock(QUICK)
    lie(lena, lambda fairness: fairness["nonces"].append({"person": "somebody", "nonce": "1" * 32}))
    lena.sit(match)
    lena.page.get_by_role("alert").get_by_text("changed the players’ numbers").wait_for()


def test_a_table_is_made_even_where_no_seed_is_offered(visit: Invite) -> None:
    lena = visit()
    lena.page.route("**/api/dice", lambda route: route.fulfill(status=404, json={}))
    match = lena.play_by_the_clock(QUICK)
    assert lena.ask("GET", f"/api/tables/{match}")["fairness"]["nonces"] == []
    assert lena.page.locator(".breach").count() == 0
    lena.complaints = [said for said in lena.complaints if "404" not in said]


def answer(lena: Visitor, url: str, change: Change) -> None:
    """The server's answers from there, changed."""

    def changed(route: Route) -> None:
        told = route.fetch().json()
        change(told)
        route.fulfill(json=told)

    lena.page.route(url, changed)


def lie(lena: Visitor, change: Change) -> None:
    """A server that tells something else about the dice over its websocket."""

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def tell(said: str | bytes) -> None:
            message = json.loads(said)
            if "table" in message:
                change(message["table"]["fairness"])
            route.send(json.dumps(message))

        server.on_message(tell)

    lena.page.route_web_socket("**/live*", through)
