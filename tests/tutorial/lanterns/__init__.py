"""Lanterns, the tutorial's game: hang lanterns, and keep to yourself which colour you are after. For 2 to 4 seats."""

from plenilune.core.engine import rank_by_score
from plenilune.game import Game
from plenilune.games.lanterns import draw, rules, view

GAME = Game(
    name="lanterns",
    title="Lanterns",
    version=1,
    seats=range(2, rules.SEATS + 1),
    bound=rules.SEATS + 2 * rules.LANTERNS,  # a whisper a seat; each lantern is drawn once and used up once
    options={"bag": ("full", "small")},
    State=rules.State,
    actions=rules.ACTIONS,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    places=rank_by_score,
    secrets=("players.secret",),
    hide=rules.hide,
    resample=rules.resample,
    known=rules.known,
    view=view.view,
    draw=draw.draw,
)
