"""Every game as an environment of PettingZoo (`pip install 'plenilune[pettingzoo]'`).

>>> from plenilune.rl import pettingzoo  # doctest: +SKIP
>>> env = pettingzoo.env("nova-luna", seats=3)  # doctest: +SKIP

An observation holds `observation`, the seat's `tokens` in bytes (the game's encode.py says what they are), and
`action_mask`, all 0 for seats that are not to play. Chance is played by itself, from the seed of `reset`; a `reset`
without a seed goes on from the seed before it, so that one seed decides a whole run. The options of `reset` are
ignored, as PettingZoo's tests ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{__name__} needs PettingZoo: pip install 'plenilune[pettingzoo]'") from error

from plenilune.core.errors import BadSetting
from plenilune.rl.checks import one_of, shown, whole
from plenilune.rl.single import Single
from plenilune.rl.spaces import MODES, check_mode, observation_space

PENALTY = -1.0  # the reward of an illegal action, as bad as losing


class TableEnv(AECEnv):  # type: ignore[misc]
    """A match without wrappers: it takes legal actions only."""

    metadata: dict[str, Any] = {  # noqa: RUF012  # PettingZoo declares it so
        "render_modes": list(MODES),
        "name": "plenilune_v0",
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(
        self, game: str, seats: int = 2, render_mode: str | None = None, actions: str = "code", **options: str
    ) -> None:
        super().__init__()
        check_mode(render_mode)
        self.table, self.render_mode = Single(game, seats, options, actions), render_mode
        self.metadata = {**self.metadata, "name": f"{self.table.game.name.replace('-', '_')}_v0"}
        self.agents: list[str] = []  # until it is reset
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(seats)]
        size, count = self.table.observation_size, self.table.action_count
        self.observation_spaces = {agent: observation_space(size, count) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._blank, self._rng = np.zeros(count, np.int8), np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[self._agent(agent)]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[self._agent(agent)]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(whole("seed", seed, 0, 2**64 - 1))
        self.table.reset(int(self._rng.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.table.to_play]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(self._agent(agent))
        mask = self.table.mask() if self.table.to_play == seat else self._blank.copy()
        return {"observation": self.table.observation(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        if not self.agents:
            raise BadSetting("there is no match to play on: reset the environment first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.table.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.table.over:
            self.rewards = dict(zip(self.possible_agents, self.table.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.table.to_play]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode == "svg":
            return self.table.svg()
        if self.render_mode == "human":
            print(self.table.text())
            return None
        return self.table.text()

    def close(self) -> None:
        pass

    def _agent(self, agent: Any) -> str:
        return one_of("an agent", agent, self.possible_agents)


class CheckedActions(wrappers.BaseWrapper):  # type: ignore[misc]
    """Refuses what is not an action at all, and changes nothing. PettingZoo's own wrapper for that takes True for 1."""

    def step(self, action: Any) -> None:
        agent = self.agent_selection if self.agents else None
        if agent is not None and not (self.terminations[agent] or self.truncations[agent]):
            whole("an action", action, 0, self.action_space(agent).n - 1)
        super().step(action)


class ParallelEnv(turn_based_aec_to_parallel_wrapper):  # type: ignore[misc]
    """PettingZoo's conversion, which refuses actions that lack the one that counts."""

    def step(self, actions: Any) -> Any:
        agent = self.aec_env.agent_selection
        if self.agents and not (isinstance(actions, Mapping) and agent in actions):
            raise BadSetting(f"actions are a dictionary with one for {agent}, whose turn it is, not {shown(actions)}")
        return super().step(actions)


def env(game: str, seats: int = 2, **how: Any) -> AECEnv:
    """A match with PettingZoo's wrappers: a seat that plays an illegal action has lost."""
    made = wrappers.TerminateIllegalWrapper(TableEnv(game, seats, **how), illegal_reward=PENALTY)
    return wrappers.OrderEnforcingWrapper(CheckedActions(made))


def parallel_env(game: str, seats: int = 2, **how: Any) -> Any:
    """The same for PettingZoo's parallel interface: only the action of the seat to play counts."""
    return ParallelEnv(env(game, seats, **how))
