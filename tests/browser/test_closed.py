"""A table that an operator has closed: it is over, and nobody has won."""

from pathlib import Path

from tests.browser.conftest import Invite
from tests.browser.games import QUICK
from tests.server.operating import Operator, registered
from tests.server.running import Process

SENTENCE = "The moderators closed this table. The game has no result."


def test_a_closed_table_says_so_and_names_no_winner(visit: Invite, tmp_path: Path) -> None:
    process = Process("--data", str(tmp_path), PLENILUNE_LIMITS="off", PLENILUNE_BOT_PAUSE="0", PLENILUNE_GAMES="")
    operator = Operator(process.address, registered("Olga", "--data", str(tmp_path)))
    lena = visit(address=process.address)
    match = lena.table(QUICK, "me", "greedy")
    lena.sit(match).my_turn()
    operator.admin("POST", f"tables/{match}/close", {"note": "spam"})
    lena.page.wait_for_selector("dialog .headline")
    assert lena.page.locator("dialog .headline").inner_text() == SENTENCE
    assert lena.page.locator("dialog .won").count() == 0
    assert lena.page.get_by_role("button", name="Rematch").count() == 0
    lena.picture("closed-wide-dark")
    operator.close()
    process.stop()
