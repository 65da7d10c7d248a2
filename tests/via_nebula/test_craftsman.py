"""Opening an exploitation: RULES 4.1, 1.8 and 12.26."""

import pytest

from plenilune import IllegalAction
from tests.via_nebula.positions import BOX, home, left, may, position, tokens

YIELDS = [
    (2, "wood-3a", "wood wood"),
    (2, "food-4b", "food food food"),
    (3, "wood-3a", "wood wood"),
    (3, "clay-4a", "clay clay clay"),
    (4, "stone-3b", "stone stone stone"),
    (4, "wheat-4a", "wheat wheat wheat wheat"),
]


def test_the_rulebooks_example_with_four_seats() -> None:
    """Blue puts a craftsman on a token of 3 wood, takes the token, and 3 wood lie there."""
    match = position("c7 wood-3a", seats=4)
    match.play("craftsman c7")
    assert match.drawing == "c7 1 wood wood wood"
    assert tokens(match) == {"wood-3a"}


@pytest.mark.parametrize(("seats", "token", "goods"), YIELDS)
def test_a_token_yields_its_number_in_full_only_with_four_seats(seats: int, token: str, goods: str) -> None:
    match = position(f"c7 {token}", seats)
    match.play("craftsman c7")
    assert match.drawing == f"c7 1 {goods}"


@pytest.mark.parametrize(("token", "points"), [("wood-3a", 1), ("stone-3b", 1), ("wheat-4a", 2), ("food-4b", 2)])
def test_the_points_of_a_token_are_the_seats_from_now_on(token: str, points: int) -> None:
    """As if the match ended now: what lies on the exploitation costs a point each."""
    match = position(f"c7 {token}", seats=2)
    match.play("craftsman c7")
    assert match.scores == [points - (points + 1), 0]
    assert BOX.tokens[token][2] == points


def test_a_craftsman_goes_wherever_a_token_lies() -> None:
    match = position("c7 open, f2 2 wood, h3 clay")
    expected = {hex.name for hex in match.hexes.values() if hex.ground == "m"}
    assert may(match, "craftsman") == expected - {"c7", "f2", "h3", "b1", "c1", "g1", "k1"}


@pytest.mark.parametrize("spot", ["c7 open", "c7 2 wood", "c7 1 wood", "c7 wood"])
def test_a_craftsman_does_not_go_where_no_token_lies(spot: str) -> None:
    match = position(spot)
    with pytest.raises(IllegalAction):
        match.play("craftsman c7")


def test_a_neutral_exploitation_of_the_setup_takes_no_craftsman() -> None:
    match = position()
    assert match.at("b1") == "wood wood wood wood"
    with pytest.raises(IllegalAction):
        match.play("craftsman b1")


def test_a_token_that_was_taken_cannot_be_taken_again() -> None:
    match = position("c7 wood-3a")
    match.play("craftsman c7")
    assert "c7" not in may(match, "craftsman")


def test_the_craftsman_leaves_home_and_one_action_is_spent() -> None:
    match = position(seats=3)
    assert home(match).startswith("2 craftsmen")
    match.play("craftsman c7")
    assert home(match).startswith("1 craftsmen")
    assert (match.to_play, left(match)) == (0, 1)


@pytest.mark.parametrize(("seats", "out"), [(2, "a5 d3 e3"), (3, "a5 d3"), (4, "a5 d3")])
def test_without_a_craftsman_at_home_no_exploitation_is_opened(seats: int, out: str) -> None:
    drawn = [f"{hex} 1 wood" for hex in out.split()]
    assert may(position(", ".join(drawn[:-1]), seats), "craftsman")
    assert not may(position(", ".join(drawn), seats), "craftsman")


def test_the_craftsmen_of_others_do_not_count() -> None:
    assert may(position("a5 2 wood, d3 2 wood, e3 2 wood"), "craftsman")


def test_an_exploitation_belongs_to_whose_craftsman_stands_there() -> None:
    match = position("c7 wood-3a, e7 clay-3a", turn=2)
    match.acts("craftsman c7; craftsman e7")
    assert match.drawing == "c7 2 wood wood, e7 2 clay clay"
    assert match.scores == [0, 2 - 4]
