"""What everything in the terminal shares: a sign and a colour for each seat."""

from __future__ import annotations

# Six signs and seven colours have no common divisor: 42 seats can be told apart, the first six by their sign alone.
SIGNS = "●■▲◆★▼"
COLOURS = ("#f4f1e6", "#e8833a", "#8d93a8", "#8a63c7", "#57b8c9", "#d65f86", "#86b562")
GOLD = "#f2c14e"  # whose turn, what can be done
FAINT = "grey62"


def sign(seat: int) -> str:
    return SIGNS[seat % len(SIGNS)]


def colour(seat: int) -> str:
    return COLOURS[seat % len(COLOURS)]


def mark(seat: int, text: str = "") -> str:
    """The seat's sign and what belongs to it, in its colour.

    >>> mark(1, "4")
    '[#e8833a]■4[/]'
    """
    return f"[{colour(seat)}]{sign(seat)}{text}[/]"


def plain(markup: str) -> str:
    """The drawing without its colours.

    >>> plain(mark(0, "3") + " [b]!")
    '●3 !'
    """
    from rich.markup import render

    return render(markup).plain


def is_terminal(stream: object) -> bool:
    """Whether somebody sits at the stream; it may have been closed."""
    return stream is not None and bool(stream.isatty())  # type: ignore[attr-defined]
