"""What is written beside a module, so that a page can use it: `client/src/rules/manifest.ts` declares the same.

Most of what a view's tables say, and many words, follow from little. They are written shorter, and
`client/src/rules/packed.ts` makes them whole again: words that count, as a *run*; words that begin with the same, as a
*group*; tables of the actions' texts; and each other table once, its records without the names of their fields.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from plenilune.bots.search.records import KINDS, Node, Scratch, statistics_record
from plenilune.core import shape
from plenilune.core.spaces import ActionSpace
from plenilune.game import Game, Tuning
from plenilune.wasm.exports import view_of

NUMBER_TYPES = {
    np.dtype(code): name
    for code, name in {
        "i1": "i8",
        "u1": "u8",
        "i2": "i16",
        "u2": "u16",
        "i4": "i32",
        "u4": "u32",
        "i8": "i64",
        "f4": "f32",
        "f8": "f64",
    }.items()
}
Plain = dict[str, Any]  # what becomes JSON
Run = list[str | int]
Words = list[str | Run | Plain]  # a dictionary is a group


def manifest(game: Game, exports: Mapping[str, Sequence[str]]) -> Plain:
    view = View(game.actions)
    return {
        "game": game.name,
        "title": game.title,
        "rules": game.version,
        "components": game.components,
        "seats": list(game.seats),
        "options": {name: list(words) for name, words in game.options.items()},
        "secrets": bool(game.secrets),
        "actions": {verb: [packed(words) for words in after] for verb, after in game.actions.verbs.items()},
        "state": state(game.State.dtype),
        "view": view.layout(view_of(game).shape.layout),
        "tables": view.tables,
        "search": search(max(game.seats)),
        "tuning": tuning(game.tuning),
        "tuned": {str(seats): tuning(values) for seats, values in game.tuned.items()},
        "levels": {name: level._asdict() for name, level in game.levels.items()},
        "exports": {name: list(parameters) for name, parameters in exports.items()},
    }


def tuning(values: Tuning) -> list[float]:
    return list(values)


# Records


def state(dtype: np.dtype[Any]) -> Plain:
    assert dtype.fields
    return {"size": dtype.itemsize, "seats": dtype.fields["seats"][1], "to_play": dtype.fields["to_play"][1]}


def search(seats: int) -> Plain:
    statistics = statistics_record(seats)
    return {
        "node": record(Node.dtype),
        "statistics": record(statistics.dtype),
        "scratch": record(Scratch.dtype),
        "kinds": KINDS,
    }


def record(dtype: np.dtype[Any]) -> Plain:
    assert dtype.fields
    fields = {name: field(entry[0], entry[1]) for name, entry in dtype.fields.items()}
    return {"size": dtype.itemsize, "fields": fields}


def field(dtype: np.dtype[Any], offset: int) -> Plain:
    return {"offset": offset, "type": NUMBER_TYPES[dtype.base], "shape": list(dtype.shape)}


# Words

NUMBER = re.compile(r"-?[0-9]+")
FEWEST = 4  # words that are worth a run


def packed(words: Sequence[str]) -> Words:
    """The words, with a run in the place of those that count (a word, how many there are, and by how much each number
    in it grows from one to the next), and a group in the place of those that differ in their last part.

    >>> packed(["b1", "c1", "-2,5", "-1,4", "0,3", "1,2"])
    ['b1', 'c1', ['-2,5', 4, 1, -1]]
    >>> packed(["b1 a", "b1 c", "b1 d", "b1 f", "b2 a"])
    [{'before': 'b1', 'words': ['a', 'c', 'd', 'f']}, 'b2 a']
    """
    out: Words = []
    for before, some in grouped(words):
        out += [{"before": before, "words": runs([word.rpartition(" ")[2] for word in some])}] if before else runs(some)
    return out


def grouped(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """What some of the words begin with, and these words; nothing before those that are too few for a group."""
    alike = [list(some) for _, some in itertools.groupby(words, start)]
    worth = [(start(some[0]) if len(some) >= FEWEST else "", some) for some in alike]
    for before, pieces in itertools.groupby(worth, lambda piece: piece[0]):
        yield before, [word for _, some in pieces for word in some]


def start(word: str) -> str:
    return word.rpartition(" ")[0]


def runs(words: Sequence[str]) -> Words:
    out: Words = []
    at = 0
    while at < len(words):
        length, steps = run_from(words[at:])
        out.append([words[at], length, *steps] if length >= FEWEST else words[at])
        at += length if length >= FEWEST else 1
    return out


def run_from(words: Sequence[str]) -> tuple[int, list[int]]:
    """How many of the words count on from the first, and by how much."""
    following = words[1] if len(words) > 1 else ""
    steps = [b - a for a, b in zip(numbers(words[0]), numbers(following), strict=False)]
    length = 1
    while length < len(words) and words[length] == stepped(words[0], length, steps):
        length += 1
    return length, steps


def numbers(word: str) -> list[int]:
    return [int(found) for found in NUMBER.findall(word)]


def stepped(word: str, times: int, steps: Sequence[int]) -> str:
    """The word so many steps later."""
    left = iter(steps)
    return NUMBER.sub(lambda found: str(int(found[0]) + times * next(left, 0)), word)


# Views


class View:
    """How the records of a game's view are read."""

    def __init__(self, actions: ActionSpace) -> None:
        self.tables: list[Any] = []  # each once, in the order of their numbers
        self._numbers: dict[bytes, int] = {}  # of the tables, by their JSON
        split = [text.split() for text in actions.texts]
        self._of_actions: dict[str, list[Any]] = {
            "text": list(actions.texts),
            "verb": [verb for verb, *_ in split],
            "words": [words for _, *words in split],
        }

    def layout(self, declared: shape.Layout[Any]) -> Plain:
        fields = [
            {"name": name, "offset": declared.places[name].start, "kind": self.kind(kind)}
            for name, kind in declared.fields.items()
        ]
        return {"size": declared.dtype.itemsize, "fields": fields}

    def kind(self, declared: shape.Kind) -> Plain:
        """How a value is stored and read."""
        match declared:
            case shape.Number():
                return {"is": "number", "type": NUMBER_TYPES[declared.dtype]}
            case shape.Flag():
                return {"is": "flag"}
            case shape.Entry():
                return {"is": "entry", "type": NUMBER_TYPES[declared.dtype], "table": self.table(declared.table)}
            case shape.Constant():
                return {"is": "constant", "value": msgspec.to_builtins(declared.value)}
            case shape.Part():
                return {"is": "part", "layout": self.layout(declared.shape.layout)}
            case shape.Several():
                return {"is": "several", **self.items(declared), "most": most(declared)}
            case shape.Items():
                return {"is": "items", **self.items(declared), "length": declared.dtype.itemsize // declared.step}
            case shape.Optional():
                return {"is": "optional", **self.items(declared.listed)}
            case shape.Counts():
                stored = {"type": NUMBER_TYPES[declared.listed.item.dtype], "size": declared.listed.step}
                return {"is": "counts", "words": list(declared.words), **stored}
        raise TypeError(f"a view of {type(declared).__name__} cannot be read in a page")

    def items(self, declared: shape.Items) -> Plain:
        return {"item": self.kind(declared.item), "size": declared.step}

    def table(self, entries: Sequence[Any]) -> int | Plain:
        """The table's number, or which part of which actions' texts its entries are."""
        plain = msgspec.to_builtins(list(entries))
        for part, whole in self._of_actions.items():
            first = next((i for i, found in enumerate(whole) if plain and found == plain[0]), 0)
            if len(plain) >= FEWEST and whole[first : first + len(plain)] == plain:
                return {"of": part, "first": first, "many": len(plain)}
        short = without_names(plain)
        number = self._numbers.setdefault(msgspec.json.encode(short), len(self.tables))
        if number == len(self.tables):
            self.tables.append(short)
        return number


def without_names(entries: list[Any]) -> list[Any] | Plain:
    """Records of the same fields as rows, and what the fields are called."""
    records = [entry for entry in entries if entry is not None]
    if not all(isinstance(record, dict) and [*record] == [*records[0]] for record in records) or not records:
        return entries
    rows = [None if entry is None else list(entry.values()) for entry in entries]
    return {"fields": list(records[0]), "rows": rows}


def most(declared: shape.Several) -> int:
    return int(declared.dtype.itemsize - declared.start) // declared.step
