"""The door through which everybody plays: all or nothing, once, at the ply one saw; and what is told afterwards."""

import asyncio
import json
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from plenilune.server.http import connections as lives
from plenilune.server.http.protocols import Socket
from tests.server.running import Guest, Live, Running
from tests.server.test_tables import two_at


def a_nova_luna(guest: Guest) -> str:
    """Alone, where a turn is two actions: take a tile, then place it."""
    match: str = guest.table("nova-luna", "me")["table"]["id"]
    return match


def test_a_whole_turn_is_played_at_once(ada: Guest) -> None:
    match = a_nova_luna(ada)
    before = ada.state(match)
    played = ada.play(match, "take 1", "place 0,0")
    after = ada.state(match)
    assert after["ply"] == played["ply"]
    assert [entry["key"] for entry in after["log"][before["ply"] :]][:2] == ["nova-luna.take", "nova-luna.place"]
    assert played["hash"] == after["hash"]


def test_when_one_action_is_refused_none_is_played(ada: Guest) -> None:
    match = a_nova_luna(ada)
    before = ada.state(match)
    refused = ada.play(match, "take 1", "place 3,0", status=422)
    assert refused["reason"] == "illegal_action"
    assert "'place 3,0' is not allowed then; you may: place 0,0" in refused["message"]
    assert strip(ada.state(match)) == strip(before)


def test_a_list_goes_no_further_than_chance_or_another_seat(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    before = ada.state(match)
    refused = ada.play(match, before["legal"][0] if before["legal"] else first(ada, match), "move 1", status=422)
    assert refused["reason"] == "illegal_action"
    assert "'move 1' cannot come next: chance comes first" in refused["message"]
    assert strip(ada.state(match)) == strip(before)


def test_what_no_action_says_is_refused_by_name(ada: Guest) -> None:
    match = a_nova_luna(ada)
    refused = ada.play(match, "fly home", status=422)
    assert (refused["reason"], "fly home" in refused["message"]) == ("unknown_action", True)


def test_the_same_request_is_played_once_and_answered_alike(ada: Guest) -> None:
    match = a_nova_luna(ada)
    body = {"kind": "play", "id": "once", "ply": ada.state(match)["ply"], "actions": ["take 1"]}
    answers = [ada.post(f"/api/tables/{match}/play", body) for _ in range(3)]
    ada.play(match, "place 0,0")
    answers.append(ada.post(f"/api/tables/{match}/play", body))
    assert all(answer == answers[0] for answer in answers)
    assert [entry["key"] for entry in ada.state(match)["log"]].count("nova-luna.take") == 1


def test_ids_are_each_persons_own(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    for guest in (ada, ben):
        state = guest.state(match)
        if not state["legal"]:
            continue
        body = {"kind": "play", "id": "1", "ply": state["ply"], "actions": state["legal"][:1]}
        guest.post(f"/api/tables/{match}/play", body)
    assert [e["by"] for e in ada.state(match)["log"]].count("person") == 2


def test_who_played_on_an_older_ply_is_told_where_the_match_is(ada: Guest) -> None:
    match = a_nova_luna(ada)
    ply = ada.state(match)["ply"]
    ada.play(match, "take 1")
    refused = ada.play(match, "take 2", ply=ply, status=409)
    assert (refused["reason"], refused["ply"]) == ("stale", ply + 1)


def test_who_played_on_another_board_is_refused(ada: Guest) -> None:
    match = a_nova_luna(ada)
    assert ada.play(match, "take 1", hash="0" * 16, status=409)["reason"] == "stale"
    assert ada.play(match, "take 1", hash=ada.state(match)["hash"])["ply"]


def test_nobody_plays_for_another_seat(server: Running, ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    other, ply = (ben, 1)
    assert other.play(match, "move 1", ply=ply, status=409)["reason"] == "not_your_turn"
    assert other.play(match, "move 1", ply=ply, seat=0, status=403)["reason"] == "forbidden"
    assert server.guest("Carol").play(match, "move 1", ply=ply, status=403)["reason"] == "forbidden"
    stranger = server.guest(None)
    body = {"kind": "play", "id": "1", "ply": ply, "actions": ["move 1"]}
    assert stranger.post(f"/api/tables/{match}/play", body, status=401)["reason"] == "unknown_guest"


# Previews


def test_a_preview_shows_what_would_be_and_changes_nothing(ada: Guest) -> None:
    match = a_nova_luna(ada)
    before = ada.state(match)
    found = preview(ada, match, "take 2")
    assert (found["done"], found["stopped"], found["to_play"]) == (1, "", 0)
    assert found["view"]["hand"]["id"] == before["view"]["wheel"][before["view"]["takes"][1]]["id"]
    assert "place 0,0" in found["legal"]
    assert strip(ada.state(match)) == strip(before)
    ada.play(match, "take 2")
    assert ada.state(match)["view"] == found["view"]


def test_a_preview_ends_before_chance(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "me")["table"]["id"]
    found = preview(ada, match, first(ada, match))
    assert (found["stopped"], found["to_play"], found["legal"]) == ("chance", -1, [])
    body = {"kind": "preview", "id": "1", "ply": 1, "actions": [first(ada, match), "roll 1"]}
    refused = ada.post(f"/api/tables/{match}/preview", body, status=422)
    assert "chance comes first" in refused["message"]


def test_a_preview_of_nothing_is_the_board_as_it_is(ada: Guest) -> None:
    match = a_nova_luna(ada)
    found, state = preview(ada, match), ada.state(match)
    assert (found["view"], found["legal"]) == (state["view"], state["legal"])


def preview(guest: Guest, match: str, *actions: str) -> Any:
    body = {"kind": "preview", "id": "1", "ply": guest.state(match)["ply"], "actions": list(actions)}
    return guest.post(f"/api/tables/{match}/preview", body)


# Coming back


def test_who_comes_back_gets_what_was_missed(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    with ben.live(match) as other:
        other.wait("update")
        for _ in range(3):
            for guest in (ada, ben):
                if legal := guest.state(match)["legal"]:
                    guest.play(match, legal[0])
        ply = other.update["ply"]
        with ada.live(match, f"?ply={ply}") as live:
            missed = live.wait("update")
    assert missed["base"] is None
    assert missed["log_from"] == ply
    assert [entry["ply"] for entry in missed["log"]] == list(range(ply, missed["ply"]))
    assert live.view == ada.state(match)["view"]


def test_a_client_that_is_lost_asks_for_everything(ada: Guest) -> None:
    match = a_nova_luna(ada)
    with ada.live(match) as live:
        live.my_turn()
        live.act("take 1")
        live.say("resync")
        whole = live.wait("update")
    assert (whole["base"], whole["log_from"], len(whole["log"])) == (None, 0, whole["ply"])
    assert whole["view"] == ada.state(match)["view"]


def test_updates_hold_only_what_changed_and_add_up_to_the_whole(ada: Guest) -> None:
    match = ada.table("via-nebula", "me", "random", "random")["table"]["id"]
    with ada.live(match) as live:
        while live.my_turn() and live.update["ply"] < 90:
            live.act()
        assert live.view == ada.state(match)["view"]
    later = [m for m in live.said if m["kind"] == "update" and m["base"] is not None]
    assert later
    assert all("map" not in update["view"] for update in later)


def test_a_reader_that_is_too_slow_is_dropped_and_comes_back(
    server: Running, ada: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lives, "MOST_WAITING", 4)
    held = hold_sender(server)
    match = a_nova_luna(ada)
    with ada.live(match) as slow:
        for action in ("take 1", "place 0,0") * 4:
            ada.play(match, action if action in ada.state(match)["legal"] else ada.state(match)["legal"][0])
        held.release()
        with pytest.raises(ConnectionClosed, match="4008"):
            drain(slow)
    monkeypatch.undo()
    with ada.live(match, f"?ply={slow.update['ply'] if slow.update else 0}") as back:
        back.wait("update")
        assert back.view == ada.state(match)["view"]


def drain(live: Live) -> None:
    while True:
        live.next()


def test_messages_sent_at_once_never_overtake_messages_that_wait() -> None:
    async def scenario() -> None:
        queue, sent = lives.Queue(), list[bytes]()
        writable = False

        def send_at_once(message: bytes) -> bool:
            if writable:
                sent.append(message)
            return writable

        queue.send_at_once = send_at_once
        queue.put(b"1")  # the reader cannot take it now
        taken = await queue.get()
        writable = True
        queue.put(b"2")  # it could take this one, if "1" were not still on its way
        assert sent == []
        sent.append(taken or b"")
        sent.append(await queue.get() or b"")
        waiting = asyncio.ensure_future(queue.get())
        await asyncio.sleep(0)
        queue.put(b"3")
        assert sent == [b"1", b"2", b"3"]
        waiting.cancel()

    asyncio.run(scenario())


class Held:
    """Holds what is sent back until it is released, as a network that stands still does."""

    def __init__(self, server: Running) -> None:
        self.server, self.open = server, asyncio.Event()

    def release(self) -> None:
        self.server.loop.call_soon_threadsafe(self.open.set)


def hold_sender(server: Running) -> Held:
    held = Held(server)
    send_all = lives._send_all

    async def later(socket: Any, queue: Any) -> None:
        await held.open.wait()
        await send_all(socket, queue)

    patches = pytest.MonkeyPatch()
    patches.setattr(lives, "_send_all", later)
    patches.setattr(Socket, "send_at_once", lambda socket, message: False)
    server.undo.append(patches.undo)
    return held


# Hints, words that are not a message, pings


def test_a_hint_gets_better_until_it_is_done(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "random")["table"]["id"]
    with ada.live(match) as live:
        live.my_turn()
        live.say("hint", id="h", seconds=0.3)
        hints = [live.wait("hinted")]
        while not hints[-1]["done"]:
            hints.append(live.wait("hinted"))
        assert hints[-1]["action"] in live.update["legal"]
        assert hints[-1]["ply"] == live.update["ply"]
        assert hints[0]["simulations"] <= hints[-1]["simulations"]


def test_a_hint_in_the_middle_of_a_turn_is_for_what_comes_next(ada: Guest) -> None:
    match = a_nova_luna(ada)
    with ada.live(match) as live:
        live.wait("update")
        take = live.update["legal"][0]
        live.say("hint", id="h", seconds=0.2, actions=[take])
        hint = live.wait("hinted")
        assert hint["action"] in preview(ada, match, take)["legal"]
        assert hint["ply"] == live.update["ply"], "nothing has been played"


def test_there_is_no_hint_beyond_the_turn_beyond_chance_or_after_what_is_not_allowed(ada: Guest) -> None:
    match = ada.table("nova-luna", "me", "me")["table"]["id"]  # one of them is then behind, and to play
    with ada.live(match) as live:
        live.my_turn()
        take = live.update["legal"][0]
        place = preview(ada, match, take)["legal"][0]
        assert preview(ada, match, take, place)["stopped"] == "turn"
        for actions in ([take, place, take], ["take 99"], [take, take]):
            live.say("hint", id="h", actions=actions)
            refused = live.wait("refused")
            assert refused["id"] == "h"
            assert repr(actions[-1]) in refused["message"]
    match = ada.table("moon-leap", "me", "random")["table"]["id"]
    with ada.live(match) as live:
        live.my_turn()
        live.say("hint", id="h", actions=[live.update["legal"][0]] * 2)
        assert "chance" in live.wait("refused")["message"]


def test_a_hint_for_a_whole_turn_compares_it_with_the_bots(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "random")["table"]["id"]
    with ada.live(match) as live:
        live.my_turn()
        whole = live.update["legal"][0]
        live.say("hint", id="h", seconds=0.3, actions=[whole])
        hinted = live.wait(lambda message: message["kind"] == "hinted" and message["done"])
        assert 0 <= hinted["turn"] <= 1
        assert hinted["action"] in live.update["legal"]  # from the turn's start


def test_there_is_no_hint_where_the_table_has_none_or_another_is_to_play(ada: Guest, ben: Guest) -> None:
    match = ada.table("moon-leap", "me", "random", hints=False)["table"]["id"]
    with ada.live(match) as live:
        live.my_turn()
        live.say("hint", id="h")
        assert live.wait("refused")["reason"] == "forbidden"
    with ben.live(two_at(ada, ben)) as live:
        live.say("hint", id="h")
        refused = live.wait("refused")
        assert (refused["reason"], refused["id"]) == ("not_your_turn", "h")


@pytest.mark.parametrize(
    "said", ["", "hello", "{}", '{"kind":"fly"}', '{"kind":"play"}', "[" * 5000, "\x00", '{"kind":"look","viewer":3}']
)
def test_what_is_not_a_message_is_refused_and_the_socket_stays(ada: Guest, said: str) -> None:
    match = a_nova_luna(ada)
    with ada.live(match) as live:
        live.wait("update")
        live.socket.send(said)
        assert live.wait("refused")["reason"] in ("bad_request", "forbidden")
        live.say("ping", id="still here")
        assert live.wait("pong")["id"] == "still here"


# The match as a stream of lines


def test_a_stream_says_what_a_socket_says(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "random")["table"]["id"]
    with ada.http.stream("GET", f"/api/tables/{match}/stream") as stream:
        lines = stream.iter_lines()
        assert json.loads(next(lines))["kind"] == "welcome"
        update = json.loads(next(lines))
        assert update["kind"] == "update"
        again = Guest(ada.address, None)
        again.http.cookies.update(ada.http.cookies)
        again.play(match, *again.state(match)["legal"][:1])
        while (later := json.loads(next(lines)))["kind"] != "update":
            pass
        assert later["base"] == update["ply"]
        again.close()


def test_a_stream_ends_with_the_match(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    ben.post(f"/api/tables/{match}/resign", {})
    began = time.monotonic()
    kinds = [json.loads(line)["kind"] for line in ada.get(f"/api/tables/{match}/stream").splitlines()]
    assert kinds == ["welcome", "update"]
    assert time.monotonic() - began < 5


def strip(state: Any) -> Any:
    """Without the time of day."""
    return {name: value for name, value in state.items() if name != "now"}


def first(guest: Guest, match: str) -> str:
    state = guest.state(match, 0)
    return str((state["legal"] or guest.state(match, 1)["legal"])[0])
