"""An operator for the tests, and visitors from other addresses."""

from __future__ import annotations

from typing import Any

from plenilune.server.http.operators import new_key
from plenilune.server.storage.moderation import entry
from plenilune.server.storage.rows import digest
from tests.server.running import Guest, Running


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


def make_key(server: Running, name: str) -> str:
    key = new_key()
    server.in_loop(server.server.store.moderation.add_operator(name, digest(key), entry("test", "add_key", name)))
    return key


def visitor(address: str, network: str, name: str | None) -> Guest:
    """A guest whom the server sees at that address: it trusts what a proxy on its own machine says."""
    guest = Guest(address, None)
    guest.http.headers["X-Forwarded-For"] = network
    if name:
        guest.id = guest.post("/api/me", {"name": name})["id"]
    return guest
