"""How fast the games are as environments: many matches at once, and one at a time through other libraries' interfaces.

    python -m benchmarks.environments

Random play, observations and masks included. The aim is judged twice: with what a step tells as copies, which is the
default, and as views. What others' games do through their own interfaces is measured in the same
run, beside it, if they are installed (`make bench` installs them).
"""

from __future__ import annotations

import importlib.util
import os
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.figures import verdict
from plenilune.commands import bench
from plenilune.game import load, names
from plenilune.rl import Batch

N = 1024
SEATS = 2
KINDS = {name: "code" if load(name).encoded().size else "number" for name in names()}  # what actions are
AIMS = {"moon-leap": 10.0, "nova-luna": 2.5, "via-nebula": 1.0}  # million decisions a second on one core
THREADS_AIM = 1.8  # times as fast on two cores
ONE_AT_A_TIME_AIMS = {"PettingZoo": 20_000, "OpenSpiel": 70_000}  # steps a second
PGX = ("backgammon", "connect_four")


def decisions_per_second(game: str, **how: Any) -> float:
    """Without the time to choose, which is the learner's."""
    batch = Batch(game, SEATS, N, seed=1, actions=KINDS[game], **how)
    batch.step(batch.sample())

    def measure() -> float:
        done, spent = 0, 0.0
        while spent < bench.SECONDS:
            actions = batch.sample()
            began = time.perf_counter()
            batch.step(actions)
            spent += time.perf_counter() - began
            done += N
        return done / spent

    return bench.best(measure)


def pettingzoo_match(game: str) -> Callable[[], int]:
    from plenilune.rl import pettingzoo

    return _aec_match(pettingzoo.TableEnv(game, SEATS))


def their_pettingzoo_match() -> Callable[[], int]:
    from pettingzoo.classic import connect_four_v3

    return _aec_match(connect_four_v3.raw_env())


def _aec_match(env: Any) -> Callable[[], int]:
    chooser = np.random.default_rng(1)

    def play() -> int:
        env.reset(seed=int(chooser.integers(2**31)))
        steps = 0
        while not env.terminations[env.agent_selection]:
            seen = env.observe(env.agent_selection)
            env.step(int(chooser.choice(np.flatnonzero(seen["action_mask"]))))
            steps += 1
        return steps

    return play


def openspiel_match(name: str) -> Callable[[], int]:
    """A random match of one of OpenSpiel's games, or of ours through its interface, chance included."""
    import pyspiel

    import plenilune.rl.openspiel  # noqa: F401  # registers the games

    game, choose = pyspiel.load_game(name), random.Random(1).choice

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
            plies += 1
        return plies

    return play


def pgx_decisions_per_second(name: str) -> float:
    """As many matches at once, compiled by JAX for the CPU, uniform legal actions included."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)

    def step_all(state: Any, key: Any) -> Any:
        one, other = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(one, logits, axis=-1)
        return jax.vmap(auto_reset(env.step, env.init))(state, actions, jax.random.split(other, N))

    step = jax.jit(step_all)
    keys = iter(jax.random.split(jax.random.PRNGKey(1), 1_000_000))
    state = [step(jax.vmap(env.init)(jax.random.split(next(keys), N)), next(keys))]

    def play() -> int:
        state[0] = step(state[0], next(keys))
        state[0].rewards.block_until_ready()
        return N

    return bench.per_second(play)


def main(console: Console | None = None) -> None:
    console = console or Console()
    if (busy := os.getloadavg()[0]) > bench.BUSY:
        console.print(f"This machine is busy (load {busy:.1f} on {os.cpu_count()} cores): it can do better than this.")
    many = Table("many at once", "aim", "copies (the default)", "", "views", "", box=None)
    for column in ("two threads, views", f"{THREADS_AIM} × one with views"):
        many.add_column(column)
    with console.status("playing many matches at once"):
        for game in KINDS:
            copies, views = decisions_per_second(game), decisions_per_second(game, views=True)
            two = decisions_per_second(game, views=True, threads=2)
            many.add_row(
                game,
                str(AIMS.get(game, "")),
                *(cell for speed in (copies, views) for cell in (millions(speed), reached(game, speed))),
                millions(two),
                verdict(two >= THREADS_AIM * views),
            )
    console.print(f"Million decisions a second in {N} matches with two seats, masks and observations included.", many)
    console.print()
    console.print("One core, through other interfaces, in the same run.", others())


def millions(speed: float) -> str:
    return f"{speed / 1e6:.2f}"


def reached(game: str, speed: float) -> str:
    """Whether the game's aim is, if it has one."""
    return verdict(speed >= 1e6 * AIMS[game]) if game in AIMS else ""


def others() -> Table:
    table = Table("through", "game", "a second", "aim", box=None)
    if importlib.util.find_spec("pettingzoo"):
        for game in KINDS:
            add_row(table, "PettingZoo", game, bench.per_second(pettingzoo_match(game)))
        if importlib.util.find_spec("pygame"):  # which its games draw with
            table.add_row("PettingZoo", "its connect_four", f"{bench.per_second(their_pettingzoo_match()):,.0f}", "")
    if importlib.util.find_spec("pyspiel"):
        for game in KINDS:
            match = openspiel_match(f"plenilune_{game.replace('-', '_')}")
            add_row(table, "OpenSpiel", game, bench.per_second(match))
        table.add_row("OpenSpiel", "its backgammon", f"{bench.per_second(openspiel_match('backgammon')):,.0f}", "")
    if importlib.util.find_spec("pgx"):
        for name in PGX:
            table.add_row("pgx on the CPU", f"its {name}", f"{pgx_decisions_per_second(name):,.0f}", "")
    return table


def add_row(table: Table, library: str, game: str, speed: float) -> None:
    aim = ONE_AT_A_TIME_AIMS[library]
    table.add_row(library, game, f"{speed:,.0f}", f"{aim:,} {verdict(speed >= aim)}")


if __name__ == "__main__":
    main()
