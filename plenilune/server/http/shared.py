"""Token buckets and connection counts in memory that all workers of one server share.

Both are fixed-size, set-associative hash tables. A name is hashed with a key that only this server knows, so that
nobody can aim at a slot, and the hash selects a set of a few slots. The memory is a file that the workers map; a server
with one worker uses anonymous memory. Each operation holds the lock of the set's shard.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import mmap
import os
import secrets
import struct
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: limits hold within each process only
    fcntl = None  # type: ignore[assignment]

VARIABLE = "PLENILUNE_SHARED_LIMITS"  # the file, for the workers
SHARDS = 64  # locks for each of the two tables
WAYS = 8  # slots in a set
BUCKET_SETS = 8192  # 65,536 buckets, 1 MiB
COUNT_SETS = 2048  # 16,384 people and addresses with open connections
HEADER = struct.Struct("<32sI")  # the hash's key, and the number of workers' columns
BUCKETS = struct.Struct(f"<{WAYS}Q{WAYS}d")  # names' hashes, and when each bucket is full again
HASH, FULL_AT = struct.Struct("<Q"), struct.Struct("<d")
NOTHING = 1e-9  # seconds: tolerance for rounding


class _FileLock:
    """One byte of a file, locked against other processes, and against other threads of this one."""

    def __init__(self, file: int, byte: int) -> None:
        self._file, self._byte, self._threads = file, byte, threading.Lock()

    def __enter__(self) -> None:
        self._threads.acquire()
        fcntl.lockf(self._file, fcntl.LOCK_EX, 1, self._byte)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, self._byte)
        self._threads.release()


class Memory:
    """The mapped bytes, the hash's key, and the locks."""

    def __init__(self, path: Path | None = None) -> None:
        self._file = None if path is None else os.open(path, os.O_RDWR)
        if self._file is None:
            self.map = mmap.mmap(-1, _size(1))
            HEADER.pack_into(self.map, 0, secrets.token_bytes(32), 1)
        else:
            self.map = mmap.mmap(self._file, 0)
        self.key, self.columns = HEADER.unpack_from(self.map, 0)

    def lock(self, byte: int) -> contextlib.AbstractContextManager[Any]:
        return threading.Lock() if self._file is None else _FileLock(self._file, byte)

    def claim(self, byte: int) -> bool:
        """Lock the byte until this process ends; fails if a living process holds it."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except OSError:
            return False
        return True

    def release(self, byte: int) -> None:
        if self._file is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)

    def close(self) -> None:
        """Close the file, which releases every claim too."""
        self.map.close()
        if self._file is not None:
            os.close(self._file)

    def hash(self, name: str) -> int:
        """A keyed hash; never 0, which marks an empty slot."""
        found = hashlib.blake2b(name.encode("utf-8", "replace"), key=self.key, digest_size=8).digest()
        return int.from_bytes(found, "little") or 1


@contextlib.contextmanager
def created(workers: int) -> Iterator[Path | None]:
    """A file shared by the workers of one server; none where files cannot be locked."""
    if fcntl is None:
        yield None
        return
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    file, name = tempfile.mkstemp(prefix="plenilune-", dir=folder)
    try:
        columns = 2 * workers  # a worker may start before the one it replaces has ended
        os.truncate(file, _size(columns))
        os.pwrite(file, HEADER.pack(secrets.token_bytes(32), columns), 0)
        os.close(file)
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def opened() -> Memory:
    """The memory shared with this process's fellow workers, or its own."""
    path = os.environ.get(VARIABLE)
    return Memory(Path(path) if path else None)


def _row(columns: int) -> struct.Struct:
    return struct.Struct(f"<Q{columns}I")


COUNTS_AT = HEADER.size + BUCKET_SETS * BUCKETS.size
COLUMN_LOCKS = 2 * SHARDS  # after those of buckets and of counts


def _size(columns: int) -> int:
    """Bytes for the buckets, for a flag per column that says whether it is in use, and for the counts."""
    return COUNTS_AT + columns + COUNT_SETS * WAYS * _row(columns).size


class Buckets:
    """Token buckets, each stored as the time at which it will be full again (generic cell rate algorithm, GCRA).

    A full bucket needs no slot, so the slot that will be full soonest is reused: flooding the table with names evicts
    those who have used little, never those who have used too much.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._locks = [memory.lock(shard) for shard in range(SHARDS)]
        self._place = functools.lru_cache(4096)(self._find_place)

    def _find_place(self, name: str) -> tuple[int, int, contextlib.AbstractContextManager[Any]]:
        """The name's hash, the offset of its set, and the set's lock."""
        hash = self._memory.hash(name)
        number = hash % BUCKET_SETS
        return hash, HEADER.size + number * BUCKETS.size, self._locks[number % SHARDS]

    def take(self, name: str, cost: float, most: float, now: float) -> float:
        """Delay the time at which the bucket is full by `cost` seconds, unless that is over `most` seconds from now.

        Returns 0, or by how many seconds the request is too early; then nothing changes.
        """
        hash, at, lock = self._place(name)
        with lock:
            way, full_at = self._find(hash, at)
            later = max(full_at, now) + cost
            early = later - now - most
            if early > NOTHING:
                return early
            self._write(hash, at, way, later)
        return 0.0

    def spend(self, name: str, cost: float, now: float) -> None:
        """The same without a limit: for costs that are known only afterwards."""
        hash, at, lock = self._place(name)
        with lock:
            way, full_at = self._find(hash, at)
            self._write(hash, at, way, max(full_at, now) + cost)

    def debt(self, name: str, now: float) -> float:
        """Seconds until the bucket is full."""
        hash, at, lock = self._place(name)
        with lock:
            return max(0.0, self._find(hash, at)[1] - now)

    def _find(self, hash: int, at: int) -> tuple[int, float]:
        """The name's slot, or the one to reuse for it, and the time at which the bucket is full."""
        slots = BUCKETS.unpack_from(self._memory.map, at)
        if hash in slots[:WAYS]:
            way = slots.index(hash)
            return way, slots[WAYS + way]
        full_at = slots[WAYS:]
        return full_at.index(min(full_at)), 0.0

    def _write(self, hash: int, at: int, way: int, full_at: float) -> None:
        HASH.pack_into(self._memory.map, at + 8 * way, hash)
        FULL_AT.pack_into(self._memory.map, at + 8 * (WAYS + way), full_at)


class Counts:
    """Counts of open things by name, with a column for each worker.

    The operating system releases the lock on a worker's column when the worker ends, however it ends. The column is
    then cleared, by its next owner or by a worker that would otherwise refuse somebody.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory, self._columns = memory, memory.columns
        self._row = _row(self._columns)
        self._locks = [memory.lock(SHARDS + shard) for shard in range(SHARDS)]
        self._rows_at = COUNTS_AT + self._columns
        self.column = self._claim()

    def _claim(self) -> int | None:
        """Claim the first free column; without one, this worker counts nothing."""
        for column in range(self._columns):
            if self._memory.claim(COLUMN_LOCKS + column):
                self._clear(column)
                self._memory.map[COUNTS_AT + column] = 1
                return column
        return None

    def _clear(self, column: int) -> None:
        for number in range(COUNT_SETS):
            with self._locks[number % SHARDS]:
                for at in self._rows(number):
                    struct.pack_into("<I", self._memory.map, at + 8 + 4 * column, 0)

    def _rows(self, number: int) -> range:
        size = self._row.size
        first = self._rows_at + number * WAYS * size
        return range(first, first + WAYS * size, size)

    def forget_the_dead(self) -> bool:
        """Clear the columns of workers that have ended; returns whether there were any."""
        others = [column for column in range(self._columns) if column != self.column]
        return bool([column for column in others if self._forget(column)])

    def _forget(self, column: int) -> bool:
        if not self._memory.map[COUNTS_AT + column] or not self._memory.claim(COLUMN_LOCKS + column):
            return False  # not in use, or its worker is alive
        self._clear(column)
        self._memory.map[COUNTS_AT + column] = 0
        self._memory.release(COLUMN_LOCKS + column)
        return True

    def add(self, name: str, most: float) -> int | None:
        """Count one more, unless there are `most`; returns a handle for `remove`, or None if there are too many."""
        found = self._add(name, most)
        return self._add(name, most) if found is None and self.forget_the_dead() else found

    def _add(self, name: str, most: float) -> int | None:
        hash = self._memory.hash(name)
        number = hash % COUNT_SETS
        with self._locks[number % SHARDS]:
            at, counts = self._find(hash, number)
            if sum(counts) >= most:
                return None
            if at and self.column is not None:
                counts[self.column] += 1
                self._row.pack_into(self._memory.map, at, hash, *counts)
        return at

    def remove(self, at: int) -> None:
        """Count one less."""
        if at and self.column is not None:
            number = (at - self._rows_at) // (WAYS * self._row.size)
            with self._locks[number % SHARDS]:
                hash, *counts = self._row.unpack_from(self._memory.map, at)
                counts[self.column] = max(0, counts[self.column] - 1)
                self._row.pack_into(self._memory.map, at, hash, *counts)

    def count(self, name: str) -> int:
        hash = self._memory.hash(name)
        number = hash % COUNT_SETS
        with self._locks[number % SHARDS]:
            return sum(self._find(hash, number)[1])

    def _find(self, hash: int, number: int) -> tuple[int, list[int]]:
        """The name's row, or a free one; 0 if the set is full, and then nothing is counted.

        Filling a set takes open connections from thousands of networks; limits would not stop such an attacker anyway.
        """
        free = 0
        for at in self._rows(number):
            found, *counts = self._row.unpack_from(self._memory.map, at)
            if found == hash:
                return at, counts
            if not free and not any(counts):
                free = at
        return free, [0] * self._columns
