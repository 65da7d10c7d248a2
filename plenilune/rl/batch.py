"""Many matches at once, in one structured array: one compiled call plays an action in each of them."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import json
import reprlib
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plenilune.core.encoding import Encoded, Nothing
from plenilune.core.errors import BadGame, BadSetting, IllegalAction
from plenilune.core.record import CHANCE, OVER, SPECTATOR
from plenilune.game import Game, load, names
from plenilune.match import Match
from plenilune.position import Position, layout
from plenilune.rl import lanes as compiled
from plenilune.rl.lanes import Lanes, Rules, Shown
from plenilune.rl.threads import Threads

if TYPE_CHECKING:
    from plenilune.rl.cuda import Gpu

P = ParamSpec("P")
R = TypeVar("R")
Array = NDArray[Any]
ACTIONS = {"number": compiled.BY_NUMBER, "code": compiled.BY_CODE, "option": compiled.BY_OPTION}
OBSERVE = ("tokens", "planes", "state", "nothing")
CHANCES = ("auto", "manual")
AUTORESET = {"next": compiled.NEXT_STEP, "same": compiled.SAME_STEP, "never": compiled.DISABLED}
SAMPLING = 0x53414D504C45  # mixed into the seed of `sample`, which shares no numbers with chance
MOST_THREADS = 256
DEVICES = ("cpu", "cuda")
REST_OF_ROW = 48  # bytes of generators, counts and marks
MEMORY, CONTAINER = Path("/proc/meminfo"), Path("/sys/fs/cgroup")  # where Linux tells what is left
FORMAT = "plenilune batch 1"
MOST_PLIES = 2**30  # of a match that is restored: they are counted in 32 bits


def alone(method: Callable[Concatenate[Batch, P], R]) -> Callable[Concatenate[Batch, P], R]:
    """Refuse the call while another thread is in one. Compiled code runs without Python's lock, and two calls would
    play the same matches in the same scratch."""

    @functools.wraps(method)
    def call(batch: Batch, /, *arguments: P.args, **named: P.kwargs) -> R:
        if not batch._lock.acquire(blocking=False):
            raise BadSetting("this batch is already playing a step in another thread")
        try:
            return method(batch, *arguments, **named)
        finally:
            batch._lock.release()

    return call


class Step(NamedTuple):
    """What a step tells, a row for each match. Named as in pgx, with the legal actions as lists besides."""

    current_player: Array
    """The seat to play; -1 where chance is (only if it is manual), -2 where the match is over."""

    observation: Any
    """(n, size): what the seat to play sees; where none is to play, the first one. `fields` names its parts."""

    legal_action_mask: Array
    """(n, how many actions there are): which may be taken."""

    rewards: Array
    """(n, seats): 0 until the match is over. Then 1 for who has won and -1/(seats - 1) for the others; several winners
    share. A match played alone: its points, less being better where the game says so."""

    terminated: Array
    truncated: Array
    """The match was cut off after `most_steps`."""

    legal: Array
    """(n, most): the legal actions in ascending order, as `step` takes them, then -1. With actions="option": their
    numbers, of which `step` takes the places."""

    counts: Array
    """How many are legal."""

    options: Array | None
    """With actions="option", (n, most, size): features of each legal action."""

    final_observation: Any
    """With autoreset="same": what was seen at the end, where `terminated` or `truncated`."""


class Batch:
    """
    >>> batch = Batch("nova-luna", seats=2, n=4, seed=7, actions="code")
    >>> step = batch.reset()
    >>> step = batch.step(batch.sample())
    >>> step.legal_action_mask.shape, step.observation.shape, batch.fields(step.observation)["cells"].shape
    ((4, 98), (4, 557), (4, 92, 2))

    An illegal action is refused, and nothing is played:

    >>> batch.step([97, 0, 0, 0])
    Traceback (most recent call last):
    plenilune.core.errors.IllegalAction: match 0: 97 is not allowed now; ...
    """

    def __init__(
        self,
        game: Game | str,
        seats: int = 2,
        n: int = 1,
        seed: int = 0,
        *,
        actions: str = "number",
        observe: str = "",
        chance: str = "auto",
        autoreset: str = "next",
        most_steps: int = 0,
        views: bool = False,
        history: bool = False,
        threads: int = 1,
        device: str = "cpu",
        **options: str,
    ) -> None:
        """
        actions: what `step` takes: a `number` as in `Match`, a small `code`, or the place of an `option` in the list
        observe: `tokens` (bytes), `planes` (float32), the bytes of the `state` as seen, or `nothing`
        chance: `auto`, drawn from the seed, or `manual`: outcomes are given to `step` like actions
        autoreset: a match that is over restarts at the `next` step, in the `same` one, or `never`
        most_steps: cut matches off after so many; 0 is never
        views: whether a step's arrays are those of the batch, to be read only, which the next step overwrites
        history: whether `match` can tell every action that was played
        threads: the matches are shared among so many
        device: `cpu`, or `cuda`: the matches are in a GPU's memory and stay there; with views=True, so does what a
            step tells
        """
        self.game = game if isinstance(game, Game) else load(game)
        self.options = self.game.choices(seats, options)
        self.encoding = self.game.encoded()
        self.seats, self.n, self.seed = int(seats), whole("n", n, 1, 2**31), whole("seed", seed, 0, 2**64 - 1)
        self.actions = one_of("actions", actions, ACTIONS)
        self.observes = self._observes_by_default() if observe == "" else one_of("observe", observe, OBSERVE)
        self.manual = one_of("chance", chance, CHANCES) == "manual"
        self.autoreset = one_of("autoreset", autoreset, AUTORESET)
        self.most_steps, self.threads = (
            whole("most_steps", most_steps, 0, 2**31 - 1),
            whole("threads", threads, 1, MOST_THREADS),
        )
        self.views, self.keeps = true_or_false("views", views), true_or_false("history", history)
        self.device = one_of("device", device, DEVICES)
        if self.manual and actions == "code":
            raise BadSetting("codes are for seats only: with chance='manual', actions are numbers or options")
        if observe in ("tokens", "planes") and self.encoded is Nothing:
            raise BadSetting(f"{self.game.name} has no {observe}; its observations are: state, nothing")
        if device == "cuda" and self.threads > 1:
            raise BadSetting("threads are the CPU's: with device='cuda' there is a thread for each match")
        self._lock = threading.Lock()
        self._player: Threads | Gpu = gpu(self.game, self.n) if device == "cuda" else Threads(self.game, self.threads)
        self._allocate()
        self.reset(self.seed)

    # Sizes

    @property
    def action_count(self) -> int:
        """How many different numbers `step` takes."""
        if self.actions == "option":
            return self.width
        return self.encoding.size or self.game.actions.size if self.actions == "code" else self.game.actions.size

    @property
    def width(self) -> int:
        """The most actions that may be legal at once."""
        return self.encoding.most_legal or self.game.actions.size

    @property
    def encoded(self) -> type[Encoded]:
        """What is observed, as a record."""
        return {"tokens": self.encoding.Tokens, "planes": self.encoding.Planes}.get(self.observes, Nothing)

    def fields(self, observation: Array) -> dict[str, Array]:
        """The parts of observations by their names, as views: `tokens` and `planes` as the game's encode.py documents
        them. These may also be another library's tensors."""
        if self.observes == "nothing":
            raise BadSetting("nothing is observed: make the batch with another observe")
        dtype = self.game.State.dtype if self.observes == "state" else self.encoded.dtype
        size, given = dtype.itemsize // self._number.itemsize, tuple(getattr(observation, "shape", ()))
        if not given or given[-1] != size:
            found = f"of the shape {given}" if given else reprlib.repr(observation)
            raise BadSetting(f"observations are rows of {size} numbers in an array, not {found}")
        if self.observes == "state":
            row = np.ascontiguousarray(observation)
            if row.dtype != np.uint8:
                raise BadSetting(f"observations of the state are bytes, not {row.dtype}")
            record = row.reshape(-1, dtype.itemsize).view(dtype)[:, 0]
            return {name: record[name] for name in dtype.names or () if record[name].size}
        unit = self._number.itemsize
        parts = {name: (at // unit, part.itemsize // unit, part.shape) for name, part, at in placed(dtype)}
        rows = observation.shape[:-1]
        return {
            name: observation[..., at : at + n].reshape(*rows, *shape) for name, (at, n, shape) in parts.items() if n
        }

    # Playing

    @alone
    def reset(self, seed: int | None = None, mask: ArrayLike | None = None) -> Step:
        """Restart all matches, or those in the mask. With a seed, chance restarts too; without one, it continues."""
        try:
            chosen = np.ones(self.n, bool) if mask is None else np.asarray(mask)
        except ValueError as error:  # numpy's, of lists of several lengths
            raise BadSetting(f"a mask holds true and false, one for each of {self.n} matches") from error
        if chosen.dtype != bool:
            raise BadSetting(f"a mask holds true and false, not {chosen.dtype}")
        if chosen.shape != (self.n,):
            raise BadSetting(f"a mask has the shape ({self.n},), not {chosen.shape}")
        if seed is not None:
            self._seed(whole("seed", seed, 0, 2**64 - 1), chosen)
        self._check_rules(self._player.reset(chosen))
        return self._step()

    @alone
    def step(self, actions: ArrayLike) -> Step:
        """Play one action in each match. Where the match is over, the action does not matter."""
        try:
            given = self._player.taken(actions)
        except (ValueError, TypeError) as error:  # numpy's, of lists of several lengths and what is no array
            raise BadSetting(f"actions are whole numbers, one for each of {self.n} matches") from error
        self._check_actions(given)
        wrong, fault = self._player.step(given)
        if wrong >= 0:
            self._refuse(wrong, int(self._player.copy(given[wrong : wrong + 1])[0]))
        self._check_rules(fault)
        return self._step()

    @alone
    def sample(self) -> Array:
        """Any legal action for each match, all equally likely; 0 where the match is over."""
        return self._handed(self._player.sample(self._samplers, self.actions == "option"))

    # Looking

    @property
    @alone
    def states(self) -> Array:
        """The truth, a record for each match. It is a copy: what is written to it changes no match."""
        return self._player.copy(self._lanes.states)

    @alone
    def observe(self, seat: int) -> Array:
        """What one seat sees of every match, no matter who is to play."""
        seat = whole("seat", seat, 0, self.seats - 1)
        if self.observes == "state":
            out = self._player.put(np.zeros(self.n, self.game.State.dtype))
            self._player.hide(self._player.put(np.full(self.n, seat, np.int32)), out)
        else:
            out = self._player.put(np.zeros(self.n, self.encoded.dtype))
            self._player.observe_all(seat, out)
        return self._handed(self._flat(out))

    def seen(self, index: int, viewer: int = SPECTATOR) -> Any:
        """The state of one match as a seat or a spectator knows it."""
        return self.position(index).hidden(viewer)

    @alone
    def position(self, index: int) -> Position:
        index = whole("index", index, 0, self.n - 1)
        return Position(self.game, self._row("states", index), int(self._row("plies", index)))

    @alone
    def match(self, index: int) -> Match:
        """One of the matches as a `Match`, with every action that was played; needs `history=True`."""
        plies = int(self._row("plies", whole("index", index, 0, self.n - 1)))
        if not self.keeps:
            raise BadSetting("no history is kept: make the batch with history=True")
        if plies > self._lanes.history.shape[1]:
            raise BadSetting(f"match {index} is longer than the {self._lanes.history.shape[1]} actions that are kept")
        match = Match(self.game, self.seats, **self.options)
        for number in self._row("history", index)[:plies]:
            match.play(self.game.actions.text(int(number)))
        return match

    def text(self, index: int, viewer: int = SPECTATOR) -> str:
        """One of the matches, drawn as text."""
        from plenilune.core.drawing import plain

        return plain(self.game.draw(self.game.view(self.seen(index, viewer))))

    def svg(self, index: int, viewer: int = SPECTATOR) -> str:
        """One of the matches, drawn as an SVG image, in colour."""
        from plenilune.rl.drawing import svg

        return svg(self.game.draw(self.game.view(self.seen(index, viewer))), self.game.title)

    # Saving

    @alone
    def save(self) -> bytes:
        """Everything needed to resume from here, in a batch with the same settings."""
        parts = [self._player.reach(array).tobytes() for array in self._saved().values()]
        head = {**self._head(), "sha256": hashlib.sha256(b"".join(parts)).hexdigest()}
        return b"".join([json.dumps(head).encode(), b"\n", *parts])

    @alone
    def restore(self, saved: bytes) -> Step:
        """Resume bit-exactly: the same actions give the same steps. Refused unless the batch was made with the same
        settings (only `seed`, `threads`, `views` and `device` may differ) and the bytes are those that were saved.

        Restore only what you saved yourself, as with a pickle: the digest finds damage, not forgery, and a state that
        no match can reach may end the process."""
        if not isinstance(saved, bytes | bytearray | memoryview):
            raise BadSetting(f"a saved batch is bytes, not {reprlib.repr(saved)}")
        line, _, data = bytes(saved).partition(b"\n")
        try:
            head = json.loads(line)
            digest = head.pop("sha256")
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
            raise BadSetting("this is not a saved batch") from error
        for key, ours in self._head().items():
            if head.get(key) != ours:
                raise BadSetting(
                    f"the saved batch has another {key}: {reprlib.repr(head.get(key))} instead of {ours!r}"
                )
        parts = {name: np.zeros_like(self._player.reach(array)) for name, array in self._saved().items()}
        if hashlib.sha256(data).hexdigest() != digest or len(data) != sum(values.nbytes for values in parts.values()):
            raise BadSetting("the saved batch is damaged: its digest does not fit")
        for values in parts.values():
            values.view(np.uint8).reshape(-1)[:] = np.frombuffer(data[: values.nbytes], np.uint8)
            data = data[values.nbytes :]
        self._check_saved(parts)
        for name, array in self._saved().items():
            self._player.write(array, parts[name])
        self._player.write_step()
        return self._step()

    def __deepcopy__(self, memo: Any) -> Batch:
        """Another batch that goes on from here: what a step tells are views of a batch's own arrays, so that copying
        it part by part would leave it telling what no longer changes."""
        return rebuilt(self.game, self._settings(), self.save())

    def __copy__(self) -> Batch:
        return self.__deepcopy__({})

    def __reduce__(self) -> Any:
        return rebuilt, (named(self.game), self._settings(), self.save())

    # Inside

    def _settings(self) -> dict[str, Any]:
        """What makes a batch like this one."""
        return {
            "seats": self.seats,
            "n": self.n,
            "seed": self.seed,
            "actions": self.actions,
            "observe": self.observes,
            "chance": "manual" if self.manual else "auto",
            "autoreset": self.autoreset,
            "most_steps": self.most_steps,
            "views": self.views,
            "history": self.keeps,
            "threads": self.threads,
            "device": self.device,
            **self.options,
        }

    def _observes_by_default(self) -> str:
        return "state" if self.encoding.Tokens is Nothing else "tokens"

    def _allocate(self) -> None:
        game, n, width = self.game, self.n, self.width
        number = np.int16 if game.actions.size <= np.iinfo(np.int16).max else np.int32
        options = (n, width + 1) if self.actions == "option" else (1, 1)  # one more is always blank
        finals = n if self._tells_finals else 1
        ended = n if self._tells_finals and self.observes == "state" else 0
        observed = self.encoded.dtype
        try:
            self._check_memory(number)
            start = np.array([Position.begin(game, self.seats, self.options).state], game.State.dtype)
            legal = np.full((n, width), -1, number)
            lanes = Lanes(
                start=start,
                states=np.repeat(start, n),
                rngs=np.zeros(n, np.uint64),
                legal=legal,
                keys=np.full((n, width), -1, number) if self.actions == "code" else legal,
                counts=np.zeros(n, np.int32),
                steps=np.zeros(n, np.int32),
                plies=np.zeros(n, np.int32),
                history=np.zeros((n, game.bound) if self.keeps else (1, 1), number),
                done=np.zeros(n, np.uint8),
            )
            shown = Shown(
                to_play=np.zeros(n, np.int32),
                observations=np.zeros(n, observed),
                masks=np.zeros((n, self.action_count), np.uint8),
                rewards=np.zeros((n, self.seats), np.float32),
                terminated=np.zeros(n, np.uint8),
                truncated=np.zeros(n, np.uint8),
                finals=np.zeros(finals, observed),
                ended=np.zeros(ended, game.State.dtype),
                options=np.zeros(options, self.encoding.Option.dtype),
            )
            rules = Rules(
                by=ACTIONS[self.actions],
                observe=observed is not Nothing.dtype,
                autoreset=AUTORESET[self.autoreset],
                secrets=bool(game.secrets),
                manual=self.manual,
                most=self.most_steps,
                kept=self.keeps,
            )
            self._lanes, self._shown = self._player.hold(rules, lanes, shown)
            self._samplers = self._player.put(np.zeros(n, np.uint64))
            self._seen = self._player.put(np.zeros(n if self.observes == "state" else 0, game.State.dtype))
        except MemoryError as error:
            raise BadSetting(
                f"there is not enough memory for {n} matches of {game.name}: choose a smaller n"
            ) from error
        self._told = self._views()

    def _check_memory(self, number: Any) -> None:
        """Before anything is taken: a machine may promise more memory than it has, and end who uses it."""
        finals = 1 + self._tells_finals
        states = 1 + (self.observes == "state") * finals
        told = (1 + (self.actions == "code")) * self.width * np.dtype(number).itemsize + self.action_count
        told += finals * self.encoded.dtype.itemsize + 4 * self.seats + REST_OF_ROW
        if self.actions == "option":
            told += (self.width + 1) * self.encoding.Option.dtype.itemsize
        kept = states * self.game.State.dtype.itemsize + self.keeps * self.game.bound * np.dtype(number).itemsize
        if self.n * (kept + told * (1 if self.views else 2)) > free_memory():
            raise MemoryError

    def _row(self, name: str, index: int) -> Any:
        """One match's row of what the batch remembers."""
        return self._player.copy(getattr(self._lanes, name)[index : index + 1])[0]

    def _seed(self, seed: int, chosen: Array) -> None:
        for generators, start in ((self._lanes.rngs, seed), (self._samplers, seed ^ SAMPLING)):
            before = self._player.reach(generators)
            self._player.write(generators, np.where(chosen, streams(start, self.n), before))

    def _check_actions(self, given: Any) -> None:
        if tuple(given.shape) != (self.n,):
            raise BadSetting(f"actions have the shape ({self.n},), not {tuple(given.shape)}")
        if given.dtype.kind not in "iu":
            raise BadSetting(f"actions are whole numbers, not {given.dtype}")

    def _check_rules(self, fault: int) -> None:
        if fault >= 0:
            raise BadGame(f"{self.game.name} lists no legal action, or more than {self.width}, in match {fault}")

    def _refuse(self, index: int, action: int) -> None:
        legal, n = self._row("keys", index), int(self._row("counts", index))
        allowed = range(n) if self.actions == "option" else legal[:n].tolist()
        listed = ", ".join(map(str, allowed[:12])) + (f" and {n - 12} more" if n > 12 else "")
        raise IllegalAction(f"match {index}: {action} is not allowed now; these are: {listed}")

    def _step(self) -> Step:
        if self.observes == "state":
            self._player.hide(self._shown.to_play, self._seen)
        return self._told if self.views else Step(*map(self._copy, self._told))

    def _copy(self, array: Any) -> Any:
        return None if array is None else self._player.copy(array)

    def _handed(self, array: Any) -> Array:
        """What was made to be given away."""
        return array if self.views else self._player.reach(array)

    def _views(self) -> Step:
        shown, lanes = self._shown, self._lanes
        told = Step(
            current_player=shown.to_play,
            observation=self._observation(self._seen, shown.observations),
            legal_action_mask=shown.masks.view(np.bool_),
            rewards=shown.rewards,
            terminated=shown.terminated.view(np.bool_),
            truncated=shown.truncated.view(np.bool_),
            legal=lanes.keys,
            counts=lanes.counts,
            options=self._flat(shown.options)[:, :-1] if self.actions == "option" else None,
            final_observation=self._observation(shown.ended, shown.finals) if self._tells_finals else None,
        )
        return Step(*map(read_only, told))

    def _observation(self, states: Any, encoded: Any) -> Any:
        """Which of them `observe` asks for."""
        if self.observes == "nothing":
            return None
        return self._flat(states if self.observes == "state" else encoded)

    @property
    def _tells_finals(self) -> bool:
        return self.autoreset == "same"

    def _flat(self, records: Any) -> Any:
        """Records as rows of numbers, without padding."""
        names, width = records.dtype.names, records.dtype.itemsize
        kind = self._number if names == self.encoded.dtype.names else np.dtype(np.uint8)
        rows = records.view(kind).reshape(*records.shape, width // kind.itemsize)
        return rows[:, : self.game.State.dtype.itemsize] if names == self.game.State.dtype.names else rows

    @property
    def _number(self) -> np.dtype[Any]:
        """What observations are made of."""
        return np.dtype(np.float32 if self.observes == "planes" else np.uint8)

    def _head(self) -> dict[str, Any]:
        """What two batches must share for one to resume the other."""
        return {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.game.version,
            "components": self.game.components,
            "layout": layout(self.game),
            "seats": self.seats,
            "options": self.options,
            "n": self.n,
            "actions": self.actions,
            "observe": self.observes,
            "chance": "manual" if self.manual else "auto",
            "autoreset": self.autoreset,
            "most_steps": self.most_steps,
            "history": self.keeps,
        }

    def _saved(self) -> dict[str, Any]:
        lanes, shown = self._lanes, self._shown
        remembered = {name: getattr(lanes, name) for name in ("steps", "plies", "done")}
        told = {name: getattr(shown, name) for name in ("rewards", "terminated", "truncated", "finals", "ended")}
        kept = {"history": lanes.history} if self.keeps else {}
        return {"states": lanes.states, "rngs": lanes.rngs, "samplers": self._samplers, **remembered, **told, **kept}

    def _check_saved(self, saved: Mapping[str, Array]) -> None:
        """Refuse what no batch can hold, as far as it shows without knowing the rules."""
        states, plies, to_play = saved["states"], saved["plies"], saved["states"]["to_play"]
        waits = (to_play == OVER) | ((to_play == CHANCE) & self.manual)
        actions = saved.get("history", plies[:0])
        sound = [
            states["seats"] == self.seats,
            ((to_play >= 0) & (to_play < self.seats)) | waits,
            (plies >= 0) & (plies < MOST_PLIES),
            saved["steps"] >= 0,
            (actions >= 0) & (actions < self.game.actions.size),
            *(saved[name] <= 1 for name in ("done", "terminated", "truncated")),
        ]
        if not all(found.all() for found in sound):
            raise BadSetting("the saved batch is damaged: no batch can hold what it holds")


def rebuilt(game: Game | tuple[str, int], settings: Mapping[str, Any], saved: bytes) -> Batch:
    """The batch that was copied or pickled."""
    batch = Batch(load(*game) if isinstance(game, tuple) else game, **settings)
    batch.restore(saved)
    return batch


def named(game: Game) -> Game | tuple[str, int]:
    """How a pickle names the game: by its name and version if it is one of those that `load` finds."""
    found = load(game.name) if game.name in names() else None
    if found and game.version in found.versions and found.at_version(game.version).State is game.State:
        return game.name, game.version
    return game


def whole(name: str, number: Any, least: int, most: int) -> int:
    """The number, if it is a whole one between these."""
    try:
        found = int(number.__index__())
    except (AttributeError, TypeError):
        raise BadSetting(f"{name} is a whole number, not {number!r}") from None
    if not least <= found <= most:
        raise BadSetting(f"{name} is between {least} and {most}, not {found}")
    return found


def true_or_false(name: str, given: Any) -> bool:
    if not isinstance(given, bool | np.bool_):
        raise BadSetting(f"{name} is True or False, not {given!r}")
    return bool(given)


def read_only(array: Any) -> Any:
    """The same array, which cannot be written to; on a GPU, where nothing can forbid it, as it is."""
    if not isinstance(array, np.ndarray):
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def free_memory() -> float:
    """Bytes, as far as the system tells; without end where it does not."""
    found = [np.inf]
    with contextlib.suppress(OSError, ValueError, StopIteration):
        line = next(line for line in MEMORY.read_text("ascii").splitlines() if line.startswith("MemAvailable"))
        found.append(1024 * int(line.split()[1]))
    with contextlib.suppress(OSError, ValueError):  # a container's limit
        most, used = ((CONTAINER / name).read_text("ascii") for name in ("memory.max", "memory.current"))
        found.append(int(most) - int(used))
    return min(found)


def placed(dtype: np.dtype[Any]) -> Iterator[tuple[str, np.dtype[Any], int]]:
    """A record's fields: their names, types and places."""
    for name, field in (dtype.fields or {}).items():
        yield name, field[0], field[1]


def one_of(name: str, word: Any, words: Any) -> str:
    if not isinstance(word, str) or word not in words:
        raise BadSetting(f"{name} is one of {', '.join(words)}, not {word!r}")
    return str(word)


def streams(seed: int, n: int) -> Array:
    """Where the generators of n matches begin: the first n numbers of splitmix64 from the seed."""
    with np.errstate(over="ignore"):
        x = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(compiled.GOLDEN)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def gpu(game: Game, n: int) -> Gpu:
    """What plays matches on a GPU. It is imported only here: few machines have what it needs."""
    require_numba_cuda()
    from plenilune.rl.cuda import Gpu

    return Gpu(game, n)


def require_numba_cuda() -> None:
    if importlib.util.find_spec("numba_cuda") is None:
        raise BadSetting("device='cuda' needs numba-cuda: pip install 'plenilune[cuda]'")
