"""Attacks on identities and credentials."""

from __future__ import annotations

import itertools

from benchmarks.attackers.attacker import Attacker


class InvisibleNames(Attacker):
    harm = "a name that cannot be seen is accepted"
    pace = 1.0

    async def prepare(self) -> None:
        await super().prepare()
        self.names = itertools.cycle(["\u3164", "\u2800", "\uffa0", "\u115f", "\u200d", "\ufe0f", "\u034f", " "])

    async def attempt(self) -> None:
        answer = await self.client.post("/api/me", {"name": next(self.names)})
        self.note(not answer.fine, answer.fine)


class DeletedCredentials(Attacker):
    harm = "a key works after its owner was deleted"
    pace = 2.0

    async def attempt(self) -> None:
        client = await self.guest()
        deleted = await client.ask("DELETE", "/api/me")
        if not client.key or not deleted.fine:
            return self.note(True)
        known = (await client.get("/api/me")).json()["me"] is not None
        client.close()
        return self.note(not known, known)


class Metrics(Attacker):
    harm = "a stranger reads the operator's figures"
    pace = 1.0

    async def attempt(self) -> None:
        answer = await self.client.get("/metrics")
        self.note(not answer.fine, answer.fine)
