"""Evaluates a position of Via Nebula: each seat's chance to win, from weights fitted to matches.

A seat's *task* is what it still has to do up to its last building: for each of its sites the card that suits it best,
with the resources, tiles and craftsmen that are lacking, and a usual number of actions for each building without a
site. The seat with the smallest task ends the match; the others get as much of their own task done in that time, and
of the points in it. This and what lies open to all are the facts about a seat; its prospects are their sum, each by a
weight that depends on the number of seats and on how near the end is. The chances are the softmax of the prospects.
`plenilune train via-nebula` sets the weights.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plenilune.core.drivers import chances
from plenilune.core.engine import rule, stack_array
from plenilune.core.maths import power
from plenilune.games.via_nebula.hexes import BIT, TOUCHING, touching
from plenilune.games.via_nebula.scoring import (
    EXPLORER_POINTS,
    contracts_built,
    on_exploitations,
    on_sites,
    score,
    small_buildings,
    tokens_taken,
)
from plenilune.games.via_nebula.state import (
    ACTIONS_A_TURN,
    BUILT,
    CARD_FOR_EACH,
    CARD_POINTS,
    CARD_PRICES,
    CARD_SIZE,
    CARDS,
    CONTRACT_EACH,
    CONTRACTS,
    DISPLAY,
    FOREST,
    HAND,
    KINDS_OF_RESOURCE,
    MEADOW_CELL,
    MIST,
    NOBODY,
    NONE,
    ONCE,
    PRICE,
    RUIN_CELL,
    RUIN_COUNT,
    RUINS,
    SEATS,
    SMALL_BUILDING_EACH,
    STORAGE_SPOT,
    TILES_IN_A_PILE,
    TOKEN_EACH,
    TOKEN_RESOURCE,
    State,
)
from plenilune.games.via_nebula.tables import MEADOWS
from plenilune.games.via_nebula.valley import amount, bare, hidden_explorers, site_spot

# Constants set by hand: work is in actions, worth in points.
CARD_WORTH = 3.0  # of a card that has not been seen yet
BUILDING_WORK = 6.0  # for a building that has no site yet
FRESH_WORK = 4.5  # for an empty site whose card has not been seen yet
HELD_SAVES = 0.7  # how much less that is for each resource on the site
CARD_USES = 2.1  # how many of them it will use at most
TILE_WORK = 0.9  # for a tile that has to be laid: some serve twice
CRAFTSMAN_WORK = 0.6  # for an exploitation that has to be opened: that brings points besides
FAR_WORK = 5.0  # for the way of a resource that is out of sight
DISPLAY_SHARE = 0.9  # of a card's worth while another seat may take it
ACTION_WORTH = 0.6  # of an action, where fewer of them weigh against more points
LEFTOVER_WAIT = 6.0  # so many actions before the end, half of what lies on exploitations is taken to be left over
SMALL_SHARE = 0.4  # of buildings still to come will be small ones
SIGHT = 3  # tiles: what lies farther away from a site is out of sight
LEAST = 0.5  # no task is smaller

Floats = NDArray[np.float64]
Words = NDArray[np.int64]
Plan = tuple[int, float, float, float]  # for a site: card or NONE, work, worth, how many of its resources it uses
# A *bundle* of resources is a bit for the first of each kind, then a bit for the second; a third does not count.
EVERY_KIND = (1 << KINDS_OF_RESOURCE) - 1
IN_BUNDLE = np.array([bundle.bit_count() for bundle in range(1 << 2 * KINDS_OF_RESOURCE)], np.int32)
_FIRST = np.arange(KINDS_OF_RESOURCE)
ASKED = ((PRICE > 0) << _FIRST | (PRICE > 1) << KINDS_OF_RESOURCE + _FIRST).sum(axis=1)  # the bundle of each price
STOCK, TOKEN, ANY = 0, 1, 2  # where a resource is to be had: on an exploitation, or under a token; all of these
EVER = 1_000  # actions
# The facts about a seat
FACTS = 23
SCORE, HIDDEN, PILE, TOKENS_TAKEN, ENDED = range(0, 5)  # points; hidden explorers; `started_pile`; tokens; the end card
TASK, GAIN, NEAREST = range(5, 8)  # actions (a tenth of them), points to be won by them, actions to its next building
DONE, CLOSE, GAIN_DONE, OWN_DONE = range(8, 12)  # the part done at the end, its 4th power, times GAIN, times OWN
OWN, OWN_LEFT, ON_SITES, STORED = range(12, 16)  # resources on its exploitations, left there in the end, elsewhere
SITES, BUILDINGS, CRAFTSMEN, HELD = range(16, 20)  # sites; buildings to come; craftsmen at home; cards in the hand
MOVER, ACTIONS, WAITING = range(20, 23)  # whether it is to move, how often, and how long it waits for that
# The stages of a match, by the shortest task; the last round comes after them.
STAGES = np.array([0.5, 3.0, 6.5, 11.0, 17.0, 25.0])
LAST_ROUND = float(len(STAGES))
SHAPE = (SEATS + 1, len(STAGES) + 1, FACTS)
FILE = Path(__file__).with_name("weights.npy")
WEIGHTS = np.load(FILE) if FILE.exists() else np.zeros(SHAPE, np.float32)


def first_guess() -> Floats:
    """Weights that count points: those won, those to come as far as there is time, and those begun."""
    points = np.zeros((len(STAGES) + 1, FACTS))
    points[:-1, [SCORE, GAIN_DONE, CLOSE, PILE, OWN_LEFT]] = np.array([1.0, 0.9, 2.0, 0.6, 1.0]) / 3.2
    points[-1, [SCORE, GAIN]] = 0.8
    return points


# Points that grow after the card has been built: an Architect's or a Mayor's for each later building.
GROWING = np.array([c for c in range(CARDS) if CARD_FOR_EACH[c] in (CONTRACT_EACH, SMALL_BUILDING_EACH)], np.int32)
facts_scratch = stack_array((SEATS, FACTS), np.float64)
ways_scratch = stack_array((RUINS, EVERY_KIND + 1), np.float64)
cards_scratch, worths_scratch = stack_array((CARDS,), np.int64), stack_array((CARDS,), np.float64)
sources_scratch = stack_array((3, KINDS_OF_RESOURCE, 2), np.int64)


@rule
def evaluate(s: State, out: Any) -> None:
    evaluate_with(s, WEIGHTS[s.seats], out)


@rule
def evaluate_with(s: State, weights: Any, out: Any) -> None:
    facts = facts_scratch()
    stage = note_facts(s, facts)
    before = int(stage)
    share, after = stage - before, min(before + 1, len(STAGES))
    for seat in range(s.seats):
        out[seat] = 0.0
    for fact in range(FACTS):  # its weight lies between those of the stages before and after this one
        weight = float(weights[before, fact])
        weight += share * float(weights[after, fact] - weight)
        for seat in range(s.seats):
            out[seat] += weight * facts[seat, fact]
    chances(out, s.seats, 1.0)


@rule
def note_facts(s: State, facts: Floats) -> float:
    """The facts about every seat; returns the stage of the match."""
    ways, shortest, ending = ways_scratch(), float(EVER), s.end_card != NOBODY
    find_ways(s, ways)
    for seat in range(s.seats):
        look_ahead(s, seat, ways, facts[seat])
        shortest = min(shortest, facts[seat, TASK])
    for seat in range(s.seats):
        mine, p = facts[seat], s.players[seat]
        own = on_exploitations(s, seat)
        done = 1.0 if ending else shortest / mine[TASK]
        mine[DONE], mine[CLOSE], mine[GAIN_DONE] = done, power(done, 4.0), done * mine[GAIN]
        mine[SCORE], mine[PILE] = score(s, seat), started_pile(s, seat)
        mine[OWN], mine[OWN_DONE] = own, done * own
        mine[OWN_LEFT] = 0.0 if ending else own * shortest / (shortest + LEFTOVER_WAIT)
        mine[ON_SITES], mine[STORED] = on_sites(s, seat), amount(s, STORAGE_SPOT + seat)
        mine[BUILDINGS], mine[CRAFTSMEN] = p.buildings, p.craftsmen
        mine[HIDDEN], mine[HELD] = hidden_explorers(s, seat), p.privates + p.plans
        mine[TOKENS_TAKEN], mine[ENDED] = tokens_taken(s, seat), s.end_card == seat
        mine[MOVER], mine[ACTIONS] = seat == s.mover, s.actions_left if seat == s.mover else 0
        mine[WAITING] = (seat - s.mover) % s.seats / s.seats
        mine[TASK] = 0.0 if ending else mine[TASK] / 10
    return LAST_ROUND if ending else stage_of(shortest)


@rule
def stage_of(shortest: float) -> float:
    """Where the shortest task lies among the stages; in between, a part of the way."""
    if shortest <= STAGES[0]:
        return 0.0
    for stage in range(1, len(STAGES)):
        if shortest < STAGES[stage]:
            return float(stage - (STAGES[stage] - shortest) / (STAGES[stage] - STAGES[stage - 1]))
    return len(STAGES) - 1.0


# What a seat has begun


@rule
def started_pile(s: State, seat: int) -> float:
    """The points of the seat's next explorer, as far as his pile is gone."""
    pile = TILES_IN_A_PILE[s.seats]
    return float(EXPLORER_POINTS * (-s.players[seat].tiles % pile) / pile)


# What there is to do


@rule
def look_ahead(s: State, seat: int, ways: Floats, facts: Floats) -> None:
    """The seat's task, what it gains by it, its sites and the nearest building; in the last round what it can still
    do and gain."""
    left, p = actions_left(s, seat), s.players[seat]
    task, gain, sites, chosen, nearest = 0.0, 0.0, 0, 0, BUILDING_WORK
    cards, worths, n = cards_scratch(), worths_scratch(), 0
    for place in range(2 * RUIN_COUNT[s.map]):
        if s.site[place] == seat:
            if sites == 0:
                n = list_cards(s, seat, cards, worths)
            card, work, worth, used = best_card(s, place, n, cards, worths, chosen, ways[place // 2])
            sites += 1
            nearest = min(nearest, work)
            if card != NONE:
                chosen |= 1 << card
            if task + work <= left and (card != NONE or left == EVER):
                task += work
                gain += worth + used
    if left == EVER:
        siteless = p.buildings - sites
        task += BUILDING_WORK * siteless
        gain += CARD_WORTH * siteless + growth(s, seat)
        if seat == s.mover:
            task -= s.actions_left
        task = max(LEAST, task)
    facts[TASK], facts[GAIN], facts[SITES], facts[NEAREST] = task, gain, sites, nearest


@rule
def actions_left(s: State, seat: int) -> int:
    """How many the seat has in the last round; EVER before."""
    if s.end_card == NOBODY:
        return EVER
    if seat == s.mover:
        return int(s.actions_left)
    after, last = (seat - s.mover) % s.seats, (s.end_card - s.mover) % s.seats
    return ACTIONS_A_TURN if last == 0 or after < last else 0


@rule
def growth(s: State, seat: int) -> float:
    """What cards built already will gain by buildings to come."""
    points = 0.0
    for i in range(len(GROWING)):
        card = GROWING[i]
        if s.card_at[card] == BUILT + seat:
            share = SMALL_SHARE if CARD_FOR_EACH[card] == SMALL_BUILDING_EACH else 1.0
            points += share * CARD_POINTS[card] * s.players[seat].buildings
    return points


@rule
def list_cards(s: State, seat: int, cards: Words, worths: Floats) -> int:
    """The cards that the seat may build, and what each is worth to it; returns how many."""
    n = 0
    for slot in range(DISPLAY):
        card = 0 + int(s.display[slot])  # wider than int8 also when compiled
        if card != NONE:
            cards[n], worths[n] = card, DISPLAY_SHARE * worth_of(s, seat, card)
            n += 1
    if s.players[seat].privates + s.players[seat].plans > 0:
        for card in range(0 if s.players[seat].plans > 0 else CONTRACTS, CARDS):
            if s.card_at[card] == HAND + seat:
                cards[n], worths[n] = card, worth_of(s, seat, card)
                n += 1
    return n


@rule
def best_card(s: State, place: int, n: int, cards: Words, worths: Floats, chosen: int, ways: Floats) -> Plan:
    """What the site suits best: a card that is not chosen for another, or one that has not been seen yet."""
    held, has = amount(s, site_spot(place)), holds(s, site_spot(place))
    best, work, worth, uses = NONE, 1 + max(1.0, FRESH_WORK - HELD_SAVES * held), CARD_WORTH, 0
    for i in range(n):
        card = cards[i]
        if not chosen >> card & 1:
            most = (worths[i] - worth) / ACTION_WORTH + work  # so much work would be as good as the best so far
            for price in range(CARD_PRICES[card, 0], CARD_PRICES[card, 1]):
                lacking = ASKED[price] & ~has
                lacks = IN_BUNDLE[lacking]
                its_work = 1 + lacks + ways[(lacking | lacking >> KINDS_OF_RESOURCE) & EVERY_KIND]
                if its_work < most:
                    best, most, work, worth, uses = card, its_work, its_work, worths[i], CARD_SIZE[card] - lacks
    return best, work, worth, float(uses) if best != NONE else min(HELD_SAVES * held, CARD_USES)


@rule
def holds(s: State, spot: int) -> int:
    """What lies there, as a bundle."""
    bundle = 0
    for kind in range(KINDS_OF_RESOURCE):
        n = s.goods[spot, kind]
        bundle |= (n > 0) << kind | (n > 1) << (KINDS_OF_RESOURCE + kind)
    return bundle


@rule
def worth_of(s: State, seat: int, card: int) -> float:
    """The card's points, if the seat builds it next and goes on as usual."""
    for_each, points, later = CARD_FOR_EACH[card], float(CARD_POINTS[card]), s.players[seat].buildings - 1
    if for_each == ONCE:
        return points
    if for_each == CONTRACT_EACH:
        return points * (contracts_built(s, seat) + 1 + later)
    if for_each == TOKEN_EACH:
        return points * (tokens_taken(s, seat) + 1)
    if for_each == SMALL_BUILDING_EACH:
        return points * (small_buildings(s, seat) + SMALL_SHARE * later)
    return points * hidden_explorers(s, seat)


# Ways


@rule
def find_ways(s: State, ways: Floats) -> None:
    """The work to make ways for every set of resources to each ruin that has a site (ruin, set)."""
    sources = sources_scratch()
    find_sources(s, sources)
    for ruin in range(RUIN_COUNT[s.map]):
        if s.site[2 * ruin] != NOBODY or s.site[2 * ruin + 1] != NOBODY:
            find_ways_to(s, ruin, sources, ways[ruin])
            add_ways(ways[ruin])


@rule
def find_sources(s: State, sources: Words) -> None:
    """Boards (stock or token, kind, word) of the meadows where each resource is to be had; of all under the first."""
    sources[:] = 0
    for meadow in range(MEADOWS):
        cell, token = MEADOW_CELL[s.map, meadow], s.token[meadow]
        if token != NONE:
            sources[TOKEN, TOKEN_RESOURCE[token], 0] |= BIT[cell, 0]
            sources[TOKEN, TOKEN_RESOURCE[token], 1] |= BIT[cell, 1]
        elif not (s.open[0] & BIT[cell, 0]) | (s.open[1] & BIT[cell, 1]):
            for kind in range(KINDS_OF_RESOURCE):
                if s.goods[meadow, kind] > 0:
                    sources[STOCK, kind, 0] |= BIT[cell, 0]
                    sources[STOCK, kind, 1] |= BIT[cell, 1]
    for kind in range(KINDS_OF_RESOURCE):
        for word in range(2):
            sources[ANY, 0, word] |= sources[STOCK, kind, word] | sources[TOKEN, kind, word]


@rule
def find_ways_to(s: State, ruin: int, sources: Words, ways: Floats) -> None:
    """Outwards from the ruin, as far as one tile after the other reaches. What is found first is found for least."""
    cell = RUIN_CELL[s.map, ruin]
    open_low, open_high = s.open[0], s.open[1]
    mist_low, mist_high = bare(s, MIST)
    forest_low, forest_high = bare(s, FOREST)
    near_low, near_high = TOUCHING[cell, 0], TOUCHING[cell, 1]
    low, high = near_low & open_low, near_high & open_high
    later_low, later_high = 0, 0  # forest, which takes as long as two tiles
    missing, rest_low, rest_high = EVERY_KIND, sources[ANY, 0, 0], sources[ANY, 0, 1]
    for kind in range(KINDS_OF_RESOURCE):
        ways[1 << kind] = FAR_WORK
    for tiles in range(SIGHT + 1):
        while True:
            touch_low, touch_high = touching(low, high)
            new_low, new_high = touch_low & open_low & ~low, touch_high & open_high & ~high
            if not new_low | new_high:
                break
            low, high = low | new_low, high | new_high
        near_low, near_high = near_low | touch_low, near_high | touch_high
        if (near_low & rest_low) | (near_high & rest_high):
            missing = note_ways(near_low, near_high, TILE_WORK * tiles, missing, sources, ways)
            if not missing:
                return
            rest_low, rest_high = rest_low & ~near_low, rest_high & ~near_high
        low, high = low | (near_low & mist_low) | later_low, high | (near_high & mist_high) | later_high
        later_low, later_high = near_low & forest_low, near_high & forest_high


@rule
def note_ways(low: int, high: int, work: float, missing: int, sources: Words, ways: Floats) -> int:
    """What was missing and is to be had on this board takes so much work; returns what is missing still."""
    for kind in range(KINDS_OF_RESOURCE):
        if missing >> kind & 1:
            if (sources[STOCK, kind, 0] & low) | (sources[STOCK, kind, 1] & high):
                ways[1 << kind] = work
                missing ^= 1 << kind
            elif (sources[TOKEN, kind, 0] & low) | (sources[TOKEN, kind, 1] & high):
                ways[1 << kind] = work + CRAFTSMAN_WORK
                missing ^= 1 << kind
    return missing


@rule
def add_ways(ways: Floats) -> None:
    """From sets of one resource to all sets."""
    ways[0] = 0
    for some in range(1, EVERY_KIND + 1):
        last = some & -some
        ways[some] = ways[some - last] + ways[last]
