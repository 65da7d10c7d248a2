"""The threads that play a batch together.

A step of many matches takes some 100 microseconds: about as long as it takes to wake a thread. So the threads stay in
compiled code and look for work on a *board*, a few numbers that all of them read and write atomically. The caller of a
step posts a job there and plays too. Each thread has a share of the lanes, which stays in its processor's cache, and
takes pieces of it; then it takes pieces of the shares of others. So nobody waits for a thread that sleeps, or that has
no processor: the others play its share. The caller goes on when all lanes are done.

A thread that has found nothing to do for some 100 microseconds sleeps. The caller of the next step wakes it, and does
not wait for it.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plenilune.core import numba_patches
from plenilune.core.engine import PLAIN, rule
from plenilune.rl import lanes as compiled
from plenilune.rl.lanes import Lanes, Rules, Scratch, Shown

Array = NDArray[Any]
MATCH, PLAY, RESET = range(3)  # jobs; a MATCH goes on with a PLAY if every action is legal
CALLER = 0  # the thread that posts jobs
PIECE = 16  # lanes that a thread takes at a time
LINE = 16  # numbers between two that different threads write: no two are in one line of a processor's cache
ROUND, ENDED, JOB, DONE, FIRST, LAST, SHARES = (LINE * i for i in range(7))  # where things stand on a board
BOARD = 5  # the board's place among the arguments of `work`
PATIENCE = 200_000  # how often a thread looks for work before it sleeps
LOOKS = 20_000  # how often the caller looks whether all is done before it lets others have its processor

# A board holds the number of jobs posted so far (ROUND), whether the crew has ENDED, the last JOB, how many of its
# lanes are DONE, the FIRST lane whose action is not legal, the LAST lane whose rules are at fault, and how many pieces
# of each share have been taken. A thread that takes a piece beyond the share's end has found that none is left.


class Given(NamedTuple):
    """What is given for a job, a row for each lane."""

    actions: Any
    chosen: Any  # their places in the legal lists
    mask: Any  # which lanes to restart


if PLAIN:

    def load(board: Any, at: int) -> int:
        return board[at]  # type: ignore[no-any-return]

    def store(board: Any, at: int, value: int) -> None:
        board[at] = value

    def add(board: Any, at: int, value: int) -> int:
        before = board[at]
        board[at] += value
        return before  # type: ignore[no-any-return]

    def lower(board: Any, at: int, value: int) -> None:
        board[at] = min(board[at], value)

    def lift(board: Any, at: int, value: int) -> None:
        board[at] = max(board[at], value)

    def yield_processor() -> None:
        raise AssertionError("there is only one thread")
else:
    load, store, yield_processor = (
        numba_patches.atomic_load,
        numba_patches.atomic_store,
        numba_patches.yield_processor,
    )
    add, lower, lift = map(numba_patches.atomic_change, ("add", "min", "max"))


def new_board(threads: int) -> Array:
    board = np.zeros(SHARES + threads * LINE, np.int64)
    board[SHARES:] = 1 << 40  # no piece is left
    return board


# One function for all that is played, since each that is compiled would hold a copy of the rules.
@rule
def work(
    rules: Rules, lanes: Lanes, shown: Shown, scratch: Scratch, given: Given, board: Any, thread: int, job: int
) -> int:
    """Play as one of a crew's threads. The first one has a job done by all: to restart the masked lanes, or to play a
    step. It returns 0 once that is done; what has gone wrong stands on the board. The others play what the first one
    posts; they return 0 if there has been nothing for a while, and 1 if the crew has ended."""
    n, threads, seen, looks = len(given.chosen), (len(board) - SHARES) // LINE, 0, 0
    while True:
        if thread == CALLER:
            board[JOB], board[DONE], board[FIRST], board[LAST] = job, 0, n, -1
            for share in range(SHARES, len(board), LINE):  # from here on, pieces can be taken
                store(board, share, 0)
            add(board, ROUND, 1)
        elif load(board, ENDED):
            return 1
        elif load(board, ROUND) != seen:
            seen, looks = load(board, ROUND), 0
        else:
            looks += 1
            if looks == PATIENCE:
                return 0
            continue

        done = 0
        for i in range(threads):  # its own share first
            share = (thread + i) % threads
            first, end = n * share // threads, n * (share + 1) // threads
            a = first + PIECE * add(board, SHARES + share * LINE, 1)
            while a < end:
                b = min(a + PIECE, end)
                if board[JOB] == MATCH:
                    wrong = compiled.match_actions(rules, lanes, given.actions, given.chosen, a, b)
                    if wrong >= 0:
                        lower(board, FIRST, wrong)
                else:
                    if board[JOB] == PLAY:
                        fault = compiled.play(rules, lanes, shown, scratch, given.chosen, a, b)
                    else:
                        fault = compiled.reset(rules, lanes, shown, scratch, given.mask, a, b)
                    if fault >= 0:
                        lift(board, LAST, fault)
                done += b - a
                a = first + PIECE * add(board, SHARES + share * LINE, 1)
        if done:
            add(board, DONE, done)

        if thread == CALLER:
            looks = 0
            while load(board, DONE) < n:
                looks += 1
                if looks % LOOKS == 0:
                    yield_processor()
            if job != MATCH or board[FIRST] < n:
                return 0
            job = PLAY  # every action is legal


class Crew:
    """Threads that play what is posted on a board, beside the one that posts it. They end when nobody has the crew."""

    def __init__(self, rules: Rules, lanes: Lanes, shown: Shown, scratches: Sequence[Scratch], given: Given) -> None:
        self.board, self.process = new_board(len(scratches)), os.getpid()  # a fork has none of its parent's threads
        self._awake = [threading.Event() for _ in scratches[1:]]
        threads = [
            threading.Thread(
                target=stay,
                args=((rules, lanes, shown, scratch, given, self.board, i, MATCH), awake),
                name="batch",
                daemon=True,
            )
            for i, (scratch, awake) in enumerate(zip(scratches[1:], self._awake, strict=True), 1)
        ]
        weakref.finalize(self, end, self.board, self._awake, threads, self.process)
        self.wake()
        for thread in threads:
            thread.start()

    def wake(self) -> None:
        """Wake who sleeps. Who is about to fall asleep may miss it, and so one step: the others play it."""
        for awake in self._awake:
            if not awake.is_set():
                awake.set()


def stay(arguments: Any, awake: threading.Event) -> None:
    """What a thread of a crew does."""
    while work(*arguments) == 0:
        awake.clear()
        if not arguments[BOARD][ENDED]:  # `end` writes there before it wakes
            awake.wait()


def end(board: Array, awake: Sequence[threading.Event], threads: Sequence[threading.Thread], process: int) -> None:
    """End a crew's threads; also when Python exits, so that none is in compiled code by then."""
    if process != os.getpid():
        return
    board[ENDED] = 1
    for event in awake:
        event.set()
    for thread in threads:
        if thread.is_alive() and thread is not threading.current_thread():  # any thread may collect garbage
            thread.join()
