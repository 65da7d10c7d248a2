"""What is released: an sdist that builds without Node, and a wheel that has all it needs to play."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD = [sys.executable, "-m", "hatchling", "build", "--directory"]
NO_NODE = {"PATH": ""}
needs_pages = pytest.mark.skipif(
    not (ROOT / "plenilune" / "web" / "modules" / "index.json").exists(),
    reason="make plenilune/web/modules/index.json",
)


def test_what_is_cited_is_the_version_that_is_released() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist's content."""
    folder = tmp_path_factory.mktemp("sdist")
    subprocess.run([*BUILD, str(folder), "--target", "sdist"], cwd=ROOT, check=True, capture_output=True)
    (archive,) = folder.iterdir()
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in the wheel that the sdist builds."""
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [*BUILD, str(folder), "--target", "wheel"], cwd=sdist, env=NO_NODE, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    (file,) = folder.iterdir()
    with zipfile.ZipFile(file) as opened:
        return set(opened.namelist())


def data_of_the_package() -> set[str]:
    """Whatever is not code: rules, component tables, weights, pages."""
    files = [path for path in (ROOT / "plenilune").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(ROOT).as_posix() for path in files if path.suffix != ".py"}


@pytest.mark.slow
@needs_pages
def test_the_wheel_of_an_sdist_has_everything_the_package_has(wheel: set[str]) -> None:
    wanted = data_of_the_package()
    assert {Path(name).suffix for name in wanted} >= {".md", ".table", ".npy", ".html", ".js", ".css", ".wasm"}
    assert wanted - wheel == set()
    assert "plenilune/games/nova_luna/rules.py" in wheel


@pytest.mark.slow
@needs_pages
def test_the_wheel_has_nothing_but_the_package(wheel: set[str]) -> None:
    assert {name.split("/")[0].split("-")[0] for name in wheel} == {"plenilune"}
    assert not [name for name in wheel if "__pycache__" in name or "node_modules" in name]


@pytest.mark.slow
@needs_pages
def test_the_sdist_has_the_sources_of_everything_and_no_installed_packages(sdist: Path) -> None:
    assert (sdist / "client" / "src").is_dir()
    assert (sdist / "tests").is_dir()
    assert not (sdist / "client" / "node_modules").exists()
    assert not (sdist / ".venv").exists()
