"""Games and guests."""

from __future__ import annotations

from msgspec import Struct

from plenilune.info import GameInfo
from plenilune.server.protocol.words import Name


class Games(Struct, frozen=True):
    games: list[GameInfo]
    version: str  # of the server


class GameRules(Struct, frozen=True):
    """A game's rules as text, for clients without drawn rules of their own."""

    text: str  # the game's RULES.md; empty where there is none


class Guest(Struct, frozen=True):
    """Introduces a guest. A name and a cookie are enough: nobody needs an account."""

    name: Name
    key: bool = False  # for programs: an API key, to be sent as `Authorization: Bearer …`, instead of a cookie


class Me(Struct, frozen=True):
    id: str  # public
    name: str
    key: str | None = None  # only in the answer to `key: true`


class NewKey(Struct, frozen=True):
    """Asks for an API key for a program."""

    label: Name = "key"


class Key(Struct, frozen=True):
    id: str  # the key's public id, not the key itself
    label: str
    created: int  # 0: by release 0.1
    used: int | None  # when it was last used, to the hour; None: never
    key: str | None = None  # only in the answer to `NewKey`


class Keys(Struct, frozen=True):
    keys: list[Key]


class Whoami(Struct, frozen=True):
    me: Me | None  # None without a credential
    now: int  # the server's clock
