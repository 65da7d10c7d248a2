"""The arena: bots play one another, the same dice for all of them, and are rated by how they do.

Matches come in sets. A set has one seed for the dice and is played once for every way to sit: with two seats both ways
round, with more seats one bot of the first kind against all others of the second, at every seat in turn. What luck the
dice bring in a set, they bring to both sides; so a set, not a match, is one observation when intervals are made.
"""

from __future__ import annotations

import itertools
import json
import math
import multiprocessing
import os
import signal
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from plenilune.bots import load as load_bot
from plenilune.bots.thought import Stop, never
from plenilune.dice import Dice
from plenilune.drawing import FAINT, GOLD, is_terminal
from plenilune.errors import BadSetting
from plenilune.fingerprint import fingerprint
from plenilune.game import Game, load
from plenilune.match import Match

if TYPE_CHECKING:
    from rich.console import Console

MATCHES, TABLE, CHART = "matches.jsonl", "table.md", "elo.svg"  # in the folder that keeps an arena
Z = 1.959964  # of the normal distribution, 95 % lie so many deviations around the mean
RESAMPLES = 1000
ELO = 400 / math.log(10)  # a rating's unit: 400 more are odds of ten to one
Floats = NDArray[np.float64]


# Who plays whom


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    game: str
    bots: tuple[str, ...]
    seats: int = 2
    options: Mapping[str, str] = field(default_factory=dict)
    games: int = 100  # matches for each pair of bots, rounded up to whole sets
    seed: str = "arena"

    @property
    def sets(self) -> int:
        return -(-self.games // self.seats)


class Fixture(NamedTuple):
    """One match of the plan. The same seed means the same dice."""

    seed: str
    bots: tuple[str, ...]  # by seat


def check(plan: Plan) -> Game:
    """The plan's game; refuses a plan that cannot be played."""
    game = load(plan.game)
    game.choices(plan.seats, plan.options)
    for name in plan.bots:
        load_bot(name, game)
    if twice := [name for name in plan.bots if plan.bots.count(name) > 1]:
        raise BadSetting(f"a bot is named once, not twice: {twice[0]}")
    if len(plan.bots) < min(plan.seats, 2):
        raise BadSetting("an arena is for two bots or more")
    if plan.games < 1:
        raise BadSetting(f"the number of matches is 1 or more, not {plan.games}")
    Dice(plan.seed)
    return game


def pairs(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Who meets whom: everybody everybody else. Where a game is played alone, everybody nobody.

    >>> pairs("abc", seats=2), pairs("ab", seats=1)
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [('a',), ('b',)])
    """
    return list(itertools.combinations(bots, min(seats, 2)))


def seatings(pair: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Every way for a pair to sit: the first at each seat in turn, the second everywhere else.

    >>> seatings("ab", 2), seatings("ab", 3)
    ([('a', 'b'), ('b', 'a')], [('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a')])
    """
    first, second = pair[0], pair[-1]
    return [tuple(first if seat == own else second for seat in range(seats)) for own in range(seats)]


def fixtures(plan: Plan, pair: Sequence[str], number: int) -> list[Fixture]:
    """The matches of one set.

    >>> fixtures(Plan("moon-leap", ("a", "b"), seed="s"), "ab", 7)
    [Fixture(seed='s 7', bots=('a', 'b')), Fixture(seed='s 7', bots=('b', 'a'))]
    """
    return [Fixture(f"{plan.seed} {number}", bots) for bots in seatings(pair, plan.seats)]


def schedule(plan: Plan) -> Iterator[Fixture]:
    """All the matches; every pair has its first set before any has its second."""
    for number in range(1, plan.sets + 1):
        for pair in pairs(plan.bots, plan.seats):
            yield from fixtures(plan, pair, number)


# One match


@dataclass(frozen=True)
class Result:
    """How a match went, with all there is to know to play it again. What is a list is by seat."""

    game: str
    rules: int
    components: str
    code: str  # a digest of the rules' and the bots' sources
    seats: int
    options: dict[str, str]
    seed: str
    bots: list[str]
    places: list[int]
    scores: list[int]
    plies: int
    decisions: list[int]  # those with more than one legal action
    ms: list[float]  # what they took, all together

    @property
    def fixture(self) -> Fixture:
        return Fixture(self.seed, tuple(self.bots))


def play(plan: Plan, fixture: Fixture, stop: Stop = never) -> Result | None:
    """Play the match, or nothing if it is stopped. Who has no choice is not asked."""
    game = load(plan.game)
    match, bots = Match(game, plan.seats, fixture.seed, **plan.options), [load_bot(b, game) for b in fixture.bots]
    decisions, ms = [0] * plan.seats, [0.0] * plan.seats
    while not match.over and not stop():
        seat, legal = match.to_play, match.legal_numbers()
        action = legal[0]
        if len(legal) > 1:
            began = time.perf_counter()
            seed = zlib.crc32(f"{fixture.seed} {seat} {match.ply}".encode())
            action = bots[seat].think(game, match.seen_by(seat), seat, seed, stop).action
            ms[seat] += 1000 * (time.perf_counter() - began)
            decisions[seat] += 1
        match.play(game.actions.text(action))
    return _result(match, fixture, decisions, ms) if match.over else None


def _result(match: Match, fixture: Fixture, decisions: list[int], ms: list[float]) -> Result:
    game = match.game
    return Result(
        game=game.name,
        rules=game.version,
        components=game.components,
        code=code(game),
        seats=match.seats,
        options=match.options,
        seed=fixture.seed,
        bots=list(fixture.bots),
        places=match.places,
        scores=match.scores,
        plies=match.ply,
        decisions=decisions,
        ms=[round(time, 3) for time in ms],
    )


def code(game: Game) -> str:
    return f"{fingerprint(game.State.home())}-{fingerprint(Path(__file__).parent)}"


def warm_up(plan: Plan) -> None:
    """Have everything compiled or read from disk, so that no decision pays for it."""
    match = Match(plan.game, plan.seats, plan.seed, **plan.options)
    for name in plan.bots:
        bot, seat = load_bot(name, match.game), match.to_play
        bot.think(match.game, match.seen_by(seat), seat, seed=0, stop=lambda: True)


# All of them, on all cores


def play_all(plan: Plan, todo: Sequence[Fixture], jobs: int) -> Iterator[Result]:
    """The results as they come, from so many processes; from this one if they are not several."""
    jobs = min(jobs, len(todo))
    if jobs < 2:
        yield from filter(None, (play(plan, fixture) for fixture in todo))
        return
    processes = multiprocessing.get_context("spawn")
    enough = processes.Event()
    pool = ProcessPoolExecutor(jobs, processes, _begin, (plan, enough))
    try:
        with _interrupts_ignored():  # the processes inherit it, for Ctrl-C is not theirs to hear
            playing = [pool.submit(_play, plan, fixture) for fixture in todo]
        for future in as_completed(playing):
            if result := future.result():
                yield result
    except BrokenProcessPool as error:
        raise BadSetting("one of the processes has ended before its match; the same command goes on") from error
    finally:
        enough.set()
        pool.shutdown(cancel_futures=True)


_stop: Stop = never  # in a process that plays: whether it is to stop


def _begin(plan: Plan, enough: Any) -> None:
    global _stop
    _stop = enough.is_set
    warm_up(plan)


def _play(plan: Plan, fixture: Fixture) -> Result | None:
    return play(plan, fixture, _stop)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Keeping results


def write(result: Result) -> str:
    return json.dumps(asdict(result), ensure_ascii=False) + "\n"


def read(line: bytes) -> Result:
    """The way back; a ValueError if the line is no result."""
    if not line.endswith(b"\n"):
        raise ValueError("the line has no end")
    with suppress(TypeError):
        result = Result(**json.loads(line))
        if len(result.bots) == len(result.places) == result.seats:
            return result
    raise ValueError("the line has other fields than a result")


def recover(file: Path) -> list[Result]:
    """The results in the file. A last line that was not written to its end is cut off."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    results: list[Result] = []
    for number, line in enumerate(lines, 1):
        try:
            results.append(read(line))
        except ValueError as error:
            if number < len(lines):
                raise BadSetting(f"{file}, line {number}: this is not the result of a match") from error
            os.truncate(file, sum(map(len, lines[:-1])))
    return results


def belonging(plan: Plan, game: Game, results: Iterable[Result]) -> dict[Fixture, Result]:
    """Those of the results that the plan asks for."""
    wanted = set(schedule(plan))
    setting = (game.name, game.version, game.components, plan.seats, game.choices(plan.seats, plan.options))
    return {
        r.fixture: r
        for r in results
        if (r.game, r.rules, r.components, r.seats, r.options) == setting and r.fixture in wanted
    }


# Counting


def win_share(places: Sequence[int], seat: int) -> float:
    """1 for the winner, shared among equals.

    >>> win_share([2, 1], 1), win_share([1, 1, 3], 0), win_share([1, 1, 3], 2)
    (1.0, 0.5, 0.0)
    """
    return 1 / places.count(1) if places[seat] == 1 else 0.0


def complete_sets(plan: Plan, done: Mapping[Fixture, Result], pair: Sequence[str]) -> dict[int, list[Result]]:
    """A pair's sets by their number, without those that still lack a match."""
    sets = {number: fixtures(plan, pair, number) for number in range(1, plan.sets + 1)}
    return {number: [done[f] for f in matches] for number, matches in sets.items() if all(f in done for f in matches)}


def set_score(results: Sequence[Result], bot: str) -> float:
    """What the bot, who sits once in each match, has won of a set: 1 if every match."""
    return float(np.mean([win_share(r.places, r.bots.index(bot)) for r in results]))


def interval(scores: Sequence[float], matches: int) -> tuple[float, float]:
    """Where the mean of sets' scores lies, with 95 %, if each is the mean of so many matches.

    It is Wilson's interval with the variance that the sets have instead of a coin's: narrower where the matches of a
    set cancel each other's luck, wider where they share it, and never of no width, even if every match was won.

    >>> [round(end, 3) for end in interval([0.5, 1.0] * 50, matches=2)]
    [0.696, 0.795]
    >>> [round(end, 3) for end in interval([1.0] * 50, matches=2)]
    [0.963, 1.0]
    """
    sets, mean = len(scores), float(np.mean(scores))
    variance = float(np.var(scores, ddof=1)) if sets > 1 else mean * (1 - mean)
    pull = Z**2 / (sets * matches)
    middle, half = mean + pull / 2, Z * math.sqrt(variance / sets + pull**2 / (4 * Z**2))
    return max(0.0, (middle - half) / (1 + pull)), min(1.0, (middle + half) / (1 + pull))


def mean_interval(numbers: Sequence[float]) -> tuple[float, float]:
    """The same for numbers of any size, such as points."""
    half = Z * float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.inf
    return float(np.mean(numbers)) - half, float(np.mean(numbers)) + half


# Ratings


@dataclass(frozen=True)
class Rating:
    bot: str
    elo: float
    low: float
    high: float
    lead: tuple[float, float, float] | None  # over the next in the list, with its interval; the last one has none


def pair_points(results: Iterable[Result], bots: Sequence[str]) -> Floats:
    """points[i, j]: how often bot i came in before bot j, half for a tie; every pair of seats counts.

    >>> from types import SimpleNamespace as Some
    >>> pair_points([Some(bots=["a", "b", "b"], places=[2, 1, 2])], "ab")
    array([[0. , 0.5],
           [1.5, 0. ]])
    """
    points = np.zeros((len(bots), len(bots)))
    for r in results:
        for one, other in itertools.permutations(range(len(r.bots)), 2):
            if r.bots[one] != r.bots[other]:
                won = 0.5 * ((r.places[one] < r.places[other]) + (r.places[one] <= r.places[other]))
                points[bots.index(r.bots[one]), bots.index(r.bots[other])] += won
    return points


def elo(points: Floats) -> Floats:
    """The ratings under which such points are likeliest, by the model of Bradley and Terry; the first bot's is 0.
    Every bot must have won and lost something. Takes many tables of points at once, along the first axes.

    >>> [round(float(rating)) for rating in elo(np.array([[0, 250], [750, 0]]))]
    [0, 191]
    """
    met = points + np.swapaxes(points, -1, -2)
    strengths = np.zeros(points.shape[:-1])
    for _ in range(100):
        expected = 1 / (1 + np.exp(strengths[..., None, :] - strengths[..., :, None]))
        weights = met * expected * (1 - expected)
        slope = (points - met * expected).sum(-1)
        curvature = weights.sum(-1)[..., None] * np.eye(points.shape[-1]) - weights
        step = np.clip((np.linalg.pinv(curvature, hermitian=True) @ slope[..., None])[..., 0], -1, 1)
        strengths += step
        if np.abs(step).max() < 1e-9:
            break
    return ELO * (strengths - strengths[..., :1])


def rate(sets: Floats, bots: Sequence[str]) -> list[Rating]:
    """The bots by strength, from the points of each set; the first bot named is rated 0.

    Each pair that has met is given one tie beyond its matches, so that who won them all has a rating too. Intervals
    are those of a Bayesian bootstrap: in each resample every set, and each half of that tie, has another weight.
    """
    rng = np.random.default_rng(1)
    tie = (sets.sum(0) + sets.sum(0).T > 0) / 2
    ratings = elo(sets.sum(0) + tie)
    weights = rng.exponential(size=(RESAMPLES, len(sets)))
    samples = elo(np.tensordot(weights, sets, 1) + tie * rng.exponential(size=(RESAMPLES, *tie.shape)))
    order = sorted(range(len(bots)), key=lambda i: (-ratings[i], i))
    leads = [_spread(ratings[i] - ratings[j], samples[:, i] - samples[:, j]) for i, j in itertools.pairwise(order)]
    return [
        Rating(bots[i], *_spread(ratings[i], samples[:, i]), lead)
        for i, lead in zip(order, [*leads, None], strict=True)
    ]


def _spread(value: float, samples: Floats) -> tuple[float, float, float]:
    low, high = np.percentile(samples, [2.5, 97.5])
    return float(value), float(low), float(high)


# Tables


class Sheet(NamedTuple):
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Report:
    title: str
    notes: list[str]
    sheets: list[Sheet]
    ratings: list[Rating]


def report(plan: Plan, done: Mapping[Fixture, Result]) -> Report | None:
    """What the complete sets say; nothing if there are none."""
    game = load(plan.game)
    by_pair = {pair: complete_sets(plan, done, pair) for pair in pairs(plan.bots, plan.seats)}
    by_pair = {pair: sets for pair, sets in by_pair.items() if sets}
    results = [result for sets in by_pair.values() for matches in sets.values() for result in matches]
    if not results:
        return None
    options = "".join(f", {name} {word}" for name, word in game.choices(plan.seats, plan.options).items())
    title = f"{game.title}, {plan.seats} seat{'s' * (plan.seats > 1)}{options}"
    if plan.seats == 1:
        return Report(title, [SOLO_NOTE, *_code_note(results)], [_solo_sheet(by_pair)], [])
    bots = [bot for bot in plan.bots if any(bot in pair for pair in by_pair)]
    numbers = sorted({number for sets in by_pair.values() for number in sets})
    points = [pair_points([r for sets in by_pair.values() for r in sets.get(n, ())], bots) for n in numbers]
    ratings = rate(np.array(points), bots)
    notes = [PAIR_NOTE.format(seats=plan.seats), ELO_NOTE.format(first=bots[0]), *_code_note(results)]
    return Report(title, notes, [_elo_sheet(ratings, results), _pair_sheet(by_pair)], ratings)


PAIR_NOTE = (
    "Matches come in sets of {seats}: one seed for the dice of a set, every way to sit. `wins` is what the first bot "
    "of a pair has won, a shared victory counted in parts, with the 95 % interval over sets; `equals` is what it would "
    "win if both were as strong."
)
ELO_NOTE = (
    "Elo: Bradley and Terry's maximum likelihood, {first} = 0, every pair of seats counted by its places, one tie "
    "added to each pair that met; 95 % intervals by a bootstrap over sets. `lead` is over the next bot in the list. "
    "`ms` is the mean time of a decision with more than one legal action."
)
SOLO_NOTE = "Every bot plays the same dice alone; points, with the mean's 95 % interval."


def _code_note(results: Sequence[Result]) -> list[str]:
    versions = len({r.code for r in results})
    return [f"These matches were played by {versions} versions of the rules' or the bots' code."] * (versions > 1)


def _elo_sheet(ratings: Sequence[Rating], results: Sequence[Result]) -> Sheet:
    head = ("bot", "Elo", "95 %", "lead", "95 %", "matches", "mean score", "ms")
    return Sheet(head, [(*_elo_cells(r), *_bot_cells(r.bot, results)) for r in ratings])


def _elo_cells(r: Rating) -> tuple[str, ...]:
    lead = (f"{r.lead[0]:+.0f}", _range(*r.lead[1:])) if r.lead else ("", "")
    return (r.bot, f"{r.elo:+.0f}", _range(r.low, r.high), *lead)


def _range(low: float, high: float) -> str:
    """
    >>> _range(-12.3, 40)
    '-12 to +40'
    """
    return f"{low:+.0f} to {high:+.0f}" if low != high else ""


def percent(share: float) -> str:
    """
    >>> percent(0.625)
    '62.5 %'
    """
    return f"{100 * share:.1f} %"


def _bot_cells(bot: str, results: Sequence[Result]) -> tuple[str, str, str]:
    own = [(r, seat) for r in results for seat in range(r.seats) if r.bots[seat] == bot]
    score = float(np.mean([r.scores[seat] for r, seat in own]))
    decisions, ms = (sum(numbers) for numbers in zip(*((r.decisions[s], r.ms[s]) for r, s in own), strict=True))
    return str(len({r.fixture for r, _ in own})), f"{score:.1f}", f"{ms / max(1, decisions):.2f}"


def _pair_sheet(by_pair: Mapping[tuple[str, ...], Mapping[int, Sequence[Result]]]) -> Sheet:
    rows = []
    for pair, sets in by_pair.items():
        scores = [set_score(results, pair[0]) for results in sets.values()]
        seats = len(next(iter(sets.values())))
        low, high = interval(scores, seats)
        against = pair[1] if seats == 2 else f"{seats - 1} × {pair[1]}"
        wins = (percent(float(np.mean(scores))), f"{percent(low)} to {percent(high)}", percent(1 / seats))
        rows.append((pair[0], against, str(seats * len(scores)), *wins))
    return Sheet(("bot", "against", "matches", "wins", "95 %", "equals"), rows)


def _solo_sheet(by_pair: Mapping[tuple[str, ...], Mapping[int, Sequence[Result]]]) -> Sheet:
    head = ("bot", "matches", "mean score", "95 %", "lowest", "10 %", "median", "90 %", "highest", "ms")
    rows = []
    for (bot,), sets in by_pair.items():
        results = [r for results in sets.values() for r in results]
        scores = [r.scores[0] for r in results]
        matches, mean, ms = _bot_cells(bot, results)
        low, high = mean_interval(scores)
        spread = [f"{score:g}" for score in np.percentile(scores, [0, 10, 50, 90, 100])]
        rows.append((bot, matches, mean, f"{low:.1f} to {high:.1f}" * (len(scores) > 1), *spread, ms))
    return Sheet(head, rows)


def markdown(report: Report) -> str:
    sheets = "\n".join(_markdown_sheet(sheet) for sheet in report.sheets)
    notes = "\n".join(f"- {note}" for note in report.notes)
    return f"# {report.title}\n\n{sheets}\n{notes}\n"


def _markdown_sheet(sheet: Sheet) -> str:
    """
    >>> print(_markdown_sheet(Sheet(("bot", "Elo"), [("random", "0")])), end="")
    | bot | Elo |
    |---|--:|
    | random | 0 |
    """
    under = "|".join("---" if column in ("bot", "against") else "--:" for column in sheet.head)
    rows = "".join(f"| {' | '.join(row)} |\n" for row in sheet.rows)
    return f"| {' | '.join(sheet.head)} |\n|{under}|\n{rows}"


def _print(report: Report, console: Console) -> None:
    from rich.table import Table

    console.print(f"\n[bold {GOLD}]☾ {report.title}[/]\n", highlight=False)
    for sheet in report.sheets:
        table = Table(box=None, header_style=FAINT)
        for column in sheet.head:
            table.add_column(column, justify="left" if column in ("bot", "against") else "right")
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table, "", highlight=False)


# The chart

TABLE_COLOUR, PAPER, INK, FAINT_INK = "#10142b", "#232b52", "#eef0fb", "#9aa3cf"
FONT = "'Nunito Sans', ui-rounded, system-ui, sans-serif"
WIDTH, MARGIN, ROW, TOP, BOTTOM = 760, 32, 36, 96, 56  # in pixels
NAMES, FIGURES, RANGES = 170, 210, 130  # the columns of names, and of ratings with their intervals in it


def element(tag: str, *inside: str, **attributes: object) -> str:
    """A piece of SVG; `inside` is SVG already.

    >>> element("g", element("circle", r=3, stroke_width=2), fill="red")
    '<g fill="red"><circle r="3" stroke-width="2"/></g>'
    """
    given = "".join(f" {name.replace('_', '-')}={quoteattr(_short(value))}" for name, value in attributes.items())
    return f"<{tag}{given}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{given}/>"


def _short(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def words(text: str, x: float, y: float, size: int = 14, fill: str = INK, anchor: str = "start") -> str:
    halo = {"stroke": PAPER, "stroke_width": 4, "paint_order": "stroke"}  # so that lines do not run through letters
    return element("text", escape(text), x=x, y=y, fill=fill, font_size=size, text_anchor=anchor, **halo)


def picture(width: int, height: int, title: str, *inside: str) -> str:
    """A whole SVG file on a night-blue table, with its title."""
    space = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
    card = element("rect", x=12, y=12, width=width - 24, height=height - 24, rx=20, fill=PAPER)
    table = element("rect", width=width, height=height, fill=TABLE_COLOUR)
    head = (element("title", escape(title)), table, card, words(title, MARGIN, 50, 20))
    whole = {**space, "width": width, "height": height, "role": "img", "font_family": FONT}
    return element("svg", *head, *inside, **whole) + "\n"


def ticks(low: float, high: float, most: int = 7) -> list[int]:
    """Round numbers from below `low` to above `high`, no more steps than `most`.

    >>> ticks(-30, 410), ticks(0, 0)
    ([-100, 0, 100, 200, 300, 400, 500], [0, 1])
    """
    for step in (digit * 10**power for power in range(9) for digit in (1, 2, 5)):
        first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
        if last - first <= most:
            return [step * n for n in range(first, last + 1)]
    return [math.floor(low), math.ceil(high)]


def chart(title: str, ratings: Sequence[Rating]) -> str:
    """Ratings as dots with their intervals, one bot a row, the strongest on top."""
    marks = ticks(min(r.low for r in ratings), max(r.high for r in ratings))
    left, right, height = MARGIN + NAMES, WIDTH - MARGIN - FIGURES, TOP + ROW * len(ratings) + BOTTOM

    def x(value: float) -> float:
        return left + (right - left) * (value - marks[0]) / (marks[-1] - marks[0])

    first = next((r.bot for r in ratings if r.elo == 0), "")
    under = words(f"Elo with 95 % intervals, {first} = 0", MARGIN, 74, 14, FAINT_INK)
    grid = [_grid_line(x(mark), f"{mark}", TOP, height - BOTTOM) for mark in marks]
    rows = [_chart_row(r, x, TOP + ROW * (n + 0.5)) for n, r in enumerate(ratings)]
    return picture(WIDTH, height, title, under, *grid, *rows)


def _grid_line(x: float, label: str, top: float, bottom: float) -> str:
    line = element("line", x1=x, y1=top, x2=x, y2=bottom, stroke=FAINT_INK, stroke_opacity=0.25)
    return line + words(label, x, bottom + 20, 13, FAINT_INK, "middle")


def _chart_row(r: Rating, x: Any, y: float) -> str:
    interval = [
        element("line", x1=x(r.low), y1=y, x2=x(r.high), y2=y, stroke=GOLD, stroke_width=3, stroke_opacity=0.55),
        *(element("line", x1=x(end), y1=y - 6, x2=x(end), y2=y + 6, stroke=GOLD) for end in (r.low, r.high)),
    ]
    return element(
        "g",
        words(r.bot, MARGIN, y + 5),
        *(interval if r.low != r.high else ()),
        element("circle", cx=x(r.elo), cy=y, r=6, fill=GOLD),
        words(f"{r.elo:+.0f}", WIDTH - MARGIN - RANGES, y + 5, anchor="end"),
        words(_range(r.low, r.high), WIDTH - MARGIN, y + 5, fill=FAINT_INK, anchor="end"),
    )


# The command


def main(plan: Plan, jobs: int | None = None, folder: Path | None = None, console: Console | None = None) -> int:
    """Play what the folder does not have yet, print the tables, and keep everything there."""
    from rich.console import Console

    console = console or Console()
    game, jobs = check(plan), cores() if jobs is None else jobs
    if jobs < 1:
        raise BadSetting(f"the number of processes is 1 or more, not {jobs}")
    done = belonging(plan, game, recover(folder / MATCHES)) if folder else {}
    todo = [fixture for fixture in schedule(plan) if fixture not in done]
    if done:
        say = f"Going on: {len(done):,} of {len(done) + len(todo):,} matches are in {folder}"
        console.print(say if todo else f"All {len(done):,} matches are in {folder}", highlight=False, soft_wrap=True)
    finished = _play_and_keep(plan, done, todo, jobs, folder)
    if not finished:
        kept = f"; the same command goes on with what is in {folder}" if folder else ""
        console.print(f"Stopped after {len(done):,} matches{kept}", highlight=False, soft_wrap=True)
    found = report(plan, done)
    if found is None:
        console.print("No set of matches is complete.")
    else:
        _print(found, console)
        _keep(found, folder)
    return 0 if finished else 130


def _play_and_keep(
    plan: Plan, done: dict[Fixture, Result], todo: Sequence[Fixture], jobs: int, folder: Path | None
) -> bool:
    """Add results to `done` and to the folder's file as they come; tells whether nobody pressed Ctrl-C."""
    if not todo:
        return True
    Match(plan.game, plan.seats, **plan.options)  # compiled now, it may show its own progress
    file = Path(os.devnull)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / MATCHES
    try:
        with file.open("a", encoding="utf-8", newline="\n") as out, _progress(plan, done, len(todo)) as advance:
            warm_up(plan)
            for result in play_all(plan, todo, jobs):
                done[result.fixture] = result
                out.write(write(result))
                out.flush()
                advance(result)
    except KeyboardInterrupt:
        return False
    return True


@contextmanager
def _progress(plan: Plan, done: Mapping[Fixture, Result], more: int) -> Iterator[Any]:
    """A bar with the running score, where somebody looks on."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    hidden = not is_terminal(sys.stderr)
    tally = Tally(plan.bots, done.values())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        task = progress.add_task("getting ready", total=len(done) + more, completed=len(done))

        def advance(result: Result) -> None:
            tally.add(result)
            progress.update(task, advance=1, description=str(tally))

        yield advance


class Tally:
    """The running score: what each bot has won, or scored where it plays alone.

    >>> from types import SimpleNamespace as Some
    >>> str(Tally("ab", [Some(bots=["a", "b"], places=[2, 1]), Some(bots=["b", "a"], places=[1, 1])]))
    'b 75.0 %  a 25.0 %'
    """

    def __init__(self, bots: Sequence[str], results: Iterable[Result] = ()) -> None:
        self.sums, self.counts, self.alone = dict.fromkeys(bots, 0.0), dict.fromkeys(bots, 0), False
        for result in results:
            self.add(result)

    def add(self, r: Result) -> None:
        self.alone = len(r.bots) == 1
        for bot in set(r.bots):
            own = [seat for seat, name in enumerate(r.bots) if name == bot]
            self.counts[bot] += 1
            self.sums[bot] += r.scores[0] if self.alone else sum(win_share(r.places, seat) for seat in own)

    def __str__(self) -> str:
        means = {bot: self.sums[bot] / count for bot, count in self.counts.items() if count}
        best = sorted(means, key=lambda bot: -means[bot])
        return "  ".join(f"{bot} {means[bot]:.1f}" if self.alone else f"{bot} {percent(means[bot])}" for bot in best)


def _keep(found: Report, folder: Path | None) -> None:
    if folder is None:
        return
    (folder / TABLE).write_text(markdown(found), "utf-8")
    if found.ratings:
        (folder / CHART).write_text(chart(found.title, found.ratings), "utf-8")
