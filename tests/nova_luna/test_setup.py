"""RULES 2 and 3: seats, options, the starting stack and the first wheel."""

import pytest

from plenilune import CHANCE, BadSetting, IllegalAction, Match
from tests.nova_luna.positions import deal, play, supply, table, tokens_left, track, wheel
from tests.oracles.nova_luna import TILES


@pytest.mark.parametrize(
    ("seats", "tokens", "to_place"),
    [
        (1, "full", 21),
        (2, "full", 20),
        (3, "full", 20),
        (4, "full", 20),
        (3, "first-game", 17),
        (4, "first-game", 15),
    ],
)
def test_each_seat_has_its_tokens_to_place(seats: int, tokens: str, to_place: int) -> None:
    assert tokens_left(table(seats, tokens=tokens)) == [to_place] * seats


def test_a_full_set_of_tokens_is_the_default() -> None:
    assert Match("nova-luna", 3).options == {"tokens": "full"}


@pytest.mark.parametrize("seats", [1, 2])
def test_the_first_game_counts_are_for_three_or_four_seats(seats: int) -> None:
    with pytest.raises(BadSetting, match="first-game"):
        Match("nova-luna", seats, tokens="first-game")


@pytest.mark.parametrize("seats", [0, 5])
def test_there_are_one_to_four_seats(seats: int) -> None:
    with pytest.raises(BadSetting, match="1 to 4 seats"):
        Match("nova-luna", seats)


def test_chance_stacks_every_seat_once_the_last_one_too() -> None:
    match = Match("nova-luna", 3)
    assert (match.to_play, match.legal()) == (CHANCE, ["stack 1", "stack 2", "stack 3"])
    match.play("stack 2")
    assert match.legal() == ["stack 1", "stack 3"]
    match.play("stack 3")
    assert (match.to_play, match.legal()) == (CHANCE, ["stack 1"])
    match.play("stack 1")
    assert len(match.legal()) == len(TILES)


@pytest.mark.parametrize(("stack", "starts"), [("1 2", 2), ("2 1", 1), ("2 3 1", 1), ("1 3 4 2", 2), ("4 3 2 1", 1)])
def test_the_seat_drawn_last_lies_on_top_and_starts(stack: str, starts: int) -> None:
    match = Match("nova-luna", len(stack.split()))
    for seat in stack.split():
        match.play(f"stack {seat}")
    assert track(match) == f"0: {stack}"
    assert deal(match).to_play == starts - 1


def test_places_before_the_first_turn_follow_the_stack_once_it_is_complete() -> None:
    match = Match("nova-luna", 3)
    assert match.places == [1, 1, 1]
    assert play(match, "stack 2 stack 3").places == [1, 1, 1]
    assert play(match, "stack 1").places == [1, 3, 2]


def test_eleven_tiles_fill_the_wheel_clockwise_from_after_the_moon() -> None:
    match = Match("nova-luna", 2)
    play(match, "stack 1 stack 2 draw y7 draw b1")
    assert wheel(match) == "moon y7 b1 . . . . . . . . ."
    play(match, "draw r1 draw r2a draw r2b draw t1 draw t7 draw b2a draw b2b draw y1")
    assert match.to_play == CHANCE
    match.play("draw y2a")
    assert wheel(match) == "moon y7 b1 r1 r2a r2b t1 t7 b2a b2b y1 y2a"
    assert (match.to_play, match.legal()) == (1, ["take 1", "take 2", "take 3"])


def test_chance_draws_every_tile_of_the_supply_but_none_twice() -> None:
    match = play(Match("nova-luna", 2), "stack 1 stack 2")
    assert match.legal() == [f"draw {tile}" for tile in TILES]
    match.play("draw t4c")
    assert match.legal() == [f"draw {tile}" for tile in TILES if tile != "t4c"]
    with pytest.raises(IllegalAction, match="'draw t4c' is not allowed now"):
        match.play("draw t4c")


def test_the_rest_is_the_supply() -> None:
    for seats in (1, 2, 3, 4):
        assert supply(table(seats)) == len(TILES) - 11


def test_solo_has_no_stack() -> None:
    match = Match("nova-luna", 1)
    assert match.legal() == [f"draw {tile}" for tile in TILES]
    deal(match, "y7 b1")
    assert (match.to_play, match.legal()) == (0, ["take 1", "take 2", "take 3"])
    assert wheel(match).startswith("moon y7 b1 r1")
