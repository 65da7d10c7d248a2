"""Writes a match for every way in which Moon Leap can end: `python -m tests.moon_leap.record FOLDER`.

To be run again whenever the rules get a new version; seeds are tried until the match is one that is wanted.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from pathlib import Path

import numpy as np

from plenilune import Match, load
from plenilune.games.moon_leap.rules import OFF, PAWNS
from tests.play import finished

Wanted = Callable[[Match], bool]


def all_of(*wanted: Wanted) -> Wanted:
    return lambda match: all(is_so(match) for is_so in wanted)


def ends_with_a_move(match: Match) -> bool:
    return match.history[-1].startswith("move")


def ends_halfway(match: Match) -> bool:
    return match.history[-1].startswith("split") and not _second_pawn_went(match)


def ends_with_a_whole_split(match: Match) -> bool:
    return match.history[-1].startswith("split") and _second_pawn_went(match)


def _second_pawn_went(match: Match) -> bool:
    before, (*_, second) = Match.load(match.save()), match.history[-1].split()
    before.undo()
    pawn = (before.to_play, int(second))
    return bool(before.state.where[pawn] != match.state.where[pawn])


def has_a_pass(match: Match) -> bool:
    return "pass" in match.history


def has_an_extra_turn(match: Match) -> bool:
    seats = [actor for actor in match.actors if actor >= 0]
    return any(one == next_one for one, next_one in pairwise(seats))


def has_an_unplaced_pawn(match: Match) -> bool:
    return bool((match.state.where[: match.seats, 1 : PAWNS + 1] == OFF).any())


def is_shared(match: Match) -> bool:
    return match.places.count(1) == 2


def bars_a_split_of_version_1(match: Match) -> bool:
    return any(legal != earlier for legal, earlier in legal_by_both(match))


def passes_where_version_1_splits(match: Match) -> bool:
    return any(legal == ["pass"] != earlier for legal, earlier in legal_by_both(match))


def legal_by_both(match: Match) -> Iterator[tuple[list[str], list[str]]]:
    """What could be played at each ply, by these rules and by version 1."""
    again, earlier = Match(match.game, match.seats), Match(load("moon-leap", 1), match.seats)
    for action in match.history:
        earlier.state = np.frombuffer(again.state.tobytes(), earlier.game.State.dtype).copy()[0]
        yield again.legal(), earlier.legal()
        again.play(action)


HALFWAY = "ends halfway through a split: the second pawn stays"
MOVE = "ends with a single pawn's move"
RUN = "three in a row gave an extra turn"
RECORDS: list[tuple[str, str, Wanted]] = [  # the file, which begins with the number of seats; its comment; the match
    ("2-halfway-through-a-split", f"{HALFWAY}; a roll had to be passed", all_of(ends_halfway, has_a_pass)),
    ("2-last-move", MOVE, ends_with_a_move),
    ("2-shared-victory", "two seats share the victory", is_shared),
    ("2-barred-split", "a split of version 1 is not allowed: its second pawn could not go", bars_a_split_of_version_1),
    ("2-pass-for-a-split", "a seat passes where version 1 made it split", passes_where_version_1_splits),
    (
        "3-last-move-with-unplaced-pawns",
        f"{MOVE}; a pawn was never placed",
        all_of(ends_with_a_move, has_an_unplaced_pawn),
    ),
    (
        "3-whole-split",
        f"{RUN}; ends with the second pawn of a split",
        all_of(has_an_extra_turn, ends_with_a_whole_split),
    ),
    ("4-halfway-through-a-split", f"{RUN}; {HALFWAY}", all_of(has_an_extra_turn, ends_halfway)),
    (
        "4-last-move",
        f"{MOVE}; a roll had to be passed; a pawn was never placed",
        all_of(ends_with_a_move, has_a_pass, has_an_unplaced_pawn),
    ),
    ("4-shared-victory", "two seats share the victory", is_shared),
]


def record(name: str, comment: str, wanted: Wanted) -> str:
    seats = int(name[0])
    for number in count():
        match = finished(Match("moon-leap", seats, seed=f"{name}-{number}"), number)
        if wanted(match):
            match.replay.comments[0] = [f"# {comment}"]
            return match.save()
    raise AssertionError


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, comment, wanted in RECORDS:
        (folder / f"{name}.match").write_text(record(name, comment, wanted), "utf-8")
