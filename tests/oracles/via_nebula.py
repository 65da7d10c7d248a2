"""A naive oracle for Via Nebula: the plainest rules that could be right, to be held against the fast ones.

Written from RULES.md alone, in the order of its sections, and slow on purpose: objects, dicts, a new search
for every question. Maps, cards and counts are read from the table file. Tests build positions by setting
attributes.

>>> match = Oracle(seats=2)
>>> match.to_play, match.legal()[:2]
(-1, ['without wood', 'without stone'])
>>> match.play("without clay")
>>> match.legal()[0]
'token b1 wood-3a'
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from string import ascii_lowercase

SPEC = find_spec("plenilune.games.via_nebula")
assert SPEC
assert SPEC.origin
SHIPPED = Path(SPEC.origin).with_name("via-nebula.table")
OWN = Path(os.environ.get("PLENILUNE_COMPONENTS") or os.devnull) / SHIPPED.name
TABLE = OWN if OWN.exists() else SHIPPED
RESOURCES = ("wood", "stone", "clay", "wheat", "food")
CHANCE, OVER = -1, -2
MEADOW, MIST, FOREST, FORBIDDEN, RUIN, NO_HEX = "m", ".", "f", "x", "r", "-"


class Hex:
    """One hex of the map and what lies on it."""

    def __init__(self, name: str, ground: str) -> None:
        self.name = name
        self.ground = ground  # as printed
        self.neighbours: list[Hex] = []
        self.tile = False
        self.token: str | None = None
        self.goods: Counter[str] = Counter()  # the resources here, by kind
        self.craftsman: int | None = None  # the seat whose craftsman stands here

    def bare(self, ground: str) -> bool:
        return self.ground == ground and not self.tile

    def open(self) -> bool:  # RULES 1.7
        return self.tile or (self.ground == MEADOW and self.token is None and not self.stocked())

    def stocked(self) -> bool:
        return any(self.goods.values())


class Place:
    """One place in a ruin: free, a site or a building."""

    def __init__(self, name: str, hex: Hex) -> None:
        self.name = name
        self.hex = hex
        self.seat: int | None = None  # None while free
        self.building = False
        self.goods: Counter[str] = Counter()


class Guild:
    """What a seat has at home, in hand and gained."""

    def __init__(self, craftsmen: int, sites: int, buildings: int, tiles: int) -> None:
        self.craftsmen = craftsmen  # at home
        self.sites = sites  # at home
        self.buildings = buildings  # at home, so still to be built
        self.tiles = tiles  # on the guild board
        self.hand: list[str] = []
        self.cards: list[str] = []  # built with
        self.tokens: list[str] = []
        self.storage: Counter[str] = Counter()
        self.end_card = False


class Box:
    """The table file: counts, tokens, cards and maps."""

    def __init__(self, path: Path) -> None:
        self.counts: dict[str, int] = {}
        self.by_seats: dict[str, dict[int, int]] = {}
        self.tokens: dict[str, tuple[str, int, int]] = {}  # resource, printed, points
        self.specials: list[str] = []  # names of the special tokens
        self.decks: dict[str, str] = {}  # kind -> contract or private
        self.powers: dict[str, str] = {}  # kind -> power
        self.points: dict[str, tuple[int, str]] = {}  # kind or card -> points, for each of what
        self.costs: dict[str, str] = {}  # card -> cost
        self.maps: dict[str, list[list[str]]] = {}  # map -> rows of cells
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if words and not words[0].startswith("#"):
                self.read(words[0], words[1:-1])

    def read(self, row: str, words: list[str]) -> None:
        name, *rest = words
        if row == "count":
            self.counts[name] = int(rest[0])
        elif row == "seats":
            self.by_seats[name] = dict(zip((2, 3, 4), map(int, rest), strict=True))
        elif row in ("token", "special"):
            self.tokens[name] = (rest[0], int(rest[1]), int(rest[2]))
            if row == "special":
                self.specials.append(name)
        elif row == "kind":
            self.decks[name], self.powers[name] = rest[0], rest[2]
        elif row == "points":
            self.points[name] = (int(rest[0]), rest[1])
        elif row == "card":
            self.costs[name] = rest[0]
        elif row == "row":
            self.maps.setdefault(name, []).append(rest[1:])
        else:
            raise ValueError(f"no such row: {row!r}")

    def cards(self, deck: str) -> list[str]:
        return [card for card in self.costs if self.decks[kind_of(card)] == deck]

    def special_words(self) -> dict[str, str]:
        """The special tokens by their resources; by their names, if there is not one of each resource."""
        kinds = {self.tokens[name][0]: name for name in self.specials}
        one_of_each = len(self.specials) == len(kinds) == len(RESOURCES)
        return kinds if one_of_each else {name: name for name in self.specials}

    def points_of(self, card: str) -> tuple[int, str]:
        return self.points.get(card) or self.points[kind_of(card)]

    def power(self, card: str) -> str:
        return self.powers[kind_of(card)]


@cache
def the_box() -> Box:
    return Box(TABLE)


def kind_of(card: str) -> str:
    return card.rpartition("-")[0]


def around(column: int, row: int) -> list[tuple[int, int]]:  # RULES 1.5
    d = -1 if row % 2 else 0
    beside = [(column - 1, row), (column + 1, row)]
    return beside + [(column + d + side, row + up) for up in (-1, 1) for side in (0, 1)]


def read_map(rows: list[list[str]]) -> dict[str, Hex]:
    """The hexes by name, in reading order, each knowing its neighbours."""
    at: dict[tuple[int, int], Hex] = {}
    for row, cells in enumerate(rows, 1):
        for column, ground in enumerate(cells):
            if ground != NO_HEX:
                at[column, row] = Hex(ascii_lowercase[column] + str(row), ground)
    for (column, row), hex in at.items():
        hex.neighbours = [at[spot] for spot in around(column, row) if spot in at]
    return {hex.name: hex for hex in at.values()}


def ways_to_pay(cost: str, goods: Counter[str]) -> list[Counter[str]]:  # RULES 6.1
    """Everything that could count as the cost; empty if it cannot be paid."""
    if cost == "2-equal":
        return [Counter({kind: 2}) for kind in RESOURCES if goods[kind] >= 2]
    if cost == "3-different":
        return [Counter(three) for three in combinations([kind for kind in RESOURCES if goods[kind]], 3)]
    named = Counter(cost.split("+"))
    return [named] if all(goods[kind] >= named[kind] for kind in named) else []


def size_of(cost: str) -> int:
    return {"2-equal": 2, "3-different": 3}.get(cost, cost.count("+") + 1)


def joined(goods: Counter[str]) -> str:
    return "+".join(kind for kind in RESOURCES for _ in range(goods[kind]))


def kinds_in(goods: Counter[str]) -> list[str]:
    return [kind for kind in RESOURCES if goods[kind] > 0]


class Oracle:
    """One match, played by action texts."""

    def __init__(self, seats: int, map: str = "beginner") -> None:
        self.box = the_box()
        self.seats = seats
        self.hexes = read_map(self.box.maps[map])
        self.places_by_name = self.make_places()
        self.guilds = [self.make_guild() for _ in range(seats)]
        self.reserve = self.box.counts["tiles"] - sum(guild.tiles for guild in self.guilds)
        self.bag = list(self.box.tokens)  # tokens not yet laid
        self.undealt = self.box.cards("private")
        self.deck = self.box.cards("contract")
        self.display: list[str | None] = [None] * self.box.counts["contracts-face-up"]
        self.turn = 0  # the seat whose turn it is
        self.actions_left = self.box.counts["actions-a-turn"]
        self.extra = False  # the next action is a Distillery's
        self.idle = 0  # whole turns passed in a row
        self.turn_cut = False  # the end card was earned in this turn
        self.ply = "without"  # the kind of ply, a key of self.ply_legal
        self.to_play = CHANCE
        self.carrying = ("", "")  # hex and place of a carry whose resource is still to be named
        self.building = ("", "")  # place and card of the build under way
        self.lifted: str | None = None  # the hex an Airway has taken its tile from
        self.removed = 0  # resources removed by the power under way

    def make_places(self) -> dict[str, Place]:
        letters = "ab"[: self.number("places-in-a-ruin")]
        ruins = [hex for hex in self.hexes.values() if hex.ground == RUIN]
        return {hex.name + letter: Place(hex.name + letter, hex) for hex in ruins for letter in letters}

    def make_guild(self) -> Guild:
        tiles = self.number("tiles-in-a-pile") * self.box.counts["piles"]
        return Guild(self.number("craftsmen"), self.number("sites"), self.number("buildings"), tiles)

    def number(self, name: str) -> int:
        return self.box.by_seats[name][self.seats]

    # ---- the public face -----------------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """The texts of all legal actions; none when the match is over."""
        lists: dict[str, Callable[[], list[str]]] = {
            "without": self.legal_without,
            "token": self.legal_token,
            "deal": self.legal_deal,
            "turn-up": self.legal_turn_up,
            "plan": self.legal_plan,
            "action": self.legal_action,
            "take": self.legal_take,
            "spend": self.legal_spend,
            "power": self.legal_power,
            "over": list,
        }
        return lists[self.ply]()

    def play(self, text: str) -> None:
        """Plays one action."""
        if text not in self.legal():
            raise ValueError(f"not allowed now: {text!r}")
        self.apply(text)

    def apply(self, text: str) -> None:
        """Plays one action that is known to be legal."""
        verb, *parts = text.split()
        getattr(self, "play_" + verb.replace("-", "_"))(*parts)

    def scores(self) -> list[int]:
        """The points of each seat, as if the match ended now."""
        return [self.score(seat) for seat in range(self.seats)]

    def places(self) -> list[int]:
        """The place of each seat, 1 for the best, as if the match ended now."""
        results = [(-self.score(seat), self.stored(seat)) for seat in range(self.seats)]
        return [1 + sum(other < result for other in results) for result in results]

    # ---- 2: setup ------------------------------------------------------------------------------------------

    def legal_without(self) -> list[str]:
        return [f"without {word}" for word in self.box.special_words()]

    def play_without(self, word: str) -> None:
        self.bag.remove(self.box.special_words()[word])
        self.ply = "token"

    def meadows_to_come(self) -> list[Hex]:
        meadows = [hex for hex in self.hexes.values() if hex.ground == MEADOW]
        return meadows[len(meadows) - len(self.bag) :]

    def legal_token(self) -> list[str]:
        return [f"token {self.meadows_to_come()[0].name} {token}" for token in self.bag]

    def play_token(self, hex: str, token: str) -> None:
        self.bag.remove(token)
        if token in self.box.specials:
            self.put_yield(self.hexes[hex], token)
        else:
            self.hexes[hex].token = token
        if not self.bag:
            self.ply = "deal"

    def legal_deal(self) -> list[str]:
        seat = min(range(self.seats), key=lambda seat: len(self.guilds[seat].hand))
        return [f"deal {seat + 1} {card}" for card in self.undealt]

    def play_deal(self, seat: str, card: str) -> None:
        self.undealt.remove(card)
        self.guilds[int(seat) - 1].hand.append(card)
        if all(len(guild.hand) == self.number("private-contracts-dealt") for guild in self.guilds):
            self.ply = "turn-up"

    def legal_turn_up(self) -> list[str]:
        return [f"turn-up {card}" for card in self.deck]

    def play_turn_up(self, card: str) -> None:
        self.deck.remove(card)
        self.display[self.display.index(None)] = card
        if None not in self.display:
            self.what_next()

    # ---- 3: the turn ---------------------------------------------------------------------------------------

    def guild(self) -> Guild:
        return self.guilds[self.turn]

    def ask(self, ply: str) -> None:
        self.ply, self.to_play = ply, self.turn

    def ask_chance(self, ply: str) -> None:
        self.ply, self.to_play = ply, CHANCE

    def legal_action(self) -> list[str]:  # RULES 10.4
        actions = self.legal_craftsmen() + self.legal_sites() + self.legal_explorations()
        actions += self.legal_carries() + self.legal_builds()
        if self.extra:
            return [*actions, "skip"]
        return actions or ["pass"]

    def action_taken(self, cost: int = 1) -> None:
        self.spend_actions(cost)
        self.what_next()

    def spend_actions(self, cost: int) -> None:
        self.actions_left -= cost
        self.extra = False

    def what_next(self) -> None:  # RULES 10.9
        if self.turn_cut or self.actions_left == 0:
            self.idle = 0
            self.end_turn()
        else:
            self.ask("action")

    def play_pass(self) -> None:
        whole_turn = self.actions_left == self.box.counts["actions-a-turn"]
        self.idle = self.idle + 1 if whole_turn else 0
        self.end_turn()

    def end_turn(self) -> None:  # RULES 10.10
        self.turn = (self.turn + 1) % self.seats
        self.actions_left = self.box.counts["actions-a-turn"]
        self.turn_cut = self.extra = False
        if self.guild().end_card or self.idle == self.seats:
            self.ply, self.to_play = "over", OVER
        else:
            self.ask("action")

    # ---- 4.1, 4.2: craftsmen and sites ---------------------------------------------------------------------

    def legal_craftsmen(self) -> list[str]:
        if self.guild().craftsmen == 0:
            return []
        return [f"craftsman {hex.name}" for hex in self.hexes.values() if hex.token is not None]

    def play_craftsman(self, name: str) -> None:
        hex = self.hexes[name]
        assert hex.token is not None
        self.guild().craftsmen -= 1
        self.guild().tokens.append(hex.token)
        hex.craftsman = self.turn
        self.put_yield(hex, hex.token)
        hex.token = None
        self.action_taken()

    def put_yield(self, hex: Hex, token: str) -> None:
        kind, printed, _ = self.box.tokens[token]
        hex.goods[kind] += printed - self.number("resources-less")

    def own_sites(self, seat: int | None = None) -> list[Place]:
        seat = self.turn if seat is None else seat
        return [place for place in self.all_places() if place.seat == seat and not place.building]

    def all_places(self) -> Iterable[Place]:
        return self.places_by_name.values()

    def legal_sites(self) -> list[str]:
        if self.guild().sites == 0 or len(self.own_sites()) + 1 > self.guild().buildings:
            return []
        free = [place for place in self.all_places() if place.seat is None]
        ruins = [place.hex for place in free]
        return [f"site {place.name}" for n, place in enumerate(free) if place.hex not in ruins[:n]]

    def play_site(self, name: str) -> None:
        self.guild().sites -= 1
        self.places_by_name[name].seat = self.turn
        self.action_taken()

    # ---- 4.3, 4.4 and 5: exploring and tiles ---------------------------------------------------------------

    def has_tile(self) -> bool:
        return self.guild().tiles > 0 or self.reserve > 0

    def take_tile(self) -> None:
        if self.guild().tiles > 0:
            self.guild().tiles -= 1
        else:
            self.reserve -= 1

    def hidden_explorers(self, seat: int) -> int:  # RULES 5.2
        return -(-self.guilds[seat].tiles // self.number("tiles-in-a-pile"))

    def explorable(self, hex: Hex) -> bool:
        return hex.bare(MIST) or (hex.bare(FOREST) and self.actions_left >= 2)

    def legal_explorations(self) -> list[str]:
        if not self.has_tile():
            return []
        own = [place.hex for place in self.all_places() if place.seat == self.turn]
        own += [hex for hex in self.hexes.values() if hex.craftsman == self.turn]
        begin = own + [hex for hex in self.hexes.values() if hex.open()]
        beside = {near.name for hex in begin for near in hex.neighbours}
        return [f"explore {name}" for name, hex in self.hexes.items() if name in beside and self.explorable(hex)]

    def play_explore(self, name: str) -> None:
        hex = self.hexes[name]
        if self.lifted is None:
            self.take_tile()
        self.lifted = None
        hex.tile = True
        if self.ply == "power":
            self.power_done()
        else:
            self.action_taken(2 if hex.ground == FOREST else 1)

    # ---- 4.5, 4.6: carrying --------------------------------------------------------------------------------

    def reached_from(self, start: Hex) -> set[str]:
        """The names of all hexes that touch the start or an open hex joined with it."""
        reached = {start.name}
        queue = deque([start])
        while queue:
            for near in queue.popleft().neighbours:
                if near.name not in reached:
                    reached.add(near.name)
                    if near.open():
                        queue.append(near)
        return reached

    def legal_carries(self) -> list[str]:
        own_sites, actions = self.own_sites(), []
        for hex in self.hexes.values():
            if own_sites and hex.stocked():
                reached = self.reached_from(hex)
                sites = [site for site in own_sites if site.hex.name in reached]
                actions += [f"carry {hex.name} {site.name}" for site in sites]
        return actions

    def play_carry(self, hex: str, place: str) -> None:
        self.carrying = (hex, place)
        kinds = kinds_in(self.hexes[hex].goods)
        if len(kinds) == 1:
            self.play_take(kinds[0])
        else:
            self.ask("take")

    def legal_take(self) -> list[str]:
        return [f"take {kind}" for kind in kinds_in(self.hexes[self.carrying[0]].goods)]

    def play_take(self, kind: str) -> None:
        hex, place = self.carrying
        self.take_from(self.hexes[hex], kind)
        self.places_by_name[place].goods[kind] += 1
        self.carrying = ("", "")
        self.action_taken()

    def take_from(self, hex: Hex, kind: str) -> None:
        hex.goods[kind] -= 1
        if not hex.stocked() and hex.craftsman is not None:
            self.guilds[hex.craftsman].craftsmen += 1
            hex.craftsman = None

    # ---- 4.7 and 6: building -------------------------------------------------------------------------------

    def payments(self, place: str, card: str) -> list[Counter[str]]:
        return ways_to_pay(self.box.costs[card], self.places_by_name[place].goods)

    def legal_builds(self) -> list[str]:
        in_reach = {*self.display, *self.guild().hand}
        cards = [card for card in self.box.costs if card in in_reach]
        pairs = [(site.name, card) for site in self.own_sites() for card in cards]
        return [f"build {place} {card}" for place, card in pairs if self.payments(place, card)]

    def play_build(self, place: str, card: str) -> None:
        self.building = (place, card)
        payments = self.payments(place, card)
        if len(payments) == 1:
            self.pay_and_build(payments[0])
        else:
            self.ask("spend")

    def legal_spend(self) -> list[str]:
        return [f"spend {joined(payment)}" for payment in self.payments(*self.building)]

    def play_spend(self, goods: str) -> None:
        self.pay_and_build(Counter(goods.split("+")))

    def pay_and_build(self, payment: Counter[str]) -> None:  # RULES 10.7
        place, card = self.places_by_name[self.building[0]], self.building[1]
        self.guild().storage += place.goods - payment
        place.goods = Counter()
        place.building = True
        self.guild().sites += 1
        self.guild().buildings -= 1
        self.gain_card(card)
        self.claim_end_card()
        self.spend_actions(1)
        self.begin_power(self.box.power(card))

    def gain_card(self, card: str) -> None:
        if card in self.display:
            self.display[self.display.index(card)] = None
        else:
            self.guild().hand.remove(card)
        self.guild().cards.append(card)

    def claim_end_card(self) -> None:
        if self.guild().buildings == 0 and not any(guild.end_card for guild in self.guilds):
            self.guild().end_card = self.turn_cut = True

    # ---- 7: powers -----------------------------------------------------------------------------------------

    def begin_power(self, power: str) -> None:
        self.removed = 0
        if power == "extra-action" and not self.turn_cut:
            self.actions_left += 1
            self.extra = True
        self.ask_power()

    def ask_power(self) -> None:
        if self.power_choices():
            self.ask("power")
        else:
            self.power_done()

    def power_done(self) -> None:  # RULES 10.8
        self.building = ("", "")
        if None in self.display:
            self.ask_chance("turn-up")
        else:
            self.what_next()

    def legal_power(self) -> list[str]:
        return self.power_choices() + (["skip"] if self.lifted is None else [])

    def power_choices(self) -> list[str]:  # RULES 10.11
        choices: dict[str, Callable[[], list[str]]] = {
            "none": list,
            "extra-action": list,
            "swap": self.swaps,
            "tile-on-forest": lambda: self.tiles_on(FOREST),
            "tile-on-forbidden": lambda: self.tiles_on(FORBIDDEN),
            "move-tile": self.tile_moves,
            "open-token": self.openings,
            "remove-one": self.removals,
            "remove-two": self.removals,
            "deliver": self.deliveries,
            "draw-contract": lambda: ["use"] if self.deck else [],
            "shed-tiles": lambda: ["use"] if self.guild().tiles > 0 else [],
        }
        return choices[self.box.power(self.building[1])]()

    def play_skip(self) -> None:
        if self.ply == "power":
            self.power_done()
        else:
            self.action_taken()

    def own_goods(self) -> list[tuple[str, Counter[str]]]:
        """The own exploitations, then the own sites, each by name with its resources."""
        hexes = [(hex.name, hex.goods) for hex in self.hexes.values() if hex.craftsman == self.turn]
        return hexes + [(site.name, site.goods) for site in self.own_sites()]

    def swaps(self) -> list[str]:
        held = [(spot, kind) for spot, goods in self.own_goods() for kind in kinds_in(goods)]
        return [f"swap {spot} {kind} {new}" for spot, kind in held for new in RESOURCES if new != kind]

    def play_swap(self, spot: str, old: str, new: str) -> None:
        goods = dict(self.own_goods())[spot]
        goods[old] -= 1
        goods[new] += 1
        self.power_done()

    def bare_hexes(self, ground: str) -> list[Hex]:
        return [hex for hex in self.hexes.values() if hex.bare(ground) and hex.name != self.lifted]

    def tiles_on(self, ground: str) -> list[str]:
        return [f"explore {hex.name}" for hex in self.bare_hexes(ground)] if self.has_tile() else []

    def tile_moves(self) -> list[str]:
        mist = self.bare_hexes(MIST)
        if self.lifted is not None:
            return [f"explore {hex.name}" for hex in mist]
        return [f"lift {hex.name}" for hex in self.hexes.values() if hex.tile and mist]

    def play_lift(self, hex: str) -> None:
        self.hexes[hex].tile = False
        self.lifted = hex

    def openings(self) -> list[str]:
        return [f"open {hex.name}" for hex in self.hexes.values() if hex.token is not None]

    def play_open(self, name: str) -> None:
        hex = self.hexes[name]
        assert hex.token is not None
        self.put_yield(hex, hex.token)
        hex.token = None
        self.power_done()

    def removals(self) -> list[str]:
        everything = [*self.own_goods(), ("storage", self.guild().storage)]
        return [f"remove {spot} {kind}" for spot, goods in everything for kind in kinds_in(goods)]

    def play_remove(self, spot: str, kind: str) -> None:
        if spot in self.hexes:
            self.take_from(self.hexes[spot], kind)
        elif spot == "storage":
            self.guild().storage[kind] -= 1
        else:
            self.places_by_name[spot].goods[kind] -= 1
        self.removed += 1
        if self.box.power(self.building[1]) == "remove-two" and self.removed == 1:
            self.ask_power()
        else:
            self.power_done()

    def deliveries(self) -> list[str]:
        return [f"deliver {site.name} {kind}" for site in self.own_sites() for kind in RESOURCES]

    def play_deliver(self, place: str, kind: str) -> None:
        self.places_by_name[place].goods[kind] += 1
        self.power_done()

    def play_use(self) -> None:
        if self.box.power(self.building[1]) == "draw-contract":
            self.ask_chance("plan")
        else:
            self.shed_tiles()
            self.power_done()

    def shed_tiles(self) -> None:
        shed = min(2, self.guild().tiles)
        self.guild().tiles -= shed
        self.reserve += shed

    def legal_plan(self) -> list[str]:
        return [f"plan {card}" for card in self.deck]

    def play_plan(self, card: str) -> None:
        self.deck.remove(card)
        self.guild().hand.append(card)
        self.power_done()

    # ---- 8: the count --------------------------------------------------------------------------------------

    def stored(self, seat: int) -> int:  # RULES 8.3
        on_hexes = sum(hex.goods.total() for hex in self.hexes.values() if hex.craftsman == seat)
        on_sites = sum(site.goods.total() for site in self.own_sites(seat))
        return self.guilds[seat].storage.total() + on_hexes + on_sites

    def score(self, seat: int) -> int:  # RULES 8.4
        guild, counts = self.guilds[seat], self.box.counts
        revealed = counts["piles"] - self.hidden_explorers(seat)
        points = sum(self.box.tokens[token][2] for token in guild.tokens)
        points += sum(self.card_points(seat, card) for card in guild.cards)
        points += revealed * counts["points-an-explorer"]
        points += guild.end_card * counts["points-for-the-end-card"]
        return points - self.stored(seat) * counts["points-lost-a-resource"]

    def card_points(self, seat: int, card: str) -> int:  # RULES 8.5
        guild = self.guilds[seat]
        points, each = self.box.points_of(card)
        how_many = {
            "once": 1,
            "contract": len(guild.cards),
            "token": len(guild.tokens),
            "small-building": sum(size_of(self.box.costs[built]) == 2 for built in guild.cards),
            "hidden-explorer": self.hidden_explorers(seat),
        }
        return points * how_many[each]
