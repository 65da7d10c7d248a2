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


def test_rolls_are_compared_with_what_the_rules_allow(visit: Invite) -> None:
    """A server that names no outcome but the one it wanted, or names them in another order, convinces nobody."""
    lena = visit()
    match = lena.play_by_the_clock(QUICK)
    lena.finish(match)
    told = lena.ask("GET", f"/api/tables/{match}/dice")
    number = len(told["rolls"])
    alone = [{**roll, "outcomes": [roll["outcome"]]} for roll in told["rolls"]]
    backwards = [{**roll, "outcomes": roll["outcomes"][::-1]} for roll in told["rolls"]]
    for forged in ({"rolls": alone}, {"rolls": backwards}):
        lena.page.unroute_all()
        answer(lena, f"**/api/tables/{match}/dice", lambda told, forged=forged: told.update(forged))  # type: ignore[misc]
        lena.goto(f"/table/{match}/dice")
        lena.page.locator(".verdict.bad", has_text=f"{number} rolls are wrong").wait_for()
        assert lena.page.get_by_text("all correct").count() == 0


def test_nothing_is_said_to_be_right_without_the_rules(visit: Invite) -> None:
    lena = visit()
    match = lena.play_by_the_clock(QUICK)
    lena.finish(match)
    lena.page.add_init_script("WebAssembly.compile = () => Promise.reject(new Error('switched off'))")
    lena.goto(f"/table/{match}/dice")
    lena.page.get_by_text("The rolls couldn’t be checked").wait_for()
    assert lena.page.get_by_text("all correct").count() == 0
    assert lena.page.locator("tbody .bad").count() == 0


def test_a_record_is_compared_with_what_was_seen_while_it_was_played(visit: Invite) -> None:
    lena = visit()
    match = lena.play_by_the_clock(QUICK)
    lena.page.wait_for_selector(".board")
    lena.goto(f"/table/{match}/dice")
    lena.finish(match)
    lena.goto(f"/table/{match}/dice")
    lena.page.get_by_text("they’re the same in the record").or_(lena.page.get_by_text("it’s the same")).wait_for()
    lena.page.evaluate("match => localStorage.setItem(`plenilune.seen.${match}`, 'roll 99')", match)
    lena.goto(f"/table/{match}/dice")
    lena.page.locator(".verdict.bad", has_text="At action 1 your browser saw something else").wait_for()


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
    for person, said in ((ada, "nothing has changed since you joined"), (ben, "no number came after yours")):
        person.goto(f"/table/{table['id']}/dice")
        person.page.locator(".verdict", has_text=said).wait_for()


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


def test_a_number_that_the_server_adds_once_it_knows_mine_is_not_trusted(visit: Invite) -> None:
    """Against a bot I take the last seat: with a number of its own after mine, the server could choose the dice."""
    lena = visit()
    lie(lena, lambda fairness: fairness["nonces"].append({"person": "somebody", "nonce": "1" * 32}))
    lena.play_by_the_clock(QUICK)
    lena.page.get_by_role("alert").get_by_text("changed the players’ numbers").wait_for()


def test_no_table_is_made_where_a_seed_cannot_be_offered(visit: Invite) -> None:
    """Otherwise a server could refuse for a moment, and choose the dice alone."""
    lena = visit()
    lena.page.route("**/api/dice", lambda route: route.fulfill(status=503, json={}))
    made = []
    lena.page.on("request", lambda request: made.append(request.url) if request.method == "POST" else None)
    lena.goto(f"/?new={QUICK}")
    lena.page.locator("dialog select").first.select_option("bot")
    lena.page.locator("[aria-labelledby=clock] button").nth(2).click()
    lena.page.locator("dialog footer .btn.gold").click()
    lena.page.locator("dialog").get_by_role("alert").get_by_text("The server is busy").wait_for()
    assert not [url for url in made if url.endswith("/api/tables")]
    lena.complaints = [said for said in lena.complaints if "503" not in said]


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
