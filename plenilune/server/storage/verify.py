"""Verifies every match in a database, and lists those that would play out differently."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from plenilune.core.errors import Refusal
from plenilune.match import Match
from plenilune.server.settings import Settings
from plenilune.server.storage.export import replay
from plenilune.server.storage.rows import Entry, MatchRow, SeatRow
from plenilune.server.storage.store import Store
from plenilune.verify import Differs, StoredState, verify_stored


def main(url: str) -> int:
    """Print a line for every match that differs, and a total; returns 1 if there are any."""
    return asyncio.run(_main(Store(Settings(database=url).url)))


async def _main(store: Store) -> int:
    good = bad = 0
    async with store.open():
        for id in await store.begun():
            try:
                await _verify(store, id)
                good += 1
            except Differs as error:
                bad += 1
                print(f"{id} {error}", flush=True)
            except Exception as error:  # a damaged row must not stop the others
                bad += 1
                print(f"{id} cannot be read: {error}", flush=True)
    print(f"{good} good, {bad} would play out otherwise")
    return 1 if bad else 0


async def _verify(store: Store, id: str) -> None:
    row = await store.match(id)
    if row is None:  # deleted since
        return
    seats = (await store.seats_of([id]))[id]
    try:
        verify(row, await store.seed(id), seats, await store.entries_of(id))
    except Refusal as refusal:
        raise Differs(f"({row.game}, {row.ply} plies): {refusal}") from refusal


def verify(row: MatchRow, seed: str, seats: Sequence[SeatRow], entries: Sequence[Entry]) -> Match:
    """Refuse a match whose actions, rolls or state do not follow from its rules and dice; otherwise play it again."""
    for ply, entry in enumerate(entries):
        if entry.ply != ply:
            raise Differs(f"ply {ply} is missing")
    if len(entries) != row.ply:
        raise Differs(f"{len(entries)} actions are stored, and the match is at ply {row.ply}")
    actors = [entry.actor for entry in entries]
    return verify_stored(replay(row, seed, seats, entries), actors, StoredState(row.layout, row.state))
