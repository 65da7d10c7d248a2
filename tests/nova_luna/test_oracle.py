"""The compiled rules beside the plain ones, ply by ply, over two thousand matches of every kind."""

import itertools
import random
from collections.abc import Iterator

import pytest

from plenilune import Match
from tests.nova_luna.players import Player, against_an_eager_seat, at_random, ending
from tests.nova_luna.positions import Cell, laid, number, tiles_of, tokens_left
from tests.oracles.nova_luna import TILES, Oracle

pytestmark = pytest.mark.slow

TABLES = [(1, "full"), (2, "full"), (3, "full"), (4, "full"), (3, "first-game"), (4, "first-game")]
CHUNKS, RANDOM, EAGER = 6, 45, 66  # for each table: so many times so many random matches, and some eager ones


def lock_step(match: Match, player: Player) -> Match:
    """Play on to the end on both sides, and compare all that can be compared before every action."""
    oracle = Oracle(match.seats, match.options["tokens"])
    while True:
        legal = match.legal()
        fast = (match.to_play, sorted(legal), match.scores, match.places)
        assert fast == (oracle.to_play, sorted(oracle.legal()), oracle.scores(), oracle.places()), match.save()
        if match.over or (match.seats == 1 and "take 1" in legal):  # with more seats the scores have said it
            assert tokens_left(match) == oracle.tokens_left(), match.save()
        if match.over:
            return match
        action = player(match, legal)
        match.play(action)
        oracle.play(action)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(("seats", "tokens"), TABLES)
def test_both_agree_at_every_ply_of_random_matches(seats: int, tokens: str, chunk: int) -> None:
    for seed in range(RANDOM):
        rng = random.Random(f"{chunk} {seed}")
        lock_step(Match("nova-luna", seats, tokens=tokens), at_random(rng))


@pytest.mark.parametrize(("seats", "tokens"), TABLES)
def test_both_agree_on_every_kind_of_end(seats: int, tokens: str) -> None:
    endings = set()
    for seed in range(EAGER):
        player = (at_random if seed % 6 == 0 else against_an_eager_seat)(random.Random(seed))
        endings.add(ending(lock_step(Match("nova-luna", seats, tokens=tokens), player)))
    ends = {"last token", "no more tiles"}
    assert endings == (ends if seats > 1 else {f"{how}, {end}" for how in ("stopped", "ran out") for end in ends})


def test_both_agree_on_a_match_that_is_over_in_phase_1() -> None:
    match = laid("b5b t7 y7 r5b\ny6a r7* b7 .\ny5a r6a t5a .")
    assert ending(lock_step(Match("nova-luna", 1), by_script(match.history))) == "last token in phase 1"


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("steps", [[(1, 0)], [(1, 0), (0, 1)]], ids=["straight", "stairs"])
@pytest.mark.parametrize(("seats", "longest"), [(1, 22), (2, 44), (3, 34), (4, 28)])
def test_both_agree_on_tableaux_that_reach_as_far_as_any_can(
    seats: int, longest: int, steps: list[Cell], turn: int
) -> None:
    """Seat 1 lays the cheapest tiles in a line, the others lay the rest; more is not possible (RULES 9.2, 9.3)."""
    cheap_first = sorted(TILES, key=number)
    far = dict(zip(path(steps, turn), cheap_first[:longest], strict=False))
    others = [dict(zip(path([(1, 0)]), cheap_first[longest + i :: seats - 1], strict=False)) for i in range(seats - 1)]
    match = laid(far, *others)
    assert tiles_of(match) == far
    lock_step(Match("nova-luna", seats), by_script(match.history))


def path(steps: list[Cell], turn: int = 0) -> Iterator[Cell]:
    """Cells that lead away from the first in these steps, again and again, after so many quarter turns."""
    x, y = 0, 0
    for dx, dy in itertools.cycle(steps):
        yield x, y
        for _ in range(turn):
            dx, dy = -dy, dx
        x, y = x + dx, y + dy


def by_script(actions: list[str]) -> Player:
    """Plays these, and then whatever comes first."""
    script = iter(actions)
    return lambda match, legal: next(script, legal[0])
