"""What a game's module offers: the functions by which a page plays it and bots search it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from plenilune.bots.search.evaluation import state_values
from plenilune.bots.search.one_ply import greedy_action
from plenilune.bots.search.records import Node, Scratch, Tree, statistics_record
from plenilune.bots.search.simulation import simulate
from plenilune.bots.search.tree import copy_subtree
from plenilune.core import engine, shape
from plenilune.core.engine import GENERATOR, NUMBER, NUMBERS, VALUES
from plenilune.core.errors import BadGame
from plenilune.game import Game, Tuning

Export = tuple[Callable[..., Any], tuple[Any, ...]]  # a compiled rule and the types of its arguments


def exports(game: Game) -> dict[str, Export]:
    state, states = numba.from_dtype(game.State.dtype), records(game.State.dtype)
    tree, tuning = tree_type(game), tuning_type()
    offered: dict[str, Export] = {
        "setup": (game.setup, (state, NUMBER, NUMBERS)),
        "legal": (game.legal, (state, NUMBERS)),
        "apply": (game.apply, (state, NUMBER)),
        "score_and_rank": (engine.score_and_rank, (state, NUMBERS, NUMBERS)),
        "hide": (game.hide, (state, NUMBER)),
        "resample": (game.resample, (state, NUMBER, GENERATOR)),
        "fill": (shape.fill_record, (states, records(view_of(game).shape.layout.dtype), states)),
        "state_values": (state_values, (state, VALUES)),
        "greedy_action": (greedy_action, (state, states, NUMBERS, VALUES, GENERATOR)),
        "simulate": (simulate, (tree, states, states, GENERATOR, tuning, NUMBER, NUMBER, NUMBER, NUMBER)),
        "copy_subtree": (copy_subtree, (tree, tree, NUMBER)),
    }
    if game.known:
        offered["known"] = (game.known, (state, NUMBER, NUMBER))
    return offered


def view_of(game: Game) -> shape.RecordView[Any]:
    if not isinstance(game.view, shape.RecordView):
        raise BadGame("its view is plain Python, not a `RecordView`")
    return game.view


def records(dtype: np.dtype[Any]) -> Any:
    return numba.from_dtype(dtype)[::1]


def tree_type(game: Game) -> Any:
    statistics = statistics_record(max(game.seats))
    stored = [records(record.dtype) for record in (Node, statistics, Scratch)]
    return types.NamedTuple([*stored, NUMBERS, VALUES, types.int64[::1], VALUES], Tree)


def tuning_type() -> Any:
    """As numba takes the values of a `Tuning`."""
    return types.NamedTuple([types.float64 if isinstance(v, float) else NUMBER for v in Tuning()], Tuning)
