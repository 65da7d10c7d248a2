"""Live tables and the live lobby: websockets, and streams of lines."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from plenilune.core.errors import Refusal
from plenilune.server import protocol
from plenilune.server.http.call import Call, Handlers, json_answer, number, the_table
from plenilune.server.http.connections import Lines
from plenilune.server.http.identity import check_origin
from plenilune.server.http.limits import address
from plenilune.server.http.server import Server
from plenilune.server.protocol import TABLE
from plenilune.server.protocol.encoding import encode
from plenilune.server.protocol.refusals import STATUS, answer
from plenilune.server.storage.rows import Person
from plenilune.server.tables import shown

FOR_GOOD, TRY_LATER = 4003, 1013  # close codes of refused websockets
PASSING = ("unavailable", "too_many", "too_often")  # reasons after which a client may try again


async def stream(call: Call) -> Response:
    call.allow("socket")
    table = await call.table()
    viewer, ply = shown.viewer(table.state, call.person, call.number("viewer")), call.number("ply")
    lines = call.server.connections.stream(table, call.person, address(call.request), viewer, ply)
    return Lines(lines, call.server.limits, call.request, call.person)


# Websockets


async def _table_live(socket: WebSocket) -> None:
    server: Server = socket.app.state.server

    async def run(person: Person | None) -> None:
        table = await the_table(server, socket, person)
        viewer, ply = (number(name, socket.query_params.get(name)) for name in ("viewer", "ply"))
        await server.connections.table(socket, table, person, viewer, ply)

    await _connected(server, socket, run)


async def _lobby_live(socket: WebSocket) -> None:
    server: Server = socket.app.state.server

    async def run(person: Person | None) -> None:
        await server.connections.lobby(socket, person, server.lobbies)

    await _connected(server, socket, run)


async def _connected(server: Server, socket: WebSocket, run: Callable[[Person | None], Awaitable[None]]) -> None:
    """Refuse a websocket before it is opened, like any request. But browsers hide that answer from pages, so a page's
    websocket is opened, told the reason, and closed, unless it exceeds a limit or comes from another site."""
    page = False
    try:
        check_origin(socket)
        page = "origin" in socket.headers
        person = await server.people.who(socket)
        server.bans.check(address(socket), person)
        server.limits.check_person("socket", person)
        with server.limits.connected(socket, person):
            await run(person)
    except Refusal as refusal:
        said = answer(refusal)
        server.metrics.refused(said.reason)
        if page:
            await _turn_away(socket, said)
        else:
            await socket.send_denial_response(json_answer(said, STATUS[said.reason]))


async def _turn_away(socket: WebSocket, said: protocol.Refused) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        await socket.accept()
        await socket.send_text(encode(said).decode())
        await socket.close(TRY_LATER if said.reason in PASSING else FOR_GOOD, said.reason)


HANDLERS: Handlers = {("GET", f"{TABLE}/stream"): stream}
ROUTES: list[BaseRoute] = [
    WebSocketRoute("/api/lobby/live", _lobby_live),
    WebSocketRoute(f"{TABLE}/live", _table_live),
]
