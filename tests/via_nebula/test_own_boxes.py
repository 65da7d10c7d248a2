"""Owners of the game can enter what is printed in their box, whatever of it the rules allow (RULES 11.5)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plenilune import BadComponents
from plenilune.core import components
from plenilune.games.via_nebula import tables
from tests.own_components import python
from tests.via_nebula.boxes import BOXES, CARD_POINTS, SHIPPED, known, with_maps, with_rows, with_specials

ROOT = Path(__file__).parents[2]


def read(folder: Path, text: str) -> tables.Box:
    file = folder / "via-nebula.table"
    file.write_text(text, "utf-8")
    return tables.Box(components.read_table(file))


@pytest.mark.parametrize("name", BOXES)
def test_a_box_that_the_rules_allow_is_accepted(tmp_path: Path, name: str) -> None:
    box = read(tmp_path, BOXES[name])
    assert len(box.tokens) == 25
    assert all(len(land.cells("meadow")) == 24 for land in box.maps.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", BOXES)
def test_a_match_with_it_agrees_with_the_oracle_at_every_ply(tmp_path: Path, name: str) -> None:
    """In plain Python; views, drawings, features and evaluations are made on the way. Mostly two play: four take four
    times as long."""
    (tmp_path / "via-nebula.table").write_text(BOXES[name], "utf-8")
    number = list(BOXES).index(name)
    seats = 4 if number == 1 else 3 if number % 6 == 3 else 2
    map = ("beginner", "expert")[number % 2]
    settings = {components.VARIABLE: str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.via_nebula.own_box", str(seats), map]
    ran = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_points_of_a_copy_go_before_those_of_its_kind(tmp_path: Path) -> None:
    box = read(tmp_path, with_rows("points airway-c 1 token known"))
    assert (box.points["airway-c"].figure, box.points["airway-c"].for_each) == (1, "token")
    assert (box.points["airway-a"].figure, box.points["airway-a"].for_each) == (3, "once")


def test_the_grid_is_as_wide_and_as_high_as_the_maps(tmp_path: Path) -> None:
    grid = read(tmp_path, BOXES["maps of two sizes"]).grid
    assert (grid.columns, grid.rows) == (12, 9)
    grid = read(tmp_path, BOXES["eleven rows of eleven"]).grid
    assert (grid.columns, grid.rows, grid.size) == (11, 11, 126)


def test_nothing_is_uncertain_in_a_table_where_all_is_known(tmp_path: Path) -> None:
    assert read(tmp_path, known()).table.uncertain == ()
    assert len(read(tmp_path, SHIPPED).table.uncertain) == 91


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            with_maps(13, 11, 12),
            "the maps need 13 columns and 11 rows, which is 148 cells; there is room for 126",
        ),
        (with_maps(12, 9, 0), "map beginner: expected at least 1 ruin, found none"),
        (
            SHIPPED.replace("special  food-5    food            5       0  likely", ""),
            "expected 25 tokens together with the special ones, found 24",
        ),
        (with_specials(), "expected at least 1 special token, found none"),
        (
            with_rows(*CARD_POINTS[1:], without="points store "),
            "expected a row 'points store' or 'points store-a'",
        ),
        (with_rows("points store-a 2 once known", "points store-a 3 once known"), "a second points 'store-a'"),
        (with_rows("points shop-a 2 once known"), "expected one of store, "),
    ],
)
def test_what_cannot_be_represented_is_refused_in_one_sentence(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(BadComponents) as refusal:
        read(tmp_path, text)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)


LOOK = """
from plenilune import Match, load
from plenilune.core.drawing import plain
from plenilune.info import game_info
match = Match("via-nebula", seed="7")
drawn = plain(match.game.draw(match.view(0)))
print(game_info(load("via-nebula")).uncertain, sorted(set(drawn) & set("~?")), "reconstructed" in drawn)
"""


@pytest.mark.parametrize(("text", "shown"), [(SHIPPED, "True ['?', '~'] True"), (known(), "False [] False")])
def test_marks_are_those_of_the_table_in_use(tmp_path: Path, text: str, shown: str) -> None:
    (tmp_path / "via-nebula.table").write_text(text, "utf-8")
    assert python(LOOK, tmp_path).stdout.strip() == shown
