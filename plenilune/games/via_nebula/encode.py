"""What a seat sees of Via Nebula as arrays for networks, always of the same shapes, and its actions as small numbers.

Seats are counted from the own one: 0 is the own seat, 1 the next to move, and so on; rows and planes of seats that
nobody sits on are 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plenilune.core.encoding import Encoded, Encoding, row_of
from plenilune.core.engine import rule, stack_array
from plenilune.core.record import f32, u8
from plenilune.games.via_nebula import hexes, scoring
from plenilune.games.via_nebula.state import (
    ACTIONS,
    BUILT,
    CARDS,
    CARRY_OF,
    CONTRACTS,
    CRAFTSMEN,
    DO_BUILD,
    DO_CARRY,
    DO_CRAFTSMAN,
    DO_DELIVER,
    DO_EXPLORE,
    DO_LIFT,
    DO_OPEN,
    DO_REMOVE,
    DO_SITE,
    DO_SPEND,
    DO_SWAP,
    DO_TAKE,
    DO_USE,
    GROUND_NAMES,
    HALVES,
    HAND,
    KINDS_OF_RESOURCE,
    LANDS,
    MEADOW_CELL,
    MEADOW_OF,
    NOBODY,
    NONE,
    ON_DISPLAY,
    PHASES,
    PLACE_OF,
    PLACE_SPOT,
    PLACES,
    RESOURCES_LESS,
    RUIN_CELL,
    RUIN_COUNT,
    RUINS,
    SEATS,
    SITES,
    SPOT_OF,
    STORAGE_SPOT,
    SWAPS,
    TAKEN,
    TILE_WORDS,
    TOKEN_POINTS,
    TOKEN_PRINTED,
    TOKEN_RESOURCE,
    TOKENS,
    UNKNOWN,
    State,
)
from plenilune.games.via_nebula.tables import BOX, MAPS, MEADOWS, RESOURCES, SEAT_COUNTS
from plenilune.games.via_nebula.valley import hidden_explorers

Array = NDArray[np.float32]

# Planes of `hexes`
GROUND = 0  # five: meadow, mist, forest, forbidden, ruin as printed; all 0 where there is no hex
OPEN = GROUND + len(GROUND_NAMES)
TOKEN_YIELD = OPEN + 1  # five: what the token there would yield, in the plane of its resource
TOKEN_WORTH = TOKEN_YIELD + KINDS_OF_RESOURCE  # the token's points
STOCK = TOKEN_WORTH + 1  # five: resources on an exploitation
CRAFTSMAN = STOCK + KINDS_OF_RESOURCE  # four, one a seat
SITE = CRAFTSMAN + SEATS  # four for the place a, four for the place b
BUILDING = SITE + HALVES * SEATS  # likewise
SITE_GOODS = BUILDING + HALVES * SEATS  # five for the place a, five for the place b
ASKED_HEX = SITE_GOODS + HALVES * KINDS_OF_RESOURCE  # the exploitation of a take ply, the lifted tile of a lay ply
ASKED_PLACE = ASKED_HEX + 1  # two, a and b: the site of a take or spend ply
HEX_PLANES = ASKED_PLACE + HALVES

# Columns of `cards`
SHOWN, OWN_HAND = 0, 1  # on the display; in the own hand
BUILT_BY = 2  # four, one a seat
ASKED_CARD = BUILT_BY + SEATS  # the card of a spend, power or plan ply
UNSEEN = ASKED_CARD + 1  # in another hand, the deck or the box
CARD_COLUMNS = UNSEEN + 1

# Columns of `guilds`
GUILD_COLUMNS = (
    *("seated", "tiles", "hidden explorers", "craftsmen", "sites", "buildings", "privates held", "plans held"),
    *("wood stored", "stone stored", "clay stored", "wheat stored", "food stored"),
    *("tokens taken", "points of tokens", "contracts built", "end card", "score"),
)

# Columns of `table`
TABLE_COLUMNS = (
    *(f"{seats} seats" for seats in SEAT_COUNTS),
    *(f"map {name}" for name in MAPS),
    *(f"asks {phase}" for phase in PHASES),
    *(f"seat {seat} after the own one moves" for seat in range(SEATS)),
    *("actions left", "extra action", "removals left", "idle turns", "last round", "reserve", "deck"),
)
STORED = GUILD_COLUMNS.index("wood stored")
MAP_COLUMN = len(SEAT_COUNTS)
PHASE_COLUMN = MAP_COLUMN + len(MAPS)
MOVER_COLUMN = PHASE_COLUMN + len(PHASES)

# Where things are, in Tokens: what a seat has is its row plus one of these.
TOKEN_TAKEN = 3  # IN_BAG, ON_MAP and IN_BOX are as in State
CARD_UNSEEN, CARD_SHOWN, CARD_HELD, CARD_BUILT = 0, 1, 2, 3


class Tokens(Encoded):
    """What may be none is counted from 1, so that 0 is none."""

    seats: Any = u8(1)
    map: Any = u8(1)
    phase: Any = u8(1)  # which kind of ply it is, as in State
    mover: Any = u8(1)  # the row of the seat whose turn it is
    left: Any = u8(4)  # actions, an extra action, removals, tiles in the reserve
    idle_turns: Any = u8(1)
    end_card: Any = u8(1)  # the row of the seat that has it
    deck: Any = u8(1)  # contracts there
    asked: Any = u8(4)  # the meadow, the place, the card, the cell that the ply is about
    open: Any = u8(hexes.CELLS)  # by cell (hexes.py): 1 if it has a tile, or is a meadow used up
    meadows: Any = u8(MEADOWS, 2 + KINDS_OF_RESOURCE)  # token, row of the craftsman's seat, resources of each kind
    places: Any = u8(PLACES, 2 + KINDS_OF_RESOURCE)  # rows of the site's and the building's seat, resources
    tokens: Any = u8(TOKENS)  # IN_BAG, ON_MAP, IN_BOX, or TOKEN_TAKEN + row
    cards: Any = u8(CARDS)  # CARD_UNSEEN, CARD_SHOWN, CARD_HELD (by the own seat), or CARD_BUILT + row
    guilds: Any = u8(SEATS, 7 + KINDS_OF_RESOURCE)
    """By row: there is one; tiles, craftsmen, sites, buildings, privates, plans held; resources stored."""


class Planes(Encoded):
    hexes: Any = f32(hexes.ROWS, len(hexes.COLUMNS), HEX_PLANES)  # by row and column; even rows lie half a hex right
    cards: Any = f32(CARDS, CARD_COLUMNS)  # by the card's number in the table
    guilds: Any = f32(SEATS, len(GUILD_COLUMNS))
    table: Any = f32(len(TABLE_COLUMNS))


class Option(Encoded):
    """0 where the action names no such thing; everything is counted from 1."""

    verb: Any = u8(1)  # its place among the verbs of the action table
    hex: Any = u8(2)  # row and column of what it names first
    half: Any = u8(1)  # of a ruin: a or b
    source: Any = u8(2)  # row and column of the exploitation that is carried from
    card: Any = u8(1)
    resource: Any = u8(2)  # the one given up or taken, the one got
    price: Any = u8(1)  # which way to pay


def features(s: State, seat: int) -> Planes:
    """The planes of a seen state from the seat's side."""
    out = Planes.new()
    planes(s, seat, out)
    return out


ROW_OF, COLUMN_OF = np.zeros((2, hexes.CELLS), np.int32)  # by cell
for _cell, (_column, _row) in hexes.COORDINATES.items():
    ROW_OF[_cell], COLUMN_OF[_cell] = _row - 1, _column
GROUND_AT = np.full((len(MAPS), hexes.CELLS), NONE, np.int32)  # (map, cell): the place of its ground's name
for _map, _land in enumerate(LANDS):
    for _cell, _ground in _land.ground.items():
        GROUND_AT[_map, _cell] = GROUND_NAMES.index(_ground)


@rule
def deck(s: State) -> int:
    """How many contracts lie face down in the deck, as everybody can count."""
    n = CONTRACTS
    for seat in range(s.seats):
        n -= s.players[seat].plans
    for card in range(CONTRACTS):
        n -= s.card_at[card] == ON_DISPLAY or s.card_at[card] >= BUILT
    return int(n)


@rule
def is_open(s: State, cell: int) -> bool:
    return hexes.has(s.open[0], s.open[1], cell)


# Planes


@rule
def planes(s: State, own: int, out: Any) -> None:
    out.hexes[:], out.cards[:], out.guilds[:], out.table[:] = 0, 0, 0, 0
    fill_hexes(s, own, out.hexes)
    fill_cards(s, own, out.cards)
    for seat in range(s.seats):
        fill_guild(s, seat, out.guilds, row_of(s, seat, own))
    fill_table(s, own, out.table)


@rule
def fill_hexes(s: State, own: int, out: Array) -> None:
    for cell in range(hexes.CELLS):
        if GROUND_AT[s.map, cell] != NONE:
            out[ROW_OF[cell], COLUMN_OF[cell], GROUND + GROUND_AT[s.map, cell]] = 1
            out[ROW_OF[cell], COLUMN_OF[cell], OPEN] = is_open(s, cell)
    for meadow in range(MEADOWS):
        cell = MEADOW_CELL[s.map, meadow]
        fill_meadow(s, own, meadow, out, ROW_OF[cell], COLUMN_OF[cell])
    for place in range(HALVES * RUIN_COUNT[s.map]):
        cell = RUIN_CELL[s.map, place // HALVES]
        fill_place(s, own, place, out, ROW_OF[cell], COLUMN_OF[cell])
    if s.lifted != NONE:
        out[ROW_OF[s.lifted], COLUMN_OF[s.lifted], ASKED_HEX] = 1


@rule
def fill_meadow(s: State, own: int, meadow: int, out: Array, row: int, column: int) -> None:
    token = s.token[meadow]
    if token != NONE:
        out[row, column, TOKEN_YIELD + TOKEN_RESOURCE[token]] = TOKEN_PRINTED[token] - RESOURCES_LESS[s.seats]
        out[row, column, TOKEN_WORTH] = TOKEN_POINTS[token]
    for kind in range(KINDS_OF_RESOURCE):
        out[row, column, STOCK + kind] = s.goods[meadow, kind]
    if s.craftsman[meadow] != NOBODY:
        out[row, column, CRAFTSMAN + row_of(s, s.craftsman[meadow], own)] = 1
    out[row, column, ASKED_HEX] = s.meadow == meadow


@rule
def fill_place(s: State, own: int, place: int, out: Array, row: int, column: int) -> None:
    half = place % HALVES
    if s.site[place] != NOBODY:
        out[row, column, SITE + half * SEATS + row_of(s, s.site[place], own)] = 1
    if s.building[place] != NOBODY:
        out[row, column, BUILDING + half * SEATS + row_of(s, s.building[place], own)] = 1
    for kind in range(KINDS_OF_RESOURCE):
        out[row, column, SITE_GOODS + half * KINDS_OF_RESOURCE + kind] = s.goods[PLACE_SPOT + place, kind]
    out[row, column, ASKED_PLACE + half] = s.place == place


@rule
def fill_cards(s: State, own: int, out: Array) -> None:
    for card in range(CARDS):
        at = s.card_at[card]
        if at == ON_DISPLAY:
            out[card, SHOWN] = 1
        elif at == HAND + own:
            out[card, OWN_HAND] = 1
        elif at >= BUILT:
            out[card, BUILT_BY + row_of(s, at - BUILT, own)] = 1
        elif card != s.card:
            out[card, UNSEEN] = 1
    if s.card != NONE:
        out[s.card, ASKED_CARD] = 1


@rule
def fill_guild(s: State, seat: int, out: Array, row: int) -> None:
    p = s.players[seat]
    out[row, 0], out[row, 1], out[row, 2] = 1, p.tiles, hidden_explorers(s, seat)
    out[row, 3], out[row, 4], out[row, 5], out[row, 6], out[row, 7] = (
        p.craftsmen,
        p.sites,
        p.buildings,
        p.privates,
        p.plans,
    )
    for kind in range(KINDS_OF_RESOURCE):
        out[row, STORED + kind] = s.goods[STORAGE_SPOT + seat, kind]
    at = STORED + KINDS_OF_RESOURCE
    out[row, at], out[row, at + 1] = scoring.tokens_taken(s, seat), scoring.token_points(s, seat)
    out[row, at + 2], out[row, at + 3], out[row, at + 4] = (
        scoring.contracts_built(s, seat),
        s.end_card == seat,
        scoring.score(s, seat),
    )


@rule
def fill_table(s: State, own: int, out: Array) -> None:
    out[s.seats - SEAT_COUNTS[0]] = 1
    out[MAP_COLUMN + s.map] = 1
    out[PHASE_COLUMN + s.phase] = 1
    out[MOVER_COLUMN + row_of(s, s.mover, own)] = 1
    at = MOVER_COLUMN + SEATS
    out[at], out[at + 1], out[at + 2], out[at + 3] = s.actions_left, s.extra, s.removals, s.idle_turns
    out[at + 4], out[at + 5], out[at + 6] = s.end_card != NOBODY, s.reserve, deck(s)


# Tokens


@rule
def tokens(s: State, own: int, out: Any) -> None:
    rows, of_tokens, of_cards = rows_of_seats(), places_of_tokens(), places_of_cards()
    fill_lookups(s, own, rows, of_tokens, of_cards)
    out.seats[0], out.map[0], out.phase[0], out.mover[0] = s.seats, s.map, s.phase, row_of(s, s.mover, own)
    out.left[0], out.left[1], out.left[2], out.left[3] = s.actions_left, s.extra, s.removals, s.reserve
    out.idle_turns[0], out.end_card[0], out.deck[0] = min(s.idle_turns, 255), rows[s.end_card + 1], deck(s)
    out.asked[0], out.asked[1], out.asked[2], out.asked[3] = s.meadow + 1, s.place + 1, s.card + 1, s.lifted + 1
    for cell in range(hexes.CELLS):
        out.open[cell] = is_open(s, cell)
    for meadow in range(MEADOWS):
        out.meadows[meadow, 0], out.meadows[meadow, 1] = s.token[meadow] + 1, rows[s.craftsman[meadow] + 1]
        for kind in range(KINDS_OF_RESOURCE):
            out.meadows[meadow, 2 + kind] = s.goods[meadow, kind]
    for place in range(PLACES):
        out.places[place, 0], out.places[place, 1] = rows[s.site[place] + 1], rows[s.building[place] + 1]
        for kind in range(KINDS_OF_RESOURCE):
            out.places[place, 2 + kind] = s.goods[PLACE_SPOT + place, kind]
    for token in range(TOKENS):
        out.tokens[token] = of_tokens[s.token_at[token]]
    for card in range(CARDS):
        out.cards[card] = of_cards[s.card_at[card] - UNKNOWN]
    out.guilds[:] = 0
    for seat in range(s.seats):
        write_guild(s, seat, out.guilds, row_of(s, seat, own))


# What the few values that a place can have become, looked up: which seat it is cannot be foreseen, so a branch for each
# place would cost more.
rows_of_seats = stack_array((SEATS + 1,), np.uint8)
places_of_tokens = stack_array((TAKEN + SEATS,), np.uint8)
places_of_cards = stack_array((BUILT + SEATS - UNKNOWN,), np.uint8)


@rule
def fill_lookups(s: State, own: int, rows: Any, of_tokens: Any, of_cards: Any) -> None:
    rows[NOBODY + 1] = 0
    for at in range(TAKEN):
        of_tokens[at] = at
    for seat in range(SEATS):
        row = row_of(s, seat, own)
        rows[seat + 1], of_tokens[TAKEN + seat] = row + 1, TOKEN_TAKEN + row
    for at in range(UNKNOWN, BUILT + SEATS):
        of_cards[at - UNKNOWN] = whereabouts(s, at, own)


@rule
def whereabouts(s: State, at: int, own: int) -> int:
    """Of a card."""
    if at == ON_DISPLAY:
        return CARD_SHOWN
    if at == HAND + own:
        return CARD_HELD
    return CARD_BUILT + row_of(s, at - BUILT, own) if at >= BUILT else CARD_UNSEEN


@rule
def write_guild(s: State, seat: int, out: Any, row: int) -> None:
    p = s.players[seat]
    out[row, 0], out[row, 1], out[row, 2], out[row, 3] = 1, p.tiles, p.craftsmen, p.sites
    out[row, 4], out[row, 5], out[row, 6] = p.buildings, p.privates, p.plans
    for kind in range(KINDS_OF_RESOURCE):
        out[row, 7 + kind] = s.goods[STORAGE_SPOT + seat, kind]


# Actions. What is named by a place on the map is numbered by the map in use, and what belongs to the mover by which of
# its own it is: the first of its sites in reading order, the second …

OWN_SITES = int(SITES.max())
OWN_SPOTS = int(CRAFTSMEN.max()) + OWN_SITES + 1  # exploitations, sites and the storage
_VERBS = (
    ("craftsman", MEADOWS),
    ("site", RUINS),
    ("explore", len(TILE_WORDS)),
    ("carry", OWN_SITES * MEADOWS),
    ("take", KINDS_OF_RESOURCE),
    ("build", OWN_SITES * CARDS),
    ("spend", DO_SWAP - DO_SPEND),
    ("swap", OWN_SPOTS * SWAPS),
    ("lift", len(TILE_WORDS)),
    ("open", MEADOWS),
    ("remove", OWN_SPOTS * KINDS_OF_RESOURCE),
    ("deliver", OWN_SITES * KINDS_OF_RESOURCE),
    ("use", 1),
    ("skip", 1),
    ("pass", 1),
)
CODE_AT = {verb: sum(n for _, n in _VERBS[:i]) for i, (verb, _) in enumerate(_VERBS)}  # the verb's first code
CODES = sum(n for _, n in _VERBS)
# The most that a seat can do at once is one of the six actions; every power and every outcome offers less.
MOST_LEGAL = sum(n for verb, n in _VERBS if verb in ("craftsman", "site", "explore", "carry", "build", "skip"))
(
    CODE_CRAFTSMAN,
    CODE_SITE,
    CODE_EXPLORE,
    CODE_CARRY,
    CODE_TAKE,
    CODE_BUILD,
    CODE_SPEND,
    CODE_SWAP,
    CODE_LIFT,
    CODE_OPEN,
    CODE_REMOVE,
    CODE_DELIVER,
    CODE_USE,
    _,
    _,
) = CODE_AT.values()

STORAGE_WORD = SPOT_OF.shape[1] - 1


def _code(map: int, action: int) -> tuple[int, int, int]:
    """A code, a spot and a number: the action's code is the first, and the last times the rank of the spot among the
    mover's."""
    if action < DO_CRAFTSMAN or action >= DO_USE:
        return CODE_USE + action - DO_USE, 0, 0
    if action < DO_SITE:
        return CODE_CRAFTSMAN + int(MEADOW_OF[map, action - DO_CRAFTSMAN]), 0, 0
    if action < DO_EXPLORE:
        return CODE_SITE + int(PLACE_OF[map, action - DO_SITE]) // HALVES, 0, 0
    if action < DO_CARRY:
        return CODE_EXPLORE + action - DO_EXPLORE, 0, 0
    if action < DO_TAKE:
        meadow, place = CARRY_OF[map, action - DO_CARRY].tolist()
        return CODE_CARRY + meadow, PLACE_SPOT + place, MEADOWS
    if action < DO_BUILD:
        return CODE_TAKE + action - DO_TAKE, 0, 0
    if action < DO_SPEND:
        word, card = divmod(action - DO_BUILD, CARDS)
        return CODE_BUILD + card, PLACE_SPOT + int(PLACE_OF[map, word]), CARDS
    if action < DO_SWAP:
        return CODE_SPEND + action - DO_SPEND, 0, 0
    return _code_of_power(map, action)


def _code_of_power(map: int, action: int) -> tuple[int, int, int]:
    if action < DO_LIFT:
        word, swap = divmod(action - DO_SWAP, SWAPS)
        return _own_spot(CODE_SWAP + swap, map, word, SWAPS)
    if action < DO_OPEN:
        return CODE_LIFT + action - DO_LIFT, 0, 0
    if action < DO_REMOVE:
        return CODE_OPEN + int(MEADOW_OF[map, action - DO_OPEN]), 0, 0
    if action < DO_DELIVER:
        word, kind = divmod(action - DO_REMOVE, KINDS_OF_RESOURCE)
        return _own_spot(CODE_REMOVE + kind, map, word, KINDS_OF_RESOURCE)
    word, kind = divmod(action - DO_DELIVER, KINDS_OF_RESOURCE)
    return CODE_DELIVER + kind, PLACE_SPOT + int(PLACE_OF[map, word]), KINDS_OF_RESOURCE


def _own_spot(first: int, map: int, word: int, step: int) -> tuple[int, int, int]:
    """The mover's sites come first, then its exploitations, then its storage."""
    if word == STORAGE_WORD:
        return first + step * (OWN_SPOTS - 1), 0, 0
    spot = int(SPOT_OF[map, word])
    return first + step * (0 if spot >= PLACE_SPOT else OWN_SITES), spot, step


CODES_OF = np.array([[_code(map, action) for action in range(ACTIONS.size)] for map in range(len(MAPS))], np.int16)
CODES_OF[CODES_OF[:, :, 1] < 0, 1] = 0  # what the map does not have is never legal
ranks_of_spots = stack_array((STORAGE_SPOT,), np.int32)


@rule
def codes(s: State, actions: Any, n: int, out: Any) -> None:
    """Of chance's outcomes: their numbers."""
    if s.to_play < 0:
        for i in range(n):
            out[i] = actions[i]
        return
    ranks = ranks_of_spots()
    rank_spots(s, ranks)
    for i in range(n):
        action = actions[i]
        rank = ranks[CODES_OF[s.map, action, 1]]
        out[i] = CODES_OF[s.map, action, 0] + rank * CODES_OF[s.map, action, 2]


@rule
def rank_spots(s: State, ranks: Any) -> None:
    """By spot: which of the mover's it is, sites apart from the others."""
    n = 0
    for meadow in range(MEADOWS):
        ranks[meadow] = n
        n += s.craftsman[meadow] == s.mover
    n = 0
    for place in range(PLACES):
        ranks[PLACE_SPOT + place] = n
        n += s.site[place] == s.mover


# Options: what an action's text names, which is the same in every state


def _option(number: int) -> tuple[int, ...]:
    """Verb, row, column, half, row and column of the source, card, two resources, price; counted from 1."""
    verb, _ = ACTIONS.split(number)
    words = ACTIONS.texts[number].split()[1:]
    found = dict.fromkeys(("row", "column", "half", "from row", "from column", "card", "one", "two", "price"), 0)
    for word in words:
        _read(word, verb, found)
    return (list(ACTIONS.verbs).index(verb) + 1, *found.values())


def _read(word: str, verb: str, found: dict[str, int]) -> None:
    if verb == "spend":
        found["price"] = 1 + ACTIONS.verbs["spend"][0].index(word)
    elif word in RESOURCES:
        found["two" if found["one"] else "one"] = 1 + RESOURCES.index(word)
    elif word in CARD_NUMBERS:
        found["card"] = 1 + CARD_NUMBERS[word]
    elif word.rstrip("ab") in CELL_NUMBERS or word in CELL_NUMBERS:
        _read_hex(word, found)


def _read_hex(word: str, found: dict[str, int]) -> None:
    """A carry names the exploitation first."""
    if found["row"]:
        found["from row"], found["from column"] = found["row"], found["column"]
    cell = CELL_NUMBERS[word if word in CELL_NUMBERS else word[:-1]]
    found["row"], found["column"] = 1 + int(ROW_OF[cell]), 1 + int(COLUMN_OF[cell])
    found["half"] = 0 if word in CELL_NUMBERS else 1 + "ab".index(word[-1])


CELL_NUMBERS = {name: cell for cell, name in hexes.NAMES.items()}
CARD_NUMBERS = {card.name: number for number, card in enumerate(BOX.cards)}
OPTIONS = np.array([_option(number) for number in range(ACTIONS.size)], np.uint8)


@rule
def describe(s: State, action: int, out: Any) -> None:
    row = OPTIONS[action]
    out.verb[0], out.hex[0], out.hex[1], out.half[0] = row[0], row[1], row[2], row[3]
    out.source[0], out.source[1], out.card[0] = row[4], row[5], row[6]
    out.resource[0], out.resource[1], out.price[0] = row[7], row[8], row[9]


ENCODING = Encoding(
    Tokens=Tokens,
    Planes=Planes,
    Option=Option,
    tokens=tokens,
    planes=planes,
    describe=describe,
    size=CODES,
    codes=codes,
    most_legal=MOST_LEGAL,
)
