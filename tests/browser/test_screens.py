"""Every screen, in every language, in both themes: nothing is cut off, axe finds nothing, and a picture is kept."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute

from plenilune import Match
from tests.browser.conftest import Invite
from tests.browser.games import GAMES, QUICK, SECRETS, TILES
from tests.browser.visitor import PHONE, WIDE, Visitor
from tests.server.running import Guest

CLIENT = Path(__file__).parents[2] / "client"
AXE = CLIENT / "node_modules" / "axe-core" / "axe.min.js"
LANGUAGES = sorted(file.stem for file in (CLIENT / "src" / "i18n" / "messages").glob("*.ts"))
SIZES = {"wide": WIDE, "phone": PHONE}


def home(lena: Visitor) -> None:
    lena.table(TILES, "me", "greedy", public=True)
    lena.table(SECRETS, "me", "open", public=True)
    lena.goto("/")


def new_table(lena: Visitor) -> None:
    lena.goto(f"/?new={SECRETS}").page.wait_for_selector("dialog")


def friends(lena: Visitor) -> None:
    """Where friends meet, as pages without a server ask."""
    lena.page.route(f"{lena.address}/", without_server)
    lena.goto("/").page.get_by_role("link", name="Play with friends").first.click()
    lena.page.wait_for_selector("dialog .text-field")


def without_server(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace(" data-server", ""))


def waiting(lena: Visitor) -> None:
    lena.goto(f"/?new={TILES}").page.locator("dialog footer .gold").click()
    lena.page.wait_for_selector(".qr svg")


def table(game: str) -> Callable[[Visitor], None]:
    def show(lena: Visitor) -> None:
        lena.sit(lena.table(game, "me", "greedy", "greedy"))
        lena.my_turn()

    return show


def sheet(game: str, opener: str) -> Callable[[Visitor], None]:
    """What a part of the board opens."""

    def show(lena: Visitor) -> None:
        table(game)(lena)
        lena.page.locator(opener).first.click()
        lena.page.wait_for_selector("dialog")

    return show


def components(part: int) -> Callable[[Visitor], None]:
    """The editor of Via Nebula's component table: a map, the cards or the tokens."""

    def show(lena: Visitor) -> None:
        lena.goto(f"/components/{SECRETS}").page.locator(".editor .seg button").nth(part).click()
        lena.page.wait_for_selector(".editor .sheet, .editor .rows")

    return show


def crowded(game: str, plies: int) -> Callable[[Visitor], None]:
    """Four seats in the middle of a match."""

    def show(lena: Visitor) -> None:
        match = lena.table(game, "me", "greedy", "greedy", "greedy")
        lena.finish(match, plies)
        assert lena.sit(match).my_turn(), "the match was over before its middle"

    return show


def alone(lena: Visitor) -> None:
    match = lena.table(TILES, "me")
    lena.finish(match, 40)
    lena.sit(match).my_turn()


def hint(lena: Visitor) -> None:
    table(SECRETS)(lena)
    lena.press("h")
    lena.page.wait_for_selector(".hint .gold")


def curtain(lena: Visitor) -> None:
    lena.sit(lena.table(SECRETS, "me", "me")).page.get_by_role("dialog").get_by_role("button").wait_for()


def invited(lena: Visitor) -> None:
    waiting(lena)
    link = lena.page.locator(".address").inner_text()
    lena.context.clear_cookies()  # now somebody else
    lena.page.evaluate("localStorage.clear()")
    lena.goto("/").page.goto(link)
    lena.page.get_by_role("button", name="Join").wait_for()


def review(lena: Visitor) -> None:
    finished(QUICK, "/replay?ply=60", "[data-ready]")(lena)
    lena.page.get_by_role("button", name="Review this game").click()
    lena.page.locator(".remark p").first.wait_for()


def opened(key: str) -> Callable[[Visitor], None]:
    def show(lena: Visitor) -> None:
        table(TILES)(lena)
        lena.press(key)
        lena.page.wait_for_selector("dialog")

    return show


def chat(lena: Visitor) -> None:
    opened("l")(lena)
    lena.page.locator("dialog .seg button").nth(1).click()
    lena.page.locator(".phrases button").first.click()
    lena.page.wait_for_selector("dialog li b")


def chat_report(lena: Visitor) -> None:
    """Somebody else's line, about to be reported."""
    match = lena.table(TILES, "me", "greedy")
    line = {"kind": "chat", "number": 9, "person": "somebody", "name": "Ada", "seat": 1, "text": "Boo!", "phrase": None}

    def tell(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(
            lambda said: route.send(json.dumps(json.loads(said) | {"chat": [line | {"at": 0, "deleted": False}]}))
        )

    lena.page.route_web_socket("**/live*", tell)
    lena.sit(match).press("l")
    lena.page.locator("dialog .seg button").nth(1).click()
    lena.page.locator("dialog .flag").click()
    lena.page.wait_for_selector("dialog li form")


def broken_dice(lena: Visitor) -> None:
    """A table whose server has changed what the dice are made of."""
    lena.page.route_web_socket("**/live*", changes_commitment)
    lena.play_by_the_clock(QUICK)
    lena.page.wait_for_selector(".breach")


def changes_commitment(route: WebSocketRoute) -> None:
    server = route.connect_to_server()

    def tell(said: str | bytes) -> None:
        message = json.loads(said)
        if "table" in message:
            message["table"]["fairness"]["commitment"] = "0" * 64
        route.send(json.dumps(message))

    server.on_message(tell)


def dice(lena: Visitor) -> None:
    """Of a match to which this browser has added a number."""
    match = lena.play_by_the_clock(QUICK)
    lena.finish(match)
    lena.goto(f"/table/{match}/dice")


def preferences(lena: Visitor) -> None:
    lena.introduce()
    lena.ask("POST", "/api/keys", {"label": "my bot"})
    lena.goto("/").page.locator("footer button").click()
    lena.page.locator("dialog .you li").wait_for()
    lena.page.locator("dialog .you > .btn").click()  # and about to delete oneself


def rematch(lena: Visitor) -> None:
    """Waiting for somebody who has not accepted yet."""
    match = lena.table(QUICK, "me", "open", clock={"kind": "bank", "bank": 600})
    other = Guest(lena.address, "Maximilian")
    other.post(f"/api/tables/{match}/join", {})
    other.post(f"/api/tables/{match}/resign", {})
    other.close()
    lena.sit(match).page.locator("dialog .btn.gold").click()
    lena.page.locator("main .who", has_text="Maximilian").wait_for()


def finished(game: str, path: str, wanted: str) -> Callable[[Visitor], None]:
    def show(lena: Visitor) -> None:
        match = lena.table(game, "me", "greedy")
        lena.finish(match)
        lena.page.goto(f"{lena.address}/table/{match}{path}")
        lena.page.wait_for_selector(wanted)

    return show


def local_matches(lena: Visitor) -> None:
    """Those of this browser: one that is over, one that is not."""
    lena.open_match(played(QUICK))
    lena.page.wait_for_selector(".controls")
    lena.play_now(TILES)
    lena.goto("/").page.locator(".keep").click()
    lena.page.locator("dialog li").nth(1).wait_for()


def local_dice(lena: Visitor) -> None:
    lena.open_match(played(QUICK))
    lena.page.wait_for_selector(".controls")
    lena.goto(f"/table/{lena.page.url.split('/')[-2]}/dice")


def played(game: str) -> str:
    """A finished match, as a file."""
    match, player = Match(game, seed="apollo"), random.Random(game)
    while not match.over:
        match.play(player.choice(match.legal()))
    return match.save()


def page(path: str) -> Callable[[Visitor], None]:
    def show(lena: Visitor) -> None:
        lena.goto(path)

    return show


SCREENS: dict[str, Callable[[Visitor], None]] = {
    "home": home,
    "new-table": new_table,
    "friends": friends,
    "waiting": waiting,
    **{f"table-{game}": table(game) for game in GAMES},
    **{f"crowded-{game}": crowded(game, 90) for game in GAMES},
    "contracts": sheet(SECRETS, "button.deck"),
    "guild": sheet(SECRETS, ".guild .open"),
    "figures": sheet(QUICK, "button.legend"),
    "alone": alone,
    "hint": hint,
    "curtain": curtain,
    "invited": invited,
    "log": opened("l"),
    "chat": chat,
    "chat-report": chat_report,
    "broken-dice": broken_dice,
    "preferences": preferences,
    "rematch": rematch,
    "menu": opened("?"),
    "rules-beside-the-table": opened("r"),
    **{f"rules-{game}": page(f"/rules/{game}") for game in GAMES},
    **{f"lesson-{game}": page(f"/learn/{game}") for game in GAMES},
    "results": finished(QUICK, "", "dialog .headline"),
    "replay": finished(TILES, "/replay?ply=30", "[data-ready]"),
    "review": review,
    "dice": dice,
    "dice-of-the-seed-alone": finished(QUICK, "/dice", "[data-ready]"),
    "local-matches": local_matches,
    "local-dice": local_dice,
    "daily": page(f"/daily/{TILES}"),
    **{f"components-{part}": components(i) for i, part in ((0, "map"), (2, "cards"), (3, "tokens"))},
    "lost": page("/no/such/page"),
}
ONE_SCREEN = {f"{kind}-{game}" for kind in ("table", "crowded", "lesson") for game in GAMES}
ONE_SCREEN |= {"alone", "replay", "review"}


# What axe looks at in the second theme: all else is the same page.
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
THEMES: dict[str, dict[str, Any]] = {"dark": {}, "light": COLOURS}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_and_the_screen_fits_in_both_themes(visit: Invite, screen: str, size: str) -> None:
    lena, wrong = visit(size=SIZES[size]), list[str]()
    SCREENS[screen](lena)
    lena.page.wait_for_timeout(150)
    for theme, rules in THEMES.items():
        lena.prefer(theme=theme)
        lena.picture(f"{screen}-{size}-{theme}")
        found = misfits(lena, high=screen in ONE_SCREEN) + violations(lena, rules)
        wrong += [f"{theme}: {what}" for what in found]
    assert wrong == []


def violations(lena: Visitor, rules: dict[str, Any] | None = None) -> list[str]:
    if not lena.page.evaluate("'axe' in window"):
        # Past the content policy, which rightly keeps scripts of others out of the page.
        lena.page.evaluate(AXE.read_text())
    found = lena.page.evaluate("async rules => (await axe.run(rules)).violations", rules or {})
    return [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:300]}" for rule in found for node in rule["nodes"]
    ]


def fits(lena: Visitor, high: bool) -> None:
    assert misfits(lena, high) == []


def misfits(lena: Visitor, high: bool) -> list[str]:
    """What is too large for the screen, or cut off."""
    wide, tall = lena.page.evaluate(
        "() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
    )
    found = [f"the page is {wide} px too wide"] if wide > 0 else []
    found += [f"the page is {tall} px too high"] if high and tall > 0 else []
    return [*found, *lena.page.evaluate(CUT_OFF), *lena.page.evaluate(OUTSIDE)]


# Papers over the table that are not wholly on the screen, and buttons that reach beyond its sides. What is chosen on a
# board may be moved out of sight.
OUTSIDE = """() => {
  const aside = box => box.left < -1 || box.right > innerWidth + 1;
  const out = box => aside(box) || box.top < 0 || box.bottom > innerHeight + 1;
  const found = (what, is) => [...document.querySelectorAll(what)]
    .filter(one => one.checkVisibility() && !one.closest('.unseen') && is(one.getBoundingClientRect()));
  return [...found('dialog[open] > .sheet', out), ...found('button:not([data-pick])', aside)]
    .map(one => `outside of the screen: ${one.className}: ${one.textContent.trim().slice(0, 60)}`);
}"""

# Words that a box cuts off, their own or one around them. What ends in an ellipsis or scrolls does so on purpose.
CUT_OFF = """() => {
  const style = one => getComputedStyle(one);
  const clips = one => !/visible|auto|scroll/.test(style(one).overflowX);
  const inside = one => { for (let box = one.parentElement; box && box !== document.body; box = box.parentElement)
    if (/auto|scroll/.test(style(box).overflowX)) return true; else if (clips(box)) {
      const [outer, inner] = [box.getBoundingClientRect(), one.getBoundingClientRect()];
      if (inner.right > outer.right + 1 || inner.left < outer.left - 1) return false;
    }
    return true };
  const ellipsis = one => [one, ...one.querySelectorAll('*')].some(inner => style(inner).textOverflow === 'ellipsis');
  return [...document.querySelectorAll('button, a, h1, h2, h3, p, label, th, td, li, small, .chip')]
    .filter(one => one.checkVisibility() && one.textContent.trim() && !one.closest('.unseen, svg'))
    .filter(one => style(one).display !== 'inline' && !ellipsis(one))
    .filter(one => (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0) || !inside(one))
    .map(one => `${one.className}: ${one.textContent.trim().slice(0, 60)} (${one.scrollWidth} > ${one.clientWidth})`)
}"""


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_fits_in_every_language_at_both_sizes(visit: Invite, screen: str) -> None:
    """One page, which changes its language and its size: axe looks at it in one of the languages."""
    lena, wrong = visit(), list[str]()
    SCREENS[screen](lena)
    looked_at = OTHERS[list(SCREENS).index(screen) % len(OTHERS)]
    for size, (width, height) in SIZES.items():
        lena.page.set_viewport_size({"width": width, "height": height})
        lena.page.wait_for_timeout(150)  # until boards and charts have measured their room
        for language in [*LANGUAGES, "qq"]:
            lena.speak(language)
            found = misfits(lena, high=screen in ONE_SCREEN)
            found += violations(lena) if language == looked_at else []
            found += untranslated(lena) if language == "qq" else []
            wrong += [f"{size} {language}: {what}" for what in found]
            if found or (size == "phone" and language in ("de", "ru")):  # the longest words
                lena.picture(f"{screen}-{size}-{language}")
    assert wrong == []


OTHERS = [language for language in LANGUAGES if language != "en"]


def untranslated(lena: Visitor) -> list[str]:
    """In the pseudo-language every word of ours stands in brackets."""
    return [text for text in lena.page.evaluate(TEXTS) if not NOT_OURS.fullmatch(text)]


# Names, addresses, digests, seeds, keys, and an action as it stands in a saved game.
NOT_OURS = re.compile(
    r"((Lena( 2)?|Maximilian|Mira)( and )?)+|PLENILUNE|https?://\S+|[0-9a-f]{16,}…?|apollo|(Alt|Esc)\b.*|roll [1-5*]"
)
TEXTS = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Set();
  for (let node; (node = walk.nextNode()); ) {
    const one = node.parentElement, text = node.textContent.trim();
    if (!one.checkVisibility() || one.closest('svg, script, style, select, [aria-live]')) continue;
    const shown = one.closest('p, button, a, li, span, h1, h2, h3, label')?.textContent ?? text;
    if (/[A-Za-zÀ-ÿ]{3}/.test(text) && !/[\\[\\]~]/.test(shown)) found.add(text);
  }
  return [...found];
}"""


@pytest.mark.parametrize("width", [360, 414, 820, 1280, 1920, 3840])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_fits_every_screen(visit: Invite, game: str, width: int) -> None:
    heights = {360: 740, 414: 896, 820: 1180, 1280: 720, 1920: 1080, 3840: 2160}
    lena = visit(size=(width, heights[width]))
    table(game)(lena)
    lena.page.wait_for_timeout(150)
    lena.picture(f"table-{game}-{width}")
    fits(lena, high=True)
    lena.act(lambda picks: picks[-1])  # what is drawn there is also hit there


def test_the_moon_stands_beside_the_title_on_every_screen(visit: Invite) -> None:
    lena = visit().goto("/")
    for width, height in [PHONE, (360, 740), (700, 900), (820, 1180), (1180, 820), (1280, 720), WIDE, (3840, 2160)]:
        lena.page.set_viewport_size({"width": width, "height": height})
        lena.page.wait_for_function("width => innerWidth === width", arg=width)
        assert not lena.page.evaluate(BEHIND), f"{width} × {height}"


# Words of the title that the moon lies behind.
BEHIND = """async () => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const moon = document.querySelector('.scene .moon circle').getBoundingClientRect();
  return [...document.querySelectorAll('h1 svg, .brand p')].filter(words => {
    const range = document.createRange();
    range.selectNodeContents(words);
    const box = words.localName === 'p' ? range.getBoundingClientRect() : words.getBoundingClientRect();
    return box.left < moon.right && box.right > moon.left && box.top < moon.bottom && box.bottom > moon.top;
  }).length;
}"""


@pytest.mark.parametrize("game", [QUICK, TILES])
def test_a_line_of_the_log_that_is_too_long_is_cut_off_on_a_phone(visit: Invite, game: str) -> None:
    lena = visit(size=PHONE)
    table(game)(lena)
    lena.page.locator(".peek .line").evaluate("line => line.textContent = 'Lena completes many tasks. '.repeat(9)")
    fits(lena, high=True)


@pytest.mark.parametrize(
    "screen", ["home", "new-table", "menu", "chat-report", "preferences", "rematch", *sorted(ONE_SCREEN)]
)
def test_on_a_phone_every_target_takes_a_finger(visit: Invite, screen: str) -> None:
    lena = visit(size=PHONE)
    SCREENS[screen](lena)
    lena.page.wait_for_timeout(300)
    assert lena.page.evaluate(SMALL, FINGER) == []


FINGER = 38  # pixels; what is 40 high may be drawn between two of them
# From the middle of each target outwards, as far as a tap still hits it.
SMALL = r"""least => {
  const HALF = /^word:[a-z]+[0-9]+[ab]$/;  // one of two places that share a hexagon
  const top = document.querySelector('dialog[open]') ?? document.body, far = [...Array(60).keys()].slice(1);
  const reach = (one, x, y, dx, dy) => {
    const means = hit => hit && (one.contains(hit) || hit.closest('label')?.contains(one)
      || (one.dataset.pick && hit.closest('[data-pick]')?.dataset.pick === one.dataset.pick));
    const end = far.find(step => !means(document.elementFromPoint(x + dx * step, y + dy * step)));
    return (end ?? 60) - 1;
  };
  const size = one => {
    one.scrollIntoView({ block: 'center' });
    const box = one.getBoundingClientRect(), at = [box.x + box.width / 2, box.y + box.height / 2];
    const [right, left, down, up] = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(way => reach(one, ...at, ...way));
    return Math.min(left + right, up + down) + 1;
  };
  return [...top.querySelectorAll('button, a[href], select, input, [data-pick]:not([data-state=no])')]
    .filter(one => one.checkVisibility() && !one.disabled && !one.closest('.unseen'))
    .filter(one => one.getBoundingClientRect().width > 0)
    .map(one => [size(one), one.ariaLabel ?? one.textContent.trim(), HALF.test(one.dataset.pick) ? least / 2 : least])
    .filter(([found, , wanted]) => found < wanted)
    .map(([found, name]) => `${found} px: ${name}`);
}"""
