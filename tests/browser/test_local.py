"""Tables in the page itself: without the network, over reloads, in two tabs, without a place to keep them."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from plenilune import Match, load
from plenilune.core.record import CHANCE
from plenilune.server.tables.server_secrets import ServerSecrets
from plenilune.server.thinking import warmup
from plenilune.server.thinking.warmup import BOTS
from plenilune.verify import verify_file
from tests.browser.conftest import FLAGS, WINDOWED, Invite, browser_path
from tests.browser.games import GAMES, QUICK, SECRETS, TILES
from tests.browser.hosts import Host
from tests.browser.visitor import CONFIRM, LEGAL, PHONE, Visitor
from tests.server.running import Process, running, sqlite

Choose = Callable[[list[str]], str]


def at_random(seed: int = 0) -> Choose:
    return random.Random(seed).choice


@pytest.mark.parametrize("game", GAMES)
def test_a_match_against_bots_is_played_with_the_network_off_and_is_the_same_on_a_server(
    visit: Invite, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lena = visit()
    id = lena.play_now(game)
    lena.go_offline()
    choose = at_random()
    while lena.my_turn():
        lena.act(choose)
    lena.page.wait_for_timeout(300)
    lena.picture(f"local-results-{game}-wide-dark")
    match = check_same(kept(lena.page, id))
    assert match.over
    shown = lena.page.locator("dialog tr.sum td").all_inner_texts()
    assert sorted(shown) == sorted(str(score).replace("-", "−") for score in match.scores)

    text = download(lena, lambda: lena.page.get_by_role("button", name="Download game").click(), tmp_path)
    assert verify_file(text).history == match.history
    play_again_on_a_server(kept(lena.page, id), tmp_path, monkeypatch)


def play_again_on_a_server(found: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same seed and the same numbers of the players; the players get the same hashes as in the page."""
    row, log = found["row"], found["log"]
    monkeypatch.setattr(ServerSecrets, "seed", lambda known, ticket: found["seed"])
    (nonce,) = row["nonces"]
    with running(sqlite(folder)) as server:
        ada = server.guest("Ada")
        seats = ["me"] * len(row["seats"])
        match = ada.table(row["game"], *seats, options=row["options"], nonce=nonce)["table"]["id"]
        requests = [entry for entry in log if entry["hash"] and entry["actor"] >= 0]
        assert len(requests) > 10
        for first in requests:
            played = [entry for entry in log[first["ply"] : first["last"]] if entry["by"] != "chance"]
            told = ada.play(match, *(entry["text"] for entry in played), ply=first["ply"], seat=first["actor"])
            assert (told["ply"], told["hash"]) == (first["last"], first["hash"])
        assert ada.state(match)["scores"] == row["result"]["scores"]


def kept(page: Page, id: str) -> dict[str, Any]:
    """The match as the browser keeps it."""
    found: dict[str, Any] = page.evaluate(KEPT, id)
    return found


KEPT = """id => new Promise(done => {
  const asked = indexedDB.open('plenilune');
  asked.onsuccess = () => {
    const found = asked.result.transaction('matches').objectStore('matches').get(id);
    found.onsuccess = () => { asked.result.close(); done(found.result ?? null); };
  };
})"""


def check_same(found: dict[str, Any]) -> Match:
    """Play it once more in Python, as the server would: every player must have seen the same."""
    row, log = found["row"], found["log"]
    match = Match(row["game"], len(row["seats"]), **row["options"])
    hashes = {entry["last"]: (entry["actor"], entry["hash"]) for entry in log if entry["hash"]}
    for entry in log:
        match.play(entry["text"])
        if match.ply in hashes:
            seat, hash = hashes.pop(match.ply)
            assert match.position.digest(seat) == hash, f"another position at ply {match.ply}"
    assert not hashes
    assert any(entry["hash"] for entry in log)
    assert row["ply"] == match.ply
    return match


def download(lena: Visitor, click: Callable[[], None], folder: Path) -> str:
    with lena.page.expect_download() as found:
        click()
    file = folder / found.value.suggested_filename
    found.value.save_as(file)
    return file.read_text()


def begun(game: str, seats: int, plies: int, seed: str | None = "apollo") -> Match:
    """A match that was played at random so far; without a seed its rolls are chosen too."""
    match, player = Match(game, seats, seed), random.Random(plies)
    while match.ply < plies and not match.over:
        match.play(player.choice(match.legal()))
    return match


@pytest.mark.parametrize("seed", ["apollo", None], ids=["with a seed", "without a seed"])
def test_a_saved_match_goes_on_where_it_was_and_is_saved_again(visit: Invite, tmp_path: Path, seed: str | None) -> None:
    lena, match = visit(), begun(TILES, 2, 31, seed)
    lena.open_match(match.save())
    lena.page.wait_for_selector(".table[data-ready]")
    id = lena.page.url.rsplit("/", 1)[-1]
    assert lena.my_turn()
    choose = at_random(1)
    before = lena.ply
    while lena.ply < before + 4:
        lena.my_turn()
        lena.act(choose)
    after = check_same(kept(lena.page, id))
    assert after.history[: match.ply] == match.history

    lena.goto("/").page.locator(".keep").click()
    text = download(lena, lambda: lena.page.get_by_role("button", name="Download").first.click(), tmp_path)
    again = Match.load(text, check_dice=seed is not None)
    assert (again.dice is not None) == (seed is not None), "rolls that do not follow from a seed are saved with one"


def test_a_saved_match_without_a_seed_may_end_before_a_roll(visit: Invite) -> None:
    lena, match = visit(), begun(QUICK, 2, 9, seed=None)
    while match.to_play != CHANCE:
        match.play(match.legal()[0])
    lena.open_match(match.save())
    lena.page.wait_for_selector(".table[data-ready]")
    id = lena.page.url.rsplit("/", 1)[-1]
    entries = kept(lena.page, id)["log"]
    assert [entry["ply"] for entry in entries] == list(range(match.ply + 1)), "the roll is the next entry"
    check_same(kept(lena.page, id))
    lena.press("l")
    lines = lena.page.locator(".drawer .lines li")
    lines.first.wait_for()
    assert lines.count() > match.actors.count(0), "each of this player's actions has a line"


def test_a_file_that_is_not_a_match_is_refused_with_its_line_in_the_readers_language(visit: Invite) -> None:
    lena = visit(language="de")
    lena.open_match(begun(QUICK, 2, 9).save().replace("\nmove", "\nfly", 1))
    lena.page.locator("dialog [role=alert]", has_text="In Zeile 8 ist ein Fehler.").wait_for()


def test_a_finished_match_is_replayed_reviewed_and_its_dice_are_checked(visit: Invite) -> None:
    lena, match = visit(), begun(QUICK, 2, 1000)
    lena.open_match(match.save())
    lena.page.wait_for_selector(".controls")
    id = lena.page.url.split("/")[-2]
    assert lena.page.locator(".controls .count").inner_text() == f"0 / {match.ply}"
    lena.page.get_by_role("button", name="Review this game").click()
    lena.page.locator(".review").wait_for()
    lena.page.wait_for_function(
        "() => document.querySelectorAll('.review circle').length > 0 || !document.querySelector('.running')"
    )
    lena.goto(f"/table/{id}/dice")
    assert lena.page.locator(".verdict").count() == 2
    assert lena.page.locator(".bad").count() == 0
    assert lena.page.locator("tbody tr").count() == match.actors.count(-1)
    lena.picture("local-dice-wide-dark")


@pytest.mark.parametrize("game", [QUICK, SECRETS])
def test_a_match_that_a_server_saved_is_opened_in_the_page_and_saved_for_python_again(
    visit: Invite, tmp_path: Path, game: str
) -> None:
    lena = visit()
    table = lena.table(game, "me", "greedy")
    lena.finish(table)
    saved = lena.context.request.get(f"{lena.address}/api/tables/{table}/match").text()
    match = verify_file(saved)
    lena.open_match(saved)
    lena.page.wait_for_selector(".controls")
    id = lena.page.url.split("/")[-2]
    assert id.startswith("local-")
    assert [entry["text"] for entry in kept(lena.page, id)["log"]] == match.history
    lena.goto("/").page.locator(".keep").click()
    text = download(lena, lambda: lena.page.get_by_role("button", name="Download").first.click(), tmp_path)
    again = verify_file(text)
    assert (again.history, again.scores) == (match.history, match.scores)


def test_a_rematch_begins_and_a_match_that_is_given_up_is_over(visit: Invite) -> None:
    lena = visit()
    id = lena.play_now(QUICK)
    lena.my_turn()
    lena.press("?")
    lena.page.get_by_role("button", name="Resign").click()
    lena.page.get_by_role("button", name="Resign").click()
    lena.page.locator("dialog .headline").wait_for()
    assert kept(lena.page, id)["row"]["result"]["resigned"]
    lena.page.get_by_role("button", name="Rematch").click()
    lena.page.wait_for_function("id => !location.href.endsWith(id)", arg=id)
    lena.page.wait_for_selector(".table[data-ready]")
    again = kept(lena.page, lena.page.url.rsplit("/", 1)[-1])["row"]
    assert sorted(seat["person"] for seat in again["seats"]) == [False, False, True], "seats are drawn again"


def test_a_hint_is_given_in_the_page(visit: Invite) -> None:
    lena = visit()
    lena.play_now(QUICK)
    lena.my_turn()
    lena.go_offline()
    lena.press("h")
    lena.page.get_by_text("The bot suggests").first.wait_for()


def test_a_match_goes_on_after_a_reload_with_the_unfinished_turn(visit: Invite) -> None:
    lena = visit()
    id = lena.play_now(SECRETS)
    lena.my_turn()
    choose = at_random(2)
    while "One more action" not in lena.status():  # the first of the turn's two actions
        lena.act(choose)
        lena.my_turn()
    ply, before = lena.ply, set(lena.legal())
    lena.page.wait_for_timeout(600)  # it is written at rest
    lena.page.reload()
    lena.page.wait_for_selector(".table[data-ready]")
    lena.wait(lambda: "One more action" in lena.status() and before <= set(lena.legal()), "for the unfinished turn")
    assert lena.ply == ply
    assert kept(lena.page, id)["row"]["ply"] == ply
    lena.goto("/").page.locator(".continue a").first.click()
    lena.page.wait_for_selector(".table[data-ready]")


def test_two_tabs_show_the_same_match_and_neither_loses_an_action(visit: Invite) -> None:
    lena = visit()
    id = lena.play_now(QUICK)
    first, second = lena.page, lena.context.new_page()
    second.goto(f"{lena.address}/table/{id}")
    second.wait_for_selector(".table[data-ready]")
    choose = at_random(3)
    for turn in range(4):
        lena.page = (first, second)[turn % 2]
        lena.page.bring_to_front()
        lena.my_turn()
        ply = lena.ply
        while lena.ply == ply:
            lena.act(choose)
    lena.page = first
    first.bring_to_front()
    lena.wait(lambda: first_ply(first) == first_ply(second), "for both tabs to show the same")
    check_same(kept(first, id))


def first_ply(page: Page) -> str | None:
    return page.locator("[data-ply]").first.get_attribute("data-ply")


def test_a_browser_that_blocks_all_site_data_says_so_and_the_match_goes_on(
    visit: Invite, chromium: Browser, tmp_path: Path
) -> None:
    context = blocking(chromium, tmp_path)
    try:
        lena = visit(context=context)
        lena.play_now(QUICK)
        said_once_and_played_on(lena, "let the page save anything")
    finally:
        context.close()


def blocking(chromium: Browser, profile: Path) -> BrowserContext:
    """A browser whose owner lets no site keep anything: neither matches nor preferences, and no locks between tabs."""
    (profile / "Default").mkdir()
    values = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (profile / "Default" / "Preferences").write_text(json.dumps(values))
    return chromium.browser_type.launch_persistent_context(
        profile, executable_path=browser_path(*WINDOWED), args=FLAGS, viewport={"width": 1440, "height": 900}
    )


def test_a_browser_whose_storage_is_full_says_so_and_the_match_goes_on(visit: Invite) -> None:
    lena = visit()
    session = lena.context.new_cdp_session(lena.page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": lena.address, "quotaSize": 1})
    lena.play_now(QUICK)
    said_once_and_played_on(lena, "storage is full")


def test_what_there_was_no_room_for_is_saved_once_there_is_and_can_be_downloaded_before(
    visit: Invite, tmp_path: Path
) -> None:
    lena = visit()
    session = lena.context.new_cdp_session(lena.page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": lena.address, "quotaSize": 1})
    id = lena.play_now(QUICK)
    note = lena.page.locator(".notes .card", has_text="storage is full")
    note.wait_for()
    assert kept(lena.page, id) is None
    lena.my_turn()
    text = download(lena, lambda: note.get_by_role("button", name="Download").click(), tmp_path)
    assert Match.load(text).ply == lena.ply
    session.send("Storage.overrideQuotaForOrigin", {"origin": lena.address})  # there is room
    choose, ply = at_random(10), lena.ply
    while lena.ply == ply:
        lena.act(choose)
    note.wait_for(state="detached")
    lena.my_turn()
    lena.wait(lambda: kept(lena.page, id)["row"]["ply"] == lena.ply, "for the match to be saved")


def test_a_browser_that_forbids_channels_between_tabs_plays(visit: Invite) -> None:
    """Firefox does, where it blocks cookies."""
    lena = visit()
    lena.context.add_init_script(
        "BroadcastChannel = class { constructor() { throw new DOMException('insecure', 'SecurityError') } }"
    )
    lena.play_now(QUICK)
    lena.my_turn()


def test_a_match_that_cannot_be_continued_here_can_be_downloaded(visit: Invite, tmp_path: Path) -> None:
    lena = visit()
    id = lena.play_now(QUICK)
    lena.my_turn()
    log = kept(lena.page, id)["log"]
    lena.goto("/")
    lena.page.evaluate(OTHERS, id)
    lena.goto(f"/table/{id}")
    lena.page.get_by_text("rules that this site no longer has").wait_for()
    text = download(lena, lambda: lena.page.get_by_role("button", name="Download").click(), tmp_path)
    assert "components: others\n" in text
    assert text.rstrip().endswith("\n".join(entry["text"] for entry in log))


# The match was played with other components.
OTHERS = """id => new Promise(done => {
  const asked = indexedDB.open('plenilune');
  asked.onsuccess = () => {
    const matches = asked.result.transaction('matches', 'readwrite').objectStore('matches'), found = matches.get(id);
    found.onsuccess = () => {
      found.result.row.components = 'others';
      matches.put(found.result).onsuccess = () => { asked.result.close(); done() };
    };
  };
})"""


def said_once_and_played_on(lena: Visitor, said: str) -> None:
    """A bot answers every action."""
    lena.page.locator(".notes", has_text=said).wait_for()
    lena.picture(f"local-{said.split()[-1]}-wide-dark")
    lena.page.locator(".notes").get_by_role("button", name="Close").click()
    choose, before = at_random(4), lena.ply
    while lena.ply < before + 8:
        lena.my_turn()
        lena.act(choose)
    assert lena.page.locator(".notes .card").count() == 0, "it is said more than once"


def test_bots_that_cannot_be_loaded_are_told_of_and_play_when_they_can(visit: Invite) -> None:
    lena = visit()
    lena.context.route("**/worker-*.js", lambda route: route.abort())
    lena.play_now(QUICK)
    note = lena.page.locator(".notes", has_text="The bots couldn’t be loaded")
    while not note.count():
        if lena.page.locator(f"{LEGAL}, {CONFIRM}").count():
            lena.act(at_random())
        lena.page.wait_for_timeout(100)
    lena.picture("local-botless-wide-dark")
    lena.context.unroute("**/worker-*.js")
    lena.my_turn()
    note.wait_for(state="detached")
    lena.complaints = [said for said in lena.complaints if "ERR_FAILED" not in said]


def test_whoever_waits_for_a_table_in_the_page_is_not_told_of_compiling(visit: Invite) -> None:
    lena = visit()
    held: list[Route] = []
    lena.context.route("**/modules/*.wasm", lambda route: held.append(route))
    lena.goto("/").page.locator("article .btn.gold").first.click()
    lena.page.locator(".preparing", has_text="Loading…").wait_for()
    assert lena.page.get_by_text("preparing the rules").count() == 0
    for route in held:
        route.continue_()
    lena.page.wait_for_selector(".table[data-ready]")


def test_an_open_page_says_that_the_modules_are_newer(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    lena.context.route("**/modules/index.json", lambda route: route.fulfill(json={"format": 99, "games": []}))
    lena.page.goto(host.address)
    lena.page.get_by_text("There is a new version of this page").wait_for()


def test_without_webassembly_the_server_plays(visit: Invite) -> None:
    lena = visit()
    lena.context.add_init_script("delete window.WebAssembly")
    with pytest.raises(AssertionError, match="is played on the server"):
        lena.play_now(QUICK)
    lena.my_turn()


def test_people_at_one_screen_see_their_own_secrets_behind_the_curtain(visit: Invite) -> None:
    lena = visit().goto(f"/?new={SECRETS}")
    lena.page.get_by_label("Player 2").select_option("me")
    lena.page.get_by_label("Name", exact=True).fill("Ben")
    lena.page.get_by_text("runs in your browser").wait_for()
    lena.picture("local-dialog-wide-dark")
    lena.page.get_by_role("button", name="Create table").click()
    lena.page.wait_for_selector(".table[data-ready]")
    assert "/table/local-" in lena.page.url
    choose, names = at_random(5), list[str]()
    while len(names) < 3:
        curtain = lena.page.locator(".curtain button")
        lena.page.wait_for_selector(f".curtain button, {CONFIRM}, .board [data-pick][data-state=legal]")
        if curtain.count():
            names.append(curtain.inner_text())
            curtain.click()
        else:
            lena.act(choose)
    assert set(names) == {"I’m Lena", "I’m Ben"}


@pytest.mark.parametrize("game", [QUICK, SECRETS])
def test_two_people_at_one_screen_play_a_whole_match(visit: Invite, game: str) -> None:
    lena = visit().goto(f"/?new={game}")
    lena.page.get_by_label("Player 2").select_option("me")
    lena.page.get_by_label("Name", exact=True).fill("Ben")
    lena.page.get_by_role("button", name="Create table").click()
    lena.page.wait_for_selector(".table[data-ready]")
    id = lena.page.url.rsplit("/", 1)[-1]
    lena.go_offline()
    choose = at_random(7)
    while not lena.over:
        lena.page.wait_for_selector(f".curtain button, dialog .headline, {CONFIRM}, {LEGAL}")
        curtain = lena.page.locator(".curtain button")
        if curtain.count():
            curtain.click()
        elif lena.my_turn():
            lena.act(choose)
    match = check_same(kept(lena.page, id))
    assert match.over
    assert {0, 1} <= set(match.actors)


def test_bots_rest_while_the_page_is_hidden(visit: Invite) -> None:
    lena = visit()
    lena.play_now(QUICK)
    lena.my_turn()
    lena.page.evaluate(HIDE, True)
    ply, choose = lena.ply, at_random(8)
    while lena.ply == ply:
        lena.act(choose)
    ply = lena.ply
    assert not lena.legal(), "it is a bot's turn"
    lena.page.wait_for_timeout(1500)
    assert lena.ply == ply, "a bot has played while nobody looked"
    lena.page.evaluate(HIDE, False)
    lena.wait(lambda: lena.ply > ply, "for the bot")


# Chromium without a screen shows every tab.
HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_the_page_plays_while_the_server_still_compiles(visit: Invite, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    nothing_compiled = {"PLENILUNE_CACHE": str(cache), "PLENILUNE_GAMES": ""}
    server = Process("--data", str(tmp_path), **nothing_compiled)
    try:
        lena = visit(address=server.address)
        lena.play_now(QUICK)
        choose = at_random(9)
        while lena.ply < 6:
            lena.my_turn()
            lena.act(choose)
        compiled = warmup._marker(BOTS, load(QUICK)).name
        assert not [*cache.rglob(compiled)], "the bots are compiled: this says nothing"
        lena.page.close()
    finally:
        server.stop()


def test_a_match_is_deleted_for_good(visit: Invite) -> None:
    lena = visit()
    id = lena.play_now(QUICK)
    lena.goto("/").page.locator(".keep").click()
    lena.page.get_by_role("button", name="Delete this game").click()
    lena.page.get_by_role("button", name="Delete permanently").click()
    lena.page.get_by_text("Nothing here yet").wait_for()
    lena.picture("local-none-wide-dark")
    assert kept(lena.page, id) is None
    lena.page.goto(f"{lena.address}/table/{id}")
    lena.page.get_by_text("This table doesn’t exist").wait_for()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    made = Host(tmp_path_factory.mktemp("host"))
    yield made
    made.stop()


@pytest.mark.parametrize("size", [(1440, 900), PHONE], ids=["wide", "phone"])
def test_without_a_server_a_match_is_played_from_the_home_page(
    visit: Invite, host: Host, size: tuple[int, int]
) -> None:
    lena = visit(address=host.address, size=size)
    lena.play_now(QUICK)
    choose, before = at_random(6), lena.ply
    while lena.ply < before + 6:
        lena.my_turn()
        lena.act(choose)
    lena.goto("/").page.locator(".tables").get_by_role("link", name="Continue").wait_for()
    lena.picture(f"local-home-{size[0]}-dark")


def test_without_a_server_and_without_webassembly_the_page_says_what_is_missing(visit: Invite, host: Host) -> None:
    lena = visit(address=host.address)
    lena.context.add_init_script("delete window.WebAssembly")
    lena.goto("/").page.locator("article .btn.gold").first.click()
    lena.page.locator("[role=alert]", has_text="WebAssembly").wait_for()
