"""How much a server carries: `python -m benchmarks.load [--tables N] [--rate N] [--seconds N] [--postgresql]`.

Opens tables of four seats, each seat with a websocket of its own, and plays at random at all of them at a steady rate,
whether or not the server keeps up. Rules, views and the database are the real ones: an action is on the disk before
anybody is told of it. Everything runs on this machine, the players too.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import random
import resource
import struct
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import httpx
import msgspec
import uvloop
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Figures

from tests.server import postgres
from tests.server.running import Process

SEATS = 4
GAMES = ("moon-leap", "nova-luna", "via-nebula")
GROUP = 20  # tables at which the same four people sit
AT_ONCE = 24  # requests on their way while tables are opened
WARM_UP = 3.0  # seconds that do not count
UNLIMITED = {"PLENILUNE_LIMITS": "off"}  # all of them come from one address
SAFE = {"shared_buffers": "256MB", "max_connections": "60"}  # PostgreSQL as it comes: what it says is kept is kept
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


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

    def __init__(self, table: Table, seat: int, host: str, key: str) -> None:
        self.table, self.seat, self.host, self.key = table, seat, host, key
        self.buffer = bytearray()
        self.open = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        lines = [
            f"GET /api/tables/{self.table.id}/live?viewer={self.seat} HTTP/1.1",
            f"Host: {self.host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            f"Authorization: Bearer {self.key}",
        ]
        transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open and not self._shake_hands():
            return
        while (frame := self._frame()) is not None:
            opcode, payload = frame
            if opcode == TEXT:
                self.table.hear(self, read(payload))
            elif opcode == PING:
                self._write(PONG, payload)
            elif opcode == CLOSE:
                self.table.load.lost += 1
                self.transport.close()

    def _shake_hands(self) -> bool:
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return False
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"the server refuses a socket: {bytes(head[:200])!r}")
        self.buffer, self.open = bytearray(rest), True
        return True

    def _frame(self) -> tuple[int, bytes] | None:
        buffer = self.buffer
        if len(buffer) < 2:
            return None
        size, start = buffer[1] & 127, 2
        if size > 125:
            start = 4 if size == 126 else 10
            if len(buffer) < start:
                return None
            size = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + size:
            return None
        frame = buffer[0] & 15, bytes(buffer[start : start + size])
        del buffer[: start + size]
        return frame

    def say(self, message: Any) -> None:
        self._write(TEXT, msgspec.json.encode(message))

    def _write(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        length = struct.pack(">B", 128 | size) if size < 126 else struct.pack(">BH", 254, size)
        self.transport.write(bytes([128 | opcode]) + length + b"\0\0\0\0" + payload)  # masked by nothing


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
        self._look_around()

    def _look_around(self) -> None:
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
    def __init__(self, address: str) -> None:
        self.address = address
        self.tables: list[Table] = []
        self.ready: deque[Table] = deque()
        self.answered: list[float] = []  # seconds until an action was acknowledged
        self.shown: list[float] = []  # and until all four had been shown where it led
        self.counting = False
        self.idle = self.lost = 0

    def note(self, figures: list[float], since: float) -> None:
        if self.counting:
            figures.append(time.perf_counter() - since)

    async def open(self, count: int, progress: Progress) -> None:
        task = progress.add_task("opening tables", total=count)
        gate = asyncio.Semaphore(AT_ONCE)
        limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
        async with httpx.AsyncClient(base_url=self.address, limits=limits, timeout=120) as http:
            groups = -(-count // GROUP)
            keys = [await asyncio.gather(*(_guest(http, n) for n in range(SEATS))) for _ in range(groups)]

            async def one(number: int) -> None:
                async with gate:
                    self.tables.append(await self._table(http, number, keys[number // GROUP]))
                    progress.advance(task)

            await asyncio.gather(*(one(number) for number in range(count)))

    async def _table(self, http: httpx.AsyncClient, number: int, keys: list[str]) -> Table:
        wishes = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
        body = {"game": GAMES[number % len(GAMES)], "seats": wishes}
        made = await _ask(http, "/api/tables", body, keys[0])
        table = Table(self, made["table"]["id"])
        for key in keys[1:]:
            await _ask(http, f"/api/tables/{table.id}/join", {}, key)
        url, loop = urlsplit(self.address), asyncio.get_running_loop()
        host, port = str(url.hostname), int(url.port or 80)
        for seat, key in enumerate(keys):
            make = lambda seat=seat, key=key: Socket(table, seat, url.netloc, key)  # noqa: E731
            _, socket = await loop.create_connection(make, host, port)
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


async def _guest(http: httpx.AsyncClient, number: int) -> str:
    return str((await _ask(http, "/api/me", {"name": f"Guest {number}", "key": True}))["key"])


async def _ask(http: httpx.AsyncClient, path: str, body: Any, key: str = "") -> Any:
    response = await http.post(path, json=body, headers={"authorization": f"Bearer {key}"} if key else {})
    response.raise_for_status()
    return response.json()


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
    process = Process("--data", str(folder), **UNLIMITED)
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


def percentile(figures: list[float], part: float) -> float:
    """In milliseconds."""
    ordered = sorted(figures) or [float("nan")]
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]


async def measure(
    process: Process, tables: int, rate: float, seconds: float, progress: Progress
) -> list[tuple[str, str]]:
    pid = process.process.pid
    load = Load(process.address)
    await load.open(GROUP, progress)
    await idle(pid)  # rules and searches have been read from the disk
    empty = memory(pid)
    await load.open(tables - GROUP, progress)
    await load.all_ready()
    await idle(pid)
    full, used, at = memory(pid), cpu(pid), time.perf_counter()
    actions = await load.play(rate, seconds, progress)
    cores = (cpu(pid) - used) / (time.perf_counter() - at)
    figures = [
        ("tables × sockets", f"{tables} × {SEATS} = {tables * SEATS}"),
        ("actions asked for / answered a second", f"{rate:.0f} / {actions:.0f}"),
    ]
    for name, found in (("acknowledged", load.answered), ("shown to all four", load.shown)):
        milliseconds = " / ".join(f"{percentile(found, part):.1f}" for part in (0.5, 0.99, 1.0))
        figures.append((f"until {name}: p50 / p99 / worst, ms", milliseconds))
    return [
        *figures,
        ("cores used by the server", f"{cores:.2f}"),
        ("tables per core", f"{tables / cores:.0f}"),
        ("memory: empty, full, MB", f"{empty:.0f}, {full:.0f}"),
        ("memory per table, KB", f"{1024 * (full - empty) / (tables - GROUP):.0f}"),
        ("sockets lost, actions late for want of a table", f"{load.lost}, {load.idle}"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=550, help="actions a second")
    parser.add_argument("--seconds", type=float, default=30)
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
        process = Process("--data", str(folder), *(["--database", url] if url else []), **UNLIMITED)
        stack.callback(process.stop)
        progress = stack.enter_context(Progress(*columns, console=console))
        figures = uvloop.run(measure(process, asked.tables, asked.rate, asked.seconds, progress))
    table = Figures(
        title=f"{'PostgreSQL' if asked.postgresql else 'SQLite'}, load of the machine {os.getloadavg()[0]:.1f}"
    )
    table.add_column("")
    table.add_column("", justify="right")
    for name, figure in [("start to first page, warm, s", f"{start:.2f}"), *figures]:
        table.add_row(name, figure)
    console.print(table)


if __name__ == "__main__":
    main()
