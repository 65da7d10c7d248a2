"""The powers of the cards: RULES 7, 10.11 and 12.5 to 12.19.

A site in f7 holds what the card asks for, and the card is built with first. The table tells the costs.
"""

from typing import Any

import pytest

from plenilune import CHANCE, IllegalAction
from tests.via_nebula.positions import (
    BOX,
    RESOURCES,
    DrawnMatch,
    built,
    explorers,
    face_up,
    hand,
    home,
    in_deck,
    in_reserve,
    left,
    may,
    position,
    stored,
    tokens,
    verbs,
)

FOREST = {"d4", "i4", "j4", "c5", "d5", "f5", "g5", "e6", "g6", "h6"}
FORBIDDEN = {"c4", "j5", "f6"}


def goods(card: str) -> str:
    return BOX.costs[card].replace("+", " ").replace("2-equal", "clay clay").replace("3-different", "wood clay food")


def build(card: str, drawing: str = "", seats: int = 2, *, spare: str = "", **settings: Any) -> DrawnMatch:
    """The position in which seat 1 has just built with this card in f7a."""
    drawn = ", ".join(filter(None, [f"f7a 1 {goods(card)} {spare}".strip(), drawing]))
    private = card in BOX.cards("private")
    cards: dict[str, Any] = {"hand": f"{card} {settings.pop('hand', '')}"} if private else {"display": card}
    match = position(drawn, seats, **cards, **settings)
    match.play(f"build f7a {card}")
    return match


def powerless(match: DrawnMatch) -> bool:
    """Whether no power is asked for: chance fills the display, or the turn goes on."""
    return verbs(match) == {"turn-up"} or "skip" not in match.legal()


# In general.


WITH_CHOICE = {
    "store-a": "c7 1 wood",
    "carpentry-a": "",
    "airway-a": "d8 tile",
    "abundance-a": "",
    "adventurers-a": "",
    "caravan-a": "c7 1 wood",
    "export-a": "c7 1 wood",
    "express-delivery-a": "c6a 1",
    "secret-plan-a": "",
    "shortcut-a": "",
}


@pytest.mark.parametrize("card", WITH_CHOICE)
def test_a_power_may_be_declined_and_takes_no_action(card: str) -> None:
    match = build(card, WITH_CHOICE[card])
    assert (match.to_play, left(match)) == (0, 1)
    before = match.drawing, home(match), hand(match), in_deck(match), in_reserve(match), match.at("c7")
    match.play("skip")
    assert (match.drawing, home(match), hand(match), in_deck(match), in_reserve(match), match.at("c7")) == before
    if match.to_play == CHANCE:
        match.play("turn-up mayor-a")
    assert (match.to_play, left(match)) == (0, 1)


@pytest.mark.parametrize("card", WITH_CHOICE)
def test_a_power_cannot_be_kept_for_later(card: str) -> None:
    match = build(card, WITH_CHOICE[card])
    used = verbs(match) - {"skip"}
    match.play("skip")
    if match.to_play == CHANCE:
        match.play("turn-up mayor-a")
    assert not (used - {"explore"}) & verbs(match)
    assert not (FOREST | FORBIDDEN) & may(match, "explore") or left(match) == 2


@pytest.mark.parametrize("card", WITH_CHOICE)
def test_while_a_power_is_asked_for_no_action_can_be_taken(card: str) -> None:
    match = build(card, WITH_CHOICE[card])
    with pytest.raises(IllegalAction):
        match.play("site e1a")


@pytest.mark.parametrize("card", [card for card in WITH_CHOICE if card in BOX.cards("contract")])
def test_the_display_is_filled_after_the_power(card: str) -> None:
    """RULES 12.8: the new card is not known when the seat decides."""
    match = build(card, WITH_CHOICE[card])
    assert "" in face_up(match)
    match.play(match.legal()[0])
    while "skip" in match.legal() or "explore" in verbs(match):
        match.play(match.legal()[0])
    assert match.to_play == CHANCE
    assert verbs(match) == {"turn-up"}


NOTHING_TO_DO: dict[str, dict[str, Any]] = {
    "store-a": {},
    "carpentry-a": {"tiles": 0, "reserve": 0},
    "adventurers-a": {"tiles": 0, "reserve": 0},
    "airway-a": {},
    "caravan-a": {},
    "export-a": {},
    "express-delivery-a": {},
    "shortcut-a": {"tiles": 0},
}


@pytest.mark.parametrize("card", NOTHING_TO_DO)
def test_a_power_that_cannot_be_used_is_not_asked_for(card: str) -> None:
    assert powerless(build(card, **NOTHING_TO_DO[card]))


@pytest.mark.parametrize("card", ["architect-a", "merchant-a", "mayor-a", "explorer-a", "priest-a", "quiet-town-a"])
def test_six_kinds_have_no_power(card: str) -> None:
    assert powerless(build(card, "c7 1 wood, d8 tile, c6a 1 wood", storage="wood"))


def test_every_kind_has_the_power_the_rules_name() -> None:
    named = {"store": "swap", "carpentry": "tile-on-forest", "adventurers": "tile-on-forbidden"}
    named |= {"airway": "move-tile", "distillery": "extra-action", "abundance": "open-token", "caravan": "remove-one"}
    named |= {"export": "remove-two", "express-delivery": "deliver", "secret-plan": "draw-contract"}
    named |= {"shortcut": "shed-tiles"}
    without = ["architect", "merchant", "mayor", "explorer", "priest", "quiet-town"]
    assert BOX.powers == named | dict.fromkeys(without, "none")
    assert len(BOX.powers) == 17


@pytest.mark.parametrize("kind", sorted({card[:-2] for card in WITH_CHOICE}))
def test_all_copies_of_a_kind_have_the_same_power(kind: str) -> None:
    asked = [verbs(build(card, WITH_CHOICE[f"{kind}-a"])) for card in BOX.costs if card[:-2] == kind]
    assert len(asked) > 1
    assert all(verbs == asked[0] for verbs in asked)


# Store.


def test_store_exchanges_one_resource_of_an_own_exploitation_or_site() -> None:
    match = build("store-a", "c7 1 wood wood, c6a 1 clay, e7 2 wood, g7 food, b3a 2 wood")
    spots = {("c7", "wood"), ("c6a", "clay")}
    assert may(match, "swap") == {f"{x} {old} {new}" for x, old in spots for new in RESOURCES if new != old}
    match.play("swap c7 wood food")
    assert match.at("c7") == "1 wood food"


def test_store_leaves_storage_alone() -> None:
    """RULES 12.10."""
    assert powerless(build("store-a", spare="food", storage="wood"))


def test_store_on_a_site() -> None:
    match = build("store-a", "c6a 1 clay clay")
    match.play("swap c6a clay wheat")
    assert match.at("c6a") == "1 clay wheat"


def test_store_does_not_empty_an_exploitation() -> None:
    match = build("store-a", "c7 1 wood")
    match.play("swap c7 wood clay")
    assert match.at("c7") == "1 clay"
    assert home(match).startswith("2 craftsmen")


def test_store_names_every_kind_on_a_mixed_exploitation() -> None:
    match = build("store-a", "c7 1 wood clay")
    assert {action.split()[1] for action in may(match, "swap")} == {"wood", "clay"}
    assert "c7 wood clay" in may(match, "swap")


def test_store_is_used_once() -> None:
    match = build("store-a", "c7 1 wood wood")
    match.play("swap c7 wood clay")
    assert verbs(match) == {"turn-up"}


# Carpentry and Adventurers.


def test_carpentry_lays_a_tile_on_any_bare_forest() -> None:
    match = build("carpentry-a", "d5 tile")
    assert may(match, "explore") == FOREST - {"d5"}
    match.play("explore i4")
    assert match.at("i4") == "tile"
    assert home(match).endswith(" 19 tiles")
    match.play("turn-up airway-a")
    assert (match.to_play, left(match)) == (0, 1)


def test_adventurers_lay_a_tile_on_any_bare_forbidden_ground() -> None:
    match = build("adventurers-a", "c4 tile")
    assert may(match, "explore") == FORBIDDEN - {"c4"}
    match.play("explore j5")
    assert match.at("j5") == "tile"
    assert home(match).endswith(" 19 tiles")
    match.play("turn-up airway-a")
    assert (match.to_play, left(match)) == (0, 1)


@pytest.mark.parametrize(("card", "hex"), [("carpentry-a", "g5"), ("adventurers-a", "c4")])
def test_with_an_empty_board_the_tile_comes_from_the_reserve(card: str, hex: str) -> None:
    match = build(card, tiles=0, reserve=1)
    match.play(f"explore {hex}")
    assert in_reserve(match) == 0
    assert match.at(hex) == "tile"


@pytest.mark.parametrize(("card", "hex"), [("carpentry-a", "g5"), ("adventurers-a", "c4")])
def test_the_last_tile_of_a_pile_reveals_its_explorer(card: str, hex: str) -> None:
    match = build(card, tiles=16)
    assert explorers(match) == 0
    match.play(f"explore {hex}")
    assert explorers(match) == 1


@pytest.mark.parametrize("left_over", [1, 2])
def test_carpentry_needs_no_two_actions(left_over: int) -> None:
    match = build("carpentry-a", left=left_over)
    match.acts("explore g5; turn-up airway-a")
    assert (match.to_play, left(match)) == ((0, 1) if left_over == 2 else (1, 2))


def test_carpentry_without_bare_forest_is_not_asked_for() -> None:
    assert powerless(build("carpentry-a", ", ".join(f"{hex} tile" for hex in FOREST)))


def test_adventurers_without_bare_forbidden_ground_are_not_asked_for() -> None:
    assert powerless(build("adventurers-a", ", ".join(f"{hex} tile" for hex in FORBIDDEN)))


def test_a_covered_forbidden_hex_is_open_for_everybody() -> None:
    match = build("adventurers-a", "d3 wood, b3a 2, b4 tile", left=1)
    match.acts("explore c4; turn-up airway-a")
    assert match.to_play == 1
    assert "d3 b3a" in may(match, "carry")


# Airway.


def test_airway_moves_any_tile_to_any_bare_mist() -> None:
    match = build("airway-a", "d7 tile, d5 tile, c4 tile")
    assert may(match, "lift") == {"d7", "d5", "c4"}
    match.play("lift d5")
    assert match.at("d5") == "forest"
    mist = {hex.name for hex in match.hexes.values() if hex.ground == "."}
    assert may(match, "explore") == mist - {"d7"}
    match.play("explore l3")
    assert match.drawing.endswith("d7 tile, d5 forest, c4 tile")
    assert match.at("l3") == "tile"
    assert home(match).endswith(" 20 tiles")
    assert verbs(match) == {"turn-up"}


def test_once_lifted_the_tile_must_be_laid_and_elsewhere() -> None:
    """RULES 12.11."""
    match = build("airway-a", "d7 tile")
    match.play("lift d7")
    assert verbs(match) == {"explore"}
    assert "d7" not in may(match, "explore")
    assert not FOREST & may(match, "explore")


def test_airway_takes_up_a_tile_on_forbidden_ground_which_is_forbidden_again() -> None:
    match = build("airway-a", "c4 tile")
    match.acts("lift c4; explore d7")
    assert match.at("c4") == "forbidden"


def test_airway_reopens_the_mist_under_a_path() -> None:
    """The way from e7 to c6 is cut, and no longer serves exploring either."""
    match = build("airway-a", "e7 wood, d7 tile, c6a 2", left=1)
    match.acts("lift d7; explore l3; turn-up airway-b")
    assert match.to_play == 1
    assert match.at("d7") == "mist"
    assert may(match, "carry") == set()
    assert "d8" not in may(match, "explore")


def test_airway_without_a_tile_on_the_map_is_not_asked_for() -> None:
    assert powerless(build("airway-a"))


def test_airway_without_bare_mist_is_not_asked_for() -> None:
    """Mist and one forest are covered: there is a tile to lift, but nowhere to lay it."""
    mist = [hex.name for hex in position().hexes.values() if hex.ground == "."]
    drawn = ", ".join(f"{hex} tile" for hex in mist)
    assert powerless(build("airway-a", f"{drawn}, d5 tile", tiles={1: 4, 2: 4}))
    assert not powerless(build("airway-a", f"{drawn.removeprefix(f'{mist[0]} tile, ')}, d5 tile", tiles={1: 4, 2: 4}))


def test_airway_moves_a_tile_that_another_seat_has_laid_and_reveals_nobody() -> None:
    match = position("f7a 1 wood stone food, e7 2 wood, d7 mist", display="airway-a", turn=2, left=1, tiles={1: 16})
    match.play("explore d7")
    match.acts("build f7a airway-a; lift d7; explore a3")
    assert explorers(match) == 0
    assert match.at("d7") == "mist"


# Distillery.


def test_distillery_adds_an_action_in_the_middle_of_a_turn() -> None:
    match = build("distillery-a", left=2)
    match.play("turn-up mayor-a")
    assert (match.to_play, left(match)) == (0, 2)
    match.play("craftsman c7")
    assert (match.to_play, left(match)) == (0, 1)
    match.play("craftsman e7")
    assert (match.to_play, left(match)) == (1, 2)


def test_distillery_adds_an_action_at_the_end_of_a_turn() -> None:
    match = build("distillery-a", left=1)
    match.play("turn-up mayor-a")
    assert (match.to_play, left(match)) == (0, 1)
    match.play("craftsman e7")
    assert (match.to_play, left(match)) == (1, 2)


def test_the_display_is_filled_before_the_extra_action() -> None:
    """RULES 6.6 and 12.7."""
    match = build("distillery-a")
    assert verbs(match) == {"turn-up"}


def test_the_two_actions_may_be_spent_together_on_a_forest() -> None:
    match = build("distillery-a", "d6 tile")
    match.play("turn-up mayor-a")
    assert "e6" in may(match, "explore")
    match.play("explore e6")
    assert (match.to_play, left(match)) == (1, 2)


def test_the_extra_action_alone_does_not_open_forest() -> None:
    match = build("distillery-a", "d6 tile", left=1)
    match.play("turn-up mayor-a")
    assert "e6" not in may(match, "explore")


def test_the_extra_action_may_be_skipped_but_not_the_one_after() -> None:
    match = build("distillery-a")
    match.play("turn-up mayor-a")
    assert "skip" in match.legal()
    match.play("skip")
    assert (match.to_play, left(match)) == (0, 1)
    assert "skip" not in match.legal()


def test_once_the_extra_action_is_taken_the_other_cannot_be_skipped() -> None:
    match = build("distillery-a")
    match.acts("turn-up mayor-a; craftsman c7")
    assert left(match) == 1
    assert "skip" not in match.legal()


def test_the_extra_action_skipped_at_the_end_of_a_turn_ends_it() -> None:
    match = build("distillery-a", left=1)
    match.acts("turn-up mayor-a; skip")
    assert (match.to_play, left(match)) == (1, 2)


def test_any_of_the_six_actions_may_be_the_extra_one() -> None:
    match = build("distillery-a", "c6a 1 wood stone, d6 tile, c7 clay", left=2)
    match.play("turn-up store-a")
    assert verbs(match) == {"craftsman", "site", "explore", "carry", "build", "skip"}


def test_a_second_distillery_as_the_extra_action() -> None:
    match = build("distillery-a", "c6a 1 wood wheat food", left=2)
    match.acts("turn-up distillery-b; build c6a distillery-b; turn-up mayor-a")
    assert (match.to_play, left(match)) == (0, 2)
    assert "skip" in match.legal()
    match.acts("skip; craftsman c7")
    assert match.to_play == 1


def test_a_carry_from_a_mixed_exploitation_can_be_the_extra_action() -> None:
    match = build("distillery-a", "c6a 1, c7 2 wood clay", left=1)
    match.acts("turn-up mayor-a; carry c7 c6a")
    assert match.legal() == ["take wood", "take clay"]
    match.play("take clay")
    assert (match.to_play, left(match)) == (1, 2)


def test_distillery_is_offered_to_be_skipped_even_if_nothing_else_is_possible() -> None:
    """RULES 10.4: the extra action may always be skipped, so it is never passed."""
    drawn = "e1a 1 store-a, i1a 1 store-b, b3a 1 store-c, c6a 1, d3 1 wood, e3 1 wood, k5 1 wood"
    match = build("distillery-a", drawn, tiles=0, reserve=0)
    match.play("turn-up mayor-a")
    assert match.legal() == ["skip"]
    match.play("skip")
    assert match.legal() == ["pass"]


# Abundance.


@pytest.mark.parametrize(("seats", "goods"), [(2, "food food food"), (3, "food food food"), (4, "food food food food")])
def test_abundance_opens_a_neutral_exploitation(seats: int, goods: str) -> None:
    """RULES 12.14: with 2 and 3 seats one less than printed."""
    match = build("abundance-a", "c7 food-4a", seats)
    score = match.scores[0]
    match.play("open c7")
    assert match.at("c7") == goods
    assert match.scores[0] == score
    assert tokens(match) == set()
    assert home(match).startswith("3" if seats == 2 else "2")


def test_abundance_opens_any_token_and_only_tokens() -> None:
    match = build("abundance-a", "c7 open, e7 wood, g7 2 clay")
    meadows = {hex.name for hex in match.hexes.values() if hex.ground == "m"}
    assert may(match, "open") == meadows - {"c7", "e7", "g7", "b1", "c1", "g1", "k1"}


def test_abundance_without_a_token_on_the_map_is_not_asked_for() -> None:
    meadows = [hex.name for hex in position().hexes.values() if hex.ground == "m"]
    assert powerless(build("abundance-a", ", ".join(f"{hex} open" for hex in meadows)))


def test_what_abundance_opened_takes_no_craftsman_and_everybody_may_carry_from_it() -> None:
    match = build("abundance-a", "e7 food-4a, f7b 2", 3, left=1)
    match.acts("open e7; turn-up mayor-a")
    assert "e7" not in may(match, "craftsman")
    assert may(match, "carry") == {"e7 f7b"}


# Caravan and Export.


def test_caravan_removes_one_resource_from_an_own_exploitation_site_or_storage() -> None:
    match = build("caravan-a", "c7 1 wood clay, c6a 1 food, e7 2 wood, g7 wood, b3a 2 wood", storage="wheat wheat")
    assert match.legal() == [
        "remove c7 wood",
        "remove c7 clay",
        "remove c6a food",
        "remove storage wheat",
        "skip",
    ]


@pytest.mark.parametrize(
    ("removal", "after"),
    [("c7 wood", "c7 1 wood, c6a 1 food"), ("c6a food", "c7 1 wood wood, c6a 1")],
)
def test_caravan_removes_it_from_the_map(removal: str, after: str) -> None:
    match = build("caravan-a", "c7 1 wood wood, c6a 1 food")
    match.play(f"remove {removal}")
    assert match.drawing == f"f7a 1 building, {after}"
    assert verbs(match) == {"turn-up"}


def test_caravan_removes_it_from_storage_even_what_this_building_left_over() -> None:
    match = build("caravan-a", spare="food")
    score = match.scores[0]
    match.play("remove storage food")
    assert stored(match) == ""
    assert match.scores[0] == score + 1


@pytest.mark.parametrize("card", ["caravan-a", "export-a"])
def test_removing_the_last_resource_of_an_exploitation_sends_the_craftsman_home(card: str) -> None:
    """RULES 12.9."""
    match = build(card, "c7 1 wood, c6a 1")
    assert home(match).startswith("2 craftsmen")
    match.play("remove c7 wood")
    assert home(match).startswith("3 craftsmen")
    assert match.at("c7") == "open"
    match.play("turn-up mayor-a")
    assert {"b7", "c8"} <= may(match, "explore")


def test_export_removes_two_from_two_spots() -> None:
    match = build("export-a", "c7 1 wood wood, c6a 1 food")
    match.play("remove c7 wood")
    assert match.legal() == ["remove c7 wood", "remove c6a food", "skip"]
    match.play("remove c6a food")
    assert match.drawing == "f7a 1 building, c7 1 wood, c6a 1"
    assert verbs(match) == {"turn-up"}


def test_export_removes_two_from_the_same_spot() -> None:
    match = build("export-a", storage="wood wood wood")
    match.acts("remove storage wood; remove storage wood")
    assert stored(match) == "wood"
    assert verbs(match) == {"turn-up"}


def test_export_may_stop_after_one() -> None:
    match = build("export-a", storage="wood wood wood")
    match.acts("remove storage wood; skip")
    assert stored(match) == "wood wood"
    assert verbs(match) == {"turn-up"}


def test_export_does_not_ask_for_a_second_if_there_is_none() -> None:
    match = build("export-a", storage="wood")
    match.play("remove storage wood")
    assert verbs(match) == {"turn-up"}


# Express Delivery.


def test_express_delivery_puts_any_resource_on_an_own_site() -> None:
    match = build("express-delivery-a", "c6a 1 wood, b3a 1, e1a 2")
    assert may(match, "deliver") == {f"{place} {kind}" for place in ("c6a", "b3a") for kind in RESOURCES}
    match.play("deliver c6a wheat")
    assert match.at("c6a") == "1 wood wheat"
    assert (match.to_play, left(match)) == (0, 1)


def test_express_delivery_needs_another_site() -> None:
    """RULES 12.15: the site just built on is a building already."""
    match = build("express-delivery-a", "e1a 2, c6a 1 store-a")
    assert powerless(match)
    assert left(match) == 1


def test_express_delivery_to_the_other_place_of_the_same_ruin() -> None:
    match = build("express-delivery-a", "f7b 1", seats=3)
    assert {action.split()[0] for action in may(match, "deliver")} == {"f7b"}


# Secret Plan.


def test_secret_plan_draws_a_contract_into_the_hand() -> None:
    match = build("secret-plan-a", hand="quiet-town-a")
    assert match.legal() == ["use", "skip"]
    match.play("use")
    assert match.to_play == CHANCE
    assert may(match, "plan") == set(BOX.cards("contract")) - set(face_up(match))
    match.play("plan mayor-a")
    assert hand(match) == {"quiet-town-a", "mayor-a"}
    assert in_deck(match) == 28
    assert (match.to_play, left(match)) == (0, 1)


def test_a_contract_drawn_by_secret_plan_is_built_with_from_the_hand() -> None:
    """RULES 12.16: the display is not touched."""
    match = build("secret-plan-a", "c6a 1 wood stone")
    match.acts("use; plan store-a")
    before = face_up(match)
    match.acts("build c6a store-a")
    assert face_up(match) == before
    assert hand(match).isdisjoint({"store-a", "secret-plan-a"})
    assert built(match) == {"secret-plan-a", "store-a"}
    assert match.to_play == 1


def test_nobody_else_builds_with_a_contract_drawn_by_secret_plan() -> None:
    match = build("secret-plan-a", "c6a 2 wood stone", left=1)
    match.acts("use; plan store-a")
    assert match.to_play == 1
    assert "c6a store-a" not in may(match, "build")


def test_a_contract_drawn_by_secret_plan_is_not_turned_up() -> None:
    match = build("secret-plan-a", "c6a 1 clay clay food", display="export-a")
    match.acts("use; plan store-a; build c6a export-a")
    assert "store-a" not in may(match, "turn-up")


def test_a_power_of_a_contract_from_the_hand_is_used_like_any_other() -> None:
    match = build("secret-plan-a", "c6a 1 wood stone, c7 1 wood")
    match.acts("use; plan store-a; build c6a store-a; swap c7 wood food")
    assert match.at("c7") == "1 food"
    assert match.to_play == 1


# Shortcut.


def test_shortcut_moves_two_tiles_to_the_reserve() -> None:
    match = build("shortcut-a")
    assert match.legal() == ["use", "skip"]
    match.play("use")
    assert home(match).endswith(" 18 tiles")
    assert in_reserve(match) == 22
    assert (match.to_play, left(match)) == (0, 1)


def test_shortcut_with_one_tile_left_sheds_that_one() -> None:
    match = build("shortcut-a", tiles=1, reserve=3)
    assert explorers(match) == 3
    match.play("use")
    assert home(match).endswith(" 0 tiles")
    assert in_reserve(match) == 4
    assert explorers(match) == 4


@pytest.mark.parametrize(("tiles", "revealed"), [(20, 0), (18, 0), (17, 1), (16, 1), (12, 2), (7, 3), (6, 3), (2, 4)])
def test_shortcut_may_empty_a_pile_and_go_on_with_the_next(tiles: int, revealed: int) -> None:
    match = build("shortcut-a", tiles=tiles)
    match.play("use")
    assert explorers(match) == revealed


def test_shortcut_leaves_the_tiles_of_others_and_of_the_map() -> None:
    match = build("shortcut-a", "d7 tile")
    match.play("use")
    assert match.at("d7") == "tile"
    assert home(match, 2).endswith(" 20 tiles")


# Points.


@pytest.mark.parametrize("card", BOX.costs)
def test_a_card_counts_what_the_table_says(card: str) -> None:
    """Alone on an empty table: Architect counts itself, Explorer four hidden explorers, Merchant and Mayor nothing."""
    points = {"architect-a": 1, "merchant-a": 0, "mayor-a": 0, "explorer-a": 4}
    expected = points.get(card, BOX.points[card[:-2]][0])
    assert position(f"f7a 1 {card}").scores == [expected, 0]


def test_architect_counts_every_contract_fulfilled_private_or_not_and_itself() -> None:
    drawn = "f7a 1 architect-a, c6a 1 store-a, b3a 1 quiet-town-a, e1a 2 store-b"
    assert position(drawn).scores == [3 + 2 + 4, 2]


def test_architect_counts_what_is_built_later() -> None:
    match = position("c6a 1 architect-a, f7a 1 wood stone", display="store-a")
    assert match.scores == [1 - 2, 0]
    match.play("build f7a store-a")
    assert match.scores == [2 + 2, 0]


def test_merchant_counts_the_tokens_taken() -> None:
    drawn = "f7a 1 merchant-a"
    assert position(drawn, took="wood-3a food-4b clay-3a").scores == [3 + 1 + 2 + 1, 0]
    assert position(drawn, took={2: "wood-3a food-4b"}).scores == [0, 3]


def test_mayor_counts_two_for_each_building_of_exactly_two_resources() -> None:
    drawn = "f7a 1 mayor-a, c6a 1 store-a, b3a 1 carpentry-c, e1a 1 priest-a, k3a 2 store-b"
    assert position(drawn).scores == [2 * 2 + 2 + 2 + 3, 2]


def test_mayor_counts_explorer_and_not_itself() -> None:
    """RULES 12.18 and 12.19: Explorer asks for exactly 2, the Mayor's own contract does not."""
    assert BOX.costs["mayor-a"].count("+") == 2
    assert position("f7a 1 mayor-a").scores == [0, 0]
    assert position("f7a 1 mayor-a, c6a 1 explorer-a").scores == [2 + 4, 0]


def test_mayor_goes_by_the_cost_not_by_what_lay_on_the_site() -> None:
    match = position("c6a 1 mayor-a, f7a 1 wood stone food", display="store-a")
    assert match.scores == [-3, 0]
    match.play("build f7a store-a")
    assert match.scores == [2 + 2 - 1, 0]


@pytest.mark.parametrize(("tiles", "hidden"), [(20, 4), (16, 4), (15, 3), (6, 2), (5, 1), (1, 1), (0, 0)])
def test_explorer_counts_the_explorers_still_hidden(tiles: int, hidden: int) -> None:
    match = position("f7a 1 explorer-a", tiles=tiles)
    assert match.scores == [hidden + 2 * (4 - hidden), 0]


def test_cards_in_hand_count_nothing() -> None:
    assert position(hand="quiet-town-a quiet-town-b").scores == [0, 0]
