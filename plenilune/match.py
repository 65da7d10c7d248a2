"""One match: a position, the actions that led to it, and perhaps dice that play chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plenilune.core.dice import Dice
from plenilune.core.errors import BadSetting, IllegalAction
from plenilune.core.record import CHANCE, SPECTATOR
from plenilune.game import Game, load
from plenilune.position import Position
from plenilune.replay import STANDARD, Replay, refuse, standard_headers


class Match:
    """A match with a seed plays chance by itself; without one, chance waits to be played like any seat.

    >>> match = Match("moon-leap", seats=2, seed="7")
    >>> match.history, match.to_play, match.legal()
    (['roll 2'], 0, ['move 2'])
    """

    def __init__(self, game: Game | str, seats: int = 2, seed: str | None = None, **options: str) -> None:
        self.game = game if isinstance(game, Game) else load(game)
        self.options = self.game.choices(seats, options)
        self.seats = int(seats)
        self.dice = None if seed is None else Dice(seed)
        self.replay = Replay()  # what a saved match holds besides the match: further headers, comments
        self._begin()
        self._roll()

    @property
    def state(self) -> Any:
        """The truth; `seen_by` gives what a seat may know."""
        return self.position.state

    @state.setter
    def state(self, state: Any) -> None:
        self.position = Position(self.game, state, self.ply)

    @property
    def to_play(self) -> int:
        """The seat to act, CHANCE or OVER."""
        return self.position.to_play

    @property
    def over(self) -> bool:
        return self.position.over

    @property
    def ply(self) -> int:
        return len(self._actions)

    @property
    def history(self) -> list[str]:
        """Every action played, chance's among them."""
        return [self.game.actions.text(number) for number in self._actions]

    @property
    def actors(self) -> list[int]:
        """Who played each action: a seat or CHANCE."""
        return list(self._actors)

    @property
    def scores(self) -> list[int]:
        return self.position.standing()[0]

    @property
    def places(self) -> list[int]:
        """1 for the best seat, and so on, as if the match ended now; seats may share a place."""
        return self.position.standing()[1]

    def legal(self) -> list[str]:
        """The actions that may be played now."""
        return self.position.legal_texts()

    def legal_numbers(self) -> list[int]:
        return self.position.legal()

    def play(self, action: str) -> None:
        """Play an action, and then chance's if there is a seed."""
        self._apply(self.position.parse(action))
        self._roll()

    def undo(self) -> list[str]:
        """Take back the last action, with what the dice rolled after it; returns what was taken back."""
        kept = self.ply - 1
        while self.dice and kept >= 0 and self._actors[kept] == CHANCE:
            kept -= 1
        if kept < 0:
            raise IllegalAction("there is nothing to undo")
        actions, taken = self._actions[:kept], self.history[kept:]
        self._begin()
        for number in actions:
            self._apply(number)
        self.replay.forget(kept)
        return taken

    def seen_by(self, seat: int = SPECTATOR) -> Any:
        """The state as the seat knows it, everything else blanked."""
        return self.position.hidden(seat)  # not cached: the caller may write to it, and may have written to `state`

    def history_seen_by(self, seat: int = SPECTATOR) -> list[str]:
        """The history with `?` for what the seat may not know."""
        if self.game.known is None or self.over:
            return self.history
        steps = zip(self._actions, self.positions(), strict=False)  # there is one more position: the present one
        return [position.text_for(number, seat) for number, position in steps]

    def positions(self) -> Iterator[Position]:
        """The position before each action and after the last: one object, which is played on."""
        position = self._start()
        for number in self._actions:
            yield position
            position.advance(number)
        yield position

    def view(self, seat: int = SPECTATOR) -> Any:
        """What the seat sees, as plain data."""
        return self.game.view(self.seen_by(seat))

    def save(self) -> str:
        """The match as text, with everything that is hidden in it."""
        headers = standard_headers(
            self.game.name,
            self.game.version,
            self.game.components,
            self.seats,
            self.options,
            self.dice.seed if self.dice else "",
            self.dice.nonces if self.dice else (),
            self.scores if self.over else (),
        )
        headers |= {key: value for key, value in self.replay.headers.items() if key not in STANDARD}
        return Replay(headers, self.history, self.replay.comments, self.replay.remarks).text()

    @classmethod
    def load(cls, text: str, check_dice: bool = False) -> Match:
        """Play a saved match again. Its chance actions are played as they stand; `check_dice` compares each of
        them with what the seed gives."""
        match = cls.replayed(Replay.parse(text), check_dice)
        match._roll()
        _compare(text, match.save())
        return match

    @classmethod
    def replayed(cls, replay: Replay, check_dice: bool = False) -> Match:
        """The match after all actions of a replay, which are checked one by one."""
        match, dice = cls._from_headers(replay)
        for ply, action in enumerate(replay.actions):
            with replay.at(ply):
                if check_dice and dice:
                    match.position.check_roll(dice, action)
                match.play(action)
        match.dice, match.replay = dice, replay
        return match

    @classmethod
    def _from_headers(cls, replay: Replay) -> tuple[Match, Dice | None]:
        headers = replay.headers
        for key in ("game", "rules", "seats"):
            if key not in headers:
                refuse(replay.line(key), f"a header '{key}: …'", "none")
        with replay.at("game"):
            game = load(headers["game"])
        version: Any = next((n for n in game.versions if str(n) == headers["rules"]), headers["rules"])
        with replay.at("components" if version in game.versions else "rules"):
            game = game.as_played(version, headers.get("components", ""))
        seats: Any = next((n for n in game.seats if str(n) == headers["seats"]), headers["seats"])
        options = dict(word.partition("=")[::2] for word in headers.get("options", "").split())
        with replay.at("options" if seats in game.seats else "seats"):
            chosen = game.choices(seats, options)
        return cls(game, seats, **chosen), _dice(replay)

    def _start(self) -> Position:
        return Position.begin(self.game, self.seats, self.options)

    def _begin(self) -> None:
        self.position = self._start()
        self._actions: list[int] = []
        self._actors: list[int] = []

    def _apply(self, number: int) -> None:
        self._actors.append(self.position.advance(number))
        self._actions.append(number)

    def _roll(self) -> None:
        while self.dice and self.to_play == CHANCE:
            self._apply(self.position.outcome(self.dice))


def _dice(replay: Replay) -> Dice | None:
    headers = replay.headers
    with replay.at("seed"):
        dice = Dice(headers["seed"]) if "seed" in headers else None
    with replay.at("nonces"):
        if "nonces" not in headers:
            return dice
        if dice is None:
            raise BadSetting("nonces need a seed")
        return Dice(dice.seed, headers["nonces"].split())


def _compare(text: str, saved: str) -> None:
    """A saved match says nothing but what follows from it: refuse the first line that differs."""
    given, expected = text.split("\n")[:-1], saved.split("\n")[:-1]
    for number in range(min(len(given), len(expected)) + 1):
        a, b = _line(given, number), _line(expected, number)
        if a != b:
            refuse(number + 1, b, a)


def _line(lines: list[str], number: int) -> str:
    if number == len(lines):
        return "the end of the file"
    return repr(lines[number]) if lines[number] else "a blank line"
