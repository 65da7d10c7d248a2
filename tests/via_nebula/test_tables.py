"""The component table: what ships, what any map must have, and a player's own in its place (RULES 11)."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from plenilune import BadComponents, BadReplay, Match
from plenilune.core import components
from plenilune.games.via_nebula import hexes, tables
from tests.oracles.via_nebula import Hex, read_map
from tests.own_components import LOAD, python, refused
from tests.via_nebula.positions import BOX, RESOURCES, RULES, TABLE, paragraph

CERTAINTIES = {"known", "likely", "reconstructed"}
TEXT = TABLE.read_text("utf-8")
ROWS = [line.split() for line in TEXT.splitlines() if line and not line.startswith("#")]
LOADED = tables.BOX  # what is in use: the shipped table, or the player's own if the tests are run with one


# What ships.


def test_the_table_is_the_one_in_the_games_folder() -> None:
    assert tables.TABLE.path == TABLE


def test_every_figure_has_a_certainty() -> None:
    assert {row[-1] for row in ROWS} == CERTAINTIES
    assert all(row[-1] in CERTAINTIES for row in ROWS)


@pytest.mark.parametrize("row", ["count", "seats", "kind"])
def test_counts_seats_and_kinds_are_known(row: str) -> None:
    assert {words[-1] for words in ROWS if words[0] == row} == {"known"}


@pytest.mark.parametrize(
    ("row", "certainty"),
    [
        ("token wood-3a", "known"),
        ("token wood-3b", "likely"),
        ("special food-5", "likely"),
        ("card store-a", "known"),
        ("card store-b", "reconstructed"),
        ("card explorer-a", "known"),
        ("card priest-a", "known"),
        ("points priest", "known"),
        ("points quiet-town", "known"),
        ("points architect", "known"),
        ("points merchant", "known"),
        ("points mayor", "known"),
        ("points explorer", "known"),
        ("points store", "likely"),
        ("row beginner", "reconstructed"),
        ("row expert", "reconstructed"),
    ],
)
def test_figures_are_as_certain_as_the_rules_say(row: str, certainty: str) -> None:
    """RULES 11.2 to 11.4."""
    assert {words[-1] for words in ROWS if words[:2] == row.split()} == {certainty}


def test_the_certainties_read_are_those_written() -> None:
    tokens = {token.name: token.certainty for token in LOADED.tokens}
    cards = {card.name: card.certainty for card in LOADED.cards}
    points = {card.kind: LOADED.points[card.name].certainty for card in LOADED.cards}
    for row, read in {"token": tokens, "special": tokens, "card": cards, "points": points}.items():
        for words in ROWS:
            if words[0] == row:
                assert read[words[1]] == words[-1]


def test_there_are_as_many_cards_as_in_the_box() -> None:
    """33 contracts and 8 private ones of 17 kinds."""
    assert len(BOX.cards("contract")) == 33
    assert len(BOX.cards("private")) == 8
    copies = {words[1]: int(words[3]) for words in ROWS if words[0] == "kind"}
    assert len(copies) == 17
    assert copies == {kind: sum(card[:-2] == kind for card in BOX.costs) for kind in copies}


def test_there_are_as_many_tokens_as_in_the_box() -> None:
    """20 tokens and 5 special ones; for each resource two of 3, two of 4 and a special 5."""
    for resource in RESOURCES:
        own = sorted((printed, points) for kind, printed, points in BOX.tokens.values() if kind == resource)
        assert own == [(3, 1), (3, 1), (4, 2), (4, 2), (5, 0)]
    assert len(BOX.tokens) == 25


def test_other_contracts_are_worth_as_many_points_as_they_cost_resources() -> None:
    """RULES 11.3."""
    for card, cost in BOX.costs.items():
        points, each = BOX.points[card[:-2]]
        if each == "once":
            assert points == {"2-equal": 2, "3-different": 3}.get(cost, cost.count("+") + 1), card


def test_the_costs_ask_for_every_resource_about_as_often() -> None:
    asked = [sum(cost.split("+").count(kind) for cost in BOX.costs.values()) for kind in RESOURCES]
    assert max(asked) - min(asked) <= 3, asked


def test_no_two_contracts_of_a_kind_cost_the_same() -> None:
    for kind in BOX.powers:
        costs = [cost for card, cost in BOX.costs.items() if card[:-2] == kind]
        assert len(set(costs)) == len(costs)


@pytest.mark.parametrize(("map", "offset"), [("beginner", 0), ("expert", 1)])
def test_the_maps_are_those_drawn_in_the_rules(map: str, offset: int) -> None:
    """RULES 1.10 draws both side by side."""
    lines = [line for line in paragraph("1.10").splitlines() if re.match(r"\s+\d ", line)]
    assert len(lines) == 9
    for line, row in zip(lines, BOX.maps[map], strict=True):
        drawn = re.split(r"\s\d\s", " " + line)[1 + offset].split()
        assert drawn == [cell for cell in row if cell != "-"]


# The maps, whatever table is in use.


@pytest.fixture(params=tables.MAPS)
def land(request: pytest.FixtureRequest) -> dict[str, Hex]:
    """The hexes of a map by name, each with its neighbours."""
    return read_map(maps_in_use()[request.param])


def maps_in_use() -> dict[str, list[list[str]]]:
    return {name: read_rows(land) for name, land in LOADED.maps.items()}


def read_rows(land: tables.Map) -> list[list[str]]:
    signs = {ground: sign for sign, ground in tables.GROUNDS.items()}
    rows = []
    for row in sorted(land.certainties):
        cells = [hexes.GRID.cell(column, row) for column in range(hexes.GRID.width(row))]
        rows.append([signs[land.ground[cell]] if cell in land.ground else "-" for cell in cells])
    return rows


def test_a_map_has_24_meadows_and_a_ruin(land: dict[str, Hex]) -> None:
    grounds = [hex.ground for hex in land.values()]
    assert grounds.count("m") == 24
    assert grounds.count("r") >= 1


def test_every_even_row_of_a_map_is_one_cell_shorter() -> None:
    for rows in maps_in_use().values():
        assert {len(row) for row in rows[::2]} == {len(rows[0])}
        assert {len(row) for row in rows[1::2]} == {len(rows[0]) - 1}


def test_the_shipped_maps_have_ruins_enough_that_places_never_run_out() -> None:
    assert [sum(hex.ground == "r" for hex in read_map(rows).values()) for rows in BOX.maps.values()] == [12, 11]


def test_from_every_ruin_there_is_a_way_to_every_meadow_over_land_that_can_be_opened(land: dict[str, Hex]) -> None:
    meadows = {name for name, hex in land.items() if hex.ground == "m"}
    for ruin in (hex for hex in land.values() if hex.ground == "r"):
        near, edge = set(), [ruin]
        while edge:
            for hex in edge.pop().neighbours:
                if hex.name not in near:
                    near.add(hex.name)
                    edge += [hex] if hex.ground != "r" else []
        assert meadows <= near, f"from {ruin.name} to {meadows - near}"


def test_the_shipped_maps_have_100_hexes_each() -> None:
    assert [len(read_map(rows)) for rows in BOX.maps.values()] == [100, 100]


# A player's own.


def folder_with(folder: Path, text: str) -> Path:
    (folder / "via-nebula.table").write_text(text, "utf-8")
    return folder


def changed(*changes: tuple[str, str]) -> str:
    """The shipped table with some words changed, each by a pair of texts."""
    text = TEXT
    for old, new in changes:
        assert len(re.findall(spaced(old), text)) == 1, old
        text = re.sub(spaced(old), new, text)
    return text


def spaced(words: str) -> str:
    return r"(?m)^" + r"\s+".join(map(re.escape, words.split())) + r"(?=\s)"


OWN = changed(
    ("token wood-3a wood 3 1 known", "token oak wood 2 7 known"),
    ("card store-a wood+stone known", "card store-a wood known"),
    ("points store 2 once likely", "points store 9 once known"),
    ("row beginner 1 - m m .", "row beginner 1 - m . m"),
)

PLAY = """
import json, random
from plenilune import Match
from plenilune.core.drawing import plain

def finished(seats, map):
    match, chooser = Match("via-nebula", seats, seed="7", map=map), random.Random(7)
    while not match.over:
        match.play(chooser.choice(match.legal()))
    return match

matches = [finished(seats, map) for seats, map in ((2, "beginner"), (3, "expert"))]
print(json.dumps([{"replay": m.save(), "drawn": plain(m.game.draw(m.view())), "scores": m.scores} for m in matches]))
"""
BEGIN = "from plenilune import Match; Match('via-nebula')"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table of the player's own."""
    return folder_with(tmp_path_factory.mktemp("own"), OWN)


@pytest.fixture(scope="module")
def matches(own: Path) -> Any:
    """Matches played to the end with that table."""
    ran = python(PLAY, own)
    assert ran.stderr == ""
    return json.loads(ran.stdout)


@pytest.mark.slow
def test_whole_matches_are_played_with_a_players_own_table(matches: Any) -> None:
    beginner, expert = (match["replay"] for match in matches)
    assert re.search(r"^token \w+ oak$", beginner, re.M)
    assert "wood-3a" not in beginner
    assert re.search(r"^token d1 ", beginner, re.M)
    assert not re.search(r"^token c1 ", beginner, re.M)
    assert re.search(r"^token \w+ oak$", expert, re.M)


def test_a_replay_of_another_table_has_another_digest_and_is_refused(own: Path, matches: Any) -> None:
    other = components.read_table(own / "via-nebula.table").digest
    assert other != tables.TABLE.digest
    for match in matches:
        assert f"\ncomponents: {other}\n" in match["replay"]
        reason = f"^line 3: played with components {other}; those in use are {tables.TABLE.digest}$"
        with pytest.raises(BadReplay, match=reason):
            Match.load(match["replay"])


def test_a_replay_is_loaded_where_its_table_is_in_use(own: Path, matches: Any) -> None:
    assert python(LOAD, own, said=matches[0]["replay"]).stdout == matches[0]["replay"]


def test_a_replay_of_the_shipped_table_is_refused_where_another_is_in_use(own: Path) -> None:
    ran = python(LOAD, own, said=Match("via-nebula", seed="7").save())
    other = components.read_table(own / "via-nebula.table").digest
    reason = f"BadReplay: line 3: played with components {tables.TABLE.digest}; those in use are {other}"
    assert refused(ran).endswith(reason)


@pytest.mark.slow
def test_compiled_rules_know_the_players_own_table_too(own: Path, matches: Any) -> None:
    code = PLAY.replace('((2, "beginner"), (3, "expert"))', '((2, "beginner"),)')
    assert json.loads(python(code, own, compiled=True).stdout) == matches[:1]


def test_points_and_costs_are_the_players_own(own: Path) -> None:
    code = """
import sys
from plenilune import Match
match = Match("via-nebula", 2)
wanted = ["without food", "token b1 oak", "turn-up store-a"]
for _ in range(200):
    if match.to_play >= 0: break
    legal = match.legal()
    match.play(next((action for action in wanted if action in legal), legal[0]))
match.play("craftsman b1")
print(match.scores, match.view().hexes[0].exploitation.resources["wood"])
print([(c.cost, c.points, c.points_certainty) for c in match.view().display if c.id == "store-a"])
"""
    ran = python(code, own)
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == ["[6, 0] 1", "[('wood', 9, 'known')]"]


def test_a_match_with_a_bad_table_is_refused_with_file_and_line(tmp_path: Path) -> None:
    text = changed(("card store-a wood+stone known", "card store-a wood+gold known"))
    number = 1 + text.splitlines().index(next(line for line in text.splitlines() if "gold" in line))
    message = refused(python(BEGIN, folder_with(tmp_path, text)))
    assert f"BadComponents: {tmp_path / 'via-nebula.table'}, line {number}: " in message
    assert "'wood+gold'" in message


# What is refused.


def read(folder: Path, text: str) -> tables.Box:
    return tables.Box(components.read_table(folder_with(folder, text) / "via-nebula.table"))


def test_the_tables_of_these_tests_are_sound(tmp_path: Path) -> None:
    assert len(read(tmp_path, TEXT).cards) == 41
    assert read(tmp_path, OWN).tokens[0].name == "oak"


@pytest.mark.parametrize(
    ("row", "instead", "reason"),
    [
        ("count actions-a-turn 2", "count actions-a-turn 3", "actions-a-turn"),
        ("count tiles 60", "count tiles 61", "tiles"),
        ("count piles 4", "count pile 4", "'pile'"),
        ("seats craftsmen 3 2 2", "seats craftsmen 3 3 2", "craftsmen"),
        ("seats craftsmen 3 2 2", "seats craftsmen 3 2", "seats craftsmen"),
        ("seats sites 3 3 3", "seats craftsmen 3 2 2", "a second"),
        ("kind store contract 6 swap", "kind store contract 5 swap", "store"),
        ("kind store contract 6 swap", "kind store contract 6 fly", "'store contract 6 fly'|fly"),
        ("kind store contract 6 swap", "kind shop contract 6 swap", "'shop'"),
        ("token wood-3a wood 3 1", "token wood-3b wood 3 1", "second token 'wood-3b'"),
        ("token wood-3a wood 3 1", "token wood-3a gold 3 1", "'gold'"),
        ("token wood-3a wood 3 1", "token wood-3a wood 1 1", "'1'"),
        ("token wood-3a wood 3 1", "token wood-3a wood three 1", "'three'"),
        ("token wood-3a wood 3 1", "token wood-3a wood 3 -1", "'-1'"),
        ("token wood-3a wood 3 1 known", "token wood-3a wood 3 1 sure", "'sure'"),
        ("token wood-3a wood 3 1 known", "token wood-3a wood 3 1", "token"),
        ("special wood-5 wood 5 0", "special wood-5 wood 5 1", "'1'"),
        ("points store 2 once", "points store 2 ever", "'ever'"),
        ("points store 2 once", "points shop 2 once", "'shop'"),
        ("points store 2 once", "points carpentry 2 once", "carpentry"),
        ("card store-a wood+stone", "card store-b wood+stone", "'store-a'"),
        ("card store-a wood+stone", "card store-a wood+", "''|wood"),
        ("card store-a wood+stone", "card store-a 3-equal", "'3-equal'"),
        ("card store-a wood+stone", "card store-g wood+stone", "'store-g'"),
        ("row beginner 2", "row beginner 3", "row 2"),
        ("row beginner 2", "row atlantis 2", "'atlantis'"),
        ("row beginner 2 .", "row beginner 2", "11"),
        ("row beginner 2 .", "row beginner 2 . .", "11"),
        ("count tiles 60", "crate tiles 60", "'crate'"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused_with_its_line(
    tmp_path: Path, row: str, instead: str, reason: str
) -> None:
    text = changed((row, instead))
    new = [number for number, line in enumerate(text.splitlines(), 1) if line not in TEXT.splitlines()]
    with pytest.raises(BadComponents) as refusal:
        read(tmp_path, text)
    file = re.escape(str(tmp_path / "via-nebula.table"))
    found = re.fullmatch(rf"{file}, line (\d+): (.*)", str(refusal.value))
    assert found, str(refusal.value)
    assert int(found[1]) >= new[0]
    assert re.search(reason, found[2])


def test_the_line_named_is_the_one_that_was_changed(tmp_path: Path) -> None:
    text = changed(("token clay-4a clay 4 2", "token clay-4a clay 4 plenty"))
    number = next(number for number, line in enumerate(text.splitlines(), 1) if "plenty" in line)
    with pytest.raises(BadComponents, match=rf", line {number}: .*'plenty'"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "row",
    ["count tiles", "seats sites", "kind mayor", "token food-4b", "special clay-5", "points mayor", "card shortcut-b"],
)
def test_a_row_that_is_missing_is_refused(tmp_path: Path, row: str) -> None:
    lines = [line for line in TEXT.splitlines() if line.split()[:2] != row.split()]
    with pytest.raises(BadComponents):
        read(tmp_path, "\n".join(lines))


@pytest.mark.parametrize(
    ("row", "instead", "hexes"),
    [
        ("row beginner 1 - m m .", "row beginner 1 - m ? .", "c1"),
        ("row beginner 4 . . x", "row beginner 4 . w x", "b4"),
        ("row beginner 9 - .", "row beginner 9 - m", "f9"),
        ("row beginner 1 - m m", "row beginner 1 - m .", "f9"),
        ("row expert 5 m m x", "row expert 5 m m m", "i9"),
    ],
)
def test_what_is_wrong_with_a_map_is_told_with_the_hex(tmp_path: Path, row: str, instead: str, hexes: str) -> None:
    """An unknown sign, a meadow too many (the 25th is named) or too few (the last is named)."""
    with pytest.raises(BadComponents) as refusal:
        read(tmp_path, changed((row, instead)))
    assert re.search(rf"line \d+: map \w+\b.*\b{hexes}\b", str(refusal.value))


def test_a_map_without_a_ruin_is_refused(tmp_path: Path) -> None:
    text = re.sub(r"(?m)^row +beginner.*$", lambda row: row[0].replace(" r ", " . "), TEXT)
    with pytest.raises(BadComponents, match=r"line \d+: map beginner: expected at least 1 ruin, found none"):
        read(tmp_path, text)


def test_a_meadow_that_a_ruin_cannot_reach_is_refused_by_both_their_hexes(tmp_path: Path) -> None:
    """Nothing lies round l7."""
    text = changed(
        ("row beginner 6 . m r . f x f f m m .", "row beginner 6 . m r . f x f f m m -"),
        ("row beginner 7 m . m . m r m m . . . m", "row beginner 7 m . m . m r m m . . - m"),
        ("row beginner 8 r . . . . . . . m r .", "row beginner 8 r . . . . . . . m r -"),
    )
    with pytest.raises(BadComponents, match=r"line \d+: map beginner, l7: .*\be1\b"):
        read(tmp_path, text)


@pytest.mark.parametrize("seed", range(60))
def test_a_table_with_a_word_changed_at_random_is_read_or_refused_by_name(tmp_path: Path, seed: int) -> None:
    chooser = random.Random(seed)
    rows = [list(row) for row in ROWS]
    row = chooser.choice(rows)
    row[chooser.randrange(len(row))] = chooser.choice(["", "0", "-1", "99", "wood", "x", "r", "m", "known", "store-a"])
    text = "\n".join(" ".join(filter(None, words)) for words in rows)
    refusal = ""
    try:
        read(tmp_path, text)
    except BadComponents as error:
        refusal = str(error)
    assert not refusal or refusal.startswith(str(tmp_path / "via-nebula.table"))


def test_the_rules_say_where_the_table_is() -> None:
    assert "`via-nebula.table`" in RULES
