"""What may happen at a table: pure functions from a table's state and a request to a draft of the changes.

Nothing here does I/O, and nothing here knows the seed of the dice. A draft stops at the next chance node. `settle`
lets chance play, and is called only inside the transaction that writes the draft, so no refusal, preview or hint can
depend on a future roll. A request is refused by raising `Denied`; then nothing changes.
"""

from __future__ import annotations

from plenilune.server.tables.decide.arranging import arrange
from plenilune.server.tables.decide.creating import (
    NewRows,
    Origin,
    check_rematch,
    daily_table,
    follow,
    invitation,
    new_table,
    rematch_table,
)
from plenilune.server.tables.decide.joining import invite, join, seated, start
from plenilune.server.tables.decide.leaving import close, come_back, leave, resign, time_out
from plenilune.server.tables.decide.playing import HintRequest, hint, play, play_for_bot, preview, request_id
from plenilune.server.tables.decide.reviving import replayed, revive
from plenilune.server.tables.decide.settling import Draft, Settled, settle
from plenilune.server.tables.decide.state import (
    BotTurn,
    TableState,
    bot_of,
    bot_to_play,
    bot_turn,
    is_host,
    may_watch,
    seats_of,
    stand_in,
    weakest,
)
from plenilune.server.tables.decide.talking import delete_line, report, say

__all__ = [
    "BotTurn",
    "Draft",
    "HintRequest",
    "NewRows",
    "Origin",
    "Settled",
    "TableState",
    "arrange",
    "bot_of",
    "bot_to_play",
    "bot_turn",
    "check_rematch",
    "close",
    "come_back",
    "daily_table",
    "delete_line",
    "follow",
    "hint",
    "invitation",
    "invite",
    "is_host",
    "join",
    "leave",
    "may_watch",
    "new_table",
    "play",
    "play_for_bot",
    "preview",
    "rematch_table",
    "replayed",
    "report",
    "request_id",
    "resign",
    "revive",
    "say",
    "seated",
    "seats_of",
    "settle",
    "stand_in",
    "start",
    "time_out",
    "weakest",
]
