"""Monte-Carlo tree search (MCTS) over any game's states, as compiled functions over flat arrays.

One simulation descends from the root, adds a node, evaluates it (a rollout of a few random plies and then the game's
`evaluate`, or random play to the end) and backs the result up: a value for every seat (Coulom 2006, "Efficient
selectivity and backup operators in Monte-Carlo tree search").

- Selection is PUCT: a seat picks the action with the best sum of its mean value and an exploration bonus weighted by
  the action's prior (Rosin 2011, "Multi-armed bandits with episode context"; Silver et al. 2017, "Mastering the game of
  Go without human knowledge"). An unvisited action is taken to be a little worse than its parent: first-play urgency
  (Gelly & Wang 2006, "Exploration exploitation in Go").
- Several seats: every seat maximises its own value, max^n (Luckhardt & Irani 1986, "An algorithmic solution of n-person
  games").
- Chance's outcomes are equally likely. Where there are many, a node gets more of them only as it is visited more:
  progressive widening (Chaslot et al. 2008, "Progressive strategies for Monte-Carlo tree search"; Couëtoux et al. 2011,
  "Continuous upper confidence trees").
- Solved nodes are known exactly and not visited again: the end of a match, a decision or chance node all of whose
  children are solved, a decision with a child that surely wins (Winands et al. 2008, "Monte-Carlo tree search solver").
- Hidden information: every simulation starts with a determinization, a fair sample of what the searcher cannot see, and
  one tree over information sets serves them all; nodes count how often each action was available (IS-MCTS: Cowling,
  Powley & Whitehouse 2012, "Information set Monte Carlo tree search").
- Opponents must not profit from the searcher's own secrets. So where an opponent is to act and the branch has not been
  searched enough from outside, the simulation becomes a decoy: from there on those secrets are resampled too, as a
  spectator would, and its result is backed up only to there. In true simulations opponents sample their action in
  proportion to the decoys' visits. (Related: Cowling, Whitehouse & Powley 2015, "Emergent bluffing and inference with
  Monte Carlo tree search"; Goodman 2019, "Re-determinizing MCTS in Hanabi".)
"""
