"""PettingZoo's own tests pass, and a match is what the rules make of it."""

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from plenilune import BadSetting
from plenilune.rl import Batch, pettingzoo
from tests.play import Setting

with warnings.catch_warnings():  # PettingZoo's tests import a game in a way that PettingZoo deprecates
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test


@pytest.fixture(autouse=True)
def unwarned() -> Iterator[None]:
    """PettingZoo warns that an observation is a dictionary, as masks need, and of what its own tests do."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def made(setting: Setting, **how: Any) -> Any:
    name, seats, options = setting
    return pettingzoo.env(name, seats, **how, **options)


def test_api_test(setting: Setting) -> None:
    api_test(made(setting), num_cycles=100)


def test_seed_test(setting: Setting) -> None:
    seed_test(lambda: made(setting), num_cycles=10)


def test_seed_test_with_action_numbers(setting: Setting) -> None:
    seed_test(lambda: made(setting, actions="number"), num_cycles=10)


def test_render_test(setting: Setting) -> None:
    render_test(
        lambda **how: made(setting, **how),
        custom_tests={"svg": lambda drawn: isinstance(drawn, str) and drawn.startswith("<svg")},
    )


def test_parallel_api_test(setting: Setting) -> None:
    name, seats, options = setting
    parallel_api_test(pettingzoo.parallel_env(name, seats, **options), num_cycles=60)


def test_a_match_goes_as_in_a_batch_of_one(setting: Setting) -> None:
    name, seats = setting[:2]
    options: dict[str, Any] = {**setting[2]}
    env = pettingzoo.TableEnv(name, seats, **options)
    env.reset(seed=3)
    seed = int(np.random.default_rng(3).integers(2**63))
    batch = Batch(name, seats, 1, seed, actions="code", autoreset="never", **options)
    step = batch.reset(seed)
    while env.agents and not env.terminations[env.agent_selection]:
        seat = env.possible_agents.index(env.agent_selection)
        found = env.observe(env.agent_selection)
        assert seat == step.current_player[0]
        assert found["observation"].tobytes() == step.observation[0].tobytes()
        assert found["action_mask"].tolist() == step.legal_action_mask[0].tolist()
        action = int(batch.sample()[0])
        env.step(action)
        step = batch.step([action])
    assert step.terminated[0]
    assert list(env.rewards.values()) == pytest.approx(step.rewards[0].tolist())


def test_one_seed_decides_a_whole_run() -> None:
    told = []
    for _ in range(2):
        env, run = pettingzoo.env("nova-luna", 2), []
        env.reset(seed=5)
        for _ in range(4):
            run.append(env.last()[0]["observation"].tobytes())
            env.reset()
        told.append(run)
    assert told[0] == told[1]
    assert len(set(told[0])) == 4


def test_who_is_not_to_play_may_do_nothing() -> None:
    env = pettingzoo.TableEnv("nova-luna", 3)
    env.reset(seed=1)
    others = [agent for agent in env.agents if agent != env.agent_selection]
    assert not any(env.observe(agent)["action_mask"].any() for agent in others)


def test_a_seat_that_plays_an_illegal_action_has_lost() -> None:
    env = made(("moon-leap", 2, {}))
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(19)  # pass
    assert env.terminations[agent]
    assert env.rewards[agent] == -1


@pytest.mark.parametrize("actions", ["code", "number"])
def test_what_is_not_an_action_is_refused_and_changes_nothing(actions: str) -> None:
    env = pettingzoo.TableEnv("nova-luna", 2, actions=actions)
    env.reset(seed=1)
    before, legal = env.table.states.tobytes(), env.table.legal[0]
    for wrong in (legal + 0.9, None, str(legal), [legal], True, np.zeros((30, 30))):
        with pytest.raises(BadSetting, match=r"^an action is a whole number, not "):
            env.step(wrong)
    for number in (-1, -(2**70), 2**70, env.table.action_count):
        with pytest.raises(BadSetting, match=f"^{number} is not allowed now; these are: "):
            env.step(number)
    seeds: list[tuple[Any, str]] = [(-1, "seed is between 0 and"), ("x", "seed is a whole number, not 'x'")]
    for seed, words in seeds:
        with pytest.raises(BadSetting, match=words):
            env.reset(seed)
    assert env.table.states.tobytes() == before
    assert env.rewards == {"seat_1": 0, "seat_2": 0}


@pytest.mark.parametrize("made", [pettingzoo.env, pettingzoo.TableEnv])
def test_an_agent_is_one_of_those_that_there_are(made: Any) -> None:
    env = made("moon-leap", 3)
    env.reset(seed=1)
    for wrong in ("seat_4", "nobody", None, 0, ["seat_1"]):
        for ask in (env.observe, env.observation_space, env.action_space):
            with pytest.raises(BadSetting, match=r"^an agent is one of seat_1, seat_2, seat_3, not "):
                ask(wrong)


def test_what_is_not_an_action_is_refused_by_the_wrappers_too() -> None:
    env = pettingzoo.env("moon-leap", 2)
    for wrong in (True, None, "3", 1.0, math.nan, [3], np.zeros(2), -1, 20, 2**70, -(2**70)):
        env.reset(seed=1)
        before = env.unwrapped.table.states.tobytes()
        with pytest.raises(BadSetting, match=r"^an action is (a whole number|between 0 and 19), not "):
            env.step(wrong)
        assert env.unwrapped.table.states.tobytes() == before
        assert not any(env.terminations.values())


def test_the_action_of_the_seat_to_play_is_asked_for() -> None:
    env = pettingzoo.parallel_env("moon-leap", 2)
    env.reset(seed=1)
    before = env.unwrapped.table.states.tobytes()
    wrongs: list[Any] = [{}, {"seat_2": 3}, {"nobody": 3}, None, 5, [3, 3]]
    for wrong in wrongs:
        with pytest.raises(BadSetting, match=r"^actions are a dictionary with one for seat_1, whose turn it is, not "):
            env.step(wrong)
    assert env.unwrapped.table.states.tobytes() == before
    picks = {"seat_1": env.unwrapped.table.legal[0]}
    assert set(env.step(picks)[0]) == {"seat_1", "seat_2"}


def test_a_match_that_has_not_begun_or_has_ended_is_not_played_on() -> None:
    env = pettingzoo.TableEnv("moon-leap", 2)
    with pytest.raises(BadSetting, match=r"^there is no match to play on: reset the environment first$"):
        env.step(0)
    env.reset(seed=1)
    for agent in env.agent_iter():
        env.step(None if env.terminations[agent] else env.table.legal[0])
    before = env.table.states.tobytes()
    for action in (0, None, 2**70):
        with pytest.raises(BadSetting, match=r"^there is no match to play on"):
            env.step(action)
    for _ in range(2):
        env.close()
    assert env.table.states.tobytes() == before
    assert env.table.over


def test_a_way_to_render_that_is_none_is_refused() -> None:
    with pytest.raises(BadSetting, match="render_mode is one of ansi, human, svg, not 'pixels'"):
        pettingzoo.env("moon-leap", render_mode="pixels")
