import os
from pathlib import Path

# The tutorial's game is found beside the package's own and those a developer names: all are held to the contract.
TUTORIAL = str(Path(__file__).parent / "tests" / "tutorial")
folders = [folder for folder in os.environ.get("PLENILUNE_GAMES", "").split(os.pathsep) if folder]
os.environ["PLENILUNE_GAMES"] = os.pathsep.join(dict.fromkeys([*folders, TUTORIAL]))
