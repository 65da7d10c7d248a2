"""Those who watch a table: what each is shown, and what each is told when something changes.

Everybody who sees the same is sent the same bytes. A table never waits for anybody who watches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from plenilune.record import SPECTATOR
from plenilune.server import protocol
from plenilune.server.protocol import ChatLine
from plenilune.server.storage.rows import Person, now
from plenilune.server.tables.diff import Parts, Shown, changed, encode, show, whole

if TYPE_CHECKING:
    from plenilune.server.tables.table import Table


@dataclass(eq=False)
class Watcher:
    """Somebody to whom a table is shown; `send` puts a message in their queue and never waits."""

    person: Person | None
    send: Callable[[bytes], None]
    looking: int = SPECTATOR  # as which seat
    sent: tuple[int, int] | None = None  # through whose eyes, and the ply, of the last update
    seats: list[int] = field(default_factory=list)  # their own


class Audience:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.watchers: set[Watcher] = set()
        self._shown: dict[int, Shown] = {}  # by whose eyes, what was shown last

    def here(self) -> set[int]:
        """The seats whose persons are connected."""
        return {seat for watcher in self.watchers for seat in watcher.seats}

    def spectators(self) -> int:
        return sum(not watcher.seats for watcher in self.watchers)

    def eyes(self, viewer: int) -> int:
        """Whose view it is: where there are no secrets everybody sees the same."""
        return viewer if self.table.has_secrets else SPECTATOR

    def shown(self, viewer: int) -> Shown:
        """What is to be seen now; made once for all who see the same."""
        assert self.table.board
        eyes = self.eyes(viewer)
        found = self._shown.get(eyes)
        if found is None or found.ply != self.table.ply:
            found = show(self.table.board.game, self.table.board.seen(eyes), self.table.ply)
            self._shown[eyes] = found
        return found

    def update(self, viewer: int, log_from: int = 0, base: Shown | None = None) -> protocol.Update:
        assert self.table.board
        found = self.shown(viewer)
        first = base.ply if base else min(log_from, self.table.ply)
        view, parts = changed(base.view, found.view) if base else (whole(found.view), Parts())
        return protocol.Update(
            match=self.table.id,
            viewer=viewer,
            ply=self.table.ply,
            hash=found.hash,
            base=base.ply if base else None,
            base_hash=base.hash if base else None,
            view=view,
            parts=parts,
            log=[self.table.told(entry, viewer) for entry in self.table.log[first:]],
            log_from=first,
            to_play=self.table.to_play,
            legal=self.legal_for(viewer),
            turn=self.table.row["turn"],
            scores=found.scores,
            places=found.places,
            clocks=self.table.clocks(),
            now=now(),
        )

    def legal_for(self, viewer: int) -> list[str]:
        if not self.table.board or self.table.status != "playing" or viewer != self.table.to_play:
            return []
        return self.table.board.legal_for(self.table.board.seen(viewer), viewer)

    # Telling

    def welcome(self, watcher: Watcher, wanted: int | None, ply: int | None) -> None:
        """Everything there is, to one who has just come; who was here before gets the log from that ply on."""
        self.watchers.add(watcher)
        self._look(watcher, wanted)
        me = protocol.Me(watcher.person.id, watcher.person.name) if watcher.person else None
        info, curtain = self.table.info(watcher.person), self._curtain(watcher)
        watcher.send(encode(protocol.Welcome(me, info, watcher.looking, curtain, self.table.chat, now())))
        self._send_whole(watcher, ply or 0)
        if watcher.seats:
            self._tell_table(but=watcher)

    def goodbye(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        if watcher.seats:
            self._tell_table()

    def look(self, watcher: Watcher, viewer: int) -> None:
        watcher.looking = self.table.viewer(watcher.person, viewer)
        self._tell_curtain(watcher)
        self._send_whole(watcher, 0)

    def resync(self, watcher: Watcher, ply: int) -> None:
        self.table.check_watching(watcher.person)
        self._send_whole(watcher, ply)

    def _look(self, watcher: Watcher, wanted: int | None) -> None:
        watcher.seats = self.table.seats_of(watcher.person)
        watcher.looking = self.table.viewer(watcher.person, wanted)
        self._follow(watcher)

    def _follow(self, watcher: Watcher) -> None:
        """At one screen for several seats: without secrets it shows the one to play, with them it closes the curtain
        before another seat's turn."""
        seats = watcher.seats
        if len(seats) < 2 or self.table.to_play not in seats or watcher.looking == self.table.to_play:
            return
        watcher.looking = SPECTATOR if self.table.has_secrets else self.table.to_play

    def _curtain(self, watcher: Watcher) -> bool:
        return (
            len(watcher.seats) > 1
            and self.table.has_secrets
            and watcher.looking == SPECTATOR
            and self.table.status == "playing"
        )

    def _send_whole(self, watcher: Watcher, log_from: int) -> None:
        if self.table.board:
            watcher.send(encode(self.update(watcher.looking, log_from)))
            watcher.sent = (self.eyes(watcher.looking), self.table.ply)

    def tell(self, lines: Sequence[ChatLine] = (), table: bool = True) -> None:
        """Whatever is new, to everybody who watches."""
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
                made[key] = encode(protocol.TableChanged(self.table.info(watcher.person), key[1], key[2]))
            watcher.send(made[key])

    def _reseat(self, watcher: Watcher) -> bool:
        """Somebody who watched may have sat down, or may watch no longer."""
        if not self.table.may_watch(watcher.person):
            self.watchers.discard(watcher)
            watcher.send(encode(protocol.Refused("forbidden", "only who sits at this table may watch it")))
            return False
        seats = self.table.seats_of(watcher.person)
        if seats != watcher.seats:
            watcher.seats = seats
            watcher.looking = self.table.viewer(watcher.person, None)
        self._follow(watcher)
        return True

    def _tell_board(self) -> None:
        if not self.table.board:
            return
        before, made = dict(self._shown), dict[tuple[int, bool], bytes]()
        alike: dict[tuple[int, bool], protocol.Update] = {}
        for watcher in self.watchers:
            looked = watcher.looking
            self._follow(watcher)
            if watcher.looking != looked and self.table.has_secrets:
                self._tell_curtain(watcher)
            eyes = self.eyes(watcher.looking)
            base = before.get(eyes)
            if watcher.sent == (eyes, self.table.ply):
                continue
            on = base is not None and watcher.sent == (eyes, base.ply)
            key = (watcher.looking, on)
            if key not in made:
                common = alike.get((eyes, on)) or self.update(watcher.looking, base=base if on else None)
                alike[eyes, on] = common
                made[key] = encode(self._for_viewer(common, watcher.looking))
            watcher.send(made[key])
            watcher.sent = (eyes, self.table.ply)

    def _for_viewer(self, update: protocol.Update, viewer: int) -> protocol.Update:
        """The same for another viewer who sees the same."""
        if update.viewer == viewer:
            return update
        return msgspec.structs.replace(update, viewer=viewer, legal=self.legal_for(viewer))

    def _tell_curtain(self, watcher: Watcher) -> None:
        info = self.table.info(watcher.person)
        watcher.send(encode(protocol.TableChanged(info, watcher.looking, self._curtain(watcher))))
