"""RULES 4.6, 5 and 11: which tasks hold, and that they are covered."""

from collections import Counter

import pytest

from plenilune import Match
from tests.nova_luna.positions import Tableau, done, laid, picture, play, tableau, tokens_left
from tests.oracles.nova_luna import TILES
from tests.play import walk

# The examples of the rulebook

EXAMPLES = {
    1: (
        "b1 y4d b2a",
        ["y4d bb"],
    ),
    2: (
        """
        r2a r1
        .   y4d
        r2b b1
        .   b2a
        """,
        ["y4d bb"],
    ),
    3: (
        """
        r2a r1  .
        r2b y4d b1
        .   .   b2a
        """,
        ["y4d rrr", "y4d bb"],
    ),
    4: (
        """
        .   b1  .
        t1  r7  y1
        """,
        ["r7 bt", "r7 by", "r7 ty"],
    ),
    5: (
        "r6a t6b",
        ["r6a t", "t6b r"],
    ),
    6: (
        """
        r6a t6b
        y1  y2a
        """,
        ["r6a yy", "r6a t", "t6b yy", "t6b r"],
    ),
    7: (
        """
        r2a r2b r1
        .   r3a r3b
        """,
        ["r2a rrrr", "r2b rrrr"],
    ),
    8: (
        """
        b4c r1  r2a
        .   .   r2b
        .   .   r3a
        """,
        ["b4c rrrr", "b4c rr"],
    ),
}


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_rulebook(example: int, seats: int) -> None:
    drawing, tasks = EXAMPLES[example]
    match = laid(drawing, seats=seats)
    assert tableau(match) == picture(drawing)
    assert done(match) == tasks
    assert tokens_left(match)[0] == (21 if seats == 1 else 20) - len(tasks)


def test_example_7_needs_the_fifth_red_tile() -> None:
    match = laid("r2a r2b r1\n. r3a", then="r3b")
    assert done(match) == []
    assert done(play(match, "take 1 place 2,-1")) == ["r2a rrrr", "r2b rrrr"]


# Every task of every tile


def chains(tile: str, task: str) -> Tableau:
    """The tile with a chain of just as many tiles as the task asks for on one side for each colour."""
    found: Tableau = {(0, 0): tile}
    for (dx, dy), (colour, count) in zip([(1, 0), (0, 1), (-1, 0), (0, -1)], Counter(task).items(), strict=False):
        plain = [other for other in TILES if other[0] == colour and other != tile]
        found |= {(n * dx, n * dy): plain[n - 1] for n in range(1, count + 1)}
    return found


@pytest.mark.parametrize("tile", TILES)
def test_a_task_holds_with_the_tiles_it_asks_for_and_with_none_less(tile: str) -> None:
    for task in TILES[tile].tasks:
        enough = chains(tile, task)
        assert f"{tile} {task}" in done(laid(enough))
        for colour in set(task):
            last = next(cell for cell in reversed(enough) if enough[cell][0] == colour and cell != (0, 0))
            short = {cell: other for cell, other in enough.items() if cell != last}
            assert f"{tile} {task}" not in done(laid(short))


@pytest.mark.parametrize("tile", TILES)
def test_more_than_asked_is_fine(tile: str) -> None:
    for task in TILES[tile].tasks:
        if len(task) < 4:
            assert f"{tile} {task}" in done(laid(chains(tile, "".join(colour * 2 for colour in task))))


# Groups


@pytest.mark.parametrize(
    "drawing",
    [
        "b1  b2a\nt4a b2b",
        "b1  b2a\nb2b t4a",
        "t4a b1 \nb2a b2b",
        "b1  t4a\nb2a b2b",
    ],
)
def test_a_group_touching_on_two_sides_counts_once(drawing: str) -> None:
    assert done(laid(drawing)) == ["t4a bb"]


def test_a_group_that_comes_to_touch_on_a_second_side_counts_once() -> None:
    match = laid("b1 t4a\n. b2a", then="b2b")
    assert done(match) == ["t4a bb"]
    play(match, "take 1 place 0,-1")
    assert tableau(match) == picture("""
        b1  t4a
        b2b b2a
    """)
    assert done(match) == ["t4a bb"]


def test_two_groups_of_a_colour_add_up() -> None:
    assert done(laid("b1 b3a t4a b2a")) == ["t4a bb"]
    assert done(laid("b1 b3a t4a b2a b2b")) == ["t4a bbbb", "t4a bb"]


def test_tiles_at_a_corner_do_not_count() -> None:
    match = laid("""
        b1  r1  t1
        .   r7  .
        .   r3a y1
    """)
    assert done(match) == []


def test_a_tile_does_not_count_for_its_own_colour() -> None:
    assert done(laid("r3b b1\nt1 .")) == []
    assert done(laid("r3b b1\nt1 .", then="r1")) == []
    assert done(play(laid("r3b b1\nt1 .", then="r1"), "take 1 place 0,1")) == ["r3b brt"]


def test_the_own_group_on_two_sides_counts_once() -> None:
    match = laid(
        """
        r4b r1
        r3a .
    """,
        then="r3b",
    )
    assert done(match) == []
    play(match, "take 1 place 1,-1")
    assert done(match) == ["r4b rrr"]


def test_four_red_tiles_in_a_square_are_three_for_each_of_them() -> None:
    match = laid("""
        r2a r2b
        r3a r1
    """)
    assert done(match) == []


def test_tiles_of_other_seats_do_not_count() -> None:
    match = laid("r6a", "t6b")
    assert (done(match, 0), done(match, 1)) == ([], [])


# Near and far


def test_a_growing_group_completes_a_task_at_its_far_end() -> None:
    match = laid("b4c r1 r3a r3b", then="r3c")
    assert done(match) == ["b4c rr"]
    play(match, "take 1 place 4,0")
    assert tableau(match) == "b4c r1  r3a r3b r3c"
    assert done(match) == ["b4c rrrr", "b4c rr"]


def test_a_tile_that_joins_two_groups_completes_tasks_far_from_it() -> None:
    match = laid(
        """
        b4c r1  r3a .   r3b y4d
        .   .   t1  t2a t2b .
    """,
        then="r3c",
    )
    assert done(match) == ["b4c rr"]
    play(match, "take 1 place 3,0")
    assert done(match) == ["b4c rrrr", "b4c rr", "y4d rrr"]


def test_a_tile_of_another_colour_joins_nothing() -> None:
    match = laid(
        """
        b4c r1  r3a .   r3b y4d
        .   .   t1  t2a t2b .
    """,
        then="y1",
    )
    assert done(play(match, "take 1 place 3,0")) == ["b4c rr"]


def test_one_placement_may_complete_several_tasks_on_several_tiles() -> None:
    match = laid("r6a t6b\ny1", then="y2a")
    assert done(match) == ["r6a t", "t6b r"]
    assert done(play(match, "take 1 place 1,-1")) == ["r6a yy", "r6a t", "t6b yy", "t6b r"]


def test_a_tile_laid_where_everything_is_ready_has_its_tasks_covered_at_once() -> None:
    match = laid(
        """
        b1  .   y1
        r1  t1  r3a
    """,
        then="r7",
    )
    assert done(match) == []
    assert done(play(match, "take 1 place 1,0")) == ["r7 bt", "r7 by", "r7 ty"]


# Covering


def test_nobody_is_asked_whether_to_cover() -> None:
    match = laid("r6a t6b")
    assert match.legal() == ["take 1", "take 2", "take 3"]
    assert match.history[-1] == "place 1,0"
    assert tokens_left(match) == [19]


def test_a_task_takes_one_token_for_good() -> None:
    match = laid("b1 y4d b2a", then="b2b b3a b3b")
    for x in (3, 4, 5):
        play(match, f"take 1 place {x},0")
        assert tokens_left(match) == [20]


def test_covered_tasks_stay_covered() -> None:
    for seed in range(3):
        before: set[str] = set()
        for match in walk(Match("nova-luna", 1, str(seed)), seed):
            assert before <= set(done(match))
            before = set(done(match))
        assert before
