"""docs/operating.md and its files: the proxies' configurations, the unit, the tables of limits, and the commands."""

from __future__ import annotations

import importlib
import ipaddress
import itertools
import json
import math
import re
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from string import Template
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from plenilune.commands.admin import client
from plenilune.commands.main import main
from plenilune.server.http import limits
from plenilune.server.settings import KINDS, Settings
from plenilune.server.thinking import budgets
from tests.server.operating import Operator, make_key
from tests.server.proxies import FORWARDER, OPERATING, PROXIES, SLOW, Proxy, proxied, replaced
from tests.server.running import PATIENCE, Guest, Live, Running, wish

VISITOR = "127.0.0.2"  # also this machine's, but not the address that proxies are trusted at
DATABASES = {"DATABASE": "plenilune.sqlite", "NEW_DATABASE": "new.sqlite"}
RATES = ("kind", "what", "at once", "then, a second")
FORGED = {"X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9", "X-Forwarded-Proto": "http"}


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest, server: Running, tmp_path: Path) -> Iterator[Proxy]:
    folder = tmp_path / "proxy"
    folder.mkdir()
    with proxied(request.param, folder, server.address.removeprefix("http://")) as running:
        yield running


class Visitor:
    """A browser on the other side of the proxy, at an address of its own."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        transport = httpx.HTTPTransport(verify=proxy.trust, local_address=VISITOR)
        headers = {"Origin": proxy.address, **FORGED}
        self.http = httpx.Client(base_url=proxy.address, transport=transport, headers=headers, timeout=PATIENCE)

    def post(self, path: str, body: Any) -> httpx.Response:
        return self.http.post(path, json=body)

    @contextmanager
    def live(self, match: str) -> Iterator[Live]:
        with self.socket(f"/api/tables/{match}/live") as opened:
            yield Live(opened)

    @contextmanager
    def socket(self, path: str) -> Iterator[ClientConnection]:
        raw = socket.create_connection(("127.0.0.1", self.proxy.secure), PATIENCE, source_address=(VISITOR, 0))
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookies, **FORGED}
        url = self.proxy.address.replace("https", "wss") + path
        with connect(
            url,
            sock=raw,
            ssl=self.proxy.trust,
            origin=Origin(self.proxy.address),
            additional_headers=headers,
            open_timeout=PATIENCE,
        ) as opened:
            yield opened


def test_a_match_is_played_through_the_proxy(server: Running, proxy: Proxy) -> None:
    """Over TLS: the cookie is for this host alone, the visitor's address is known, and one that they forge is not."""
    operator, visitor = Operator(server.address, make_key(server, "Olga")), Visitor(proxy)
    introduced = visitor.post("/api/me", {"name": "Ada"})
    cookie = SimpleCookie(introduced.headers["set-cookie"])["__Host-plenilune"]
    assert (cookie["secure"], cookie["httponly"], cookie["path"], cookie["domain"]) == (True, True, "/", "")
    assert "max-age=31536000" in introduced.headers["strict-transport-security"]
    seats = [wish("me"), wish("random")]
    match = visitor.post("/api/tables", {"game": "moon-leap", "seats": seats}).json()["table"]["id"]
    with visitor.live(match) as live:
        live.my_turn()
        live.act()
        (seen,) = operator.admin("GET", "online")["people"]
        assert (seen["name"], seen["networks"]) == ("Ada", [VISITOR])
        comes_line_by_line(visitor, match)
    visitor.http.close()
    operator.close()


def comes_line_by_line(visitor: Visitor, match: str) -> None:
    """A line is there when it is written, not when the stream ends."""
    with visitor.http.stream("GET", f"/api/tables/{match}/stream") as response:
        assert json.loads(next(response.iter_lines()))["kind"] == "welcome"


def test_other_sites_and_large_requests_are_refused(proxy: Proxy) -> None:
    visitor = Visitor(proxy)
    visitor.http.headers["Origin"] = "https://elsewhere.example"
    assert visitor.post("/api/me", {"name": "Ada"}).json()["reason"] == "wrong_origin"
    assert visitor.post("/api/me", {"name": "x" * 70_000}).status_code == 413
    visitor.http.close()


def test_a_body_that_does_not_come_is_not_waited_for_and_a_quiet_socket_is_kept(server: Running, proxy: Proxy) -> None:
    visitor = Visitor(proxy)
    visitor.post("/api/me", {"name": "Ada"})
    seats = [wish("me"), wish("me")]
    match = visitor.post("/api/tables", {"game": "moon-leap", "seats": seats}).json()["table"]["id"]
    with visitor.http.stream("GET", f"/api/tables/{match}/stream") as stream, visitor.live(match) as live:
        live.wait("update")
        assert seconds_until_closed(proxy) < SLOW + 10
        time.sleep(SLOW)
        live.act()
        told = (json.loads(line) for line in stream.iter_lines() if line.strip())
        assert next(said for said in told if said.get("ply") == live.update["ply"])
    visitor.http.close()


def seconds_until_closed(proxy: Proxy) -> float:
    """For how long the proxy waits for a body of which nothing but the first byte comes."""
    head = "POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
    raw = socket.create_connection(("127.0.0.1", proxy.secure), PATIENCE)
    with proxy.trust.wrap_socket(raw, server_hostname="localhost") as wire:
        wire.sendall(head.encode())
        began = time.monotonic()
        while wire.recv(4096):
            pass
        return time.monotonic() - began


NETWORKS = {
    "203.0.113.7": "203.0.113.7",
    "2001:db8::1": "2001:db8::/64",
    "2001:db8:0:0:1::": "2001:db8::/64",
    "2001:db8::1:2:3:4": "2001:db8::/64",
    "2001:db8:0:1::1": "2001:db8:0:1::/64",
    "2001:a0a:a0a:a0a:a0a:a0a:a0a:a0a": "2001:a0a:a0a:a0a::/64",  # whose bytes are ends of lines
    "::ffff:203.0.113.7": "203.0.113.7",
}


def test_nginx_counts_the_connections_of_networks_as_the_server_does(server: Running, tmp_path: Path) -> None:
    assert "limit_conn_zone $plenilune_network " in (OPERATING / "nginx.conf").read_text("utf-8")
    with proxied("nginx", tmp_path, server.address.removeprefix("http://")) as proxy:
        transport = httpx.HTTPTransport(verify=proxy.trust, local_address=FORWARDER)
        with httpx.Client(base_url=proxy.address, transport=transport) as forwarder:
            for address, network in NETWORKS.items():
                counted = forwarder.get("/network", headers={"X-Visitor": address}).content
                assert limits.network(address) == network
                assert counted == ipaddress.ip_network(network).network_address.packed[:8], address


def test_http_leads_to_https(proxy: Proxy) -> None:
    answer = httpx.get(f"http://localhost:{proxy.plain}/table/abc")
    assert answer.status_code in (301, 308)
    assert answer.headers["location"] == "https://localhost/table/abc"


# The page itself


PAGE = (OPERATING.parent / "operating.md").read_text("utf-8")


def blocks(language: str) -> str:
    return "\n".join(re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL))


def rows(*header: str) -> Iterator[list[str]]:
    """The rows of every table with these columns."""
    lines = iter(PAGE.splitlines())
    for line in lines:
        if _cells(line) == list(header):
            next(lines)
            yield from map(_cells, itertools.takewhile(lambda row: row.startswith("|"), lines))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_every_rate_is_in_the_table_and_as_it_says() -> None:
    told = {kind.strip("`"): (float(burst), float(rate)) for kind, _, burst, rate in rows(*RATES)}
    assert told == limits.LIMITS
    assert f"a network may do {limits.CROWD} times as much" in " ".join(PAGE.split())
    assert f"a network has {budgets.CROWD} times as many" in PAGE


def test_every_other_limit_is_what_the_code_says() -> None:
    found = list(rows("what", "limit", "beyond it", "in the code"))
    assert len(found) > 30
    for what, limit, _, code in found:
        assert float(limit) == value(code.strip("`")), what
    assert set(limits.CAPS) == {re.findall('"(.*)"', code)[0] for *_, code in found if ".CAPS[" in code}


def value(name: str) -> float:
    """Of `http.limits.CAPS["person"]`."""
    module, _, constant = name.partition("[")[0].rpartition(".")
    found = getattr(importlib.import_module(f"plenilune.server.{module}"), constant)
    return float(found[name.split('"')[1]] if "[" in name else found)


def test_every_retention_is_what_the_settings_say() -> None:
    told = {setting.strip("`"): days for _, days, setting in rows("what", "days", "setting")}
    kept = {f"PLENILUNE_KEEP_{name.upper()}": days for name, days in Settings().kept().items()}
    assert {name: math.inf if days == "forever" else float(days) for name, days in told.items()} == kept


def test_every_figure_on_the_page_exists(server: Running) -> None:
    text = server.server.metrics.text().decode()
    there = {name.removesuffix("_total") for name in re.findall(r"# TYPE (\w+)", text)}
    told = {re.sub("_total$|_bucket$", "", name) for name in re.findall(r"\bplenilune_[a-z_]+", PAGE)}
    assert told == there


def test_the_commands_on_the_page_do_what_it_says(
    server: Running, ada: Guest, ben: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ada.table("moon-leap", "me", "open")["table"]["id"]
    ben.post(f"/api/tables/{match}/join", {})
    ben.post(f"/api/tables/{match}/say", {"kind": "say", "text": "something vile"})
    ada.post(f"/api/tables/{match}/report", {"line": 1})
    monkeypatch.setenv("PLENILUNE_DATA", str(tmp_path))
    monkeypatch.delenv("PLENILUNE_OPERATOR_KEY", raising=False)
    monkeypatch.setattr(client, "SERVER", server.address)
    names = {"MATCH": match, "LINE": "1", "PERSON": str(ben.id), "BACKUP": f"{tmp_path}/backup"}
    names |= {name: f"sqlite:///{tmp_path}/{file}" for name, file in DATABASES.items()}
    commands = [line for line in blocks("sh").splitlines() if line]
    assert len(commands) > 15
    operator = Operator(server.address, make_key(server, "test"))
    for command in commands:
        reports, bans = operator.admin("GET", "reports")["reports"], operator.admin("GET", "bans")["bans"]
        names |= {"REPORT": reports[0]["id"] if reports else "", "BAN": bans[-1]["id"] if bans else ""}
        program, *words = shlex.split(Template(command).substitute(names))
        assert program == "plenilune"
        assert main(words) == 0, command
    assert ada.get(f"/api/tables/{match}")["status"] == "over"
    assert [ban["network"] for ban in operator.admin("GET", "bans")["bans"]] == ["203.0.113.7"]
    operator.close()


def test_the_files_that_the_page_names_are_there() -> None:
    named = {Path(name).name for name in re.findall(r"operating/([\w.]+)", PAGE)}
    assert named == {file.name for file in OPERATING.iterdir()}


# The unit and the container file


def test_the_unit_is_understood_and_gives_few_rights(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if not program:
        pytest.skip("systemd is not here")
    unit = (OPERATING / "plenilune.service").read_text("utf-8")
    file = tmp_path / "plenilune.service"
    file.write_text(replaced(unit, {"/opt/plenilune/bin/plenilune": "/bin/true"}))
    for words in (["verify"], ["security", "--offline=true", "--threshold=20"]):
        done = subprocess.run([program, *words, str(file)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Unknown" not in done.stderr


@pytest.mark.parametrize("file", ["plenilune.service", "Containerfile"])
def test_settings_in_the_files_are_settings(file: str) -> None:
    text = (OPERATING / file).read_text("utf-8")
    found = set(re.findall(r"\bPLENILUNE_([A-Z_]+)", text))
    assert "DATA" in found
    assert found <= {name.upper() for name in KINDS}
