"""Compiled code that plays many matches side by side. A *lane* is one match of a batch: row i of every array.

Nothing is played before every action has been found legal (`match_actions`), so a refusal changes nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plenilune.core.encoding import codes, describe, reward, write
from plenilune.core.engine import apply, below, fetch, hide, inlined, legal, places, rule, stack_array
from plenilune.core.record import CHANCE, OVER
from plenilune.core.sorting import sort

BY_NUMBER, BY_CODE, BY_OPTION = range(3)  # what `actions` holds: action numbers, codes, places in the legal list
NEXT_STEP, SAME_STEP, DISABLED = range(3)  # when a match that is over restarts
GOLDEN = 0x9E3779B97F4A7C15  # splitmix64's increment
MOST_SEATS = 32


class Rules(NamedTuple):
    """How a batch is played: the same for all lanes and steps."""

    by: int
    observe: bool
    autoreset: int
    secrets: bool  # whether a seat sees less than the truth
    manual: bool  # whether chance waits to be played like a seat
    most: int  # steps after which a match is cut off; 0: never
    kept: bool  # whether every action is kept


class Lanes(NamedTuple):
    """What a batch remembers, a row for each lane."""

    start: Any  # one state, before the first action
    states: Any
    rngs: Any  # splitmix64, for chance
    legal: Any  # action numbers, ascending, then -1
    keys: Any  # what `actions` calls them
    counts: Any  # how many are legal
    steps: Any  # how many actions have been taken
    plies: Any  # the same with chance's
    history: Any  # what was played, if it is kept
    done: Any  # the match is over or cut off


class Shown(NamedTuple):
    """What a step tells, a row for each lane."""

    to_play: Any
    observations: Any
    masks: Any
    rewards: Any
    terminated: Any
    truncated: Any
    finals: Any  # what was observed at the end of a match that has restarted within the step
    ended: Any  # its state as seen, if that is what is observed; otherwise no rows
    options: Any  # features of every legal action


class Scratch(NamedTuple):
    """Room for one thread."""

    seen: Any  # one state
    numbers: Any  # as many as there are action numbers


@rule
def match_actions(rules: Rules, lanes: Lanes, actions: Any, chosen: Any, first: int, end: int) -> int:
    """Write the place of every lane's action in its legal list; returns the first lane whose action is not legal,
    or -1."""
    for i in range(first, end):
        chosen[i] = -1
        if lanes.done[i]:
            continue
        action = actions[i]
        if rules.by == BY_OPTION:
            if 0 <= action < lanes.counts[i]:
                chosen[i] = action
        else:
            for j in range(lanes.counts[i]):
                if lanes.keys[i, j] == action:
                    chosen[i] = j
                    break
        if chosen[i] < 0:
            return i
    return -1


@rule
def play(rules: Rules, lanes: Lanes, shown: Shown, scratch: Scratch, chosen: Any, first: int, end: int) -> int:
    """One step of the lanes from `first` up to `end`; returns a lane with more legal actions than there is room for,
    or -1."""
    fault = -1
    for i in range(first, end):
        if i + 1 < end:
            fetch(lanes.states, i + 1)
        clear_rewards(shown, i)
        if not lanes.done[i]:
            record(rules, lanes, i, lanes.legal[i, chosen[i]])
            lanes.steps[i] += 1
            roll(rules, lanes, scratch, i)
            finish(rules, lanes, shown, i)
            if lanes.done[i] and rules.autoreset == SAME_STEP:
                observe(rules, lanes.states[i], shown.finals, scratch, i)
                if i < len(shown.ended):
                    shown.to_play[i] = lanes.states[i].to_play
                    hide_all(lanes.states[i : i + 1], shown.to_play[i : i + 1], shown.ended[i : i + 1])
                begin(rules, lanes, scratch, i)
        elif rules.autoreset == NEXT_STEP:
            begin(rules, lanes, scratch, i)
            shown.terminated[i], shown.truncated[i] = 0, 0
        if not write_step(rules, lanes, shown, scratch, i):
            fault = i
    return fault


@rule
def reset(rules: Rules, lanes: Lanes, shown: Shown, scratch: Scratch, mask: Any, first: int, end: int) -> int:
    """Restart the masked lanes."""
    fault = -1
    for i in range(first, end):
        if mask[i]:
            clear_rewards(shown, i)
            shown.terminated[i], shown.truncated[i] = 0, 0
            begin(rules, lanes, scratch, i)
            if not write_step(rules, lanes, shown, scratch, i):
                fault = i
    return fault


@inlined
def clear_rewards(shown: Shown, i: int) -> None:
    for seat in range(shown.rewards.shape[1]):
        shown.rewards[i, seat] = 0


@inlined
def begin(rules: Rules, lanes: Lanes, scratch: Scratch, i: int) -> None:
    lanes.states[i] = lanes.start[0]
    lanes.done[i], lanes.steps[i], lanes.plies[i] = 0, 0, 0
    roll(rules, lanes, scratch, i)


@inlined
def record(rules: Rules, lanes: Lanes, i: int, action: int) -> None:
    """Play the action, and keep it if there is room."""
    if rules.kept and lanes.plies[i] < lanes.history.shape[1]:
        lanes.history[i, lanes.plies[i]] = action
    apply(lanes.states[i], action)
    lanes.plies[i] += 1


@inlined
def roll(rules: Rules, lanes: Lanes, scratch: Scratch, i: int) -> None:
    """Let chance play until it is a seat's turn or the match is over."""
    if rules.manual:
        return
    s, rng = lanes.states[i], lanes.rngs[i : i + 1]
    while s.to_play == CHANCE:
        n = legal(s, scratch.numbers)
        record(rules, lanes, i, scratch.numbers[below(rng, n)])


ranks_of_seats = stack_array((MOST_SEATS,), np.int32)


@inlined
def finish(rules: Rules, lanes: Lanes, shown: Shown, i: int) -> None:
    s = lanes.states[i]
    shown.terminated[i] = s.to_play == OVER
    shown.truncated[i] = s.to_play != OVER and 0 < rules.most <= lanes.steps[i]
    lanes.done[i] = shown.terminated[i] or shown.truncated[i]
    if s.to_play != OVER:
        return
    if s.seats == 1:
        shown.rewards[i, 0] = reward(s)
        return
    ranks, winners = ranks_of_seats(), 0
    places(s, ranks)
    for seat in range(s.seats):
        winners += ranks[seat] == 1
    for seat in range(s.seats):  # one division of whole numbers: what every processor rounds alike
        over = s.seats - winners if ranks[seat] == 1 else -winners
        shown.rewards[i, seat] = over / (winners * (s.seats - 1))


@inlined
def write_step(rules: Rules, lanes: Lanes, shown: Shown, scratch: Scratch, i: int) -> bool:
    """Write what the lane offers and looks like; returns False if its legal actions do not fit."""
    s = lanes.states[i]
    n = legal(s, scratch.numbers) if s.to_play != OVER and not lanes.done[i] else 0
    if n > lanes.legal.shape[1]:
        n = 0
    before = lanes.counts[i]
    forget(rules, lanes, shown, i, before, n)
    lanes.counts[i] = n
    shown.to_play[i] = s.to_play
    sort(scratch.numbers, n)
    for j in range(n):
        lanes.legal[i, j] = scratch.numbers[j]
    if rules.by == BY_CODE:
        codes(s, lanes.legal[i], n, lanes.keys[i])
    if rules.by == BY_OPTION:
        for j in range(n):
            shown.masks[i, j] = 1
            describe(s, lanes.legal[i, j], shown.options[i, j])
    else:
        for j in range(n):
            shown.masks[i, lanes.keys[i, j]] = 1
    observe(rules, s, shown.observations, scratch, i)
    return n > 0 or s.to_play == OVER or lanes.done[i]


@inlined
def forget(rules: Rules, lanes: Lanes, shown: Shown, i: int, before: int, n: int) -> None:
    """Clear what the step before has listed."""
    for j in range(before):
        if rules.by == BY_OPTION:
            shown.masks[i, j] = 0
        else:
            shown.masks[i, lanes.keys[i, j]] = 0
    for j in range(n, before):
        lanes.legal[i, j], lanes.keys[i, j] = -1, -1
        if rules.by == BY_OPTION:
            shown.options[i, j] = shown.options[i, lanes.legal.shape[1]]


@inlined
def observe(rules: Rules, s: Any, out: Any, scratch: Scratch, i: int) -> None:
    """What the seat to play sees; where none is to play, the first one."""
    if rules.observe:
        observe_as(rules, s, s.to_play if s.to_play >= 0 else 0, out, scratch, i)


@inlined
def observe_as(rules: Rules, s: Any, seat: int, out: Any, scratch: Scratch, i: int) -> None:
    if rules.secrets:
        scratch.seen[0] = s
        hide(scratch.seen[0], seat)
        write(scratch.seen[0], seat, out[i])
    else:
        write(s, seat, out[i])


@rule
def sample(counts: Any, keys: Any, rngs: Any, options: bool, out: Any) -> None:
    """Any legal action of every lane, all equally likely; 0 where there is none."""
    for i in range(len(counts)):
        out[i] = 0
        if counts[i] > 0:
            pick = below(rngs[i : i + 1], counts[i])
            out[i] = pick if options else keys[i, pick]


@rule
def observe_all(rules: Rules, lanes: Lanes, scratch: Scratch, seat: int, out: Any) -> None:
    """What one seat sees of every lane."""
    for i in range(len(lanes.states)):
        observe_as(rules, lanes.states[i], seat, out, scratch, i)


@rule
def hide_all(states: Any, seats: Any, seen: Any) -> None:
    """The states as the seats see them, one for each; the first seat's where there is none."""
    for i in range(len(states)):
        seen[i] = states[i]
        hide(seen[i], seats[i] if seats[i] >= 0 else 0)
