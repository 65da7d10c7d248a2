"""Tables: making one, sitting down, playing, talking and leaving."""

from __future__ import annotations

from plenilune.server import protocol
from plenilune.server.http.call import Call, Handlers
from plenilune.server.protocol import TABLE
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.failures import Taken
from plenilune.server.tables import decide, shown
from plenilune.server.thinking import thinkers as thinking

MOST_REPORTS = 20  # open reports of one person
MOST_REPORTS_NEAR = 100  # of all who came from one network


async def offer_dice(call: Call) -> protocol.DiceOffer:
    return call.server.secrets.offer()


async def make_table(call: Call) -> protocol.TableMade:
    call.allow("table")
    table, invites = await call.server.creation.create(call.me, call.body, call.network)
    return protocol.TableMade(table.info(call.me), list(invites))


async def show_table(call: Call) -> protocol.TableInfo:
    table = await call.table()
    shown.check_seeing(table.state, call.person)
    return table.info(call.person)


async def join(call: Call) -> protocol.TableInfo:
    call.allow("seat")
    if call.body.secret:
        call.allow("secret")
    table = await call.table()
    await call.server.creation.join(call.me, table, call.body)
    return table.info(call.me)


async def leave(call: Call) -> protocol.TableInfo:
    table = await call.table()
    await table.leave(call.me, call.body.seat)
    return table.info(call.me)


async def come_back(call: Call) -> protocol.TableInfo:
    table = await call.table()
    await table.come_back(call.me, call.body.seat)
    return table.info(call.me)


async def resign(call: Call) -> protocol.TableInfo:
    table = await call.table()
    await table.resign(call.me, call.body.seat)
    return table.info(call.me)


async def invite(call: Call) -> protocol.Invite:
    table = await call.table()
    return decide.invitation(table.id, call.body.seat, await table.invite(call.me, call.body.seat))


async def start(call: Call) -> protocol.TableInfo:
    table = await call.table()
    if table.state.game:
        thinking.bot(call.body.bot, table.state.game)
    await table.start(call.me, call.body)
    return table.info(call.me)


async def arrange(call: Call) -> protocol.TableInfo:
    table = await call.table()
    await table.arrange(call.me, call.body)
    return table.info(call.me)


async def rematch(call: Call) -> protocol.TableInfo:
    call.allow("table")
    table = await call.server.creation.rematch(call.me, await call.table(), call.body, call.network)
    return table.info(call.me)


async def state(call: Call) -> protocol.Update:
    call.allow("whole")
    table = await call.table()
    return table.update(shown.viewer(table.state, call.person, call.number("viewer")))


async def play(call: Call) -> protocol.Played:
    return await (await call.table()).play(call.me, call.body)


async def preview(call: Call) -> protocol.Previewed:
    table = await call.table()
    return shown.previewed(table.state, call.body.id, decide.preview(table.state, call.me, call.body))


async def say(call: Call) -> protocol.ChatLine:
    call.allow("say")
    return await (await call.table()).say(call.me, call.body)


async def report(call: Call) -> protocol.Reported:
    call.allow("report")
    found = (await call.table()).report(call.me, call.body)
    try:
        await call.server.store.moderation.add_report(found, MOST_REPORTS, MOST_REPORTS_NEAR)
    except Taken:
        raise Denied("already_reported", "you have reported this line before") from None
    return protocol.Reported(found.line)


HANDLERS: Handlers = {
    ("GET", "/api/dice"): offer_dice,
    ("POST", "/api/tables"): make_table,
    ("GET", TABLE): show_table,
    ("POST", f"{TABLE}/join"): join,
    ("POST", f"{TABLE}/leave"): leave,
    ("POST", f"{TABLE}/return"): come_back,
    ("POST", f"{TABLE}/resign"): resign,
    ("POST", f"{TABLE}/invite"): invite,
    ("POST", f"{TABLE}/start"): start,
    ("POST", f"{TABLE}/arrange"): arrange,
    ("POST", f"{TABLE}/rematch"): rematch,
    ("GET", f"{TABLE}/state"): state,
    ("POST", f"{TABLE}/play"): play,
    ("POST", f"{TABLE}/preview"): preview,
    ("POST", f"{TABLE}/say"): say,
    ("POST", f"{TABLE}/report"): report,
}
