"""Only one server uses a SQLite file: while it runs it holds a lock of the operating system on `<file>.lock`.

The lock goes with the process that holds it, however that ends. The file stays, and names the process. Whoever only
reads the database, or makes a backup of it, takes no lock.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from plenilune.errors import BadSetting

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30  # locked is a byte behind the process number, which others want to read

    def _take(file: IO[str]) -> None:
        file.seek(FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def locked(database: Path) -> Iterator[None]:
    """For whoever must be alone with the database; refused in one sentence while another process is."""
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
