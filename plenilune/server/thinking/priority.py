"""Thinking and compiling give way to whoever moves pieces."""

from __future__ import annotations

import contextlib
import os
import sys
import threading


def step_back() -> None:
    """This thread runs when nobody more urgent wants to."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
