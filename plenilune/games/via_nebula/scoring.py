"""Scoring: what every seat has won so far, and the places (RULES 8)."""

from __future__ import annotations

from plenilune.core.engine import rule
from plenilune.core.record import Ints
from plenilune.games.via_nebula.state import (
    BUILT,
    CARD_FOR_EACH,
    CARD_POINTS,
    CARD_SIZE,
    CARDS,
    CONTRACT_EACH,
    HIDDEN_EXPLORER_EACH,
    RUIN_COUNT,
    SMALL_BUILDING_EACH,
    STORAGE_SPOT,
    TAKEN,
    TOKEN_EACH,
    TOKEN_POINTS,
    TOKENS,
    State,
)
from plenilune.games.via_nebula.tables import COUNTS, MEADOWS
from plenilune.games.via_nebula.valley import amount, hidden_explorers, revealed_explorers, site_spot

EXPLORER_POINTS, END_CARD_POINTS = COUNTS["points-an-explorer"], COUNTS["points-for-the-end-card"]
RESOURCE_LOSS = COUNTS["points-lost-a-resource"]
SMALL = 2  # resources of the contracts that a Mayor counts


@rule
def score(s: State, seat: int) -> int:
    """RULES 8.4."""
    points = token_points(s, seat) + contract_points(s, seat)
    points += EXPLORER_POINTS * revealed_explorers(s, seat)
    if s.end_card == seat:
        points += END_CARD_POINTS
    return points - RESOURCE_LOSS * stored(s, seat)


@rule
def token_points(s: State, seat: int) -> int:
    points = 0
    for token in range(TOKENS):
        if s.token_at[token] == TAKEN + seat:
            points += TOKEN_POINTS[token]
    return points


@rule
def contract_points(s: State, seat: int) -> int:
    points = 0
    for card in range(CARDS):
        if s.card_at[card] == BUILT + seat:
            points += CARD_POINTS[card] * how_often(s, seat, CARD_FOR_EACH[card])
    return points


@rule
def how_often(s: State, seat: int, for_each: int) -> int:
    """How often the points of a card count (RULES 8.5)."""
    if for_each == CONTRACT_EACH:
        return contracts_built(s, seat)
    if for_each == TOKEN_EACH:
        return tokens_taken(s, seat)
    if for_each == SMALL_BUILDING_EACH:
        return small_buildings(s, seat)
    if for_each == HIDDEN_EXPLORER_EACH:
        return hidden_explorers(s, seat)
    return 1


@rule
def contracts_built(s: State, seat: int) -> int:
    n = 0
    for card in range(CARDS):
        if s.card_at[card] == BUILT + seat:
            n += 1
    return n


@rule
def small_buildings(s: State, seat: int) -> int:
    """RULES 12.19: a contract of exactly 2 resources is told by its cost."""
    n = 0
    for card in range(CARDS):
        if s.card_at[card] == BUILT + seat and CARD_SIZE[card] == SMALL:
            n += 1
    return n


@rule
def tokens_taken(s: State, seat: int) -> int:
    n = 0
    for token in range(TOKENS):
        if s.token_at[token] == TAKEN + seat:
            n += 1
    return n


@rule
def stored(s: State, seat: int) -> int:
    """The resources in storage, and those that would go there now (RULES 8.3 and 8.8)."""
    return amount(s, STORAGE_SPOT + seat) + on_exploitations(s, seat) + on_sites(s, seat)


@rule
def on_exploitations(s: State, seat: int) -> int:
    n = 0
    for meadow in range(MEADOWS):
        if s.craftsman[meadow] == seat:
            n += amount(s, meadow)
    return n


@rule
def on_sites(s: State, seat: int) -> int:
    n = 0
    for place in range(2 * RUIN_COUNT[s.map]):
        if s.site[place] == seat:
            n += amount(s, site_spot(place))
    return n


@rule
def places(s: State, out: Ints) -> None:
    """RULES 8.7."""
    for seat in range(s.seats):
        out[seat] = 1
        for other in range(s.seats):
            if is_better(s, other, seat):
                out[seat] += 1


@rule
def is_better(s: State, one: int, other: int) -> bool:
    a, b = score(s, one), score(s, other)
    return a > b or (a == b and stored(s, one) < stored(s, other))
