"""Waiting for what happens in another task, thread or process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 60.0  # seconds for whatever must happen


async def wait_until(true: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.002)


def block_until(true: Callable[[], Any], timeout: float = PATIENCE) -> None:
    end = time.monotonic() + timeout
    while not true():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)
