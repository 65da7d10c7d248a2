"""What the native rules, bots and matches say, for the page's code to say too: `client/test/modules` compares.

`python -m tests.wasm.page_facts FILE GAME` writes JSON. Whatever is random has a fixed seed.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from plenilune import BadReplay, bots, load
from plenilune.bots import Budget, Thought, hints, review
from plenilune.bots.mcts import Search
from plenilune.core.errors import Refusal, UnknownAction
from plenilune.core.record import SPECTATOR
from plenilune.game import Game
from plenilune.match import Match
from plenilune.position import Position, hidden
from tests.play import choices, walk

Facts = dict[str, Any]
MATCHES = Path(__file__).parents[1] / "matches"
BUDGETS = (1, 50, 400)  # simulations
THOUGHTS = 3  # positions of each number of seats and choice of options
DECISIONS = 8  # of a bot that remembers
DAMAGED = 150  # files


def facts(game: Game) -> Facts:
    saved = [file.read_text("utf-8") for file in sorted((MATCHES / game.name).rglob("*.match"))]
    return {
        "matches": [match_facts(game, seats, options) for seats, options in choices(game)],
        "thoughts": [fact for seats, options in choices(game) for fact in thought_facts(game, seats, options)],
        "sittings": [
            sitting_facts(game, name, seats) for name in ("mcts:300", *list(game.levels)[:3]) for seats in game.seats
        ],
        "shared": [shared_facts(game, seats) for seats in game.seats],
        "hints": [hint_facts(game, seats) for seats in game.seats],
        "review": review_facts(game),
        "saved": saved,
        "files": [file_facts(text) for text in (*saved, *damaged(saved))],
    }


# A random match, as everybody sees it at every ply


def match_facts(game: Game, seats: int, options: dict[str, str]) -> Facts:
    rng, position, plies = random.Random(seats), Position.begin(game, seats, options), []
    while not position.over:
        legal = position.legal()
        action = rng.choice(legal)
        texts = [position.text_for(action, viewer) for viewer in range(SPECTATOR, seats)]
        plies.append({**ply_facts(position, rng), "legal": legal, "action": action, "texts": texts})
        position.advance(action)
    return {"seats": seats, "options": options, "plies": [*plies, ply_facts(position, rng)]}


def ply_facts(position: Position, rng: random.Random) -> Facts:
    scores, places = position.standing()
    viewers = range(SPECTATOR, position.seats)
    return {
        "state": position.state.tobytes().hex(),
        "toPlay": position.to_play,
        "standing": {"scores": scores, "places": places},
        "seen": [position.digest(viewer) for viewer in viewers],
        "views": [named(msgspec.json.encode(position.view(viewer))) for viewer in viewers],
        "ahead": ahead_facts(position, rng),
    }


def named(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def ahead_facts(position: Position, rng: random.Random) -> list[Facts]:
    """Where some random actions would lead the seat to play, and what is said about actions that cannot be played."""
    if position.to_play < 0:
        return []
    seat, texts, told = position.to_play, list[str](), []
    while len(texts) < 4:
        ahead = position.ahead(seat, texts)
        told.append(
            {"texts": list(texts), "done": ahead.done, "stopped": ahead.stopped, "seen": named(ahead.seen.tobytes())}
        )
        texts.append(rng.choice(position.game.actions.texts if ahead.stopped else legal_texts(position, ahead.seen)))
        if ahead.stopped:
            break
    nonsense = [rng.choice(position.game.actions.texts), "no such thing"]
    return [*told, *(refused(position, seat, given) for given in (texts, nonsense[:1], nonsense[1:]))]


def legal_texts(position: Position, seen: Any) -> list[str]:
    return Position(position.game, seen, position.ply).legal_texts()


def refused(position: Position, seat: int, texts: Sequence[str]) -> Facts:
    try:
        ahead = position.ahead(seat, texts)
    except Refusal as refusal:
        reason = "unknown_action" if isinstance(refusal, UnknownAction) else "illegal_action"
        return {"texts": texts, "reason": reason, "message": str(refusal)}
    return {"texts": texts, "done": ahead.done, "stopped": ahead.stopped, "seen": named(ahead.seen.tobytes())}


# Bots


def positions(game: Game, seats: int, options: dict[str, str] | None = None, seed: int = 1) -> list[Position]:
    """Where a seat is to play in a random match."""
    match = Match(game, seats, str(seed), **(options or {}))
    return [m.position.copy() for m in walk(match, seed) if not m.over]


def thought_facts(game: Game, seats: int, options: dict[str, str]) -> list[Facts]:
    found = positions(game, seats, options)
    return [
        {"bot": bot, **asked(position), **thought(bots.load(bot, game).think(game, position.state, position.to_play))}
        for position in random.Random(seats).sample(found, THOUGHTS)
        for bot in ("random", "greedy", *(f"mcts:{simulations}" for simulations in BUDGETS))
    ]


def asked(position: Position) -> Facts:
    seat = position.to_play
    return {"seen": hidden(position.game, position.state, seat).tobytes().hex(), "seat": seat}


def thought(found: Thought) -> Facts:
    return {
        "action": found.action,
        "values": found.values,
        "visits": sorted(found.visits.items()),
        "worth": sorted(found.worth.items()),
        "line": found.line,
        "simulations": found.simulations,
        "solved": found.solved,
    }


def sitting_facts(game: Game, name: str, seats: int) -> Facts:
    """A bot's decisions in one match, each of which goes on from what it found out before."""
    match, bot, rng = Match(game, seats, "sitting"), bots.load(name, game).sit(), random.Random(2)
    decisions: list[Facts] = []
    while not match.over and len(decisions) < DECISIONS:
        if match.to_play == 0:
            found = bot.think(game, match.seen_by(0), 0)
            decisions.append({**asked(match.position), **thought(found)})
            match.play(game.actions.texts[found.action])
        else:
            match.play(rng.choice(match.legal()))
    return {"bot": name, "decisions": decisions}


def shared_facts(game: Game, seats: int) -> Facts:
    """A decision that four trees share, as that of a page's strongest level."""
    position = random.Random(seats).choice(positions(game, seats))
    seen, seat = hidden(game, position.state, position.to_play), position.to_play
    search = Search(game, seen, seat, Budget(simulations=2_000, threads=4), seed=7)
    return {**asked(position), **thought(search.conclude())}


def hint_facts(game: Game, seats: int) -> Facts:
    position = positions(game, seats)[0]
    *_, last = hints.stream(game, position.state, position.to_play, Budget(simulations=500))
    return {**asked(position), "answer": last}


def review_facts(game: Game) -> Facts:
    match = Match(game, game.seats[0], "review")
    for _ in walk(match, 4):
        pass
    remarks = [{**remark.data(), "done": 0} for remark in review.review(match, Budget(simulations=60))]
    kept = ("ply", "seat", "action", "better", "before", "after", "forced", "mark")
    return {"match": match.save(), "remarks": [{key: remark[key] for key in kept} for remark in remarks]}


# Files


def file_facts(text: str) -> Facts:
    """What becomes of a file: how it is refused, or where it leads. Once as it is, and once with its dice checked."""
    return {
        "text": text,
        "told": [outcome(lambda: Match.load(text)), outcome(lambda: Match.load(text, check_dice=True))],
    }


def outcome(load_match: Callable[[], Match]) -> str:
    try:
        return named(load_match().state.tobytes())
    except BadReplay as refusal:
        return str(refusal)


def damaged(texts: list[str]) -> list[str]:
    """Files in which a few characters are others, or lines missing, twice or exchanged."""
    rng = random.Random(5)
    return [rng.choice((replaced, dropped, repeated, swapped))(rng.choice(texts), rng) for _ in range(DAMAGED)]


def replaced(text: str, rng: random.Random) -> str:
    start = rng.randrange(min(len(text), 400))
    new = rng.choice(
        ["", "x", "\n", "#", " ", ": ", "\r", "\t", "\u00a0", "\u2028", "\x85", "\x1c", "\ufeff", "é", "7", "="]
    )
    return text[:start] + new + text[start + rng.randrange(3) :]


def dropped(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def repeated(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return "\n".join(lines)


def swapped(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines) - 1)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(facts(load(sys.argv[2]))), "utf-8")
