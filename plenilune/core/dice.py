"""Fair dice: every outcome follows from a secret seed that is committed to before the match and shown after it, and
from the nonces that the players contributed once they had seen the commitment."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import TypeVar

from plenilune.core.errors import BadSetting

T = TypeVar("T")
NONCE = re.compile(r"[0-9a-f]{32}")


class Dice:
    """
    >>> dice = Dice("7")
    >>> dice.pick(0, "abc") == Dice("7").pick(0, "abc")
    True
    >>> dice.commitment[:16]
    '7902699be42c8a8e'
    >>> Dice("7", ["00" * 16]).key[:16]
    '06986ef7347347c3'
    """

    def __init__(self, seed: str, nonces: Sequence[str] = ()) -> None:
        if not isinstance(seed, str) or not seed or seed != seed.strip() or not seed.isprintable():
            raise BadSetting(f"a seed is a line of text, not {seed!r}")
        for nonce in nonces:
            if not NONCE.fullmatch(nonce):
                raise BadSetting(f"a nonce is 32 hexadecimal digits, not {nonce!r}")
        self.seed, self.nonces = seed, tuple(nonces)

    @property
    def commitment(self) -> str:
        """Published before the match: it fixes the seed without giving it away."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    @property
    def key(self) -> str:
        """What rolls are derived from: the seed, mixed with the nonces if there are any."""
        if not self.nonces:
            return self.seed
        return hmac.digest(self.seed.encode(), f"nonces {' '.join(self.nonces)}".encode(), "sha256").hex()

    def pick(self, ply: int, outcomes: Sequence[T]) -> T:
        """One of the outcomes, all equally likely, the same one whenever the same ply asks."""
        return outcomes[self._below(len(outcomes), str(ply))]

    def order(self, count: int) -> list[int]:
        """The numbers below `count`, shuffled: every order is equally likely.

        >>> sorted(Dice("7").order(4))
        [0, 1, 2, 3]
        """
        left = list(range(count))
        return [left.pop(self._below(len(left), f"seat {place}")) for place in range(count)]

    def _below(self, count: int, asked: str) -> int:
        """A number below `count`, the same one whenever the same is asked."""
        key, limit = self.key.encode(), 2**256 - 2**256 % count  # from there on some would be favoured
        attempt = 0
        while (number := _number(key, asked, attempt)) >= limit:
            attempt += 1
        return number % count


def _number(key: bytes, asked: str, attempt: int) -> int:
    return int.from_bytes(hmac.digest(key, f"{asked}.{attempt}".encode(), "sha256"), "big")
