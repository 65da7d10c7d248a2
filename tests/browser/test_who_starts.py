"""The host says who starts, before the table is made and while it waits."""

from typing import Any

from tests.browser.conftest import Invite
from tests.browser.games import SECRETS
from tests.browser.test_local import kept
from tests.browser.visitor import Visitor


def of_table(host: Visitor) -> Any:
    return host.ask("GET", f"/api/tables/{host.page.url.rsplit('/', 1)[-1]}")


def holders(host: Visitor) -> list[str]:
    return [seat["held_by"] for seat in of_table(host)["seats"]]


def test_seats_are_put_in_order_in_the_dialog_and_again_in_the_waiting_room(visit: Invite) -> None:
    ada = visit("Ada").goto(f"/?new={SECRETS}")
    dialog = ada.page.locator("dialog")
    assert dialog.get_by_role("button", name="Random", exact=True).get_attribute("aria-pressed") == "true"
    assert dialog.get_by_role("button", name="Move player").count() == 0
    dialog.get_by_role("button", name="3", exact=True).click()
    dialog.get_by_role("button", name="Seat order").click()
    dialog.locator("select").nth(1).select_option("bot")
    dialog.get_by_role("button", name="Move player 3 up").click()
    dialog.get_by_role("button", name="Move player 2 up").click()
    ada.picture("seat-order-dialog")
    dialog.get_by_role("button", name="Create table").click()
    ada.page.wait_for_selector("main .qr")
    table = of_table(ada)
    assert (holders(ada), table["mine"], table["seating"]) == (["bot", "person", "friend"], [1], "as_listed")

    ada.page.get_by_role("button", name="Move player 3 up").click()
    ada.wait(lambda: holders(ada) == ["bot", "friend", "person"], "for the friend to move up")
    ada.page.get_by_role("button", name="You", exact=True).click()
    ada.wait(lambda: holders(ada) == ["person", "bot", "friend"], "to start")
    ada.page.get_by_role("heading", name="Invite link for player 3").wait_for()
    ada.picture("seat-order-waiting")
    ada.page.get_by_role("button", name="Random", exact=True).click()
    ada.page.get_by_text("Seats and turn order are drawn at random").wait_for()
    ada.page.get_by_role("button", name="Seat order").click()
    ada.page.get_by_role("button", name="Move player 3 up").click()
    ada.page.get_by_role("heading", name="Invite link for player 2").wait_for()

    ben = visit("Ben")
    ben.page.goto(ada.page.locator(".address").inner_text())
    ben.page.locator("form").get_by_role("button", name="Join").click()
    for person in (ada, ben):
        person.page.wait_for_selector(".board")
    assert [seat["bot"] or seat["name"] for seat in of_table(ada)["seats"]] == ["Ada", "Ben", "casual"]


def test_who_is_first_in_the_list_starts_a_match_in_the_page(visit: Invite) -> None:
    lena = visit().goto(f"/?new={SECRETS}")
    dialog = lena.page.locator("dialog")
    dialog.locator("select").first.select_option("bot")
    dialog.get_by_role("button", name="Seat order").click()
    dialog.get_by_role("button", name="Move player 2 up").click()
    dialog.get_by_role("button", name="Create table").click()
    lena.page.wait_for_selector(".table[data-ready]")
    row = kept(lena.page, lena.page.url.rsplit("/", 1)[-1])["row"]
    assert ([seat["person"] for seat in row["seats"]], row["seating"]) == ([False, True], "as_listed")
