"""How fair a game is: `python -m studies.balance [GAME] [MATCHES]` plays it against itself and counts.

So many matches of random play, and a tenth as many of greedy play (where the game has a quick look at a position), with
every number of seats and every option. Seats know only what they may know. Greedy players here choose a whole turn,
where the bot of that name looks at one action.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from plenilune import Match
from plenilune.bots.search.evaluation import state_values, win_shares
from plenilune.bots.search.records import NONE
from plenilune.bots.search.turns import next_turn
from plenilune.core.engine import apply, below, generator, hide, legal, resample, rule
from plenilune.core.errors import BadSetting, Refusal
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Game, load

MATCHES, GREEDY_PART, MOST_MATCHES = 2_000, 10, 10_000_000
SEED = 1  # of every way to play
RANDOM, GREEDY = "random", "greedy"
ROUND = 10  # matches between two steps of the progress bar
SURE = 1.96  # standard errors to either side that hold the truth 19 times in 20
Floats = NDArray[np.float64]


class Count(NamedTuple):
    """What to count besides: how often words of an action are said, and of how many times they could have been."""

    title: str
    verb: str
    word: int  # which of the verb's words
    cut: int = 0  # letters at the word's end that do not matter
    offers: tuple[tuple[str, int], ...] = ()  # verbs that bring such a word into play, and which of their words it is
    by_option: bool = False  # another table for every choice of options


COUNTS = {
    "via-nebula": [
        Count("card", "build", 1, offers=(("turn-up", 0), ("deal", 1), ("plan", 0))),
        Count("ruin", "site", 0, cut=1, by_option=True),
    ],
}
ENDS: dict[str, Callable[[Any], str]] = {
    "via-nebula": lambda s: "fifth building" if s["end_card"] >= 0 else "standstill",
}
MOST_PLIES = 6  # of one turn


class Scratch(NamedTuple):
    """What a match is played on."""

    states: Any  # the last one is the match, the others are for thinking
    actions: Any
    left: Any
    values: Any
    actors: Any  # who said what, in order
    said: Any
    times: Any  # by action: how often it was said
    won: Any  # by action: what those who said it won
    could: Any  # by action: how often it could be said


def new_scratch(game: Game) -> Scratch:
    size = game.actions.size
    return Scratch(
        states=np.zeros(MOST_PLIES + 2, game.State.dtype),
        actions=np.zeros((MOST_PLIES, size), np.int32),
        left=np.zeros(MOST_PLIES, np.int32),
        values=np.zeros(4),
        actors=np.zeros(game.bound, np.int32),
        said=np.zeros(game.bound, np.int32),
        times=np.zeros(size, np.int64),
        won=np.zeros(size),
        could=np.zeros(size, np.int64),
    )


@rule
def play(scratch: Scratch, greedy: bool, rng: Any) -> int:
    """One match to its end; returns its plies. Who won how much is left in `values`."""
    s, plies = scratch.states[len(scratch.states) - 1], 0
    while s.to_play != OVER:
        action = choose(scratch, s, greedy, rng)
        scratch.actors[plies], scratch.said[plies] = s.to_play, action
        apply(s, action)
        plies += 1
    win_shares(s, scratch.values)
    for ply in range(plies):
        scratch.times[scratch.said[ply]] += 1
        if scratch.actors[ply] != CHANCE:
            scratch.won[scratch.said[ply]] += scratch.values[scratch.actors[ply]]
    return plies


@rule
def choose(scratch: Scratch, s: Any, greedy: bool, rng: Any) -> int:
    n = legal(s, scratch.actions[0])
    for i in range(n):
        scratch.could[scratch.actions[0][i]] += 1
    if s.to_play == CHANCE or n == 1 or not greedy:
        return int(scratch.actions[0][below(rng, n)])
    scratch.states[0] = s
    hide(scratch.states[0], s.to_play)
    resample(scratch.states[0], s.to_play, rng)
    return best_turn(scratch.states, scratch.actions, scratch.left, scratch.values, s.to_play, rng)


@rule
def best_turn(states: Any, actions: Any, left: Any, values: Any, seat: int, rng: Any) -> int:
    """The first action of the turn after which the seat is best off; of equal ones any. Leaves in `values` what the
    position is then worth to it (`states`, `actions`, `left`: see `next_turn`)."""
    best, best_value, equals = NONE, -math.inf, 0
    left[0] = legal(states[0], actions[0])
    depth = next_turn(states, actions, left, 0)
    while depth >= 0:
        state_values(states[depth + 1], values)
        first = int(actions[0][left[0]])
        if values[seat] > best_value:
            best, best_value, equals = first, values[seat], 1
        elif values[seat] == best_value:
            equals += 1
            if below(rng, equals) == 0:
                best = first
        depth = next_turn(states, actions, left, depth)
    values[seat] = best_value
    return best


@dataclass
class Cell:
    """What was found for one way to play."""

    players: str
    seats: int
    options: dict[str, str]
    matches: int
    wins: Floats  # shares, by match and seat, as are the next
    points: Floats
    plies: list[int]
    ends: dict[str, int]
    times: Any  # by action, as are the next
    won: Any
    could: Any

    @property
    def name(self) -> tuple[str, ...]:
        return (self.players, str(self.seats), *self.options.values())


def ways_to_play(game: Game) -> Iterator[tuple[str, int, dict[str, str]]]:
    players = (RANDOM, GREEDY) if game.evaluate else (RANDOM,)
    for who, seats, words in itertools.product(players, game.seats, itertools.product(*game.options.values())):
        options = dict(zip(game.options, words, strict=True))
        if not game.objection(seats, options):
            yield who, seats, options


def measure(
    game: Game, players: str, seats: int, options: dict[str, str], matches: int, step: Callable[[float], None]
) -> Cell:
    start, scratch, rng = Match(game, seats, **options).state, new_scratch(game), generator(SEED)
    s, wins, points = scratch.states[-1], np.zeros((matches, seats)), np.zeros((matches, seats))
    cell = Cell(players, seats, options, matches, wins, points, [], {}, scratch.times, scratch.won, scratch.could)
    for number in range(matches):
        scratch.states[-1] = start
        cell.plies.append(play(scratch, players == GREEDY, rng))
        wins[number] = scratch.values[:seats]
        points[number] = [game.score(s, seat) for seat in range(seats)]
        end = ENDS[game.name](s) if game.name in ENDS else "the end"
        cell.ends[end] = cell.ends.get(end, 0) + 1
        if (number + 1) % ROUND == 0 or number + 1 == matches:
            step(number % ROUND + 1)
    return cell


# What was found


def fairness(game: Game, cells: list[Cell]) -> Table:
    seats = game.seats[-1]
    table = Table("play", "seats", *game.options, "matches", *(f"seat {n + 1} (%)" for n in range(seats)), box=None)
    table.title = "who wins (a shared win is shared), with the interval that holds the truth 19 times in 20"
    for cell in cells:
        shares = [share(cell.wins[:, seat]) for seat in range(cell.seats)]
        table.add_row(*cell.name, f"{cell.matches:,}", *shares)
    return table


def share(wins: Floats) -> str:
    around = SURE * float(wins.std()) / math.sqrt(len(wins))
    return f"{wins.mean():.1%}".rstrip("%") + f" ±{around * 100:.1f}"


def course(game: Game, cells: list[Cell]) -> Table:
    seats = game.seats[-1]
    points = [f"seat {n + 1}" for n in range(seats)]
    table = Table("play", "seats", *game.options, *points, "all", "winner's", "plies", "shortest", "longest", box=None)
    table.title = "points, length and how matches end"
    table.add_column("ends")
    for cell in cells:
        by_seat = [f"{cell.points[:, n].mean():.1f}" if n < cell.seats else "" for n in range(seats)]
        everybody = f"{cell.points.mean():.1f} ±{cell.points.std():.1f}"
        best = f"{cell.points.max(axis=1).mean():.1f}"
        plies = [f"{np.mean(cell.plies):.0f}", str(min(cell.plies)), str(max(cell.plies))]
        ends = ", ".join(f"{end} {n / cell.matches:.0%}" for end, n in sorted(cell.ends.items()))
        table.add_row(*cell.name, *by_seat, everybody, best, *plies, ends)
    return table


def counted(game: Game, count: Count, cells: list[Cell]) -> Table:
    """A row for every word; for each way to play how often it is said and what those who say it win."""
    table = Table(count.title, box=None)
    of = "said, of offers" if count.offers else "said a match"
    table.title = f"{count.verb} {count.title.upper()}: {of}, and how often those who say it win"
    groups = [(who, n) for who in (RANDOM, GREEDY) for n in game.seats if any(is_of(c, who, n) for c in cells)]
    for who, seats in groups:
        table.add_column(f"{who} {seats}", justify="right")
        table.add_column("wins", justify="right", style="dim")
    found = [count_words(game, count, [cell for cell in cells if is_of(cell, *group)]) for group in groups]
    for word in dict.fromkeys(itertools.chain(*found)):
        table.add_row(word, *itertools.chain(*(figures.get(word, ("", "")) for figures in found)))
    return table


def is_of(cell: Cell, players: str, seats: int) -> bool:
    return (cell.players, cell.seats) == (players, seats)


def count_words(game: Game, count: Count, cells: list[Cell]) -> dict[str, tuple[str, str]]:
    """For every word that could be said how often it was, and how often those who said it won."""
    times, won, could = (np.sum([getattr(cell, what) for cell in cells], axis=0) for what in ("times", "won", "could"))
    possible = by_word(game, count.verb, count.word, count.cut, could)
    said = by_word(game, count.verb, count.word, count.cut, times)
    wins = by_word(game, count.verb, count.word, count.cut, won)
    matches = sum(cell.matches for cell in cells)
    offers = [by_word(game, verb, word, count.cut, times) for verb, word in count.offers]
    found = {}
    for word in (word for word in said if possible[word] > 0):
        offered = sum(offer.get(word, 0.0) for offer in offers)
        how_often = f"{said[word] / offered:.0%}" if offers else f"{said[word] / matches:.2f}"
        found[word] = how_often, f"{wins[word] / said[word]:.0%}" if said[word] else "-"
    return found


def by_word(game: Game, verb: str, word: int, cut: int, figures: Any) -> dict[str, float]:
    """The sum of the figures of all actions of the verb with the same word there."""
    found: dict[str, float] = {}
    words = game.actions.verbs[verb]
    for number in range(game.actions.size):
        action = game.actions.split(number)
        if action.verb == verb:
            name = words[word][action.parts[word]]
            name = name[: len(name) - cut]
            found[name] = found.get(name, 0.0) + float(figures[number])
    return found


def number_of_matches(text: str) -> int:
    """As an argument says it."""
    if not re.fullmatch("[0-9]{1,9}", text) or not 1 <= int(text) <= MOST_MATCHES:
        raise BadSetting(f"the number of matches is between 1 and {MOST_MATCHES:,}, not {text!r}")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> None:
    given = [*(sys.argv[1:] if arguments is None else arguments)]
    try:
        if len(given) > 2:
            raise BadSetting(f"a game and a number of matches can be named, not {' '.join(given)!r}")
        game = load(given[0] if given else "via-nebula")
        most = number_of_matches(given[1]) if len(given) > 1 else MATCHES
    except Refusal as refusal:
        sys.exit(str(refusal))
    cells, ways = [], list(ways_to_play(game))
    with Progress() as progress:
        for who, seats, options in ways:
            matches = max(1, most // GREEDY_PART) if who == GREEDY else most
            bar = progress.add_task(" ".join((who, f"{seats} seats", *options.values())), total=matches)
            cells.append(measure(game, who, seats, options, matches, partial(progress.advance, bar)))
    console = Console()
    console.print(f"{game.title}, rules version {game.version}, components {game.components or 'none'}, seed {SEED}")
    tables = [fairness(game, cells), course(game, cells)]
    for count in COUNTS.get(game.name, []):
        if not count.by_option:
            tables.append(counted(game, count, cells))
            continue
        for words in sorted({tuple(cell.options.values()) for cell in cells}):
            table = counted(game, count, [cell for cell in cells if tuple(cell.options.values()) == words])
            table.title = f"{' '.join(words)}: {table.title}"
            tables.append(table)
    for table in tables:
        console.print(table, "")


if __name__ == "__main__":
    main()
