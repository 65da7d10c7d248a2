"""Fair dice: every outcome follows from a secret seed that is committed to before the match and shown after it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

from plenilune.errors import BadSetting

T = TypeVar("T")


class Dice:
    """
    >>> dice = Dice("7")
    >>> dice.pick(0, "abc") == Dice("7").pick(0, "abc")
    True
    >>> dice.commitment[:16]
    '7902699be42c8a8e'
    """

    def __init__(self, seed: str) -> None:
        if not isinstance(seed, str) or not seed or seed != seed.strip() or not seed.isprintable():
            raise BadSetting(f"a seed is a line of text, not {seed!r}")
        self.seed = seed

    @property
    def commitment(self) -> str:
        """Published before the match: it fixes the seed without giving it away."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    def pick(self, ply: int, outcomes: Sequence[T]) -> T:
        """One of the outcomes, all equally likely, the same one whenever the same ply asks."""
        limit = 2**256 - 2**256 % len(outcomes)  # numbers at or above it would favour the first outcomes
        attempt = 0
        while (number := self._number(ply, attempt)) >= limit:
            attempt += 1
        return outcomes[number % len(outcomes)]

    def _number(self, ply: int, attempt: int) -> int:
        return int.from_bytes(hmac.digest(self.seed.encode(), f"{ply}.{attempt}".encode(), "sha256"), "big")
