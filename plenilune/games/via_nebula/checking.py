"""What is wrong with a component table of Via Nebula (RULES 11.5).

What a table must satisfy is data: a `Schema`, of which `tables.py` has the only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from plenilune.core.components import WHOLE_NUMBER, Row, Table
from plenilune.games.via_nebula.grid import COLUMN_NAMES, Coordinates, Grid, around, name

NAME = re.compile(r"[a-z][a-z0-9-]*")
Ground = dict[Coordinates, str]  # the sign on each hex; where the map has none, there is no key

# What each kind of problem says; the pages have the same by the same keys, in every language.
SENTENCES = {
    "one-of": "expected one of {words}, not {word!r}",
    "form": "expected {form!r}, not {row!r}",
    "number": "expected a whole number from {low} to {high}, not {word!r}",
    "name": "a token's name is small letters, digits and hyphens, not {word!r}",
    "cost": "a cost is {words} or 1 to {most} resources joined by +, not {word!r}",
    "known": "{name} is known to be {known!r}, not {word!r}",
    "second": "a second {what} {name!r}",
    "order": "expected the {what} {expected!r}, not {name!r}",
    "too-many": "a {what} too many: {name!r}",
    "together": "with {name} the tokens have more than {most} resources together",
    "next-row": "expected row {expected} of map {map}, not {word!r}",
    "width": "expected {expected} cells in row {row} of map {map}, not {found}",
    "columns": "expected 2 to {most} cells in row 1 of map {map}, not {found}",
    "sign": "map {map}, {hex}: expected one of {words}, not {word!r}",
    "missing": "expected a row '{what} {name}'",
    "points": "expected a row 'points {kind}' or 'points {card}'",
    "tokens": "expected {expected} tokens together with the special ones, found {found}",
    "specials": "expected at least 1 special token, found none",
    "no-map": "expected rows of the map {map}",
    "room": "the maps need {columns} columns and {rows} rows, which is {found} cells; there is room for {most}",
    "meadow-more": "map {map}, {hex}: one meadow too many: expected {expected}, found {found}",
    "meadow-less": "map {map}: expected {expected} meadows, found {found}; the last is {hex}",
    "no-meadow": "map {map}: expected {expected} meadows, found none",
    "ruins": "map {map}: expected at least {expected} ruin, found none",
    "way": "map {map}, {hex}: no way over land that can be opened from the ruin in {ruin}",
}


@dataclass(frozen=True)
class Problem:
    line: int  # 0: it is about no line in particular
    key: str
    words: Mapping[str, str | int]

    @property
    def sentence(self) -> str:
        return SENTENCES[self.key].format(**self.words)


@dataclass(frozen=True)
class Column:
    """A word of a row."""

    title: str
    kind: str  # what it may be: `word`, `number`, `name`, `cost`, or `any`
    words: tuple[str, ...] = ()  # a word: one of these; a cost: one of these, or `resources`
    low: int = 0  # a number
    high: int = 0  # a number, or how many resources a cost has
    resources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """A kind of row, but for its first word. The word after it is the row's name."""

    columns: tuple[Column, ...]
    known: dict[str, str] = field(default_factory=dict)  # what must follow the name, up to the certainty
    every: tuple[str, ...] = ()  # names of which each must have a row
    ordered: bool = False  # they come in this order, and are all there are
    alike: str = ""  # names differ also from those of this kind of row


@dataclass(frozen=True)
class Schema:
    forms: dict[str, Form]  # by a row's first word; the rows of maps are not among them
    certainty: Column
    tokens: int  # with the special ones
    printed: int  # resources on all tokens, at most
    kinds: dict[str, str]  # by card
    map_row: str  # the first word of a map's row
    maps: tuple[str, ...]
    signs: dict[str, str]  # the grounds by their signs
    no_hex: str
    meadows: int
    ruins: int  # at least
    closed: str  # the ground where nobody ever passes
    columns: int  # of a map, at most
    room: int  # numbers of a grid for both maps, at most


def problems(table: Table, schema: Schema) -> list[Problem]:
    """Everything that is wrong with single rows, in the order of the lines; if nothing is, with the whole."""
    maps: dict[str, list[Row]] = {map: [] for map in schema.maps}
    found: set[tuple[str, str]] = set()  # names, by the kind of row
    first = [problem for row in table.rows for problem in _row_problems(row, schema, found, maps)]
    return first or list(_whole_problems(table, schema, found, maps))


# A row. Each has one problem at most.


def _row_problems(
    row: Row, schema: Schema, found: set[tuple[str, str]], maps: dict[str, list[Row]]
) -> Iterator[Problem]:
    what = row.words[0]
    if what == schema.map_row:
        problem = _map_row_problem(row, schema, maps)
    elif what in schema.forms:
        problem = _word_problem(row, schema) or _name_problem(row, schema.forms[what], found)
    else:
        problem = _one_of(row, what, (*schema.forms, schema.map_row))
    if problem:
        yield problem


def _word_problem(row: Row, schema: Schema) -> Problem | None:
    columns = (*schema.forms[row.words[0]].columns, schema.certainty)
    if len(row.words) != len(columns) + 1:
        form = " ".join([row.words[0], *(column.title for column in columns)])
        return Problem(row.line, "form", {"form": form, "row": " ".join(row.words)})
    for column, word in zip(columns, row.words[1:], strict=True):
        if problem := _one_word_problem(row, column, word):
            return problem
    return None


def _one_word_problem(row: Row, column: Column, word: str) -> Problem | None:
    if column.kind == "word" and word not in column.words:
        return _one_of(row, word, column.words)
    if column.kind == "number" and not _is_number(word, column.low, column.high):
        return Problem(row.line, "number", {"low": column.low, "high": column.high, "word": word})
    if column.kind == "name" and not NAME.fullmatch(word):
        return Problem(row.line, "name", {"word": word})
    if column.kind == "cost" and word not in column.words:
        resources = word.split("+")
        if len(resources) > column.high or any(resource not in column.resources for resource in resources):
            what = ", ".join(column.words)
            return Problem(row.line, "cost", {"words": what, "most": column.high, "word": word})
    return None


def _name_problem(row: Row, form: Form, found: set[tuple[str, str]]) -> Problem | None:
    what, called = row.words[:2]
    before = [other for kind, other in found if kind == what]
    found.add((what, called))
    if form.ordered and len(before) == len(form.every):
        return Problem(row.line, "too-many", {"what": what, "name": called})
    if form.ordered and called != form.every[len(before)]:
        return Problem(row.line, "order", {"what": what, "expected": form.every[len(before)], "name": called})
    if called in before or (form.alike, called) in found:
        return Problem(row.line, "second", {"what": what, "name": called})
    word = " ".join(row.words[2:-1])
    if called in form.known and word != form.known[called]:
        return Problem(row.line, "known", {"name": called, "known": form.known[called], "word": word})
    return None


def _map_row_problem(row: Row, schema: Schema, maps: dict[str, list[Row]]) -> Problem | None:
    if len(row.words) < 5:
        form = f"{schema.map_row} MAP ROW CELLS {schema.certainty.title}"
        return Problem(row.line, "form", {"form": form, "row": " ".join(row.words)})
    _, map, number, *signs, certainty = row.words
    if map not in maps:
        return _one_of(row, map, schema.maps)
    rows, at = maps[map], len(maps[map]) + 1
    if number != str(at):
        return Problem(row.line, "next-row", {"expected": at, "map": map, "word": number})
    if not rows and not 2 <= len(signs) <= schema.columns:
        return Problem(row.line, "columns", {"most": schema.columns, "map": map, "found": len(signs)})
    expected = Grid(_columns(rows or [row]), at).width(at)
    if len(signs) != expected:
        return Problem(row.line, "width", {"expected": expected, "row": at, "map": map, "found": len(signs)})
    rows.append(row)
    for column, sign in enumerate(signs):
        if sign not in schema.signs and sign != schema.no_hex:
            words = ", ".join([*schema.signs, schema.no_hex])
            return Problem(row.line, "sign", {"map": map, "hex": name(column, at), "words": words, "word": sign})
    return _one_word_problem(row, schema.certainty, certainty)


def _one_of(row: Row, word: str, words: tuple[str, ...]) -> Problem:
    return Problem(row.line, "one-of", {"words": ", ".join(words), "word": word})


def _is_number(word: str, low: int, high: int) -> bool:
    return bool(WHOLE_NUMBER.fullmatch(word)) and low <= int(word) <= high


# The whole


def _whole_problems(
    table: Table, schema: Schema, found: set[tuple[str, str]], maps: dict[str, list[Row]]
) -> Iterator[Problem]:
    for what, form in schema.forms.items():
        for expected in form.every:
            if (what, expected) not in found:
                yield Problem(0, "missing", {"what": what, "name": expected})
    for card, kind in schema.kinds.items():
        if ("points", kind) not in found and ("points", card) not in found:
            yield Problem(0, "points", {"kind": kind, "card": card})
    yield from _token_problems(table, schema)
    for map, rows in maps.items():
        if not rows:
            yield Problem(0, "no-map", {"map": map})
        else:
            yield from _map_problems(map, rows, schema)
    grid = grid_of(maps)
    if grid.size > schema.room:
        words = {"columns": grid.columns, "rows": grid.rows, "found": grid.size, "most": schema.room}
        yield Problem(0, "room", words)


def _token_problems(table: Table, schema: Schema) -> Iterator[Problem]:
    tokens = [row for row in table.rows if row.words[0] in ("token", "special")]
    if len(tokens) != schema.tokens:
        yield Problem(0, "tokens", {"expected": schema.tokens, "found": len(tokens)})
    if all(row.words[0] == "token" for row in tokens):
        yield Problem(0, "specials", {})
    printed = 0
    for row in tokens:
        printed += int(row.words[3])
        if printed > schema.printed:
            yield Problem(row.line, "together", {"name": row.words[1], "most": schema.printed})
            return


def _map_problems(map: str, rows: list[Row], schema: Schema) -> Iterator[Problem]:
    ground = ground_of(rows, schema)
    meadows = [at for at in ground if schema.signs[ground[at]] == "meadow"]
    ruins = [at for at in ground if schema.signs[ground[at]] == "ruin"]
    words: dict[str, str | int] = {"map": map, "expected": schema.meadows, "found": len(meadows)}
    if not meadows:
        yield Problem(rows[-1].line, "no-meadow", {"map": map, "expected": schema.meadows})
    elif len(meadows) < schema.meadows:
        yield Problem(rows[-1].line, "meadow-less", words | {"hex": name(*meadows[-1])})
    elif len(meadows) > schema.meadows:
        extra = meadows[schema.meadows]
        yield Problem(rows[extra[1] - 1].line, "meadow-more", words | {"hex": name(*extra)})
    if len(ruins) < schema.ruins:
        yield Problem(rows[-1].line, "ruins", {"map": map, "expected": schema.ruins})
    for ruin in ruins:
        near = _within_reach(ruin, ground, schema)
        for meadow in meadows:
            if meadow not in near:
                where = {"map": map, "hex": name(*meadow), "ruin": name(*ruin)}
                yield Problem(rows[meadow[1] - 1].line, "way", where)
                return


def _within_reach(ruin: Coordinates, ground: Ground, schema: Schema) -> set[Coordinates]:
    """Whatever touches the ruin, or land that can be opened and reached from it."""
    near: set[Coordinates] = set()
    edge = [ruin]
    while edge:
        fresh = [at for at in around(*edge.pop()) if at in ground and at not in near]
        near.update(fresh)
        edge += [at for at in fresh if ground[at] != schema.closed]
    return near


# Maps


def ground_of(rows: list[Row], schema: Schema) -> Ground:
    """What is printed where, in reading order."""
    return {
        (column, at): sign
        for at, row in enumerate(rows, 1)
        for column, sign in enumerate(row.words[3:-1])
        if sign != schema.no_hex
    }


def grid_of(maps: dict[str, list[Row]]) -> Grid:
    """The smallest grid on which all the maps lie."""
    return Grid(max(_columns(rows) for rows in maps.values()), max(len(rows) for rows in maps.values()))


def _columns(rows: list[Row]) -> int:
    return len(rows[0].words) - 4 if rows else 0


MOST_COLUMNS = len(COLUMN_NAMES)
