"""Runs attackers of every kind against a server, with bystanders who measure what honest people notice."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Figures

from benchmarks.attackers import chance, computing, connections, identity, lobby, memory, messages, storage, turns
from benchmarks.attackers.attacker import Attacker, Tally
from benchmarks.bystanders import Noticed, ready
from benchmarks.figures import spread
from benchmarks.wire import Target
from tests.server.running import Process

READY = b"attacking\n"
MODULES = (chance, memory, computing, connections, lobby, storage, messages, turns, identity)


def kinds() -> list[type[Attacker]]:
    """Every kind that can be run, in the order of the modules."""
    return [kind for module in MODULES for kind in vars(module).values() if _is_kind(kind, module.__name__)]


def _is_kind(found: Any, module: str) -> bool:
    return (
        isinstance(found, type)
        and issubclass(found, Attacker)
        and found.__module__ == module
        and hasattr(found, "harm")
    )


class Report(msgspec.Struct):
    """What attackers did, and what bystanders noticed."""

    attacks: list[Tally] = []
    noticed: list[Noticed] = []

    def show(self, console: Console) -> None:
        attacks = Figures(title="Attacks")
        for column in ("kind", "attempts", "refused", "harmed"):
            attacks.add_column(column, justify="left" if column == "kind" else "right")
        for tally in self.attacks:
            attacks.add_row(tally.kind, f"{tally.attempts}", f"{tally.refused}", f"{tally.harmed}")
        noticed = Figures(title="What others noticed")
        for column in ("until", "times", "failed", "p50 / p99 / worst, ms"):
            noticed.add_column(column, justify="left" if column == "until" else "right")
        for one in self.noticed:
            noticed.add_row(one.what, f"{len(one.seconds)}", f"{one.failed}", spread(one.seconds))
        console.print(attacks, noticed)


async def attack(url: str, each: int, seconds: float, chosen: Sequence[type[Attacker]]) -> list[Tally]:
    """Run so many attackers of each kind side by side."""
    target = Target.at(url)
    attackers = [kind(target, n) for n, kind in enumerate(kind for kind in chosen for _ in range(each))]
    await asyncio.gather(*(attacker.prepare() for attacker in attackers))
    sys.stdout.buffer.write(READY)
    sys.stdout.flush()
    await asyncio.gather(*(attacker.run(seconds) for attacker in attackers))
    return [sum_up(kind, [a.tally for a in attackers if type(a) is kind]) for kind in chosen]


def sum_up(kind: type[Attacker], tallies: Sequence[Tally]) -> Tally:
    total = Tally(kind.kind(), kind.harm)
    for tally in tallies:
        total.add(tally)
    return total


@contextlib.asynccontextmanager
async def under_attack(url: str, each: int, seconds: float, chosen: str = "") -> AsyncIterator[Report]:
    """Attackers in a process of their own, and bystanders in this one, for so many seconds; the report is complete
    afterwards."""
    report = Report()
    if not each:
        yield report
        return
    command = ["--server", url, "--each", f"{each}", "--seconds", f"{seconds}", "--kinds", chosen, "--json"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.attackers", *command, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    try:
        bystanders = await ready(Target.at(url))
        assert await process.stdout.readline() == READY, "the attackers have not begun"
        watching = asyncio.gather(*(bystander.run(seconds) for bystander in bystanders))
        yield report
        await watching
        report.noticed = [bystander.noticed for bystander in bystanders]
        report.attacks = msgspec.json.decode(await process.stdout.read(), type=list[Tally])
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def only_attack(url: str, each: int, seconds: float, chosen: str) -> Report:
    async with under_attack(url, each, seconds, chosen) as report:
        pass
    return report


@contextlib.contextmanager
def server(url: str) -> Iterator[str]:
    """The one at that address, or a new one."""
    if url:
        yield url
        return
    with tempfile.TemporaryDirectory() as folder:
        process = Process("--data", folder, PLENILUNE_BOT_PAUSE="0")
        try:
            yield process.address
        finally:
            process.stop()
