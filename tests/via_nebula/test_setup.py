"""Setting up: RULES 1.11, 2 and 10.3."""

import pytest

from plenilune import CHANCE, BadSetting, Match
from tests.via_nebula.positions import (
    BOX,
    RESOURCES,
    DrawnMatch,
    face_up,
    hand,
    home,
    in_deck,
    in_reserve,
    left,
    may,
    position,
    rules_table,
    verbs,
)

SEATS = [2, 3, 4]
PLAIN = [token for token in BOX.tokens if not token.endswith("-5")]
SPECIAL = [f"{resource}-5" for resource in RESOURCES]


def begun(seats: int = 2, **options: str) -> DrawnMatch:
    return DrawnMatch("", seats, options.get("map", "beginner"))


def play_first(match: DrawnMatch, verb: str) -> DrawnMatch:
    """Let chance play the first of what it may, for as long as that is this verb."""
    while verbs(match) == {verb}:
        match.play(match.legal()[0])
    return match


def laid(seats: int = 2, **options: str) -> DrawnMatch:
    """A match whose tokens lie."""
    return play_first(play_first(begun(seats, **options), "without"), "token")


# What changes with the seats.


@pytest.mark.parametrize(
    ("seats", "guild", "reserve"),
    [
        (2, "3 craftsmen, 3 sites, 5 buildings, 20 tiles", 20),
        (3, "2 craftsmen, 3 sites, 5 buildings, 16 tiles", 12),
        (4, "2 craftsmen, 3 sites, 5 buildings, 12 tiles", 12),
    ],
)
def test_every_seat_begins_with_the_same_and_the_other_tiles_are_the_reserve(
    seats: int, guild: str, reserve: int
) -> None:
    match = position(seats=seats)
    assert [home(match, seat) for seat in range(1, seats + 1)] == [guild] * seats
    assert in_reserve(match) == reserve


def test_the_numbers_are_those_of_the_rules() -> None:
    numbers = {
        "tiles in each of the 4 piles of a guild board": "tiles-in-a-pile",
        "craftsmen of each seat": "craftsmen",
        "places in a ruin": "places-in-a-ruin",
        "private contracts dealt to each seat": "private-contracts-dealt",
    }
    rows = {row[0]: row[1:] for row in rules_table("1.11")}
    for text, name in numbers.items():
        assert rows[text] == [str(BOX.by_seats[name][seats]) for seats in SEATS] + ["known"]
    assert rows["tiles in the reserve at the start"] == ["20", "12", "12", "known"]
    assert rows["sites / buildings of each seat"] == ["3 / 5"] * 3 + ["known"]
    assert rows["a token yields its printed number"] == ["less 1", "less 1", "in full", "known"]


@pytest.mark.parametrize("seats", SEATS)
def test_nobody_has_points_yet_and_all_share_the_first_place(seats: int) -> None:
    match = position(seats=seats)
    assert match.scores == [0] * seats
    assert match.places == [1] * seats


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(BadSetting, match=f"via-nebula is for 2 to 4 seats, not {seats}"):
        Match("via-nebula", seats)


def test_the_beginners_map_is_the_default() -> None:
    assert Match("via-nebula", 2).options == {"map": "beginner"}


def test_another_map_is_refused() -> None:
    with pytest.raises(BadSetting, match="map is one of beginner, expert, not 'atlantis'"):
        Match("via-nebula", 2, map="atlantis")


# Tokens.


def test_chance_removes_one_of_the_five_special_tokens() -> None:
    match = begun()
    assert match.to_play == CHANCE
    assert match.legal() == [f"without {resource}" for resource in RESOURCES]


@pytest.mark.parametrize("resource", RESOURCES)
def test_the_special_token_removed_lies_nowhere(resource: str) -> None:
    match = begun()
    match.play(f"without {resource}")
    assert may(match, "token") == {f"b1 {token}" for token in BOX.tokens if token != f"{resource}-5"}


@pytest.mark.parametrize("map", ["beginner", "expert"])
def test_tokens_are_laid_on_every_meadow_in_reading_order(map: str) -> None:
    match = begun(map=map)
    match.play("without wood")
    laid = []
    while verbs(match) == {"token"}:
        (hex,) = {action.split()[1] for action in match.legal()}
        laid.append(hex)
        match.play(match.legal()[-1])
    assert laid == [hex.name for hex in match.hexes.values() if hex.ground == "m"]
    assert len(laid) == 24


def test_a_token_lies_once() -> None:
    match = begun().acts("without clay; token b1 wood-3a; token c1 stone-5")
    assert may(match, "token") == {f"g1 {t}" for t in BOX.tokens if t not in ("clay-5", "wood-3a", "stone-5")}


def test_tokens_are_listed_in_the_order_of_the_table() -> None:
    match = begun().acts("without clay")
    assert match.legal() == [f"token b1 {token}" for token in BOX.tokens if token != "clay-5"]


@pytest.mark.parametrize(("seats", "amount"), [(2, 4), (3, 4), (4, 5)])
@pytest.mark.parametrize("resource", RESOURCES)
def test_a_special_token_opens_a_neutral_exploitation_at_once(seats: int, amount: int, resource: str) -> None:
    match = begun(seats)
    match.play("without wood" if resource != "wood" else "without food")
    match.play(f"token b1 {resource}-5")
    assert match.at("b1") == " ".join([resource] * amount)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("token", PLAIN)
def test_any_other_token_lies_closed(seats: int, token: str) -> None:
    match = begun(seats).acts(f"without wood; token b1 {token}")
    assert match.at("b1") == token


# Cards.


@pytest.mark.parametrize("seats", SEATS)
def test_private_contracts_are_dealt_one_by_one_round_the_table(seats: int) -> None:
    match, private = laid(seats), BOX.cards("private")
    for seat in [*range(1, seats + 1)] * 2:
        assert match.to_play == CHANCE
        assert match.legal() == [f"deal {seat} {card}" for card in private]
        match.play(f"deal {seat} {private.pop(0)}")
    assert len(private) == 8 - 2 * seats
    assert verbs(match) == {"turn-up"}


def test_the_cards_dealt_are_in_the_hands() -> None:
    match = laid().acts("deal 1 shortcut-b; deal 2 quiet-town-a; deal 1 secret-plan-a; deal 2 shortcut-a")
    assert hand(match, 1) == {"shortcut-b", "secret-plan-a"}
    assert hand(match, 2) == {"quiet-town-a", "shortcut-a"}


@pytest.mark.parametrize("seats", SEATS)
def test_four_contracts_are_turned_up_and_the_others_are_the_deck(seats: int) -> None:
    match, contracts = play_first(laid(seats), "deal"), BOX.cards("contract")
    turned_up = ["store-a", "priest-a", "airway-c", "distillery-b"]
    for card in turned_up:
        assert match.to_play == CHANCE
        assert match.legal() == [f"turn-up {card}" for card in contracts]
        match.play(f"turn-up {card}")
        contracts.remove(card)
    assert face_up(match) == turned_up
    assert in_deck(match) == 29


@pytest.mark.parametrize("seats", SEATS)
def test_then_seat_1_has_a_turn_of_two_actions(seats: int) -> None:
    match = play_first(play_first(laid(seats), "deal"), "turn-up")
    assert match.to_play == 0
    assert left(match) == 2
    assert verbs(match) == {"craftsman", "site"}


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("map", ["beginner", "expert"])
def test_the_setup_takes_as_many_plies_as_the_rules_say(seats: int, map: str) -> None:
    match = begun(seats, map=map)
    while match.to_play == CHANCE:
        match.play(match.legal()[-1])
    assert [action.split()[0] for action in match.history] == (
        ["without"] + ["token"] * 24 + ["deal"] * 2 * seats + ["turn-up"] * 4
    )
