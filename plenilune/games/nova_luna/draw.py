"""Nova Luna drawn as text, to play from: 100 columns are enough."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from plenilune.core.drawing import FAINT, GOLD, mark
from plenilune.games.nova_luna.view import NOBODY, SPACES, LaidTile, Placement, Tableau, Task, Tile, View

WIDTH = 100
PAPER = {"r": "#d9534f", "b": "#3d6fb8", "t": "#27a59a", "y": "#e8b530"}
INK = {"r": "#ffffff", "b": "#ffffff", "t": "#000000", "y": "#000000"}  # readable on the paper of that colour
WORD = {"r": "red", "b": "blue", "t": "turquoise", "y": "yellow"}
BARE = "○"  # a task without a token, where there is no room for what it asks
MARGIN = 4  # columns left of a tableau, for Y

Lines = list[str]
Grid = dict[tuple[int, int], LaidTile | Placement]


class Size(NamedTuple):
    """How large a tableau is drawn."""

    width: int  # columns for a cell
    tile: Callable[[LaidTile, int], Lines]
    open_cell: Callable[[Placement], Lines]


def draw(v: View) -> str:
    """Whose turn it is, wheel and track, the mover's tableau in full, the others' small."""
    parts = [_draw_turn(v), _draw_wheel(v), _draw_track(v), _draw_seats(v)]
    if v.mover != NOBODY:
        parts.append(_draw_own(v, v.tableaux[v.mover]))
    others = [t for t in v.tableaux if t.seat != v.mover and t.tiles]
    parts += _side_by_side([_draw_other(t) for t in others])
    parts.append(_draw_hints(v))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part)


# Whose turn it is


def _draw_turn(v: View) -> Lines:
    who = f"[b]{mark(v.mover)} seat {v.mover + 1}[/]: " if v.mover != NOBODY else ""
    what = {
        "stack": "the starting stack is built, bottom first",
        "fill": "the wheel is filled",
        "choose": f"[{GOLD}]refill[/] the wheel or [{GOLD}]keep[/] it",
        "take": f"[{GOLD}]take[/] {_alternatives(len(v.takes))}" + _draw_stop(v),
        "place": f"[{GOLD}]place[/] {_draw_hand(v)}",
        "over": _draw_result(v),
    }
    return [who + what[v.step]]


def _alternatives(count: int) -> str:
    return ("1", "1 or 2", "1, 2 or 3")[count - 1]


def _draw_stop(v: View) -> str:
    return f", or [{GOLD}]stop[/] phase 1" if v.solo and v.solo.may_stop else ""


def _draw_hand(v: View) -> str:
    if v.hand is None:
        return ""
    tasks = "/".join(_letters(asks) for asks in v.hand.tasks) or "no tasks"
    return f"{_name(v.hand)} {tasks}"


def _draw_result(v: View) -> str:
    if v.solo:
        return f"the match is over with {v.scores[0]} points"
    return f"the match is over, {mark(v.places.index(1))} seat {v.places.index(1) + 1} has won"


# Wheel, track and seats


def _draw_wheel(v: View) -> Lines:
    """Unrolled: clockwise from the moon."""
    slots = [(v.moon + i) % len(v.wheel) for i in range(1, len(v.wheel))]
    cells = [_draw_slot(v, slot) for slot in slots]
    moon = ["    ", f" [{GOLD}]☾[/]  ", *["    "] * 3]
    lines = _beside([moon, *cells])
    return [*(lines if _may_take(v) else lines[1:]), _draw_supply(v)]


def _may_take(v: View) -> bool:
    return v.step in ("choose", "take")


def _draw_slot(v: View, slot: int) -> Lines:
    tile, blank = v.wheel[slot], " " * 8
    if tile is None:
        return [blank, f"[{FAINT}]  ·[/]     ", *[blank] * 3]
    take = f"take {v.takes.index(slot) + 1}" if slot in v.takes and _may_take(v) else ""
    lines = _large(tile, [_letters(asks) for asks in tile.tasks])
    return [f"[b {GOLD}]{take:8}[/]", *(line + " " for line in lines), *[blank] * (4 - len(lines))]


def _draw_supply(v: View) -> str:
    counts = [(word, sum(tile[0] == colour for tile in v.supply)) for colour, word in WORD.items()]
    colours = ", ".join(f"{count} {word}" for word, count in counts if count)
    return f"[{FAINT}]supply:[/] {len(v.supply)} {'tile' if len(v.supply) == 1 else 'tiles'}" + (
        f" [{FAINT}]({colours})[/]" if colours else ""
    )


def _draw_track(v: View) -> Lines:
    if not v.track:
        return []
    numbers = "".join(f"{space:<4}" for space in range(SPACES))
    return [f"[{FAINT}]{numbers}[/]", "".join(_draw_space(v, space) for space in range(SPACES))]


def _draw_space(v: View, space: int) -> str:
    """The tokens there, the lowest first."""
    stack = sorted((token for token in v.track if token.space == space), key=lambda token: token.height)
    return "".join(mark(token.seat) for token in stack) + " " * (4 - len(stack)) if stack else f"[{FAINT}]·[/]   "


def _draw_seats(v: View) -> Lines:
    if v.solo:
        return [_draw_solo(v)]
    return [_draw_seat(v, tableau) for tableau in v.tableaux]


def _draw_seat(v: View, tableau: Tableau) -> str:
    seat = tableau.seat
    turn = f"[{GOLD}]►[/]" if seat == v.mover else " "
    gone = next((f", {token.distance} gone" for token in v.track if token.seat == seat), "")
    place = f", place {v.places[seat]}" if v.step == "over" else ""
    return f"{turn} {mark(seat)} seat {seat + 1}  {_draw_tokens(tableau)}{gone}{place}"


def _draw_tokens(tableau: Tableau) -> str:
    left = f"{tableau.tokens_left} left"
    return f"{tableau.tokens_placed:>2} placed, [b]{left:>7}[/]"


def _draw_solo(v: View) -> str:
    assert v.solo
    sums = f"S1 {v.solo.sum_1} + S2 {v.solo.sum_2} = [b]{v.scores[0]}[/]"
    return f"  phase {v.solo.phase}  {_draw_tokens(v.tableaux[0])}  {sums}"


# Tableaux


def _draw_own(v: View, tableau: Tableau) -> Lines:
    return _draw_tableau(tableau, v.placements, [LARGE, MEDIUM, SMALL])


def _draw_other(tableau: Tableau) -> Lines:
    return _draw_tableau(tableau, [], [MEDIUM, SMALL])


def _draw_tableau(tableau: Tableau, placements: list[Placement], sizes: list[Size]) -> Lines:
    """In the first of the sizes that there is room for."""
    grid: Grid = {(placement.x, placement.y): placement for placement in placements}
    grid |= {(tile.x, tile.y): tile for tile in tableau.tiles}
    if not grid:
        return []
    size = _fitting(grid, sizes)
    heading = f"{' ' * MARGIN}{mark(tableau.seat)} seat {tableau.seat + 1}"
    return [heading, *_draw_grid(grid, tableau.seat, size), *(_draw_bare(tableau) if size is not sizes[0] else [])]


def _draw_bare(tableau: Tableau) -> Lines:
    """What a small drawing does not tell: the tasks that have no token yet."""
    bare = [(tile, [_letters(task.asks) for task in tile.tasks if not task.done]) for tile in tableau.tiles]
    notes = [_pad(f"{_name(tile, 3)} {tile.x},{tile.y} {'/'.join(asks)}", 24) for tile, asks in bare if asks]
    return ["", *("".join(notes[i : i + 4]) for i in range(0, len(notes), 4))]


def _fitting(grid: Grid, sizes: list[Size]) -> Size:
    columns = len(_span([x for x, _ in grid]))
    return next((size for size in sizes if MARGIN + columns * size.width <= WIDTH), sizes[-1])


def _span(numbers: list[int]) -> range:
    return range(min(numbers), max(numbers) + 1)


def _draw_grid(grid: Grid, seat: int, size: Size) -> Lines:
    """With X above it and Y to its left."""
    columns, rows = _span([x for x, _ in grid]), _span([y for _, y in grid])
    lines = [" " * MARGIN + _draw_x(columns, size.width)]
    for y in reversed(rows):
        cells = [_draw_cell(grid.get((x, y)), seat, size) for x in columns]
        lines += _beside([[f"[{FAINT}]{y:>{MARGIN - 1}}[/] "], *cells])
    return lines


def _draw_x(columns: range, width: int) -> str:
    """As many of the numbers as there is room for, zero among them."""
    every = 1 if width > 3 else 3
    numbers = [f"{x:^{width - 1}}".ljust(every * width) for x in columns if x % every == 0]
    return " " * (-columns[0] % every * width) + f"[{FAINT}]{''.join(numbers)}[/]"


def _draw_cell(content: LaidTile | Placement | None, seat: int, size: Size) -> Lines:
    if content is None:
        return [" " * size.width]
    return size.tile(content, seat) if isinstance(content, LaidTile) else size.open_cell(content)


def _large_tile(tile: LaidTile, seat: int) -> Lines:
    return _large(tile, [_draw_task(task, seat) for task in tile.tasks])


def _draw_task(task: Task, seat: int) -> str:
    return f"{mark(seat)}[{FAINT}]{task.asks}[/]" if task.done else f" {_letters(task.asks)}"


def _large(tile: Tile | LaidTile, tasks: Lines) -> Lines:
    """Seven columns: the name on the tile's paper, and its tasks below."""
    edge = f"[{PAPER[tile.colour]}]▌[/]"
    return [_name(tile, 6) + " ", *(_pad(edge + task, 7) for task in tasks)]


def _large_cell(placement: Placement) -> Lines:
    x_y = f"{placement.x},{placement.y}"
    return [f"[{GOLD}]{x_y:^7}[/]", f"[b {GOLD}]{_gain(placement):^7}[/]"]


def _medium_tile(tile: LaidTile, seat: int) -> Lines:
    tasks = "".join(mark(seat) if task.done else BARE for task in tile.tasks)
    return [_name(tile, 4) + " ", _pad(tasks, 5)]


def _medium_cell(placement: Placement) -> Lines:
    return [f"[{GOLD}]  □  [/]", f"[b {GOLD}]{_gain(placement):^5}[/]"]


def _small_tile(tile: LaidTile, seat: int) -> Lines:
    return [_name(tile, 2)]


def _small_cell(placement: Placement) -> Lines:
    return [f"[b {GOLD}]{_gain(placement) or '□':<2}[/]"]


LARGE = Size(7, _large_tile, _large_cell)
MEDIUM = Size(5, _medium_tile, _medium_cell)
SMALL = Size(2, _small_tile, _small_cell)


def _gain(placement: Placement) -> str:
    return f"+{len(placement.covers)}" if placement.covers else ""


def _draw_hints(v: View) -> Lines:
    """What each placement that covers something covers, the best first."""
    useful = sorted((p for p in v.placements if p.covers), key=lambda p: -len(p.covers))
    return [f"[{GOLD}]{p.action:13}[/]{_gain(p):4}{_covers(p)}" for p in useful]


def _covers(placement: Placement) -> str:
    tasks: dict[str, list[str]] = {}
    for covered in placement.covers:
        tasks.setdefault(covered.tile, []).append(_letters(covered.asks))
    return ", ".join(f"{tile} {'/'.join(asks)}" for tile, asks in tasks.items())


# Signs and blocks


def _name(tile: Tile | LaidTile, width: int = 0) -> str:
    text = f" {tile.id}" if width > 4 else tile.id
    return f"[b {INK[tile.colour]} on {PAPER[tile.colour]}]{text[: width or None]:<{width}}[/]"


def _letters(asks: str) -> str:
    return "".join(f"[{PAPER[colour]}]{colour}[/]" for colour in asks)


def _pad(markup: str, width: int) -> str:
    return markup + " " * (width - _width(markup))


def _width(markup: str) -> int:
    return len(re.sub(r"\[[^]]*]", "", markup))


def _beside(blocks: list[Lines]) -> Lines:
    """Blocks of lines, each as wide as its first line, side by side."""
    widths = [_width(block[0]) for block in blocks]
    height = max(map(len, blocks))
    padded = [block + [" " * width] * (height - len(block)) for block, width in zip(blocks, widths, strict=True)]
    return ["".join(lines) for lines in zip(*padded, strict=True)]


def _side_by_side(blocks: list[Lines]) -> list[Lines]:
    """As many blocks in a row as there is room for."""
    rows: list[Lines] = []
    for block in blocks:
        width = max(map(_width, block))
        block = [_pad(line, width) for line in block]
        if rows and _width(rows[-1][0]) + width + 2 <= WIDTH:
            rows[-1] = _beside([rows[-1], ["  "], block])
        else:
            rows.append(block)
    return rows
