"""The matches that lessons walk along: what is recorded is what the rules say today."""

import json
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[1] / "client"
sys.path.insert(0, str(CLIENT / "dev"))

import record  # noqa: E402

from plenilune.server.protocol.encoding import encode  # noqa: E402

SCRIPTS = sorted((CLIENT / "src" / "games").glob("*/tutorial.match"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.parent.name)
def test_a_recording_is_fresh(script: Path) -> None:
    made = record.record(script.read_text())
    assert json.loads(script.with_suffix(".json").read_text()) == json.loads(encode(made)), (
        "run `python client/dev/record.py`"
    )


def test_every_game_with_a_board_has_a_lesson() -> None:
    assert {path.parent for path in SCRIPTS} == {
        path.parent for path in (CLIENT / "src" / "games").glob("*/Board.svelte")
    }
