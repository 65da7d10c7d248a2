"""Little games whose best play is known."""

from dataclasses import replace
from typing import Any

from plenilune.core.engine import below, guess_nothing, hide_nothing, rank_by_score, rule
from plenilune.core.record import CHANCE, OVER, BaseState, i32
from plenilune.core.spaces import ActionSpace
from plenilune.game import Game

# All have a `winner`, who is -1 before the end.


@rule
def score(s: Any, seat: int) -> int:
    return 1 if s.winner == seat else 0


# The candle: take 1 or 2 inches, then the wind takes 0, 1 or 2. Who is left without a candle loses.

CANDLE = ActionSpace(take=(("1", "2"),), wind=(("0", "1", "2"),))
TAKE, WIND = CANDLE["take"], CANDLE["wind"]


class CandleState(BaseState):
    inches: int = i32()
    mover: int = i32()
    winner: int = i32()


@rule
def light(s: CandleState, seats: int, options: Any) -> None:
    s.seats, s.to_play, s.mover, s.winner, s.inches = seats, 0, 0, -1, 9


@rule
def candle_legal(s: CandleState, out: Any) -> int:
    n = 3 if s.to_play == CHANCE else 2
    for i in range(n):
        out[i] = (WIND if s.to_play == CHANCE else TAKE) + i
    return n


@rule
def candle_apply(s: CandleState, action: int) -> None:
    if s.to_play == CHANCE:
        s.inches -= action - WIND
        s.to_play = 1 - s.mover
    else:
        s.inches -= action - TAKE + 1
        s.to_play = CHANCE
    if s.inches <= 0:
        s.winner, s.to_play = s.mover, OVER
    elif s.to_play != CHANCE:
        s.mover = s.to_play


CANDLE_GAME = Game(
    name="candle",
    title="Candle",
    version=1,
    seats=range(2, 3),
    bound=20,
    State=CandleState,
    actions=CANDLE,
    setup=light,
    legal=candle_legal,
    apply=candle_apply,
    score=score,
    places=rank_by_score,
    hide=hide_nothing,
    resample=guess_nothing,
    view=lambda s: int(s.inches),
    draw=str,
)


# The card: chance deals seat 1 a card, moon or sun. Seat 1 may play safe, and wins on a 1 or 2 of five; or wait, and
# then seat 2 names a card and wins if it is the right one. A bot that thinks seat 2 knows the card plays safe.

CARD = ActionSpace(
    deal=(("moon", "sun"),), safe=(), wait=(), name=(("moon", "sun"),), spin=(("1", "2", "3", "4", "5"),)
)
DEAL, SAFE, WAIT, NAME, SPIN = (CARD[verb] for verb in ("deal", "safe", "wait", "name", "spin"))
UNKNOWN = -2


class CardState(BaseState):
    card: int = i32()  # 0, 1, -1 before it is dealt, or UNKNOWN
    safe: int = i32()
    winner: int = i32()


@rule
def card_setup(s: CardState, seats: int, options: Any) -> None:
    s.seats, s.to_play, s.card, s.safe, s.winner = seats, CHANCE, -1, 0, -1


@rule
def card_legal(s: CardState, out: Any) -> int:
    n, first = 2, SAFE
    if s.to_play == CHANCE:
        n, first = (2, DEAL) if s.card == -1 else (5, SPIN)
    elif s.to_play == 1:
        first = NAME
    for i in range(n):
        out[i] = first + i
    return n


@rule
def card_apply(s: CardState, action: int) -> None:
    if action >= SPIN:
        s.winner, s.to_play = 0 if action - SPIN < 2 else 1, OVER
    elif action >= NAME:
        s.winner, s.to_play = 1 if action - NAME == s.card else 0, OVER
    elif action == WAIT:
        s.to_play = 1
    elif action == SAFE:
        s.safe, s.to_play = 1, CHANCE
    else:
        s.card, s.to_play = action - DEAL, 0


@rule
def card_hide(s: CardState, viewer: int) -> None:
    if s.to_play != OVER and viewer != 0 and s.card >= 0:
        s.card = UNKNOWN


@rule
def card_resample(s: CardState, viewer: int, rng: Any) -> None:
    if s.card == UNKNOWN:
        s.card = below(rng, 2)


CARD_GAME = Game(
    name="card",
    title="Card",
    version=1,
    seats=range(2, 3),
    bound=4,
    State=CardState,
    actions=CARD,
    setup=card_setup,
    legal=card_legal,
    apply=card_apply,
    score=score,
    places=rank_by_score,
    hide=card_hide,
    resample=card_resample,
    view=lambda s: int(s.card),
    draw=str,
    secrets=("card",),
)


# The lock: chance deals seat 1 a card, gold or tin. Seat 1 may sell, and wins on a 1, 2 or 3 of five; or hide the card.
# Tin that is hidden loses; but gold wins, unless seat 2 turns both dials to 8, which it may always do. A bot that
# thinks seat 2 does not know what to turn hides gold.

DIAL = tuple("12345678")
LOCK = ActionSpace(
    deal=(("gold", "tin"),), sell=(), hide=(), left=(DIAL,), right=(DIAL,), spin=(("1", "2", "3", "4", "5"),)
)
DEAL_METAL, SELL, HIDE, LEFT, RIGHT, TURN = (LOCK[verb] for verb in ("deal", "sell", "hide", "left", "right", "spin"))
GOLD = 0


class LockState(BaseState):
    card: int = i32()  # as in CardState
    left: int = i32()  # where the left dial stands: 0 to 7, or -1 before it is turned
    winner: int = i32()


@rule
def lock_setup(s: LockState, seats: int, options: Any) -> None:
    s.seats, s.to_play, s.card, s.left, s.winner = seats, CHANCE, -1, -1, -1


@rule
def lock_legal(s: LockState, out: Any) -> int:
    n, first = 2, SELL
    if s.to_play == CHANCE:
        n, first = (2, DEAL_METAL) if s.card == -1 else (5, TURN)
    elif s.to_play == 1:
        n, first = len(DIAL), LEFT if s.left == -1 else RIGHT
    for i in range(n):
        out[i] = first + i
    return n


@rule
def lock_apply(s: LockState, action: int) -> None:
    last = len(DIAL) - 1
    if action >= TURN:
        s.winner, s.to_play = 0 if action - TURN < 3 else 1, OVER
    elif action >= RIGHT:
        opened = s.left == last and action - RIGHT == last
        s.winner, s.to_play = 0 if s.card == GOLD and not opened else 1, OVER
    elif action >= LEFT:
        s.left = action - LEFT
    elif action >= SELL:
        s.to_play = 1 if action == HIDE else CHANCE
    else:
        s.card, s.to_play = action - DEAL_METAL, 0


LOCK_GAME = replace(
    CARD_GAME,
    name="lock",
    title="Lock",
    State=LockState,
    actions=LOCK,
    setup=lock_setup,
    legal=lock_legal,
    apply=lock_apply,
)
