"""What a search promises: the truth where it can be known, an honest guess where not, and its time kept."""

import itertools
import random
import threading
import time
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from plenilune import BadSetting, Match, bots, load
from plenilune.bots import Budget
from plenilune.bots.mcts import Search
from plenilune.bots.search.query import follow
from plenilune.bots.search.records import new_tree
from plenilune.bots.search.tree import copy_subtree
from plenilune.core.engine import generator
from plenilune.game import Level, Tuning
from tests.bots.little import CANDLE_GAME, CARD_GAME, HIDE, LOCK_GAME, WAIT
from tests.play import package_games, settings, walk


@cache
def candle(inches: int) -> float:
    """The chance to win for the seat that is to take."""
    return max(sum(_after(inches - taken, wind) for wind in range(3)) / 3 for taken in (1, 2))


def _after(inches: int, wind: int) -> float:
    if inches <= 0 or inches - wind <= 0:
        return 1.0
    return 1 - candle(inches - wind)


def think(match: Match, simulations: int, seed: int = 1) -> bots.Thought:
    return bots.load(f"mcts:{simulations}", match.game).think(
        match.game, match.seen_by(match.to_play), match.to_play, seed
    )


def test_a_game_small_enough_is_solved_exactly() -> None:
    match = Match(CANDLE_GAME)
    match.state.inches = 6
    thought = think(match, 50_000)
    assert thought.solved
    assert thought.simulations < 50_000
    assert thought.values == pytest.approx([candle(6), 1 - candle(6)], abs=1e-6)


@pytest.mark.parametrize("inches", [2, 3, 4, 5, 6, 7, 8])
def test_the_best_action_is_found(inches: int) -> None:
    match = Match(CANDLE_GAME)
    match.state.inches = inches
    thought = think(match, 20_000)
    worth = [sum(_after(inches - taken, wind) for wind in range(3)) / 3 for taken in (1, 2)]
    assert thought.worth[thought.action] == pytest.approx(max(worth), abs=0.01)


def test_others_are_not_taken_to_know_the_searchers_secrets() -> None:
    for card in ("moon", "sun"):
        match = Match(CARD_GAME)
        match.play(f"deal {card}")
        thought = think(match, 4_000)
        assert match.game.actions.text(thought.action) == "wait"
        assert thought.worth[thought.action] == pytest.approx(0.5, abs=0.2)  # 0 if it were known


def test_nor_where_they_are_taken_to_be_surer_of_what_they_do() -> None:
    worth = []
    for card in ("moon", "sun"):
        match = Match(replace(CARD_GAME, tuning=Tuning(decoy_exploration=1.0, opponent_sharpness=4.0)))
        match.play(f"deal {card}")
        worth += [think(match, 1_000, seed).worth[WAIT] for seed in range(20)]
    assert sum(worth) / len(worth) == pytest.approx(0.5, abs=0.1)  # they may like one card; 0 if they knew it


@pytest.mark.parametrize("tuning", [Tuning(), Tuning(decoy_exploration=1.0, opponent_sharpness=4.0)])
def test_others_think_about_what_only_the_searchers_secrets_make_worth_trying(tuning: Tuning) -> None:
    match = Match(replace(LOCK_GAME, tuning=tuning))
    match.play("deal gold")
    thought = think(match, 10_000)
    assert match.game.actions.text(thought.action) == "sell"
    assert thought.worth[HIDE] < 0.6  # 63 of 64 if seat 2 had not thought about the dials


def test_a_tree_that_is_full_goes_on_with_the_nodes_it_has() -> None:
    for name in ("lanterns", "nova-luna"):  # with secrets and without
        match = choosing(name, 2)
        game, seat = match.game, match.to_play
        search = Search(game, match.seen_by(seat), seat, Budget(simulations=400))
        full = new_tree(game, 60, 401)
        search.workers[0].tree = full
        thought = search.conclude()
        assert int(full.scratch[0]["nodes_used"]) > 60 - game.actions.size
        assert sum(thought.visits.values()) >= int(full.nodes[0]["visits"][0]) - 1 > 100


def test_the_searcher_does_not_know_the_others_secrets() -> None:
    match = Match(CARD_GAME)
    match.play("deal moon")
    match.play("wait")
    thought = think(match, 4_000)
    assert list(thought.worth.values()) == pytest.approx([0.5, 0.5], abs=0.05)


def test_two_truths_that_look_the_same_get_the_same_answer() -> None:
    bot = bots.load("mcts:200", load("lanterns"))
    for match in walk(Match("lanterns", 3, "a")):
        if not match.over and match.ply % 5 == 0:
            seat = match.to_play
            truth = match.seen_by(seat)
            match.game.resample(truth, seat, generator(match.ply))
            other = match.game.State.copy(truth)
            match.game.hide(other, seat)
            assert bot.think(match.game, other, seat) == bot.think(match.game, match.seen_by(seat), seat)


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:30"])
def test_every_bot_plays_every_game_to_the_end(name: str) -> None:
    for game, seats, options in settings():
        match = Match(game, seats, "a", **options)
        bot = bots.load(name, match.game)
        while not match.over and match.ply < 120:
            thought = bot.think(match.game, match.seen_by(match.to_play), match.to_play)
            match.play(match.game.actions.text(thought.action))
            assert len(thought.values) == seats
            assert sum(thought.values) == pytest.approx(1) or seats == 1


def test_the_same_simulations_give_the_same_thought() -> None:
    match = Match("moon-leap", 3, "a")
    assert think(match, 500) == think(match, 500)
    assert think(match, 500, seed=1) != think(match, 500, seed=2)


def test_thoughts_improve_while_they_are_streamed() -> None:
    match = Match("moon-leap", 2, "moon")
    search = Search(match.game, match.seen_by(0), 0, Budget(seconds=0.4))
    thoughts = list(search.thoughts(report=0.05))
    counts = [thought.simulations for thought in thoughts]
    assert len(counts) > 2
    assert counts == sorted(set(counts))


def test_several_threads_share_the_simulations() -> None:
    match = Match("moon-leap", 2, "moon")
    search = Search(match.game, match.seen_by(0), 0, Budget(simulations=3_000, threads=2))
    (thought,) = search.thoughts(report=float("inf"))
    assert thought.simulations == 3_000
    assert sum(thought.visits.values()) == pytest.approx(3_000, abs=10)


def test_the_expected_line_begins_with_the_action_and_can_be_played() -> None:
    match = Match("moon-leap", 2, "moon")
    thought = think(match, 3_000)
    assert thought.line[0] == thought.action
    again = Match("moon-leap", 2)
    for text in match.history:
        again.play(text)
    for number in thought.line:
        again.play(match.game.actions.text(number))
    assert len(thought.line) > 2


def test_thinking_stops_when_it_is_told_to() -> None:
    match, enough = Match("moon-leap", 2, "moon"), threading.Event()
    search = Search(match.game, match.seen_by(0), 0, Budget(seconds=60), stop=enough.is_set)
    threading.Timer(0.2, enough.set).start()
    began = time.perf_counter()
    assert list(search.thoughts(report=float("inf")))
    assert time.perf_counter() - began < 10


def test_a_search_that_is_held_up_finds_the_same() -> None:
    """A server holds searches up in `stop` to share its processors among them."""
    match, pauses = Match("moon-leap", 2, "moon"), itertools.count()

    def hold_up() -> bool:
        if next(pauses) % 3 == 0:
            time.sleep(0.01)
        return False

    straight = Search(match.game, match.seen_by(0), 0, Budget(simulations=20_000)).conclude()
    held_up = Search(match.game, match.seen_by(0), 0, Budget(simulations=20_000), stop=hold_up).conclude()
    assert next(pauses) > 3
    assert held_up == straight


def test_time_for_which_a_search_is_held_up_does_not_count() -> None:
    match, thinking = Match("moon-leap", 2, "moon"), 0.1
    held_up, pauses = False, 0

    def hold_up() -> bool:
        nonlocal held_up, pauses
        if not held_up:
            time.sleep(3 * thinking)
        held_up, pauses = True, pauses + 1
        return False

    began = time.perf_counter()
    search = Search(match.game, match.seen_by(0), 0, Budget(seconds=thinking), stop=hold_up)
    assert search.conclude().simulations > 8
    assert time.perf_counter() - began >= 4 * thinking
    assert pauses > 2


@pytest.mark.parametrize("name", ["genius", "mcts", "mcts:", "mcts:0", "mcts:-5", "mcts:1e9", "mcts:5s", "Random"])
def test_an_unknown_bot_is_named(name: str) -> None:
    there = "random, greedy, beginner, casual, strong, master, mcts:10000, mcts:500ms"
    with pytest.raises(BadSetting, match=f"no such bot for moon-leap: '{name}'; there are: {there}"):
        bots.load(name, load("moon-leap"))


def test_a_bot_is_not_asked_out_of_turn() -> None:
    match = Match("moon-leap", 2, "a")
    bot = bots.load("greedy", match.game)
    with pytest.raises(BadSetting, match="asked to play for seat 2, but seat 1 is to play"):
        bot.think(match.game, match.seen_by(1), 1)
    while not match.over:
        match.play(match.legal()[0])
    with pytest.raises(BadSetting, match="but the match is over"):
        bot.think(match.game, match.seen_by(0), 0)


@pytest.mark.parametrize("budget", [{"simulations": -1}, {"seconds": -0.5}, {"threads": 0}])
def test_an_absurd_budget_is_refused(budget: dict[str, int]) -> None:
    with pytest.raises(BadSetting, match="a budget is"):
        Budget(**budget)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["nova-luna", "via-nebula"])
def test_a_bot_that_sits_at_a_table_goes_on_from_what_it_knows(name: str, threads: int) -> None:
    game = load(name)
    match = Match(game, 2, "warm")
    kept = 0
    search: Search | None = None
    while kept < 3:  # decisions that followed an own one at once
        seat, before = match.to_play, search
        budget = Budget(simulations=600, threads=threads)
        search = Search(game, match.seen_by(seat), seat, budget, seed=match.ply, after=before)
        known = search.done
        thought = search.conclude()
        assert thought.simulations == 600
        assert sum(thought.visits.values()) <= 600
        if known:
            kept += 1
            assert before is not None
            assert before.seat == seat
            assert known < 600
        match.play(game.actions.text(thought.action))


def test_what_was_known_of_another_seats_or_another_position_is_not_kept() -> None:
    game = load("nova-luna")
    match = Match(game, 2, "warm")
    seat = match.to_play
    search = Search(game, match.seen_by(seat), seat, Budget(simulations=300))
    search.conclude()
    other = Match(game, 2, "other")
    for there, who in ((other, other.to_play), (match, 1 - seat)):
        assert not search.find(there.seen_by(who), who)


def test_kept_trees_are_whole() -> None:
    """A tree taken over has the nodes below its new root, with what they had found, and no others."""
    game = load("moon-leap")
    match = Match(game, 2, "warm")
    while len(match.legal()) == 1:
        match.play(match.legal()[0])
    seat = match.to_play
    search = Search(game, match.seen_by(seat), seat, Budget(simulations=500))
    old = search.trees[0]
    action = search.conclude().action
    root = follow(old, [action])
    whole = _below(old, root)
    new = new_tree(game, len(old.nodes), len(old.statistics))
    copy_subtree(new, old, root)
    assert _below(new, 0) == whole
    assert int(new.scratch[0]["nodes_used"]) == len(whole)
    for nodes, visited in ((20, 500), (500, 20)):
        little = new_tree(game, nodes, visited)
        copy_subtree(little, old, root)
        assert 1 < int(little.scratch[0]["nodes_used"]) <= nodes
        assert 1 < int(little.scratch[0]["statistics_used"]) <= visited
        assert {path for path, *_ in _below(little, 0)} < {path for path, *_ in whole}
        assert {found for found in _below(little, 0) if any(found[1:])} < set(whole)


def _below(tree: Any, node: int, path: tuple[int, ...] = ()) -> list[tuple[object, ...]]:
    """What the tree knows of a node and of all below it: by which actions it is reached, its visits and its value."""
    index = int(tree.nodes[node]["statistics"])
    if index < 0:
        return [(path, *map(int, tree.nodes[node]["visits"]))]
    found = [(path, *map(int, tree.nodes[node]["visits"]), *map(float, tree.statistics[index]["value_sum"].flat))]
    child = int(tree.statistics[index]["first_child"])
    while child >= 0:
        found += _below(tree, child, (*path, int(tree.nodes[child]["action"])))
        child = int(tree.nodes[child]["sibling"])
    return found


@pytest.mark.parametrize("name", package_games())
def test_every_game_has_four_levels_each_thinking_more_or_slipping_less_than_the_one_before(name: str) -> None:
    game = load(name)
    assert list(game.levels) == ["beginner", "casual", "strong", "master"]
    by_strength = [(level.simulations, -level.slips) for level in game.levels.values()]
    assert by_strength == sorted(set(by_strength))
    for name_of, level in game.levels.items():
        assert bots.load(name_of, game).budget == Budget(simulations=level.simulations)
    assert game.levels["strong"].slips == game.levels["master"].slips == 0


def test_a_level_that_slips_plays_at_random_so_often_and_the_same_for_the_same_seed() -> None:
    match = Match("moon-leap", 2, "apollo")
    while len(match.legal()) < 3:
        match.play(match.legal()[0])
    game, seat = match.game, match.to_play
    level = replace(game, levels={"clumsy": Level(50, 0.25)})
    bot = bots.load("clumsy", level)
    thoughts = [bot.think(game, match.seen_by(seat), seat, seed) for seed in range(400)]
    slips = sum(thought.simulations == 0 for thought in thoughts)
    assert 70 < slips < 130
    assert thoughts[:40] == [bot.think(game, match.seen_by(seat), seat, seed) for seed in range(40)]


@pytest.mark.parametrize("simulations", [1, 2, 3, 5])
@pytest.mark.parametrize("name", package_games())
def test_the_smallest_search_that_remembers_plays_a_whole_match(name: str, simulations: int) -> None:
    game = load(name)
    match = Match(game, 2, "small")
    bot = bots.load(f"mcts:{simulations}", game).sit()
    while not match.over and match.ply < 1_000:
        seat = match.to_play
        action = bot.think(game, match.seen_by(seat), seat, seed=match.ply).action
        match.play(game.actions.text(action))
    assert match.over


@pytest.mark.parametrize("name", package_games())
def test_a_bot_at_a_table_stops_when_it_could_no_longer_choose_another_action(name: str) -> None:
    match, other, saved = Match(name, 2, "apollo"), random.Random(1), 0
    game, bot = match.game, bots.load("mcts:400", match.game)
    for _ in range(60):
        if match.over:
            break
        seat, seen = match.to_play, match.seen_by(match.to_play)
        if len(match.legal()) > 1:
            whole, short = bot.think(game, seen, seat, seed=1), bot.sit().think(game, seen, seat, seed=1)
            if not whole.solved:
                assert short.action == whole.action
            assert short.simulations <= whole.simulations <= 400
            saved += whole.simulations - short.simulations
        match.play(other.choice(match.legal()))
    assert saved > 0


def test_who_thinks_for_some_time_at_a_table_takes_it_all() -> None:
    match = choosing("moon-leap", 2)
    bot, seat = bots.load("mcts:150ms", match.game).sit(), match.to_play
    began = time.perf_counter()
    bot.think(match.game, match.seen_by(seat), seat)
    assert time.perf_counter() - began >= 0.15


@pytest.mark.parametrize(("seats", "simulations"), [(2, 50), (3, 120), (4, 120)])
def test_a_level_may_think_more_where_there_are_more_than_two_seats(seats: int, simulations: int) -> None:
    match = choosing("moon-leap", seats)
    game = replace(match.game, levels={"wary": Level(50, crowded=120)})
    bot, seen = bots.load("wary", game), match.seen_by(match.to_play)
    assert bot.think(game, seen, match.to_play).simulations == simulations
    assert bot.sit().think(game, seen, match.to_play).simulations == simulations


def test_a_game_may_be_searched_otherwise_with_another_number_of_seats() -> None:
    usual, eager = Tuning(rollout_plies=0), Tuning(rollout_plies=0, explore=50.0)
    for seats, tuning, other in ((2, usual, eager), (3, eager, usual)):
        match = choosing("moon-leap", seats)
        game, bot = match.game, bots.load("mcts:300", match.game)
        seen, seat = match.seen_by(match.to_play), match.to_play
        visits = bot.think(replace(game, tuning=usual, tuned={3: eager}), seen, seat).visits
        assert visits == bot.think(replace(game, tuning=tuning), seen, seat).visits
        assert visits != bot.think(replace(game, tuning=other), seen, seat).visits


def choosing(name: str, seats: int) -> Match:
    """A match at its first decision with more than two actions."""
    match = Match(name, seats, "apollo")
    while len(match.legal()) < 3 or match.to_play < 0:
        match.play(match.legal()[0])
    return match
