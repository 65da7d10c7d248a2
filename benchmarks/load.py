"""How much a server carries: `python -m benchmarks.load [--tables N] [--rate N] [--seconds N] [--postgresql]`.

Opens tables of four seats, each seat with a websocket of its own, and plays at random at all of them at a steady rate,
whether or not the server keeps up. Rules, views, limits and the database are the real ones: an action is on the disk
before anybody is told of it. Four people share a loopback address and play at ten tables, so nobody meets a limit.
With `--attackers N`, N attackers of each kind (`attackers/`) do their worst meanwhile, from addresses of their own.
Everything runs on this machine: the server, the players and the attackers.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import itertools
import os
import random
import resource
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import msgspec
import uvloop
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Figures

from benchmarks.attackers.harness import Report, under_attack
from benchmarks.figures import spread
from benchmarks.wire import CLOSE, PING, PONG, TEXT, Client, Target, frame, handshake, source, take_frame
from plenilune import load, names
from tests.server import postgres
from tests.server.running import Process

SEATS = 4
GAMES = [name for name in names() if SEATS in load(name).seats]
GROUP = 10  # tables at which the same four people sit: half the sockets that a person may have
PLAYERS = 10  # their addresses are 127.10.x.y
AT_ONCE = 24  # requests on their way while tables are opened
WARM_UP = 3.0  # seconds that do not count
SAFE = {"shared_buffers": "256MB", "max_connections": "60"}  # PostgreSQL as it comes: what it says is kept is kept


class Said(msgspec.Struct):
    """As much of a message as a player needs."""

    kind: str
    ply: int = 0
    legal: list[str] = []
    id: str = ""
    message: str = ""


read = msgspec.json.Decoder(Said).decode


class Socket(asyncio.Protocol):
    """A websocket with nothing to spare: eight thousand of them leave the machine to the server."""

    transport: asyncio.Transport

    def __init__(self, table: Table, seat: int, target: Target, key: str) -> None:
        self.table, self.seat, self.target, self.key = table, seat, target, key
        self.buffer = bytearray()
        self.open = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        path = f"/api/tables/{self.table.id}/live?viewer={self.seat}"
        transport.write(handshake(self.target, path, self.key))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open and not self._shake_hands():
            return
        while (found := take_frame(self.buffer)) is not None:
            opcode, payload = found
            if opcode == TEXT:
                self.table.hear(self, read(payload))
            elif opcode == PING:
                self.transport.write(frame(PONG, payload))
            elif opcode == CLOSE:
                self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self.table.load.lost += not self.table.load.over

    def _shake_hands(self) -> bool:
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return False
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"the server refuses a socket: {bytes(head[:200])!r}")
        self.buffer, self.open = bytearray(rest), True
        return True

    def say(self, message: Any) -> None:
        self.transport.write(frame(TEXT, msgspec.json.encode(message)))


@dataclass(eq=False)
class Table:
    load: Load
    id: str
    sockets: list[Socket] = field(default_factory=list)
    turn: tuple[Socket, int, list[str]] | None = None  # whose it is, the ply, and what may be played
    plies: list[int] = field(default_factory=lambda: [-1] * SEATS)  # that each seat has been shown
    asked: float = 0.0  # when the last action was; 0: it was answered and shown to everybody
    reached: int = 0  # the ply to be shown then
    acknowledged: bool = False

    def hear(self, socket: Socket, said: Said) -> None:
        if said.kind == "update":
            self.plies[socket.seat] = said.ply
            if said.legal:
                self.turn = (socket, said.ply, said.legal)
        elif said.kind == "played":
            self.reached, self.acknowledged = said.ply, True
            self.load.note(self.load.answered, self.asked)
        elif said.kind == "refused":
            raise SystemExit(f"the server refuses an action: {said.message}")
        else:
            return
        self._update()

    def _update(self) -> None:
        if self.asked and self.acknowledged and min(self.plies) >= self.reached:
            self.load.note(self.load.shown, self.asked)
            self.asked = 0.0
        if not self.asked and self.turn and min(self.plies) >= self.turn[1]:
            self.load.ready.append(self)

    def act(self, player: random.Random) -> None:
        assert self.turn
        (socket, ply, legal), self.turn = self.turn, None
        self.asked, self.acknowledged = time.perf_counter(), False
        action = player.choice(legal)
        socket.say({"kind": "play", "id": f"{ply}", "ply": ply, "actions": [action]})


class Load:
    def __init__(self, target: Target) -> None:
        self.target = target
        self._addresses, self._numbers = itertools.count(), itertools.count()
        self.tables: list[Table] = []
        self.ready: deque[Table] = deque()
        self.answered: list[float] = []  # seconds until an action was acknowledged
        self.shown: list[float] = []  # and until all four had been shown where it led
        self.counting = False
        self.idle = self.lost = 0
        self.over = False

    def note(self, figures: list[float], since: float) -> None:
        if self.counting:
            figures.append(time.perf_counter() - since)

    async def open(self, count: int, progress: Progress) -> None:
        task = progress.add_task("opening tables", total=count)
        gate = asyncio.Semaphore(AT_ONCE)

        async def household(tables: int) -> None:
            address = source(PLAYERS, next(self._addresses))
            async with gate:
                client = Client(self.target, address)
                keys = [await _guest(client, number) for number in range(SEATS)]
                for _ in range(tables):
                    self.tables.append(await self._table(client, keys))
                    progress.advance(task)
                client.close()

        sizes = [GROUP] * (count // GROUP) + [count % GROUP] * bool(count % GROUP)
        await asyncio.gather(*map(household, sizes))

    async def _table(self, client: Client, keys: list[str]) -> Table:
        wishes = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
        body = {"game": GAMES[next(self._numbers) % len(GAMES)], "seats": wishes, "seating": "as_listed"}
        made = await _ask(client, "/api/tables", body, keys[0])
        table = Table(self, made["table"]["id"])
        for key in keys[1:]:
            await _ask(client, f"/api/tables/{table.id}/join", {}, key)
        loop, target = asyncio.get_running_loop(), self.target
        for seat, key in enumerate(keys):
            make = functools.partial(Socket, table, seat, target, key)
            _, socket = await loop.create_connection(make, *target, local_addr=(client.source, 0))
            table.sockets.append(socket)
        return table

    async def all_ready(self) -> None:
        while len(self.ready) < len(self.tables):
            await asyncio.sleep(0.05)

    async def play(self, rate: float, seconds: float, progress: Progress) -> float:
        """Actions at a steady rate; returns how many a second were answered."""
        task, player = progress.add_task("playing", total=int(seconds)), random.Random(1)
        random.Random(2).shuffle(self.ready)
        began = due = time.perf_counter()
        counted = 0.0
        while (at := time.perf_counter()) < began + WARM_UP + seconds:
            if not self.counting and at >= began + WARM_UP:
                self.counting, counted = True, at
            progress.update(task, completed=int(max(0.0, at - began - WARM_UP)))
            while due <= at:
                due += 1 / rate
                if self.ready:
                    self.ready.popleft().act(player)
                else:
                    self.idle += 1
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        self.counting = False
        progress.update(task, completed=int(seconds))
        return len(self.answered) / (time.perf_counter() - counted)


async def _guest(client: Client, number: int) -> str:
    return str((await _ask(client, "/api/me", {"name": f"Guest {number}", "key": True}))["key"])


async def _ask(client: Client, path: str, body: Any, key: str = "") -> Any:
    answer = await client.ask("POST", path, body, key)
    if not answer.fine:
        raise SystemExit(f"the server refuses {path}: {answer.status} {answer.body[:200]!r}")
    return answer.json()


# The server, from outside


def memory(pid: int) -> float:
    """Megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def cpu(pid: int) -> float:
    """Seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def idle(pid: int) -> None:
    """Until the server has nothing to do."""
    before = -1.0
    while cpu(pid) - before > 0.05:
        before = cpu(pid)
        await asyncio.sleep(0.5)


def first_page(folder: Path) -> float:
    """Seconds from the command to the first page."""
    began = time.perf_counter()
    process = Process("--data", str(folder))
    try:
        httpx.get(process.address).raise_for_status()
        return time.perf_counter() - began
    finally:
        process.stop()


@contextmanager
def database(postgresql: bool) -> Iterator[str]:
    if not postgresql:
        yield ""
        return
    with mock.patch.dict(postgres.QUICK, SAFE, clear=True):
        cluster = postgres.Postgres()
    try:
        yield cluster.database("load")
    finally:
        cluster.stop()


# The figures


async def measure(
    process: Process, tables: int, rate: float, seconds: float, attackers: int, progress: Progress
) -> tuple[list[tuple[str, str]], Report]:
    pid = process.process.pid
    load = Load(Target.at(process.address))
    await load.open(GROUP, progress)
    await idle(pid)  # rules and searches have been read from the disk
    empty = memory(pid)
    await load.open(tables - GROUP, progress)
    await load.all_ready()
    await idle(pid)
    full = memory(pid)
    async with under_attack(process.address, attackers, WARM_UP + seconds) as report:
        used, at = cpu(pid), time.perf_counter()
        actions = await load.play(rate, seconds, progress)
        cores = (cpu(pid) - used) / (time.perf_counter() - at)
    load.over = True
    figures = [
        ("tables × sockets", f"{tables} × {SEATS} = {tables * SEATS}"),
        ("actions asked for / answered a second", f"{rate:.0f} / {actions:.0f}"),
    ]
    for name, found in (("acknowledged", load.answered), ("shown to all four", load.shown)):
        figures.append((f"until {name}: p50 / p99 / worst, ms", spread(found)))
    figures += [
        ("cores used by the server", f"{cores:.2f}"),
        ("tables per core", f"{tables / cores:.0f}"),
        ("memory: empty, full, afterwards, MB", f"{empty:.0f}, {full:.0f}, {memory(pid):.0f}"),
        ("memory per table, KB", f"{1024 * (full - empty) / (tables - GROUP):.0f}"),
        ("sockets lost, actions late because no table was free", f"{load.lost}, {load.idle}"),
    ]
    return figures, report


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=550, help="actions a second")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--attackers", type=int, default=0, help="of each kind, while it is measured")
    parser.add_argument("--postgresql", action="store_true", help="instead of SQLite")
    asked = parser.parse_args()
    if asked.tables <= GROUP:
        parser.error(f"more than {GROUP} tables, not {asked.tables}")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(database(asked.postgresql))
        first_page(folder)  # whatever has to be compiled is, and files are where the system finds them quickly
        start = first_page(folder)
        process = Process("--data", str(folder), *(["--database", url] if url else []))
        stack.callback(process.stop)
        progress = stack.enter_context(Progress(*columns, console=console))
        figures, report = uvloop.run(
            measure(process, asked.tables, asked.rate, asked.seconds, asked.attackers, progress)
        )
    table = Figures(
        title=f"{'PostgreSQL' if asked.postgresql else 'SQLite'}, load of the machine {os.getloadavg()[0]:.1f}"
    )
    table.add_column("")
    table.add_column("", justify="right")
    for name, figure in [("start to first page, warm, s", f"{start:.2f}"), *figures]:
        table.add_row(name, figure)
    console.print(table)
    if asked.attackers:
        report.show(console)


if __name__ == "__main__":
    main()
