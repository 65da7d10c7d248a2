"""Every endpoint of the protocol and the function that answers it, one file for each subject."""

from __future__ import annotations

from starlette.routing import BaseRoute

from plenilune.server.http.call import Handlers
from plenilune.server.http.routes import admin, games, health, live, lobby, people, replays, tables

HANDLERS: Handlers = {
    **games.HANDLERS,
    **people.HANDLERS,
    **lobby.HANDLERS,
    **tables.HANDLERS,
    **replays.HANDLERS,
    **live.HANDLERS,
    **health.HANDLERS,
    **admin.HANDLERS,
}
OTHERS: list[BaseRoute] = [*health.ROUTES, *live.ROUTES]  # what is not JSON
