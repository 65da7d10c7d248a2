"""How much a table asks of a slow line and of a small machine."""

import gzip

import pytest

from tests.browser.conftest import Invite

LIMIT = 150_000  # bytes, compressed


@pytest.mark.parametrize("game", ["moon-leap", "nova-luna", "via-nebula"])
def test_the_first_load_of_a_table_is_small(visit: Invite, game: str) -> None:
    lena, loaded = visit(), {}
    match = lena.table(game, "me", "greedy")
    lena.page.on("response", lambda r: loaded.__setitem__(r.url, r) if r.request.resource_type != "websocket" else None)
    lena.sit(match)
    lena.page.wait_for_load_state("networkidle")
    sizes = {url: len(gzip.compress(response.body())) for url, response in loaded.items()}
    assert sum(sizes.values()) < LIMIT, sizes
    elsewhere = [url for url in sizes if not url.startswith(lena.address)]
    assert elsewhere == []


def test_tables_leave_nothing_behind(visit: Invite) -> None:
    """Going from table to table in one tab, nodes and listeners do not pile up."""
    lena = visit()
    matches = [lena.table(game, "me", "greedy") for game in ("moon-leap", "nova-luna", "via-nebula")]
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


@pytest.mark.parametrize("where", ["home", "moon-leap", "nova-luna", "via-nebula"])
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
