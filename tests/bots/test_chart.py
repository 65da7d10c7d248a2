"""Charts are well-formed SVG, whatever is written on them."""

import xml.etree.ElementTree as ElementTree

from plenilune.bots.chart import elo_chart
from plenilune.bots.ratings import Rating


def test_a_name_of_any_kind_leaves_the_chart_well_formed() -> None:
    ratings = [Rating('<"&', 3.0, -1000.0, 20.5, None), Rating("b", 0.0, 0.0, 0.0, None)]
    texts = [element.text for element in ElementTree.fromstring(elo_chart("a < b", ratings)).iter()]
    assert {'<"&', "b", "a < b"} <= set(texts)
