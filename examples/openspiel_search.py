"""OpenSpiel's search against ours, in a game of OpenSpiel's: the same number of simulations for both.

pip install 'plenilune[openspiel]'; python examples/openspiel_search.py
"""

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import evaluate_bots, mcts

import plenilune.rl.openspiel  # noqa: F401  # registers the games
from plenilune import bots

OURS, THEIRS = "ours", "theirs"


class OurBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our bots for OpenSpiel. It is shown what its seat has seen, and nothing else of the state."""

    def __init__(self, name: str, game: Any, seat: int, seed: int) -> None:
        super().__init__()
        self.game, self.seat, self.chooser = game.shared.game, seat, np.random.default_rng(seed)
        self.player = bots.load(name, self.game)

    def restart_at(self, state: Any) -> None:
        """It remembers nothing of a match."""

    def step(self, state: Any) -> int:
        seed = int(self.chooser.integers(2**63))
        return int(self.player.think(self.game, state.seen(self.seat), self.seat, seed).action)


def their_bot(game: Any, simulations: int, seed: int) -> Any:
    chooser = np.random.RandomState(seed)
    return mcts.MCTSBot(game, 2, simulations, mcts.RandomRolloutEvaluator(1, chooser), random_state=chooser)


def contest(name: str = "plenilune_moon_leap", pairs: int = 5, simulations: int = 50) -> dict[str, float]:
    """Each one's mean result, from -1 to 1. Every deal is played twice, with seats exchanged."""
    game = pyspiel.load_game(name)
    won = 0.0
    for seed in range(pairs):
        for seat in range(2):
            players = [their_bot(game, simulations, seed)] * 2
            players[seat] = OurBot(f"mcts:{simulations}", game, seat, seed)
            won += evaluate_bots.evaluate_bots(game.new_initial_state(), players, np.random.RandomState(seed))[seat]
    return {OURS: won / (2 * pairs), THEIRS: -won / (2 * pairs)}


if __name__ == "__main__":
    for player, result in contest().items():
        print(f"{player:6} {result:+.2f}")
