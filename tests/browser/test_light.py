"""How much a table asks of a slow line and of a small machine."""

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import Response

from tests.browser.conftest import Invite
from tests.browser.games import GAMES

LIMIT = 150_000  # bytes, compressed
LOCAL_LIMIT = 175_000  # with the rules and the bots in the page
SOURCE = Path(__file__).parents[2] / "client" / "src"


@pytest.mark.parametrize("game", GAMES)
def test_the_first_load_of_a_table_is_small(visit: Invite, game: str) -> None:
    lena = visit()
    loaded: dict[str, Response] = {}

    def keep(response: Response) -> None:
        if response.request.resource_type != "websocket":
            loaded[response.url] = response

    match = lena.table(game, "me", "greedy")
    lena.page.on("response", keep)
    lena.sit(match)
    lena.page.wait_for_load_state("networkidle")
    sizes = {url: len(gzip.compress(response.body())) for url, response in list(loaded.items())}  # more may come
    assert sum(sizes.values()) < LIMIT, sizes
    elsewhere = [url for url in sizes if not url.startswith(lena.address)]
    assert elsewhere == []


@pytest.mark.parametrize("game", GAMES)
def test_the_first_load_of_a_table_in_the_page_is_small_with_its_rules(visit: Invite, game: str) -> None:
    """In the language that says most. What the browser keeps for later is fetched afterwards, and by the service
    worker."""
    lena = visit(language=heaviest_language(game))
    lena.play_now(game)
    address = lena.page.url
    lena.page.close()
    lena.page = lena.context.new_page()
    loaded: dict[str, Response] = {}
    lena.page.on("response", lambda response: loaded.update({response.url: response}))
    lena.page.goto(address)
    lena.my_turn()
    lena.wait(lambda: any("/worker-" in url for url in loaded), "for the workers")
    playable = dict(loaded)
    assert lena.page.evaluate("!performance.getEntriesByType('resource').some(one => one.name.includes('/sw.js'))")
    sizes = {url: len(gzip.compress(response.body())) for url, response in playable.items()}
    assert any(url.endswith(".wasm") for url in sizes)
    assert sum(sizes.values()) < LOCAL_LIMIT, sizes


def heaviest_language(game: str) -> str:
    said: dict[str, int] = {}
    for folder in (SOURCE / "i18n", SOURCE / "games" / game.replace("-", "_")):
        for file in (folder / "messages").glob("*.ts"):
            said[file.stem] = said.get(file.stem, 0) + len(gzip.compress(file.read_bytes()))
    assert len(said) > 1
    return max(said, key=said.__getitem__)


def test_the_service_worker_begins_when_a_table_is_there_and_nothing_more_is_loaded(visit: Invite) -> None:
    lena = visit()
    asked: list[str] = []
    match = lena.table(GAMES[0], "me", "greedy")
    lena.context.on("request", lambda request: asked.append("worker" if request.service_worker else request.url))
    lena.sit(match)
    assert not any(url == "worker" or "sw.js" in url for url in asked)
    lena.wait(lambda: lena.page.evaluate("!!navigator.serviceWorker.controller"), "for the pages to be kept")


def test_tables_leave_nothing_behind(visit: Invite) -> None:
    """Going from table to table in one tab, nodes and listeners do not pile up."""
    lena = visit()
    matches = [lena.table(game, "me", "greedy") for game in GAMES]
    lena.page.goto(lena.address)
    session = lena.context.new_cdp_session(lena.page)

    def go(path: str, shows: str) -> None:
        leave = "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }"
        lena.page.evaluate(leave, path)
        lena.page.locator(shows).wait_for()  # not wait_for_selector, which would hold the element

    def count() -> tuple[int, int]:
        for match in matches:
            go(f"/table/{match}", ".table[data-ready]")
            go("/", "main.games")
        lena.page.wait_for_timeout(500)  # what the last page still awaited has come
        session.send("HeapProfiler.collectGarbage")
        found = session.send("Memory.getDOMCounters")
        return found["nodes"], found["jsEventListeners"]

    count()
    before = count()
    after = [count() for _ in range(3)][-1]
    assert after[0] <= before[0] + 100, (before, after)
    assert after[1] <= before[1] + 10, (before, after)


@pytest.mark.parametrize("where", ["home", *GAMES])
def test_where_nothing_happens_the_page_rests(visit: Invite, where: str) -> None:
    """What never ends moves in steps, a few a second: smoothly it would have every frame composed."""
    lena = visit(motion="full")
    if where == "home":
        lena.goto("/")
    else:
        lena.sit(lena.table(where, "me", "greedy"))
        lena.my_turn()
    endless = lena.page.evaluate(ENDLESS)
    assert endless, "stars shimmer and mist drifts"
    assert [pace for pace in endless if pace is None or pace > 5] == []


# Of each animation that never ends, how many times a second it changes something.
ENDLESS = """() => document.getAnimations().map(one => one.effect)
  .filter(one => one.getTiming().iterations === Infinity)
  .map(one => {
    const steps = one.getKeyframes()[0].easing.match(/^steps\\((\\d+)/);
    return steps && steps[1] / one.getTiming().duration * 1000;
  })"""
