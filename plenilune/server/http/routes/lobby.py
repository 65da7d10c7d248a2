"""The lobby, a person's best results, and the daily deal."""

from __future__ import annotations

from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.http.call import Call, Handlers
from plenilune.server.tables import daily, lobby


async def show_lobby(call: Call) -> protocol.Lobby:
    call.allow("list")
    return await call.server.lobbies.lobby(call.person)


async def show_bests(call: Call) -> protocol.Bests:
    call.allow("list")
    return protocol.Bests(await call.server.store.lobby.bests(call.me.id))


# The daily deal


async def show_deal(call: Call) -> protocol.DailyDeal:
    call.allow("list")
    day = call.request.query_params.get("day") or daily.today(now())
    return await lobby.deal(call.server.store, call.server.secrets, call.game(), day, call.person)


async def begin_deal(call: Call) -> protocol.TableInfo:
    call.allow("table")
    return (await call.server.creation.deal(call.me, call.game(), call.network)).info(call.me)


HANDLERS: Handlers = {
    ("GET", "/api/lobby"): show_lobby,
    ("GET", "/api/bests"): show_bests,
    ("GET", "/api/daily/{game}"): show_deal,
    ("POST", "/api/daily/{game}"): begin_deal,
}
