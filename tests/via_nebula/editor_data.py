"""Writes what Via Nebula's editor knows of component tables: `python -m tests.via_nebula.editor_data`.

`editor/box.json` has the schema that Python checks tables by, and the shipped table. `test/corpus.json` has good and
bad tables and what Python says of them, so that the client's tests can see that the page says the same.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from plenilune.core import components
from plenilune.games.via_nebula import tables
from tests.via_nebula.corpus import cases

ROOT = Path(__file__).parents[2]
GAME = ROOT / "client" / "src" / "games" / "via_nebula"
BOX, CORPUS = GAME / "editor" / "box.json", GAME / "test" / "corpus.json"


def box() -> str:
    table = components.standard(Path(tables.__file__).parent).read_text("utf-8")
    return json.dumps({"schema": asdict(tables.SCHEMA), "table": table}, ensure_ascii=False, indent=1) + "\n"


def corpus() -> str:
    return "[\n" + ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases()) + "\n]\n"


if __name__ == "__main__":
    BOX.write_text(box(), "utf-8")
    CORPUS.write_text(corpus(), "utf-8")
