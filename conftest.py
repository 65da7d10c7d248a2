import os
from pathlib import Path

import pytest

# The tutorial's game is found beside the package's own and those a developer names: all are held to the contract.
TUTORIAL = str(Path(__file__).parent / "tests" / "tutorial")
folders = [folder for folder in os.environ.get("PLENILUNE_GAMES", "").split(os.pathsep) if folder]
os.environ["PLENILUNE_GAMES"] = os.pathsep.join(dict.fromkeys([*folders, TUTORIAL]))

# Where several processes and a browser talk to one another, a machine's hiccup may keep an answer beyond all patience.
# What fails there is tried again; a defect fails every time. But what proves that nothing leaks, is lost or is open to
# the wrong person has to hold the first time.
TALKING = [Path(__file__).parent / "tests" / room for room in ("browser", "server")]
PROOFS = {
    "test_authorisation.py",
    "test_connections.py",
    "test_crash.py",
    "test_limits.py",
    "test_names.py",
    "test_noninterference.py",
    "test_security.py",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(room in item.path.parents for room in TALKING) and item.path.name not in PROOFS:
            item.add_marker(pytest.mark.flaky(reruns=2))
