"""What the view promises, and what the drawing shows."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

import pytest

from plenilune import CHANCE, OVER, Match
from plenilune.core.drawing import plain
from tests.nova_luna.positions import deal, done, laid, lay_row, number, play, table, tokens_left
from tests.oracles.nova_luna import TILES
from tests.play import walk

TOKENS = {1: 21, 2: 20, 3: 20, 4: 20}


def matches(every: int = 1) -> Iterator[Match]:
    """A random match for each number of seats, at every so many plies and at its end."""
    for seats in (1, 2, 3, 4):
        for match in walk(Match("nova-luna", seats), seed=seats):
            if match.ply % every == 0 or match.over:
                yield match


# The tiles


def test_every_tile_is_in_just_one_place() -> None:
    for match in matches():
        view = match.view()
        seen = Counter(view.supply)
        seen.update(tile.id for tile in [*view.wheel, view.hand] if tile)
        seen.update(tile.id for tableau in view.tableaux for tile in tableau.tiles)
        assert seen == dict.fromkeys(TILES, 1)


def test_the_supply_is_what_chance_may_draw() -> None:
    for match in matches():
        if match.to_play == CHANCE and match.view().step == "fill":
            assert sorted(f"draw {tile}" for tile in match.view().supply) == sorted(match.legal())


def test_tiles_come_with_what_is_printed_on_them() -> None:
    view = laid("r6a t6b", then="y4d").view()
    printed = {tile: (TILES[tile].colour, TILES[tile].number, list(TILES[tile].tasks)) for tile in TILES}
    assert all((tile.colour, tile.number, tile.tasks) == printed[tile.id] for tile in view.wheel if tile)
    for tile in view.tableaux[0].tiles:
        assert (tile.colour, tile.number, [task.asks for task in tile.tasks]) == printed[tile.id]


# Wheel


def test_the_wheel_has_twelve_slots_and_the_moon_lies_in_an_empty_one() -> None:
    for match in matches():
        view = match.view()
        assert len(view.wheel) == 12
        assert view.wheel[view.moon] is None


@pytest.mark.slow
def test_takes_are_the_slots_of_the_tiles_that_can_be_taken() -> None:
    for match in matches():
        view = match.view()
        if view.step != "take":
            continue
        assert [f"take {n}" for n in range(1, len(view.takes) + 1)] == [t for t in match.legal() if t != "stop"]
        for n, slot in enumerate(view.takes, 1):
            match.play(f"take {n}")
            assert (match.view().hand, match.view().moon) == (view.wheel[slot], slot)
            match.undo()


# Whose turn


def test_step_says_what_is_to_be_done() -> None:
    verbs = {"stack": "stack", "fill": "draw", "take": "take", "place": "place", "choose": "keep"}
    for match in matches():
        step, legal = match.view().step, match.legal()
        assert step == "over" if match.over else any(text.startswith(verbs[step]) for text in legal)


def test_the_mover_is_the_seat_whose_turn_it_is_also_while_the_wheel_is_filled() -> None:
    match = play(lay_row(table(2), 9), "refill")
    waiting = match.view()
    deal(match)
    assert (waiting.to_play, waiting.mover) == (CHANCE, match.to_play)


def test_nobody_moves_while_the_stack_is_built_and_when_it_is_over() -> None:
    for match in matches():
        view = match.view()
        assert (view.mover == -1) == (view.step in ("stack", "over"))
        assert view.to_play in (view.mover, CHANCE, OVER)


# Track


def test_the_track_lists_who_would_move_soonest_first() -> None:
    view = lay_row(table(3, "r3a b3a t4a"), 3).view()
    assert [(token.seat, token.distance, token.height) for token in view.track] == [(1, 3, 1), (0, 3, 0), (2, 4, 0)]


def test_the_track_is_a_ring_of_24_spaces() -> None:
    for match in matches(10):
        for token in match.view().track:
            assert token.space == token.distance % 24


def test_the_track_grows_while_the_stack_is_built() -> None:
    match = play(Match("nova-luna", 3), "stack 2 stack 1")
    assert [(token.seat, token.height) for token in match.view().track] == [(0, 1), (1, 0)]


# Tableaux


def test_tiles_stand_in_the_order_of_laying_with_their_cells() -> None:
    view = play(table(1, "r1 b1 t1"), "take 1 place 0,0 take 1 place -1,0 take 1 place 0,1").view()
    assert [(tile.id, tile.x, tile.y) for tile in view.tableaux[0].tiles] == [("r1", 0, 0), ("b1", -1, 0), ("t1", 0, 1)]


def test_tokens_placed_and_left_are_all_there_are_and_each_lies_on_a_task() -> None:
    for match in matches():
        for seat, tableau in enumerate(match.view().tableaux):
            assert tableau.seat == seat
            assert tableau.tokens_placed + tableau.tokens_left == TOKENS[match.seats]
            assert tableau.tokens_placed == len(done(match, seat))


# Placements


def test_placements_are_the_legal_ones_and_only_with_a_tile_in_hand() -> None:
    for match in matches():
        view = match.view()
        assert sorted(p.action for p in view.placements) == sorted(match.legal() if view.step == "place" else [])
        assert all(p.action == f"place {p.x},{p.y}" for p in view.placements)
        assert (view.hand is not None) == (view.step == "place")


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_a_preview_is_what_the_placement_covers(seats: int) -> None:
    covering = 0
    for match in walk(Match("nova-luna", seats, "7"), seed=seats):
        seat = max(match.to_play, 0)
        before = set(done(match, seat))
        for placement in match.view().placements[:: 1 if seats == 1 else 5]:
            match.play(placement.action)
            new = set(done(match, seat)) - before
            match.undo()
            assert sorted(f"{covered.tile} {covered.asks}" for covered in placement.covers) == sorted(new)
            assert all(TILES[c.tile].tasks[c.task - 1] == c.asks for c in placement.covers)
            covering += bool(new)
    assert covering > 10


def test_a_preview_shows_no_more_than_the_tokens_left() -> None:
    match = laid("""
        b5b t7  y7  r5b
        y6a r7* b7  .
        y5a r6a t5a .
    """)
    match.undo()
    preview = {placement.action: placement.covers for placement in match.view().placements}
    assert tokens_left(match) == [8]
    assert len(preview["place 1,-1"]) == 8


# The rest


def test_scores_and_places_are_the_matchs() -> None:
    for match in matches():
        assert (match.view().scores, match.view().places) == (match.scores, match.places)


def test_solo_has_a_phase_and_two_sums_and_others_have_none() -> None:
    for match in matches():
        solo = match.view().solo
        assert (solo is None) == (match.seats > 1)
        assert solo is None or [solo.sum_1 + solo.sum_2] == match.scores


def test_everybody_sees_the_same() -> None:
    for match in matches(10):
        assert all(match.view(seat) == match.view() for seat in range(match.seats))


def test_a_view_is_plain_data() -> None:
    for match in matches(10):
        json.dumps(asdict(match.view()))


# The drawing


def drawing(match: Match) -> str:
    return plain(match.game.draw(match.view()))


def test_the_drawing_shows_who_is_to_do_what() -> None:
    assert "seat 2: take 1, 2 or 3" in drawing(laid("r7", seats=2))
    assert "seat 2: place" in drawing(play(laid("r7", seats=2), "take 1"))
    assert "refill" in drawing(lay_row(table(2), 9))


def test_the_drawing_shows_the_wheel_with_every_task_and_what_take_means() -> None:
    text = drawing(table(2, "r7 b6a t5c y4d"))
    for word in ("take 1", "take 2", "take 3", "r7", "b6a", "t5c", "y4d", "bt", "by", "yyy", "rrr", "ttt"):
        assert word in text


def test_the_drawing_shows_the_supply_the_tokens_and_the_tableaux() -> None:
    text = drawing(laid("r6a t6b\ny1 y2a", seats=3))
    for word in ("57 tiles", "4 placed, 16 left", "r6a", "t6b", "y1", "y2a"):
        assert word in text


def test_the_drawing_shows_every_cell_a_tile_may_go_and_what_it_would_cover() -> None:
    match = play(laid("r6a t6b\ny1", then="y2a"), "take 1")
    for action in match.legal():
        assert action.removeprefix("place ") in drawing(match)
    assert "+2" in drawing(match)
    assert "r6a yy, t6b yy" in drawing(match)


def test_the_drawing_shows_the_phase_and_the_sums_of_a_solo_match() -> None:
    text = drawing(laid("t5a b7 r5a\nt5b y6b"))
    for word in ("phase 1", "28", "stop"):
        assert word in text


def test_the_drawing_shows_who_has_won() -> None:
    match = laid("b5b t7 y7 r5b\ny6a r7* b7 .\ny5a r6a t5a .", seats=2)
    assert "over" in drawing(match)
    assert "seat 1 has won" in drawing(match)


def test_a_hundred_columns_are_enough() -> None:
    line = {(x, 0): tile for x, tile in enumerate(sorted(TILES, key=number)[:44])}
    for match in itertools.chain(matches(7), [laid(line, seats=2)]):
        assert max(map(len, drawing(match).splitlines())) <= 100
