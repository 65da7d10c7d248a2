"""Nova Luna, Uwe Rosenberg's tiles under a wandering moon, for 1 to 4 seats."""

from collections.abc import Mapping

from plenilune.core.encoding import Encoding
from plenilune.core.engine import guess_nothing, hide_nothing
from plenilune.game import Game, Level, Tuning
from plenilune.games.nova_luna import draw, evaluate, rules, view


def objection(seats: int, options: Mapping[str, str]) -> str:
    """RULES 2.3."""
    if options["tokens"] == "first-game" and seats < 3:
        return f"tokens=first-game is for 3 or 4 seats, not {seats}"
    return ""


def encoding() -> Encoding:
    from plenilune.games.nova_luna import encode

    return encode.ENCODING


GAME = Game(
    name="nova-luna",
    title="Nova Luna",
    version=1,
    seats=range(1, 5),
    options={"tokens": ("full", "first-game")},
    objection=objection,
    bound=220,  # RULES 9.5: 216 and the seats
    State=rules.State,
    actions=rules.ACTIONS,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    places=rules.places,
    hide=hide_nothing,
    resample=guess_nothing,
    view=view.view,
    draw=draw.draw,
    evaluate=evaluate.evaluate,
    encoding=encoding,
    tuning=Tuning(explore=1.5, rollout_plies=0, prior_temperature=0.02),
    tuned={
        1: Tuning(explore=0.2, first_play=0.03, rollout_plies=0, prior_temperature=0.012)
    },  # nobody else can upset a plan
    levels={"beginner": Level(5), "casual": Level(60), "strong": Level(2_000), "master": Level(100_000)},
)
