"""Charts as SVG, and from that as PNG: what they are written with, and the one of ratings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape, quoteattr

from plenilune.bots.ratings import Rating, signed_range
from plenilune.core.drawing import GOLD
from plenilune.core.errors import BadSetting

TABLE_COLOUR, PAPER, INK, FAINT_INK = "#10142b", "#232b52", "#eef0fb", "#9aa3cf"
FONT = "'Nunito Sans', ui-rounded, system-ui, sans-serif"
MARGIN = 32  # in pixels
SHARPNESS = 2  # pixels of a PNG for each of the SVG's, so that it is sharp on any screen
LETTERS = re.compile(r"<text.*?</text>")


def element(tag: str, *inside: str, **attributes: object) -> str:
    """A piece of SVG; `inside` is SVG already.

    >>> element("g", element("circle", r=3, stroke_width=2), fill="red")
    '<g fill="red"><circle r="3" stroke-width="2"/></g>'
    """
    given = "".join(f" {name.replace('_', '-')}={quoteattr(_short(value))}" for name, value in attributes.items())
    return f"<{tag}{given}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{given}/>"


def _short(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def words(text: str, x: float, y: float, size: int = 14, fill: str = INK, anchor: str = "start") -> str:
    halo = {"stroke": PAPER, "stroke_width": 4, "paint_order": "stroke"}  # so that lines do not run through letters
    return element("text", escape(text), x=x, y=y, fill=fill, font_size=size, text_anchor=anchor, **halo)


def picture(width: int, height: int, title: str, *inside: str) -> str:
    """A whole SVG file on a night-blue table, with its title."""
    space = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
    card = element("rect", x=12, y=12, width=width - 24, height=height - 24, rx=20, fill=PAPER)
    table = element("rect", width=width, height=height, fill=TABLE_COLOUR)
    head = (element("title", escape(title)), table, card, words(title, MARGIN, 50, 20))
    whole = {**space, "width": width, "height": height, "role": "img", "font_family": FONT}
    return element("svg", *head, *inside, **whole) + "\n"


def png(svg: str) -> bytes:
    """The same picture in pixels; refuses where it cannot be drawn."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise BadSetting("a PNG is drawn by an extra: pip install 'plenilune[chart]'") from error
    drawn = bytes(svg_to_bytes(svg_string=svg, zoom=SHARPNESS))
    if drawn == bytes(svg_to_bytes(svg_string=LETTERS.sub("", svg), zoom=SHARPNESS)):
        raise BadSetting("a PNG needs a font, and this machine has none")  # it would be drawn without any letters
    return drawn


def ticks(low: float, high: float, most: int = 7) -> list[int]:
    """Round numbers from below `low` to above `high`, no more steps than `most`.

    >>> ticks(-30, 410), ticks(0, 0)
    ([-100, 0, 100, 200, 300, 400, 500], [0, 1])
    """
    for step in (digit * 10**power for power in range(9) for digit in (1, 2, 5)):
        first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
        if last - first <= most:
            return [step * n for n in range(first, last + 1)]
    return [math.floor(low), math.ceil(high)]


# Ratings

WIDTH, ROW, TOP, BOTTOM = 760, 36, 96, 56  # in pixels
NAMES, FIGURES, RANGES = 170, 210, 130  # the columns of names, and of ratings with their intervals in it


def elo_chart(title: str, ratings: Sequence[Rating]) -> str:
    """Ratings as dots with their intervals, one bot a row, the strongest on top."""
    marks = ticks(min(r.low for r in ratings), max(r.high for r in ratings))
    left, right, height = MARGIN + NAMES, WIDTH - MARGIN - FIGURES, TOP + ROW * len(ratings) + BOTTOM

    def x(value: float) -> float:
        return left + (right - left) * (value - marks[0]) / (marks[-1] - marks[0])

    first = next((r.bot for r in ratings if r.elo == 0), "")
    under = words(f"Elo with 95% intervals, {first} = 0", MARGIN, 74, 14, FAINT_INK)
    grid = [_grid_line(x(mark), f"{mark}", TOP, height - BOTTOM) for mark in marks]
    rows = [_rating_row(r, x, TOP + ROW * (n + 0.5)) for n, r in enumerate(ratings)]
    return picture(WIDTH, height, title, under, *grid, *rows)


def _grid_line(x: float, label: str, top: float, bottom: float) -> str:
    line = element("line", x1=x, y1=top, x2=x, y2=bottom, stroke=FAINT_INK, stroke_opacity=0.25)
    return line + words(label, x, bottom + 20, 13, FAINT_INK, "middle")


def _rating_row(r: Rating, x: Callable[[float], float], y: float) -> str:
    interval = [
        element("line", x1=x(r.low), y1=y, x2=x(r.high), y2=y, stroke=GOLD, stroke_width=3, stroke_opacity=0.55),
        *(element("line", x1=x(end), y1=y - 6, x2=x(end), y2=y + 6, stroke=GOLD) for end in (r.low, r.high)),
    ]
    return element(
        "g",
        words(r.bot, MARGIN, y + 5),
        *(interval if r.low != r.high else ()),
        element("circle", cx=x(r.elo), cy=y, r=6, fill=GOLD),
        words(f"{r.elo:+.0f}", WIDTH - MARGIN - RANGES, y + 5, anchor="end"),
        words(signed_range(r.low, r.high), WIDTH - MARGIN, y + 5, fill=FAINT_INK, anchor="end"),
    )
