"""New tables, made without a server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from plenilune import load
from plenilune.core.errors import BadSetting, UnknownGame
from plenilune.position import layout
from plenilune.server import protocol
from plenilune.server.protocol import BankClock, BotSeat, Friend, Invite, Mine, NewTable, Open, Seating
from plenilune.server.storage.names import a_name
from plenilune.server.storage.rows import MatchRow, digest
from plenilune.server.tables import decide
from plenilune.server.tables.clocks import DAY
from plenilune.server.tables.decide import NewRows, Origin, TableState
from tests.server.attempts import Attempts
from tests.server.deciding import ADA, AT, BEN, CAROL, LEASE, a_table, after, refused

ORIGIN = Origin("new", "a-network", AT)
NONCE = "a1" * 16
SECRETS = [str(number) * 32 for number in range(4)]
LEVELS = list(load("moon-leap").levels)


def made(*seats: protocol.SeatWish, game: str = "moon-leap", **more: Any) -> NewRows:
    """What Ada is given when she asks for a table with these seats."""
    return decide.new_table(ADA, NewTable(game, list(seats), **more), ORIGIN, SECRETS[: len(seats)])


def state_of(rows: NewRows) -> TableState:
    return TableState(rows.row, rows.seats, load(rows.row.game), None, None)


def finished(*who: Any, **row: Any) -> TableState:
    """A table whose match is over because all people but one have resigned."""
    state = a_table(*who, **row)
    for person in (CAROL, BEN, ADA):
        if state.row.status == "playing" and decide.seats_of(state, person):
            state = after(state, decide.resign(state, person, None, AT, LEASE))
    assert state.row.result
    return state


# A table as somebody wishes it


def test_a_new_table_is_as_its_host_has_asked() -> None:
    clock = BankClock(60, 5)
    row = made(Mine(), Open(), clock=clock, public=True, hints=False, chat=False, stand_in=LEVELS[0]).row
    game = load("moon-leap")
    assert (row.id, row.host, row.network, row.created, row.changed) == ("new", "ada", "a-network", AT, AT)
    assert (row.game, row.rules, row.components, row.layout) == (
        "moon-leap",
        game.version,
        game.components,
        layout(game),
    )
    assert row.options == game.choices(2, {})
    assert (row.clock, row.left) == (clock, [60_000, 60_000])
    assert (row.public, row.spectators, row.hints, row.chat, row.stand_in) == (True, True, False, False, LEVELS[0])


def test_a_new_table_waits_and_nothing_has_been_played() -> None:
    row = made(Mine(), Open()).row
    assert (row.status, row.state, row.ply, row.to_play, row.deadline, row.result) == (
        "waiting",
        None,
        0,
        -1,
        None,
        None,
    )
    assert (row.commitment, row.nonces, row.bot_turn) == ("", [], False)


def test_options_that_are_not_given_have_the_games_defaults() -> None:
    given = made(Mine(), Mine(), Mine(), game="nova-luna", options={"tokens": "first-game"}).row.options
    standard = made(Mine(), Mine(), Mine(), game="nova-luna").row.options
    assert given["tokens"] == "first-game" != standard["tokens"]


def test_each_wish_becomes_a_seat() -> None:
    rows = made(Mine(), Open(), BotSeat("greedy"), Friend())
    assert [seat.seat for seat in rows.seats] == [0, 1, 2, 3]
    assert {seat.match for seat in rows.seats} == {"new"}
    assert [seat.held_by for seat in rows.seats] == ["person", "open", "bot", "friend"]
    assert [(seat.person, seat.name, seat.bot) for seat in rows.seats] == [
        ("ada", "Ada", None), (None, "", None), (None, "greedy", "greedy"), (None, "", None),
    ]  # fmt: skip


def test_a_friends_seat_has_its_own_secret_and_only_the_digest_is_kept() -> None:
    rows = made(Friend(), Mine(), Friend())
    assert rows.invites == (
        Invite(0, SECRETS[0], f"/table/new#{SECRETS[0]}"),
        Invite(2, SECRETS[2], f"/table/new#{SECRETS[2]}"),
    )
    assert [seat.secret for seat in rows.seats] == [digest(SECRETS[0]), None, digest(SECRETS[2])]


def test_an_invitation_gives_the_seat_it_was_made_for() -> None:
    rows = made(Mine(), Friend(), Friend())
    secret = rows.invites[1].secret
    assert decide.join(state_of(rows), BEN, protocol.Join(secret=secret), AT).seats[0].seat == 2


def test_players_at_one_screen_have_names_of_their_own() -> None:
    seats = made(Mine(), Mine(" Cleo "), Mine("Dan")).seats
    assert [(seat.person, seat.name) for seat in seats] == [("ada", "Ada"), ("ada", a_name("Cleo")), ("ada", "Dan")]


def test_a_name_that_cannot_be_seen_is_refused() -> None:
    refused("bad_name", lambda: made(Mine("\u200b"), Open()))


@pytest.mark.parametrize("public", [False, True])
def test_a_seat_at_a_public_table_opens_when_it_is_left(public: bool) -> None:
    seats = made(Mine(), Open(), BotSeat("greedy"), Friend(), public=public).seats
    assert [seat.opens for seat in seats] == [public, True, False, False]


def test_where_the_host_starts_the_others_follow_in_their_order() -> None:
    rows = made(Open(), BotSeat("greedy"), Mine(), Friend(), seating="host_first")
    assert [seat.held_by for seat in rows.seats] == ["person", "friend", "open", "bot"]
    assert [invite.seat for invite in rows.invites] == [1]


@pytest.mark.parametrize("seating", ["as_listed", "random"])
def test_other_seats_stay_as_they_are_listed(seating: Seating) -> None:
    """Where seats are drawn, they are drawn by the dice when the match begins."""
    rows = made(Open(), BotSeat("greedy"), Mine(), seating=seating)
    assert [seat.held_by for seat in rows.seats] == ["open", "bot", "person"]
    assert rows.row.seating == seating


def test_the_hosts_nonce_is_the_first() -> None:
    assert made(Mine(), Open(), nonce=NONCE).row.nonces == [protocol.Nonce("ada", NONCE)]


def test_a_table_whose_seats_are_all_taken_begins_as_soon_as_it_is_written() -> None:
    assert decide.seated(state_of(made(Mine(), BotSeat("greedy"))), []).position
    assert decide.seated(state_of(made(Mine(), Open())), []).position is None


# Tables that cannot be


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_bots_alone_do_not_play(seats: int) -> None:
    refused("bots_only", lambda: made(*[BotSeat("greedy")] * seats, game="nova-luna"))


def test_only_a_host_with_a_seat_starts() -> None:
    refused("host_not_seated", lambda: made(Open(), BotSeat("greedy"), seating="host_first"))
    assert made(Open(), BotSeat("greedy"), seating="as_listed").seats[0].held_by == "open"


@pytest.mark.parametrize(
    ("seats", "more", "said"),
    [
        ([Mine()], {}, "2 to 4 seats"),
        ([Mine(), BotSeat("genius")], {}, "no such bot"),
        ([Mine(), BotSeat("mcts:900000000")], {}, "at most"),
        ([Mine(), Mine()], {"stand_in": "genius"}, "no such bot"),
        ([Mine(), Mine()], {"options": {"moon": "full"}}, "moon"),
    ],
)
def test_what_the_game_does_not_have_is_refused(seats: list[protocol.SeatWish], more: Any, said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        made(*seats, **more)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame, match="no such game: 'chess'"):
        made(Mine(), Mine(), game="chess")


# Rematches


def rematch(over: TableState, **more: Any) -> NewRows:
    return decide.rematch_table(over, ADA, more.pop("nonce", None), ORIGIN._replace(**more))


def settings(row: MatchRow) -> tuple[Any, ...]:
    return (row.game, row.options, row.clock, row.public, row.spectators, row.hints, row.chat, row.stand_in)


def test_a_rematch_is_like_the_match_before_and_knows_which() -> None:
    over = finished(ADA, BEN, clock=BankClock(60), public=True, hints=False, chat=False, stand_in=LEVELS[0])
    row = rematch(over, at=AT + 1).row
    assert settings(row) == settings(over.row)
    assert (row.id, row.follows, row.host, row.created) == ("new", "m", "ada", AT + 1)
    assert (row.status, row.ply, row.left, row.nonces) == ("waiting", 0, [60_000, 60_000], [])


def test_a_player_who_asks_for_a_rematch_contributes_to_its_dice() -> None:
    over = finished(ADA, BEN)
    over = over._replace(row=replace(over.row, nonces=[protocol.Nonce("ben", "b2" * 16)]))
    assert rematch(over, nonce=NONCE).row.nonces == [protocol.Nonce("ada", NONCE)]


@pytest.mark.parametrize(
    ("before", "then"), [("as_listed", "as_listed"), ("host_first", "as_listed"), ("random", "random")]
)
def test_a_rematch_draws_again_and_otherwise_moves_everybody_on(before: Seating, then: Seating) -> None:
    rows = rematch(finished(ADA, BEN, "greedy", seating=before))
    assert rows.row.seating == then
    assert len(rows.seats) == 3


def test_a_rematch_waits_for_everybody_but_bots(attempts: Attempts) -> None:
    rows = rematch(finished(ADA, BEN, "greedy"))
    assert [(seat.held_by, seat.reserved) for seat in rows.seats] == [
        ("friend", "ben"), ("bot", None), ("person", None),
    ]  # fmt: skip
    waiting = state_of(rows)
    assert decide.seated(waiting, []).position is None  # no clock runs yet
    refused("seat_taken", lambda: decide.join(waiting, CAROL, protocol.Join(), AT))
    assert decide.join(waiting, BEN, protocol.Join(), AT).position
    attempts.add()


def test_several_people_at_one_screen_accept_a_rematch_together() -> None:
    draft = decide.join(state_of(rematch(finished(ADA, BEN, BEN))), BEN, protocol.Join(), AT)
    assert [seat.seat for seat in draft.seats] == [0, 1]
    assert draft.position


def no_rematch() -> Iterator[tuple[str, TableState]]:
    over = finished(ADA, BEN)
    yield "no_seat", finished(BEN, CAROL)
    yield "not_over", a_table(ADA, BEN)
    yield "not_over", after(a_table(ADA, BEN), decide.close(a_table(ADA, BEN), a_note()))
    yield "daily_once", over._replace(row=replace(over.row, daily="2027-01-15"))
    yield "cannot_continue", over._replace(game=None, problem="gone")


def a_note() -> protocol.AuditEntry:
    return protocol.AuditEntry("id", AT, "olga", "close_table", "m", "")


@pytest.mark.parametrize(("why", "state"), list(no_rematch()))
def test_there_is_no_rematch_of(why: str, state: TableState) -> None:
    refused(why, lambda: rematch(state))


# The daily deal


def test_an_attempt_at_the_daily_deal_is_alone_and_without_help() -> None:
    rows = decide.daily_table(ADA, AT - 2 * DAY, load("nova-luna"), "2027-01-15", ORIGIN)
    row = rows.row
    assert (row.daily, row.daily_of, row.unranked, row.nonces) == ("2027-01-15", "ada", None, [])
    assert (row.public, row.spectators, row.hints, row.chat) == (False, False, False, False)
    assert row.options == load("nova-luna").choices(1, {})
    assert [(seat.person, seat.name, seat.opens) for seat in rows.seats] == [("ada", "Ada", False)]
    assert decide.seated(state_of(rows), []).position


@pytest.mark.parametrize(("since", "why"), [(AT - DAY, None), (AT - DAY + 1, "new_guest"), (AT, "new_guest")])
def test_only_who_has_been_a_guest_for_a_day_is_ranked(since: int, why: str | None) -> None:
    assert decide.daily_table(ADA, since, load("nova-luna"), "2027-01-15", ORIGIN).row.unranked == why
