"""The arena: who sits where, by which dice, what is kept, and what the tables say."""

import io
import itertools
import json
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from plenilune import load
from plenilune.bots import arena
from plenilune.bots.arena import Fixture, Plan, Result
from plenilune.bots.arena.tables import solo_sheet
from plenilune.bots.chart import png
from plenilune.core.errors import Refusal
from tests.bots.fonts import needs_font

PLAN = Plan("moon-leap", ("greedy", "random", "mcts:20"), games=4, seed="selene")


def hold(plan: Plan, folder: Path | None = None, jobs: int = 1) -> str:
    """Everything the command prints."""
    out = io.StringIO()
    assert arena.main(plan, jobs, folder, Console(file=out, width=150)) == 0
    return out.getvalue()


def kept(folder: Path) -> list[Result]:
    return [arena.from_line(line) for line in (folder / arena.MATCHES).read_bytes().splitlines(keepends=True)]


def timeless(table: str) -> list[list[str]]:
    """A Markdown table's cells without the column of milliseconds, the only one that another run changes."""
    rows = [line.split("|") for line in table.splitlines()]
    return [row[:-2] if len(row) == 10 else row for row in rows]


def reported(plan: Plan, done: dict[Fixture, Result]) -> arena.Report:
    found = arena.report(plan, done)
    assert found
    return found


def result(bots: tuple[str, ...], places: list[int], seed: str) -> Result:
    """A made-up result of Moon Leap."""
    none = [0] * len(bots)
    return Result("moon-leap", 1, "", "", len(bots), {}, seed, list(bots), places, none, 1, none, [0.0] * len(bots))


def won_by(plan: Plan, wins: dict[tuple[str, str], list[int]]) -> dict[Fixture, Result]:
    """Results for a plan of two seats: of each pair, in each set, how many matches the first wins."""
    done = {}
    for pair, counts in wins.items():
        for number, count in enumerate(counts, 1):
            for n, fixture in enumerate(arena.fixtures(plan, pair, number)):
                first = pair[0] if n < count else pair[1]
                done[fixture] = result(fixture.bots, [1 if bot == first else 2 for bot in fixture.bots], fixture.seed)
    return done


# Who sits where


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_bot_of_a_pair_sits_everywhere_equally_often(seats: int) -> None:
    plan = replace(PLAN, seats=seats, games=12)
    for pair in arena.pairs(plan.bots, seats):
        matches = [f for f in arena.schedule(plan) if set(f.bots) == set(pair)]
        seated = Counter((bot, seat) for f in matches for seat, bot in enumerate(f.bots))
        assert len(matches) == 12
        assert {seated[pair[0], seat] for seat in range(seats)} == {12 // seats}
        assert {seated[pair[1], seat] for seat in range(seats)} == {12 - 12 // seats}


def test_a_set_is_played_by_one_seed_and_every_set_by_another() -> None:
    by_seed = {seed: list(f) for seed, f in itertools.groupby(arena.schedule(PLAN), key=lambda f: f.seed)}
    assert list(by_seed) == ["selene 1", "selene 2"]
    for matches in by_seed.values():
        assert Counter(frozenset(f.bots) for f in matches) == dict.fromkeys(
            map(frozenset, arena.pairs(PLAN.bots, 2)), 2
        )


def test_the_number_of_matches_is_rounded_up_to_whole_sets() -> None:
    assert len(list(arena.schedule(Plan("moon-leap", ("a", "b"), seats=4, games=5)))) == 8


def test_one_is_enough_where_everybody_plays_alone() -> None:
    solo = Plan("nova-luna", ("a",), seats=1, games=2, seed="s")
    assert list(arena.schedule(solo)) == [("s 1", ("a",)), ("s 2", ("a",))]


# Playing


def test_the_same_match_is_played_the_same_again_but_for_time() -> None:
    fixture = Fixture("selene 1", ("mcts:20", "greedy"))
    first, second = arena.play(PLAN, fixture), arena.play(PLAN, fixture)
    assert first
    assert second
    assert replace(first, ms=[]) == replace(second, ms=[])
    assert first.seed == "selene 1"
    assert first.bots == ["mcts:20", "greedy"]
    assert min(first.decisions) > 0
    assert sum(first.decisions) < first.plies
    assert min(first.ms) > 0


def test_a_match_that_is_stopped_has_no_result() -> None:
    assert arena.play(PLAN, Fixture("selene 1", ("random", "random")), stop=lambda: True) is None


def test_a_match_with_secrets_and_options_is_played() -> None:
    plan = Plan("lanterns", ("mcts:2", "random"), seats=3, options={"bag": "small"})
    found = arena.play(plan, Fixture("a", ("random", "mcts:2", "random")))
    assert found
    assert found.options == {"bag": "small"}
    assert sorted(found.places)[0] == 1


@pytest.mark.slow
def test_several_processes_find_what_one_finds(tmp_path: Path) -> None:
    plan = replace(PLAN, bots=("greedy", "random"), games=8)
    hold(plan, tmp_path / "one", jobs=1)
    hold(plan, tmp_path / "two", jobs=2)
    one, two = ({r.fixture: replace(r, ms=[]) for r in kept(tmp_path / name)} for name in ("one", "two"))
    assert one == two
    assert timeless((tmp_path / "one" / arena.TABLE).read_text("utf-8")) == timeless(
        (tmp_path / "two" / arena.TABLE).read_text("utf-8")
    )


# Keeping


def test_a_result_is_kept_as_one_line_with_everything_in_it(tmp_path: Path) -> None:
    hold(replace(PLAN, bots=("greedy", "random"), games=2), tmp_path)
    lines = (tmp_path / arena.MATCHES).read_text("utf-8").splitlines()
    assert len(lines) == 2
    told = json.loads(lines[1])
    assert (told["game"], told["seats"], told["options"], told["seed"]) == ("moon-leap", 2, {}, "selene 1")
    assert told["bots"] == ["random", "greedy"]
    assert {len(told[key]) for key in ("places", "scores", "decisions", "ms")} == {2}


@pytest.mark.parametrize("cut", [1, 40, 600])
def test_what_a_crash_cut_off_is_played_again(tmp_path: Path, cut: int) -> None:
    whole = hold(PLAN, tmp_path)
    table = (tmp_path / arena.TABLE).read_text("utf-8")
    file = tmp_path / arena.MATCHES
    before = kept(tmp_path)
    file.write_bytes(file.read_bytes()[:-cut])
    said = hold(PLAN, tmp_path)
    assert "Going on: " in said
    assert "Going on" not in whole
    assert [replace(r, ms=[]) for r in kept(tmp_path)] == [replace(r, ms=[]) for r in before]
    assert timeless((tmp_path / arena.TABLE).read_text("utf-8")) == timeless(table)


def test_what_is_complete_is_not_played_again(tmp_path: Path) -> None:
    plan = replace(PLAN, bots=("greedy", "random"))
    hold(plan, tmp_path)
    before = (tmp_path / arena.MATCHES).read_bytes()
    assert "All 4 matches are in" in hold(plan, tmp_path)
    assert (tmp_path / arena.MATCHES).read_bytes() == before


def test_more_matches_and_more_bots_go_on_with_what_is_there(tmp_path: Path) -> None:
    hold(replace(PLAN, bots=("greedy", "random"), games=2), tmp_path)
    assert "Going on: 2 of 4 matches" in hold(replace(PLAN, bots=("greedy", "random")), tmp_path)
    assert "Going on: 4 of 12 matches" in hold(PLAN, tmp_path)


def test_matches_of_another_setting_do_not_count(tmp_path: Path) -> None:
    plan = replace(PLAN, bots=("greedy", "random"), games=2)
    hold(plan, tmp_path)
    assert "Going on" not in hold(replace(plan, seed="luna"), tmp_path)
    assert "Going on" not in hold(replace(plan, seats=3, games=3), tmp_path)
    assert "All 2 matches" in hold(plan, tmp_path)


def test_matches_played_by_other_code_count_and_are_told_of() -> None:
    plan = replace(PLAN, bots=("greedy", "random"))
    done = won_by(plan, {("greedy", "random"): [2, 1]})
    note = "played by 2 versions of the rules' or the bots' code"
    assert note not in arena.markdown(reported(plan, done))
    fixture = next(iter(done))
    done[fixture] = replace(done[fixture], code="another")
    assert note in arena.markdown(reported(plan, done))


def test_ctrl_c_keeps_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(plan: Plan, todo: list[Fixture], jobs: int) -> Iterator[Result]:
        yield from filter(None, (arena.play(plan, fixture) for fixture in todo[:3]))
        raise KeyboardInterrupt

    plan, out = replace(PLAN, bots=("greedy", "random")), io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr("plenilune.bots.arena.command.play_all", interrupted)
        assert arena.main(plan, 1, tmp_path, Console(file=out, width=150)) == 130
    assert "Stopped after 3 matches; the same command goes on" in out.getvalue()
    assert "greedy  random         2" in out.getvalue()
    assert len(kept(tmp_path)) == 3
    assert "Going on: 3 of 4 matches" in hold(plan, tmp_path)


def test_a_file_that_is_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / arena.MATCHES
    file.write_text("dear diary\nit rained\n")
    with pytest.raises(Refusal, match=r"matches.jsonl, line 1: this is not the result of a match$"):
        hold(PLAN, tmp_path)
    assert file.read_text() == "dear diary\nit rained\n"


# Counting


def test_a_set_that_lacks_a_match_does_not_count() -> None:
    plan = replace(PLAN, bots=("greedy", "random"))
    done = won_by(plan, {("greedy", "random"): [2, 0]})
    del done[Fixture("selene 2", ("random", "greedy"))]
    assert reported(plan, done).sheets[1].rows[0][:4] == ("greedy", "random", "2", "100.0%")
    del done[Fixture("selene 1", ("random", "greedy"))]
    assert arena.report(plan, done) is None


def test_with_four_seats_the_first_bot_wins_a_quarter_if_it_is_no_better() -> None:
    plan = Plan("moon-leap", ("a", "b"), seats=4, games=4, seed="s")
    winners = {f: result(f.bots, [1 if seat == 2 else 2 for seat in range(4)], f.seed) for f in arena.schedule(plan)}
    found = reported(plan, winners)
    row = found.sheets[1].rows[0]
    assert row[:4] == ("a", "3 × b", "4", "25.0%")
    assert row[-1] == "25.0%"


# What is shown


def test_the_table_has_every_bot_and_every_pair(tmp_path: Path) -> None:
    said = hold(PLAN, tmp_path)
    table = (tmp_path / arena.TABLE).read_text("utf-8")
    assert table.startswith("# Moon Leap, 2 seats\n")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if "|" in line]
    assert sorted(row[0] for row in rows[2:5]) == sorted(PLAN.bots)
    assert [tuple(row[:2]) for row in rows[7:]] == arena.pairs(PLAN.bots, 2)
    assert "☾ Moon Leap, 2 seats" in said
    assert all(bot in said for bot in PLAN.bots)


def test_the_chart_is_well_formed_and_has_every_bot(tmp_path: Path) -> None:
    hold(PLAN, tmp_path)
    chart = ElementTree.parse(tmp_path / arena.CHART)
    texts = [element.text for element in chart.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Moon Leap, 2 seats", "Elo with 95% intervals, greedy = 0", *PLAN.bots} <= set(texts)


@needs_font
def test_the_chart_is_there_in_pixels_too(tmp_path: Path) -> None:
    said = hold(replace(PLAN, bots=("greedy", "random"), games=2), tmp_path)
    assert (tmp_path / arena.PIXELS).read_bytes() == png((tmp_path / arena.CHART).read_text("utf-8"))
    assert "is not there" not in said


def test_without_the_extra_that_draws_it_there_is_no_chart_in_pixels_and_it_is_said_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)  # as if it were not installed
    (tmp_path / arena.PIXELS).write_bytes(b"of an earlier evening")
    said = hold(replace(PLAN, bots=("greedy", "random"), games=2), tmp_path)
    assert "elo.png is not there: a PNG is drawn by an extra: pip install 'plenilune[chart]'\n" in said
    assert sorted(file.name for file in tmp_path.iterdir()) == [arena.CHART, arena.MATCHES, arena.TABLE]


def test_alone_the_points_are_told() -> None:
    plan = Plan("nova-luna", ("a",), seats=1, games=4, seed="s")
    scores = {f: replace(result(("a",), [1], f.seed), scores=[80 + n]) for n, f in enumerate(arena.schedule(plan))}
    by_bot: dict[tuple[str, ...], arena.Sets] = {("a",): arena.complete_sets(plan, scores, ("a",))}
    assert solo_sheet(by_bot).rows[0][:5] == ("a", "4", "81.5", "80.2 to 82.8", "80")
    assert str(arena.Tally(("a",), scores.values())) == "a 81.5"


def test_alone_it_is_told_how_the_points_are_spread() -> None:
    plan = Plan("nova-luna", ("a", "b"), seats=1, games=3, seed="s")
    points = {"a": [89, 90, 112], "b": [99, 101, 109]}
    scores = {
        f: replace(result(f.bots, [1], f.seed), scores=[points[f.bots[0]][int(f.seed[-1]) - 1]])
        for f in arena.schedule(plan)
    }
    report = arena.report(plan, scores)
    assert report is not None
    assert report.sheets[1] == arena.Sheet(
        ("score", "a", "b"),
        [("80 to 89", "1", "0"), ("90 to 99", "1", "1"), ("100 to 109", "0", "2"), ("110 to 119", "1", "0")],
    )


# Refusing


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "chess"}, "no such game: 'chess'"),
        ({"bots": ("random", "genius")}, "no such bot for moon-leap: 'genius'"),
        ({"bots": ("random", "mcts:0")}, "no such bot for moon-leap: 'mcts:0'"),
        ({"bots": ("random",)}, "an arena is for two bots or more"),
        ({"bots": ("random", "greedy", "random")}, "a bot is named once, not twice: random"),
        ({"seats": 9}, "moon-leap is for 2 to 4 seats, not 9"),
        ({"options": {"speed": "high"}}, "moon-leap has no option 'speed'"),
        ({"games": 0}, "the number of matches is 1 or more, not 0"),
        ({"seed": " "}, "a seed is a line of text, not ' '"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_in_one_sentence(change: dict[str, object], reason: str) -> None:
    with pytest.raises(Refusal) as refusal:
        arena.main(replace(PLAN, **change))  # type: ignore[arg-type]
    assert str(refusal.value).startswith(reason)
    assert "\n" not in str(refusal.value)


def test_so_are_zero_processes() -> None:
    with pytest.raises(Refusal, match="the number of processes is 1 or more, not 0"):
        arena.main(PLAN, jobs=0)


def test_every_result_of_this_game_belongs_to_the_plan() -> None:
    fixture = Fixture("selene 1", ("greedy", "random"))
    found = arena.play(PLAN, fixture)
    assert found
    assert arena.belonging(PLAN, load("moon-leap"), [found]) == {fixture: found}
    assert arena.from_line(arena.to_line(found).encode()) == found
