"""One match: a list of actions, chance's own among them, and the state they lead to."""

from __future__ import annotations

from typing import Any

import numpy as np

from plenilune.compiling import prepare
from plenilune.dice import Dice
from plenilune.errors import BadSetting, IllegalAction, UnknownAction
from plenilune.game import Game, load
from plenilune.record import CHANCE, OVER, SPECTATOR
from plenilune.replay import Replay, refuse


class Match:
    """A match with a seed plays chance by itself; without one, chance waits to be played like any seat.

    >>> match = Match("moon-leap", seats=2, seed="7")
    >>> match.history, match.to_play, match.legal()
    (['roll 2'], 0, ['move 2'])
    """

    def __init__(self, game: Game | str, seats: int = 2, seed: str | None = None, **options: str) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.options = self.game.choices(seats, options)
        self.seats = int(seats)
        self.dice = None if seed is None else Dice(seed)
        self.replay = Replay()  # what a saved match holds besides the match: further headers, comments
        self._out = np.zeros(self.game.actions.size, np.int32)
        prepare(self.game)
        self._begin()
        self._roll()

    @property
    def to_play(self) -> int:
        """The seat to act, CHANCE or OVER."""
        return int(self.state.to_play)

    @property
    def over(self) -> bool:
        return self.to_play == OVER

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
        return [int(self.game.score(self.state, seat)) for seat in range(self.seats)]

    @property
    def places(self) -> list[int]:
        """1 for the best seat, and so on, as if the match ended now; seats may share a place."""
        out = np.zeros(self.seats, np.int32)
        self.game.places(self.state, out)
        return [int(place) for place in out]

    def legal(self) -> list[str]:
        """The actions that may be played now."""
        return [self.game.actions.text(number) for number in self.legal_numbers()]

    def legal_numbers(self) -> list[int]:
        if self.over:
            return []
        count = self.game.legal(self.state, self._out)
        return sorted(map(int, self._out[:count]))  # sorted: the dice mean the same however a game lists them

    def play(self, action: str) -> None:
        """Play an action, and then chance's if there is a seed."""
        self._play(action)
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
        seen = self.game.State.copy(self.state)
        self.game.hide(seen, seat)
        return seen

    def history_seen_by(self, seat: int = SPECTATOR) -> list[str]:
        """The history with `?` for what the seat may not know."""
        known = self.game.known
        if known is None or self.over:
            return self.history
        texts, past = [], Match(self.game, self.seats, **self.options)
        for number in self._actions:
            texts.append(self.game.actions.text(number, known(past.state, number, seat)))
            past._apply(number)
        return texts

    def view(self, seat: int = SPECTATOR) -> Any:
        """What the seat sees, as plain data."""
        return self.game.view(self.seen_by(seat))

    def save(self) -> str:
        """The match as text: whoever reads it knows everything."""
        settings = " ".join(f"{name}={word}" for name, word in self.options.items())
        standard = {
            "game": self.game.name,
            "rules": str(self.game.version),
            "components": self.game.components,
            "seats": str(self.seats),
            "options": settings,
            "seed": self.dice.seed if self.dice else "",
            "nonces": " ".join(self.dice.nonces) if self.dice else "",
            "scores": " ".join(map(str, self.scores)) if self.over else "",
        }
        headers = {key: value for key, value in standard.items() if value}
        headers |= {key: value for key, value in self.replay.headers.items() if key not in standard}
        return Replay(headers, self.history, self.replay.comments, self.replay.remarks).text()

    @classmethod
    def load(cls, text: str, check_dice: bool = False) -> Match:
        """Play a saved match again. Its chance actions are played as they stand; `check_dice` compares each of
        them with what the seed gives."""
        replay = Replay.parse(text)
        match, dice = cls._from_headers(replay)
        for ply, action in enumerate(replay.actions):
            if check_dice and dice and match.to_play == CHANCE:
                rolled = match.game.actions.text(dice.pick(ply, match.legal_numbers()))
                if rolled != action:
                    refuse(replay.line(ply), f"{rolled!r} of this seed", repr(action))
            with replay.at(ply):
                match._play(action)
        match.dice, match.replay = dice, replay
        match._roll()
        _compare(text, match.save())
        return match

    @classmethod
    def _from_headers(cls, replay: Replay) -> tuple[Match, Dice | None]:
        headers = replay.headers
        for key in ("game", "rules", "seats"):
            if key not in headers:
                refuse(replay.line(key), f"a header '{key}: …'", "none")
        with replay.at("game"):
            game = load(headers["game"])
        with replay.at("rules"):
            version: Any = next((n for n in game.versions if str(n) == headers["rules"]), headers["rules"])
            game = game.at_version(version)
        with replay.at("components"):
            if headers.get("components", "") != game.components:
                theirs, ours = headers.get("components", "none"), game.components or "none"
                raise BadSetting(f"played with components {theirs}; those in use are {ours}")
        seats: Any = next((n for n in game.seats if str(n) == headers["seats"]), headers["seats"])
        options = dict(word.partition("=")[::2] for word in headers.get("options", "").split())
        with replay.at("options" if seats in game.seats else "seats"):
            chosen = game.choices(seats, options)
        with replay.at("seed"):
            dice = Dice(headers["seed"]) if "seed" in headers else None
        with replay.at("nonces"):
            if "nonces" in headers:
                if dice is None:
                    raise BadSetting("nonces need a seed")
                dice = Dice(dice.seed, headers["nonces"].split())
        return cls(game, seats, **chosen), dice

    def _begin(self) -> None:
        self._actions: list[int] = []
        self._actors: list[int] = []
        self.state = self.game.State.new()
        words = [self.game.options[name].index(word) for name, word in self.options.items()]
        self.game.setup(self.state, self.seats, np.array(words, np.int32))

    def _play(self, action: str) -> None:
        try:
            number = self.game.actions.parse(action)
        except UnknownAction as error:
            raise UnknownAction(f"{error}; {self._allowed()}") from None
        if number not in self.legal_numbers():
            raise IllegalAction(f"{action!r} is not allowed now; {self._allowed()}")
        self._apply(number)

    def _allowed(self) -> str:
        if self.over:
            return "the match is over"
        legal, who = self.legal(), "chance" if self.to_play == CHANCE else f"seat {self.to_play + 1}"
        more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
        return f"{who} may: {', '.join(legal[:12])}{more}"

    def _apply(self, number: int) -> None:
        self._actors.append(self.to_play)
        self.game.apply(self.state, number)
        self._actions.append(number)

    def _roll(self) -> None:
        while self.dice and self.to_play == CHANCE:
            self._apply(self.dice.pick(self.ply, self.legal_numbers()))


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
