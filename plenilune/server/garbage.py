"""Garbage collection of reference cycles, while the server is idle.

With thousands of tables a full collection takes most of a second, in which no request is answered.
"""

from __future__ import annotations

import asyncio
import gc
import time

SOME, MANY = 20_000, 200_000  # new objects: worth a collection, and too many to wait until the server is idle
QUIET = 0.05  # seconds of CPU time within one second: at most this counts as idle
EVERYTHING = 600.0  # seconds between two full collections
NEW, ALL = 1, 2  # generations


async def collect_when_idle() -> None:
    gc.disable()
    try:
        collected = time.monotonic()
        while True:
            before = time.thread_time()
            await asyncio.sleep(1)
            new, quiet = gc.get_count()[0], time.thread_time() - before < QUIET
            if quiet and time.monotonic() - collected > EVERYTHING:
                gc.collect(ALL)
                collected = time.monotonic()
            elif new > (SOME if quiet else MANY):
                gc.collect(NEW)
    finally:
        gc.enable()
