"""A tournament through PettingZoo: every player meets every other one, both ways round.

pip install 'plenilune[pettingzoo]'; python examples/tournament.py
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from plenilune.rl import pettingzoo

Player = Callable[[Any, np.random.Generator], int]


def anything(seen: Any, chooser: np.random.Generator) -> int:
    return int(chooser.choice(np.flatnonzero(seen["action_mask"])))


def first(seen: Any, chooser: np.random.Generator) -> int:
    return int(np.flatnonzero(seen["action_mask"])[0])


def last(seen: Any, chooser: np.random.Generator) -> int:
    return int(np.flatnonzero(seen["action_mask"])[-1])


PLAYERS: dict[str, Player] = {"anything": anything, "first": first, "last": last}


def tournament(game: str, matches: int = 20) -> dict[str, float]:
    """Each player's mean reward."""
    found: dict[str, list[float]] = {name: [] for name in PLAYERS}
    for pair in itertools.permutations(PLAYERS, 2):
        for seed in range(matches):
            for name, reward in zip(pair, play(game, pair, seed), strict=True):
                found[name].append(reward)
    return {name: float(np.mean(rewards)) for name, rewards in found.items()}


def play(game: str, pair: tuple[str, ...], seed: int) -> list[float]:
    env, chooser = pettingzoo.env(game, seats=2), np.random.default_rng(seed)
    env.reset(seed=seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        name = pair[env.possible_agents.index(agent)]
        env.step(None if terminated or truncated else PLAYERS[name](seen, chooser))
    return list(rewards.values())


if __name__ == "__main__":
    for name, reward in sorted(tournament("moon-leap").items(), key=lambda found: -found[1]):
        print(f"{name:10} {reward:+.2f}")
