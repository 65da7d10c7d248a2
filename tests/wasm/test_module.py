"""What is in a module, in its manifest and in the index."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import msgspec
import pytest

from plenilune import load
from plenilune.info import game_info
from plenilune.wasm import link
from plenilune.wasm.build import FORMAT, INDEX, Built, Wanted, build, command, is_current
from plenilune.wasm.build import built as find
from plenilune.wasm.manifest import packed
from plenilune.wasm.target import machine
from tests.play import package_games
from tests.via_nebula.boxes import LARGEST_BOX
from tests.wasm.conftest import MODULES, ROOT, Replay, compile_apart

pytestmark = pytest.mark.slow
MANIFEST = ROOT / "client" / "src" / "rules" / "manifest.ts"
LARGEST = 34_000  # bytes, compressed, of a module; with its manifest not much more
LARGEST_MANIFEST = 5_000


def sections(module: bytes) -> dict[int, link.Reader]:
    reader, found = link.Reader(module, len(link.MAGIC)), {}
    while not reader.done:
        kind, body = reader.byte(), reader.take(reader.number())
        found[kind] = link.Reader(body)
    return found


def exported(module: bytes) -> Iterator[str]:
    reader = sections(module)[link.EXPORTS]
    for _ in range(reader.number()):
        yield reader.text()
        reader.byte()
        reader.number()


def package_modules(built: dict[Wanted, Built]) -> list[Path]:
    return [MODULES / made.name for which, made in built.items() if which.game in package_games()]


def test_a_module_needs_nothing_from_outside_and_offers_what_its_manifest_says(built: dict[Wanted, Built]) -> None:
    found = package_modules(built)
    assert len(found) == sum(len(load(name).versions) for name in package_games())
    for path in found:
        module = path.with_name(f"{path.name}.wasm").read_bytes()
        manifest = json.loads(path.with_name(f"{path.name}.json").read_bytes())
        assert link.IMPORTS not in sections(module)
        assert set(exported(module)) == {"memory", "__heap_base", *manifest["exports"]}


def test_a_module_and_its_manifest_are_small(built: dict[Wanted, Built]) -> None:
    for path in package_modules(built):
        sizes = [len(gzip.compress(path.with_name(f"{path.name}.{end}").read_bytes())) for end in ("wasm", "json")]
        assert sizes[0] < LARGEST, path.name
        assert sizes[1] < LARGEST_MANIFEST, path.name


@pytest.mark.parametrize("name", package_games())
def test_a_second_build_is_the_same(name: str, built: dict[Wanted, Built], tmp_path: Path) -> None:
    which = Wanted(name, load(name).version)
    again = compile_apart(tmp_path, name, str(which.rules), PYTHONHASHSEED="1")
    assert again == built[which].name  # it has a digest of the content
    assert (tmp_path / f"{again}.wasm").read_bytes() == (MODULES / f"{again}.wasm").read_bytes()


def test_a_component_table_of_ones_own_gives_a_module_of_its_own_that_plays_by_it(
    built: dict[Wanted, Built], replay: Replay, tmp_path: Path
) -> None:
    standard = load("moon-leap").State.home() / "moon-leap.table"
    changed = standard.read_text().replace("post 2", "post 2 ", 1)
    (tmp_path / "moon-leap.table").write_text(other_post(changed))
    name = compile_apart(tmp_path, "moon-leap", "2", PLENILUNE_COMPONENTS=str(tmp_path))
    manifest = json.loads((tmp_path / f"{name}.json").read_bytes())
    assert name != built[Wanted("moon-leap", 2)].name
    assert manifest["components"] not in ("", load("moon-leap").components)
    told = natively(tmp_path, "moon-leap")
    assert told["matches"]
    assert told["searches"]
    assert not any(replay(tmp_path / name, told).values())
    assert replay(MODULES / built[Wanted("moon-leap", 2)].name, told)["matches"], "it plays by the same table"


def test_the_largest_box_of_via_nebula_plays_alike_in_a_page(replay: Replay, tmp_path: Path) -> None:
    """Its maps fill the words that hold sets of hexes to the last bit."""
    (tmp_path / "via-nebula.table").write_text(LARGEST_BOX, "utf-8")
    name = compile_apart(tmp_path, "via-nebula", "1", PLENILUNE_COMPONENTS=str(tmp_path))
    told = natively(tmp_path, "via-nebula", seats=2)
    assert told["matches"]
    assert told["searches"]
    assert not any(replay(tmp_path / name, told).values())


def natively(components: Path, game: str, seats: int = 4) -> Any:
    """A small fixture of the game with these component tables, by its rules as plain Python, with so many seats at
    most."""
    rules = str(load(game).version)
    file, extent = components / "fixture.json", ["1", "1", "40", str(seats)]
    given = os.environ | {"NUMBA_DISABLE_JIT": "1", "PLENILUNE_COMPONENTS": str(components)}
    given["PLENILUNE_CACHE"] = str(components / "cache")
    command = [sys.executable, "-m", "tests.wasm.fixtures", str(file), game, rules, *extent]
    subprocess.run(command, cwd=ROOT, env=given, check=True)
    return json.loads(file.read_bytes())


def other_post(table: str) -> str:
    """The table with the first post one space further on."""
    lines = table.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("post"))
    verb, seats, space, *rest = lines[at].split()
    lines[at] = " ".join([verb, seats, str(int(space) + 1), *rest])
    return "\n".join(lines)


# The folder


def test_the_index_tells_of_every_game_what_the_server_tells(built: dict[Wanted, Built]) -> None:
    games = {game["name"]: game for game in json.loads((MODULES / INDEX).read_bytes())["games"]}
    for name in package_games():
        modules = games[name].pop("modules")
        assert games[name] == msgspec.to_builtins(game_info(load(name)))
        assert modules == {str(rules): built[Wanted(name, rules)].name for rules in load(name).versions}


def test_the_index_names_the_format_that_these_pages_read(built: dict[Wanted, Built]) -> None:
    known = re.search(r"FORMAT = (\d+);", MANIFEST.read_text("utf-8"))
    assert known
    assert json.loads((MODULES / INDEX).read_bytes())["format"] == int(known[1]) == FORMAT


def test_a_game_with_a_view_in_plain_python_has_no_module(built: dict[Wanted, Built]) -> None:
    assert built[Wanted("lanterns", 1)].reason == "its view is plain Python, not a `RecordView`"
    assert "lanterns" not in (MODULES / INDEX).read_text()


def test_what_is_up_to_date_is_not_built_again(built: dict[Wanted, Built], tmp_path: Path) -> None:
    which = Wanted("comets", 1)
    made = built[which]
    assert is_current(made, which, MODULES)
    assert not is_current(made, which, tmp_path), "its files are not there"
    assert not is_current(Built("other", made.name), which, MODULES), "its sources have changed"


def test_what_is_no_longer_wanted_is_deleted(tmp_path: Path) -> None:
    old = [tmp_path / f"moon-leap-1.12345678.{ending}" for ending in ("wasm", "json")]
    for file in old:
        file.touch()
    build(tmp_path, ["lanterns"])
    assert not any(file.exists() for file in old)


def test_a_game_of_ones_own_is_built_on_demand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLENILUNE_CACHE", str(tmp_path))
    game = load("comets")
    assert find(game) is None
    subprocess.run(command("comets"), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    found = find(game)
    assert found
    assert found.is_relative_to(tmp_path)
    assert found.with_name(f"{found.name}.wasm").exists()


# Linking, and what is written shorter


CALLS = """
target triple = "wasm32-unknown-unknown"
declare double @{name}(double)
define double @export.f(double %x) {{
  %y = call double @{name}(double %x)
  ret double %y
}}
"""


def test_a_module_that_would_call_something_outside_is_refused() -> None:
    compiled = machine().emit_object(llvm.parse_assembly(CALLS.format(name="exp")))
    with pytest.raises(link.LinkError, match="the rules call 'exp', which no module has"):
        link.link(compiled, {"f": "export.f"})


def test_what_is_not_an_object_is_refused() -> None:
    with pytest.raises(link.LinkError, match="not a WebAssembly object"):
        link.link(b"\x7fELF", {})


@pytest.mark.parametrize("value", [0, 1, 63, 64, 127, 128, 65536, 2**31 - 1])
def test_numbers_are_read_as_they_are_written(value: int) -> None:
    assert link.Reader(link.number(value)).number() == value
    assert link.Reader(link.padded(value)).number() == value
    assert link.Reader(link.signed(value)).signed() == value


@pytest.mark.parametrize(
    ("words", "stored"),
    [
        (["a", "b", "a", "b"], ["a", "b", "a", "b"]),
        (["1", "2", "3"], ["1", "2", "3"]),
        (["1", "2", "3", "4", "7"], [["1", 4, 1], "7"]),
        (["x9y", "x10y", "x11y", "x12y"], [["x9y", 4, 1]]),
        (["-1,1", "0,0", "1,-1", "2,-2"], [["-1,1", 4, 1, -1]]),
        (["01", "02", "03", "04"], ["01", "02", "03", "04"]),
        (["x a", "x b", "x d", "y a"], ["x a", "x b", "x d", "y a"]),
        (["x y a", "x y b", "x y d", "x y f", "z"], [{"before": "x y", "words": ["a", "b", "d", "f"]}, "z"]),
        (["x 1", "x 2", "x 3", "x 4"], [{"before": "x", "words": [["1", 4, 1]]}]),
        (["a 1", "b 2", "b 3"], ["a 1", "b 2", "b 3"]),
        (["1 1", "2 2", "3 3", "4 4"], [["1 1", 4, 1, 1]]),
    ],
)
def test_words_that_count_or_begin_with_the_same_are_stored_shorter(words: list[str], stored: list[Any]) -> None:
    assert packed(words) == stored
