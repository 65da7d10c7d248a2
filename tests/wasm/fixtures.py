"""Matches and searches as they are natively, for comparison by hosts that run a game's module.

    python -m tests.wasm.fixtures FILE GAME [RULES] [SEEDS] [PLIES] [SIMULATIONS] [SEATS]

writes the fixture of a game as JSON: random matches of every number of seats and choice of options, the recorded
matches, and searches of positions in them. It says what to do and, for everything that comes of it, a digest: the first
16 hexadecimal digits of a SHA-256. `compare.mjs` does the same with a module, in Node
(`replay.mjs`) and in a browser (`tests/browser/test_equality.py`).

- `matches`: seats, options (the place of each word), actions, and one digest for each ply, the last included. It is of:
  the state; how many actions are legal and their numbers, sorted (none at the end); scores; places; and for every
  viewer, the spectator (-1) first: the hidden state, the record of its view, how many words of the next action it may
  read (-1 where the game has no `known`, or there is no next action), a fair guess at the hidden state made with the
  generator `seed` (the ply times 1000 and the viewer), and the generator afterwards.
- `searches`: a state as a seat has seen it (hexadecimal), the tuning, the generator's seed, how much room the tree has,
  how many simulations are run and `planned` (0: none are saved). What comes of it: `done`, the tree's digest (of all
  nodes and statistics in use), the generator, and if `reuse` is there, the same again for a search that goes on from
  the subtree below the node `root`.
- `greedy`: the action and the values that `greedy_action` finds, and the generator.

Numbers are stored as little-endian i32, generators as u64, values as f64.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plenilune import Game, Match, load
from plenilune.bots.search import query
from plenilune.bots.search.one_ply import greedy_action
from plenilune.bots.search.records import Tree, new_tree
from plenilune.bots.search.simulation import simulate
from plenilune.bots.search.tree import copy_subtree
from plenilune.core.engine import generator
from plenilune.core.record import OVER, SPECTATOR
from plenilune.core.shape import RecordView
from plenilune.game import Tuning
from plenilune.position import Position
from plenilune.replay import Replay
from tests.play import choices, walk

RECORDED = Path(__file__).parents[1] / "matches"
# What no game's own tuning does: rollouts, and opponents by another power than a whole one.
UNUSUAL = (Tuning(rollout_plies=3, opponent_sharpness=1.5), Tuning(prior_temperature=0.4, decoy_exploration=2.0))
Plain = dict[str, Any]


class Extent(NamedTuple):
    """How much a fixture holds."""

    seeds: int = 1  # random matches of each setting
    plies: int = 2  # of each match that are searched
    simulations: int = 300  # of each search
    seats: int = 99  # of a match, at most


USUAL = Extent()


def fixture(game: Game, extent: Extent = USUAL) -> Plain:
    matches = [*played(game, extent), *(match for match in recorded(game) if match.seats <= extent.seats)]
    searched = [found for match in matches for found in positions(match, extent.plies)]
    searches = [search(game, seen, number, extent) for number, seen in enumerate(searched)]
    return {
        "game": game.name,
        "rules": game.version,
        "matches": [replayed(match) for match in matches],
        "searches": [found for found in searches if found],
        "greedy": [greedy(game, seen, number) for number, seen in enumerate(searched)],
    }


def digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


# Matches


def played(game: Game, extent: Extent = USUAL) -> Iterator[Match]:
    """Random matches of every setting."""
    for seats, options in choices(game):
        if seats > extent.seats:
            continue
        for seed in range(extent.seeds):
            *_, match = walk(Match(game, seats, seed=f"wasm {seed}", **options), seed)
            yield match


def recorded(game: Game) -> Iterator[Match]:
    for file in sorted((RECORDED / game.name).rglob("*.match")):
        text = file.read_text("utf-8")
        if Replay.parse(text).headers.get("components", "") != game.components:
            continue
        match = Match.load(text)
        if match.game.version == game.version:
            yield match


def replayed(match: Match) -> Plain:
    actions = [match.game.actions.parse(text) for text in match.history]
    position = Position.begin(match.game, match.seats, match.options)
    digests = []
    for action in [*actions, None]:
        digests.append(digest(*ply(position, action)))
        if action is not None:
            position.advance(action)
    words = [match.game.options[name].index(word) for name, word in match.options.items()]
    return {"seats": match.seats, "options": words, "actions": actions, "digests": digests}


def ply(position: Position, action: int | None) -> Iterator[bytes]:
    legal, (scores, places) = position.legal(), position.standing()
    yield position.state.tobytes()
    yield i32(len(legal), *legal, *scores, *places)
    for viewer in range(SPECTATOR, position.seats):
        yield from eyes(position, action, viewer)


def eyes(position: Position, action: int | None, viewer: int) -> Iterator[bytes]:
    """What the viewer is shown and may guess."""
    game = position.game
    assert isinstance(game.view, RecordView)
    seen: Any = game.State.copy(position.state)
    game.hide(seen, viewer)
    yield seen.tobytes()
    yield game.view.record(seen).ljust(game.view.shape.layout.dtype.itemsize, b"\0")
    yield i32(game.known(position.state, action, viewer) if game.known and action is not None else -1)
    rng = generator(seed(position.ply, viewer))
    game.resample(seen, viewer, rng)
    yield seen.tobytes() + rng.tobytes()


def seed(ply: int, viewer: int) -> int:
    return 1000 * ply + viewer % 1000


def i32(*numbers: int) -> bytes:
    return np.array(numbers, "<i4").tobytes()


# Searches


def positions(match: Match, plies: int) -> Iterator[Any]:
    """So many states of the match as the seat to play has seen them, wherever it has a choice."""
    decisions = [at.seen_by(at.to_play).copy() for at in again(match) if at.to_play >= 0 and len(at.legal()) > 1]
    yield from random.Random(len(decisions)).sample(decisions, min(plies, len(decisions)))


def again(match: Match) -> Iterator[Match]:
    """The match at every ply."""
    replay = Match(match.game, match.seats, **match.options)
    for text in match.history:
        yield replay
        replay.play(text)


def search(game: Game, seen: Any, number: int, extent: Extent) -> Plain:
    """The tree of a search. The game's own tuning is used, and now and then one that no game uses; some trees are too
    small, and some searches end when they are decided."""
    tuning = (game.tuning_for(int(seen.seats)), *UNUSUAL)[number % 4 % 3]
    simulations = extent.simulations
    room = [1_000 + simulations * 20, simulations + 1] if number % 5 else [simulations // 2, simulations // 4]
    asked = {
        "state": seen.tobytes().hex(),
        "seat": int(seen.to_play),
        "tuning": [float(value) for value in tuning],
        "seed": number,
        "room": room,
        "simulations": simulations,
        "planned": simulations if number % 2 else 0,
    }
    tree = new_tree(game, *room)
    found = grown(tree, seen, tuning, asked, 0)
    return {**asked, **found, "reuse": reuse(game, tree, seen, tuning, asked)}


def grown(tree: Tree, seen: Any, tuning: Tuning, asked: Plain, first: int) -> Plain:
    """Search, and say what the tree is then."""
    start, rng = np.array([seen], seen.dtype), generator(asked["seed"])
    done = simulate(
        tree,
        start,
        np.repeat(start, 2),
        rng,
        tuning,
        asked["seat"],
        first,
        asked["simulations"],
        asked["planned"] and first + asked["planned"],
    )
    used, visited = int(tree.scratch[0]["nodes_used"]), int(tree.scratch[0]["statistics_used"])
    tree_digest = digest(tree.nodes[:used].tobytes(), tree.statistics[:visited].tobytes())
    return {"done": int(done), "used": [used, visited], "tree": tree_digest, "rng": str(int(rng[0]))}


def reuse(game: Game, tree: Tree, seen: Any, tuning: Tuning, asked: Plain) -> Plain | None:
    """The search that goes on from the most visited action, if it is still the seat's turn then."""
    child = max(query.children(tree, 0), key=query.visits, default=None)
    if child is None or not query.visits(child):
        return None
    action = int(child["action"])
    after: Any = game.State.copy(seen)
    game.apply(after, action)
    game.hide(after, asked["seat"])
    root = query.follow(tree, [action])
    if after.to_play == OVER or (game.secrets and after.to_play != asked["seat"]) or not query.is_searched(tree, root):
        return None
    older, first = tree, query.simulations_through(tree, root, 100)
    tree = new_tree(game, *asked["room"])
    copy_subtree(tree, older, root)
    return {"state": after.tobytes().hex(), "root": root, "first": first, **grown(tree, after, tuning, asked, first)}


def greedy(game: Game, seen: Any, number: int) -> Plain:
    states, rng = np.zeros(2, game.State.dtype), generator(number)
    states[0] = seen
    game.resample(states[0], int(seen.to_play), rng)
    actions, values = np.zeros(game.actions.size, np.int32), np.zeros(max(game.seats))
    start = states[:1].tobytes().hex()
    before = int(rng[0])
    action = greedy_action(states[0], states[1:], actions, values, rng)
    found = {"action": int(action), "values": digest(values.tobytes()), "rng": str(int(rng[0]))}
    return {"state": start, "seed": str(before), **found}


def main(file: str, name: str, rules: str = "", *numbers: str) -> None:
    game = load(name, int(rules) if rules else None)
    Path(file).write_text(json.dumps(fixture(game, Extent(*map(int, numbers)))), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
