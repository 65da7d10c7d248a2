"""Recorded matches play out for ever as they did: actions, dice and scores."""

from pathlib import Path

import pytest

from plenilune import Match
from tests.play import package_games

FOLDER = Path(__file__).parent / "matches"
FILES = sorted(FOLDER.rglob("*.match"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_recorded_match_plays_out_as_it_did(file: Path) -> None:
    text = file.read_text("utf-8")
    match = Match.load(text, check_dice=True)
    assert match.over
    assert match.save() == text
    assert match.game.name == file.parent.name


def test_every_game_of_the_package_has_recorded_matches() -> None:
    assert {file.parent.name for file in FILES} == set(package_games())
