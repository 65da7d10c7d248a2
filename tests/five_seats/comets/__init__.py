"""Comets, a test game for 2 to 5 seats: one more than any of the package's own games has."""

from plenilune.core.engine import rank_by_score
from plenilune.game import Game, Tuning
from plenilune.games.comets import draw, rules, view

GAME = Game(
    name="comets",
    title="Comets",
    version=1,
    seats=range(2, rules.SEATS + 1),
    bound=rules.SEATS * (1 + 2 * rules.ROUNDS),
    State=rules.State,
    actions=rules.ACTIONS,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    places=rank_by_score,
    secrets=("star",),
    hide=rules.hide,
    resample=rules.resample,
    known=rules.known,
    view=view.view,
    draw=draw.draw,
    evaluate=rules.evaluate,
    tuning=Tuning(rollout_plies=2, prior_temperature=0.1),
)
