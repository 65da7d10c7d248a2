"""Whose job computes next. Time here is simulated: jobs compute in steps, and are asked after each whether to stop."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plenilune.server.protocol.refusals import Denied
from plenilune.server.thinking.fairness import QUANTUM, Capacity, FairQueue, Owner, Ticket

STEP = 0.01  # seconds
LONG = 1000.0


def at(network: str, person: str = "Ada") -> Owner:
    return Owner(network, person)


@dataclass(eq=False)
class Job(Ticket):
    seconds: float = LONG  # still to compute
    uncharged: float = 0.0


def capacity(permits: int, started: int = 1000, at_once: int = 1000, each: int = 1000) -> Capacity:
    return Capacity(permits, started, at_once, each)


class Machine:
    """Computes what the queue grants."""

    def __init__(self, queue: FairQueue[Job], may_start: Callable[[Owner], bool] = lambda owner: True) -> None:
        self.queue, self.may_start = queue, may_start
        self.now = 0.0
        self.used: Counter[Owner] = Counter()
        self.running: list[Job] = []
        self.granted: list[Owner] = []
        self.streams: dict[Job, Owner] = {}

    def add(self, owner: Owner, jobs: int = 1, seconds: float = LONG) -> None:
        for _ in range(jobs):
            self.queue.submit(Job(owner, seconds=seconds))
        self.grant()

    def add_again_and_again(self, owner: Owner, seconds: float) -> None:
        """Whenever its job is done, there is another one."""
        job = Job(owner, seconds=seconds)
        self.streams[job] = owner
        self.length = seconds
        self.queue.submit(job)
        self.grant()

    def run(self, seconds: float) -> Counter[Owner]:
        """What everybody has been given meanwhile."""
        before = Counter(self.used)
        for _ in range(round(seconds / STEP)):
            self.step()
        return self.used - before

    def step(self) -> None:
        self.now += STEP
        for job in list(self.running):
            self._compute(job)
        self.grant()

    def _compute(self, job: Job) -> None:
        job.seconds -= STEP
        job.uncharged += STEP
        self.used[job.owner] += STEP  # type: ignore[assignment]  # seconds
        if job.seconds <= 0:
            self._charge(job)
            self.queue.remove(job)
            self.running.remove(job)
            if job in self.streams:
                self.add_again_and_again(self.streams.pop(job), self.length)
        elif self.now - job.since >= QUANTUM:
            self._charge(job)
            if self.queue.gives_way(job, self.now, self.may_start):
                self.running.remove(job)
                self.grant()

    def _charge(self, job: Job) -> None:
        self.queue.charge(job, job.uncharged)
        job.uncharged = 0.0

    def grant(self) -> None:
        while job := self.queue.grant(self.now, self.may_start):
            self.running.append(job)
            self.granted.append(job.owner)


def machine(permits: int = 1, **more: int) -> Machine:
    return Machine(FairQueue(capacity(permits, **more)))


def nearly(share: float) -> object:
    return pytest.approx(share, rel=0.1)


# Shares


def test_two_owners_get_the_same_however_many_jobs_they_have() -> None:
    busy = machine()
    busy.add(at("1.1.1.1"), jobs=50)
    busy.add(at("2.2.2.2"), jobs=1)
    used = busy.run(20)
    assert used[at("1.1.1.1")] == nearly(10)
    assert used[at("2.2.2.2")] == nearly(10)


def test_fifty_people_behind_one_address_get_as_much_as_one_person_at_another() -> None:
    busy = machine(permits=2)
    for number in range(50):
        busy.add(at("1.1.1.1", f"person {number}"), jobs=4)
    busy.add(at("2.2.2.2"), jobs=4)
    used = busy.run(100)
    assert used[at("2.2.2.2")] == nearly(100)
    assert all(used[at("1.1.1.1", f"person {number}")] == nearly(2) for number in range(50))


@settings(max_examples=25, deadline=None)
@given(
    permits=st.integers(1, 4),
    people=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    jobs=st.integers(4, 8),
    seconds=st.sampled_from([0.02, 0.3, LONG]),
    seed=st.integers(0, 1000),
)
def test_whatever_the_mix_every_network_and_every_person_in_it_gets_the_same(
    permits: int, people: list[int], jobs: int, seconds: float, seed: int
) -> None:
    """As long as all have enough to do: some few long jobs, others many short ones."""
    busy, dice = machine(permits), random.Random(seed)
    owners = [at(f"network {n}", f"person {p}") for n, count in enumerate(people) for p in range(count)]
    dice.shuffle(owners)
    for owner in owners:
        for _ in range(jobs):
            busy.add_again_and_again(owner, seconds) if dice.random() < 0.5 else busy.add(owner)
    total = 3.0 * len(people) * max(people)
    used = busy.run(total / permits)
    for owner in owners:
        share = total / len(people) / people[int(owner.network.split()[1])]
        assert used[owner] == nearly(share), owner


def test_short_jobs_get_no_more_than_a_long_one() -> None:
    busy = machine()
    busy.add(at("1.1.1.1"))
    busy.add_again_and_again(at("2.2.2.2"), STEP)
    used = busy.run(20)
    assert used[at("1.1.1.1")] >= 9


def test_who_has_been_idle_has_not_saved_anything_up() -> None:
    busy = machine()
    busy.add(at("2.2.2.2"), seconds=STEP)
    busy.add(at("1.1.1.1"), jobs=2)
    busy.run(100)
    busy.add(at("2.2.2.2"))
    assert busy.run(10)[at("1.1.1.1")] == nearly(5)


def test_who_could_not_use_a_share_has_not_saved_it_up_either() -> None:
    busy = machine(permits=4)
    busy.add(at("1.1.1.1"), jobs=8)
    busy.add(at("2.2.2.2"))  # one job cannot compute on two cores
    assert busy.run(100)[at("1.1.1.1")] == nearly(300)
    busy.add(at("2.2.2.2"), jobs=8)
    assert busy.run(10)[at("1.1.1.1")] == nearly(20)


def test_who_must_wait_for_a_budget_has_not_saved_anything_up() -> None:
    poor = {at("2.2.2.2")}
    busy = Machine(FairQueue(capacity(1)), may_start=lambda owner: owner not in poor)
    busy.add(at("2.2.2.2"), jobs=50)
    busy.add(at("1.1.1.1"), jobs=2)
    assert busy.run(100)[at("2.2.2.2")] == 0
    poor.clear()
    assert busy.run(10)[at("1.1.1.1")] == nearly(5)


# Waiting


@settings(max_examples=25, deadline=None)
@given(
    permits=st.integers(1, 4),
    networks=st.integers(1, 4),
    people=st.integers(1, 12),
    steps=st.integers(1, 400),
)
@example(permits=1, networks=1, people=5, steps=5)  # all have had the same so far
def test_a_newcomer_is_next_and_waits_no_longer_than_a_quantum(
    permits: int, networks: int, people: int, steps: int
) -> None:
    busy = machine(permits)
    for number in range(people):
        busy.add(at(f"network {number % networks}", f"person {number}"), jobs=5)
    while set(busy.granted) != set(busy.queue.waiting()):  # all others have had some of it
        busy.step()
    busy.run(steps * STEP)
    newcomer = at("network 0" if networks == 1 else "new", "new")
    before = len(busy.granted)
    busy.add(newcomer, seconds=STEP)
    arrived = busy.now
    while newcomer not in busy.granted:
        busy.step()
    assert busy.granted[before] == newcomer
    assert busy.now - arrived <= QUANTUM + STEP


def beside_newcomers(seconds: float) -> Counter[Owner]:
    """What somebody with a long job is given while every 0.1 seconds somebody comes from a new address."""
    busy = machine()
    busy.add(at("1.1.1.1"))
    for number in range(100):
        busy.add(at(f"network {number}"), seconds=seconds)
        busy.run(0.1)
    return busy.used


def test_what_newcomers_leave_goes_to_those_who_wait() -> None:
    assert beside_newcomers(0.08)[at("1.1.1.1")] == nearly(10 - 100 * 0.08)


def test_who_came_first_gets_no_less_than_newcomers_even_if_there_is_not_enough_for_all() -> None:
    used = beside_newcomers(0.2)
    assert used.pop(at("1.1.1.1")) >= max(used.values()) - QUANTUM - STEP


def test_a_job_that_gave_way_goes_on_before_later_ones_of_its_owner() -> None:
    busy = machine()
    first, second = Job(at("1.1.1.1")), Job(at("1.1.1.1"))
    busy.queue.submit(first)
    busy.queue.submit(second)
    busy.grant()
    busy.add(at("2.2.2.2"))
    busy.run(2)
    assert LONG - first.seconds == nearly(1)
    assert not second.started


def test_one_owner_alone_is_never_interrupted() -> None:
    busy = machine()
    busy.add(at("1.1.1.1"), jobs=10)
    busy.run(10)
    assert busy.granted == [at("1.1.1.1")]


# Bounds


def test_one_network_cannot_take_all_the_room_for_started_jobs() -> None:
    busy = machine(permits=2, started=32)
    for number in range(100):
        busy.add(at("1.1.1.1", f"person {number}"), jobs=3)
    busy.run(30)
    assert sum(job.started for job in jobs_of(busy)) == 16
    busy.add(at("2.2.2.2"), seconds=STEP)
    busy.run(2 * QUANTUM)
    assert busy.used[at("2.2.2.2")] > 0


def test_with_very_many_networks_the_room_is_never_exceeded() -> None:
    busy = machine(permits=2, started=32)
    for number in range(200):
        busy.add(at(f"network {number}"), jobs=3)
    busy.run(30)
    assert sum(job.started for job in jobs_of(busy)) <= 32


def jobs_of(busy: Machine) -> list[Job]:
    return busy.running + [job for jobs in busy.queue._waiting.values() for job in jobs]


def test_one_at_a_time_is_one_at_a_time_and_others_go_on() -> None:
    busy = machine(permits=2, at_once=1)
    busy.add(at("1.1.1.1"), jobs=5)
    assert len(busy.running) == 1
    busy.add(at("1.1.1.1", "Ben"), jobs=5)
    assert {job.owner.person for job in busy.running} == {"Ada", "Ben"}


def test_more_jobs_than_one_may_have_are_refused_and_change_nothing() -> None:
    busy = machine(each=3)
    busy.add(at("1.1.1.1"), jobs=3)
    with pytest.raises(Denied, match="3 of your requests are still being worked on: wait for them") as refusal:
        busy.add(at("1.1.1.1"))
    assert refusal.value.reason == "too_many"
    for number in range(3):
        busy.add(at("1.1.1.1", f"person {number}"), jobs=3)
    with pytest.raises(Denied, match="12 of your requests"):
        busy.add(at("1.1.1.1", "one more"))
    assert len(jobs_of(busy)) == 12
    busy.add(at("2.2.2.2"), jobs=3)


@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 3), st.integers(1, 3))
def test_whatever_happens_the_bounds_hold_and_those_who_have_gone_are_forgotten(
    dice: random.Random, permits: int, at_once: int
) -> None:
    queue = FairQueue[Job](capacity(permits, started=8, at_once=at_once))
    busy, jobs = Machine(queue), list[Job]()
    for _ in range(200):
        if dice.random() < 0.4:
            job = Job(at(f"network {dice.randrange(4)}", f"person {dice.randrange(4)}"), seconds=LONG)
            queue.submit(job)
            jobs.append(job)
        elif jobs and dice.random() < 0.4:
            job = jobs.pop(dice.randrange(len(jobs)))
            queue.remove(job)
            queue.remove(job)
            queue.charge(job, 1.0)
            busy.running = [other for other in busy.running if other is not job]
        busy.step()
        running = Counter(job.owner for job in busy.running)
        assert running.total() == permits - queue.free <= permits
        assert max(running.values(), default=0) <= at_once
        assert sum(job.started for job in jobs) <= 8
    for job in jobs:
        queue.remove(job)
    empty = FairQueue[Job](queue.capacity)
    empty._arrivals = queue._arrivals
    assert vars(queue) == vars(empty)
