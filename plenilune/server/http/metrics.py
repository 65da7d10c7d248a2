"""Figures for Prometheus, written by hand: they are few."""

from __future__ import annotations

import time
from collections import Counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plenilune.server.storage.database import BUCKETS
from plenilune.server.tables.registry import Tables


class Metrics:
    def __init__(self) -> None:
        self.requests: Counter[int] = Counter()  # by status
        self.slow: Counter[float] = Counter()  # by bucket
        self.seconds = 0.0

    def saw(self, status: int, seconds: float) -> None:
        self.requests[status] += 1
        self.seconds += seconds
        for bound in BUCKETS:
            if seconds <= bound:
                self.slow[bound] += 1

    def text(self, tables: Tables, sockets: int) -> str:
        store, total = tables.store, sum(self.requests.values())
        lines = ["# TYPE plenilune_requests_total counter"]
        lines += [f'plenilune_requests_total{{status="{s}"}} {n}' for s, n in sorted(self.requests.items())]
        lines.append("# TYPE plenilune_request_seconds histogram")
        lines += [f'plenilune_request_seconds_bucket{{le="{bound}"}} {self.slow[bound]}' for bound in BUCKETS]
        lines.append(f'plenilune_request_seconds_bucket{{le="+Inf"}} {total}')
        lines += [f"plenilune_request_seconds_sum {self.seconds:.6f}", f"plenilune_request_seconds_count {total}"]
        lines.append("# TYPE plenilune_commit_seconds histogram")
        lines += [f'plenilune_commit_seconds_bucket{{le="{b}"}} {store.commits[b]}' for b in BUCKETS]
        lines.append(f'plenilune_commit_seconds_bucket{{le="+Inf"}} {store.transactions}')
        lines += [
            f"plenilune_commit_seconds_sum {store.seconds:.6f}",
            f"plenilune_commit_seconds_count {store.transactions}",
        ]
        gauges = {"tables": len(tables.live), "sockets": sockets, "thinking": len(tables.thinking)}
        counters = {"actions": store.changes["actions"], "changes": store.changes["changes"]}
        counters |= {name: tables.counts[name] for name in ("bot_actions", "time_outs", "tables")}
        for name, figure in gauges.items():
            lines += [f"# TYPE plenilune_{name} gauge", f"plenilune_{name} {figure}"]
        for name, figure in counters.items():
            lines += [f"# TYPE plenilune_{name}_total counter", f"plenilune_{name}_total {figure}"]
        return "\n".join([*lines, ""])


class Timing:
    """Counts requests and how long their answers took to begin."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()

        async def timed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.metrics.saw(message["status"], time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, timed)
