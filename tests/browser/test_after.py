"""After the match: replay, review, the dice, a rematch against bots; and the deal of the day."""

from playwright.sync_api import Route

from tests.browser.conftest import Invite
from tests.browser.games import QUICK, TILES
from tests.browser.visitor import Visitor


def test_a_replay_goes_forwards_and_backwards_by_keys_and_scrubber(visit: Invite) -> None:
    lena = visit()
    match = lena.table(QUICK, "me", "greedy")
    lena.finish(match)
    lena.goto(f"/table/{match}/replay")
    count = lena.page.locator(".controls .count")
    last = int(count.inner_text().split("/")[1])
    lena.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert count.inner_text().startswith("1 /")
    lena.press("End")
    assert count.inner_text() == f"{last} / {last}"
    lena.press("ArrowUp")
    assert int(count.inner_text().split("/")[0]) < last
    lena.page.locator("input[type=range]").fill("10")
    assert count.inner_text().startswith("10 /")
    lena.page.get_by_label("Speed").select_option("4")
    lena.press("Space")
    lena.wait(lambda: int(count.inner_text().split("/")[0]) > 12, "for the replay to play")


def test_a_review_draws_the_curve_and_names_better_actions(visit: Invite) -> None:
    lena = visit()
    match = lena.table(QUICK, "me", "greedy")
    lena.finish(match)
    lena.goto(f"/table/{match}/replay?ply=60")
    lena.page.get_by_role("button", name="Review this game").click()
    lena.page.get_by_role("img", name="Win chance").wait_for()
    lena.page.locator(".remark p").first.wait_for()
    lena.picture("review-wide-dark")


def test_a_review_goes_from_one_of_my_mistakes_to_the_next(visit: Invite) -> None:
    lena = visit()
    match = lena.table(TILES, "me", "greedy")
    lena.finish(match)  # at random, and a tile each turn: there are many
    lena.goto(f"/table/{match}/replay")
    lena.page.get_by_role("button", name="Review this game").click()
    lena.page.get_by_role("button", name="Next mistake").click()
    at = [lena.page.locator(".controls .count").inner_text()]
    assert lena.page.locator(".remark .bad").count() == 1
    assert lena.page.locator(".remark").inner_text().startswith("Lena")
    lena.page.get_by_role("button", name="Next mistake").click()
    at.append(lena.page.locator(".controls .count").inner_text())
    lena.page.get_by_role("button", name="Previous mistake").click()
    at.append(lena.page.locator(".controls .count").inner_text())
    assert at[0] == at[2] != at[1]


def test_every_roll_is_done_again_in_the_browser(visit: Invite) -> None:
    lena = visit()
    match = lena.table(QUICK, "me", "greedy")
    lena.finish(match)
    lena.goto(f"/table/{match}/dice")
    assert lena.page.locator(".verdict").count() == 2
    assert lena.page.locator(".bad").count() == 0
    rolls = lena.ask("GET", f"/api/tables/{match}/dice")["rolls"]
    assert lena.page.locator("tbody tr").count() == len(rolls) > 20


def test_a_changed_roll_is_found(visit: Invite) -> None:
    lena = visit()
    match = lena.table(QUICK, "me", "greedy")
    lena.finish(match)
    true = lena.ask("GET", f"/api/tables/{match}/dice")
    wrong = next(outcome for outcome in true["rolls"][3]["outcomes"] if outcome != true["rolls"][3]["outcome"])
    true["rolls"][3]["outcome"] = wrong
    lena.page.route(
        "**/dice", lambda route: route.fulfill(json=true) if "/api/" in route.request.url else route.continue_()
    )
    lena.goto(f"/table/{match}/dice")
    lena.page.get_by_text("1 roll is wrong").wait_for()


def test_a_rematch_against_bots_begins_at_once(visit: Invite) -> None:
    lena = visit()
    match = lena.table(QUICK, "me", "greedy")
    lena.finish(match)
    lena.sit(match)
    lena.page.get_by_role("button", name="Rematch").click()
    lena.page.wait_for_url(lambda url: "/table/" in url and match not in url)
    lena.page.wait_for_selector(".table[data-ready]")
    assert lena.ply < 5


def test_a_match_file_can_be_taken_home(visit: Invite) -> None:
    lena = visit()
    match = lena.table(QUICK, "me", "greedy")
    lena.finish(match)
    lena.sit(match)
    with lena.page.expect_download() as download:
        lena.page.get_by_role("link", name="Download game").click()
    assert download.value.path().read_text().startswith(f"game: {QUICK}")


def test_who_gives_up_is_told_how_it_ended(visit: Invite) -> None:
    lena = visit()
    lena.sit(lena.table(QUICK, "me", "greedy"))
    lena.press("?")
    lena.page.get_by_role("button", name="Resign").click()
    lena.page.get_by_role("button", name="Resign").click()
    lena.page.get_by_text("Lena resigned.").wait_for()


def play_the_deal(lena: Visitor) -> None:
    lena.goto(f"/daily/{TILES}").page.get_by_role("button", name="Play today’s challenge").click()
    lena.page.wait_for_selector(".table[data-ready]")
    lena.finish(lena.page.url.rsplit("/", 1)[-1])


def test_who_is_new_plays_the_deal_of_the_day_and_is_told_why_it_does_not_count(visit: Invite) -> None:
    lena = visit()
    play_the_deal(lena)
    lena.goto(f"/daily/{TILES}")
    lena.page.get_by_text("Your result:").wait_for()
    lena.page.get_by_text("Your attempt isn’t ranked because you’re new here").wait_for()
    lena.page.get_by_role("heading", name="How the ranking works").wait_for()
    assert lena.page.locator("tr.me").count() == 0


def test_a_ranked_attempt_stands_in_the_ranking(visit: Invite) -> None:
    lena = visit()
    play_the_deal(lena)

    def rank(route: Route) -> None:
        deal = route.fetch().json()
        mine = {"rank": 1, "name": "Lena", "score": deal["score"], "mine": True}
        route.fulfill(json=deal | {"unranked": None, "ranking": [mine], "finished": 1})

    lena.page.route(f"**/api/daily/{TILES}", rank)
    lena.goto(f"/daily/{TILES}")
    lena.page.locator("tr.me", has_text="Lena").wait_for()
    assert lena.page.get_by_text("isn’t ranked").count() == 0
    lena.picture("daily-ranked-wide-dark")
