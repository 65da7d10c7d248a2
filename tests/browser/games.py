"""The games that the browser's tests play: all of the package's, or one that has what a test is about."""

from tests.play import package_games

GAMES = package_games()

QUICK = "moon-leap"  # a click is a turn, and matches are short
TILES = "nova-luna"  # a turn is two clicks, and it is also played alone
SECRETS = "via-nebula"  # seats have secrets, a turn is several actions, and there is much on the screen
