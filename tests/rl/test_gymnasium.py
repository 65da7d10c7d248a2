"""Gymnasium's own checker passes, in its latest version and in the one that RLlib asks for; an episode is a match."""

import copy
import math
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import plenilune.rl.gymnasium as adapter
from plenilune import BadSetting, IllegalAction, load
from tests.play import Setting, describe, settings

ROOT = Path(__file__).parents[2]
OLDER = "1.2.2"
EXPECTED = "PLENILUNE_TESTED_GYMNASIUM"  # which version these tests are run on, if it is not the installed one


@pytest.fixture(autouse=True)
def unwarned() -> Iterator[None]:
    """The checker warns of what is meant: modes to render that are its own, and no spec."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize("setting", settings(), ids=describe)
def test_check_env(setting: Setting) -> None:
    """By its name, so that the checker makes others of its kind and draws them in every way."""
    name, seats = setting[:2]
    how: dict[str, Any] = {"seats": seats, "seat": seats - 1, **setting[2]}
    check_env(gymnasium.make(adapter.KNOWN[name], disable_env_checker=True, **how).unwrapped)


@pytest.mark.parametrize("actions", ["code", "number"])
@pytest.mark.parametrize("name", adapter.KNOWN)
def test_check_env_of_each_seat(name: str, actions: str) -> None:
    seats = load(name).seats[-1]
    for seat in range(seats):
        check_env(adapter.SeatEnv(name, seats, seat, actions=actions, render_mode="ansi"))


def test_the_version_is_the_one_that_is_meant() -> None:
    assert gymnasium.__version__ == os.environ.get(EXPECTED, gymnasium.__version__)


@pytest.mark.slow
def test_all_this_holds_on_an_older_version() -> None:
    folder = ROOT / "build" / f"gymnasium-{OLDER}"
    if not folder.exists():
        install(folder, f"gymnasium=={OLDER}")
    path = os.pathsep.join([str(folder), str(ROOT)])
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-m", "not slow", __file__]
    variables = {**os.environ, "PYTHONPATH": path, EXPECTED: OLDER}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def install(folder: Path, package: str) -> None:
    """Put a package there, whole or not at all; what it depends on is installed."""
    unfinished = folder.with_name(f"{folder.name}.{os.getpid()}")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", str(unfinished), package], check=True)
    unfinished.rename(folder)


def episode(env: Any, seed: int) -> tuple[float, int]:
    """Masked random play to the end: the reward, and how many steps it took."""
    seen, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    steps, done, reward = 0, False, 0.0
    while not done:
        assert seen in env.observation_space
        seen, reward, done, _, info = env.step(env.action_space.sample(mask=seen["action_mask"]))
        assert "illegal" not in info
        steps += 1
    return float(reward), steps


def test_made_by_name_and_the_same_for_the_same_seed() -> None:
    env = gymnasium.make("plenilune/MoonLeap-v0", seats=3, seat=1, bots=("greedy",))
    assert episode(env, 4) == episode(env, 4)
    assert episode(env, 4)[0] in (1.0, -0.5, 0.25, 0.0)


def test_alone_the_reward_is_the_score_less_being_better() -> None:
    env = adapter.SeatEnv("nova-luna", 1)
    reward, _ = episode(env, 1)
    assert reward == -env.table.position.standing()[0][0] < 0


def test_what_is_not_allowed_ends_the_episode_and_is_told() -> None:
    env = adapter.SeatEnv("moon-leap", 2)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(19)  # pass
    assert (reward, terminated, truncated, info) == (-1.0, True, False, {"illegal": True})


@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_an_episode_can_be_drawn(mode: str) -> None:
    env = adapter.SeatEnv("moon-leap", 2, render_mode=mode)
    env.reset(seed=1)
    assert env.render().strip()


MODES = [("next", AutoresetMode.NEXT_STEP), ("same", AutoresetMode.SAME_STEP), ("never", AutoresetMode.DISABLED)]


@pytest.mark.parametrize(("autoreset", "mode"), MODES)
def test_many_matches_restart_as_their_mode_says(autoreset: str, mode: Any) -> None:
    envs = gymnasium.make_vec("plenilune/NovaLunaSolo-v0", num_envs=5, autoreset=autoreset)
    assert envs.metadata["autoreset_mode"] == mode
    seen, _ = envs.reset(seed=2)
    chooser, ended = np.random.default_rng(1), 0
    for _ in range(300):
        assert seen in envs.observation_space
        actions = [chooser.choice(np.flatnonzero(row)) if row.any() else 0 for row in seen["action_mask"]]
        seen, rewards, terminated, truncated, infos = envs.step(np.array(actions))
        assert not truncated.any()
        assert ((rewards < 0) <= terminated).all()
        ended += int((rewards < 0).sum())
        if mode == AutoresetMode.SAME_STEP and terminated.any():
            assert infos["_final_obs"].tolist() == terminated.tolist()
            assert all(
                infos["final_obs"][i] in envs.unwrapped.single_observation_space for i in terminated.nonzero()[0]
            )
        if mode == AutoresetMode.DISABLED and terminated.all():
            seen, _ = envs.reset(options={"reset_mask": terminated})
            assert seen["action_mask"].any(axis=1).all()
    assert ended > 5


def test_an_action_that_is_not_allowed_is_refused_among_many() -> None:
    envs = adapter.ManyEnv("nova-luna", 3)
    envs.reset(seed=1)
    with pytest.raises(IllegalAction, match="match 0: 97 is not allowed now"):
        envs.step(np.array([97, 0, 0]))


def test_a_name_is_one_problem_however_it_is_made() -> None:
    alone = gymnasium.make("plenilune/NovaLunaSolo-v0")
    many = gymnasium.make_vec("plenilune/NovaLunaSolo-v0", num_envs=2, seats=1)
    assert alone.unwrapped.table.seats == many.unwrapped.batch.seats == 1  # type: ignore[attr-defined]
    assert alone.observation_space == many.single_observation_space
    one, several = gymnasium.make("plenilune/NovaLuna-v0"), gymnasium.make_vec("plenilune/NovaLuna-v0", num_envs=2)
    tables = [env.unwrapped.table for env in (one, *several.envs)]  # type: ignore[attr-defined]
    assert [table.seats for table in tables] == [2, 2, 2]
    assert sorted(adapter.KNOWN_ALONE) == [name for name in adapter.KNOWN if 1 in load(name).seats]
    with pytest.raises(BadSetting, match="many matches at once are played alone here: seats is 1, not 2"):
        gymnasium.make_vec("plenilune/NovaLunaSolo-v0", num_envs=2, seats=2)


@pytest.mark.parametrize("actions", ["number", "code", "option"])
@pytest.mark.parametrize("observe", ["tokens", "planes", "state"])
def test_what_many_matches_tell_is_in_their_space(observe: str, actions: str) -> None:
    envs = adapter.ManyEnv("nova-luna", 3, observe=observe, actions=actions)
    seen, _ = envs.reset(seed=1)
    for _ in range(6):
        assert seen in envs.observation_space
        assert seen["observation"].dtype == (np.float32 if observe == "planes" else np.uint8)
        seen = envs.step(envs.batch.sample())[0]


@pytest.mark.parametrize("seats", [1, 2])
def test_a_match_that_has_ended_is_not_played_on(seats: int) -> None:
    env = adapter.SeatEnv("nova-luna", seats)
    with pytest.raises(BadSetting, match=r"^there is no match to play on: reset the environment first$"):
        env.step(0)
    seen, _ = env.reset(seed=1)
    wrong = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    before = env.table.states.tobytes()
    seen, *_, info = env.step(wrong)
    assert info == {"illegal": True}
    assert not seen["action_mask"].any()
    for action in (wrong, env.table.legal[0]):
        with pytest.raises(BadSetting, match=r"^there is no match to play on"):
            env.step(action)
    assert env.table.states.tobytes() == before
    episode(env, 1)
    with pytest.raises(BadSetting, match=r"^there is no match to play on"):
        env.step(0)


@pytest.mark.parametrize("action", [1.7, "2", True, np.True_, "x", None, math.nan, [0], np.array([0]), np.float32(1)])
def test_what_is_not_an_action_is_refused_and_the_match_goes_on(action: Any) -> None:
    env = adapter.SeatEnv("moon-leap", 2)
    env.reset(seed=1)
    before = env.table.states.tobytes()
    with pytest.raises(BadSetting, match=r"^an action is a whole number, not ") as refusal:
        env.step(action)
    assert repr(action) in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert env.table.states.tobytes() == before
    env.step(np.int64(env.table.legal[0]))


def test_a_bad_setting_of_many_matches_is_named_in_a_sentence() -> None:
    for how, words in (
        ({"observe": "nothing"}, "observe is one of tokens, planes, state in an environment, not 'nothing'"),
        ({"autoreset": ["next"]}, "autoreset is one of next, same, never, not"),
        ({"render_mode": "svg"}, "render_mode is one of ansi, not 'svg'"),
        ({"seats": "1"}, "seats is 1, not '1'"),
        ({"seats": np.ones(2)}, "seats is 1, not array"),
        ({"n": 3}, "there is no n here: num_envs is how many matches there are"),
        ({"seed": 3}, "there is no seed here: reset takes the seed"),
    ):
        wrong: Any = how
        with pytest.raises(BadSetting, match=words):
            adapter.ManyEnv("nova-luna", 2, **wrong)


def test_options_of_a_reset_that_would_be_ignored_are_refused() -> None:
    one, many = adapter.SeatEnv("moon-leap"), adapter.ManyEnv("nova-luna", 3)
    one.reset(seed=1)
    many.reset(seed=1)
    before, saved = one.table.states.tobytes(), many.batch.save()
    wrongs: list[Any] = [{"reset_maks": np.ones(3, bool)}, {"x": 1}, 5, "x", [1]]
    for wrong in wrongs:
        with pytest.raises(BadSetting, match=r"^reset takes no options, not "):
            one.reset(seed=2, options=wrong)
        with pytest.raises(BadSetting, match=r"^reset takes no options but reset_mask, not "):
            many.reset(seed=2, options=wrong)
    assert (one.table.states.tobytes(), many.batch.save()) == (before, saved)
    nothing: list[dict[str, Any] | None] = [None, {}]
    for options in nothing:
        assert one.reset(seed=2, options=options)
        assert many.reset(seed=2, options=options)


def test_a_bad_setting_is_named_in_a_sentence() -> None:
    for how, words in (
        ({"seats": "2"}, "moon-leap is for 2 to 4 seats, not 2"),
        ({"bots": None}, "bots are at most 1 names, not None"),
        ({"bots": (5,)}, "no such bot for moon-leap: 5"),
        ({"bots": ("mcts:5ms",)}, "mcts:5ms plays by the clock, which cannot be repeated"),
        ({"seat": 2}, "seat is between 0 and 1, not 2"),
        ({"bots": ("greedy", "greedy")}, "bots are at most 1 names"),
        ({"bots": ("genius",)}, "no such bot for moon-leap: 'genius'"),
        ({"render_mode": "pixels"}, "render_mode is one of"),
        ({"render_mode": np.zeros(2)}, "render_mode is one of"),
        ({"actions": "option"}, "actions is one of code, number"),
    ):
        wrong: Any = {"seats": 2, **how}
        with pytest.raises(BadSetting, match=words):
            adapter.SeatEnv("moon-leap", **wrong)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_a_copy_of_many_matches_goes_on_by_itself(copied: Any) -> None:
    envs = adapter.ManyEnv("nova-luna", 3, views=True)
    envs.reset(seed=4)
    envs.step(envs.batch.sample())
    other = copied(envs)
    for _ in range(5):
        actions = other.batch.sample()
        told = other.step(actions)
        assert np.array_equal(envs.batch.sample(), actions)
        again = envs.step(actions)
        assert told[0]["observation"].tobytes() == again[0]["observation"].tobytes()
        assert told[0]["action_mask"].tobytes() == again[0]["action_mask"].tobytes()
    assert other.reset()[0]["observation"].tobytes() == envs.reset()[0]["observation"].tobytes()
