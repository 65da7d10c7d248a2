"""Attacks a server the way a stranger would: `python -m benchmarks.attackers [--server URL] [--each N] [--seconds N]`.

Each attacker is a hostile client with a loopback address of its own, and counts what it attempted, what was refused,
and how often it did the harm that it is after. Meanwhile bystanders (`bystanders.py`) measure what an honest person
notices. Without `--server` a new server is attacked, with its limits as they come.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import itertools
import random
import resource
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec
import uvloop
from rich.console import Console
from rich.table import Table as Figures

from benchmarks.bystanders import Noticed, ready
from benchmarks.figures import spread
from benchmarks.wire import (
    PATIENCE,
    TEXT,
    Answer,
    Client,
    Live,
    Refused,
    Target,
    connected,
    finish,
    frame,
    handshake,
    read_head,
    request,
    source,
    wishes,
)
from plenilune.server.http.identity import MOST_KEYS
from plenilune.server.http.limits import CAPS, CROWD, LIMITS
from plenilune.server.http.transport import PATIENCE as DEADLINES
from plenilune.server.tables.audience import CHAT_SENT
from plenilune.server.tables.creation import MOST_UNFINISHED, MOST_WAITING_PUBLIC
from tests.server.running import Process

ATTACKERS = 66  # their addresses are 127.66.x.y
ADDRESSES = 16  # that each has to itself, though most use only one
MARGIN = 5.0  # seconds by which a deadline may be missed
READY = b"attacking\n"
BOT = "mcts:20000"  # the strongest that may be asked for


@dataclass
class Tally:
    """What attackers of one kind have done."""

    kind: str
    harm: str  # what counts as such
    attempts: int = 0
    refused: int = 0
    harmed: int = 0

    def add(self, other: Tally) -> None:
        self.attempts += other.attempts
        self.refused += other.refused
        self.harmed += other.harmed


class Attacker:
    """One hostile client. Subclasses say what an attempt is, and what counts as harm."""

    harm: ClassVar[str]
    pace: ClassVar[float] = 0.1  # seconds between two attempts
    budget: ClassVar[tuple[str, float] | None] = None  # the limit that it spends, and how many times a person's

    def __init__(self, target: Target, number: int) -> None:
        self.target, self.source = target, source(ATTACKERS, number * ADDRESSES)
        self.client = Client(target, self.source)
        self.tally = Tally(self.kind(), self.harm)
        self.random = random.Random(number)
        self.began = 0.0
        self._ids = itertools.count()

    @classmethod
    def kind(cls) -> str:
        """`HalfRequests` is called `half requests`."""
        return "".join(f" {c.lower()}" if c.isupper() else c for c in cls.__name__).strip()

    async def prepare(self) -> None:
        """Before the time runs."""
        await self.client.introduce("Mallory")

    async def attempt(self) -> None:
        raise NotImplementedError

    async def judge(self) -> None:
        """What can be told only at the end."""
        if self.budget:
            kind, factor = self.budget
            burst, rate = LIMITS[kind]
            allowed = factor * (burst + rate * (time.monotonic() - self.began)) + 1
            granted = self.tally.attempts - self.tally.refused
            self.tally.harmed = max(0, granted - int(allowed))

    async def run(self, seconds: float) -> None:
        self.began = time.monotonic()
        while time.monotonic() < self.began + seconds:
            with contextlib.suppress(Refused, OSError):
                await self.attempt()
            await asyncio.sleep(self.pace)
        await self.judge()

    def note(self, refused: bool, harmed: bool = False) -> None:
        self.tally.attempts += 1
        self.tally.refused += refused
        self.tally.harmed += harmed

    # What many of them do

    def new_id(self) -> str:
        return f"x{next(self._ids)}"

    async def guest(self, name: str = "Mallory") -> Client:
        """One more identity at the same address."""
        client = Client(self.target, self.source)
        await client.introduce(name)
        return client

    async def table(self, game: str, *seats: str, client: Client | None = None, **settings: Any) -> Any:
        """A new table, or None."""
        body = {"game": game, "seats": wishes(seats), "seating": "as_listed", **settings}
        answer = await (client or self.client).post("/api/tables", body)
        return answer.json() if answer.fine else None

    async def state(self, match: str, client: Client | None = None) -> Any:
        """As the seat to play sees it, if that may be."""
        client = client or self.client
        found = (await client.get(f"/api/tables/{match}/state")).json()
        if found.get("to_play", -1) >= 0 and not found["legal"]:
            seen = await client.get(f"/api/tables/{match}/state?viewer={found['to_play']}")
            return seen.json() if seen.fine else found
        return found

    async def play(self, match: str, ply: int, actions: Sequence[str], client: Client | None = None) -> Answer:
        body = {"kind": "play", "id": self.new_id(), "ply": ply, "actions": list(actions)}
        return await (client or self.client).post(f"/api/tables/{match}/play", body)

    async def finished(self) -> str:
        """A match that was played to its end."""
        made = await self.table("moon-leap", "me", "me")
        await finish(self.client, made["table"]["id"], self.random)
        return str(made["table"]["id"])


# Chance


class Foresight(Attacker):
    harm = "a refusal names what is legal after the roll that follows"
    match = ""

    async def attempt(self) -> None:
        """Have a list refused behind a roll, and see whether the refusal knew what was rolled then."""
        before = await self.state(self.match) if self.match else None
        if not before or not before.get("legal"):
            made = await self.table("moon-leap", "me", "me")
            self.match = made["table"]["id"] if made else ""
            return
        action = self.random.choice(before["legal"])
        refusal = await self.play(self.match, before["ply"], [action, "roll 1"])
        preview = {"kind": "preview", "id": "x", "ply": before["ply"], "actions": [action, "roll 1"]}
        previewed = await self.client.post(f"/api/tables/{self.match}/preview", preview)
        played = await self.play(self.match, before["ply"], [action])
        after = await self.state(self.match)
        rolled = played.fine and played.json()["ply"] > before["ply"] + 1
        if rolled and after.get("to_play") == before["to_play"] and after["legal"]:
            told = [answer.body.decode().replace(action, "").replace("roll 1", "") for answer in (refusal, previewed)]
            named = any(all(text in said for text in after["legal"]) for said in told)
            self.note(not refusal.fine, named)


class DailyRehearsals(Attacker):
    harm = "an attempt is ranked after the deal was rehearsed under other names"
    pace = 0.5

    async def attempt(self) -> None:
        client = await self.guest()
        begun = await client.post("/api/daily/nova-luna")
        if not begun.fine:
            return self.note(True)
        await finish(client, begun.json()["id"], self.random)
        deal = (await client.get("/api/daily/nova-luna")).json()
        client.close()
        ranked = any(rank["mine"] for rank in deal.get("ranking", []))
        return self.note(not ranked, ranked)


# Memory


class ChatFlood(Attacker):
    harm = f"a newcomer is sent more than {CHAT_SENT} lines"
    pace = 0.05
    match = ""

    async def prepare(self) -> None:
        self.speakers = [await self.guest() for _ in range(4)]
        made = await self.table("nova-luna", "me", "open", "open", "open", client=self.speakers[0])
        self.match = made["table"]["id"]
        for speaker in self.speakers[1:]:
            await speaker.post(f"/api/tables/{self.match}/join")

    async def attempt(self) -> None:
        speaker = self.random.choice(self.speakers)
        said = await speaker.post(f"/api/tables/{self.match}/say", {"text": "x" * 280})
        self.note(not said.fine)
        if self.tally.attempts % 20 == 0:
            live = await Live.open(speaker, f"/api/tables/{self.match}/live")
            welcome = await live.wait("welcome")
            live.close()
            self.tally.harmed += bool(welcome) and len(welcome["chat"]) > CHAT_SENT


class DeafSockets(Attacker):
    """Asks again and again what the board would look like after an action, and reads nothing."""

    harm = f"a socket that reads nothing is open after {DEADLINES['reader'] + MARGIN:.0f} s"
    pace = 0.02
    most = 5  # few enough that the limit on messages lets the server owe each of them more than buffers hold, at once

    async def prepare(self) -> None:
        await super().prepare()
        made = await self.table("via-nebula", "me", "me", "me", "me")
        self.match = made["table"]["id"]
        state = await self.state(self.match)
        preview = {"kind": "preview", "id": "x", "ply": state["ply"], "actions": state["legal"][:1]}
        self.request = frame(TEXT, msgspec.json.encode(preview))
        self.sockets: dict[socket.socket, float] = {}
        self.old: set[socket.socket] = set()  # open for too long, and counted

    async def attempt(self) -> None:
        if len(self.sockets) < self.most:
            await self._open()
        for deaf, since in list(self.sockets.items()):
            late = time.monotonic() - since > DEADLINES["reader"] + MARGIN
            if not _says(deaf, self.request):
                del self.sockets[deaf]
                self.old.discard(deaf)
                self.tally.refused += 1
            elif late and deaf not in self.old:
                self.old.add(deaf)
                self.tally.harmed += 1

    async def _open(self) -> None:
        loop, deaf = asyncio.get_running_loop(), socket.socket()
        deaf.setblocking(False)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.bind((self.source, 0))
        await loop.sock_connect(deaf, self.target)
        await loop.sock_sendall(deaf, handshake(self.target, f"/api/tables/{self.match}/live", self.client.key))
        self.tally.attempts += 1
        self.sockets[deaf] = time.monotonic()

    async def judge(self) -> None:
        for deaf in self.sockets:
            deaf.close()


def _says(deaf: socket.socket, data: bytes) -> bool:
    """Whether the connection is still there."""
    try:
        deaf.send(data)
    except BlockingIOError:
        pass  # the server does not read it either
    except OSError:
        return False
    return deaf.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0


# Computing time


class BotTables(Attacker):
    """As many strong bots as may be, on one's own."""

    harm = "a table of bots alone begins"
    pace = 0.5

    async def attempt(self) -> None:
        alone = await self.table("nova-luna", BOT, BOT, BOT, BOT)
        self.note(alone is None, alone is not None)
        made = await self.table("nova-luna", "me", BOT, BOT, BOT)
        if made:
            now = await self.state(made["table"]["id"])
            if now.get("legal"):
                await self.play(made["table"]["id"], now["ply"], now["legal"][:1])


class Hints(Attacker):
    harm = "more hints than the limit allows"
    budget = ("think", CROWD)
    people = 5

    async def prepare(self) -> None:
        self.lives: list[Live] = []
        for _ in range(self.people):
            client = await self.guest()
            made = await self.table("nova-luna", "me", "me", client=client)
            live = await Live.open(client, f"/api/tables/{made['table']['id']}/live")
            await live.wait("update")
            self.lives.append(live)

    async def attempt(self) -> None:
        live, id = self.random.choice(self.lives), self.new_id()
        live.say("hint", id=id, seconds=10)
        while (answer := await live.wait("hinted", "refused", patience=10)) and answer["id"] != id:
            pass
        self.note(not answer or answer["kind"] == "refused")


class Reviews(Attacker):
    """Asks for reviews and goes away once they have begun."""

    harm = "more reviews than the limit allows"
    budget = ("think", 1)
    pace = 0.2

    async def prepare(self) -> None:
        await super().prepare()
        self.matches = [await self.finished() for _ in range(3)]

    async def attempt(self) -> None:
        reader, writer = await connected(self.target, self.source)
        path = f"/api/tables/{self.random.choice(self.matches)}/review"
        writer.write(request("GET", path, self.target, None, self.client.key))
        with contextlib.suppress(EOFError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                status, _ = await read_head(reader)
                self.note(status != 200)
                await asyncio.sleep(2)
        writer.close()


class Histories(Attacker):
    harm = "more histories than the limit allows"
    budget = ("think", 1)
    pace = 0.05

    async def prepare(self) -> None:
        await super().prepare()
        self.match = await self.finished()

    async def attempt(self) -> None:
        answer = await self.client.get(f"/api/tables/{self.match}/history")
        self.note(not answer.fine)


# Connections


class Line(asyncio.Protocol):
    """A connection that says as little as may be."""

    def __init__(self, lines: dict[Line, float], first: bytes) -> None:
        self._lines, self._first = lines, first

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.Transport = transport
        self._lines[self] = time.monotonic()
        transport.write(self._first)

    def connection_lost(self, error: Exception | None) -> None:
        self._lines.pop(self, None)


class Held(Attacker):
    """Opens connections and keeps them, with as little effort as may be."""

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


# The lobby


class LobbySpam(Attacker):
    """Public tables under several names."""

    harm = "more tables from one address on the lobby's first page than its quota"
    people = 20

    async def prepare(self) -> None:
        self.clients = [await self.guest() for _ in range(self.people)]
        self.made: set[str] = set()

    async def attempt(self) -> None:
        client = self.random.choice(self.clients)
        made = await self.table("moon-leap", "me", "open", client=client, public=True)
        if made:
            self.made.add(made["table"]["id"])
        page = (await client.get("/api/lobby")).json().get("open", [])
        mine = sum(row["id"] in self.made for row in page)
        self.note(not made, mine > MOST_WAITING_PUBLIC)


class LobbyWatchers(Attacker):
    """Watches the lobby with many sockets, and has it change."""

    harm = "a change costs more than 8 kB for each who watches"
    people = 4
    pace = 1.0
    match = ""

    async def prepare(self) -> None:
        await super().prepare()
        self.watching = [await Live.open(await self.guest(), "/api/lobby/live") for _ in range(self.people)]
        for live in self.watching:
            await live.wait("lobby")

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", public=True)
        if not made:
            return self.note(True)
        for live in self.watching:
            before = live.received
            if await live.wait("lobby", "lobby_changes", patience=5):
                self.note(False, live.received - before > 8_000)
        await self.client.post(f"/api/tables/{made['table']['id']}/leave")
        return None


# Storage


class GuestFlood(Attacker):
    harm = "more guests than the limit allows"
    budget = ("guest", CROWD)
    pace = 0.02

    async def attempt(self) -> None:
        answer = await self.client.ask("POST", "/api/me", {"name": "Mallory"}, key="")
        self.note(not answer.fine)


class TableFlood(Attacker):
    harm = "more tables than the limit allows, or than one person may have unfinished"
    budget = ("table", 1)
    pace = 0.02

    async def attempt(self) -> None:
        self.note(await self.table("moon-leap", "me", "open") is None)

    async def judge(self) -> None:
        await super().judge()
        unfinished = self.tally.attempts - self.tally.refused
        self.tally.harmed = max(self.tally.harmed, unfinished - MOST_UNFINISHED)


class KeyFlood(Attacker):
    harm = f"one person has more than {MOST_KEYS} keys"

    async def attempt(self) -> None:
        answer = await self.client.post("/api/me", {"name": "Mallory", "key": True})
        granted = 1 + self.tally.attempts - self.tally.refused
        self.note(not answer.fine, answer.fine and granted > MOST_KEYS)


# What is no message


class Malformed(Attacker):
    harm = "an answer that is an error of the server, or none at all"
    pace = 0.05
    match = ""

    async def prepare(self) -> None:
        await super().prepare()
        self.match = (await self.table("moon-leap", "me", "me"))["table"]["id"]
        self.requests = itertools.cycle(self._requests())

    async def attempt(self) -> None:
        data = next(self.requests)
        reader, writer = await connected(self.target, self.source)
        writer.write(data)
        status = 0
        with contextlib.suppress(EOFError, OSError, ValueError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                status, _ = await read_head(reader)
        writer.close()
        self.note(400 <= status < 500 or status == 503, status == 0 or status == 500)

    def _requests(self) -> Iterator[bytes]:
        where = f"/api/tables/{self.match}"
        paths = ["/%00", "/" + "a" * 5_000, "/" + "a" * 100_000, "/%ff%fe", "/..%2f..%2fetc/passwd", f"{where}/%00"]
        paths += ["/api/daily/%00", "/api/daily/nova-luna?day=%00", f"{where}/history?first=99999999999", "/\\"]
        for path in paths:
            yield request("GET", path, self.target, None, self.client.key)
        bodies = [b"[" * 20_000, b'{"name": ' * 5_000, b"\xff\xfe", b'{"name": "\\ud800"}', b"null", b"1e999", b"{"]
        bodies += [b'{"name": "' + b"x" * 200_000 + b'"}', b'{"name": "\\u0000"}', b'{"game": "../../x", "seats": []}']
        for path, body in itertools.product(("/api/me", "/api/tables", f"{where}/play"), bodies):
            head = f"POST {path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {self.client.key}\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            yield head.encode() + body
        yield b"GET / HTTP/1.1\r\nHost: here\r\nX: " + b"a" * 100_000 + b"\r\n\r\n"
        yield b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"
        yield b"GET /api/health HTTP/1.1\r\nHost: \xff\r\n\r\n"


class MessageFlood(Attacker):
    """Every message that is answered, as fast as it can be said."""

    harm = "more messages are answered than the limit allows"
    budget = ("message", 1)
    pace = 0.05
    many = 20  # at once

    async def prepare(self) -> None:
        await super().prepare()
        made = await self.table("via-nebula", "me", "me")
        self.path = f"/api/tables/{made['table']['id']}/live"
        self.live: Live | None = None

    async def attempt(self) -> None:
        if self.live is None:
            self.live = await Live.open(self.client, self.path)
            await self.live.wait("update")
        for _ in range(self.many):
            self.live.write(frame(TEXT, self._message()))
        for _ in range(self.many):
            answer = await self.live.wait("pong", "previewed", "update", "refused", patience=5)
            self.note(not answer or answer.get("reason") == "too_often")
            if answer is None:  # closed for flooding
                self.live.close()
                self.live = None
                return

    def _message(self) -> bytes:
        kinds: list[dict[str, Any]] = [
            {"kind": "ping", "id": self.new_id()},
            {"kind": "preview", "id": self.new_id(), "ply": 0, "actions": ["fly home"] * 64},
            {"kind": "resync"},
        ]
        return msgspec.json.encode(self.random.choice(kinds))


class RequestFlood(Attacker):
    """Requests as fast as they are answered."""

    harm = "more requests are answered than the limit allows"
    budget = ("ask", 1)
    pace = 0.005

    async def attempt(self) -> None:
        answer = await self.client.get("/api/lobby")
        self.note(not answer.fine)


# Turns and clocks


class ClockRefills(Attacker):
    """Leaves and comes back when little time is left."""

    harm = "a clock shows more time after leaving and coming back"

    async def prepare(self) -> None:
        self.client, self.other = await self.guest(), await self.guest()

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", clock={"kind": "bank", "bank": 5})
        if not made:
            return self.note(True)
        match = made["table"]["id"]
        joined = (await self.other.post(f"/api/tables/{match}/join")).json()
        mine = joined.get("to_play")
        player = self.client if mine == 0 else self.other
        await asyncio.sleep(1)
        left = await player.post(f"/api/tables/{match}/leave")
        back = await player.post(f"/api/tables/{match}/return")
        after = (await player.get(f"/api/tables/{match}")).json()
        bank = (after.get("clocks") or {"left": {}})["left"]
        self.note(not (left.fine and back.fine), left.fine and back.fine and bank[mine] > 5_000)
        await self.client.post(f"/api/tables/{match}/resign")
        return None


class PlayingAfterResigning(Attacker):
    harm = "whoever has resigned plays on"

    async def prepare(self) -> None:
        self.client, self.other = await self.guest(), await self.guest()

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", "greedy")
        if not made:
            return self.note(True)
        match = made["table"]["id"]
        await self.other.post(f"/api/tables/{match}/join")
        now = await self.state(match)
        if now.get("legal"):
            await self.client.post(f"/api/tables/{match}/resign")
            await self.client.post(f"/api/tables/{match}/return")
            answer = await self.play(match, now["ply"], now["legal"][:1])
            self.note(not answer.fine, answer.fine)
        for client in (self.client, self.other):
            await client.post(f"/api/tables/{match}/resign")
        return None


class RematchWithoutConsent(Attacker):
    harm = "a rematch begins that the opponent has not accepted"

    async def prepare(self) -> None:
        self.client, self.other = await self.guest(), await self.guest()

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", clock={"kind": "bank", "bank": 60})
        if not made:
            return self.note(True)
        match = made["table"]["id"]
        await self.other.post(f"/api/tables/{match}/join")
        await self.client.post(f"/api/tables/{match}/resign")
        rematch = await self.client.post(f"/api/tables/{match}/rematch")
        begun = rematch.fine and rematch.json()["status"] == "playing"
        self.note(not begun, begun)
        if rematch.fine:
            for client in (self.client, self.other):
                await client.post(f"/api/tables/{rematch.json()['id']}/{'resign' if begun else 'leave'}")
        return None


class StrongStandIns(Attacker):
    """Leaves a table without hints, to have a strong bot play."""

    harm = "the stand-in is stronger than the weakest bot"

    async def prepare(self) -> None:
        self.client, self.other = await self.guest(), await self.guest()

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", hints=False, stand_in="mcts:2000")
        if not made:
            return self.note(True)
        match = made["table"]["id"]
        await self.other.post(f"/api/tables/{match}/join")
        left = await self.client.post(f"/api/tables/{match}/leave")
        bots = [seat["bot"] for seat in left.json()["seats"]] if left.fine else []
        strong = "mcts:2000" in bots
        self.note(not strong, strong)
        await self.other.post(f"/api/tables/{match}/resign")
        return None


class FriendsSeats(Attacker):
    """Takes the seat that a friend has left, with nothing but the table's address."""

    harm = "a stranger sits down at a seat that was held for a friend"

    async def prepare(self) -> None:
        self.client, self.other, self.stranger = [await self.guest() for _ in range(3)]

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "friend", "friend")
        if not made:
            return self.note(True)
        join = f"/api/tables/{made['table']['id']}/join"
        await self.other.post(join, {"secret": made["invites"][0]["secret"]})
        await self.other.post(f"/api/tables/{made['table']['id']}/leave")
        taken = await self.stranger.post(join)
        self.note(not taken.fine, taken.fine)
        for client in (self.client, self.stranger):
            await client.post(f"/api/tables/{made['table']['id']}/leave")
        return None


# Who one is


class InvisibleNames(Attacker):
    harm = "a name that cannot be seen is accepted"
    pace = 1.0

    async def prepare(self) -> None:
        await super().prepare()
        self.names = itertools.cycle(["\u3164", "\u2800", "\uffa0", "\u115f", "\u200d", "\ufe0f", "\u034f", " "])

    async def attempt(self) -> None:
        answer = await self.client.post("/api/me", {"name": next(self.names)})
        self.note(not answer.fine, answer.fine)


class DeletedCredentials(Attacker):
    harm = "a key works after its owner was deleted"
    pace = 2.0

    async def attempt(self) -> None:
        client = await self.guest()
        deleted = await client.ask("DELETE", "/api/me")
        if not client.key or not deleted.fine:
            return self.note(True)
        known = (await client.get("/api/me")).json()["me"] is not None
        client.close()
        return self.note(not known, known)


class Metrics(Attacker):
    harm = "a stranger reads the operator's figures"
    pace = 1.0

    async def attempt(self) -> None:
        answer = await self.client.get("/metrics")
        self.note(not answer.fine, answer.fine)


def kinds(of: type[Attacker] = Attacker) -> list[type[Attacker]]:
    """Every kind that can be run, in the order of this file."""
    found = [of] if hasattr(of, "harm") else []
    return found + [kind for subclass in of.__subclasses__() for kind in kinds(subclass)]


# Attacking


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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attackers", description=__doc__)
    parser.add_argument("--server", default="", help="its address; a new one if there is none")
    parser.add_argument("--each", type=int, default=2, help="how many of each kind")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kinds", default="", help="only these, with commas between them")
    parser.add_argument("--json", action="store_true", help="attack only, and print what came of it for programs")
    asked = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if asked.json:
        chosen = [kind for kind in kinds() if not asked.kinds or kind.kind() in asked.kinds.split(",")]
        sys.stdout.buffer.write(
            msgspec.json.encode(uvloop.run(attack(asked.server, asked.each, asked.seconds, chosen)))
        )
        return
    with server(asked.server) as url:
        uvloop.run(only_attack(url, asked.each, asked.seconds, asked.kinds)).show(Console())


if __name__ == "__main__":
    main()
