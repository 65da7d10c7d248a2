"""Attacks on what the server stores."""

from __future__ import annotations

from benchmarks.attackers.attacker import Attacker
from plenilune.server.http.identity import MOST_KEYS
from plenilune.server.http.limits import CROWD
from plenilune.server.tables.creation import MOST_UNFINISHED


class GuestFlood(Attacker):
    harm = "more guests than the limit allows"
    budget = ("guest", CROWD)
    pace = 0.02

    async def attempt(self) -> None:
        answer = await self.client.ask("POST", "/api/me", {"name": "Mallory"}, key="")
        self.note(not answer.fine)


class TableFlood(Attacker):
    harm = "more tables than the limit allows, or than one person may have unfinished"
    budget = ("table", 1)
    pace = 0.02

    async def attempt(self) -> None:
        self.note(await self.table("moon-leap", "me", "open") is None)

    async def judge(self) -> None:
        await super().judge()
        unfinished = self.tally.attempts - self.tally.refused
        self.tally.harmed = max(self.tally.harmed, unfinished - MOST_UNFINISHED)


class KeyFlood(Attacker):
    harm = f"one person has more than {MOST_KEYS} keys"

    async def attempt(self) -> None:
        answer = await self.client.post("/api/me", {"name": "Mallory", "key": True})
        granted = 1 + self.tally.attempts - self.tally.refused
        self.note(not answer.fine, answer.fine and granted > MOST_KEYS)
