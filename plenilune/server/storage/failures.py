"""Database errors, in the form in which the rest of the server handles them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from plenilune.core.errors import Refusal
from plenilune.server.protocol.refusals import Denied


class Overtaken(Refusal):
    """Another process has changed the match in the meantime."""


class Taken(Refusal):
    """A unique constraint is violated."""


def driver_errors(postgresql: bool) -> tuple[type[Exception], ...]:
    """What SQLAlchemy and the drivers raise. SQLAlchemy 2.0 passes on as it is what asyncpg raises while connecting."""
    if not postgresql:
        return (OSError, SQLAlchemyError)
    import asyncpg  # type: ignore[import-untyped]

    return (OSError, SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


@contextlib.contextmanager
def refusals(errors: tuple[type[Exception], ...]) -> Iterator[None]:
    """Turn the drivers' errors into a `Refusal`."""
    try:
        yield
    except IntegrityError as error:
        raise Taken(plain(error)) from error
    except errors as error:
        raise (unstorable() if is_about_data(error) else unavailable()) from error


def is_about_data(error: Exception) -> bool:
    """Whether the database rejects a value, such as a text with a NUL: class 22 of SQLSTATE."""
    state = getattr(getattr(error, "orig", error), "sqlstate", None) or ""
    return isinstance(error, DataError) or state.startswith("22")


def is_about_values(error: Exception) -> bool:
    """Whether one part of a transaction is at fault, rather than the database."""
    return isinstance(error, IntegrityError) or is_about_data(error)


def unavailable() -> Denied:
    return Denied("unavailable", "the database does not answer; nothing has changed")


def unconfirmed() -> Denied:
    return Denied("not_confirmed", "the database has not confirmed this in time: check before you try again")


def unstorable() -> Denied:
    return Denied("bad_text", "this contains characters that cannot be stored")


def plain(error: Exception) -> str:
    """The first line of the driver's message."""
    said = str(getattr(error, "orig", None) or error).splitlines()
    return said[0] if said else type(error).__name__
