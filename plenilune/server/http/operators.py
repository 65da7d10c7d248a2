"""Operators: requests with an operator's key (`Authorization: Bearer …`). A cookie is never enough."""

from __future__ import annotations

import re
import secrets

from starlette.requests import HTTPConnection

from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import digest
from plenilune.server.storage.store import Store

KEY = re.compile(r"operator-[0-9a-f]{32}")


def new_key() -> str:
    return f"operator-{secrets.token_hex(16)}"


async def operator(connection: HTTPConnection, store: Store) -> str:
    """The operator's name, read from the database every time, so that a revoked key stops working at once."""
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and KEY.fullmatch(key):
        name = await store.moderation.operator(digest(key))
        if name is not None:
            return name
    raise Denied("forbidden", "this is for operators: send an operator's key as Authorization: Bearer …")
