"""Attacks on computing time."""

from __future__ import annotations

import asyncio
import contextlib

from benchmarks.attackers.attacker import BOT, Attacker
from benchmarks.wire import PATIENCE, Live, connected, read_head, request
from plenilune.server.http.limits import CROWD


class BotTables(Attacker):
    """As many tables of strong bots alone as possible."""

    harm = "a table of bots alone begins"
    pace = 0.5

    async def attempt(self) -> None:
        alone = await self.table("nova-luna", BOT, BOT, BOT, BOT)
        self.note(alone is None, alone is not None)
        made = await self.table("nova-luna", "me", BOT, BOT, BOT)
        if made:
            now = await self.state(made["table"]["id"])
            if now.get("legal"):
                await self.play(made["table"]["id"], now["ply"], now["legal"][:1])


class Hints(Attacker):
    harm = "more hints than the limit allows"
    budget = ("think", CROWD)
    people = 5

    async def prepare(self) -> None:
        self.lives: list[Live] = []
        for _ in range(self.people):
            client = await self.guest()
            made = await self.table("nova-luna", "me", "me", client=client)
            live = await Live.open(client, f"/api/tables/{made['table']['id']}/live")
            await live.wait("update")
            self.lives.append(live)

    async def attempt(self) -> None:
        live, id = self.random.choice(self.lives), self.new_id()
        live.say("hint", id=id, seconds=10)
        while (answer := await live.wait("hinted", "refused", patience=10)) and answer["id"] != id:
            pass
        self.note(not answer or answer["kind"] == "refused")


class Reviews(Attacker):
    """Asks for reviews and goes away once they have begun."""

    harm = "more reviews than the limit allows"
    budget = ("think", 1)
    pace = 0.2

    async def prepare(self) -> None:
        await super().prepare()
        self.matches = [await self.finished() for _ in range(3)]

    async def attempt(self) -> None:
        reader, writer = await connected(self.target, self.source)
        path = f"/api/tables/{self.random.choice(self.matches)}/review"
        writer.write(request("GET", path, self.target, None, self.client.key))
        with contextlib.suppress(EOFError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                status, _ = await read_head(reader)
                self.note(status != 200)
                await asyncio.sleep(2)
        writer.close()


class Histories(Attacker):
    harm = "more histories than the limit allows"
    budget = ("think", 1)
    pace = 0.05

    async def prepare(self) -> None:
        await super().prepare()
        self.match = await self.finished()

    async def attempt(self) -> None:
        answer = await self.client.get(f"/api/tables/{self.match}/history")
        self.note(not answer.fine)
