"""How a server is set up: by the command line, by environment variables, or by neither."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import platformdirs

from plenilune.core.errors import BadSetting

PREFIX = "PLENILUNE_"
SQLITE, POSTGRESQL = "sqlite+aiosqlite", "postgresql+asyncpg"
DIALECTS = {"sqlite": SQLITE, SQLITE: SQLITE, "postgresql": POSTGRESQL, "postgres": POSTGRESQL, POSTGRESQL: POSTGRESQL}
PORT = 7272
CONNECTIONS = 20_000
TABLES_A_DAY = 1000
KEEP = "keep_"
SWITCH = {"on": True, "off": False}
LEAST_KEPT = 0.01  # days: must exceed the life of a ticket for dice, or one could be used twice


def _data() -> Path:
    return Path(platformdirs.user_data_dir("plenilune"))


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: int | None = None  # None: 7272, or the next free one; 0: any free one
    database: str = ""  # nothing: SQLite in the data folder
    data: Path = field(default_factory=_data)
    workers: int = 1
    browser: bool = True  # open it
    limits: bool = True  # rate limits of each person and address
    bot_pause: float = 0.7  # seconds between two actions of bots, so that people can follow
    lease: float = 10.0  # seconds after which another process thinks for a bot whose own process is silent
    poll: float = 2.0  # seconds between two polls for lost notifications
    connections: int = CONNECTIONS  # of one process, if it may open enough files (http/transport.py)
    tables_a_day: int = TABLES_A_DAY  # new tables of one network
    metrics: str = "private"  # `private`: for operators; `public`: for everybody
    thinkers: int = max(1, min(4, (os.cpu_count() or 2)))  # bots that think at the same time
    # Days for which things are kept (storage/retention.py); infinity: forever.
    keep_waiting: float = 1
    keep_abandoned: float = 30
    keep_brief: float = 1
    keep_finished: float = math.inf
    keep_guests: float = 7
    keep_chat: float = 90
    keep_records: float = 365

    def __post_init__(self) -> None:
        if self.port is not None and not 0 <= self.port < 65536:
            raise BadSetting(f"a port is a number from 0 to 65535, not {self.port}")
        if self.connections < 1:
            raise BadSetting(f"a process needs at least one connection, not {self.connections}")
        if self.tables_a_day < 1:
            raise BadSetting(f"a network may make at least one table a day, not {self.tables_a_day}")
        if self.metrics not in ("private", "public"):
            raise BadSetting(f"metrics are private or public, not {self.metrics!r}")
        for name, days in self.kept().items():
            if not days >= LEAST_KEPT:
                raise BadSetting(f"keep_{name} is a number of days from {LEAST_KEPT} on, or 'forever', not {days:g}")
        if self.workers < 1:
            raise BadSetting(f"at least one worker is needed, not {self.workers}")
        if self.workers > 1 and not self.shared:
            raise BadSetting(
                f"{self.workers} workers need PostgreSQL (--database postgresql://…); SQLite is for one process"
            )

    def kept(self) -> dict[str, float]:
        """For how many days each kind of data is kept."""
        return {name.removeprefix(KEEP): getattr(self, name) for name in KINDS if name.startswith(KEEP)}

    @property
    def shared(self) -> bool:
        """Whether other processes may serve the same tables."""
        return self.url.startswith(POSTGRESQL)

    @property
    def url(self) -> str:
        """The database's, as SQLAlchemy writes it."""
        if not self.database:
            return f"{SQLITE}:///{self.data / 'plenilune.sqlite'}"
        scheme, colon, rest = self.database.partition("://")
        if not colon or scheme not in DIALECTS:
            raise BadSetting(
                f"a database is sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME, not {self.database!r}"
            )
        return f"{DIALECTS[scheme]}://{rest}"


KINDS: dict[str, Any] = get_type_hints(Settings)  # every setting's type


def load_settings(given: Mapping[str, str] | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings from the command line; for what is not given there, from variables such as PLENILUNE_PORT.

    >>> load_settings({"port": "8000"}, {"PLENILUNE_PORT": "9000", "PLENILUNE_LIMITS": "off"}).port
    8000
    """
    found: dict[str, Any] = {}
    for name, kind in KINDS.items():
        variable, option = PREFIX + name.upper(), (given or {}).get(name)
        if option is not None:
            found[name] = _converted(f"--{name}", kind, option)
        elif environment.get(variable):
            found[name] = _converted(variable, kind, environment[variable])
    return Settings(**found)


def _converted(name: str, kind: Any, word: str) -> Any:
    if kind is bool:
        if word not in SWITCH:
            raise BadSetting(f"{name} is on or off, not {word!r}")
        return SWITCH[word]
    if word == "forever" and KEEP.upper() in name.upper():
        return math.inf
    try:
        return msgspec.convert(word, kind, strict=False, dec_hook=lambda made, text: made(text))
    except msgspec.ValidationError:
        raise BadSetting(f"{name} is a number, not {word!r}") from None
