"""Who is online. Each process knows only its own connections, so all of them are asked.

On PostgreSQL a process asks by a notification, and the others answer by notifications. Their number is known from their
listening connections; one that does not answer in time is counted as missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from plenilune.server.clock import now
from plenilune.server.protocol import Online, OnlinePerson
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Person, new_id
from plenilune.server.storage.store import Store

log = logging.getLogger("plenilune")
CHANNEL = "plenilune_online"
PATIENCE = 2.0  # seconds for the other processes' answers
LARGEST = 7000  # bytes of people per notification; PostgreSQL allows 8000 in all


@dataclass(eq=False)
class Visit:
    """One open websocket or stream."""

    person: Person | None
    network: str
    table: str | None  # None: the lobby
    end: Callable[[Denied], None]  # tells the reason, and closes it
    since: int = field(default_factory=now)


class Question(Struct, tag="question"):
    id: str


class Answer(Struct, tag="answer"):
    """One part of a process's answer."""

    id: str  # the question's
    process: str
    part: int
    parts: int
    people: list[OnlinePerson]


decode = msgspec.json.Decoder(Question | Answer).decode


def people(visits: Iterable[Visit]) -> list[OnlinePerson]:
    return merged(
        OnlinePerson(
            person=visit.person.id if visit.person else None,
            name=visit.person.name if visit.person else "",
            networks=[visit.network],
            sockets=1,
            tables=[visit.table] if visit.table else [],
            since=visit.since,
        )
        for visit in visits
    )


def merged(found: Iterable[OnlinePerson]) -> list[OnlinePerson]:
    """One entry per person, and one for all unknown visitors of a network; the earliest first."""
    groups: dict[str, list[OnlinePerson]] = {}
    for one in found:
        groups.setdefault(one.person or f"stranger {one.networks[0]}", []).append(one)
    return sorted((_sum(group) for group in groups.values()), key=lambda one: one.since)


def _sum(group: list[OnlinePerson]) -> OnlinePerson:
    return OnlinePerson(
        person=group[0].person,
        name=group[-1].name,
        networks=sorted({network for one in group for network in one.networks}),
        sockets=sum(one.sockets for one in group),
        tables=sorted({table for one in group for table in one.tables}),
        since=min(one.since for one in group),
    )


def parts(found: Iterable[OnlinePerson]) -> Iterator[list[OnlinePerson]]:
    """Split the people into as few parts as fit into notifications; at least one."""
    part: list[OnlinePerson] = []
    size = 0
    for one in found:
        more = len(msgspec.json.encode(one)) + 1
        if part and size + more > LARGEST:
            yield part
            part, size = [], 0
        part.append(one)
        size += more
    yield part


class Roster:
    """Asks who is online, and answers other processes."""

    def __init__(self, store: Store, visits: set[Visit], spawn: Callable[[Coroutine[Any, Any, Any]], object]) -> None:
        self._store, self._visits, self._spawn = store, visits, spawn
        self._process = new_id()
        self._asked: dict[str, asyncio.Queue[Answer]] = {}

    async def online(self) -> Online:
        here = people(self._visits)
        if not self._store.shared:
            return Online(here, 1, 0)
        answers, missing = await self._ask()
        everybody = merged([*here, *(one for answer in answers for one in answer)])
        return Online(everybody, 1 + len(answers), missing)

    async def _ask(self) -> tuple[list[list[OnlinePerson]], int]:
        """The other processes' answers, and how many processes did not answer."""
        id, queue, parts = new_id(), asyncio.Queue[Answer](), list[Answer]()
        self._asked[id] = queue
        try:
            expected = await self._store.listeners() - 1
            await self._store.notify(CHANNEL, msgspec.json.encode(Question(id)).decode())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    while len(_whole(parts)) < expected:
                        parts.append(await queue.get())
        finally:
            del self._asked[id]
        answers = _whole(parts)
        return answers, max(0, expected - len(answers))

    def on_notification(self, payload: str) -> None:
        try:
            message = decode(payload)
        except msgspec.DecodeError:  # sent by another release
            log.warning("a notification about who is online cannot be read")
            return
        if isinstance(message, Answer):
            if message.id in self._asked:
                self._asked[message.id].put_nowait(message)
        elif message.id not in self._asked:
            self._spawn(self._answer(message))

    async def _answer(self, question: Question) -> None:
        found = list(parts(people(self._visits)))
        for number, part in enumerate(found):
            answer = Answer(question.id, self._process, number, len(found), part)
            await self._store.notify(CHANNEL, msgspec.json.encode(answer).decode())


def _whole(parts: Iterable[Answer]) -> list[list[OnlinePerson]]:
    """The answers that have arrived completely."""
    by_process: dict[str, list[Answer]] = {}
    for part in parts:
        by_process.setdefault(part.process, []).append(part)
    whole = [found for found in by_process.values() if len(found) == found[0].parts]
    return [[one for part in found for one in part.people] for found in whole]
