"""Attacks that found a hole in 0.1 and belong to no other file. docs/server.md lists all of them with their tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import sqlalchemy as sa

from benchmarks.attackers.harness import READY, kinds
from plenilune.server.http.identity import MOST_KEYS
from plenilune.server.storage.schema import chat
from plenilune.server.storage.store import CHAT_KEPT
from plenilune.server.tables.audience import CHAT_SENT
from tests.server.attempts import Attempts
from tests.server.running import Guest, Process, Running


def test_a_chat_flood_is_neither_kept_nor_sent_whole(attempts: Attempts, server: Running, ada: Guest) -> None:
    """Thirty idle sockets at a table with a long chat used to cost 800 MB."""
    match = ada.table("moon-leap", "me", "open")["table"]["id"]
    for number in range(CHAT_KEPT + 60):
        ada.post(f"/api/tables/{match}/say", {"kind": "say", "text": f"{number} " + "x" * 270})
    stored = server.in_loop(server.server.store.all(sa.select(chat.c.number).where(chat.c.match == match)))
    assert [row["number"] for row in stored] == list(range(61, CHAT_KEPT + 61))
    with ada.socket(f"/api/tables/{match}/live") as socket:
        welcome = socket.recv(20)
    lines = json.loads(welcome)["chat"]
    assert [line["number"] for line in lines] == list(range(CHAT_KEPT + 61 - CHAT_SENT, CHAT_KEPT + 61))
    assert len(welcome) < 64 * 1024
    assert len(server.server.tables.loaded[match].view().chat) == CHAT_KEPT
    attempts.add(CHAT_KEPT + 60)


def test_a_table_without_a_person_is_refused(ada: Guest) -> None:
    """Twenty such tables used to keep everybody else's bots waiting."""
    refused = ada.table("moon-leap", "mcts:20000", "mcts:20000", status=422)
    assert (refused["reason"], "at least one seat" in refused["message"]) == ("bad_setting", True)


def test_a_person_has_a_few_keys_and_can_revoke_each(server: Running, ada: Guest) -> None:
    keys = [ada.post("/api/keys", {"label": f"bot {number}"}) for number in range(MOST_KEYS)]
    assert ada.post("/api/keys", {"label": "one more"}, status=429)["reason"] == "too_many"
    listed = ada.get("/api/keys")["keys"]
    assert [key["label"] for key in listed] == [key["label"] for key in keys]
    assert not any(key["key"] for key in listed)  # shown once, when it is made
    program = server.guest(None)
    program.http.headers["authorization"] = f"Bearer {keys[0]['key']}"
    assert program.get("/api/me")["me"]["id"] == ada.id
    ada.ask("DELETE", f"/api/keys/{keys[0]['id']}")
    assert program.get("/api/me")["me"] is None
    assert len(ada.get("/api/keys")["keys"]) == MOST_KEYS - 1


def test_people_who_delete_themselves_revoke_every_credential(attempts: Attempts, server: Running, ada: Guest) -> None:
    key, cookies = ada.post("/api/keys", {"label": "bot"})["key"], dict(ada.http.cookies)
    ada.ask("DELETE", "/api/me")
    program, thief = server.guest(None), server.guest(None)
    program.http.headers["authorization"] = f"Bearer {key}"
    thief.http.cookies.update(cookies)
    assert [guest.get("/api/me")["me"] for guest in (program, thief)] == [None, None]
    attempts.add(2)


def test_no_kind_of_attacker_does_harm(compiled: None, tmp_path: Path) -> None:
    """One of each, side by side and briefly; the deadlines of connections have tests of their own."""
    server = Process("--data", str(tmp_path), PLENILUNE_BOT_PAUSE="0")
    try:
        command = ["-m", "benchmarks.attackers", "--json", "--each", "1", "--seconds", "8", "--server", server.address]
        done = subprocess.run([sys.executable, *command], capture_output=True, timeout=240)
    finally:
        server.stop()
    assert done.stdout.startswith(READY), done.stderr.decode()
    tallies = {tally["kind"]: tally for tally in json.loads(done.stdout.removeprefix(READY))}
    assert list(tallies) == [kind.kind() for kind in kinds()]
    assert {kind: tally["harm"] for kind, tally in tallies.items() if tally["harmed"]} == {}
    assert sum(tally["attempts"] > 0 for tally in tallies.values()) > len(tallies) // 2  # on a busy machine, not all
