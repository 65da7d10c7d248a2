"""What is there to look at afterwards: every position, every roll, and what a search thinks of it."""

import dataclasses
import hashlib
import hmac
import json
from typing import Any

import pytest

from plenilune import Match
from plenilune.bots import Budget
from plenilune.server.thinking import reviews
from tests.server.running import Guest, followed
from tests.server.test_tables import two_at


@pytest.fixture
def finished(ada: Guest) -> str:
    match: str = ada.table("moon-leap", "me", "random", "random")["table"]["id"]
    with ada.live(match) as live:
        live.finish()
    return match


def frames_of(guest: Guest, match: str, query: str = "") -> list[Any]:
    """With each view put together from what has changed."""
    frames: list[Any] = []
    view: dict[str, Any] = {}
    for frame in guest.get(f"/api/tables/{match}/history{query}")["frames"]:
        view = followed(view, frame)
        frames.append({**frame, "view": view, "parts": {}})
    return frames


def plain(view: Any) -> Any:
    return json.loads(json.dumps(dataclasses.asdict(view)))


def test_the_history_is_the_match_position_by_position(ada: Guest, finished: str) -> None:
    saved = Match.load(ada.get(f"/api/tables/{finished}/match"))
    past = Match(saved.game, saved.seats)
    frames = frames_of(ada, finished)
    assert [frame["ply"] for frame in frames] == list(range(saved.ply + 1))
    for frame, action in zip(frames, [*saved.history, None], strict=True):
        assert frame["view"] == plain(past.view(0))
        assert (frame["scores"], frame["to_play"]) == (past.scores, past.to_play)
        if action:
            past.play(action)
    said = [" ".join([f["entry"]["key"].partition(".")[2], *f["entry"]["args"]]) for f in frames[1:]]
    assert said == saved.history


def test_a_part_of_the_history_begins_with_a_whole_view(ada: Guest, finished: str) -> None:
    whole, part = frames_of(ada, finished), frames_of(ada, finished, "?first=10&last=12")
    assert part == whole[10:13]
    assert ada.get(f"/api/tables/{finished}/history?first=9999", status=400)["reason"] == "bad_request"


def test_the_past_of_a_match_that_goes_on_shows_what_one_saw(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben, "via-nebula")
    mine, his = frames_of(ada, match), frames_of(ben, match)
    for ours, theirs in zip(mine, his, strict=True):
        assert ours["view"]["guilds"][1]["hand"] == []
        assert theirs["view"]["guilds"][0]["hand"] == []
    assert mine[-1]["view"]["guilds"][0]["hand"]
    dealt = [frame["entry"]["args"] for frame in mine[1:] if frame["entry"]["key"] == "via-nebula.deal"]
    assert {args[0]: args[1] == "?" for args in dealt} == {"1": False, "2": True}


def test_every_roll_can_be_checked_by_hand(ada: Guest, finished: str) -> None:
    dice = ada.get(f"/api/tables/{finished}/dice")
    assert hashlib.sha256(dice["seed"].encode()).hexdigest() == dice["commitment"]
    assert dice["commitment"] == ada.get(f"/api/tables/{finished}")["fairness"]["commitment"]
    saved = Match.load(ada.get(f"/api/tables/{finished}/match"))
    assert [roll["ply"] for roll in dice["rolls"]] == [ply for ply, actor in enumerate(saved.actors) if actor == -1]
    for roll in dice["rolls"]:
        outcomes, attempt = roll["outcomes"], 0
        while (number := hashed(dice["seed"], f"{roll['ply']}.{attempt}")) >= 2**256 - 2**256 % len(outcomes):
            attempt += 1
        assert outcomes[number % len(outcomes)] == roll["outcome"] == saved.history[roll["ply"]]


def hashed(seed: str, message: str) -> int:
    return int.from_bytes(hmac.digest(seed.encode(), message.encode(), "sha256"), "big")


def test_a_review_has_a_remark_on_every_action_and_is_kept(
    ada: Guest, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "THOUGHT", Budget(simulations=10))
    text = ada.get(f"/api/tables/{finished}/review")
    *remarks, end = map(json.loads, text.splitlines())
    saved = Match.load(ada.get(f"/api/tables/{finished}/match"))
    assert [r["ply"] for r in remarks] == [ply for ply, actor in enumerate(saved.actors) if actor >= 0]
    assert all(r["action"] == saved.history[r["ply"]] for r in remarks)
    assert end == {"kind": "end", "total": len(remarks)}
    monkeypatch.setattr(reviews.Reviews, "follow", None)
    assert ada.get(f"/api/tables/{finished}/review") == text


def test_before_the_end_there_is_nothing_to_check(ada: Guest, ben: Guest) -> None:
    match = two_at(ada, ben)
    for path in ("match", "dice", "review"):
        assert ada.get(f"/api/tables/{match}/{path}", status=409)["reason"] == "not_over"
    waiting = ada.table("moon-leap", "me", "open")["table"]["id"]
    assert ada.get(f"/api/tables/{waiting}/history", status=409)["reason"] == "not_started"
    assert ada.get(f"/api/tables/{waiting}/state", status=409)["reason"] == "not_started"
