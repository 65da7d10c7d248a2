"""Learning by playing: each game's first match, done as it asks."""

import pytest

from tests.browser.conftest import Invite
from tests.browser.games import GAMES
from tests.browser.visitor import PHONE, WIDE, Visitor


@pytest.mark.parametrize("size", [WIDE, PHONE])
@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_followed_to_its_end(visit: Invite, game: str, size: tuple[int, int]) -> None:
    lena = visit(size=size).goto(f"/learn/{game}")
    texts: list[str] = []
    while not lena.page.get_by_role("button", name="Play a game").count():
        step = lena.page.locator("[data-step]")
        if step.count() and (not texts or step.inner_text() != texts[-1]):
            texts.append(step.inner_text())
        go_on(lena)
    assert len(texts) >= 8, "a lesson explains the game"
    lena.page.get_by_role("button", name="Play a game").click()
    lena.page.wait_for_selector(".table[data-ready]")


def go_on(lena: Visitor) -> None:
    """Next, or what glows; while the others act there is neither."""
    forward = lena.page.locator(".coach").get_by_role("button", name="Next")
    if forward.count():
        forward.click()
    elif picks := lena.legal():
        pointed_at(lena)
        before = lena._mark()
        lena.click(picks[0])
        lena.wait(lambda: lena._mark() != before, "for the lesson to go on")
    else:
        lena.page.wait_for_timeout(100)


def pointed_at(lena: Visitor) -> None:
    """Whatever a step points at is on the screen."""
    width, height = lena.size
    for x, y in lena.page.locator("[data-spotlight]").evaluate_all("all => all.map(r => [r.offsetLeft, r.offsetTop])"):
        assert -20 <= x <= width, x
        assert -20 <= y <= height, y


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_found_by_their_words(visit: Invite, game: str) -> None:
    lena = visit().goto(f"/rules/{game}")
    sections = lena.page.locator(".rules section:visible")
    sections.first.wait_for()
    everything = sections.count()
    lena.page.get_by_role("searchbox").fill("win")
    lena.wait(lambda: 0 < sections.count() < everything, "for fewer sections")
    lena.page.get_by_role("searchbox").fill("zebra crossing")
    lena.wait(lambda: sections.count() == 0, "for none")
