"""What may be done: chance's outcomes, and the six actions of a seat (RULES 4 and 10)."""

from __future__ import annotations

from plenilune.core.engine import rule
from plenilune.core.record import Ints
from plenilune.games.via_nebula.grid import WORD
from plenilune.games.via_nebula.hexes import lowest
from plenilune.games.via_nebula.powers import legal_lays, legal_power, list_tiles, list_tokens
from plenilune.games.via_nebula.state import (
    ACT,
    ALL_HIGHEST,
    BYTE,
    CARD_PRICES,
    CARDS,
    CARRY_WORD,
    CONTRACTS,
    DEAL,
    DISPLAY,
    DO_BUILD,
    DO_CARRY,
    DO_CRAFTSMAN,
    DO_DEAL,
    DO_EXPLORE,
    DO_PASS,
    DO_PLAN,
    DO_SITE,
    DO_SKIP,
    DO_SPEND,
    DO_TAKE,
    DO_TOKEN,
    DO_TURN_UP,
    DO_WITHOUT,
    FOREST,
    HAND,
    HIGHEST,
    IN_BAG,
    IN_DECK,
    KINDS_OF_RESOURCE,
    LAY,
    MEADOW_AT,
    MEADOW_WORD,
    MIST,
    NOBODY,
    NONE,
    PLACE_WORD,
    PLACES_IN_A_RUIN,
    PLAN,
    POWER,
    PRIVATES,
    PURSE,
    RUIN_COUNT,
    SITES,
    SPECIALS,
    SPEND,
    TAKE,
    TOKEN,
    TOKENS,
    TURN_UP,
    UNDEALT,
    State,
)
from plenilune.games.via_nebula.valley import bare, explorable, has_tile, in_reach, site_spot, stocked


@rule
def legal(s: State, out: Ints) -> int:
    if s.phase == ACT:
        return legal_actions(s, out)
    if s.phase == TURN_UP:
        return list_contracts(s, out, DO_TURN_UP)
    if s.phase == TOKEN:
        return legal_tokens(s, out)
    if s.phase == POWER:
        return legal_power(s, out)
    if s.phase == DEAL:
        return legal_deals(s, out)
    if s.phase == TAKE:
        return legal_takes(s, out)
    if s.phase == SPEND:
        return legal_spends(s, out)
    if s.phase == LAY:
        return legal_lays(s, out)
    if s.phase == PLAN:
        return list_contracts(s, out, DO_PLAN)
    return legal_withouts(out)


# Chance


@rule
def legal_withouts(out: Ints) -> int:
    for word in range(SPECIALS):
        out[word] = DO_WITHOUT + word
    return SPECIALS


@rule
def legal_tokens(s: State, out: Ints) -> int:
    """RULES 10.3: the first meadow in reading order that has had no token yet."""
    n = 0
    for token in range(TOKENS):
        if s.token_at[token] == IN_BAG:
            out[n] = DO_TOKEN + MEADOW_WORD[s.map, s.dealt] * TOKENS + token
            n += 1
    return n


@rule
def legal_deals(s: State, out: Ints) -> int:
    n = 0
    for private in range(PRIVATES):
        if s.card_at[CONTRACTS + private] == UNDEALT:
            out[n] = DO_DEAL + (s.dealt % s.seats) * PRIVATES + private
            n += 1
    return n


@rule
def list_contracts(s: State, out: Ints, verb: int) -> int:
    """`turn-up` or `plan` with every card of the deck."""
    n = 0
    for card in range(CONTRACTS):
        if s.card_at[card] == IN_DECK:
            out[n] = verb + card
            n += 1
    return n


# The six actions


@rule
def legal_actions(s: State, out: Ints) -> int:
    n = 0
    if s.players[s.mover].craftsmen > 0:
        n = list_tokens(s, out, n, DO_CRAFTSMAN)
    n = legal_sites(s, out, n)
    n = legal_explorations(s, out, n)
    n = legal_carries(s, out, n)
    n = legal_builds(s, out, n)
    if s.extra:  # RULES 10.4
        out[n] = DO_SKIP
        n += 1
    elif n == 0:  # RULES 3.2: nobody may pass while anything is possible
        out[n] = DO_PASS
        n += 1
    return n


@rule
def legal_sites(s: State, out: Ints, n: int) -> int:
    if not can_lay_site(s, s.mover):
        return n
    for ruin in range(RUIN_COUNT[s.map]):
        place = free_place(s, ruin)
        if place != NONE:
            out[n] = DO_SITE + PLACE_WORD[s.map, place]
            n += 1
    return n


@rule
def can_lay_site(s: State, seat: int) -> bool:
    """RULES 4.2: a site at home, and not more on the map than buildings left to build."""
    p = s.players[seat]
    return bool(p.sites > 0 and SITES[s.seats] - p.sites + 1 <= p.buildings)


@rule
def free_place(s: State, ruin: int) -> int:
    """The first free place of the ruin, or NONE (RULES 12.3)."""
    for half in range(PLACES_IN_A_RUIN[s.seats]):
        place = 2 * ruin + half
        if s.site[place] == NOBODY and s.building[place] == NOBODY:
            return place
    return NONE


@rule
def legal_explorations(s: State, out: Ints, n: int) -> int:
    if not has_tile(s, s.mover):
        return n
    near_low, near_high = explorable(s, s.mover)
    low, high = bare(s, MIST)
    if s.actions_left == 2:  # RULES 3.3
        forest_low, forest_high = bare(s, FOREST)
        low, high = low | forest_low, high | forest_high
    return list_tiles(out, n, DO_EXPLORE, low & near_low, high & near_high)


@rule
def legal_carries(s: State, out: Ints, n: int) -> int:
    stock_low, stock_high = stocked(s)
    for ruin in range(RUIN_COUNT[s.map]):
        a, b = 2 * ruin, 2 * ruin + 1
        if s.site[a] == s.mover or s.site[b] == s.mover:
            low, high = in_reach(s, ruin)
            low, high = low & stock_low, high & stock_high
            if s.site[a] == s.mover:
                n = list_carries(s, out, n, low, high, a)
            if s.site[b] == s.mover:
                n = list_carries(s, out, n, low, high, b)
    return n


@rule
def list_carries(s: State, out: Ints, n: int, low: int, high: int, place: int) -> int:
    """From every exploitation of the board to this site."""
    while low:
        out[n] = DO_CARRY + CARRY_WORD[s.map, MEADOW_AT[s.map, lowest(low)], place]
        n += 1
        low &= low - 1
    while high:
        out[n] = DO_CARRY + CARRY_WORD[s.map, MEADOW_AT[s.map, WORD + lowest(high)], place]
        n += 1
        high &= high - 1
    return n


@rule
def legal_builds(s: State, out: Ints, n: int) -> int:
    for place in range(2 * RUIN_COUNT[s.map]):
        if s.site[place] == s.mover:
            n = list_builds(s, out, n, place)
    return n


@rule
def list_builds(s: State, out: Ints, n: int, place: int) -> int:
    """On this site, with cards from the display and from the hand."""
    held, verb = purse(s, place), DO_BUILD + PLACE_WORD[s.map, place] * CARDS
    for slot in range(DISPLAY):
        if count_ways(held, s.display[slot]) > 0:
            out[n] = verb + s.display[slot]
            n += 1
    for card in range(0 if s.players[s.mover].plans > 0 else CONTRACTS, CARDS):
        if s.card_at[card] == HAND + s.mover and count_ways(held, card) > 0:
            out[n] = verb + card
            n += 1
    return n


# Costs


@rule
def ways_to_pay(s: State, place: int, card: int) -> int:
    return count_ways(purse(s, place), card)


@rule
def count_ways(held: int, card: int) -> int:
    n = 0
    for price in range(CARD_PRICES[card, 0], CARD_PRICES[card, 1]):
        if covers(held, price):
            n += 1
    return n


@rule
def purse(s: State, place: int) -> int:
    """What lies on a site as one number, a byte for each kind, of which the highest bit is set (state.py: PURSE)."""
    held = 0
    for kind in range(KINDS_OF_RESOURCE):
        held |= (int(s.goods[site_spot(place), kind]) | HIGHEST) << (BYTE * kind)
    return held


@rule
def covers(held: int, price: int) -> bool:
    """Whether there is enough of each kind: then no byte has to borrow, and all highest bits stay."""
    return bool((held - PURSE[price]) & ALL_HIGHEST == ALL_HIGHEST)


@rule
def legal_spends(s: State, out: Ints) -> int:
    n, held = 0, purse(s, s.place)
    for price in range(CARD_PRICES[s.card, 0], CARD_PRICES[s.card, 1]):
        if covers(held, price):
            out[n] = DO_SPEND + price - CARDS
            n += 1
    return n


@rule
def legal_takes(s: State, out: Ints) -> int:
    n = 0
    for kind in range(KINDS_OF_RESOURCE):
        if s.goods[s.meadow, kind] > 0:
            out[n] = DO_TAKE + kind
            n += 1
    return n
