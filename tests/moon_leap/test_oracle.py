"""The compiled rules and the naive oracle, side by side through random matches, by each version of the rules."""

import itertools
import random
from collections.abc import Iterator

import pytest

from plenilune import Match, load
from plenilune.games.moon_leap.tables import SPACES
from tests.moon_leap.positions import LETTERS, DrawnMatch, position
from tests.oracles.moon_leap import OFF, OVER, Oracle

pytestmark = pytest.mark.slow

WHOLE_MATCHES, LATE_MATCHES, SHARES = 25, 200, 3  # matches in each of the shares of each number of seats
VERSIONS = load("moon-leap").versions
NEARLY = 24  # how many spaces late positions spread over


def stay_together(match: Match, oracle: Oracle, chooser: random.Random) -> None:
    """Play at random to the end; whatever can be asked of both, they must answer alike."""
    while True:
        legal = match.legal()
        assert set(legal) == set(oracle.legal())
        assert len(legal) == len(set(legal))
        assert match.to_play == oracle.to_play
        assert match.scores == oracle.scores()
        assert match.places == oracle.places()
        if oracle.to_play == OVER:
            return
        action = chooser.choice(legal)
        match.play(action)
        oracle.play(action)


def late(seats: int, rules: int, chooser: random.Random) -> tuple[DrawnMatch, Oracle]:
    """A position with most pawns on the last spaces, some perhaps off the track, and anybody's turn."""
    oracle = Oracle(seats, rules)
    spaces = chooser.sample(range(SPACES - NEARLY + 1, SPACES + 1), 5 * seats)
    words = dict.fromkeys(range(1, SPACES + 1), ".")
    for seat, own in enumerate(oracle.pawns):
        for pawn in own:
            space = spaces.pop()
            if chooser.random() < 0.9:
                own[pawn] = space
                words[space] = f"{LETTERS[seat]}{pawn}"
    oracle.turn = chooser.randrange(seats)
    if oracle.to_play == OVER:
        return late(seats, rules, chooser)
    turn = LETTERS[oracle.turn]
    return position(" ".join(words.values()), seats, at=1, turn=turn, rules=rules), oracle


@pytest.mark.parametrize("rules", VERSIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("share", range(SHARES))
def test_whole_matches_agree_with_the_oracle_at_every_ply(rules: int, seats: int, share: int) -> None:
    chooser = random.Random(f"whole {seats} {share}")
    for _ in range(WHOLE_MATCHES):
        stay_together(Match(load("moon-leap", rules), seats), Oracle(seats, rules), chooser)


@pytest.mark.parametrize("rules", VERSIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("share", range(SHARES))
def test_late_positions_agree_with_the_oracle_at_every_ply(rules: int, seats: int, share: int) -> None:
    chooser = random.Random(f"late {seats} {share}")
    for _ in range(LATE_MATCHES):
        stay_together(*late(seats, rules, chooser), chooser)


def ends_of_the_track(rules: int) -> Iterator[Oracle]:
    """Every way in which white's 1 and 3 and any of orange's pawns can stand on the last spaces; a 4 was rolled."""
    last = range(SPACES - 5, SPACES + 1)
    for first, second, *taken in itertools.product([OFF, *last], [OFF, *last], *[[False, True]] * len(last)):
        others = [space for space, is_taken in zip(last, taken, strict=True) if is_taken]
        if len(others) > 5 or {first, second} & set(others) or first == second != OFF:
            continue
        oracle = Oracle(2, rules)
        oracle.pawns[0] |= {1: first, 3: second}
        oracle.pawns[1] |= dict(enumerate(others, 1))
        oracle.die = "4"
        if oracle.to_play != OVER:
            yield oracle


@pytest.mark.parametrize("rules", VERSIONS)
def test_splits_at_the_end_of_the_track_agree_with_the_oracle_wherever_pawns_stand(rules: int) -> None:
    for oracle in ends_of_the_track(rules):
        words = dict.fromkeys(range(1, SPACES + 1), ".")
        for letter, own in zip(LETTERS, oracle.pawns, strict=False):
            words |= {space: f"{letter}{pawn}" for pawn, space in own.items() if space != OFF}
        match = position(" ".join(words.values()), at=1, roll="4", rules=rules)
        assert set(match.legal()) == set(oracle.legal())
