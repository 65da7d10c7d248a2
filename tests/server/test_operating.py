"""docs/operating.md and its files: the proxies' configurations, the unit, the tables of limits, and the commands."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.server.operating import Operator, make_key
from tests.server.proxies import PROXIES, Proxy, proxied
from tests.server.running import PATIENCE, Live, Running, wish

VISITOR = "127.0.0.2"  # also this machine's, but not the address that proxies are trusted at
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
            origin=self.proxy.address,
            additional_headers=headers,  # type: ignore[arg-type]
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


def test_http_leads_to_https(proxy: Proxy) -> None:
    answer = httpx.get(f"http://localhost:{proxy.plain}/table/abc")
    assert answer.status_code in (301, 308)
    assert answer.headers["location"] == "https://localhost/table/abc"
