"""What is read of a match: its history, dice, file and review."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable

from starlette.responses import Response

from plenilune.match import Match
from plenilune.server import protocol
from plenilune.server.http.call import Call, Handlers
from plenilune.server.http.connections import Lines
from plenilune.server.protocol import TABLE
from plenilune.server.protocol.encoding import encode
from plenilune.server.protocol.refusals import Denied
from plenilune.server.tables import history as replays
from plenilune.server.tables import shown


async def history(call: Call) -> protocol.History:
    call.allow("think")
    table = await call.table()
    viewer = shown.viewer(table.state, call.person, call.number("viewer"))
    first = max(0, call.number("first") or 0)
    if first > (ply := table.row.ply):
        raise Denied("bad_request", f"the match is at ply {ply}, not yet at {first}")
    return await call.server.thinkers.run(call.owner, replays.history(table.view(), viewer, first, call.number("last")))


async def dice(call: Call) -> protocol.DiceRolls:
    call.allow("think")
    table = await call.table()
    shown.check_watching(table.state, call.person)
    return await call.server.thinkers.run(call.owner, replays.dice(table.view()))


async def download(call: Call) -> Response:
    table = await call.table()
    shown.check_watching(table.state, call.person)
    name = f"{table.row.game}-{table.id}.match"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(replays.saved(table.view()), headers=headers, media_type="text/plain; charset=utf-8")


async def review(call: Call) -> Response:
    call.allow("think")
    table = await call.table()
    shown.check_watching(table.state, call.person)
    match = replays.match(table.view())
    kept = await call.server.store.review(table.id)
    lines = _kept(kept) if kept else await _reviewed(call, table.id, match)
    return Lines(lines, call.server.limits, call.request, call.person)


async def _kept(remarks: str) -> AsyncIterator[bytes]:
    yield remarks.encode()


async def _reviewed(call: Call, id: str, match: Callable[[], Match]) -> AsyncIterator[bytes]:
    """The lines of a review that is not stored yet."""
    server = call.server

    async def store(remarks: list[protocol.ReviewRemark]) -> None:
        lines = [encode(line).decode() + "\n" for line in (*remarks, protocol.ReviewEnd(len(remarks)))]
        await server.store.add_review(id, "".join(lines))

    played = await server.thinkers.run(call.owner, match)
    return _review_lines(server.thinkers.reviews.follow(call.owner, id, played, store))


async def _review_lines(remarks: AsyncGenerator[protocol.ReviewRemark, None]) -> AsyncIterator[bytes]:
    total = 0
    async with contextlib.aclosing(remarks):
        async for remark in remarks:
            total += 1
            yield encode(remark) + b"\n"
    yield encode(protocol.ReviewEnd(total)) + b"\n"


HANDLERS: Handlers = {
    ("GET", f"{TABLE}/history"): history,
    ("GET", f"{TABLE}/dice"): dice,
    ("GET", f"{TABLE}/match"): download,
    ("GET", f"{TABLE}/review"): review,
}
