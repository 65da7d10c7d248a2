"""What is sent of a view leads from the view before it to the view itself."""

from typing import Any

import msgspec
import pytest

from plenilune import Match, load
from plenilune.server.tables.diff import changed
from tests.play import finished, package_games


def followed(view: dict[str, Any], fields: msgspec.Raw, parts: dict[str, dict[int, Any]]) -> dict[str, Any]:
    """As the pages do it (patch.ts)."""
    lists = {}
    for name, places in parts.items():
        lists[name] = list(view[name])
        for place, value in places.items():
            lists[name][place] = msgspec.to_builtins(value)
    return {**view, **msgspec.json.decode(fields), **lists}


@pytest.mark.parametrize("game", package_games())
def test_changes_lead_from_every_view_of_a_match_to_the_next(game: str) -> None:
    match = finished(Match(game, load(game).seats[-1], "diff"))
    before, shown = None, {}
    for position in match.positions():
        after = position.view(0)
        shown = followed(shown, *changed(before, after)) if before else msgspec.to_builtins(after)
        assert msgspec.json.encode(shown) == msgspec.json.encode(after)
        before = after
    assert before


def test_a_single_place_of_a_list_is_sent_alone() -> None:
    match = Match("moon-leap", 2)
    views = [position.view(0) for position in match.positions()]
    match.play("roll 4")
    views.append(match.view(0))
    fields, parts = changed(*views)
    assert len(fields) + len(msgspec.json.encode(parts)) < len(msgspec.json.encode(views[1])) / 2
