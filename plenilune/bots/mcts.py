"""The bots called `mcts`: run the compiled search within a budget, and read the answer off its trees."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from plenilune.bots.search import query
from plenilune.bots.search.records import Tree, new_tree
from plenilune.bots.thought import Budget, Stop, Think, Thought, never
from plenilune.core.errors import BadSetting
from plenilune.core.record import OVER
from plenilune.game import Game

MAX_NODES, MAX_VISITED = 4_000_000, 1_000_000  # 192 MB
NODES_PER_SIMULATION = 20  # about; a tree that is full goes on with the nodes it has
SLICE, FIRST_SLICE = 0.004, 8  # compiled search between two looks at the clock: seconds; at first, simulations
COMPILED_FUNCTIONS = 60  # about, for the progress bar
REPORT = 0.1  # seconds between two thoughts of a stream
REUSED = 50  # a subtree is looked for among the nodes with more than this fraction of the visits


def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
    return Search(game, seen, seat, budget, seed, stop).conclude()


def remembering() -> Think:
    """To think about one decision after the other of the same seat: each search starts with the subtree that the one
    before has for its position."""
    last: Search | None = None

    def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
        nonlocal last
        last = Search(game, seen, seat, budget, seed, stop, after=last, only_action=True)
        return last.conclude()

    return think


@dataclass
class Worker:
    """One thread of a search, with a tree of its own."""

    tree: Tree
    states: Any  # scratch for compiled code
    rng: Any
    done: int = 0  # simulations
    decided: bool = False  # there is nothing left to find out
    paused: float = 0.0  # seconds spent in `stop`

    def time(self) -> float:
        """Without what was spent in `stop`: a scheduler that shares a processor among searches pauses them there."""
        return time.perf_counter() - self.paused

    def is_stopped(self, stop: Stop) -> bool:
        began = time.perf_counter()
        stopped = stop()
        self.paused += time.perf_counter() - began
        return stopped


class Search:
    """One decision being searched by one or several threads. Each has its own tree, and their visits are added up: root
    parallelization (Chaslot et al. 2008, "Parallel Monte-Carlo tree search")."""

    def __init__(
        self,
        game: Game,
        seen: Any,
        seat: int,
        budget: Budget,
        seed: int = 0,
        stop: Stop = never,
        after: Search | None = None,
        only_action: bool = False,
    ) -> None:
        """`after` is an earlier search of the same seat: what it found about this position is reused, and counts
        towards the budget. With `only_action`, it ends as soon as the simulations left could not change the action."""
        _check(seen, budget)
        self.game, self.seat, self.budget, self.stop = game, seat, budget, stop
        self.start, self.tuning = np.array([seen], game.State.dtype), game.tuning_for(int(seen.seats))
        self.share = -(-budget.simulations // budget.threads)  # of each thread; 0: until the time is up
        self.planned = self.share if only_action and budget.threads == 1 else 0
        self.workers = [self._new_worker(seed, thread) for thread in range(budget.threads)]
        self._compile()
        if after is not None:
            self._reuse(after)

    def _new_worker(self, seed: int, thread: int) -> Worker:
        from plenilune.core.engine import generator  # compiled code is loaded when it is needed, not before

        nodes, visited = MAX_NODES, MAX_VISITED
        if self.share:
            nodes = min(nodes, 1_000 + self.share * NODES_PER_SIMULATION)
            visited = min(visited, 1 + self.share)  # a simulation visits one node that no other has visited
        rng = generator((seed * 1_000_003 + thread) % 2**64)
        return Worker(new_tree(self.game, nodes, visited), np.repeat(self.start, 2), rng)

    def _compile(self) -> None:
        """Before the clock runs."""
        from plenilune.bots.search.simulation import simulate
        from plenilune.core.compiling import first_use

        self._compiled = simulate
        first_use(self.game, simulate, lambda: self._simulate(self.workers[0], 0), COMPILED_FUNCTIONS)

    def _reuse(self, after: Search) -> None:
        from plenilune.bots.search.tree import copy_subtree

        found = after.find(self.start[0], self.seat)
        for worker, (older, root, done) in zip(self.workers, found, strict=False):
            copy_subtree(worker.tree, older, root)
            worker.done = done

    @property
    def trees(self) -> list[Tree]:
        return [worker.tree for worker in self.workers]

    @property
    def done(self) -> int:
        """Simulations, of all threads."""
        return sum(worker.done for worker in self.workers)

    # Searching

    def conclude(self) -> Thought:
        return list(self.thoughts(report=float("inf")))[-1]

    def thoughts(self, report: float = REPORT) -> Iterator[Thought]:
        """Better and better answers, one every `report` seconds and one at the end."""
        clock = self.workers[0].time
        deadline = clock() + (self.budget.seconds or float("inf"))
        with ThreadPoolExecutor(len(self.workers)) as pool:
            finished = False
            while not finished:
                until = min(deadline, clock() + report)
                if len(self.workers) == 1:
                    self._search(self.workers[0], until)
                else:
                    list(pool.map(self._search, self.workers, [until] * len(self.workers)))
                finished = self._is_finished(deadline)
                yield self.thought()

    def _is_finished(self, deadline: float) -> bool:
        first = self.workers[0]
        return first.is_stopped(self.stop) or first.time() >= deadline or all(map(self._is_done, self.workers))

    def _is_done(self, worker: Worker) -> bool:
        return worker.decided or 0 < self.share <= worker.done

    def _search(self, worker: Worker, until: float) -> None:
        """Simulate until then, in slices of a few milliseconds; what is found does not depend on their length."""
        began, before, count = worker.time(), worker.done, FIRST_SLICE
        while not self._is_done(worker):
            if self.share:
                count = min(count, self.share - worker.done)
            done = self._simulate(worker, count)
            worker.done += done
            worker.decided = done < count
            now = worker.time()
            if now >= until or worker.is_stopped(self.stop):
                return
            count = max(1, int((worker.done - before) / (now - began) * min(SLICE, until - now)))

    def _simulate(self, worker: Worker, count: int) -> int:
        """Returns how many simulations were run; fewer than `count` if there is nothing left to find out."""
        tree, states, rng, first = worker.tree, worker.states, worker.rng, worker.done
        return int(self._compiled(tree, self.start, states, rng, self.tuning, self.seat, first, count, self.planned))

    # Reuse

    def find(self, seen: Any, seat: int) -> list[tuple[Tree, int, int]]:
        """Where the trees have this position, if it is not far from the root and was visited often, and for how many
        simulations that counts. A tree with secrets is followed along the seat's own actions only: what others played
        is not always known."""
        if seat != self.seat or seen.dtype != self.start.dtype:
            return []
        path = self._path_to(seen)
        roots = [(worker.tree, query.follow(worker.tree, path), worker.done) for worker in self.workers]
        return [
            (tree, root, query.simulations_through(tree, root, done))
            for tree, root, done in roots
            if root > 0 and query.is_searched(tree, root)
        ]

    def _path_to(self, seen: Any) -> list[int]:
        """The actions that lead from the position searched to this one; none if it was not found."""
        first, wanted, copy = self.workers[0], seen.tobytes(), self.game.State.copy
        least = first.done // REUSED
        waiting: list[tuple[list[int], Any]] = [([], copy(self.start[0]))]
        while waiting:
            path, state = waiting.pop()
            if self.game.secrets and state.to_play != self.seat:
                continue
            for child in query.children(first.tree, query.follow(first.tree, path)):
                if child["visits"].sum() > least:
                    there: Any = copy(state)
                    self.game.apply(there, int(child["action"]))
                    self.game.hide(there, self.seat)
                    waiting.append(([*path, int(child["action"])], there))
                    if there.tobytes() == wanted:
                        return waiting[-1][0]
        return []

    # The answer

    def thought(self) -> Thought:
        """What the trees know by now."""
        visits: dict[int, int] = {}
        sums: dict[int, float] = {}
        values = np.zeros(int(self.start[0]["seats"]))
        for tree in self.trees:
            values += query.values(tree, tree.nodes[0])[: len(values)] / len(self.trees)
            for child in query.children(tree, 0):
                action, n = int(child["action"]), query.visits(child)
                if n or query.is_solved(tree, child):
                    visits[action] = visits.get(action, 0) + max(n, 1)
                    sums[action] = sums.get(action, 0.0) + max(n, 1) * float(query.values(tree, child)[self.seat])
        worth = {action: total / visits[action] for action, total in sums.items()}
        solved = all(query.is_solved(tree, tree.nodes[0]) for tree in self.trees)
        best = self._best(visits, worth)
        line = query.principal_variation(self.trees[0], best)
        return Thought(best, [float(v) for v in values], visits, worth, line, self.done, solved)

    def _best(self, visits: dict[int, int], worth: dict[int, float]) -> int:
        """The most visited action; but a solved one that is worth more, or as much, is better still."""
        tree = self.trees[0]
        solved = {int(child["action"]) for child in query.children(tree, 0) if query.is_solved(tree, child)}
        tried = [a for a in visits if a not in solved]
        best = [max(tried, key=lambda a: (visits[a], worth[a], -a))] if tried else []
        best += [max(solved, key=lambda a: (worth[a], -a))] if solved else []
        return max(best, key=lambda a: (worth[a], a in solved))


def _check(seen: Any, budget: Budget) -> None:
    if not budget.simulations and not budget.seconds:
        raise BadSetting("a search needs a number of simulations or some time")
    if seen.to_play == OVER:
        raise BadSetting("the match is over: there is nothing left to search")
