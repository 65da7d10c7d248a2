"""Powers from nothing but exact operations: the same bits compiled, as plain Python, and on every machine.

The libraries of two machines differ in the last bit of `exp` and `pow`. IEEE 754 says exactly what a sum, a product, a
quotient and a square root are, so searches that use these functions grow the same trees everywhere.
"""

from __future__ import annotations

import math

import numpy as np

from plenilune.core.engine import rule

LOWEST, HIGHEST = -750.0, 710.0  # beyond, `exp` is 0 or infinite
PER_LN_2 = 1.4426950408889634
# ln 2 in two parts (Cody & Waite 1980), the first with so few bits that whole numbers up to 2048 times it are exact.
LN_2_HIGH, LN_2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
BIAS, FRACTION = 1023, 52  # of a double's exponent; bits after it
C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13 = (1 / math.factorial(n) for n in range(2, 14))  # Taylor's


@rule
def exp(x: float) -> float:
    """e to the power of x, to less than one unit in the last place; x is a number.

    x is k ln 2 + r with r at most half of ln 2, so the result is 2 to the k times the series of r.
    """
    x = min(max(x, LOWEST), HIGHEST)
    k = int(x * PER_LN_2 + (0.5 if x >= 0 else -0.5))
    r = (x - k * LN_2_HIGH) - k * LN_2_LOW
    return scaled(1 + (r + r * r * rest(r)), k)


@rule
def rest(r: float) -> float:
    """The series of e to the r from its third member on, over r². Summed by halves: each waits for less than in order
    (Estrin 1960)."""
    r2 = r * r
    r4 = r2 * r2
    low = (C2 + C3 * r) + (C4 + C5 * r) * r2
    middle = (C6 + C7 * r) + (C8 + C9 * r) * r2
    high = (C10 + C11 * r) + (C12 + C13 * r) * r2
    return low + (middle + high * r4) * r4


@rule
def scaled(x: float, k: int) -> float:
    """x times 2 to the k, in two steps, because 2 to the k alone may be too large or too small for a number."""
    half = k >> 1
    return x * two_to(half) * two_to(k - half)


@rule
def two_to(k: int) -> float:
    """2 to the k, for -1022 to 1023: a number without a fraction."""
    return np.int64((k + BIAS) << FRACTION).view(np.float64)


@rule
def power(base: float, exponent: float) -> float:
    """What is not negative to the power of what is not: by squares for the whole part of the exponent, by square roots
    for its binary places."""
    whole = int(exponent)
    left, result, square, root = exponent - whole, 1.0, base, base
    while whole > 0:
        if whole & 1:
            result *= square
        square, whole = square * square, whole >> 1
    while left > 0:
        left, root = left + left, math.sqrt(root)
        if left >= 1:
            left, result = left - 1, result * root
    return result
