"""A search's remarks on every action of a match.

An action is judged by what its seat had seen when it was played, never by the truth: two matches that looked alike to
the seat get the same remark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from plenilune.bots import load as load_bot
from plenilune.bots import mcts
from plenilune.bots.ratings import percent, win_share
from plenilune.bots.thought import Budget, Stop, never, seed_of
from plenilune.core.errors import BadSetting
from plenilune.core.record import CHANCE, OVER
from plenilune.game import Game
from plenilune.match import Match
from plenilune.position import hidden, legal, played_on_a_guess

DETERMINIZATIONS = 256  # samples of what a seat does not know, to see where an action leads
LOSSES = {"??": 0.20, "?": 0.10, "?!": 0.05}  # of the chance to win, that earn an action its mark
BEST = "best"


@dataclass(frozen=True)
class Remark:
    """What the search thinks of one action."""

    ply: int
    seat: int
    chance: list[str]  # what chance did just before, as far as the seat may know
    action: str
    better: str  # the best that could be found; the action itself, if there was none better
    before: list[float]  # each seat's chance to win, had the better one been played
    after: list[float]  # and as it was played
    forced: bool = False  # there was nothing else to play

    @property
    def worth(self) -> float:
        """The action's, to the seat that played it."""
        return self.after[self.seat]

    @property
    def better_worth(self) -> float:
        return self.before[self.seat]

    @property
    def lost(self) -> float:
        return self.better_worth - self.worth

    @property
    def mark(self) -> str:
        """`??`, `?`, `?!`, nothing for a small loss, or `best`."""
        if self.better == self.action:
            return "" if self.forced else BEST
        return next((mark for mark, loss in LOSSES.items() if self.lost >= loss), "")

    def data(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {**asdict(self), "worth": self.worth, "better_worth": self.better_worth, "mark": self.mark}


def review(match: Match, budget: Budget, seats: Iterable[int] | None = None, stop: Stop = never) -> Iterator[Remark]:
    """A remark on every action of these seats, or of all, with so much thought for each position."""
    wanted = range(match.seats) if seats is None else set(seats)
    replayed = Match(match.game, match.seats, **match.options)
    chance: list[list[str]] = []  # for each seat, what it may know of chance's last actions
    for actor, text in zip(match.actors, match.history, strict=True):
        number = match.game.actions.parse(text)
        if actor == CHANCE:
            chance.append([replayed.position.text_for(number, seat) for seat in range(match.seats)])
        else:
            if actor in wanted:
                told = [texts[actor] for texts in chance]
                yield remark_on(match.game, replayed.seen_by(actor), actor, number, budget, replayed.ply, told, stop)
            chance.clear()
        replayed.play(text)


def remark_on(
    game: Game,
    seen: Any,
    seat: int,
    action: int,
    budget: Budget,
    ply: int = 0,
    chance: Sequence[str] = (),
    stop: Stop = never,
) -> Remark:
    """What the search thinks of an action, from what the seat has seen."""
    seen = hidden(game, seen, seat)
    after = chances_after(game, seen, seat, action, budget, stop)
    forced = len(legal(game, seen)) == 1
    better, before = action, after
    if not forced:
        best = mcts.think(game, seen, seat, budget, seed_of(seen), stop).action
        promised = chances_after(game, seen, seat, best, budget, stop) if best != action else after
        if promised[seat] > after[seat]:
            better, before = best, promised
    texts = game.actions.text(action), game.actions.text(better)
    return Remark(ply, seat, list(chance), *texts, before, after, forced)


def chances_after(game: Game, seen: Any, seat: int, action: int, budget: Budget, stop: Stop = never) -> list[float]:
    """Each seat's chance to win once the action is played, as far as the seat can tell."""
    outcomes = outcomes_of(game, seen, seat, action)
    ahead = max(1, sum(state.to_play != OVER for state, _ in outcomes))
    share = replace(budget, simulations=-(-budget.simulations // ahead), seconds=budget.seconds / ahead)
    found = np.zeros(int(seen.seats))
    for state, often in outcomes:
        found += often * np.array(chances(game, state, seat, share, stop))
    return [float(chance) for chance in found]


def outcomes_of(game: Game, seen: Any, seat: int, action: int) -> list[tuple[Any, float]]:
    """The positions the action may lead to, as the seat will see them, and how likely each is. There are several only
    where the action brings to light what the seat does not know, or ends the match."""
    from plenilune.core.engine import generator

    rng, samples = generator(seed_of(seen)), DETERMINIZATIONS if game.secrets else 1
    found: Counter[bytes] = Counter()
    for _ in range(samples):
        state = played_on_a_guess(game, seen, seat, action, rng)
        game.hide(state, seat)
        found[state.tobytes()] += 1
    return [(np.frombuffer(s, game.State.dtype).copy()[0], often / samples) for s, often in found.items()]


def chances(game: Game, seen: Any, seat: int, budget: Budget, stop: Stop = never) -> list[float]:
    """Each seat's chance to win, as far as the seat can tell, no matter who is to play."""
    if seen.to_play != OVER:
        return mcts.think(game, seen, seat, budget, seed_of(seen), stop).values
    seats = int(seen.seats)
    if seats == 1 and game.evaluate:
        out = np.zeros(seats)
        game.evaluate(seen, out)
        return [float(out[0])]
    places = np.zeros(seats, np.int32)
    game.places(seen, places)
    return [win_share([int(place) for place in places], seat) for seat in range(seats)]


def budget_of(name: str, game: Game) -> Budget:
    """How long the bot of that name thinks."""
    budget = load_bot(name, game).budget
    if not (budget.simulations or budget.seconds):
        raise BadSetting(f"a review needs a bot that searches, such as mcts:2000, not {name!r}")
    return budget


def summary(remarks: Iterable[Remark], seat: int) -> str:
    """
    >>> summary([Remark(9, 0, [], "move 3", "move 5", [0.75, 0.25], [0.625, 0.375])], 0)
    '1 choice, 0 best, 0 ?!, 1 ?, 0 ??; 12.5% lost a choice'
    """
    own = [r for r in remarks if r.seat == seat and not r.forced]
    counts = Counter(r.mark for r in own)
    marks = ", ".join(f"{counts[mark]} {mark}" for mark in (BEST, *reversed(LOSSES)))
    lost = percent(sum(r.lost for r in own) / max(1, len(own)))
    return f"{len(own)} choice{'s' * (len(own) != 1)}, {marks}; {lost} lost a choice"
