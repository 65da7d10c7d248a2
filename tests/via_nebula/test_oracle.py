"""The compiled rules and the naive oracle, side by side through whole matches.

PLENILUNE_LOCKSTEP=1000 plays that many matches for each number of seats and map, which takes a while.
"""

import os
import random
from collections import Counter
from collections.abc import Callable

import pytest

from plenilune import Match
from tests.oracles.via_nebula import OVER, Oracle, kinds_in

pytestmark = pytest.mark.slow

FEWEST = 80  # matches for each number of seats and map
MATCHES = max(FEWEST, int(os.environ.get("PLENILUNE_LOCKSTEP") or 0))
SLIPS = 0.15  # how often the second player below acts without a purpose
Player = Callable[[Oracle, list[str], random.Random], str]
RARE = {"take", "spend", "swap", "lift", "open", "remove", "deliver", "use", "skip", "plan"}


def at_random(oracle: Oracle, legal: list[str], chooser: random.Random) -> str:
    """The resources go astray and many a match comes to a standstill."""
    return chooser.choice(legal)


def with_a_purpose(oracle: Oracle, legal: list[str], chooser: random.Random) -> str:
    """Builds whenever it can and carries what some contract asks for: the fifth building comes soon."""
    if chooser.random() < SLIPS:
        return chooser.choice(legal)
    builds = [action for action in legal if action.startswith("build")]
    useful = [action for action in legal if action.startswith("carry") and serves(oracle, *action.split()[1:])]
    others = [action for action in legal if not action.startswith("carry")]
    return chooser.choice(builds or useful or others or legal)


def serves(oracle: Oracle, hex: str, place: str) -> bool:
    """Whether with a resource from there, the site would hold a part of some contract's cost and nothing else."""
    there = oracle.places_by_name[place].goods
    costs = [Counter(oracle.box.costs[card].split("+")) for card in [*oracle.display, *oracle.guild().hand] if card]
    return any(there + Counter([kind]) <= cost for kind in kinds_in(oracle.hexes[hex].goods) for cost in costs)


def stay_together(match: Match, oracle: Oracle, player: Player, chooser: random.Random) -> None:
    """Play to the end; whatever can be asked of both, they must answer alike."""
    while True:
        legal = match.legal()
        assert set(legal) == set(oracle.legal())
        assert match.to_play == oracle.to_play
        assert match.scores == oracle.scores()
        assert match.places == oracle.places()
        if oracle.to_play == OVER:
            return
        action = player(oracle, legal, chooser)
        match.play(action)
        oracle.apply(action)


@pytest.mark.parametrize("map", ["beginner", "expert"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_matches_agree_with_the_oracle_at_every_ply(seats: int, map: str) -> None:
    """A quarter of them by players who act at random."""
    chooser = random.Random(f"{seats} {map}")
    played: set[str] = set()
    ends: set[str] = set()
    for number in range(MATCHES):
        match, oracle = Match("via-nebula", seats, map=map), Oracle(seats, map)
        stay_together(match, oracle, with_a_purpose if number % 4 else at_random, chooser)
        played |= {action.split()[0] for action in match.history}
        ends.add("last round" if any(guild.end_card for guild in oracle.guilds) else "standstill")
    assert played >= RARE
    assert ends == {"last round", "standstill"}
