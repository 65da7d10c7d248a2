"""Whole matches in the browser: by mouse, by touch, by two people with an invitation, by keyboard alone."""

import random
from collections.abc import Callable

import pytest

from tests.browser.conftest import Invite
from tests.browser.games import GAMES, QUICK, SECRETS
from tests.browser.visitor import PHONE, Visitor


def at_random(seed: int = 0) -> Callable[[list[str]], str]:
    return random.Random(seed).choice


@pytest.mark.parametrize("game", GAMES)
def test_a_match_on_the_server_is_played_by_mouse_from_the_dialog_to_the_results(visit: Invite, game: str) -> None:
    lena = visit()
    match = lena.play_by_the_clock(game)
    choose = at_random()
    while lena.my_turn():
        lena.act(choose)
    lena.page.wait_for_timeout(300)
    lena.picture(f"results-{game}-wide-dark")
    result = lena.ask("GET", f"/api/tables/{match}")["result"]
    shown = lena.page.locator("dialog tr.sum td").all_inner_texts()
    assert sorted(shown) == sorted(str(score).replace("-", "−") for score in result["scores"])


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_on_a_phone_by_touch(visit: Invite, game: str) -> None:
    lena = visit(size=PHONE)
    match = lena.table(game, "me", "greedy")
    lena.sit(match)
    choose = at_random()
    while lena.my_turn():
        lena.act(choose)
    assert lena.over
    assert lena.ask("GET", f"/api/tables/{match}")["result"] is not None


def test_two_people_and_a_bot_play_by_an_invitation_with_a_reload_and_a_spectator(visit: Invite) -> None:
    ada = visit("Ada").goto(f"/?new={SECRETS}")
    ada.page.get_by_role("button", name="3", exact=True).click()
    ada.page.get_by_label("Player 2").select_option("friend")
    ada.page.get_by_label("Player 3").select_option("bot")
    ada.page.get_by_role("button", name="Create table").click()
    link = ada.page.locator(".address").inner_text()
    ada.picture("waiting-wide-dark")

    ben = visit("Ben")
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Join").click()
    for person in (ada, ben):
        person.page.wait_for_selector(".table[data-ready]")
    assert "#" not in ben.page.url, "the secret stays in the address"

    eve = visit("Eve")
    eve.sit(ada.page.url.rsplit("/", 1)[-1])
    eve.picture(f"spectator-{SECRETS}-wide-dark")

    choose, reloaded = at_random(1), False
    while not (ada.over and ben.over):
        for person in (ada, ben):
            if person.legal() or person.page.locator("button.confirm:not([disabled])").count():
                person.act(choose)
        if not reloaded and ben.ply > 60:
            reloaded = _reload(ben)
        ada.page.wait_for_timeout(20)
    eve.wait(lambda: eve.over, "for the end")
    assert reloaded
    sums = [person.page.locator("dialog tr.sum td").all_inner_texts() for person in (ada, ben, eve)]
    assert sums[0] == sums[1] == sums[2]
    assert eve.page.locator("button.confirm").count() == 0, "a spectator is offered what only a player may do"


def _reload(ben: Visitor) -> bool:
    """In the middle of an unfinished turn, which is still there afterwards."""
    confirm = ben.page.locator("button.confirm:not([disabled])")
    if not ben.legal() or confirm.count():
        return False
    ben.act(at_random(2))
    ben.settle()
    before = ben.legal()
    if not _has_acted(ben) or not before:
        return False  # words chosen of an action that is not complete are forgotten
    ply = ben.ply
    ben.page.reload()
    ben.page.wait_for_selector(".table[data-ready]")
    ben.wait(lambda: ben.ply > ply or (_has_acted(ben) and set(before) <= set(ben.legal())), "for the unfinished turn")
    return True


def _has_acted(person: Visitor) -> bool:
    """One of the turn's two actions is done, and can be taken back."""
    return "One more action" in person.status()


def test_two_fingers_make_the_map_larger_on_a_small_phone_and_one_still_hits(visit: Invite) -> None:
    lena = visit(size=(360, 740))
    lena.sit(lena.table(SECRETS, "me", "greedy"))
    lena.my_turn()
    fingers = lena.context.new_cdp_session(lena.page)
    fingers.send("Input.synthesizePinchGesture", {"x": 180, "y": 350, "scaleFactor": 2.2})
    seen = lena.page.evaluate(LARGER)
    assert seen["scale"] > 2
    assert seen["side"] > 40, "a hex is not as large as a fingertip"
    before = lena.legal()
    lena.page.touchscreen.tap(seen["x"], seen["y"])
    lena.wait(lambda: lena.legal() != before or lena.target(seen["pick"]).get_attribute("data-state") == "picked", "it")


# A hex that may be chosen, in the middle of what is seen of the page: how large it is, and where.
LARGER = """() => {
  const { scale, offsetLeft, offsetTop, width, height } = visualViewport;
  const from = (box) => Math.hypot(box.x - offsetLeft - width / 2, box.y - offsetTop - height / 2);
  const [pick, box] = [...document.querySelectorAll('.map [data-pick][data-state=legal]')]
    .map(one => [one.dataset.pick, one.querySelector('.hit').getBoundingClientRect()])
    .sort((a, b) => from(a[1]) - from(b[1]))[0];
  const [x, y] = [box.x + box.width / 2 - offsetLeft, box.y + box.height / 2 - offsetTop];
  return { scale, pick, x, y, side: scale * Math.min(box.width, box.height) };
}"""


def test_a_match_alone_is_played_by_keyboard_alone(visit: Invite) -> None:
    lena = visit().goto("/")
    solo = lena.page.get_by_role("button", name="Solo")
    for _ in range(60):  # Tab reaches it
        if solo.evaluate("one => one === document.activeElement"):
            break
        lena.press("Tab")
    else:
        pytest.fail("Tab never reaches Solo")
    lena.press("Enter")
    lena.page.wait_for_selector(".table[data-ready]")
    _play_by_keys(lena)
    assert lena.page.locator("dialog .headline").inner_text().endswith("points")


@pytest.mark.parametrize("game", [QUICK, SECRETS])
def test_a_match_is_played_by_keyboard_alone(visit: Invite, game: str) -> None:
    lena = visit()
    lena.sit(lena.table(game, "me", "greedy"))
    _play_by_keys(lena)


def _play_by_keys(lena: Visitor) -> None:
    turns = 0
    while lena.my_turn():
        turns += 1
        if lena.page.locator("button.confirm:not([disabled])").count():
            before = lena.ply
            lena.press("c")
            lena.wait(lambda was=before: lena.ply > was or lena.over, "for C to confirm")  # type: ignore[misc]
            continue
        _choose_by_keys(lena, turns)


def _choose_by_keys(lena: Visitor, turn: int) -> None:
    """Arrows go to something that glows, with a ring that can be seen; Enter takes it."""
    on_target = "() => document.activeElement.matches('[data-pick][data-state=legal]:focus-visible')"
    keys = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]
    for key in (keys[turn % 4 :] + keys) * 3:
        lena.press(key)
        if lena.page.evaluate(on_target):
            break
    assert lena.page.evaluate(on_target), f"the arrow keys find none of {lena.legal()}"
    lena.rest()  # what the focus is on is previewed, and keeps the focus
    assert lena.page.evaluate(on_target), f"the focus is lost: {lena.evidence()}"
    before = lena._mark()
    lena.press("Enter")
    lena.wait(lambda: lena._mark() != before or lena.over, "for Enter to choose")
