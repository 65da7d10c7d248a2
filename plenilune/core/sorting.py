"""Sorting in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from plenilune.core.engine import rule, stack_array

BLOCK = 16  # numbers that a processor compares at once
MOST_RANKED = 128  # longer lists are not sorted by ranks, nor are those shorter than a block
FALLS = 3  # a list is in disorder if so many of its first block are below the one before


@rule
def sort(numbers: Any, n: int) -> None:
    """The first n, which are all different."""
    if BLOCK <= n <= MOST_RANKED and falls(numbers) >= FALLS:
        put_by_ranks(numbers, n)
        return
    for i in range(1, n):
        number, j = numbers[i], i
        while j > 0 and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number


@rule
def falls(numbers: Any) -> int:
    """How many of the first block are below the one before."""
    n = 0
    for i in range(1, BLOCK):
        n += numbers[i] < numbers[i - 1]
    return n


copied_numbers = stack_array((MOST_RANKED,), np.int32)
ranks_of_numbers = stack_array((MOST_RANKED,), np.int32)


@rule
def put_by_ranks(numbers: Any, n: int) -> None:
    copies, ranks = copied_numbers(), ranks_of_numbers()
    for i in range(n):
        copies[i] = numbers[i]
    rank(copies, n, ranks)
    for i in range(n):
        numbers[ranks[i]] = copies[i]


block_of_numbers = stack_array((BLOCK,), np.int32)
block_of_ranks = stack_array((BLOCK,), np.int32)


@rule
def rank(numbers: Any, n: int, ranks: Any) -> None:
    """The place of each in the order: how many are below it. Comparing all with all, a block at once, is faster for
    short lists without any order than moving them about. Both arrays have room for whole blocks."""
    block, below = block_of_numbers(), block_of_ranks()
    for start in range(0, n, BLOCK):
        for i in range(BLOCK):
            block[i], below[i] = numbers[start + i], 0
        for j in range(n):
            number = numbers[j]
            for i in range(BLOCK):
                below[i] += np.int32(number < block[i])
        for i in range(BLOCK):
            ranks[start + i] = below[i]
