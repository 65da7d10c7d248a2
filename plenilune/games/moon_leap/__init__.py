"""Moon Leap, Rudi Hoffmann's dice race over the craters, for 2 to 4 seats."""

from plenilune.core.encoding import Encoding
from plenilune.core.engine import guess_nothing, hide_nothing, rank_by_score
from plenilune.game import Game, Level, Tuning
from plenilune.games.moon_leap import draw, evaluate, rules, tables, view


def first_version() -> Game:
    from plenilune.games.moon_leap import version_1

    return version_1.GAME


def encoding() -> Encoding:
    from plenilune.games.moon_leap import encode

    return encode.ENCODING


GAME = Game(
    name="moon-leap",
    title="Moon Leap",
    version=2,
    earlier={1: first_version},
    seats=range(2, 5),
    bound=rules.BOUND,
    State=rules.State,
    actions=rules.ACTIONS,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    places=rank_by_score,
    hide=hide_nothing,
    resample=guess_nothing,
    view=view.view,
    draw=draw.draw,
    evaluate=evaluate.evaluate,
    encoding=encoding,
    tuning=Tuning(explore=0.8, rollout_plies=0),
    levels={
        "beginner": Level(4, slips=0.55),
        "casual": Level(4, slips=0.2),
        "strong": Level(200),
        "master": Level(100_000),
    },
    components=tables.TABLE.digest,
    read_components=tables.Track,
)
