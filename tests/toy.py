"""The smallest game there is: one seat says `on` until it has said it LENGTH times."""

from typing import Any

from plenilune.core.engine import guess_nothing, hide_nothing, rank_by_score, rule
from plenilune.core.record import OVER, BaseState, i32
from plenilune.core.spaces import ActionSpace
from plenilune.game import Game

LENGTH = 3


class State(BaseState):
    said: int = i32()


@rule
def setup(s: State, seats: int, options: Any) -> None:
    s.seats, s.to_play, s.said = seats, 0, 0


@rule
def legal(s: State, out: Any) -> int:
    out[0] = 0
    return 1


@rule
def apply(s: State, action: int) -> None:
    s.said += 1
    if s.said == LENGTH:
        s.to_play = OVER


@rule
def score(s: State, seat: int) -> int:
    return s.said


GAME = Game(
    name="toy",
    title="Toy",
    version=1,
    seats=range(1, 2),
    bound=100,
    State=State,
    actions=ActionSpace(on=()),
    setup=setup,
    legal=legal,
    apply=apply,
    score=score,
    places=rank_by_score,
    hide=hide_nothing,
    resample=guess_nothing,
    view=lambda s: int(s.said),
    draw=str,
)
