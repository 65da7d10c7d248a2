"""Budgets of CPU time per person and per network: token buckets of CPU seconds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

from plenilune.server.protocol.refusals import Denied
from plenilune.server.thinking.fairness import Owner

KIND = "cpu"
BURST, REFILL = 120.0, 1.0  # a person's bucket: capacity in CPU seconds, and CPU seconds per second
CROWD = 4  # several people may share a network, whose bucket is this many times as large


class Buckets(Protocol):
    """Token buckets. A person's holds BURST and gains REFILL per second; others `factor` times as much."""

    def left(self, kind: str, who: str, factor: float = 1) -> float:
        """A bucket's CPU seconds; negative if it is in debt."""

    def spend(self, kind: str, who: str, amount: float, factor: float = 1) -> None:
        """Take an amount, known only afterwards."""


class Budgets:
    """The owners' budgets. Both the person and the network pay."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    def left(self, owner: Owner) -> float:
        """CPU seconds left; negative if too many were used."""
        return min((self._buckets.left(KIND, who, factor) for who, factor in _payers(owner)), default=math.inf)

    def wait(self, owner: Owner) -> float:
        """Seconds until the budget is positive; 0 if it is."""
        debts = (-self._buckets.left(KIND, who, factor) / (REFILL * factor) for who, factor in _payers(owner))
        return max([0.0, *debts])

    def spend(self, owner: Owner, seconds: float) -> None:
        for who, factor in _payers(owner):
            self._buckets.spend(KIND, who, seconds, factor)

    def check(self, owner: Owner) -> None:
        """Refuse an owner whose budget is used up."""
        if wait := math.ceil(self.wait(owner)):
            what = f"wait {wait} second{'s' * (wait != 1)}"
            message = f"your bots, hints and reviews have used up their computing time: {what}"
            raise Denied("thinking_spent", message, wait=wait, n=wait)


def _payers(owner: Owner) -> Iterator[tuple[str, float]]:
    """The buckets that pay, each with its factor; none for work that is nobody's."""
    if owner.person:
        yield f"person {owner.person}", 1
    if owner.network:
        yield f"address {owner.network}", CROWD


class Unlimited:
    """Buckets that never run out."""

    def left(self, kind: str, who: str, factor: float = 1) -> float:
        return math.inf

    def spend(self, kind: str, who: str, amount: float, factor: float = 1) -> None:
        pass
