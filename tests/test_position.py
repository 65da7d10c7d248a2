"""A position: who may play what, and what everybody sees."""

import random

import pytest

from plenilune import CHANCE, IllegalAction, Match, UnknownAction, load
from plenilune.core.dice import Dice
from plenilune.core.record import SPECTATOR
from plenilune.position import Position
from tests.play import finished


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
