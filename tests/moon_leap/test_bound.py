"""How long a match can be: RULES 11."""

from plenilune import load
from plenilune.games.moon_leap.rules import GOAL
from plenilune.games.moon_leap.tables import SPACES
from tests.moon_leap.positions import rules_table


def test_the_rules_add_up_how_often_pawns_can_go() -> None:
    for seats in (2, 3, 4):
        pawns = 5 * seats
        furthest = range(SPACES - pawns + 1, SPACES + 1)
        before = sum(furthest) - (SPACES - GOAL + 1) + (furthest[0] - 1)  # one of the last three is empty yet
        row = [seats, pawns, f"{furthest[0]} to {SPACES}", sum(furthest), before, f"{before + 1} times"]
        assert rules_table("11.1")[seats - 2] == [str(cell) for cell in row]


def test_the_bound_is_that_of_four_seats() -> None:
    times = int(rules_table("11.1")[-1][-1].split()[0])
    assert load("moon-leap").bound == 2 * 3 * times  # a roll and its answer; at most two passes before each
