"""What a seat sees, as data and as a drawing."""

import dataclasses
import json
import re
from typing import Any

import pytest

from plenilune import Match
from plenilune.core.drawing import plain
from plenilune.core.record import SPECTATOR
from tests.oracles.via_nebula import read_map
from tests.play import walk
from tests.via_nebula.positions import BOX, neighbours, position, verbs

GROUNDS = {"m": "meadow", ".": "mist", "f": "forest", "x": "forbidden", "r": "ruin"}


def hexes(match: Match, viewer: int = SPECTATOR) -> dict[str, Any]:
    return {hex.id: hex for hex in match.view(viewer).hexes}


def choices(match: Match) -> dict[str, Any]:
    """What the seat to play may do, as it sees it."""
    return {choice.text: choice for choice in match.view(match.to_play).choices}


# The map.


@pytest.mark.parametrize("map", ["beginner", "expert"])
def test_every_hex_says_what_is_printed_there_and_how_certain_that_is(map: str) -> None:
    view = Match("via-nebula", 3, map=map).view()
    assert view.map == map
    assert [(hex.id, hex.ground) for hex in view.hexes] == [
        (hex.name, GROUNDS[hex.ground]) for hex in read_map(BOX.maps[map]).values()
    ]
    assert {hex.certainty for hex in view.hexes} == {"reconstructed"}
    assert all(hex.id == "abcdefghijkl"[hex.column] + str(hex.row) for hex in view.hexes)


def test_a_token_says_what_it_is_what_it_yields_and_how_certain_that_is() -> None:
    token = hexes(position("c7 wood-3a", seats=3))["c7"].token
    assert (token.id, token.resource, token.printed, token.yields, token.points) == ("wood-3a", "wood", 3, 2, 1)
    assert (token.special, token.certainty) == (False, "known")
    token = hexes(position("c7 food-4a", seats=4))["c7"].token
    assert (token.yields, token.certainty) == (4, "likely")


def test_a_hex_says_what_is_on_it() -> None:
    seen = hexes(position("c7 1 wood wood, e7 clay, d7 tile, d5 tile, h3 open"))
    assert (seen["c7"].exploitation.seat, seen["c7"].exploitation.resources["wood"]) == (0, 2)
    assert (seen["e7"].exploitation.seat, seen["e7"].exploitation.resources["clay"]) == (None, 1)
    assert [(seen[hex].tile, seen[hex].open) for hex in ("d7", "d5")] == [(True, True)] * 2
    assert (seen["h3"].tile, seen["h3"].open, seen["h3"].exploitation) == (False, True, None)
    assert not any(seen[hex].open for hex in ("c7", "e7", "d8", "g7", "f7", "c4"))
    assert list(seen["c7"].exploitation.resources) == ["wood", "stone", "clay", "wheat", "food"]


@pytest.mark.parametrize(("seats", "letters"), [(2, ["a"]), (3, ["a", "b"]), (4, ["a", "b"])])
def test_a_ruin_says_what_is_on_its_places(seats: int, letters: list[str]) -> None:
    match = position("c6a 1 wood, f7a 2 store-a", seats)
    seen = hexes(match)
    for hex in seen.values():
        assert [place.id for place in hex.places] == [hex.id + x for x in letters if hex.ground == "ruin"]
    site, building, free = seen["c6"].places[0], seen["f7"].places[0], seen["e1"].places[0]
    assert (site.holds, site.seat, site.resources["wood"]) == ("site", 0, 1)
    assert (building.holds, building.seat) == ("building", 1)
    assert (free.holds, free.seat) == ("nothing", None)


# Cards and guild boards.


def test_a_card_says_what_it_costs_counts_and_does_and_how_certain_that_is() -> None:
    cards = position(display="store-a store-b mayor-a explorer-a").view().display
    told = [(card.id, card.cost, card.cost_certainty, card.points, card.for_each, card.power) for card in cards]
    assert told == [
        ("store-a", "wood+stone", "known", 2, "once", "swap"),
        ("store-b", "clay+wheat", "reconstructed", 2, "once", "swap"),
        ("mayor-a", "stone+clay+food", "reconstructed", 2, "small-building", "none"),
        ("explorer-a", "2-equal", "known", 1, "hidden-explorer", "none"),
    ]
    assert [card.points_certainty for card in cards] == ["likely", "likely", "known", "known"]
    assert {card.deck for card in cards} == {"contract"}


@pytest.mark.parametrize(
    ("tiles", "piles"),
    [(20, [5, 5, 5, 5]), (19, [4, 5, 5, 5]), (15, [0, 5, 5, 5]), (7, [0, 0, 2, 5]), (0, [0, 0, 0, 0])],
)
def test_tiles_lie_in_piles_the_leftmost_used_first(tiles: int, piles: list[int]) -> None:
    guild = position(tiles=tiles).view().guilds[0]
    assert guild.piles == piles
    assert guild.explorers == [pile == 0 for pile in piles]


def test_the_guilds_have_the_scores_and_places() -> None:
    match = position("c6a 1 store-a", seats=3, took={2: "food-4a", 3: "wood-4a"}, storage={3: "wood"})
    guilds = match.view().guilds
    assert [guild.score for guild in guilds] == match.scores
    assert [guild.place for guild in guilds] == match.places
    assert [guild.seat for guild in guilds] == [0, 1, 2]


def test_the_last_round_and_the_end_card_are_shown() -> None:
    assert not position().view().last_round
    view = position("e1a 2 store-a, i1a 2 store-b", end_card=2).view()
    assert view.last_round
    assert [guild.end_card for guild in view.guilds] == [False, True]


# What is asked, and what may be done.


def test_the_view_says_what_kind_of_ply_it_is() -> None:
    match = Match("via-nebula")
    asked = [(match.view().asks, match.view().pending.seat)]
    while match.view().asks != "action":
        match.play(match.legal()[0])
        told = match.view().asks, match.view().pending.seat
        if told != asked[-1]:
            asked.append(told)
    deals = [("deal", 0), ("deal", 1), ("deal", 0), ("deal", 1)]
    assert asked == [("without", None), ("token", None), *deals, ("turn-up", None), ("action", None)]


def test_a_take_ply_says_from_where_and_where_to() -> None:
    match = position("e7 2 wood clay, f7a 1")
    match.play("carry e7 f7a")
    view = match.view()
    assert (view.asks, view.pending.hex, view.pending.place) == ("take", "e7", "f7a")


def test_a_spend_ply_says_which_site_and_card() -> None:
    match = position("f7a 1 wood wood clay clay", display="explorer-a")
    match.play("build f7a explorer-a")
    view = match.view()
    assert (view.asks, view.pending.place, view.pending.card) == ("spend", "f7a", "explorer-a")


def test_a_power_ply_says_which_card_and_how_many_resources_may_be_removed() -> None:
    match = position("f7a 1 clay clay food", display="export-a", storage="wood wood wood")
    match.play("build f7a export-a")
    view = match.view()
    assert (view.asks, view.pending.card, view.pending.removals) == ("power", "export-a", 2)
    assert [card and card.id for card in view.display].count(None) == 1
    match.play("remove storage wood")
    assert match.view().pending.removals == 1


def test_a_lifted_tile_says_where_it_came_from() -> None:
    match = position("f7a 1 wood stone food, d7 tile", display="airway-a")
    match.acts("build f7a airway-a; lift d7")
    view = match.view()
    assert (view.asks, view.pending.hex) == ("lay", "d7")


def test_the_extra_action_of_a_distillery_is_shown() -> None:
    match = position("f7a 1 wood stone clay", display="distillery-a")
    match.acts("build f7a distillery-a; turn-up mayor-a")
    assert (match.view().extra, match.view().actions_left) == (True, 2)
    match.play("craftsman c7")
    assert (match.view().extra, match.view().actions_left) == (False, 1)


def test_every_choice_says_what_it_targets_one_word_after_the_other() -> None:
    told = choices(position("c7 1 wood, c6a 1 wood stone, d7 tile", display="store-a"))
    assert told["carry c7 c6a"].targets == ["c7", "c6a"]
    assert told["build c6a store-a"].targets == ["c6a", "store-a"]
    assert told["explore d8"].targets == ["d8"]
    assert all(choice.text.split() == [choice.verb, *choice.targets] for choice in told.values())


@pytest.mark.parametrize("seats", [2, 4])
def test_the_choices_shown_are_the_legal_actions(seats: int) -> None:
    for match in walk(Match("via-nebula", seats), seats):
        if match.to_play >= 0 and match.ply % 3 == 0:
            assert [choice.text for choice in match.view(match.to_play).choices] == match.legal()


@pytest.mark.parametrize(
    ("drawing", "carry", "path"),
    [
        ("e7 wood, f7a 1", "carry e7 f7a", ["e7", "f7"]),
        ("e7 wood, d7 tile, c6a 1", "carry e7 c6a", ["e7", "d7", "c6"]),
        ("e7 wood, d7 tile, c7 open, b7 tile, a8a 1", "carry e7 a8a", ["e7", "d7", "c7", "b7", "a8"]),
        ("e7 wood, d6 tile, d8 tile, c8 tile, c7 open, c6a 1", "carry e7 c6a", ["e7", "d6", "c6"]),
    ],
)
def test_a_carry_shows_a_shortest_path(drawing: str, carry: str, path: list[str]) -> None:
    assert choices(position(drawing))[carry].path == path


@pytest.mark.parametrize(("seats", "map"), [(2, "beginner"), (3, "expert"), (4, "beginner"), (4, "expert")])
def test_the_path_a_carry_shows_is_one_it_may_take(seats: int, map: str) -> None:
    carries = 0
    for match in walk(Match("via-nebula", seats, map=map), 3):
        if match.to_play < 0 or match.ply % 4 or "carry" not in verbs(match):
            continue
        seen = hexes(match)
        for text, choice in choices(match).items():
            if choice.verb != "carry":
                assert choice.path == []
                continue
            start, *between, ruin = choice.path
            assert [start, ruin] == [text.split()[1], text.split()[2][:-1]]
            assert all(b in neighbours(a) for a, b in zip(choice.path, choice.path[1:], strict=False))
            assert all(seen[hex].open for hex in between)
            carries += 1
    assert carries


def test_the_view_is_plain_data() -> None:
    match = position("c7 1 wood clay, c6a 2 store-a, f7a 1 stone, d7 tile", seats=3)
    for viewer in (SPECTATOR, 0, 1):
        view = dataclasses.asdict(match.view(viewer))
        assert json.loads(json.dumps(view)) == view


# The drawing.


def drawn(match: Match, viewer: int = SPECTATOR) -> str:
    return plain(match.game.draw(match.view(viewer)))


@pytest.mark.parametrize("map", ["beginner", "expert"])
def test_the_drawing_names_every_hex(map: str) -> None:
    text = drawn(position(map=map))
    for hex in position(map=map).hexes:
        assert len(re.findall(rf"\b{hex}\b", text)) >= 1, hex


def test_the_drawing_shows_every_row_below_the_other() -> None:
    rows = [re.findall(r"\b[a-l][1-9]\b", line) for line in drawn(position()).splitlines()]
    rows = [row for row in rows if len(row) > 9]
    assert rows == [
        [hex.name for hex in position().hexes.values() if hex.name[1:] == str(number)] for number in range(1, 10)
    ]


def test_the_drawing_tells_the_display_the_deck_and_the_reserve() -> None:
    text = drawn(position(display="store-a priest-a mayor-a explorer-a"))
    for card, cost in [("store-a", "wood+stone"), ("priest-a", "3-different"), ("explorer-a", "2-equal")]:
        assert re.search(rf"{card}.*{re.escape(cost)}", text)
    assert re.search(r"\b29\b.*deck|deck.*\b29\b", text)
    assert re.search(r"\b20\b.*reserve|reserve.*\b20\b", text)


def test_the_drawing_shows_a_hand_to_its_owner_only() -> None:
    match = position(hand={1: "quiet-town-a shortcut-a", 2: "quiet-town-b secret-plan-a"}, seats=3)
    assert "quiet-town-a" in drawn(match, 0)
    assert "shortcut-a" in drawn(match, 0)
    assert "quiet-town-b" not in drawn(match, 0)
    assert "quiet-town-a" not in drawn(match, 1)
    assert "quiet-town-b" in drawn(match, 1)
    assert not re.search("quiet-town|shortcut-|secret-plan", drawn(match))


def test_the_drawing_marks_what_is_not_known() -> None:
    text = drawn(position(display="store-a store-b"))
    assert re.search(r"wood\+stone(?!\?)", text)
    assert re.search(r"clay\+wheat ?\?", text)
    assert re.search(r"~ likely.*\? reconstructed", text)


def test_the_drawing_shows_exploitations_tiles_sites_and_buildings() -> None:
    before = drawn(position("c7 wood-3a, d7 mist, f7a free"))
    for change in ["c7 1 wood", "c7 2 wood", "c7 wood", "c7 1 wood wood", "c7 1 clay", "c7 open", "c7 wood-4a"]:
        assert drawn(position(f"{change}, d7 mist, f7a free")) != before
    shown = {
        drawn(position(f"c7 wood-3a, {drawing}"))
        for drawing in ["d7 tile", "f7a 1", "f7a 2", "f7a 1 wood", "f7a 1 clay", "f7a 1 wood wood", "f7a 1 store-a"]
    }
    assert len(shown | {before}) == 8


def test_the_drawing_marks_what_can_be_chosen_for_the_seat_that_chooses() -> None:
    match = position("d7 tile")
    assert drawn(match, 0) != drawn(match, 1)


def test_the_drawing_says_who_plays_and_with_how_many_actions() -> None:
    assert drawn(position(turn=1)) != drawn(position(turn=2))
    assert drawn(position(left=1)) != drawn(position(left=2))


def test_the_drawing_says_what_is_asked() -> None:
    match = position("f7a 1 clay clay food, e7 2 wood clay, c6a 1, d7 tile", display="export-a", storage="wood wood")
    shown = [drawn(match, 0)]
    for action in ["carry e7 c6a", "take wood", "build f7a export-a", "remove storage wood", "skip"]:
        match.play(action)
        shown.append(drawn(match, 0))
    assert len(set(shown)) == len(shown)


def test_the_drawing_of_a_match_that_is_over_has_the_places() -> None:
    match = position("e1a 2 store-a, i1a 2 store-b", end_card=2, took={1: "food-4a"})
    match.acts("craftsman c7; craftsman e7")
    assert match.over
    text = drawn(match)
    for score in match.scores:
        assert re.search(rf"(?<!\d){score} points", text)


def test_no_line_of_the_drawing_is_wider_than_a_wide_terminal() -> None:
    match = position("c7 1 wood clay stone food, c6a 1 wood stone clay food wheat, f7a 1 wood wood", seats=4)
    assert max(map(len, drawn(match, 0).splitlines())) <= 130
