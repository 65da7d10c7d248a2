"""Attacks on other players: their turns, clocks and seats."""

from __future__ import annotations

import asyncio

from benchmarks.attackers.attacker import Attacker


class ClockRefills(Attacker):
    """Leaves and comes back when little time is left."""

    harm = "a clock shows more time after leaving and coming back"

    async def prepare(self) -> None:
        self.client, self.other = await self.guest(), await self.guest()

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", clock={"kind": "bank", "bank": 5})
        if not made:
            return self.note(True)
        match = made["table"]["id"]
        joined = (await self.other.post(f"/api/tables/{match}/join")).json()
        mine = joined.get("to_play")
        player = self.client if mine == 0 else self.other
        await asyncio.sleep(1)
        left = await player.post(f"/api/tables/{match}/leave")
        back = await player.post(f"/api/tables/{match}/return")
        after = (await player.get(f"/api/tables/{match}")).json()
        bank = (after.get("clocks") or {"left": {}})["left"]
        self.note(not (left.fine and back.fine), left.fine and back.fine and bank[mine] > 5_000)
        await self.client.post(f"/api/tables/{match}/resign")
        return None


class PlayingAfterResigning(Attacker):
    harm = "a player who has resigned plays on"

    async def prepare(self) -> None:
        self.client, self.other = await self.guest(), await self.guest()

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", "greedy")
        if not made:
            return self.note(True)
        match = made["table"]["id"]
        await self.other.post(f"/api/tables/{match}/join")
        now = await self.state(match)
        if now.get("legal"):
            await self.client.post(f"/api/tables/{match}/resign")
            await self.client.post(f"/api/tables/{match}/return")
            answer = await self.play(match, now["ply"], now["legal"][:1])
            self.note(not answer.fine, answer.fine)
        for client in (self.client, self.other):
            await client.post(f"/api/tables/{match}/resign")
        return None


class RematchWithoutConsent(Attacker):
    harm = "a rematch begins that the opponent has not accepted"

    async def prepare(self) -> None:
        self.client, self.other = await self.guest(), await self.guest()

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", clock={"kind": "bank", "bank": 60})
        if not made:
            return self.note(True)
        match = made["table"]["id"]
        await self.other.post(f"/api/tables/{match}/join")
        await self.client.post(f"/api/tables/{match}/resign")
        rematch = await self.client.post(f"/api/tables/{match}/rematch")
        begun = rematch.fine and rematch.json()["status"] == "playing"
        self.note(not begun, begun)
        if rematch.fine:
            for client in (self.client, self.other):
                await client.post(f"/api/tables/{rematch.json()['id']}/{'resign' if begun else 'leave'}")
        return None


class StrongStandIns(Attacker):
    """Leaves a table without hints, to have a strong bot play."""

    harm = "the stand-in is stronger than the weakest bot"

    async def prepare(self) -> None:
        self.client, self.other = await self.guest(), await self.guest()

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "open", hints=False, stand_in="mcts:2000")
        if not made:
            return self.note(True)
        match = made["table"]["id"]
        await self.other.post(f"/api/tables/{match}/join")
        left = await self.client.post(f"/api/tables/{match}/leave")
        bots = [seat["bot"] for seat in left.json()["seats"]] if left.fine else []
        strong = "mcts:2000" in bots
        self.note(not strong, strong)
        await self.other.post(f"/api/tables/{match}/resign")
        return None


class FriendsSeats(Attacker):
    """Takes the seat that a friend has left, with nothing but the table's address."""

    harm = "a stranger sits down at a seat that was held for a friend"

    async def prepare(self) -> None:
        self.client, self.other, self.stranger = [await self.guest() for _ in range(3)]

    async def attempt(self) -> None:
        made = await self.table("moon-leap", "me", "friend", "friend")
        if not made:
            return self.note(True)
        join = f"/api/tables/{made['table']['id']}/join"
        await self.other.post(join, {"secret": made["invites"][0]["secret"]})
        await self.other.post(f"/api/tables/{made['table']['id']}/leave")
        taken = await self.stranger.post(join)
        self.note(not taken.fine, taken.fine)
        for client in (self.client, self.stranger):
            await client.post(f"/api/tables/{made['table']['id']}/leave")
        return None
