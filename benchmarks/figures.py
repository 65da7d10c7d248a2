"""How measured figures are written."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(seconds: Sequence[float], part: float) -> float:
    """In milliseconds.

    >>> percentile([0.003, 0.001, 0.002], 0.5)
    2.0
    """
    ordered = sorted(seconds) or [float("nan")]
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def spread(seconds: Sequence[float]) -> str:
    """The median, the 99th percentile and the worst, in milliseconds.

    >>> spread([0.001, 0.002, 0.003])
    '2.0 / 3.0 / 3.0'
    """
    return " / ".join(f"{percentile(seconds, part):.1f}" for part in (0.5, 0.99, 1.0))


def verdict(met: bool) -> str:
    """Whether an aim was met, in rich's markup."""
    return "met" if met else "[red]NOT met[/]"
