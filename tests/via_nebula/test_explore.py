"""Exploring mist and forest, tiles and explorers: RULES 1.5 to 1.7, 3.3, 4.3, 4.4, 5 and 12.25."""

import pytest

from tests.via_nebula.positions import BOX, DrawnMatch, explorers, home, in_reserve, left, may, neighbours, position


def where(match: DrawnMatch, grounds: str) -> set[str]:
    return {hex.name for hex in match.hexes.values() if hex.ground in grounds}


def test_the_examples_of_neighbours_in_the_rules() -> None:
    assert neighbours("c4") == {"b4", "d4", "c3", "d3", "c5", "d5"}
    assert neighbours("c5") == {"b5", "d5", "b4", "c4", "b6", "c6"}


@pytest.mark.parametrize("map", ["beginner", "expert"])
def test_from_one_tile_every_bare_mist_and_forest_that_touches_it_can_be_explored(map: str) -> None:
    """With all meadows covered, that tile is the only open hex: this is the whole map's geometry."""
    for tile in where(position(map=map), ".fx"):
        match = position(f"{tile} tile", map=map)
        assert may(match, "explore") == neighbours(tile) & where(match, ".f")


@pytest.mark.parametrize("map", ["beginner", "expert"])
def test_from_one_open_meadow_every_mist_and_forest_that_touches_it_can_be_explored(map: str) -> None:
    for meadow in where(position(map=map), "m"):
        match = position(f"{meadow} open", map=map)
        assert may(match, "explore") == neighbours(meadow) & where(match, ".f")


@pytest.mark.parametrize("own", ["e7 1 wood", "f7a 1", "f7a 1 wood stone", "f7a 1 store-a", "e7 open", "d7 tile"])
def test_what_touches_an_own_piece_or_an_open_hex_can_be_explored(own: str) -> None:
    match = position(own)
    assert may(match, "explore") == neighbours(own.split()[0][:2]) & where(match, ".f")


@pytest.mark.parametrize("other", ["e7 2 wood", "f7a 2", "f7a 2 wood stone", "f7a 2 store-a", "e7 wood", "e7 food-4a"])
def test_what_touches_only_pieces_of_others_tokens_or_stock_cannot(other: str) -> None:
    assert may(position(other), "explore") == set()


@pytest.mark.parametrize("own", ["f7b 1", "f7b 1 wood", "f7b 1 store-a"])
def test_the_second_place_of_a_ruin_is_a_foothold_too(own: str) -> None:
    match = position(f"f7a 2, {own}", seats=3)
    assert may(match, "explore") == neighbours("f7") & where(match, ".f")


def test_an_open_hex_serves_everybody_wherever_it_is() -> None:
    """RULES 12.25: no tie to the seat is needed."""
    for turn in (1, 2, 3):
        assert may(position("d7 tile", seats=3, turn=turn), "explore") == {"c8", "d6", "d8"}


def test_the_rulebooks_example_of_exploring_mist() -> None:
    """Crosses lie beside the hexes the seat occupies and beside empty meadow, and nowhere else."""
    match = position("c7 1 wood, b3a 1, f7a 1 store-a, l5 tile, h3 open, k3a 2", left=1)
    beside = set().union(*map(neighbours, ["c7", "b3", "f7", "l5", "h3"]))
    assert may(match, "explore") == beside & where(match, ".") - {"l5"}


def test_the_rulebooks_example_of_exploring_forest() -> None:
    match = position("c6a 1, f7a 1 store-a, i3 open, k3a 2")
    beside = set().union(*map(neighbours, ["c6", "f7", "i3"]))
    assert may(match, "explore") & where(match, "f") == beside & where(match, "f") == {"c5", "d5", "e6", "i4"}


def test_exploring_lays_a_tile_and_spends_an_action() -> None:
    match = position("d7 tile, d8 mist")
    match.play("explore d8")
    assert match.drawing == "d7 tile, d8 tile"
    assert (match.to_play, left(match)) == (0, 1)


def test_where_a_tile_lies_no_other_is_laid() -> None:
    match = position("d7 tile, d8 tile, f5 tile")
    assert not {"d7", "d8", "f5"} & may(match, "explore")


def test_a_tile_laid_is_open_at_once() -> None:
    match = position("d7 tile")
    assert "e9" not in may(match, "explore")
    match.play("explore d8")
    assert "e9" in may(match, "explore")


@pytest.mark.parametrize("hex", ["c4", "f6", "j5", "c6", "e7", "c7"])
def test_forbidden_ground_ruins_and_meadows_are_never_explored(hex: str) -> None:
    beside = ", ".join(f"{h} tile" for h in neighbours(hex) & where(position(), ".fx"))
    assert hex not in may(position(beside), "explore")


# Forest.


def test_forest_takes_both_actions_and_ends_the_turn() -> None:
    match = position("d6 tile, e6 forest")
    match.play("explore e6")
    assert match.drawing == "d6 tile, e6 tile"
    assert (match.to_play, left(match)) == (1, 2)
    assert home(match).endswith("19 tiles")


def test_forest_needs_two_actions() -> None:
    assert "e6" in may(position("d6 tile", left=2), "explore")
    assert "e6" not in may(position("d6 tile", left=1), "explore")


def test_mist_can_be_explored_twice_in_a_turn() -> None:
    match = position("d7 tile, c8 mist, d8 mist")
    match.acts("explore c8; explore d8")
    assert match.drawing == "d7 tile, c8 tile, d8 tile"
    assert match.to_play == 1


# Tiles.


def test_tiles_come_from_the_guild_board_first() -> None:
    match = position("d7 tile", tiles=1, reserve=5)
    match.play("explore d8")
    assert home(match).endswith(" 0 tiles")
    assert in_reserve(match) == 5


def test_with_an_empty_board_tiles_come_from_the_reserve() -> None:
    match = position("d7 tile", tiles=0, reserve=5)
    match.play("explore d8")
    assert home(match).endswith(" 0 tiles")
    assert in_reserve(match) == 4


def test_without_any_tile_nothing_can_be_explored() -> None:
    assert may(position("d7 tile", tiles=0, reserve=0), "explore") == set()
    assert may(position("d7 tile", tiles=1, reserve=0), "explore")
    assert may(position("d7 tile", tiles=0, reserve=1), "explore")


def test_the_tiles_of_another_seat_are_of_no_use() -> None:
    assert may(position("d7 tile", tiles={1: 0, 2: 20}, reserve=0), "explore") == set()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_explorer_is_hidden_as_long_as_a_tile_lies_on_him(seats: int) -> None:
    pile = BOX.by_seats["tiles-in-a-pile"][seats]
    for tiles in range(4 * pile + 1):
        match = position(seats=seats, tiles=tiles)
        assert explorers(match) == 4 - -(-tiles // pile)
        assert match.scores[0] == 2 * explorers(match)


def test_the_last_tile_of_a_pile_reveals_an_explorer() -> None:
    match = position("d7 tile", tiles=17)
    match.play("explore d8")
    assert (explorers(match), match.scores) == (0, [0, 0])
    match.play("explore c8")
    assert (explorers(match), match.scores) == (1, [2, 0])


def test_tiles_of_the_reserve_reveal_nobody() -> None:
    match = position("d7 tile", tiles=0, reserve=1)
    match.play("explore d8")
    assert match.scores == [8, 0]
