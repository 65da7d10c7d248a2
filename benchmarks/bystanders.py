"""What an honest person notices while a server is attacked: how long they wait, and whether they get what they should.

Each bystander has a loopback address of its own, and stays within the limits.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from typing import Any, ClassVar

import msgspec

from benchmarks.wire import Client, Live, Refused, Target, connected, finish, read_answer, request, source, wishes

BYSTANDERS_FROM = 20  # their addresses are 127.20.x.y


class Noticed(msgspec.Struct):
    """How long somebody waited, and how often in vain."""

    what: str
    seconds: list[float] = []
    failed: int = 0


class Bystander:
    what: ClassVar[str]
    pace: ClassVar[float] = 1.0  # seconds between two measurements

    def __init__(self, target: Target, number: int) -> None:
        self.client = Client(target, source(BYSTANDERS_FROM, number))
        self.noticed = Noticed(self.what)
        self.random = random.Random(number)

    async def prepare(self) -> None:
        await self.client.introduce("Ada")

    async def once(self) -> bool:
        """Ask for something; whether it was what it had to be."""
        raise NotImplementedError

    async def run(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (began := time.monotonic()) < until:
            fine = False
            with contextlib.suppress(Refused, OSError):
                fine = await self.once()
            self.noticed.seconds.append(time.monotonic() - began)
            self.noticed.failed += not fine
            await asyncio.sleep(self.pace)

    async def table(self, game: str, *seats: str, **settings: Any) -> str:
        answer = await self.client.post(
            "/api/tables", {"game": game, "seats": wishes(seats), "seating": "as_listed", **settings}
        )
        return str(answer.json()["table"]["id"])


class Newcomer(Bystander):
    what = "a new connection is answered"
    pace = 0.2

    async def prepare(self) -> None:
        pass

    async def once(self) -> bool:
        reader, writer = await connected(self.client.target, self.client.source)
        writer.write(request("GET", "/api/health", self.client.target))
        try:
            answer, _ = await read_answer(reader)
        except EOFError:
            return False
        finally:
            writer.close()
        return answer.status == 200


class AgainstABot(Bystander):
    what = "a greedy bot has replied"
    pace = 0.2
    live: Live | None = None
    update: Any = None

    async def prepare(self) -> None:
        await super().prepare()
        await self._new_match()

    async def _new_match(self) -> None:
        match = await self.table("moon-leap", "me", "greedy")
        self.live = await Live.open(self.client, f"/api/tables/{match}/live")
        await self._my_turn()

    async def _my_turn(self) -> bool:
        """Wait until it is, or until the match is over."""
        assert self.live
        self.update = await self.live.wait("update")
        while self.update and not self.update["legal"] and self.update["to_play"] >= 0:
            self.update = await self.live.wait("update")
        return self.update is not None

    async def once(self) -> bool:
        if not self.update or not self.update["legal"]:
            await self._new_match()
        assert self.live
        action = self.random.choice(self.update["legal"])
        self.live.say("play", id=f"{self.update['ply']}", ply=self.update["ply"], actions=[action])
        return await self._my_turn()


class Reader(Bystander):
    what = "a history is there"
    pace = 6.0  # one in five seconds may be asked for

    async def prepare(self) -> None:
        await super().prepare()
        self.match = await self.table("moon-leap", "me", "me")
        await finish(self.client, self.match, self.random)

    async def once(self) -> bool:
        return (await self.client.get(f"/api/tables/{self.match}/history")).fine


class Puzzled(Bystander):
    what = "a first hint is there"
    pace = 6.0  # as with histories

    async def prepare(self) -> None:
        await super().prepare()
        match = await self.table("nova-luna", "me", "me")
        self.live = await Live.open(self.client, f"/api/tables/{match}/live")
        await self.live.wait("update")

    async def once(self) -> bool:
        id = f"{len(self.noticed.seconds)}"
        self.live.say("hint", id=id, seconds=0.3)
        while (answer := await self.live.wait("hinted", "refused")) and answer["id"] != id:
            pass  # more of the one before
        return bool(answer and answer["kind"] == "hinted")


class Host(Bystander):
    what = "the lobby is shown, with my table in it"

    async def prepare(self) -> None:
        await super().prepare()
        self.match = await self.table("moon-leap", "me", "open", public=True)

    async def once(self) -> bool:
        answer = await self.client.get("/api/lobby")
        return answer.fine and any(row["id"] == self.match for row in answer.json()["open"])


BYSTANDERS: tuple[type[Bystander], ...] = (Newcomer, AgainstABot, Reader, Puzzled, Host)


async def ready(target: Target) -> list[Bystander]:
    """One of each, prepared."""
    bystanders = [kind(target, number) for number, kind in enumerate(BYSTANDERS)]
    await asyncio.gather(*(bystander.prepare() for bystander in bystanders))
    return bystanders
