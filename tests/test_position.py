"""A position: who may play what, and what everybody sees."""

import random
from typing import Any

import pytest

from plenilune import CHANCE, BadSetting, IllegalAction, Match, UnknownAction, load
from plenilune.core.dice import Dice
from plenilune.core.record import SPECTATOR
from plenilune.position import Position
from tests.play import finished, package_games


def start(name: str = "moon-leap", seats: int = 2) -> Position:
    return Position.begin(load(name), seats, {})


def test_a_match_and_a_position_with_the_same_dice_are_the_same() -> None:
    match, position = Match("via-nebula", 3, "twins"), start("via-nebula", 3)
    position.roll(Dice("twins"))
    choose = random.Random(1).choice
    while not match.over:
        assert (match.legal(), match.ply) == (position.legal_texts(), position.ply)
        action = choose(match.legal())
        match.play(action)
        position.play(action)
        position.roll(Dice("twins"))
    assert match.state.tobytes() == position.state.tobytes()
    assert (match.scores, match.places) == position.standing()


def test_a_refusal_says_who_may_do_what() -> None:
    position = start()
    with pytest.raises(IllegalAction, match="'move 1' is not allowed now; chance may: roll 1, roll 2"):
        position.play("move 1")
    position.play("roll 4")
    with pytest.raises(UnknownAction, match="no such action: 'fly home'; seat 1 may: move 4"):
        position.play("fly home")
    assert position.ply == 1


def test_a_walk_shows_the_position_before_each_action_and_after_the_last() -> None:
    found = [(position.ply, position.to_play) for position in start().walk(["roll 4", "move 4"])]
    assert found == [(0, CHANCE), (1, 0), (2, CHANCE)]


def test_a_match_walks_through_the_positions_it_has_been_at() -> None:
    match = finished(Match("nova-luna", 2, "walk"))
    actors = [position.to_play for position in match.positions()]
    assert actors[:-1] == match.actors
    *_, last = match.positions()
    assert last.state.tobytes() == match.state.tobytes()


def test_a_roll_that_the_dice_do_not_give_is_refused() -> None:
    position, dice = start(), Dice("apollo")
    position.check_roll(dice, "roll 4")
    with pytest.raises(IllegalAction, match="expected 'roll 4' of this seed, not 'roll 5'"):
        position.check_roll(dice, "roll 5")
    position.play("roll 4")
    position.check_roll(dice, "move 4")  # no roll: nothing to check


def test_viewers_who_see_the_same_have_the_same_digest() -> None:
    open_game, secret_game = Match("moon-leap", 2, "a").position, Match("lanterns", 2, "7").position
    assert open_game.digest(0) == open_game.digest(1) == open_game.digest(SPECTATOR)
    assert len({secret_game.digest(viewer) for viewer in (SPECTATOR, 0, 1)}) == 3
    assert secret_game.view(0) != secret_game.view(1)


@pytest.mark.parametrize("name", package_games())
def test_a_number_that_is_not_a_legal_action_is_refused_and_changes_nothing(name: str) -> None:
    position = start(name)
    for _ in range(60):
        legal, before = position.legal(), position.state.tobytes()
        wrong: list[Any] = [2_000_000_000, -2_000_000_000, 2**70, -1, legal[0] + 0.5, None, "x"]
        wrong += [next(number for number in range(len(legal) + 1) if number not in legal)]
        for number in wrong:
            with pytest.raises(IllegalAction, match=r"is not allowed now; (chance|seat [12]) may: "):
                position.apply(number)
        assert (position.state.tobytes(), position.legal()) == (before, legal)
        assert position.apply(legal[0]).number == legal[0]


@pytest.mark.parametrize("name", ["moon-leap", "via-nebula"])
@pytest.mark.parametrize("viewer", [99, 2, -2, -7, 1.5, "x", None, True])
def test_only_seats_and_spectators_look(name: str, viewer: Any) -> None:
    match = Match(name, 2, "7")
    before, number = match.state.tobytes(), match.legal_numbers()[0]
    for ask in (
        match.seen_by,
        match.view,
        match.position.seen,
        match.position.hidden,
        match.position.view,
        match.position.digest,
        lambda viewer: match.position.text_for(number, viewer),
    ):
        with pytest.raises(
            BadSetting, match=f"^who looks is a seat from 0 to 1, or -1 for a spectator, not {viewer!r}$"
        ):
            ask(viewer)
    assert match.state.tobytes() == before


@pytest.mark.parametrize("number", [2_000_000_000, -1, 2**70, "x", None])
def test_an_action_that_there_is_not_has_no_text(number: Any) -> None:
    with pytest.raises(UnknownAction, match=r"^no such action: "):
        start("via-nebula").text_for(number, 0)
