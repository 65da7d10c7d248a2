"""Runs the server: one process, or several on one PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
import threading
import time
import webbrowser
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from plenilune.core.errors import BadSetting, Refusal
from plenilune.server import clock, garbage
from plenilune.server.http import metrics, shared
from plenilune.server.http.limits import LARGEST
from plenilune.server.http.protocols import HEAD, KEEP_ALIVE
from plenilune.server.http.transport import backlog, open_files, raise_open_files
from plenilune.server.settings import KINDS, PORT, PREFIX, Settings, load_settings
from plenilune.server.storage.moments import bring_back
from plenilune.server.storage.store import Store

SOCKET_BUFFER = 128 * 1024  # bytes, each way
ACCEPTED = 16  # connections per iteration of the event loop
NEIGHBOURS = 20  # ports to try when the default one is taken
SWITCH = 0.0005  # Python's switch interval: seconds for which a thread that returns from the disk waits for the lock
APP = "plenilune.server.serve:app"


def app() -> Any:
    """The application factory, for workers and for `uvicorn --factory plenilune.server.serve:app`."""
    from plenilune.server.http.app import create_app

    try:
        made = create_app(load_settings())
        made.state.server.store.check_free()
    except Refusal as refusal:
        raise SystemExit(f"plenilune: {refusal}") from None
    # The process runs nothing else, so process-wide settings may be changed.
    gc.collect()
    gc.freeze()  # everything loaded so far stays; collections need not look at it
    made.state.server.chores.append(garbage.collect_when_idle)
    sys.setswitchinterval(SWITCH)
    logging.getLogger("uvicorn.error").addFilter(_worth_a_line)
    return made


def run(settings: Settings, accept_clock: bool = False) -> None:
    raise_open_files()
    asyncio.run(check(settings, accept_clock))
    listening = bind(settings)
    address = f"http://{_shown(settings.host)}:{listening.getsockname()[1]}"
    print(f"Plenilune is at {address}", flush=True)
    if settings.browser:
        threading.Thread(target=_open_browser, args=(address, listening.getsockname()), daemon=True).start()
    os.environ |= _variables(settings)
    config = configured(APP, factory=True, workers=settings.workers)
    if settings.workers > 1:
        with shared.created(settings.workers) as path, metrics.shared_folder() as folder:
            os.environ |= {metrics.VARIABLE: str(folder)} | ({shared.VARIABLE: str(path)} if path else {})
            Multiprocess(config, accepting(listening)).run()
        return
    server = uvicorn.Server(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=accepting(listening))
    sys.stdout.flush()
    os._exit(0 if server.started else 3)  # a thread may still be searching, and nobody needs its result


def configured(app: Any, **more: Any) -> uvicorn.Config:
    """uvicorn's configuration for the application."""
    options: dict[str, Any] = {
        "log_level": "warning",
        "access_log": False,
        "http": "plenilune.server.http.protocols:HTTP",
        "ws": "plenilune.server.http.protocols:Socket",
        "ws_max_size": LARGEST,
        "ws_per_message_deflate": False,  # a compressor for every socket would cost more memory than all tables
        "ws_ping_interval": 30,
        "ws_ping_timeout": 60,
        "timeout_keep_alive": KEEP_ALIVE,
        "timeout_graceful_shutdown": 5,
        "h11_max_incomplete_event_size": HEAD,
        "backlog": backlog(open_files()),
        "server_header": False,
        "date_header": False,
    }
    return uvicorn.Config(app, **(options | more))


def _worth_a_line(record: logging.LogRecord) -> bool:
    """Do not log malformed requests and refused websockets: strangers could fill the log."""
    return record.msg not in (
        "Invalid HTTP request received.",
        "Unsupported upgrade request.",
        "ASGI callable returned without completing handshake.",
        "Invalid UTF-8 sequence received from client.",
    )


async def check(settings: Settings, accept_clock: bool = False) -> None:
    """Migrate the database, or fail here, once and in one sentence, instead of in every worker."""
    async with Store(settings.url).open(serving=True) as store:
        if accept_clock and (changed := await bring_back(store, clock.system())):
            print(f"{changed} times in the database were in the future, and are set to now", flush=True)
        clock.begin(await store.last_beat())


def bind(settings: Settings) -> socket.socket:
    """A listening socket; if no port is set, on the first free one from the default port on."""
    ports = range(PORT, PORT + NEIGHBOURS) if settings.port is None else [settings.port]
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    trouble = ""
    for port in ports:
        # With IPPROTO_TCP given, asyncio sets TCP_NODELAY; otherwise answers would wait for delayed acknowledgements.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted sockets inherit these; without them the kernel would hold megabytes for a client that does not read.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BUFFER)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SOCKET_BUFFER)
        try:
            listening.bind((settings.host, port))
            listening.listen(backlog(open_files()))
        except OSError as error:
            listening.close()
            trouble = f"cannot listen at {settings.host}:{port}: {error.strerror or error}"
        else:
            listening.set_inheritable(True)
            return listening
    raise BadSetting(trouble)


def accepting(listening: socket.socket) -> list[socket.socket]:
    """The same socket several times: libuv accepts one connection per listening socket in each iteration of its event
    loop. With one socket, a flood of connections to a busy server would keep everybody else waiting."""
    return [listening, *(_duplicate(listening) for _ in range(ACCEPTED - 1))]


def _duplicate(listening: socket.socket) -> socket.socket:
    copy = listening.dup()
    copy.set_inheritable(True)
    return copy


def _shown(host: str) -> str:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _variables(settings: Settings) -> dict[str, str]:
    """The settings as environment variables, for the workers."""

    def word(value: object) -> str:
        return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)

    given = {name: getattr(settings, name) for name in KINDS}
    return {PREFIX + name.upper(): word(value) for name, value in given.items() if value not in (None, "")}


def _open_browser(address: str, listening: tuple[Any, ...]) -> None:
    """Open the browser once the server answers."""
    for _ in range(200):
        try:
            with socket.create_connection(("127.0.0.1", listening[1]), 1) as probe:
                probe.sendall(b"GET /api/health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
                if b"200" in probe.recv(32):
                    break
        except OSError:
            pass
        time.sleep(0.1)
    webbrowser.open(address)
