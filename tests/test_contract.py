"""What every game promises: checked on every game there is, every version of its rules and every number of seats."""

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenilune import CHANCE, OVER, BadSetting, IllegalAction, Match, UnknownAction, load
from plenilune.commands.terminal import COMMANDS
from plenilune.core.drawing import plain
from plenilune.core.drivers import playout
from plenilune.core.engine import generator
from plenilune.core.record import SPECTATOR
from plenilune.game import Game
from tests.play import choices, finished, games, walk

Setting = tuple[Game, int, dict[str, str]]
SEEDS = 3
DRAWN = 5  # every so many plies a position is drawn: drawing takes longer than the match
JUDGED = 3  # every so many plies plain Python guesses, judges and shows a position


def settings() -> list[Setting]:
    return [(game, seats, options) for game in games() for seats, options in choices(game)]


def title(game: Game) -> str:
    return f"{game.name} {game.version}"


def describe(setting: Setting) -> str:
    game, seats, options = setting
    return " ".join([title(game), f"{seats} seats", *options.values()])


@pytest.fixture(params=settings(), ids=describe)
def setting(request: pytest.FixtureRequest) -> Setting:
    chosen: Setting = request.param
    return chosen


@pytest.fixture(params=games(), ids=title)
def game(request: pytest.FixtureRequest) -> Game:
    chosen: Game = request.param
    return chosen


def at(setting: Setting, seed: str | None = None) -> Match:
    game, seats, options = setting
    return Match(game, seats, seed, **options)


def positions(setting: Setting, seeds: int = SEEDS) -> Iterator[Match]:
    """Random matches, stopped at every ply, chance's too."""
    for seed in range(seeds):
        yield from walk(at(setting), seed)


def viewers(match: Match) -> range:
    return range(SPECTATOR, match.seats)


def scratch(game: Game) -> np.ndarray:
    return np.zeros(game.actions.size, np.int32)


# Actions and their texts


def test_action_numbers_have_no_holes_and_every_action_its_own_text(game: Game) -> None:
    texts = [game.actions.text(number) for number in range(game.actions.size)]
    assert [game.actions.parse(text) for text in texts] == list(range(game.actions.size))
    assert len(set(texts)) == game.actions.size


def test_an_action_text_is_words_one_space_apart_that_a_replay_can_hold(game: Game) -> None:
    for text in game.actions.texts:
        assert text == " ".join(text.split())
        assert "#" not in text


def test_no_verb_is_a_command_of_the_terminal(game: Game) -> None:
    assert not set(game.actions.verbs) & set(COMMANDS)


def test_unknown_actions_are_named(game: Game) -> None:
    with pytest.raises(UnknownAction, match="no such action: 'fly home'"):
        Match(game, game.seats[0], "0").play("fly home")


@pytest.mark.parametrize("game", games(), ids=title)
@given(data=st.data())
def test_whatever_is_said_is_played_or_refused_by_name(game: Game, data: st.DataObject) -> None:
    words = sorted({word for text in game.actions.texts for word in text.split()})
    said = data.draw(st.text() | st.lists(st.sampled_from(words) | st.text(max_size=3)).map(" ".join))
    match = Match(game, game.seats[0], "0")
    before, legal = match.state.tobytes(), match.legal()
    if " ".join(said.split()) in legal:
        match.play(said)
        return
    with pytest.raises((UnknownAction, IllegalAction)) as refusal:
        match.play(said)
    assert repr(said) in str(refusal.value)
    assert match.state.tobytes() == before


@pytest.mark.slow
def test_only_listed_actions_can_be_played_and_a_refusal_changes_nothing(setting: Setting) -> None:
    for match in positions(setting, 1):
        before, legal = match.state.tobytes(), set(match.legal())
        others = [text for text in match.game.actions.texts if text not in legal]
        for text in random.Random(match.ply).sample(others, min(40, len(others))):
            with pytest.raises(IllegalAction, match="is not allowed now"):
                match.play(text)
        assert match.state.tobytes() == before


# The course of a match


def test_somebody_has_a_choice_until_the_match_is_over(setting: Setting) -> None:
    for match in positions(setting):
        assert bool(match.legal()) != match.over
        assert match.over or match.to_play in (CHANCE, *range(match.seats))


def test_listing_actions_changes_nothing_and_lists_each_once(setting: Setting) -> None:
    for match in positions(setting):
        before = match.state.tobytes()
        legal = match.legal()
        assert len(set(legal)) == len(legal)
        assert match.state.tobytes() == before


def test_every_match_ends_within_the_stated_bound(setting: Setting) -> None:
    match, rng = at(setting), generator(11)
    for _ in range(500):
        state = match.game.State.copy(match.state)
        assert playout(state, scratch(match.game), rng, match.game.bound) <= match.game.bound
        assert state.to_play == OVER


def test_a_seeded_match_never_waits_for_chance_and_always_rolls_the_same(setting: Setting) -> None:
    matches = [walk(at(setting, "moon"), 5), walk(at(setting, "moon"), 5)]
    for one, other in zip(*matches, strict=True):
        assert one.to_play != CHANCE
        assert one.history == other.history


def test_undo_restores_the_very_bytes(setting: Setting) -> None:
    for seed in ("moon", None):
        player, match = random.Random(1), at(setting, seed)
        while not match.over:
            before, history = match.state.tobytes(), match.history
            match.play(player.choice(match.legal()))
            if player.random() < 0.2:
                after = match.history
                assert match.undo() == after[len(history) :]
                assert (match.state.tobytes(), match.history) == (before, history)
                match.play(after[len(history)])


def test_there_is_nothing_to_undo_before_the_first_action(setting: Setting) -> None:
    with pytest.raises(IllegalAction, match="nothing to undo"):
        at(setting, "moon").undo()


def test_places_follow_the_scores(setting: Setting) -> None:
    """Of two seats the one with the better score has the better place; only equal scores share one."""
    for match in positions(setting):
        places, scores = match.places, match.scores
        assert min(places) == 1
        for seat, place in enumerate(places):
            assert place == 1 + sum(other < place for other in places)
            for other in range(match.seats):
                if scores[seat] > scores[other]:
                    assert place < places[other]
                if place == places[other]:
                    assert scores[seat] == scores[other]


# Saving


def test_a_saved_match_resumes_to_identical_bytes(setting: Setting) -> None:
    for seed in ("moon", None):
        for match in walk(at(setting, seed)):
            if match.ply % 23 == 0 or match.over:
                again = Match.load(match.save(), check_dice=True)
                assert again.save() == match.save()
                assert again.state.tobytes() == match.state.tobytes()
                assert again.legal() == match.legal()


def test_a_match_saved_half_way_and_played_on_is_the_match_never_saved(setting: Setting) -> None:
    straight = finished(at(setting, "moon"))
    decisions = [a for a, who in zip(straight.history, straight.actors, strict=True) if who != CHANCE]
    broken = at(setting, "moon")
    for count, action in enumerate(decisions):
        if count == len(decisions) // 2:
            broken = Match.load(broken.save())
        broken.play(action)
    assert broken.save() == straight.save()
    assert broken.state.tobytes() == straight.state.tobytes()


# Versions of the rules


def test_every_version_of_the_rules_is_found_by_its_number(game: Game) -> None:
    present = load(game.name)
    assert present.at_version(game.version) is load(game.name, game.version) is game
    assert game.version in present.versions
    assert present.version == max(present.versions)


def test_a_version_that_is_none_is_refused_by_name(game: Game) -> None:
    with pytest.raises(BadSetting, match=f"there is no version 99 of {game.name}'s rules; known: "):
        game.at_version(99)


def test_every_version_has_a_type_of_state_by_which_compiled_code_finds_its_rules() -> None:
    types = [game.State.dtype for game in games()]
    assert len(set(types)) == len(types)


def test_a_saved_match_is_loaded_by_the_rules_it_was_played_by(game: Game) -> None:
    match = finished(Match(game, game.seats[0], "moon"))
    assert f"\nrules: {game.version}\n" in match.save()
    assert Match.load(match.save()).game is game


# Secrets


def changed_fields(before: np.record, after: np.record, path: str = "") -> set[str]:
    """The dotted names of the fields that differ."""
    found: set[str] = set()
    for name in before.dtype.names or ():
        a, b = before[name], after[name]
        if a.tobytes() == b.tobytes():
            continue
        if a.dtype.names:
            pairs = zip(np.atleast_1d(a).ravel(), np.atleast_1d(b).ravel(), strict=True)
            found |= {field for x, y in pairs for field in changed_fields(x, y, f"{path}{name}.")}
        else:
            found.add(path + name)
    return found


def test_the_declared_secrets_and_nothing_else_are_blanked_for_somebody(game: Game) -> None:
    blanked: set[str] = set()
    for setting in settings():
        if setting[0] is game:
            for match in positions(setting, 1):
                for viewer in viewers(match):
                    blanked |= changed_fields(match.state, match.seen_by(viewer))
    assert blanked == set(game.secrets)


def test_a_viewer_cannot_tell_a_guess_from_the_truth(setting: Setting) -> None:
    for match in positions(setting):
        for viewer in viewers(match):
            seen = match.seen_by(viewer)
            guess: Any = match.game.State.copy(seen)
            match.game.resample(guess, viewer, generator(99 + match.ply))
            match.game.hide(guess, viewer)
            assert guess.tobytes() == seen.tobytes()


def test_hiding_twice_is_hiding_once(setting: Setting) -> None:
    for match in positions(setting, 1):
        for viewer in viewers(match):
            seen = match.seen_by(viewer)
            match.game.hide(seen, viewer)
            assert seen.tobytes() == match.seen_by(viewer).tobytes()


def test_a_guess_is_a_match_that_can_be_finished(setting: Setting) -> None:
    for match in positions(setting, 1):
        for viewer in viewers(match):
            guess = match.seen_by(viewer)
            match.game.resample(guess, viewer, generator(7))
            assert (playout(guess, scratch(match.game), generator(3), match.game.bound) >= 1) != match.over


def test_the_view_comes_from_what_is_seen_and_changes_nothing(setting: Setting) -> None:
    for match in positions(setting, 1):
        before = match.state.tobytes()
        for viewer in viewers(match):
            guess = match.seen_by(viewer)
            match.game.resample(guess, viewer, generator(5))
            match.game.hide(guess, viewer)
            assert match.game.view(guess) == match.view(viewer)
        assert match.state.tobytes() == before


def test_the_history_a_seat_reads_hides_words_but_no_actions(setting: Setting) -> None:
    for match in positions(setting, 1):
        if match.ply % 7 == 0 or match.over:
            for viewer in viewers(match):
                for told, truth in zip(match.history_seen_by(viewer), match.history, strict=True):
                    words = zip(told.split(), truth.split(), strict=True)
                    assert all(a in (b, "?") for a, b in words)
                    assert match.game.secrets or told == truth


@pytest.mark.slow
def test_positions_can_be_drawn(setting: Setting) -> None:
    for match in positions(setting, 1):
        if match.ply % DRAWN and not match.over:
            continue
        seen = {
            state.tobytes(): state for state in map(match.seen_by, viewers(match))
        }  # who sees the same is shown the same
        for state in seen.values():
            assert plain(match.game.draw(match.game.view(state))).strip()


# Compiled and plain

DIGESTS = """
import sys
from tests.test_contract import describe, digest, settings
for setting in settings():
    print(describe(setting), digest(setting))
"""


def digest(setting: Setting) -> str:
    """Names every state of one match, with scores, places and what is legal, and many of them as a guess, as they are
    shown and as the bots judge them, to the last bit."""
    sha = hashlib.sha256()
    for match in walk(at(setting, "sun"), 5):
        sha.update(match.state.tobytes())
        sha.update(str((match.legal(), match.scores, match.places)).encode())
        if match.ply % JUDGED == 0 or match.over:
            guess = match.seen_by(0)
            match.game.resample(guess, 0, generator(match.ply))
            values = np.zeros(max(match.game.seats))
            if match.game.evaluate:
                match.game.evaluate(guess, values)
            sha.update(guess.tobytes() + values.tobytes() + str(match.view(0)).encode())
    return sha.hexdigest()


@pytest.mark.slow
def test_compiled_rules_and_plain_python_agree() -> None:
    root = Path(__file__).parent.parent

    def run(**variables: str) -> str:
        command = [sys.executable, "-W", "error", "-c", DIGESTS]
        environment = {**os.environ, "PYTHONPATH": str(root), **variables}
        return subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True).stdout

    compiled = run()
    assert len(compiled.splitlines()) == len(settings())
    assert compiled == run(NUMBA_DISABLE_JIT="1")
