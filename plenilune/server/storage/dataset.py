"""A server's finished matches as a dataset: what was played, and nothing about who played it.

There are no names, ids, times, chat lines or seeds in it, and the matches' order says nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from plenilune.bots import arena
from plenilune.bots.thought import Stop
from plenilune.core.errors import BadSetting, Refusal
from plenilune.game import Game, load
from plenilune.position import Position
from plenilune.rl import dataset
from plenilune.rl.dataset import Observer, Part, Played, Rows
from plenilune.server.settings import Settings
from plenilune.server.storage.rows import Entry, MatchRow, SeatRow
from plenilune.server.storage.store import Store
from plenilune.server.storage.verify import verify

PERSON = "person"


def main(url: str, game: Game, folder: Path, observe: str = "", jobs: int | None = None) -> int:
    """Write what the folder does not have yet. The matches are those that were over when it was begun."""
    dataset.require()
    url, observer = Settings(database=url).url, Observer(game, observe)
    begun = dataset.read_head(folder) or {}
    until = begun.get("until", int(time.time() * 1000))
    total = asyncio.run(_count(url, game.name, until))
    if not total:
        raise BadSetting(f"no match of {game.name} is finished there")
    made_of = dataset.head(game, observer, arena.code(game), until=until, matches=total)
    work = partial(_make_part, url, game.name, observe, until, folder)
    return dataset.make(folder, made_of, work, jobs, partial(_warm_up, game.name))


def _warm_up(game: str) -> None:
    """Have the rules compiled or loaded from disk."""
    found = load(game)
    Position.begin(found, found.seats[0], {})


async def _count(url: str, game: str, until: int) -> int:
    async with _store(url).open() as store:
        return len(await store.finished(game, until))


def _store(url: str) -> Store:
    store = Store(url)
    if not store.shared and not store.file.is_file():
        raise BadSetting(f"there is no database {store.file}")
    return store


def _make_part(url: str, game: str, observe: str, until: int, folder: Path, part: Part, stop: Stop) -> int | None:
    rows = asyncio.run(_rows(url, load(game), observe, until, part, stop))
    if rows is None:
        return None
    dataset.write(folder, part, rows)
    return len(part.matches)


async def _rows(url: str, game: Game, observe: str, until: int, part: Part, stop: Stop) -> Rows | None:
    rows = Rows(Observer(game, observe))
    async with _store(url).open() as store:
        for number, id in zip(part.matches, await store.finished(game.name, until, part.matches), strict=True):
            if stop():
                return None
            played = await _read(store, id)
            if played and Observer(played.match.game, observe).size == rows.observer.size:
                rows.add(number, played)
    return rows


async def _read(store: Store, id: str) -> Played | None:
    """The match, unless it was not played to its end, or is not as its rules and dice give it."""
    row, seats, entries = await store.match(id), (await store.seats_of([id])).get(id, ()), await store.entries_of(id)
    try:
        return exported(row, await store.seed(id), seats, entries) if row else None
    except Refusal:
        return None


def exported(row: MatchRow, seed: str, seats: Sequence[SeatRow], entries: Sequence[Entry]) -> Played | None:
    match = verify(row, seed, seats, entries)
    bots = [seat.bot or PERSON for seat in seats]
    return Played(match, bots, [entry.by for entry in entries]) if match.over else None
