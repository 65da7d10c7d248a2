"""A small application behind the server's own protocols, and a client that says whatever it likes, byte by byte."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import uvicorn

from plenilune.server.http.limits import Limits
from plenilune.server.http.transport import Gate
from plenilune.server.serve import bind, configured
from plenilune.server.settings import Settings

PATIENCE = 10.0  # seconds for whatever must happen
BIG = 8 * 1024 * 1024  # bytes, more than any buffer on the way holds
GET = b"GET %s HTTP/1.1\r\nHost: here\r\n\r\n"


class Application:
    """`/big` answers with much, `/held` when it is released, everything else at once."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.calls = 0
        self.released = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._talk(scope, receive, send)
        else:
            self.calls += 1
            await self._answer(scope, receive, send)

    async def _live(self, scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["type"] != "lifespan.shutdown":
            scope["state"]["gate"] = self.gate
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        while message["type"] == "http.request" and message["more_body"]:
            message = await receive()
        if message["type"] != "http.request":
            return
        if scope["path"] == "/held":
            await self.released.wait()
        body = b"x" * BIG if scope["path"] == "/big" else b'"yes"'
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _talk(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            times = 1000 if scope["path"] == "/big" else 1
            for _ in range(times):
                await send({"type": "websocket.send", "text": times * str(message.get("text"))})


class Small:
    """The application, served in a thread."""

    def __init__(self, room: int, **options: Any) -> None:
        self.gate = Gate(Limits(Settings(limits=True)), room)
        self.app = Application(self.gate)
        self.listening = bind(Settings(port=0))
        self.address: tuple[str, int] = self.listening.getsockname()
        self._uvicorn = uvicorn.Server(configured(self.app, lifespan="on", **options))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self._uvicorn.serve(sockets=[self.listening])

    def start(self) -> None:
        self._thread.start()
        assert within(PATIENCE, lambda: self._uvicorn.started)

    def open(self) -> int:
        """How many connections there are."""
        return len(self._uvicorn.server_state.connections)

    def release(self) -> None:
        self.loop.call_soon_threadsafe(self.app.released.set)

    def stop(self) -> None:
        self.release()
        self._uvicorn.should_exit = True
        self._thread.join()
        self.listening.close()


@contextlib.contextmanager
def small(room: int = 50, **options: Any) -> Iterator[Small]:
    server = Small(room, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Wire:
    """A connection."""

    def __init__(self, address: tuple[str, int], source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(address, PATIENCE, (source, 0))

    def send(self, data: bytes) -> int:
        """As much as the server takes; returns how many bytes that was."""
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < len(data):
                sent += self.socket.send(data[sent : sent + 65536])
        return sent

    def receive(self) -> bytes:
        """Whatever comes next; nothing at the end."""
        try:
            return self.socket.recv(65536)
        except ConnectionResetError:
            return b""

    def rest(self) -> bytes:
        """Everything until the server closes the connection."""
        found = b""
        while data := self.receive():
            found += data
        return found

    def answer(self) -> tuple[int, Any]:
        """The status and the body of the next answer."""
        found = b""
        while b"\r\n\r\n" not in found:
            data = self.receive()
            assert data, f"closed after {found!r}"
            found += data
        head, _, body = found.partition(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length: ")[2].split()[0])
        while len(body) < size:
            body += self.receive()
        return int(head.split()[1]), json.loads(body)

    def ask(self, path: bytes = b"/") -> int:
        self.send(GET % path)
        return self.answer()[0]

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


def within(seconds: float, true: Any) -> bool:
    """Whether it becomes true in that time."""
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True
