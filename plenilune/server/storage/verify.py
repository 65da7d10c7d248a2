"""Plays every match in a database again, and says which would play out otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import sqlalchemy as sa

from plenilune.errors import Refusal
from plenilune.game import load
from plenilune.record import CHANCE
from plenilune.server.settings import Settings
from plenilune.server.storage.rows import read
from plenilune.server.storage.store import Row, Store, matches
from plenilune.server.tables.board import Board, layout, legal


class Differs(Refusal):
    """What is kept is not what these rules and dice give."""


def main(url: str) -> int:
    """Prints a line for every match that differs, and a sum; 1 if there are any."""
    return asyncio.run(_main(Store(Settings(database=url).url)))


async def _main(store: Store) -> int:
    good = bad = 0
    async with store.open():
        async for row in _begun(store):
            try:
                await verify(store, row)
                good += 1
            except Refusal as refusal:
                bad += 1
                print(f"{row['id']} ({row['game']}, {row['ply']} plies): {refusal}", flush=True)
    print(f"{good} good, {bad} would play out otherwise")
    return 1 if bad else 0


async def _begun(store: Store) -> AsyncIterator[Row]:
    ids = await store.all(sa.select(matches.c.id).where(matches.c.state.is_not(None)).order_by(matches.c.created))
    for found in ids:
        row = await store.match(found["id"])
        if row:
            yield row


async def verify(store: Store, row: Row) -> None:
    """Every action, every roll, and the state they lead to."""
    game = load(row["game"])
    if row["rules"] != game.version:
        raise Differs(f"begun by rules {row['rules']}; these are {game.version}")
    if row["components"] != game.components:
        raise Differs(f"begun with components {row['components'] or 'none'}; here are {game.components or 'none'}")
    seats = (await store.seats_of([row["id"]]))[row["id"]]
    board = Board.begin(game, len(seats), read(row["options"]), row["seed"])
    for action in await store.actions_of(row["id"]):
        _play(board, action)
    if board.ply != row["ply"]:
        raise Differs(f"{board.ply} actions are kept, and the match is at ply {row['ply']}")
    if row["layout"] == layout(game) and board.state.tobytes() != row["state"]:
        raise Differs("its actions lead to another state than is kept")


def _play(board: Board, action: Row) -> None:
    said = f"ply {board.ply}: {action['text']!r}"
    if action["ply"] != board.ply:
        raise Differs(f"ply {board.ply} is missing")
    if action["actor"] != board.to_play:
        raise Differs(f"{said} was played by {action['actor']}, and {board.to_play} is to play")
    if board.to_play == CHANCE:
        rolled = board.game.actions.text(board.dice.pick(board.ply, legal(board.game, board.state)))
        if rolled != action["text"]:
            raise Differs(f"{said} is not {rolled!r}, which the seed gives")
    try:
        board.play(action["text"])
    except Refusal as refusal:
        raise Differs(f"ply {board.ply}: {refusal}") from refusal
