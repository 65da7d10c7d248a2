"""Studies repeat what the documents print of them, and say in a sentence what they cannot count."""

import re
from pathlib import Path

import pytest

from plenilune import load
from studies import balance, ceiling

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "via-nebula-balance.md"


def nothing(advanced: float) -> None:
    """In the place of a progress bar."""


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seats", "matches"), [("random", 2, 2000), ("greedy", 2, 200)])
def test_the_document_prints_what_the_study_finds(players: str, seats: int, matches: int) -> None:
    cell = balance.measure(load("via-nebula"), players, seats, {"map": "beginner"}, matches, nothing)
    shares = [balance.share(cell.wins[:, seat]) for seat in range(seats)]
    row = "| " + " | ".join([players, str(seats), "beginner", *shares]) + " |"
    assert row in DOCUMENT.read_text("utf-8")


def test_the_document_names_the_rules_and_the_seed() -> None:
    game = load("via-nebula")
    said = f"version {game.version} of the rules, components `{game.components}`, seed {balance.SEED}"
    assert said in re.sub(r"\s+", " ", DOCUMENT.read_text("utf-8"))


def test_a_study_of_balance_counts_the_same_again() -> None:
    game = load("moon-leap")
    one, other = (balance.measure(game, "greedy", 3, {}, 4, nothing) for _ in range(2))
    assert (one.wins.tolist(), one.plies) == (other.wins.tolist(), other.plies)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "no such game: 'chess'; there are: "),
        (["via-nebula", "many"], "the number of matches is between 1 and 10,000,000, not 'many'"),
        (["via-nebula", "-1"], "the number of matches is between 1 and 10,000,000, not '-1'"),
        (["via-nebula", "0"], "the number of matches is between 1 and 10,000,000, not '0'"),
        (["via-nebula", "1", "2"], "a game and a number of matches can be named, not 'via-nebula 1 2'"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_one_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(SystemExit) as end:
        balance.main(arguments)
    assert str(end.value).startswith(sentence)


@pytest.mark.parametrize("option", ["--matches", "--simulations"])
@pytest.mark.parametrize("number", ["-1", "0", "x", "1.5", "9999999999"])
def test_the_ceiling_is_found_with_one_match_or_more(
    option: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        ceiling.main(["matches", option, number])
    assert f"it is a whole number from 1 to 999,999,999, not {number!r}" in capsys.readouterr().err
