"""One screen: alone, with a personal best and the deal of the day, or several people with a curtain between them."""

import pytest

from plenilune import Match
from plenilune.server.tables import audience, daily, lobby, table
from plenilune.server.tables import registry as tables
from tests.server.running import Guest, Running

DAY = 24 * 3600 * 1000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> "Clock":
    """The time of day, as the server reads it."""
    clock = Clock()
    for module in (audience, table, tables, lobby):
        monkeypatch.setattr(module, "now", clock)
    monkeypatch.setattr("plenilune.server.http.app.now", clock)
    return clock


class Clock:
    def __init__(self) -> None:
        self.at = daily.opens("2026-03-01") + DAY // 2

    def __call__(self) -> int:
        return self.at


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
    guests = [server.guest(name) for name in ("Ada", "Ben", "Carol")]
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
    assert deal["score"] == scores[1]


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


def test_without_secrets_one_screen_shows_whoever_is_to_play(ada: Guest) -> None:
    made = ada.post("/api/tables", {"game": "moon-leap", "seats": [{"kind": "me"}, {"kind": "me", "name": "Grandpa"}]})
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
