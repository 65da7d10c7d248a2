"""One folder a game; a game is found because its folder is here, or in a folder that PLENILUNE_GAMES names."""

import os

__path__ += [folder for folder in os.environ.get("PLENILUNE_GAMES", "").split(os.pathsep) if folder]
