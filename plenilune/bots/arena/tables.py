"""What the results say, as tables: ratings, pairs, and scores of games for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from plenilune.bots.arena.match import Result
from plenilune.bots.arena.plan import Fixture, Plan, fixtures, pairs
from plenilune.bots.ratings import Rating, interval, mean_interval, pair_points, percent, rate, signed_range, win_share
from plenilune.game import load

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
            _title(plan), [SOLO_NOTE, *_code_note(results)], [solo_sheet(by_pair), _spread_sheet(by_pair)], []
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
    "of a pair has won, a shared victory counted in parts, with the 95% interval over sets; `equals` is what it would "
    "win if both were as strong."
)
ELO_NOTE = (
    "Elo: Bradley and Terry's maximum likelihood, {first} = 0, every pair of seats counted by its places, one tie "
    "added to each pair that met; 95% intervals by a bootstrap over sets. `lead` is over the next bot in the list. "
    "`ms` is the mean time of a decision with more than one legal action."
)
SOLO_NOTE = "Every bot plays the same dice alone; points, with the mean's 95% interval."


def _code_note(results: Sequence[Result]) -> list[str]:
    versions = len({r.code for r in results})
    return [f"These matches were played by {versions} versions of the rules' or the bots' code."] * (versions > 1)


def _elo_sheet(ratings: Sequence[Rating], results: Sequence[Result]) -> Sheet:
    head = ("bot", "Elo", "95%", "lead", "95%", "matches", "mean score", "ms")
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
    return Sheet(("bot", "against", "matches", "wins", "95%", "equals"), rows)


def solo_sheet(by_pair: Mapping[tuple[str, ...], Sets]) -> Sheet:
    head = ("bot", "matches", "mean score", "95%", "lowest", "10%", "median", "90%", "highest", "ms")
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
