"""Saved matches: what is written can be read, and what cannot be right is refused by its line."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenilune import BadReplay, Match, load
from plenilune.replay import Replay
from tests.play import finished

GAME = load("moon-leap")
START = f"game: moon-leap\nrules: 2\ncomponents: {GAME.components}\nseats: 2\n"
SHORT = START + "\nroll 3\nmove 3\nroll *\n"


def refusal(text: str, check_dice: bool = False) -> str:
    with pytest.raises(BadReplay) as refused:
        Match.load(text, check_dice)
    return str(refused.value)


def test_a_match_without_a_seed_is_saved_as_it_was_played() -> None:
    match = Match("moon-leap", 2)
    for action in ("roll 3", "move 3", "roll *"):
        match.play(action)
    assert match.save() == SHORT
    assert Match.load(SHORT).to_play == 1


def test_a_seed_and_the_scores_are_in_the_header() -> None:
    match = finished(Match("moon-leap", 3, "crater"))
    headers = Replay.parse(match.save()).headers
    assert headers["seed"] == "crater"
    assert headers["scores"] == " ".join(map(str, match.scores))


def test_nonces_without_a_seed_are_refused() -> None:
    text = SHORT.replace("seats: 2\n", f"seats: 2\nnonces: {'0' * 32}\n")
    assert refusal(text) == "line 5: nonces need a seed"


def test_options_are_written_out_with_their_defaults() -> None:
    match = Match("lanterns", 2)
    assert match.options
    words = " ".join(f"{name}={word}" for name, word in match.options.items())
    assert f"\noptions: {words}\n" in match.save()


def test_comments_remarks_and_further_headers_stay_where_they_are() -> None:
    text = (
        "# an evening in May\n" + START + "place: the kitchen\n# over to the actions\n\n"
        "# let's go\nroll 3\nmove 3  # what else\n  # a pause\nroll *\n# to be continued\n"
    )
    match = Match.load(text)
    assert match.save() == text
    match.play("move 1")
    assert match.save() == text.replace("# to be continued\n", "# to be continued\nmove 1\n")
    match.undo()
    assert match.save() == text


def test_remarks_on_actions_taken_back_go_with_them() -> None:
    match = Match.load(START + "\nroll 3\nmove 3  # hm\n# so much for that\nroll *\n# the end\n")
    match.undo()
    match.undo()
    match.play("move 3")
    assert match.save() == START + "\nroll 3\nmove 3\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: expected a blank line after the headers, not the end of the file"),
        ("game: moon-leap", "line 1: expected a newline at the end, not the end of the file"),
        ("game: moon-leap\n", "line 2: expected a blank line after the headers, not the end of the file"),
        ("\n", "line 1: expected a header 'game: …', not none"),
        ("rules: 1\n\n", "line 2: expected a header 'game: …', not none"),
        ("hello there\n\n", "line 1: expected a header such as 'seats: 2', or a blank line, not 'hello there'"),
        ("game: chess\nrules: 1\nseats: 2\n\n", "line 1: no such game: 'chess'"),
        (
            START.replace("rules: 2", "rules: 99") + "\n",
            "line 2: there is no version 99 of moon-leap's rules; known: 1, 2",
        ),
        (
            START.replace("rules: 2", "rules: 02") + "\n",
            "line 2: there is no version 02 of moon-leap's rules; known: 1, 2",
        ),
        (START.replace(GAME.components, "0123456789ab") + "\n", "line 3: played with components 0123456789ab"),
        (START.replace("seats: 2", "seats: 9") + "\n", "line 4: moon-leap is for 2 to 4 seats, not 9"),
        (START.replace("seats: 2", "seats: two") + "\n", "line 4: moon-leap is for 2 to 4 seats, not two"),
        (START.replace("seats: 2", "seats: " + "9" * 5000) + "\n", "line 4: moon-leap is for 2 to 4 seats, not 99"),
        ("# c\n# d\nrules: 1\n\n", "line 4: expected a header 'game: …', not none"),
        (START.replace("seats: 2", "seats: 02") + "\n", "line 4: moon-leap is for 2 to 4 seats, not 02"),
        (START + "options: speed=high\n\n", "line 5: moon-leap has no option 'speed'"),
        (START + "options: seats=3\n\n", "line 5: moon-leap has no option 'seats'"),
        (START + "seed: a\x1bb\n\n", "line 5: a seed is a line of text, not 'a\\x1bb'"),
        (START + "seats: 2\n\n", "line 5: expected another header, not a second 'seats'"),
        (START + "scores: 1 2\n\n", "line 5: expected a blank line, not 'scores: 1 2'"),
        ("seats: 2\n" + START.replace("seats: 2\n", "") + "\n", "line 1: expected 'game: moon-leap', not 'seats: 2'"),
        (SHORT + "\n", "line 9: expected an action, its words one space apart, not an empty line"),
        (SHORT + "move  1\n", "line 9: expected an action, its words one space apart, not 'move  1'"),
        (SHORT + "move 1 \n", "line 9: expected an action, its words one space apart, not 'move 1 '"),
        (SHORT + "jump 1\n", "line 9: no such action: 'jump 1'"),
        (SHORT + "roll 1\n", "line 9: 'roll 1' is not allowed now; seat 2 may: move 1, move 2"),
        (SHORT.replace("move 3\n", "move 3\n# why\n") + "pass\n", "line 10: 'pass' is not allowed now"),
        (SHORT.replace("\n", "\r\n"), "line 1: "),
    ],
)
def test_a_malformed_file_is_refused_by_its_line(text: str, reason: str) -> None:
    assert refusal(text).startswith(reason)


def test_an_action_after_the_end_is_refused() -> None:
    assert "not allowed now; the match is over" in refusal(finished(Match("moon-leap", 2, "a")).save() + "roll 1\n")


def test_a_file_that_stops_where_the_dice_were_to_roll_is_refused() -> None:
    match = Match("moon-leap", 2, "a")
    match.play(match.legal()[0])
    cut = match.save().removesuffix(match.history[-1] + "\n")
    assert refusal(cut) == f"line 9: expected {match.history[-1]!r}, not the end of the file"


def test_wrong_scores_are_refused() -> None:
    text = finished(Match("moon-leap", 2, "a")).save()
    headers = Replay.parse(text).headers
    wrong = text.replace(f"scores: {headers['scores']}", "scores: 1 2")
    assert refusal(wrong) == f"line 6: expected 'scores: {headers['scores']}', not 'scores: 1 2'"


def test_a_changed_roll_is_found_only_by_its_seed() -> None:
    match = Match("moon-leap", 2, "a")
    match.play(match.legal()[0])
    *lines, roll = match.save().splitlines()
    other = "roll 1" if roll != "roll 1" else "roll 2"
    forged = "\n".join([*lines, other, ""])
    Match.load(forged)
    assert refusal(forged, check_dice=True) == f"line {len(lines) + 1}: expected {roll!r} of this seed, not {other!r}"


@settings(deadline=None)  # how long it takes depends on what else the machine does
@given(st.text())
def test_any_text_is_loaded_exactly_or_refused(text: str) -> None:
    try:
        match = Match.load(text)
    except BadReplay:
        return
    assert match.save() == text


@settings(deadline=None)
@given(st.data())
def test_any_damage_to_a_file_is_loaded_exactly_or_refused(data: st.DataObject) -> None:
    text = SAVED
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    damaged = text[:start] + data.draw(st.text(max_size=5) | st.sampled_from(["\n", "#", " ", ": "])) + text[end:]
    try:
        match = Match.load(damaged)
    except BadReplay:
        assert refusal(damaged).startswith("line ")
    else:
        assert match.save() == damaged


SAVED = finished(Match("moon-leap", 2, "damage"), seed=random.Random(3).randrange(99)).save()
