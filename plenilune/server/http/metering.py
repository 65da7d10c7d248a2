"""Whatever is asked for costs its network a token before anything is looked at, whether or not it exists."""

from __future__ import annotations

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from plenilune.core.errors import Refusal
from plenilune.server.http.call import json_answer
from plenilune.server.http.server import Server
from plenilune.server.protocol.refusals import STATUS, Denied, answer


class Metered:
    """Takes a token for every request and every websocket, or refuses."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app, self.server = app, server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        try:
            self.server.limits.check_network(kind(scope), HTTPConnection(scope))
        except Refusal as refusal:
            return await self._refuse(refused(self.server, refusal), scope, receive, send)
        return await self.app(scope, receive, send)

    async def _refuse(self, response: Response, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await response(scope, receive, send)


def kind(scope: Scope) -> str:
    """Which bucket pays.

    >>> kind({"type": "http", "path": "/api/me"}), kind({"type": "http", "path": "/moon.svg"})
    ('ask', 'page')
    """
    if scope["type"] == "websocket":
        return "socket"
    return "ask" if scope["path"].startswith("/api/") or scope["path"] == "/metrics" else "page"


def refused(server: Server, refusal: Refusal) -> Response:
    """The answer to what is refused, counted."""
    said = answer(refusal)
    server.metrics.refused(said.reason)
    response = json_answer(said, STATUS[said.reason])
    if isinstance(refusal, Denied) and refusal.wait:
        response.headers["retry-after"] = str(refusal.wait)
    return response
