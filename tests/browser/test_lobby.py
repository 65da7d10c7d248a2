"""The lobby as it changes, and a server that has no time."""

from playwright.sync_api import Route

from tests.browser.conftest import Invite
from tests.browser.games import QUICK


def test_tables_come_change_and_go_in_the_lobby(visit: Invite) -> None:
    lena, ben = visit(), visit("Benedikt")
    lena.goto("/")
    match = ben.table(QUICK, "me", "open", "open", public=True)
    row = lena.page.locator(".tables .row", has_text="Benedikt")
    row.wait_for()
    assert row.locator("button").inner_text() == "Join"
    row.locator("button").click()
    lena.page.wait_for_url(f"**/table/{match}")
    lena.page.get_by_text("Benedikt").first.wait_for()
    watcher = visit("Wanda").goto("/")
    watcher.page.locator(".tables .row", has_text="Benedikt and Lena").wait_for()
    ben.ask("POST", f"/api/tables/{match}/start", {"bot": "greedy"})
    watcher.page.locator(".tables .row", has_text="Benedikt, Lena").get_by_role("link", name="Watch").wait_for()


def test_a_visitor_of_a_busy_server_is_told_so_and_let_in_later(visit: Invite) -> None:
    lena, asked = visit(), [0]

    def busy(route: Route) -> None:
        asked[0] += 1
        route.fulfill(status=503, body="no") if asked[0] <= 2 else route.continue_()

    lena.page.route("**/api/games", busy)
    lena.page.goto(lena.address)
    lena.page.get_by_text("The server is busy. Trying again…").wait_for()
    lena.page.wait_for_selector("[data-ready]")
    assert lena.page.get_by_text("The server is busy").count() == 0
    assert asked[0] == 3
    lena.complaints = [said for said in lena.complaints if "503" not in said]


def test_a_table_waits_for_a_busy_server_too(visit: Invite) -> None:
    lena, asked = visit(), [0]
    match = lena.table(QUICK, "me", "greedy")

    def busy(route: Route) -> None:
        asked[0] += 1
        route.fulfill(status=503, body="no") if asked[0] <= 1 else route.continue_()

    lena.page.route(f"**/api/tables/{match}", busy)
    lena.page.goto(f"{lena.address}/table/{match}")
    lena.page.get_by_text("The server is busy. Trying again…").wait_for()
    lena.page.wait_for_selector(".table[data-ready]")
    lena.complaints = [said for said in lena.complaints if "503" not in said]
