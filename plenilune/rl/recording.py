"""Matches that bots play for a dataset."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from plenilune.bots import arena
from plenilune.bots import load as load_bot
from plenilune.bots.thought import Stop, Thought, never
from plenilune.core.dice import Dice
from plenilune.core.errors import BadSetting
from plenilune.core.record import CHANCE
from plenilune.game import load
from plenilune.match import Match
from plenilune.rl import dataset
from plenilune.rl.dataset import Observer, Part, Played, Rows


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    game: str
    bots: tuple[str, ...]
    seats: int = 2
    options: Mapping[str, str] = field(default_factory=dict)
    matches: int = 100
    seed: str = "dataset"
    observe: str = ""

    def bots_of(self, number: int) -> tuple[str, ...]:
        """Who sits at each seat of a match: the bots in turn, everybody one seat further in the next match.

        >>> plan = Plan("moon-leap", ("a", "b"), seats=3)
        >>> plan.bots_of(0), plan.bots_of(1)
        (('a', 'b', 'a'), ('b', 'a', 'b'))
        """
        return tuple(self.bots[(number + seat) % len(self.bots)] for seat in range(self.seats))


def check(plan: Plan) -> dict[str, Any]:
    """What the dataset is made of; refuses a plan that cannot be played."""
    dataset.require()
    game = load(plan.game)
    options = game.choices(plan.seats, plan.options)
    if not plan.bots:
        raise BadSetting("name one bot or more after --bots")
    for name in plan.bots:
        if load_bot(name, game).budget.seconds:
            raise BadSetting(f"{name} plays by the clock, which cannot be repeated: give it a number of simulations")
    if not 1 <= plan.matches <= dataset.MOST_MATCHES:
        raise BadSetting(f"the number of matches is between 1 and {dataset.MOST_MATCHES:,}, not {plan.matches:,}")
    Dice(plan.seed)
    about = {"seats": plan.seats, "options": options, "bots": list(plan.bots), "seed": plan.seed}
    return dataset.head(game, Observer(game, plan.observe), arena.code(game), **about, matches=plan.matches)


def main(plan: Plan, folder: Path, jobs: int | None = None) -> int:
    """Play what the folder does not have yet."""
    made_of = check(plan)
    return dataset.make(folder, made_of, partial(make_part, plan, folder), jobs, partial(warm_up, plan))


def make_part(plan: Plan, folder: Path, part: Part, stop: Stop) -> int | None:
    rows = Rows(Observer(load(plan.game), plan.observe))
    for number in part.matches:
        played = play(plan, number, stop)
        if played is None:
            return None
        rows.add(number, played)
    dataset.write(folder, part, rows)
    return len(part.matches)


def play(plan: Plan, number: int, stop: Stop = never) -> Played | None:
    """Play one match; None if it is stopped. Forced actions skip the bot."""
    game, seed, names = load(plan.game), f"{plan.seed} {number}", plan.bots_of(number)
    match, bots = Match(game, plan.seats, seed, **plan.options), [load_bot(name, game).sit() for name in names]
    thoughts: dict[int, Thought] = {}
    while not match.over and not stop():
        seat, legal = match.to_play, match.legal_numbers()
        action = legal[0]
        if len(legal) > 1:
            own = zlib.crc32(f"{seed} {seat} {match.ply}".encode())
            thought = thoughts[match.ply] = bots[seat].think(game, match.seen_by(seat), seat, own, stop)
            action = thought.action
        match.play(game.actions.text(action))
    by = ["chance" if actor == CHANCE else "bot" for actor in match.actors]
    return Played(match, names, by, seed, thoughts) if match.over else None


def warm_up(plan: Plan) -> None:
    """Have everything compiled or loaded from disk."""
    arena.warm_up(arena.Plan(plan.game, plan.bots, plan.seats, plan.options, seed=plan.seed))
