import os
from pathlib import Path

# The tutorial's game is found beside the package's own, so that it is held to the same contract.
os.environ["PLENILUNE_GAMES"] = str(Path(__file__).parent / "tutorial")
