"""Operators' keys, in the database, and this machine's own key, in a file."""

from __future__ import annotations

import argparse
import getpass
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from plenilune.commands.admin.printing import done, moment, print_json, print_table
from plenilune.core.errors import Refusal

if TYPE_CHECKING:
    from plenilune.server.settings import Settings
    from plenilune.server.storage.store import Store

T = TypeVar("T")
VARIABLE = "PLENILUNE_OPERATOR_KEY"
FILE = "operator.key"  # in the data folder
LOCAL = ("127.0.0.1", "::1", "localhost")


class Failed(Refusal):
    """The server or the database refuses, or does not answer."""


def make_key(given: argparse.Namespace) -> None:
    key = in_database(settings_of(given), lambda store: _register(store, given.name))
    if given.json:
        print_json({"name": given.name, "key": key})
    else:
        print(f"The key of {given.name}, shown this once:\n{key}")


def list_keys(given: argparse.Namespace) -> None:
    found = in_database(settings_of(given), lambda store: store.moderation.operators())
    if given.json:
        print_json({"keys": [operator._asdict() for operator in found]})
    else:
        print_table(("name", "made"), [(operator.name, moment(operator.created)) for operator in found])


def revoke_key(given: argparse.Namespace) -> None:
    from plenilune.server.storage.moderation import entry

    noted = entry(_person(), "revoke_key", given.name)
    if not in_database(settings_of(given), lambda store: store.moderation.remove_operator(given.name, noted)):
        raise Failed(f"there is no operator {given.name!r}")
    done(given, {"revoked": given.name}, f"The key of {given.name} is revoked.")


def in_database(settings: Settings, work: Callable[[Store], Awaitable[T]]) -> T:
    """Done beside the server, whether it runs or not."""
    import asyncio

    from plenilune.server.storage.store import Store

    async def run() -> T:
        store = Store(settings.url)
        async with store.open():
            return await work(store)

    return asyncio.run(run())


async def _register(store: Store, name: str, replace: bool = False) -> str:
    """A new key, of which the database keeps the digest."""
    from plenilune.server.http.operators import new_key
    from plenilune.server.storage.moderation import entry
    from plenilune.server.storage.names import a_name
    from plenilune.server.storage.rows import digest

    key, name = new_key(), a_name(name)
    if not await store.moderation.add_operator(name, digest(key), entry(_person(), "add_key", name), replace):
        raise Failed(f"there is an operator {name!r} already: revoke that key first, or choose another name")
    return key


def _person() -> str:
    """Who types, for the audit log and as the name of this machine's key."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # the user has no name
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}"


def settings_of(given: argparse.Namespace) -> Settings:
    from plenilune.server.settings import load_settings

    return load_settings({name: getattr(given, name) for name in ("data", "database") if hasattr(given, name)})


# This machine's own key


def key_for(given: argparse.Namespace) -> str:
    if key := os.environ.get(VARIABLE):
        return key.strip()
    host = urlsplit(given.server).hostname
    if host not in LOCAL:
        raise Failed(
            f"no key for {host}: put one in {VARIABLE}; `plenilune admin key NAME` makes it on the server's machine"
        )
    settings = settings_of(given)
    return in_database(settings, lambda store: _own_key(store, settings.data / FILE))


async def _own_key(store: Store, file: Path) -> str:
    """The key in the file; a new one if there is none, or if it was revoked."""
    from plenilune.server.storage.rows import digest

    key = _read_key(file)
    if key and await store.moderation.operator(digest(key)) is not None:
        return key
    key = await _register(store, _person(), replace=True)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(key + "\n")
    return key


def _read_key(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except FileNotFoundError:
        return ""
    except PermissionError as error:
        raise Failed(f"{file} cannot be read: run this as the server's user, or put a key in {VARIABLE}") from error
