"""Clients with little overhead, each from a loopback address of its own, so that limits by address hold for each.

On Linux every address of 127.0.0.0/8 can be the source of a connection; elsewhere they must be set up first.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
PATIENCE = 30.0  # seconds for an answer
LARGEST_HEAD = 64 * 1024  # bytes of an answer's head


class Target(NamedTuple):
    """The server."""

    host: str
    port: int

    @classmethod
    def at(cls, url: str) -> Target:
        parts = urlsplit(url)
        return cls(str(parts.hostname), int(parts.port or 80))


def source(group: int, number: int) -> str:
    """A loopback address.

    >>> source(10, 0), source(10, 300)
    ('127.10.0.1', '127.10.1.45')
    """
    return f"127.{group}.{(number + 1) >> 8}.{(number + 1) & 255}"


class Answer(NamedTuple):
    status: int
    body: bytes

    @property
    def fine(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def reason(self) -> str:
        """Of a refusal, as the protocol names it."""
        try:
            return str(self.json()["reason"])
        except (msgspec.DecodeError, KeyError, TypeError):
            return ""


NOTHING = Answer(0, b"")  # the connection was refused or closed before there was an answer


class Client:
    """Requests one after the other over a connection that is kept open."""

    def __init__(self, target: Target, source: str, key: str = "") -> None:
        self.target, self.source, self.key = target, source, key
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """The answer; NOTHING if there was none. A kept connection may have been closed meanwhile: then once more."""
        again = self._streams is not None
        answer = await self._ask(method, path, body, self.key if key is None else key)
        if answer is NOTHING and again:
            return await self._ask(method, path, body, self.key if key is None else key)
        return answer

    async def get(self, path: str) -> Answer:
        return await self.ask("GET", path)

    async def post(self, path: str, body: Any = None) -> Answer:
        return await self.ask("POST", path, {} if body is None else body)

    async def _ask(self, method: str, path: str, body: Any, key: str) -> Answer:
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await self._connected()
                writer.write(request(method, path, self.target, body, key))
                answer, closes = await read_answer(reader)
        except (OSError, EOFError, ValueError, TimeoutError):
            self.close()
            return NOTHING
        if closes:
            self.close()
        return answer

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await connected(self.target, self.source)
        return self._streams

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None

    async def introduce(self, name: str) -> Answer:
        """Become a guest, and go on as that."""
        answer = await self.ask("POST", "/api/me", {"name": name, "key": True}, key="")
        self.key = answer.json()["key"] if answer.fine else ""
        return answer


async def connected(target: Target, source: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(*target, local_addr=(source, 0), limit=LARGEST_HEAD)


def request(method: str, path: str, target: Target, body: Any = None, key: str = "") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {target.host}:{target.port}"]
    lines += [f"Authorization: Bearer {key}"] * bool(key)
    data = b"" if body is None else msgspec.json.encode(body)
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode() + data


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status, and the headers by their names in small letters."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = [line.partition(":") for line in lines[1:] if line]
    return int(lines[0].split()[1]), {name.lower(): value.strip() for name, _, value in headers}


async def read_answer(reader: asyncio.StreamReader) -> tuple[Answer, bool]:
    """The answer, and whether the server closes the connection after it."""
    status, headers = await read_head(reader)
    if "chunked" in headers.get("transfer-encoding", ""):
        body = b""
        while chunk := await read_chunk(reader):
            body += chunk
    else:
        body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Answer(status, body), headers.get("connection", "") == "close"


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    """The next one of a streamed answer; nothing at its end."""
    size = int(await reader.readuntil(b"\r\n"), 16)
    return (await reader.readexactly(size + 2))[:size]


# Websockets


class Refused(Exception):
    """The server opens no websocket."""

    def __init__(self, status: int) -> None:
        super().__init__(f"a websocket was refused with status {status}")
        self.status = status


def handshake(target: Target, path: str, key: str = "") -> bytes:
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {target.host}:{target.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
    ]
    lines += [f"Authorization: Bearer {key}"] * bool(key)
    return "\r\n".join([*lines, "", ""]).encode()


def frame(opcode: int, payload: bytes) -> bytes:
    """Masked by nothing, which costs nothing."""
    size = len(payload)
    if size < 126:
        length = struct.pack(">B", 128 | size)
    elif size < 65536:
        length = struct.pack(">BH", 128 | 126, size)
    else:
        length = struct.pack(">BQ", 128 | 127, size)
    return bytes([128 | opcode]) + length + b"\0\0\0\0" + payload


def take_frame(buffer: bytearray) -> tuple[int, bytes] | None:
    """The next frame's opcode and payload, if it has arrived; it is taken from the buffer."""
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
    found = buffer[0] & 15, bytes(buffer[start : start + size])
    del buffer[: start + size]
    return found


class Live:
    """A websocket that is read message by message."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._buffer = bytearray()
        self.received = 0  # bytes

    @classmethod
    async def open(cls, client: Client, path: str) -> Live:
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await connected(client.target, client.source)
                writer.write(handshake(client.target, path, client.key))
                status, _ = await read_head(reader)
        except (OSError, EOFError, ValueError, TimeoutError):
            raise Refused(0) from None
        if status != 101:
            writer.close()
            raise Refused(status)
        return cls(reader, writer)

    def say(self, kind: str, **fields: Any) -> None:
        self.write(frame(TEXT, msgspec.json.encode({"kind": kind, **fields})))

    def write(self, data: bytes) -> None:
        if not self._writer.is_closing():
            self._writer.write(data)

    async def drain(self) -> None:
        """Wait until the server has taken what was said."""
        await self._writer.drain()

    async def data(self) -> bytes | None:
        """The next message; None at the end."""
        try:
            while True:
                while found := take_frame(self._buffer):
                    opcode, payload = found
                    if opcode in (TEXT, BINARY):
                        return payload
                    if opcode == CLOSE:
                        self.close()
                        return None
                    if opcode == PING:
                        self.write(frame(PONG, payload))
                received = await self._reader.read(65536)
                if not received:
                    return None
                self.received += len(received)
                self._buffer += received
        except OSError:
            return None

    async def next(self, patience: float = PATIENCE) -> Any:
        """The next message as plain data; None at the end or when none comes in time."""
        try:
            async with asyncio.timeout(patience):
                data = await self.data()
        except TimeoutError:
            return None
        return None if data is None else msgspec.json.decode(data)

    async def wait(self, *kinds: str, patience: float = PATIENCE) -> Any:
        """The next message of one of the kinds, or None."""
        try:
            async with asyncio.timeout(patience):
                while (message := await self.next()) is not None:
                    if message["kind"] in kinds:
                        return message
        except TimeoutError:
            pass
        return None

    def close(self) -> None:
        self._writer.close()


# At tables


def wishes(seats: Sequence[str]) -> list[dict[str, str]]:
    """Seats as the protocol says them, from `me`, `friend`, `open` or a bot's name."""
    return [{"kind": word} if word in ("me", "friend", "open") else {"kind": "bot", "bot": word} for word in seats]


async def finish(client: Client, match: str, player: random.Random) -> None:
    """Play at random until the match is over."""
    live = await Live.open(client, f"/api/tables/{match}/live")
    update = await live.wait("update")
    while update and update["to_play"] >= 0:
        if update["legal"]:
            action = player.choice(update["legal"])
            live.say("play", id=f"{update['ply']}", ply=update["ply"], actions=[action])
        answer = await live.wait("update", "refused")
        if answer and answer["kind"] == "refused":
            await asyncio.sleep(1)
        else:
            update = answer
    live.close()
