"""Plays every match in a database again, and says which would play out otherwise."""

from __future__ import annotations

import asyncio

from plenilune.dice import Dice
from plenilune.errors import Refusal
from plenilune.game import load
from plenilune.position import Position, layout
from plenilune.record import CHANCE
from plenilune.server.settings import Settings
from plenilune.server.storage.rows import Entry, MatchRow
from plenilune.server.storage.store import Store


class Differs(Refusal):
    """What is stored is not what these rules and dice give."""


def main(url: str) -> int:
    """Prints a line for every match that differs, and a sum; 1 if there are any."""
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
            except Exception as error:  # a damaged row must not keep the others from being looked at
                bad += 1
                print(f"{id} cannot be read: {error}", flush=True)
    print(f"{good} good, {bad} would play out otherwise")
    return 1 if bad else 0


async def _verify(store: Store, id: str) -> None:
    row = await store.match(id)
    if row is None:  # deleted in the meantime
        return
    seats = len((await store.seats_of([id]))[id])
    try:
        verify(row, await store.seed(id), seats, await store.entries_of(id))
    except Refusal as refusal:
        raise Differs(f"({row.game}, {row.ply} plies): {refusal}") from refusal


def verify(row: MatchRow, seed: str, seats: int, entries: list[Entry]) -> None:
    """Every action, every roll, and the state they lead to."""
    game = load(row.game).at_version(row.rules)
    if row.components != game.components:
        raise Differs(f"begun with components {row.components or 'none'}; here are {game.components or 'none'}")
    position, dice = Position.begin(game, seats, row.options), Dice(seed, [nonce.nonce for nonce in row.nonces])
    for entry in entries:
        _play(position, dice, entry)
    if position.ply != row.ply:
        raise Differs(f"{position.ply} actions are stored, and the match is at ply {row.ply}")
    if row.layout == layout(game) and position.state.tobytes() != row.state:
        raise Differs("its actions lead to another state than is stored")


def _play(position: Position, dice: Dice, entry: Entry) -> None:
    said = f"ply {position.ply}: {entry.text!r}"
    if entry.ply != position.ply:
        raise Differs(f"ply {position.ply} is missing")
    if entry.actor != position.to_play:
        raise Differs(f"{said} was played by {entry.actor}, and {position.to_play} is to play")
    if position.to_play == CHANCE:
        rolled = position.game.actions.text(position.outcome(dice))
        if rolled != entry.text:
            raise Differs(f"{said} is not {rolled!r}, which the dice give")
    try:
        position.play(entry.text)
    except Refusal as refusal:
        raise Differs(f"ply {position.ply}: {refusal}") from refusal
