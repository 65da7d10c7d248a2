"""For operators and authors of clients: health, figures, and the API's description."""

from __future__ import annotations

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from plenilune.core.errors import Refusal
from plenilune.server import protocol
from plenilune.server.http import metrics
from plenilune.server.http.call import Call, Handlers, json_answer
from plenilune.server.http.openapi import document
from plenilune.server.http.operators import operator
from plenilune.server.http.server import VERSION, Server


async def health(call: Call) -> Response:
    server, problems = call.server, call.server.problems()
    found = protocol.Health("failing" if problems else "ok", problems)
    if await _may_see_figures(server, call.request):
        found = _with_figures(server, found)
    return json_answer(found, 503 if problems else 200)


async def _may_see_figures(server: Server, request: Request) -> bool:
    """Also when the database fails, which knows the operators."""
    try:
        await _check_figures(server, request)
    except Refusal:
        return False
    return True


async def _check_figures(server: Server, request: Request) -> None:
    """Private by default: only operators may see how busy the server is."""
    if server.settings.metrics != "public":
        await operator(request, server.store)


def _with_figures(server: Server, found: protocol.Health) -> protocol.Health:
    return replace(
        found,
        version=VERSION,
        database="postgresql" if server.store.shared else "sqlite",
        tables=len(server.tables.loaded),
        sockets=len(server.connections.sockets),
    )


async def openapi(request: Request) -> Response:
    return json_answer(document(VERSION))


async def figures(request: Request) -> Response:
    server: Server = request.app.state.server
    await _check_figures(server, request)
    await server.measure()
    return Response(server.metrics.text(), media_type=metrics.MEDIA_TYPE)


HANDLERS: Handlers = {("GET", "/api/health"): health}
ROUTES: list[BaseRoute] = [Route("/api/openapi.json", openapi), Route("/metrics", figures)]
