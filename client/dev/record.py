"""Writes each game's `tutorial.json` from its `tutorial.match`: every position of that match as the learner sees it.

    python client/dev/record.py            writes what has changed
    python client/dev/record.py --check    writes nothing, and fails if something would change

`tutorial.match` is a saved match without a seed, so that its author decides what is rolled and drawn. Its header
`learner` is the learner's seat (1 by default). The first view is whole; later ones hold what has changed, as the
server's updates do.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import table

from plenilune import Match
from plenilune.position import Position
from plenilune.server.protocol.encoding import encode
from plenilune.server.tables.diff import Parts, changed, whole

GAMES = Path(__file__).parent.parent / "src" / "games"


def record(text: str) -> dict[str, Any]:
    match = Match.load(text)
    seat = int(match.replay.headers.get("learner", "1")) - 1
    frames: list[dict[str, Any]] = []
    shown = None
    for position in match.positions():
        view = position.view(seat)
        fields, parts = changed(shown, view) if shown else (whole(view), Parts())
        shown = view
        scores, places = position.standing()
        frames.append(
            {
                "view": fields,
                "parts": parts,
                "legal": position.legal_for(seat),
                "to_play": position.to_play,
                "scores": scores,
                "places": places,
                "entry": next_entry(match, position, seat),
            }
        )
    setting = {"game": match.game.name, "seats": match.seats, "options": match.options}
    return {**setting, "seat": seat, "frames": frames}


def next_entry(match: Match, position: Position, seat: int) -> dict[str, Any] | None:
    """The log's line for the action that is about to be played, or nothing at the end."""
    if position.ply == match.ply:
        return None
    number = match.game.actions.parse(match.history[position.ply])
    return table.entry(match.game, position.ply, position.text_for(number, seat), position.to_play, seat)


def main() -> None:
    stale = []
    for source in sorted(GAMES.glob("*/tutorial.match")):
        target = source.with_suffix(".json")
        made = encode(record(source.read_text())).decode() + "\n"
        if not target.exists() or target.read_text() != made:
            stale.append(str(target))
            if "--check" not in sys.argv:
                target.write_text(made)
    if stale:
        print("\n".join(stale))
        sys.exit("--check" in sys.argv)


if __name__ == "__main__":
    main()
