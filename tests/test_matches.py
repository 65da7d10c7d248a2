"""Recorded matches still replay as they did: actions, dice and scores."""

from pathlib import Path

import pytest

from plenilune import BadReplay, Match, load
from tests.play import package_games

FOLDER = Path(__file__).parent / "matches"
FILES = sorted(FOLDER.rglob("*.match"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_a_recorded_match_plays_out_as_it_did(file: Path) -> None:
    text = file.read_text("utf-8")
    match = Match.load(text, check_dice=True)
    assert match.over
    assert match.save() == text
    assert match.game.name == file.relative_to(FOLDER).parts[0]


def test_every_version_of_every_game_of_the_package_has_recorded_matches() -> None:
    recorded = {(match.game.name, match.game.version) for match in map(Match.load, map(Path.read_text, FILES))}
    assert recorded == {(name, version) for name in package_games() for version in load(name).versions}


def test_a_match_that_only_version_1_allows_is_refused_by_version_2() -> None:
    text = (FOLDER / "moon-leap" / "2-halfway-through-a-split.match").read_text("utf-8")
    assert Match.load(text).history[-1] == "split 3 1"
    with pytest.raises(BadReplay, match=r"line 330: 'split 3 1' is not allowed now; seat 2 may: move 4"):
        Match.load(text.replace("rules: 1", "rules: 2"))
