"""Writes each game's `tutorial.json` from its `tutorial.match`: every position of that match as the learner sees it.

    python client/dev/record.py            writes what has changed
    python client/dev/record.py --check    writes nothing, and fails if something would change

`tutorial.match` is a saved match without a seed, so that its author decides what is rolled and drawn. Its header
`learner` is the learner's seat, 1 if it is not there.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import table

from plenilune import Match
from plenilune.replay import Replay

GAMES = Path(__file__).parent.parent / "src" / "games"


def record(text: str) -> dict[str, Any]:
    played = Match.load(text)
    seat = int(Replay.parse(text).headers.get("learner", "1")) - 1
    match = Match(played.game, played.seats, None, **played.options)
    frames, known = [], None
    for action in [*played.history, None]:
        view = dataclasses.asdict(match.view(seat))
        frame = {
            "view": [view] if known is None else patch(known, view) or {},
            "legal": match.legal() if match.to_play == seat else [],
            "to_play": match.to_play,
            "scores": match.scores,
            "places": match.places,
            "entry": None,
        }
        known = view
        if action is not None:
            match.play(action)
            frame["entry"] = table.log(match, seat)[-1]
        frames.append(frame)
    options = {"game": played.game.name, "seats": played.seats, "options": played.options}
    return {**options, "seat": seat, "frames": frames}


def patch(old: Any, new: Any) -> Any:
    """What to change: `[value]` puts a value in place, `{key: patch}` goes on inside; None: nothing."""
    if old == new:
        return None
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return {key: change for key in old if (change := patch(old[key], new[key])) is not None}
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return {str(i): change for i in range(len(old)) if (change := patch(old[i], new[i])) is not None}
    return [new]


def main() -> None:
    stale = []
    for source in sorted(GAMES.glob("*/tutorial.match")):
        target = source.with_suffix(".json")
        made = json.dumps(record(source.read_text()), separators=(",", ":"), ensure_ascii=False) + "\n"
        if not target.exists() or target.read_text() != made:
            stale.append(str(target))
            if "--check" not in sys.argv:
                target.write_text(made)
    if stale:
        print("\n".join(stale))
        sys.exit("--check" in sys.argv)


if __name__ == "__main__":
    main()
