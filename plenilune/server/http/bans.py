"""Bans, held in memory, so that checking a request costs two dictionary look-ups."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from datetime import UTC, datetime

from plenilune.server.clock import now
from plenilune.server.http.limits import network
from plenilune.server.protocol import Ban, NewBan
from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.names import tidy
from plenilune.server.storage.rows import Person, new_id
from plenilune.server.storage.store import Store


class Bans:
    def __init__(self, store: Store) -> None:
        self._store, self._version = store, ""
        self._people: dict[str, Ban] = {}
        self._networks: dict[str, Ban] = {}
        self.changed: Callable[[], None] = lambda: None  # called after every change

    async def refresh(self) -> None:
        """Reload the bans if some process has changed them."""
        version = await self._store.moderation.bans_version()
        if version != self._version:
            bans = await self._store.moderation.bans(now())
            self._people = {ban.person: ban for ban in bans if ban.person}
            self._networks = {ban.network: ban for ban in bans if ban.network}
            self._version = version
            self.changed()

    def find(self, network: str, person: Person | None) -> Denied | None:
        """The refusal for a person and a network; None if neither is banned."""
        found = [self._networks.get(network), self._people.get(person.id) if person else None]
        return next((_denied(ban) for ban in found if ban and (ban.until is None or ban.until > now())), None)

    def check(self, network: str, person: Person | None) -> None:
        if denied := self.find(network, person):
            raise denied


def _denied(ban: Ban) -> Denied:
    who = "you are" if ban.person else "your address is"
    if ban.until is None:
        return Denied("banned", f"{who} banned from this server: {ban.reason}", because=ban.reason)
    until = f"{datetime.fromtimestamp(ban.until / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    said = f"{who} banned from this server until {until}: {ban.reason}"
    return Denied("banned_until", said, because=ban.reason, until=ban.until)


def new_ban(asked: NewBan, name: str | None, at: int) -> Ban:
    """The ban that an operator asks for; `name` is the person's, None if there is no such person."""
    if (asked.person is None) == (asked.address is None):
        raise Denied("bad_request", "ban either a person or an address")
    if asked.person is not None and name is None:
        raise Denied("not_found", f"there is no person {asked.person!r}")
    if asked.until is not None and asked.until <= at:
        raise Denied("bad_request", "a ban ends in the future, or never")
    if not (reason := tidy(asked.reason)):
        raise Denied("bad_request", "a ban needs a reason, which the banned person is told")
    where = None if asked.address is None else _banned_network(asked.address)
    return Ban(new_id(), asked.person, name or "", where, reason, at, asked.until)


def _banned_network(address: str) -> str:
    try:
        found = network(str(ipaddress.ip_address(address)))
    except ValueError:
        raise Denied("bad_request", f"an address is IPv4 or IPv6, not {address!r}") from None
    if any(found == network(own) for own in ("::1", "0.0.0.0")) or ipaddress.ip_network(found).is_loopback:
        # Behind a proxy that does not pass on visitors' addresses, this would be everybody's.
        raise Denied("bad_request", f"{address} is the server's own machine: banning it might ban everybody")
    return found
