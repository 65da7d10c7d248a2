"""The games that are played here."""

from __future__ import annotations

import functools

from plenilune.core.errors import Refusal
from plenilune.game import load, names
from plenilune.info import game_info
from plenilune.server import protocol
from plenilune.server.http.call import Call, Handlers
from plenilune.server.http.server import VERSION


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


HANDLERS: Handlers = {
    ("GET", "/api/games"): games,
    ("GET", "/api/games/{game}/rules"): game_rules,
}
