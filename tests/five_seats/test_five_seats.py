"""Nothing counts on four seats: a game for five is searched, rated, reviewed and drawn."""

import io
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from rich.console import Console

from plenilune import Match, bots
from plenilune.bots import Budget, arena, review_report
from plenilune.bots.mcts import Search
from plenilune.core.drawing import COLOURS, SIGNS, mark, plain
from tests.play import finished

ROOT, SEATS, ROUNDS = Path(__file__).parents[2], 5, 10


def at_first_choice() -> Match:
    return Match("comets", SEATS, "halley")


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:300", "mcts:1"])
def test_a_bot_of_every_kind_knows_the_chances_of_five_seats(name: str) -> None:
    match = at_first_choice()
    thought = bots.load(name, match.game).think(match.game, match.seen_by(0), 0, seed=1)
    assert match.game.actions.text(thought.action) in match.legal()
    assert len(thought.values) == SEATS
    assert sum(thought.values) == pytest.approx(1)


def test_a_search_counts_what_it_finds_for_the_fifth_seat() -> None:
    """The fifth seat leads by far: so does what the search finds for it, in true simulations and in decoys."""
    match = at_first_choice()
    match.state.right[4] = 900
    search = Search(match.game, match.seen_by(0), 0, Budget(simulations=400), seed=1)
    assert search.conclude().values[4] > 0.9
    tree = search.trees[0]
    nodes = tree.nodes[: int(tree.scratch[0]["nodes_used"])]
    visits = nodes["visits"][nodes["statistics"] >= 0]
    values = tree.statistics["value_sum"][: int(tree.scratch[0]["statistics_used"])]
    assert values.shape[-1] == SEATS
    for kind in range(2):
        assert visits[:, kind].max() > 20
    assert values[..., 4].sum() > 0.9 * visits.sum()


def test_the_arena_seats_the_first_bot_five_times_and_rates_it() -> None:
    plan = arena.Plan("comets", ("greedy", "random"), seats=SEATS, games=10, seed="halley")
    results = [arena.play(plan, fixture) for fixture in arena.schedule(plan)]
    assert [r.bots.index("greedy") for r in results if r] == 2 * list(range(SEATS))
    found = arena.report(plan, {r.fixture: r for r in results if r})
    assert found is not None
    assert {rating.bot for rating in found.ratings} == {"greedy", "random"}


def test_a_review_prints_and_draws_a_curve_for_each_of_five_seats(tmp_path: Path) -> None:
    match, out, picture = finished(at_first_choice()), io.StringIO(), tmp_path / "curve.svg"
    remarks = review_report.main(match, "mcts:20", out=picture, console=Console(file=out, width=100))
    assert {remark.seat for remark in remarks} == set(range(SEATS))
    assert all(len(remark.after) == SEATS for remark in remarks)
    for seat in range(SEATS):
        assert f"{SIGNS[seat]} seat {seat + 1}: {ROUNDS} choices" in out.getvalue()
    titles = {title.text for title in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}title")}
    assert {f"seat {seat + 1}" for seat in range(SEATS)} <= titles


def test_five_players_sit_at_the_table_in_the_terminal() -> None:
    command = [sys.executable, "-m", "plenilune", "play", "comets", "--seats", "5", "--seed", "halley"]
    seated = [word for seat in range(1, SEATS + 1) for word in ("--bot", f"{seat}=random")]
    done = subprocess.run([*command, *seated], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"{SIGNS[4]} seat 5" in done.stdout


def test_many_more_seats_than_five_can_be_told_apart() -> None:
    marks = {mark(seat) for seat in range(len(SIGNS) * len(COLOURS))}
    assert len(marks) == len(SIGNS) * len(COLOURS)
    assert [plain(mark(seat)) for seat in range(len(SIGNS))] == list(SIGNS)


PLAIN = """
from plenilune.bots.review import review
from tests.five_seats import test_five_seats as here
for name in ("random", "greedy", "mcts:60"):
    here.test_a_bot_of_every_kind_knows_the_chances_of_five_seats(name)
here.test_the_arena_seats_the_first_bot_five_times_and_rates_it()
match = here.finished(here.at_first_choice())
print(len(list(review(match, here.Budget(simulations=4), seats=[4]))))
"""


def test_nothing_is_read_or_written_out_of_range() -> None:
    """Compiled code would not say so; plain Python does."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", PLAIN]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == ROUNDS
