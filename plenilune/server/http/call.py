"""One request, decoded and identified, and what every handler may ask of it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from plenilune.core.errors import Refusal
from plenilune.game import Game, load
from plenilune.server.http.limits import address
from plenilune.server.http.server import Server
from plenilune.server.protocol.encoding import encode
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Person
from plenilune.server.tables.table import Table
from plenilune.server.thinking.fairness import Owner

NUMBER = re.compile(r"-1|[0-9]{1,7}")


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
        return await the_table(self.server, self.request, self.person)

    def game(self) -> Game:
        try:
            return load(self.request.path_params["game"])
        except Refusal as refusal:
            raise Denied("not_found", str(refusal)) from refusal

    def number(self, name: str) -> int | None:
        return number(name, self.request.query_params.get(name))

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


async def the_table(server: Server, connection: HTTPConnection, person: Person | None) -> Table:
    """The table that is asked for. To read one from the database takes longer than most of what is asked of it."""
    id = connection.path_params["match"]
    if id not in server.tables.loaded:
        server.limits.check("open", connection, person)
    return await server.tables.get(id)


Handler = Callable[[Call], Awaitable[Any]]
Handlers = dict[tuple[str, str], Handler]  # by method and path


def number(name: str, word: str | None) -> int | None:
    if word is None:
        return None
    if not NUMBER.fullmatch(word):
        raise Denied("bad_request", f"{name} is a whole number, not {word[:40]!r}")
    return int(word)


def json_answer(data: Any, status: int = 200) -> Response:
    return Response(encode(data), status, media_type="application/json")
