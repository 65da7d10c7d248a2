"""Attacks on the server's memory."""

from __future__ import annotations

import asyncio
import socket
import time

import msgspec

from benchmarks.attackers.attacker import MARGIN, Attacker
from benchmarks.wire import TEXT, Live, frame, handshake
from plenilune.server.http.transport import PATIENCE as DEADLINES
from plenilune.server.tables.audience import CHAT_SENT


class ChatFlood(Attacker):
    harm = f"a newcomer is sent more than {CHAT_SENT} lines"
    pace = 0.05
    match = ""

    async def prepare(self) -> None:
        self.speakers = [await self.guest() for _ in range(4)]
        made = await self.table("nova-luna", "me", "open", "open", "open", client=self.speakers[0])
        self.match = made["table"]["id"]
        for speaker in self.speakers[1:]:
            await speaker.post(f"/api/tables/{self.match}/join")

    async def attempt(self) -> None:
        speaker = self.random.choice(self.speakers)
        said = await speaker.post(f"/api/tables/{self.match}/say", {"text": "x" * 280})
        self.note(not said.fine)
        if self.tally.attempts % 20 == 0:
            live = await Live.open(speaker, f"/api/tables/{self.match}/live")
            welcome = await live.wait("welcome")
            live.close()
            self.tally.harmed += bool(welcome) and len(welcome["chat"]) > CHAT_SENT


class DeafSockets(Attacker):
    """Asks again and again what the board would look like after an action, and reads nothing."""

    harm = f"a socket that reads nothing is open after {DEADLINES['reader'] + MARGIN:.0f} s"
    pace = 0.02
    most = 5  # few enough that the limit on messages lets the server owe each of them more than buffers hold, at once

    async def prepare(self) -> None:
        await super().prepare()
        made = await self.table("via-nebula", "me", "me", "me", "me")
        self.match = made["table"]["id"]
        state = await self.state(self.match)
        preview = {"kind": "preview", "id": "x", "ply": state["ply"], "actions": state["legal"][:1]}
        self.request = frame(TEXT, msgspec.json.encode(preview))
        self.sockets: dict[socket.socket, float] = {}
        self.old: set[socket.socket] = set()  # open for too long, and counted

    async def attempt(self) -> None:
        if len(self.sockets) < self.most:
            await self._open()
        for deaf, since in list(self.sockets.items()):
            late = time.monotonic() - since > DEADLINES["reader"] + MARGIN
            if not _says(deaf, self.request):
                del self.sockets[deaf]
                self.old.discard(deaf)
                self.tally.refused += 1
            elif late and deaf not in self.old:
                self.old.add(deaf)
                self.tally.harmed += 1

    async def _open(self) -> None:
        loop, deaf = asyncio.get_running_loop(), socket.socket()
        deaf.setblocking(False)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.bind((self.source, 0))
        await loop.sock_connect(deaf, self.target)
        await loop.sock_sendall(deaf, handshake(self.target, f"/api/tables/{self.match}/live", self.client.key))
        self.tally.attempts += 1
        self.sockets[deaf] = time.monotonic()

    async def judge(self) -> None:
        for deaf in self.sockets:
            deaf.close()


def _says(deaf: socket.socket, data: bytes) -> bool:
    """Whether the connection is still there."""
    try:
        deaf.send(data)
    except BlockingIOError:
        pass  # the server does not read it either
    except OSError:
        return False
    return deaf.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
