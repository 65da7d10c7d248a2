"""uvicorn's protocols with limits on how slow and how large requests are, and on how much waits to be sent.

uvicorn itself waits forever for headers, bodies and slow readers, and accepts headers of any size.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from plenilune.server.http.limits import LARGEST
from plenilune.server.http.transport import MOST_REFUSED, Awaited, Gate, Link, Rejection
from plenilune.server.protocol import Reason

try:
    import httptools
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
except ImportError:  # Windows
    httptools = None  # type: ignore[assignment]

KEEP_ALIVE = 5  # seconds between two requests of a connection
REFUSED_FOR = 1.0  # seconds for a client to read a refusal; what it still sends is discarded
URL, HEADER, HEADERS = 8_000, 8_000, 100  # bytes of a URL, bytes of a header, and how many headers
HEAD = 32 * 1024  # bytes of a URL and all headers
BODY = 4 * LARGEST  # bytes; the application refuses most of them
TOO_LARGE = f"a request has at most {LARGEST} bytes"
PIPELINED = 8  # pipelined requests that wait behind the first
UNSENT = 64 * 1024  # bytes in a transport's buffer; beyond that, senders wait for the reader
FRAMES, FRAME_RATE = 300, 60  # of one websocket: bucket size, and frames per second
SLICE = 2 * 1024  # bytes of a websocket that are read before its frames are counted
UNREAD = 8  # messages waiting for the application; then the websocket is not read
SEND_AT_ONCE = "plenilune.send_at_once"  # our extension of ASGI: `Socket.send_at_once`


class Bounded(asyncio.Protocol):
    """What uvicorn's two HTTP protocols have in common here."""

    transport: asyncio.Transport
    flow: FlowControl
    app_state: dict[str, Any]
    cycle: Any  # the current request and its response
    link: Link | None = None
    gate: Gate
    upgraded = False  # to a websocket, which has its own protocol
    refusing = False
    begun = False  # part of a request has arrived
    unfinished = 0  # bytes since the last one that completed a head or a body

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(UNSENT)
        self.gate = self.app_state["gate"]
        peer = get_remote_addr(self.transport)
        try:
            self.link = self.gate.enter(self, peer and peer[0], _trusted(self))
        except Rejection as rejection:
            self.refuse(rejection)
        else:
            self.gate.wait(self.link, "head")

    def connection_lost(self, exc: Exception | None) -> None:
        self.disconnect()
        super().connection_lost(exc)
        if self.link:
            self.gate.leave(self.link)
        self.gate.refused -= self.refusing
        self.refusing = False

    def data_received(self, data: bytes) -> None:
        if self.refusing or self.transport.is_closing():
            return
        self.begun = True
        self.unfinished += len(data)
        super().data_received(data)
        if not self.upgraded:
            self._check_size()
            self._track()

    def _check_size(self) -> None:
        if self.body_missing() and self.unfinished > BODY:
            self.give_up(Rejection(413, "too_large", TOO_LARGE))
        elif not self.body_missing() and self.unfinished > HEAD:
            self.give_up(Rejection(431, "too_large", f"a request's URL and headers have at most {HEAD} bytes"))

    def body_missing(self) -> bool:
        """Whether the headers have arrived, but not the whole body."""
        raise NotImplementedError

    def answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _awaited(self) -> Awaited | None:
        """What the server is waiting for the client to do, if anything."""
        if self.transport.is_closing():
            return "end"
        if self.flow.write_paused:
            return "reader"
        if self.body_missing():
            return "body"
        return None if self.answering() else "head"

    def _track(self) -> None:
        if self.link and not self.upgraded and not self.refusing:
            self.gate.wait(self.link, self._awaited())

    def on_response_complete(self) -> None:
        super().on_response_complete()  # type: ignore[misc]
        self.begun = self.body_missing()
        self._track()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._track()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._track()

    def give_up(self, why: Rejection) -> None:
        """Refuse the arriving request; if there is none, or in the middle of another response, only close."""
        if self.transport.is_closing() or self.flow.write_paused or self._busy():
            self.disconnect()
            self.transport.abort()
        elif self.begun:
            self.refuse(why)
        else:
            self.transport.close()

    def _busy(self) -> bool:
        """Whether anything written now would be taken for part of another response."""
        return self.answering() and (self.cycle.response_started or not self.body_missing())

    def refuse(self, why: Rejection) -> None:
        """Respond, and close a moment later: closing with unread bytes could lose the response."""
        if self.refusing:
            return
        self._answer(why)
        if self.gate.refused >= MOST_REFUSED:
            self.transport.close()
            return
        self.refusing = True
        self.gate.refused += 1
        if self.link:
            self.gate.wait(self.link, "end")
        asyncio.get_running_loop().call_later(REFUSED_FOR, self.transport.close)

    def disconnect(self) -> None:
        """Tell the application that its client has disconnected."""
        if self.answering():
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _answer(self, why: Rejection) -> None:
        self.disconnect()
        answered = self.cycle is not None and self.cycle.response_complete and self.body_missing()
        if not answered:  # otherwise the client is merely still sending what was refused
            self.transport.write(why.encode())

    def send_400_response(self, msg: str) -> None:
        self.give_up(Rejection(400, "bad_request", "this is not an HTTP/1.1 request that this server understands"))


def _trusted(protocol: Any) -> Any:
    """The proxies that are trusted to name their visitors' addresses."""
    return getattr(protocol.app, "trusted_hosts", ())


class BoundedH11(Bounded, H11Protocol):
    def body_missing(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY

    def handle_events(self) -> None:
        before = self.cycle, self.conn.their_state
        super().handle_events()
        if (self.cycle, self.conn.their_state) != before:
            self.unfinished = 0

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.upgraded = True
        super().handle_websocket_upgrade(event)


if httptools is not None:

    class BoundedHttpTools(Bounded, HttpToolsProtocol):
        _missing = False
        _running: Any = None  # the cycle of the first of several pipelined requests; `cycle` is the last one's
        _rejection: Rejection | None = None

        def body_missing(self) -> bool:
            return self._missing

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._missing = False

        def on_url(self, url: bytes) -> None:
            super().on_url(url)
            if len(self.url) > URL:
                self._reject(414, "too_large", f"a URL has at most {URL} bytes")

        def on_header(self, name: bytes, value: bytes) -> None:
            super().on_header(name, value)
            if len(self.headers) > HEADERS:
                self._reject(431, "too_large", f"a request has at most {HEADERS} headers")
            if len(name) + len(value) > HEADER:
                self._reject(431, "too_large", f"a header has at most {HEADER} bytes")
            if name.lower() == b"content-length" and int(value) > LARGEST:
                self._reject(413, "too_large", TOO_LARGE)

        def on_headers_complete(self) -> None:
            if len(self.pipeline) >= PIPELINED:
                self._reject(503, "unavailable", f"at most {PIPELINED} requests may wait for an answer")
            if not self.url.isascii():
                self._reject(400, "bad_request", "a URL is written in ASCII")
            super().on_headers_complete()
            self._missing, self.unfinished = True, 0

        def on_message_complete(self) -> None:
            self._missing, self.unfinished = False, 0
            super().on_message_complete()

        def handle_websocket_upgrade(self) -> None:
            self.upgraded = True
            super().handle_websocket_upgrade()
            # The parser refers to this protocol: breaking the cycle frees both now, without the garbage collector.
            self.parser = None  # type: ignore[assignment]

        def _start_asgi_task(self, cycle: Any, app: Any) -> None:
            self._running = cycle
            super()._start_asgi_task(cycle, app)

        def disconnect(self) -> None:
            super().disconnect()
            if self._running is not None and not self._running.response_complete:
                self._running.disconnected = True
                self._running.message_event.set()

        def _reject(self, status: int, reason: Reason, message: str) -> None:
            """Stop the parser by an exception; uvicorn then calls `send_400_response`."""
            self._rejection = Rejection(status, reason, message)
            raise self._rejection

        def send_400_response(self, msg: str) -> None:
            if self._rejection:
                self.give_up(self._rejection)
            else:
                super().send_400_response(msg)

    HTTP: type[asyncio.Protocol] = BoundedHttpTools
else:
    HTTP = BoundedH11


class Socket(WebSocketsSansIOProtocol):
    """A websocket with a limited rate of frames, closed when its client does not read."""

    link: Link | None = None
    gate: Gate
    quiet_at = 0.0  # when the bucket of frames is full again
    extensions: dict[str, dict[object, object]] | None = None  # of ASGI

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.gate = self.app_state["gate"]
        self.link = self.gate.links.get(self.transport)
        if self.link:
            self.link.connection = self
            self.gate.wait(self.link, None)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.extensions:
            self.extensions.clear()  # they refer to this protocol: breaking the cycle frees both now
        if self.link:
            self.gate.leave(self.link)

    def data_received(self, data: bytes) -> None:
        if len(data) <= SLICE and self.handshake_initiated:
            super().data_received(data)
        else:
            self._slice(data)

    def _slice(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            if not self.transport.is_closing():
                super().data_received(data[start : start + SLICE])
        if not self.handshake_initiated and not self.transport.is_closing():
            self.transport.write(Rejection(400, "bad_request", "this is not the handshake of a websocket").encode())
            self.transport.close()

    def handle_events(self) -> None:
        if self.gate.limits.on and self._flooded(len(self.conn.events)):
            self._fail(1008, "too many frames")
        else:
            super().handle_events()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.extensions = self.scope["extensions"] or {}
            self.extensions[SEND_AT_ONCE] = {"send": self.send_at_once}

    def send_at_once(self, message: bytes) -> bool:
        """Send a text directly, without tasks and ASGI messages; returns False if it would have to wait."""
        closing = self.close_sent or self.transport.is_closing() or self.conn.state is not State.OPEN
        if closing or not self.writable.is_set():
            return False
        self.conn.send_text(message)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def send_receive_event_to_app(self) -> None:
        """uvicorn pauses reading after every message, at two system calls each; this does when several wait."""
        paused, few = self.read_paused, self.queue.qsize() < UNREAD
        self.read_paused = paused or few
        super().send_receive_event_to_app()
        if few:
            self.read_paused = paused

    def _flooded(self, frames: int) -> bool:
        now = self.loop.time()
        self.quiet_at = max(self.quiet_at, now) + frames / FRAME_RATE
        return self.quiet_at - now > FRAMES / FRAME_RATE

    def _fail(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self.disconnected = True
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.link:
            self.gate.wait(self.link, "reader")

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.link:
            self.gate.wait(self.link, None)

    def give_up(self, why: Rejection) -> None:
        self.disconnected = True
        self.transport.abort()
