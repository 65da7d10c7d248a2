"""What every attacker is."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from benchmarks.wire import Answer, Client, Refused, Target, finish, source, wishes
from plenilune.server.http.limits import LIMITS

ATTACKERS = 66  # their addresses are 127.66.x.y
ADDRESSES = 16  # that each has to itself, though most use only one
MARGIN = 5.0  # seconds by which a deadline may be missed
BOT = "mcts:20000"  # the strongest that may be asked for


@dataclass
class Tally:
    """What attackers of one kind have done."""

    kind: str
    harm: str  # what counts as such
    attempts: int = 0
    refused: int = 0
    harmed: int = 0

    def add(self, other: Tally) -> None:
        self.attempts += other.attempts
        self.refused += other.refused
        self.harmed += other.harmed


class Attacker:
    """One hostile client. Subclasses say what an attempt is, and what counts as harm."""

    harm: ClassVar[str]
    pace: ClassVar[float] = 0.1  # seconds between two attempts
    budget: ClassVar[tuple[str, float] | None] = None  # the limit that it spends, and how many times a person's

    def __init__(self, target: Target, number: int) -> None:
        self.target, self.source = target, source(ATTACKERS, number * ADDRESSES)
        self.client = Client(target, self.source)
        self.tally = Tally(self.kind(), self.harm)
        self.random = random.Random(number)
        self.began = 0.0
        self._ids = itertools.count()

    @classmethod
    def kind(cls) -> str:
        """`HalfRequests` is called `half requests`."""
        return "".join(f" {c.lower()}" if c.isupper() else c for c in cls.__name__).strip()

    async def prepare(self) -> None:
        """Before the time runs."""
        await self.client.introduce("Mallory")

    async def attempt(self) -> None:
        raise NotImplementedError

    async def judge(self) -> None:
        """What can be told only at the end."""
        if self.budget:
            kind, factor = self.budget
            burst, rate = LIMITS[kind]
            allowed = factor * (burst + rate * (time.monotonic() - self.began)) + 1
            granted = self.tally.attempts - self.tally.refused
            self.tally.harmed = max(0, granted - int(allowed))

    async def run(self, seconds: float) -> None:
        self.began = time.monotonic()
        while time.monotonic() < self.began + seconds:
            with contextlib.suppress(Refused, OSError):
                await self.attempt()
            await asyncio.sleep(self.pace)
        await self.judge()

    def note(self, refused: bool, harmed: bool = False) -> None:
        self.tally.attempts += 1
        self.tally.refused += refused
        self.tally.harmed += harmed

    # What many of them do

    def new_id(self) -> str:
        return f"x{next(self._ids)}"

    async def guest(self, name: str = "Mallory") -> Client:
        """One more identity at the same address."""
        client = Client(self.target, self.source)
        await client.introduce(name)
        return client

    async def table(self, game: str, *seats: str, client: Client | None = None, **settings: Any) -> Any:
        """A new table, or None."""
        body = {"game": game, "seats": wishes(seats), "seating": "as_listed", **settings}
        answer = await (client or self.client).post("/api/tables", body)
        return answer.json() if answer.fine else None

    async def state(self, match: str, client: Client | None = None) -> Any:
        """As the seat to play sees it, if that may be."""
        client = client or self.client
        found = (await client.get(f"/api/tables/{match}/state")).json()
        if found.get("to_play", -1) >= 0 and not found["legal"]:
            seen = await client.get(f"/api/tables/{match}/state?viewer={found['to_play']}")
            return seen.json() if seen.fine else found
        return found

    async def play(self, match: str, ply: int, actions: Sequence[str], client: Client | None = None) -> Answer:
        body = {"kind": "play", "id": self.new_id(), "ply": ply, "actions": list(actions)}
        return await (client or self.client).post(f"/api/tables/{match}/play", body)

    async def finished(self) -> str:
        """A match that was played to its end."""
        made = await self.table("moon-leap", "me", "me")
        await finish(self.client, made["table"]["id"], self.random)
        return str(made["table"]["id"])
