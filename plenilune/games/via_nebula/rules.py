"""The course of a match of Via Nebula: the setup, and what every action does. RULES.md has it in words.

hexes.py     the hexes in use, and sets of them as bits
grid.py      the grid of a component table's maps
checking.py  what is wrong with a component table
tables.py    reads it
state.py     the record, the actions and their numbers, the component table as arrays
valley.py    what lies where on the map, and what touches what
powers.py    when a card's power can be used, and on what
legal.py     what may be done
rules.py     this file
scoring.py   scores and places
secrets.py   what a seat may not know
"""

from __future__ import annotations

from plenilune.core.engine import rule
from plenilune.core.record import CHANCE, OVER, Ints
from plenilune.games.via_nebula.hexes import has
from plenilune.games.via_nebula.legal import covers, purse, ways_to_pay
from plenilune.games.via_nebula.powers import REMOVES, SHED, can_use
from plenilune.games.via_nebula.state import (
    ACT,
    ACTIONS_A_TURN,
    BUILDINGS,
    BUILT,
    CARD_POWER,
    CARD_PRICES,
    CARDS,
    CARRY_OF,
    CONTRACTS,
    CRAFTSMEN,
    DEAL,
    DISPLAY,
    DO_BUILD,
    DO_CARRY,
    DO_CRAFTSMAN,
    DO_DEAL,
    DO_DELIVER,
    DO_EXPLORE,
    DO_LIFT,
    DO_OPEN,
    DO_PLAN,
    DO_REMOVE,
    DO_SITE,
    DO_SKIP,
    DO_SPEND,
    DO_SWAP,
    DO_TAKE,
    DO_TOKEN,
    DO_TURN_UP,
    DO_USE,
    DRAW_CONTRACT,
    EXTRA_ACTION,
    FINISHED,
    FIRST_SPECIAL,
    FOREST,
    GROUND,
    HAND,
    IN_BAG,
    IN_BOX,
    IN_DECK,
    KINDS_OF_RESOURCE,
    LAY,
    MEADOW_OF,
    NOBODY,
    NONE,
    ON_DISPLAY,
    ON_MAP,
    PILES,
    PLACE_OF,
    PLAN,
    POWER,
    PRICE,
    PRIVATES,
    PRIVATES_DEALT,
    SEATS,
    SITES,
    SPECIAL_OF,
    SPEND,
    SPOT_OF,
    SPOTS,
    STORAGE_SPOT,
    SWAP_KINDS,
    SWAPS,
    TAKE,
    TAKEN,
    TILE_CELL,
    TILES_IN_A_PILE,
    TOKEN,
    TOKENS,
    TURN_UP,
    UNDEALT,
    WITHOUT,
    State,
)
from plenilune.games.via_nebula.tables import BOX, COUNTS, MEADOWS
from plenilune.games.via_nebula.valley import (
    close_hex,
    lay_tile,
    only_kind,
    open_exploitation,
    open_hex,
    put,
    site_spot,
    take,
)

TILES = COUNTS["tiles"]

# RULES 10.14: the longest match, with 4 seats.
_SETUP = 1 + MEADOWS + SEATS * int(PRIVATES_DEALT[SEATS]) + DISPLAY
_BUILDS = SEATS * int(BUILDINGS[SEATS])
_CARRIES = sum(token.printed for token in BOX.tokens)
_ACTIONS = FIRST_SPECIAL + 2 * _BUILDS + TILES + _CARRIES
BOUND = _SETUP + _ACTIONS + _CARRIES + 5 * _BUILDS + SEATS * (_ACTIONS + 1)


# Setup


@rule
def setup(s: State, seats: int, options: Ints) -> None:
    s.seats, s.to_play, s.map, s.phase = seats, CHANCE, options[0], WITHOUT
    s.mover, s.actions_left, s.extra, s.idle_turns = 0, ACTIONS_A_TURN, 0, 0
    s.end_card, s.dealt = NOBODY, 0
    s.meadow, s.place, s.card, s.removals, s.lifted = NONE, NONE, NONE, 0, NONE
    s.open[:] = 0
    s.token[:] = NONE
    s.craftsman[:] = NOBODY
    s.site[:] = NOBODY
    s.building[:] = NOBODY
    s.token_at[:] = IN_BAG
    s.display[:] = NONE
    for spot in range(SPOTS):
        for kind in range(KINDS_OF_RESOURCE):
            s.goods[spot, kind] = 0
    for card in range(CARDS):
        s.card_at[card] = IN_DECK if card < CONTRACTS else UNDEALT
    s.reserve = TILES
    for seat in range(SEATS):
        set_up_guild(s, seat, seat < seats)


@rule
def set_up_guild(s: State, seat: int, is_taken: bool) -> None:
    p, n = s.players[seat], s.seats if is_taken else 0
    p.tiles = PILES * TILES_IN_A_PILE[n]
    p.craftsmen, p.sites, p.buildings = CRAFTSMEN[n], SITES[n], BUILDINGS[n]
    p.privates, p.plans = 0, 0
    s.reserve -= p.tiles


@rule
def go_without(s: State, word: int) -> None:
    """RULES 2.1."""
    s.token_at[SPECIAL_OF[word]] = IN_BOX
    s.phase = TOKEN


@rule
def lay_token(s: State, meadow: int, token: int) -> None:
    """RULES 2.2 and 2.3."""
    if token < FIRST_SPECIAL:
        s.token[meadow], s.token_at[token] = token, ON_MAP
    else:
        s.token_at[token] = IN_BOX
        open_exploitation(s, meadow, token)
    s.dealt += 1
    if s.dealt == MEADOWS:
        s.phase, s.dealt = DEAL, 0


@rule
def deal(s: State, seat: int, card: int) -> None:
    """RULES 2.4."""
    s.card_at[card] = HAND + seat
    s.players[seat].privates += 1
    s.dealt += 1
    if s.dealt == s.seats * PRIVATES_DEALT[s.seats]:
        s.phase, s.dealt = TURN_UP, 0


@rule
def turn_up(s: State, card: int) -> None:
    """RULES 2.5 and 6.6."""
    s.card_at[card] = ON_DISPLAY
    s.display[gap(s)] = card
    if gap(s) == NONE:
        go_on(s)


@rule
def gap(s: State) -> int:
    """The first place of the display without a card, or NONE."""
    for slot in range(DISPLAY):
        if s.display[slot] == NONE:
            return slot
    return NONE


# An action


@rule
def apply(s: State, action: int) -> None:
    if action < DO_CRAFTSMAN:
        apply_chance(s, action)
    elif action < DO_SITE:
        place_craftsman(s, MEADOW_OF[s.map, action - DO_CRAFTSMAN])
    elif action < DO_EXPLORE:
        lay_site(s, PLACE_OF[s.map, action - DO_SITE])
    elif action < DO_CARRY:
        explore(s, TILE_CELL[action - DO_EXPLORE])
    elif action < DO_TAKE:
        word = action - DO_CARRY
        carry(s, CARRY_OF[s.map, word, 0], CARRY_OF[s.map, word, 1])
    elif action < DO_BUILD:
        carry_one(s, s.meadow, s.place, action - DO_TAKE)
    elif action < DO_SPEND:
        word = action - DO_BUILD
        build(s, PLACE_OF[s.map, word // CARDS], word % CARDS)
    elif action < DO_SWAP:
        build_for(s, s.place, s.card, CARDS + action - DO_SPEND)
    elif action < DO_USE:
        apply_power(s, action)
    elif action == DO_USE:
        use_power(s)
    elif action == DO_SKIP:
        skip(s)
    else:
        pass_turn(s)


@rule
def apply_chance(s: State, action: int) -> None:
    if action >= DO_PLAN:
        draw_plan(s, action - DO_PLAN)
    elif action >= DO_TURN_UP:
        turn_up(s, action - DO_TURN_UP)
    elif action >= DO_DEAL:
        deal(s, (action - DO_DEAL) // PRIVATES, CONTRACTS + (action - DO_DEAL) % PRIVATES)
    elif action >= DO_TOKEN:
        lay_token(s, MEADOW_OF[s.map, (action - DO_TOKEN) // TOKENS], (action - DO_TOKEN) % TOKENS)
    else:
        go_without(s, action)


@rule
def place_craftsman(s: State, meadow: int) -> None:
    """RULES 4.1."""
    token = s.token[meadow]
    s.token_at[token] = TAKEN + s.mover
    s.players[s.mover].craftsmen -= 1
    s.craftsman[meadow] = s.mover
    open_exploitation(s, meadow, token)
    spend_actions(s, 1)
    go_on(s)


@rule
def lay_site(s: State, place: int) -> None:
    """RULES 4.2."""
    s.players[s.mover].sites -= 1
    s.site[place] = s.mover
    spend_actions(s, 1)
    go_on(s)


@rule
def explore(s: State, cell: int) -> None:
    """RULES 4.3 and 4.4; and where a tile goes by a power."""
    if s.phase == LAY:
        s.lifted = NONE
        open_hex(s, cell)
        fill_display(s)
        return
    lay_tile(s, s.mover, cell)
    if s.phase == POWER:
        fill_display(s)
        return
    spend_actions(s, 2 if has(GROUND[s.map, FOREST, 0], GROUND[s.map, FOREST, 1], cell) else 1)
    go_on(s)


@rule
def carry(s: State, meadow: int, place: int) -> None:
    """RULES 4.5; asks which resource if there are several kinds (10.5)."""
    kind = only_kind(s, meadow)
    if kind == NONE:
        s.meadow, s.place, s.phase = meadow, place, TAKE
    else:
        carry_one(s, meadow, place, kind)


@rule
def carry_one(s: State, meadow: int, place: int, kind: int) -> None:
    s.meadow, s.place = NONE, NONE
    take(s, meadow, kind)
    put(s, site_spot(place), kind)
    spend_actions(s, 1)
    go_on(s)


@rule
def skip(s: State) -> None:
    """Decline a power, or the extra action of a Distillery."""
    if s.phase == POWER:
        fill_display(s)
    else:
        spend_actions(s, 1)
        go_on(s)


@rule
def pass_turn(s: State) -> None:
    """RULES 3.5."""
    if s.actions_left == ACTIONS_A_TURN:
        s.idle_turns += 1
    s.actions_left = 0
    go_on(s)


@rule
def spend_actions(s: State, n: int) -> None:
    s.actions_left -= n
    s.extra, s.idle_turns = 0, 0


# Building


@rule
def build(s: State, place: int, card: int) -> None:
    """RULES 4.7; asks what counts as the cost if there are several ways (10.6)."""
    if ways_to_pay(s, place, card) > 1:
        s.place, s.card, s.phase = place, card, SPEND
    else:
        for price in range(CARD_PRICES[card, 0], CARD_PRICES[card, 1]):
            if covers(purse(s, place), price):
                build_for(s, place, card, price)
                return


@rule
def build_for(s: State, place: int, card: int, price: int) -> None:
    """RULES 6 and 10.7."""
    s.place, s.card = NONE, card
    pay(s, place, price)
    raise_building(s, place)
    play_card(s, card)
    spend_actions(s, 1)
    if s.players[s.mover].buildings == 0 and s.end_card == NOBODY:  # RULES 6.4 and 8.1
        s.end_card, s.actions_left = s.mover, 0
    elif CARD_POWER[card] == EXTRA_ACTION:  # RULES 7.6
        s.actions_left, s.extra = s.actions_left + 1, 1
    s.removals = REMOVES[CARD_POWER[card]]
    ask_power(s)


@rule
def pay(s: State, place: int, price: int) -> None:
    """RULES 6.2: the cost goes to the supply, the rest into storage."""
    spot, storage = site_spot(place), STORAGE_SPOT + s.mover
    for kind in range(KINDS_OF_RESOURCE):
        s.goods[storage, kind] += s.goods[spot, kind] - PRICE[price, kind]
        s.goods[spot, kind] = 0


@rule
def raise_building(s: State, place: int) -> None:
    p = s.players[s.mover]
    p.sites, p.buildings = p.sites + 1, p.buildings - 1
    s.site[place], s.building[place] = NOBODY, s.mover


@rule
def play_card(s: State, card: int) -> None:
    """RULES 6.3: out of the display or the hand."""
    p = s.players[s.mover]
    if s.card_at[card] == ON_DISPLAY:
        for slot in range(DISPLAY):
            if s.display[slot] == card:
                s.display[slot] = NONE
    elif card < CONTRACTS:
        p.plans -= 1
    else:
        p.privates -= 1
    s.card_at[card] = BUILT + s.mover


# Powers


@rule
def ask_power(s: State) -> None:
    if can_use(s, CARD_POWER[s.card]):
        s.phase = POWER
    else:
        fill_display(s)


@rule
def apply_power(s: State, action: int) -> None:
    if action < DO_LIFT:
        word = action - DO_SWAP
        swap(s, SPOT_OF[s.map, word // SWAPS], SWAP_KINDS[word % SWAPS, 0], SWAP_KINDS[word % SWAPS, 1])
    elif action < DO_OPEN:
        lift(s, TILE_CELL[action - DO_LIFT])
    elif action < DO_REMOVE:
        open_token(s, MEADOW_OF[s.map, action - DO_OPEN])
    elif action < DO_DELIVER:
        word = action - DO_REMOVE
        remove(s, SPOT_OF[s.map, word // KINDS_OF_RESOURCE], word % KINDS_OF_RESOURCE)
    else:
        word = action - DO_DELIVER
        deliver(s, PLACE_OF[s.map, word // KINDS_OF_RESOURCE], word % KINDS_OF_RESOURCE)


@rule
def swap(s: State, spot: int, given: int, got: int) -> None:
    """RULES 7.2: got first, so that the exploitation is never empty."""
    put(s, spot, got)
    take(s, spot, given)
    fill_display(s)


@rule
def lift(s: State, cell: int) -> None:
    """RULES 7.5."""
    close_hex(s, cell)
    s.lifted, s.phase = cell, LAY


@rule
def open_token(s: State, meadow: int) -> None:
    """RULES 7.7."""
    token = s.token[meadow]
    s.token_at[token] = IN_BOX
    open_exploitation(s, meadow, token)
    fill_display(s)


@rule
def remove(s: State, spot: int, kind: int) -> None:
    """RULES 7.8 and 7.9."""
    take(s, STORAGE_SPOT + s.mover if spot == NONE else spot, kind)
    s.removals -= 1
    ask_power(s)


@rule
def deliver(s: State, place: int, kind: int) -> None:
    """RULES 7.10."""
    put(s, site_spot(place), kind)
    fill_display(s)


@rule
def use_power(s: State) -> None:
    """RULES 7.11 and 7.12."""
    if CARD_POWER[s.card] == DRAW_CONTRACT:
        s.phase, s.to_play = PLAN, CHANCE
        return
    p = s.players[s.mover]
    shed = min(SHED, p.tiles)
    p.tiles -= shed
    s.reserve += shed
    fill_display(s)


@rule
def draw_plan(s: State, card: int) -> None:
    s.card_at[card] = HAND + s.mover
    s.players[s.mover].plans += 1
    fill_display(s)


# What comes next


@rule
def fill_display(s: State) -> None:
    """RULES 10.8."""
    s.card, s.removals = NONE, 0
    if gap(s) == NONE:
        go_on(s)
    else:
        s.phase, s.to_play = TURN_UP, CHANCE


@rule
def go_on(s: State) -> None:
    """RULES 10.9 and 10.10."""
    s.phase = ACT
    if s.actions_left == 0:
        after = s.mover + 1 if s.mover + 1 < s.seats else 0
        if s.end_card == after or s.idle_turns == s.seats:
            s.phase, s.to_play = FINISHED, OVER
            return
        s.mover, s.actions_left = after, ACTIONS_A_TURN
    s.to_play = s.mover
