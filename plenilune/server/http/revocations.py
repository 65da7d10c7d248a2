"""Revoked credentials. Processes notify one another, and poll in case a notification was lost."""

from __future__ import annotations

from collections.abc import Callable

from plenilune.server.clock import now
from plenilune.server.storage.store import Store

CHANNEL = "plenilune_revoked"
SKEW = 60_000  # milliseconds by which another process's clock may be behind


class Revocations:
    def __init__(self, store: Store, end: Callable[[str], None]) -> None:
        self._store, self._end = store, end
        self._done: set[tuple[str, int]] = set()  # people, and when they lost a credential
        self._polled = now()

    async def announce(self, person: str, at: int) -> None:
        """This process has revoked it: act on it, and notify the others."""
        if not self._store.shared:
            return self._end(person)
        self._revoke(person, at)
        await self._store.notify(CHANNEL, f"{person} {at}")

    def on_notification(self, payload: str) -> None:
        """Another process has revoked it."""
        person, _, at = payload.partition(" ")
        self._revoke(person, int(at))

    async def poll(self) -> None:
        """Find what a lost notification would have said."""
        since, at = self._polled - SKEW, now()
        for revoked in await self._store.people.revoked_since(since):
            self._revoke(*revoked)
        self._polled = at
        self._done = {revoked for revoked in self._done if revoked[1] >= since}

    def _revoke(self, person: str, at: int) -> None:
        """Only once: people with another credential may have reconnected since."""
        if (person, at) not in self._done:
            self._done.add((person, at))
            self._end(person)
