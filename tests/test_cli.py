"""The command line as a person or a script meets it: answers typed in, sentences coming out, never a traceback."""

import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

from plenilune import Match, bots, load
from plenilune.commands import main as commands
from tests.play import finished


def run(*arguments: str | Path, typed: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "100", **variables}
    command = [sys.executable, "-m", "plenilune", *map(str, arguments)]
    done = subprocess.run(command, input=typed, env=environment, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr + done.stdout
    return done


def refusal(*arguments: str | Path, **variables: str) -> str:
    """What it says on refusing: one sentence, and a non-zero exit."""
    done = run(*arguments, **variables)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("plenilune: ").strip()


def saved(tmp_path: Path, match: Match, name: str = "a.match") -> Path:
    file = tmp_path / name
    file.write_text(match.save(), "utf-8")
    return file


# Playing


def test_two_people_at_one_screen_play_what_they_type(tmp_path: Path) -> None:
    file = tmp_path / "evening.match"
    done = run("play", "moon-leap", "--seed", "selene", "--save", file, typed="move 3\nmove 2\n")
    assert done.returncode == 0
    assert "You left the table." in done.stdout
    assert f"plenilune play --resume {file}" in done.stdout.replace("\n", "")
    assert Match.load(file.read_text("utf-8")).history[:4] == ["roll 3", "move 3", "roll 2", "move 2"]


def test_the_view_the_legal_actions_and_what_happened_are_shown() -> None:
    shown = run("play", "moon-leap", "--seed", "selene", typed="move 3\nmove 2\n").stdout
    assert "You may: move 3" in shown
    assert "● seat 1 ›" in shown
    assert "■ seat 2 ›" in shown
    assert "post after space 9?, not passed yet" in shown
    assert "● move 3  ⚄ roll 2" in shown


def test_the_dice_are_committed_to_before_and_shown_after() -> None:
    match = finished(Match("moon-leap", 2, "selene"))
    shown = run("play", "moon-leap", "--seed", "selene", "--bot", "1=random", "--bot", "2=random").stdout
    assert match.dice is not None
    assert match.dice.commitment in shown.replace("\n", "")
    assert "The seed was selene" in shown


def test_the_beginning_of_a_word_is_enough_and_enter_plays_the_only_action(tmp_path: Path) -> None:
    file = tmp_path / "a.match"
    run("play", "moon-leap", "--seed", "selene", "--save", file, typed="\nm 2\n")
    assert Match.load(file.read_text("utf-8")).history[:4] == ["roll 3", "move 3", "roll 2", "move 2"]


def test_what_cannot_be_played_is_said_and_asked_again() -> None:
    shown = run("play", "moon-leap", "--seed", "selene", typed="fly home\nmove 5\nmove 3\n").stdout
    assert "no such action: 'fly home'" in shown
    assert "'move 5' is not allowed now; seat 1 may: move 3" in shown
    assert "● move 3" in shown


def test_undo_goes_back_to_the_last_roll_or_another_seats_action() -> None:
    shown = run("play", "moon-leap", "--seed", "selene", typed="undo\nmove 3\nundo\n").stdout
    assert shown.count("nothing of yours can be undone now") == 2


def test_help_and_history() -> None:
    shown = run("play", "moon-leap", "--seed", "selene", typed="help\nmove 3\nhistory\nquit\n").stdout
    assert "take back your last action" in shown
    assert "⚄ roll 3  ● move 3  ⚄ roll 2" in shown
    assert "You left the table." in shown


def test_bots_play_to_the_end_and_the_result_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "bots.match"
    bots = [word for seat in (1, 2, 3) for word in ("--bot", f"{seat}=random")]
    done = run("play", "moon-leap", "--seats", "3", *bots, "--save", file)
    match = Match.load(file.read_text("utf-8"), check_dice=True)
    assert match.over
    assert match.seats == 3
    assert "the end" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()]
    for seat, place, score in zip(range(3), match.places, match.scores, strict=True):
        assert [str(place), "●■▲"[seat], "seat", str(seat + 1), "bot", str(score)] in rows
    assert "good" in run("verify", file).stdout


def test_a_saved_match_is_resumed(tmp_path: Path) -> None:
    file = tmp_path / "a.match"
    run("play", "moon-leap", "--seed", "selene", "--save", file, typed="move 3\n")
    run("play", "--resume", file, typed="move 2\n")
    assert Match.load(file.read_text("utf-8")).history[:4] == ["roll 3", "move 3", "roll 2", "move 2"]


def test_play_alone_asks_what_to_play() -> None:
    shown = run("play", typed="moon\n2\nstrong\nquit\n").stdout
    assert "Plenilune" in shown
    assert "Against [casual] beginner | strong | master | people at this screen:" in " ".join(shown.split())
    assert "Moon Leap" in shown
    assert "● seat 1 ›" in shown


def test_play_alone_offers_two_seats_first_and_only_options_that_fit() -> None:
    shown = run("play", typed="nova\n\n\nquit\n").stdout
    assert "Seats [2] 1 | 3 | 4:" in shown
    assert "Tokens: full" in shown
    shown = run("play", typed="nova\n3\nfirst\ncasual\nquit\n").stdout
    assert "Tokens [full] first-game:" in shown
    assert "► ● seat 1" in shown or "► ■" in shown or "► ▲" in shown


def test_secrets_stay_behind_a_curtain_between_two_people() -> None:
    shown = run("play", "lanterns", "--seed", "7", typed="\n").stdout
    before, curtain, after = shown.partition("Seat 1, press Enter when nobody else is looking")
    assert curtain
    assert not any(colour in before for colour in ("red", "green", "blue"))
    assert any(f"whisper 1 {colour}, whisper 2 ?" in after for colour in ("red", "green", "blue"))


# Verifying


def test_a_good_match_is_verified(tmp_path: Path) -> None:
    done = run("verify", saved(tmp_path, finished(Match("moon-leap", 2, "a"))))
    assert done.returncode == 0
    assert "good (moon-leap," in done.stdout
    assert "dice checked" in done.stdout


def test_the_first_line_that_differs_is_named(tmp_path: Path) -> None:
    good = saved(tmp_path, finished(Match("moon-leap", 2, "a")))
    text = good.read_text("utf-8")
    bad = tmp_path / "bad.match"
    bad.write_text(text.replace("seed: a\n", "seed: b\n"), "utf-8")
    done = run("verify", good, bad, tmp_path / "none.match")
    assert done.returncode == 1
    first, second, third = done.stdout.splitlines()
    assert "good" in first
    assert "bad.match: line " in second
    assert "of this seed, not 'roll " in second
    assert "none.match: cannot be read: No such file or directory" in third


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "noise.match"
    file.write_bytes(bytes(range(256)))
    done = run("verify", file)
    assert done.returncode == 1
    assert "is not a saved match (byte 128 is not UTF-8)" in done.stdout


# Counting, components


def test_perft_prints_a_count_a_ply() -> None:
    rows = [line.split() for line in run("perft", "moon-leap", "--depth", "4").stdout.splitlines()]
    assert rows == [["1", "1"], ["2", "6"], ["3", "10"], ["4", "60"]]


def test_a_players_own_table_begins_with_the_games(tmp_path: Path) -> None:
    table = run("components", "moon-leap").stdout
    (tmp_path / "moon-leap.table").write_text(
        table.replace("length 37", "length 36").replace("space 37    30 likely\n", "")
    )
    own = {"PLENILUNE_COMPONENTS": str(tmp_path)}
    done = run("play", "moon-leap", "--bot", "1=random", "--bot", "2=random", **own)
    assert done.returncode == 0
    assert "    35    36\n" in done.stdout


def test_a_table_is_checked_for_what_is_uncertain(tmp_path: Path) -> None:
    own = tmp_path / "own.table"
    own.write_text(run("components", "moon-leap").stdout, "utf-8")
    lines = run("components", "moon-leap", "--check", own).stdout.splitlines()
    assert lines[0] == "line 12: length 37 likely"
    assert lines[-1] == f"{own}: 40 of 41 rows are uncertain"
    assert len(lines) == 41
    own.write_text(own.read_text("utf-8").replace("likely\n", "known\n").replace("invented\n", "known\n"), "utf-8")
    assert run("components", "moon-leap", "--check", own).stdout == f"{own}: every figure is known\n"


def test_a_table_that_is_wrong_is_refused_with_the_line(tmp_path: Path) -> None:
    own = tmp_path / "own.table"
    own.write_text(run("components", "via-nebula").stdout.replace("clay+wheat ", "clay+gold ", 1), "utf-8")
    number = next(n for n, line in enumerate(own.read_text("utf-8").splitlines(), 1) if "gold" in line)
    reason = "a cost is 2-equal, 3-different or 1 to 9 resources joined by +, not 'clay+gold'"
    assert refusal("components", "via-nebula", "--check", own) == f"{own}, line {number}: {reason}"
    missing = tmp_path / "missing.table"
    assert refusal("components", "via-nebula", "--check", missing) == f"{missing}: No such file or directory"


# Refusing


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["play", "chess"], "no such game: 'chess'; there are:"),
        (["play", "--seats", "2"], "which game?"),
        (["fly"], "argument COMMAND: invalid choice: 'fly'"),
        (["play", "moon-leap", "--seats", "9"], "moon-leap is for 2 to 4 seats, not 9"),
        (["play", "moon-leap", "--seats", "two"], "argument --seats: invalid int value: 'two'"),
        (["play", "moon-leap", "--option", "speed=high"], "moon-leap has no option 'speed'"),
        (["play", "moon-leap", "--option", "speed"], "expected NAME=WORD, not 'speed'"),
        (["play", "moon-leap", "--seed", ""], "a seed is a line of text, not ''"),
        (["play", "moon-leap", "--bot", "2=genius"], "no such bot for moon-leap: 'genius'; there are: random"),
        (["play", "moon-leap", "--bot", "5=random"], "a bot sits at a seat from 1 to 2, not '5'"),
        (["play", "moon-leap", "--save", "/no/such/folder/a.match"], "/no/such/folder/a.match cannot be written"),
        (["play", "--resume", "none.match"], "none.match: cannot be read: No such file or directory"),
        (["arena", "moon-leap", "genius", "random"], "no such bot for moon-leap: 'genius'"),
        (["arena", "moon-leap", "random"], "an arena is for two bots or more"),
        (["review", "none.match"], "none.match: cannot be read"),
        (["perft", "moon-leap"], "the following arguments are required: --depth"),
        (["perft", "moon-leap", "--depth", "0"], "a depth is 1 to 64, not 0"),
        (["perft", "moon-leap", "--depth", "2", "--after", "-1"], "a number of plies is 0 or more, not -1"),
        (["train", "moon-leap", "--seats", "9"], "moon-leap is for 2 to 4 seats, not 9"),
        (["train", "moon-leap", "--matches", "0"], "a number of matches is 1 or more, not 0"),
        (["train", "lanterns"], "lanterns has no weights: its evaluate.py has neither of learn, note_facts"),
        (["components", "lanterns"], "lanterns has no component table"),
        (["components", "lanterns", "--check", "lanterns.table"], "lanterns has no component table"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], reason: str) -> None:
    assert refusal(*arguments).startswith(reason)


def test_a_match_is_not_saved_over_another(tmp_path: Path) -> None:
    file = saved(tmp_path, Match("moon-leap", 2, "a"))
    before = file.read_text("utf-8")
    assert "is already there; go on with it by --resume" in refusal("play", "moon-leap", "--save", file)
    assert file.read_text("utf-8") == before


def test_a_broken_match_is_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "a.match"
    file.write_text("game: moon-leap\n", "utf-8")
    assert refusal("play", "--resume", file).startswith(f"{file}: line 2: expected a blank line")
    assert file.read_text("utf-8") == "game: moon-leap\n"


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    said = refusal("play", "moon-leap", PLENILUNE_CACHE=str(blocked))
    assert said.startswith("compiled rules cannot be kept in")
    assert "set PLENILUNE_CACHE to a folder that can be written" in said


def test_components_that_make_no_sense_are_named(tmp_path: Path) -> None:
    table = tmp_path / "moon-leap.table"
    table.write_text("length many likely\n")
    said = refusal("play", "moon-leap", PLENILUNE_COMPONENTS=str(tmp_path))
    assert said == f"{table}, line 1: expected a whole number from 20 to 60, not 'many'"
    said = refusal("play", "moon-leap", PLENILUNE_COMPONENTS=str(tmp_path / "none"))
    assert said.endswith("which cannot be read: No such file or directory")


@pytest.mark.parametrize(
    "source", ["GAME = (", "import no_such_module", "", "GAME = 3", "from plenilune.games.moon_leap import GAME"]
)
def test_a_game_that_does_not_work_is_named(tmp_path: Path, source: str) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "__init__.py").write_text(source)
    said = refusal("play", "broken", PLENILUNE_GAMES=str(tmp_path))
    assert said.startswith("broken cannot be loaded: ")
    assert run("perft", "moon-leap", "--depth", "1", PLENILUNE_GAMES=str(tmp_path)).returncode == 0


def test_what_is_not_a_game_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / "notes.py").write_text("")
    (tmp_path / "Upper").mkdir()
    (tmp_path / "Upper" / "__init__.py").write_text("")
    said = refusal("play", "chess", PLENILUNE_GAMES=str(tmp_path))
    assert "notes" not in said
    assert "Upper" not in said


def test_damaged_compiled_rules_are_compiled_again(tmp_path: Path) -> None:
    cache = {"PLENILUNE_CACHE": str(tmp_path)}
    assert run("components", "lanterns", **cache).returncode == 2
    assert run("play", "lanterns", **cache).returncode == 0
    files = [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]
    for file in files:
        if file.parent.parent.name.startswith("lanterns"):
            file.write_bytes(file.read_bytes()[:100])
    assert run("play", "lanterns", **cache).returncode == 0


def test_a_file_is_not_blamed_for_the_machine(tmp_path: Path) -> None:
    file = saved(tmp_path, Match("moon-leap", 2, "a"))
    assert refusal("verify", file, PLENILUNE_CACHE="/dev/null/x").startswith("compiled rules cannot be kept in")


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_does_not_end_in_a_traceback(stream: str) -> None:
    command = f"{sys.executable} -m plenilune play moon-leap --seed a {stream}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr + done.stdout


def test_a_terminal_without_our_signs_shows_something_else() -> None:
    done = run("play", "moon-leap", "--seed", "selene", typed="move 3\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "You may: move 3" in done.stdout


def test_a_narrow_terminal_is_told_what_the_table_needs() -> None:
    shown = run("play", "moon-leap", "--seed", "selene", typed="quit\n", COLUMNS="40").stdout
    assert re.search(r"The table needs 7\d columns; this terminal has 40\.", " ".join(shown.split()))


def test_the_beginning_of_a_command_is_enough() -> None:
    assert "You left the table." in run("play", "moon-leap", "--seed", "selene", typed="q\n").stdout


def test_random_bots_do_not_all_play_the_same() -> None:
    bot, match = bots.load("random", load("moon-leap")), Match("moon-leap", 2)
    match.play("roll *")
    assert {bot.think(match.game, match.seen_by(0), 0, seed).action for seed in range(99)} == set(match.legal_numbers())


# The pages


def test_every_figure_the_documents_promise_is_there() -> None:
    page = (Path(__file__).parent.parent / "docs" / "python.md").read_text("utf-8")
    fast = page.split("## Speed")[1].split("## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in fast.splitlines() if line.startswith("| ")]
    assert [name.split()[0] for name, _ in rows[1:]] == ["Moon", "Nova", "Via", "OpenSpiel's", "Searched"]
    assert all(re.match(r"[\d.]+", figures) for _, figures in rows[1:])


# Starting


def test_the_command_line_is_parsed_without_what_is_slow_to_import() -> None:
    code = "import sys, plenilune.commands.main as m; m.parser(); print([s for s in SLOW if s in sys.modules])"
    slow = ["numba", "rich", "starlette", "sqlalchemy", "plenilune.games.moon_leap", "plenilune.bots.mcts"]
    done = subprocess.run([sys.executable, "-c", f"SLOW = {slow}; {code}"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_file_or_folder_of_a_command_is_a_command() -> None:
    shared = {"main", "arguments", "files", "terminal"}
    found = {module.name for module in pkgutil.iter_modules([str(Path(commands.__file__).parent)])} - shared
    assert found == {module.__name__.rpartition(".")[2] for module in commands.COMMANDS}


def test_importing_the_package_loads_neither_numba_nor_a_game() -> None:
    code = "import sys, plenilune; print([m for m in sys.modules if m == 'numba' or m.startswith('plenilune.games')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_an_edited_game_is_compiled_again(tmp_path: Path) -> None:
    """Compiled rules on disk are never those of another source or another component table."""
    code = """
from plenilune import load
from plenilune.core.drivers import playout
import numpy as np
game = load("toy"); state = game.State.new(); game.setup(state, 1, np.zeros(0, np.int32))
print(playout(state, np.zeros(9, np.int32), np.zeros(1, np.uint64), 99))
"""
    toy = (Path(__file__).parent / "toy.py").read_text("utf-8")
    (tmp_path / "games" / "toy").mkdir(parents=True)
    lengths = []
    for length in (5, 7):
        (tmp_path / "games" / "toy" / "__init__.py").write_text(toy.replace("LENGTH = 3", f"LENGTH = {length}"))
        variables = {"PLENILUNE_GAMES": str(tmp_path / "games"), "PLENILUNE_CACHE": str(tmp_path / "cache")}
        environment = {**os.environ, **variables}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        lengths.append(int(done.stdout))
    assert lengths == [5, 7]
