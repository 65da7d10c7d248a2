"""Laying a site: RULES 1.9, 4.2 and 12.3."""

import pytest

from plenilune import IllegalAction, UnknownAction
from tests.via_nebula.positions import home, left, may, position

BEGINNER_RUINS = ["e1", "i1", "b3", "k3", "f4", "i5", "c6", "f7", "a8", "j8", "d9", "h9"]
EXPERT_RUINS = ["d1", "f2", "i2", "b3", "k4", "e5", "h6", "b7", "j8", "d9", "g9"]


@pytest.mark.parametrize(("map", "ruins"), [("beginner", BEGINNER_RUINS), ("expert", EXPERT_RUINS)])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_site_goes_into_any_ruin_wherever_it_is(map: str, ruins: list[str], seats: int) -> None:
    match = position(seats=seats, map=map)
    assert may(match, "site") == {ruin + "a" for ruin in ruins}


def test_a_site_leaves_home_and_one_action_is_spent() -> None:
    match = position("f7a free")
    match.play("site f7a")
    assert match.drawing == "f7a 1"
    assert home(match) == "3 craftsmen, 2 sites, 5 buildings, 20 tiles"
    assert (match.to_play, left(match)) == (0, 1)


def test_the_rulebooks_example_of_ruins_full_half_full_and_empty() -> None:
    """Black may not go where both places are taken (A), but where one is free (B) or both (C, D)."""
    match = position("c6a 1, c6b 3 store-a, f7a 2 wood", seats=3, turn=2)
    assert "c6a" not in may(match, "site")
    assert "c6b" not in may(match, "site")
    assert {"f7b", "e1a", "a8a"} <= may(match, "site")


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("taken", ["f7a 1", "f7a 2", "f7a 1 wood", "f7a 2 store-a", "f7a 1 store-a"])
def test_the_second_place_of_a_ruin_is_free_no_matter_who_has_the_first(seats: int, taken: str) -> None:
    match = position(taken, seats)
    assert "f7b" in may(match, "site")
    assert "f7a" not in may(match, "site")
    match.play("site f7b")
    assert match.at("f7b") == "1"


def test_of_two_free_places_the_first_is_used() -> None:
    match = position(seats=4)
    with pytest.raises(IllegalAction):
        match.play("site f7b")


@pytest.mark.parametrize("taken", ["f7a 1", "f7a 2", "f7a 2 store-a"])
def test_with_two_seats_a_ruin_has_one_place_only(taken: str) -> None:
    match = position(taken, seats=2)
    assert not {"f7a", "f7b"} & may(match, "site")
    with pytest.raises((IllegalAction, UnknownAction)):
        match.play("site f7b")


def test_both_places_of_a_ruin_may_belong_to_one_seat_and_are_told_apart() -> None:
    match = position("f7a free, f7b free, e7 wood, g7 clay", seats=3)
    match.acts("site f7a; site f7b")
    match.acts("craftsman a5; craftsman a7; craftsman d3; craftsman e3")
    match.acts("carry e7 f7a; carry g7 f7b")
    assert match.drawing == "f7a 1 wood, f7b 1 clay, e7 open, g7 open"


def test_one_of_two_own_sites_in_a_ruin_is_built_the_other_stays() -> None:
    match = position("f7a 1 wood clay, f7b 1 wood stone", seats=3, display="store-a")
    assert "f7a store-a" not in may(match, "build")
    match.play("build f7b store-a")
    assert match.drawing == "f7a 1 wood clay, f7b 1 building"


def test_a_seat_has_three_sites() -> None:
    assert may(position("c6a 1, f7a 1"), "site")
    assert not may(position("c6a 1, f7a 1, a8a 1"), "site")


def test_the_sites_of_others_do_not_count() -> None:
    assert may(position("c6a 2, f7a 2, a8a 2"), "site")


@pytest.mark.parametrize(
    ("built", "sites", "allowed"),
    [
        (2, 2, True),
        (2, 3, False),
        (3, 1, True),
        (3, 2, False),
        (4, 0, True),
        (4, 1, False),
        (5, 0, False),
    ],
)
def test_no_more_sites_than_buildings_left_to_build(built: int, sites: int, allowed: bool) -> None:
    """RULES 4.2: after laying it there must not be more sites on the map than buildings left."""
    cards = ["store-a", "store-b", "store-c", "store-d", "store-e"]
    places = ["e1a", "i1a", "b3a", "k3a", "f4a"]
    drawn = [f"{place} 1 {card}" for place, card in zip(places[:built], cards, strict=False)]
    drawn += [f"{place} 1" for place in ["a8a", "j8a", "d9a"][:sites]]
    match = position(", ".join(drawn), end_card=1 if built == 5 else 0)
    assert bool(may(match, "site")) == allowed


def test_the_buildings_of_others_do_not_limit_sites() -> None:
    drawn = "e1a 2 store-a, i1a 2 store-b, b3a 2 store-c, k3a 2 store-d, a8a 1, j8a 1"
    assert may(position(drawn), "site")


def test_a_site_that_was_built_comes_home_and_can_be_laid_again() -> None:
    match = position("c6a 1, f7a 1 wood stone, a8a 1", display="store-a")
    assert not may(match, "site")
    match.acts("build f7a store-a; turn-up airway-a")
    assert home(match).startswith("3 craftsmen, 1 sites, 4 buildings")
    assert may(match, "site")
