"""Parts of the page that come later: they are there when they are wanted, or it is said what to do."""

from tests.browser.conftest import Invite
from tests.browser.games import QUICK, SECRETS, TILES
from tests.browser.visitor import Visitor

FETCHED = "part => performance.getEntriesByType('resource').some(one => one.name.includes(part))"


def test_what_a_table_begins_without_opens_without_a_line(visit: Invite) -> None:
    """Even where no service worker keeps the pages, as on plain http."""
    lena = visit()
    lena.context.add_init_script("delete Navigator.prototype.serviceWorker")
    lena.play_now(SECRETS)
    lena.my_turn()
    for part in ("/SeatSheet-", "/ContractsSheet-", "/Menu-", "/Rules-"):
        assert not lena.page.evaluate(FETCHED, part), "it was loaded with the table"
    lena.wait(lambda: lena.page.evaluate(FETCHED, "/Rules-"), "for what comes last")
    lena.context.set_offline(True)
    lena.page.locator(".guild .open").first.click()
    lena.page.locator("dialog h3").first.wait_for()
    lena.press("Escape", "r")
    lena.page.locator("dialog .rules section").first.wait_for()
    lena.press("Escape", "?")
    lena.page.get_by_role("button", name="Resign").wait_for()


def test_a_part_that_cannot_be_loaded_is_told_of(visit: Invite) -> None:
    lena = visit()
    lena.play_now(QUICK)
    lena.my_turn()
    lena.context.route("**/Menu-*.js", lambda route: route.abort())
    lena.press("?")
    said_to_be_missing(lena)


def test_so_is_a_page_that_cannot_be_loaded(visit: Invite) -> None:
    lena = visit().goto("/")
    lena.context.route("**/RulesPage-*.js", lambda route: route.abort())
    lena.page.get_by_role("link", name=f"Rules: {TILES.replace('-', ' ').title()}").click()
    said_to_be_missing(lena)


def said_to_be_missing(lena: Visitor) -> None:
    lena.page.get_by_text("Part of the page couldn’t be loaded").wait_for()
    lena.page.get_by_role("button").last.wait_for()
    lena.complaints = [said for said in lena.complaints if "ERR_FAILED" not in said]
