"""What a batch is made with, checked, and the sizes that follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from plenilune.core.encoding import Encoded, Encoding, Nothing
from plenilune.core.errors import BadSetting
from plenilune.game import Game, load
from plenilune.rl import lanes as compiled
from plenilune.rl.checks import one_of, true_or_false, whole

ACTIONS = {"number": compiled.BY_NUMBER, "code": compiled.BY_CODE, "option": compiled.BY_OPTION}
OBSERVE = ("tokens", "planes", "state", "nothing")
CHANCES = ("auto", "manual")
AUTORESET = {"next": compiled.NEXT_STEP, "same": compiled.SAME_STEP, "never": compiled.DISABLED}
DEVICES = ("cpu", "cuda")
MOST_THREADS = 256


@dataclass(frozen=True)
class Settings:
    """`Batch` says what these mean."""

    game: Game
    options: Mapping[str, str]
    encoding: Encoding
    seats: int
    n: int
    seed: int
    actions: str
    observe: str
    manual: bool
    autoreset: str
    most_steps: int
    views: bool
    history: bool
    threads: int
    device: str

    @classmethod
    def checked(cls, game: Game | str, seats: int, options: Mapping[str, str], **given: Any) -> Settings:
        found = game if isinstance(game, Game) else load(game)
        chosen, encoding = found.choices(seats, options), found.encoded()
        default, asked = "state" if encoding.Tokens is Nothing else "tokens", given["observe"]
        settings = cls(
            game=found,
            options=chosen,
            encoding=encoding,
            seats=int(seats),
            n=whole("n", given["n"], 1, 2**31),
            seed=whole("seed", given["seed"], 0, 2**64 - 1),
            actions=one_of("actions", given["actions"], ACTIONS),
            observe=one_of("observe", default if isinstance(asked, str) and not asked else asked, OBSERVE),
            manual=one_of("chance", given["chance"], CHANCES) == "manual",
            autoreset=one_of("autoreset", given["autoreset"], AUTORESET),
            most_steps=whole("most_steps", given["most_steps"], 0, 2**31 - 1),
            threads=whole("threads", given["threads"], 1, MOST_THREADS),
            views=true_or_false("views", given["views"]),
            history=true_or_false("history", given["history"]),
            device=one_of("device", given["device"], DEVICES),
        )
        settings._check_together()
        return settings

    def _check_together(self) -> None:
        if self.manual and self.actions == "code":
            raise BadSetting("codes are for seats only: with chance='manual', actions are numbers or options")
        if self.observe in ("tokens", "planes") and self.encoded is Nothing:
            raise BadSetting(f"{self.game.name} has no {self.observe}; its observations are: state, nothing")
        if self.device == "cuda" and self.threads > 1:
            raise BadSetting("threads are the CPU's: with device='cuda' there is a thread for each match")

    def arguments(self) -> dict[str, Any]:
        """What makes a batch like this one."""
        shared = ("seats", "n", "seed", "actions", "observe", "autoreset", "most_steps", "views", "history", "threads")
        named = {name: getattr(self, name) for name in (*shared, "device")}
        return {**named, "chance": self.chance, **self.options}

    @property
    def chance(self) -> str:
        return "manual" if self.manual else "auto"

    # Sizes

    @property
    def action_count(self) -> int:
        """How many different numbers `step` takes."""
        if self.actions == "option":
            return self.width
        return self.encoding.size or self.game.actions.size if self.actions == "code" else self.game.actions.size

    @property
    def width(self) -> int:
        """The most actions that may be legal at once."""
        return self.encoding.most_legal or self.game.actions.size

    @property
    def encoded(self) -> type[Encoded]:
        """What is observed, as a record."""
        return {"tokens": self.encoding.Tokens, "planes": self.encoding.Planes}.get(self.observe, Nothing)

    @property
    def action_type(self) -> np.dtype[Any]:
        """Of action numbers."""
        return np.dtype(np.int16 if self.game.actions.size <= np.iinfo(np.int16).max else np.int32)

    @property
    def number(self) -> np.dtype[Any]:
        """What observations are made of."""
        return np.dtype(np.float32 if self.observe == "planes" else np.uint8)

    @property
    def has_finals(self) -> bool:
        """Whether a step has final observations."""
        return self.autoreset == "same"

    def rows(self, records: Any) -> Any:
        """Records as rows of numbers, without padding."""
        names, width = records.dtype.names, records.dtype.itemsize
        kind = self.number if names == self.encoded.dtype.names else np.dtype(np.uint8)
        rows = records.view(kind).reshape(*records.shape, width // kind.itemsize)
        return rows[:, : self.game.State.dtype.itemsize] if names == self.game.State.dtype.names else rows
