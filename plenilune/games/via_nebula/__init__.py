"""Via Nebula, Martin Wallace's game of paths through the mist, for 2 to 4 seats."""

from plenilune.core.encoding import Encoding
from plenilune.game import Game, Level, Tuning
from plenilune.games.via_nebula import draw, evaluate, legal, rules, scoring, secrets, state, tables, view


def encoding() -> Encoding:
    from plenilune.games.via_nebula import encode

    return encode.ENCODING


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
    score=scoring.score,
    places=scoring.places,
    secrets=("card_at",),
    hide=secrets.hide,
    resample=secrets.resample,
    known=secrets.known,
    view=view.view,
    draw=draw.draw,
    evaluate=evaluate.evaluate,
    encoding=encoding,
    tuning=Tuning(explore=0.4, rollout_plies=0, prior_temperature=0.03, decoy_exploration=1.0, opponent_sharpness=4.0),
    levels={
        "beginner": Level(10, slips=0.25),
        "casual": Level(30),
        "strong": Level(2_000, crowded=10_000),
        "master": Level(100_000, crowded=50_000),
    },
    components=tables.TABLE.digest,
    read_components=tables.Box,
)
