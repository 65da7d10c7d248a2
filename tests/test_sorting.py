"""Lists of legal actions are sorted, in whatever order and however long they are."""

import numpy as np
import pytest

from plenilune.core.sorting import BLOCK, MOST_RANKED, sort


@pytest.mark.parametrize("n", [0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 40, MOST_RANKED - 1, MOST_RANKED, MOST_RANKED + 1])
@pytest.mark.parametrize("swaps", [0, 1, 3, 1000])
def test_the_first_numbers_are_sorted_and_the_others_stay(n: int, swaps: int) -> None:
    chooser = np.random.default_rng(n + swaps)
    numbers = np.sort(chooser.choice(10_000, n, replace=False)).astype(np.int32)
    for _ in range(swaps if n else 0):
        one, other = chooser.integers(0, n, 2)
        numbers[[one, other]] = numbers[[other, one]]
    listed = np.concatenate([numbers, np.array([7, 3, 5], np.int32)])
    sort(listed, n)
    assert listed.tolist() == [*sorted(numbers.tolist()), 7, 3, 5]
