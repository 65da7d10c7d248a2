"""CPU time that one person and one network may use: token buckets that hold seconds of CPU time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

from plenilune.server.protocol.refusals import Denied
from plenilune.server.thinking.fairness import Owner

KIND = "cpu"
BURST, REFILL = 120.0, 1.0  # CPU seconds in a person's full bucket, and that come back in a second
CROWD = 4  # several people may share a network: it may use this many times as much


class Buckets(Protocol):
    """Token buckets. One of a person holds BURST and gets REFILL a second; `factor` times as much if that is given."""

    def left(self, kind: str, who: str, factor: float = 1) -> float:
        """How much it holds; less than nothing if more was spent."""

    def spend(self, kind: str, who: str, amount: float, factor: float = 1) -> None:
        """Take an amount that is known only afterwards."""


class Budgets:
    """What owners may still use. Both the person and the network pay."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    def left(self, owner: Owner) -> float:
        """CPU seconds; less than nothing if more was used."""
        return min((self._buckets.left(KIND, who, factor) for who, factor in _payers(owner)), default=math.inf)

    def wait(self, owner: Owner) -> float:
        """Seconds until something is left; 0 if something is."""
        debts = (-self._buckets.left(KIND, who, factor) / (REFILL * factor) for who, factor in _payers(owner))
        return max([0.0, *debts])

    def spend(self, owner: Owner, seconds: float) -> None:
        for who, factor in _payers(owner):
            self._buckets.spend(KIND, who, seconds, factor)

    def check(self, owner: Owner) -> None:
        """Refuse whoever has used more than they may."""
        if wait := math.ceil(self.wait(owner)):
            what = f"wait {wait} second{'s' * (wait != 1)}"
            raise Denied("too_often", f"your bots, hints and reviews have used up their computing time: {what}")


def _payers(owner: Owner) -> Iterator[tuple[str, float]]:
    """Whose buckets count, and how many times a person's they are; nobody in particular pays nothing."""
    if owner.person:
        yield f"person {owner.person}", 1
    if owner.network:
        yield f"address {owner.network}", CROWD


class Unlimited:
    """Buckets that are never empty."""

    def left(self, kind: str, who: str, factor: float = 1) -> float:
        return math.inf

    def spend(self, kind: str, who: str, amount: float, factor: float = 1) -> None:
        pass
