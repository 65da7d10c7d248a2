"""One review for all who ask about a match."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest

from plenilune import Match
from plenilune.bots import Budget
from plenilune.bots import review as judging
from plenilune.server.protocol import ReviewRemark
from plenilune.server.protocol.refusals import Denied
from plenilune.server.thinking import reviews
from plenilune.server.thinking.fairness import NETWORK, Owner
from plenilune.server.thinking.thinkers import Thinkers
from tests.server.attempts import Attempts
from tests.server.test_scheduler import Purse, background, in_time

pytestmark = pytest.mark.usefixtures("compiled")

ADA, BEN = Owner("203.0.113.1", "Ada"), Owner("203.0.113.2", "Ben")


@pytest.fixture(scope="module")
def match() -> Match:
    return played("moon-leap", 2)


def played(game: str, seats: int) -> Match:
    match, player = Match(game, seats, "moon"), random.Random(1)
    while not match.over:
        match.play(player.choice(match.legal()))
    return match


@pytest.fixture(autouse=True)
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The plies that were thought about, briefly."""
    plies: list[int] = []
    judge = judging.remark_on

    def recorded(*arguments: Any) -> Any:
        remark = judge(*arguments)
        plies.append(remark.ply)
        return remark

    monkeypatch.setattr(judging, "remark_on", recorded)
    monkeypatch.setattr(reviews, "THOUGHT", Budget(simulations=10))
    return plies


class Shelf:
    """Where a review is stored."""

    def __init__(self) -> None:
        self.stored: list[list[ReviewRemark]] = []

    async def store(self, remarks: list[ReviewRemark]) -> None:
        self.stored.append(list(remarks))


@asynccontextmanager
async def thinkers(purse: Purse | None = None) -> AsyncIterator[Thinkers]:
    made = Thinkers(1, purse)
    try:
        yield made
    finally:
        made.close()


async def whole(remarks: AsyncIterator[ReviewRemark]) -> list[ReviewRemark]:
    return [remark async for remark in remarks]


def own_plies(match: Match) -> list[int]:
    return [ply for ply, actor in enumerate(match.actors) if actor >= 0]


def test_all_who_follow_see_the_same_remarks_and_each_position_is_thought_about_once(
    match: Match, judged: list[int]
) -> None:
    async def work() -> None:
        shelf = Shelf()
        async with thinkers() as thinking:
            follow = thinking.reviews.follow
            async with aclosing(follow(ADA, "m", match, shelf.store)) as early:
                first = [await anext(early) for _ in range(5)]
                late = asyncio.create_task(whole(follow(BEN, "m", match, shelf.store)))
                seen = first + await whole(early)
            assert await late == seen
            assert [remark.ply for remark in seen] == own_plies(match) == judged
            assert [(remark.done, remark.total) for remark in seen][-1] == (len(seen), len(seen))
            assert shelf.stored == [seen]

    in_time(work())


def test_a_review_is_what_the_command_line_says_too(match: Match) -> None:
    async def work() -> list[ReviewRemark]:
        async with thinkers() as thinking:
            return await whole(thinking.reviews.follow(ADA, "m", match, Shelf().store))

    for remark, other in zip(in_time(work()), judging.review(match, reviews.THOUGHT), strict=True):
        assert (remark.action, remark.better, remark.after) == (other.action, other.better, other.after)


def test_it_ends_soon_after_nobody_follows_it(match: Match, judged: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "PATIENCE", 0.01)

    async def work() -> None:
        shelf = Shelf()
        async with thinkers() as thinking:
            async with aclosing(thinking.reviews.follow(ADA, "m", match, shelf.store)) as remarks:
                await anext(remarks)
            await asyncio.gather(*thinking.reviews._tasks)
            assert len(judged) < len(own_plies(match))
            assert not shelf.stored
            assert len(await whole(thinking.reviews.follow(ADA, "m", match, shelf.store))) == len(own_plies(match))

    in_time(work())


def test_it_goes_on_where_it_was_if_somebody_comes_back_soon(match: Match, judged: list[int]) -> None:
    async def work() -> None:
        async with thinkers() as thinking:
            async with aclosing(thinking.reviews.follow(ADA, "m", match, Shelf().store)) as remarks:
                first = await anext(remarks)
            again = await whole(thinking.reviews.follow(ADA, "m", match, Shelf().store))
            assert again[0] is first
            assert judged == own_plies(match)

    in_time(work())


def test_it_goes_on_when_who_began_it_has_left(match: Match) -> None:
    async def work() -> None:
        async with thinkers() as thinking:
            follow = thinking.reviews.follow
            async with aclosing(follow(ADA, "m", match, Shelf().store)) as remarks:
                await anext(remarks)
                others = asyncio.create_task(whole(follow(BEN, "m", match, Shelf().store)))
                await asyncio.sleep(0)
            assert len(await others) == len(own_plies(match))

    in_time(work())


def test_those_who_follow_share_the_cost(match: Match) -> None:
    async def work() -> None:
        purse = Purse()
        async with thinkers(purse) as thinking:
            both = (whole(thinking.reviews.follow(owner, "m", match, Shelf().store)) for owner in (ADA, BEN))
            await asyncio.gather(*both)
        assert purse.spent["person Ada"] > 0
        assert purse.spent["person Ben"] > 0

    in_time(work())


def test_what_goes_wrong_is_told_to_all_and_nothing_is_stored(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any, **more: Any) -> Iterator[Any]:
        raise Denied("cannot_continue", "this match cannot be reviewed")
        yield

    monkeypatch.setattr(judging, "review", broken)

    async def work() -> None:
        shelf = Shelf()
        async with thinkers() as thinking:
            both = (whole(thinking.reviews.follow(owner, "m", match, shelf.store)) for owner in (ADA, BEN))
            told = await asyncio.gather(*both, return_exceptions=True)
            assert [str(error) for error in told] == ["this match cannot be reviewed"] * 2
            assert not shelf.stored

    in_time(work())


def test_one_that_cannot_be_stored_is_told_whole(match: Match) -> None:
    async def refuse(remarks: list[ReviewRemark]) -> None:
        raise Denied("unavailable", "the disk is full")

    async def work() -> None:
        async with thinkers() as thinking:
            assert len(await whole(thinking.reviews.follow(ADA, "m", match, refuse))) == len(own_plies(match))

    in_time(work())


def test_a_server_that_closes_does_not_pass_half_a_review_off_as_a_whole_one(match: Match) -> None:
    async def work() -> None:
        shelf = Shelf()
        async with thinkers() as thinking:
            follower = thinking.reviews.follow(ADA, "m", match, shelf.store)
            await anext(follower)
            thinking.close()
            with pytest.raises(Denied, match="the review was stopped"):
                await whole(follower)
            assert not shelf.stored

    in_time(work())


# Refused


def test_a_person_who_has_used_up_their_time_is_refused_at_once(match: Match) -> None:
    async def work() -> None:
        purse = Purse()
        purse.level["person Ada"] = -2.5
        async with thinkers(purse) as thinking:
            with pytest.raises(Denied, match="have used up their computing time: wait 3 seconds") as refusal:
                thinking.reviews.follow(ADA, "m", match, Shelf().store)
            assert refusal.value.reason == "too_often"
            assert not thinking.reviews._reviews

    in_time(work())


def test_one_person_follows_a_few_reviews_at_a_time(match: Match) -> None:
    async def work() -> None:
        async with thinkers() as thinking:
            following = [
                thinking.reviews.follow(ADA, f"m{number}", match, Shelf().store)
                for number in range(reviews.MOST_FOLLOWED)
            ]
            for one in following:
                await anext(one)
            with pytest.raises(Denied, match=f"at most {reviews.MOST_FOLLOWED} reviews") as refusal:
                thinking.reviews.follow(ADA, "one more", match, Shelf().store)
            assert refusal.value.reason == "too_many"
            await asyncio.gather(*map(whole, following))
            assert await whole(thinking.reviews.follow(ADA, "one more", match, Shelf().store))

    in_time(work())


def test_many_people_behind_one_address_follow_a_few_times_as_many(match: Match) -> None:
    async def work() -> None:
        async with thinkers() as thinking:
            most = NETWORK * reviews.MOST_FOLLOWED
            people = [Owner("203.0.113.9", f"person {number}") for number in range(most + 1)]
            following = [thinking.reviews.follow(p, p.person, match, Shelf().store) for p in people[:-1]]
            for one in following:
                await anext(one)
            with pytest.raises(Denied):
                thinking.reviews.follow(people[-1], "one more", match, Shelf().store)
            await anext(thinking.reviews.follow(BEN, "elsewhere", match, Shelf().store))

    in_time(work())


# Beside other work


def test_a_history_does_not_wait_behind_nine_reviews(attempts: Attempts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "THOUGHT", Budget(simulations=400))

    async def work() -> None:
        match, shelf = played("via-nebula", 2), Shelf()
        async with thinkers() as thinking:
            people = [Owner(f"203.0.113.{number}", "Ada") for number in range(9)]
            following = [thinking.reviews.follow(p, f"match {p}", match, shelf.store) for p in people]
            async with background(*map(whole, following)) as all_nine:
                for one in (thinking.reviews.follow(BEN, f"match {p}", match, shelf.store) for p in people[:2]):
                    await anext(one)  # they are under way, side by side
                replayed = await thinking.run(BEN, lambda: Match.load(match.save()))
                assert replayed.history == match.history
                assert not any(review.done() for review in all_nine)

    in_time(work())
    attempts.add(9)
