"""How strong bots are: win rates and Elo, with 95% intervals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Z = 1.959964  # the standard normal's 97.5% quantile
RESAMPLES = 1000
ELO = 400 / math.log(10)  # a rating's unit: 400 more are odds of ten to one
Floats = NDArray[np.float64]
Finish = tuple[Sequence[str], Sequence[int]]  # of a match, by seat: which bot sat there, and the place it came in


# Counting


def win_share(places: Sequence[int], seat: int) -> float:
    """1 for the winner, shared among equals.

    >>> win_share([2, 1], 1), win_share([1, 1, 3], 0), win_share([1, 1, 3], 2)
    (1.0, 0.5, 0.0)
    """
    return 1 / places.count(1) if places[seat] == 1 else 0.0


def interval(scores: Sequence[float], matches: int) -> tuple[float, float]:
    """The 95% interval of the mean of sets' scores, each of which is the mean of so many matches.

    A Wilson interval (Wilson 1927, "Probable inference, the law of succession, and statistical inference") with the
    variance of the sets instead of the binomial one: narrower where the matches of a set cancel each other's luck,
    wider where they share it, and never of no width, even if every match was won.

    >>> [round(end, 3) for end in interval([0.5, 1.0] * 50, matches=2)]
    [0.696, 0.795]
    >>> [round(end, 3) for end in interval([1.0] * 50, matches=2)]
    [0.963, 1.0]
    """
    sets, mean = len(scores), float(np.mean(scores))
    variance = float(np.var(scores, ddof=1)) if sets > 1 else mean * (1 - mean)
    pull = Z**2 / (sets * matches)
    middle, half = mean + pull / 2, Z * math.sqrt(variance / sets + pull**2 / (4 * Z**2))
    return max(0.0, (middle - half) / (1 + pull)), min(1.0, (middle + half) / (1 + pull))


def mean_interval(numbers: Sequence[float]) -> tuple[float, float]:
    """The normal 95% interval of a mean, such as of points."""
    half = Z * float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.inf
    return float(np.mean(numbers)) - half, float(np.mean(numbers)) + half


def percent(share: float) -> str:
    """
    >>> percent(0.625)
    '62.5%'
    """
    return f"{100 * share:.1f}%"


def signed_range(low: float, high: float) -> str:
    """
    >>> signed_range(-12.3, 40)
    '-12 to +40'
    """
    return f"{low:+.0f} to {high:+.0f}" if low != high else ""


# Ratings


@dataclass(frozen=True)
class Rating:
    bot: str
    elo: float
    low: float
    high: float
    lead: tuple[float, float, float] | None  # over the next in the list, with its interval; the last one has none


def pair_points(matches: Iterable[Finish], bots: Sequence[str]) -> Floats:
    """points[i, j]: how often bot i came in before bot j, half for a tie; every pair of seats counts.

    >>> pair_points([(["a", "b", "b"], [2, 1, 2])], "ab")
    array([[0. , 0.5],
           [1.5, 0. ]])
    """
    points = np.zeros((len(bots), len(bots)))
    for seated, places in matches:
        for (one, place), (other, its_place) in itertools.permutations(zip(seated, places, strict=True), 2):
            if one != other:
                won = 0.5 * ((place < its_place) + (place <= its_place))
                points[bots.index(one), bots.index(other)] += won
    return points


def elo(points: Floats) -> Floats:
    """Maximum-likelihood ratings in the Bradley–Terry model (Bradley & Terry 1952, "Rank analysis of incomplete block
    designs"), by Newton's method; the first bot's is 0. Every bot must have won and lost something. Takes many tables
    of points at once, along the first axes.

    >>> [round(float(rating)) for rating in elo(np.array([[0, 250], [750, 0]]))]
    [0, 191]
    """
    met = points + np.swapaxes(points, -1, -2)
    strengths = np.zeros(points.shape[:-1])
    for _ in range(100):
        expected = 1 / (1 + np.exp(strengths[..., None, :] - strengths[..., :, None]))
        weights = met * expected * (1 - expected)
        slope = (points - met * expected).sum(-1)
        curvature = weights.sum(-1)[..., None] * np.eye(points.shape[-1]) - weights
        step = np.clip((np.linalg.pinv(curvature, hermitian=True) @ slope[..., None])[..., 0], -1, 1)
        strengths += step
        if np.abs(step).max() < 1e-9:
            break
    return ELO * (strengths - strengths[..., :1])


def rate(sets: Floats, bots: Sequence[str]) -> list[Rating]:
    """The bots by strength, from the points of each set; the first bot named is rated 0.

    One tie is added to each pair that has met, so that a bot that won every match has a finite rating. Intervals come
    from a Bayesian bootstrap (Rubin 1981): in each resample every set, and each half of that tie, has a random weight.
    """
    rng = np.random.default_rng(1)
    tie = (sets.sum(0) + sets.sum(0).T > 0) / 2
    ratings = elo(sets.sum(0) + tie)
    weights = rng.exponential(size=(RESAMPLES, len(sets)))
    samples = elo(np.tensordot(weights, sets, 1) + tie * rng.exponential(size=(RESAMPLES, *tie.shape)))
    order = sorted(range(len(bots)), key=lambda i: (-ratings[i], i))
    leads = [_spread(ratings[i] - ratings[j], samples[:, i] - samples[:, j]) for i, j in itertools.pairwise(order)]
    return [
        Rating(bots[i], *_spread(ratings[i], samples[:, i]), lead)
        for i, lead in zip(order, [*leads, None], strict=True)
    ]


def _spread(value: float, samples: Floats) -> tuple[float, float, float]:
    low, high = np.percentile(samples, [2.5, 97.5])
    return float(value), float(low), float(high)
