"""Operators and several server processes on one PostgreSQL: what one process does holds in the other."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plenilune.server.http.connections import BANNED
from tests.server.operating import Operator, closed, registered
from tests.server.running import Guest, Process
from tests.server.test_two_processes import SOON, table_across, two_servers


@pytest.fixture
def servers(database: str, tmp_path: Path) -> Iterator[list[Process]]:
    with two_servers(database, tmp_path, SOON) as processes:
        yield processes


def test_what_an_operator_does_at_one_server_holds_at_the_other(
    servers: list[Process], database: str, tmp_path: Path
) -> None:
    one, other = servers
    operator = Operator(one.address, registered("Olga", "--database", database, "--data", str(tmp_path)))
    ada, ben = Guest(one.address, "Ada"), Guest(other.address, "Ben")
    match = table_across(ada, ben)
    with ada.live(match) as hers, ben.live(match) as his:
        his.wait("welcome")
        hers.wait("welcome")
        deleted_everywhere(operator, ben, match, his)
        listed_from_everywhere(operator, {str(ada.id): [match], str(ben.id): [match]})
        banned_everywhere(operator, ben, his)
    assert operator.admin("POST", f"tables/{match}/close", {})["status"] == "over"
    for guest in (operator, ada, ben):
        guest.close()


def deleted_everywhere(operator: Operator, guest: Guest, match: str, live: Any) -> None:
    number = guest.post(f"/api/tables/{match}/say", {"kind": "say", "text": "vile"})["number"]
    assert live.wait("chat")["text"] == "vile"
    operator.admin("POST", f"tables/{match}/chat/{number}/delete", {})
    line = live.wait("chat")
    assert (line["number"], line["text"], line["deleted"]) == (number, "", True)


def listed_from_everywhere(operator: Operator, people: dict[str, list[str]]) -> None:
    answer = operator.admin("GET", "online")
    assert (answer["processes"], answer["missing"]) == (2, 0)
    assert {one["person"]: one["tables"] for one in answer["people"]} == people


def banned_everywhere(operator: Operator, guest: Guest, live: Any) -> None:
    operator.ban(person=guest.id)
    assert closed(live)[1] == BANNED
    assert guest.get("/api/me", status=403)["reason"] == "banned"


def test_a_server_that_does_not_answer_is_counted_as_missing(
    servers: list[Process], database: str, tmp_path: Path
) -> None:
    one, other = servers
    operator = Operator(one.address, registered("Olga", "--database", database, "--data", str(tmp_path)))
    other.process.send_signal(signal.SIGSTOP)
    try:
        answer = operator.admin("GET", "online")
        assert (answer["processes"], answer["missing"]) == (1, 1)
    finally:
        other.process.send_signal(signal.SIGCONT)
        operator.close()
