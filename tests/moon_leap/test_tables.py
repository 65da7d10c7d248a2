"""The component table: what ships (RULES 1.5), and a player's own in its place (RULES 1.6)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from plenilune import BadComponents, BadReplay, Match, load
from plenilune.core import components
from plenilune.games import moon_leap
from plenilune.games.moon_leap.tables import TABLE, TRACK, Track
from tests.moon_leap.positions import rules_table
from tests.own_components import LOAD, python, refused

HOME = Path(moon_leap.__file__).parent
SHIPPED = HOME / "moon-leap.table"


# What ships.


def test_the_table_is_the_one_in_the_games_folder() -> None:
    assert TABLE.path == SHIPPED


def test_the_figures_and_their_certainty_are_those_the_rules_list() -> None:
    figures: dict[str, tuple[int | None, str]] = {"length": (TRACK.length, TRACK.length_certainty)}
    figures |= {f"space {n}": (TRACK.values[n], TRACK.certainties[n]) for n in range(1, TRACK.length + 1)}
    figures |= {f"post {seats}": (space, TRACK.post_certainties[seats]) for seats, space in TRACK.posts.items()}
    assert figures == figures_in_the_rules()


def figures_in_the_rules() -> dict[str, tuple[int | None, str]]:
    """RULES 1.5 has a row for several figures at once: `spaces 2, 3 | -3 | likely`."""
    figures: dict[str, tuple[int | None, str]] = {}
    for figure, standard, certainty in rules_table("1.5"):
        kind = figure.split()[0].removesuffix("s")
        numbers = [int(word) for word in re.findall(r"\d+", figure)]
        values = [None if word == "blank" else int(word) for word in re.findall(r"-?\d+|blank", standard)]
        names = [kind] if kind == "length" else [f"{kind} {number}" for number in numbers]
        if kind == "all":  # all others from … to …
            names = [f"space {number}" for number in range(numbers[0], numbers[1] + 1)]
            names = [name for name in names if name not in figures]
        values = values * len(names) if len(values) == 1 else values
        figures |= {name: (value, certainty.split()[0]) for name, value in zip(names, values, strict=True)}
    return figures


def test_what_is_known_of_the_printed_board_holds() -> None:
    """It begins with a red -3, is mostly blank after the red spaces, and its values never fall."""
    red, middle = TRACK.values[1:8], TRACK.values[8:35]
    assert red[0] == -3
    assert all(value is not None and value < 0 for value in red)
    assert middle.count(None) > len(middle) / 2
    printed = [value for value in TRACK.values[1:] if value is not None]
    assert printed == sorted(printed)


def test_the_posts_stand_early_and_later_the_more_seats_there_are() -> None:
    assert TRACK.posts[2] < TRACK.posts[3] < TRACK.posts[4] < TRACK.length / 2


def test_a_replay_carries_the_digest_of_the_table() -> None:
    assert f"\ncomponents: {TABLE.digest}\n" in Match("moon-leap").save()


# A player's own.


def table_text(length: int = 24, posts: tuple[int, int, int] = (5, 6, 7)) -> str:
    """A table whose space n counts n - 9, but for space 3, which is blank."""
    rows = [f"length {length} known"]
    rows += [f"post {seats} {space} likely" for seats, space in zip((2, 3, 4), posts, strict=True)]
    rows += [f"space {n} {'blank' if n == 3 else n - 9} known" for n in range(1, length + 1)]
    return "\n".join(rows) + "\n"


PLAY = """
import dataclasses, json, random
from plenilune import Match
from plenilune.core.drawing import plain

def finished(seats):
    match, chooser = Match("moon-leap", seats, seed="7"), random.Random(7)
    while not match.over:
        match.play(chooser.choice(match.legal()))
    return match

matches = [finished(seats) for seats in (2, 3, 4)]
print(json.dumps([dataclasses.asdict(m.view()) | {"replay": m.save(), "drawn": plain(m.game.draw(m.view()))}
                  for m in matches]))
"""
BEGIN = "from plenilune import Match; Match('moon-leap')"


def played(folder: Path | None = None, **how: Any) -> Any:
    ran = python(PLAY, folder, **how)
    assert ran.stderr == ""
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table of the player's own."""
    return folder_with(tmp_path_factory.mktemp("own"), table_text())


@pytest.fixture(scope="module")
def matches(own: Path) -> Any:
    """Matches with 2, 3 and 4 seats, played to the end with that table."""
    return played(own)


def folder_with(folder: Path, text: str) -> Path:
    (folder / "moon-leap.table").write_text(text, "utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("length", "posts"), [(20, (1, 2, 3)), (24, (5, 6, 7)), (60, (40, 50, 59))])
def test_whole_matches_are_played_on_a_players_own_track(
    tmp_path: Path, length: int, posts: tuple[int, int, int]
) -> None:
    matches = played(folder_with(tmp_path, table_text(length, posts)))
    for view, seats in zip(matches, (2, 3, 4), strict=True):
        taken = {pawn["space"] for pawn in view["pawns"]}
        assert {length - 2, length - 1, length} <= taken <= set(range(length + 1))
        assert view["post"] == {"after": posts[seats - 2], "passed": True, "certainty": "likely"}
        assert [space["value"] for space in view["spaces"]] == [None if n == 2 else n - 8 for n in range(length)]


def test_matches_are_scored_by_the_players_own_values(matches: Any) -> None:
    for view in matches:
        scores = [0] * len(view["scores"])
        for pawn in view["pawns"]:
            worth = {0: -5, 3: 0}.get(pawn["space"], pawn["space"] - 9)
            scores[pawn["seat"]] += pawn["number"] * worth
        assert view["scores"] == scores
        assert f"\nscores: {' '.join(map(str, scores))}\n" in view["replay"]


@pytest.mark.slow
def test_compiled_rules_are_never_those_of_another_table(tmp_path: Path) -> None:
    """Values and posts are compiled in, and nothing else tells these tables apart: they are of one length."""
    Match("moon-leap")  # the shipped ones are compiled by now
    folder = folder_with(tmp_path, table_text(TRACK.length))
    assert played(folder, compiled=True) == played(folder)


def test_the_drawing_shows_the_players_own_figures(matches: Any) -> None:
    drawn = matches[0]["drawn"].splitlines()
    assert drawn[0].split() == ["1", "2", "3", "4", "5", "┃", "6", "7", "8", "9", "10", "11", "12", "13"]
    assert drawn[1].split() == ["-8", "-7", "–", "-5", "-4", "┃", "-3", "-2", "-1", "0", "1", "2", "3", "4"]


def test_a_replay_of_another_table_has_another_digest_and_is_refused(own: Path, matches: Any) -> None:
    replay = matches[0]["replay"]
    other = components.read_table(own / "moon-leap.table").digest
    assert other != TABLE.digest
    assert f"\ncomponents: {other}\n" in replay
    with pytest.raises(BadReplay, match=f"^line 3: played with components {other}; those in use are {TABLE.digest}$"):
        Match.load(replay)


def test_a_replay_of_the_shipped_table_is_refused_where_another_is_in_use(own: Path) -> None:
    message = refused(python(LOAD, own, said=Match("moon-leap", seed="7").save()))
    other = components.read_table(own / "moon-leap.table").digest
    assert message.endswith(f"BadReplay: line 3: played with components {TABLE.digest}; those in use are {other}")


def test_a_replay_is_loaded_where_its_table_is_in_use(own: Path, matches: Any) -> None:
    replay = matches[0]["replay"]
    assert python(LOAD, own, said=replay).stdout == replay


def test_a_replay_without_a_digest_is_refused() -> None:
    text = Match("moon-leap", seed="7").save().replace(f"components: {TABLE.digest}\n", "")
    with pytest.raises(BadReplay, match=f"played with components none; those in use are {TABLE.digest}$"):
        Match.load(text)


def test_a_table_that_says_the_same_in_other_dress_plays_the_same_replays(tmp_path: Path) -> None:
    dressed = SHIPPED.read_text("utf-8").replace(" ", "\t  ").replace("\n", "  # as on the board\n\n")
    replay = Match("moon-leap", seed="7").save()
    assert python(LOAD, folder_with(tmp_path, dressed), said=replay).stdout == replay


# What names a table.


def read(folder: Path, text: str) -> components.Table:
    return components.read_table(folder_with(folder, text) / "moon-leap.table")


@pytest.mark.parametrize(
    "dressed",
    [
        "# my own board\n\n" + table_text(),
        table_text().replace("\n", " # measured twice\n"),
        table_text().replace("\n", "#\n"),
        table_text().replace(" ", " \t   "),
        table_text().replace("\n", "\n\n   \n"),
        table_text().replace("\n", "\r\n"),
        table_text().removesuffix("\n"),
        "# ☾\n" + table_text(),
    ],
)
def test_comments_and_spacing_do_not_change_the_digest(tmp_path: Path, dressed: str) -> None:
    assert read(tmp_path, dressed).digest == read(tmp_path, table_text()).digest


@pytest.mark.parametrize(
    ("row", "instead"),
    [
        ("space 7 -2 known", "space 7 -1 known"),
        ("space 3 blank known", "space 3 0 known"),
        ("space 7 -2 known", "space 7 -2 likely"),
        ("post 2 5 likely", "post 2 6 likely"),
        ("space 24 15 known", "space 24 15 known\nspace 25 16 known"),
    ],
)
def test_whatever_the_table_says_changes_the_digest(tmp_path: Path, row: str, instead: str) -> None:
    assert row in table_text()
    assert read(tmp_path, table_text().replace(row, instead)).digest != read(tmp_path, table_text()).digest


# What is refused.


def test_the_tables_of_these_tests_are_sound(tmp_path: Path) -> None:
    assert Track(read(tmp_path, table_text())).values[1:5] == [-8, -7, None, -5]


LENGTH_ROW = "expected 'length SPACES CERTAINTY', not"
POST_ROW = "expected 'post SEATS SPACE CERTAINTY', not"
SPACE_ROW = "expected 'space NUMBER VALUE CERTAINTY', not"
FIRST_WORD = "expected one of length, post, space, not"
CERTAINTY = "expected one of known, likely, invented, not"


@pytest.mark.parametrize(
    ("row", "instead", "reason"),
    [
        ("length 24 known", "length", f"{LENGTH_ROW} 'length'"),
        ("length 24 known", "length 24", f"{LENGTH_ROW} 'length 24'"),
        ("length 24 known", "length 24 spaces known", f"{LENGTH_ROW} 'length 24 spaces known'"),
        ("length 24 known", "length many known", "expected a whole number from 20 to 60, not 'many'"),
        ("length 24 known", "length 19 known", "expected a whole number from 20 to 60, not '19'"),
        ("length 24 known", "length 61 known", "expected a whole number from 20 to 60, not '61'"),
        ("length 24 known", "length -24 known", "expected a whole number from 20 to 60, not '-24'"),
        ("length 24 known", "length 24.0 known", "expected a whole number from 20 to 60, not '24.0'"),
        ("length 24 known", "length 24 sure", f"{CERTAINTY} 'sure'"),
        ("length 24 known", "length 24 Known", f"{CERTAINTY} 'Known'"),
        ("length 24 known", "Length 24 known", f"{FIRST_WORD} 'Length'"),
        ("length 24 known", "length: 24 known", f"{FIRST_WORD} 'length:'"),
        ("length 24 known", "24", f"{FIRST_WORD} '24'"),
        ("post 2 5 likely", "length 24 known", "a second length"),
        ("post 2 5 likely", "post 2 5", f"{POST_ROW} 'post 2 5'"),
        ("post 2 5 likely", "post 2 5 6 likely", f"{POST_ROW} 'post 2 5 6 likely'"),
        ("post 2 5 likely", "post 1 5 likely", "expected a whole number from 2 to 4, not '1'"),
        ("post 2 5 likely", "post 5 5 likely", "expected a whole number from 2 to 4, not '5'"),
        ("post 2 5 likely", "post two 5 likely", "expected a whole number from 2 to 4, not 'two'"),
        ("post 2 5 likely", "post 2 0 likely", "expected a whole number from 1 to 23, not '0'"),
        ("post 2 5 likely", "post 2 24 likely", "expected a whole number from 1 to 23, not '24'"),
        ("post 2 5 likely", "post 2 likely 5", "expected a whole number from 1 to 23, not 'likely'"),
        ("post 2 5 likely", "post 2 5 perhaps", f"{CERTAINTY} 'perhaps'"),
        ("post 3 6 likely", "post 2 6 likely", "a second post for 2 seats"),
        ("space 7 -2 known", "space", f"{SPACE_ROW} 'space'"),
        ("space 7 -2 known", "space 7 -2", f"{SPACE_ROW} 'space 7 -2'"),
        ("space 7 -2 known", "space 7 - 2 known", f"{SPACE_ROW} 'space 7 - 2 known'"),
        ("space 7 -2 known", "space 7 known", f"{SPACE_ROW} 'space 7 known'"),
        ("space 7 -2 known", "space 7 100 known", "expected a whole number from -99 to 99, not '100'"),
        ("space 7 -2 known", "space 7 -100 known", "expected a whole number from -99 to 99, not '-100'"),
        ("space 7 -2 known", "space 7 1.5 known", "expected a whole number from -99 to 99, not '1.5'"),
        ("space 7 -2 known", "space 7 −2 known", "expected a whole number from -99 to 99, not '−2'"),
        ("space 7 -2 known", "space 7 BLANK known", "expected a whole number from -99 to 99, not 'BLANK'"),
        ("space 7 -2 known", "space 7 known -2", "expected a whole number from -99 to 99, not 'known'"),
        ("space 7 -2 known", "space 7 -2 certain", f"{CERTAINTY} 'certain'"),
        ("space 7 -2 known", "space 8 -2 known", "expected space 7, not 8"),
        ("space 7 -2 known", "space 6 -2 known", "expected space 7, not 6"),
        ("space 7 -2 known", "space 0 -2 known", "expected a whole number from 1 to 24, not '0'"),
        ("space 7 -2 known", "space 25 -2 known", "expected a whole number from 1 to 24, not '25'"),
        ("space 7 -2 known", "space seven -2 known", "expected a whole number from 1 to 24, not 'seven'"),
        ("space 7 -2 known", "spaces 7 -2 known", f"{FIRST_WORD} 'spaces'"),
        ("space 7 -2 known", "crater 7 -2 known", f"{FIRST_WORD} 'crater'"),
        ("space 7 -2 known", "; by the red craters", f"{FIRST_WORD} ';'"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused_with_its_line(
    tmp_path: Path, row: str, instead: str, reason: str
) -> None:
    lines = ["# my own board", "", *table_text().splitlines()]
    at = lines.index(row)
    lines[at] = instead
    table = read(tmp_path, "\n".join(lines))
    with pytest.raises(BadComponents) as refusal:
        Track(table)
    assert str(refusal.value) == f"{tmp_path / 'moon-leap.table'}, line {at + 1}: {reason}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (table_text() + "space 25 16 known", ", line 29: space 25 is beyond the length of 24"),
        (table_text() + "length 24 known", ", line 29: a second length"),
        (
            table_text().replace("length 24 known\n", ""),
            ", line 1: expected 'length SPACES CERTAINTY' before anything else",
        ),
        (
            "space 1 -3 known\n" + table_text(),
            ", line 1: expected 'length SPACES CERTAINTY' before anything else",
        ),
        (table_text().replace("post 3 6 likely\n", ""), ": expected a post for 3 seats"),
        (table_text().replace("space 24 15 known\n", ""), ": expected 24 spaces, found 23"),
        (table_text().replace("space 7 -2 known\n", ""), ", line 11: expected space 7, not 8"),
        ("length 24 known\n", ": expected 24 spaces, found 0"),
        ("", ": expected a length and its spaces, found 0"),
        ("# nothing yet\n", ": expected a length and its spaces, found 0"),
    ],
)
def test_a_table_with_something_missing_or_too_much_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(BadComponents) as refusal:
        Track(read(tmp_path, text))
    assert str(refusal.value) == f"{tmp_path / 'moon-leap.table'}{reason}"


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "moon-leap.table"
    file.write_bytes(b"length 37 likely\xff\n")
    with pytest.raises(BadComponents) as refusal:
        components.read_table(file)
    assert str(refusal.value) == f"{file}: not a text file (byte 16 is not UTF-8)"


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "moon-leap.table"
    with pytest.raises(BadComponents, match=r"moon-leap\.table: No such file or directory$"):
        components.read_table(file)
    file.mkdir()
    with pytest.raises(BadComponents, match=r"moon-leap\.table: "):
        components.read_table(file)


def test_a_match_with_a_bad_table_is_refused_with_file_and_line(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, table_text().replace("space 7 -2", "space 7 red"))
    reason = "expected a whole number from -99 to 99, not 'red'"
    assert refused(python(BEGIN, folder)).endswith(f"BadComponents: {folder / 'moon-leap.table'}, line 11: {reason}")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "nowhere"
    reason = f"BadComponents: {components.VARIABLE} is {str(folder)!r}, which cannot be read: No such file or directory"
    assert refused(python(BEGIN, folder)).endswith(reason)


def test_a_file_in_place_of_the_folder_is_refused(own: Path) -> None:
    file = own / "moon-leap.table"
    reason = f"BadComponents: {components.VARIABLE} is {str(file)!r}, which cannot be read: Not a directory"
    assert refused(python(BEGIN, file)).endswith(reason)


@pytest.mark.parametrize("name", ["moon-lap.table", "moon_leap.table", "Moon Leap.table"])
def test_a_table_that_names_no_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A misspelt name would else be passed over in silence, and the shipped figures played."""
    (tmp_path / name).write_text(table_text())
    monkeypatch.setenv(components.VARIABLE, str(tmp_path))
    with pytest.raises(BadComponents) as refusal:
        load("moon-leap")
    assert str(refusal.value).startswith(f"{tmp_path / name}: no game has that name; there are: ")


def test_other_files_in_the_folder_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.txt").write_text("the board is at my sister's")
    monkeypatch.setenv(components.VARIABLE, str(tmp_path))
    assert load("moon-leap").name == "moon-leap"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A game's folder with a table of 30 spaces."""
    home = tmp_path / "moon_leap"
    home.mkdir()
    return folder_with(home, table_text(length=30))


def test_the_players_own_table_comes_first(home: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(components.VARIABLE, str(own))
    assert Track(components.table(home)).length == 24


def test_the_shipped_table_is_used_where_the_players_folder_has_none(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(components.VARIABLE, str(tmp_path))
    assert Track(components.table(home)).length == 30


def test_a_variable_that_names_no_folder_means_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(components.VARIABLE, "")
    assert Track(components.table(home)).length == 30


@pytest.mark.parametrize("spelling", ["08", "+8", "0_8", "８", "٨", "-0"])
def test_a_number_has_one_spelling_so_that_equal_boards_have_equal_digests(spelling: str) -> None:
    row = components.Row(Path("moon-leap.table"), 9, ("space", spelling, "blank", "known"))
    with pytest.raises(BadComponents, match=r"line 9: expected a whole number from -9 to 9"):
        row.number(spelling, -9, 9)


def test_a_byte_order_mark_is_not_part_of_the_table(tmp_path: Path) -> None:
    file = tmp_path / "moon-leap.table"
    file.write_bytes(b"\xef\xbb\xbf" + TABLE.path.read_bytes())
    assert components.read_table(file).digest == TABLE.digest
