"""The pages on a host that only has files, from a folder within a folder: played, installed, without a network."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Invite
from tests.browser.games import GAMES, QUICK, SECRETS, TILES
from tests.browser.hosts import Host
from tests.browser.visitor import PHONE, Visitor

SERVED = "navigator.serviceWorker?.controller?.state === 'activated'"
STORES = "caches.keys()"
STORED = """async () => {
  const stores = await Promise.all((await caches.keys()).map(name => caches.open(name)));
  return (await Promise.all(stores.map(store => store.keys()))).flat().map(one => one.url);
}"""
# What has become of a new version, once the browser has looked for one.
LOOK = "async () => { await (await navigator.serviceWorker.ready).update() }"
INSTALLING, WAITING = (
    f"navigator.serviceWorker.ready.then(one => !!one.{state})" for state in ("installing", "waiting")
)
MOTTO = "document.documentElement.dataset.motto"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    made = Host(tmp_path)
    yield made
    made.stop()


def kept(lena: Visitor) -> None:
    """Wait until the pages are kept in this browser, and come from there."""
    lena.wait(lambda: lena.page.evaluate(SERVED), "for the pages to be kept")


def test_the_pages_are_addressed_behind_the_hash_and_their_links_work_in_a_tab_of_their_own(
    visit: Invite, host: Host
) -> None:
    lena = visit(address=host.address)
    lena.goto(f"/#/rules/{QUICK}")
    home = lena.page.get_by_role("link", name="Home").first
    assert home.get_attribute("href") == "#/"
    lesson = lena.page.get_by_role("link", name="Learn").first
    with lena.context.expect_page() as opened:
        lesson.click(modifiers=["Control"])
    assert opened.value.url == f"{host.address}/#/learn/{QUICK}"
    opened.value.close()
    lena.page.goto(f"{host.address}/#/rules/%zz")
    lena.page.get_by_text("This page doesn’t exist.").wait_for()


def test_nothing_comes_from_elsewhere_or_from_above_the_folder(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    asked: list[str] = []
    lena.context.on("request", lambda request: asked.append(request.url))
    lena.goto(f"/index.html?theme=light#/rules/{TILES}")
    kept(lena)
    assert [url for url in asked if not url.startswith(host.address + "/")] == []
    assert lena.page.evaluate("document.documentElement.dataset.theme") == "light"


def test_after_the_first_visit_the_pages_open_without_a_network(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    lena.goto(f"/#/rules/{SECRETS}")
    kept(lena)
    host.stop()
    try:
        lena.goto(f"/?language=nl#/rules/{QUICK}")  # a page, a language and a game that were never visited
        assert lena.page.locator("html").get_attribute("lang") == "nl"
        missing = lena.page.evaluate("fetch('nothing.js').then(() => false, () => true)")
        assert missing, "the network is off"
    finally:
        host.start(host.port)
        lena.complaints.clear()  # what was asked for in vain


def test_a_new_version_waits_until_the_old_one_is_left(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    lena.goto(f"/#/rules/{QUICK}")
    kept(lena)
    (before,) = lena.page.evaluate(STORES)
    host.release("the second version")
    lena.page.evaluate(LOOK)
    lena.wait(lambda: lena.page.evaluate(WAITING), "for the new version")
    assert len(lena.page.evaluate(STORES)) == 2, "it is there, beside the one in use"
    lena.page.reload()
    lena.page.wait_for_selector("[data-ready]")
    assert lena.page.evaluate(MOTTO) != "the second version", "a page that was open goes on as it was"
    lena.wait(lambda: opened_with(lena, host, MOTTO) == "the second version", "for the new version")
    assert before not in lena.page.evaluate(STORES)
    assert len(lena.page.evaluate(STORES)) == 1


def test_a_new_version_does_not_touch_a_match_that_is_being_played(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    id = lena.play_now(QUICK)
    kept(lena)
    host.release("the second version")
    lena.page.evaluate(LOOK)
    lena.wait(lambda: lena.page.evaluate(WAITING), "for the new version")
    before = lena.ply
    while lena.ply < before + 6:
        lena.my_turn()
        lena.act(lambda picks: picks[0])
    assert len(lena.page.evaluate(STORES)) == 2, "the version in use is gone"
    lena.page.reload()
    lena.page.wait_for_selector(".table[data-ready]")
    assert lena.page.evaluate(MOTTO) != "the second version", "the match goes on with another version"
    lena.wait(lambda: opened_with(lena, host, MOTTO) == "the second version", "for the new version")
    lena.goto(f"/#/table/{id}")
    assert lena.ply >= before + 6
    lena.my_turn()


def opened_with(lena: Visitor, host: Host, what: str) -> Any:
    """At the next start."""
    lena.page.goto(host.above)
    lena.goto(f"/#/rules/{QUICK}")
    return lena.page.evaluate(what)


def test_a_version_that_cannot_be_fetched_whole_leaves_the_old_one_in_use(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    lena.goto(f"/#/rules/{QUICK}")
    kept(lena)
    host.release("the broken version")
    (host.pages / "theme.js").unlink()
    lena.page.evaluate(LOOK)
    lena.wait(lambda: not lena.page.evaluate(INSTALLING), "for the attempt to end")
    assert not lena.page.evaluate(WAITING)
    assert opened_with(lena, host, MOTTO) != "the broken version"


def test_it_can_be_installed(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    lena.goto(f"/#/rules/{QUICK}")
    kept(lena)
    session = lena.context.new_cdp_session(lena.page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert {"name", "short_name", "start_url", "scope", "icons", "display"} <= manifest.keys()
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],
    )
    sizes = lena.page.evaluate(ICONS, [icon["src"] for icon in manifest["icons"] if icon["src"].endswith(".png")])
    assert sizes == [[192, 192], [512, 512], [512, 512]]


ICONS = """paths => Promise.all(paths.map(async path => {
  const picture = new Image();
  picture.src = path;
  await picture.decode();
  return [picture.naturalWidth, picture.naturalHeight];
}))"""


# Behind a server


def test_a_servers_pages_open_without_it_once_they_were_visited(visit: Invite, server_address: str) -> None:
    lena = visit()
    lena.goto(f"/rules/{QUICK}")
    kept(lena)
    lena.context.set_offline(True)
    lena.goto(f"/rules/{TILES}?x=1")
    assert lena.page.evaluate("document.documentElement.dataset.server") == ""
    lena.context.set_offline(False)
    lena.complaints.clear()  # what the server was asked in vain


def test_what_is_asked_of_a_server_is_never_answered_from_what_was_kept(visit: Invite) -> None:
    lena = visit()
    lena.goto(f"/rules/{QUICK}")
    kept(lena)
    stored = lena.page.evaluate(STORED)
    assert len(stored) > 40
    assert not [url for url in stored if "/api/" in url]


# Playing


@pytest.mark.parametrize("game", GAMES)
def test_a_match_begun_on_a_static_host_goes_on_when_the_host_is_gone(visit: Invite, host: Host, game: str) -> None:
    lena = visit(address=host.address)
    lena.play_now(game)
    kept(lena)
    host.stop()
    try:
        for _ in range(6):
            lena.my_turn()
            lena.act(lambda picks: picks[0])
        before = lena.ply
        lena.page.reload()
        lena.page.wait_for_selector(".table[data-ready]")
        assert lena.ply >= before > 0
        lena.my_turn()
    finally:
        host.start(host.port)


def test_friends_are_met_at_a_server_whose_address_is_asked_for_once(
    visit: Invite, server_address: str, host: Host
) -> None:
    lena = visit(address=host.address)
    lena.goto("/").page.get_by_role("link", name="Play with friends").first.click()
    field = lena.page.get_by_label("Server address")
    go = lena.page.get_by_role("button", name="Go", exact=True)
    assert go.is_disabled()
    field.fill("http://play.example.org")
    go.click()
    lena.page.get_by_text("Addresses on the internet start with https://.").wait_for()
    lena.picture("site-friends-wide-dark")
    field.fill(server_address.removeprefix("http://"))
    go.click()
    lena.page.wait_for_url(f"{server_address}/?new=*")
    lena.page.get_by_role("dialog", name="New table").wait_for()
    lena.goto("/").page.get_by_role("link", name="Play with friends").first.click()
    assert lena.page.get_by_label("Server address").input_value() == server_address


def test_nothing_is_offered_that_only_a_server_has(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    lena.goto("/").page.get_by_role("button", name="Solo").wait_for()
    assert lena.page.get_by_role("link", name="Daily").count() == 0
    lena.page.locator("footer").get_by_role("button", name="Settings", exact=True).click()
    lena.page.get_by_role("dialog", name="Settings", exact=True).get_by_text("Theme").wait_for()
    assert lena.page.get_by_text("API key").count() == 0
    lena.play_now(QUICK)
    lena.press("?")
    lena.page.get_by_role("dialog", name="Menu").get_by_role("button", name="Resign").wait_for()
    assert lena.page.get_by_text("API key").count() == 0


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_question_for_a_server_fits_a_phone(visit: Invite, host: Host, theme: str) -> None:
    lena = visit(address=host.address, size=PHONE, theme=theme)
    lena.goto("/").picture(f"site-home-phone-{theme}")
    lena.page.goto(f"{host.address}/#/?new={GAMES[0]}")
    lena.page.get_by_label("Server address").wait_for()
    lena.picture(f"site-friends-phone-{theme}")
    assert lena.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
