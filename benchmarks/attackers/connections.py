"""Attacks on connections and sockets."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import time
from typing import Any

from benchmarks.attackers.attacker import MARGIN, Attacker
from benchmarks.wire import Live, Refused
from plenilune.server.http.limits import CAPS
from plenilune.server.http.transport import PATIENCE as DEADLINES


class Line(asyncio.Protocol):
    """A connection that sends as little as possible."""

    def __init__(self, lines: dict[Line, float], first: bytes) -> None:
        self._lines, self._first = lines, first

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport
        self._lines[self] = time.monotonic()
        transport.write(self._first)

    def connection_lost(self, error: Exception | None) -> None:
        self._lines.pop(self, None)


class Held(Attacker):
    """Opens connections and keeps them, with as little effort as possible."""

    pace = 0.02
    first = b""  # sent at once
    then = b""  # sent from time to time
    patience = DEADLINES["head"]
    most = 600  # open at the same time, of one attacker

    async def prepare(self) -> None:
        self.lines: dict[Line, float] = {}  # that are open, and since when; the oldest first
        self.old: set[Line] = set()  # open for too long, and counted

    async def attempt(self) -> None:
        if len(self.lines) < self.most:
            await self._open()
        if self.then and self.lines:
            self.random.choice(list(self.lines)).transport.write(self.then)
        self.tally.refused = self.tally.attempts - len(self.lines)
        self._count_harm()

    async def _open(self) -> None:
        self.tally.attempts += 1
        make, loop = functools.partial(Line, self.lines, self.first), asyncio.get_running_loop()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(5):
                await loop.create_connection(make, *self.target, local_addr=(self.source, 0))

    def _count_harm(self) -> None:
        for line in self._open_for(self.patience + MARGIN) - self.old:
            self.old.add(line)
            self.tally.harmed += 1

    def _open_for(self, seconds: float) -> set[Line]:
        before = time.monotonic() - seconds
        return set(itertools.takewhile(lambda line: self.lines[line] < before, self.lines))

    async def judge(self) -> None:
        for line in list(self.lines):
            line.transport.abort()


class IdleConnections(Held):
    harm = f"a connection that says nothing is open after {DEADLINES['head'] + MARGIN:.0f} s"


class HalfRequests(Held):
    harm = f"half a request is waited for longer than {DEADLINES['head'] + MARGIN:.0f} s"
    first, then = b"GET /api/health HTTP/1.1\r\nHost: ", b"a"


class SlowBodies(Held):
    harm = f"a body is waited for longer than {DEADLINES['body'] + MARGIN:.0f} s"
    first = b"POST /api/me HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n"
    then = b" "
    patience = DEADLINES["body"]


class ConnectionFlood(Held):
    """Opens them faster than they are closed for waiting."""

    harm = f"more than {CAPS['connection']} connections are open from one address"
    pace = 0.005

    def _count_harm(self) -> None:
        # One that is refused is told why before it is closed, a second later.
        self.tally.harmed = max(self.tally.harmed, len(self._open_for(MARGIN)) - CAPS["connection"])


class SocketFlood(Attacker):
    """Opens websockets and keeps them."""

    harm = f"more than {CAPS['address']} websockets are open from one address"
    people = 8

    async def prepare(self) -> None:
        self.clients = [await self.guest() for _ in range(self.people)]
        self.lives: list[Live] = []

    async def attempt(self) -> None:
        if len(self.lives) > 3 * CAPS["address"]:
            return
        try:
            self.lives.append(await Live.open(self.random.choice(self.clients), "/api/lobby/live"))
        except Refused:
            return self.note(True)
        return self.note(False, len(self.lives) > CAPS["address"])

    async def judge(self) -> None:
        for live in self.lives:
            live.close()
