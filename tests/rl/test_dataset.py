"""A dataset holds what was played, is the same however often it is interrupted, and says why it cannot be made."""

from __future__ import annotations

import importlib.util
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from plenilune import CHANCE, BadSetting, load
from plenilune.commands.main import main
from plenilune.rl import dataset, recording
from plenilune.rl.dataset import Observer
from plenilune.rl.recording import Plan
from plenilune.rl.single import Single
from tests.play import package_games

ROOT = Path(__file__).parents[2]
SMALL = Plan("moon-leap", ("random",), matches=5)


def made(plan: Plan, folder: Path, jobs: int = 1) -> Path:
    assert recording.main(plan, folder, jobs) == 0
    return folder


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / table).to_pylist()
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def documented() -> str:
    text = (ROOT / "docs" / "research.md").read_text("utf-8")
    return text.split("## Datasets\n")[1].split("\n## ")[0]


def plans() -> list[Plan]:
    alone = [Plan("nova-luna", ("random",), seats=1, matches=2)]
    return [Plan(name, ("random", "greedy"), seats=2, matches=2) for name in package_games()] + alone


# What is in it


@pytest.mark.parametrize("plan", plans(), ids=lambda plan: f"{plan.game} {plan.seats}")
def test_every_match_can_be_played_again_and_is_the_one_that_was_played(plan: Plan, tmp_path: Path) -> None:
    folder = made(plan, tmp_path / "out")
    assert [row["match"] for row in rows(folder, "matches")] == [0, 1]
    for number in range(2):
        played = recording.play(plan, number)
        assert played is not None
        match = dataset.match(folder, number)  # checks every action, every roll and the scores
        assert match.save() == played.match.save()
        assert match.over
        (row,) = (row for row in rows(folder, "matches") if row["match"] == number)
        assert (row["scores"], row["places"], row["plies"]) == (match.scores, match.places, match.ply)
        assert tuple(row["bots"]) == plan.bots_of(number)


@pytest.mark.parametrize("plan", plans(), ids=lambda plan: f"{plan.game} {plan.seats}")
def test_a_seat_is_shown_with_every_decision_what_it_could_see_and_do_and_how_it_ended(
    plan: Plan, tmp_path: Path
) -> None:
    folder = made(plan, tmp_path / "out")
    seen, values = rows(folder, "observations"), rows(folder, "values")
    single = Single(plan.game, plan.seats, plan.options)
    for number in range(2):
        match = dataset.match(folder, number)
        own = [(row, value) for row, value in zip(seen, values, strict=True) if row["match"] == number]
        at = {row["ply"]: (row, value) for row, value in own}
        assert sorted(at) == [ply for ply, actor in enumerate(match.actors) if actor != CHANCE]
        for ply, (position, text) in enumerate(zip(match.positions(), match.history, strict=False)):
            if ply not in at:
                continue
            row, value = at[ply]
            single.states[0] = position.state
            assert bytes(row["observation"]) == single.observation(position.to_play).tobytes()
            assert (row["seat"], row["legal"]) == (position.to_play, position.allowed())
            assert (row["action"], row["action"] in row["legal"]) == (match.game.actions.parse(text), True)
            assert (value["match"], value["ply"], value["seat"]) == (number, ply, row["seat"])
            result = (match.scores[row["seat"]], match.places[row["seat"]])
            assert (value["score"], value["place"]) == result
            assert value["value"] is value["visits"] is None
            assert value["simulations"] == 0


def test_what_a_search_found_is_kept_beside_what_it_searched(tmp_path: Path) -> None:
    folder = made(Plan("moon-leap", ("mcts:30", "random"), matches=2), tmp_path / "out")
    bots = {row["match"]: row["bots"] for row in rows(folder, "matches")}
    assert bots == {0: ["mcts:30", "random"], 1: ["random", "mcts:30"]}
    searched = 0
    for row, value in zip(rows(folder, "observations"), rows(folder, "values"), strict=True):
        if bots[row["match"]][row["seat"]] == "mcts:30" and len(row["legal"]) > 1:
            searched += 1
            assert len(value["visits"]) == len(row["legal"])
            assert value["simulations"] > 0
            assert 0 <= value["value"] <= 1
            assert sum(value["visits"]) > 0
        else:
            assert value["visits"] is value["value"] is None
    assert searched > 10


@pytest.mark.parametrize("observe", ["tokens", "planes", "state"])
def test_observations_are_rows_of_numbers_whose_parts_are_named(observe: str, tmp_path: Path) -> None:
    folder = made(Plan("via-nebula", ("random",), matches=1, observe=observe), tmp_path / "out")
    head = json.loads((folder / "dataset.json").read_text("utf-8"))["observation"]
    column = pq.read_table(folder / "observations")["observation"].combine_chunks()
    numbers = column.flatten().to_numpy().reshape(len(column), -1)
    assert numbers.dtype == np.dtype(head["number"]) == np.dtype("float32" if observe == "planes" else "uint8")
    assert numbers.shape[1] == head["size"] == Observer(load("via-nebula"), observe).size
    assert {at for at, *_ in head["fields"].values()} <= set(range(head["size"]))


def test_the_three_lines_in_the_documentation_load_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(SMALL, tmp_path / "moon-leap")
    monkeypatch.chdir(tmp_path)
    text = documented()
    (lines,) = (block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "import pyarrow" in block)
    assert sum(map(bool, lines.split("\n"))) == 3
    names: dict[str, Any] = {}
    exec(lines, names)
    assert names["observations"].shape == (len(rows(tmp_path / "moon-leap", "observations")), 62)
    assert names["observations"].any()


def test_the_documentation_names_every_column() -> None:
    text = documented()
    observer = Observer(load("moon-leap"))
    for table in dataset.TABLES:
        (line,) = re.findall(rf"^\| `{table}` \|.*$", text, re.M)
        assert re.findall(r"`(\w+)`", line)[1:] == dataset.schema(table, observer).names


# Interrupted

KILLED = """
import os, pathlib, signal
from plenilune.commands.main import main
replace, count = pathlib.Path.replace, 0
def killed(self, to):
    global count
    count += 1
    if count == 8:  # dataset.json, a part of four files, and two of the next part
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(self, to)
pathlib.Path.replace = killed
main({arguments!r})
"""


@pytest.mark.slow
def test_killed_in_the_middle_and_run_again_it_has_the_same_bytes(tmp_path: Path) -> None:
    expected = files(made(SMALL, tmp_path / "whole"))
    folder = tmp_path / "killed"
    arguments = ["dataset", "moon-leap", "--bots", "random", "--matches", "5", "--out", str(folder)]
    killed = subprocess.run([sys.executable, "-c", KILLED.format(arguments=[*arguments, "--jobs", "1"])])
    assert killed.returncode == -signal.SIGKILL
    left = files(folder)
    assert any(name.endswith(".new") for name in left)
    assert 0 < len(left) < len(expected)
    assert main([*arguments, "--jobs", "2"]) == 0
    assert files(folder) == expected


def test_stopped_it_keeps_what_is_done_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made_part, asked = recording.make_part, []

    def interrupted(plan: Plan, folder: Path, part: Any, stop: Any) -> int | None:
        asked.append(part.number)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return made_part(plan, folder, part, stop)

    folder = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr(recording, "make_part", interrupted)
        assert recording.main(SMALL, folder, 1) == 130
    assert f"Stopped: 2 of 5 matches are in {folder}; the same command goes on" in capsys.readouterr().out
    assert recording.main(SMALL, folder, 1) == 0
    assert f"Going on: 2 of 5 matches are in {folder}" in capsys.readouterr().out
    assert files(folder) == files(made(SMALL, tmp_path / "whole"))


def test_what_is_whole_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made(SMALL, tmp_path / "out")
    asked: list[int] = []

    def make_part(plan: Plan, folder: Path, part: Any, stop: Any) -> int:
        asked.append(part.number)
        return len(part.matches)

    monkeypatch.setattr(recording, "make_part", make_part)
    assert recording.main(SMALL, folder, 1) == 0
    assert asked == []
    next((folder / "values").glob("*-00003.parquet")).unlink()
    assert recording.main(SMALL, folder, 1) == 0
    assert asked == [3]


# What cannot be made


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("moon-leap", "name one bot or more after --bots"),
        ("moon-leap --bots nobody", "no such bot for moon-leap: 'nobody'"),
        ("moon-leap --bots mcts:5ms", "mcts:5ms plays by the clock, which cannot be repeated"),
        ("moon-leap --bots random --matches 0", "the number of matches is between 1 and 100,000,000, not 0"),
        (
            "moon-leap --bots random --matches 1000000000000",
            "the number of matches is between 1 and 100,000,000, not 1,000,000,000,000",
        ),
        ("moon-leap --bots random --seats 9", "moon-leap is for 2 to 4 seats, not 9"),
        ("moon-leap --bots random --jobs 0", "the number of processes is 1 or more, not 0"),
        ("moon-leap --bots random --observe smells", "observe is one of tokens, planes, state, not 'smells'"),
        ("lanterns --bots random --observe planes", "lanterns has no planes; its observations are: state"),
        ("moon-leap --bots random --from sqlite:///x", "--from takes matches as they were played: leave out --bots"),
        ("moon-leap --from nowhere", "a database is sqlite:///FILE or postgresql://"),
        ("moon-leap --from sqlite:////nowhere/at/all.sqlite", "there is no database /nowhere/at/all.sqlite"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_sentence(
    arguments: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", *arguments.split(), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_part_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    folder = made(SMALL, tmp_path / "out")
    expected, cut = files(folder), sorted(folder.rglob("*.parquet"))
    for number, file in enumerate(cut):
        whole = file.read_bytes()
        file.write_bytes(whole[: (0, 3, 9, len(whole) // 2, len(whole) - 1)[number % 5]])
    assert files(made(SMALL, folder)) == expected


def test_a_match_that_is_not_there_is_refused_in_one_sentence(tmp_path: Path) -> None:
    folder: Any = made(SMALL, tmp_path / "out")
    assert dataset.match(str(folder), 0).over
    asked: list[tuple[Any, Any, str]] = [
        (folder, 5, "there is no match 5 in "),
        (str(tmp_path / "nowhere"), 0, "there is no match 0 in "),
        (folder, "x", "number is a whole number, not 'x'"),
        (folder, -1, "number is between 0 and "),
        (None, 0, "a dataset is a folder, not None"),
    ]
    for where, number, words in asked:
        with pytest.raises(BadSetting, match=f"^{words}"):
            dataset.match(where, number)
    file = next((folder / "actions").glob("*.parquet"))
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(BadSetting, match=r"actions is damaged: delete its parts, "):
        dataset.match(folder, 0)


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(plan: Plan, folder: Path, sentence: str) -> None:
        before = files(folder)
        arguments = ["dataset", plan.game, "--bots", *plan.bots, "--matches", str(plan.matches), "--out", str(folder)]
        assert main(arguments) == 2
        assert sentence in capsys.readouterr().err
        assert files(folder) == before

    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    refused(SMALL, other, "is not empty and holds no dataset: choose another folder")
    folder = made(SMALL, tmp_path / "out")
    more = Plan("moon-leap", ("random",), matches=6)
    refused(more, folder, "has another matches, 5 instead of 6: choose another folder")
    refused(Plan("moon-leap", ("greedy",), matches=5), folder, "has another bots, ['random'] instead of ['greedy']")
    (folder / "dataset.json").write_text("{")
    refused(SMALL, folder, "dataset.json cannot be read: choose another folder")


def test_without_pyarrow_it_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyarrow" else find(name))
    assert main(["dataset", "moon-leap", "--bots", "random", "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert said == "plenilune: a dataset needs pyarrow: pip install 'plenilune[dataset]'\n"
