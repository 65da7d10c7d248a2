"""What `plenilune arena` does: play what is missing, show progress, print the tables and write the files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plenilune.bots.arena.match import Result, play_all, warm_up
from plenilune.bots.arena.plan import Fixture, Plan, check, schedule
from plenilune.bots.arena.results import belonging, recover, to_line
from plenilune.bots.arena.tables import Report, markdown, report
from plenilune.bots.chart import elo_chart, png
from plenilune.bots.pool import processes_for
from plenilune.bots.ratings import percent, win_share
from plenilune.core.drawing import FAINT, GOLD, is_terminal
from plenilune.core.errors import Refusal

if TYPE_CHECKING:
    from rich.console import Console

MATCHES, TABLE, CHART, PIXELS = "matches.jsonl", "table.md", "elo.svg", "elo.png"  # in the output folder


def main(plan: Plan, jobs: int | None = None, folder: Path | None = None, console: Console | None = None) -> int:
    """Play what the folder does not have yet, print the tables, and keep everything there."""
    from rich.console import Console

    console = console or Console()
    game, jobs = check(plan), processes_for(jobs)
    done = belonging(plan, game, recover(folder / MATCHES)) if folder else {}
    todo = [fixture for fixture in schedule(plan) if fixture not in done]
    if done:
        say = f"Going on: {len(done):,} of {len(done) + len(todo):,} matches are in {folder}"
        console.print(say if todo else f"All {len(done):,} matches are in {folder}", highlight=False, soft_wrap=True)
    finished = _play_and_keep(plan, done, todo, jobs, folder)
    if not finished:
        kept = f"; the same command goes on with what is in {folder}" if folder else ""
        console.print(f"Stopped after {len(done):,} matches{kept}", highlight=False, soft_wrap=True)
    found = report(plan, done)
    if found is None:
        console.print("No set of matches is complete.")
    else:
        _print(found, console)
        if folder:
            _keep(found, folder, console)
    return 0 if finished else 130


def _play_and_keep(
    plan: Plan, done: dict[Fixture, Result], todo: Sequence[Fixture], jobs: int, folder: Path | None
) -> bool:
    """Add results to `done` and to the folder's file as they come; returns False after Ctrl-C."""
    if not todo:
        return True
    file = Path(os.devnull)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / MATCHES
    try:
        warm_up(plan)  # it may show its own progress
        with file.open("a", encoding="utf-8", newline="\n") as out, _progress(plan, done, len(todo)) as advance:
            for result in play_all(plan, todo, jobs):
                done[result.fixture] = result
                out.write(to_line(result))
                out.flush()
                advance(result)
    except KeyboardInterrupt:
        return False
    return True


@contextmanager
def _progress(plan: Plan, done: Mapping[Fixture, Result], more: int) -> Iterator[Any]:
    """A bar with the running score, where somebody looks on."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    hidden = not is_terminal(sys.stderr)
    tally = Tally(plan.bots, done.values())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        task = progress.add_task("getting ready", total=len(done) + more, completed=len(done))

        def advance(result: Result) -> None:
            tally.add(result)
            progress.update(task, advance=1, description=str(tally))

        yield advance


class Tally:
    """The running score: what each bot has won, or scored where it plays alone.

    >>> from types import SimpleNamespace as Some
    >>> str(Tally("ab", [Some(bots=["a", "b"], places=[2, 1]), Some(bots=["b", "a"], places=[1, 1])]))
    'b 75.0%  a 25.0%'
    """

    def __init__(self, bots: Sequence[str], results: Iterable[Result] = ()) -> None:
        self.sums, self.counts, self.alone = dict.fromkeys(bots, 0.0), dict.fromkeys(bots, 0), False
        for result in results:
            self.add(result)

    def add(self, r: Result) -> None:
        self.alone = len(r.bots) == 1
        for bot in set(r.bots):
            own = [seat for seat, name in enumerate(r.bots) if name == bot]
            self.counts[bot] += 1
            self.sums[bot] += r.scores[0] if self.alone else sum(win_share(r.places, seat) for seat in own)

    def __str__(self) -> str:
        means = {bot: self.sums[bot] / count for bot, count in self.counts.items() if count}
        best = sorted(means, key=lambda bot: -means[bot])
        return "  ".join(f"{bot} {means[bot]:.1f}" if self.alone else f"{bot} {percent(means[bot])}" for bot in best)


def _keep(found: Report, folder: Path, console: Console) -> None:
    (folder / TABLE).write_text(markdown(found), "utf-8")
    if not found.ratings:
        return
    chart, pixels = elo_chart(found.title, found.ratings), folder / PIXELS
    (folder / CHART).write_text(chart, "utf-8")
    try:
        pixels.write_bytes(png(chart))
    except Refusal as refusal:
        pixels.unlink(missing_ok=True)  # an older one would tell of fewer matches
        console.print(f"{pixels} is not there: {refusal}", highlight=False, markup=False, soft_wrap=True)


def _print(report: Report, console: Console) -> None:
    from rich.table import Table

    console.print(f"\n[bold {GOLD}]☾ {report.title}[/]\n", highlight=False)
    for sheet in report.sheets:
        table = Table(box=None, header_style=FAINT)
        for column in sheet.head:
            table.add_column(column, justify="left" if column in ("bot", "against") else "right")
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table, "", highlight=False)
