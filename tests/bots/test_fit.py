"""Weights that are fitted to matches foresee other matches as well as the truth they were drawn from."""

import numpy as np
import pytest

from plenilune.games.via_nebula.evaluate import FACTS, LAST_ROUND, first_guess
from plenilune.training.fit import Sample, chunks, fit, foresee, log_loss

DECISIONS, SEATS = 6_000, 3


@pytest.mark.slow
def test_fitted_weights_are_as_good_as_those_who_won_by() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(0, 0.3, first_guess().shape)
    stage = np.where(rng.random(DECISIONS) < 0.2, LAST_ROUND, rng.uniform(0, LAST_ROUND - 1, DECISIONS))
    facts = rng.normal(0, 1, (DECISIONS, SEATS, FACTS))
    some = Sample(facts, stage, np.zeros((DECISIONS, SEATS)), np.arange(DECISIONS))
    chances = np.concatenate([foresee(part, truth.ravel()) for part, _ in chunks(some, some.match >= 0, len(truth))])
    winner = (rng.random((DECISIONS, 1)) > chances.cumsum(axis=1)).sum(axis=1)
    some.won[np.arange(DECISIONS), winner.clip(max=SEATS - 1)] = 1
    best, found = log_loss(some, truth), log_loss(some, fit(some, np.zeros(truth.shape)))
    assert best < 0.8 * np.log(SEATS), "there is something to foresee"
    assert found < best + 0.06
    assert found < log_loss(some, first_guess())
