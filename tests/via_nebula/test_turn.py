"""The turn: RULES 3, 10.9, 10.10, 12.2 and 12.4."""

import re
from itertools import combinations
from typing import Any

import pytest

from plenilune import IllegalAction, Match
from tests.play import walk
from tests.via_nebula.positions import (
    BOX,
    COLUMNS,
    RESOURCES,
    DrawnMatch,
    covering,
    left,
    may,
    paragraph,
    position,
    rules_table,
    verbs,
)

# Every meadow is emptied, every mist covered, and every seat has three sites: only forest can be explored.
WORN_OUT = f"{covering('beginner', 'm', 'open')}, {covering('beginner', '.', 'tile')}"
PLACES = ["e1", "i1", "b3", "k3", "f4", "i5", "c6", "f7", "a8", "j8", "d9", "h9"]


def worn_out(seats: int = 2, tiles: dict[int, int] | None = None, bare: str = "-", **settings: Any) -> DrawnMatch:
    """A position in which seats with a tile left can only explore forest, and others can do nothing."""
    sites = [f"{place}a {number % seats + 1}" for number, place in enumerate(PLACES[: 3 * seats])]
    tiles = dict.fromkeys(range(1, seats + 1), 0) | (tiles or {})
    drawn = f"{WORN_OUT}, {', '.join(sites)}".replace(f"{bare} tile, ", "")
    return position(drawn, seats, tiles=tiles, reserve=0, **settings)


def test_a_turn_is_two_actions() -> None:
    match = position(seats=3)
    match.play("craftsman c7")
    assert (match.to_play, left(match)) == (0, 1)
    match.play("site c6a")
    assert (match.to_play, left(match)) == (1, 2)


@pytest.mark.parametrize(
    "script",
    ["craftsman c7; craftsman e7", "site c6a; site f7a", "explore d8; explore c8", "carry i6 i5a; carry i6 i5a"],
)
def test_the_same_action_may_be_taken_twice(script: str) -> None:
    match = position("d7 tile, i6 clay clay, i5a 1")
    match.acts(script)
    assert match.to_play == 1


def test_two_buildings_may_be_built_in_a_turn() -> None:
    match = position("c6a 1 wood stone, f7a 1 clay wheat", display="store-a store-b")
    match.acts("build c6a store-a; skip; turn-up mayor-a; build f7a store-b; turn-up airway-a")
    assert match.to_play == 1
    assert match.drawing == "c6a 1 building, f7a 1 building"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_go_round(seats: int) -> None:
    match = position(seats=seats)
    for turn in [*range(seats)] * 2:
        for _ in range(2):
            assert match.to_play == turn
            match.play(match.legal()[-1])


def test_everything_that_is_possible_is_offered() -> None:
    match = position("c6a 1 wood stone, c7 clay, d7 tile", display="store-a")
    assert verbs(match) == {"craftsman", "site", "explore", "carry", "build"}


VERBS = [row[0].split()[0] for row in rules_table("10.2")]
HEXES = [f"{column}{row}" for row in range(1, 10) for column in COLUMNS]
ORDER = [*"1234", *RESOURCES, *HEXES, *(hex + half for hex in HEXES for half in "ab"), "storage"]
ORDER += [*BOX.tokens, *BOX.costs, *(f"{kind}+{kind}" for kind in RESOURCES)]
ORDER += ["+".join(three) for three in combinations(RESOURCES, 3)]


@pytest.mark.parametrize(("seats", "map"), [(2, "beginner"), (2, "expert"), (3, "beginner"), (4, "expert")])
def test_actions_are_listed_in_the_order_of_the_rules(seats: int, map: str) -> None:
    """RULES 10.2: as the table has them, those of one row by their parts from left to right."""
    for match in walk(Match("via-nebula", seats, map=map), seats):
        ranks = [rank(*action.split()) for action in match.legal()]
        assert ranks == sorted(ranks)


def rank(verb: str, *words: str) -> tuple[int, ...]:
    return VERBS.index(verb), *map(ORDER.index, words)


def test_no_match_is_longer_than_the_rules_say() -> None:
    """RULES 10.14."""
    (bound,) = re.findall(r"at most ([\d,]+) plies", paragraph("10.14"))
    assert Match("via-nebula").game.bound == int(bound.replace(",", ""))


# Passing.


def test_nobody_may_pass_while_anything_is_possible() -> None:
    for match in (position(), position(left=1), worn_out(tiles={1: 1})):
        with pytest.raises(IllegalAction, match="'pass' is not allowed now; seat 1 may: "):
            match.play("pass")


@pytest.mark.parametrize("actions_left", [1, 2])
def test_if_nothing_is_possible_the_seat_passes_and_all_that_was_left_is_gone(actions_left: int) -> None:
    match = worn_out(left=actions_left)
    assert match.legal() == ["pass"]
    match.play("pass")
    assert (match.to_play, left(match)) == (1, 2)


def test_with_two_actions_left_and_only_forest_possible_it_must_be_explored() -> None:
    match = worn_out(tiles={1: 1})
    assert verbs(match) == {"explore"}
    assert may(match, "explore") == {"d4", "i4", "j4", "c5", "d5", "f5", "g5", "e6", "g6", "h6"}


def test_with_one_action_left_and_only_forest_possible_it_is_passed() -> None:
    """RULES 12.2: half a forest cannot be explored."""
    match = worn_out(tiles={1: 1}, left=1)
    assert match.legal() == ["pass"]


def test_after_acting_once_the_second_action_may_have_to_be_passed() -> None:
    match = position("i1a 1, e1a 1, b3a 1, d3 1 wood, e3 1 wood", seats=3, tiles=1, reserve=0, left=2)
    assert verbs(match) == {"explore"}
    match.play("explore f3")
    assert match.legal() == ["pass"]
    match.play("pass")
    assert match.to_play == 1


# Standstill.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_match_is_over_once_every_seat_has_passed_a_whole_turn(seats: int) -> None:
    match = worn_out(seats)
    for seat in range(seats):
        assert match.to_play == seat
        assert match.legal() == ["pass"]
        match.play("pass")
    assert match.over
    assert match.legal() == []


def test_it_begins_with_any_seat() -> None:
    match = worn_out(3, turn=2)
    match.acts("pass; pass")
    assert not match.over
    match.play("pass")
    assert match.over


def test_half_a_turn_passed_does_not_count() -> None:
    match = worn_out(left=1)
    match.acts("pass; pass")
    assert not match.over
    match.play("pass")
    assert match.over


def test_a_seat_that_acts_breaks_the_row() -> None:
    match = worn_out(3, tiles={3: 3})
    match.acts("pass; pass; explore i4; pass; pass")
    assert match.to_play == 2
    match.acts("explore j4; pass; pass; explore d4; pass; pass")
    assert not match.over
    match.play("pass")
    assert match.over


def test_a_pass_after_one_action_breaks_the_row_too() -> None:
    """Seat 2 has one tile and one mist left: it acts once and passes half a turn."""
    match = worn_out(2, tiles={2: 1}, bare="a3")
    match.acts("pass; explore a3")
    assert match.legal() == ["pass"]
    match.acts("pass; pass")
    assert not match.over
    match.play("pass")
    assert match.over


def test_at_a_standstill_nobody_gets_the_end_card() -> None:
    match = worn_out()
    before = match.scores
    match.acts("pass; pass")
    assert match.scores == before == [8, 8]
