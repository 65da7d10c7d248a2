"""Monte-Carlo tree search over any game's states, as compiled functions over flat arrays.

A simulation walks down the tree from the root, adds a node, looks at the position there (a few random plies, then the
game's `evaluate`; or random play to the end) and adds what it found to every node on the way: a value for every seat.

- A seat picks the action that is best for itself (max^n) by value and by how little it has been tried (PUCT).
- Chance's outcomes are equally likely. Where there are many, a node gets more of them only as it is visited more
  (progressive widening).
- What is solved is known exactly and not visited again: the end of a match, a decision or chance node all of whose
  children are solved, a decision with a child that surely wins.
- Where a game has secrets, every simulation begins with a fair guess of what the searcher cannot see, and nodes count
  how often each action could be chosen at all (information-set search). The others must not profit from the
  searcher's own secrets: so where they are to act and the branch has not been thought about enough from outside, the
  simulation becomes a decoy. From there on those secrets are guessed too, as a spectator would, and what it finds
  counts only from there on. In true simulations the others choose an action as often as decoys do.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from plenilune.engine import apply, below, generic, hide, legal, places, resample, rule
from plenilune.game import Tuning
from plenilune.record import CHANCE, OVER, SPECTATOR, Record, f32, i32, i64

SEATS = 4
NONE = -1
TRUE, DECOY, KINDS = 0, 1, 2  # the kinds of simulation
LONGEST = 256  # plies from the root to a leaf
WIDE = 12  # chance nodes with more outcomes than this are widened step by step
SURE = 1 - 1e-9
HUNCH = 2.0  # how many visits its prior stands for where an action is chosen as often as decoys chose it
FINE = 1 << 30
LOOK_UP = 32  # simulations between two looks at whether the decision is made


class Node(Record):
    """One position, as far as the tree can tell positions apart. Most are never visited, and every simulation reads
    many of them: so a node is small, and what visits find out stands on a page of its own."""

    action: int = i32()  # what leads here
    sibling: int = i32()  # its parent's next child, or NONE
    page: int = i32()  # NONE before the first visit
    prior: float = f32()  # how promising its action looked, before any visit
    visits: Any = i32(KINDS)  # by kind of simulation
    offered: Any = i32(KINDS)  # how often its action could be chosen


class Page(Record):
    """What visits have found out about a node."""

    first: int = i32()  # its first child, or NONE
    width: int = i32()  # how many children it has
    complete: int = i32()  # 1 if they are all there can be
    solved: int = i32()  # 1 once `exact` holds
    exact: Any = f32(SEATS)  # what it is worth to each seat
    value: Any = f32(KINDS, SEATS)  # the sum of what its visits found, by kind of simulation


class Desk(Record):
    """What a search keeps beside its nodes."""

    used: int = i32()  # nodes
    written: int = i32()  # pages
    secrets: int = i32()  # 1 where the game has some
    deepest: int = i32()
    kind: int = i32()  # of the simulation under way
    since: int = i32()  # the depth from which on it is of that kind: what it finds counts only there
    path: Any = i32(LONGEST + 1)  # its nodes
    actors: Any = i32(LONGEST + 1)  # who acts at each of them
    trusted: Any = i32(LONGEST + 1)  # a solved child of each whose worth holds instead of what is found, or NONE
    stamp: int = i64()  # grows by one with every marking


class Tree(NamedTuple):
    nodes: Any  # the root is node 0
    pages: Any  # that of the root is page 0
    desk: Any
    legal: Any  # scratch: the actions listed last
    weight: Any  # scratch: how promising they are
    mark: Any  # scratch, by action: the stamp of the listing it was last in
    found: Any  # scratch: what the leaf is worth to each seat


def new_tree(nodes: int, pages: int, actions: int, secrets: bool) -> Tree:
    """One with room for so many nodes, so many of them visited."""
    tree = Tree(
        nodes=np.zeros(nodes, Node.dtype),
        pages=np.zeros(pages, Page.dtype),
        desk=np.zeros(1, Desk.dtype),
        legal=np.zeros(actions, np.int32),
        weight=np.zeros(actions, np.float64),
        mark=np.zeros(actions, np.int64),
        found=np.zeros(SEATS, np.float64),
    )
    tree.nodes[0]["sibling"] = tree.pages[0]["first"] = NONE
    tree.desk[0]["used"] = tree.desk[0]["written"] = 1
    tree.desk[0]["secrets"] = secrets
    return tree


@rule
def win_shares(s: Any, out: Any) -> None:
    """1 for the winner, shared among equals: also what a game without `evaluate` takes a position for."""
    places(s, out)
    winners = 0
    for seat in range(s.seats):
        if out[seat] == 1:
            winners += 1
    for seat in range(s.seats):
        out[seat] = 1 / winners if out[seat] == 1 else 0.0


@rule
def prefer_all(s: Any, actions: Any, n: int, out: Any) -> None:
    """For a game that has no preference."""
    for i in range(n):
        out[i] = 1.0


evaluate = generic("evaluate", win_shares)
prefer = generic("prefer", prefer_all)


@rule
def simulate(
    tree: Tree, start: Any, work: Any, rng: Any, tuning: Tuning, viewer: int, first: int, count: int, most: int
) -> int:
    """So many simulations, numbered from `first`; fewer if the root is solved, or decided: `most` is how many there
    will be in all, or 0 to go on anyway. Returns how many."""
    for number in range(first, first + count):
        if tree.pages[0].solved or (most > 0 and number % LOOK_UP == 0 and is_decided(tree, number, most)):
            return number - first
        work[0] = start[0]
        if has_secrets(tree):
            resample(work[0], viewer, rng)
        depth = walk(tree, work[0], viewer, work[1:], tuning, rng)
        look(tree, work[0], tree.desk[0].path[depth], tuning, rng)
        back_up(tree, depth, work[0].seats)
    return count


@rule
def is_decided(tree: Tree, done: int, all_in_all: int) -> bool:
    """Whether one action will have been looked at most often, wherever the simulations go that are left: as large a
    part of them as so far, for those that become decoys do not count."""
    most, second = 0, 0
    child = tree.pages[0].first
    while child != NONE:
        if is_solved(tree, child):  # it is chosen by its worth, not by its visits
            return False
        visits = tree.nodes[child].visits[TRUE]
        if visits > most:
            most, second = visits, most
        elif visits > second:
            second = visits
        child = tree.nodes[child].sibling
    return int(most - second) * done > (all_in_all - done) * int(tree.nodes[0].visits[TRUE])


@rule
def has_secrets(tree: Tree) -> bool:
    return bool(tree.desk[0].secrets)


@rule
def is_solved(tree: Tree, node: int) -> bool:
    page = tree.nodes[node].page
    return bool(page != NONE and tree.pages[page].solved)


@rule
def walk(tree: Tree, s: Any, viewer: int, trial: Any, tuning: Tuning, rng: Any) -> int:
    """Down the tree to a node that has not been visited; returns its depth."""
    tree.desk[0].kind, tree.desk[0].since = TRUE, 0
    # After a plain 0, all that is called here would be compiled twice: for 0, and for any number.
    node: int = np.int64(0)  # type: ignore[assignment]
    depth = node
    while s.to_play != OVER and depth < LONGEST and not page_of(tree, node).solved:
        tree.desk[0].actors[depth], tree.desk[0].trusted[depth] = s.to_play, NONE
        if s.to_play == CHANCE:
            child = chance_child(tree, s, node, trial, tuning, rng)
        elif is_true(tree) and s.to_play != viewer and not become_decoy(tree, s, viewer, node, depth, rng):
            child = likely_child(tree, s, node, trial, tuning, rng)
        else:
            child = best_child(tree, s, node, depth, trial, tuning)
        if child == NONE or not open_page(tree, child):
            break
        apply(s, tree.nodes[child].action)
        depth += 1
        node = child
        tree.desk[0].path[depth] = node
        if tree.nodes[node].visits[tree.desk[0].kind] == 0:
            break
    tree.desk[0].trusted[depth] = NONE
    return depth


# Secrets


@rule
def is_true(tree: Tree) -> bool:
    """Whether the simulation under way knows what the others must not use."""
    return bool(has_secrets(tree) and tree.desk[0].kind == TRUE)


@rule
def become_decoy(tree: Tree, s: Any, viewer: int, node: int, depth: int, rng: Any) -> bool:
    """Forget what a spectator does not know, and guess it anew, if decoys have not found out as much about what is done
    here as true simulations make use of: those look for whatever gains most, and would find where the others do not
    know what to do. Tells whether the simulation is a decoy now. None becomes one right after another seat's action,
    for how often decoys go there says how much that seat likes it."""
    before = tree.desk[0].actors[depth - 1] if depth > 0 else viewer
    enough = tree.nodes[node].visits[DECOY] > tree.nodes[node].visits[TRUE]
    if enough or (before != viewer and before != CHANCE):
        return False
    tree.desk[0].kind, tree.desk[0].since = DECOY, depth
    hide(s, SPECTATOR)
    resample(s, SPECTATOR, rng)
    return True


# Growing


@rule
def page_of(tree: Tree, node: int) -> Any:
    """The page of a node that has been visited."""
    return tree.pages[tree.nodes[node].page]


@rule
def open_page(tree: Tree, node: int) -> bool:
    """See to it that the node has a page; tells whether there was room."""
    if tree.nodes[node].page == NONE:
        if tree.desk[0].written == len(tree.pages):
            return False
        tree.nodes[node].page = tree.desk[0].written
        tree.desk[0].written += 1
        new = page_of(tree, node)
        new.first = NONE
        new.width = new.complete = new.solved = 0
        for kind in range(KINDS):
            for seat in range(SEATS):
                new.value[kind, seat] = 0
    return True


@rule
def expand(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning) -> bool:
    """Give the node a child for every action that is legal now; tells whether there was room."""
    n = legal(s, tree.legal)
    if tree.desk[0].used + n > len(tree.nodes):
        return False
    total = weigh(tree, s, n, trial, tuning)
    for i in range(n - 1, -1, -1):  # each becomes the first child, so the list ends in order
        add_child(tree, node, tree.legal[i], tree.weight[i] / total)
    return True


@rule
def weigh(tree: Tree, s: Any, n: int, trial: Any, tuning: Tuning) -> float:
    """How promising each of the listed actions is, into `weight`; returns the sum."""
    if s.to_play == CHANCE:
        prefer_all(s, tree.legal, n, tree.weight)
    elif tuning.trust > 0:
        for i in range(n):
            trial[0] = s
            apply(trial[0], tree.legal[i])
            judge(trial[0], tree.found)
            tree.weight[i] = math.exp(tree.found[s.to_play] / tuning.trust)
    else:
        prefer(s, tree.legal, n, tree.weight)
    total = 0.0
    for i in range(n):
        total += tree.weight[i]
    return total


@rule
def add_child(tree: Tree, node: int, action: int, prior: float) -> int:
    child = tree.desk[0].used
    tree.desk[0].used += 1
    new = tree.nodes[child]
    new.action, new.prior = action, prior
    new.sibling, new.page = page_of(tree, node).first, NONE
    for kind in range(KINDS):
        new.visits[kind] = new.offered[kind] = 0
    page_of(tree, node).first = child
    page_of(tree, node).width += 1
    return int(child)


@rule
def child_by(tree: Tree, node: int, action: int) -> int:
    child = page_of(tree, node).first
    while child != NONE and tree.nodes[child].action != action:
        child = tree.nodes[child].sibling
    return int(child)


@rule
def nth_child(tree: Tree, node: int, n: int) -> int:
    child = page_of(tree, node).first
    for _ in range(n):
        child = tree.nodes[child].sibling
    return int(child)


@rule
def graft(tree: Tree, old: Tree, root: int) -> None:
    """Begin with the part of an older tree below one of its nodes, as far as there is room for it."""
    tree.desk[0].used = tree.desk[0].written = 0
    copy_node(tree, old, root)
    done = 0
    while done < tree.desk[0].used:  # breadth first: what was copied last waits for its children
        if tree.nodes[done].page != NONE:
            copy_children(tree, old, done)
        done += 1


@rule
def copy_node(tree: Tree, old: Tree, node: int) -> int:
    """Without children and siblings; where there is no room for its page, as if it had never been visited."""
    copy = tree.desk[0].used
    tree.desk[0].used += 1
    tree.nodes[copy] = old.nodes[node]
    tree.nodes[copy].sibling = tree.nodes[copy].page = NONE
    if old.nodes[node].page == NONE:
        return int(copy)
    if open_page(tree, copy):
        tree.pages[tree.nodes[copy].page] = page_of(old, node)
    else:
        tree.nodes[copy].visits[TRUE] = tree.nodes[copy].visits[DECOY] = 0
    return int(copy)


@rule
def copy_children(tree: Tree, old: Tree, node: int) -> None:
    page = page_of(tree, node)
    child, last = page.first, NONE
    page.first = NONE
    if tree.desk[0].used + page.width > len(tree.nodes):
        page.width = page.complete = 0
        return
    while child != NONE:
        copy = copy_node(tree, old, child)
        if last == NONE:
            page.first = copy
        else:
            tree.nodes[last].sibling = copy
        last = copy
        child = old.nodes[child].sibling


# Chance


@rule
def chance_child(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning, rng: Any) -> int:
    if page_of(tree, node).complete:
        return nth_child(tree, node, below(rng, page_of(tree, node).width))
    room = math.sqrt(tree.nodes[node].visits[tree.desk[0].kind]) + 1
    if page_of(tree, node).width >= room and not has_secrets(tree):
        return nth_child(tree, node, below(rng, page_of(tree, node).width))
    n = legal(s, tree.legal)
    if n <= WIDE and not has_secrets(tree):
        if not expand(tree, s, node, trial, tuning):
            return NONE
        page_of(tree, node).complete = 1
        return nth_child(tree, node, below(rng, n))
    action = tree.legal[below(rng, n)]
    child = child_by(tree, node, action)
    if child == NONE and page_of(tree, node).width < room and tree.desk[0].used < len(tree.nodes):
        child = add_child(tree, node, action, 1 / n)
    return child


# Decisions


@rule
def best_child(tree: Tree, s: Any, node: int, depth: int, trial: Any, tuning: Tuning) -> int:
    """The child to try next. If the best one is solved, its worth is taken on trust (`back_up` sees to that), and the
    simulation goes where there is something to find out."""
    if has_secrets(tree):
        if not offer(tree, s, node, trial, tuning):
            return NONE
    elif not page_of(tree, node).complete:
        if not expand(tree, s, node, trial, tuning):
            return NONE
        page_of(tree, node).complete = 1
    actor, kind, stamp = s.to_play, tree.desk[0].kind, tree.desk[0].stamp
    visits = tree.nodes[node].visits[kind]
    untried = mean(tree, node, kind, actor, 0.5) - tuning.first_play
    explore = tuning.explore * tuning.blind if kind == DECOY else tuning.explore
    spread = explore * math.sqrt(visits)
    best, best_promise, open_best, open_promise = NONE, -math.inf, NONE, -math.inf
    child = page_of(tree, node).first
    while child != NONE:
        if not has_secrets(tree) or tree.mark[tree.nodes[child].action] == stamp:
            if has_secrets(tree):
                spread = explore * math.sqrt(tree.nodes[child].offered[kind])
            tried = tree.nodes[child].visits[kind]
            solved = is_solved(tree, child)
            if solved:  # nothing more to find out
                promise = float(page_of(tree, child).exact[actor])
            else:
                promise = mean(tree, child, kind, actor, untried) + spread * tree.nodes[child].prior / (1 + tried)
            if promise > best_promise:
                best, best_promise = child, promise
            if promise > open_promise and not solved:
                open_best, open_promise = child, promise
        child = tree.nodes[child].sibling
    if is_solved(tree, best) and open_best != NONE:
        tree.desk[0].trusted[depth] = best
        return int(open_best)
    return int(best)


@rule
def likely_child(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning, rng: Any) -> int:
    """A child, the likelier the more often decoys went there: somebody who knows no secrets must mix actions that are
    about as good, where always taking the best would be easy to see through."""
    if not offer(tree, s, node, trial, tuning):
        return NONE
    total, chosen = 0.0, NONE
    child = page_of(tree, node).first
    while child != NONE:
        if tree.mark[tree.nodes[child].action] == tree.desk[0].stamp:
            chances = (tree.nodes[child].visits[DECOY] + HUNCH * tree.nodes[child].prior) ** tuning.keen
            total += chances
            if below(rng, FINE) * total < chances * FINE:
                chosen = child
        child = tree.nodes[child].sibling
    return int(chosen)


@rule
def mean(tree: Tree, node: int, kind: int, seat: int, otherwise: float) -> float:
    """What visits of the node have found on average."""
    visits = tree.nodes[node].visits[kind]
    return float(page_of(tree, node).value[kind, seat] / visits) if visits > 0 else otherwise


@rule
def offer(tree: Tree, s: Any, node: int, trial: Any, tuning: Tuning) -> bool:
    """Mark what is legal in this guess, and add what is new, if there is room; tells whether there is a choice."""
    n = legal(s, tree.legal)
    tree.desk[0].stamp += 1
    kind, stamp = tree.desk[0].kind, tree.desk[0].stamp
    for i in range(n):
        tree.mark[tree.legal[i]] = stamp
    known = 0
    child = page_of(tree, node).first
    while child != NONE:
        if tree.mark[tree.nodes[child].action] == stamp:
            tree.nodes[child].offered[kind] += 1
            known += 1
        child = tree.nodes[child].sibling
    if known < n:
        if tree.desk[0].used + n - known > len(tree.nodes):
            return known > 0
        total = weigh(tree, s, n, trial, tuning)
        for i in range(n - 1, -1, -1):
            if known == 0 or child_by(tree, node, tree.legal[i]) == NONE:
                child = add_child(tree, node, tree.legal[i], tree.weight[i] / total)
                tree.nodes[child].offered[kind] += 1
    return True


# Leaves


@rule
def look(tree: Tree, s: Any, node: int, tuning: Tuning, rng: Any) -> None:
    """What the position is worth to every seat, into `found`."""
    page = page_of(tree, node)
    if page.solved:
        for seat in range(s.seats):
            tree.found[seat] = page.exact[seat]
        return
    if s.to_play == OVER and not has_secrets(tree):
        judge(s, tree.found)
        settle(page, tree.found, s.seats)
        return
    play_on(tree, s, tuning, rng)
    judge(s, tree.found)


@rule
def judge(s: Any, out: Any) -> None:
    if s.to_play == OVER and s.seats > 1:
        win_shares(s, out)
    else:
        evaluate(s, out)


@rule
def play_on(tree: Tree, s: Any, tuning: Tuning, rng: Any) -> None:
    plies = 0
    while s.to_play != OVER and plies != tuning.cut:
        n = legal(s, tree.legal)
        pick = below(rng, n)
        if s.to_play != CHANCE and n > 1 and tuning.prefer > 0 and below(rng, 1000) < 1000 * tuning.prefer:
            prefer(s, tree.legal, n, tree.weight)
            for i in range(n):
                if tree.weight[i] > tree.weight[pick]:
                    pick = i
        apply(s, tree.legal[pick])
        plies += 1


@rule
def settle(page: Any, values: Any, seats: int) -> None:
    page.solved = 1
    for seat in range(seats):
        page.exact[seat] = values[seat]


# The way back


@rule
def back_up(tree: Tree, depth: int, seats: int) -> None:
    kind = tree.desk[0].kind
    if depth > tree.desk[0].deepest:
        tree.desk[0].deepest = depth
    for d in range(depth, tree.desk[0].since - 1, -1):
        node, trusted = tree.desk[0].path[d], tree.desk[0].trusted[d]
        tree.nodes[node].visits[kind] += 1
        for seat in range(seats):
            if trusted != NONE:
                tree.found[seat] = page_of(tree, trusted).exact[seat]
            page_of(tree, node).value[kind, seat] += tree.found[seat]
    while depth > 0 and page_of(tree, tree.desk[0].path[depth]).solved:
        depth -= 1
        if not solve(tree, tree.desk[0].path[depth], tree.desk[0].actors[depth], seats):
            break


@rule
def solve(tree: Tree, node: int, actor: int, seats: int) -> bool:
    """Settle the node if its children settle it."""
    page = page_of(tree, node)
    if page.solved or not page.complete:
        return bool(page.solved)
    best, best_worth, all_solved = NONE, -math.inf, True
    child = page.first
    while child != NONE:
        if not is_solved(tree, child):
            all_solved = False
        elif actor != CHANCE and page_of(tree, child).exact[actor] > best_worth:
            best, best_worth = child, page_of(tree, child).exact[actor]
        child = tree.nodes[child].sibling
    if best != NONE and (all_solved or best_worth >= SURE):
        settle(page, page_of(tree, best).exact, seats)
    elif all_solved and actor == CHANCE:
        settle_chance(tree, page, seats)
    return bool(page.solved)


@rule
def settle_chance(tree: Tree, page: Any, seats: int) -> None:
    page.solved = 1
    for seat in range(seats):
        total = 0.0
        child = page.first
        while child != NONE:
            total += page_of(tree, child).exact[seat]
            child = tree.nodes[child].sibling
        page.exact[seat] = total / page.width


# Without a tree


@rule
def greedy_action(s: Any, trial: Any, actions: Any, values: Any, rng: Any) -> int:
    """The action after which the seat to play is best off; of equal ones any. Leaves in `values` what the position is
    then worth to it."""
    best, best_value, equals, seat = NONE, -math.inf, 0, s.to_play
    n = legal(s, actions)
    for i in range(n):
        trial[0] = s
        apply(trial[0], actions[i])
        judge(trial[0], values)
        if values[seat] > best_value:
            best, best_value, equals = int(actions[i]), values[seat], 1
        elif values[seat] == best_value:
            equals += 1
            if below(rng, equals) == 0:
                best = int(actions[i])
    values[seat] = best_value
    return best
