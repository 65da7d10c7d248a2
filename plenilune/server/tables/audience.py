"""A table's watchers, and what each is sent when something changes.

Watchers who see the same are sent the same bytes, encoded once. A table never waits for a watcher.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from plenilune.core.record import SPECTATOR
from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.protocol import ChatLine
from plenilune.server.protocol.encoding import encode
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.rows import Person
from plenilune.server.tables import decide, shown
from plenilune.server.tables.diff import Shown
from plenilune.server.tables.shown import Crowd, TableView

CHAT_SENT = 60  # lines sent to a new watcher


@dataclass(eq=False)
class Watcher:
    """Somebody who is shown a table; `send` puts a message in their queue and never waits."""

    person: Person | None
    send: Callable[[bytes], None]
    viewer: int = SPECTATOR  # the seat whose view they are shown
    sent: tuple[int, int] | None = None  # the view (`shown.eyes`) and the ply of the last update
    seats: list[int] = field(default_factory=list)  # their own


class Audience:
    def __init__(self, view: TableView) -> None:
        self.view = view
        self.watchers: set[Watcher] = set()
        self._shown: dict[int, Shown] = {}  # what was shown last, by view (`shown.eyes`)

    def crowd(self) -> Crowd:
        seats = frozenset(seat for watcher in self.watchers for seat in watcher.seats)
        return Crowd(seats, sum(not watcher.seats for watcher in self.watchers))

    def info(self, person: Person | None) -> protocol.TableInfo:
        return shown.info(self.view, person, self.crowd(), now())

    def update(self, viewer: int, log_from: int = 0, base: Shown | None = None) -> protocol.Update:
        return shown.update(self.view, viewer, self._scene(viewer), now(), log_from, base)

    def _scene(self, viewer: int) -> Shown:
        """The view at the current ply, made once for all who see the same."""
        eyes = shown.eyes(self.view, viewer)
        found = self._shown.get(eyes)
        if found is None or found.ply != self.view.row.ply:
            found = self._shown[eyes] = shown.scene(self.view, eyes)
        return found

    # Watchers

    def welcome(self, view: TableView, watcher: Watcher, wanted: int | None, ply: int | None) -> None:
        """Send everything to a new watcher; one who reconnects gets the log only from the ply they have seen."""
        self.view, state = view, view.state
        watcher.seats = decide.seats_of(state, watcher.person)
        watcher.viewer = shown.viewer(state, watcher.person, wanted)
        self.watchers.add(watcher)
        self._follow(watcher)
        me = protocol.Me(watcher.person.id, watcher.person.name) if watcher.person else None
        lines = list(self.view.chat)[-CHAT_SENT:]
        info, curtain = self.info(watcher.person), self._curtain(watcher)
        watcher.send(encode(protocol.Welcome(me, info, watcher.viewer, curtain, lines, now())))
        self._send_whole(watcher, ply or 0)
        if watcher.seats:
            self._send_table(but=watcher)

    def goodbye(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        if watcher.seats:
            self._send_table()

    def look(self, watcher: Watcher, viewer: int) -> None:
        watcher.viewer = shown.viewer(self.view.state, watcher.person, viewer)
        self._send_curtain(watcher)
        self._send_whole(watcher, 0)

    def resync(self, watcher: Watcher, ply: int) -> None:
        shown.check_watching(self.view.state, watcher.person)
        self._send_whole(watcher, ply)

    def _follow(self, watcher: Watcher) -> None:
        """One screen for several seats shows the seat to play; in games with secrets it closes the curtain first."""
        seats, to_play = watcher.seats, self.view.row.to_play
        if len(seats) < 2 or to_play not in seats or watcher.viewer == to_play:
            return
        watcher.viewer = SPECTATOR if self.view.has_secrets else to_play

    def _curtain(self, watcher: Watcher) -> bool:
        several, playing = len(watcher.seats) > 1, self.view.row.status == "playing"
        return several and playing and self.view.has_secrets and watcher.viewer == SPECTATOR

    def _send_whole(self, watcher: Watcher, log_from: int) -> None:
        if self.view.state.position:
            watcher.send(encode(self.update(watcher.viewer, log_from)))
            watcher.sent = (shown.eyes(self.view, watcher.viewer), self.view.row.ply)

    def dismiss(self, why: str) -> None:
        """Tell all watchers that the table is gone."""
        gone = encode(Denied("table_gone", why).refused())
        for watcher in self.watchers:
            watcher.send(gone)
        self.watchers.clear()

    # Broadcasting

    def publish(self, view: TableView, lines: Sequence[ChatLine] = (), table: bool = True) -> None:
        """Send what has changed to everybody; `table`: more than the board has."""
        self.view = view
        if table:
            self._send_table()
        self._send_board()
        for line in lines:
            said = encode(line)
            for watcher in self.watchers:
                watcher.send(said)

    def _send_table(self, but: Watcher | None = None) -> None:
        made: dict[tuple[str | None, int, bool], bytes] = {}
        for watcher in [w for w in tuple(self.watchers) if w is not but and self._reseat(w)]:
            person = watcher.person if watcher.seats or decide.is_host(self.view.state, watcher.person) else None
            key = (person.id if person else None, watcher.viewer, self._curtain(watcher))
            if key not in made:
                made[key] = encode(protocol.TableChanged(self.info(person), key[1], key[2]))
            watcher.send(made[key])

    def _reseat(self, watcher: Watcher) -> bool:
        """Update a watcher's seats; returns False for one who may no longer watch."""
        state = self.view.state
        if not decide.may_watch(state, watcher.person):
            self.watchers.discard(watcher)
            watcher.send(encode(Denied("private_table", "only players at this table may watch it").refused()))
            return False
        seats = decide.seats_of(state, watcher.person)
        if seats != watcher.seats:
            watcher.seats = seats
            watcher.viewer = shown.viewer(state, watcher.person, None)
        self._follow(watcher)
        return True

    def _send_board(self) -> None:
        if not self.view.state.position:
            return
        before, made = dict(self._shown), dict[tuple[int, bool], bytes]()
        alike: dict[tuple[int, bool], protocol.Update] = {}
        ply = self.view.row.ply
        for watcher in self.watchers:
            before_viewer = watcher.viewer
            self._follow(watcher)
            if watcher.viewer != before_viewer and self.view.has_secrets:
                self._send_curtain(watcher)
            eyes = shown.eyes(self.view, watcher.viewer)
            base = before.get(eyes)
            if watcher.sent == (eyes, ply):
                continue
            on = base is not None and watcher.sent == (eyes, base.ply)
            key = (watcher.viewer, on)
            if key not in made:
                common = alike.get((eyes, on)) or self.update(watcher.viewer, base=base if on else None)
                alike[eyes, on] = common
                made[key] = encode(self._for_viewer(common, watcher.viewer))
            watcher.send(made[key])
            watcher.sent = (eyes, ply)

    def _for_viewer(self, update: protocol.Update, viewer: int) -> protocol.Update:
        """The same update for another viewer who sees the same."""
        if update.viewer == viewer:
            return update
        return msgspec.structs.replace(update, viewer=viewer, legal=shown.legal(self.view, viewer))

    def _send_curtain(self, watcher: Watcher) -> None:
        info, curtain = self.info(watcher.person), self._curtain(watcher)
        watcher.send(encode(protocol.TableChanged(info, watcher.viewer, curtain)))
