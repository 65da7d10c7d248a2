"""The public face: what can be asked for, and how it is refused."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from plenilune import CHANCE, BadReplay, BadSetting, Match, Refusal, UnknownAction, UnknownGame, bots, load, names


def test_a_game_is_found_because_its_folder_is_there() -> None:
    assert {"lanterns", "moon-leap"} <= set(names())


@pytest.mark.parametrize("name", ["Moon Leap", "moon_leap", "moon-leap", " MOON LEAP"])
def test_a_games_name_is_read_kindly(name: str) -> None:
    assert load(name).name == "moon-leap"


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownGame, match=r"no such game: 'chess'; there are: .*moon-leap"):
        Match("chess")


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 2.5, "2"])
def test_a_wrong_number_of_seats_is_refused(seats: int) -> None:
    with pytest.raises(BadSetting, match="moon-leap is for 2 to 4 seats, not"):
        Match("moon-leap", seats)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(BadSetting, match="moon-leap has no option 'speed'; it has none"):
        Match("moon-leap", 2, speed="high")
    with pytest.raises(BadSetting, match="lanterns has no option 'speed'; its options are: "):
        Match("lanterns", 2, speed="high")


def test_an_unknown_word_for_an_option_is_refused() -> None:
    option, words = next(iter(load("lanterns").options.items()))
    with pytest.raises(BadSetting, match=f"{option} is one of {', '.join(words)}, not 'loud'"):
        Match("lanterns", 2, **{option: "loud"})


def test_without_a_seed_chance_waits_to_be_played() -> None:
    match = Match("moon-leap", 2)
    assert match.to_play == CHANCE
    assert match.legal() == ["roll 1", "roll 2", "roll 3", "roll 4", "roll 5", "roll *"]
    match.play("roll 4")
    assert (match.to_play, match.legal(), match.actors) == (0, ["move 4"], [CHANCE])


def test_undo_takes_back_what_the_dice_rolled_after_the_action() -> None:
    match = Match("moon-leap", 2, "7")
    before = match.history
    action = match.legal()[0]
    match.play(action)
    rolled = match.history[-1]
    assert match.undo() == [action, rolled]
    assert match.history == before
    match.play(action)
    assert match.history[-1] == rolled


def test_a_secret_is_read_by_its_owner_only() -> None:
    match = Match("lanterns", 2, "7")
    assert match.seen_by(0).tobytes() != match.seen_by(1).tobytes()
    assert any("?" in text for text in match.history_seen_by(1))
    assert match.history_seen_by(0) != match.history_seen_by(1)


@pytest.mark.parametrize("wrong", [None, 5, 1.5, ["moon-leap"], b"moon-leap"])
def test_what_is_not_text_is_refused_like_a_wrong_one(wrong: Any) -> None:
    match = Match("moon-leap", 2, "7")
    before = match.save()
    asked: list[tuple[Callable[[], Any], type[Refusal], str]] = [
        (lambda: load(wrong), UnknownGame, "no such game: "),
        (lambda: Match(wrong), UnknownGame, "no such game: "),
        (lambda: match.play(wrong), UnknownAction, "no such action: "),
        (lambda: Match.load(wrong), BadReplay, "a saved match is text, not "),
        (lambda: bots.load(wrong, match.game), BadSetting, "no such bot for moon-leap: "),
        (lambda: Match("moon-leap", "2"), BadSetting, "moon-leap is for 2 to 4 seats, not 2"),  # type: ignore[arg-type]
    ]
    for ask, kind, words in asked:
        with pytest.raises(kind, match=re.escape(words)) as refusal:
            ask()
        assert repr(wrong) in str(refusal.value) or "seats" in words
    assert match.save() == before
