"""What may happen at a table, decided without a server."""

from __future__ import annotations

import functools
import inspect
import itertools
import pkgutil
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from msgspec.structs import replace

from plenilune import load
from plenilune.core.dice import Dice
from plenilune.position import Position
from plenilune.server import protocol
from plenilune.server.protocol import BankClock, DaysClock
from plenilune.server.storage.rows import Entry, MatchRow, Person
from plenilune.server.tables import clocks, decide
from plenilune.server.tables.decide import TableState
from plenilune.server.tables.decide.joining import MOST_NONCES, MOST_OF_ONE, with_nonce
from plenilune.server.tables.decide.settling import LEAST_PLAYED
from tests.server.attempts import Attempts
from tests.server.deciding import (
    ADA,
    AT,
    BEN,
    CAROL,
    DICE,
    LEASE,
    SECOND,
    a_play,
    a_row,
    a_seat,
    a_table,
    after,
    played,
    refused,
)

# Chance


def test_what_decides_knows_no_seed() -> None:
    """By construction: nothing that can be refused is given the dice, and the row has no seed."""
    assert "seed" not in MatchRow.__struct_fields__
    files = [import_module(f"{decide.__name__}.{found.name}") for found in pkgutil.iter_modules(decide.__path__)]
    deciding = [
        f for file in files for f in vars(file).values() if inspect.isfunction(f) and f.__module__ == file.__name__
    ]
    assert {decide.play, decide.join, decide.new_table} <= set(deciding)
    assert [f.__name__ for f in deciding if "dice" in inspect.signature(f).parameters] == ["settle"]


def test_a_draft_stops_at_the_next_chance_node_and_settling_lets_chance_play() -> None:
    state = a_table(ADA, BEN)
    draft = decide.play(state, ADA, a_play(state), AT)
    assert draft.position
    assert (draft.position.to_play, len(draft.steps)) == (-1, 1)
    settled = decide.settle(draft, DICE, AT)
    assert settled.position
    assert settled.position.to_play in (0, 1)
    assert [entry.by for entry in settled.change.entries] == ["person", "chance"]


@pytest.mark.parametrize("tail", list(itertools.product(["roll 1", "move 1", "fly home", "pass"], repeat=2)))
def test_whatever_follows_a_chance_node_is_refused_alike(tail: tuple[str, ...]) -> None:
    state = a_table(ADA, BEN)
    first = a_play(state).actions[0]
    said = _refusal(lambda: decide.play(state, ADA, a_play(state, first, *tail), AT))
    assert said == f"{tail[0]!r} cannot come next: chance comes first"


def _refusal(ask: Callable[[], Any]) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        ask()
    return str(caught.value)


# Who starts


def test_a_draft_does_not_know_who_starts_and_settling_seats_everybody_by_the_dice() -> None:
    state = TableState(a_row(seats=3, seating="random"), (a_seat(0, ADA), a_seat(1, BEN), a_seat(2, None)),
                       load("moon-leap"), None, None)  # fmt: skip
    draft = decide.join(state, CAROL, protocol.Join(), AT)
    assert [seat.person for seat in draft.all_seats] == ["ada", "ben", "carol"]
    seated, drawn = after(state, draft).seats, DICE.order(3)
    assert [seat.seat for seat in seated] == [0, 1, 2]
    assert [seat.person for seat in seated] == [["ada", "ben", "carol"][place] for place in drawn]


def test_every_order_is_drawn_about_as_often() -> None:
    orders = Counter(tuple(Dice(str(seed)).order(3)) for seed in range(1200))
    assert len(orders) == 6
    assert all(140 < times < 260 for times in orders.values())


@pytest.mark.parametrize("seating", ["as_listed", "host_first"])
def test_seats_that_are_not_drawn_stay_as_they_are(seating: protocol.Seating) -> None:
    state = a_table(*(Person(str(n), str(n)) for n in range(4)), game="via-nebula", seating=seating)
    assert [seat.person for seat in state.seats] == ["0", "1", "2", "3"]


def test_seats_are_drawn_once() -> None:
    state = a_table(ADA, BEN, seating="random")
    seats = state.seats
    for _ in range(4):
        state = played(state, ADA if state.seats[state.row.to_play].person == "ada" else BEN, AT)
    assert state.seats == seats


def waiting(*who: Person | str | None, **row: Any) -> TableState:
    seats = tuple(a_seat(number, each) for number, each in enumerate(who))
    return TableState(a_row("via-nebula", len(seats), **row), seats, load("via-nebula"), None, None)


def names(state: TableState) -> list[str]:
    assert [seat.seat for seat in state.seats] == list(range(len(state.seats)))
    return [seat.name for seat in state.seats]


def arranged(state: TableState, seating: protocol.Seating, *order: int) -> TableState:
    return after(state, decide.arrange(state, ADA, protocol.Arrange(seating, list(order) or None)))


def test_the_host_orders_the_seats_of_a_table_that_waits() -> None:
    state = arranged(waiting(ADA, BEN, None, "greedy", seating="random"), "as_listed", 3, 1, 0, 2)
    assert (names(state), state.row.seating) == (["greedy", "Ben", "Ada", ""], "as_listed")


def test_the_host_starts_and_the_others_follow_in_their_order() -> None:
    state = arranged(waiting("greedy", BEN, ADA, None), "host_first")
    assert (names(state), state.row.seating) == (["Ada", "", "greedy", "Ben"], "host_first")


def test_a_host_with_several_seats_starts_with_the_first_in_the_order() -> None:
    state = waiting("greedy", ADA, None, ADA._replace(name="Cleo"))
    assert names(arranged(state, "host_first")) == ["Ada", "", "Cleo", "greedy"]
    assert names(arranged(state, "host_first", 3, 0, 1, 2)) == ["Cleo", "greedy", "Ada", ""]


def test_seats_to_be_drawn_are_drawn_when_the_match_begins() -> None:
    state = arranged(waiting(ADA, BEN, None), "random")
    assert (names(state), state.row.status) == (["Ada", "Ben", ""], "waiting")
    state = after(state, decide.join(state, CAROL, protocol.Join(), AT))
    assert (names(state), state.row.status) == ([["Ada", "Ben", "Carol"][n] for n in DICE.order(3)], "playing")


def test_an_invitation_goes_with_its_seat() -> None:
    state = waiting(ADA, None, "greedy")
    state = arranged(after(state, decide.invite(state, ADA, 1, "f" * 32)), "as_listed", 1, 2, 0)
    draft = decide.join(state, BEN, protocol.Join(secret="f" * 32), AT)
    assert draft.all_seats[0].person == "ben"


@pytest.mark.parametrize("order", [[], [0], [0, 1, 1], [0, 1, 3], [0, 1, 2, 2]])
def test_an_order_names_every_seat_once(order: list[int]) -> None:
    asked = protocol.Arrange("as_listed", order)
    refused("bad_setting", lambda: decide.arrange(waiting(ADA, BEN, None), ADA, asked))


def test_only_the_host_says_who_starts_and_only_while_the_table_waits() -> None:
    asked = protocol.Arrange("host_first")
    refused("not_host", lambda: decide.arrange(waiting(ADA, BEN, None), BEN, asked))
    refused("started", lambda: decide.arrange(a_table(ADA, BEN), ADA, asked))
    refused("host_not_seated", lambda: decide.arrange(waiting("greedy", BEN, None), ADA, asked))


# Hints


def test_a_hint_for_a_whole_turn_is_for_all_of_it() -> None:
    state = a_table(ADA, BEN)
    person = ADA if state.row.to_play == 0 else BEN
    assert state.position
    action = a_play(state).actions[0]
    asked = decide.hint(state, person, [action])
    assert asked.turn
    before, last = asked.turn
    assert asked.seen.tobytes() == before.tobytes() == state.position.seen(state.row.to_play).tobytes()
    assert state.position.game.actions.texts[last] == action
    assert decide.hint(state, person, []).turn is None


@pytest.mark.parametrize("rest", [["roll 1"], ["move 1"], ["roll 1", "move 1"]])
def test_there_is_no_hint_for_what_follows_a_whole_turn(rest: list[str]) -> None:
    state = a_table(ADA, BEN)
    person = ADA if state.row.to_play == 0 else BEN
    with pytest.raises(ValueError, match="cannot come next: chance comes first"):
        decide.hint(state, person, [*a_play(state).actions, *rest])


# Clocks


def test_leaving_and_coming_back_refills_no_bank(attempts: Attempts) -> None:
    state = a_table(ADA, BEN, clock=BankClock(60))
    at = AT + 50 * SECOND
    for _ in range(5):
        state = after(state, decide.leave(state, ADA, None, at, LEASE), at)
        state = after(state, decide.come_back(state, ADA, None, at + SECOND), at + SECOND)
        at += SECOND
    assert state.row.deadline == AT + 60 * SECOND
    state = played(state, ADA, AT + 58 * SECOND)
    assert state.row.left[0] == 2 * SECOND
    attempts.add(5)


def test_leaving_and_coming_back_starts_no_new_day() -> None:
    state = a_table(ADA, BEN, clock=DaysClock(3))
    late = AT + 2 * clocks.DAY
    state = after(state, decide.leave(state, ADA, None, late, LEASE), late)
    state = after(state, decide.come_back(state, ADA, None, late), late)
    assert state.row.deadline == AT + 3 * clocks.DAY


def test_a_clock_runs_on_while_its_player_is_away_in_the_middle_of_a_turn() -> None:
    state = a_table(ADA, BEN, clock=BankClock(60))
    state = after(state, decide.leave(state, ADA, None, AT + SECOND, LEASE), AT + SECOND)
    late = AT + 61 * SECOND
    assert "used up" in refused("out_of_time", lambda: decide.come_back(state, ADA, None, late))
    assert "used up" in refused("out_of_time", lambda: decide.play(state, ADA, a_play(state), late))


def waited(seconds: int) -> tuple[TableState, int]:
    """Ada left before her turn, and the stand-in has not played for so long: perhaps its owner's budget is used up."""
    state = a_table(BEN, ADA, clock=BankClock(60))
    state = after(state, decide.leave(state, ADA, None, AT, LEASE))
    while state.row.to_play == 0:
        state = played(state, BEN, AT)
    assert state.row.bot_turn
    return state, AT + seconds * SECOND


def test_nobody_thinks_for_free_while_the_stand_in_is_slow() -> None:
    state, at = waited(50)
    back = after(state, decide.come_back(state, ADA, None, at), at)
    assert back.row.deadline == AT + 60 * SECOND
    played_at_once = after(state, decide.play(state, ADA, a_play(state), at), at)
    assert played_at_once.row.left[1] == 10 * SECOND or played_at_once.row.deadline == AT + 60 * SECOND


def test_nobody_comes_back_after_more_time_than_they_had() -> None:
    state, at = waited(61)
    refused("out_of_time", lambda: decide.come_back(state, ADA, None, at))
    refused("out_of_time", lambda: decide.play(state, ADA, a_play(state), at))


def test_a_play_after_the_deadline_is_too_late() -> None:
    state = a_table(ADA, BEN, clock=BankClock(60, 5))
    refused("out_of_time", lambda: decide.play(state, ADA, a_play(state), AT + 60 * SECOND))
    assert played(state, ADA, AT + 60 * SECOND - 1).row.ply > state.row.ply


def test_a_player_who_runs_out_of_time_cannot_take_the_seat_back() -> None:
    state = a_table(ADA, BEN, clock=BankClock(60, 5))
    late = AT + 60 * SECOND
    state = after(state, decide.time_out(state, late, LEASE), late)
    assert (state.seats[0].absent, state.row.bot_turn, state.row.left[0]) == (True, True, 0)
    assert state.position
    state = after(state, decide.play_for_bot(state, 0, state.row.ply, state.position.legal_texts()[0]), late)
    assert state.row.left[0] == 0  # the increment is for turns that a person plays
    refused("out_of_time", lambda: decide.come_back(state, ADA, None, late))


def test_with_days_for_a_turn_an_absent_player_may_come_back_for_the_next_one() -> None:
    state = a_table(ADA, BEN, clock=DaysClock(1))
    late = AT + clocks.DAY
    state = after(state, decide.time_out(state, late, LEASE), late)
    refused("out_of_time", lambda: decide.come_back(state, ADA, None, late))
    assert state.position
    state = after(state, decide.play_for_bot(state, 0, state.row.ply, state.position.legal_texts()[0]), late)
    assert not after(state, decide.come_back(state, ADA, None, late), late).seats[0].absent


def test_nobody_is_out_of_time_before_the_deadline() -> None:
    state = a_table(ADA, BEN, clock=BankClock(60))
    assert decide.time_out(state, AT + 60 * SECOND - 1, LEASE) is None


def test_a_match_ends_when_the_last_person_is_out_of_time() -> None:
    state = a_table(ADA, "greedy", clock=BankClock(60))
    late = AT + 60 * SECOND
    state = after(state, decide.time_out(state, late, LEASE), late)
    assert (state.row.status, state.row.bot_turn) == ("over", False)
    assert state.row.result == protocol.Result(state.row.result.scores, [2, 1], True)  # type: ignore[union-attr]


# Bots


def test_bots_wait_while_nobody_is_there() -> None:
    state = a_table(ADA, BEN, clock=DaysClock(1))
    state = after(state, decide.leave(state, BEN, None, AT, LEASE))
    late = AT + clocks.DAY
    state = after(state, decide.time_out(state, late, LEASE), late)
    assert (state.row.status, state.row.bot_turn, decide.bot_to_play(state)) == ("playing", False, None)
    state = after(state, decide.come_back(state, BEN, None, late), late)
    assert decide.bot_to_play(state) == 0


def test_without_hints_the_stand_in_is_the_weakest_bot(attempts: Attempts) -> None:
    """Otherwise leaving would be a way to have turns played well."""
    with_hints, without = (a_table(ADA, BEN, hints=hints, stand_in="master") for hints in (True, False))
    away = [after(state, decide.leave(state, ADA, None, AT, LEASE)) for state in (with_hints, without)]
    assert [decide.bot_of(state, state.seats[0]) for state in away] == ["master", next(iter(load("moon-leap").levels))]
    attempts.add()


def test_a_bot_that_comes_too_late_is_refused() -> None:
    state = a_table("greedy", ADA)
    assert decide.bot_to_play(state) == 0
    refused("stale", lambda: decide.play_for_bot(state, 0, state.row.ply + 1, "move 1"))
    refused("not_your_turn", lambda: decide.play_for_bot(state, 1, state.row.ply, "move 1"))


# Resigning


def test_a_resigned_player_can_neither_play_nor_preview_nor_ask_nor_come_back(attempts: Attempts) -> None:
    state = a_table(ADA, BEN, CAROL)
    state = after(state, decide.resign(state, ADA, None, AT, LEASE))
    assert state.row.status == "playing"
    preview = protocol.Preview("id", state.row.ply, [])
    refused("resigned", lambda: decide.play(state, ADA, a_play(state), AT))
    refused("resigned", lambda: decide.preview(state, ADA, preview))
    refused("resigned", lambda: decide.hint(state, ADA, []))
    refused("resigned", lambda: decide.come_back(state, ADA, None, AT))
    attempts.add(4)


def test_a_match_ends_when_the_last_person_resigns() -> None:
    state = a_table(ADA, "greedy", "greedy")
    state = after(state, decide.resign(state, ADA, None, AT, LEASE))
    assert state.row.result
    assert (state.row.status, state.row.result.places) == ("over", [3, 1, 1])


def entries(people: int, bots: int = 0) -> list[Entry]:
    by = ["person"] * people + ["bot"] * bots
    return [Entry(ply, "move 1", 0, who, AT, last=ply + 1) for ply, who in enumerate(by)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("log", "brief"),
    [
        (entries(0), True),
        (entries(LEAST_PLAYED - 1, bots=500), True),
        (entries(LEAST_PLAYED), False),
    ],
)
def test_a_match_that_ends_before_people_have_played_much_is_brief_however_it_ends(
    log: list[Entry], brief: bool
) -> None:
    alone, late = a_table(ADA, "greedy"), a_table(ADA, "greedy", clock=BankClock(60))
    noted = protocol.AuditEntry("1", AT, "olga", "close_table", "m", "")
    for draft in (
        decide.resign(alone, ADA, None, AT, LEASE),
        decide.close(alone, noted),
        decide.time_out(late, AT + 61 * SECOND, LEASE),
    ):
        assert draft
        row = decide.settle(draft, DICE, AT, log).change.after
        assert (row.status, row.brief) == ("over", brief)


def test_a_match_that_is_played_to_its_end_is_never_brief_and_neither_is_one_that_never_began() -> None:
    """The first is kept for good, the second goes as a table that never began."""
    state = a_table(ADA, game="nova-luna")
    while state.row.status == "playing":
        state = played(state, ADA, AT)
    assert not state.row.brief
    waiting = a_table(ADA, None)
    assert waiting.row.status == "waiting"
    gone = after(waiting, decide.leave(waiting, ADA, None, AT, LEASE))
    assert (gone.row.status, gone.row.brief) == ("over", False)


# Sitting down and getting up


def test_a_friends_seat_stays_a_friends_when_it_is_left(attempts: Attempts) -> None:
    state = a_table(ADA, None)
    link = "0" * 32
    state = after(state, decide.invite(state, ADA, 1, link))
    state = state._replace(seats=(state.seats[0], replace(state.seats[1], opens=False)))
    state = state._replace(row=replace(state.row, status="waiting"))
    third = state._replace(seats=(*state.seats, a_seat(2, None)))
    state = after(third, decide.join(third, BEN, protocol.Join(secret=link), AT))
    state = after(state, decide.leave(state, BEN, None, AT, LEASE))
    assert (state.seats[1].held_by, state.seats[1].reserved, state.seats[1].secret) == ("friend", "ben", None)
    refused("seat_taken", lambda: decide.join(state, CAROL, protocol.Join(seat=1), AT))
    refused("bad_secret", lambda: decide.join(state, CAROL, protocol.Join(secret=link), AT))
    assert decide.join(state, BEN, protocol.Join(), AT).seats[0].seat == 1
    attempts.add(2)


def test_a_seat_that_was_open_is_open_again() -> None:
    state = a_table(ADA, None, None)
    state = after(state, decide.join(state, BEN, protocol.Join(), AT))
    state = after(state, decide.leave(state, BEN, None, AT, LEASE))
    assert (state.seats[1].held_by, state.seats[1].reserved) == ("open", None)


def test_a_player_without_a_wish_gets_the_first_open_seat() -> None:
    state = a_table(ADA, None, None)
    assert [seat.seat for seat in decide.join(state, BEN, protocol.Join(), AT).seats] == [1]
    assert [seat.seat for seat in decide.join(state, BEN, protocol.Join(seat=2), AT).seats] == [2]


def test_a_person_who_cannot_sit_down_is_refused() -> None:
    waiting = a_table(ADA, None, None)
    refused("already_seated", lambda: decide.join(waiting, ADA, protocol.Join(), AT))
    refused("seat_taken", lambda: decide.join(waiting, BEN, protocol.Join(seat=0), AT))
    refused("bad_secret", lambda: decide.join(waiting, BEN, protocol.Join(secret="0" * 32), AT))
    refused("table_full", lambda: decide.join(a_table(ADA, "greedy"), BEN, protocol.Join(), AT))


def test_nobody_begins_a_match_whose_game_is_not_here() -> None:
    gone = a_table(ADA, None)._replace(game=None, problem="gone")
    assert refused("cannot_continue", lambda: decide.join(gone, BEN, protocol.Join(), AT)) == "gone"


def test_the_host_fills_free_seats_with_bots() -> None:
    state = a_table(ADA, None, BEN, None)
    draft = decide.start(state, ADA, protocol.Start())
    assert [(seat.seat, seat.held_by, seat.bot, seat.name) for seat in draft.seats] == [
        (1, "bot", "greedy", "greedy"), (3, "bot", "greedy", "greedy"),
    ]  # fmt: skip
    assert draft.position
    refused("not_host", lambda: decide.start(state, BEN, protocol.Start()))
    refused("started", lambda: decide.start(after(state, draft), ADA, protocol.Start()))


def test_only_a_free_seat_is_held_for_somebody_and_only_the_host_invites() -> None:
    state = a_table(ADA, BEN, None)
    refused("seat_taken", lambda: decide.invite(state, ADA, 1, "0" * 32))
    refused("wrong_seat", lambda: decide.invite(state, ADA, 3, "0" * 32))
    refused("not_host", lambda: decide.invite(state, BEN, 2, "0" * 32))
    refused("seat_taken", lambda: decide.invite(a_table(ADA, BEN), ADA, 1, "0" * 32))


def test_a_new_invitation_replaces_the_old_one() -> None:
    state = a_table(ADA, None)
    old, new = "0" * 32, "1" * 32
    for secret in (old, new):
        state = after(state, decide.invite(state, ADA, 1, secret))
    refused("bad_secret", lambda: decide.join(state, BEN, protocol.Join(secret=old), AT))
    assert decide.join(state, BEN, protocol.Join(secret=new), AT).position


def test_a_table_that_everybody_leaves_before_it_begins_is_over() -> None:
    state = a_table(ADA, BEN, None)
    state = after(state, decide.leave(state, BEN, None, AT, LEASE))
    assert state.row.status == "waiting"
    assert after(state, decide.leave(state, ADA, None, AT, LEASE)).row.status == "over"


# The players' share in the dice


def test_nonces_stay_in_the_order_in_which_they_came() -> None:
    state = a_table(ADA, None, None)
    state = state._replace(row=with_nonce(state.row, protocol.Nonce("ada", "a" * 32)))
    state = after(state, decide.join(state, BEN, protocol.Join(nonce="b" * 32), AT))
    state = after(state, decide.join(state, CAROL, protocol.Join(nonce="c" * 32), AT))
    assert [nonce.person for nonce in state.row.nonces] == ["ada", "ben", "carol"]


def test_the_nonce_of_a_person_who_leaves_stays() -> None:
    """Otherwise they could choose between two sets of dice by leaving, with everybody else's nonces known."""
    state = a_table(ADA, None, None)
    for _ in range(MOST_OF_ONE):
        state = after(state, decide.join(state, BEN, protocol.Join(nonce="b" * 32), AT))
        state = after(state, decide.leave(state, BEN, None, AT, LEASE))
    assert [nonce.person for nonce in state.row.nonces] == ["ben"] * MOST_OF_ONE
    refused("too_many", lambda: decide.join(state, BEN, protocol.Join(nonce="b" * 32), AT))


def test_a_person_who_has_seen_another_table_does_not_sit_down_at_this_one() -> None:
    state = a_table(ADA, None, None, nonces=[protocol.Nonce("ada", "a" * 32)])
    for seen in (protocol.Seen(0, 2), protocol.Seen(2, 2), protocol.Seen(1, 1), protocol.Seen(1, 3)):
        join, start = protocol.Join(nonce="b" * 32, seen=seen), protocol.Start(nonce="b" * 32, seen=seen)
        refused("table_changed", functools.partial(decide.join, state, BEN, join, AT))
        refused("table_changed", functools.partial(decide.start, state, ADA, start))
    joined = after(state, decide.join(state, BEN, protocol.Join(nonce="b" * 32, seen=protocol.Seen(1, 2)), AT))
    assert [nonce.person for nonce in joined.row.nonces] == ["ada", "ben"]


def test_a_host_who_often_left_may_still_begin_with_bots() -> None:
    state = a_table(ADA, BEN, None, None, nonces=[protocol.Nonce("ada", digit * 32) for digit in "123"])
    draft = decide.start(state, ADA, protocol.Start("greedy", "4" * 32, protocol.Seen(3, 2)))
    assert [nonce.nonce[0] for nonce in draft.row.nonces] == ["1", "2", "3", "4"]
    assert decide.start(state, ADA, protocol.Start()).row.nonces == state.row.nonces


def test_only_so_many_contribute_to_the_dice_of_one_match() -> None:
    row = a_row(nonces=[protocol.Nonce(f"p{number}", "a" * 32) for number in range(MOST_NONCES - 1)])
    row = with_nonce(row, protocol.Nonce("ada", "a" * 32))
    refused("table_worn_out", lambda: with_nonce(row, protocol.Nonce("ben", "b" * 32)))


# Who may do what


def test_only_who_sits_there_acts_and_only_for_their_own_seats() -> None:
    state = a_table(ADA, BEN)
    refused("no_seat", lambda: decide.play(state, CAROL, a_play(state), AT))
    refused("not_your_seat", lambda: decide.play(state, BEN, a_play(state, seat=0), AT))
    refused("not_your_turn", lambda: decide.play(state, BEN, a_play(state), AT))
    refused("no_seat", lambda: decide.resign(state, CAROL, None, AT, LEASE))
    refused("no_seat", lambda: decide.leave(state, CAROL, None, AT, LEASE))


def test_nothing_is_played_before_the_beginning_or_after_the_end() -> None:
    waiting, state = a_table(ADA, None), a_table(ADA, BEN)
    over = after(state, decide.resign(state, ADA, None, AT, LEASE))
    asked = a_play(state)
    refused("not_started", lambda: decide.play(waiting, ADA, asked, AT))
    refused("over", lambda: decide.play(over, BEN, protocol.Play("id", over.row.ply, asked.actions), AT))


def test_what_this_release_cannot_continue_stands_still() -> None:
    state = a_table(ADA, BEN, clock=BankClock(60))
    stuck = state._replace(position=None, problem="gone")
    assert refused("cannot_continue", lambda: decide.play(stuck, ADA, a_play(state), AT)) == "gone"
    assert decide.bot_to_play(stuck) is None
    assert decide.time_out(stuck, AT + 61 * SECOND, LEASE) is None


def test_a_person_who_may_not_watch_is_neither_player_nor_host() -> None:
    state = a_table(BEN, CAROL, spectators=False)  # of Ada's
    assert [decide.may_watch(state, who) for who in (ADA, BEN, CAROL, None)] == [True, True, True, False]
    assert decide.may_watch(a_table(BEN, CAROL), None)


# Playing on


def test_an_action_at_another_ply_or_on_another_position_is_stale() -> None:
    state = a_table(ADA, BEN)
    asked = a_play(state)
    refused("stale", lambda: decide.play(state, ADA, protocol.Play("id", state.row.ply + 1, asked.actions), AT))
    refused("stale", lambda: decide.play(state, ADA, replace(asked, hash="0" * 16), AT))


def test_a_bot_is_given_only_what_its_seat_sees() -> None:
    state = a_table("greedy", ADA, game="via-nebula")
    turn = decide.bot_turn(state)
    assert turn
    assert state.position
    assert (turn.seat, turn.ply, turn.bot, turn.game.name) == (0, state.row.ply, "greedy", "via-nebula")
    assert turn.seen.tobytes() == state.position.seen(0).tobytes() != state.position.state.tobytes()
    assert decide.bot_turn(a_table(ADA, "greedy")) is None


def test_a_bots_action_and_a_stand_ins_are_told_apart() -> None:
    bots, left = a_table("greedy", ADA), a_table(ADA, BEN)
    left = after(left, decide.leave(left, ADA, None, AT, LEASE))
    for state, by in ((bots, "bot"), (left, "stand-in")):
        assert state.position
        draft = decide.play_for_bot(state, 0, state.row.ply, state.position.legal_texts()[0])
        assert decide.settle(draft, DICE, AT).change.entries[0].by == by


def test_a_preview_leads_as_far_as_the_seat_can_tell() -> None:
    state = a_table(ADA, BEN)
    action = a_play(state).actions[0]
    ahead = decide.preview(state, ADA, protocol.Preview("id", state.row.ply, [action]))
    assert ahead.stopped
    refused("stale", lambda: decide.preview(state, ADA, protocol.Preview("id", state.row.ply + 1, [action])))
    refused("not_your_turn", lambda: decide.preview(state, BEN, protocol.Preview("id", state.row.ply, [action])))


def test_there_are_no_hints_where_the_host_wants_none() -> None:
    refused("no_hints", lambda: decide.hint(a_table(ADA, BEN, hints=False), ADA, []))


def test_the_match_that_follows_is_noted_once() -> None:
    state = a_table(ADA, BEN)
    state = after(state, decide.resign(state, BEN, None, AT, LEASE))
    draft = decide.follow(state, "new")
    assert draft
    assert draft.row.rematch == "new"
    assert decide.follow(after(state, draft), "other") is None


def test_a_turn_of_several_actions_is_played_whole_or_not_at_all() -> None:
    state = a_table(ADA, BEN, game="nova-luna")
    who = (ADA, BEN)[state.row.to_play]
    first = a_play(state).actions[0]
    ahead = decide.preview(state, who, protocol.Preview("id", state.row.ply, [first]))
    then = Position(load("nova-luna"), ahead.seen, state.row.ply).legal_for(state.row.to_play)[0]
    assert [step.actor for step in decide.play(state, who, a_play(state, first, then), AT).steps] == [
        state.row.to_play
    ] * 2
    assert "then" in _refusal(lambda: decide.play(state, who, a_play(state, first, first), AT))


def alone(*, last: bool) -> TableState:
    """An attempt at a daily deal, played to the end: always the first legal action, or always the last."""
    state = a_table(ADA, game="nova-luna", daily="2027-01-15")
    log: list[Entry] = []
    while state.row.status == "playing":
        assert state.position
        draft = decide.play(state, ADA, a_play(state, state.position.legal_texts()[-last]), AT)
        settled = decide.settle(draft, DICE, AT, log)
        log += settled.change.entries
        state = state._replace(row=settled.change.after, position=settled.position)
    return state


def test_two_attempts_with_the_same_actions_have_the_same_digest() -> None:
    """So that what somebody else has shown is not ranked twice."""
    one, again, other = alone(last=False).row, alone(last=False).row, alone(last=True).row
    assert one.script
    assert one.script == again.script != other.script
    assert one.result
    assert (one.score, one.deadline, one.bot_turn) == (one.result.scores[0], None, False)


def test_a_match_among_several_has_no_digest() -> None:
    state = a_table(ADA, BEN)
    assert after(state, decide.resign(state, BEN, None, AT, LEASE)).row.script is None
