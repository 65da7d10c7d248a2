"""Matches as Parquet files to learn from, in four tables; docs/research.md says what their columns mean.

A dataset is a folder. `dataset.json` says what it is made of, and each table is a folder of parts. A part holds the
same matches in every table, and each of its files is there as a whole or not at all. So an interrupted dataset goes on
with the parts that are missing, and the bytes depend neither on interruptions nor on how many processes wrote them.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plenilune.bots.pool import processes_for, spread
from plenilune.bots.thought import Stop, Thought
from plenilune.core.drawing import is_terminal
from plenilune.core.encoding import Encoding, Nothing
from plenilune.core.errors import BadSetting
from plenilune.core.record import CHANCE
from plenilune.game import Game
from plenilune.match import Match
from plenilune.position import legal as legal_numbers
from plenilune.replay import Replay, standard_headers
from plenilune.rl.batch import placed
from plenilune.rl.checks import one_of, whole
from plenilune.rl.single import shares

if TYPE_CHECKING:
    from rich.console import Console

FORMAT, HEAD = "plenilune dataset 1", "dataset.json"
TABLES = ("matches", "actions", "observations", "values")
OBSERVE = ("tokens", "planes", "state")
PARTS, MOST_IN_PART = 64, 500  # a dataset has so many parts if it has enough matches; more if it has very many
MOST_MATCHES = 100_000_000
MARK = b"PAR1"  # how a Parquet file begins and ends
NEW = ".new"  # ends the name of a file that is not whole yet


def require() -> None:
    """Refuse if there is nothing here that writes Parquet."""
    if importlib.util.find_spec("pyarrow") is None:
        raise BadSetting("a dataset needs pyarrow: pip install 'plenilune[dataset]'")


# What is kept of a match


@dataclass(frozen=True)
class Played:
    """A match that is over."""

    match: Match
    bots: Sequence[str]  # who sat at each seat: a bot's name, or `person`
    by: Sequence[str]  # who played each action: bot, person, stand-in, chance
    seed: str | None = None  # of the dice, where it may be told
    thoughts: Mapping[int, Thought] = field(default_factory=dict)  # what bots thought, by ply


class Observer:
    """What seats see, as rows of numbers."""

    def __init__(self, game: Game, observe: str = "") -> None:
        encoding: Encoding = game.encoded()
        self.kind = one_of("observe", observe or ("state" if encoding.Tokens is Nothing else "tokens"), OBSERVE)
        self.encoded = {"tokens": encoding.Tokens, "planes": encoding.Planes}.get(self.kind)
        if self.encoded is Nothing:
            raise BadSetting(f"{game.name} has no {self.kind}; its observations are: state")
        self._write = {"tokens": encoding.tokens, "planes": encoding.planes}.get(self.kind)
        self.number = np.dtype(np.float32 if self.kind == "planes" else np.uint8)
        self._record = self.encoded.dtype if self.encoded else game.State.dtype

    @property
    def size(self) -> int:
        """How many numbers."""
        return self._record.itemsize // self.number.itemsize

    def bytes(self, seen: Any, seat: int) -> bytes:
        """What the seat sees, from the state as it knows it."""
        if self._write is None:
            return bytes(seen.tobytes())
        out = np.zeros(1, self._record)
        self._write(seen, seat, out[0])
        return out.tobytes()

    def fields(self) -> dict[str, Any]:
        """Where the parts of an observation begin, and their shapes; in the state's bytes, their types besides."""
        unit = self.number.itemsize
        parts = [(name, part, at) for name, part, at in placed(self._record) if part.itemsize]
        if self.encoded:
            return {name: [at // unit, list(part.shape)] for name, part, at in parts}
        return {name: [at, list(part.shape), str(part.base)] for name, part, at in parts if not part.base.names}


class Rows:
    """The tables' rows, column by column."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer
        self.columns: dict[str, dict[str, list[Any]]] = {
            table: {column: [] for column in schema(table, observer).names} for table in TABLES
        }

    def add(self, number: int, played: Played) -> None:
        """Add a match by its number in the dataset."""
        match = played.match
        self._row("matches", match=number, rules=match.game.version, components=match.game.components,
                  seats=match.seats, options=written(match.options), seed=played.seed, bots=list(played.bots),
                  plies=match.ply, scores=match.scores, places=match.places)  # fmt: skip
        results = list(zip(match.scores, match.places, rewards(match), strict=True))
        steps = zip(match.positions(), match.actors, match.history, played.by, strict=False)
        for ply, (position, actor, text, by) in enumerate(steps):
            action = match.game.actions.parse(text)
            here = {"match": number, "ply": ply}
            self._row("actions", **here, actor=actor, by=by, action=action, text=text)
            if actor == CHANCE:
                continue
            here["seat"], seen = actor, position.seen(actor)
            legal = legal_numbers(match.game, seen)
            observation = self.observer.bytes(seen, actor)
            self._row("observations", **here, action=action, legal=legal, observation=observation)
            score, place, reward = results[actor]
            found = searched(played.thoughts.get(ply), actor, legal)
            self._row("values", **here, score=score, place=place, reward=reward, **found)

    def _row(self, table: str, **values: Any) -> None:
        columns = self.columns[table]
        for column, value in values.items():
            columns[column].append(value)

    def table(self, name: str) -> Any:
        import pyarrow as pa

        found = schema(name, self.observer)
        columns: dict[str, Any] = dict(self.columns[name])
        if name == "observations":
            numbers = np.frombuffer(b"".join(columns["observation"]), self.observer.number)
            columns["observation"] = pa.FixedSizeListArray.from_arrays(pa.array(numbers), self.observer.size)
        return pa.table(columns, found)


def searched(thought: Thought | None, seat: int, legal: Sequence[int]) -> dict[str, Any]:
    """What a search found; nothing where there was none."""
    if thought is None or not thought.simulations:
        return {"value": None, "simulations": 0, "visits": None}
    visits = [thought.visits.get(action, 0) for action in legal]
    return {"value": thought.values[seat], "simulations": thought.simulations, "visits": visits}


def rewards(match: Match) -> list[float]:
    """As `Step.rewards`."""
    return shares(match.places) if match.seats > 1 else [float(match.game.encoded().reward(match.state))]


def written(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={word}" for name, word in options.items())


def schema(table: str, observer: Observer) -> Any:
    import pyarrow as pa

    number = pa.float32() if observer.kind == "planes" else pa.uint8()
    at = {"match": pa.int64(), "ply": pa.int32(), "seat": pa.int8()}
    columns = {
        "matches": {
            "match": pa.int64(),
            "rules": pa.int16(),
            "components": pa.string(),
            "seats": pa.int8(),
            "options": pa.string(),
            "seed": pa.string(),
            "bots": pa.list_(pa.string()),
            "plies": pa.int32(),
            "scores": pa.list_(pa.int32()),
            "places": pa.list_(pa.int8()),
        },
        "actions": {
            "match": pa.int64(),
            "ply": pa.int32(),
            "actor": pa.int8(),
            "by": pa.string(),
            "action": pa.int32(),
            "text": pa.string(),
        },
        "observations": {
            **at,
            "action": pa.int32(),
            "legal": pa.list_(pa.int32()),
            "observation": pa.list_(number, observer.size),
        },
        "values": {
            **at,
            "score": pa.int32(),
            "place": pa.int8(),
            "reward": pa.float32(),
            "value": pa.float32(),
            "simulations": pa.int32(),
            "visits": pa.list_(pa.int32()),
        },
    }
    return pa.schema(columns[table].items())


# Parts


class Part(NamedTuple):
    number: int
    matches: range  # their numbers in the dataset

    def file(self, folder: Path, table: str) -> Path:
        return folder / table / f"part-{self.number:05}.parquet"

    def is_whole(self, folder: Path) -> bool:
        return all(is_parquet(self.file(folder, table)) for table in TABLES)


def is_parquet(file: Path) -> bool:
    """Whether a file is there from its beginning to its end, as Parquet marks them."""
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(MARK)) == MARK
            length = opened.seek(0, os.SEEK_END)
            opened.seek(max(0, length - len(MARK) - 4))
            footer, ends = int.from_bytes(opened.read(4), "little"), opened.read() == MARK
    except OSError:
        return False
    return begins and ends and footer + 2 * len(MARK) + 4 <= length


def parts(matches: int) -> list[Part]:
    """How so many matches are divided; it depends on nothing else.

    >>> [part.matches for part in parts(130)][:2], len(parts(130)), len(parts(1_000_000))
    ([range(0, 3), range(3, 6)], 44, 2000)
    """
    size = min(MOST_IN_PART, -(-matches // PARTS))
    starts = range(0, matches, max(1, size))
    return [Part(number, range(first, min(first + size, matches))) for number, first in enumerate(starts)]


def write(folder: Path, part: Part, rows: Rows) -> None:
    import pyarrow.parquet as pq

    for table in TABLES:
        with whole_file(part.file(folder, table)) as new:
            pq.write_table(rows.table(table), new, compression="zstd")


@contextmanager
def whole_file(file: Path) -> Iterator[Path]:
    """A file that takes its name once it is complete and on the disk."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f".{file.name}{NEW}")
    yield new
    with new.open("rb+") as written:
        os.fsync(written.fileno())
    new.replace(file)


# The folder


def head(game: Game, observer: Observer, code: str, **more: Any) -> dict[str, Any]:
    """What a dataset is made of. `code` names the version of the programs that make it."""
    observation = {"kind": observer.kind, "number": observer.number.name, "size": observer.size}
    return {
        "format": FORMAT,
        "game": game.name,
        "rules": game.version,
        "components": game.components,
        "code": code,
        **more,
        "observation": {**observation, "fields": observer.fields()},
    }


def read_head(folder: Path) -> dict[str, Any] | None:
    """What the dataset in the folder is made of; nothing if there is none. Refused if there is something else."""
    file = folder / HEAD
    if not file.exists():
        if folder.exists() and not folder.is_dir():
            raise BadSetting(f"{folder} is no folder: a dataset is one")
        if folder.exists() and any(not one.name.endswith(NEW) for one in folder.iterdir()):
            raise BadSetting(f"{folder} is not empty and holds no dataset: choose another folder")
        return None
    try:
        found = json.loads(file.read_text("utf-8"))
        if found["format"] == FORMAT:
            return dict(found)
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise BadSetting(f"{file} cannot be read: choose another folder") from error
    raise BadSetting(f"{file} is of another version, {found['format']!r}: choose another folder")


def begin(folder: Path, made_of: Mapping[str, Any]) -> None:
    """Begin a dataset, or go on with the one that is there if it is made of the same."""
    there = read_head(folder)
    for key, ours in made_of.items():
        if there is not None and there.get(key) != ours:
            raise BadSetting(
                f"the dataset in {folder} has another {key}, {there.get(key)!r} instead of {ours!r}: "
                "choose another folder"
            )
    folder.mkdir(parents=True, exist_ok=True)
    for unfinished in folder.rglob(f".*{NEW}"):
        unfinished.unlink()
    if there is None:
        with whole_file(folder / HEAD) as new:
            new.write_text(json.dumps(made_of, indent=2, ensure_ascii=False) + "\n", "utf-8")


def make(
    folder: Path,
    made_of: Mapping[str, Any],
    work: Callable[[Part, Stop], int | None],
    jobs: int | None,
    warm_up: Callable[[], None],
    console: Console | None = None,
) -> int:
    """Have each part made that is missing. `work` returns how many matches it is done with, or nothing if it was
    stopped."""
    from rich.console import Console

    console, jobs = console or Console(), processes_for(jobs)
    begin(folder, made_of)
    total = made_of["matches"]
    todo = [part for part in parts(total) if not part.is_whole(folder)]
    done = total - sum(len(part.matches) for part in todo)
    if done and todo:
        console.print(f"Going on: {done:,} of {total:,} matches are in {folder}", highlight=False, soft_wrap=True)
    try:
        if todo:
            warm_up()
        with _progress(done, total) as advance:
            for count in spread(work, todo, jobs, warm_up):
                done += count
                advance(count)
    except KeyboardInterrupt:
        console.print(
            f"Stopped: {done:,} of {total:,} matches are in {folder}; the same command goes on",
            highlight=False,
            soft_wrap=True,
        )
        return 130
    written, plies = counted(folder)
    without = f"; {total - written:,} of {total:,} were left out" if written < total else ""
    console.print(
        f"{written:,} matches with {plies:,} actions are in {folder}{without}", highlight=False, soft_wrap=True
    )
    return 0


def counted(folder: Path) -> tuple[int, int]:
    """How many matches and actions there are."""
    import pyarrow.parquet as pq

    matches, actions = (
        sum(pq.read_metadata(file).num_rows for file in (folder / table).glob("*.parquet"))
        for table in ("matches", "actions")
    )
    return matches, actions


@contextmanager
def _progress(done: int, total: int) -> Iterator[Callable[[int], None]]:
    """A bar, where somebody looks on."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not is_terminal(sys.stderr)
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as progress:
        task = progress.add_task("matches", total=total, completed=done)
        yield lambda count: progress.update(task, advance=count)


# Reading


def match(folder: Path | str, number: int) -> Match:
    """A match of the dataset in that folder, played again. Refused where an action is not what the rules allow."""
    require()
    if not isinstance(folder, str | os.PathLike):
        raise BadSetting(f"a dataset is a folder, not {folder!r}")
    folder, number = Path(folder), whole("number", number, 0, 2**63 - 1)
    made_of = read_head(folder) or {}
    rows = found(folder, "matches", number) if made_of else []
    if not rows:
        raise BadSetting(f"there is no match {number} in {folder}")
    row, actions = rows[0], found(folder, "actions", number)
    options = dict(word.split("=") for word in row["options"].split())
    headers = standard_headers(
        made_of["game"], row["rules"], row["components"], row["seats"], options, row["seed"] or "", (), row["scores"]
    )
    texts = [action["text"] for action in sorted(actions, key=lambda action: action["ply"])]
    return Match.load(Replay(headers, texts).text(), check_dice=True)


def found(folder: Path, table: str, number: int) -> list[dict[str, Any]]:
    """The rows of a match."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows: list[dict[str, Any]] = pq.read_table(folder / table, filters=[("match", "==", number)]).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise BadSetting(
            f"{folder / table} is damaged: delete its parts, and the command that made them makes them again"
        ) from error
    return rows
