"""Building: RULES 4.7, 6, 10.6 to 10.8, 12.20 and 12.27."""

from itertools import combinations

import pytest

from plenilune import CHANCE, IllegalAction
from tests.via_nebula.positions import (
    BOX,
    RESOURCES,
    built,
    face_up,
    hand,
    home,
    in_deck,
    left,
    may,
    position,
    stored,
)


def test_the_example_of_the_rulebook() -> None:
    """Black's site holds wood, stone and wheat. The contract asks for wood and stone: those go to the supply, the
    wheat into storage. Its power turns clay into food; the card is gone, and another takes its place."""
    match = position("f7b 3 wood stone wheat, f7a 2, e7 3 clay", 4, turn=3, left=1, display="priest-a store-a")
    match.play("build f7b store-a")
    assert match.drawing == "f7b 3 building, f7a 2, e7 3 clay"
    assert stored(match, 3) == "wheat"
    match.play("swap e7 clay food")
    assert match.at("e7") == "3 food"
    assert match.to_play == CHANCE
    match.play("turn-up airway-c")
    assert face_up(match)[:2] == ["priest-a", "airway-c"]
    assert built(match, 3) == {"store-a"}
    assert (match.to_play, left(match)) == (3, 2)


def test_the_example_of_the_rules() -> None:
    """RULES 10.13."""
    drawn = "f7b 3 wood stone wheat, f7a 2, e7 3 clay clay, c6a 4, d7 tile"
    match = position(drawn, 4, turn=3, left=1, display="store-a")
    match.acts("build f7b store-a; swap e7 clay food; turn-up airway-c; carry e7 c6a; take food")
    assert match.drawing == "f7b 3 building, f7a 2, e7 3 clay, c6a 4 food, d7 tile"


# What may be built.


def test_the_site_must_hold_the_cost() -> None:
    cards = "store-a"  # wood and stone
    assert "f7a store-a" in may(position("f7a 1 wood stone", display=cards), "build")
    assert "f7a store-a" in may(position("f7a 1 wood stone stone food", display=cards), "build")
    for goods in ["", "wood", "stone", "wood wood", "clay stone"]:
        assert may(position(f"f7a 1 {goods}".strip(), display=cards), "build") == set()


def test_a_resource_named_twice_must_be_there_twice() -> None:
    display = "caravan-a"  # wood, wood and clay
    assert may(position("f7a 1 wood clay", display=display), "build") == set()
    assert may(position("f7a 1 wood clay clay", display=display), "build") == set()
    assert may(position("f7a 1 wood wood clay", display=display), "build") == {"f7a caravan-a"}


def test_resources_of_two_sites_do_not_add_up() -> None:
    assert may(position("f7a 1 wood, f7b 1 stone", seats=3, display="store-a"), "build") == set()


def test_the_resources_of_storage_and_exploitations_are_of_no_use() -> None:
    assert may(position("f7a 1 wood, e7 1 stone", display="store-a", storage="stone"), "build") == set()


def test_a_contract_is_taken_from_the_display_or_the_own_hand() -> None:
    match = position(
        "f7a 1 wood stone clay wheat food",
        display="store-a priest-a mayor-a explorer-a",
        hand={1: "quiet-town-a secret-plan-b", 2: "quiet-town-b shortcut-a"},
    )
    cards = ["store-a", "mayor-a", "priest-a", "quiet-town-a", "secret-plan-b"]
    assert may(match, "build") == {f"f7a {card}" for card in cards}


def test_neither_a_site_of_another_seat_nor_a_building_is_built_on() -> None:
    assert may(position("f7a 2 wood stone, c6a 1 store-b", display="store-a"), "build") == set()


def test_every_own_site_that_holds_enough_is_named() -> None:
    match = position("f7a 1 wood stone, c6a 1 wood stone wood, a8a 1 wood", display="store-a")
    assert may(match, "build") == {"f7a store-a", "c6a store-a"}


@pytest.mark.parametrize("card", BOX.cards("contract"))
def test_a_contract_asks_for_exactly_what_the_table_says(card: str) -> None:
    """With the cost it can be built; with any one resource less it cannot."""
    cost = {"2-equal": "clay+clay", "3-different": "wood+clay+food"}.get(BOX.costs[card], BOX.costs[card]).split("+")
    assert f"f7a {card}" in may(position(f"f7a 1 {' '.join(cost)}", display=card), "build")
    for number in range(len(cost)):
        fewer = cost[:number] + cost[number + 1 :]
        assert f"f7a {card}" not in may(position(f"f7a 1 {' '.join(fewer)}", display=card), "build")


@pytest.mark.parametrize("card", BOX.cards("private"))
def test_a_private_contract_asks_for_exactly_what_the_table_says(card: str) -> None:
    cost = BOX.costs[card].split("+")
    assert f"f7a {card}" in may(position(f"f7a 1 {' '.join(cost)}", hand=card), "build")
    for number in range(len(cost)):
        fewer = cost[:number] + cost[number + 1 :]
        assert f"f7a {card}" not in may(position(f"f7a 1 {' '.join(fewer)}", hand=card), "build")


# What happens.


def test_the_site_goes_home_and_a_building_stands_for_good() -> None:
    match = position("f7a 1 wood stone, c6a 1", display="store-a")
    match.acts("build f7a store-a; turn-up airway-a")
    assert match.drawing == "f7a 1 building, c6a 1"
    assert home(match) == "3 craftsmen, 2 sites, 4 buildings, 20 tiles"
    assert left(match) == 1
    assert "f7a" not in may(match, "site")


def test_what_the_cost_does_not_ask_for_goes_into_storage() -> None:
    match = position("f7a 1 wood wood stone food", display="store-a", storage="clay")
    match.acts("build f7a store-a; turn-up airway-a")
    assert stored(match) == "wood clay food"
    assert match.scores == [2 - 3, 0]


def test_the_card_is_the_seats_and_counts_from_now_on() -> None:
    match = position("f7a 1 wood stone food", hand="express-delivery-a quiet-town-a")
    match.play("build f7a express-delivery-a")
    assert hand(match) == {"quiet-town-a"}
    assert built(match) == {"express-delivery-a"}
    assert match.scores == [3, 0]


def test_a_card_from_the_hand_leaves_the_display_alone() -> None:
    match = position("f7a 1 wood stone food", hand="express-delivery-a")
    before = face_up(match)
    match.play("build f7a express-delivery-a")
    assert face_up(match) == before
    assert (match.to_play, left(match)) == (0, 1)


@pytest.mark.parametrize("gap", range(4))
def test_the_gap_in_the_display_is_filled_where_it_is(gap: int) -> None:
    display = ["priest-a", "mayor-a", "airway-a"]
    display.insert(gap, "store-a")
    match = position("f7a 1 wood stone", display=" ".join(display))
    match.play("build f7a store-a")
    display[gap] = ""
    assert face_up(match) == display
    match.play("turn-up airway-b")
    display[gap] = "airway-b"
    assert face_up(match) == display


def test_the_gap_is_filled_with_any_card_of_the_deck() -> None:
    """Not with one on the display, in a hand, or built with before."""
    match = position("f7a 1 wood stone, c6a 1 store-b, a8a 2 airway-a", display="store-a priest-a mayor-a caravan-a")
    match.play("build f7a store-a")
    gone = {"store-a", "store-b", "airway-a", "priest-a", "mayor-a", "caravan-a"}
    assert match.to_play == CHANCE
    assert may(match, "turn-up") == set(BOX.cards("contract")) - gone
    assert in_deck(match) == 33 - 6
    match.play("turn-up export-a")
    assert in_deck(match) == 33 - 7


def test_the_display_is_filled_before_the_next_action() -> None:
    match = position("f7a 1 wood stone", display="store-a")
    match.play("build f7a store-a")
    with pytest.raises(IllegalAction):
        match.play("craftsman c7")
    match.play("turn-up store-b")
    match.play("craftsman c7")


def test_the_new_card_can_be_built_with_in_the_same_turn() -> None:
    match = position("f7a 1 wood stone, c6a 1 clay wheat", display="store-a")
    match.acts("build f7a store-a; skip; turn-up store-b")
    assert "c6a store-b" in may(match, "build")


# Any two equal, any three different.


@pytest.mark.parametrize("kind", RESOURCES)
def test_two_equal_are_two_of_any_one_kind(kind: str) -> None:
    match = position(f"f7a 1 {kind} {kind}", display="explorer-a")
    match.play("build f7a explorer-a")
    assert match.to_play == CHANCE
    assert stored(match) == ""


def test_two_that_differ_are_not_equal() -> None:
    assert "f7a explorer-a" not in may(position("f7a 1 wood stone clay wheat food", display="explorer-a"), "build")


def test_with_one_kind_twice_nothing_is_asked() -> None:
    match = position("f7a 1 wood wood wood clay food", display="explorer-a")
    match.play("build f7a explorer-a")
    assert match.to_play == CHANCE
    assert stored(match) == "wood clay food"


def test_with_several_kinds_twice_the_seat_chooses_which_are_spent() -> None:
    match = position("f7a 1 wood wood clay clay clay food", display="explorer-a", left=1)
    match.play("build f7a explorer-a")
    assert match.legal() == ["spend wood+wood", "spend clay+clay"]
    assert (match.to_play, left(match)) == (0, 1)
    assert match.at("f7a") == "1 wood wood clay clay clay food"
    match.play("spend clay+clay")
    assert stored(match) == "wood wood clay food"
    assert match.at("f7a") == "1 building"


@pytest.mark.parametrize("three", [*combinations(RESOURCES, 3)], ids="+".join)
def test_three_different_are_any_three_kinds(three: tuple[str, str, str]) -> None:
    match = position(f"f7a 1 {' '.join(three)} {three[0]}", display="priest-a")
    match.play("build f7a priest-a")
    assert match.to_play == CHANCE
    assert stored(match) == three[0]


def test_three_that_are_not_all_different_will_not_do() -> None:
    assert may(position("f7a 1 wood wood wood stone stone", display="priest-a"), "build") == set()


def test_with_four_kinds_the_seat_chooses_three() -> None:
    match = position("f7a 1 wood clay clay wheat food", display="priest-a")
    match.play("build f7a priest-a")
    assert match.legal() == [
        "spend wood+clay+wheat",
        "spend wood+clay+food",
        "spend wood+wheat+food",
        "spend clay+wheat+food",
    ]
    match.play("spend wood+wheat+food")
    assert stored(match) == "clay clay"


def test_with_five_kinds_there_are_ten_ways_in_the_order_of_the_rules() -> None:
    match = position("f7a 1 wood stone clay wheat food", display="priest-a")
    match.play("build f7a priest-a")
    assert match.legal() == ["spend " + "+".join(three) for three in combinations(RESOURCES, 3)]


def test_other_costs_leave_nothing_to_choose() -> None:
    match = position("f7a 1 wood wood stone stone clay clay", display="store-a")
    match.play("build f7a store-a")
    assert "spend" not in {action.split()[0] for action in match.legal()}


def test_a_build_that_was_begun_must_be_paid() -> None:
    match = position("f7a 1 wood wood clay clay", display="explorer-a")
    match.play("build f7a explorer-a")
    with pytest.raises(IllegalAction):
        match.play("craftsman c7")
    with pytest.raises(IllegalAction):
        match.play("spend food+food")
