"""Background tasks are restarted when they fail, and reported until they work again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from plenilune.server import supervisor as supervisors
from plenilune.server.protocol.refusals import Denied
from plenilune.server.supervisor import Supervisor
from tests.server.waiting import wait_until


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisors, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(supervisors, "STEADY", 0.05)


@asynccontextmanager
async def supervised() -> AsyncIterator[Supervisor]:
    supervisor = Supervisor()
    try:
        yield supervisor
    finally:
        await supervisor.close()


class Task:
    """Fails so often, then works."""

    def __init__(self, error: BaseException | None, times: int) -> None:
        self.error, self.times, self.runs = error, times, 0

    async def __call__(self) -> None:
        self.runs += 1
        if self.runs <= self.times:
            if self.error:
                raise self.error
            return
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (ZeroDivisionError("by zero"), "ZeroDivisionError: by zero"),
        (Denied("unavailable", "no answer"), "no answer"),
        (asyncio.CancelledError(), "it was cancelled"),
        (None, "it has ended"),
    ],
)
def test_a_task_that_ends_is_restarted_and_reported_until_it_is_steady(error: BaseException | None, why: str) -> None:
    async def run() -> None:
        async with supervised() as supervisor:
            task = Task(error, times=2)
            supervisor.forever("the task", task)
            await wait_until(lambda: task.runs == 2)
            assert supervisor.problems() == [f"the task is failing: {why}"]
            await wait_until(lambda: task.runs == 3)
            await wait_until(lambda: supervisor.problems() == [])

    asyncio.run(run())


@pytest.mark.parametrize("error", [ZeroDivisionError(), asyncio.CancelledError()])
def test_what_is_done_again_and_again_survives_a_failure_and_the_next_success_clears_it(error: BaseException) -> None:
    async def run() -> None:
        runs = 0

        async def work() -> None:
            nonlocal runs
            runs += 1
            if runs <= 3:
                raise error

        async with supervised() as supervisor:
            supervisor.every("the task", 0.01, work)
            await wait_until(lambda: runs == 3)
            assert supervisor.problems()
            await wait_until(lambda: runs == 5)
            assert supervisor.problems() == []

    asyncio.run(run())


def test_a_closed_supervisor_has_ended_everything() -> None:
    async def run() -> int:
        task = Task(ZeroDivisionError(), times=10**9)
        async with supervised() as supervisor:
            supervisor.forever("the task", task)
            await wait_until(lambda: task.runs > 1)
        runs = task.runs
        await asyncio.sleep(0.1)
        return task.runs - runs

    assert asyncio.run(run()) == 0


def test_what_a_task_that_ends_by_itself_fails_with_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async def fail() -> None:
            raise ZeroDivisionError("by zero")

        async with supervised() as supervisor:
            task = supervisor.spawn(fail())
            await asyncio.wait([task])
            await wait_until(lambda: caplog.records)

    asyncio.run(run())
    (record,) = caplog.records
    assert record.exc_info
    assert record.exc_info[0] is ZeroDivisionError
