"""Many matches at once: random play, then play that looks one action ahead.

python examples/many_matches.py
"""

import numpy as np

from plenilune import bots
from plenilune.rl import Batch


def random_play(game: str, n: int = 256) -> np.ndarray:
    """The rewards of n matches, (n, 2)."""
    batch = Batch(game, seats=2, n=n, seed=1, autoreset="never")
    rewards, step = np.zeros((n, 2)), batch.reset()
    while not step.terminated.all():
        step = batch.step(batch.sample())
        rewards += step.rewards
    return rewards


def greedy_against_random(game: str, n: int = 16) -> float:
    """How much seat 1, which takes the action that looks best, wins on average against random play: -1 to 1."""
    batch = Batch(game, seats=2, n=n, seed=2, autoreset="never")
    greedy, step, won = bots.load("greedy", batch.game), batch.reset(), 0.0
    while not step.terminated.all():
        actions = batch.sample()
        for i in np.flatnonzero(step.current_player == 0):
            actions[i] = greedy.think(batch.game, batch.seen(int(i), viewer=0), 0).action
        step = batch.step(actions)
        won += float(step.rewards[:, 0].sum())
    return won / n


if __name__ == "__main__":
    print("random play, mean rewards:", random_play("nova-luna").mean(axis=0))
    print("greedy against random, mean reward of greedy:", greedy_against_random("moon-leap"))
