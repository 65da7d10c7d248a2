"""For operators and authors of clients: health, figures, and the API's description."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from plenilune.server import protocol
from plenilune.server.http import metrics
from plenilune.server.http.call import Call, Handlers, json_answer
from plenilune.server.http.openapi import document
from plenilune.server.http.operators import operator
from plenilune.server.http.server import VERSION, Server


async def health(call: Call) -> Response:
    server, problems = call.server, call.server.problems()
    found = protocol.Health(
        status="failing" if problems else "ok",
        version=VERSION,
        database="postgresql" if server.store.shared else "sqlite",
        tables=len(server.tables.loaded),
        sockets=len(server.connections.sockets),
        problems=problems,
    )
    return json_answer(found, 503 if problems else 200)


async def openapi(request: Request) -> Response:
    request.app.state.server.limits.check_network("ask", request)
    return json_answer(document(VERSION))


async def figures(request: Request) -> Response:
    """Private by default: only operators may see how busy the server is."""
    server: Server = request.app.state.server
    server.limits.check("ask", request, None)
    if server.settings.metrics != "public":
        await operator(request, server.store)
    await server.measure()
    return Response(server.metrics.text(), media_type=metrics.MEDIA_TYPE)


HANDLERS: Handlers = {("GET", "/api/health"): health}
ROUTES: list[BaseRoute] = [Route("/api/openapi.json", openapi), Route("/metrics", figures)]
