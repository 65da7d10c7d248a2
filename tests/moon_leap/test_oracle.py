"""The compiled rules and the naive oracle, side by side through random matches."""

import random

import pytest

from plenilune import Match
from plenilune.games.moon_leap.tables import SPACES
from tests.moon_leap.positions import LETTERS, Position, position
from tests.oracles.moon_leap import OVER, Oracle

WHOLE_MATCHES, LATE_MATCHES, SHARES = 25, 200, 4  # matches in each of the shares of each number of seats
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


def late(seats: int, chooser: random.Random) -> tuple[Position, Oracle]:
    """A position with most pawns on the last spaces, some perhaps off the track, and anybody's turn."""
    oracle = Oracle(seats)
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
        return late(seats, chooser)
    return position(" ".join(words.values()), seats, at=1, turn=LETTERS[oracle.turn]), oracle


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("share", range(SHARES))
def test_whole_matches_agree_with_the_oracle_at_every_ply(seats, share):
    chooser = random.Random(f"whole {seats} {share}")
    for _ in range(WHOLE_MATCHES):
        stay_together(Match("moon-leap", seats), Oracle(seats), chooser)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("share", range(SHARES))
def test_late_positions_agree_with_the_oracle_at_every_ply(seats, share):
    chooser = random.Random(f"late {seats} {share}")
    for _ in range(LATE_MATCHES):
        stay_together(*late(seats, chooser), chooser)
