"""Those who watch a table: what each is sent when something changes.

Everybody who sees the same is sent the same bytes. A table never waits for anybody who watches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from plenilune.record import SPECTATOR
from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.protocol import ChatLine
from plenilune.server.storage.rows import Person
from plenilune.server.tables import decide, shown
from plenilune.server.tables.diff import Shown, encode
from plenilune.server.tables.shown import Crowd, TableView

CHAT_SENT = 60  # lines to somebody who has just come


@dataclass(eq=False)
class Watcher:
    """Somebody to whom a table is shown; `send` puts a message in their queue and never waits."""

    person: Person | None
    send: Callable[[bytes], None]
    looking: int = SPECTATOR  # as which seat
    sent: tuple[int, int] | None = None  # through whose eyes, and the ply, of the last update
    seats: list[int] = field(default_factory=list)  # their own


class Audience:
    def __init__(self, view: TableView) -> None:
        self.view = view
        self.watchers: set[Watcher] = set()
        self._shown: dict[int, Shown] = {}  # by whose eyes, what was shown last

    def crowd(self) -> Crowd:
        seats = frozenset(seat for watcher in self.watchers for seat in watcher.seats)
        return Crowd(seats, sum(not watcher.seats for watcher in self.watchers))

    def info(self, person: Person | None) -> protocol.TableInfo:
        return shown.info(self.view, person, self.crowd(), now())

    def update(self, viewer: int, log_from: int = 0, base: Shown | None = None) -> protocol.Update:
        return shown.update(self.view, viewer, self._scene(viewer), now(), log_from, base)

    def _scene(self, viewer: int) -> Shown:
        """What is to be seen now; made once for all who see the same."""
        eyes = shown.eyes(self.view, viewer)
        found = self._shown.get(eyes)
        if found is None or found.ply != self.view.row.ply:
            found = self._shown[eyes] = shown.scene(self.view, eyes)
        return found

    # Coming, going, looking

    def welcome(self, watcher: Watcher, wanted: int | None, ply: int | None) -> None:
        """Everything there is, to one who has just come; who was here before gets the log from that ply on."""
        state = self.view.state
        watcher.seats = decide.seats_of(state, watcher.person)
        watcher.looking = shown.viewer(state, watcher.person, wanted)
        self.watchers.add(watcher)
        self._follow(watcher)
        me = protocol.Me(watcher.person.id, watcher.person.name) if watcher.person else None
        lines = list(self.view.chat)[-CHAT_SENT:]
        info, curtain = self.info(watcher.person), self._curtain(watcher)
        watcher.send(encode(protocol.Welcome(me, info, watcher.looking, curtain, lines, now())))
        self._send_whole(watcher, ply or 0)
        if watcher.seats:
            self._tell_table(but=watcher)

    def goodbye(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        if watcher.seats:
            self._tell_table()

    def look(self, watcher: Watcher, viewer: int) -> None:
        watcher.looking = shown.viewer(self.view.state, watcher.person, viewer)
        self._tell_curtain(watcher)
        self._send_whole(watcher, 0)

    def resync(self, watcher: Watcher, ply: int) -> None:
        shown.check_watching(self.view.state, watcher.person)
        self._send_whole(watcher, ply)

    def _follow(self, watcher: Watcher) -> None:
        """At one screen for several seats: without secrets it shows the one to play, with them it closes the curtain
        before another seat's turn."""
        seats, to_play = watcher.seats, self.view.row.to_play
        if len(seats) < 2 or to_play not in seats or watcher.looking == to_play:
            return
        watcher.looking = SPECTATOR if self.view.has_secrets else to_play

    def _curtain(self, watcher: Watcher) -> bool:
        several, playing = len(watcher.seats) > 1, self.view.row.status == "playing"
        return several and playing and self.view.has_secrets and watcher.looking == SPECTATOR

    def _send_whole(self, watcher: Watcher, log_from: int) -> None:
        if self.view.state.position:
            watcher.send(encode(self.update(watcher.looking, log_from)))
            watcher.sent = (shown.eyes(self.view, watcher.looking), self.view.row.ply)

    def dismiss(self, why: str) -> None:
        """The table is no more."""
        for watcher in self.watchers:
            watcher.send(encode(protocol.Refused("not_found", why)))
        self.watchers.clear()

    # Telling everybody

    def publish(self, view: TableView, lines: Sequence[ChatLine] = (), table: bool = True) -> None:
        """The table is like this now; `table`: more than the board has changed."""
        self.view = view
        if table:
            self._tell_table()
        self._tell_board()
        for line in lines:
            said = encode(line)
            for watcher in self.watchers:
                watcher.send(said)

    def _tell_table(self, but: Watcher | None = None) -> None:
        made: dict[tuple[str | None, int, bool], bytes] = {}
        for watcher in [w for w in self.watchers if w is not but]:
            if not self._reseat(watcher):
                continue
            key = (watcher.person.id if watcher.person else None, watcher.looking, self._curtain(watcher))
            if key not in made:
                made[key] = encode(protocol.TableChanged(self.info(watcher.person), key[1], key[2]))
            watcher.send(made[key])

    def _reseat(self, watcher: Watcher) -> bool:
        """Somebody who watched may have sat down, or may watch no longer."""
        state = self.view.state
        if not decide.may_watch(state, watcher.person):
            self.watchers.discard(watcher)
            watcher.send(encode(protocol.Refused("forbidden", "only who sits at this table may watch it")))
            return False
        seats = decide.seats_of(state, watcher.person)
        if seats != watcher.seats:
            watcher.seats = seats
            watcher.looking = shown.viewer(state, watcher.person, None)
        self._follow(watcher)
        return True

    def _tell_board(self) -> None:
        if not self.view.state.position:
            return
        before, made = dict(self._shown), dict[tuple[int, bool], bytes]()
        alike: dict[tuple[int, bool], protocol.Update] = {}
        ply = self.view.row.ply
        for watcher in self.watchers:
            looked = watcher.looking
            self._follow(watcher)
            if watcher.looking != looked and self.view.has_secrets:
                self._tell_curtain(watcher)
            eyes = shown.eyes(self.view, watcher.looking)
            base = before.get(eyes)
            if watcher.sent == (eyes, ply):
                continue
            on = base is not None and watcher.sent == (eyes, base.ply)
            key = (watcher.looking, on)
            if key not in made:
                common = alike.get((eyes, on)) or self.update(watcher.looking, base=base if on else None)
                alike[eyes, on] = common
                made[key] = encode(self._for_viewer(common, watcher.looking))
            watcher.send(made[key])
            watcher.sent = (eyes, ply)

    def _for_viewer(self, update: protocol.Update, viewer: int) -> protocol.Update:
        """The same for another viewer who sees the same."""
        if update.viewer == viewer:
            return update
        return msgspec.structs.replace(update, viewer=viewer, legal=shown.legal(self.view, viewer))

    def _tell_curtain(self, watcher: Watcher) -> None:
        info, curtain = self.info(watcher.person), self._curtain(watcher)
        watcher.send(encode(protocol.TableChanged(info, watcher.looking, curtain)))
