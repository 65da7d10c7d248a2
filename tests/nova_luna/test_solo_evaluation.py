"""How well the bots play alone. Less is better."""

import numpy as np
import pytest

from plenilune import Match, load
from plenilune.bots import arena
from plenilune.games.nova_luna import solo
from tests.play import finished

DEALS = 12


def mean_score(bot: str) -> float:
    plan = arena.Plan("nova-luna", (bot,), seats=1, games=DEALS)
    results = [arena.play(plan, fixture) for fixture in arena.schedule(plan)]
    return float(np.mean([result.scores[0] for result in results if result]))


def worth(match: Match) -> float:
    out = np.zeros(4)
    load("nova-luna").evaluate(match.state, out)  # type: ignore[misc]
    return float(out[0])


def test_strong_plays_well_and_better_than_greedy() -> None:
    strong = mean_score("strong")
    assert strong < 105
    assert strong + 10 < mean_score("greedy") < 135


def test_an_end_is_worth_its_score_and_par_is_worth_one_half() -> None:
    ends = [finished(Match("nova-luna", 1, f"end {seed}")) for seed in range(8)]
    by_score = sorted(ends, key=lambda match: match.scores[0])
    assert [worth(match) for match in by_score] == sorted((worth(match) for match in ends), reverse=True)
    for match in ends:
        odds = worth(match) / (1 - worth(match))
        assert match.scores[0] == pytest.approx(solo.PAR - solo.SPREAD * np.log(odds))
