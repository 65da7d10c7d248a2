"""Many matches at once play as one match does, and nothing that is refused changes anything."""

import copy
import gc
import hashlib
import itertools
import json
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plenilune import CHANCE, OVER, BadSetting, IllegalAction, Match, UnknownGame, load
from plenilune.core.engine import PLAIN, below, generator
from plenilune.core.errors import Refusal
from plenilune.rl import Batch, Step, crew, memory, threads
from plenilune.rl import lanes as compiled
from plenilune.rl.batch import streams
from tests.play import Setting, settings

ROOT = Path(__file__).parents[2]
ENOUGH = 5000  # steps: any match is over by then


def made(setting: Setting, n: int = 2, seed: int = 1, **how: Any) -> Batch:
    name, seats, options = setting
    return Batch(name, seats, n, seed, **{**how, **options})


def played(batch: Batch, steps: int = ENOUGH) -> Iterator[Step]:
    """The batch at every step of random play, until all its matches are over."""
    step = batch.reset()
    yield step
    for _ in range(steps):
        if (step.terminated | step.truncated).all():
            return
        step = batch.step(batch.sample())
        yield step


# As one match


@pytest.mark.parametrize("chance", ["auto", "manual"])
def test_every_match_is_what_match_makes_of_the_same_actions(setting: Setting, chance: str) -> None:
    batch = made(setting, history=True, autoreset="never", chance=chance)
    ended: set[int] = set()
    for count, step in enumerate(played(batch)):
        over = set(np.flatnonzero(step.terminated).tolist())
        if count % 29 and over == ended:
            continue
        for i in range(batch.n):
            match = batch.match(i)
            assert match.state.tobytes() == batch.states[i].tobytes()
            assert match.legal_numbers() == step.legal[i, : step.counts[i]].tolist()
            assert np.flatnonzero(step.legal_action_mask[i]).tolist() == match.legal_numbers()
            assert (match.to_play, match.over) == (step.current_player[i], step.terminated[i])
            if i in over - ended and batch.seats > 1:
                shares = np.array(match.places) == 1
                assert step.rewards[i].sum() == pytest.approx(0, abs=1e-6)
                assert set(np.flatnonzero(step.rewards[i] == step.rewards[i].max())) == set(np.flatnonzero(shares))
        ended = over
    assert all(batch.match(i).over for i in range(batch.n))


@pytest.mark.parametrize("autoreset", ["next", "same"])
def test_a_match_that_restarts_is_what_match_makes_of_its_actions(setting: Setting, autoreset: str) -> None:
    batch = made(setting, history=True, autoreset=autoreset, most_steps=11)
    begun = 0
    for count in range(75):
        before, step = batch._lanes.done.copy(), batch.step(batch.sample())
        begun += int(before.sum() if autoreset == "next" else step.truncated.sum())
        if count % 12 in (10, 11, 0):
            for i in range(batch.n):
                match = batch.match(i)
                assert match.state.tobytes() == batch.states[i].tobytes()
                assert match.legal_numbers()[: step.counts[i]] == step.legal[i, : step.counts[i]].tolist()
    assert begun >= 2 * batch.n


def splitmix(x: int) -> tuple[int, int]:
    """Its next state and number."""
    state = (x + 0x9E3779B97F4A7C15) % 2**64
    x = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return state, x ^ x >> 31


def test_chance_is_what_the_documents_say(setting: Setting) -> None:
    """docs/research.md: anybody can compute a match's outcomes."""
    name, seats, options = setting
    batch = made(setting, n=3, seed=42, history=True, autoreset="never")
    for _ in range(60):
        batch.step(batch.sample())
    x = 42
    for i in range(batch.n):
        x, stream = splitmix(x)
        match, again = batch.match(i), Match(name, seats, **options)
        for number in map(match.game.actions.parse, match.history):
            if again.to_play == CHANCE:
                outcomes = legal_in(match.game, again.state)
                stream, drawn = splitmix(stream)
                assert number == outcomes[(drawn >> 32) * len(outcomes) >> 32]
            again.play(match.game.actions.text(number))


def test_chance_is_all_outcomes_equally_likely_from_a_stream_of_the_match_alone() -> None:
    batches = [Batch("moon-leap", 2, n, seed=5, history=True) for n in (2, 7)]
    for batch in batches:
        for _ in range(20):
            batch.step(batch._lanes.legal[:, 0])
    assert [batches[0].match(i).history for i in range(2)] == [batches[1].match(i).history for i in range(2)]
    rolls = [Batch("moon-leap", 2, 6000, seed=seed).states["die"] for seed in (1, 2)]
    for dice in rolls:
        assert (abs(np.bincount(dice, minlength=7)[1:] - 1000) < 150).all()
    assert (rolls[0] != rolls[1]).any()


def test_streams_are_the_numbers_of_splitmix64() -> None:
    # The first three of the reference implementation (Vigna) from the seed 1234567.
    assert streams(1234567, 3).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_solo_is_rewarded_by_its_score_less_being_better() -> None:
    batch = Batch("nova-luna", 1, 2, seed=3, history=True, autoreset="never")
    *_, last = played(batch)
    assert last.rewards[:, 0].tolist() == [-batch.match(i).scores[0] for i in range(2)]


def test_the_same_seed_plays_the_same_whatever_the_threads(setting: Setting) -> None:
    batches = [made(setting, n=5, threads=count) for count in (1, 3)]
    for _ in range(60):
        one, other = (batch.step(batch.sample()) for batch in batches)
        for a, b in zip(one, other, strict=True):
            assert (a is None) == (b is None)
            assert a is None or a.tobytes() == b.tobytes()
    assert batches[0].states.tobytes() == batches[1].states.tobytes()


PLAYED = """
import hashlib
import numpy as np
from plenilune import load
from plenilune.core.errors import Refusal
from plenilune.rl import Batch
from tests.play import Setting, settings

for name, seats, options in settings():
    planes = "planes" if load(name).encoding else "state"
    for how in ({"actions": "code", "autoreset": "same"}, {"actions": "option", "observe": planes}):
        batch, told = Batch(name, seats, 3, 4, most_steps=9, history=True, **how, **options), hashlib.sha256()
        for count in range(14):
            actions = batch.sample()
            for wrong in (-1, 98, 4039, 6319, 2**62):
                try:
                    batch.step(np.where(np.arange(3) == count % 3, wrong, actions))
                except Refusal as refusal:
                    told.update(str(refusal).encode())
            for array in batch.step(actions):
                told.update(b"" if array is None else array.tobytes())
        print(name, seats, options, how["actions"], told.hexdigest())
"""


@pytest.mark.slow
def test_plain_python_plays_and_refuses_the_same_to_the_byte() -> None:
    """Where numpy catches what would be read or written outside of an array."""
    told = []
    for plain in ({}, {"NUMBA_DISABLE_JIT": "1"}):
        environment = {**os.environ, **plain, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", PLAYED], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.splitlines())
    assert told[0] == told[1]
    assert len(told[0]) > len(settings())


# Numbers, codes, options


def test_codes_and_options_stand_for_the_legal_actions(setting: Setting) -> None:
    batches = [made(setting, actions=kind, autoreset="never") for kind in ("number", "code", "option")]
    _, coded, options = batches
    step = {batch.actions: batch.reset() for batch in batches}
    for _ in range(400):
        for i in range(2):
            n = step["number"].counts[i]
            codes = step["code"].legal[i, :n]
            assert len(set(codes.tolist())) == n
            assert all(0 <= code < coded.action_count for code in codes)
            assert sorted(codes.tolist()) == np.flatnonzero(step["code"].legal_action_mask[i]).tolist()
            assert step["option"].legal_action_mask[i].tolist() == [j < n for j in range(options.settings.width)]
            assert step["option"].legal[i].tolist() == step["number"].legal[i].tolist()
            features: Any = step["option"].options
            assert not features[i, n:].any()
            told = {row.tobytes() for row in features[i, :n]}
            assert len(told) == (n if load(setting[0]).encoding else min(n, 1))
        picks = [pick % max(1, n) for pick, n in zip(options.sample(), step["number"].counts, strict=True)]
        chosen = {
            "number": [step["number"].legal[i, j] for i, j in enumerate(picks)],
            "code": [step["code"].legal[i, j] for i, j in enumerate(picks)],
            "option": picks,
        }
        step = {batch.actions: batch.step(chosen[batch.actions]) for batch in batches}
        assert len({batch.states.tobytes() for batch in batches}) == 1


# Ends


def ends(autoreset: str, **how: Any) -> tuple[Batch, list[Step]]:
    batch = Batch("moon-leap", 2, 8, seed=2, autoreset=autoreset, **how)
    return batch, [batch.step(batch.sample()) for _ in range(500)]


def test_next_step_restarts_one_step_after_the_end() -> None:
    _, steps = ends("next")
    seen = 0
    for before, step in itertools.pairwise(steps):
        for i in np.flatnonzero(before.terminated):
            seen += 1
            assert before.current_player[i] == OVER
            assert abs(before.rewards[i]).sum() in (0, 2)
            assert (step.current_player[i], step.terminated[i], abs(step.rewards[i]).sum()) == (0, False, 0)
    assert seen > 8


def test_same_step_restarts_at_once_and_tells_what_was_seen_last() -> None:
    _, steps = ends("same")
    assert sum(step.terminated.sum() for step in steps) > 8
    for step in steps:
        assert (step.current_player >= 0).all()
        for i in np.flatnonzero(step.terminated):
            assert step.final_observation[i].tobytes() != step.observation[i].tobytes()


@pytest.mark.parametrize("observe", ["tokens", "planes", "state"])
def test_what_was_seen_last_is_what_the_seat_saw_at_the_end(observe: str) -> None:
    """Beside a batch in which the matches stay at their ends."""
    how: dict[str, Any] = {"observe": observe, "seed": 6, "map": "expert", "most_steps": 12}
    same, never = (made(("via-nebula", 3, {}), 4, autoreset=word, **how) for word in ("same", "never"))
    for _ in range(12):
        actions = never.sample()
        there, here = same.step(actions), never.step(actions)
    assert here.truncated.all()
    assert there.truncated.all()
    assert there.final_observation.tobytes() == here.observation.tobytes()
    assert there.observation.tobytes() != here.observation.tobytes()


def test_never_leaves_a_match_at_its_end_until_it_is_reset() -> None:
    batch, steps = ends("never")
    last = steps[-1]
    assert last.terminated.all()
    assert not last.rewards.any()
    assert not last.legal_action_mask.any()
    before = batch.states.tobytes()
    assert batch.step(np.full(8, -5)).terminated.all()
    assert batch.states.tobytes() == before
    some = np.arange(8) < 3
    fresh = batch.reset(mask=some)
    assert fresh.terminated.tolist() == (~some).tolist()


def test_a_match_is_cut_off_after_so_many_steps() -> None:
    _, steps = ends("never", most_steps=7)
    assert [step.truncated.all() for step in steps[5:8]] == [False, True, True]
    assert not any(step.terminated.any() for step in steps[:8])
    assert (steps[7].counts == 0).all()


# Copies and views


def test_a_step_stays_as_it_is_unless_it_is_a_view() -> None:
    for views in (False, True):
        batch = Batch("moon-leap", 2, 4, views=views, actions="option", autoreset="same")
        first = batch.step(batch.sample())
        kept = [array.copy() for array in first if array is not None]
        second = batch.step(batch.sample())
        for before, then, after in zip(kept, first, second, strict=True):
            assert views == np.shares_memory(then, after)
            assert views or before.tobytes() == then.tobytes()


def test_views_can_only_be_read() -> None:
    """What somebody writes there would be read as places in arrays by compiled code."""
    hows: list[dict[str, Any]] = [{"actions": "option", "autoreset": "same"}, {"observe": "state"}]
    for how in hows:
        batch = Batch("moon-leap", 2, 4, views=True, **how)
        for array in batch.reset():
            if array is not None:
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = 1
    batch = Batch("moon-leap", 2, 4)
    assert all(array.flags.writeable for array in batch.reset() if array is not None)


def test_states_are_copies() -> None:
    """Compiled code writes to records whatever their flags say."""
    batch = Batch("nova-luna", 2, 2, seed=8)
    for _ in range(9):
        batch.step(batch.sample())
    before, states = batch.save(), batch.states
    batch.game.encoded().mirror(states[0], 1)
    states[1] = states[0]
    batch.game.encoded().mirror(batch.position(1).state, 1)
    assert states.tobytes() != batch.states.tobytes()
    assert batch.save() == before


# Threads and processes


def test_a_batch_is_played_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch("moon-leap", 2, 3, history=True)
    saved, play, inside, go_on = batch.save(), crew.work, threading.Event(), threading.Event()

    def slowly(*arguments: Any) -> int:
        inside.set()
        assert go_on.wait(60)
        return play(*arguments)

    monkeypatch.setattr(crew, "work", slowly)
    actions = batch.sample()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(batch.step, actions)
        assert inside.wait(60)
        asked: list[Callable[[], Any]] = [
            lambda: batch.step(actions),
            batch.reset,
            batch.sample,
            lambda: batch.observe(0),
            lambda: batch.states,
            lambda: batch.position(0),
            lambda: batch.match(0),
            lambda: batch.seen(0),
            lambda: batch.text(0),
            batch.save,
            lambda: batch.restore(saved),
            lambda: copy.copy(batch),
        ]
        for ask in asked:
            with pytest.raises(BadSetting, match=r"^this batch is already playing a step in another thread$"):
                ask()
        go_on.set()
        first.result()
    again = Batch("moon-leap", 2, 3, history=True)
    again.step(again.sample())
    assert batch.save() == again.save()


def test_a_refusal_does_not_keep_the_batch() -> None:
    batch = Batch("moon-leap", 2, 2)
    for _ in range(2):
        with pytest.raises(IllegalAction):
            batch.step([-1, -1])
    batch.step(batch.sample())


# Several threads


@pytest.fixture
def three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 3)


def helpers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "batch"]


def until(condition: Callable[[], object]) -> None:
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + 60
        time.sleep(0.01)


def asleep(batch: Batch) -> bool:
    player: Any = batch._player
    return not any(awake.is_set() for awake in player._crew._awake)


@pytest.mark.usefixtures("three_cores")
def test_however_many_threads_play_and_refuse_the_same() -> None:
    n = 5 * crew.PIECE + 3
    batches = [Batch("moon-leap", 2, n, 3, most_steps=11, threads=count) for count in (1, 2, 3)]
    for count in range(400):
        actions = [batch.sample() for batch in batches]
        if count % 20 == 0:
            for batch, given in zip(batches, actions, strict=True):
                playing = np.flatnonzero(~batch._lanes.done.astype(bool))
                given[playing[2:]] = -1
                before = batch.states.tobytes()
                with pytest.raises(IllegalAction, match=rf"^match {playing[2]}: -1 "):
                    batch.step(given)
                assert batch.states.tobytes() == before
                batch.reset(mask=np.arange(n) % 7 == 0)
            actions = [batch.sample() for batch in batches]
        if count % 100 == 50:
            until(lambda: all(map(asleep, batches)))  # and then they wake
        steps = [batch.step(given) for batch, given in zip(batches, actions, strict=True)]
        for arrays in zip(*steps, strict=True):
            assert len({None if array is None else array.tobytes() for array in arrays}) == 1
        assert len({batch.states.tobytes() for batch in batches}) == 1


@pytest.mark.skipif(PLAIN, reason="plain Python plays in one thread")
@pytest.mark.usefixtures("three_cores")
def test_other_threads_play_too() -> None:
    batch = Batch("moon-leap", 2, 2000, threads=2)
    scratch = batch._player._scratch[1].numbers
    until(lambda: batch.step(batch.sample()) and scratch.any())


@pytest.mark.skipif(PLAIN, reason="plain Python plays in one thread")
@pytest.mark.usefixtures("three_cores")
def test_threads_without_work_sleep() -> None:
    batch = Batch("moon-leap", 2, 50, threads=3)
    batch.step(batch.sample())
    until(lambda: asleep(batch))
    began = time.process_time()
    time.sleep(0.5)
    assert time.process_time() < began + 0.25


@pytest.mark.skipif(PLAIN, reason="plain Python plays in one thread")
@pytest.mark.usefixtures("three_cores")
def test_threads_end_with_their_batch() -> None:
    before = set(helpers())
    batches = [Batch("moon-leap", 2, 50, threads=3) for _ in range(2)]
    batches[0].step(batches[0].sample())
    until(lambda: asleep(batches[1]))
    assert len(set(helpers()) - before) == 4
    batches.clear()
    gc.collect()
    assert not set(helpers()) - before


def test_no_more_threads_play_than_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 1)
    before = set(helpers())
    batch = Batch("moon-leap", 2, 50, threads=3)
    batch.step(batch.sample())
    assert not set(helpers()) - before


def test_python_exits_while_threads_play() -> None:
    code = (
        "from plenilune.rl import Batch; b = Batch('moon-leap', 2, 50, threads=3); b.step(b.sample()); print('played')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr, done.returncode) == ("played\n", "", 0)


FORKED = """
import os
from plenilune.rl import Batch

batch = Batch("moon-leap", 2, 6, threads=3)
batch.step(batch.sample())
child = os.fork()
told = batch.step(batch.sample()).observation.tobytes()
if child == 0:
    os._exit(sum(told) % 251)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == sum(told) % 251)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_threads_play_in_a_fork_too() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr


# What is seen


@pytest.mark.parametrize("observe", ["tokens", "planes"])
def test_what_looks_the_same_to_a_seat_gives_the_same_bytes(setting: Setting, observe: str) -> None:
    name, seats, _ = setting
    game = load(name)
    if not game.encoding:
        observe = "state"  # there is nothing else to see
    batch, told = made(setting, n=4, observe=observe), 0
    for count, _ in enumerate(played(batch, 120)):
        if count % 20:
            continue
        for seat in range(seats):
            before, truth = batch.observe(seat), batch.states.copy()
            guess_again(batch, np.full(batch.n, seat), count)
            told += batch.states.tobytes() != truth.tobytes()
            assert batch.observe(seat).tobytes() == before.tobytes()
            batch._lanes.states[:] = truth
    assert bool(told) == bool(game.secrets)


@pytest.mark.parametrize("kind", ["number", "code", "option"])
def test_what_a_seat_may_do_follows_from_what_it_sees(setting: Setting, kind: str) -> None:
    """Legal lists, masks, codes and the features of options have the same bytes whatever is hidden."""
    game = load(setting[0])
    batch, told = made(setting, n=4, actions=kind), 0
    for count, step in enumerate(played(batch, 120)):
        if count % 10:
            continue
        truth = batch.states.copy()
        guess_again(batch, np.maximum(step.current_player, 0), count)
        told += batch.states.tobytes() != truth.tobytes()
        batch._player.write_step()
        for before, again in zip(step, batch._step(), strict=True):
            assert before is None or before.tobytes() == again.tobytes()
        batch._lanes.states[:] = truth
        batch._player.write_step()
    assert bool(told) == bool(game.secrets)


def guess_again(batch: Batch, seats: Any, seed: int) -> None:
    """Put fair guesses of what the seats do not know in the place of the truth, a seat for each match."""
    for i, seat in enumerate(seats):
        guess: Any = batch.game.State.copy(batch.states[i])
        batch.game.hide(guess, seat)
        batch.game.resample(guess, seat, generator(seed))
        batch._lanes.states[i] = guess


def test_a_step_shows_what_the_seat_to_play_sees(setting: Setting) -> None:
    batch = made(setting, n=3)
    for step in played(batch, 60):
        seen = [batch.observe(seat) for seat in range(batch.seats)]
        for i, seat in enumerate(step.current_player):
            assert step.observation[i].tobytes() == seen[max(seat, 0)][i].tobytes()


def test_nothing_is_observed_where_nothing_is_asked_for() -> None:
    batch = Batch("moon-leap", 2, 2, observe="nothing")
    assert batch.step(batch.sample()).observation is None


def test_the_fields_of_an_observation_are_its_parts() -> None:
    for observe in ("tokens", "planes", "state"):
        batch = Batch("moon-leap", 3, 2, observe=observe)
        fields = batch.fields(batch.reset().observation)
        assert sum(field[0].nbytes for field in fields.values()) == batch.reset().observation[0].nbytes
        assert len(fields) > 3


# Symmetries


def test_a_mirrored_match_goes_as_the_match_mirrored(setting: Setting) -> None:
    name, seats, options = setting
    game = load(name)
    encoding = game.encoded()
    for symmetry in range(encoding.symmetries):
        match, chooser = Match(game, seats, seed="mirror", **options), generator(symmetry)
        for _ in range(60):
            mirrored: Any = game.State.copy(match.state)
            encoding.mirror(mirrored, symmetry)
            images = {n: int(encoding.image(mirrored, n, symmetry)) for n in match.legal_numbers()}
            assert sorted(images.values()) == sorted(legal_in(game, mirrored))
            number = match.legal_numbers()[below(chooser, len(images))]
            after: Any = game.State.copy(match.state)
            game.apply(after, number)
            game.apply(mirrored, images[number])
            encoding.mirror(after, symmetry)
            for seat in range(seats):
                assert tokens_of(encoding, after, seat) == tokens_of(encoding, mirrored, seat)
            match.play(game.actions.text(number))
            if match.over:
                break


def legal_in(game: Any, state: Any) -> list[int]:
    out = np.zeros(game.actions.size, np.int32)
    return [int(number) for number in out[: game.legal(state, out)]]


def tokens_of(encoding: Any, state: Any, seat: int) -> bytes:
    out = encoding.Tokens.new()
    encoding.tokens(state, seat, out)
    made: bytes = out.tobytes()
    return made


# Saving and drawing


HOW_SAVED: list[dict[str, Any]] = [
    {"autoreset": "next", "actions": "code"},
    {"autoreset": "same", "actions": "option", "observe": "state", "history": True},
    {"autoreset": "never", "chance": "manual"},
]


@pytest.mark.parametrize("how", HOW_SAVED, ids=lambda how: how["autoreset"])
def test_a_saved_batch_resumes_bit_exactly(setting: Setting, how: dict[str, Any]) -> None:
    one, other = (made(setting, n=3, seed=seed, most_steps=24, **how) for seed in (1, 99))
    saved, chooser = 0, generator(1)
    for count in range(55):
        actions, tossed = one.sample(), below(chooser, 5)
        step = one.step(actions)
        if tossed and count not in (23, 24, 25):  # a match is cut off, has been, has restarted
            continue
        saved += 1
        again = other.restore(one.save())
        assert bytes_of(again) == bytes_of(step)
        assert other.save() == one.save()
        for _ in range(3):  # `one` goes there too, and on from there
            actions = one.sample()
            assert actions.tobytes() == other.sample().tobytes()
            assert bytes_of(one.step(actions)) == bytes_of(other.step(actions))
    assert saved > 5
    if one.settings.history:
        other.restore(one.save())
        assert one.match(0).history == other.match(0).history


COPIED: list[Callable[[Batch], Batch]] = [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))]


@pytest.mark.parametrize("views", [False, True])
@pytest.mark.parametrize("how", HOW_SAVED, ids=lambda how: how["autoreset"])
@pytest.mark.parametrize("copied", COPIED, ids=["copy", "deepcopy", "pickle"])
def test_a_copy_goes_on_by_itself_from_where_the_batch_is(
    copied: Callable[[Batch], Batch], how: dict[str, Any], views: bool
) -> None:
    batch, twin = (Batch("via-nebula", 3, 3, 5, map="expert", views=views, threads=2, **how) for _ in range(2))
    for _ in range(9):
        batch.step(batch.sample())
        twin.step(twin.sample())
    other = copied(batch)
    assert other.settings.threads == 2
    for _ in range(40):
        actions = other.sample()
        assert bytes_of(other.step(actions)) == bytes_of(twin.step(twin.sample()))
    assert batch.save() != other.save() == twin.save()
    assert copied(other).save() == other.save()


def test_a_copy_is_of_the_same_version_of_the_rules() -> None:
    batch = Batch(load("moon-leap", rules=1), 2, 2)
    assert all(copied(batch).game is batch.game for copied in COPIED)


def bytes_of(step: Step) -> list[bytes | None]:
    return [array if array is None else array.tobytes() for array in step]


@pytest.mark.parametrize("other", [{"autoreset": "same"}, {"chance": "manual"}, {"most_steps": 9}, {"actions": "code"}])
def test_a_batch_that_is_made_otherwise_is_not_restored(other: dict[str, Any]) -> None:
    saved, key = Batch("moon-leap", 2, 2).save(), next(iter(other))
    with pytest.raises(BadSetting, match=f"^the saved batch has another {key}: "):
        Batch("moon-leap", 2, 2, **other).restore(saved)


def test_a_batch_is_drawn_as_text_and_as_an_image(setting: Setting) -> None:
    batch = made(setting, n=1)
    assert batch.text(0).strip()
    image = batch.svg(0)
    assert image.startswith("<svg")
    assert "http" not in image.replace("http://www.w3.org/2000/svg", "")


# What is refused


def test_an_illegal_action_is_refused_and_nothing_is_played(setting: Setting) -> None:
    for kind in ("number", "code", "option"):
        batch = made(setting, n=3, actions=kind)
        before = batch.save()
        for wrong in (-1, -(2**40), batch.action_count, 2**40):
            actions = batch.sample()
            actions[1] = wrong
            with pytest.raises(IllegalAction, match=f"^match 1: {wrong} is not allowed now; these are: "):
                batch.step(actions)
        assert batch._lanes.states.tobytes() in before


BAD: list[tuple[dict[str, Any], str]] = [
    ({"seats": 9}, "moon-leap is for 2 to 4 seats, not 9"),
    ({"n": 0}, "n is between 1 and"),
    ({"n": 2.5}, "n is a whole number, not 2.5"),
    ({"n": 2**31}, "there is not enough memory for 2147483648 matches of moon-leap: choose a smaller n"),
    ({"seed": -1}, "seed is between 0 and"),
    ({"actions": "text"}, "actions is one of number, code, option, not 'text'"),
    ({"observe": "pixels"}, "observe is one of tokens, planes, state, nothing, not 'pixels'"),
    ({"chance": "fair"}, "chance is one of auto, manual, not 'fair'"),
    ({"autoreset": "later"}, "autoreset is one of next, same, never, not 'later'"),
    ({"most_steps": -1}, "most_steps is between 0 and"),
    ({"threads": 0}, "threads is between 1 and"),
    ({"actions": ["code"]}, "actions is one of number, code, option, not ['code']"),
    ({"autoreset": ["next"]}, "autoreset is one of next, same, never, not ['next']"),
    ({"observe": None}, "observe is one of tokens, planes, state, nothing, not None"),
    ({"history": "yes"}, "history is True or False, not 'yes'"),
    ({"views": "no"}, "views is True or False, not 'no'"),
    ({"views": 1}, "views is True or False, not 1"),
    ({"map": "expert"}, "moon-leap has no option 'map'; it has none"),
    ({"chance": "manual", "actions": "code"}, "codes are for seats only"),
    ({"n": True}, "n is a whole number, not True"),
    ({"seed": np.array([5])}, "seed is a whole number, not array([5])"),
    ({"seed": np.zeros((9, 9))}, "seed is a whole number, not array([[0., 0."),
    ({"seed": 10**300}, "seed is between 0 and 18446744073709551615, not 1000000"),
    ({"seed": 10**5000}, "seed is between 0 and 18446744073709551615, not "),
    ({"observe": np.zeros(2)}, "observe is one of tokens, planes, state, nothing, not array([0., 0.])"),
    ({"autoreset": "x" * 5000}, "autoreset is one of next, same, never, not 'xxx"),
]


@pytest.mark.parametrize(("how", "words"), BAD, ids=[words for _, words in BAD])
def test_a_bad_setting_is_named_in_a_sentence(how: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        Batch("moon-leap", **{"n": 2, **how})
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("wrong", [None, 5, ["moon-leap"]])
def test_a_game_is_a_name_or_a_game(wrong: Any) -> None:
    with pytest.raises(UnknownGame, match=r"^no such game: "):
        Batch(wrong)


def forged(batch: Batch, name: str, change: Callable[[Any], None]) -> bytes:
    """What the batch saves, with one of its arrays changed and the digest made to fit."""
    line, _, data = batch.save().partition(b"\n")
    arrays = {name: array.copy() for name, array in batch._saved().items()}
    assert b"".join(array.tobytes() for array in arrays.values()) == data
    change(arrays[name])
    data = b"".join(array.tobytes() for array in arrays.values())
    head = {**json.loads(line), "sha256": hashlib.sha256(data).hexdigest()}
    return json.dumps(head).encode() + b"\n" + data


def put(array: Any, value: Any) -> None:
    array[1] = value


FORGED: list[tuple[str, Callable[[Any], None]]] = [
    *(("states", partial(lambda n, states: put(states["to_play"], n), n)) for n in (2, 10**6, -1, -3, -(10**6))),
    ("states", lambda states: put(states["seats"], 4)),
    *((name, partial(lambda n, plies: put(plies, n), n)) for name in ("plies", "steps") for n in (-1, -(2**31))),
    ("plies", lambda plies: put(plies, 2**31 - 1)),
    *((name, lambda marks: put(marks, 2)) for name in ("done", "terminated", "truncated")),
    *(("history", partial(lambda n, history: put(history[0], n), n)) for n in (-1, 20, 32_000)),
]


@pytest.mark.parametrize(("name", "change"), FORGED)
def test_what_no_batch_can_hold_is_not_restored(name: str, change: Callable[[Any], None]) -> None:
    batch = Batch("moon-leap", 2, 3, history=True)
    batch.step(batch.sample())
    before, wrong = batch.save(), forged(batch, name, change)
    with pytest.raises(BadSetting, match=r"^the saved batch is damaged: no batch can hold what it holds$"):
        batch.restore(wrong)
    assert batch.save() == before
    batch.restore(forged(batch, name, lambda array: None))


def test_who_looks_is_a_seat_or_a_spectator() -> None:
    batch = Batch("via-nebula", 3, 2)
    for wrong in ("x", 99, 3, -2, -7, 1.5, None):
        for ask in (batch.seen, batch.text, batch.svg):
            with pytest.raises(
                BadSetting, match=f"^who looks is a seat from 0 to 2, or -1 for a spectator, not {wrong!r}$"
            ):
                ask(0, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("observe", ["tokens", "planes", "state", "nothing"])
def test_only_observations_have_fields(observe: str) -> None:
    batch: Any = Batch("nova-luna", 2, 2, observe=observe)
    for wrong in (None, "x", 5, np.zeros(3, np.uint8), np.zeros((2, 9999), np.uint8), np.zeros((), np.uint8)):
        with pytest.raises(
            BadSetting, match=r"^(observations are rows of \d+ numbers in an array|nothing is observed)"
        ):
            batch.fields(wrong)
    if observe == "state":
        with pytest.raises(BadSetting, match=r"^observations of the state are bytes, not float64$"):
            batch.fields(batch.reset().observation.astype(float))


def test_more_matches_than_memory_are_refused_before_any_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "meminfo"
    told.write_text("MemTotal: 9000 kB\nMemAvailable: 500 kB\n", "ascii")
    monkeypatch.setattr(memory, "MEMORY", told)
    Batch("nova-luna", 2, 20)
    with pytest.raises(
        BadSetting, match=r"^there is not enough memory for 100 matches of nova-luna: choose a smaller n$"
    ):
        Batch("nova-luna", 2, 100)
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "nowhere")
    monkeypatch.setattr(memory, "CONTAINER", tmp_path)
    (tmp_path / "memory.max").write_text("90000", "ascii")
    (tmp_path / "memory.current").write_text("40000", "ascii")
    assert memory.free_memory() == 50_000
    (tmp_path / "memory.max").write_text("max", "ascii")
    assert memory.free_memory() == np.inf


class Unwilling:
    """An array of another library that numpy cannot read, as one on a GPU."""

    def __array__(self, *arguments: Any, **named: Any) -> Any:
        raise TypeError("use cpu() first")


def layouts(array: Any) -> list[Any]:
    """The same numbers, laid out in memory in other ways."""
    frozen = array.copy()
    frozen.flags.writeable = False
    return [frozen, np.repeat(array, 2)[::2], array[::-1].copy()[::-1], array.tolist(), tuple(array)]


def test_actions_and_masks_may_lie_in_memory_as_they_like() -> None:
    batch, twin = (Batch("moon-leap", 2, 3, seed=5) for _ in range(2))
    picks, mask = twin.sample(), np.array([True, False, True])
    told = bytes_of(twin.step(picks)), bytes_of(twin.reset(mask=mask))
    compiled_for = len(getattr(compiled.reset, "signatures", []))
    for actions in [*layouts(picks), picks.astype(">i8"), picks.astype(np.int8), picks.astype(np.uint64)]:
        batch.reset(seed=5)
        assert bytes_of(batch.step(actions)) == told[0]
    for some in layouts(mask):
        batch.reset(seed=5)
        batch.step(picks)
        assert bytes_of(batch.reset(mask=some)) == told[1]
    assert len(getattr(compiled.reset, "signatures", [])) == compiled_for


def test_bad_arguments_are_named_in_a_sentence() -> None:
    batch = Batch("moon-leap", 2, 3)
    wrong: Any = batch
    said: list[tuple[Any, str]] = [
        (lambda: batch.step([1, 2]), r"actions have the shape \(3,\), not \(2,\)"),
        (lambda: batch.step([0.5, 1, 1]), "actions are whole numbers, not float64"),
        (lambda: batch.step([[1, 1, 1]]), r"actions have the shape \(3,\), not \(1, 3\)"),
        (lambda: wrong.step([1, [2], 3]), "actions are whole numbers"),
        (lambda: batch.step(["1", "2", "3"]), "actions are whole numbers, not <U1"),
        (lambda: wrong.step([None] * 3), "actions are whole numbers, not object"),
        (lambda: batch.step([True] * 3), "actions are whole numbers, not bool"),
        (lambda: batch.step(np.full(3, 2**63, np.uint64)), "match 0: 9223372036854775808 is not allowed now"),
        (lambda: batch.step(np.zeros(3, "m8[s]")), "actions are whole numbers, not timedelta64"),
        (lambda: batch.step(np.zeros(3, "M8[s]")), "actions are whole numbers, not datetime64"),
        (lambda: wrong.reset(mask=[[True], [True, False]]), "a mask holds true and false, one for each of 3 matches"),
        (lambda: wrong.reset(mask=Unwilling()), "a mask holds true and false, one for each of 3 matches"),
        (lambda: wrong.step(Unwilling()), "actions are whole numbers, one for each of 3 matches"),
        (lambda: wrong.restore(None), "a saved batch is bytes, not None"),
        (lambda: wrong.restore("{}"), "a saved batch is bytes, not '{}'"),
        (lambda: wrong.restore(10**13), "a saved batch is bytes, not 10000000000000"),
        (lambda: batch.restore(b"[" * 10**6 + b"\n"), "this is not a saved batch"),
        (lambda: batch.restore(b'{"sha256": "", "format": ' + b"[" * 300 + b"]" * 300 + b"}\n"), "another format"),
        (lambda: batch.reset(seed=2**64), "seed is between 0 and 18446744073709551615"),
        (lambda: wrong.reset(seed="seven"), "seed is a whole number, not 'seven'"),
        (lambda: batch.reset(mask=["no"] * 3), "a mask holds true and false, not <U2"),
        (lambda: batch.svg(-1), "index is between 0 and 2, not -1"),
        (lambda: batch.reset(mask=[True]), r"a mask has the shape \(3,\), not \(1,\)"),
        (lambda: batch.observe(2), "seat is between 0 and 1, not 2"),
        (lambda: batch.text(3), "index is between 0 and 2, not 3"),
        (lambda: batch.match(0), "no history is kept"),
        (lambda: batch.restore(b""), "this is not a saved batch"),
        (lambda: batch.restore(b"{}\n"), "this is not a saved batch"),
        (lambda: batch.restore(Batch("moon-leap", 3, 3).save()), "the saved batch has another seats: 3 instead of 2"),
        (lambda: batch.restore(batch.save()[:-1]), "the saved batch is damaged"),
    ]
    before = batch.save()
    for ask, words in said:
        with pytest.raises(Refusal, match=words) as refusal:
            ask()
        assert len(str(refusal.value)) < 300
        assert batch.save() == before


def test_chance_is_played_by_hand_where_it_is_manual() -> None:
    batch = Batch("moon-leap", 2, 2, chance="manual")
    step = batch.reset()
    assert step.current_player.tolist() == [CHANCE, CHANCE]
    batch.step([3, 5])
    assert batch.states["die"].tolist() == [4, 6]
