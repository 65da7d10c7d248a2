"""What everybody sees, as data and as a drawing."""

import dataclasses
import json

import pytest

from plenilune import Match
from plenilune.core.drawing import plain
from plenilune.games.moon_leap.tables import CERTAINTIES, SPACES, TRACK
from tests.moon_leap.positions import ending, position
from tests.play import walk


def test_every_space_says_what_it_counts_and_how_certain_that_is() -> None:
    spaces = Match("moon-leap").view().spaces
    assert [space.number for space in spaces] == list(range(1, SPACES + 1))
    assert [space.value for space in spaces] == TRACK.values[1:]
    assert [space.certainty for space in spaces] == TRACK.certainties[1:]
    assert Match("moon-leap").view().length_certainty == "likely"
    assert {space.certainty for space in spaces} == set(CERTAINTIES)


@pytest.mark.parametrize(("seats", "after"), [(2, 9), (3, 12), (4, 15)])
def test_the_post_says_where_it_stands_whether_it_is_passed_and_how_certain_it_is(seats: int, after: int) -> None:
    post = position("w1 .", seats, at=after).view().post
    assert (post.after, post.passed, post.certainty) == (after, False, "invented")
    assert position(". w1", seats, at=after).view().post.passed


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_pawn_keeps_its_id_through_the_match(seats: int) -> None:
    ids = [f"{seat}.{number}" for seat in range(1, seats + 1) for number in range(1, 6)]
    for match in walk(Match("moon-leap", seats, seed="7")):
        pawns = match.view().pawns
        assert [pawn.id for pawn in pawns] == ids
        assert all(pawn.id == f"{pawn.seat + 1}.{pawn.number}" for pawn in pawns)


def test_pawns_say_where_they_stand() -> None:
    spaces = {pawn.id: pawn.space for pawn in position("w2 . o5", at=20).view().pawns}
    assert {pawn: space for pawn, space in spaces.items() if space} == {"1.2": 20, "2.5": 22}
    assert len(spaces) == 10


def test_the_view_says_whose_turn_it_is_and_what_was_rolled() -> None:
    match = position("w1 . o1 .", turn="o")
    assert (match.view().to_play, match.view().mover, match.view().die) == (-1, 1, "")
    match.play("roll *")
    assert (match.view().to_play, match.view().mover, match.view().die) == (1, 1, "*")
    match.play("move 1")
    assert (match.view().to_play, match.view().mover, match.view().die) == (-1, 0, "")
    match.play("roll 5")
    assert match.view().die == "5"


def test_the_view_has_the_scores() -> None:
    match = position("w2 o4 . g1", seats=3, at=22)
    assert match.view().scores == match.scores


def test_seats_and_spectators_see_the_same() -> None:
    match = position("w2 o4 . g1", seats=3, roll="4")
    assert match.view(0) == match.view(1) == match.view(2) == match.view()


def test_the_view_is_plain_data() -> None:
    view = dataclasses.asdict(position("w2 . o5", roll="3").view())
    assert json.loads(json.dumps(view)) == view


def drawn(match: Match) -> str:
    return plain(match.game.draw(match.view()))


def test_the_drawing_of_a_match_begun() -> None:
    assert (
        drawn(position("o2 w4 . w1", at=1, roll="3"))
        == """\
   1     2     3     4     5     6     7     8     9 ┃  10    11    12    13
  -3    -3~   -3~   -2?   -2?   -1?   -1?    –?    –?┃   1?    –?    –?    2?
  ■2    ●4     ·    ●1     ·     ·     ·     ·     · ┃   ·     ·     ·     ·

  14    15    16    17    18    19    20    21    22    23    24    25    26
   –?    –?    3?    –?    –?    4?    –?    –?    5?    –?    –?    6?    –?
   ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·

  27    28    29    30    31    32    33    34    35    36    37
   –?    8?    –?    –?   10?    –?    –?   12?   20~   25~   30~
   ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·

► ● seat 1   -64 points  not placed: 2 3 5  die 3
  ■ seat 2   -71 points  not placed: 1 3 4 5

┃ post after space 9?, not passed yet
37 spaces~.  ~ likely, ? invented: the printed board may differ"""
    )


def test_the_drawing_of_a_match_under_way() -> None:
    assert (
        drawn(position("w2 o4 . g1 v5 . . w3", seats=4, at=12, turn="g"))
        == """\
   1     2     3     4     5     6     7     8     9    10    11    12    13
  -3    -3~   -3~   -2?   -2?   -1?   -1?    –?    –?    1?    –?    –?    2?
   ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·    ●2    ■4

  14    15 ┃  16    17    18    19    20    21    22    23    24    25    26
   –?    –?┃   3?    –?    –?    4?    –?    –?    5?    –?    –?    6?    –?
   ·    ▲1 ┃  ◆5     ·     ·    ●3     ·     ·     ·     ·     ·     ·     ·

  27    28    29    30    31    32    33    34    35    36    37
   –?    8?    –?    –?   10?    –?    –?   12?   20~   25~   30~
   ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·

  ● seat 1   -38 points  not placed: 1 4 5
  ■ seat 2   -47 points  not placed: 1 2 3 5
► ▲ seat 3   -70 points  not placed: 2 3 4 5
  ◆ seat 4   -35 points  not placed: 1 2 3 4

┃ post after space 15?, passed: a 3, 4 or 5 may be split
37 spaces~.  ~ likely, ? invented: the printed board may differ"""
    )


def test_the_drawing_of_a_match_that_is_over() -> None:
    match = ending("w5 . . o3 w1 . o1 o2", roll="1")
    match.play("move 1")
    assert (
        drawn(match)
        == """\
   1     2     3     4     5     6     7     8     9 ┃  10    11    12    13
  -3    -3~   -3~   -2?   -2?   -1?   -1?    –?    –?┃   1?    –?    –?    2?
   ·     ·     ·     ·     ·     ·     ·     ·     · ┃   ·     ·     ·     ·

  14    15    16    17    18    19    20    21    22    23    24    25    26
   –?    –?    3?    –?    –?    4?    –?    –?    5?    –?    –?    6?    –?
   ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·

  27    28    29    30    31    32    33    34    35    36    37
   –?    8?    –?    –?   10?    –?    –?   12?   20~   25~   30~
   ·     ·     ·    ●5     ·     ·    ■3     ·    ●1    ■1    ■2

  ● seat 1   -25 points  not placed: 2 3 4
  ■ seat 2    40 points  not placed: 4 5

┃ post after space 9?, passed: a 3, 4 or 5 may be split
37 spaces~.  ~ likely, ? invented: the printed board may differ"""
    )
