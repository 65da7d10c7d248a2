"""Fair dice: every outcome follows from a secret seed that is committed to before the match and shown after it, and
from the nonces that the players contributed once they had seen the commitment."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import TypeVar

from plenilune.errors import BadSetting

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
        key, limit = self.key.encode(), 2**256 - 2**256 % len(outcomes)  # from there on some would be favoured
        attempt = 0
        while (number := _number(key, ply, attempt)) >= limit:
            attempt += 1
        return outcomes[number % len(outcomes)]


def _number(key: bytes, ply: int, attempt: int) -> int:
    return int.from_bytes(hmac.digest(key, f"{ply}.{attempt}".encode(), "sha256"), "big")
