"""Servers to test: on SQLite in a folder of their own, and on a real PostgreSQL."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from plenilune.game import load
from plenilune.server.settings import Settings
from plenilune.server.thinking import warmup
from tests.server.attempts import Attempts, documented
from tests.server.postgres import Postgres
from tests.server.running import Guest, Running, running, sqlite

numbers = itertools.count()
QUICK = {"request", "monkeypatch", "attempts"}  # fixtures that start nothing
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever asks for more than its parameters starts a server, a database or a process."""
    for item in items:
        if HERE in item.path.parents and isinstance(item, pytest.Function):
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            if not set(item.fixturenames) <= QUICK | set(parameters):
                item.add_marker(pytest.mark.slow)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return sqlite(tmp_path)


@pytest.fixture
def server(settings: Settings) -> Iterator[Running]:
    with running(settings) as server:
        yield server


@pytest.fixture
def ada(server: Running) -> Guest:
    return server.guest("Ada")


@pytest.fixture
def ben(server: Running) -> Guest:
    return server.guest("Ben")


@pytest.fixture
def attempts(request: pytest.FixtureRequest) -> Iterator[Attempts]:
    """Counts what an attack tries. Each run of the test must try at least as much as docs/server.md says."""
    counted = Attempts()
    yield counted
    asked = documented(request.node.path.name, request.node.originalname)
    assert asked is None or counted.made >= asked, f"{counted.made} attempts, and {asked} are documented"


@pytest.fixture(scope="session")
def compiled() -> None:
    """What bots of these games think with, so that no clock runs while it is compiled."""
    for game in ("moon-leap", "via-nebula"):
        warmup.warm_up(warmup.BOTS, load(game))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One for each process that runs tests, started when the first test asks for it."""
    cluster = Postgres()
    yield cluster
    cluster.stop()


@pytest.fixture
def database(postgres: Postgres) -> str:
    """The address of an empty database."""
    return postgres.database(f"test{next(numbers)}")
