"""Garbage: the little that lies in cycles is looked for when the server has nothing else to do.

With thousands of tables a look at everything takes the better part of a second, in which nobody is answered.
"""

from __future__ import annotations

import asyncio
import gc
import time

SOME, MANY = 20_000, 200_000  # new things: worth a look, and more than may wait for a quiet moment
QUIET = 0.05  # of a second that the event loop was at work
EVERYTHING = 600.0  # seconds between two looks at what is not new
NEW, ALL = 1, 2  # generations


async def look() -> None:
    gc.disable()
    try:
        looked = time.monotonic()
        while True:
            before = time.thread_time()
            await asyncio.sleep(1)
            new, quiet = gc.get_count()[0], time.thread_time() - before < QUIET
            if quiet and time.monotonic() - looked > EVERYTHING:
                gc.collect(ALL)
                looked = time.monotonic()
            elif new > (SOME if quiet else MANY):
                gc.collect(NEW)
    finally:
        gc.enable()
