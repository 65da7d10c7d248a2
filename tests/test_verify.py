"""The verifier finds whatever is not as the rules and the dice give it."""

import pytest

from plenilune import BadReplay, Match
from plenilune.position import layout
from plenilune.replay import Replay
from plenilune.verify import Differs, StoredState, verify_file, verify_stored
from tests.play import finished

MATCH = finished(Match("moon-leap", 2, "stored"))
STORED = StoredState(layout(MATCH.game), MATCH.state.tobytes())


def replay() -> Replay:
    """Without line numbers, as rows of a database have none."""
    parsed = Replay.parse(MATCH.save())
    return Replay(parsed.headers, parsed.actions)


def test_what_was_played_is_verified() -> None:
    assert verify_file(MATCH.save()).scores == MATCH.scores
    assert verify_stored(replay(), MATCH.actors, STORED).scores == MATCH.scores


def test_an_action_of_somebody_else_is_found() -> None:
    actors = MATCH.actors
    actors[1] = 1
    with pytest.raises(Differs, match=r"ply 1: 'move .' was played by 1, and 0 is to play"):
        verify_stored(replay(), actors, STORED)


def test_another_state_is_found_if_it_has_our_layout() -> None:
    other = b"\0" * len(MATCH.state.tobytes())
    with pytest.raises(Differs, match="its actions lead to another state than is stored"):
        verify_stored(replay(), MATCH.actors, STORED._replace(state=other))
    verify_stored(replay(), MATCH.actors, StoredState("older", other))


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("rules", "99", "rules: there is no version 99 of moon-leap's rules; known: 1, 2"),
        ("components", "abc", "components: played with components abc; those in use are"),
        ("seats", "7", "seats: moon-leap is for 2 to 4 seats, not 7"),
        ("seed", "another", "ply .*: expected 'roll .' of this seed, not 'roll"),
    ],
)
def test_another_setting_is_found_by_its_name(key: str, value: str, reason: str) -> None:
    forged = replay()
    forged.headers[key] = value
    with pytest.raises(BadReplay, match=reason):
        verify_stored(forged, MATCH.actors, STORED)


def test_a_changed_roll_is_found_by_its_ply() -> None:
    forged = replay()
    forged.actions[0] = "roll 1" if forged.actions[0] != "roll 1" else "roll 2"
    with pytest.raises(BadReplay, match=r"ply 0: expected 'roll .' of this seed, not 'roll .'"):
        verify_stored(forged, MATCH.actors, STORED)
