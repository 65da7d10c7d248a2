"""The workshop's table: answers questions about a match, one JSON value per line, so that boards can be developed
without a server.

    {"game": "nova-luna", "seats": 3, "seed": "7", "options": {}, "seat": 0, "actions": [...]}   the match after these
    … with "ply": 40: bots play on up to that ply; with "preview": [...]: where those actions would lead

`actions` are the seats' own; chance follows from the seed.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from plenilune import Game, Match
from plenilune.bots import load as load_bot
from plenilune.core.errors import Refusal
from plenilune.core.record import CHANCE
from plenilune.position import Position


def answer(question: dict[str, Any]) -> dict[str, Any]:
    game, seats, options = question["game"], question["seats"], question.get("options", {})
    match = Match(game, seats, question.get("seed", "7"), **options)
    for action in question.get("actions", []):
        match.play(action)
    play_on(match, question.get("ply", 0), question.get("bot", "greedy"), question.get("until"))
    seat, preview = question.get("seat", 0), question.get("preview")
    if preview is not None:
        return previewed(match.position, seat, preview)
    own = [action for action, actor in zip(match.history, match.actors, strict=True) if actor != CHANCE]
    return {**described(match.position, seat), "log": log(match, seat), "actions": own}


def play_on(match: Match, ply: int, bot: str, until: int | None) -> None:
    """Bots play up to the ply, and then, if asked, until it is that seat's turn."""
    player = load_bot(bot, match.game)
    while not match.over and (match.ply < ply or (until is not None and match.to_play != until)):
        thought = player.think(match.game, match.seen_by(match.to_play), match.to_play, seed=match.ply)
        match.play(match.game.actions.text(thought.action))


def previewed(position: Position, seat: int, actions: list[str]) -> dict[str, Any]:
    """Where the actions would lead, as far as the seat can tell. Boards treat what a secret decides like a roll."""
    ahead = position.ahead(seat, actions)
    future = described(Position(position.game, ahead.seen, position.ply + ahead.done), seat)
    return future | {"to_play": CHANCE, "legal": []} if ahead.stopped == "secret" else future


def described(position: Position, seat: int) -> dict[str, Any]:
    scores, places = position.standing()
    return {
        "ply": position.ply,
        "view": dataclasses.asdict(position.view(seat)),
        "legal": position.legal_for(seat),
        "to_play": position.to_play,
        "scores": scores,
        "places": places,
    }


def log(match: Match, seat: int) -> list[dict[str, Any]]:
    told = zip(match.history_seen_by(seat), match.actors, strict=True)
    return [entry(match.game, ply, text, actor, seat) for ply, (text, actor) in enumerate(told)]


def entry(game: Game, ply: int, text: str, actor: int, seat: int) -> dict[str, Any]:
    """A line of the log, as the server would send it to the seat."""
    verb, *words = text.split()
    by = "chance" if actor == CHANCE else "person" if actor == seat else "bot"
    return {"ply": ply, "actor": actor, "key": f"{game.name}.{verb}", "args": words, "by": by, "at": 0, "facts": {}}


def main() -> None:
    for line in sys.stdin:
        try:
            told = answer(json.loads(line))
        except Refusal as refusal:
            told = {"refused": str(refusal)}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
