"""Nova Luna's positions as text: built by playing them, and drawn back from the view.

A tableau is drawn top row first, `.` for an empty cell. The first tile of the drawing, read row by row, is the one
that lies at `0,0`; one marked with `*` is laid last.

>>> match = laid('''
...     r6a t6b
...     y1  y2a
... ''')
>>> print(tableau(match))
r6a t6b
y1  y2a
>>> done(match)
['r6a yy', 'r6a t', 't6b yy', 't6b r']
>>> match.history[-8:]
['take 1', 'place 0,0', 'take 1', 'place 1,0', 'take 1', 'place 0,-1', 'take 1', 'place 1,-1']
"""

import itertools
import re
from collections.abc import Iterator

from plenilune import CHANCE, Match
from tests.oracles.nova_luna import TILES, touching

Cell = tuple[int, int]
Tableau = dict[Cell, str]  # tiles by cell, in the order of laying

ACTION = re.compile(r"(?:stack|draw|take|place) \S+|refill|keep|stop")
ROOM = 11  # tiles on a full wheel


# Building


def table(seats: int, wheel: str = "", **options: str) -> Match:
    """A match before its first take: seat 1 lies on top of the stack and begins; after the moon come these tiles,
    and then any others."""
    match = Match("nova-luna", seats, **options)
    if seats > 1:
        play(match, " ".join(f"stack {seat}" for seat in range(seats, 0, -1)))
    return deal(match, wheel)


def play(match: Match, script: str) -> Match:
    """Play actions written one after the other, as in `take 1 place 0,0 take 3 place 0,1`."""
    actions = ACTION.findall(script)
    assert " ".join(actions) == " ".join(script.split()), f"this is not a script: {script!r}"
    for action in actions:
        match.play(action)
    return match


def deal(match: Match, tiles: str = "") -> Match:
    """Have chance draw these tiles, and then any others for as long as it has to."""
    play(match, " ".join(f"draw {tile}" for tile in tiles.split()))
    while match.to_play == CHANCE:
        match.play(match.legal()[0])
    return match


def lay(match: Match, x: int, y: int = 0) -> Match:
    """Take the next tile, from what is left on the wheel, and place it."""
    if "keep" in match.legal():
        match.play("keep")
    return play(match, f"take 1 place {x},{y}")


def lay_row(match: Match, turns: int) -> Match:
    """So many turns in which the mover lays the next tile at the right end of a row."""
    for _ in range(turns):
        lay(match, len(tiles_of(match, match.to_play)))
    return match


def laid(*tableaux: str | Tableau, seats: int = 0, then: str = "", **options: str) -> Match:
    """A match in which the first seats have just laid these tableaux, seat 1 beginning; one tableau alone is solo.

    The wheel is filled so that the next tile is always the one that is wanted; after the last of those comes `then`.
    Seats without a tableau lay rows of other tiles, as often as the track lets them.
    """
    wanted = [cells(tableau) if isinstance(tableau, str) else tableau for tableau in tableaux]
    seats = max(seats, len(wanted))
    turns = list(in_turn(wanted, seats, then))
    wheel = [tile for _, tile in turns] + then.split()
    match = table(seats, " ".join(wheel[:ROOM]), **options)
    for count, ((x, y), _) in enumerate(turns):
        if match.to_play == CHANCE:
            deal(match, " ".join(wheel[count : count + ROOM]))
        lay(match, x, y)
    return match


def in_turn(wanted: list[Tableau], seats: int, kept: str) -> Iterator[tuple[Cell, str]]:
    """The cells and tiles of all tableaux in the order in which the track lets the seats lay them."""
    named = {tile for tableau in wanted for tile in tableau.values()} | set(kept.split())
    spare = sorted((tile for tile in TILES if tile not in named), key=number)  # the dearest are used first
    rows = [((x, 0) for x in itertools.count()) for _ in range(seats)]
    left = [list(tableau.items()) for tableau in wanted]
    distance, arrived = [0] * seats, list(range(seats))[::-1]  # the last to arrive lies on top
    while any(left):
        mover = min(reversed(arrived), key=lambda seat: distance[seat])
        assert mover >= len(left) or left[mover], f"seat {mover + 1} would have to lay one tile more"
        cell, tile = left[mover].pop(0) if mover < len(left) else (next(rows[mover]), spare.pop())
        yield cell, tile
        distance[mover] += number(tile)
        arrived.remove(mover)
        arrived.append(mover)


def number(tile: str) -> int:
    return TILES[tile].number


# Reading and drawing


def cells(drawing: str) -> Tableau:
    """The tiles of a drawing by cell, in an order in which they can be laid."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    found = {(x, -y): word for y, words in enumerate(rows) for x, word in enumerate(words) if word != "."}
    left, top = next(iter(found))
    todo = {(x - left, y - top): word for (x, y), word in sorted(found.items(), key=lambda item: "*" in item[1])}
    tableau: Tableau = {}
    while todo:
        cell = next(c for c in todo if not tableau or any(near in tableau for near in touching(c)))
        tableau[cell] = todo.pop(cell).strip("*")
    return tableau


def draw(words: dict[Cell, str]) -> str:
    """Words in their cells, `.` elsewhere."""
    xs, ys = [x for x, _ in words], [y for _, y in words]
    rows = [[words.get((x, y), ".") for x in range(min(xs), max(xs) + 1)] for y in range(max(ys), min(ys) - 1, -1)]
    return columns(rows)


def picture(drawing: str) -> str:
    """A drawing as `draw` makes it."""
    return columns([line.split() for line in drawing.strip().splitlines()])


def columns(rows: list[list[str]]) -> str:
    return "\n".join(" ".join(word.ljust(3) for word in row).rstrip() for row in rows)


def tableau(match: Match, seat: int = 0) -> str:
    return draw(tiles_of(match, seat))


def open_cells(match: Match) -> str:
    """The mover's tableau with `+` wherever the tile in hand may go."""
    places = [text.removeprefix("place ").split(",") for text in match.legal()]
    return draw({(int(x), int(y)): "+" for x, y in places} | tiles_of(match, match.to_play))


def tiles_of(match: Match, seat: int = 0) -> Tableau:
    return {(tile.x, tile.y): tile.id for tile in match.view().tableaux[seat].tiles}


def done(match: Match, seat: int = 0) -> list[str]:
    """The tasks of a seat that are covered, each with its tile, as in `y4d bb`."""
    return [f"{tile.id} {task.asks}" for tile in match.view().tableaux[seat].tiles for task in tile.tasks if task.done]


def tokens_left(match: Match) -> list[int]:
    return [tableau.tokens_left for tableau in match.view().tableaux]


def hand(match: Match) -> str:
    return str(match.view().hand.id)


def supply(match: Match) -> int:
    return len(match.view().supply)


def wheel(match: Match) -> str:
    """The slots from 0 to 11: `moon`, a tile, or `.` for neither."""
    view = match.view()
    words = [tile.id if tile else "." for tile in view.wheel]
    words[view.moon] = "moon"
    return " ".join(words)


def track(match: Match) -> str:
    """Distances with the seats there, bottom first, as in `0: 2, 3: 3 1`."""
    tokens = sorted(match.view().track, key=lambda token: (token.distance, token.height))
    stacks = itertools.groupby(tokens, key=lambda token: token.distance)
    return ", ".join(f"{distance}: {' '.join(str(token.seat + 1) for token in stack)}" for distance, stack in stacks)
