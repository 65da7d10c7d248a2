"""The application: every endpoint of the protocol, the websockets, and the built client's files."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute, compile_path
from starlette.websockets import WebSocket, WebSocketDisconnect

from plenilune.core.errors import Refusal
from plenilune.game import Game, load, names
from plenilune.info import game_info
from plenilune.match import Match
from plenilune.server import clock, protocol
from plenilune.server.clock import now
from plenilune.server.http import admin, metrics, online, pages, revocations
from plenilune.server.http.bans import Bans
from plenilune.server.http.connections import Connections, Lines
from plenilune.server.http.headers import Headers
from plenilune.server.http.identity import (
    People,
    check_origin,
    cookie_digest,
    delete_cookies,
    encrypted,
    rename_cookie,
    set_cookie,
)
from plenilune.server.http.limits import LARGEST, Limits, address
from plenilune.server.http.online import Roster
from plenilune.server.http.openapi import document
from plenilune.server.http.operators import operator
from plenilune.server.http.revocations import Revocations
from plenilune.server.http.transport import Gate
from plenilune.server.protocol import ENDPOINTS, Endpoint
from plenilune.server.protocol.refusals import STATUS, Denied, answer
from plenilune.server.settings import Settings
from plenilune.server.storage.failures import Taken
from plenilune.server.storage.retention import Retention
from plenilune.server.storage.rows import Person
from plenilune.server.storage.store import Store
from plenilune.server.supervisor import Supervisor
from plenilune.server.tables import daily, lobby
from plenilune.server.tables import history as replays
from plenilune.server.tables.bots import BotTurns
from plenilune.server.tables.creating import invitation
from plenilune.server.tables.creation import Creation
from plenilune.server.tables.diff import encode
from plenilune.server.tables.lobby import Lobbies
from plenilune.server.tables.processes import Processes
from plenilune.server.tables.registry import Tables
from plenilune.server.tables.server_secrets import ServerSecrets
from plenilune.server.tables.sweeps import Sweeps
from plenilune.server.tables.table import Table
from plenilune.server.tables.upkeep import Upkeep
from plenilune.server.thinking import thinkers as thinking
from plenilune.server.thinking.fairness import Owner
from plenilune.server.thinking.modules import Modules
from plenilune.server.thinking.thinkers import Thinkers

VERSION = version("plenilune")
NUMBER = re.compile(r"-1|[0-9]{1,7}")
FOR_GOOD, TRY_LATER = 4003, 1013  # close codes of refused websockets
PASSING = ("unavailable", "too_many", "too_often")  # reasons after which a client may try again
MOST_REPORTS = 20  # open reports of one person


class Server:
    """Everything that one process of the server holds."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.url)
        self.limits = Limits(settings)
        self.thinkers = Thinkers(settings.thinkers, self.limits)
        self.modules = Modules(self.thinkers.warmup)
        self.supervisor = Supervisor()
        self.metrics = metrics.Metrics()
        self.store.tally = tally = self.metrics.tally
        self.secrets = ServerSecrets()
        self.tables = Tables(self.store, self.thinkers.warmup, settings.lease)
        self.creation = Creation(self.store, self.tables, self.secrets, settings.limits, tally)
        self.bots = BotTurns(self.store, self.tables, self.thinkers, self.supervisor, settings, tally)
        self.sweeps = Sweeps(self.store, self.tables, self.bots, tally)
        self.upkeep = Upkeep(self.store, self.tables, Retention(**settings.kept()))
        self.processes = Processes(self.store, self.tables, self.supervisor, settings.poll)
        self.lobbies = Lobbies(self.store, self.tables, settings.poll)
        self.people = People(self.store)
        self.gate = Gate(self.limits, settings.connections)
        self.bans = Bans(self.store)
        self.connections = Connections(self.processes, self.thinkers, self.secrets, self.limits, self.bans)
        self.roster = Roster(self.store, self.connections.visits, self.supervisor.spawn)
        self.processes.channels[online.CHANNEL] = self.roster.on_notification
        self.revocations = Revocations(self.store, self._end)
        self.processes.channels[revocations.CHANNEL] = self.revocations.on_notification
        self.connections.refused = self.metrics.refused
        self.chores: list[Callable[[], Coroutine[Any, Any, None]]] = []  # further background jobs

    @contextlib.asynccontextmanager
    async def open(self, app: Any = None) -> AsyncIterator[dict[str, Any]]:
        """Run until closed; yields the state for uvicorn's protocols (`protocols.py`)."""
        async with self.store.open(serving=True):
            try:
                await self._prepare()
                self._start()
                yield {"gate": self.gate}
            finally:
                await self._close()

    async def _prepare(self) -> None:
        """Read what must be known before anything happens."""
        await self.secrets.load(self.store)
        clock.not_before(await self.store.last_beat())
        if not self.store.shared:
            await self.store.release_all()
        await self.bans.refresh()

    def _start(self) -> None:
        """Start everything that runs by itself."""
        self.sweeps.start(self.supervisor)
        self.bots.start()
        self.tables.start(self.supervisor)
        self.upkeep.start(self.supervisor)
        self.processes.start()
        self.supervisor.every("bans", self.settings.poll, self.bans.refresh)
        if self.store.shared:
            self.supervisor.every("revocations", self.settings.poll, self.revocations.poll)
        self.supervisor.every("metrics", metrics.EVERY, self.measure)
        self.supervisor.forever("the lobby", self.lobbies.broadcast)
        for chore in self.chores:
            self.supervisor.forever(chore.__name__, chore)
        self.thinkers.warmup.start()

    async def _close(self) -> None:
        try:
            await self.connections.close()
            self.thinkers.close()
            await asyncio.to_thread(self.thinkers.warmup.close)
        finally:
            await self.supervisor.close()

    def problems(self) -> list[str]:
        """This process's problems, one sentence each."""
        return self.supervisor.problems() + self.store.problems() + self.upkeep.problems()

    async def measure(self) -> None:
        """Update the gauges, since another worker may be asked for them."""
        gauges = {
            "tables": len(self.tables.loaded),
            "sockets": len(self.connections.sockets),
            "thinking": len(self.bots.thinking),
            "problems": len(self.problems()),
        }
        self.metrics.measure(gauges, {"commits": self.store.waiting, **self.thinkers.queues()})

    async def delete(self, person: Person) -> None:
        """Delete a person: revoke their credentials, disconnect them, and leave their tables."""
        await self.revocations.announce(person.id, await self.people.delete(person))
        for table in list(self.tables.loaded.values()):
            if table.knows(person):
                await table.refresh()
        await self.leave_tables(person)

    async def leave_tables(self, person: Person) -> None:
        """Leave all tables of a person, so that nobody waits for them."""
        for id in await self.store.moderation.unfinished_of(person.id):
            with contextlib.suppress(Refusal):
                await (await self.tables.get(id)).leave(person, None)

    async def revoke_key(self, person: Person, cookie: str, key: str) -> None:
        await self.revocations.announce(person.id, await self.people.revoke_key(person, cookie, key))

    def _end(self, person: str) -> None:
        """Close a person's connections after a credential was revoked; clients with another one reconnect."""
        self.people.forget(person)
        self.connections.end_person(person)


@dataclass
class Call:
    """One request, decoded and identified."""

    server: Server
    request: Request
    person: Person | None
    body: Any
    operator: str = ""  # the operator's name, at endpoints for operators

    @property
    def me(self) -> Person:
        if self.person is None:
            raise Denied("unknown_guest", "say who you are first: POST /api/me")
        return self.person

    async def table(self) -> Table:
        return await _table(self.server, self.request, self.person)

    def game(self) -> Game:
        try:
            return load(self.request.path_params["game"])
        except Refusal as refusal:
            raise Denied("not_found", str(refusal)) from refusal

    def number(self, name: str) -> int | None:
        return _number(name, self.request.query_params.get(name))

    def allow(self, kind: str) -> None:
        self.server.limits.check(kind, self.request, self.person)

    @property
    def network(self) -> str:
        """The keyed digest of the client's address."""
        return self.server.secrets.network(address(self.request))

    @property
    def owner(self) -> Owner:
        """Whose budget pays for computing."""
        return Owner(self.network, self.person.id if self.person else "")


async def _table(server: Server, connection: HTTPConnection, person: Person | None) -> Table:
    """The table that is asked for. To read one from the database takes longer than most of what is asked of it."""
    id = connection.path_params["match"]
    if id not in server.tables.loaded:
        server.limits.check("open", connection, person)
    return await server.tables.get(id)


Handler = Callable[[Call], Awaitable[Any]]


def create_app(settings: Settings | None = None) -> Starlette:
    """The whole server as one ASGI application."""
    server = Server(settings or Settings())
    routes: list[BaseRoute] = [_route(endpoint, HANDLERS[endpoint.method, endpoint.path]) for endpoint in ENDPOINTS]
    routes += [
        Route("/api/openapi.json", _openapi),
        Route("/metrics", _metrics),
        WebSocketRoute("/api/lobby/live", _lobby_live),
        WebSocketRoute(f"{protocol.TABLE}/live", _table_live),
        Route("/api/{path:path}", _unknown, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
        Route("/{path:path}", pages.answer),
    ]
    app = Starlette(
        routes=routes,
        lifespan=server.open,
        middleware=[Middleware(Headers), Middleware(metrics.Timing, server.metrics)],
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
        response = found if isinstance(found, Response) else _json(found, endpoint.status)
        if person:
            rename_cookie(response, request)
        return response

    return Route(endpoint.path, run, methods=[endpoint.method])


async def _identify(server: Server, request: Request, endpoint: Endpoint) -> tuple[Person | None, str]:
    """The client's person, or the operator's name; refuses clients without the right to ask."""
    server.limits.check_network("ask", request)  # first: looking up an invented cookie costs a query
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


def _json(data: Any, status: int = 200) -> Response:
    return Response(encode(data), status, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    said = answer(error)
    request.app.state.server.metrics.refused(said.reason)
    response = _json(said, STATUS[said.reason])
    if isinstance(error, Denied) and error.wait:
        response.headers["retry-after"] = str(error.wait)
    return response


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = error.status_code
    said = protocol.Refused(
        "not_found" if status == 404 else "bad_request", f"{error.detail}: {request.scope['path'][:100]}"
    )
    return Response(encode(said), status, dict(error.headers or {}), "application/json")


def _number(name: str, word: str | None) -> int | None:
    if word is None:
        return None
    if not NUMBER.fullmatch(word):
        raise Denied("bad_request", f"{name} is a whole number, not {word[:40]!r}")
    return int(word)


# People and games


async def games(call: Call) -> protocol.Games:
    return protocol.Games([_info(name) for name in names() if _loads(name)], VERSION)


def _loads(name: str) -> bool:
    try:
        load(name)
    except Refusal:
        return False
    return True


@functools.cache
def _info(name: str) -> protocol.GameInfo:
    return game_info(load(name))


async def game_rules(call: Call) -> protocol.GameRules:
    return protocol.GameRules(_rules_text(call.game().name))


@functools.cache
def _rules_text(name: str) -> str:
    path = load(name).State.home() / "RULES.md"
    return path.read_text("utf-8") if path.exists() else ""


async def whoami(call: Call) -> protocol.Whoami:
    me = call.person and protocol.Me(call.person.id, call.person.name)
    return protocol.Whoami(me, now())


async def introduce(call: Call) -> Any:
    asked: protocol.Guest = call.body
    people = call.server.people
    if call.person:
        call.allow("name")
        person = await people.rename(call.person, asked.name)
        return protocol.Me(person.id, person.name, (await people.add_key(person, "key")).key if asked.key else None)
    call.allow("guest")
    person, secret = await people.welcome(asked.name, call.network)
    if asked.key:
        return protocol.Me(person.id, person.name, secret)
    response = _json(protocol.Me(person.id, person.name))
    set_cookie(response, secret, encrypted(call.request))
    return response


async def forget(call: Call) -> Response:
    if call.person:
        await call.server.delete(call.person)
    response = _json(protocol.Whoami(None, now()))
    delete_cookies(response, call.request)
    return response


async def show_lobby(call: Call) -> protocol.Lobby:
    call.allow("list")
    return await call.server.lobbies.lobby(call.person)


async def show_bests(call: Call) -> protocol.Bests:
    call.allow("list")
    return protocol.Bests(await call.server.store.lobby.bests(call.me.id))


async def show_keys(call: Call) -> protocol.Keys:
    return protocol.Keys(await call.server.store.people.keys(call.me.id, cookie_digest(call.request)))


async def add_key(call: Call) -> protocol.Key:
    call.allow("guest")
    return await call.server.people.add_key(call.me, call.body.label)


async def revoke_key(call: Call) -> protocol.Keys:
    await call.server.revoke_key(call.me, cookie_digest(call.request), call.request.path_params["key"])
    return await show_keys(call)


async def offer_dice(call: Call) -> protocol.DiceOffer:
    return call.server.secrets.offer()


async def show_deal(call: Call) -> protocol.DailyDeal:
    call.allow("list")
    day = call.request.query_params.get("day") or daily.today(now())
    return await lobby.deal(call.server.store, call.server.secrets, call.game(), day, call.person)


async def begin_deal(call: Call) -> protocol.TableInfo:
    call.allow("table")
    return (await call.server.creation.deal(call.me, call.game(), call.network)).info(call.me)


# Tables


async def make_table(call: Call) -> protocol.TableMade:
    call.allow("table")
    table, invites = await call.server.creation.create(call.me, call.body, call.network)
    return protocol.TableMade(table.info(call.me), list(invites))


async def show_table(call: Call) -> protocol.TableInfo:
    table = await call.table()
    table.check_seeing(call.person)
    return table.info(call.person)


async def join(call: Call) -> protocol.TableInfo:
    if call.body.secret:
        call.allow("secret")
    table = await call.table()
    await table.join(call.me, call.body)
    return table.info(call.me)


async def leave(call: Call) -> protocol.TableInfo:
    table = await call.table()
    await table.leave(call.me, call.body.seat)
    return table.info(call.me)


async def come_back(call: Call) -> protocol.TableInfo:
    table = await call.table()
    await table.come_back(call.me, call.body.seat)
    return table.info(call.me)


async def resign(call: Call) -> protocol.TableInfo:
    table = await call.table()
    await table.resign(call.me, call.body.seat)
    return table.info(call.me)


async def invite(call: Call) -> protocol.Invite:
    table = await call.table()
    return invitation(table.id, call.body.seat, await table.invite(call.me, call.body.seat))


async def start(call: Call) -> protocol.TableInfo:
    table = await call.table()
    if table.state.game:
        thinking.bot(call.body.bot, table.state.game)
    await table.start(call.me, call.body.bot)
    return table.info(call.me)


async def rematch(call: Call) -> protocol.TableInfo:
    call.allow("table")
    table = await call.server.creation.rematch(call.me, await call.table(), call.body, call.network)
    return table.info(call.me)


async def state(call: Call) -> protocol.Update:
    table = await call.table()
    return table.update(table.viewer(call.person, call.number("viewer")))


async def play(call: Call) -> protocol.Played:
    return await (await call.table()).play(call.me, call.body)


async def preview(call: Call) -> protocol.Previewed:
    return (await call.table()).preview(call.me, call.body)


async def say(call: Call) -> protocol.ChatLine:
    call.allow("say")
    return await (await call.table()).say(call.me, call.body)


async def stream(call: Call) -> Response:
    call.allow("socket")
    table = await call.table()
    viewer, ply = table.viewer(call.person, call.number("viewer")), call.number("ply")
    lines = call.server.connections.stream(table, call.person, address(call.request), viewer, ply)
    return Lines(lines, call.server.limits, call.request, call.person)


async def history(call: Call) -> protocol.History:
    call.allow("think")
    table = await call.table()
    viewer = table.viewer(call.person, call.number("viewer"))
    first = max(0, call.number("first") or 0)
    if first > (ply := table.row.ply):
        raise Denied("bad_request", f"the match is at ply {ply}, not yet at {first}")
    return await call.server.thinkers.run(call.owner, replays.history(table.view(), viewer, first, call.number("last")))


async def dice(call: Call) -> protocol.DiceRolls:
    call.allow("think")
    table = await call.table()
    table.check_watching(call.person)
    return await call.server.thinkers.run(call.owner, replays.dice(table.view()))


async def download(call: Call) -> Response:
    table = await call.table()
    table.check_watching(call.person)
    name = f"{table.row.game}-{table.id}.match"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(replays.saved(table.view()), headers=headers, media_type="text/plain; charset=utf-8")


async def review(call: Call) -> Response:
    call.allow("think")
    table = await call.table()
    table.check_watching(call.person)
    match = replays.match(table.view())
    kept = await call.server.store.review(table.id)
    lines = _kept(kept) if kept else await _reviewed(call, table.id, match)
    return Lines(lines, call.server.limits, call.request, call.person)


async def _kept(remarks: str) -> AsyncIterator[bytes]:
    yield remarks.encode()


async def _reviewed(call: Call, id: str, match: Callable[[], Match]) -> AsyncIterator[bytes]:
    """The lines of a review that is not stored yet."""
    server = call.server

    async def store(remarks: list[protocol.ReviewRemark]) -> None:
        lines = [encode(line).decode() + "\n" for line in (*remarks, protocol.ReviewEnd(len(remarks)))]
        await server.store.add_review(id, "".join(lines))

    played = await server.thinkers.run(call.owner, match)
    return _review_lines(server.thinkers.reviews.follow(call.owner, id, played, store))


async def _review_lines(remarks: AsyncGenerator[protocol.ReviewRemark, None]) -> AsyncIterator[bytes]:
    total = 0
    async with contextlib.aclosing(remarks):
        async for remark in remarks:
            total += 1
            yield encode(remark) + b"\n"
    yield encode(protocol.ReviewEnd(total)) + b"\n"


async def report(call: Call) -> protocol.Reported:
    call.allow("report")
    found = (await call.table()).report(call.me, call.body)
    try:
        await call.server.store.moderation.add_report(found, MOST_REPORTS)
    except Taken:
        raise Denied("already_reported", "you have reported this line before") from None
    return protocol.Reported(found.line)


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
    return _json(found, 503 if problems else 200)


TABLE = protocol.TABLE
HANDLERS: dict[tuple[str, str], Handler] = {
    ("GET", "/api/games"): games,
    ("GET", "/api/games/{game}/rules"): game_rules,
    ("GET", "/api/me"): whoami,
    ("POST", "/api/me"): introduce,
    ("DELETE", "/api/me"): forget,
    ("GET", "/api/keys"): show_keys,
    ("POST", "/api/keys"): add_key,
    ("DELETE", "/api/keys/{key}"): revoke_key,
    ("GET", "/api/dice"): offer_dice,
    ("GET", "/api/lobby"): show_lobby,
    ("GET", "/api/bests"): show_bests,
    ("GET", "/api/daily/{game}"): show_deal,
    ("POST", "/api/daily/{game}"): begin_deal,
    ("POST", "/api/tables"): make_table,
    ("GET", TABLE): show_table,
    ("POST", f"{TABLE}/join"): join,
    ("POST", f"{TABLE}/leave"): leave,
    ("POST", f"{TABLE}/return"): come_back,
    ("POST", f"{TABLE}/resign"): resign,
    ("POST", f"{TABLE}/invite"): invite,
    ("POST", f"{TABLE}/start"): start,
    ("POST", f"{TABLE}/rematch"): rematch,
    ("GET", f"{TABLE}/state"): state,
    ("POST", f"{TABLE}/play"): play,
    ("POST", f"{TABLE}/preview"): preview,
    ("POST", f"{TABLE}/say"): say,
    ("POST", f"{TABLE}/report"): report,
    ("GET", f"{TABLE}/stream"): stream,
    ("GET", f"{TABLE}/history"): history,
    ("GET", f"{TABLE}/dice"): dice,
    ("GET", f"{TABLE}/match"): download,
    ("GET", f"{TABLE}/review"): review,
    ("GET", "/api/health"): health,
    **admin.HANDLERS,
}


# Websockets


async def _table_live(socket: WebSocket) -> None:
    server: Server = socket.app.state.server

    async def run(person: Person | None) -> None:
        table = await _table(server, socket, person)
        viewer, ply = (_number(name, socket.query_params.get(name)) for name in ("viewer", "ply"))
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
        server.limits.check_network("socket", socket)
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
            await socket.send_denial_response(_json(said, STATUS[said.reason]))


async def _turn_away(socket: WebSocket, said: protocol.Refused) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        await socket.accept()
        await socket.send_text(encode(said).decode())
        await socket.close(TRY_LATER if said.reason in PASSING else FOR_GOOD, said.reason)


# Other routes
async def _openapi(request: Request) -> Response:
    request.app.state.server.limits.check_network("ask", request)
    return _json(document(VERSION))


async def _metrics(request: Request) -> Response:
    """Private by default: only operators may see how busy the server is."""
    server: Server = request.app.state.server
    server.limits.check("ask", request, None)
    if server.settings.metrics != "public":
        await operator(request, server.store)
    await server.measure()
    return Response(server.metrics.text(), media_type=metrics.MEDIA_TYPE)


async def _unknown(request: Request) -> Response:
    request.app.state.server.limits.check_network("ask", request)
    others = [e.method for e in ENDPOINTS if compile_path(e.path)[0].match(request.scope["path"])]
    if others:
        raise HTTPException(405, f"not {request.method}, but {' or '.join(others)}", {"allow": ", ".join(others)})
    raise Denied("not_found", f"there is no {request.method} {request.scope['path'][:100]}")
