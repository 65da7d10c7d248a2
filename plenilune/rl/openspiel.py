"""The games as games of OpenSpiel: importing this module registers them (`pip install 'plenilune[openspiel]'`).

>>> import pyspiel  # doctest: +SKIP
>>> import plenilune.rl.openspiel  # doctest: +SKIP
>>> game = pyspiel.load_game("plenilune_via_nebula(players=3,map=expert)")  # doctest: +SKIP

Actions have the numbers and the texts that they have everywhere. A seat's information state is the list of all actions,
with `?` for what it may not know, and nothing else of the match.
"""

from __future__ import annotations

import random
import threading
from typing import Any, ClassVar

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{__name__} needs OpenSpiel: pip install 'plenilune[openspiel]'") from error

from plenilune.core.compiling import first_use, prepare
from plenilune.core.encoding import Nothing, reward
from plenilune.core.engine import apply, generic, legal, places, rule
from plenilune.core.errors import BadSetting, IllegalAction
from plenilune.core.record import CHANCE, OVER, SPECTATOR
from plenilune.core.sorting import sort
from plenilune.game import Game, load, names
from plenilune.position import MOST_LISTED, Position
from plenilune.rl.checks import index, shown, whole
from plenilune.rl.infostate import Transcript, resampled
from plenilune.rl.single import shares

PREFIX = "plenilune_"
SOLO = "_solo"  # the name of a game that can be played alone, played alone
PLAYERS: dict[int, int] = {OVER: pyspiel.PlayerId.TERMINAL, CHANCE: pyspiel.PlayerId.CHANCE}
COMPILED_FUNCTIONS = 20  # about, for the progress bar
NOT_PLAYED = -9  # neither a seat, nor CHANCE or OVER
MOST_POINTS = 10_000.0  # no score of a game played alone is further from 0


known = generic("known")


# Compiled code takes arrays of one state: passing the state itself costs more than most rules.


@rule
def list_legal(states: Any, out: Any) -> int:
    s = states[0]
    n = legal(s, out) if s.to_play != OVER else 0
    sort(out, n)
    return n


@rule
def is_listed(s: Any, action: int, out: Any) -> bool:
    """Whether the action is legal: rules look up what an action means in tables, and would look outside of them."""
    n = legal(s, out) if s.to_play != OVER else 0
    for i in range(n):
        if out[i] == action:
            return True
    return False


@rule
def play(states: Any, action: int, out: Any) -> int:
    """Returns who is to play then; NOT_PLAYED where the action is not legal, which changes nothing."""
    s = states[0]
    if not is_listed(s, action, out):
        return NOT_PLAYED
    apply(s, action)
    return int(s.to_play)


@rule
def play_noting_words(states: Any, action: int, out: Any, words: Any) -> int:
    """The same, and how many of the action's words each viewer may read."""
    s = states[0]
    if not is_listed(s, action, out):
        return NOT_PLAYED
    for i in range(len(words)):
        words[i] = known(s, action, i + SPECTATOR)
    apply(s, action)
    return int(s.to_play)


class SharedGame:
    """What all states of one game share. Copies and pickles of it are itself."""

    made: ClassVar[dict[tuple[str, int, tuple[tuple[str, str], ...]], SharedGame]] = {}

    def __init__(self, name: str, seats: int, options: tuple[tuple[str, str], ...]) -> None:
        self.key = (name, seats, options)
        self.game, self.seats = load(name), seats
        self.encoding = self.game.encoded()
        prepare(self.game)
        self.start = np.array([Position.begin(self.game, seats, dict(options)).state], self.game.State.dtype)
        self.numbers = np.zeros(self.game.actions.size, np.int32)
        self.words = np.zeros(seats - SPECTATOR, np.uint8)
        self._lock = threading.Lock()  # of the two arrays above: compiled code runs in several threads at once
        first_use(self.game, play, self._rehearse, COMPILED_FUNCTIONS, "environments")

    def legal(self, record: Any) -> list[int]:
        with self._lock:
            numbers: list[int] = self.numbers[: list_legal(record, self.numbers)].tolist()
        return numbers

    def play(self, record: Any, action: int) -> tuple[int, bytes]:
        """Who is to play then, and how many of the action's words each viewer may read, the spectator first; nothing
        if nobody has secrets."""
        with self._lock:
            if self.game.known is None:
                to_play, words = int(play(record, action, self.numbers)), b""
            else:
                to_play = int(play_noting_words(record, action, self.numbers, self.words))
                words = self.words.tobytes()
        if to_play == NOT_PLAYED:
            raise IllegalAction(f"{action} is not allowed now; {self._allowed(record)}")
        return to_play, words

    def text(self, action: int) -> str:
        return self.game.actions.texts[whole("action", action, 0, self.game.actions.size - 1)]

    def seat(self, player: int) -> int:
        return whole("player", player, 0, self.seats - 1)

    def _allowed(self, record: Any) -> str:
        found = self.legal(record)
        more = f" and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
        return f"these are: {', '.join(map(str, found[:MOST_LISTED]))}{more}" if found else "the match is over"

    def _rehearse(self) -> None:
        start = self.start.copy()
        self.play(start, self.legal(start)[0])

    @classmethod
    def of(cls, name: str, seats: int, options: tuple[tuple[str, str], ...]) -> SharedGame:
        key = (name, seats, options)
        if key not in cls.made:
            cls.made[key] = cls(*key)
        return cls.made[key]

    def __deepcopy__(self, memo: Any) -> SharedGame:
        return self

    def __reduce__(self) -> Any:
        return SharedGame.of, self.key


class State(pyspiel.State):  # type: ignore[misc]
    """A match: its record, and how much of each action each seat may know."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.shared: SharedGame = game.shared
        self.record = self.shared.start.copy()
        self.to_play = int(self.record["to_play"][0])
        self.known = b""

    def current_player(self) -> int:
        return PLAYERS.get(self.to_play, self.to_play)

    def is_terminal(self) -> bool:
        return self.to_play == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self.shared.legal(self.record) if player == self.to_play else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        numbers = self.shared.legal(self.record)
        return [(number, 1 / len(numbers)) for number in numbers]

    def _apply_action(self, action: int) -> None:
        self.to_play, words = self.shared.play(self.record, action)
        self.known += words

    def _action_to_string(self, player: int, action: int) -> str:
        return self.shared.text(action)

    def returns(self) -> list[float]:
        seats = self.shared.seats
        if not self.is_terminal():
            return [0.0] * seats
        if seats == 1:
            return [float(reward(self.record[0]))]
        ranks = np.zeros(seats, np.int32)
        places(self.record[0], ranks)
        return shares(ranks.tolist())

    def __str__(self) -> str:
        return " / ".join(map(self.shared.game.actions.text, self.history()))

    def information_state(self, player: int) -> list[str]:
        """The actions as the player knows them."""
        return self._transcript().information_state(self.shared.seat(player))

    def _transcript(self) -> Transcript:
        return Transcript(
            self.shared.game, self.shared.start, tuple(self.history()), b"" if self.is_terminal() else self.known
        )

    def seen(self, player: int) -> Any:
        seen = self.record.copy()
        self.shared.game.hide(seen[0], self.shared.seat(player))
        return seen[0]

    def resample_from_infostate(self, player: int, sampler: Any) -> State:
        """A match with the same information state of the player, as IS-MCTS asks for it."""
        drawn = sampler()
        if not isinstance(drawn, int | float | np.floating) or not 0 <= drawn <= 1:
            raise BadSetting(f"a sampler draws numbers between 0 and 1, not {shown(drawn)}")
        chooser = random.Random(int(drawn * 2**53))
        state = self.get_game().new_initial_state()
        for action in resampled(self._transcript(), self.shared.seat(player), chooser):
            state.apply_action(action)
        made: State = state
        return made


class Observer:
    """Information states as texts (perfect recall), observations as texts and as tensors of `tokens`."""

    def __init__(self, shared: SharedGame, kind: Any) -> None:
        self.shared, self.recalls = shared, kind.perfect_recall
        self.row: Any = shared.encoding.Tokens.new()
        self.tensor = (
            None if self.recalls else np.zeros(shared.seats + shared.encoding.Tokens.dtype.itemsize, np.float32)
        )
        self.dict = {}
        if self.tensor is not None:
            self.dict = {"player": self.tensor[: shared.seats], "tokens": self.tensor[shared.seats :]}

    def set_from(self, state: State, player: int) -> None:
        player = self._seat(state, player)
        if self.tensor is None:
            return
        self.shared.encoding.tokens(state.seen(player), player, self.row)
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        self.dict["tokens"][:] = np.frombuffer(self.row.tobytes(), np.uint8)

    def string_from(self, state: State, player: int) -> str:
        player = self._seat(state, player)
        if self.recalls:
            return " / ".join([f"seat {player + 1}", *state.information_state(player)])
        seen: bytes = state.seen(player).tobytes()
        return f"seat {player + 1} {seen.hex()}"

    def _seat(self, state: State, player: int) -> int:
        if not isinstance(state, State) or state.shared is not self.shared:
            raise BadSetting("this observer is for states of the game that made it, by its players and options too")
        return self.shared.seat(player)


def register(name: str, alone: bool) -> str:
    """Make the game one of OpenSpiel's; returns its name there."""
    game = load(name)
    seats = [n for n in game.seats if (n == 1) == alone]
    short = PREFIX + name.replace("-", "_") + (SOLO if alone else "")
    kind = pyspiel.GameType(
        short_name=short,
        long_name=game.title + (", alone" if alone else ""),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information(game),
        utility=pyspiel.GameType.Utility.GENERAL_SUM if alone else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats[-1],
        min_num_players=seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=game.encoded().Tokens is not Nothing,
        parameter_specification={"players": seats[0], **{option: words[0] for option, words in game.options.items()}},
    )
    made = type(short, (_Game,), {"kind": kind, "name": name, "fewest": seats[0], "__module__": __name__})
    globals()[short] = made
    pyspiel.register_game(kind, made)
    return short


def information(game: Game) -> Any:
    kinds = pyspiel.GameType.Information
    return kinds.IMPERFECT_INFORMATION if game.secrets else kinds.PERFECT_INFORMATION


class _Game(pyspiel.Game):  # type: ignore[misc]
    kind: Any
    name: str
    fewest: int

    def __init__(self, params: Any = None) -> None:
        chosen = {**self.kind.parameter_specification, **(params or {})}
        asked, offered = chosen.pop("players"), range(self.kind.min_num_players, self.kind.max_num_players + 1)
        seats = index(asked)
        if seats is None or seats not in offered:
            known = ", ".join(map(str, offered))
            raise BadSetting(f"players is one of {known} in {self.kind.short_name}, not {shown(asked)}")
        game = load(self.name)
        self.shared = SharedGame.of(self.name, seats, tuple(game.choices(seats, chosen).items()))
        worst, best = (-MOST_POINTS, MOST_POINTS) if seats == 1 else (-1.0, 1.0)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions.size,
            max_chance_outcomes=game.actions.size,
            num_players=seats,
            min_utility=worst,
            max_utility=best,
            utility_sum=None if seats == 1 else 0.0,
            max_game_length=game.bound,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> State:
        return State(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        if params:
            raise BadSetting(f"an observer has no parameters, not {shown(params)}")
        return Observer(self.shared, kind or pyspiel.IIGObservationType(perfect_recall=False))

    def max_chance_nodes_in_history(self) -> int:
        return self.shared.game.bound


REGISTERED = [
    register(name, alone)
    for name in names()
    for alone in (False, True)
    if any((n == 1) == alone for n in load(name).seats)
]
