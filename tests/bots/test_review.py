"""Reviews and hints: what the search says of an action, from what its seat had seen and nothing else."""

import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from rich.console import Console

from plenilune import CHANCE, Match
from plenilune.bots import Budget, hints, review, review_report
from plenilune.bots.annotations import annotated, annotation
from plenilune.bots.curve import curve
from plenilune.bots.review import Remark
from plenilune.core.errors import Refusal
from tests.moon_leap.positions import ending
from tests.play import finished

QUICK = Budget(simulations=20)
WHITE, ORANGE = 0, 1
# White is behind by what lies on the table. Only the 5, leaping to the last free goal, ends the match and wins it.
ALL_OR_NOTHING = "w5 o5 w4 o4 w3 . o1 o2"


def remark_on(action: str, drawing: str = ALL_OR_NOTHING, roll: str = "*") -> Remark:
    match = ending(drawing, roll=roll)
    return review.remark_on(match.game, match.seen_by(WHITE), WHITE, match.game.actions.parse(action), QUICK)


def whispered(first: str, second: str, actions: int = 4) -> Match:
    """A match of Lanterns between two seats with these secrets, after so many of their actions or to its end;
    everything else is always the same."""
    match = Match("lanterns", 2)
    for text in (f"whisper 1 {first}", f"whisper 2 {second}"):
        match.play(text)
    while not match.over and (match.to_play == CHANCE or sum(actor != CHANCE for actor in match.actors) < actions):
        legal = [text for text in match.legal() if not text.startswith("release")]
        match.play(legal[7 * match.ply % len(legal)])
    return match


def printed(match: Match, bot: str = "mcts:20", seat: int | None = None, out: Path | None = None) -> str:
    text = io.StringIO()
    review_report.main(match, bot, seat, out, Console(file=text, width=120))
    return text.getvalue()


@pytest.fixture(scope="module")
def match() -> Match:
    return finished(Match("moon-leap", 2, "selene"))


@pytest.fixture(scope="module")
def remarks(match: Match) -> list[Remark]:
    return list(review.review(match, QUICK))


# Remarks


def test_an_obvious_blunder_is_marked_and_the_better_action_named() -> None:
    remark = remark_on("move 3")
    assert remark.mark == "??"
    assert remark.action == "move 3"
    assert remark.better == "move 5"
    assert (remark.worth, remark.better_worth, remark.lost) == (0, 1, 1)
    assert (remark.before, remark.after) == ([1, 0], [0, 1])


def test_the_best_action_is_marked_as_such() -> None:
    remark = remark_on("move 5")
    assert (remark.mark, remark.better, remark.lost) == ("best", "move 5", 0)


def test_who_had_no_choice_gets_no_mark() -> None:
    remark = remark_on("move 1", drawing="w1 . o1 o2", roll="1")
    assert remark.forced
    assert (remark.mark, remark.lost) == ("", 0)


@pytest.mark.parametrize(("lost", "mark"), [(0.02, ""), (0.06, "?!"), (0.12, "?"), (0.3, "??")])
def test_the_more_is_lost_the_worse_the_mark(lost: float, mark: str) -> None:
    remark = Remark(0, 0, [], "move 1", "move 2", [0.5, 0.5], [0.5 - lost, 0.5 + lost])
    assert remark.mark == mark


def test_every_action_of_a_seat_gets_a_remark_and_chances_none(match: Match, remarks: list[Remark]) -> None:
    assert [(r.ply, r.seat) for r in remarks] == [(n, a) for n, a in enumerate(match.actors) if a != CHANCE]
    assert [r.action for r in remarks] == [match.history[r.ply] for r in remarks]
    assert remarks[0].chance == ["roll 3"]
    for r in remarks:
        assert sum(r.before) == pytest.approx(1, abs=1e-3)
        assert sum(r.after) == pytest.approx(1, abs=1e-3)
        assert r.lost >= 0


def test_one_seat_alone_is_reviewed_as_among_others(match: Match, remarks: list[Remark]) -> None:
    assert list(review.review(match, QUICK, [ORANGE])) == [r for r in remarks if r.seat == ORANGE]


def test_a_remark_is_plain_data(remarks: list[Remark]) -> None:
    told = json.loads(json.dumps(remarks[0].data()))
    assert {"ply", "seat", "action", "worth", "better", "better_worth", "mark", "before", "after"} <= set(told)


# Secrets


def test_two_truths_that_look_alike_get_the_same_review() -> None:
    first, second = (whispered("red", other, actions=6) for other in ("green", "yellow"))
    assert first.seen_by(WHITE).tobytes() == second.seen_by(WHITE).tobytes()
    assert first.seen_by(ORANGE).tobytes() != second.seen_by(ORANGE).tobytes()
    reviews = [list(review.review(match, QUICK, [WHITE])) for match in (first, second)]
    assert reviews[0] == reviews[1]
    assert len(reviews[0]) == 3


def test_whispers_to_others_are_not_told() -> None:
    (remark,) = review.review(whispered("red", "green", actions=1), QUICK, [WHITE])
    assert remark.chance[:2] == ["whisper 1 red", "whisper 2 ?"]


def test_an_action_that_ends_the_match_is_judged_by_guesses_not_by_the_truth() -> None:
    matches = [whispered(secret, "red", actions=99) for secret in ("red", "green", "yellow")]
    assert [match.actors[-1] for match in matches] == [ORANGE] * 3
    assert len({tuple(match.places) for match in matches}) > 1
    last = [list(review.review(match, QUICK, [ORANGE]))[-1] for match in matches]
    assert last[0] == last[1] == last[2]
    assert 0 < last[0].worth < 1


# Hints


def test_a_hint_gets_better_until_it_is_done() -> None:
    match = ending(ALL_OR_NOTHING, roll="*")
    answers = list(hints.stream(match.game, match.seen_by(WHITE), WHITE, Budget(simulations=60)))
    assert [answer["done"] for answer in answers] == [False] * (len(answers) - 1) + [True]
    last = json.loads(json.dumps(answers[-1]))
    assert (last["seat"], last["action"], last["values"], last["solved"]) == (0, "move 5", [1, 0], True)
    assert last["actions"][0]["action"] == "move 5"
    assert last["line"][0] == "move 5"
    assert {answer["action"] for answer in last["actions"]} <= set(match.legal())


def test_a_hint_streams_while_there_is_time() -> None:
    match = Match("moon-leap", 2, "selene")
    answers = list(hints.stream(match.game, match.seen_by(WHITE), WHITE, Budget(seconds=0.35)))
    counts = [answer["simulations"] for answer in answers]
    assert len(counts) >= 3
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_a_hint_is_the_same_for_truths_that_look_alike() -> None:
    matches = [whispered("red", other) for other in ("green", "yellow")]
    first, second = (list(hints.stream(match.game, match.seen_by(WHITE), WHITE, QUICK)) for match in matches)
    assert first == second


def test_a_hint_can_be_stopped() -> None:
    match = Match("moon-leap", 2, "selene")
    answers = list(hints.stream(match.game, match.seen_by(WHITE), WHITE, Budget(seconds=60), stop=lambda: True))
    assert answers[-1]["done"]


def test_a_hint_is_for_whose_turn_it_is(match: Match) -> None:
    begun, waiting = Match("moon-leap", 2, "selene"), Match("moon-leap", 2)
    with pytest.raises(Refusal, match="seat 2 asked for a hint, but seat 1 is to play"):
        hints.stream(begun.game, begun.seen_by(ORANGE), ORANGE, QUICK)
    with pytest.raises(Refusal, match="seat 1 asked for a hint, but chance is to play"):
        hints.stream(waiting.game, waiting.seen_by(WHITE), WHITE, QUICK)
    with pytest.raises(Refusal, match="seat 1 asked for a hint, but the match is over"):
        hints.stream(match.game, match.seen_by(WHITE), WHITE, QUICK)


# What is shown and kept


def test_the_table_the_curve_and_a_summary_are_printed(match: Match, tmp_path: Path) -> None:
    shown = printed(match, out=tmp_path / "curve.svg")
    assert "roll 3  ● move 3" in shown
    assert "best" in shown
    assert "better" in shown
    assert "100% ┤" in shown
    assert "● seat 1: " in shown
    assert "■ seat 2: " in shown
    svg = "{http://www.w3.org/2000/svg}"
    chart = ElementTree.parse(tmp_path / "curve.svg").getroot()
    assert len(list(chart.iter(f"{svg}polyline"))) == 2
    assert {"Moon Leap: chances to win", "seat 1", "seat 2"} <= {title.text for title in chart.iter(f"{svg}title")}


def test_one_seats_review_is_about_that_seat(match: Match) -> None:
    shown = printed(match, seat=ORANGE)
    assert "■ seat 2: " in shown
    assert "seat 1" not in shown


def test_the_curve_ends_with_the_result(match: Match, remarks: list[Remark]) -> None:
    assert [curve(match, remarks, seat)[-1][1] for seat in (WHITE, ORANGE)] == [
        1.0 if place == 1 else 0.0 for place in match.places
    ]


def test_where_there_are_secrets_a_seats_curve_is_what_it_could_tell_itself() -> None:
    match = whispered("red", "green")
    remarks = list(review.review(match, QUICK))
    own = [r.ply for r in remarks if r.seat == ORANGE]
    assert [ply for ply, _ in curve(match, remarks, ORANGE)[::2]] == own


def test_an_annotated_match_is_the_match_with_remarks_in_it(match: Match, remarks: list[Remark]) -> None:
    marked = [r for r in remarks if r.mark in review.LOSSES]
    copy = annotated(match, remarks)
    text = copy.save()
    assert marked
    assert text.count(" better: ") == len(marked)
    assert f"{marked[0].action}  # {marked[0].mark} better: {marked[0].better} (+" in text
    assert Match.load(text).save() == text
    assert Match.load(text).history == match.history
    assert match.replay.remarks == {}
    assert annotated(copy, remarks).save() == text


def test_other_remarks_stay(match: Match, remarks: list[Remark]) -> None:
    marked = next(r for r in remarks if r.mark in review.LOSSES)
    noted = Match.load(match.save())
    noted.replay.remarks[marked.ply] = "  # hm"
    text = annotated(annotated(noted, remarks), remarks).save()
    assert f"{marked.action}  # hm{annotation(marked)}\n" in text
    assert Match.load(text).save() == text


# Refusing


@pytest.mark.parametrize(
    ("bot", "seat", "reason"),
    [
        ("random", None, "a review needs a bot that searches, such as mcts:2000, not 'random'"),
        ("genius", None, "no such bot for moon-leap: 'genius'"),
        ("mcts:20", 2, "a seat is 1 to 2, not 3"),
        ("mcts:20", -1, "a seat is 1 to 2, not 0"),
    ],
)
def test_what_cannot_be_reviewed_is_refused(match: Match, bot: str, seat: int | None, reason: str) -> None:
    with pytest.raises(Refusal) as refusal:
        printed(match, bot, seat)
    assert str(refusal.value).startswith(reason)


def test_so_is_a_match_without_actions() -> None:
    with pytest.raises(Refusal, match="nobody has played an action in this match yet"):
        printed(Match("moon-leap", 2, "selene"))


def test_so_is_a_folder_that_is_not_there_before_any_thought(match: Match, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be written: there is no such folder"):
        printed(match, "mcts:100000000", out=tmp_path / "none" / "curve.svg")
