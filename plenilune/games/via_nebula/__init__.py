"""Via Nebula, Martin Wallace's game of paths through the mist, for 2 to 4 seats."""

from plenilune.game import Game, Level, Tuning
from plenilune.games.via_nebula import count, drawing, evaluate, legal, rules, secrets, state, tables, view

GAME = Game(
    name="via-nebula",
    title="Via Nebula",
    version=1,
    seats=range(2, 5),
    bound=rules.BOUND,
    options={"map": tables.MAPS},
    State=state.State,
    actions=state.ACTIONS,
    setup=rules.setup,
    legal=legal.legal,
    apply=rules.apply,
    score=count.score,
    places=count.places,
    secrets=("card_at",),
    hide=secrets.hide,
    resample=secrets.resample,
    known=secrets.known,
    view=view.view,
    draw=drawing.draw,
    evaluate=evaluate.evaluate,
    tuning=Tuning(explore=0.4, cut=0, trust=0.03, blind=1.0, keen=4.0),
    levels={
        "beginner": Level(10, slips=0.25),
        "casual": Level(30),
        "strong": Level(2_000, crowded=10_000),
        "master": Level(100_000, crowded=50_000),
    },
    components=tables.TABLE.digest,
)
