"""Attacks on the dice and on the daily ranking."""

from __future__ import annotations

from benchmarks.attackers.attacker import Attacker
from benchmarks.wire import finish


class Foresight(Attacker):
    harm = "a refusal names what is legal after the roll that follows"
    match = ""

    async def attempt(self) -> None:
        """Have a list refused behind a roll, and see whether the refusal knew what was rolled then."""
        before = await self.state(self.match) if self.match else None
        if not before or not before.get("legal"):
            made = await self.table("moon-leap", "me", "me")
            self.match = made["table"]["id"] if made else ""
            return
        action = self.random.choice(before["legal"])
        refusal = await self.play(self.match, before["ply"], [action, "roll 1"])
        preview = {"kind": "preview", "id": "x", "ply": before["ply"], "actions": [action, "roll 1"]}
        previewed = await self.client.post(f"/api/tables/{self.match}/preview", preview)
        played = await self.play(self.match, before["ply"], [action])
        after = await self.state(self.match)
        rolled = played.fine and played.json()["ply"] > before["ply"] + 1
        if rolled and after.get("to_play") == before["to_play"] and after["legal"]:
            told = [answer.body.decode().replace(action, "").replace("roll 1", "") for answer in (refusal, previewed)]
            named = any(all(text in said for text in after["legal"]) for said in told)
            self.note(not refusal.fine, named)


class DailyRehearsals(Attacker):
    harm = "an attempt is ranked after the deal was rehearsed under other names"
    pace = 0.5

    async def attempt(self) -> None:
        client = await self.guest()
        begun = await client.post("/api/daily/nova-luna")
        if not begun.fine:
            return self.note(True)
        await finish(client, begun.json()["id"], self.random)
        deal = (await client.get("/api/daily/nova-luna")).json()
        client.close()
        ranked = any(rank["mine"] for rank in deal.get("ranking", []))
        return self.note(not ranked, ranked)
