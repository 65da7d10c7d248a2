"""The games for learning and research: many matches at once, and the interfaces that other programs know.

>>> from plenilune.rl import Batch
>>> batch = Batch("moon-leap", seats=2, n=3, seed=1)
>>> step = batch.step(batch.sample())
>>> step.current_player.shape, step.legal_action_mask.shape, step.rewards.shape
((3,), (3, 20), (3, 2))
"""

from plenilune.rl.batch import Batch, Step

__all__ = ["Batch", "Step"]
