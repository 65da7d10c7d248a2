"""Results in a file, one line of JSON each, so that an arena can be continued."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from plenilune.bots.arena.match import Result
from plenilune.bots.arena.plan import Fixture, Plan, schedule
from plenilune.core.errors import BadSetting
from plenilune.game import Game


def to_line(result: Result) -> str:
    return json.dumps(asdict(result), ensure_ascii=False) + "\n"


def from_line(line: bytes) -> Result:
    """The inverse of `to_line`; a ValueError if the line is not a result."""
    if not line.endswith(b"\n"):
        raise ValueError("the line has no end")
    with suppress(TypeError):
        result = Result(**json.loads(line))
        if len(result.bots) == len(result.places) == result.seats:
            return result
    raise ValueError("the line has other fields than a result")


def recover(file: Path) -> list[Result]:
    """The results in the file. An incomplete last line is truncated."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    results: list[Result] = []
    for number, line in enumerate(lines, 1):
        try:
            results.append(from_line(line))
        except ValueError as error:
            if number < len(lines):
                raise BadSetting(f"{file}, line {number}: this is not the result of a match") from error
            os.truncate(file, sum(map(len, lines[:-1])))
    return results


def belonging(plan: Plan, game: Game, results: Iterable[Result]) -> dict[Fixture, Result]:
    """Those of the results that the plan asks for."""
    wanted = set(schedule(plan))
    setting = (game.name, game.version, game.components, plan.seats, game.choices(plan.seats, plan.options))
    return {
        r.fixture: r
        for r in results
        if (r.game, r.rules, r.components, r.seats, r.options) == setting and r.fixture in wanted
    }
