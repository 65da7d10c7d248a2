"""How well Moon Leap can be played at all: `python -m studies.ceiling ends`, and `… matches`.

`ends` takes the last choices of greedy matches with two seats, solves them exactly (every position that can follow, by
the game's own rules), and tells what perfect play wins there against `greedy`, and what every bot loses by each choice.

`matches` lets a search judge every choice of whole greedy matches, and adds up what `greedy` loses in a match. What
the best possible answer to a player wins against it is what the player wins against itself, one half, and the sum of
what it loses by its choices in such matches; so this sum is how far above one half anybody can come against `greedy`.
With `--seats 4` it is how far above one quarter anybody can come against three of them.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from plenilune import Match, load
from plenilune.bots import Budget, review
from plenilune.bots import load as load_bot
from plenilune.bots.search.evaluation import state_values, win_shares
from plenilune.core.engine import apply, legal, rule, stack_array
from plenilune.core.record import CHANCE, OVER
from plenilune.games.moon_leap.rules import EMPTY, OFF, PASS, PAWNS, ROLL, STAR, State
from plenilune.games.moon_leap.tables import POSTS, SPACES

GAME = load("moon-leap")
SEATS = 2
MOST = 500_000  # positions of an end that is solved
ROOMY = 9e8  # arrangements of the pawns above which counting the positions is pointless
DICE = 30  # ways the dice are rolled from each end that is solved, to see what choices there are
CHOICES = 100  # of those, judged by every bot
ENDS, MATCHES = 400, 60  # greedy matches that are played, to solve their ends, or to judge them whole
SIMULATIONS = 5_000  # at every choice of a whole match
PARTS = 5  # of a match, by how many choices have been made
BOTS = ("random", "greedy", "mcts:100", "mcts:1000", "mcts:10000", "mcts:100000")
SURE = 1.96  # standard errors to either side that hold the truth 19 times in 20
EQUAL = 1e-9

# Who plays perfectly; the others are greedy. What a position is worth is always seat 1's chance to win.
BOTH, FIRST, SECOND, NOBODY = range(4)
PERFECT = np.array([[True, True], [True, False], [False, True], [False, False]])  # by that and seat
Floats = NDArray[np.float64]
rest_scratch, passing_scratch = stack_array((SEATS, len(PERFECT)), np.float64), stack_array((SEATS,), np.float64)


# Exact play. A pawn that goes gets further, so positions follow one another in the order of the sum of all spaces; only
# passing leads back to where it began.


class Scratch(NamedTuple):
    """Where an end is solved. Positions are numbered as they are found."""

    found: Any  # every position as a number: six bits for the space of each pawn
    worth: Any  # by position, whose turn it is (before the roll) and who plays perfectly
    table: Any  # a hash table from positions to their numbers, or EMPTY
    work: Any  # scratch: states
    actions: Any  # scratch
    values: Any  # scratch, by action and who plays perfectly
    liked: Any  # scratch, by action: what greedy sees in it
    shares: Any  # scratch


def new_scratch(most: int) -> Scratch:
    size = GAME.actions.size
    return Scratch(
        found=np.zeros(most, np.uint64),
        worth=np.zeros((most, SEATS, len(PERFECT))),
        table=np.full(1 << (2 * most - 1).bit_length(), EMPTY, np.int32),
        work=np.zeros(3, State.dtype),
        actions=np.zeros(size, np.int32),
        values=np.zeros((size, len(PERFECT))),
        liked=np.zeros(size),
        shares=np.zeros(4),
    )


@rule
def written(s: State) -> np.uint64:
    """The position as a number; whose turn it is, is not in it."""
    key = np.uint64(0)
    for seat in range(SEATS):
        for pawn in range(1, PAWNS + 1):
            key = (key << np.uint64(6)) | np.uint64(s.where[seat, pawn])
    return key


@rule
def set_up(s: State, key: np.uint64, mover: int) -> None:
    """The way back, with the die to be rolled."""
    s.seats, s.to_play, s.mover, s.die, s.post_passed = SEATS, CHANCE, mover, 0, 0
    for space in range(SPACES + 1):
        s.track[space] = EMPTY
    for seat in range(SEATS - 1, -1, -1):
        for pawn in range(PAWNS, 0, -1):
            there = np.int64(key & np.uint64(63))
            key = key >> np.uint64(6)
            s.where[seat, pawn] = there
            if there != OFF:
                s.track[there] = seat
            if there > POSTS[SEATS]:
                s.post_passed = 1


@rule
def slot(scratch: Scratch, key: np.uint64) -> int:
    """Where the position's number is in the hash table, or should be."""
    last = np.uint64(len(scratch.table) - 1)
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    at = (mixed ^ (mixed >> np.uint64(32))) & last
    while scratch.table[at] != EMPTY and scratch.found[scratch.table[at]] != key:
        at = (at + np.uint64(1)) & last
    return np.int64(at)  # type: ignore[return-value]


@rule
def find_all(scratch: Scratch, start: np.uint64, count: int) -> int:
    """All positions that can follow from this one, itself among them, beside those found before and what follows from
    them; tells how many there are then, or all there is room for."""
    done, at = count, slot(scratch, start)
    if scratch.table[at] == EMPTY:
        scratch.found[count], scratch.table[at] = start, count
        count += 1
    while done < count and count < len(scratch.found):
        for mover in range(SEATS):
            set_up(scratch.work[2], scratch.found[done], mover)
            for face in range(STAR):
                scratch.work[0] = scratch.work[2]
                apply(scratch.work[0], ROLL + face)
                for i in range(legal(scratch.work[0], scratch.actions)):
                    scratch.work[1] = scratch.work[0]
                    apply(scratch.work[1], scratch.actions[i])
                    key = written(scratch.work[1])
                    at = slot(scratch, key)
                    if scratch.work[1].to_play != OVER and scratch.table[at] == EMPTY and count < len(scratch.found):
                        scratch.found[count], scratch.table[at] = key, count
                        count += 1
        done += 1
    return count


@rule
def forget(scratch: Scratch) -> None:
    for at in range(len(scratch.table)):
        scratch.table[at] = EMPTY


@rule
def solve(scratch: Scratch, order: Any) -> None:
    """What each of the positions is worth, those that follow before those they follow from."""
    rest, passing = rest_scratch(), passing_scratch()
    for n in order:
        for mover in range(SEATS):
            passing[mover] = 0.0
            for who in range(len(PERFECT)):
                rest[mover, who] = 0.0
            set_up(scratch.work[2], scratch.found[n], mover)
            for face in range(STAR):
                scratch.work[0] = scratch.work[2]
                apply(scratch.work[0], ROLL + face)
                count = weigh(scratch)
                if count == 0:
                    passing[mover] += 1 / STAR
                for who in range(len(PERFECT) if count else 0):
                    rest[mover, who] += choice(scratch, count, mover, who) / STAR
        # Who passes gives the turn away and changes nothing: two equations with two unknowns.
        for who in range(len(PERFECT)):
            for mover in range(SEATS):
                other = 1 - mover
                sure = rest[mover, who] + passing[mover] * rest[other, who]
                scratch.worth[n, mover, who] = sure / (1 - passing[mover] * passing[other])


@rule
def weigh(scratch: Scratch) -> int:
    """What each action of the state in `work[0]` is worth, and what greedy sees in it; 0 if all it can do is pass."""
    count, mover = legal(scratch.work[0], scratch.actions), scratch.work[0].mover
    if scratch.actions[0] == PASS:
        return 0
    for i in range(count):
        scratch.work[1] = scratch.work[0]
        apply(scratch.work[1], scratch.actions[i])
        if scratch.work[1].to_play == OVER:
            win_shares(scratch.work[1], scratch.shares)
            for who in range(len(PERFECT)):
                scratch.values[i, who] = scratch.shares[0]
        else:
            at = scratch.table[slot(scratch, written(scratch.work[1]))]
            for who in range(len(PERFECT)):
                scratch.values[i, who] = scratch.worth[at, scratch.work[1].mover, who]
        state_values(scratch.work[1], scratch.shares)
        scratch.liked[i] = scratch.shares[mover]
    return int(count)


@rule
def choice(scratch: Scratch, count: int, mover: int, who: int) -> float:
    """What the position is worth with the choice that a perfect player makes, or greedy, who takes any of equals."""
    best, total, equals = scratch.values[0, who], 0.0, 0
    favourite = scratch.liked[0]
    for i in range(1, count):
        best = max(best, scratch.values[i, who]) if mover == 0 else min(best, scratch.values[i, who])
        favourite = max(favourite, scratch.liked[i])
    if PERFECT[who, mover]:
        return float(best)
    for i in range(count):
        if scratch.liked[i] == favourite:
            total, equals = total + scratch.values[i, who], equals + 1
    return float(total / equals)


def solve_first(scratch: Scratch, count: int) -> None:
    """Solve the positions that were found first, among which are all that can follow from them."""
    keys = scratch.found[:count]
    spaces = sum((keys >> np.uint64(6 * n)) & np.uint64(63) for n in range(SEATS * PAWNS))
    solve(scratch, np.argsort(spaces.astype(np.int64))[::-1].copy())


# Choices


@dataclass(frozen=True)
class Choice:
    """More than one legal action, and what each is worth to the seat that chooses."""

    state: Any
    seat: int
    exact: dict[int, float]  # if both play perfectly from there on
    against_greedy: dict[int, float]  # if only this seat does

    def lost(self, action: int, worth: dict[int, float]) -> float:
        return max(worth.values()) - worth[action]


def greedy_match(seed: str, seats: int = SEATS) -> tuple[Match, list[Any]]:
    """A match of greedy against itself, and its states with more than one legal action."""
    match, greedy, choices = Match(GAME, seats, seed), load_bot("greedy", GAME), []
    while not match.over:
        action = match.legal_numbers()[0]
        if len(match.legal_numbers()) > 1:
            choices.append(GAME.State.copy(match.state))
            action = greedy.think(GAME, match.seen_by(match.to_play), match.to_play, match.ply).action
        match.play(GAME.actions.text(action))
    return match, choices


def ways_to_stand(state: Any) -> float:
    """Roughly, and far too many: as if no pawn stood in another's way."""
    return math.prod(SPACES + 1 - int(space) for seat in range(SEATS) for space in state.where[seat, 1:])


def earliest_end(scratch: Scratch, choices: Sequence[Any]) -> tuple[Any, int]:
    """The earliest choice of a match from which on all can be solved, if any, now solved; and the number of positions
    that can follow from it."""
    forget(scratch)
    earliest, count = None, 0
    for state in reversed(choices):
        if ways_to_stand(state) > ROOMY or (found := find_all(scratch, written(state), count)) == len(scratch.found):
            break
        earliest, count = state, found
    solve_first(scratch, count)
    return earliest, count


def choices_from(scratch: Scratch, state: Any, rng: np.random.Generator) -> Iterator[Choice]:
    """The choices as greedy plays on from there, by other dice."""
    greedy, state = load_bot("greedy", GAME), GAME.State.copy(state)
    while state.to_play != OVER:
        actions = np.zeros(GAME.actions.size, np.int32)
        count = GAME.legal(state, actions)
        action = int(actions[rng.integers(count)])  # chance's; anybody else's is the only one, or greedy's
        if state.to_play != CHANCE and count > 1:
            yield known_choice(scratch, state)
            action = greedy.think(GAME, state, int(state.to_play), int(rng.integers(1 << 30))).action
        GAME.apply(state, action)


def known_choice(scratch: Scratch, state: Any) -> Choice:
    seat = int(state.to_play)
    scratch.work[0] = state
    count = weigh(scratch)
    own = np.array(scratch.values[:count]) if seat == 0 else 1 - scratch.values[:count]
    actions = [int(action) for action in scratch.actions[:count]]
    exact, alone = (dict(zip(actions, map(float, own[:, who]), strict=True)) for who in (BOTH, (FIRST, SECOND)[seat]))
    return Choice(GAME.State.copy(state), seat, exact, alone)


# What is told


@dataclass(frozen=True)
class End:
    """One that has been solved."""

    positions: int
    even: float  # seat 1's chance if both are greedy
    gains: tuple[float, float]  # what each seat would gain by playing perfectly instead
    choices: list[list[Choice]]  # by how the dice fell


def solve_ends(matches: int, console: Console) -> list[End]:
    scratch, ends, rng = new_scratch(MOST), [], np.random.default_rng(1)
    with Progress(console=console) as progress:
        for number in progress.track(range(matches), description="solving ends"):
            state, positions = earliest_end(scratch, greedy_match(f"ceiling {number}")[1])
            if positions:
                worth = scratch.worth[scratch.table[slot(scratch, written(state))], int(state.mover)]
                gains = float(worth[FIRST] - worth[NOBODY]), float(worth[NOBODY] - worth[SECOND])
                start = State.copy(state)
                set_up(start, written(state), int(state.mover))
                choices = [list(choices_from(scratch, start, rng)) for _ in range(DICE)]
                ends.append(End(positions, float(worth[NOBODY]), gains, choices))
    return ends


def mean(figures: Sequence[float] | Floats, scale: float = 100.0) -> str:
    """With the interval that holds the truth 19 times in 20; in hundredths."""
    values = np.asarray(figures)
    return f"{scale * values.mean():.2f} ± {scale * SURE * values.std() / math.sqrt(len(values)):.2f}"


def tell_ends(matches: int, budget: Budget) -> None:
    console = Console()
    ends = solve_ends(matches, console)
    if not ends:
        console.print(f"no end of {matches} matches is small enough to be solved")
        return
    own = [sum(c.seat == seat for c in choices) for end in ends for choices in end.choices for seat in range(SEATS)]
    console.print(
        f"{len(ends)} ends of {matches} greedy matches solved, {min(e.positions for e in ends):,} to "
        f"{max(e.positions for e in ends):,} positions, {sum(own) / len(own):.1f} choices left to a seat",
        f"perfect play instead of greedy's, against greedy: + {mean([g for e in ends for g in e.gains])}%",
        f"the same by adding up what greedy loses: + {mean(sums_lost(ends))}%",
        sep="\n",
        highlight=False,
    )
    choices = [c for end in ends for by_dice in end.choices for c in by_dice]
    picked = [choices[n] for n in np.random.default_rng(2).permutation(len(choices))[:CHOICES]]
    console.print(lost_by_bots(picked, console))
    seen = [seen_by_search(choice.state, n, budget) for n, choice in enumerate(picked)]
    console.print(f"what greedy loses, as the search for whole matches sees it: {mean(seen)}%", highlight=False)


def sums_lost(ends: Sequence[End]) -> list[float]:
    """What greedy loses against itself from each end on, for each seat and each way the dice fell."""
    greedy = load_bot("greedy", GAME)
    return [
        sum(c.lost(greedy.think(GAME, c.state, seat).action, c.against_greedy) for c in choices if c.seat == seat)
        for end in ends
        for choices in end.choices
        for seat in range(SEATS)
    ]


def lost_by_bots(choices: Sequence[Choice], console: Console) -> Table:
    table = Table("bot", "choices", "best %", "lost a choice, %", "at most", "against greedy, %", box=None)
    with Progress(console=console) as progress:
        for name in BOTS:
            bot, best, lost, alone = load_bot(name, GAME), 0, [], []
            for choice in progress.track(choices, description=name):
                action = bot.think(GAME, choice.state, choice.seat).action
                lost.append(choice.lost(action, choice.exact))
                alone.append(choice.lost(action, choice.against_greedy))
                best += lost[-1] < EQUAL
            share, most = f"{100 * best / len(choices):.0f}", f"{100 * max(lost):.1f}"
            table.add_row(name, str(len(choices)), share, mean(lost), most, mean(alone))
    return table


def seen_by_search(state: Any, seed: int, budget: Budget, bot: str = "greedy") -> float:
    """What the bot loses by its choice, as a search sees it."""
    seat = int(state.to_play)
    action = load_bot(bot, GAME).think(GAME, state, seat, seed).action
    return review.remark_on(GAME, state, seat, action, budget).lost


def tell_matches(matches: int, budget: Budget, seats: int, bot: str) -> None:
    """What the bot would lose in whole matches of greedy against itself, by parts of a match, as a search sees it."""
    console = Console()
    parts: list[list[float]] = [[] for _ in range(PARTS)]
    sums, counts = [], []
    with Progress(console=console) as progress:
        for number in progress.track(range(matches), description="judging matches"):
            _, choices = greedy_match(f"ceiling {number}", seats)
            lost = []
            for n, state in enumerate(choices):
                lost.append(seen_by_search(state, n, budget, bot))
                parts[PARTS * n // len(choices)].append(lost[-1])
            sums.append(sum(lost) / seats)
            counts.append(len(choices) / seats)
    table = Table("part of the match", "choices", f"{bot} loses a choice, %", box=None)
    for n, lost in enumerate(parts):
        table.add_row(f"{n + 1} of {PARTS}", str(len(lost)), mean(lost))
    console.print(table, f"a seat has {np.mean(counts):.1f} choices; {bot} loses {mean(sums)}% of victories by them")


def some(text: str) -> int:
    """As an argument says it: one or more."""
    if not re.fullmatch("[0-9]{1,9}", text) or not int(text):
        raise argparse.ArgumentTypeError(f"it is a whole number from 1 to 999,999,999, not {text!r}")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m studies.ceiling", description="How well Moon Leap can be played")
    parser.add_argument("what", choices=("ends", "matches"), help="solve ends, or judge whole matches")
    parser.add_argument("--matches", type=some, metavar="N", help=f"greedy matches to play ({ENDS}, or {MATCHES})")
    parser.add_argument(
        "--simulations",
        type=some,
        default=SIMULATIONS,
        metavar="N",
        help=f"for each choice that is judged ({SIMULATIONS})",
    )
    parser.add_argument("--seats", type=int, default=SEATS, choices=GAME.seats, help=f"of whole matches ({SEATS})")
    parser.add_argument("--bot", default="greedy", metavar="NAME", help="whose choices in them are judged (greedy)")
    given = parser.parse_args(arguments)
    budget = Budget(simulations=given.simulations)
    if given.what == "ends":
        tell_ends(given.matches or ENDS, budget)
    else:
        tell_matches(given.matches or MATCHES, budget, given.seats, given.bot)


if __name__ == "__main__":
    main()
