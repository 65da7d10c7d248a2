"""Somebody in front of a real browser: finds what can be done on the screen, and does it by mouse, finger or key."""

from __future__ import annotations

import json
import random
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, WebSocket

PICTURES = Path(__file__).parents[2] / "build" / "pictures"  # every screen, to be looked at
WIDE, PHONE = (1440, 900), (390, 844)
PATIENCE = 30_000  # milliseconds
LEGAL = '.board [data-pick][data-state="legal"]'
CONFIRM = "button.confirm:not([disabled])"


class Visitor:
    def __init__(
        self,
        browser: Browser,
        address: str,
        name: str = "Lena",
        size: tuple[int, int] = WIDE,
        context: BrowserContext | None = None,
        **wishes: str,
    ) -> None:
        self.phone = phone = size[0] < 760
        self.context = context or browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=phone,
            is_mobile=phone,
            color_scheme="light" if wishes.get("theme") == "light" else "dark",
        )
        self.address, self.name, self.size = address, name, size
        wishes = {"language": "en", "theme": "dark", "motion": "still", "pace": "quick", "confirm": "turn"} | wishes
        kept = json.dumps({"plenilune.preferences": json.dumps(wishes), "plenilune.name": name})
        self.context.add_init_script(f"({KEEP})({kept})")
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self._said: deque[str] = deque(maxlen=12)  # the last of what went over websockets
        self._unanswered: set[str] = set()  # the names of previews that the server was asked for
        self.page.on("websocket", self._overhear)

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _overhear(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self._sent(json.loads(text)))
        socket.on("framereceived", lambda text: self._heard(json.loads(text)))
        socket.on("close", lambda _: self._cut_off())

    def _cut_off(self) -> None:
        self._said.append("the connection is closed")
        self._unanswered.clear()

    def _sent(self, message: dict[str, Any]) -> None:
        self._said.append(f"> {json.dumps(message)[:200]}")
        if message["kind"] == "preview":
            self._unanswered.add(message["id"])

    def _heard(self, message: dict[str, Any]) -> None:
        self._said.append(f"< {json.dumps(message)[:200]}")
        self._unanswered.discard(message.get("id"))

    def close(self) -> None:
        self.context.close()

    # Asking the server

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """As this person, past the screen."""
        headers = {"content-type": "application/json", "origin": self.address}
        data = None if method == "GET" else json.dumps({} if body is None else body)
        answer = self.context.request.fetch(self.address + path, method=method, data=data, headers=headers)
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()[:300]}"
        return answer.json()

    def introduce(self) -> None:
        self.ask("POST", "/api/me", {"name": self.name})

    def table(self, game: str, *seats: str, **settings: Any) -> str:
        """A new table's id; seats are `me`, `friend`, `open` or a bot's name, and as listed unless otherwise wished."""
        self.introduce()
        wishes = [{"kind": s} if s in ("me", "friend", "open") else {"kind": "bot", "bot": s} for s in seats]
        body = {"game": game, "seats": wishes, "seating": "as_listed", **settings}
        return str(self.ask("POST", "/api/tables", body)["table"]["id"])

    def play_now(self, game: str) -> str:
        """A match against bots, from the game's card on the home page, in the page itself; returns its id."""
        self.goto("/")
        card = self.page.locator("article").filter(
            has=self.page.get_by_role("img", name=game.replace("-", " ").title())
        )
        card.locator(".btn.gold").click()
        self.page.wait_for_selector(".table[data-ready]")
        match = self.page.url.rsplit("/", 1)[-1]
        assert match.startswith("local-"), "a match against bots is played on the server"
        return match

    def go_offline(self) -> None:
        """Lose the network, once the browser has kept the pages."""
        kept = "navigator.serviceWorker?.controller?.state === 'activated'"
        self.wait(lambda: bool(self.page.evaluate(kept)), "for the pages to be kept")
        self.context.set_offline(True)

    def open_match(self, text: str) -> None:
        """Open a saved match, from the list of those of this browser."""
        self.goto("/").page.locator(".keep").click()
        with self.page.expect_file_chooser() as chooser:
            self.page.locator("dialog .open").click()
        chooser.value.set_files({"name": "saved.match", "mimeType": "text/plain", "buffer": text.encode()})

    def play_by_the_clock(self, game: str) -> str:
        """A match against a bot, made in the dialog; only the server has clocks. Returns its id."""
        self.goto(f"/?new={game}")
        self.page.locator("dialog select").first.select_option("bot")
        self.page.locator("[aria-labelledby=clock] button").nth(2).click()
        self.page.locator("dialog footer .btn.gold").click()
        self.page.wait_for_selector(".table[data-ready]")
        match = self.page.url.rsplit("/", 1)[-1]
        assert not match.startswith("local-"), "a match with a clock is played in the page"
        return match

    def finish(self, match: str, plies: int = 10_000) -> None:
        """Play this person's seats at random to the end, or so far, past the screen."""
        player = random.Random(match)
        while (state := self.ask("GET", f"/api/tables/{match}/state"))["to_play"] != -2 and state["ply"] < plies:
            if not state["legal"]:
                time.sleep(0.01)
                continue
            action = player.choice(state["legal"])
            play = {"kind": "play", "id": f"t{state['ply']}", "ply": state["ply"], "actions": [action]}
            self.ask("POST", f"/api/tables/{match}/play", play)

    # Looking

    def goto(self, path: str) -> Visitor:
        self.page.goto(self.address + path)
        self.page.wait_for_selector("[data-ready]")
        return self

    def speak(self, language: str) -> None:
        """Show the page in another language; `qq` is the pseudo-language."""
        self.prefer(language=language)
        shown = "en" if language == "qq" else language
        self.page.wait_for_function("shown => document.documentElement.lang === shown", arg=shown)
        self._drawn()

    def prefer(self, **preferences: str) -> None:
        """Change preferences of the page that is shown, as if they were chosen in another tab."""
        self.page.evaluate(PREFER, preferences)
        self._drawn()

    def _drawn(self) -> None:
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def sit(self, match: str) -> Visitor:
        self.page.goto(f"{self.address}/table/{match}")
        self.page.wait_for_selector(".table[data-ready]")
        return self

    def picture(self, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")

    @property
    def ply(self) -> int:
        return int(self.page.locator("[data-ply]").first.get_attribute("data-ply") or 0)

    @property
    def over(self) -> bool:
        return self.page.locator("dialog").filter(has=self.page.locator(".headline")).count() > 0

    def status(self) -> str:
        return self.page.locator(".status").first.inner_text()

    def legal(self) -> list[str]:
        """What glows on the board, by what it stands for."""
        found = self.page.locator(LEGAL).evaluate_all("all => all.map(one => one.dataset.pick)")
        return list(dict.fromkeys(found))

    def target(self, pick: str) -> Locator:
        return self.page.locator(f'.board [data-pick="{pick}"]:not([data-state="no"])').first

    def wait(self, what: Callable[[], bool], why: str) -> None:
        until = time.monotonic() + PATIENCE / 1000
        while not what():
            assert time.monotonic() < until, f"{self.name} waits in vain: {why}; {self.evidence()}"
            self.page.wait_for_timeout(30)

    def evidence(self) -> str:
        """What a test that fails is told about the screen, the focus and the server."""
        focus = self.page.evaluate("() => document.activeElement.cloneNode(false).outerHTML")
        return "\n".join([f"the screen says {self.status()!r}, the focus is on {focus}", *self._said])

    # Acting

    def my_turn(self) -> bool:
        """Wait until something can be chosen or confirmed; False when the match is over."""
        self.wait(lambda: self.page.evaluate(SETTLED, f"{LEGAL}, {CONFIRM}"), "for something to choose")
        return not self.over

    def settle(self) -> None:
        """Wait until what was chosen is shown: where it leads is asked of the server first."""
        self.wait(lambda: self.page.locator("[data-busy=true]").count() == 0, "for an answer")

    def rest(self) -> None:
        """Wait until what the focus or the pointer is on has been previewed and drawn."""
        self.wait(lambda: not self._unanswered, "for previews")
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def act(self, choose: Callable[[list[str]], str]) -> None:
        """One click: on Confirm if the turn is complete, otherwise on something that glows."""
        if self.page.locator(CONFIRM).count():
            before = self.ply
            self._hit(self.page.locator(CONFIRM).first)
            self.wait(lambda: self.ply > before or self.over, "for what was confirmed")
            return
        before = self._mark()  # first: others may play in the meantime
        picks = self.page.locator(LEGAL).evaluate_all(SEEN)
        if not picks:
            return
        self.click(choose(picks))
        self.wait(lambda: self._mark() != before or self.over, "for a click to do something")

    def click(self, pick: str) -> None:
        """Where a person would: in the middle of the part that can be seen; with a finger on a phone."""
        self._hit(self.target(pick))

    def _hit(self, target: Locator) -> None:
        x, y = target.evaluate(MIDDLE)
        (self.page.touchscreen.tap if self.phone else self.page.mouse.click)(x, y)

    def _mark(self) -> Any:
        """Changes with whatever a click may change."""
        return self.page.evaluate(STATE)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


# What this person has chosen, as far as the browser keeps anything.
KEEP = """kept => {
  try {
    for (const [k, v] of Object.entries(kept)) if (!localStorage.getItem(k)) localStorage.setItem(k, v);
  } catch (error) {
    if (error.name !== 'SecurityError') throw error;
  }
}"""

PREFER = """preferences => {
  const key = 'plenilune.preferences', kept = JSON.parse(localStorage.getItem(key) ?? '{}');
  localStorage.setItem(key, JSON.stringify({ ...kept, ...preferences }));
  dispatchEvent(new StorageEvent('storage', { key }));
}"""

# Where to click an element: its middle, or else one of a grid over it.
GRID = """one => {
  const box = one.getBoundingClientRect(), parts = [.5, .3, .7, .15, .85];
  return parts.flatMap(u => parts.map(v => [box.x + box.width * u, box.y + box.height * v]));
}"""
# A point of the element that a click would really hit, and one a pixel beside it too.
MIDDLE = f"""one => {{
  const hits = (x, y) => {{
    const hit = document.elementFromPoint(x, y);
    const pick = one.dataset.pick && hit?.closest('[data-pick]')?.dataset.pick;
    return hit && (one.contains(hit) || (pick && pick === one.dataset.pick));
  }};
  const at = ({GRID})(one).find(([x, y]) =>
    [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]].every(([dx, dy]) => hits(x + dx, y + dy)));
  if (at) return at;
  const {{ x, y, width, height }} = one.getBoundingClientRect();
  const what = document.elementFromPoint(x + width / 2, y + height / 2)?.cloneNode(false).outerHTML ?? 'nothing';
  throw new Error(`${{one.dataset.pick ?? one.textContent}} cannot be clicked: on its middle lies ${{what}}`);
}}"""
# What is moved out of sight, such as a cell of a large tableau, is not clicked before it is moved back. What is
# covered by something else counts as seen: to click it is an error.
SEEN = f"""all => {{
  const inside = one => {{
    let points = ({GRID})(one);
    for (let above = one.parentElement; above; above = above.parentElement) {{
      if (getComputedStyle(above).overflow === 'visible') continue;
      const {{ left, right, top, bottom }} = above.getBoundingClientRect();
      points = points.filter(([x, y]) => x > left + 3 && x < right - 3 && y > top + 3 && y < bottom - 3);
    }}
    return points.length > 0;
  }};
  return [...new Set(all.filter(inside).map(one => one.dataset.pick))];
}}"""

# Whether something can be chosen or confirmed, or the results are shown. Not while an answer is awaited: what is shown
# will change by itself then.
SETTLED = """choices => {
  if (document.querySelector('dialog .headline')) return true;
  return !document.querySelector('[data-busy=true]') && !!document.querySelector(choices);
}"""

STATE = """() => [
  document.querySelector('[data-ply]')?.dataset.ply,
  document.querySelector('[data-ply]')?.dataset.pending,
  [...document.querySelectorAll('.board [data-pick]')].map(one => one.dataset.pick + one.dataset.state).join(),
  !!document.querySelector('button.confirm:not([disabled])'),
]"""
