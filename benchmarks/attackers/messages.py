"""Malformed messages, and too many."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

import msgspec

from benchmarks.attackers.attacker import Attacker
from benchmarks.wire import PATIENCE, TEXT, Live, connected, frame, read_head, request


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
