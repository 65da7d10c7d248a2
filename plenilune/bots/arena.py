"""The arena: bots play one another on the same dice, and are rated by their results.

Matches come in sets. A set has one seed for the dice and is played once for every seating: with two seats both ways
round, with more seats one copy of the first bot against copies of the second, at every seat in turn. The dice of a set
favour both sides equally (common random numbers); so a set, not a match, is one observation for the intervals.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plenilune.bots import load as load_bot
from plenilune.bots.chart import elo_chart, png
from plenilune.bots.pool import processes_for, spread
from plenilune.bots.ratings import Rating, interval, mean_interval, pair_points, percent, rate, signed_range, win_share
from plenilune.bots.thought import Stop, never
from plenilune.core.dice import Dice
from plenilune.core.drawing import FAINT, GOLD, is_terminal
from plenilune.core.errors import BadSetting, Refusal
from plenilune.core.fingerprint import fingerprint
from plenilune.game import Game, load
from plenilune.match import Match

if TYPE_CHECKING:
    from rich.console import Console

MATCHES, TABLE, CHART, PIXELS = "matches.jsonl", "table.md", "elo.svg", "elo.png"  # in the folder that keeps an arena


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
    match, bots = Match(game, plan.seats, fixture.seed, **plan.options), [load_bot(b, game).sit() for b in fixture.bots]
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
    bots = Path(__file__).parent
    return "-".join(fingerprint(folder) for folder in (game.State.home(), bots, bots / "search"))


def warm_up(plan: Plan) -> None:
    """Have everything compiled or loaded from disk, so that no decision pays for it."""
    match = Match(plan.game, plan.seats, plan.seed, **plan.options)
    for name in plan.bots:
        bot, seat = load_bot(name, match.game), match.to_play
        bot.think(match.game, match.seen_by(seat), seat, seed=0, stop=lambda: True)


# All of them, on all cores


def play_all(plan: Plan, todo: Sequence[Fixture], jobs: int) -> Iterator[Result]:
    """The results as they come, from so many processes."""
    return spread(partial(play, plan), todo, jobs, partial(warm_up, plan))


# Keeping results


def to_line(result: Result) -> str:
    return json.dumps(asdict(result), ensure_ascii=False) + "\n"


def from_line(line: bytes) -> Result:
    """The inverse of `to_line`; a ValueError if the line is no result."""
    if not line.endswith(b"\n"):
        raise ValueError("the line has no end")
    with suppress(TypeError):
        result = Result(**json.loads(line))
        if len(result.bots) == len(result.places) == result.seats:
            return result
    raise ValueError("the line has other fields than a result")


def recover(file: Path) -> list[Result]:
    """The results in the file. An incomplete last line is truncated."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    results: list[Result] = []
    for number, line in enumerate(lines, 1):
        try:
            results.append(from_line(line))
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


# Tables


Sets = Mapping[int, Sequence[Result]]  # the complete sets of a pair, by their number


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
    met = pairs(plan.bots, plan.seats)
    by_pair = {pair: sets for pair in met if (sets := complete_sets(plan, done, pair))}
    results = [r for sets in by_pair.values() for matches in sets.values() for r in matches]
    if not results:
        return None
    if plan.seats == 1:
        return Report(
            _title(plan), [SOLO_NOTE, *_code_note(results)], [_solo_sheet(by_pair), _spread_sheet(by_pair)], []
        )
    bots = [bot for bot in plan.bots if any(bot in pair for pair in by_pair)]
    numbers = sorted({number for sets in by_pair.values() for number in sets})
    by_number = [[r for sets in by_pair.values() for r in sets.get(number, ())] for number in numbers]
    points = [pair_points([(r.bots, r.places) for r in matches], bots) for matches in by_number]
    ratings = rate(np.array(points), bots)
    notes = [PAIR_NOTE.format(seats=plan.seats), ELO_NOTE.format(first=bots[0]), *_code_note(results)]
    return Report(_title(plan), notes, [_elo_sheet(ratings, results), _pair_sheet(by_pair)], ratings)


def _title(plan: Plan) -> str:
    game = load(plan.game)
    options = "".join(f", {name} {word}" for name, word in game.choices(plan.seats, plan.options).items())
    return f"{game.title}, {plan.seats} seat{'s' * (plan.seats > 1)}{options}"


def complete_sets(plan: Plan, done: Mapping[Fixture, Result], pair: Sequence[str]) -> Sets:
    """A pair's sets, without those that still lack a match."""
    sets = {number: fixtures(plan, pair, number) for number in range(1, plan.sets + 1)}
    return {number: [done[f] for f in matches] for number, matches in sets.items() if all(f in done for f in matches)}


def set_score(results: Sequence[Result], bot: str) -> float:
    """What the bot, who sits once in each match, has won of a set: 1 if every match."""
    return float(np.mean([win_share(r.places, r.bots.index(bot)) for r in results]))


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
    lead = (f"{r.lead[0]:+.0f}", signed_range(*r.lead[1:])) if r.lead else ("", "")
    return (r.bot, f"{r.elo:+.0f}", signed_range(r.low, r.high), *lead)


def _bot_cells(bot: str, results: Sequence[Result]) -> tuple[str, str, str]:
    own = [(r, seat) for r in results for seat in range(r.seats) if r.bots[seat] == bot]
    score = float(np.mean([r.scores[seat] for r, seat in own]))
    decisions, ms = (sum(numbers) for numbers in zip(*((r.decisions[s], r.ms[s]) for r, s in own), strict=True))
    return str(len({r.fixture for r, _ in own})), f"{score:.1f}", f"{ms / max(1, decisions):.2f}"


def _pair_sheet(by_pair: Mapping[tuple[str, ...], Sets]) -> Sheet:
    rows = []
    for pair, sets in by_pair.items():
        scores = [set_score(results, pair[0]) for results in sets.values()]
        seats = len(next(iter(sets.values())))
        low, high = interval(scores, seats)
        against = pair[1] if seats == 2 else f"{seats - 1} × {pair[1]}"
        wins = (percent(float(np.mean(scores))), f"{percent(low)} to {percent(high)}", percent(1 / seats))
        rows.append((pair[0], against, str(seats * len(scores)), *wins))
    return Sheet(("bot", "against", "matches", "wins", "95 %", "equals"), rows)


def _solo_sheet(by_pair: Mapping[tuple[str, ...], Sets]) -> Sheet:
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


def _spread_sheet(by_pair: Mapping[tuple[str, ...], Sets]) -> Sheet:
    """How many matches ended with how many points, ten by ten."""
    tens = {bot: [r.scores[0] // 10 for results in sets.values() for r in results] for (bot,), sets in by_pair.items()}
    reached = [ten for own in tens.values() for ten in own]
    steps = range(min(reached), max(reached) + 1)
    return Sheet(("score", *tens), [(_ten(step), *(str(own.count(step)) for own in tens.values())) for step in steps])


def _ten(step: int) -> str:
    """
    >>> _ten(9)
    '90 to 99'
    """
    return f"{10 * step} to {10 * step + 9}"


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


# The command


def main(plan: Plan, jobs: int | None = None, folder: Path | None = None, console: Console | None = None) -> int:
    """Play what the folder does not have yet, print the tables, and keep everything there."""
    from rich.console import Console

    console = console or Console()
    game, jobs = check(plan), processes_for(jobs)
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
        if folder:
            _keep(found, folder, console)
    return 0 if finished else 130


def _play_and_keep(
    plan: Plan, done: dict[Fixture, Result], todo: Sequence[Fixture], jobs: int, folder: Path | None
) -> bool:
    """Add results to `done` and to the folder's file as they come; returns False after Ctrl-C."""
    if not todo:
        return True
    file = Path(os.devnull)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / MATCHES
    try:
        warm_up(plan)  # it may show its own progress
        with file.open("a", encoding="utf-8", newline="\n") as out, _progress(plan, done, len(todo)) as advance:
            for result in play_all(plan, todo, jobs):
                done[result.fixture] = result
                out.write(to_line(result))
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


def _keep(found: Report, folder: Path, console: Console) -> None:
    (folder / TABLE).write_text(markdown(found), "utf-8")
    if not found.ratings:
        return
    chart, pixels = elo_chart(found.title, found.ratings), folder / PIXELS
    (folder / CHART).write_text(chart, "utf-8")
    try:
        pixels.write_bytes(png(chart))
    except Refusal as refusal:
        pixels.unlink(missing_ok=True)  # an older one would tell of fewer matches
        console.print(f"{pixels} is not there: {refusal}", highlight=False, markup=False, soft_wrap=True)
