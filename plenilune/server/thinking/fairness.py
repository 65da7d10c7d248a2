"""Decides whose job runs next: start-time fair queueing, first among networks, then among people, then by arrival.

Every network, and within it every person, has a mark: the CPU seconds it has received, on a virtual clock that follows
the lowest mark of all who run or could run. The lowest mark goes next. Newcomers start one quantum before the clock, so
that they are next; so do those who were idle, so that idle time cannot be saved up. A running job gives way when its
quantum is over and a job with a lower mark waits; later it continues where it stopped.

Nothing here reads a clock, sleeps or starts a thread: `scheduler.py` does that.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from plenilune.server.protocol.refusals import Denied

QUANTUM = 0.05  # CPU seconds for which a job runs before it may have to give way
MOST_LEAD = 1.0  # seconds by which a mark can be ahead of the clock; the excess is forgiven
NETWORK = 4  # a network may have this many times as many jobs as a person


class Owner(NamedTuple):
    """Who a job is for, and whose budget pays for it."""

    network: str  # an address, or the prefix that one subscriber has
    person: str


class Capacity(NamedTuple):
    """The limits of one class of work."""

    permits: int  # jobs that run
    started: int  # jobs that run or have given way: each holds a thread and memory
    at_once: int  # running jobs of one person
    each: int  # jobs of one person in all


@dataclass(eq=False)
class Ticket:
    """The queue's record of a job."""

    owner: Owner
    number: int = 0  # by arrival
    started: bool = False
    since: float = 0.0  # when its quantum began


Job = TypeVar("Job", bound=Ticket)
MayStart = Callable[[Owner], bool]


@dataclass
class Marks:
    """The marks of a group's members, on the group's virtual clock."""

    clock: float = 0.0
    _given: dict[str, float] = field(default_factory=dict)

    @property
    def start(self) -> float:
        """The mark of a newcomer."""
        return self.clock - QUANTUM

    def __getitem__(self, name: str) -> float:
        return max(self._given.get(name, self.start), self.start)

    def charge(self, name: str, seconds: float) -> None:
        self._given[name] = min(self[name] + seconds, self.clock + MOST_LEAD)

    def advance(self, names: Iterable[str]) -> None:
        """Advance the clock to the lowest mark of these members."""
        self.clock = max(self.clock, min(map(self.__getitem__, names), default=self.clock))

    def forget(self) -> None:
        """Drop members whose marks are no higher than a newcomer's."""
        self._given = {name: mark for name, mark in self._given.items() if mark > self.start}


class FairQueue(Generic[Job]):
    """The jobs of one class of work, waiting and running."""

    def __init__(self, capacity: Capacity) -> None:
        self.capacity = capacity
        self._waiting: dict[Owner, list[Job]] = {}  # by arrival
        self._running: set[Job] = set()
        self._started: set[Job] = set()  # running jobs, and those that have given way
        self._jobs: Counter[str | Owner] = Counter()  # how many each network and each person has,
        self._computing: Counter[str | Owner] = Counter()  # and how many of them run
        self._networks = Marks()
        self._people: dict[str, Marks] = {}
        self._arrivals = 0

    @property
    def free(self) -> int:
        """The number of free permits."""
        return self.capacity.permits - len(self._running)

    def waiting(self) -> list[Owner]:
        """The owners of waiting jobs."""
        return list(self._waiting)

    def __len__(self) -> int:
        """The number of waiting jobs."""
        return sum(len(jobs) for jobs in self._waiting.values())

    def is_running(self, job: Job) -> bool:
        return job in self._running

    def __contains__(self, job: Job) -> bool:
        return self.is_running(job) or job in self._waiting.get(job.owner, ())

    # A job's life

    def submit(self, job: Job) -> None:
        """Queue a job; refused if its owner has too many."""
        for who, most in ((job.owner, self.capacity.each), (job.owner.network, NETWORK * self.capacity.each)):
            if self._jobs[who] >= most:
                said = f"{self._jobs[who]} of your requests are still being worked on: wait for them"
                raise Denied("too_many_requests", said, n=self._jobs[who])
        self._arrivals += 1
        job.number = self._arrivals
        _count(self._jobs, job.owner, 1)
        self._people.setdefault(job.owner.network, Marks())
        self._wait(job)

    def grant(self, now: float, may_start: MayStart) -> Job | None:
        """Give a permit to the next job and return it; None if no permit is free or no job may have it."""
        job = self._next(may_start) if self.free > 0 else None
        if job is not None:
            self._stop_waiting(job)
            self._run(job, now)
        return job

    def charge(self, job: Job, seconds: float) -> None:
        """Charge a job for CPU time."""
        if job in self:
            self._networks.charge(job.owner.network, seconds)
            self._people[job.owner.network].charge(job.owner.person, seconds)

    def gives_way(self, job: Job, now: float, may_start: MayStart) -> bool:
        """Whether a job must give up its permit now. If so, it waits again, ahead of its owner's later jobs."""
        if job not in self._running or now - job.since < QUANTUM:
            return False
        rival = self._next(may_start)
        if rival is None or not self._precedes(rival.owner, job.owner):
            job.since = now
            return False
        self._stop_running(job)
        self._wait(job)
        return True

    def remove(self, job: Job) -> None:
        """Remove a job that is done or no longer wanted; removing it twice does no harm."""
        if job not in self:
            return
        if job in self._running:
            self._stop_running(job)
        else:
            self._stop_waiting(job)
        self._started.discard(job)
        _count(self._jobs, job.owner, -1)
        self._forget(job.owner.network)

    # Choosing the next job

    def _next(self, may_start: MayStart) -> Job | None:
        started = Counter(job.owner.network for job in self._started)
        room = self.capacity.started - len(self._started)

        def has_room(job: Job) -> bool:
            # A network starts jobs only while it has fewer started ones than there is room for. So newcomers find room
            # however many jobs the others have: a dynamic threshold, as in the shared buffers of switches.
            may_begin = job.started or started[job.owner.network] < room
            return may_begin and self._computing[job.owner] < self.capacity.at_once

        in_order = sorted((jobs[0] for jobs in self._waiting.values() if has_room(jobs[0])), key=self._rank)
        found = next((job for job in in_order if job.started or may_start(job.owner)), None)
        self._advance(found)
        return found

    def _advance(self, found: Job | None) -> None:
        """Advance the clocks by the running jobs and the next one. Jobs that wait for something other than a permit do
        not hold the clocks up. In other networks a waiting person may have a lower mark than the running ones."""
        owners = {job.owner for job in self._running} | ({found.owner} if found else set())
        self._networks.advance(owner.network for owner in owners)
        for network in {found.owner.network} if found else {owner.network for owner in owners}:
            self._people[network].advance(owner.person for owner in owners if owner.network == network)

    def _rank(self, job: Job) -> tuple[float, int, float, int, int]:
        network, person = job.owner
        mark = self._people[network][person]
        return self._networks[network], self._computing[network], mark, self._computing[job.owner], job.number

    def _precedes(self, one: Owner, other: Owner) -> bool:
        """Whether one has received less than the other."""
        if one.network != other.network:
            return self._networks[one.network] < self._networks[other.network]
        people = self._people[one.network]
        return people[one.person] < people[other.person]

    # Bookkeeping

    def _wait(self, job: Job) -> None:
        insort(self._waiting.setdefault(job.owner, []), job, key=lambda other: other.number)

    def _stop_waiting(self, job: Job) -> None:
        jobs = self._waiting[job.owner]
        jobs.remove(job)
        if not jobs:
            del self._waiting[job.owner]

    def _run(self, job: Job, now: float) -> None:
        self._running.add(job)
        _count(self._computing, job.owner, 1)
        self._started.add(job)
        job.started, job.since = True, now

    def _stop_running(self, job: Job) -> None:
        self._running.discard(job)
        _count(self._computing, job.owner, -1)

    def _forget(self, network: str) -> None:
        """Forget an owner without jobs whose mark is not ahead of the clock."""
        if not self._jobs[network]:
            del self._people[network]
        if self._jobs:
            self._networks.forget()
        else:
            self._networks = Marks()


def _count(counter: Counter[str | Owner], owner: Owner, by: int) -> None:
    for who in (owner, owner.network):
        counter[who] += by
        if not counter[who]:
            del counter[who]
