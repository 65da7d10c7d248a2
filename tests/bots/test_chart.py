"""Charts are well-formed SVG, whatever is written on them, and the same in pixels."""

import struct
import xml.etree.ElementTree as ElementTree
from functools import partial

import pytest
import resvg_py

from plenilune.bots.chart import elo_chart, png
from plenilune.bots.ratings import Rating
from plenilune.core.errors import BadSetting
from tests.bots.fonts import needs_font


def test_a_name_of_any_kind_leaves_the_chart_well_formed() -> None:
    ratings = [Rating('<"&', 3.0, -1000.0, 20.5, None), Rating("b", 0.0, 0.0, 0.0, None)]
    texts = [element.text for element in ElementTree.fromstring(elo_chart("a < b", ratings)).iter()]
    assert {'<"&', "b", "a < b"} <= set(texts)


RATINGS = [Rating("mcts:1000", 120.0, 90.0, 150.0, None), Rating("greedy", 0.0, 0.0, 0.0, None)]


@needs_font
def test_a_png_shows_the_chart_at_twice_its_size() -> None:
    drawn = png(elo_chart("Moon Leap, 2 seats", RATINGS))
    kind, width, height = struct.unpack(">8s8x2I", drawn[:24])
    assert kind == b"\x89PNG\r\n\x1a\n"
    svg = ElementTree.fromstring(elo_chart("Moon Leap, 2 seats", RATINGS))
    assert (width, height) == (2 * int(svg.attrib["width"]), 2 * int(svg.attrib["height"]))
    assert drawn != png(elo_chart("Moon Leap, 3 seats", RATINGS))


def test_a_png_without_letters_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    blind = partial(resvg_py.svg_to_bytes, skip_system_fonts=True)
    monkeypatch.setattr(resvg_py, "svg_to_bytes", blind)
    with pytest.raises(BadSetting, match="needs a font, and this machine has none"):
        png(elo_chart("Moon Leap, 2 seats", RATINGS))
