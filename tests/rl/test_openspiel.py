"""OpenSpiel's own tests pass and its algorithms run; and, which no test of OpenSpiel's asks, nothing secret is told."""

import math
import os
import random
import re
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import evaluate_bots, external_sampling_mccfr, ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.algorithms.generate_playthrough import playthrough, replay
from open_spiel.python.bots import uniform_random

from plenilune import BadSetting, IllegalAction, Match, load
from plenilune.rl import openspiel
from tests.play import Setting, describe, settings

ROOT = Path(__file__).parents[2]
SETTINGS = settings()


def known_as(setting: Setting) -> str:
    return openspiel.PREFIX + setting[0].replace("-", "_") + (openspiel.SOLO if setting[1] == 1 else "")


def made(setting: Setting) -> Any:
    return pyspiel.load_game(known_as(setting), {"players": setting[1], **setting[2]})


def loaded() -> list[str]:
    return sorted({name for name, _, _ in SETTINGS})


def walked(game: Any, seed: int) -> list[Any]:
    """The states of a random match."""
    chooser, states = random.Random(seed), [game.new_initial_state()]
    while not states[-1].is_terminal():
        states.append(states[-1].clone())
        states[-1].apply_action(chooser.choice(states[-1].legal_actions()))
    return states


def choice(game: Any, ply: int) -> Any:
    """The first state of a random match from that ply on in which a seat has a choice."""
    return next(s for s in walked(game, 1)[ply:] if not s.is_chance_node() and len(s.legal_actions()) > 1)


# OpenSpiel's own tests


SIMULATIONS = 100  # of each game, shared among its numbers of seats and its options: of each they would take minutes
OF_EACH = "PLENILUNE_SIMULATIONS"  # how many of each number of seats and choice of options instead


def simulations(setting: Setting) -> int:
    """Of one number of seats and choice of options."""
    alike = sum(known_as(other) == known_as(setting) for other in SETTINGS)
    return math.ceil(SIMULATIONS / alike)


@pytest.mark.slow
def test_random_sim_test(setting: Setting) -> None:
    number = int(os.environ.get(OF_EACH) or simulations(setting))
    pyspiel.random_sim_test(made(setting), num_sims=number, serialize=True, verbose=False)


def test_the_document_says_how_many_matches_it_plays() -> None:
    document = (ROOT / "docs" / "research.md").read_text("utf-8")
    assert f"`{OF_EACH}={SIMULATIONS} .venv/bin/pytest {Path(__file__).relative_to(ROOT)} " in document
    said = {("moon-leap", False): "34 matches of Moon Leap", ("nova-luna", True): "100 of Nova Luna alone"}
    said |= {("nova-luna", False): "and 20 with each other", ("via-nebula", False): "17 of Via Nebula with each"}
    for setting in SETTINGS:
        if words := said.get((setting[0], setting[1] == 1)):
            assert words in document
            assert re.search(r"\d+", words)[0] == str(simulations(setting))  # type: ignore[index]


@pytest.fixture
def parsed() -> None:
    """OpenSpiel's tests read flags."""
    flags.FLAGS.mark_as_parsed()


@pytest.mark.slow
@pytest.mark.usefixtures("parsed")
def test_games_sim_test() -> None:
    """Its own tests of all registered games, for ours."""
    from open_spiel.python.tests.games_sim_test import GamesSimTest  # it lists the games when it is imported

    names = [name for name in unittest.TestLoader().getTestCaseNames(GamesSimTest) if openspiel.PREFIX in name]
    tables = sum(seats > 1 for game in map(load, loaded()) if len(game.seats) > 1 for seats in game.seats)
    assert len(names) == len(openspiel.REGISTERED) + tables
    result = unittest.TestResult()
    np.random.seed(1)
    unittest.TestSuite(map(GamesSimTest, names)).run(result)
    assert result.wasSuccessful(), [*result.errors, *result.failures]
    assert (result.testsRun, len(result.skipped)) == (len(names), 0)


@pytest.mark.usefixtures("parsed")
def test_a_game_of_games_sim_test(setting: Setting) -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    np.random.seed(2)
    GamesSimTest().sim_game(made(setting))


@pytest.mark.slow
@pytest.mark.usefixtures("parsed")
def test_a_playthrough_replays(setting: Setting, tmp_path: Path) -> None:
    file = tmp_path / "playthrough.txt"
    file.write_text(playthrough(str(made(setting)), [], seed=1), "utf-8")
    recorded, replayed = replay(str(file))
    assert replayed == recorded
    assert "InformationStateString" in recorded


# Its algorithms


def test_its_search_runs(setting: Setting) -> None:
    game, chooser = made(setting), np.random.RandomState(1)
    search = mcts.MCTSBot(game, 2, 2, mcts.RandomRolloutEvaluator(1, chooser), random_state=chooser)
    state = choice(game, 20)
    assert search.step(state) in state.legal_actions()


def test_its_bots_are_evaluated(setting: Setting) -> None:
    game, chooser = made(setting), np.random.RandomState(1)
    bots = [uniform_random.UniformRandomBot(seat, chooser) for seat in range(setting[1])]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, chooser)
    assert len(returns) == setting[1]
    assert sum(returns) == pytest.approx(0) if setting[1] > 1 else returns[0] < 0


@pytest.mark.parametrize("secret", [s for s in SETTINGS if load(s[0]).secrets], ids=describe)
def test_its_search_with_secrets_runs(secret: Setting) -> None:
    state = choice(made(secret), 25)
    chooser = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=mcts.RandomRolloutEvaluator(1, chooser),
        uct_c=2.0,
        max_simulations=3,
        random_state=chooser,
    )
    assert bot.step(state) in state.legal_actions()


# What is told


def test_an_information_state_is_what_the_seat_was_told(setting: Setting) -> None:
    name, seats, options = setting
    *_, end = walked(made(setting), 2)
    match, state = Match(name, seats, **options), made(setting).new_initial_state()
    for ply, action in enumerate(end.history()):
        match.play(match.game.actions.text(action))
        state.apply_action(action)
        if ply % 37 == 0 or match.over:
            for seat in range(seats):
                told = " / ".join([f"seat {seat + 1}", *match.history_seen_by(seat)])
                assert (state.information_state_string(seat) if not match.over else told) == told
                assert state.observation_string(seat) == f"seat {seat + 1} {match.seen_by(seat).tobytes().hex()}"


def test_what_is_resampled_was_told_the_same_and_looks_the_same(setting: Setting) -> None:
    sampler, differed = random.Random(3).random, False
    states = walked(made(setting), 4)
    for state in states[:: len(states) // 4]:
        if state.is_terminal():
            continue
        for seat in range(setting[1]):
            other = state.resample_from_infostate(seat, sampler)
            differed |= other.history() != state.history()
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.current_player() == state.current_player()
            if state.get_game().get_type().provides_observation_tensor:
                assert other.observation_tensor(seat) == state.observation_tensor(seat)
    assert differed == (made(setting).get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION)


def test_what_is_resampled_does_not_lean_towards_the_truth() -> None:
    """The private contracts in the other hand, drawn again, are any of those that are nowhere to be seen."""
    state = walked(pyspiel.load_game("plenilune_via_nebula"), 5)[60]
    held, counts = np.flatnonzero(state.record["card_at"][0] == 4), np.zeros(41, int)
    sampler = random.Random(1).random
    for _ in range(150):
        again = state.resample_from_infostate(0, sampler)
        counts[np.flatnonzero(again.record["card_at"][0] == 4)] += 1
    likely = counts[counts > 0]
    assert set(held) <= set(np.flatnonzero(counts))
    assert len(likely) == 6  # eight private contracts, less the own two
    assert (abs(likely - 50) < 25).all()


# What is refused


@pytest.mark.parametrize("wrong", [-2_000_000_000, 2_000_000_000, 2**62, -(2**62), -2])
def test_an_action_that_there_is_not_is_refused_and_changes_nothing(setting: Setting, wrong: int) -> None:
    state = made(setting).new_initial_state()
    for _ in range(2):
        told = str(state), state.current_player(), state.record.tobytes()
        with pytest.raises(IllegalAction, match=f"^{wrong} is not allowed now; these are: "):
            state.apply_action(wrong)
        assert (str(state), state.current_player(), state.record.tobytes()) == told
        state.apply_action(state.legal_actions()[0])


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing(setting: Setting) -> None:
    states = walked(made(setting), 6)
    for state in states[:: len(states) // 9]:
        told, legal = state.record.tobytes(), set(state.legal_actions())
        for wrong in random.Random(1).sample(sorted(set(range(state.num_distinct_actions())) - legal), 5):
            with pytest.raises(IllegalAction, match=f"^{wrong} is not allowed now; "):
                state.apply_action(wrong)
        assert (state.record.tobytes(), set(state.legal_actions())) == (told, legal)


def test_a_match_that_is_over_takes_no_action(setting: Setting) -> None:
    *_, last, end = walked(made(setting), 7)
    for action in last.legal_actions():
        told = end.record.tobytes()
        with pytest.raises(IllegalAction, match=f"^{action} is not allowed now; the match is over$"):
            end.apply_action(action)
        assert (end.record.tobytes(), end.is_terminal()) == (told, True)


def test_only_actions_that_there_are_have_texts(setting: Setting) -> None:
    state = made(setting).new_initial_state()
    size = load(setting[0]).actions.size
    for wrong in (-5, -1, size, 10**12):
        with pytest.raises(BadSetting, match=f"^action is between 0 and {size - 1}, not {wrong}$"):
            state.action_to_string(0, wrong)


def test_only_players_that_there_are_see_something(setting: Setting) -> None:
    state, seats = made(setting).new_initial_state(), setting[1]
    for wrong in (-1, seats, 99):
        for ask in (state.seen, state.information_state, lambda n: state.resample_from_infostate(n, random.random)):
            with pytest.raises(BadSetting, match=f"^player is between 0 and {seats - 1}, not {wrong}$"):
                ask(wrong)


def test_an_observer_is_for_states_of_its_game() -> None:
    kinds = [None, *(pyspiel.IIGObservationType(perfect_recall=recalls) for recalls in (False, True))]
    two, three = (pyspiel.load_game("plenilune_via_nebula", {"players": players}) for players in (2, 3))
    other = pyspiel.load_game("plenilune_moon_leap")
    for observer in map(two.make_py_observer, kinds):
        for ask in (observer.set_from, observer.string_from):
            for state in (three.new_initial_state(), other.new_initial_state(), None):
                with pytest.raises(BadSetting, match=r"^this observer is for states of the game that made it"):
                    ask(state, 0)
            for wrong, words in (
                (2, "between 0 and 1, not 2"),
                (-1, "between 0 and 1, not -1"),
                (None, "whole number"),
            ):
                with pytest.raises(BadSetting, match=f"^player is (a )?{words}"):
                    ask(two.new_initial_state(), wrong)
    with pytest.raises(BadSetting, match=r"^an observer has no parameters, not {'x': 1}$"):
        two.make_py_observer(None, {"x": 1})


@pytest.mark.parametrize("drawn", [math.nan, math.inf, -1.0, 2.0, "x", None])
def test_a_sampler_draws_numbers_between_0_and_1(drawn: Any) -> None:
    state = walked(pyspiel.load_game("plenilune_via_nebula"), 5)[60]
    with pytest.raises(BadSetting, match=f"^a sampler draws numbers between 0 and 1, not {drawn!r}$"):
        state.resample_from_infostate(0, lambda: drawn)


def test_a_copy_of_a_state_does_not_copy_the_game() -> None:
    state = pyspiel.load_game("plenilune_nova_luna").new_initial_state()
    assert state.clone().shared is state.shared


def test_a_number_of_players_that_cannot_be_is_refused() -> None:
    for name, known, wrong in (("moon_leap", "2, 3, 4", 7), ("moon_leap", "2, 3, 4", -1), ("nova_luna_solo", "1", 2)):
        with pytest.raises(BadSetting, match=f"^players is one of {known} in plenilune_{name}, not {wrong}$"):
            pyspiel.load_game(f"plenilune_{name}", {"players": wrong})
    for odd in ("3", None, 2.0, True, 2**40):
        with pytest.raises(BadSetting, match=r"^players is one of 2, 3, 4 in plenilune_moon_leap, not "):
            openspiel.__dict__["plenilune_moon_leap"]({"players": odd})


@pytest.mark.parametrize("short", [s for s in SETTINGS if s[1] <= 2], ids=describe)
def test_regret_minimisation_by_outcomes_runs(short: Setting) -> None:
    """One match an iteration. It divides by the match's probability, which for more seats is too small for a float."""
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(made(short))
    solver.iteration()
    assert solver._infostates


def test_regret_minimisation_by_outcomes_of_chance_runs() -> None:
    """As far as a match of this length allows: a few of its iterations on the last plies would take hours, one
    traversal of one seat takes seconds."""
    solver = external_sampling_mccfr.ExternalSamplingSolver(
        Short(pyspiel.load_game("plenilune_moon_leap"), 12), external_sampling_mccfr.AverageType.SIMPLE
    )
    solver.iteration()
    assert solver._infostates


class Short:
    """The end of a game: it begins so many plies before the end of one random match."""

    def __init__(self, game: Any, plies: int) -> None:
        self.game, self.plies = game, plies

    def num_players(self) -> int:
        return int(self.game.num_players())

    def get_type(self) -> Any:
        return self.game.get_type()

    def new_initial_state(self) -> Any:
        return walked(self.game, 1)[-self.plies]
