"""A new release continues the matches that are going on, and says which it cannot."""

import dataclasses
import re
import subprocess
import sys
from typing import Any

import pytest
import sqlalchemy as sa

from plenilune.position import layout
from plenilune.server.settings import Settings
from plenilune.server.storage import schema as stores
from plenilune.server.storage import verify as verifying
from plenilune.server.tables.table import Table
from tests.server.running import Guest, Running, running


def begun(server: Running, game: str = "nova-luna") -> tuple[str, dict[str, str]]:
    """A match with a few actions played."""
    ada = server.guest()
    match = ada.table(game, "me", "random")["table"]["id"]
    with ada.live(match) as live:
        for _ in range(3):
            live.my_turn()
            live.act()
        live.my_turn()
    return match, dict(ada.http.cookies)


def change(server: Running, match: str, **values: Any) -> None:
    update = stores.matches.update().where(stores.matches.c.id == match).values(**values)
    server.in_loop(server.server.store.execute(update))


def back(server: Running, cookies: dict[str, str]) -> Guest:
    guest = server.guest(None)
    guest.http.cookies.update(cookies)
    return guest


def test_another_layout_of_the_state_is_replayed_and_goes_on(settings: Settings) -> None:
    with running(settings) as server:
        match, cookies = begun(server)
        before = back(server, cookies).state(match)
        change(server, match, layout="older", state=b"of another shape")
    with running(settings) as server:
        ada = back(server, cookies)
        after = ada.state(match)
        assert (after["hash"], after["view"], after["legal"]) == (before["hash"], before["view"], before["legal"])
        with ada.live(match) as live:
            assert live.finish()["status"] == "over"


def test_other_rules_go_on_from_the_kept_state(settings: Settings) -> None:
    with running(settings) as server:
        match, cookies = begun(server)
        before = back(server, cookies).state(match)
        change(server, match, rules=0)
    with running(settings) as server:
        ada = back(server, cookies)
        assert ada.state(match)["view"] == before["view"]
        with ada.live(match) as live:
            assert live.finish()["status"] == "over"
        refused = ada.get(f"/api/tables/{match}/history", status=409)
        assert "there is no version 0 of nova-luna's rules" in refused["message"]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"rules": 0, "layout": "older"}, "there is no version 0 of nova-luna's rules; known: 1"),
        ({"components": "abc"}, "played with components abc; those in use are none"),
        ({"game": "chess"}, "no such game: 'chess'"),
    ],
)
def test_what_cannot_go_on_says_why_and_loses_nothing(settings: Settings, values: Any, reason: str) -> None:
    with running(settings) as server:
        match, cookies = begun(server)
        change(server, match, **values)
    with running(settings) as server:
        ada = back(server, cookies)
        table = ada.get(f"/api/tables/{match}")
        assert reason in table["problem"]
        refused = ada.play(match, "take 1", ply=table["ply"], status=409)
        assert (refused["reason"], reason in refused["message"]) == ("cannot_continue", True)
        assert ada.get(f"/api/tables/{match}/state", status=409)["reason"] == "cannot_continue"
        with ada.live(match) as live:
            assert reason in live.next()["table"]["problem"]
        assert [row["id"] for row in ada.get("/api/lobby")["mine"]] == [match]


def test_a_layout_is_its_fields_and_not_its_rules() -> None:
    from plenilune import load, names

    assert len({layout(load(name)) for name in names()}) == len(names())
    game = load("moon-leap")
    assert layout(dataclasses.replace(game, version=7)) == layout(game)


# plenilune verify --database


def verify(url: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "plenilune", "verify", "--database", url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_verify_replays_everything_and_lists_what_differs(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(settings) as server:
        good, older, forged, rolled = (begun(server, "moon-leap")[0] for _ in range(4))
        url = settings.url.replace("+aiosqlite", "")
        assert verifying.main(url) == 0
        assert capsys.readouterr().out == "4 good, 0 would play out otherwise\n"
        change(server, older, rules=0)
        change(server, forged, state=b"\0" * 82)
        other = "roll 1" if first_roll(server, rolled) != "roll 1" else "roll 2"
        where = (stores.actions.c.match == rolled) & (stores.actions.c.ply == 0)
        server.in_loop(server.server.store.execute(stores.actions.update().where(where).values(text=other)))
    done = verify(url)
    assert done.returncode == 1
    *lines, last = done.stdout.splitlines()
    assert last == "1 good, 3 would play out otherwise"
    found = {line.split()[0]: line.partition("): ")[2] for line in lines}
    assert good not in found
    assert found[older] == "rules: there is no version 0 of moon-leap's rules; known: 1, 2"
    assert found[forged] == "its actions lead to another state than is stored"
    assert re.fullmatch(f"ply 0: expected 'roll .' of this seed, not {other!r}", found[rolled])


def first_roll(server: Running, match: str) -> str:
    where = (stores.actions.c.match == match) & (stores.actions.c.ply == 0)
    found = server.in_loop(server.server.store.one(sa.select(stores.actions.c.text).where(where)))
    assert found
    return str(found["text"])


def test_verify_needs_to_know_what() -> None:
    command = [sys.executable, "-m", "plenilune", "verify"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "name files to verify, or a --database" in done.stderr) == (2, True)


def test_a_seat_to_play_is_the_same_after_a_restart_as_before(settings: Settings) -> None:
    """The row of a match says whose turn it is: it must agree with the state it is stored beside."""
    with running(settings) as server:
        match, cookies = begun(server, "via-nebula")
        table: Table = server.server.tables.loaded[match]
        row, position = table.state.row, table.state.position
        assert position
        assert (row.to_play, row.ply) == (position.to_play, position.ply)
        assert back(server, cookies).state(match)["to_play"] == row.to_play
