"""Lost connections, restarted servers, refused actions, several tabs: the board is never wrong, and comes back."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute

from tests.browser.conftest import Invite
from tests.browser.games import QUICK, SECRETS, TILES
from tests.browser.visitor import CONFIRM
from tests.server.running import Process


def first(picks: list[str]) -> str:
    return picks[0]


def test_a_restarted_server_is_said_and_the_match_goes_on_by_itself(visit: Invite, tmp_path: Path) -> None:
    settings = {"PLENILUNE_LIMITS": "off", "PLENILUNE_BOT_PAUSE": "0"}
    server = Process("--data", str(tmp_path), **settings)
    lena = visit(address=server.address)
    lena.sit(lena.table(TILES, "me", "greedy"))
    lena.my_turn()
    lena.act(first)  # an unfinished turn
    port, before = server.address.rsplit(":", 1)[-1], lena.legal()
    server.kill()
    lena.page.get_by_text("Connection lost").wait_for()
    server = Process("--data", str(tmp_path), "--port", port, **settings)
    lena.page.get_by_text("Reconnected.").wait_for()
    assert lena.legal() == before, "the unfinished turn is gone"
    ply = lena.ply
    while lena.ply == ply and lena.my_turn():
        lena.act(first)
    assert lena.ply > ply
    server.stop()
    lena.complaints = [said for said in lena.complaints if "ERR_CONNECTION_RE" not in said and "WebSocket" not in said]


def test_what_was_played_while_the_line_was_dead_is_played_once(visit: Invite) -> None:
    lena, dead = visit(), [False]
    sockets: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        sockets.append(route)
        route.on_message(lambda message: None if dead[0] else server.send(message))
        server.on_message(lambda message: None if dead[0] else route.send(message))

    lena.page.route_web_socket("**/live*", through)
    match = lena.table(QUICK, "me", "greedy")
    lena.sit(match)
    lena.my_turn()
    lena.act(first)
    before = lena.ply
    dead[0] = True
    lena.page.locator("button.confirm").click()
    lena.page.wait_for_timeout(200)
    dead[0] = False
    sockets[-1].close()
    lena.wait(lambda: lena.ply > before, "for the action to be played after all")
    log = lena.ask("GET", f"/api/tables/{match}/state")["log"]
    assert len([entry for entry in log if entry["ply"] == before]) == 1


def test_an_update_that_does_not_go_on_from_what_is_known_is_never_shown(visit: Invite) -> None:
    """A board whose hash does not fit is fetched again."""
    lena, spoiled, asked = visit(), [0], [0]

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def say(message: Any) -> None:
            asked[0] += json.loads(message)["kind"] == "resync"
            server.send(message)

        def tell(message: Any) -> None:
            told = json.loads(message)
            if told["kind"] == "update" and told["base"] is not None and spoiled[0] < 2:
                spoiled[0] += 1
                told["base_hash"] = "0000000000000000"
                told["view"] = {"pawns": []}
            route.send(json.dumps(told))

        route.on_message(say)
        server.on_message(tell)

    lena.page.route_web_socket("**/live*", through)
    match = lena.table(QUICK, "me", "greedy")
    lena.sit(match)
    for _ in range(3):
        ply = lena.ply
        while lena.ply == ply and lena.my_turn():
            lena.act(first)
    assert spoiled[0] == 2
    assert asked[0] >= 1
    state = lena.ask("GET", f"/api/tables/{match}/state")
    lena.wait(lambda: lena.ply == state["ply"], "for the true board")
    assert lena.page.locator(".board [data-piece]").count() >= 10


def test_two_tabs_of_one_seat_agree(visit: Invite) -> None:
    lena = visit()
    match = lena.table(TILES, "me", "greedy")
    lena.sit(match)
    second = lena.context.new_page()
    second.goto(f"{lena.address}/table/{match}")
    second.wait_for_selector(".table[data-ready]")
    lena.my_turn()
    for _ in range(2):
        ply = lena.ply
        while lena.ply == ply and lena.my_turn():
            lena.act(first)
        lena.my_turn()
        lena.wait(lambda: second.locator(".table").get_attribute("data-ply") == str(lena.ply), "for the other tab")
    shown = "all => all.map(one => one.dataset.piece + one.style.transform).sort()"
    pieces = [page.locator(".board [data-piece]").evaluate_all(shown) for page in (lena.page, second)]
    assert pieces[0] == pieces[1]


def test_a_turn_that_was_overtaken_is_no_longer_offered(visit: Invite) -> None:
    lena = visit()
    match = lena.table(TILES, "me", "me")
    lena.sit(match)
    lena.my_turn()
    while not lena.page.locator("button.confirm:not([disabled])").count():
        lena.act(first)
    state = lena.ask("GET", f"/api/tables/{match}/state?viewer=0")
    legal = state["legal"] or lena.ask("GET", f"/api/tables/{match}/state?viewer=1")["legal"]
    play = {"kind": "play", "id": "elsewhere", "ply": state["ply"], "actions": legal[:1]}
    lena.ask("POST", f"/api/tables/{match}/play", play)
    lena.wait(lambda: lena.ply > state["ply"], "for what was played elsewhere")
    assert not lena.page.locator("button.confirm:not([disabled])").count(), "an old turn is still offered"


def test_people_at_one_screen_see_only_their_own_cards(visit: Invite) -> None:
    lena = visit()
    lena.sit(lena.table(SECRETS, "me", "me"))
    page = lena.page
    for _ in range(3):
        lift = page.get_by_role("dialog").get_by_role("button")
        lift.wait_for()
        page.wait_for_timeout(100)
        lena.picture("curtain-wide-dark")
        assert page.locator(".board [data-pick][data-state=legal]").count() == 0, "the curtain hides nothing"
        lift.click()
        lena.my_turn()
        ply = lena.ply
        while lena.ply == ply:
            lena.act(first)


def test_the_reason_is_said_when_something_cannot_be_done(visit: Invite) -> None:
    lena = visit()
    lena.sit(lena.table(TILES, "me", "greedy"))
    lena.my_turn()
    lena.page.locator('.board [data-pick][data-state="no"]').first.click(force=True)
    lena.page.locator(".status.notice").wait_for()
    assert len(lena.status()) > 10


def test_the_reason_names_its_rule_and_opens_it(visit: Invite) -> None:
    lena = visit()
    lena.sit(lena.table(TILES, "me", "greedy"))
    lena.my_turn()
    lena.page.locator('.board [data-pick][data-state="no"]').first.click(force=True)
    rule = lena.page.get_by_role("button", name=re.compile(r"^Rule \d"))
    number = rule.inner_text().removeprefix("Rule ")
    rule.click()
    cited = lena.page.locator("dialog .cited")
    cited.wait_for()
    assert number in str(cited.get_attribute("data-rules")).split(" ")
    assert cited.evaluate("one => one === document.activeElement")


@pytest.mark.parametrize("where", ["on the server", "in the page"])
def test_a_hint_compares_a_whole_turn_with_the_bots(visit: Invite, where: str) -> None:
    """Of a game in which chance plays after every turn: elsewhere the next turn may be one's own, and get the hint."""
    lena = visit()
    if where == "in the page":
        lena.play_now(QUICK)
    else:
        lena.sit(lena.table(QUICK, "me", "greedy"))
    lena.my_turn()
    while not lena.page.locator(CONFIRM).count():
        lena.act(first)
    lena.settle()
    lena.press("h")
    hint = lena.page.locator(".hint")
    hint.wait_for()
    lena.wait(lambda: "Win chance with this turn:" in hint.inner_text(), "for the comparison")
    assert lena.page.locator(CONFIRM).count(), "the turn is still to be confirmed"


def test_undo_redo_and_reset_belong_to_the_unfinished_turn(visit: Invite) -> None:
    lena = visit()
    lena.sit(lena.table(TILES, "me", "greedy"))
    lena.my_turn()
    beginning = lena.legal()
    lena.act(first)
    middle = lena.legal()
    lena.act(first)
    lena.press("u")
    assert lena.legal() == middle
    lena.press("y")
    lena.page.locator("button.confirm:not([disabled])").wait_for()
    lena.page.get_by_role("button", name="Restart turn").click()
    assert lena.legal() == beginning


def test_confirm_is_asked_as_often_as_one_wishes(visit: Invite) -> None:
    lena = visit(confirm="never")
    lena.sit(lena.table(TILES, "me", "greedy"))
    lena.my_turn()
    ply = lena.ply
    lena.act(first)
    lena.click(lena.legal()[0])
    lena.wait(lambda: lena.ply > ply, "for a turn without confirmation")


def test_a_hint_comes_and_can_be_followed(visit: Invite) -> None:
    lena = visit()
    lena.sit(lena.table(TILES, "me", "greedy"))
    lena.my_turn()
    before = lena.legal()
    lena.press("h")
    lena.page.get_by_role("button", name="Play it").click()
    lena.wait(lambda: lena.legal() != before, "for the hint to be followed")


def test_a_hint_goes_on_through_the_turn(visit: Invite) -> None:
    lena = visit()
    lena.sit(lena.table(SECRETS, "me", "greedy"))
    lena.my_turn()
    lena.press("h")
    hint, follow = lena.page.locator(".hint"), lena.page.get_by_role("button", name="Play it")
    follow.wait_for()
    lena.wait(lambda: "thinking" not in hint.inner_text(), "for the bot to have thought")
    follow.click()
    lena.wait(lambda: "One more action" in lena.status(), "for the first of two actions")
    follow.click()
    lena.page.wait_for_selector(CONFIRM)
    assert follow.count() == 0


def test_a_hint_in_the_middle_of_a_turn_is_for_what_comes_next(visit: Invite) -> None:
    lena = visit()
    lena.sit(lena.table(TILES, "me", "greedy"))
    lena.my_turn()
    lena.act(first)  # takes a tile
    lena.press("h")
    lena.page.get_by_role("button", name="Play it").click()
    lena.page.wait_for_selector(CONFIRM)  # and lays it where the bot would


def test_a_visitor_who_waits_for_the_bots_is_told_so(visit: Invite) -> None:
    lena = visit()
    lena.page.route_web_socket("**/live*", slow_bots)
    lena.sit(lena.table(QUICK, "me", "greedy"))
    lena.page.get_by_text("the bots are getting ready").first.wait_for()


def slow_bots(socket: WebSocketRoute) -> None:
    """A server whose bots are not compiled yet, and whose match goes on when they are."""
    server = socket.connect_to_server()

    def told(message: str | bytes) -> None:
        said = json.loads(message)
        if "table" in said:
            said["table"]["bots_ready"] = False
        if said["kind"] == "update":
            said |= {"to_play": 1, "legal": []}
        socket.send(json.dumps(said))

    server.on_message(told)


def test_a_visitor_who_waits_for_a_game_to_be_compiled_is_told_so(visit: Invite) -> None:
    lena = visit().goto(f"/?new={QUICK}")
    lena.page.evaluate(SLOW)
    lena.page.get_by_label("Player 2").select_option("bot")
    lena.page.get_by_role("button", name="20 min each").click()
    lena.page.get_by_role("button", name="Create table").click()
    lena.page.get_by_text("preparing the rules").wait_for()
    lena.my_turn()
    assert lena.page.get_by_text("preparing the rules").count() == 0


# A table takes three seconds to be made.
SLOW = """() => { const ask = window.fetch; window.fetch = async (path, ...rest) => {
  if (String(path).endsWith('/api/tables')) await new Promise(done => setTimeout(done, 3000));
  return ask(path, ...rest);
} }"""


def test_chat_reaches_the_others_and_a_muted_one_is_not_heard(visit: Invite) -> None:
    ada, ben = visit("Ada"), visit("Ben")
    match = ada.table(QUICK, "me", "open")
    ben.introduce()
    ben.ask("POST", f"/api/tables/{match}/join", {})
    ada.sit(match)
    ben.sit(match)
    ben.press("l")
    ben.page.get_by_role("button", name="Chat", exact=True).click()
    ada.press("l")
    ada.page.get_by_role("button", name="Chat", exact=True).click()
    ada.page.get_by_label("Type a message").fill("Full moon tonight")
    ada.page.get_by_role("button", name="Send").click()
    ben.page.get_by_text("Full moon tonight").wait_for()
    ben.page.get_by_role("button", name="Mute Ada").click()
    ada.page.get_by_role("button", name="Well played!").click()
    ada.page.locator("dialog li", has_text="Well played!").wait_for()
    ben.page.wait_for_timeout(300)
    assert ben.page.locator("dialog li", has_text="Well played!").count() == 0


def test_who_ran_out_of_time_is_told_that_the_seat_is_lost(visit: Invite) -> None:
    lena, ben = visit(), visit("Ben")
    match = lena.table(QUICK, "me", "open", clock={"kind": "bank", "bank": 5})
    ben.introduce()
    ben.ask("POST", f"/api/tables/{match}/join")
    lena.sit(match)
    assert ":" in lena.page.locator('[role="timer"]').first.inner_text()
    lena.page.get_by_text("You ran out of time").wait_for()
    assert lena.page.get_by_role("button", name="Return to the game").count() == 0


def test_who_left_is_told_and_takes_the_seat_back(visit: Invite) -> None:
    lena, ben = visit(), visit("Ben")
    match = lena.table(QUICK, "me", "open")
    ben.introduce()
    ben.ask("POST", f"/api/tables/{match}/join")
    lena.sit(match)
    lena.ask("POST", f"/api/tables/{match}/leave")
    lena.page.get_by_text("You were away").wait_for()
    lena.page.get_by_role("button", name="Return to the game").click()
    lena.wait(lambda: lena.page.get_by_text("You were away").count() == 0, "for the seat")


def test_who_gave_up_is_offered_nothing_to_play(visit: Invite) -> None:
    lena, ben = visit(), visit("Ben")
    match = lena.table(QUICK, "me", "open", "greedy")
    ben.introduce()
    ben.ask("POST", f"/api/tables/{match}/join")
    lena.sit(match)
    lena.my_turn()
    lena.ask("POST", f"/api/tables/{match}/resign")
    lena.page.get_by_text("resigned").first.wait_for()
    ben.finish(match, 8)
    lena.wait(lambda: lena.ply >= 8, "for the others to play on")
    assert lena.legal() == []
    assert "Your turn" not in lena.status()
