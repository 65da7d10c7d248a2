"""Servers that are killed at random moments lose nothing they have acknowledged, and go on where they were.

PLENILUNE_LONG_TESTS=on kills through 200 matches on each database instead of a few.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from plenilune import Match, load
from plenilune.server.storage import verify as verifying
from tests.play import package_games
from tests.server.attempts import Attempts
from tests.server.running import PATIENCE, Guest, Live, Process, new_id

LONG = os.environ.get("PLENILUNE_LONG_TESTS") == "on"
MATCHES = 200 if LONG else 6
TOGETHER = 10 if LONG else 6  # matches that go on at the same time
KILLS = 3  # of the server while they do
GONE = (WebSocketException, httpx.HTTPError, OSError, EOFError)  # how a client sees that a server was killed
QUICK = {"PLENILUNE_LIMITS": "off", "PLENILUNE_BOT_PAUSE": "0", "PLENILUNE_LEASE": "0.5", "PLENILUNE_THINKERS": "2"}


def seating(game: str, seats: int, before: int) -> tuple[str, ...]:
    """A person among bots, so many of them before the person."""
    bots = ["greedy" if number else "random" for number in range(seats - 1)]
    return (game, *bots[:before], "me", *bots[before:])


# Every game with its fewest seats, and with its most.
TABLES = [seating(name, load(name).seats[end], -end) for name in package_games() for end in (0, -1)]


class Mortal:
    """A server that is killed now and then, and started again on the same database."""

    def __init__(self, folder: Path, database: str, module: str = "plenilune") -> None:
        self.module = module
        self.arguments = ["--data", str(folder), *(["--database", database] if database else [])]
        self.running = threading.Event()
        self.acknowledged = 0  # how much has been told to anybody
        self.start()

    def start(self) -> None:
        self.process = Process(*self.arguments, module=self.module, **QUICK)
        self.running.set()

    def kill(self) -> None:
        self.running.clear()
        self.process.kill()

    def kill_after(self, more: int, player: random.Random, matches: list[Any]) -> bool:
        """Once so much more has been acknowledged, and a random moment later; not when all matches are over."""
        until = self.acknowledged + more
        while self.acknowledged < until:
            if all(match.done() for match in matches):
                return False
            time.sleep(0.001)
        time.sleep(player.random() * 0.02)
        self.kill()
        self.start()
        return True

    @property
    def address(self) -> str:
        assert self.running.wait(6 * PATIENCE), "the server has not come back"
        return self.process.address


class Player:
    """Plays one match to its end, over and over again from where the server says that it is; and remembers all that it
    was told."""

    def __init__(self, server: Mortal, table: tuple[str, ...], seed: int) -> None:
        self.server, self.random = server, random.Random(seed)
        self.ada = Guest(server.address)
        made = self.ada.table(*table)["table"]
        self.match, self.seat = made["id"], made["mine"][0]
        self.hashes: dict[int, str] = {}  # by ply, of what was seen
        self.log: dict[int, Any] = {}  # by ply
        self.played: dict[str, tuple[dict[str, Any], int, str]] = {}  # by id: what was asked, and what was answered
        self.asked: dict[str, Any] | None = None  # and not yet answered

    def finish(self) -> Player:
        while True:
            try:
                with self.back() as live:
                    self._play(live)
                return self
            except GONE:
                time.sleep(0.01)

    @contextmanager
    def back(self) -> Iterator[Live]:
        with self.guest() as guest, guest.live(self.match) as live:
            yield live

    @contextmanager
    def guest(self) -> Iterator[Guest]:
        """The same person again, at the server there is now."""
        guest = Guest(self.server.address, None)
        guest.http.cookies.update(self.ada.http.cookies)
        try:
            yield guest
        finally:
            guest.close()

    def _play(self, live: Live) -> None:
        if self.asked:  # nobody knows whether it was played: ask again
            self._ask(live)
        while self._my_turn(live):
            action = self.random.choice(live.update["legal"])
            self.asked = {"id": new_id(), "ply": live.update["ply"], "actions": [action]}
            self._ask(live)
        while live.table["status"] != "over":
            self._next(live)

    def _my_turn(self, live: Live) -> bool:
        while not (live.update and (live.update["legal"] or live.update["to_play"] == -2)):
            self._next(live)
        return bool(live.update["legal"])

    def _ask(self, live: Live) -> None:
        assert self.asked
        live.say("play", **self.asked)
        while (answer := self._next(live)).get("id") != self.asked["id"]:
            pass
        assert answer["kind"] == "played", answer
        self.played[answer["id"]] = (self.asked, answer["ply"], answer["hash"])
        self.server.acknowledged += 1
        self.asked = None
        while live.update is None or live.update["ply"] < answer["ply"]:
            self._next(live)

    def _next(self, live: Live) -> Any:
        message = live.next(2 * PATIENCE)
        if message["kind"] == "update":
            self.hashes.setdefault(message["ply"], message["hash"])
            assert self.hashes[message["ply"]] == message["hash"], "another board than was told before"
            for entry in message["log"]:
                assert self.log.setdefault(entry["ply"], entry) == entry, "another action than was told before"
            self.server.acknowledged += 1
        return message

    def check(self) -> None:
        """Everything that was told is in the match, each request once, and the dice are the seed's."""
        with self.guest() as guest:
            frames = {frame["ply"]: frame for frame in all_frames(guest, self.match, self.seat)}
            text = guest.get(f"/api/tables/{self.match}/match")
        assert {ply: frames[ply]["hash"] for ply in self.hashes} == self.hashes
        for asked, ply, hash in self.played.values():
            entry = frames[asked["ply"] + 1]["entry"]
            said = " ".join([entry["key"].partition(".")[2], *entry["args"]])
            assert (said, entry["actor"], entry["by"]) == (*asked["actions"], self.seat, "person")
            assert frames[ply]["hash"] == hash
        mine = [f for f in frames.values() if f["entry"] and f["entry"]["by"] == "person"]
        assert len(mine) == len(self.played)
        again = Match.load(text, check_dice=True)
        assert (again.over, again.ply) == (True, max(frames))


def all_frames(guest: Guest, match: str, viewer: int) -> Iterator[Any]:
    first = 0
    while True:
        found = guest.get(f"/api/tables/{match}/history?first={first}&viewer={viewer}")
        yield from found["frames"]
        if found["last"] >= found["ply"]:
            return
        first = found["last"] + 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_killed_server_loses_nothing_it_has_acknowledged(
    attempts: Attempts, kind: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    database = request.getfixturevalue("database") if kind == "postgresql" else ""
    player, server, kills = random.Random(kind), Mortal(tmp_path, database), 0
    try:
        for first in range(0, MATCHES, TOGETHER):
            kills += play_and_kill(server, first, player)
    finally:
        server.process.stop()
    assert kills >= MATCHES / TOGETHER  # at random moments, but not by chance never
    assert verifying.main(database or f"sqlite:///{tmp_path / 'plenilune.sqlite'}") == 0
    assert capsys.readouterr().out == f"{MATCHES} good, 0 would play out otherwise\n"
    attempts.add(kills)


def play_and_kill(server: Mortal, first: int, player: random.Random) -> int:
    """So many matches at once, with a server that is killed while they go on; returns how often."""
    tables = [TABLES[number % len(TABLES)] for number in range(first, first + TOGETHER)]
    players = [Player(server, table, first + number) for number, table in enumerate(tables)]
    with ThreadPoolExecutor(TOGETHER) as pool:
        matches = [pool.submit(one.finish) for one in players]
        kills = sum(server.kill_after(player.randint(1, 40 * TOGETHER), player, matches) for _ in range(KILLS))
        try:
            for match in matches:
                match.result(30 * PATIENCE).check()
        finally:
            for one in players:
                one.ada.close()
    return kills


def test_a_server_that_acknowledges_before_it_keeps_is_found_out(tmp_path: Path) -> None:
    server = Mortal(tmp_path, "", module="tests.server.forgetful")
    try:
        with pytest.raises(AssertionError):
            play_and_kill_often(server)
    finally:
        server.process.stop()


def play_and_kill_often(server: Mortal) -> None:
    for first in range(0, 5 * TOGETHER, TOGETHER):
        play_and_kill(server, first, random.Random(first))
