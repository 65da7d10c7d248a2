"""Sorting in compiled code."""

from __future__ import annotations

from typing import Any

from plenilune.core.engine import rule


@rule
def sort(numbers: Any, n: int) -> None:
    """The first n, by insertion: lists of legal actions are short and nearly sorted."""
    for i in range(1, n):
        number, j = numbers[i], i
        while j > 0 and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number
