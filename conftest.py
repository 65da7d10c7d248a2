import os
from pathlib import Path

import pytest

# The tutorial's game is found beside the package's own and those a developer names: all are held to the contract.
TUTORIAL = str(Path(__file__).parent / "tests" / "tutorial")
folders = [folder for folder in os.environ.get("PLENILUNE_GAMES", "").split(os.pathsep) if folder]
os.environ["PLENILUNE_GAMES"] = os.pathsep.join(dict.fromkeys([*folders, TUTORIAL]))

# Where a browser and a server talk to each other, a machine's hiccup may keep an answer beyond all patience. What fails
# there is tried again; a defect fails every time.
BROWSER = Path(__file__).parent / "tests" / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=2))
