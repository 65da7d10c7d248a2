"""`plenilune review`: the remarks on a match, printed with the curve of chances to win."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plenilune.bots import mcts
from plenilune.bots.curve import chart, curve, drawn
from plenilune.bots.ratings import percent
from plenilune.bots.review import BEST, LOSSES, Remark, budget_of, review, summary
from plenilune.bots.thought import Budget
from plenilune.core.drawing import FAINT, GOLD, is_terminal, mark
from plenilune.core.errors import BadSetting
from plenilune.match import Match

if TYPE_CHECKING:
    from rich.console import Console


def main(
    match: Match, bot: str, seat: int | None = None, out: Path | None = None, console: Console | None = None
) -> list[Remark]:
    """Review the actions of all seats or of one, print the remarks and the curve, and draw it into `out`."""
    from rich.console import Console

    console = console or Console()
    budget = budget_of(bot, match.game)
    if seat is not None and seat not in range(match.seats):
        raise BadSetting(f"a seat is 1 to {match.seats}, not {seat + 1}")
    if out and not out.parent.is_dir():
        raise BadSetting(f"{out} cannot be written: there is no such folder")
    seats = range(match.seats) if seat is None else [seat]
    total = sum(actor in seats for actor in match.actors)
    if not total:
        raise BadSetting("nobody has played an action in this match yet")
    _warm_up(match, budget)
    with _progress(total) as advance:
        remarks = [advance(remark) for remark in review(match, budget, seats)]
    _print_remarks(remarks, console)
    _print_curve(match, remarks, console)
    for each in seats:
        console.print(f"{mark(each)} seat {each + 1}: {summary(remarks, each)}", highlight=False)
    if out:
        out.write_text(chart(match, remarks), "utf-8")
    return remarks


def _warm_up(match: Match, budget: Budget) -> None:
    """Have everything compiled or read from disk; that may show its own progress."""
    start = Match(match.game, match.seats, "any", **match.options)
    mcts.think(start.game, start.seen_by(start.to_play), start.to_play, budget, 0, stop=lambda: True)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not is_terminal(sys.stderr)
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        task = progress.add_task("thinking it over", total=total)

        def advance(remark: Remark) -> Remark:
            progress.update(task, advance=1)
            return remark

        yield advance


STYLES = {"??": "bold red", "?": "red", "?!": "yellow", BEST: "green", "": FAINT}


def _print_remarks(remarks: Sequence[Remark], console: Console) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, header_style=FAINT)
    for column, side in (("ply", "right"), ("", "left"), ("action", "left"), ("", "left"), ("wins", "right")):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    table.add_column("better")
    for r in remarks:
        style = STYLES[r.mark]
        better = "" if r.better == r.action else f"{escape(r.better)} [{FAINT}]+{percent(r.lost)}[/]"
        action = f"{mark(r.seat)} [{style if r.mark in LOSSES else 'default'}]{escape(r.action)}[/]"
        chance = f"[{FAINT}]{escape(', '.join(r.chance))}[/]"
        table.add_row(str(r.ply), chance, action, f"[{style}]{r.mark}[/]", percent(r.worth), better)
    console.print(table, highlight=False)


def _print_curve(match: Match, remarks: Sequence[Remark], console: Console) -> None:
    curves = [curve(match, remarks, seat) for seat in range(match.seats)]
    width = max(8, min(100, console.width - 20))
    console.print(f"\n[bold {GOLD}]Chances to win[/]", *drawn(curves, width, height=10), "", sep="\n", highlight=False)
