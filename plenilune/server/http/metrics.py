"""Metrics for Prometheus, added up over all workers of a server.

With several workers, each writes its metrics to files in a shared folder (prometheus_client's multiprocess mode, chosen
when it is imported), and the worker that is asked reads all of them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # the folder, for the workers
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
EVERY = 5.0  # seconds between two measurements of the gauges
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)  # seconds
COUNTERS = {
    "actions": "Actions that were written, of people, bots and chance",
    "changes": "Changes of tables that were written",
    "bot_actions": "Actions that bots played",
    "time_outs": "Turns that ran out of time",
    "new_tables": "Tables that were made",
}
GAUGES = {
    "tables": "Tables in memory",
    "sockets": "Open websockets",
    "thinking": "Tables at which a bot thinks",
    "memory_bytes": "Resident memory; of several workers, the sum",
    "problems": "What is failing, as /api/health lists it",
    "workers": "Processes of this server",
}
disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody needs the time at which a counter was created


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        requests = Counter("plenilune_requests", "Answers, by status", ["status"], registry=self._registry)
        refusals = Counter("plenilune_refusals", "Refusals, by reason", ["reason"], registry=self._registry)
        self._requests = functools.cache(requests.labels)  # finding the labels would cost more than counting
        self._refusals = functools.cache(refusals.labels)
        self._request_seconds = self._histogram("request_seconds", "Until an answer begins")
        self._counts = self._counters() | {
            "commit_seconds": self._histogram("commit_seconds", "Transactions that write changes of tables").observe
        }
        self._gauges = {name: self._gauge(name, text) for name, text in GAUGES.items()}
        self._queues = self._gauge("queue", "What waits: for the database, or to compute", ["queue"])

    def _counters(self) -> dict[str, Callable[[float], None]]:
        made = {name: Counter(f"plenilune_{name}", text, registry=self._registry) for name, text in COUNTERS.items()}
        return {name: counter.inc for name, counter in made.items()}

    def _histogram(self, name: str, text: str) -> Histogram:
        return Histogram(f"plenilune_{name}", text, buckets=BUCKETS, registry=self._registry)

    def _gauge(self, name: str, text: str, labels: list[str] | None = None) -> Gauge:
        labels = labels or []
        return Gauge(f"plenilune_{name}", text, labels, registry=self._registry, multiprocess_mode="livesum")

    def tally(self, figure: str, amount: float) -> None:
        """Add to a counter, or observe a duration."""
        self._counts[figure](amount)

    def answered(self, status: int, seconds: float) -> None:
        self._requests(status).inc()
        self._request_seconds.observe(seconds)

    def refused(self, reason: str) -> None:
        self._refusals(reason).inc()

    def measure(self, gauges: Mapping[str, float], queues: Mapping[str, int]) -> None:
        """Set this process's gauges."""
        for name, figure in {**gauges, "memory_bytes": memory(), "workers": 1}.items():
            self._gauges[name].set(figure)
        for name, length in queues.items():
            self._queues.labels(name).set(length)

    def text(self) -> bytes:
        """The metrics of all workers, in Prometheus's format."""
        folder = os.environ.get(VARIABLE)
        if not folder:
            return generate_latest(self._registry)
        forget_the_dead(Path(folder))
        everything = CollectorRegistry()
        everything.register(Files(Path(folder)))
        return generate_latest(everything)


class Files(Collector):
    """The files of all workers, except those just created and still empty."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        files = [str(file) for file in self._folder.glob("*.db") if file.stat().st_size]
        merged: Iterable[Metric] = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]
        return merged


def memory() -> int:
    """Resident bytes of this process; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def shared_folder() -> Iterator[Path]:
    """The workers' shared folder: created before they start, removed after they have ended."""
    with tempfile.TemporaryDirectory(prefix="plenilune-metrics-") as folder:
        yield Path(folder)


def forget_the_dead(folder: Path) -> None:
    """Remove the gauges of workers that have ended. Their counters stay, since the events they counted took place."""
    for file in folder.glob("gauge_live*.db"):
        pid = int(file.stem.rpartition("_")[2])
        if not _alive(pid):
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


class Timing:
    """Counts requests, and measures the time until each response starts."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def timed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.metrics.answered(message["status"], time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, timed)
