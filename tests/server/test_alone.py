"""One screen: alone, with a personal best and the deal of the day, or several people with a curtain between them."""

import pytest

from plenilune import Match
from plenilune.server import clock as times
from plenilune.server.storage.schema import people
from plenilune.server.tables import daily
from tests.server.attempts import Attempts
from tests.server.operating import visitor
from tests.server.running import Guest, Running

DAY = 24 * 3600 * 1000
HERE, ELSEWHERE = "203.0.113.1", "203.0.113.2"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> "Clock":
    """The time of day, as the server reads it."""
    clock = Clock()
    monkeypatch.setattr(times, "_steady", lambda: clock.at * 1_000_000)
    monkeypatch.setattr(times, "_offset", 0)
    monkeypatch.setattr(times, "system", times.now)
    return clock


class Clock:
    def __init__(self) -> None:
        self.at = daily.opens("2026-03-01") + DAY // 2


def old_guest(server: Running, clock: Clock, name: str, network: str = "") -> Guest:
    """Somebody who has been here for more than a day, and comes from there."""
    guest = visitor(server.address, network, name) if network else server.guest(name)
    server.undo.append(guest.close)
    update = people.update().where(people.c.id == guest.id).values(created=clock.at - 2 * DAY)
    server.in_loop(server.server.store.execute(update))
    return guest


def alone(guest: Guest, seed: int = 0) -> tuple[str, int]:
    match = guest.table("nova-luna", "me")["table"]["id"]
    return match, finish(guest, match, seed)


def finish(guest: Guest, match: str, seed: int = 0) -> int:
    with guest.live(match) as live:
        return int(live.finish(seed)["result"]["scores"][0])


def test_the_best_of_several_matches_alone_is_kept(ada: Guest, ben: Guest) -> None:
    assert ada.get("/api/bests")["bests"] == []
    played = [alone(ada, seed) for seed in range(3)]
    given_up = ada.table("nova-luna", "me")["table"]["id"]
    ada.post(f"/api/tables/{given_up}/resign", {})
    (best,) = ada.get("/api/bests")["bests"]
    assert best["score"] == max(score for _, score in played)
    assert (best["match"], best["score"]) in played
    assert (best["game"], best["played"]) == ("nova-luna", 3)
    assert ben.get("/api/bests")["bests"] == []


def test_everybody_gets_the_same_deal_once_a_day(clock: Clock, ada: Guest, ben: Guest) -> None:
    mine, his = (guest.post("/api/daily/nova-luna") for guest in (ada, ben))
    assert mine["id"] != his["id"]
    assert mine["fairness"]["commitment"] == his["fairness"]["commitment"]
    assert ada.state(mine["id"])["view"] == ben.state(his["id"])["view"]
    assert ada.post("/api/daily/nova-luna")["id"] == mine["id"]
    finish(ada, mine["id"])
    assert ada.post("/api/daily/nova-luna")["id"] == mine["id"]
    assert ada.post(f"/api/tables/{mine['id']}/rematch", status=403)["reason"] == "forbidden"
    clock.at += DAY
    tomorrow = ada.post("/api/daily/nova-luna")
    assert tomorrow["id"] != mine["id"]
    assert tomorrow["fairness"]["commitment"] != mine["fairness"]["commitment"]


def test_the_deals_ranking(clock: Clock, server: Running) -> None:
    homes = {"Ada": HERE, "Ben": ELSEWHERE, "Carol": "203.0.113.3"}
    guests = [old_guest(server, clock, name, network) for name, network in homes.items()]
    scores = []
    for seed, guest in enumerate(guests):
        match = guest.post("/api/daily/nova-luna")["id"]
        scores.append(finish(guest, match, seed))
    late = server.guest("Dan").post("/api/daily/nova-luna")
    assert late["status"] == "playing"
    deal = guests[1].get("/api/daily/nova-luna")
    assert deal["finished"] == 3
    assert [rank["score"] for rank in deal["ranking"]] == sorted(scores, reverse=True)
    assert [rank["name"] for rank in deal["ranking"] if rank["mine"]] == ["Ben"]
    assert [rank["rank"] for rank in deal["ranking"]] == [
        1 + sum(s > score for s in scores) for score in sorted(scores)[::-1]
    ]
    assert (deal["score"], deal["unranked"]) == (scores[1], None)


def test_who_came_today_may_play_the_deal_but_is_not_ranked(clock: Clock, ada: Guest) -> None:
    """Otherwise anybody could rehearse a deal under other names and then play it once more."""
    finish(ada, ada.post("/api/daily/nova-luna")["id"])
    deal = ada.get("/api/daily/nova-luna")
    assert (deal["unranked"], deal["ranking"], deal["finished"]) == ("new_guest", [], 0)
    assert deal["score"] is not None


def test_of_a_networks_attempts_the_first_is_ranked(clock: Clock, server: Running) -> None:
    guests = [old_guest(server, clock, f"Guest {n}") for n in range(3)]
    for seed, guest in enumerate(guests):
        finish(guest, guest.post("/api/daily/nova-luna")["id"], seed)
        clock.at += 1000
    assert [guest.get("/api/daily/nova-luna")["unranked"] for guest in guests] == [None] + ["same_address"] * 2
    (rank,) = guests[0].get("/api/daily/nova-luna")["ranking"]
    assert (rank["name"], rank["mine"]) == ("Guest 0", True)


def test_rehearsals_under_other_names_are_not_followed_by_a_ranked_attempt(
    attempts: Attempts, clock: Clock, server: Running
) -> None:
    """A person who waits for days under several names must not rehearse under all but one of them."""
    rehearsals = [old_guest(server, clock, f"Rehearsal {n}") for n in range(3)]
    for guest in rehearsals:
        match = guest.post("/api/daily/nova-luna")["id"]
        guest.play(match, guest.state(match)["legal"][0])
        clock.at += 1000
    eve = old_guest(server, clock, "Eve")
    finish(eve, eve.post("/api/daily/nova-luna")["id"])
    deal = eve.get("/api/daily/nova-luna")
    assert (deal["unranked"], deal["ranking"], deal["finished"]) == ("same_address", [], 0)
    attempts.add(len(rehearsals) + 1)


@pytest.mark.parametrize("finished", [False, True])
def test_nor_by_one_that_was_begun_before_them(
    attempts: Attempts, clock: Clock, server: Running, finished: bool
) -> None:
    """The first attempt waits while the others find out what comes."""
    eve, rehearsal = (old_guest(server, clock, name, HERE) for name in ("Eve", "Rehearsal"))
    ada = old_guest(server, clock, "Ada", ELSEWHERE)
    match = eve.post("/api/daily/nova-luna")["id"]
    clock.at += 1000
    other = rehearsal.post("/api/daily/nova-luna")["id"]
    assert eve.get("/api/daily/nova-luna")["unranked"] == "same_address", "she is told before she has finished"
    if finished:
        finish(rehearsal, other, seed=1)
    clock.at += 1000
    finish(eve, match, seed=2)
    finish(ada, ada.post("/api/daily/nova-luna")["id"], seed=3)
    deal = eve.get("/api/daily/nova-luna")
    assert ([rank["name"] for rank in deal["ranking"]], deal["finished"]) == (["Ada"], 1)
    assert deal["unranked"] == "same_address"
    attempts.add(2)


def test_who_begins_once_the_first_has_finished_takes_nothing_from_them(clock: Clock, server: Running) -> None:
    ada, ben = (old_guest(server, clock, name) for name in ("Ada", "Ben"))
    finish(ada, ada.post("/api/daily/nova-luna")["id"])
    clock.at += 1000
    ben.post("/api/daily/nova-luna")
    assert [guest.get("/api/daily/nova-luna")["unranked"] for guest in (ada, ben)] == [None, "same_address"]


FIRST, LAST = ["rehearsal", "repetition"], ["repetition", "rehearsal"]


@pytest.mark.parametrize(("begin_in", "finish_in"), [(FIRST, FIRST), (FIRST, LAST), (LAST, FIRST)])
def test_who_repeats_a_rehearsal_is_not_ranked_whichever_begins_or_finishes_first(
    attempts: Attempts, clock: Clock, server: Running, begin_in: list[str], finish_in: list[str]
) -> None:
    """The whole attack: rehearse under a new name, and submit the best script under an older one."""
    guests = {"rehearsal": server.guest("Nobody"), "repetition": old_guest(server, clock, "Eve", HERE)}
    deals = dict[str, str]()
    for which in begin_in:
        clock.at += 1000
        deals[which] = guests[which].post("/api/daily/nova-luna")["id"]
    for which in finish_in:
        clock.at += 1000
        finish(guests[which], deals[which], seed=1)
    ada = old_guest(server, clock, "Ada", ELSEWHERE)
    finish(ada, ada.post("/api/daily/nova-luna")["id"], seed=2)
    deal = guests["repetition"].get("/api/daily/nova-luna")
    assert [rank["name"] for rank in deal["ranking"]] == ["Ada"]
    assert (deal["unranked"] is None, deal["finished"]) == (False, 1)
    attempts.add()


def test_of_two_attempts_with_the_same_actions_the_first_is_ranked(clock: Clock, server: Running) -> None:
    ada, ben = old_guest(server, clock, "Ada", HERE), old_guest(server, clock, "Ben", ELSEWHERE)
    for guest in (ada, ben):
        clock.at += 1000
        finish(guest, guest.post("/api/daily/nova-luna")["id"], seed=1)
    deals = [guest.get("/api/daily/nova-luna") for guest in (ada, ben)]
    assert [deal["unranked"] for deal in deals] == [None, "same_actions"]
    assert [rank["name"] for rank in deals[0]["ranking"]] == ["Ada"]


def test_a_repetition_after_the_ranking_is_closed_changes_nothing(clock: Clock, server: Running) -> None:
    """By then the seed is public: somebody who had begun first could repeat the best attempt, to have it struck out."""
    eve, ada = old_guest(server, clock, "Eve", HERE), old_guest(server, clock, "Ada", ELSEWHERE)
    late = eve.post("/api/daily/nova-luna")["id"]
    clock.at += 1000
    finish(ada, ada.post("/api/daily/nova-luna")["id"], seed=1)
    clock.at = daily.closes("2026-03-01")
    finish(eve, late, seed=1)
    deal = ada.get("/api/daily/nova-luna?day=2026-03-01")
    assert ([rank["name"] for rank in deal["ranking"]], deal["unranked"]) == (["Ada"], None)


def test_a_deals_seed_is_shown_only_when_its_ranking_is_closed(clock: Clock, ada: Guest, ben: Guest) -> None:
    match = ada.post("/api/daily/nova-luna")["id"]
    finish(ada, match)
    for _ in range(2):
        assert ada.get(f"/api/tables/{match}")["fairness"]["seed"] is None
        assert ada.get("/api/daily/nova-luna?day=2026-03-01")["seed"] is None
        for path in ("match", "dice", "review"):
            assert ada.get(f"/api/tables/{match}/{path}", status=409)["reason"] == "not_over"
        clock.at += DAY - DAY // 4
    clock.at = daily.closes("2026-03-01")
    seed = ada.get("/api/daily/nova-luna?day=2026-03-01")["seed"]
    saved = Match.load(ada.get(f"/api/tables/{match}/match"), check_dice=True)
    assert saved.dice is not None
    assert saved.dice.seed == seed == ada.get(f"/api/tables/{match}")["fairness"]["seed"]


def test_a_deal_that_was_finished_too_late_does_not_count(clock: Clock, ada: Guest) -> None:
    match = ada.post("/api/daily/nova-luna")["id"]
    clock.at = daily.closes("2026-03-01")
    finish(ada, match)
    deal = ada.get("/api/daily/nova-luna?day=2026-03-01")
    assert (deal["ranking"], deal["finished"]) == ([], 0)


def test_nobody_watches_anothers_deal(clock: Clock, ada: Guest, ben: Guest) -> None:
    match = ada.post("/api/daily/nova-luna")["id"]
    assert ben.get(f"/api/tables/{match}/state", status=403)["reason"] == "forbidden"


def test_a_deal_that_is_none_is_refused(clock: Clock, ada: Guest) -> None:
    for path, word in (
        ("moon-leap", "is not played alone"),
        ("chess", "no such game"),
        ("nova-luna?day=2026-03-02", "not here yet"),
        ("nova-luna?day=yesterday", "a day is written like"),
    ):
        assert word in ada.get(f"/api/daily/{path}", status=404)["message"]


# Several people at one screen


def test_without_secrets_one_screen_shows_the_seat_to_play(ada: Guest) -> None:
    seats = [{"kind": "me"}, {"kind": "me", "name": "Grandpa"}]
    made = ada.post("/api/tables", {"game": "moon-leap", "seats": seats, "seating": "as_listed"})
    assert [seat["name"] for seat in made["table"]["seats"]] == ["Ada", "Grandpa"]
    with ada.live(made["table"]["id"]) as live:
        assert live.next()["curtain"] is False
        seen = set()
        while live.my_turn() and live.update["ply"] < 20:
            seen.add(live.update["to_play"])
            assert live.update["viewer"] == live.update["to_play"]
            live.act()
    assert seen == {0, 1}


def test_with_secrets_a_curtain_falls_between_two_hands(ada: Guest) -> None:
    match = ada.table("via-nebula", "me", "me")["table"]["id"]
    with ada.live(match) as live:
        welcome, closed = live.next(), live.next()
        assert (welcome["curtain"], welcome["viewer"], closed["viewer"]) == (True, -1, -1)
        assert hands(live.view) == [[], []]
        assert closed["legal"] == []
        seat = closed["to_play"]
        live.say("look", viewer=seat)
        live.wait(lambda m: m["kind"] == "update" and m["viewer"] == seat)
        assert [bool(hand) for hand in hands(live.view)] == [seat == 0, seat == 1]
        while live.update["to_play"] == seat:
            live.act()
        assert live.update["viewer"] == -1
        assert hands(live.view) == [[], []]
        assert next(m for m in reversed(live.said) if m["kind"] == "table")["curtain"] is True
        live.say("look", viewer=1 - seat)
        live.wait(lambda m: m["kind"] == "update" and m["viewer"] == 1 - seat)
        assert live.update["legal"]


def hands(view: dict[str, list[dict[str, list[object]]]]) -> list[list[object]]:
    return [guild["hand"] for guild in view["guilds"]]
