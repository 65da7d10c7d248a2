"""Via Nebula drawn as text: the map, the display, the guild boards; made from a view alone."""

from __future__ import annotations

from plenilune.core.drawing import FAINT, GOLD, SIGNS, mark
from plenilune.core.record import CHANCE, OVER
from plenilune.games.via_nebula import hexes
from plenilune.games.via_nebula.state import SEATS
from plenilune.games.via_nebula.tables import CERTAINTIES
from plenilune.games.via_nebula.view import Card, Exploitation, Guild, Hex, Place, Token, View

UNCERTAIN = {"known": "", "likely": "~", "reconstructed": "?"}
RESOURCE_COLOURS = {
    "wood": "#b98a5a",
    "stone": "#a9b1bd",
    "clay": "#d9714c",
    "wheat": "#e3c65b",
    "food": "#8fbf6a",
}
FILLS = {"mist": "░", "forest": "♣", "forbidden": "×"}  # a bare hex is full of them
FILL_COLOURS = {"mist": "#6f7480", "forest": "#5f8f6b", "forbidden": "#b0524a"}
OPEN_COLOUR = "#cfd6c4"
BUILDING, NEUTRAL, REVEALED = "⌂", "◌", "✦"
POWERS = {
    "none": "no power",
    "swap": "exchange a resource of your own",
    "tile-on-forest": "lay a tile on any forest",
    "tile-on-forbidden": "lay a tile on forbidden ground",
    "move-tile": "move any tile to any mist",
    "extra-action": "one more action",
    "open-token": "open any token, as a neutral one",
    "remove-one": "remove 1 own or stored resource",
    "remove-two": "remove 1 or 2 own or stored resources",
    "deliver": "any resource to another own site",
    "draw-contract": "draw a contract into your hand",
    "shed-tiles": "shed 2 tiles to the reserve",
}
EACH = {
    "once": "",
    "contract": "/contract",
    "token": "/token",
    "small-building": "/building of 2",
    "hidden-explorer": "/hidden explorer",
}
ORDINALS = ("", "1st", "2nd", "3rd", "4th")
FOOT = f"piles: tiles in each, {REVEALED} an explorer revealed"
DOUBT = "   ~ likely, ? reconstructed: the box may say otherwise"
CHANCE_DOES = {
    "without": "a special token is taken out",
    "token": "the tokens are laid",
    "deal": "private contracts are dealt",
    "turn-up": "a contract is turned up",
    "plan": "a contract is drawn in secret",
}


def draw(v: View) -> str:
    """The map, what is asked, the cards, and the guild boards."""
    parts = [_draw_map(v), LEGEND, "", _draw_table(v), _draw_turn(v), "", *_draw_cards(v), "", *_draw_guilds(v)]
    return "\n".join([*parts, f"[{FAINT}]{FOOT}{DOUBT if _is_uncertain(v) else ''}[/]"])


def _is_uncertain(v: View) -> bool:
    tokens = [hex.token for hex in v.hexes if hex.token]
    cards = [card for card in v.display if card] + [card for guild in v.guilds for card in guild.hand]
    certainties = [hex.certainty for hex in v.hexes] + [token.certainty for token in tokens]
    certainties += [word for card in cards for word in (card.cost_certainty, card.points_certainty)]
    return any(UNCERTAIN[word] for word in certainties)


# The map: hexes of WIDE characters and two lines, and a line of slanting edges between the rows

NAMED = max(map(len, hexes.NAMES.values())) + 1  # a hex's name, and the sign that it can be chosen
HALF = NAMED + 1
WIDE, INSIDE = 2 * HALF, 2 * HALF - 1
Cell = tuple[str, int]  # markup, and how many characters it shows


def _draw_map(v: View) -> str:
    rows = max(hex.row for hex in v.hexes)
    by_place = {(_left(hex), hex.row): hex for hex in v.hexes}
    marked = {choice.targets[0].rstrip("ab") for choice in v.choices if choice.targets}  # a place marks its hex
    lines = []
    for row in range(1, rows + 2):
        lines.append(_draw_edges(by_place, row))
        lines += _draw_row(by_place, row, marked) if row <= rows else []
    return "\n".join(line.rstrip() for line in lines)


def _left(hex: Hex) -> int:
    """Where the hex begins, in characters from the left."""
    return hex.column * WIDE + (0 if hex.row % 2 else HALF)


def _draw_row(by_place: dict[tuple[int, int], Hex], row: int, marked: set[str]) -> list[str]:
    lefts = [left for left, r in by_place if r == row]
    if not lefts:
        return [" ", " "]
    upper = lower = " " * min(lefts)
    for left in range(min(lefts), max(lefts) + WIDE, WIDE):
        hex = by_place.get((left, row))
        bar = f"[{FAINT}]│[/]" if hex or (left - WIDE, row) in by_place else " "
        top, bottom = _draw_hex(hex, hex.id in marked) if hex else (" " * INSIDE, " " * INSIDE)
        upper, lower = upper + bar + top, lower + bar + bottom
    end = f"[{FAINT}]│[/]"
    return [upper + end, lower + end]


def _draw_edges(by_place: dict[tuple[int, int], Hex], row: int) -> str:
    """The edges between this row and the one above: each is a half of two hexes."""
    line = ""
    slants = "╱╲" if row % 2 else "╲╱"  # from the left; the tip of a hex of an odd row is half a hex from the edge
    last = max(left for left, _ in by_place) + WIDE
    for number, left in enumerate(range(0, last + HALF, HALF)):
        above = _covers(by_place, left, row - 1)
        below = _covers(by_place, left, row)
        edge = " " * (HALF // 2 - 1) + f"[{FAINT}]{slants[number % 2]}[/]" + " " * (HALF - HALF // 2)
        line += edge if above or below else " " * HALF
    return line


def _covers(by_place: dict[tuple[int, int], Hex], left: int, row: int) -> bool:
    """Whether a hex of the row lies over the half hex that begins there."""
    return (left, row) in by_place or (left - HALF, row) in by_place


def _draw_hex(hex: Hex, marked: bool) -> tuple[str, str]:
    space = " " * (NAMED - 1 - len(hex.id))
    name = (f"[bold {GOLD}]{hex.id}*[/]" if marked else f"[{FAINT}]{hex.id}[/] ") + space
    if hex.ground == "ruin":
        first, *second = [_draw_place(place) for place in hex.places]
        return name + _padded(first, INSIDE - NAMED), " " * NAMED + _padded(
            second[0] if second else ("", 0), INSIDE - NAMED
        )
    if hex.token:
        points = f"+{hex.token.points}{UNCERTAIN[hex.token.certainty]}"
        goods = _draw_goods({hex.token.resource: hex.token.yields})
        return name + _padded((f" {points}", 1 + len(points)), INSIDE - NAMED), _padded(goods, INSIDE)
    if hex.exploitation:
        return name + _padded(_draw_owner(hex.exploitation), INSIDE - NAMED), _padded(
            _draw_goods(hex.exploitation.resources), INSIDE
        )
    if hex.open:
        under = FILLS[hex.ground] if hex.tile and hex.ground != "mist" else ""
        sign = f"[{FILL_COLOURS[hex.ground]}]{under}[/]" if under else ""
        path = f"[{OPEN_COLOUR}]{'· ·':^{INSIDE}}[/]"
        return name + _padded((sign, len(under)), INSIDE - NAMED), path
    if hex.ground == "meadow":  # before its token is laid
        return name + " " * (INSIDE - NAMED), _padded((f"[{FAINT}]meadow[/]", 6), INSIDE)
    fill, colour = FILLS[hex.ground], FILL_COLOURS[hex.ground]
    return f"{name}[{colour}]{fill * (INSIDE - NAMED)}[/]", f"[{colour}]{fill * INSIDE}[/]"


def _padded(cell: Cell, width: int) -> str:
    return cell[0] + " " * (width - cell[1])


def _draw_place(place: Place) -> Cell:
    half = place.id[-1]
    if place.seat is None:
        return f"[{FAINT}]{half} –[/]", 3
    inside = BUILDING if place.holds == "building" else str(sum(place.resources.values()))
    space = " " if len(inside) == 1 else ""
    return f"{half}{space}{mark(place.seat, inside)}", len(half + space + SIGNS[0] + inside)


def _draw_owner(exploitation: Exploitation) -> Cell:
    if exploitation.seat is None:
        return f" [{FAINT}]{NEUTRAL}[/]", 2
    return f" {mark(exploitation.seat)}", 2


def _draw_goods(resources: dict[str, int]) -> Cell:
    """At most INSIDE characters: one kind in full, two by their beginnings, more only as a number."""
    held = {name: n for name, n in resources.items() if n}
    if len(held) == 1:
        texts = [(name, f"{name}×{n}") for name, n in held.items()]
    elif len(held) == 2:
        texts = [(name, f"{name[:2]}{n}") for name, n in held.items()]
    else:
        texts = [("stone", f"mixed×{sum(held.values())}")]
    markup = " ".join(f"[{RESOURCE_COLOURS[name]}]{text}[/]" for name, text in texts)
    return markup, sum(len(text) for _, text in texts) + len(texts) - 1


LEGEND = (
    f"[{FILL_COLOURS['mist']}]░[/] mist  [{FILL_COLOURS['forest']}]♣[/] forest  "
    f"[{FILL_COLOURS['forbidden']}]×[/] forbidden  [{OPEN_COLOUR}]· ·[/] open  "
    f"+2 a token: points, yield  {SIGNS[:SEATS]} exploitations  {NEUTRAL} neutral\n"
    f"a – free place of a ruin  a {SIGNS[0]}3 site with 3 resources  a {SIGNS[0]}{BUILDING} building  "
    f"[bold {GOLD}]c4*[/] can be chosen now"
)


# What is asked


def _draw_table(v: View) -> str:
    certainty = max((hex.certainty for hex in v.hexes), key=CERTAINTIES.index)
    last = f"   [bold {GOLD}]the last round[/]" if v.last_round and v.to_play != OVER else ""
    return f"Map {v.map}{UNCERTAIN[certainty]}   {v.reserve} tiles in the reserve   {v.deck} cards in the deck{last}"


def _draw_turn(v: View) -> str:
    if v.to_play == OVER:
        return "The match is over."
    if v.to_play == CHANCE:
        return f"Chance: {CHANCE_DOES[v.asks]}."
    return f"[{GOLD}]►[/] {mark(v.to_play)} seat {v.to_play + 1} {_asked(v)}"


def _asked(v: View) -> str:
    actions = f"{v.actions_left} action{'s' if v.actions_left != 1 else ''} left"
    if v.asks == "action":
        return f"has {actions}" + (", the next of them a Distillery's, which may be skipped" if v.extra else "")
    if v.asks == "take":
        return f"carries from {v.pending.hex} to {v.pending.place}: which resource?"
    if v.asks == "spend":
        return f"builds {v.pending.card} on {v.pending.place}: what is spent?"
    if v.asks == "lay":
        return f"has lifted the tile of {v.pending.hex}: where does it go?"
    power = next(card.power for card in v.guilds[v.mover].contracts if card.id == v.pending.card)
    more = f" ({v.pending.removals} left)" if v.pending.removals else ""
    return f"has built {v.pending.card} and may: {POWERS[power]}{more}"


# Cards


def _draw_cards(v: View) -> list[str]:
    buildable = {choice.targets[1] for choice in v.choices if choice.verb == "build"}
    lines = [f"[{FAINT}]Display[/]"]
    lines += [_draw_card(card, buildable) if card else f"  [{FAINT}]…[/]" for card in v.display]
    for guild in v.guilds:
        if guild.hand and v.to_play != OVER:
            lines.append(f"[{FAINT}]Hand of[/] {mark(guild.seat)} [{FAINT}]seat {guild.seat + 1}[/]")
            lines += [_draw_card(card, buildable) for card in guild.hand]
    return lines


def _draw_card(card: Card, buildable: set[str]) -> str:
    name = f"[bold {GOLD}]{card.id + '*':<19}[/]" if card.id in buildable else f"[bold]{card.id:<19}[/]"
    points = f"{card.points}{EACH[card.for_each]}" + UNCERTAIN[card.points_certainty]
    return f"  {name} {_draw_cost(card)} {points:<18} {POWERS[card.power]}"


def _draw_cost(card: Card) -> str:
    sign = UNCERTAIN[card.cost_certainty]
    words = card.cost.split("+")
    coloured = "+".join(f"[{RESOURCE_COLOURS[w]}]{w}[/]" if w in RESOURCE_COLOURS else w for w in words)
    return coloured + sign + " " * (22 - len(card.cost) - len(sign))


# Guild boards


def _draw_guilds(v: View) -> list[str]:
    lines = []
    for guild in v.guilds:
        turn = f"[{GOLD}]►[/]" if guild.seat == v.mover and v.to_play != OVER else " "
        lines.append(f"{turn} {mark(guild.seat)} [bold]seat {guild.seat + 1}[/]  {_draw_board(guild)}")
        lines += [f"     [{FAINT}]{what:<8}[/] {text}" for what, text in _owned(v, guild).items() if text]
    return lines


def _draw_board(guild: Guild) -> str:
    piles = " ".join(
        f"[{GOLD}]{REVEALED}[/]" if shown else str(n) for n, shown in zip(guild.piles, guild.explorers, strict=True)
    )
    end = f", [{GOLD}]end card[/]" if guild.end_card else ""
    hand = " ".join(filter(None, [_counted(guild.privates_held, "private"), _counted(guild.plans_held, "plan")]))
    home = f"craftsmen {guild.craftsmen}, sites {guild.sites}, buildings {guild.buildings}"
    return (
        f"[bold]{guild.score}[/] points, {ORDINALS[guild.place]}{end}   [{FAINT}]piles[/] {piles}   "
        f"[{FAINT}]home[/] {home}   [{FAINT}]hand[/] {hand or 'empty'}"
    )


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" if n else ""


def _owned(v: View, guild: Guild) -> dict[str, str]:
    places = [place for hex in v.hexes for place in hex.places if place.seat == guild.seat and place.holds == "site"]
    mixed = [hex for hex in v.hexes if hex.exploitation and _is_mixed(hex.exploitation, guild.seat)]
    return {
        "sites": "   ".join(f"{place.id} {_listed(place.resources) or 'empty'}" for place in places),
        "mixed": "   ".join(f"{hex.id} {_listed(hex.exploitation.resources)}" for hex in mixed if hex.exploitation),
        "storage": _listed(guild.storage),
        "won": ", ".join([*(card.id for card in guild.contracts), *_draw_tokens(guild.tokens)]),
    }


def _draw_tokens(tokens: list[Token]) -> list[str]:
    points = sum(token.points for token in tokens)
    return [f"{len(tokens)} token{'s' if len(tokens) > 1 else ''} (+{points})"] if tokens else []


def _is_mixed(exploitation: Exploitation, seat: int) -> bool:
    return exploitation.seat == seat and sum(n > 0 for n in exploitation.resources.values()) > 1


def _listed(resources: dict[str, int]) -> str:
    return ", ".join(f"[{RESOURCE_COLOURS[name]}]{n} {name}[/]" for name, n in resources.items() if n)
