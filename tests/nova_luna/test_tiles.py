"""RULES 1: the 68 tiles, against every total that is stated of them."""

import re
from collections import Counter
from pathlib import Path

from plenilune import load
from plenilune.games.nova_luna import tables
from plenilune.games.nova_luna.tables import DESIGNS
from tests.oracles import nova_luna as oracle

COLOURS = "rbty"
LETTERS = {2: "ab", 3: "abcd", 4: "abcd", 5: "abc", 6: "ab"}  # there is one 1 and one 7
TASKS = [task for tile in DESIGNS for task in tile.tasks]


def test_there_are_seventeen_tiles_of_each_colour() -> None:
    assert Counter(tile.colour for tile in DESIGNS) == dict.fromkeys(COLOURS, 17)


def test_the_numbers_add_up() -> None:
    assert Counter(tile.number for tile in DESIGNS) == {1: 4, 2: 8, 3: 16, 4: 16, 5: 12, 6: 8, 7: 4}
    assert sum(tile.number for tile in DESIGNS) == 268


def test_there_are_128_tasks_a_quarter_of_them_on_each_colour() -> None:
    assert len(TASKS) == 128
    assert Counter(tile.colour for tile in DESIGNS for _ in tile.tasks) == dict.fromkeys(COLOURS, 32)


def test_a_task_asks_for_one_to_four_tiles() -> None:
    assert Counter(map(len, TASKS)) == {1: 12, 2: 64, 3: 36, 4: 16}


def test_a_tile_has_up_to_three_tasks() -> None:
    assert Counter(len(tile.tasks) for tile in DESIGNS) == {0: 4, 1: 20, 2: 24, 3: 20}


def test_each_colour_is_asked_for_78_times() -> None:
    assert Counter("".join(TASKS)) == dict.fromkeys(COLOURS, 78)


def test_only_the_two_2s_of_a_colour_are_alike() -> None:
    kinds = Counter((tile.colour, tile.number, tuple(sorted(tile.tasks))) for tile in DESIGNS)
    assert len(kinds) == 64
    assert {kind[:2] for kind, copies in kinds.items() if copies > 1} == {(colour, 2) for colour in COLOURS}


def test_a_name_is_colour_number_and_a_letter_where_there_are_several() -> None:
    for colour in COLOURS:
        names = [tile.name for tile in DESIGNS if tile.colour == colour]
        several = [f"{number}{letter}" for number, letters in LETTERS.items() for letter in letters]
        assert names == [f"{colour}{label}" for label in ["1", *several, "7"]]


def test_a_tile_bears_the_colour_and_number_of_its_name() -> None:
    assert all((tile.colour, str(tile.number)) == tuple(tile.name[:2]) for tile in DESIGNS)


def test_chance_draws_tiles_by_these_names_in_this_order() -> None:
    assert load("nova-luna").actions.verbs["draw"][0] == tuple(tile.name for tile in DESIGNS)


def test_the_tiles_are_those_listed_in_the_rules() -> None:
    text = Path(tables.__file__).with_name("RULES.md").read_text("utf-8")
    listed = dict(re.findall(r"\| `([rbty]\d[a-d]?)` ([rbty/-]+) (?=\|)", text))
    assert listed == {tile.name: "/".join(tile.tasks) or "-" for tile in DESIGNS}


def test_the_oracle_has_the_same_tiles() -> None:
    assert [(tile.name, (tile.colour, tile.number, tile.tasks)) for tile in DESIGNS] == list(oracle.TILES.items())
