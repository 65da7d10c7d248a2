"""An operator for the tests, and visitors from other addresses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from websockets.exceptions import ConnectionClosed

from plenilune.server.http.operators import new_key
from plenilune.server.storage.moderation import entry
from plenilune.server.storage.rows import digest
from tests.server.running import Guest, Live, Running


class Operator(Guest):
    """Asks with an operator's key."""

    def __init__(self, address: str, key: str) -> None:
        super().__init__(address, None)
        self.http.headers["Authorization"] = f"Bearer {key}"

    def admin(self, method: str, path: str, body: Any = None, status: int | None = None) -> Any:
        return self.ask(method, f"/api/admin/{path}", body, status)

    def ban(self, status: int | None = None, **fields: Any) -> Any:
        return self.admin("POST", "bans", {"reason": "spam", **fields}, status)

    def audit(self) -> list[tuple[str, str, str]]:
        """Action, target and note, the oldest first."""
        entries = self.admin("GET", "audit")["entries"]
        return [(e["action"], e["target"], e["note"]) for e in reversed(entries)]


def admin(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """`plenilune admin …`"""
    command = [sys.executable, "-m", "plenilune", "admin", *arguments]
    return subprocess.run(command, env=os.environ | (environment or {}), capture_output=True, text=True, timeout=60)


def registered(name: str, *arguments: str) -> str:
    """A key that the command line has made."""
    done = admin("key", name, "--json", *arguments)
    assert done.returncode == 0, done.stderr
    key: str = json.loads(done.stdout)["key"]
    return key


def make_key(server: Running, name: str) -> str:
    key = new_key()
    server.in_loop(server.server.store.moderation.add_operator(name, digest(key), entry("test", "add_key", name)))
    return key


def closed(live: Live) -> tuple[list[Any], int]:
    """What is said until the socket is closed, and the code it is closed with."""
    said: list[Any] = []
    try:
        while True:
            said.append(live.next())
    except ConnectionClosed as ended:
        return said, ended.rcvd.code if ended.rcvd else 0


def visitor(address: str, network: str, name: str | None) -> Guest:
    """A guest whom the server sees at that address: it trusts what a proxy on its own machine says."""
    guest = Guest(address, None)
    guest.http.headers["X-Forwarded-For"] = network
    if name:
        guest.id = guest.post("/api/me", {"name": name})["id"]
    return guest
