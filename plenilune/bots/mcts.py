"""The searching bot: gives the tree its time, and reads the answer off it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from plenilune.bots.thought import Budget, Stop, Think, Thought, never
from plenilune.errors import BadSetting
from plenilune.game import Game
from plenilune.record import OVER

if TYPE_CHECKING:
    from plenilune.bots.tree import Tree

MOST_NODES, MOST_PAGES = 4_000_000, 1_000_000  # 192 MB
NODES_A_SIMULATION = 20  # about; a tree that is full goes on with the nodes it has
BREATH, FIRST_BREATH = 0.004, 8  # seconds of compiled search before the clock and `stop` are looked at; simulations
PARTS = 60  # functions a search is compiled from, about
REPORT = 0.1  # seconds between two thoughts of a stream
KEPT = 50  # a part of the tree is kept for the next decision if it has more than this fraction of the visits
EXPECTED = 8  # visits that make an action worth telling in the expected line


def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
    return Search(game, seen, seat, budget, seed, stop).conclude()


def remembering() -> Think:
    """To think about one decision after the other of the same seat, each beginning with what is known of it already."""
    last: Search | None = None

    def think(game: Game, seen: Any, seat: int, budget: Budget, seed: int, stop: Stop) -> Thought:
        nonlocal last
        last = Search(game, seen, seat, budget, seed, stop, after=last, only_action=True)
        return last.conclude()

    return think


class Search:
    """One decision being thought about, by one or several threads with a tree each."""

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
        """`after` is an earlier search of the same seat: what it found about this position is kept, and counts. Whoever
        wants `only_action` has it as soon as the simulations that are left could not change it."""
        from plenilune.bots import tree  # compiled code is loaded when it is needed, not before
        from plenilune.compiling import first_use
        from plenilune.engine import generator

        if not budget.simulations and not budget.seconds:
            raise BadSetting("a search needs a number of simulations or some time")
        if seen.to_play == OVER:
            raise BadSetting("the match is over: there is nothing left to search")
        self.game, self.seat, self.budget, self.stop = game, seat, budget, stop
        self.start, self.tuning = np.array([seen], game.State.dtype), game.tuning_for(int(seen.seats))
        self.share = -(-budget.simulations // budget.threads)
        nodes, pages = MOST_NODES, MOST_PAGES
        if self.share:
            nodes = min(nodes, 1_000 + self.share * NODES_A_SIMULATION)
            pages = min(pages, 1 + self.share)  # a simulation visits one node that no other has visited
        threads = range(budget.threads)
        self.trees = [tree.new_tree(nodes, pages, game.actions.size, bool(game.secrets)) for _ in threads]
        self.works = [np.repeat(self.start, 2) for _ in threads]
        self.rngs = [generator((seed * 1_000_003 + thread) % 2**64) for thread in threads]
        self.done = [0 for _ in threads]
        self.decided = [False for _ in threads]  # there is nothing left to find out
        self.held_up = [0.0 for _ in threads]  # seconds spent in `stop`
        self.most = self.share if only_action and budget.threads == 1 else 0
        self._compiled = tree.simulate
        first_use(game, tree.simulate, lambda: self._simulate(0, 0), PARTS)  # before the clock runs
        if after is not None and (kept := after.find(seen, seat)):
            for thread, (own, (older, root, done)) in enumerate(zip(self.trees, kept, strict=False)):
                tree.graft(own, older, root)
                self.done[thread] = done

    def conclude(self) -> Thought:
        return list(self.thoughts(report=float("inf")))[-1]

    def thoughts(self, report: float = REPORT) -> Iterator[Thought]:
        """Better and better answers, one every `report` seconds and one at the end."""
        deadline = self._time() + (self.budget.seconds or float("inf"))
        with ThreadPoolExecutor(len(self.trees)) as pool:
            finished = False
            while not finished:
                until = min(deadline, self._time() + report)
                if len(self.trees) == 1:
                    self._search(0, until)
                else:
                    list(pool.map(self._search, range(len(self.trees)), [until] * len(self.trees)))
                finished = self._finished(deadline)
                yield self.thought()

    def _finished(self, deadline: float) -> bool:
        return self._is_stopped() or self._time() >= deadline or all(map(self._is_done, range(len(self.trees))))

    def _time(self, thread: int = 0) -> float:
        """Without what was spent in `stop`: whoever shares a processor among searches holds them up there."""
        return time.perf_counter() - self.held_up[thread]

    def _is_stopped(self, thread: int = 0) -> bool:
        began = time.perf_counter()
        stopped = self.stop()
        self.held_up[thread] += time.perf_counter() - began
        return stopped

    def _is_done(self, thread: int) -> bool:
        return self.decided[thread] or 0 < self.share <= self.done[thread]

    def _search(self, thread: int, until: float) -> None:
        """Simulate until then, looking up every few milliseconds; what is found does not depend on when."""
        began, before, count = self._time(thread), self.done[thread], FIRST_BREATH
        while not self._is_done(thread):
            if self.share:
                count = min(count, self.share - self.done[thread])
            done = self._simulate(thread, count)
            self.done[thread] += done
            self.decided[thread] = done < count
            now = self._time(thread)
            if now >= until or self._is_stopped(thread):
                return
            count = max(1, int((self.done[thread] - before) / (now - began) * min(BREATH, until - now)))

    def _simulate(self, thread: int, count: int) -> int:
        tree, work, rng, first = self.trees[thread], self.works[thread], self.rngs[thread], self.done[thread]
        return int(self._compiled(tree, self.start, work, rng, self.tuning, self.seat, first, count, self.most))

    def find(self, seen: Any, seat: int) -> list[tuple[Any, int, int]]:
        """Where the trees have this position, if it is not far from the root and was looked at often, and for how many
        simulations that counts. A tree with secrets is followed along the seat's own actions only: what others played
        is not always known."""
        if seat != self.seat or seen.dtype != self.start.dtype:
            return []
        path = self._path_to(seen)
        roots = [(tree, _follow(tree, path), done) for tree, done in zip(self.trees, self.done, strict=True)]
        return [(tree, n, _part(tree, n, done)) for tree, n, done in roots if n > 0 and _tried(tree, n)]

    def _path_to(self, seen: Any) -> list[int]:
        """The actions that lead from the position searched to this one; none if it was not found."""
        tree, wanted, copy = self.trees[0], seen.tobytes(), self.game.State.copy
        least = self.done[0] // KEPT
        waiting: list[tuple[list[int], Any]] = [([], copy(self.start[0]))]
        while waiting:
            path, state = waiting.pop()
            if self.game.secrets and state.to_play != self.seat:
                continue
            for child in _children(tree, _follow(tree, path)):
                if child["visits"].sum() > least:
                    there: Any = copy(state)
                    self.game.apply(there, int(child["action"]))
                    self.game.hide(there, self.seat)
                    waiting.append(([*path, int(child["action"])], there))
                    if there.tobytes() == wanted:
                        return waiting[-1][0]
        return []

    def thought(self) -> Thought:
        """What the trees know by now."""
        visits: dict[int, int] = {}
        sums: dict[int, float] = {}
        values = np.zeros(int(self.start[0]["seats"]))
        for tree in self.trees:
            values += _worth(tree, tree.nodes[0])[: len(values)] / len(self.trees)
            for child in _children(tree, 0):
                action, n = int(child["action"]), int(child["visits"][0])
                if n or _is_solved(tree, child):
                    visits[action] = visits.get(action, 0) + max(n, 1)
                    sums[action] = sums.get(action, 0.0) + max(n, 1) * float(_worth(tree, child)[self.seat])
        worth = {action: total / visits[action] for action, total in sums.items()}
        solved = all(_is_solved(tree, tree.nodes[0]) for tree in self.trees)
        best = self._best(visits, worth)
        line = _line(self.trees[0], best)
        return Thought(best, [float(v) for v in values], visits, worth, line, sum(self.done), solved)

    def _best(self, visits: dict[int, int], worth: dict[int, float]) -> int:
        """The action looked at most often; but a solved one that is worth more, or as much, is better still."""
        tree = self.trees[0]
        solved = {int(child["action"]) for child in _children(tree, 0) if _is_solved(tree, child)}
        tried = [a for a in visits if a not in solved]
        best = [max(tried, key=lambda a: (visits[a], worth[a], -a))] if tried else []
        best += [max(solved, key=lambda a: (worth[a], -a))] if solved else []
        return max(best, key=lambda a: (worth[a], a in solved))


def _children(tree: Tree, node: int) -> Iterator[Any]:
    child = _first_child(tree, node)
    while child >= 0:
        yield tree.nodes[child]
        child = int(tree.nodes[child]["sibling"])


def _first_child(tree: Tree, node: int) -> int:
    page = int(tree.nodes[node]["page"])
    return int(tree.pages[page]["first"]) if page >= 0 else -1


def _follow(tree: Tree, path: list[int]) -> int:
    """The node to which the actions lead from the root, or -1."""
    node = 0
    for action in path:
        node = _first_child(tree, node) if node >= 0 else -1
        while node >= 0 and tree.nodes[node]["action"] != action:
            node = int(tree.nodes[node]["sibling"])
    return node


def _tried(tree: Tree, node: int) -> bool:
    """Whether something is known about what to do there, and not by decoys alone."""
    return any(_is_solved(tree, child) or child["visits"][0] for child in _children(tree, node))


def _part(tree: Tree, node: int, done: int) -> int:
    """How many of the simulations count there: as large a part as of the true ones, for a decoy is not counted where
    it is none yet."""
    return done * int(tree.nodes[node]["visits"][0]) // int(tree.nodes[0]["visits"][0])


def _is_solved(tree: Tree, node: Any) -> bool:
    return bool(node["page"] >= 0 and tree.pages[node["page"]]["solved"])


def _worth(tree: Tree, node: Any) -> Any:
    """What a node that has been visited is worth to every seat."""
    page = tree.pages[node["page"]]
    return page["exact"] if page["solved"] else page["value"][0] / max(1, int(node["visits"][0]))


def _line(tree: Tree, action: int) -> list[int]:
    """The action and what is most looked at after it."""
    line = [action]
    while (node := _follow(tree, line)) >= 0:
        following = max(_children(tree, node), key=lambda n: int(n["visits"][0]), default=None)
        if following is None or following["visits"][0] < EXPECTED:
            break
        line.append(int(following["action"]))
    return line
