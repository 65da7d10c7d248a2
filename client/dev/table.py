"""The workshop's table: answers questions about a match, one JSON a line, so that boards can be built without a server.

    {"game": "nova-luna", "seats": 3, "seed": "7", "options": {}, "seat": 0, "actions": [...]}   the match after these
    … with "ply": 40, and bots play on until then; with "preview": [...], where those would lead

`actions` are the seats' own; what chance does follows from the seed.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from plenilune import Match
from plenilune.bots import load as load_bot
from plenilune.errors import Refusal
from plenilune.record import CHANCE


def answer(question: dict[str, Any]) -> dict[str, Any]:
    game, seats, options = question["game"], question["seats"], question.get("options", {})
    match = Match(game, seats, question.get("seed", "7"), **options)
    for action in question.get("actions", []):
        match.play(action)
    play_on(match, question.get("ply", 0), question.get("bot", "greedy"), question.get("until"))
    preview = question.get("preview")
    if preview is None:
        return position(match, question.get("seat", 0), whole=True)
    return position(previewed(match, preview), question.get("seat", 0), whole=False)


def play_on(match: Match, ply: int, bot: str, until: int | None) -> None:
    """Bots play up to the ply, and then, if asked, until it is that seat's turn."""
    player = load_bot(bot, match.game)
    while not match.over and (match.ply < ply or (until is not None and match.to_play != until)):
        thought = player.think(match.game, match.seen_by(match.to_play), match.to_play, seed=match.ply)
        match.play(match.game.actions.text(thought.action))


def previewed(match: Match, actions: list[str]) -> Match:
    """Chance waits: what it will do is not known yet."""
    future = Match(match.game, match.seats, None, **match.options)
    for action in [*match.history, *actions]:
        future.play(action)
    return future


def position(match: Match, seat: int, whole: bool) -> dict[str, Any]:
    told = {
        "ply": match.ply,
        "view": dataclasses.asdict(match.view(seat)),
        "legal": match.legal() if match.to_play not in (CHANCE,) else [],
        "to_play": match.to_play,
        "scores": match.scores,
        "places": match.places,
    }
    if whole:
        told["log"] = log(match, seat)
        told["actions"] = [a for a, actor in zip(match.history, match.actors, strict=True) if actor != CHANCE]
    return told


def log(match: Match, seat: int) -> list[dict[str, Any]]:
    entries = []
    for ply, (text, actor) in enumerate(zip(match.history_seen_by(seat), match.actors, strict=True)):
        verb, *words = text.split()
        by = "chance" if actor == CHANCE else "person" if actor == seat else "bot"
        key = f"{match.game.name}.{verb}"
        entries.append({"ply": ply, "actor": actor, "key": key, "args": words, "by": by, "at": 0, "facts": {}})
    return entries


def main() -> None:
    for line in sys.stdin:
        try:
            told = answer(json.loads(line))
        except Refusal as refusal:
            told = {"refused": str(refusal)}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
