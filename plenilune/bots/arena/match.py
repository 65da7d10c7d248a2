"""Matches between bots, and their results."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plenilune.bots import load as load_bot
from plenilune.bots.arena.plan import Fixture, Plan
from plenilune.bots.pool import spread
from plenilune.bots.thought import Stop, never
from plenilune.core.fingerprint import fingerprint
from plenilune.game import Game, load
from plenilune.match import Match


@dataclass(frozen=True)
class Result:
    """How a match went, with all there is to know to play it again. What is a list is by seat."""

    game: str
    rules: int
    components: str
    code: str  # a digest of the rules' and the bots' sources
    seats: int
    options: dict[str, str]
    seed: str
    bots: list[str]
    places: list[int]
    scores: list[int]
    plies: int
    decisions: list[int]  # those with more than one legal action
    ms: list[float]  # what they took, all together

    @property
    def fixture(self) -> Fixture:
        return Fixture(self.seed, tuple(self.bots))


def play(plan: Plan, fixture: Fixture, stop: Stop = never) -> Result | None:
    """Play the match; None if it is stopped. Forced actions skip the bot."""
    game = load(plan.game)
    match, bots = Match(game, plan.seats, fixture.seed, **plan.options), [load_bot(b, game).sit() for b in fixture.bots]
    decisions, ms = [0] * plan.seats, [0.0] * plan.seats
    while not match.over and not stop():
        seat, legal = match.to_play, match.legal_numbers()
        action = legal[0]
        if len(legal) > 1:
            began = time.perf_counter()
            seed = zlib.crc32(f"{fixture.seed} {seat} {match.ply}".encode())
            action = bots[seat].think(game, match.seen_by(seat), seat, seed, stop).action
            ms[seat] += 1000 * (time.perf_counter() - began)
            decisions[seat] += 1
        match.play(game.actions.text(action))
    return _result(match, fixture, decisions, ms) if match.over else None


def _result(match: Match, fixture: Fixture, decisions: list[int], ms: list[float]) -> Result:
    game = match.game
    return Result(
        game=game.name,
        rules=game.version,
        components=game.components,
        code=code(game),
        seats=match.seats,
        options=match.options,
        seed=fixture.seed,
        bots=list(fixture.bots),
        places=match.places,
        scores=match.scores,
        plies=match.ply,
        decisions=decisions,
        ms=[round(time, 3) for time in ms],
    )


def code(game: Game) -> str:
    """A digest of the sources that decide how a match is played: the game's rules, the bots and this file."""
    bots = Path(__file__).parents[1]
    sources = (game.State.home(), bots, bots / "search", Path(__file__))
    return "-".join(fingerprint(source) for source in sources)


def warm_up(plan: Plan) -> None:
    """Have everything compiled or loaded from disk, so that no decision pays for it."""
    match = Match(plan.game, plan.seats, plan.seed, **plan.options)
    for name in plan.bots:
        bot, seat = load_bot(name, match.game), match.to_play
        bot.think(match.game, match.seen_by(seat), seat, seed=0, stop=lambda: True)


def play_all(plan: Plan, todo: Sequence[Fixture], jobs: int) -> Iterator[Result]:
    """The results as they come, from so many processes."""
    return spread(partial(play, plan), todo, jobs, partial(warm_up, plan))
