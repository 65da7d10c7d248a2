"""What a search thinks: of every action of a match afterwards, and as a hint while it is played.

An action is judged by what its seat had seen when it was played, never by the truth: two matches that looked alike to
the seat get the same remark.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plenilune.bots import load as load_bot
from plenilune.bots import mcts
from plenilune.bots.chart import FAINT_INK, INK, PAPER, element, picture, ticks, words
from plenilune.bots.ratings import percent, win_share
from plenilune.bots.thought import Budget, Stop, Thought, blanked, never
from plenilune.drawing import COLOURS, FAINT, GOLD, is_terminal, mark
from plenilune.errors import BadSetting
from plenilune.game import Game
from plenilune.match import Match
from plenilune.record import CHANCE, OVER

if TYPE_CHECKING:
    from rich.console import Console

GUESSES = 256  # at what a seat does not know, to see where an action leads
LOSSES = {"??": 0.20, "?": 0.10, "?!": 0.05}  # of the chance to win, that earn an action its mark
BEST = "best"
Point = tuple[float, float]  # a ply, and a chance to win


# Remarks


@dataclass(frozen=True)
class Remark:
    """What the search thinks of one action."""

    ply: int
    seat: int
    chance: list[str]  # what chance did just before, as far as the seat may know
    action: str
    better: str  # the best that could be found; the action itself, if there was none better
    before: list[float]  # each seat's chance to win, had the better one been played
    after: list[float]  # and as it was played
    forced: bool = False  # there was nothing else to play

    @property
    def worth(self) -> float:
        """The action's, to the seat that played it."""
        return self.after[self.seat]

    @property
    def better_worth(self) -> float:
        return self.before[self.seat]

    @property
    def lost(self) -> float:
        return self.better_worth - self.worth

    @property
    def mark(self) -> str:
        """`??`, `?`, `?!`, nothing for a small loss, or `best`."""
        if self.better == self.action:
            return "" if self.forced else BEST
        return next((mark for mark, loss in LOSSES.items() if self.lost >= loss), "")

    def data(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {**asdict(self), "worth": self.worth, "better_worth": self.better_worth, "mark": self.mark}


def review(match: Match, budget: Budget, seats: Iterable[int] | None = None, stop: Stop = never) -> Iterator[Remark]:
    """A remark on every action of these seats, or of all, with so much thought for each position."""
    wanted = range(match.seats) if seats is None else set(seats)
    past = Match(match.game, match.seats, **match.options)
    chance: list[list[str]] = []  # for each seat, what it may know of chance's last actions
    for actor, text in zip(match.actors, match.history, strict=True):
        if actor == CHANCE:
            chance.append([_known(past, text, seat) for seat in range(match.seats)])
        else:
            if actor in wanted:
                told = [texts[actor] for texts in chance]
                action = match.game.actions.parse(text)
                yield judge(match.game, past.seen_by(actor), actor, action, budget, past.ply, told, stop)
            chance.clear()
        past.play(text)


def _known(past: Match, text: str, seat: int) -> str:
    known, actions = past.game.known, past.game.actions
    return actions.text(actions.parse(text), known(past.state, actions.parse(text), seat)) if known else text


def judge(
    game: Game,
    seen: Any,
    seat: int,
    action: int,
    budget: Budget,
    ply: int = 0,
    chance: Sequence[str] = (),
    stop: Stop = never,
) -> Remark:
    """What the search thinks of an action, from what the seat has seen."""
    seen = blanked(game, seen, seat)
    after = chances_after(game, seen, seat, action, budget, stop)
    forced = int(game.legal(seen, np.zeros(game.actions.size, np.int32))) == 1
    better, before = action, after
    if not forced:
        best = mcts.think(game, seen, seat, budget, seed_of(seen), stop).action
        promised = chances_after(game, seen, seat, best, budget, stop) if best != action else after
        if promised[seat] > after[seat]:
            better, before = best, promised
    texts = game.actions.text(action), game.actions.text(better)
    return Remark(ply, seat, list(chance), *texts, before, after, forced)


def chances_after(game: Game, seen: Any, seat: int, action: int, budget: Budget, stop: Stop = never) -> list[float]:
    """Each seat's chance to win once the action is played, as far as the seat can tell."""
    outcomes = outcomes_of(game, seen, seat, action)
    ahead = max(1, sum(state.to_play != OVER for state, _ in outcomes))
    share = replace(budget, simulations=-(-budget.simulations // ahead), seconds=budget.seconds / ahead)
    found = np.zeros(int(seen.seats))
    for state, often in outcomes:
        found += often * np.array(chances(game, state, seat, share, stop))
    return [float(chance) for chance in found]


def outcomes_of(game: Game, seen: Any, seat: int, action: int) -> list[tuple[Any, float]]:
    """The positions the action may lead to, as the seat will see them, and how likely each is. There are several only
    where the action brings to light what the seat does not know, or ends the match."""
    from plenilune.engine import generator

    rng, guesses = generator(seed_of(seen)), GUESSES if game.secrets else 1
    found: Counter[bytes] = Counter()
    for _ in range(guesses):
        state = game.State.copy(seen)
        game.resample(state, seat, rng)
        game.apply(state, action)
        game.hide(state, seat)
        found[state.tobytes()] += 1  # type: ignore[attr-defined]
    return [(np.frombuffer(s, game.State.dtype).copy()[0], often / guesses) for s, often in found.items()]


def chances(game: Game, seen: Any, seat: int, budget: Budget, stop: Stop = never) -> list[float]:
    """Each seat's chance to win, as far as the seat can tell, whoever is to play."""
    if seen.to_play != OVER:
        return mcts.think(game, seen, seat, budget, seed_of(seen), stop).values
    seats = int(seen.seats)
    if seats == 1 and game.evaluate:
        out = np.zeros(4)
        game.evaluate(seen, out)
        return [float(out[0])]
    places = np.zeros(seats, np.int32)
    game.places(seen, places)
    return [win_share([int(place) for place in places], seat) for seat in range(seats)]


def seed_of(seen: Any) -> int:
    return zlib.crc32(seen.tobytes())


def budget_of(name: str, game: Game) -> Budget:
    """How long the bot of that name thinks."""
    budget = load_bot(name, game).budget
    if not (budget.simulations or budget.seconds):
        raise BadSetting(f"a review needs a bot that searches, such as mcts:2000, not {name!r}")
    return budget


# Hints


def stream(
    game: Game, seen: Any, seat: int, budget: Budget, seed: int | None = None, stop: Stop = never
) -> Iterator[dict[str, Any]]:
    """Better and better answers to what the seat should play, from what it has seen, each ready for JSON; the last one
    says that it is `done`."""
    if seen.to_play != seat:
        who = "chance" if seen.to_play == CHANCE else f"seat {seen.to_play + 1}"
        what = "the match is over" if seen.to_play == OVER else f"{who} is to play"
        raise BadSetting(f"seat {seat + 1} asked for a hint, but {what}")
    seen = blanked(game, seen, seat)
    return _answers(game, seat, mcts.Search(game, seen, seat, budget, seed_of(seen) if seed is None else seed, stop))


def _answers(game: Game, seat: int, search: mcts.Search) -> Iterator[dict[str, Any]]:
    answer: dict[str, Any] = {}
    for thought in search.thoughts():
        answer = plain_answer(game, seat, thought)
        yield answer
    yield {**answer, "done": True}


def plain_answer(game: Game, seat: int, thought: Thought) -> dict[str, Any]:
    text, order = game.actions.text, sorted(thought.visits, key=lambda a: (a != thought.action, -thought.visits[a], a))
    return {
        "seat": seat,
        "action": text(thought.action),
        "values": [round(value, 4) for value in thought.values],
        "actions": [
            {"action": text(a), "worth": round(thought.worth[a], 4), "visits": thought.visits[a]} for a in order
        ],
        "line": [text(action) for action in thought.line],
        "simulations": thought.simulations,
        "solved": thought.solved,
        "done": False,
    }


# In the file of a match

ANNOTATION = re.compile(r"\s+# (\?!|\?\?|\?) better: .*")


def annotated(match: Match, remarks: Iterable[Remark]) -> Match:
    """The match again, with what is to be said about its actions beside them. Other remarks stay, earlier ones of this
    kind do not."""
    copy = Match.load(match.save())
    for remark in remarks:
        said = ANNOTATION.sub("", copy.replay.remarks.pop(remark.ply, "")) + annotation(remark)
        if said:
            copy.replay.remarks[remark.ply] = said
    return copy


def annotation(r: Remark) -> str:
    """
    >>> annotation(Remark(9, 0, [], "move 3", "move 5", [0.75, 0.25], [0.625, 0.375]))
    '  # ? better: move 5 (+12 %)'
    """
    return f"  # {r.mark} better: {r.better} (+{100 * r.lost:.0f} %)" if r.mark in LOSSES else ""


# The curve


def curve(match: Match, remarks: Sequence[Remark], seat: int) -> list[Point]:
    """A seat's chance to win through the match. Where there are secrets, only what it could tell itself."""
    own = [r for r in remarks if r.seat == seat or not match.game.secrets]
    points: list[Point] = []
    for r in own:
        points += [(r.ply, r.before[seat]), (r.ply + 1, r.after[seat])]
    if points and match.over and match.seats > 1:
        points.append((match.ply, win_share(match.places, seat)))
    return points


def drawn(curves: Sequence[Sequence[Point]], width: int, height: int) -> list[str]:
    """The curves in braille dots, in rows of markup, each in its seat's colour and with its sign at its end.

    >>> from plenilune.drawing import plain
    >>> for row in drawn([[(0, 0.0), (9, 1.0)], [(0, 0.5), (9, 0.5)]], width=8, height=3):
    ...     print(plain(row))
    100 % ┤     ⢀⠔⠊ ●
          │⠤⠤⢤⡤⠮⠥⠤⠤ ■
      0 % ┤⡠⠔⠁
    """
    dots, owners = np.zeros((height, width), int), np.full((height, width), -1)
    start, end = (f(ply for points in curves for ply, _ in points) for f in (min, max))
    ends: dict[int, str] = {}
    for seat, points in enumerate(curves):
        if points:
            rows = _dot_rows(points, np.linspace(start, end, 2 * width), 4 * height)
            _draw_dots(rows, seat, dots, owners)
            ends[rows[-1] // 4] = ends.get(rows[-1] // 4, "") + f" {mark(seat)}"
    labels = {0: "100 % ┤", height - 1: "  0 % ┤"}
    return [
        f"[{FAINT}]{labels.get(row, '      │')}[/]{_cells(dots[row], owners[row], row in ends)}{ends.get(row, '')}"
        for row in range(height)
    ]


def _dot_rows(points: Sequence[Point], plies: Any, height: int) -> list[int]:
    """The row of the curve's dot at each of the plies, from the top."""
    chances = np.interp(plies, [ply for ply, _ in points], [chance for _, chance in points])
    return [round((1 - float(chance)) * (height - 1)) for chance in chances]


DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # a braille cell's, by row and column


def _draw_dots(rows: Sequence[int], seat: int, dots: Any, owners: Any) -> None:
    for x, y in enumerate(rows):
        last = rows[x - 1] if x else y
        for dot in {y, *range(last + 1, y), *range(y + 1, last)}:  # also the way from the last column's dot
            dots[dot // 4, x // 2] |= DOTS[dot % 4][x % 2]
            owners[dot // 4, x // 2] = seat


def _cells(dots: Any, owners: Any, whole: bool) -> str:
    """A row's markup; up to its last dot unless it is wanted whole."""
    cells = [f"[{COLOURS[o]}]{chr(0x2800 + d)}[/]" if d else " " for d, o in zip(dots, owners, strict=True)]
    return "".join(cells) if whole else "".join(cells[: max(np.flatnonzero(dots), default=-1) + 1])


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 400, 84, 60, 84, 56  # of the picture, in pixels
SHAPES = (  # a seat's sign, around the origin
    '<circle r="6"/>',
    '<rect x="-5.5" y="-5.5" width="11" height="11"/>',
    '<path d="M0 -7 7 6 -7 6Z"/>',
    '<path d="M0 -7 7 0 0 7 -7 0Z"/>',
)


def chart(match: Match, remarks: Sequence[Remark]) -> str:
    """The curves as SVG, with the marks where they fell."""

    def x(ply: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ply / max(1, match.ply)

    def y(chance: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)

    curves = {seat: curve(match, remarks, seat) for seat in range(match.seats)}
    placed = {seat: [(x(ply), y(chance)) for ply, chance in points] for seat, points in curves.items() if points}
    plies = [n for n in ticks(0, match.ply) if n <= match.ply]
    return picture(
        WIDTH,
        HEIGHT,
        f"{match.game.title}: chances to win",
        *(_level(quarter / 4, y(quarter / 4)) for quarter in range(5)),
        *(words(str(n), x(n), HEIGHT - BOTTOM + 24, 13, FAINT_INK, "middle") for n in plies),
        words("ply", WIDTH - RIGHT + 12, HEIGHT - BOTTOM + 24, 13, FAINT_INK),
        *(_line(seat, points) for seat, points in placed.items()),
        *(_marked(r, x(r.ply + 1), y(r.worth)) for r in remarks if r.mark in LOSSES),
        *(_sign(seat, *points[-1]) for seat, points in placed.items()),
    )


def _line(seat: int, points: Sequence[Point]) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return element("polyline", points=path, fill="none", stroke=COLOURS[seat], stroke_width=2, stroke_linejoin="round")


def _sign(seat: int, x: float, y: float) -> str:
    there = f"translate({x:.1f} {y:.1f})"
    return element("g", element("title", f"seat {seat + 1}"), SHAPES[seat], fill=COLOURS[seat], transform=there)


def _level(chance: float, y: float) -> str:
    line = element("line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, stroke=FAINT_INK, stroke_opacity=0.25)
    return line + words(f"{100 * chance:.0f} %", LEFT - 12, y + 5, 13, FAINT_INK, "end")


def _marked(r: Remark, x: float, y: float) -> str:
    """A mark beside the curve; pointing at it tells the action and the better one."""
    told = f"ply {r.ply}, seat {r.seat + 1}: {r.action}; better: {r.better} (+{percent(r.lost)})"
    dot = element("circle", cx=x, cy=y, r=4, fill=PAPER, stroke=COLOURS[r.seat], stroke_width=2)
    return element("g", element("title", told), dot, words(r.mark, x, y + 20, 13, INK, "middle"))


# The command


def main(
    match: Match, bot: str, seat: int | None = None, out: Path | None = None, console: Console | None = None
) -> list[Remark]:
    """Review the actions of all seats or of one, print the remarks and the curve, and draw it into `out`."""
    from rich.console import Console

    console = console or Console()
    budget = budget_of(bot, match.game)
    if seat is not None and seat not in range(match.seats):
        raise BadSetting(f"a seat is 1 to {match.seats}, not {seat + 1}")
    if out and not out.parent.is_dir():
        raise BadSetting(f"{out} cannot be written: there is no such folder")
    seats = range(match.seats) if seat is None else [seat]
    total = sum(actor in seats for actor in match.actors)
    if not total:
        raise BadSetting("nobody has played an action in this match yet")
    _warm_up(match, budget)
    with _progress(total) as advance:
        remarks = [advance(remark) for remark in review(match, budget, seats)]
    _print_remarks(remarks, console)
    _print_curve(match, remarks, console)
    for each in seats:
        console.print(f"{mark(each)} seat {each + 1}: {summary(remarks, each)}", highlight=False)
    if out:
        out.write_text(chart(match, remarks), "utf-8")
    return remarks


def summary(remarks: Iterable[Remark], seat: int) -> str:
    """
    >>> summary([Remark(9, 0, [], "move 3", "move 5", [0.75, 0.25], [0.625, 0.375])], 0)
    '1 choice, 0 best, 0 ?!, 1 ?, 0 ??; 12.5 % lost a choice'
    """
    own = [r for r in remarks if r.seat == seat and not r.forced]
    counts = Counter(r.mark for r in own)
    marks = ", ".join(f"{counts[mark]} {mark}" for mark in (BEST, *reversed(LOSSES)))
    lost = percent(sum(r.lost for r in own) / max(1, len(own)))
    return f"{len(own)} choice{'s' * (len(own) != 1)}, {marks}; {lost} lost a choice"


def _warm_up(match: Match, budget: Budget) -> None:
    """Have everything compiled or read from disk; that may show its own progress."""
    start = Match(match.game, match.seats, "any", **match.options)
    mcts.think(start.game, start.seen_by(start.to_play), start.to_play, budget, 0, stop=lambda: True)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not is_terminal(sys.stderr)
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        task = progress.add_task("thinking it over", total=total)

        def advance(remark: Remark) -> Remark:
            progress.update(task, advance=1)
            return remark

        yield advance


STYLES = {"??": "bold red", "?": "red", "?!": "yellow", BEST: "green", "": FAINT}


def _print_remarks(remarks: Sequence[Remark], console: Console) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, header_style=FAINT)
    for column, side in (("ply", "right"), ("", "left"), ("action", "left"), ("", "left"), ("wins", "right")):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    table.add_column("better")
    for r in remarks:
        style = STYLES[r.mark]
        better = "" if r.better == r.action else f"{escape(r.better)} [{FAINT}]+{percent(r.lost)}[/]"
        action = f"{mark(r.seat)} [{style if r.mark in LOSSES else 'default'}]{escape(r.action)}[/]"
        chance = f"[{FAINT}]{escape(', '.join(r.chance))}[/]"
        table.add_row(str(r.ply), chance, action, f"[{style}]{r.mark}[/]", percent(r.worth), better)
    console.print(table, highlight=False)


def _print_curve(match: Match, remarks: Sequence[Remark], console: Console) -> None:
    curves = [curve(match, remarks, seat) for seat in range(match.seats)]
    width = max(8, min(100, console.width - 20))
    console.print(f"\n[bold {GOLD}]Chances to win[/]", *drawn(curves, width, height=10), "", sep="\n", highlight=False)
