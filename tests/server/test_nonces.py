"""Players contribute to the dice: even the operator cannot choose them before all have sat down."""

from __future__ import annotations

from typing import Any

import pytest

from plenilune import BadReplay, Match
from plenilune.core.dice import Dice
from plenilune.server.settings import LEAST_KEPT
from plenilune.server.tables import server_secrets
from plenilune.server.tables.clocks import DAY
from tests.server.attempts import Attempts
from tests.server.running import Guest, Running, wish

A, B, C = "a1" * 16, "b2" * 16, "c3" * 16


def offered(guest: Guest, nonce: str, *seats: str, **more: Any) -> tuple[Any, Any]:
    """A table made as the pages make one: first the commitment, then the nonce."""
    offer = guest.get("/api/dice")
    return offer, guest.table("moon-leap", *seats, ticket=offer["ticket"], nonce=nonce, **more)["table"]


def test_the_commitment_is_known_before_the_nonce_is_contributed(ada: Guest) -> None:
    offer, table = offered(ada, A, "me", "open")
    assert table["fairness"] == {
        "commitment": offer["commitment"],
        "nonces": [{"person": ada.id, "nonce": A}],
        "seed": None,
    }


def test_every_roll_follows_from_the_seed_and_all_nonces(ada: Guest, ben: Guest) -> None:
    offer, table = offered(ada, A, "me", "open")
    joined = ben.post(f"/api/tables/{table['id']}/join", {"nonce": B})
    assert joined["status"] == "playing"
    assert [nonce["nonce"] for nonce in joined["fairness"]["nonces"]] == [A, B]
    ben.post(f"/api/tables/{table['id']}/resign", {})
    rolls = ada.get(f"/api/tables/{table['id']}/dice")
    dice = Dice(rolls["seed"], rolls["nonces"])
    assert (dice.commitment, rolls["nonces"]) == (offer["commitment"], [A, B])
    assert rolls["rolls"]
    for roll in rolls["rolls"]:
        assert dice.pick(roll["ply"], roll["outcomes"]) == roll["outcome"]


def test_the_seats_are_drawn_by_the_dice_when_the_match_begins(ada: Guest, ben: Guest) -> None:
    """Nobody knows before all have sat down: the last nonce comes then."""
    names = set()
    for digit in "0123456789abcdef":
        _, table = offered(ada, A, "me", "open", seating="random")
        assert [seat["name"] for seat in table["seats"]] == ["Ada", ""]
        with ada.live(table["id"]) as live:
            live.wait("welcome")
            joined = ben.post(f"/api/tables/{table['id']}/join", {"nonce": digit * 32})
            told = live.wait("update")
            assert told["viewer"] == ada.get(f"/api/tables/{table['id']}")["mine"][0]
        assert joined["seats"][joined["mine"][0]]["name"] == "Ben"
        ben.post(f"/api/tables/{table['id']}/resign", {})
        found = ada.get(f"/api/tables/{table['id']}/dice")
        assert found["order"] == Dice(found["seed"], found["nonces"]).order(2)
        drawn = [seat["name"] for seat in joined["seats"]]
        assert drawn == [["Ada", "Ben"][place] for place in found["order"]]
        names.add(drawn[0])
    assert names == {"Ada", "Ben"}


def test_the_host_starts_if_that_is_wished_and_the_others_keep_their_order(ada: Guest) -> None:
    table = ada.table("via-nebula", "open", "greedy", "me", "friend", seating="host_first")
    assert [seat["held_by"] for seat in table["table"]["seats"]] == ["person", "friend", "open", "bot"]
    assert [invite["seat"] for invite in table["invites"]] == [1]
    assert table["table"]["seating"] == "host_first"


def test_the_host_cannot_start_without_a_seat(ada: Guest) -> None:
    refused = ada.table("moon-leap", "open", "friend", seating="host_first", status=422)
    assert refused["reason"] == "bad_setting"


def test_who_says_nothing_about_who_starts_gets_it_drawn(ada: Guest) -> None:
    body = {"game": "nova-luna", "seats": [wish("me"), wish("open")]}
    assert ada.post("/api/tables", body)["table"]["seating"] == "random"


def test_seats_are_as_listed_if_that_is_wished(ada: Guest) -> None:
    table = ada.table("nova-luna", "greedy", "me", "random", seating="as_listed")["table"]
    assert [seat["bot"] for seat in table["seats"]] == ["greedy", None, "random"]


def test_the_host_changes_who_starts_while_the_table_waits(ada: Guest, ben: Guest) -> None:
    made = ada.table("via-nebula", "me", "friend", "greedy", seating="random")
    match, (invite,) = made["table"]["id"], made["invites"]
    with ada.live(match) as live:
        live.wait("welcome")
        asked = {"seating": "as_listed", "order": [2, 1, 0]}
        arranged = ada.post(f"/api/tables/{match}/arrange", asked)
        told = live.wait("table")["table"]
    for table in (arranged, told, ada.get(f"/api/tables/{match}")):
        assert (table["seating"], table["mine"]) == ("as_listed", [2])
        assert [seat["held_by"] for seat in table["seats"]] == ["bot", "friend", "person"]
    joined = ben.post(f"/api/tables/{match}/join", {"secret": invite["secret"]})  # the link is the same
    assert (joined["status"], joined["mine"]) == ("playing", [1])
    assert ada.get(f"/api/tables/{match}")["mine"] == [2]
    late = ada.post(f"/api/tables/{match}/arrange", {"seating": "host_first"}, status=409)
    assert late["detail"] == "started"


def test_the_match_file_says_the_nonces_and_verifies(ada: Guest) -> None:
    _, table = offered(ada, A, "me", "random")
    with ada.live(table["id"]) as live:
        live.finish()
    text = ada.get(f"/api/tables/{table['id']}/match")
    assert f"\nnonces: {A}\n" in text
    assert Match.load(text, check_dice=True).save() == text
    forged = text.replace(A, B)
    with pytest.raises(BadReplay, match="of this seed"):
        Match.load(forged, check_dice=True)


def test_a_ticket_is_good_for_one_table(attempts: Attempts, ada: Guest, ben: Guest) -> None:
    """Otherwise a second table would show the first one's dice."""
    offer, _ = offered(ada, A, "me", "open")
    body = {"game": "moon-leap", "seats": [{"kind": "me"}, {"kind": "open"}], "ticket": offer["ticket"], "nonce": B}
    for guest in (ada, ben):
        assert guest.post("/api/tables", body, status=400)["reason"] == "bad_request"
    attempts.add(2)


def test_a_rematch_has_dice_and_nonces_of_its_own(ada: Guest, ben: Guest) -> None:
    _, table = offered(ada, A, "me", "open")
    ben.post(f"/api/tables/{table['id']}/join", {"nonce": B})
    ben.post(f"/api/tables/{table['id']}/resign", {})
    offer = ben.get("/api/dice")
    asked = ben.post(f"/api/tables/{table['id']}/rematch", {"ticket": offer["ticket"], "nonce": A})
    assert (asked["status"], asked["fairness"]["commitment"]) == ("waiting", offer["commitment"])
    accepted = ada.post(f"/api/tables/{table['id']}/rematch", {"nonce": B})
    assert accepted["id"] == asked["id"]
    assert [nonce["person"] for nonce in accepted["fairness"]["nonces"]] == [ben.id, ada.id]


def test_somebody_else_asked_for_the_rematch_first(ada: Guest, ben: Guest) -> None:
    """Ben's nonce was for the seed that he was offered. He has not seen the commitment to Ada's."""
    _, table = offered(ada, A, "me", "open")
    ben.post(f"/api/tables/{table['id']}/join", {"nonce": B})
    ben.post(f"/api/tables/{table['id']}/resign", {})
    first, second = ada.get("/api/dice"), ben.get("/api/dice")
    asked = ada.post(f"/api/tables/{table['id']}/rematch", {"ticket": first["ticket"], "nonce": A})
    late = ben.post(f"/api/tables/{table['id']}/rematch", {"ticket": second["ticket"], "nonce": B})
    assert (late["id"], late["status"], late["mine"]) == (asked["id"], "waiting", [])
    assert late["fairness"]["commitment"] == first["commitment"]
    assert [nonce["nonce"] for nonce in late["fairness"]["nonces"]] == [A]
    joined = ben.post(f"/api/tables/{late['id']}/join", {"nonce": C, "seen": {"nonces": 1, "free": 1}})
    assert (joined["status"], [nonce["nonce"] for nonce in joined["fairness"]["nonces"]]) == ("playing", [A, C])


def test_who_sits_down_knows_what_stands_before_their_nonce(server: Running, ada: Guest, ben: Guest) -> None:
    """Cleo looks, Ben sits down, and Cleo's nonce would come after one that she has not seen."""
    table, cleo = offered(ada, A, "me", "open", "open")[1]["id"], server.guest("Cleo")
    ben.post(f"/api/tables/{table}/join", {"nonce": B, "seen": {"nonces": 1, "free": 2}})
    late = cleo.post(f"/api/tables/{table}/join", {"nonce": C, "seen": {"nonces": 1, "free": 2}}, status=409)
    assert (late["reason"], late["detail"]) == ("stale", "table_changed")
    assert [nonce["nonce"] for nonce in ada.get(f"/api/tables/{table}")["fairness"]["nonces"]] == [A, B]
    joined = cleo.post(f"/api/tables/{table}/join", {"nonce": C, "seen": {"nonces": 2, "free": 1}})
    assert (joined["status"], [nonce["nonce"] for nonce in joined["fairness"]["nonces"]]) == ("playing", [A, B, C])


def test_a_host_who_fills_the_seats_with_bots_contributes_last(ada: Guest, ben: Guest) -> None:
    table = offered(ada, A, "me", "open", "open")[1]["id"]
    ben.post(f"/api/tables/{table}/join", {"nonce": B})
    late = ada.post(f"/api/tables/{table}/start", {"nonce": C, "seen": {"nonces": 1, "free": 2}}, status=409)
    assert late["detail"] == "table_changed"
    begun = ada.post(f"/api/tables/{table}/start", {"nonce": C, "seen": {"nonces": 2, "free": 1}})
    assert (begun["status"], [nonce["nonce"] for nonce in begun["fairness"]["nonces"]]) == ("playing", [A, B, C])
    ben.post(f"/api/tables/{table}/resign", {})
    ada.post(f"/api/tables/{table}/resign", {})
    found = ada.get(f"/api/tables/{table}/dice")
    dice = Dice(found["seed"], [A, B, C])
    assert found["rolls"]
    assert all(dice.pick(roll["ply"], roll["outcomes"]) == roll["outcome"] for roll in found["rolls"])


def test_who_contributes_nothing_plays_all_the_same(ada: Guest, ben: Guest) -> None:
    table = ada.table("moon-leap", "me", "open")["table"]
    assert ben.post(f"/api/tables/{table['id']}/join", {})["fairness"]["nonces"] == []


@pytest.mark.parametrize("nonce", ["seven", A + "\n", A.upper()])
def test_a_nonce_that_is_none_is_refused(ada: Guest, nonce: str) -> None:
    body = {"game": "moon-leap", "seats": [{"kind": "me"}, {"kind": "open"}], "nonce": nonce}
    assert ada.post("/api/tables", body, status=400)["reason"] == "bad_request"


def test_a_ticket_is_good_for_ten_minutes(ada: Guest) -> None:
    """A person who leaves a waiting table is shown its seed, and a day later the table is deleted. Were its ticket good
    again, they could make a table whose dice they know."""
    offer, table = offered(ada, A, "me", "open")
    assert ada.post(f"/api/tables/{table['id']}/leave", {})["fairness"]["seed"]
    issued, rest = int(offer["ticket"][:8], 16), offer["ticket"][8:]
    for when in (issued - 86_400, issued - 660, issued + 660):
        body = {"game": "moon-leap", "seats": [{"kind": "me"}, {"kind": "open"}], "ticket": f"{when:08x}{rest}"}
        assert "expired" in ada.post("/api/tables", body, status=400)["message"]


def test_no_table_is_deleted_while_its_ticket_is_good() -> None:
    assert server_secrets.OFFERED + server_secrets.SKEW < LEAST_KEPT * DAY
