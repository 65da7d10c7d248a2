import pytest

from plenilune.server.protocol import typescript


@pytest.mark.skipif(not typescript.FILE.parent.is_dir(), reason="there is no client here")
def test_the_clients_types_are_fresh() -> None:
    fresh = typescript.FILE.read_text("utf-8") == typescript.write()
    assert fresh, "run: python -m plenilune.server.protocol.typescript"


def test_every_game_that_ships_has_its_view_in_the_types() -> None:
    written = typescript.write()
    for name, view in (("moon-leap", "MoonLeapView"), ("nova-luna", "NovaLunaView"), ("via-nebula", "ViaNebulaView")):
        assert f'"{name}": {view};' in written
        assert f"export interface {view} {{" in written


def test_what_a_client_may_leave_out_is_optional_and_what_it_gets_is_whole() -> None:
    written = typescript.write()
    assert "  hash?: string | null;" in written.split("interface Play {")[1].split("}")[0]
    assert "  facts: Record<string, unknown>;" in written.split("interface LogEntry {")[1].split("}")[0]
