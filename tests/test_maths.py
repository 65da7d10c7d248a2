"""`exp` and powers are exact to the last place or nearly so, and the same bits wherever they are computed."""

import hashlib
import math
import random
import struct
from decimal import Decimal, localcontext

import pytest

from plenilune.core.maths import exp, power

PLACES = 40  # digits of what is compared with


def numbers(many: int, low: float, high: float) -> list[float]:
    picked = random.Random(1)
    return [picked.uniform(low, high) for _ in range(many)]


def bits(values: list[float]) -> str:
    return hashlib.sha256(struct.pack(f"<{len(values)}d", *values)).hexdigest()[:16]


def ulps_off(x: float) -> Decimal:
    """How many units in the last place `exp` is off."""
    with localcontext(prec=PLACES):
        return abs(Decimal(exp(x)) - Decimal(x).exp()) / Decimal(math.ulp(exp(x)))


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.0), (-40.0, 40.0), (-700.0, 700.0), (-1e-9, 1e-9)])
def test_exp_is_off_by_less_than_a_unit_in_the_last_place(low: float, high: float) -> None:
    assert max(map(ulps_off, numbers(1_000, low, high))) < 1


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (0.0, 1.0),
        (-0.0, 1.0),
        (-745.0, 5e-324),
        (-746.0, 0.0),
        (-math.inf, 0.0),
        (709.78, 1.7928227943945155e308),
        (711.0, math.inf),
        (math.inf, math.inf),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered")  # numpy's scalars, in plain mode
def test_exp_at_its_limits(x: float, expected: float) -> None:
    assert exp(x) == expected


def test_exp_has_the_same_bits_everywhere() -> None:
    assert bits([exp(x) for x in numbers(10_000, -50.0, 50.0)]) == "35ea7c8bc941715f"


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0, 4.0, 13.0, 0.5, 1.25, 0.3, 2.7])
def test_a_power_is_what_python_says(exponent: float) -> None:
    for base in [0.0, 0.1, 1.0, *numbers(100, 0.0, 1e4)]:
        assert power(base, exponent) == pytest.approx(base**exponent, rel=1e-13)


def test_powers_have_the_same_bits_everywhere() -> None:
    exponents = (1.0, 4.0, 1.5, 0.3)
    assert bits([power(x, y) for x in numbers(1_000, 0.0, 1e4) for y in exponents]) == "1654e14654066723"
