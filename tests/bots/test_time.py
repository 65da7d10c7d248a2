"""A bot keeps its time and leaves the program its own.

Nothing else in the tests is timed, for how fast something is depends on the machine. This is not about speed: a
deadline is a promise, and it holds on slow machines too. What else a machine does may delay an answer, but makes none
come in time that would not by itself: so a promise is tried several times, and is broken if it is broken every time.
"""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from plenilune import bots, load
from plenilune.bots import Bot, Budget, Thought, mcts
from plenilune.commands.bench import MIDDLE, START, Decision, positions
from plenilune.core.engine import PLAIN
from plenilune.game import Game
from tests.play import package_games

TRIES = 12
THINKING, AROUND = 0.5, 0.05  # seconds a bot is asked to think, and may be early or late
SOON = 0.02  # in which a bot stops, and the longest it keeps others waiting
LONG = Budget(seconds=60)

pytestmark = pytest.mark.skipif(PLAIN, reason="uncompiled, one simulation may take as long as all of it")


@pytest.fixture(params=package_games())
def game(request: pytest.FixtureRequest) -> Game:
    """A game whose search has been read from disk: that is done before the clock runs."""
    game = load(request.param)
    for position in positions(game).values():
        think(Bot("", LONG, mcts.think), game, position, stop=lambda: True)
    return game


@contextmanager
def busy_process() -> Iterator[None]:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as burning:
        try:
            yield
        finally:
            burning.kill()


@pytest.fixture
def second_core_busy() -> Iterator[None]:
    with busy_process():
        yield


def think(bot: Bot, game: Game, position: Decision, stop: Callable[[], bool] = lambda: False) -> Thought:
    return bot.think(game, position.seen, position.seat, stop=stop)


def kept(promise: Callable[[float], bool], measure: Callable[[], float]) -> list[float]:
    """What was measured, up to the first time that keeps the promise; nothing if none does."""
    measured: list[float] = []
    while len(measured) < TRIES:
        measured.append(measure())
        if promise(measured[-1]):
            return measured
    print("measured:", measured)
    return []


# Deadlines


def test_half_a_second_is_half_a_second_beside_a_busy_core(game: Game, second_core_busy: None) -> None:
    bot, position = bots.load(f"mcts:{1000 * THINKING:.0f}ms", game), positions(game)[MIDDLE]

    def took() -> float:
        began = time.perf_counter()
        assert not think(bot, game, position).solved
        return time.perf_counter() - began

    assert kept(lambda seconds: abs(seconds - THINKING) <= AROUND, took)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_bot_that_is_told_to_stop_stops_soon(game: Game, second_core_busy: None, threads: int) -> None:
    bot, position = Bot("", Budget(seconds=LONG.seconds, threads=threads), mcts.think), positions(game)[MIDDLE]

    def took() -> float:
        enough, told = threading.Event(), 0.0

        def tell() -> None:
            nonlocal told
            told = time.perf_counter()
            enough.set()

        threading.Timer(0.1, tell).start()
        assert think(bot, game, position, enough.is_set).simulations > 0
        return time.perf_counter() - told

    assert kept(lambda seconds: seconds < SOON, took)


# Beside a server


async def longest_wait(*tasks: Coroutine[Any, Any, object]) -> float:
    """How long a loop that wants to go on every millisecond is kept waiting, at worst, until the tasks are done."""
    running, longest, last = asyncio.gather(*tasks), 0.0, time.perf_counter()
    while not running.done():
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    await running
    return longest


def test_two_bots_that_think_in_threads_do_not_block_a_loop(game: Game) -> None:
    bot, places = bots.load("mcts:200ms", game), positions(game)

    def beside_bots() -> float:
        return asyncio.run(longest_wait(*(asyncio.to_thread(think, bot, game, places[w]) for w in (START, MIDDLE))))

    def beside_others() -> float:
        """The same load on the machine, but none of it in this process."""
        with busy_process(), busy_process():
            return asyncio.run(longest_wait(asyncio.sleep(0.2)))

    assert kept(lambda seconds: seconds < SOON, lambda: beside_bots() - beside_others())
