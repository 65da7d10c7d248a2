"""What is known of a game before it is played: what a lobby shows, on a server and in a page without one."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator

from msgspec import Struct

from plenilune.core import components
from plenilune.core.errors import BadSetting
from plenilune.game import Game

PHRASES = ("hello", "good_luck", "your_turn", "well_played", "thinking", "oops", "thanks", "again", "goodbye")


class Setting(Struct, frozen=True):
    """Seats and options that go together."""

    seats: int
    options: dict[str, str]


class GameInfo(Struct, frozen=True):
    name: str  # `moon-leap`
    title: str  # `Moon Leap`
    rules: int  # the rules' version
    components: str  # the component table's digest, or nothing
    uncertain: bool  # some of the table's figures are not known for certain
    seats: list[int]
    options: dict[str, list[str]]  # the first word is the default
    settings: list[Setting]
    bots: list[str]  # the levels, weakest first; every other bot's name is taken as well
    secrets: bool  # seats have secrets: one screen for several seats needs a curtain
    solo: bool
    phrases: list[str]  # the quick phrases' keys


def game_info(game: Game) -> GameInfo:
    return GameInfo(
        name=game.name,
        title=game.title,
        rules=game.version,
        components=game.components,
        uncertain=bool(game.components and components.table(game.State.home()).uncertain),
        seats=list(game.seats),
        options={option: list(words) for option, words in game.options.items()},
        settings=list(settings(game)),
        bots=levels(game),
        secrets=bool(game.secrets),
        solo=1 in game.seats,
        phrases=list(PHRASES),
    )


def settings(game: Game) -> Iterator[Setting]:
    for seats in game.seats:
        for words in itertools.product(*game.options.values()):
            options = dict(zip(game.options, words, strict=True))
            with contextlib.suppress(BadSetting):
                yield Setting(seats, game.choices(seats, options))


def levels(game: Game) -> list[str]:
    """The bots to offer, weakest first."""
    return list(game.levels) or ["random", "greedy", "mcts:1000"]
