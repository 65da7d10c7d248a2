"""Carrying a resource to a site: RULES 1.7, 4.5, 4.6, 10.5 and 12.10."""

import pytest

from plenilune import IllegalAction
from tests.via_nebula.positions import home, left, may, position, stored


def test_the_example_of_the_rules() -> None:
    """RULES 4.5: c6 is reached from b6 and c7, which touch it, and from e7 over d7; f7 from e7 only."""
    match = position("b6 wood, c7 clay, d7 tile, e7 food, c6a 1, f7a 1")
    assert may(match, "carry") == {"b6 c6a", "c7 c6a", "e7 c6a", "e7 f7a"}


def test_the_rulebooks_example_of_taking_the_last_wheat_of_another_seat() -> None:
    """White carries the last wheat of Blue's exploitation over laid tiles; Blue's craftsman comes home."""
    match = position("e7 2 wheat, d7 tile, c8 tile, b8 tile, a8a 1", seats=3)
    assert home(match, 2).startswith("1 craftsmen")
    match.play("carry e7 a8a")
    assert match.drawing == "e7 open, d7 tile, c8 tile, b8 tile, a8a 1 wheat"
    assert home(match, 2).startswith("2 craftsmen")


@pytest.mark.parametrize("owner", ["1 ", "2 ", ""])
def test_one_resource_is_taken_from_an_exploitation_own_anothers_or_neutral(owner: str) -> None:
    match = position(f"e7 {owner}wood wood, f7a 1 clay")
    match.play("carry e7 f7a")
    assert match.drawing == f"e7 {owner}wood, f7a 1 wood clay"
    assert (match.to_play, left(match)) == (0, 1)


def test_nothing_is_carried_to_a_site_of_another_seat() -> None:
    assert may(position("e7 1 wood, f7a 2"), "carry") == set()
    assert may(position("e7 1 wood, f7a 2, f7b 1", seats=3), "carry") == {"e7 f7b"}


def test_nothing_is_carried_to_a_building_or_a_free_place() -> None:
    assert may(position("e7 1 wood, f7a 1 store-a, c6a free, d7 tile"), "carry") == set()


def test_each_of_two_own_sites_in_a_ruin_is_named() -> None:
    assert may(position("e7 wood, f7a 1, f7b 1", seats=4), "carry") == {"e7 f7a", "e7 f7b"}


def test_nothing_is_carried_from_a_token_or_an_open_meadow() -> None:
    assert may(position("e7 wood-3a, g7 open, f7a 1"), "carry") == set()


def test_nothing_is_carried_from_site_to_site() -> None:
    assert may(position("c6a 1 wood, f7a 1, d7 tile, d8 tile, e8 tile"), "carry") == set()


# The path.


@pytest.mark.parametrize("tiles", ["d7 tile", "d6 tile", "d7 tile, d6 tile", "d8 tile, c8 tile, d7 tile"])
def test_a_path_leads_over_tiles(tiles: str) -> None:
    assert may(position(f"e7 wood, c6a 1, {tiles}"), "carry") == {"e7 c6a"}


@pytest.mark.parametrize("tiles", ["d8 tile", "c8 tile, d8 tile", "e8 tile", "d5 tile"])
def test_a_path_has_no_gap(tiles: str) -> None:
    assert may(position(f"e7 wood, c6a 1, {tiles}"), "carry") == set()


def test_a_path_leads_over_an_emptied_meadow() -> None:
    assert may(position("e7 wood, d7 tile, c7 open, b7 tile, a8a 1"), "carry") == {"e7 a8a"}


@pytest.mark.parametrize(
    "barrier",
    ["c7 wood-3a", "c7 clay", "c7 1 clay", "c7 2 clay"],
)
def test_no_path_leads_through_a_token_or_a_stocked_exploitation(barrier: str) -> None:
    """e7, d7 and b7 are joined by c7 only."""
    assert "e7 a8a" not in may(position(f"e7 wood, d7 tile, {barrier}, b7 tile, a8a 1"), "carry")
    assert "e7 a8a" in may(position("e7 wood, d7 tile, c7 open, b7 tile, a8a 1"), "carry")


@pytest.mark.parametrize(
    "ruin",
    ["f7a free", "f7a 1", "f7a 2", "f7a 1 store-a", "f7a 2 store-a"],
)
def test_no_path_leads_through_a_ruin_even_ones_own(ruin: str) -> None:
    """From g7 the way to c6 would cross f7."""
    match = position(f"g7 wood, {ruin}, e7 open, d7 tile, c6a 1")
    assert "g7 c6a" not in may(match, "carry")
    assert ("g7 f7a" in may(match, "carry")) == (ruin == "f7a 1")


@pytest.mark.parametrize("map_hex", ["d7", "d6"])
def test_bare_mist_is_not_a_path(map_hex: str) -> None:
    match = position(f"e7 wood, c6a 1, {map_hex} mist")
    assert may(match, "carry") == set()


def test_bare_forest_is_not_a_path_and_covered_forest_is() -> None:
    assert may(position("i3 wood, i5a 1, i4 forest"), "carry") == set()
    assert may(position("i3 wood, i5a 1, i4 tile"), "carry") == {"i3 i5a"}


def test_bare_forbidden_ground_is_not_a_path_and_covered_is() -> None:
    """c4 joins d3 with b3's side of the map."""
    around = "d3 wood, b3a 1, b4 tile"
    assert may(position(f"{around}, c4 forbidden"), "carry") == set()
    assert may(position(f"{around}, c4 tile"), "carry") == {"d3 b3a"}


def test_an_exploitation_that_touches_the_ruin_is_near_enough_from_every_side() -> None:
    """RULES 1.9: a site may be reached over any edge of its hex."""
    assert may(position("e7 wood, g7 clay, f7a 1"), "carry") == {"e7 f7a", "g7 f7a"}
    assert may(position("f4a 1, e4 tile, e3 wood"), "carry") == {"e3 f4a"}
    for tile, meadow in [("e4", "e3"), ("g4", "h3")]:
        assert may(position(f"f4a 1, {tile} tile, {meadow} wood"), "carry") == {f"{meadow} f4a"}


def test_a_path_may_wind() -> None:
    match = position("a7 wood, a6 tile, b5 tile, b4 tile, b3a 1, c5 tile, d5 tile, d6 tile, f7a 1, e7 open")
    assert may(match, "carry") == {"a7 b3a", "a7 f7a"}


def test_a_site_beside_another_does_not_block_the_way_round() -> None:
    match = position("e7 wood, d7 tile, d8 tile, e8 tile, c6a 2, d9a 1")
    assert may(match, "carry") == {"e7 d9a"}


def test_the_exploitation_itself_is_the_start_and_no_part_of_another_path() -> None:
    """c7 between d7 and b7 is stocked: from c7 both sides are reached, through c7 nothing."""
    match = position("e7 wood, d7 tile, c7 clay, b7 tile, a8a 1, d9a 1, d8 tile")
    assert may(match, "carry") == {"c7 a8a", "c7 d9a", "e7 d9a"}


def test_a_tile_laid_or_a_meadow_emptied_opens_the_path_at_once() -> None:
    match = position("e7 wood wood, d7 mist, c7 clay, c6a 1, b7 tile, a8a 1", seats=3)
    assert may(match, "carry") == {"c7 c6a", "c7 a8a"}
    match.play("explore d7")
    assert may(match, "carry") == {"c7 c6a", "c7 a8a", "e7 c6a"}
    match.play("carry c7 c6a")
    match.acts("craftsman d3; craftsman e3; craftsman f2; craftsman h3")
    assert may(match, "carry") == {"e7 c6a", "e7 a8a"}


# The last resource.


@pytest.mark.parametrize("owner", [1, 2])
def test_when_the_last_resource_leaves_the_craftsman_goes_home(owner: int) -> None:
    match = position(f"e7 {owner} wood wood, f7a 1")
    match.play("carry e7 f7a")
    assert home(match, owner).startswith("2 craftsmen")
    match.play("carry e7 f7a")
    assert match.at("e7") == "open"
    assert home(match, owner).startswith("3 craftsmen")


def test_a_neutral_exploitation_sends_nobody_home() -> None:
    match = position("e7 wood, f7a 1")
    match.play("carry e7 f7a")
    assert match.drawing == "e7 open, f7a 1 wood"
    assert [home(match, seat)[:11] for seat in (1, 2)] == ["3 craftsmen"] * 2


def test_an_emptied_exploitation_is_open_ground_to_explore_from() -> None:
    match = position("g7 2 wood, f7a 1")
    assert "g8" not in may(match, "explore")
    match.play("carry g7 f7a")
    assert "g8" in may(match, "explore")


def test_an_emptied_exploitation_is_not_a_foothold_but_open_for_everybody() -> None:
    match = position("g7 1 wood, f7a 2", turn=2)
    match.play("carry g7 f7a")
    assert "g8" in may(match, "explore")


# What a site holds.


def test_a_site_holds_any_number_of_resources_needed_or_not() -> None:
    match = position("e7 wood wood, f7a 1 wood wood wood wood wood wood wood wood wood wood food food")
    match.play("carry e7 f7a")
    assert match.at("f7a") == "1" + 11 * " wood" + 2 * " food"


def test_what_lies_on_a_site_is_not_in_storage_but_counts_as_if_it_were() -> None:
    match = position("e7 wood wood, f7a 1")
    match.play("carry e7 f7a")
    assert stored(match) == ""
    assert match.scores == [-1, 0]


# Mixed exploitations.


def test_from_a_mixed_exploitation_the_seat_chooses() -> None:
    match = position("e7 2 wood clay food, f7a 1")
    match.play("carry e7 f7a")
    assert match.legal() == ["take wood", "take clay", "take food"]
    assert (match.to_play, left(match)) == (0, 2)
    assert match.drawing == "e7 2 wood clay food, f7a 1"
    match.play("take clay")
    assert match.drawing == "e7 2 wood food, f7a 1 clay"
    assert (match.to_play, left(match)) == (0, 1)


def test_a_mixed_exploitation_is_one_text_however_much_lies_there() -> None:
    assert may(position("e7 2 wood wood clay food, f7a 1"), "carry") == {"e7 f7a"}


def test_an_exploitation_of_one_kind_asks_nothing() -> None:
    match = position("e7 2 clay clay, f7a 1")
    match.play("carry e7 f7a")
    assert match.at("f7a") == "1 clay"


def test_the_last_of_one_kind_on_a_mixed_exploitation_is_not_the_last() -> None:
    match = position("e7 2 wood clay, f7a 1")
    match.acts("carry e7 f7a; take clay")
    assert match.at("e7") == "2 wood"
    match.play("carry e7 f7a")
    assert match.at("e7") == "open"


def test_a_kind_that_is_not_there_cannot_be_taken() -> None:
    match = position("e7 2 wood clay, f7a 1")
    match.play("carry e7 f7a")
    with pytest.raises(IllegalAction):
        match.play("take food")
    with pytest.raises(IllegalAction):
        match.play("carry e7 f7a")
