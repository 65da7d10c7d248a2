"""RULES 6: the last token, the last tile, scores and places."""

import pytest

from plenilune import IllegalAction, Match
from tests.nova_luna.positions import (
    ROOM,
    deal,
    done,
    laid,
    lay_row,
    number,
    supply,
    table,
    tiles_of,
    tokens_left,
    track,
    wheel,
)
from tests.oracles.nova_luna import TILES

# With `r7` in the middle 22 tasks hold; before it comes, 13.
DENSE = """
    b5b t7  y7  r5b
    y6a r7* b7  .
    y5a r6a t5a .
"""


# The last token


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_match_is_over_at_once_when_a_seat_puts_down_its_last_token(seats: int) -> None:
    match = laid(DENSE, seats=seats)
    assert (match.over, match.legal()) == (True, [])
    assert (match.scores[0], tokens_left(match)[0], match.places[0]) == (20, 0, 1)
    match.undo()
    assert (match.over, tokens_left(match)[0]) == (False, 7)


def test_tasks_beyond_the_last_token_stay_bare() -> None:
    """Tokens go to the tiles in the order of laying, so of the three tasks of `r7` two find none left."""
    match = laid(DENSE, seats=2)
    assert len(done(match)) == 20
    assert [task for task in done(match) if task.startswith("r7")] == ["r7 bt"]


def test_one_token_short_the_match_goes_on() -> None:
    match = laid("b5b t7 y7\ny6a r7 b7\ny5a r6a t5a", seats=2)
    assert (tokens_left(match)[0], match.over) == (1, False)


@pytest.mark.parametrize(
    ("seats", "drawing", "score"),
    [
        (3, "b6b r7 y5b\ny7 t7*\nr5b b7\nb6a y5c", 17),
        (4, ". y5c\nb4b b7 r5b\nr6a t7* y7 b6b", 15),
    ],
)
def test_with_first_game_counts_it_is_over_sooner(seats: int, drawing: str, score: int) -> None:
    match = laid(drawing, seats=seats, tokens="first-game")
    assert (match.over, match.scores[0], tokens_left(match)[0]) == (True, score, 0)


def test_nothing_can_be_played_when_it_is_over() -> None:
    with pytest.raises(IllegalAction, match="the match is over"):
        laid(DENSE, seats=2).play("take 1")


def test_the_others_are_placed_by_tokens_left_and_of_equals_by_who_would_move_sooner() -> None:
    match = laid(DENSE, seats=4)
    assert (tokens_left(match), match.places) == ([0, 17, 18, 16], [1, 3, 4, 2])
    second, third = "b6a b6b r6b t5c b5a y5c y5b r4a b4b y4c b4a", "t6b y6b r5c t6a t5b b5c r5a t4a y4b t4b y4a"
    match = laid(DENSE, second, third)
    assert (tokens_left(match), track(match)) == ([0, 17, 17], "54: 2 3, 60: 1")
    assert match.places == [1, 3, 2]


# No more tiles


def cheap_first(colours: str) -> list[str]:
    return sorted(TILES, key=lambda tile: (number(tile), colours.index(tile[0]), tile))


def dear_first(colours: str) -> list[str]:
    return sorted(TILES, key=lambda tile: (-number(tile), colours.index(tile[0]), tile))


def colour_by_colour(colours: str) -> list[str]:
    return sorted(TILES, key=lambda tile: (colours.index(tile[0]), tile))


def played_out(seats: int, tiles: list[str]) -> Match:
    """A match in which these tiles were taken one after the other and each seat laid its own in a row."""
    match = table(seats, " ".join(tiles[:ROOM]))
    for start in range(0, len(tiles), ROOM):
        few = tiles[start : start + ROOM]
        if start:
            deal(match, " ".join(few))
        lay_row(match, len(few))
    return match


def test_the_match_is_over_when_the_last_tile_is_laid() -> None:
    tiles = cheap_first("rbty")
    match = played_out(2, tiles[:-1])
    assert wheel(match).split().count(".") == 10
    assert (supply(match), match.legal()) == (0, ["take 1"])
    match.play("take 1")
    assert not match.over
    match.play(match.legal()[0])
    assert (match.over, match.legal()) == (True, [])
    assert sum(len(tiles_of(match, seat)) for seat in range(2)) == 68


def test_it_is_not_over_while_the_supply_has_a_tile() -> None:
    match = played_out(2, cheap_first("rbty")[:66])
    assert supply(match) == 2
    assert not match.over


@pytest.mark.parametrize(
    ("tiles", "left", "final_track", "places"),
    [
        (colour_by_colour("rtby"), [11, 10], "132: 1, 136: 2", [2, 1]),
        (cheap_first("rbty"), [18, 12, 11], "87: 2, 89: 3, 92: 1", [3, 2, 1]),
    ],
)
def test_fewest_tokens_left_wins(tiles: list[str], left: list[int], final_track: str, places: list[int]) -> None:
    match = played_out(len(left), tiles)
    assert (tokens_left(match), track(match), match.places) == (left, final_track, places)


@pytest.mark.parametrize(
    ("tiles", "left", "final_track", "places"),
    [
        (colour_by_colour("rbty"), [11, 11], "132: 1, 136: 2", [1, 2]),
        (cheap_first("rbyt"), [17, 17, 17], "87: 2, 89: 3, 92: 1", [3, 1, 2]),
        (colour_by_colour("rtby"), [16, 16, 14, 14], "63: 2, 66: 4, 69: 1, 70: 3", [4, 3, 2, 1]),
        (colour_by_colour("tryb"), [17, 15, 14, 15], "63: 2, 66: 4, 69: 1, 70: 3", [4, 2, 1, 3]),
    ],
)
def test_of_equals_the_rearmost_on_the_track_comes_first(
    tiles: list[str], left: list[int], final_track: str, places: list[int]
) -> None:
    match = played_out(len(left), tiles)
    assert (tokens_left(match), track(match), match.places) == (left, final_track, places)


@pytest.mark.parametrize(
    ("tiles", "left", "final_track", "places"),
    [
        (dear_first("brty"), [14, 14], "134: 2 1", [1, 2]),
        (dear_first("trby"), [16, 16, 18], "89: 2 1, 90: 3", [1, 2, 3]),
        (cheap_first("rytb"), [17, 17, 16, 17], "67: 1 2 3 4", [4, 3, 1, 2]),
    ],
)
def test_of_equals_on_one_space_the_upper_comes_first(
    tiles: list[str], left: list[int], final_track: str, places: list[int]
) -> None:
    match = played_out(len(left), tiles)
    assert (tokens_left(match), track(match), match.places) == (left, final_track, places)


# Read early


def test_the_score_is_the_number_of_tokens_placed() -> None:
    match = laid("r6a t6b\ny1 y2a", seats=2)
    assert match.scores[0] == 4
    assert tokens_left(match)[0] == 16


def test_places_can_be_read_early_between_take_and_place_too() -> None:
    match = table(3, "r7")
    assert match.places == [1, 2, 3]
    match.play("take 1")
    assert (track(match), match.places) == ("0: 3 2, 7: 1", [3, 1, 2])
    match.play("place 0,0")
    assert match.places == [3, 1, 2]


def test_a_token_more_outweighs_the_track() -> None:
    match = laid("r6a t6b", seats=2)
    assert track(match).endswith("12: 1")
    assert (match.scores[0], match.places) == (2, [1, 2])
