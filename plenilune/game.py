"""What a game is: a value that names its rules."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plenilune.core import components
from plenilune.core.components import Table
from plenilune.core.errors import BadComponents, BadGame, BadSetting, Refusal, UnknownGame
from plenilune.core.record import BaseState
from plenilune.core.spaces import ActionSpace

if TYPE_CHECKING:
    from plenilune.core.encoding import Encoding


def no_objection(seats: int, options: Mapping[str, str]) -> str:
    return ""


class Tuning(NamedTuple):
    """How a game is searched (plenilune/bots/search)."""

    explore: float = 1.2  # PUCT's constant: the weight of the exploration bonus against the mean value
    first_play: float = 0.05  # how much worse than its parent an unvisited action is taken to be
    rollout_plies: int = -1  # random plies before a leaf is evaluated; -1: play to the end
    prefer: float = 0.0  # how often a rollout's ply is the preferred one instead
    prior_temperature: float = 0.0  # of the softmax over `evaluate` that gives the priors; 0: they are `prefer`'s
    # Where there are secrets:
    decoy_exploration: float = 3.0  # how much more decoys explore, so that opponents mix their actions
    opponent_sharpness: float = 1.0  # opponents choose by this power of the decoys' visits: the larger, the greedier


class Level(NamedTuple):
    """How well a level of bots plays: by numbers, not by time, so that it plays alike on every machine."""

    simulations: int  # a decision
    slips: float = 0.0  # the share of its decisions that it makes without thinking
    crowded: int = 0  # simulations with more than two seats, where each finds out less and takes longer; 0: the same

    def at(self, seats: int) -> int:
        """How many simulations a decision, with so many seats."""
        return self.crowded if self.crowded and seats > 2 else self.simulations


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game's table of contents. The functions marked * are `@rule`s."""

    name: str
    title: str  # as it is written on the box
    version: int  # of the rules: raised whenever an old replay would play out differently
    seats: range
    bound: int  # in plies; no match is longer, or none anybody will live to see (its RULES.md says which)
    State: type[BaseState]
    actions: ActionSpace
    setup: Callable[[Any, int, Any], None]  # * (state, seats, options): options as in `choices`
    legal: Callable[[Any, Any], int]  # * (state, out): list what may be done now; chance's are equally likely
    apply: Callable[[Any, int], None]  # * (state, action): play it
    score: Callable[[Any, int], int]  # * (state, seat): points, in the rulebook's sense
    places: Callable[[Any, Any], None]  # * (state, out): 1 for the best seat …, as if the match ended now
    hide: Callable[[Any, int], None]  # * (state, seat): blank what the seat may not see; -1 is a spectator
    resample: Callable[[Any, int, Any], None]  # * (state, seat, rng): fill the blanks with a fair guess
    view: Callable[[Any], Any]  # (seen state): plain data for client, text and log; a `RecordView`, or any function
    draw: Callable[[Any], str]  # (view): the table as text, coloured by rich's markup
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the first word is the default
    objection: Callable[[int, Mapping[str, str]], str] = no_objection  # why these do not go together, if so
    components: str = ""  # the component table's digest
    read_components: Callable[[Table], Any] | None = None  # makes sense of a component table, or refuses it
    secrets: tuple[str, ...] = ()  # the fields that `hide` blanks for somebody
    evaluate: Callable[[Any, Any], None] | None = None  # * (state, out): each seat's chance to win, estimated quickly
    prefer: Callable[[Any, Any, int, Any], None] | None = None  # * (state, actions, n, out): how promising each is
    tuning: Tuning = field(default_factory=Tuning)
    tuned: Mapping[int, Tuning] = field(default_factory=dict)  # by the number of seats, where another is better
    levels: Mapping[str, Level] = field(default_factory=dict)  # of bots, the weakest first
    known: Callable[[Any, int, int], int] | None = None  # * (state, next action, seat): words it may read
    encoding: Callable[[], Encoding] | None = None  # how networks read it; imported when asked for
    earlier: Mapping[int, Callable[[], Game]] = field(default_factory=dict)  # by version; built when asked for

    def __post_init__(self) -> None:
        from plenilune.core import engine, shape  # importing numba is slow; by now the rules have done it

        functions = {f: getattr(self, f) for f in (*engine.SIGNATURES, *engine.OPTIONAL)}
        fill = {"fill": self.view.fill} if isinstance(self.view, shape.RecordView) else {}
        engine.register(self.State.dtype, functions | fill)

    def encoded(self) -> Encoding:
        """How networks read the game; what it does not say has defaults."""
        from plenilune.core import encoding

        made = self.encoding() if self.encoding else encoding.Encoding()
        made.register(self.State.dtype)
        return made

    @property
    def versions(self) -> list[int]:
        """The versions of the rules that can be played, the earliest first."""
        return sorted([*self.earlier, self.version])

    def at_version(self, version: int) -> Game:
        """The game by that version of its rules, so that a match goes on by the rules it began with."""
        if version == self.version:
            return self
        if version not in self.earlier:
            known = ", ".join(map(str, self.versions))
            raise BadSetting(f"there is no version {version} of {self.name}'s rules; known: {known}")
        return self.earlier[version]()

    def as_played(self, version: int, components: str) -> Game:
        """The game by the rules and with the components that a match was played with, or a refusal."""
        game = self.at_version(version)
        if components != game.components:
            theirs, ours = components or "none", game.components or "none"
            raise BadSetting(f"played with components {theirs}; those in use are {ours}")
        return game

    def tuning_for(self, seats: int) -> Tuning:
        return self.tuned.get(seats, self.tuning)

    def choices(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """Every option with the word chosen or its default; refuses what the game does not offer."""
        if not isinstance(seats, Integral) or seats not in self.seats:
            raise BadSetting(f"{self.name} is for {_span(self.seats)} seats, not {seats}")
        for name, word in options.items():
            if name not in self.options:
                offers = f"its options are: {', '.join(self.options)}" if self.options else "it has none"
                raise BadSetting(f"{self.name} has no option {name!r}; {offers}")
            if word not in self.options[name]:
                raise BadSetting(f"{name} is one of {', '.join(self.options[name])}, not {word!r}")
        chosen = {name: options.get(name, words[0]) for name, words in self.options.items()}
        if reason := self.objection(seats, chosen):
            raise BadSetting(reason)
        return chosen


def names() -> list[str]:
    """The games there are."""
    from plenilune import games

    found = pkgutil.iter_modules(games.__path__)
    return sorted(m.name.replace("_", "-") for m in found if m.ispkg and m.name == m.name.lower())


def load(name: str, rules: int | None = None) -> Game:
    """The game of that name; `Moon Leap`, `moon_leap` and `moon-leap` are one. `rules` asks for an earlier version."""
    plain = "-".join(name.lower().replace("_", " ").split()) if isinstance(name, str) else ""
    if plain not in names():
        raise UnknownGame(f"no such game: {name!r}; there are: {', '.join(names())}")
    game = _import(plain)
    for file in sorted(Path(os.environ.get(components.VARIABLE) or os.devnull).glob("*" + components.SUFFIX)):
        if file.stem not in names():
            raise BadComponents(f"{file}: no game has that name; there are: {', '.join(names())}")
        if file.stem == game.name and not game.components:
            raise BadComponents(f"{file}: {game.name} has no component table to replace")
    return game if rules is None else game.at_version(rules)


def _import(name: str) -> Game:
    try:
        game = importlib.import_module(f"plenilune.games.{name.replace('-', '_')}").GAME
    except Refusal:
        raise
    except Exception as error:  # whatever a folder that is not ours may hold
        raise BadGame(f"{name} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(game, Game) or game.name != name:
        raise BadGame(f"{name} cannot be loaded: its GAME is not a Game of that name")
    return game


def _span(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
