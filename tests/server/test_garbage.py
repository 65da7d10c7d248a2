"""What lies in cycles goes in a quiet moment, and nothing is looked for in between."""

import asyncio
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from plenilune.server import garbage
from tests.server.waiting import wait_until


class Thing:
    """One that holds itself."""

    def __init__(self) -> None:
        self.itself = self


async def collecting(work: Callable[[], Any]) -> None:
    task = asyncio.create_task(garbage.collect_when_idle())
    await wait_until(lambda: not gc.isenabled())
    try:
        await work()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_what_lies_in_cycles_goes_when_it_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "SOME", 0)
    monkeypatch.setattr(garbage, "QUIET", 10.0)

    async def work() -> None:
        gone = weakref.ref(Thing())
        assert gone() is not None
        await wait_until(lambda: gone() is None)

    asyncio.run(collecting(work))
    assert gc.isenabled()


def never_quiet(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    monkeypatch.setattr(garbage, "SOME", 0)
    monkeypatch.setattr(garbage, "MANY", many)
    monkeypatch.setattr(garbage, "QUIET", 0.0)


def test_a_busy_server_does_not_look(monkeypatch: pytest.MonkeyPatch) -> None:
    never_quiet(monkeypatch, many=10_000_000)

    async def work() -> None:
        gone = weakref.ref(Thing())
        await asyncio.sleep(2.5)
        assert gone() is not None

    asyncio.run(collecting(work))


def test_a_busy_server_looks_when_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    never_quiet(monkeypatch, many=0)

    async def work() -> None:
        gone = weakref.ref(Thing())
        await wait_until(lambda: gone() is None)

    asyncio.run(collecting(work))
