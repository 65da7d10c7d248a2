"""Many matches at once, in one structured array: one compiled call plays an action in each of them."""

from __future__ import annotations

import functools
import importlib.util
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plenilune.core.errors import BadGame, BadSetting, IllegalAction
from plenilune.core.record import SPECTATOR
from plenilune.game import Game, load, names
from plenilune.match import Match
from plenilune.position import Position
from plenilune.rl import lanes as compiled
from plenilune.rl.checks import shown, whole
from plenilune.rl.memory import check_memory, new_lanes, new_shown, rules_of
from plenilune.rl.saving import packed, unpacked
from plenilune.rl.settings import Settings
from plenilune.rl.threads import Threads

if TYPE_CHECKING:
    from plenilune.rl.cuda import Gpu

P = ParamSpec("P")
R = TypeVar("R")
Array = NDArray[Any]
SAMPLING = 0x53414D504C45  # mixed into the seed of `sample`, which shares no numbers with chance


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
        self.settings = Settings.checked(
            game, seats, options, n=n, seed=seed, actions=actions, observe=observe, chance=chance, autoreset=autoreset,
            most_steps=most_steps, views=views, history=history, threads=threads, device=device,
        )  # fmt: skip
        self.game, self.options, self.seats = self.settings.game, self.settings.options, self.settings.seats
        self.n, self.actions = self.settings.n, self.settings.actions
        self._lock = threading.Lock()
        self._player: Threads | Gpu = (
            gpu(self.game, self.n) if device == "cuda" else Threads(self.game, self.settings.threads)
        )
        self._allocate()
        self.reset(self.settings.seed)

    # Sizes

    @property
    def action_count(self) -> int:
        """How many different numbers `step` takes."""
        return self.settings.action_count

    def fields(self, observation: Array) -> dict[str, Array]:
        """The parts of observations by their names, as views: `tokens` and `planes` as the game's encode.py documents
        them. These may also be another library's tensors."""
        if self.settings.observe == "nothing":
            raise BadSetting("nothing is observed: make the batch with another observe")
        dtype = self.game.State.dtype if self.settings.observe == "state" else self.settings.encoded.dtype
        size, given = dtype.itemsize // self.settings.number.itemsize, tuple(getattr(observation, "shape", ()))
        if not given or given[-1] != size:
            found = f"of the shape {given}" if given else shown(observation)
            raise BadSetting(f"observations are rows of {size} numbers in an array, not {found}")
        if self.settings.observe == "state":
            row = np.ascontiguousarray(observation)
            if row.dtype != np.uint8:
                raise BadSetting(f"observations of the state are bytes, not {row.dtype}")
            record = row.reshape(-1, dtype.itemsize).view(dtype)[:, 0]
            return {name: record[name] for name in dtype.names or () if record[name].size}
        unit = self.settings.number.itemsize
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
            # Contiguous: for every other layout it would all be compiled again.
            chosen = np.ones(self.n, bool) if mask is None else np.array(mask, order="C")
        except (ValueError, TypeError) as error:  # numpy's, of lists of several lengths, and of what is not an array
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
        except (ValueError, TypeError) as error:  # numpy's, of lists of several lengths, and of what is not an array
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
        if self.settings.observe == "state":
            out = self._player.put(np.zeros(self.n, self.game.State.dtype))
            self._player.hide(self._player.put(np.full(self.n, seat, np.int32)), out)
        else:
            out = self._player.put(np.zeros(self.n, self.settings.encoded.dtype))
            self._player.observe_all(seat, out)
        return self._handed(self.settings.rows(out))

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
        if not self.settings.history:
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
        return packed(self.settings, {name: self._player.reach(array) for name, array in self._saved().items()})

    @alone
    def restore(self, saved: bytes) -> Step:
        """Resume bit-exactly: the same actions give the same steps. Refused unless the batch was made with the same
        settings (only `seed`, `threads`, `views` and `device` may differ) and the bytes are those that were saved.

        Restore only what you saved yourself, as with a pickle: the digest finds damage, not forgery, and a state that
        no match can reach may end the process."""
        arrays = self._saved()
        parts = unpacked(self.settings, saved, {name: self._player.reach(array) for name, array in arrays.items()})
        for name, array in arrays.items():
            self._player.write(array, parts[name])
        self._player.write_step()
        return self._step()

    def __deepcopy__(self, memo: Any) -> Batch:
        """Another batch that goes on from here: what a step tells are views of a batch's own arrays, so that copying
        it part by part would leave it telling what no longer changes."""
        return rebuilt(self.game, self.settings.arguments(), self.save())

    def __copy__(self) -> Batch:
        return self.__deepcopy__({})

    def __reduce__(self) -> Any:
        return rebuilt, (named(self.game), self.settings.arguments(), self.save())

    # Inside

    def _playing(self) -> Threads | Gpu:
        settings = self.settings
        return gpu(self.game, self.n) if settings.device == "cuda" else Threads(self.game, settings.threads)

    def _allocate(self) -> None:
        settings = self.settings
        try:
            check_memory(settings)
            self._lanes, self._shown = self._player.hold(rules_of(settings), new_lanes(settings), new_shown(settings))
            self._samplers = self._player.put(np.zeros(self.n, np.uint64))
            states = self.n if settings.observe == "state" else 0
            self._seen = self._player.put(np.zeros(states, self.game.State.dtype))
        except MemoryError as error:
            raise BadSetting(
                f"there is not enough memory for {self.n} matches of {self.game.name}: choose a smaller n"
            ) from error
        self._views = self._step_views()

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
            raise BadGame(
                f"{self.game.name} lists no legal action, or more than {self.settings.width}, in match {fault}"
            )

    def _refuse(self, index: int, action: int) -> None:
        legal, n = self._row("keys", index), int(self._row("counts", index))
        allowed = range(n) if self.actions == "option" else legal[:n].tolist()
        listed = ", ".join(map(str, allowed[:12])) + (f" and {n - 12} more" if n > 12 else "")
        raise IllegalAction(f"match {index}: {action} is not allowed now; these are: {listed}")

    def _step(self) -> Step:
        if self.settings.observe == "state":
            self._player.hide(self._shown.to_play, self._seen)
        return self._views if self.settings.views else Step(*map(self._copy, self._views))

    def _copy(self, array: Any) -> Any:
        return None if array is None else self._player.copy(array)

    def _handed(self, array: Any) -> Array:
        """What was made to be given away."""
        return array if self.settings.views else self._player.reach(array)

    def _step_views(self) -> Step:
        shown, lanes = self._shown, self._lanes
        views = Step(
            current_player=shown.to_play,
            observation=self._observation(self._seen, shown.observations),
            legal_action_mask=shown.masks.view(np.bool_),
            rewards=shown.rewards,
            terminated=shown.terminated.view(np.bool_),
            truncated=shown.truncated.view(np.bool_),
            legal=lanes.keys,
            counts=lanes.counts,
            options=self.settings.rows(shown.options)[:, :-1] if self.actions == "option" else None,
            final_observation=self._observation(shown.ended, shown.finals) if self.settings.has_finals else None,
        )
        return Step(*map(read_only, views))

    def _observation(self, states: Any, encoded: Any) -> Any:
        """Which of them `observe` asks for."""
        if self.settings.observe == "nothing":
            return None
        return self.settings.rows(states if self.settings.observe == "state" else encoded)

    def _saved(self) -> dict[str, Any]:
        lanes, shown = self._lanes, self._shown
        remembered = {name: getattr(lanes, name) for name in ("steps", "plies", "done")}
        stepped = {name: getattr(shown, name) for name in ("rewards", "terminated", "truncated", "finals", "ended")}
        kept = {"history": lanes.history} if self.settings.history else {}
        return {
            "states": lanes.states,
            "rngs": lanes.rngs,
            "samplers": self._samplers,
            **remembered,
            **stepped,
            **kept,
        }


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


def read_only(array: Any) -> Any:
    """The same array, which cannot be written to; on a GPU, where nothing can forbid it, as it is."""
    if not isinstance(array, np.ndarray):
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def placed(dtype: np.dtype[Any]) -> Iterator[tuple[str, np.dtype[Any], int]]:
    """A record's fields: their names, types and places."""
    for name, field in (dtype.fields or {}).items():
        yield name, field[0], field[1]


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
