"""Views that compiled rules fill are what plain Python makes of the same states, in Python, as JSON and as updates."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from plenilune import Match, load
from plenilune.core.record import SPECTATOR, i8, i32
from plenilune.core.shape import RecordView, Shape, constant, counts, entry, flag, optional, part, several
from plenilune.server.protocol.encoding import encode
from plenilune.server.tables.diff import Stored, changed, rendered, whole
from tests.play import Setting, describe, settings, walk

ORACLES = Path(__file__).parent / "oracles" / "views"


def recorded() -> list[Setting]:
    """All settings of the games whose views are records."""
    return [setting for setting in settings() if isinstance(load(setting[0]).view, RecordView)]


def oracle(name: str) -> Any:
    return importlib.import_module(f"tests.oracles.views.{name.replace('-', '_')}").view


def seen_at_every_ply(setting: Setting, viewer: int) -> Iterator[tuple[Match, Any]]:
    name, seats, options = setting
    for match in walk(Match(name, seats, seed="views", **options), 1):
        yield match, match.seen_by(viewer)


@pytest.mark.parametrize("setting", recorded(), ids=describe)
def test_a_record_shows_and_sends_what_plain_python_does(setting: Setting) -> None:
    plain_view = oracle(setting[0])
    for viewer in range(SPECTATOR, setting[1]):
        before = None
        for match, seen in seen_at_every_ply(setting, viewer):
            expected, shown = plain_view(seen), rendered(match.game, seen, match.ply).view
            assert asdict(match.game.view(seen)) == asdict(expected)
            assert bytes(whole(shown)) == encode(expected)
            if before:
                assert encode(changed(before[1], shown)) == encode(changed(before[0], expected))
            before = expected, shown


@pytest.mark.parametrize("setting", recorded(), ids=describe)
def test_a_view_has_the_types_it_declares(setting: Setting) -> None:
    for match, seen in seen_at_every_ply(setting, 0):
        view = match.game.view(seen)
        assert msgspec.convert(msgspec.to_builtins(view), type(view)) == view


# Shapes


class Leg(Shape):
    left: bool = flag()


class Beast(Shape):
    name: str = entry(("cat", "dog", None))
    legs: list[Leg] = several(Leg, 4)
    tail: Leg | None = optional(Leg)
    age: int | None = optional(i8())
    food: dict[str, int] = counts(("meat", "milk"))
    toes: list[int] = i8(3)
    moods: list[str | None] = entry(("glad", "sad", None), 2)
    head: Leg = part(Leg)
    sounds: list[str] = constant(["purr"])
    born: int = i32()


def a_beast() -> Any:
    return np.zeros(1, Beast.layout.dtype)[0]


def test_what_a_rule_leaves_at_zero_is_empty_absent_or_the_first_of_its_table() -> None:
    found = Beast.layout.read(a_beast().tobytes())
    assert found == Beast("cat", [], None, None, {}, [0, 0, 0], ["glad", "glad"], Leg(False), ["purr"], 0)


def test_what_a_rule_writes_is_read() -> None:
    beast = a_beast()
    beast.name, beast.born, beast.toes[:], beast.moods[:], beast.head.left = 1, -70_000, [-1, 2, 3], [2, 1], 1
    beast.legs.n, beast.legs.at[1].left, beast.tail.n, beast.age.n, beast.age.at[0] = 2, 1, 1, 1, -5
    beast.food.n, beast.food.at[:] = 2, [7, 0]
    assert Beast.layout.read(beast.tobytes()) == Beast(
        name="dog",
        legs=[Leg(False), Leg(True)],
        tail=Leg(False),
        age=-5,
        food={"meat": 7, "milk": 0},
        toes=[-1, 2, 3],
        moods=[None, "sad"],
        head=Leg(True),
        sounds=["purr"],
        born=-70_000,
    )


def test_a_table_of_many_entries_is_numbered_to_its_end() -> None:
    class Word(Shape):
        text: str = entry([str(number) for number in range(300)])

    record = np.zeros(1, Word.layout.dtype)[0]
    record.text = 299
    assert Word.layout.read(record.tobytes()) == Word("299")


def test_a_field_that_numpy_has_too_is_refused() -> None:
    with pytest.raises(TypeError, match="'size'"):

        class Box(Shape):
            size: int = i8()


# Changes


def sent(**values: Any) -> Any:
    beast = a_beast()
    for name, value in values.items():
        beast[name] = value
    return Stored(Beast.layout, beast.tobytes())


def legs(*left: int) -> tuple[int, list[Any]]:
    return len(left), [(number,) for number in [*left, *[0] * (4 - len(left))]]


@pytest.mark.parametrize(
    ("before", "after", "fields", "parts"),
    [
        ({}, {}, {}, {}),
        ({}, {"born": 3, "name": 1}, {"name": "dog", "born": 3}, {}),
        ({}, {"toes": [0, 5, 0]}, {}, {"toes": {1: 5}}),
        ({}, {"toes": [1, 5, 2]}, {"toes": [1, 5, 2]}, {}),
        ({"legs": legs(0, 0)}, {"legs": legs(0, 1)}, {}, {"legs": {1: {"left": True}}}),
        ({"legs": legs(0, 0)}, {"legs": legs(0)}, {"legs": [{"left": False}]}, {}),
        ({"legs": legs(0)}, {"legs": legs(1)}, {"legs": [{"left": True}]}, {}),
        ({"tail": (1, [(0,)])}, {}, {"tail": None}, {}),
    ],
)
def test_only_what_has_changed_is_sent(before: Any, after: Any, fields: Any, parts: Any) -> None:
    found, places = changed(sent(**before), sent(**after))
    assert (msgspec.json.decode(found), msgspec.json.decode(encode(places))) == (fields, json.loads(json.dumps(parts)))
