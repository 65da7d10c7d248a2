"""Connections: websockets and streams of lines. Each has a queue of its own, so a table never waits for a reader."""

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

from plenilune.core.errors import Refusal
from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.http.bans import Bans
from plenilune.server.http.limits import LARGEST, Limits, address
from plenilune.server.http.online import Visit
from plenilune.server.http.protocols import SEND_AT_ONCE
from plenilune.server.protocol import NDJSON, ClientMessage
from plenilune.server.protocol.encoding import encode
from plenilune.server.protocol.refusals import Denied, answer
from plenilune.server.storage.rows import Person
from plenilune.server.tables import decide, shown
from plenilune.server.tables.audience import Watcher
from plenilune.server.tables.lobby import Lobbies
from plenilune.server.tables.processes import Processes
from plenilune.server.tables.server_secrets import ServerSecrets
from plenilune.server.tables.table import Table
from plenilune.server.thinking.fairness import Owner
from plenilune.server.thinking.thinkers import Thinkers

# A reader that falls further behind is disconnected, and reconnects from the ply it has seen.
MOST_WAITING = 64  # messages
MOST_BYTES = 512 * 1024  # in all; a single message may be larger
TOO_SLOW = 4008
BANNED = 4003
CLOSING = 1012  # the server is restarting
PULSE = 20.0  # seconds between empty lines in a stream, which reveal that a reader has gone
decode = msgspec.json.Decoder(ClientMessage).decode


class Queue:
    """Messages waiting to be sent to one reader."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._changed = asyncio.Event()
        self._sending = False  # a message has been taken, and may not have been sent yet
        self.send_at_once: Callable[[bytes], bool] | None = None  # returns whether the reader could take it
        self.dropped = False
        self._last: bytes | None = None  # what a dropped reader is still sent
        self.closing = (TOO_SLOW, "too slow: come back from the ply you have seen")

    @property
    def empty(self) -> bool:
        return not self._waiting

    def put(self, message: bytes) -> None:
        if self.dropped or (self.send_at_once and self._is_next() and self.send_at_once(message)):
            return
        if self._full(message):
            self.drop()
        else:
            self._waiting.append(message)
            self._bytes += len(message)
            self._changed.set()

    def end(self, last: bytes, code: int, why: str) -> None:
        """Send one last message, and close the connection."""
        self._last, self.closing = last, (code, why)
        self.drop()

    def _is_next(self) -> bool:
        return not self._waiting and not self._sending

    def _full(self, message: bytes) -> bool:
        waiting = len(self._waiting)
        return waiting >= MOST_WAITING or (waiting > 0 and self._bytes + len(message) > MOST_BYTES)

    def drop(self) -> None:
        self.dropped = True
        self._waiting.clear()
        self._bytes = 0
        self._changed.set()

    async def get(self) -> bytes | None:
        """The next message; None once the reader is dropped."""
        self._sending = False
        while not self._waiting and not self.dropped:
            self._changed.clear()
            await self._changed.wait()
        if self.dropped:
            last, self._last = self._last, None
            return last
        message = self._waiting.popleft()
        self._bytes -= len(message)
        self._sending = True
        return message


class Connections:
    """All websockets and streams of this process."""

    def __init__(
        self, processes: Processes, thinkers: Thinkers, known: ServerSecrets, limits: Limits, bans: Bans
    ) -> None:
        self.processes, self.thinkers, self.secrets, self.limits, self.bans = processes, thinkers, known, limits, bans
        self.sockets: set[WebSocket] = set()
        self.visits: set[Visit] = set()
        self.refused: Callable[[str], None] = lambda reason: None  # for the metrics
        bans.changed = self.end_banned

    def end_banned(self) -> None:
        """Disconnect everybody who is banned."""
        for visit in list(self.visits):
            if denied := self.bans.find(visit.network, visit.person):
                visit.end(denied)

    def end_person(self, person: str) -> None:
        """Close all connections of a person, one of whose credentials was revoked."""
        for visit in [visit for visit in self.visits if visit.person and visit.person.id == person]:
            visit.end(Denied("unknown_guest", "say who you are again: a credential of yours was revoked"))

    @contextlib.contextmanager
    def _visit(self, queue: Queue, person: Person | None, network: str, table: str | None) -> Iterator[None]:
        """Register somebody for as long as they are connected."""

        def end(denied: Denied) -> None:
            queue.end(encode(answer(denied)), BANNED if denied.reason == "banned" else CLOSING, denied.reason)

        visit = Visit(person, network, table, end)
        self.visits.add(visit)
        if denied := self.bans.find(network, person):  # the ban may be newer than the request's check
            end(denied)
        try:
            yield
        finally:
            self.visits.discard(visit)

    async def table(
        self, socket: WebSocket, table: Table, person: Person | None, viewer: int | None, ply: int | None
    ) -> None:
        """Serve a websocket at a table until either side closes it."""
        shown.check_watching(table.state, person)
        queue = Queue()
        watcher = Watcher(person, queue.put)
        shown.viewer(table.state, person, viewer)  # may refuse, before anything is sent
        with self._visit(queue, person, address(socket), table.id):
            await self._at_table(socket, queue, table, watcher, viewer, ply)

    async def _at_table(
        self, socket: WebSocket, queue: Queue, table: Table, watcher: Watcher, viewer: int | None, ply: int | None
    ) -> None:
        async with self._open(socket, queue):
            table.audience.welcome(table.view(), watcher, viewer, ply)
            self.processes.presence_changed(table)
            dialogue = _Dialogue(self, socket, queue, table, watcher)
            try:
                await dialogue.listen()
            finally:
                dialogue.cancel_hint()
                table.audience.goodbye(watcher)
                self.processes.presence_changed(table)

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
        queue.send_at_once = socket.scope["extensions"].get(SEND_AT_ONCE, {}).get("send")
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
        """The same messages as a websocket's, one per line, until the match is over."""
        queue = Queue()
        with self._visit(queue, person, network, table.id):
            async for line in self._lines(queue, table, Watcher(person, queue.put), viewer, ply):
                yield line

    async def _lines(
        self, queue: Queue, table: Table, watcher: Watcher, viewer: int, ply: int | None
    ) -> AsyncIterator[bytes]:
        table.audience.welcome(table.view(), watcher, viewer, ply)
        self.processes.presence_changed(table)
        try:
            while not (table.row.status == "over" and queue.empty):
                try:
                    message = await asyncio.wait_for(queue.get(), PULSE)
                except TimeoutError:
                    message = b""
                if message is None:
                    return
                yield message + b"\n"
        finally:
            table.audience.goodbye(watcher)
            self.processes.presence_changed(table)

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
        self._connected.enter_context(limits.connected(request, person))  # refuses one beyond the limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._connected:
            await super().__call__(scope, receive, send)


async def _send_all(socket: WebSocket, queue: Queue) -> None:
    while (message := await queue.get()) is not None:
        await socket.send({"type": "websocket.send", "text": message.decode()})
    await socket.close(*queue.closing)


class _Dialogue:
    """The dialogue with one client over its websocket."""

    def __init__(
        self, connections: Connections, socket: WebSocket, queue: Queue, table: Table, watcher: Watcher
    ) -> None:
        self.connections, self.socket, self.queue, self.table, self.watcher = connections, socket, queue, table, watcher
        self.hint: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        while True:
            received = await self.socket.receive()
            if received["type"] == "websocket.disconnect" or self.queue.dropped:
                return
            await self._handle(received.get("text") or received.get("bytes") or b"")

    async def _handle(self, said: str | bytes) -> None:
        id = None
        try:
            self.connections.limits.check("message", self.socket, self.watcher.person)
            if len(said) > LARGEST:
                raise Denied("too_large", f"a message has at most {LARGEST} bytes")
            message = _decode(said)
            id = getattr(message, "id", None)
            await ANSWERS[type(message)](self, message)
        except Refusal as refusal:
            refused = answer(refusal, id)
            self.connections.refused(refused.reason)
            self.watcher.send(encode(refused))

    def _person(self) -> Person:
        if self.watcher.person is None:
            raise Denied("unknown_guest", "say who you are first: POST /api/me")
        return self.watcher.person

    async def play(self, asked: protocol.Play) -> None:
        await self.table.play(self._person(), asked, lambda played: self.watcher.send(encode(played)))

    async def preview(self, asked: protocol.Preview) -> None:
        ahead = decide.preview(self.table.state, self._person(), asked)
        self.watcher.send(encode(shown.previewed(self.table.state, asked.id, ahead)))

    async def look(self, asked: protocol.Look) -> None:
        self.connections.limits.check("whole", self.socket, self.watcher.person)
        self.table.audience.look(self.watcher, asked.viewer)

    async def say(self, asked: protocol.Say) -> None:
        self.connections.limits.check("say", self.socket, self.watcher.person)
        await self.table.say(self._person(), asked)

    async def resync(self, asked: protocol.Resync) -> None:
        self.connections.limits.check("whole", self.socket, self.watcher.person)
        self.table.audience.resync(self.watcher, asked.ply)

    async def ping(self, asked: protocol.Ping) -> None:
        self.watcher.send(encode(protocol.Pong(asked.id, now())))

    async def ask_hint(self, asked: protocol.Hint) -> None:
        self.connections.limits.check("think", self.socket, self.watcher.person)
        about = decide.hint(self.table.state, self._person(), asked.actions)
        self.cancel_hint()
        owner = Owner(self.connections.secrets.network(address(self.socket)), self._person().id)
        hints = self.connections.thinkers.hints(
            owner, about.game, about.seen, about.seat, asked.seconds, asked.id, about.ply, about.turn
        )
        self.hint = asyncio.create_task(self._stream(hints, asked.id))

    async def _stream(self, hints: AsyncIterator[protocol.Hinted], id: str) -> None:
        try:
            async for hint in hints:
                self.watcher.send(encode(hint))
        except Refusal as refusal:
            self.watcher.send(encode(answer(refusal, id)))

    async def stop_hint(self, asked: protocol.StopHint) -> None:
        self.cancel_hint()

    def cancel_hint(self) -> None:
        if self.hint:
            self.hint.cancel()
            self.hint = None


ANSWERS: dict[type, Callable[[_Dialogue, Any], Any]] = {
    protocol.Play: _Dialogue.play,
    protocol.Preview: _Dialogue.preview,
    protocol.Look: _Dialogue.look,
    protocol.Hint: _Dialogue.ask_hint,
    protocol.StopHint: _Dialogue.stop_hint,
    protocol.Say: _Dialogue.say,
    protocol.Resync: _Dialogue.resync,
    protocol.Ping: _Dialogue.ping,
}


def _decode(said: str | bytes) -> Any:
    try:
        return decode(said)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Denied("bad_request", f"not a message of the protocol: {error}") from error
