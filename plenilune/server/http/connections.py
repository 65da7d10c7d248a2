"""Connections: a websocket, or a stream of lines. Each has a queue of its own; a table never waits for a reader."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from plenilune.errors import Refusal
from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.http.bans import Bans
from plenilune.server.http.limits import LARGEST, Limits, address
from plenilune.server.http.online import Visit
from plenilune.server.protocol import NDJSON, ClientMessage
from plenilune.server.protocol.refusals import Denied, answer
from plenilune.server.storage.rows import Person
from plenilune.server.tables.audience import Watcher
from plenilune.server.tables.diff import encode
from plenilune.server.tables.lobby import Lobbies
from plenilune.server.tables.registry import Tables
from plenilune.server.tables.table import Table
from plenilune.server.thinking.fairness import Owner

# A reader who is further behind is dropped, and reconnects from the ply it has seen.
MOST_WAITING = 64  # messages
MOST_BYTES = 512 * 1024  # of them, except that one message may be of any size
TOO_SLOW = 4008
BANNED = 4003
CLOSING = 1012  # the server restarts
PULSE = 20.0  # seconds between two empty lines in a stream, so that a reader who has gone is noticed
decode = msgspec.json.Decoder(ClientMessage).decode


class Queue:
    """Messages that wait to be sent to one reader."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self.dropped = False
        self._last: bytes | None = None  # what a reader that is dropped is still sent
        self.closing = (TOO_SLOW, "too slow: come back from the ply you have seen")

    @property
    def empty(self) -> bool:
        return not self._waiting

    def put(self, message: bytes) -> None:
        if self._full(message):
            self.drop()
        elif not self.dropped:
            self._waiting.append(message)
            self._bytes += len(message)
            self._news.set()

    def end(self, last: bytes, code: int, why: str) -> None:
        """One last message, and the connection is closed."""
        self._last, self.closing = last, (code, why)
        self.drop()

    def _full(self, message: bytes) -> bool:
        waiting = len(self._waiting)
        return waiting >= MOST_WAITING or (waiting > 0 and self._bytes + len(message) > MOST_BYTES)

    def drop(self) -> None:
        self.dropped = True
        self._waiting.clear()
        self._bytes = 0
        self._news.set()

    async def get(self) -> bytes | None:
        """The next message; None for a reader that is dropped."""
        while not self._waiting and not self.dropped:
            self._news.clear()
            await self._news.wait()
        if self.dropped:
            last, self._last = self._last, None
            return last
        message = self._waiting.popleft()
        self._bytes -= len(message)
        return message


class Live:
    """Everybody who is connected to this process."""

    def __init__(self, tables: Tables, limits: Limits, bans: Bans) -> None:
        self.tables, self.limits, self.bans = tables, limits, bans
        self.sockets: set[WebSocket] = set()
        self.visits: set[Visit] = set()
        self.refused: Callable[[str], None] = lambda reason: None  # for the metrics
        bans.changed = self.end_banned

    def end_banned(self) -> None:
        """Disconnect whoever is banned."""
        for visit in list(self.visits):
            if denied := self.bans.find(visit.network, visit.person):
                visit.end(denied)

    def end_person(self, person: str) -> None:
        """Disconnect everything of theirs: one of their credentials is good no longer."""
        for visit in [visit for visit in self.visits if visit.person and visit.person.id == person]:
            visit.end(Denied("unknown_guest", "say who you are again: a credential of yours was revoked"))

    @contextlib.contextmanager
    def _visit(self, queue: Queue, person: Person | None, network: str, table: str | None) -> Iterator[None]:
        """For as long as somebody is connected."""

        def end(denied: Denied) -> None:
            queue.end(encode(answer(denied)), BANNED if denied.reason == "banned" else CLOSING, denied.reason)

        visit = Visit(person, network, table, end)
        self.visits.add(visit)
        if denied := self.bans.find(network, person):  # since the request was checked
            end(denied)
        try:
            yield
        finally:
            self.visits.discard(visit)

    async def table(
        self, socket: WebSocket, table: Table, person: Person | None, viewer: int | None, ply: int | None
    ) -> None:
        """A websocket at a table, until one of both closes it."""
        table.check_watching(person)
        queue = Queue()
        watcher = Watcher(person, queue.put)
        table.viewer(person, viewer)  # refused before anything is sent
        with self._visit(queue, person, address(socket), table.id):
            await self._at_table(socket, queue, table, watcher, viewer, ply)

    async def _at_table(
        self, socket: WebSocket, queue: Queue, table: Table, watcher: Watcher, viewer: int | None, ply: int | None
    ) -> None:
        async with self._open(socket, queue):
            table.audience.welcome(watcher, viewer, ply)
            self.tables.presence_changed(table)
            talk = _Talk(self, socket, queue, table, watcher)
            try:
                await talk.listen()
            finally:
                talk.hush()
                table.audience.goodbye(watcher)
                self.tables.presence_changed(table)

    async def lobby(self, socket: WebSocket, person: Person | None, lobbies: Lobbies) -> None:
        queue = Queue()
        watcher = Watcher(person, queue.put)
        first = await lobbies.lobby(person)
        with self._visit(queue, person, address(socket), None):
            async with self._open(socket, queue):
                await self._in_lobby(socket, queue, watcher, first, lobbies)

    async def _in_lobby(
        self, socket: WebSocket, queue: Queue, watcher: Watcher, first: protocol.Lobby, lobbies: Lobbies
    ) -> None:
        lobbies.enter(watcher, first)
        try:
            while not queue.dropped and (await socket.receive())["type"] != "websocket.disconnect":
                self.limits.check("message", socket, watcher.person)
        finally:
            lobbies.exit(watcher)

    @contextlib.asynccontextmanager
    async def _open(self, socket: WebSocket, queue: Queue) -> AsyncIterator[None]:
        await socket.accept()
        self.sockets.add(socket)
        sender = asyncio.create_task(_send_all(socket, queue))
        try:
            yield
        except (WebSocketDisconnect, Denied):
            pass
        finally:
            self.sockets.discard(socket)
            sender.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await sender

    async def stream(
        self, table: Table, person: Person | None, network: str, viewer: int, ply: int | None
    ) -> AsyncIterator[bytes]:
        """The same messages, one a line, until the match is over."""
        queue = Queue()
        with self._visit(queue, person, network, table.id):
            async for line in self._lines(queue, table, Watcher(person, queue.put), viewer, ply):
                yield line

    async def _lines(
        self, queue: Queue, table: Table, watcher: Watcher, viewer: int, ply: int | None
    ) -> AsyncIterator[bytes]:
        table.audience.welcome(watcher, viewer, ply)
        self.tables.presence_changed(table)
        try:
            while not (table.state.row.status == "over" and queue.empty):
                try:
                    message = await asyncio.wait_for(queue.get(), PULSE)
                except TimeoutError:
                    message = b""
                if message is None:
                    return
                yield message + b"\n"
        finally:
            table.audience.goodbye(watcher)
            self.tables.presence_changed(table)

    async def close(self) -> None:
        for socket in list(self.sockets):
            with contextlib.suppress(Exception):
                await socket.close(CLOSING)


class Lines(StreamingResponse):
    """A stream that counts as connected until it ends, even if it ends before its first line."""

    def __init__(
        self, lines: AsyncIterator[bytes], limits: Limits, request: HTTPConnection, person: Person | None
    ) -> None:
        super().__init__(lines, media_type=NDJSON)
        self._connected = contextlib.ExitStack()
        self._connected.enter_context(limits.connected(request, person))  # refuses one too many

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._connected:
            await super().__call__(scope, receive, send)


async def _send_all(socket: WebSocket, queue: Queue) -> None:
    while (message := await queue.get()) is not None:
        await socket.send({"type": "websocket.send", "text": message.decode()})
    await socket.close(*queue.closing)


class _Talk:
    """What is said over one websocket."""

    def __init__(self, live: Live, socket: WebSocket, queue: Queue, table: Table, watcher: Watcher) -> None:
        self.live, self.socket, self.queue, self.table, self.watcher = live, socket, queue, table, watcher
        self.hint: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        while True:
            received = await self.socket.receive()
            if received["type"] == "websocket.disconnect" or self.queue.dropped:
                return
            await self._hear(received.get("text") or received.get("bytes") or b"")

    async def _hear(self, said: str | bytes) -> None:
        id = None
        try:
            self.live.limits.check("message", self.socket, self.watcher.person)
            if len(said) > LARGEST:
                raise Denied("too_large", f"a message has at most {LARGEST} bytes")
            message = _read(said)
            id = getattr(message, "id", None)
            await ANSWERS[type(message)](self, message)
        except Refusal as refusal:
            refused = answer(refusal, id)
            self.live.refused(refused.reason)
            self.watcher.send(encode(refused))

    def _person(self) -> Person:
        if self.watcher.person is None:
            raise Denied("unknown_guest", "say who you are first: POST /api/me")
        return self.watcher.person

    async def play(self, asked: protocol.Play) -> None:
        await self.table.play(self._person(), asked, lambda played: self.watcher.send(encode(played)))

    async def preview(self, asked: protocol.Preview) -> None:
        self.watcher.send(encode(self.table.preview(self._person(), asked)))

    async def look(self, asked: protocol.Look) -> None:
        self.table.audience.look(self.watcher, asked.viewer)

    async def say(self, asked: protocol.Say) -> None:
        self.live.limits.check("say", self.socket, self.watcher.person)
        await self.table.say(self._person(), asked)

    async def resync(self, asked: protocol.Resync) -> None:
        self.table.audience.resync(self.watcher, asked.ply)

    async def ping(self, asked: protocol.Ping) -> None:
        self.watcher.send(encode(protocol.Pong(asked.id, now())))

    async def ask_hint(self, asked: protocol.Hint) -> None:
        self.live.limits.check("think", self.socket, self.watcher.person)
        seen = self.table.hint(self._person(), asked.actions)
        self.hush()
        game, row = self.table.state.game, self.table.state.row
        assert game
        owner = Owner(self.live.tables.network(address(self.socket)), self._person().id)
        hints = self.live.tables.thinkers.hints(owner, game, seen, row.to_play, asked.seconds, asked.id, row.ply)
        self.hint = asyncio.create_task(self._stream(hints, asked.id))

    async def _stream(self, hints: AsyncIterator[protocol.Hinted], id: str) -> None:
        try:
            async for hint in hints:
                self.watcher.send(encode(hint))
        except Refusal as refusal:
            self.watcher.send(encode(answer(refusal, id)))

    async def stop_hint(self, asked: protocol.StopHint) -> None:
        self.hush()

    def hush(self) -> None:
        if self.hint:
            self.hint.cancel()
            self.hint = None


ANSWERS: dict[type, Callable[[_Talk, Any], Any]] = {
    protocol.Play: _Talk.play,
    protocol.Preview: _Talk.preview,
    protocol.Look: _Talk.look,
    protocol.Hint: _Talk.ask_hint,
    protocol.StopHint: _Talk.stop_hint,
    protocol.Say: _Talk.say,
    protocol.Resync: _Talk.resync,
    protocol.Ping: _Talk.ping,
}


def _read(said: str | bytes) -> Any:
    try:
        return decode(said)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Denied("bad_request", f"not a message of the protocol: {error}") from error
