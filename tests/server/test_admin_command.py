"""`plenilune admin`: keys in the database, everything else asked of the running server."""

from __future__ import annotations

import http.server
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plenilune.commands.admin.keys import FILE, VARIABLE
from plenilune.commands.main import main
from tests.server.operating import Operator, admin, visitor
from tests.server.running import Guest, Running

HOSTILE = "[red]x[/red] \x1b[31m<b>"
Command = Callable[..., str]


@pytest.fixture(autouse=True)
def nobodys_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def command(server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command on the server's own machine; returns what it prints."""

    def run(*words: str, fails: bool = False) -> str:
        code = main(["admin", *words, "--server", server.address, "--data", str(tmp_path)])
        said = capsys.readouterr()
        assert code == (2 if fails else 0), said.err
        return said.err if fails else said.out

    return run


def answer(text: str) -> Any:
    return json.loads(text)


# Keys


def test_a_key_is_shown_once_and_kept_as_a_digest(tmp_path: Path) -> None:
    """Without a server: the database is made if there is none."""
    done = admin("key", "Olga", "--data", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (key,) = re.findall(r"^operator-[0-9a-f]{32}$", done.stdout, re.MULTILINE)
    listed = admin("keys", "--json", "--data", str(tmp_path)).stdout
    assert [one["name"] for one in answer(listed)["keys"]] == ["Olga"]
    assert key not in listed
    for file in tmp_path.iterdir():
        assert key.encode() not in file.read_bytes()


def test_a_key_works_until_it_is_revoked(server: Running, command: Command) -> None:
    """The server need not be told."""
    operator = Operator(server.address, answer(command("key", "Olga", "--json"))["key"])
    assert operator.admin("GET", "bans") == {"bans": []}
    assert "already" in command("key", "Olga", fails=True)
    assert "Olga" in command("keys")
    command("revoke", "Olga")
    assert operator.admin("GET", "bans", status=403)["reason"] == "forbidden"
    assert command("revoke", "Olga", fails=True) == "plenilune: there is no operator 'Olga'\n"
    operator.close()


def test_on_the_servers_machine_no_key_is_needed(command: Command, tmp_path: Path) -> None:
    assert "There is nothing." in command("bans")
    file = tmp_path / FILE
    assert file.stat().st_mode & 0o777 == 0o600
    first = file.read_text()
    command("bans")
    assert file.read_text() == first
    (name,) = [one["name"] for one in answer(command("keys", "--json"))["keys"]]
    command("revoke", name)
    command("bans")
    assert file.read_text() != first  # a revoked key stays revoked
    actions = [(e["action"], e["target"]) for e in answer(command("audit", "--json"))["entries"]]
    assert actions == [("add_key", name), ("revoke_key", name), ("add_key", name)]


def test_a_lost_key_file_is_replaced(command: Command, tmp_path: Path) -> None:
    command("bans")
    (tmp_path / FILE).unlink()
    command("bans")
    assert len(answer(command("keys", "--json"))["keys"]) == 1


# What operators do


def test_who_is_online(server: Running, ada: Guest, command: Command) -> None:
    assert "There is nothing." in command("online")
    with ada.live(ada.table("moon-leap", "me", "open")["table"]["id"]) as live:
        match = live.wait("welcome")["table"]["id"]
        printed = command("online")
        assert all(word in printed for word in (str(ada.id), "Ada", "127.0.0.1", match))


def test_tables_chat_and_reports(ada: Guest, ben: Guest, command: Command) -> None:
    match = ada.table("moon-leap", "me", "open")["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    ben.post(f"/api/tables/{match}/say", {"kind": "say", "text": HOSTILE})
    ada.post(f"/api/tables/{match}/report", {"line": 1, "note": HOSTILE})
    assert match in command("tables", "Ada", "--status", "playing")
    assert match not in command("tables", "--status", "waiting")
    reports = command("reports")
    assert reports.count("[red]x[/red] [31m<b>") == 2  # as it was written, without what a terminal would obey
    assert "\x1b" not in reports
    (report,) = answer(command("reports", "--json"))["reports"]
    assert command("chat", "delete", match, "1", "--note", "rude") == "Line 1 is deleted.\n"
    assert "(deleted)" in command("chat", "list", match)
    assert command("close-report", report["id"]) == f"Report {report['id']} is closed.\n"
    assert "There is nothing." in command("reports")
    assert report["id"] in command("reports", "--all")
    assert command("close", match, "--note", "abuse") == f"Table {match} is closed.\n"
    assert ada.get(f"/api/tables/{match}")["status"] == "over"
    audit = [(e["action"], e["note"]) for e in answer(command("audit", "--json"))["entries"]]
    assert audit[:4] == [("close_table", "abuse"), ("close_report", ""), ("read_chat", ""), ("delete_line", "rude")]
    assert "close_table" in command("audit")


def test_banning_and_unbanning(server: Running, ada: Guest, command: Command) -> None:
    printed = command("ban", "person", str(ada.id), "--reason", "spam", "--days", "2")
    assert printed.startswith(f"Ada ({ada.id}) is banned until ")
    (ban,) = answer(command("bans", "--json"))["bans"]
    assert abs(ban["until"] - 1000 * (time.time() + 2 * 24 * 3600)) < 60_000
    assert ada.get("/api/me", status=403)["reason"] == "banned"
    assert "Ada" in command("bans")
    assert command("unban", ban["id"]) == "The ban of Ada is lifted.\n"
    assert "for good" in command("ban", "address", "203.0.113.7", "--reason", "spam")
    guest = visitor(server.address, "203.0.113.7", None)
    assert guest.get("/api/me", status=403)["reason"] == "banned"
    guest.close()


# What cannot be done is said in one sentence


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ban", "address", "moon", "--reason", "spam"], "an address is IPv4 or IPv6, not 'moon'"),
        (["ban", "person", "a" * 16, "--reason", "spam"], f"there is no person '{'a' * 16}'"),
        (["ban", "person", "../audit", "--reason", "spam"], "not what the protocol says: "),
        (["ban", "person", "a" * 16], "the following arguments are required: --reason"),
        (["close", "a" * 16], f"there is no table '{'a' * 16}'"),
        (["close", "../bans"], "there is no "),
        (["chat", "delete", "a" * 16, "1"], f"there is no table '{'a' * 16}'"),
        (["unban", "nothing"], "there is no ban 'nothing'"),
        (["close-report", "nothing"], "there is no open report 'nothing'"),
    ],
)
def test_what_the_server_refuses_is_said_in_one_sentence(command: Command, words: list[str], said: str) -> None:
    printed = command(*words, fails=True)
    assert printed.startswith(f"plenilune: {said}")
    assert printed.count("\n") == 1


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Some other server, which redirects every request to yet another one."""

    heard: list[str]
    server: http.server.HTTPServer

    def do_GET(self) -> None:
        self.heard.append(self.path)
        self.send_response(302 if self.path.startswith("/api") else 200)
        self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/stolen")
        self.end_headers()

    def log_message(self, *words: Any) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    heard: list[str] = []
    server = http.server.HTTPServer(("127.0.0.1", 0), type("Handler", (Elsewhere,), {"heard": heard}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", heard
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_key_is_sent_to_the_named_server_alone(
    elsewhere: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "operator-" + "0" * 32)
    address, heard = elsewhere
    assert main(["admin", "bans", "--server", address]) == 2
    assert heard == ["/api/admin/bans"]
    assert f"no Plenilune answers at {address}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("server", "said"),
    [
        ("http://127.0.0.1:9", "no Plenilune answers at http://127.0.0.1:9 ("),
        ("http://moon.example", "http://moon.example is not encrypted: the key would be sent in the clear; use https"),
        ("moon.example", "a server is http://… or https://…, not 'moon.example'"),
        ("https://moon.example", f"no key for moon.example: put one in {VARIABLE}"),
    ],
)
def test_a_server_that_cannot_be_asked(
    tmp_path: Path, server: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["admin", "bans", "--data", str(tmp_path), "--server", server]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"plenilune: {said}")
    assert printed.count("\n") == 1


def test_a_key_in_another_servers_folder_is_not_enough(
    server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    assert main(["admin", "bans", "--data", str(other), "--server", server.address]) == 2
    assert "give --data and --database as the server has them" in capsys.readouterr().err


def test_a_key_file_of_somebody_else_is_not_replaced(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_text

    def hidden(path: Path, *arguments: Any, **more: Any) -> str:
        if path.name == FILE:
            raise PermissionError(13, "Permission denied", str(path))
        return read(path, *arguments, **more)

    command("bans")
    before = (tmp_path / FILE).read_bytes()
    monkeypatch.setattr(Path, "read_text", hidden)
    assert "operator.key cannot be read: run this as the server's user" in command("bans", fails=True)
    assert (tmp_path / FILE).read_bytes() == before


def test_admin_alone_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("online", "tables", "close", "chat", "ban", "bans", "reports", "audit"))
