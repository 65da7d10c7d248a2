"""The end and the count: RULES 8, 12.5, 12.6, 12.16, 12.27 and 12.28."""

from typing import Any

import pytest

from plenilune import CHANCE, OVER, IllegalAction
from tests.via_nebula.positions import (
    DrawnMatch,
    built,
    hand,
    holds_end_card,
    home,
    left,
    may,
    position,
    verbs,
)

FOUR = {
    1: "e1a 1 store-b, i1a 1 store-c, b3a 1 store-d, k3a 1 store-e",
    2: "f4a 2 carpentry-a, i5a 2 carpentry-b, a8a 2 carpentry-c, j8a 2 carpentry-d",
}


def nearly(
    card: str = "store-a", goods: str = "wood stone", also: str = "", seats: int = 2, **settings: Any
) -> DrawnMatch:
    """Seat 1 has four buildings, and on its site in f7 what its fifth takes."""
    drawn = ", ".join(filter(None, [FOUR[1], f"f7a 1 {goods}", also]))
    cards: dict[str, Any] = {"display": card} if card[:-2] not in ("secret-plan", "shortcut") else {"hand": card}
    return position(drawn, seats, **cards, **settings)


# The end card.


def test_the_fifth_building_takes_the_end_card_and_ends_the_turn() -> None:
    match = nearly()
    match.play("build f7a store-a")
    assert holds_end_card(match) == [1]
    match.play("turn-up mayor-a")
    assert (match.to_play, left(match)) == (1, 2)


def test_the_end_card_is_two_points() -> None:
    match = nearly()
    assert match.scores[0] == 4 * 2 - 2
    match.play("build f7a store-a")
    assert match.scores[0] == 5 * 2 + 2


def test_the_fourth_building_does_not() -> None:
    match = position("e1a 1 store-b, i1a 1 store-c, b3a 1 store-d, f7a 1 wood stone", display="store-a")
    match.acts("build f7a store-a; turn-up mayor-a")
    assert holds_end_card(match) == []
    assert (match.to_play, left(match)) == (0, 1)


def test_the_power_of_the_fifth_building_may_be_used() -> None:
    """RULES 12.5."""
    match = nearly(also="c7 1 wood")
    match.play("build f7a store-a")
    assert "swap" in verbs(match)
    match.play("swap c7 wood clay")
    assert verbs(match) == {"turn-up"}
    match.play("turn-up mayor-a")
    assert match.to_play == 1


def test_a_distillery_that_ends_the_match_gives_no_action() -> None:
    match = nearly("distillery-a", "wood stone clay")
    match.acts("build f7a distillery-a; turn-up mayor-a")
    assert (match.to_play, left(match)) == (1, 2)
    assert "skip" not in match.legal()


def test_a_secret_plan_may_be_used_with_the_last_building_too() -> None:
    """RULES 12.16."""
    match = nearly("secret-plan-a", "wood wheat food")
    match.acts("build f7a secret-plan-a; use; plan mayor-a")
    assert "mayor-a" in hand(match)
    assert match.to_play == 1


def test_the_fifth_building_may_be_chosen_to_be_paid_for_in_several_ways() -> None:
    match = nearly("explorer-a", "wood wood clay clay")
    match.play("build f7a explorer-a")
    assert holds_end_card(match) == []
    match.play("spend clay+clay")
    assert holds_end_card(match) == [1]


# The last round.


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("ends", [1, 2])
def test_every_other_seat_has_one_full_turn(seats: int, ends: int) -> None:
    drawn = f"{FOUR[ends]}, f7a {ends} wood stone"
    match = position(drawn, seats, display="store-a", turn=ends, left=1)
    match.acts("build f7a store-a; turn-up mayor-a")
    turns = []
    while not match.over:
        turns.append(match.to_play)
        match.play(match.legal()[0])
    others = [*range(ends, seats), *range(ends - 1)]
    assert turns == [seat for seat in others for _ in range(2)]


def test_nothing_can_be_done_after_the_end() -> None:
    match = position(f"{FOUR[2]}, c6a 2 store-a", end_card=2)
    match.acts("craftsman c7; craftsman e7")
    assert match.to_play == OVER
    assert match.legal() == []
    with pytest.raises(IllegalAction, match="'craftsman g7' is not allowed now; the match is over"):
        match.play("craftsman g7")


def test_a_forest_ends_the_last_turn() -> None:
    match = position(f"{FOUR[2]}, c6a 2 store-a, d6 tile", end_card=2)
    match.play("explore e6")
    assert match.over


def test_a_fifth_building_in_the_last_round_gets_no_end_card_and_the_turn_goes_on() -> None:
    """RULES 12.6."""
    match = nearly(also=f"{FOUR[2]}, c6a 2 airway-a", end_card=2)
    match.acts("build f7a store-a; turn-up mayor-a")
    assert holds_end_card(match) == [2]
    assert (match.to_play, left(match)) == (0, 1)
    match.play("craftsman c7")
    assert match.over


def test_a_fifth_building_in_the_last_round_starts_no_further_round() -> None:
    match = nearly(also=f"{FOUR[2]}, c6a 2 airway-a", seats=3, end_card=2)
    match.acts("build f7a store-a; turn-up mayor-a; craftsman c7")
    assert match.over


def test_a_distillery_as_the_fifth_building_of_the_last_round_gives_its_action() -> None:
    match = nearly("distillery-a", "wood stone clay", also=f"{FOUR[2]}, c6a 2 airway-a", end_card=2, left=1)
    match.acts("build f7a distillery-a; turn-up mayor-a")
    assert (match.to_play, left(match)) == (0, 1)
    assert "skip" in match.legal()
    match.play("craftsman c7")
    assert match.over


def test_who_has_built_five_lays_no_more_sites() -> None:
    match = nearly(also=f"{FOUR[2]}, c6a 2 airway-a", end_card=2)
    match.acts("build f7a store-a; turn-up mayor-a")
    assert home(match).split(", ")[2] == "0 buildings"
    assert may(match, "site") == set()


def test_the_display_is_filled_even_after_the_very_last_build() -> None:
    """RULES 12.27."""
    match = nearly(also=f"{FOUR[2]}, c6a 2 airway-a", end_card=2, left=1)
    match.play("build f7a store-a")
    assert match.to_play == CHANCE
    match.play("turn-up mayor-a")
    assert match.over


def test_who_cannot_act_in_the_last_round_passes() -> None:
    drawn = f"{FOUR[2]}, c6a 2 airway-a, e1a 1, i1a 1, b3a 1, d3 1 wood, e3 1 wood, k5 1 wood"
    match = position(drawn, end_card=2, tiles=0, reserve=0)
    assert match.legal() == ["pass"]
    match.play("pass")
    assert match.over
    assert holds_end_card(match) == [2]


# The count.


def test_a_score_is_tokens_contracts_explorers_and_end_card_less_what_is_stored() -> None:
    match = position(
        "e1a 1 store-b, i1a 1 quiet-town-a, b3a 1 priest-a, k3a 1 airway-a, f4a 1 abundance-a, c6a 2 store-c",
        took={1: "wood-3a food-4a", 2: "clay-4a"},
        storage={1: "wood wood clay", 2: "food"},
        tiles={1: 9, 2: 15},
        end_card=1,
    )
    assert match.scores == [(1 + 2) + (2 + 4 + 3 + 3 + 4) + 2 * 2 + 2 - 3, 2 + 2 + 2 - 1]


@pytest.mark.parametrize(
    ("drawing", "scores"),
    [
        ("c7 1 wood wood", [-2, 0]),
        ("c7 2 wood wood", [0, -2]),
        ("c7 wood wood", [0, 0]),
        ("c6a 1 wood clay food", [-3, 0]),
        ("c6a 2 wood clay food", [0, -3]),
        ("c7 1 wood, e7 1 clay food, c6a 1 wood, f7a 2 food", [-4, -1]),
    ],
)
def test_what_lies_on_own_sites_and_exploitations_is_stored_at_the_end(drawing: str, scores: list[int]) -> None:
    match = position(drawing)
    assert match.scores == scores
    assert match.drawing == drawing


@pytest.mark.parametrize("kind", ["wood", "stone", "clay", "wheat", "food"])
def test_every_resource_in_storage_costs_a_point_whatever_its_kind(kind: str) -> None:
    assert position(storage=f"{kind} {kind} {kind}").scores == [-3, 0]


def test_scores_are_those_of_a_match_that_ended_now() -> None:
    """RULES 8.8: resources count as stored, but stay where they are."""
    match = position("c7 1 wood, f7a 1 stone")
    assert match.scores == [-2, 0]
    match.play("craftsman e7")
    assert match.at("c7") == "1 wood"
    assert match.at("f7a") == "1 stone"


def test_the_count_at_the_end_is_the_count_just_before() -> None:
    match = position(f"{FOUR[2]}, c6a 2 store-a, d7 tile, c7 1 wood wood, f7a 1 stone", end_card=2, left=1, tiles=3)
    match.play("explore d8")
    assert match.over
    assert match.scores == [3 * 2 - 3, 5 * 2 + 2]


# Places.


def test_more_points_are_better() -> None:
    assert position(took={1: "wood-3a", 2: "food-4a"}).places == [2, 1]


def test_among_equals_fewer_stored_resources_are_better() -> None:
    match = position(took={1: "food-4a", 2: "wood-3a"}, storage={1: "wood"})
    assert match.scores == [1, 1]
    assert match.places == [2, 1]


def test_resources_on_sites_and_exploitations_count_as_stored_for_that() -> None:
    for drawing in ("c7 1 wood", "c6a 1 wood"):
        match = position(drawing, took={1: "food-4a", 2: "wood-3a"})
        assert match.scores == [1, 1]
        assert match.places == [2, 1]


def test_seats_equal_in_both_share_the_place() -> None:
    assert position(took={1: "wood-3a", 2: "clay-3a"}).places == [1, 1]
    match = position(took={1: "wood-3a food-4a", 2: "clay-4a stone-3a"}, storage={1: "wood", 2: "clay"})
    assert match.places == [1, 1]


def test_after_a_shared_place_the_next_is_left_out() -> None:
    assert position(seats=3, took={1: "wood-3a", 2: "clay-3a"}).places == [1, 1, 3]
    assert position(seats=4, took={1: "wood-3a", 2: "food-4a", 3: "clay-3a"}).places == [2, 1, 2, 4]


def test_fewer_resources_do_not_make_up_for_points() -> None:
    match = position(took={1: "food-4a clay-4a"}, storage={1: "wood wood wood"})
    assert match.scores == [1, 0]
    assert match.places == [1, 2]


def test_the_first_to_end_need_not_be_the_best() -> None:
    match = nearly(also="f4a 2 quiet-town-a", took={2: "food-4a food-4b clay-4a clay-4b stone-4a stone-4b"})
    match.acts("build f7a store-a; turn-up mayor-a")
    assert built(match, 1) == {"store-a", "store-b", "store-c", "store-d", "store-e"}
    assert match.places == [2, 1]
