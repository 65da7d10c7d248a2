"""The matches that lessons walk along: what is recorded is what the rules say today."""

import json
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[1] / "client"
sys.path.insert(0, str(CLIENT / "dev"))

import record  # noqa: E402

SCRIPTS = sorted((CLIENT / "src" / "games").glob("*/tutorial.match"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.parent.name)
def test_a_recording_is_fresh(script: Path) -> None:
    made = record.record(script.read_text())
    assert json.loads(script.with_suffix(".json").read_text()) == json.loads(json.dumps(made)), (
        "run `python client/dev/record.py`"
    )


def test_every_game_with_a_board_has_a_lesson() -> None:
    assert {path.parent for path in SCRIPTS} == {
        path.parent for path in (CLIENT / "src" / "games").glob("*/Board.svelte")
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 3]}),
        ({"a": {"x": 1}}, {"a": {}}),
        ([1, 2], [1]),
        ({"a": None}, {"a": {"x": [1]}}),
    ],
)
def test_a_patch_leads_from_the_old_to_the_new(old: object, new: object) -> None:
    assert applied(old, record.patch(old, new)) == new


def applied(old: object, patch: object) -> object:
    """As client/src/patch.ts does it."""
    if isinstance(patch, list):
        return patch[0]
    assert isinstance(patch, dict)
    fresh = list(old) if isinstance(old, list) else dict(old)  # type: ignore[call-overload]
    for key, change in patch.items():
        place = int(key) if isinstance(fresh, list) else key
        fresh[place] = applied(fresh[place], change)
    return fresh
