"""Games for one learner, as environments of Gymnasium (`pip install 'plenilune[gymnasium]'`).

`SeatEnv` is one seat of any game, the other seats bots'; `ManyEnv` is many matches of a game played alone, at once.
Importing this module registers them:

>>> import gymnasium  # doctest: +SKIP
>>> import plenilune.rl.gymnasium  # doctest: +SKIP
>>> env = gymnasium.make("plenilune/ViaNebula-v0", seats=3, bots=("greedy", "mcts:100"))  # doctest: +SKIP
>>> env = gymnasium.make("plenilune/NovaLunaSolo-v0")  # doctest: +SKIP
>>> envs = gymnasium.make_vec("plenilune/NovaLunaSolo-v0", num_envs=64)  # doctest: +SKIP

An observation holds `observation`, the seat's `tokens` in bytes (the game's encode.py says what they are), and
`action_mask`. An action that is not allowed ends the match, and `info["illegal"]` says so; what is not an action at all
is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{__name__} needs Gymnasium: pip install 'plenilune[gymnasium]'") from error

from plenilune import bots as players
from plenilune.core.errors import BadSetting
from plenilune.game import load, names
from plenilune.rl.batch import Batch
from plenilune.rl.checks import index, shown, whole
from plenilune.rl.single import Single
from plenilune.rl.spaces import MODES, check_mode, observation_space

LOST, LOST_ALONE = -1.0, -1000.0  # the reward of an action that is not allowed: worse than any legal play
AUTORESET = {
    "next": AutoresetMode.NEXT_STEP,
    "same": AutoresetMode.SAME_STEP,
    "never": AutoresetMode.DISABLED,
}


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a match; in every other one sits a bot, in turn those named (`random` if none is)."""

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012  # as above them

    def __init__(
        self,
        game: str,
        seats: int = 2,
        seat: int = 0,
        bots: Sequence[str] = (),
        render_mode: str | None = None,
        actions: str = "code",
        **options: str,
    ) -> None:
        check_mode(render_mode)
        self.table, self.render_mode = Single(game, seats, options, actions), render_mode
        if not isinstance(bots, Sequence) or isinstance(bots, str) or len(bots) >= max(1, seats):
            raise BadSetting(f"bots are at most {seats - 1} names, not {shown(bots)}")
        self.seat, self.bots = whole("seat", seat, 0, seats - 1), tuple(bots) or ("random",)
        for name in self.bots:
            if players.load(name, self.table.game).budget.seconds:
                raise BadSetting(
                    f"{name} plays by the clock, which cannot be repeated: give it a number of simulations"
                )
        self._ended = True  # until it is reset
        self.observation_space = observation_space(self.table.observation_size, self.table.action_count)
        self.action_space = spaces.Discrete(self.table.action_count)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        check_options(options)
        super().reset(seed=seed)
        self.table.reset(int(self.np_random.integers(2**63)))
        others = [seat for seat in range(self.table.seats) if seat != self.seat]
        self._others = {
            seat: players.load(self.bots[i % len(self.bots)], self.table.game).sit() for i, seat in enumerate(others)
        }
        self._let_others_play()
        self._ended = self.table.over
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._ended:
            raise BadSetting("there is no match to play on: reset the environment first")
        self._ended = not self.table.is_legal(action)
        if self._ended:
            return self._observation(), LOST_ALONE if self.table.seats == 1 else LOST, True, False, {"illegal": True}
        self.table.play(action)
        self._let_others_play()
        self._ended = self.table.over
        if self.render_mode == "human":
            self.render()
        return self._observation(), self.table.rewards()[self.seat], self.table.over, False, {}

    def render(self) -> Any:
        if self.render_mode == "svg":
            return self.table.svg(self.seat)
        if self.render_mode == "human":
            print(self.table.text(self.seat))
            return None
        return self.table.text(self.seat)

    def _let_others_play(self) -> None:
        table = self.table
        while not table.over and table.to_play != self.seat:
            seat = table.to_play
            seed = int(self.np_random.integers(2**63))
            seen = table.position.hidden(seat)
            table.play(table.key(self._others[seat].think(table.game, seen, seat, seed).action))

    def _observation(self) -> dict[str, Any]:
        plays = self.table.to_play == self.seat and not self._ended
        mask = self.table.mask() if plays else np.zeros(self.table.action_count, np.int8)
        return {"observation": self.table.observation(self.seat), "action_mask": mask}


class ManyEnv(VectorEnv[Any, Any, Any]):
    """Many matches of a game played alone, on a `Batch`, which takes the other settings. In `autoreset_mode` all of
    Gymnasium's are known. Actions that are not allowed are refused with an IllegalAction, and nothing is played: choose
    by `action_mask`."""

    metadata: dict[str, Any] = {  # noqa: RUF012  # Gymnasium gives every instance its own
        "render_modes": ["ansi"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        autoreset: str = "next",
        threads: int = 1,
        views: bool = False,
        render_mode: str | None = None,
        seats: int = 1,
        actions: str = "code",
        **options: Any,
    ) -> None:
        check_mode(render_mode, self.metadata["render_modes"])
        if index(seats) != 1:
            raise BadSetting(f"many matches at once are played alone here: seats is 1, not {shown(seats)}")
        for name, instead in (("n", "num_envs is how many matches there are"), ("seed", "reset takes the seed")):
            if name in options:
                raise BadSetting(f"there is no {name} here: {instead}")
        self.batch = Batch(
            game, 1, num_envs, actions=actions, autoreset=autoreset, threads=threads, views=views, **options
        )
        seen = self.batch.reset().observation
        if seen is None:
            raise BadSetting("observe is one of tokens, planes, state in an environment, not 'nothing'")
        self.num_envs, self.render_mode = num_envs, render_mode
        self.metadata = {**self.metadata, "autoreset_mode": AUTORESET[autoreset]}
        self.single_observation_space = observation_space(seen.shape[1], self.batch.action_count, seen.dtype)
        self.single_action_space = spaces.Discrete(self.batch.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        mask = check_options(options, "reset_mask").get("reset_mask")
        super().reset(seed=seed)
        return self._observation(self.batch.reset(int(self.np_random.integers(2**63)), mask)), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        step = self.batch.step(actions)
        done = step.terminated | step.truncated
        infos: dict[str, Any] = {}
        if step.final_observation is not None and done.any():
            blank = np.zeros(self.batch.action_count, np.int8)
            finals = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(done):
                finals[i] = {"observation": step.final_observation[i], "action_mask": blank}
            infos = {"final_obs": finals, "_final_obs": done}
        return self._observation(step), step.rewards[:, 0].copy(), step.terminated, step.truncated, infos

    def render(self) -> Any:
        return tuple(self.batch.text(i) for i in range(self.num_envs))

    def _observation(self, step: Any) -> dict[str, Any]:
        return {"observation": step.observation, "action_mask": step.legal_action_mask.view(np.int8)}


def check_options(options: Any, *known: str) -> Mapping[str, Any]:
    """The options of a reset; refuses what would be ignored."""
    if options is None:
        return {}
    if not isinstance(options, Mapping) or any(name not in known for name in options):
        knows = f"no options but {', '.join(known)}" if known else "no options"
        raise BadSetting(f"reset takes {knows}, not {shown(options)}")
    return options


def known_as(name: str, alone: bool = False) -> str:
    return f"plenilune/{load(name).title.replace(' ', '')}{'Solo' if alone else ''}-v0"


def register() -> tuple[dict[str, str], dict[str, str]]:
    """Make the games known to `gymnasium.make`, those that can be played alone by another name too, since that is
    another problem; returns their names there, by ours."""
    among, alone = {}, {}
    for name in names():
        among[name] = known_as(name)
        gymnasium.register(among[name], f"{__name__}:SeatEnv", kwargs={"game": name})
        if 1 in load(name).seats:
            alone[name] = known_as(name, alone=True)
            gymnasium.register(
                alone[name],
                f"{__name__}:SeatEnv",
                kwargs={"game": name, "seats": 1},
                vector_entry_point=f"{__name__}:ManyEnv",
            )
    return among, alone


KNOWN, KNOWN_ALONE = register()
