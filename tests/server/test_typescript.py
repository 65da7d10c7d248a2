import json
from pathlib import Path

import msgspec
import pytest

from plenilune import names
from plenilune.server.protocol import LogEntry, typescript


@pytest.mark.skipif(not typescript.CLIENT.is_dir(), reason="there is no client here")
@pytest.mark.parametrize("path", typescript.files() if typescript.CLIENT.is_dir() else (), ids=lambda path: path.name)
def test_the_clients_types_are_fresh(path: Path) -> None:
    fresh = path.read_text("utf-8") == typescript.files()[path]
    assert fresh, "run: python -m plenilune.server.protocol.typescript"


def test_every_game_has_types_for_its_view() -> None:
    for name in names():
        assert f"export interface {name.title().replace('-', '')}View {{" in typescript.view_types(name)


def test_what_a_client_may_leave_out_is_optional_and_what_it_gets_is_whole() -> None:
    written = typescript.protocol_types()
    assert "  hash?: string | null;" in written.split("interface Play {")[1].split("}")[0]
    assert "  args: string[];" in written.split("interface LogEntry {")[1].split("}")[0]


def test_what_only_old_pages_read_is_sent_but_not_among_the_types() -> None:
    entry = LogEntry(ply=0, actor=0, key="moon-leap.move", args=["5"], by="person", at=0)
    assert json.loads(msgspec.json.encode(entry))["facts"] == {}
    assert "facts" not in typescript.protocol_types()
