"""Only one server may use a SQLite file: while it runs it holds an operating system lock on `<file>.lock`.

The system releases the lock when the process ends, however it ends. The file stays, and names the process. Reading the
database, and backing it up, takes no lock.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from plenilune.core.errors import BadSetting

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30  # the locked byte is far behind the process number, which others may read

    def _take(file: IO[str]) -> None:
        file.seek(FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked(database: Path) -> Iterator[None]:
    """Hold the lock; refused in one sentence while another process holds it."""
    path = database.resolve()
    try:
        file = path.with_name(f"{path.name}.lock").open("a+", encoding="ascii")
    except OSError as error:
        raise BadSetting(f"the database {database} cannot be locked: {error.strerror}") from error
    with file:
        _lock(file, database)
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _lock(file: IO[str], database: Path) -> None:
    try:
        _take(file)
    except (BlockingIOError, PermissionError):
        file.seek(0)
        holder = file.read().strip() or "unknown"
        raise BadSetting(f"the database {database} is in use by another server (process {holder})") from None
    except OSError as error:
        raise BadSetting(f"the database {database} cannot be locked: {error.strerror}") from error
