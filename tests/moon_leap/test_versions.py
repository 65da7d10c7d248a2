"""Version 1 of the rules: matches begun by it go on by it, in every part of the program (RULES 12.9)."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plenilune import Match, bots, load
from plenilune.commands.perft import perft
from tests.moon_leap.positions import ending
from tests.test_cli import run

RECORDED = Path(__file__).parents[1] / "matches" / "moon-leap" / "2-halfway-through-a-split.match"
STUCK = "w3 o1 . w1"  # with a 4, version 1 lets the 3 end the match by a split with the 1, which cannot go
PRESENT, FIRST = load("moon-leap"), load("moon-leap", 1)


def test_there_are_two_versions_and_the_second_is_played() -> None:
    assert (PRESENT.version, PRESENT.versions) == (2, [1, 2])
    assert (FIRST.name, FIRST.version) == ("moon-leap", 1)
    assert Match("moon-leap").game is PRESENT


def test_version_1_is_not_even_read_until_it_is_asked_for() -> None:
    code = """
import sys
from plenilune import Match, load
match = Match("moon-leap", 2, "a")
while not match.over:
    match.play(match.legal()[-1])
Match.load(match.save())
assert "plenilune.games.moon_leap.version_1" not in sys.modules
load("moon-leap", 1)
assert "plenilune.games.moon_leap.version_1" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_both_versions_keep_a_state_in_the_same_bytes() -> None:
    *ours, _ = (PRESENT.State.dtype.fields or {}).items()
    *theirs, _ = (FIRST.State.dtype.fields or {}).items()
    assert ours
    assert ours == theirs
    assert PRESENT.State.dtype.itemsize == FIRST.State.dtype.itemsize
    assert PRESENT.State.dtype != FIRST.State.dtype


def test_a_state_kept_by_one_version_goes_on_by_the_rules_it_is_read_with() -> None:
    kept = ending(STUCK, roll="4", rules=1).state.tobytes()
    legal = {}
    for game in (FIRST, PRESENT):
        match = Match(game)
        match.state = np.frombuffer(kept, game.State.dtype).copy()[0]
        legal[game.version] = match.legal()
    assert legal == {1: ["move 4", "split 3 1"], 2: ["move 4"]}


@pytest.mark.parametrize(("rules", "counts"), [(1, [2, 6]), (2, [1, 6])])
def test_compiled_code_for_all_games_plays_by_the_rules_of_the_state(rules: int, counts: list[int]) -> None:
    """A split of version 1 ends the match, and nothing follows it."""
    assert list(perft(ending(STUCK, roll="4", rules=rules), 2)) == counts


@pytest.mark.parametrize("name", ["mcts:50", "greedy", "random"])
def test_bots_play_version_1_by_its_own_rules(name: str) -> None:
    """The 4 and the 1 are stuck: by version 1 a split must be played, by version 2 a pass."""
    match = ending("w3 o5 . w1 w4", roll="4", rules=1)
    bot = bots.load(name, match.game)
    assert match.game.actions.text(bot.think(match.game, match.seen_by(0), 0).action) == "split 3 1"
    match = ending("w3 o5 . w1 w4", roll="4")
    assert match.game.actions.text(bot.think(match.game, match.seen_by(0), 0).action) == "pass"


def test_a_search_looks_at_what_only_version_1_allows() -> None:
    looked = {}
    for rules in PRESENT.versions:
        match = ending(STUCK, roll="4", rules=rules)
        thought = bots.load("mcts:50", match.game).think(match.game, match.seen_by(0), 0)
        looked[rules] = {match.game.actions.text(action) for action in thought.visits}
    assert looked == {1: {"move 4", "split 3 1"}, 2: {"move 4"}}


# At the command line


def unfinished(tmp_path: Path) -> Path:
    """The recorded match without its last action, a split that version 2 does not allow."""
    lines = RECORDED.read_text("utf-8").splitlines(keepends=True)
    assert lines.pop() == "split 3 1\n"
    file = tmp_path / "evening.match"
    file.write_text("".join(line for line in lines if not line.startswith("scores:")), "utf-8")
    return file


def test_a_match_of_version_1_is_resumed_and_kept_as_one(tmp_path: Path) -> None:
    file = unfinished(tmp_path)
    run("play", "--resume", file, typed="split 3 1\n")
    assert file.read_bytes() == RECORDED.read_bytes()


@pytest.mark.slow
def test_a_match_of_version_1_is_verified() -> None:
    done = run("verify", RECORDED)
    assert done.returncode == 0
    assert done.stdout == f"{RECORDED}: good (moon-leap, 322 plies, dice checked, scores 45 90)\n"


@pytest.mark.slow
def test_a_match_of_version_1_is_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "reviewed.match"
    assert run("review", RECORDED, "--bot", "mcts:10", "--annotate", file).returncode == 0
    match = Match.load(file.read_text("utf-8"))
    assert match.game is FIRST
    assert match.history == Match.load(RECORDED.read_text("utf-8")).history
