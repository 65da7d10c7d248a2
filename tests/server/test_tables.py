"""Tables as people meet them: made, joined, left and come back to, played to the end."""

import pytest

from plenilune import Match, load
from tests.play import package_games
from tests.server.running import Guest, Running

GAMES = [(name, seats) for name in package_games() for seats in (min(load(name).seats), max(load(name).seats))]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_match_against_bots_is_played_to_its_end(ada: Guest, game: str, seats: int) -> None:
    made = ada.table(game, "me", *["greedy"] * (seats - 1))
    match = made["table"]["id"]
    with ada.live(match) as live:
        table = live.finish()
        assert live.view == ada.state(match)["view"]
    assert table["result"]["scores"] == live.update["scores"]
    saved = Match.load(ada.get(f"/api/tables/{match}/match"), check_dice=True)
    assert saved.over
    assert saved.scores == table["result"]["scores"]
    assert saved.places == table["result"]["places"]
    assert saved.dice is not None
    assert saved.dice.seed == table["fairness"]["seed"]
    assert saved.dice.commitment == made["table"]["fairness"]["commitment"]


def test_friends_play_by_a_link_that_works_once(server: Running, ada: Guest, ben: Guest) -> None:
    made = ada.table("moon-leap", "me", "friend")
    match, (invite,) = made["table"]["id"], made["invites"]
    assert made["table"]["status"] == "waiting"
    assert invite["link"] == f"/table/{match}#{invite['secret']}"
    table = ben.post(f"/api/tables/{match}/join", {"secret": invite["secret"]})
    assert (table["status"], table["mine"]) == ("playing", [1])
    carol = server.guest("Carol")
    refused = carol.post(f"/api/tables/{match}/join", {"secret": invite["secret"]}, status=409)
    assert refused["reason"] == "seat_taken"
    with ada.live(match) as first, ben.live(match) as second:
        first.my_turn()
        first.play(first.update["legal"][0])
        while second.update is None or second.update["ply"] < 3:
            second.next()
        assert second.view == ben.state(match)["view"] == ada.state(match)["view"]
        assert [entry["key"] for entry in second.update["log"]][:2] == ["moon-leap.move", "moon-leap.roll"]


def test_a_wrong_invitation_is_refused(ada: Guest, ben: Guest) -> None:
    match = ada.table("moon-leap", "me", "friend")["table"]["id"]
    refused = ben.post(f"/api/tables/{match}/join", {"secret": "0" * 32}, status=403)
    assert refused["reason"] == "bad_secret"
    assert ben.post(f"/api/tables/{match}/join", {}, status=409)["reason"] == "seat_taken"


def test_a_new_invitation_replaces_the_old_one(ada: Guest, ben: Guest) -> None:
    made = ada.table("moon-leap", "me", "friend")
    match, old = made["table"]["id"], made["invites"][0]["secret"]
    new = ada.post(f"/api/tables/{match}/invite", {"seat": 1})["secret"]
    assert ben.post(f"/api/tables/{match}/join", {"secret": old}, status=403)["reason"] == "bad_secret"
    assert ben.post(f"/api/tables/{match}/join", {"secret": new})["status"] == "playing"


def test_an_open_seat_is_taken_from_the_lobby(ada: Guest, ben: Guest) -> None:
    match = ada.table("moon-leap", "me", "open", public=True)["table"]["id"]
    (row,) = ben.get("/api/lobby")["open"]
    assert (row["id"], row["seats"][1]["held_by"]) == (match, "open")
    assert ben.post(f"/api/tables/{match}/join", {})["mine"] == [1]
    lobby = ben.get("/api/lobby")
    assert [row["id"] for row in lobby["open"]] == []
    assert [row["id"] for row in lobby["live"]] == [match]
    assert [row["id"] for row in lobby["mine"]] == [match]


def test_a_private_table_is_in_nobody_elses_lobby(ada: Guest, ben: Guest) -> None:
    ada.table("moon-leap", "me", "open")
    ada.table("moon-leap", "me", "random")
    lobby = ben.get("/api/lobby")
    assert lobby["open"] == lobby["live"] == lobby["mine"] == []
    assert len(ada.get("/api/lobby")["mine"]) == 2


def test_who_leaves_a_waiting_table_frees_the_seat(ada: Guest, ben: Guest) -> None:
    match = ada.table("moon-leap", "me", "open", "open", public=True)["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {"seat": 2})
    table = ben.post(f"/api/tables/{match}/leave", {})
    assert [seat["held_by"] for seat in table["seats"]] == ["person", "open", "open"]
    table = ada.post(f"/api/tables/{match}/leave", {})
    assert table["status"] == "over"
    assert ada.get("/api/lobby")["open"] == []


def test_the_host_starts_with_bots_at_the_free_seats(ada: Guest, ben: Guest) -> None:
    match = ada.table("nova-luna", "me", "open", "friend")["table"]["id"]
    assert ben.post(f"/api/tables/{match}/start", {"bot": "random"}, status=403)["reason"] == "forbidden"
    table = ada.post(f"/api/tables/{match}/start", {"bot": "random"})
    assert table["status"] == "playing"
    assert [seat["bot"] for seat in table["seats"]] == [None, "random", "random"]


def test_a_bot_plays_for_who_has_left_until_they_come_back(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    with ada.live(match) as live:
        table = ben.post(f"/api/tables/{match}/leave", {})
        assert (table["seats"][1]["absent"], table["seats"][1]["bot"]) == (True, "greedy")
        while live.my_turn() and live.update["ply"] < 9:
            live.act()
        by = {entry["by"] for message in live.said if message["kind"] == "update" for entry in message["log"]}
        assert by == {"person", "stand-in", "chance"}
        table = ben.post(f"/api/tables/{match}/return", {})
        assert (table["seats"][1]["absent"], table["seats"][1]["bot"]) == (False, None)


def test_a_match_that_would_be_left_to_bots_waits_instead(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "random")["table"]["id"]
    ada.post(f"/api/tables/{match}/leave", {})
    assert not ada.get(f"/api/tables/{match}")["seats"][0]["absent"]


def test_resigning_ends_a_match_for_two(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    table = ben.post(f"/api/tables/{match}/resign", {})
    assert table["status"] == "over"
    assert table["result"]["places"] == [1, 2]
    assert table["result"]["resigned"]
    assert table["fairness"]["seed"]
    saved = Match.load(ada.get(f"/api/tables/{match}/match"), check_dice=True)
    assert saved.replay.headers["resigned"] == "2"
    assert ada.play(match, "move 1", ply=1, status=409)["reason"] == "over"


def test_with_more_seats_a_bot_plays_on_for_who_resigns(server: Running, ada: Guest, ben: Guest) -> None:
    match = ada.table("moon-leap", "me", "open", "random")["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    table = ben.post(f"/api/tables/{match}/resign", {})
    assert (table["status"], table["seats"][1]["resigned"]) == ("playing", True)
    assert ben.post(f"/api/tables/{match}/return", {}, status=409)["reason"] == "resigned"
    with ada.live(match) as live:
        assert live.finish()["result"]["resigned"] is False


def test_a_rematch_seats_everybody_one_further_and_is_made_once(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    assert ada.post(f"/api/tables/{match}/rematch", status=409)["reason"] == "not_over"
    ben.post(f"/api/tables/{match}/resign", {})
    with ben.live(match) as live:
        new = ada.post(f"/api/tables/{match}/rematch")
        live.wait(lambda message: message["kind"] == "table" and message["table"]["rematch"] == new["id"])
    assert [seat["name"] for seat in new["seats"]] == ["Ben", "Ada"]
    assert (new["status"], new["seats"][0]["reserved"]) == ("waiting", ben.id)  # nobody plays who has not agreed
    accepted = ben.post(f"/api/tables/{match}/rematch")
    assert (accepted["id"], accepted["status"]) == (new["id"], "playing")
    assert new["fairness"]["commitment"] != ada.get(f"/api/tables/{match}")["fairness"]["commitment"]


def test_presence_is_shown(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    with ada.live(match) as first:
        first.wait("update")
        with ben.live(match) as second:
            second.wait("update")
            first.wait(lambda m: m["kind"] == "table" and m["table"]["seats"][1]["connected"])
        first.wait(lambda m: m["kind"] == "table" and not m["table"]["seats"][1]["connected"])


def test_two_tabs_of_one_seat_agree(ada: Guest) -> None:
    match = ada.table("moon-leap", "me", "random")["table"]["id"]
    with ada.live(match) as one, ada.live(match) as other:
        one.my_turn()
        other.my_turn()
        one.act()
        stale = other.play(other.update["legal"][0])
        assert (stale["kind"], stale["reason"]) == ("refused", "stale")
        one.my_turn()
        while other.update["ply"] < one.update["ply"]:
            other.next()
        assert one.view == other.view
        assert one.update["hash"] == other.update["hash"]


def test_chat_reaches_everybody_and_comes_back(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    with ada.live(match) as live:
        ben.post(f"/api/tables/{match}/say", {"kind": "say", "text": " Good evening! "})
        line = live.wait("chat")
        assert (line["number"], line["name"], line["seat"], line["text"]) == (1, "Ben", 1, "Good evening!")
        live.say("say", phrase="good_luck")
        assert live.wait("chat")["phrase"] == "good_luck"
    with ben.live(match) as live:
        assert [line["number"] for line in live.next()["chat"]] == [1, 2]


def test_only_who_sits_there_may_talk(server: Running, ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    carol = server.guest("Carol")
    assert carol.post(f"/api/tables/{match}/say", {"kind": "say", "text": "boo"}, status=403)["reason"] == "forbidden"


def test_a_spectator_sees_no_hand_and_may_do_nothing(server: Running, ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben, "via-nebula")
    carol = server.guest("Carol")
    with carol.live(match) as live:
        update = live.wait("update")
        assert update["viewer"] == -1
        assert update["legal"] == []
        assert all(guild["hand"] == [] for guild in live.view["guilds"])
        assert live.play("pass")["reason"] == "forbidden"
    own = ada.state(match)["view"]["guilds"]
    assert [len(guild["hand"]) > 0 for guild in own] == [True, False]
    assert carol.get(f"/api/tables/{match}/state?viewer=0", status=403)["reason"] == "forbidden"


def test_a_table_without_spectators_is_closed_to_others(server: Running, ada: Guest, ben: Guest) -> None:
    made = ada.table("moon-leap", "me", "random", spectators=False)
    match = made["table"]["id"]
    for path in ("", "/state", "/history", "/match", "/dice", "/review", "/stream"):
        assert ben.get(f"/api/tables/{match}{path}", status=403)["reason"] == "forbidden"


def test_a_table_that_cannot_be_is_refused(ada: Guest) -> None:
    for game, seats, more, word in (
        ("chess", ["me"], {}, "no such game"),
        ("moon-leap", ["me"], {}, "2 to 4 seats"),
        ("nova-luna", ["me", "random"], {"options": {"tokens": "first-game"}}, "3 or 4 seats"),
        ("moon-leap", ["me", "genius"], {}, "no such bot"),
        ("moon-leap", ["me", "mcts:900000000"], {}, "at most"),
        ("moon-leap", ["me", "random"], {"stand_in": "genius"}, "no such bot"),
    ):
        refused = ada.table(game, *seats, status=422, **more)
        assert refused["reason"] == "bad_setting"
        assert word in refused["message"]
    assert ada.get("/api/lobby")["mine"] == []


def two_at(ada: Guest, ben: Guest, game: str = "moon-leap") -> str:
    """A match between both, which has begun."""
    match: str = ada.table(game, "me", "open")["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    return match
