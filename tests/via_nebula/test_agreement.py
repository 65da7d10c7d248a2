"""The page's editor checks tables by the same schema as Python, and both are held against the same tables."""

import json

from plenilune.games.via_nebula.checking import SENTENCES
from tests.via_nebula import editor_data as box


def test_the_editor_has_the_schema_and_the_table_in_use_here() -> None:
    assert box.BOX.read_text("utf-8") == box.box(), "run python -m tests.via_nebula.editor_data"


def test_what_the_client_is_tested_with_is_what_python_says() -> None:
    assert box.CORPUS.read_text("utf-8") == box.corpus(), "run python -m tests.via_nebula.editor_data"


def test_every_problem_there_is_occurs_in_these_tables() -> None:
    found = {key for case in json.loads(box.corpus()) for _, key, _ in case["problems"]}
    assert found == set(SENTENCES)
