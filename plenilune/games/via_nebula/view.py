"""What a seat sees of Via Nebula: as plain data, and as the record from which it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plenilune.core.engine import rule, stack_array
from plenilune.core.record import CHANCE, OVER, SPECTATOR, Ints, i8, i32
from plenilune.core.shape import RecordView, Shape, counts, entry, flag, optional, part, several
from plenilune.core.sorting import sort
from plenilune.games.via_nebula import hexes
from plenilune.games.via_nebula.hexes import has
from plenilune.games.via_nebula.legal import legal
from plenilune.games.via_nebula.scoring import places, score
from plenilune.games.via_nebula.secrets import hide
from plenilune.games.via_nebula.state import (
    ACTIONS,
    BUILT,
    CARDS,
    CARRY_OF,
    CONTRACTS,
    DEAL,
    DISPLAY,
    DO_CARRY,
    DO_TAKE,
    GROUND_NAMES,
    HALVES,
    HAND,
    KINDS_OF_RESOURCE,
    LANDS,
    MEADOW,
    MEADOW_AT,
    MEADOW_CELL,
    NOBODY,
    NONE,
    PHASES,
    PILES,
    PLACE_SPOT,
    PLACES,
    PLACES_IN_A_RUIN,
    RESOURCES_LESS,
    RUIN,
    RUIN_CELL,
    SEATS,
    SITES,
    STORAGE_SPOT,
    TAKEN,
    TILES_IN_A_PILE,
    TOKENS,
    State,
    place_name,
)
from plenilune.games.via_nebula.tables import BOX, CERTAINTIES, MAPS, MEADOWS, RESOURCES

SIDES = 6
# No ply has more choices than a seat's six actions: a craftsman or a tile on every hex, a site on every place, for each
# of its sites a carry from every meadow and a build of every card, and to pass or skip.
MOST_CHOICES = hexes.CELLS + PLACES + max(SITES) * (MEADOWS + CARDS) + 2
NOWHERE = -2  # nothing comes there


@dataclass(frozen=True)
class Token:
    id: str  # `wood-3a`
    resource: str
    printed: int
    yields: int  # what it opens with this number of seats (RULES 1.11)
    points: int
    special: bool
    certainty: str


@dataclass(frozen=True)
class Card:
    id: str  # `store-a`
    kind: str
    deck: str  # `contract` or `private`
    cost: str  # as in the table: `wood+stone`, `2-equal`, `3-different`
    cost_certainty: str
    points: int
    for_each: str  # as in the table: `once`, `contract`, `token`, `small-building`, `hidden-explorer`
    points_certainty: str
    power: str  # as in the table: `swap` …, or `none`


def _token(number: int, seats: int) -> Token:
    token = BOX.tokens[number]
    yields = token.printed - int(RESOURCES_LESS[seats])
    return Token(token.name, token.resource, token.printed, yields, token.points, token.special, token.certainty)


def _card(number: int) -> Card:
    card = BOX.cards[number]
    points = BOX.points[card.name]
    return Card(
        id=card.name,
        kind=card.kind,
        deck=card.deck,
        cost=card.cost,
        cost_certainty=card.certainty,
        points=points.figure,
        for_each=points.for_each,
        points_certainty=points.certainty,
        power=card.power,
    )


def _place_name(map: int, place: int) -> str:
    cell = int(RUIN_CELL[map, place // HALVES])
    return "" if cell == NONE else place_name(cell, place % HALVES)


# Words and printed things by the rules' numbers. Where None comes first, a number is one more than in the rules.
HEX_NAMES = [hexes.NAMES.get(cell, "") for cell in range(hexes.CELLS)]
PLACE_NAMES = [_place_name(map, place) for map in range(len(MAPS)) for place in range(PLACES)]
CARD_NAMES = [card.name for card in BOX.cards]
WORDS = [text.split() for text in ACTIONS.texts]
TOKEN = [_token(number, seats) for seats in range(SEATS + 1) for number in range(TOKENS)]
CARD = [_card(number) for number in range(CARDS)]
A_SEAT = (None, *range(SEATS))
HOLDS = ("nothing", "site", "building")
NOTHING, A_SITE, A_BUILDING = range(len(HOLDS))

# The maps as arrays, by map and cell or hex; NONE where there is none.
HEXES = max(len(land.ground) for land in LANDS)
HEX_COUNT = np.array([len(land.ground) for land in LANDS], np.int32)
HEX_CELL = np.full((len(MAPS), HEXES), NONE, np.int32)  # in reading order
GROUND_AT, RUIN_AT, CERTAINTY_AT = np.full((3, len(MAPS), hexes.CELLS), NONE, np.int32)
for _map, _land in enumerate(LANDS):
    HEX_CELL[_map, : len(_land.ground)] = list(_land.ground)
    for _cell, _ground in _land.ground.items():
        GROUND_AT[_map, _cell] = GROUND_NAMES.index(_ground)
        CERTAINTY_AT[_map, _cell] = CERTAINTIES.index(_land.certainties[hexes.COORDINATES[_cell][1]])
    for _ruin, _cell in enumerate(_land.cells("ruin")):
        RUIN_AT[_map, _cell] = _ruin
COORDINATES = np.array([hexes.COORDINATES.get(cell, (0, 0)) for cell in range(hexes.CELLS)], np.int32)  # column and row
NEIGHBOURS = np.full((hexes.CELLS, SIDES), NONE, np.int32)  # in reading order, then NONE
for _cell in hexes.NAMES:
    _near = hexes.neighbours(_cell)
    NEIGHBOURS[_cell, : len(_near)] = _near


class Exploitation(Shape):
    seat: int | None = entry(A_SEAT)  # whose craftsman stands there; None if it is neutral
    resources: dict[str, int] = counts(RESOURCES)  # every kind, in the order of RULES 1.1


class Place(Shape):
    id: str = entry(PLACE_NAMES)  # `e1a`
    holds: str = entry(HOLDS)  # `nothing`, `site` or `building`
    seat: int | None = entry(A_SEAT)  # whose it is
    resources: dict[str, int] = counts(RESOURCES)  # on a site: every kind; otherwise empty


class Hex(Shape):
    id: str = entry(HEX_NAMES)  # `c4`
    column: int = i8()  # 0 is a
    row: int = i8()  # 1 is the top row; even rows lie half a hex to the right
    ground: str = entry(GROUND_NAMES)  # as printed: `meadow`, `mist`, `forest`, `forbidden` or `ruin`
    certainty: str = entry(CERTAINTIES)
    tile: bool = flag()
    open: bool = flag()  # RULES 1.7
    token: Token | None = entry([None, *TOKEN])
    exploitation: Exploitation | None = optional(Exploitation)
    places: list[Place] = several(Place, HALVES)  # of a ruin; otherwise none


class Guild(Shape):
    """A guild board and what its seat has won."""

    seat: int = i8()
    piles: list[int] = i8(PILES)  # tiles in each pile, the leftmost first
    explorers: list[bool] = flag(PILES)  # by pile: whether its explorer is revealed
    craftsmen: int = i8()  # at home, as the next two
    sites: int = i8()
    buildings: int = i8()
    storage: dict[str, int] = counts(RESOURCES)  # every kind
    tokens: list[Token] = several(entry(TOKEN), TOKENS)  # taken
    contracts: list[Card] = several(entry(CARD), CARDS)  # built with
    hand: list[Card] = several(entry(CARD), CARDS)  # those the viewer knows
    privates_held: int = i8()  # how many cards of either kind the hand holds, known or not
    plans_held: int = i8()
    end_card: bool = flag()
    score: int = i32()  # as if the match ended now
    place: int = i8()


class Pending(Shape):
    """What a ply is about that is not an action ply. Whatever does not apply is None."""

    hex: str | None = entry([None, *HEX_NAMES])  # take: the exploitation; lay: where the tile was lifted
    place: str | None = entry([None, *PLACE_NAMES])  # take: the site carried to; spend: the site built on
    card: str | None = entry([None, *CARD_NAMES])  # spend: the card to be built with; power, plan: whose power is used
    seat: int | None = entry(A_SEAT)  # deal: who is dealt a card
    removals: int = i8()  # power of Caravan and Export: how many resources may still be removed


class Choice(Shape):
    text: str = entry(ACTIONS.texts)  # the action
    verb: str = entry([words[0] for words in WORDS])
    targets: list[str] = entry([words[1:] for words in WORDS])  # the hex, place … to be chosen one after the other
    path: list[str] = several(entry(HEX_NAMES), HEXES)  # carry: from the exploitation to the ruin; otherwise none


class View(Shape):
    to_play: int = i32()
    mover: int = i32()  # the seat whose turn it is, also while chance plays
    asks: str = entry(PHASES)  # the kind of ply
    actions_left: int = i8()
    extra: bool = flag()  # the next action is a Distillery's, and may be skipped
    pending: Pending = part(Pending)
    last_round: bool = flag()
    map: str = entry(MAPS)
    hexes: list[Hex] = several(Hex, HEXES)  # in reading order
    guilds: list[Guild] = several(Guild, SEATS)  # by seat
    display: list[Card | None] = entry([None, *CARD], DISPLAY)  # None in a gap that chance is to fill
    deck: int = i8()  # how many contracts
    reserve: int = i8()  # how many tiles
    choices: list[Choice] = several(Choice, MOST_CHOICES)  # if the viewer knows the hand of who is to play (RULES 9.5)


ranks, actions = stack_array((SEATS,), np.int32), stack_array((ACTIONS.size,), np.int32)
came_from, edge = (stack_array((hexes.CELLS,), np.int32) for _ in range(2))


@rule
def fill(s: State, v: Any, spare: Any) -> None:
    v.to_play, v.mover, v.asks, v.actions_left, v.extra = s.to_play, s.mover, s.phase, s.actions_left, s.extra
    v.last_round, v.map, v.deck, v.reserve = s.end_card != NOBODY, s.map, deck(s), s.reserve
    fill_pending(s, v.pending)
    v.hexes.n = HEX_COUNT[s.map]
    for i in range(HEX_COUNT[s.map]):
        fill_hex(s, HEX_CELL[s.map, i], v.hexes.at[i])
    for i in range(DISPLAY):
        v.display[i] = s.display[i] + 1
    spare[0] = s
    hide(spare[0], SPECTATOR)
    fill_guilds(s, spare[0], v.guilds)
    if knows_choices(s, v.guilds.at):
        fill_choices(s, v.choices)


@rule
def deck(s: State) -> int:
    """How many contracts the deck holds: all that are neither in sight nor in a hand."""
    n = CONTRACTS
    for card in range(CONTRACTS):
        if s.card_at[card] >= BUILT:
            n -= 1
    for seat in range(s.seats):
        n -= s.players[seat].plans
    for slot in range(DISPLAY):
        if s.display[slot] != NONE:
            n -= 1
    return n


@rule
def fill_pending(s: State, pending: Any) -> None:
    pending.hex = (s.lifted if s.meadow == NONE else MEADOW_CELL[s.map, s.meadow]) + 1
    pending.card, pending.removals = s.card + 1, s.removals
    if s.place != NONE:
        pending.place = s.map * PLACES + s.place + 1
    if s.phase == DEAL:
        pending.seat = s.dealt % s.seats + 1


# The map


@rule
def fill_hex(s: State, cell: int, hex: Any) -> None:
    ground, is_open = GROUND_AT[s.map, cell], has(s.open[0], s.open[1], cell)
    hex.id, hex.column, hex.row = cell, COORDINATES[cell, 0], COORDINATES[cell, 1]
    hex.ground, hex.certainty, hex.open, hex.tile = (
        ground,
        CERTAINTY_AT[s.map, cell],
        is_open,
        is_open and ground != MEADOW,
    )
    if ground == MEADOW:
        fill_meadow(s, MEADOW_AT[s.map, cell], hex)
    elif ground == RUIN:
        fill_ruin(s, RUIN_AT[s.map, cell], hex.places)


@rule
def fill_meadow(s: State, meadow: int, hex: Any) -> None:
    if s.token[meadow] != NONE:
        hex.token = s.seats * TOKENS + s.token[meadow] + 1
    if has_goods(s, meadow):
        hex.exploitation.n, hex.exploitation.at[0].seat = 1, s.craftsman[meadow] + 1
        fill_resources(s, meadow, hex.exploitation.at[0].resources)


@rule
def has_goods(s: State, spot: int) -> bool:
    for kind in range(KINDS_OF_RESOURCE):
        if s.goods[spot, kind] > 0:
            return True
    return False


@rule
def fill_ruin(s: State, ruin: int, places: Any) -> None:
    places.n = PLACES_IN_A_RUIN[s.seats]
    for half in range(PLACES_IN_A_RUIN[s.seats]):
        fill_place(s, HALVES * ruin + half, places.at[half])


@rule
def fill_place(s: State, place: int, shown: Any) -> None:
    shown.id = s.map * PLACES + place
    if s.site[place] != NOBODY:
        shown.holds, shown.seat = A_SITE, s.site[place] + 1
        fill_resources(s, PLACE_SPOT + place, shown.resources)
    elif s.building[place] != NOBODY:
        shown.holds, shown.seat = A_BUILDING, s.building[place] + 1


@rule
def fill_resources(s: State, spot: int, resources: Any) -> None:
    resources.n = KINDS_OF_RESOURCE
    for kind in range(KINDS_OF_RESOURCE):
        resources.at[kind] = s.goods[spot, kind]


# Guild boards


@rule
def fill_guilds(s: State, public: State, guilds: Any) -> None:
    """Scores are those that everybody knows."""
    rank = ranks()
    places(public, rank)
    guilds.n = s.seats
    for seat in range(s.seats):
        guild, p = guilds.at[seat], s.players[seat]
        guild.seat, guild.craftsmen, guild.sites, guild.buildings = seat, p.craftsmen, p.sites, p.buildings
        guild.privates_held, guild.plans_held, guild.end_card = p.privates, p.plans, s.end_card == seat
        guild.score, guild.place = score(public, seat), rank[seat]
        fill_piles(p.tiles, TILES_IN_A_PILE[s.seats], guild)
        fill_resources(s, STORAGE_SPOT + seat, guild.storage)
        fill_tokens(s, seat, guild.tokens)
        fill_cards(s, BUILT + seat, guild.contracts)
        fill_cards(s, HAND + seat, guild.hand)


@rule
def fill_piles(tiles: int, pile: int, guild: Any) -> None:
    """RULES 5.1: tiles are taken from the left, so the piles on the right are full."""
    for i in range(PILES):
        left = min(max(tiles - pile * (PILES - 1 - i), 0), pile)
        guild.piles[i], guild.explorers[i] = left, left == 0


@rule
def fill_tokens(s: State, seat: int, tokens: Any) -> None:
    for token in range(TOKENS):
        if s.token_at[token] == TAKEN + seat:
            tokens.at[tokens.n] = s.seats * TOKENS + token
            tokens.n += 1


@rule
def fill_cards(s: State, where: int, cards: Any) -> None:
    for card in range(CARDS):
        if s.card_at[card] == where:
            cards.at[cards.n] = card
            cards.n += 1


# What may be done


@rule
def knows_choices(s: State, guilds: Any) -> bool:
    """RULES 9.5: for viewers who know all that the seat to play holds."""
    if s.to_play == CHANCE or s.to_play == OVER:
        return False
    player = s.players[s.to_play]
    return bool(guilds[s.to_play].hand.n >= player.privates + player.plans)


@rule
def fill_choices(s: State, choices: Any) -> None:
    listed, ways, start = actions(), came_from(), NONE
    choices.n = legal(s, listed)
    sort(listed, choices.n)
    for i in range(choices.n):
        choice, action = choices.at[i], listed[i]
        choice.text, choice.verb, choice.targets = action, action, action
        if DO_CARRY <= action < DO_TAKE:
            meadow, place = CARRY_OF[s.map, action - DO_CARRY, 0], CARRY_OF[s.map, action - DO_CARRY, 1]
            if start != MEADOW_CELL[s.map, meadow]:
                start = MEADOW_CELL[s.map, meadow]
                find_ways(s, start, ways)
            fill_path(ways, RUIN_CELL[s.map, place // HALVES], choice.path)


@rule
def find_ways(s: State, start: int, ways: Ints) -> None:
    """For each hex that can be reached, the one before it on a shortest way; the first in reading order, of several."""
    queue, n, i = edge(), 1, 0
    for cell in range(hexes.CELLS):
        ways[cell] = NOWHERE
    ways[start], queue[0] = NONE, start
    while i < n:
        for side in range(SIDES):
            near = NEIGHBOURS[queue[i], side]
            if near == NONE or ways[near] != NOWHERE:
                continue
            if GROUND_AT[s.map, near] == RUIN:  # nothing goes through a ruin
                ways[near] = queue[i]
            elif has(s.open[0], s.open[1], near):
                ways[near], queue[n] = queue[i], near
                n += 1
        i += 1


@rule
def fill_path(ways: Ints, end: int, path: Any) -> None:
    """From the start of the ways to this hex."""
    cell = end
    while cell != NONE:
        path.n, cell = path.n + 1, ways[cell]
    cell = end
    for i in range(path.n - 1, -1, -1):
        path.at[i], cell = cell, ways[cell]


view = RecordView(View, fill)
