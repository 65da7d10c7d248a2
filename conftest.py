import os
from pathlib import Path

# The tutorial's game and one for five seats are found beside the package's own and those a developer names: all are
# held to the contract.
OURS = [str(Path(__file__).parent / "tests" / folder) for folder in ("tutorial", "five_seats")]
folders = [folder for folder in os.environ.get("PLENILUNE_GAMES", "").split(os.pathsep) if folder]
os.environ["PLENILUNE_GAMES"] = os.pathsep.join(dict.fromkeys([*folders, *OURS]))


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: many tests wait for servers, clocks and browsers."""
    return (os.cpu_count() or 1) + 1
