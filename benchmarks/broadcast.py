"""What it costs to show a ply to a table: `python -m benchmarks.broadcast`.

Random matches are played at tables of four seats with a watcher each, and only `Audience.publish` is timed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from plenilune import load, names
from plenilune.core.dice import Dice
from plenilune.game import Game
from plenilune.position import Position, Step, layout
from plenilune.server.protocol import NoClock
from plenilune.server.storage.rows import Entry, MatchRow, Person, SeatRow
from plenilune.server.tables.audience import Audience, Watcher
from plenilune.server.tables.decide import TableState
from plenilune.server.tables.shown import TableView

SEATS, MATCHES = 4, 12
PEOPLE = [Person(f"person-{seat}", f"Person {seat}") for seat in range(SEATS)]


def table(game: Game, position: Position, log: list[Entry]) -> TableView:
    to_play = position.to_play
    row = MatchRow(
        id="m", game=game.name, rules=game.version, components=game.components, layout=layout(game),
        options=game.choices(SEATS, {}), status="over" if position.over else "playing", ply=position.ply,
        to_play=to_play, host=PEOPLE[0].id, network="", seating="as_listed", clock=NoClock(), left=[None] * SEATS,
        public=False, spectators=True, hints=True, chat=True, stand_in="greedy", created=0, changed=0,
    )  # fmt: skip
    seats = tuple(SeatRow("m", seat, "person", person.id, person.name) for seat, person in enumerate(PEOPLE))
    return TableView(TableState(row, seats, game, position, None), log, (), None, True)


def match(game: Game, seed: int) -> Iterator[TableView]:
    """A random match, at every ply at which somebody is to play."""
    dice, player, log = Dice(str(seed)), random.Random(seed), list[Entry]()
    position = Position.begin(game, SEATS, {})

    def note(step: Step) -> None:
        text = game.actions.texts[step.number]
        log.append(Entry(len(log), text, step.actor, "person" if step.actor >= 0 else "chance", 0, step.known))

    while True:
        for step in position.roll(dice):
            note(step)
        yield table(game, position.copy(), list(log))
        if position.over:
            return
        note(position.play(player.choice(position.legal_texts())))


def measure(game: Game) -> tuple[float, int]:
    """Microseconds a broadcast, and the bytes that it sends."""
    spent = plies = size = 0
    sent: list[bytes] = []
    for seed in range(MATCHES):
        first, *rest = match(game, seed)
        audience = Audience(first)
        for person in PEOPLE:
            audience.welcome(first, Watcher(person, sent.append), None, None)
        sent.clear()
        for view in rest:
            began = time.thread_time_ns()
            audience.publish(view, table=False)
            spent += time.thread_time_ns() - began
        plies, size = plies + len(rest), size + sum(map(len, sent))
        sent.clear()
    return spent / plies / 1000, size // plies


def main() -> None:
    for name in names():
        if SEATS in load(name).seats:
            measure(load(name))
            best, size = min(measure(load(name)) for _ in range(3))
            print(f"{name}: {best:.0f} µs for {SEATS} watchers, {size} bytes")


if __name__ == "__main__":
    main()
