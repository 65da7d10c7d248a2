"""Who knows what: RULES 9, 12.16, 12.21 and 12.22."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from plenilune import Match
from plenilune.core.drawing import plain
from plenilune.core.engine import generator
from plenilune.core.record import SPECTATOR
from tests.play import finished
from tests.via_nebula.positions import BOX, DrawnMatch, hand, hands_in, position, verbs
from tests.via_nebula.truths import two_truths

PRIVATE, CONTRACTS = set(BOX.cards("private")), set(BOX.cards("contract"))


def held(match: Match, seat: int, viewer: int) -> set[str]:
    """The cards in a seat's hand that the viewer knows; seats are numbers from 1, 0 is a spectator."""
    return {card.id for card in match.view(viewer - 1).guilds[seat - 1].hand}


def planned(seats: int = 2, card: str = "mayor-a", drawing: str = "", **settings: Any) -> DrawnMatch:
    """Seat 1 has built with a Secret Plan and drawn this card with it."""
    match = position(f"f7a 1 wood wheat food, {drawing or 'e1a free'}", seats, hand="secret-plan-a", **settings)
    match.acts(f"build f7a secret-plan-a; use; plan {card}")
    return match


# Hands.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_hand_is_known_to_its_owner_only(seats: int) -> None:
    match = position(seats=seats)
    for seat in range(1, seats + 1):
        for viewer in range(seats + 1):
            assert len(held(match, seat, viewer)) == (2 if viewer == seat else 0)


def test_a_hand_is_known_from_the_moment_it_is_dealt() -> None:
    match = Match("via-nebula", 2)
    while not match.legal()[0].startswith("deal"):
        match.play(match.legal()[0])
    match.play("deal 1 shortcut-a")
    assert held(match, 1, viewer=1) == {"shortcut-a"}
    assert held(match, 1, viewer=2) == held(match, 1, viewer=0) == set()


def test_a_card_drawn_by_secret_plan_is_known_to_its_owner_only() -> None:
    match = planned(seats=3)
    assert "mayor-a" in held(match, 1, viewer=1)
    for viewer in (0, 2, 3):
        assert held(match, 1, viewer) == set()


def test_how_many_cards_of_either_kind_a_hand_holds_is_public() -> None:
    match = planned(seats=3)
    for viewer in range(4):
        guilds = match.view(viewer - 1).guilds
        assert [(guild.privates_held, guild.plans_held) for guild in guilds] == [(1, 1), (2, 0), (2, 0)]


def test_how_many_cards_a_hand_holds_changes_when_one_is_built_with() -> None:
    match = planned(2, "store-a", "c6a 1 wood stone")
    assert (match.view().guilds[0].privates_held, match.view().guilds[0].plans_held) == (1, 1)
    match.play("build c6a store-a")
    assert (match.view().guilds[0].privates_held, match.view().guilds[0].plans_held) == (1, 0)
    match = position("c6a 1 wood stone food", hand="express-delivery-a shortcut-a")
    match.play("build c6a express-delivery-a")
    assert (match.view().guilds[0].privates_held, match.view().guilds[0].plans_held) == (1, 0)


def test_a_card_of_the_hand_is_revealed_when_it_is_built_with() -> None:
    match = position("f7a 1 wood stone clay food", seats=3, hand="quiet-town-a")
    match.play("build f7a quiet-town-a")
    for viewer in range(4):
        assert [card.id for card in match.view(viewer - 1).guilds[0].contracts] == ["quiet-town-a"]


def test_it_is_revealed_even_while_the_seat_has_yet_to_choose_what_to_spend() -> None:
    """RULES 9.1."""
    match = planned(3, "explorer-a", "c6a 1 wood wood clay clay")
    for viewer in (0, 2, 3):
        assert match.view(viewer - 1).pending.card is None
    match.play("build c6a explorer-a")
    assert verbs(match) == {"spend"}
    for viewer in range(4):
        assert match.view(viewer - 1).pending.card == "explorer-a"
        assert held(match, 1, viewer) >= {"explorer-a"}
        assert match.history_seen_by(viewer - 1)[-1] == "build c6a explorer-a"


def test_tokens_taken_and_contracts_built_are_public() -> None:
    """RULES 12.21."""
    match = position("c6a 1 store-a, f7a 2 quiet-town-b", took={1: "wood-3a", 2: "food-4a clay-3a"})
    for viewer in (-1, 0, 1):
        one, two = match.view(viewer).guilds
        assert ([card.id for card in one.contracts], [t.id for t in one.tokens]) == (["store-a"], ["wood-3a"])
        assert {token.id for token in two.tokens} == {"food-4a", "clay-3a"}


def test_seats_and_spectators_see_the_same_but_for_hands_and_choices() -> None:
    match = planned(seats=4, drawing="c7 2 wood, c6a 3 clay, d7 tile")
    seen = [match.view(viewer) for viewer in range(SPECTATOR, 4)]
    for name in ("hexes", "display", "deck", "reserve", "pending", "mover", "actions_left", "last_round", "asks"):
        assert all(getattr(view, name) == getattr(seen[0], name) for view in seen)


def test_what_a_seat_may_do_is_told_to_that_seat_only() -> None:
    """RULES 9.5."""
    match = position(seats=3, turn=2)
    assert [choice.text for choice in match.view(1).choices] == match.legal()
    for viewer in (SPECTATOR, 0, 2):
        assert match.view(viewer).choices == []


def test_once_its_hand_is_empty_anybody_may_be_told() -> None:
    match = position("c6a 1 quiet-town-a, f7a 1 shortcut-a")
    assert hand(match) == set()
    for viewer in (SPECTATOR, 0, 1):
        assert [choice.text for choice in match.view(viewer).choices] == match.legal()


def test_when_the_match_is_over_nothing_is_secret() -> None:
    """RULES 9.6."""
    match = finished(Match("via-nebula", 3, seed="moon"), 3)
    for viewer in range(SPECTATOR, 3):
        assert match.history_seen_by(viewer) == match.history
        assert match.seen_by(viewer).tobytes() == match.state.tobytes()


# Texts.


def test_the_deal_of_another_seat_reads_with_a_question_mark() -> None:
    match = position(seats=2, hand={1: "shortcut-a quiet-town-a", 2: "secret-plan-a quiet-town-b"})

    def deals(viewer: int) -> list[str]:
        return [text for text in match.history_seen_by(viewer) if text.startswith("deal")]

    assert deals(0) == ["deal 1 shortcut-a", "deal 2 ?", "deal 1 quiet-town-a", "deal 2 ?"]
    assert deals(1) == ["deal 1 ?", "deal 2 secret-plan-a", "deal 1 ?", "deal 2 quiet-town-b"]
    assert deals(SPECTATOR) == ["deal 1 ?", "deal 2 ?"] * 2


def test_a_secret_plan_of_another_seat_reads_with_a_question_mark() -> None:
    match = position("f7a 1 wood wheat food", seats=3, hand="secret-plan-a")
    match.acts("build f7a secret-plan-a; use")
    plan, known = match.game.actions.parse("plan mayor-a"), match.game.known
    assert known
    told = [match.game.actions.text(plan, known(match.state, plan, viewer)) for viewer in (-1, 0, 1, 2)]
    assert told == ["plan ?", "plan mayor-a", "plan ?", "plan ?"]


def test_all_other_actions_are_read_by_everybody() -> None:
    match = finished(Match("via-nebula", 2, seed="7"), 7)
    match.undo()
    for told, truth in zip(match.history_seen_by(SPECTATOR), match.history, strict=True):
        assert told == truth or truth.split()[0] in ("deal", "plan")


# Two truths that look the same.


def everything_told(match: Match, viewer: int) -> tuple[Any, ...]:
    """All that a viewer gets."""
    view = match.view(viewer)
    return view, plain(match.game.draw(view)), match.history_seen_by(viewer), match.scores, match.places


@pytest.mark.slow
@pytest.mark.parametrize("map", ["beginner", "expert"])
@pytest.mark.parametrize(("seats", "viewer"), [(2, 0), (2, 1), (2, -1), (3, 1), (3, -1), (4, 3), (4, -1)])
def test_matches_that_differ_only_in_hidden_cards_are_told_alike(seats: int, map: str, viewer: int) -> None:
    for number in range(2):
        chooser = random.Random(f"{seats} {map} {viewer} {number}")
        for one, other in two_truths(seats, map, viewer, chooser):
            assert one.seen_by(viewer).tobytes() == other.seen_by(viewer).tobytes()
            if one.ply % 30 == 0:
                assert everything_told(one, viewer) == everything_told(other, viewer)
        assert one.history != other.history


@pytest.mark.parametrize("viewer", [SPECTATOR, 1, 2])
def test_two_cards_drawn_by_secret_plan_look_alike_until_one_is_built_with(viewer: int) -> None:
    one, other = (planned(3, card, "c6a 1 wood stone") for card in ("store-a", "mayor-a"))
    for action in ["craftsman e7", "craftsman g7", "site e1a", "craftsman h7", "site i1a"]:
        assert one.state.tobytes() != other.state.tobytes()
        assert one.seen_by(viewer).tobytes() == other.seen_by(viewer).tobytes()
        assert one.view(viewer) == other.view(viewer)
        one.play(action)
        other.play(action)
    assert one.to_play == 0
    one.play("build c6a store-a")
    assert [card.id for card in one.view(viewer).guilds[0].contracts] == ["store-a", "secret-plan-a"]


# Guesses.


def guesses(match: Match, viewer: int, number: int = 400) -> Iterator[list[set[str]]]:
    """Guesses of a viewer at the truth: for each, the cards of every hand."""
    rng = generator(7)
    for _ in range(number):
        guess = match.seen_by(viewer)
        match.game.resample(guess, viewer, rng)
        yield hands_in(guess)


def in_sight(match: Match, viewer: int) -> set[str]:
    """What a viewer knows: its own hand, the display and what was built with."""
    view = match.view(viewer)
    cards = {card.id for card in view.display if card} | {c.id for guild in view.guilds for c in guild.contracts}
    return cards | {card.id for guild in view.guilds for card in guild.hand}


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1, 2])
def test_a_guess_deals_what_the_viewer_has_not_seen_and_anything_of_it(viewer: int) -> None:
    match = planned(3, drawing="c6a 2 store-b, a8a 3 quiet-town-b", display="priest-a")
    seen, guilds = in_sight(match, viewer), match.view().guilds
    dealt: list[set[str]] = [set(), set(), set()]
    for hands in guesses(match, viewer):
        assert len(set[str]().union(*hands)) == sum(map(len, hands))
        for seat, cards in enumerate(hands):
            assert len(cards & PRIVATE) == guilds[seat].privates_held
            assert len(cards & CONTRACTS) == guilds[seat].plans_held
            dealt[seat] |= cards
    for seat, cards in enumerate(dealt):
        if seat == viewer:
            assert cards == hand(match, seat + 1)
        elif seat == 0:
            assert cards == (PRIVATE | CONTRACTS) - seen
        else:
            assert cards == PRIVATE - seen


def test_a_guess_is_fair() -> None:
    """Of the five private contracts that seat 2 has not seen, seat 1 holds one: each as often as any other."""
    match = position("c6a 1 quiet-town-a, f7a 2 quiet-town-b", hand={1: "shortcut-a", 2: "shortcut-b"})
    counts = Counter(card for hands in guesses(match, 1, 3000) for card in hands[0])
    assert counts.keys() == PRIVATE - {"quiet-town-a", "quiet-town-b", "shortcut-b"}
    assert all(abs(count - 600) < 120 for count in counts.values()), counts


def test_a_guess_about_a_card_that_was_revealed_while_being_paid_for_is_the_truth() -> None:
    match = planned(3, "explorer-a", "c6a 1 wood wood clay clay")
    match.play("build c6a explorer-a")
    assert all("explorer-a" in hands[0] for hands in guesses(match, 1, 50))


def test_the_deck_of_a_guess_holds_what_is_nowhere_else() -> None:
    match = planned(2, display="store-a", drawing="c6a 2 wood stone", left=1)
    for seed in range(20):
        guess = Match("via-nebula", 2)
        guess.state = match.seen_by(1)
        match.game.resample(guess.state, 1, generator(seed))
        (plan,) = hands_in(guess.state)[0] & CONTRACTS
        guess.play("build c6a store-a")
        turned_up = {action.split()[1] for action in guess.legal()}
        assert turned_up == CONTRACTS - {plan, "store-a", "abundance-a", "abundance-b", "adventurers-a"}
