"""The protocol: all messages between the server and its clients, over HTTP and websockets.

Plies serve as versions: a client says which ply it has seen, and is sent what follows. Times are whole milliseconds;
points in time count from 1970. A seat is 0 … n-1, a spectator -1. `typescript.py` generates the client's types from
these modules, and `openapi.py` the document of the HTTP API.
"""

from __future__ import annotations

from plenilune.info import PHRASES as PHRASES
from plenilune.info import GameInfo as GameInfo
from plenilune.info import Setting as Setting
from plenilune.server.protocol.admin import *  # noqa: F403
from plenilune.server.protocol.endpoints import *  # noqa: F403
from plenilune.server.protocol.guests import *  # noqa: F403
from plenilune.server.protocol.lobby import *  # noqa: F403
from plenilune.server.protocol.play import *  # noqa: F403
from plenilune.server.protocol.replays import *  # noqa: F403
from plenilune.server.protocol.tables import *  # noqa: F403
from plenilune.server.protocol.words import *  # noqa: F403
