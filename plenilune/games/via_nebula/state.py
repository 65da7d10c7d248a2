"""The state of a match, the actions and their numbers, and the component table as arrays."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from plenilune.core.record import BaseState, Ints, Record, i8, i32, i64, many
from plenilune.core.spaces import ActionSpace
from plenilune.games.via_nebula import hexes
from plenilune.games.via_nebula.tables import (
    ANY_DIFFERENT,
    ANY_EQUAL,
    BOX,
    BY_SEATS,
    COUNTS,
    FOR_EACH,
    KINDS,
    MAPS,
    MEADOWS,
    RESOURCES,
    SEAT_COUNTS,
)

SEATS = 4
KINDS_OF_RESOURCE = len(RESOURCES)
WOOD, STONE, CLAY, WHEAT, FOOD = range(KINDS_OF_RESOURCE)
TOKENS = len(BOX.tokens)
SPECIALS = sum(token.special for token in BOX.tokens)
CARDS = len(BOX.cards)
CONTRACTS = sum(card.deck == "contract" for card in BOX.cards)  # cards from this number on are private ones
DISPLAY = COUNTS["contracts-face-up"]
ACTIONS_A_TURN, PILES = COUNTS["actions-a-turn"], COUNTS["piles"]

# A map's meadows and ruins are numbered in reading order, its places two a ruin: 2 × ruin, and 1 more for the half `b`.
HALVES = 2
RUINS = max(len(land.cells("ruin")) for land in BOX.maps.values())
PLACES = HALVES * RUINS
# Spots are where resources lie: the meadows, then the places, then the seats' storages.
PLACE_SPOT, STORAGE_SPOT = MEADOWS, MEADOWS + PLACES
SPOTS = STORAGE_SPOT + SEATS

NONE = NOBODY = -1  # no token, card, meadow, place, cell; no seat
UNKNOWN = -2  # a card of which the viewer cannot tell where it is
IN_BAG, ON_MAP, IN_BOX, TAKEN = 0, 1, 2, 3  # where a token is; TAKEN + seat
# Where a card is; HAND + seat, BUILT + seat. The deck holds contracts, the box private ones that nobody was dealt.
IN_DECK, UNDEALT, ON_DISPLAY, HAND, BUILT = 0, 1, 2, 3, 3 + SEATS

# The kinds of ply.
PHASES = ("without", "token", "deal", "turn-up", "action", "take", "spend", "power", "lay", "plan", "over")
WITHOUT, TOKEN, DEAL, TURN_UP, ACT, TAKE, SPEND, POWER, LAY, PLAN, FINISHED = range(len(PHASES))


class Player(Record):
    tiles: int = i32()  # on the guild board, as are the next three
    craftsmen: int = i32()
    sites: int = i32()
    buildings: int = i32()
    privates: int = i32()  # private contracts in the hand
    plans: int = i32()  # contracts in the hand, drawn by Secret Plan


class State(BaseState):
    """If you write a position by hand, its fields must agree: a meadow has a token, or goods, or is open; pieces on the
    map are not at home; a card on the display is in `display` and in `card_at`.

    Wide numbers come before bytes, so that each begins at a multiple of its width: a GPU reads others byte by byte."""

    map: int = i32()  # 0 beginner, 1 expert
    phase: int = i32()  # which kind of ply this is: WITHOUT … FINISHED
    mover: int = i32()  # the seat whose turn it is, also while chance plays
    actions_left: int = i32()  # of the turn
    extra: int = i32()  # 1 if the next action is a Distillery's and may be skipped
    idle_turns: int = i32()  # how many turns in a row have been passed as a whole
    end_card: int = i32()  # the seat that has it, or NOBODY
    reserve: int = i32()  # tiles
    dealt: int = i32()  # how many tokens or cards have been laid or dealt in this phase of the setup, otherwise 0
    meadow: int = i32()  # take: the exploitation carried from; otherwise NONE
    place: int = i32()  # take: the site carried to; spend: the site built on; otherwise NONE
    card: int = i32()  # spend: the card to be built with; power, plan: the card whose power is used; otherwise NONE
    removals: int = i32()  # power of Caravan and Export: how many resources may still be removed, otherwise 0
    lifted: int = i32()  # lay: the cell whose tile was lifted; otherwise NONE
    open: Ints = i64(2)  # board (hexes.py) of the open hexes: those with a tile, and the meadows that are used up
    players: list[Player] = many(Player, SEATS)
    token: Ints = i8(MEADOWS)  # the token on each meadow, or NONE
    craftsman: Ints = i8(MEADOWS)  # the seat whose craftsman stands on each meadow, or NOBODY
    site: Ints = i8(PLACES)  # the seat whose site is on each place, or NOBODY
    building: Ints = i8(PLACES)  # the seat whose building is on each place, or NOBODY
    goods: Ints = i8(SPOTS, KINDS_OF_RESOURCE)  # how many of each resource lie on each spot
    token_at: Ints = i8(TOKENS)  # where each token is: IN_BAG, ON_MAP, IN_BOX or TAKEN + seat
    card_at: Ints = i8(CARDS)  # where each card is: IN_DECK … BUILT + seat, or UNKNOWN
    display: Ints = i8(DISPLAY)  # the card in each of its places, or NONE


# The maps as arrays, by map

GROUND_NAMES = ("meadow", "mist", "forest", "forbidden", "ruin")
MEADOW, MIST, FOREST, FORBIDDEN, RUIN = range(len(GROUND_NAMES))
LANDS = [BOX.maps[name] for name in MAPS]
MEADOW_CELL = np.array([land.cells("meadow") for land in LANDS], np.int32)  # (map, meadow)
RUIN_COUNT = np.array([len(land.cells("ruin")) for land in LANDS], np.int32)
RUIN_CELL = np.full((len(MAPS), RUINS), NONE, np.int32)  # (map, ruin)
MEADOW_AT = np.full((len(MAPS), hexes.CELLS), NONE, np.int32)  # (map, cell): the meadow's number
for _map, _land in enumerate(LANDS):
    RUIN_CELL[_map, : RUIN_COUNT[_map]] = _land.cells("ruin")
    MEADOW_AT[_map, MEADOW_CELL[_map]] = range(MEADOWS)
GROUND = np.array(  # (map, ground, word): the board of all hexes of this ground
    [[hexes.board(land.cells(ground)) for ground in GROUND_NAMES] for land in LANDS], np.int64
)

# The actions

MEADOW_WORDS = sorted({cell for land in LANDS for cell in land.cells("meadow")})  # of any map; as cells
PLACE_WORDS = sorted({(cell, half) for land in LANDS for cell in land.cells("ruin") for half in range(HALVES)})
TILE_WORDS = sorted({cell for land in LANDS for cell in land.cells("mist", "forest", "forbidden")})
CARRY_WORDS = sorted(
    {
        (meadow, ruin, half)
        for land in LANDS
        for meadow in land.cells("meadow")
        for ruin in land.cells("ruin")
        for half in range(HALVES)
    }
)
# What can be spent where the cost leaves a choice: kinds of resource, first for ANY_EQUAL, then for ANY_DIFFERENT.
EQUALS = [(kind, kind) for kind in range(KINDS_OF_RESOURCE)]
DIFFERENTS = list(combinations(range(KINDS_OF_RESOURCE), 3))


def place_name(cell: int, half: int) -> str:
    return hexes.NAMES[cell] + "ab"[half]


FIRST_SPECIAL = TOKENS - SPECIALS  # tokens from this number on are special
# `without` calls the special tokens by their resources, if there is one of each; otherwise by their names.
_SPECIAL_NAMES = {token.name: token.resource for token in BOX.tokens[FIRST_SPECIAL:]}
ONE_OF_EACH = sorted(_SPECIAL_NAMES.values()) == sorted(RESOURCES)
WITHOUT_WORDS = list(RESOURCES if ONE_OF_EACH else _SPECIAL_NAMES)
_HEXES = [hexes.NAMES[cell] for cell in MEADOW_WORDS]
_PLACES = [place_name(*place) for place in PLACE_WORDS]
_TILES = [hexes.NAMES[cell] for cell in TILE_WORDS]
_CARDS = [card.name for card in BOX.cards]
_SWAPS = [f"{one} {other}" for one in RESOURCES for other in RESOURCES if one != other]

ACTIONS = ActionSpace(
    without=(WITHOUT_WORDS,),
    token=(_HEXES, [token.name for token in BOX.tokens]),
    deal=([str(seat + 1) for seat in range(SEATS)], _CARDS[CONTRACTS:]),
    turn_up=(_CARDS[:CONTRACTS],),
    plan=(_CARDS[:CONTRACTS],),
    craftsman=(_HEXES,),
    site=(_PLACES,),
    explore=(_TILES,),
    carry=([f"{hexes.NAMES[meadow]} {place_name(*place)}" for meadow, *place in CARRY_WORDS],),
    take=(RESOURCES,),
    build=(_PLACES, _CARDS),
    spend=(["+".join(RESOURCES[kind] for kind in kinds) for kinds in (*EQUALS, *DIFFERENTS)],),
    swap=([*_HEXES, *_PLACES], _SWAPS),
    lift=(_TILES,),
    open=(_HEXES,),
    remove=([*_HEXES, *_PLACES, "storage"], RESOURCES),
    deliver=(_PLACES, RESOURCES),
    use=(),
    skip=(),
    pass_=(),  # the verb is `pass`
)
DO_WITHOUT, DO_TOKEN, DO_DEAL, DO_TURN_UP, DO_PLAN = (
    ACTIONS[v] for v in ("without", "token", "deal", "turn-up", "plan")
)
DO_CRAFTSMAN, DO_SITE, DO_EXPLORE, DO_CARRY = (ACTIONS[v] for v in ("craftsman", "site", "explore", "carry"))
DO_TAKE, DO_BUILD, DO_SPEND, DO_SWAP, DO_LIFT = (ACTIONS[v] for v in ("take", "build", "spend", "swap", "lift"))
DO_OPEN, DO_REMOVE, DO_DELIVER = (ACTIONS[v] for v in ("open", "remove", "deliver"))
DO_USE, DO_SKIP, DO_PASS = (ACTIONS[v] for v in ("use", "skip", "pass"))
MOST_WORDS = max(len(words) for words in ACTIONS.verbs.values())  # after a verb
PRIVATES, SWAPS = CARDS - CONTRACTS, len(_SWAPS)

# From a map's meadows, places and spots to the words of the actions, and back; NONE where the map has no such thing.
# Words are those of either map, so that one action space serves both.
MEADOW_WORD = np.array([[MEADOW_WORDS.index(cell) for cell in land.cells("meadow")] for land in LANDS], np.int32)
PLACE_WORD = np.full((len(MAPS), PLACES), NONE, np.int32)
SPOT_WORD = np.full((len(MAPS), SPOTS), len(MEADOW_WORDS) + len(PLACE_WORDS), np.int32)  # at first all `storage`
SPOT_OF = np.full((len(MAPS), len(MEADOW_WORDS) + len(PLACE_WORDS) + 1), NONE, np.int32)
CARRY_WORD = np.full((len(MAPS), MEADOWS, PLACES), NONE, np.int32)
CARRY_OF = np.full((len(MAPS), len(CARRY_WORDS), 2), NONE, np.int32)  # meadow and place
TILE_WORD = np.full(hexes.CELLS, NONE, np.int32)  # by cell, on whatever map
TILE_WORD[TILE_WORDS] = range(len(TILE_WORDS))
TILE_CELL = np.array(TILE_WORDS, np.int32)
for _map, _land in enumerate(LANDS):
    _places = [(cell, half) for cell in _land.cells("ruin") for half in range(HALVES)]
    PLACE_WORD[_map, : len(_places)] = [PLACE_WORDS.index(place) for place in _places]
    SPOT_WORD[_map, :MEADOWS] = MEADOW_WORD[_map]
    SPOT_WORD[_map, PLACE_SPOT : PLACE_SPOT + len(_places)] = len(MEADOW_WORDS) + PLACE_WORD[_map, : len(_places)]
    SPOT_OF[_map, SPOT_WORD[_map, : PLACE_SPOT + len(_places)]] = range(PLACE_SPOT + len(_places))
    for _meadow, _cell in enumerate(_land.cells("meadow")):
        for _place, (_ruin, _half) in enumerate(_places):
            _word = CARRY_WORDS.index((_cell, _ruin, _half))
            CARRY_WORD[_map, _meadow, _place] = _word
            CARRY_OF[_map, _word] = _meadow, _place
MEADOW_OF = SPOT_OF[:, : len(MEADOW_WORDS)].copy()
PLACE_OF = np.maximum(SPOT_OF[:, len(MEADOW_WORDS) : -1] - PLACE_SPOT, NONE)
SWAP_KINDS = np.array([(a, b) for a in range(5) for b in range(5) if a != b], np.int32)  # given up, got
SWAP_WORD = np.full((KINDS_OF_RESOURCE, KINDS_OF_RESOURCE), NONE, np.int32)
for _swap, (_one, _other) in enumerate(SWAP_KINDS):
    SWAP_WORD[_one, _other] = _swap

# Tokens and cards as arrays

TOKEN_RESOURCE = np.array([RESOURCES.index(token.resource) for token in BOX.tokens], np.int32)
TOKEN_PRINTED = np.array([token.printed for token in BOX.tokens], np.int32)
TOKEN_POINTS = np.array([token.points for token in BOX.tokens], np.int32)
_CALLED = list(_SPECIAL_NAMES.values() if ONE_OF_EACH else _SPECIAL_NAMES)
SPECIAL_OF = np.array([FIRST_SPECIAL + _CALLED.index(word) for word in WITHOUT_WORDS], np.int32)  # by `without`'s word

# A *price* is how many of each resource: every card has one, and then there is one for each way to spend. A card's
# prices are its own alone, or all ways to spend "any equal" or "any different" (RULES 6.1).
PRICES = CARDS + len(EQUALS) + len(DIFFERENTS)
PRICE = np.zeros((PRICES, KINDS_OF_RESOURCE), np.int32)
CARD_PRICES = np.zeros((CARDS, 2), np.int32)  # the first of a card's prices, and the one after the last
for _card, _printed in enumerate(BOX.cards):
    if _printed.cost == ANY_EQUAL:
        CARD_PRICES[_card] = CARDS, CARDS + len(EQUALS)
    elif _printed.cost == ANY_DIFFERENT:
        CARD_PRICES[_card] = CARDS + len(EQUALS), PRICES
    else:
        CARD_PRICES[_card] = _card, _card + 1
        for _resource in _printed.cost.split("+"):
            PRICE[_card, RESOURCES.index(_resource)] += 1
for _price, _kinds in enumerate((*EQUALS, *DIFFERENTS), CARDS):
    for _kind in _kinds:
        PRICE[_price, _kind] += 1
# The same as one number: a byte for each kind. No spot ever holds more than 127 of a kind (RULES 11.5).
BYTE, HIGHEST = 8, 128
PURSE = (PRICE.astype(np.int64) << (BYTE * np.arange(KINDS_OF_RESOURCE))).sum(axis=1)
ALL_HIGHEST = sum(HIGHEST << (BYTE * kind) for kind in range(KINDS_OF_RESOURCE))

POWERS = tuple(dict.fromkeys(power for _, _, power in KINDS.values()))
SWAP, EXTRA_ACTION, MOVE_TILE = (POWERS.index(power) for power in ("swap", "extra-action", "move-tile"))
OPEN_TOKEN, DELIVER = (POWERS.index(power) for power in ("open-token", "deliver"))
DRAW_CONTRACT, SHED_TILES = (POWERS.index(power) for power in ("draw-contract", "shed-tiles"))
CARD_POWER = np.array([POWERS.index(card.power) for card in BOX.cards], np.int32)
CARD_SIZE = np.array([card.resources for card in BOX.cards], np.int32)  # resources it takes to build
CARD_POINTS = np.array([BOX.points[card.name].figure for card in BOX.cards], np.int32)
CARD_FOR_EACH = np.array([FOR_EACH.index(BOX.points[card.name].for_each) for card in BOX.cards], np.int32)
ONCE, CONTRACT_EACH, TOKEN_EACH, SMALL_BUILDING_EACH, HIDDEN_EXPLORER_EACH = range(len(FOR_EACH))

# What depends on the seats (RULES 1.11), by their number

TILES_IN_A_PILE, CRAFTSMEN, SITES, BUILDINGS, PLACES_IN_A_RUIN, RESOURCES_LESS, PRIVATES_DEALT = (
    np.array([0] * SEAT_COUNTS[0] + list(BY_SEATS[what]), np.int32) for what in BY_SEATS
)
