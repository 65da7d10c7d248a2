"""The application: every route, and what all have in common: who asks, what they send, how they are refused."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, compile_path

from plenilune.core.errors import Refusal
from plenilune.server import protocol
from plenilune.server.http import metrics, pages
from plenilune.server.http.call import Call, Handler, json_answer
from plenilune.server.http.headers import Headers
from plenilune.server.http.identity import check_origin, rename_cookie
from plenilune.server.http.limits import LARGEST, address
from plenilune.server.http.metering import Metered, refused
from plenilune.server.http.operators import operator
from plenilune.server.http.routes import HANDLERS, OTHERS
from plenilune.server.http.server import Server
from plenilune.server.protocol import ENDPOINTS, Endpoint
from plenilune.server.protocol.encoding import encode
from plenilune.server.protocol.refusals import Denied
from plenilune.server.settings import Settings
from plenilune.server.storage.rows import Person


def create_app(settings: Settings | None = None) -> Starlette:
    """The whole server as one ASGI application."""
    server = Server(settings or Settings())
    routes: list[BaseRoute] = [_route(endpoint, HANDLERS[endpoint.method, endpoint.path]) for endpoint in ENDPOINTS]
    routes += [
        *OTHERS,
        Route("/api/{path:path}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
        Route("/{path:path}", pages.answer),
    ]
    app = Starlette(
        routes=routes,
        lifespan=server.open,
        middleware=[Middleware(Headers), Middleware(metrics.Timing, server.metrics), Middleware(Metered, server)],
        exception_handlers={Refusal: _refused, HTTPException: _http_error},
    )
    app.state.server = server
    return app


def _route(endpoint: Endpoint, handle: Handler) -> Route:
    decoder: Any = msgspec.json.Decoder(endpoint.body) if endpoint.body else None

    async def run(request: Request) -> Response:
        server: Server = request.app.state.server
        if endpoint.method != "GET":
            check_origin(request)
        person, name = await _identify(server, request, endpoint)
        body = await _body(request, decoder, endpoint.body) if decoder else None
        found = await handle(Call(server, request, person, body, name))
        response = found if isinstance(found, Response) else json_answer(found, endpoint.status)
        if person:
            rename_cookie(response, request)
        return response

    return Route(endpoint.path, run, methods=[endpoint.method])


async def _identify(server: Server, request: Request, endpoint: Endpoint) -> tuple[Person | None, str]:
    """The client's person, or the operator's name; refuses clients without the right to ask."""
    if endpoint.operator:
        return None, await operator(request, server.store)
    person = await server.people.who(request)
    server.bans.check(address(request), person)
    server.limits.check_person("ask", person)
    if endpoint.guest and person is None:
        raise Denied("unknown_guest", "say who you are first: POST /api/me")
    return person, ""


async def _body(request: Request, decoder: msgspec.json.Decoder[Any], form: type | None) -> Any:
    if form is protocol.Rematch and request.headers.get("content-length", "0") == "0":
        return form()  # older programs send no body here
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Denied("bad_request", f"a body is application/json, not {kind[:60] or 'nothing'!r}")
    try:
        return decoder.decode(await _read_body(request))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Denied("bad_request", f"not what the protocol says: {error}") from error


async def _read_body(request: Request) -> bytes:
    data = bytearray()
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > LARGEST:
                raise Denied("too_large", f"a request has at most {LARGEST} bytes")
    except ClientDisconnect:
        raise Denied("bad_request", "the request ended before its body did") from None
    return bytes(data)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refused(request.app.state.server, error)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = error.status_code
    said = protocol.Refused(
        "not_found" if status == 404 else "bad_request", f"{error.detail}: {request.scope['path'][:100]}"
    )
    return Response(encode(said), status, dict(error.headers or {}), "application/json")


async def _unknown(request: Request) -> Response:
    others = [e.method for e in ENDPOINTS if compile_path(e.path)[0].match(request.scope["path"])]
    if others:
        raise HTTPException(405, f"not {request.method}, but {' or '.join(others)}", {"allow": ", ".join(others)})
    raise Denied("not_found", f"there is no {request.method} {request.scope['path'][:100]}")
