"""Attacks on the lobby."""

from __future__ import annotations

from benchmarks.attackers.attacker import Attacker
from benchmarks.wire import Live
from plenilune.server.tables.creation import MOST_WAITING_PUBLIC


class LobbySpam(Attacker):
    """Public tables under several names."""

    harm = "more tables from one address on the lobby's first page than its quota"
    people = 20

    async def prepare(self) -> None:
        self.clients = [await self.guest() for _ in range(self.people)]
        self.made: set[str] = set()

    async def attempt(self) -> None:
        client = self.random.choice(self.clients)
        made = await self.table("moon-leap", "me", "open", client=client, public=True)
        if made:
            self.made.add(made["table"]["id"])
        page = (await client.get("/api/lobby")).json().get("open", [])
        mine = sum(row["id"] in self.made for row in page)
        self.note(not made, mine > MOST_WAITING_PUBLIC)


class LobbyWatchers(Attacker):
    """Watches the lobby with many sockets, and has it change."""

    harm = "a change costs more than 8 kB for each who watches"
    people = 4
    pace = 1.0
    match = ""

    async def prepare(self) -> None:
        await super().prepare()
        self.watching = [await Live.open(await self.guest(), "/api/lobby/live") for _ in range(self.people)]
        for live in self.watching:
            await live.wait("lobby")

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", public=True)
        if not made:
            return self.note(True)
        for live in self.watching:
            before = live.received
            if await live.wait("lobby", "lobby_changes", patience=5):
                self.note(False, live.received - before > 8_000)
        await self.client.post(f"/api/tables/{made['table']['id']}/leave")
        return None
