"""The published counts of positions (docs/perft.md) are counted again, and the small ones by hand."""

import re
from pathlib import Path

import pytest

from plenilune import BadSetting, Match, load, names
from plenilune.commands.perft import perft, start
from tests.play import package_games

PAGE = (Path(__file__).parent.parent / "docs" / "perft.md").read_text("utf-8")
AFFORDABLE = 3_000_000  # positions; deeper rows are checked by `plenilune perft`


def published() -> list[tuple[str, int, int, dict[str, str], list[int]]]:
    """Every row of the page's tables: the game, the seats, plies played before, the options, the counts by ply."""
    rows, game = [], ""
    for line in PAGE.splitlines():
        if line.startswith("## "):
            game = line.removeprefix("## ").lower().replace(" ", "-")
        elif re.match(r"\| \d ", line):
            seats, after, *cells = [cell.strip() for cell in line.strip("|").split("|")]
            number, *words = seats.split()
            counts = [int(cell.replace(",", "")) for cell in cells if cell]
            rows.append((game, int(number), int(after), dict(word.split("=") for word in words), counts))
    return rows


def walked(match: Match, depth: int) -> int:
    """The same count by plain walking, undoing every step."""
    if depth == 0:
        return 1
    total = 0
    for action in match.legal():
        match.play(action)
        total += walked(match, depth - 1)
        match.undo()
    return total


@pytest.mark.parametrize(("game", "seats", "after", "options", "counts"), published())
def test_the_published_counts_are_right(
    game: str, seats: int, after: int, options: dict[str, str], counts: list[int]
) -> None:
    affordable = [count for count in counts if count <= AFFORDABLE]
    assert list(perft(start(game, seats, "perft", after, **options), len(affordable))) == affordable


def test_the_row_that_tells_version_2_of_moon_leap_from_version_1_does() -> None:
    assert "which counts 132 at ply 5 and 10,164 at ply 9" in " ".join(PAGE.split())
    counts = list(perft(start(load("moon-leap", 1), 2, "perft", 274), 9))
    assert (counts[4], counts[8]) == (132, 10_164)


def test_every_game_of_the_package_and_every_number_of_seats_is_published() -> None:
    found = {(game, seats) for game, seats, *_ in published()}
    assert found == {(name, seats) for name in package_games() for seats in load(name).seats}


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_the_compiled_count_agrees_with_plain_walking(name: str) -> None:
    match, depth = start(name, load(name).seats[-1], "perft", after=40), 3
    counts = list(perft(match, depth))
    match.dice = None  # from here on chance is played out, all of it
    assert [walked(match, plies) for plies in range(1, depth + 1)] == counts


def test_finished_matches_are_not_leaves() -> None:
    match = start("moon-leap", 2, "perft", after=2_000)
    assert match.over
    assert list(perft(match, 2)) == [0, 0]


@pytest.mark.parametrize("depth", [0, -3, 65])
def test_an_absurd_depth_is_refused(depth: int) -> None:
    with pytest.raises(BadSetting, match="a depth is 1 to 64"):
        list(perft(Match("moon-leap"), depth))
