"""Servers for the tests, in this process or in one of their own, and clients that talk to them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from plenilune.server.http.app import create_app
from plenilune.server.http.server import Server
from plenilune.server.serve import bind, configured
from plenilune.server.settings import Settings
from tests.server.waiting import PATIENCE

T = TypeVar("T")
COMPILING = 300.0  # seconds for bots whose code was never compiled on this machine, which all the tests keep busy


def followed(view: dict[str, Any], change: Any) -> dict[str, Any]:
    """The view after a change of it was put in."""
    lists = {name: list(view[name]) for name in change["parts"]}
    for name, places in change["parts"].items():
        for place, value in places.items():
            lists[name][int(place)] = value
    return {**view, **change["view"], **lists}


class Guest:
    """A person with a browser: asks over HTTP, with a cookie, and opens sockets."""

    def __init__(self, address: str, name: str | None = "Ada") -> None:
        self.address = address
        # Plain HTTP on this machine: reading all certificates would take longer than most tests.
        self.http = httpx.Client(base_url=address, timeout=PATIENCE, verify=False)
        self.id = self.ask("POST", "/api/me", {"name": name})["id"] if name else None

    def close(self) -> None:
        self.http.close()

    def ask(self, method: str, path: str, body: Any = None, status: int | None = None) -> Any:
        """The answer; it must have that status, or be none that refuses."""
        response = self.http.request(method, path, **({} if body is None else {"json": body}))
        wanted = range(200, 300) if status is None else [status]
        assert response.status_code in wanted, f"{method} {path}: {response.status_code} {response.text[:300]}"
        return response.json() if response.headers.get("content-type") == "application/json" else response.text

    def get(self, path: str, status: int | None = None) -> Any:
        return self.ask("GET", path, None, status)

    def post(self, path: str, body: Any = None, status: int | None = None) -> Any:
        return self.ask("POST", path, body, status)

    def table(self, game: str, *seats: str, status: int | None = None, **settings: Any) -> Any:
        """A new table; seats are `me`, `friend`, `open` or a bot's name, and as listed unless otherwise wished."""
        body = {"game": game, "seats": list(map(wish, seats)), "seating": "as_listed", **settings}
        made = self.post("/api/tables", body, status)
        return made

    def state(self, match: str, viewer: int | None = None) -> Any:
        return self.get(f"/api/tables/{match}/state" + ("" if viewer is None else f"?viewer={viewer}"))

    def play(self, match: str, *actions: str, ply: int | None = None, status: int | None = None, **more: Any) -> Any:
        ply = self.state(match)["ply"] if ply is None else ply
        body = {"kind": "play", "id": new_id(), "ply": ply, "actions": list(actions), **more}
        return self.post(f"/api/tables/{match}/play", body, status)

    @contextmanager
    def live(self, match: str, query: str = "", **headers: str) -> Iterator[Live]:
        """A websocket at the table."""
        with self.socket(f"/api/tables/{match}/live{query}", **headers) as socket:
            yield Live(socket)

    @contextmanager
    def socket(self, path: str, **headers: str) -> Iterator[ClientConnection]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        all_headers = {"Cookie": cookies, **headers} if cookies else headers
        url = self.address.replace("http", "ws") + path
        with connect(url, additional_headers=all_headers, max_size=None, open_timeout=PATIENCE) as socket:
            yield socket


class Live:
    """A socket at a table, and what came over it. `view` is put together from the updates as a client does it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.said: list[Any] = []
        self.view: dict[str, Any] = {}
        self.update: Any = None
        self.table: Any = None

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"kind": kind, **fields}))

    def next(self, timeout: float | None = None) -> Any:
        ready = self.table is None or self.table["bots_ready"]
        message = json.loads(self.socket.recv(timeout or (PATIENCE if ready else COMPILING)))
        self.said.append(message)
        if message["kind"] == "update":
            self._take(message)
        if message["kind"] in ("welcome", "table"):
            self.table = message["table"]
        return message

    def _take(self, update: Any) -> None:
        if update["base"] is None:
            self.view = update["view"]
        else:
            before = self.update
            assert (update["base"], update["base_hash"]) == (before["ply"], before["hash"]), "an update was lost"
            self.view = followed(self.view, update)
        self.update = update

    def wait(self, wanted: str | Callable[[Any], bool], timeout: float = PATIENCE) -> Any:
        """The next message of that kind, or for which that is true."""
        until = time.monotonic() + timeout
        while True:
            message = self.next(max(0.01, until - time.monotonic()))
            if message["kind"] == wanted if isinstance(wanted, str) else wanted(message):
                return message

    def play(self, *actions: str, id: str | None = None) -> Any:
        """Play at the ply of the last update; returns `played` or `refused`."""
        id = id or new_id()
        self.say("play", id=id, ply=self.update["ply"], actions=list(actions))
        return self.wait(lambda m: m["kind"] in ("played", "refused") and m["id"] == id)

    def act(self, *actions: str) -> Any:
        """Play, if nothing is said what is listed first, and wait for where it leads."""
        answer = self.play(*(actions or self.update["legal"][:1]))
        assert answer["kind"] == "played", answer
        while self.update["ply"] < answer["ply"]:
            self.next()
        return answer

    def my_turn(self) -> bool:
        """Wait until it is, or until the match is over."""
        while not (self.update and (self.update["legal"] or self.update["to_play"] == -2)):
            self.next()
        return bool(self.update["legal"])

    def finish(self, seed: int = 0) -> Any:
        """Play at random to the end; returns the table then."""
        player = random.Random(seed)
        while self.my_turn():
            self.act(player.choice(self.update["legal"]))
        while self.table["status"] != "over":
            self.next()
        return self.table


def wish(word: str) -> dict[str, str]:
    return {"kind": word} if word in ("me", "friend", "open") else {"kind": "bot", "bot": word}


def new_id() -> str:
    return f"{random.getrandbits(64):x}"


class Running:
    """A server in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.app = create_app(settings)
        self.server: Server = self.app.state.server
        self.listening = bind(settings)
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self._uvicorn = uvicorn.Server(configured(self.app))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._guests: list[Guest] = []
        self.undo: list[Callable[[], None]] = []  # when it stops

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self._uvicorn.serve(sockets=[self.listening])

    def in_loop(self, work: Coroutine[Any, Any, T], timeout: float = PATIENCE) -> T:
        """Have the server itself do something."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(timeout)

    def start(self) -> Running:
        self._thread.start()
        until = time.monotonic() + PATIENCE
        while not self._uvicorn.started and self._thread.is_alive() and time.monotonic() < until:
            time.sleep(0.01)
        if not self._uvicorn.started:
            self.listening.close()
            raise AssertionError("the server has not started")
        return self

    def stop(self) -> None:
        for action in (*self.undo, *(guest.close for guest in self._guests)):
            action()
        self._uvicorn.should_exit = True
        self._thread.join()
        self.listening.close()

    def guest(self, name: str | None = "Ada") -> Guest:
        guest = Guest(self.address, name)
        self._guests.append(guest)
        return guest


@contextmanager
def running(settings: Settings) -> Iterator[Running]:
    server = Running(settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Process:
    """A server in a process of its own, which can be killed."""

    def __init__(self, *arguments: str, module: str = "plenilune", **variables: str) -> None:
        command = [sys.executable, "-m", module, "serve", "--port", "0", "--no-browser", *arguments]
        environment = {**os.environ, **variables}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line.startswith("Plenilune is at "), line
        self.address = line.split()[-1]
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 3 * PATIENCE
        while time.monotonic() < until:
            try:
                if httpx.get(self.address + "/api/health", timeout=PATIENCE, verify=False).status_code == 200:
                    return
            except httpx.HTTPError:
                assert self.process.poll() is None, "the server has ended"
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """As a power failure would."""
        self.process.send_signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> None:
        self.process.terminate()
        self._ended()

    def _ended(self) -> None:
        assert self.process.stdout
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # one that does not end must not stay behind
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.process.stdout.close()


def sqlite(folder: Path, **settings: Any) -> Settings:
    """A database of its own, bots without a pause, and no limits on how often one asks."""
    standard: dict[str, Any] = {"port": 0, "data": folder, "browser": False, "limits": False, "bot_pause": 0.0}
    return Settings(**(standard | settings))
