"""Asks the running server."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any
from urllib.parse import SplitResult, urlsplit

from plenilune.commands.admin.keys import FILE, LOCAL, VARIABLE, Failed, key_for, settings_of
from plenilune.core.errors import BadSetting

SERVER = "http://127.0.0.1:7272"
PATIENCE = 15.0  # seconds for an answer


def ask(given: argparse.Namespace, method: str, path: str, body: Any = None) -> Any:
    """What the server answers. A redirection is not followed: the key is for the server that was named alone."""
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    server = _server(given.server)
    kind = HTTPSConnection if server.scheme == "https" else HTTPConnection
    connection = kind(server.hostname or "", server.port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {key_for(given)}", "Content-Type": "application/json"}
    try:
        sent = None if body is None else json.dumps(body)
        connection.request(method, f"{server.path.rstrip('/')}/api/admin/{path}", sent, headers)
        answer = connection.getresponse()
        said = json.load(answer)
    except (OSError, HTTPException, ValueError) as error:
        raise Failed(f"no Plenilune answers at {given.server} ({error}); --server URL says where it is") from error
    finally:
        connection.close()
    if answer.status >= 300:
        raise Failed(_refusal(given, said))
    return said


def _server(url: str) -> SplitResult:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSetting(f"a server is http://… or https://…, not {url!r}")
    if parts.scheme == "http" and parts.hostname not in LOCAL:
        raise BadSetting(f"{url} is not encrypted: the key would be sent in the clear; use https")
    return parts


def _refusal(given: argparse.Namespace, said: Any) -> str:
    if said.get("reason") == "forbidden" and not os.environ.get(VARIABLE):
        file = settings_of(given).data / FILE
        return f"{given.server} does not know the key in {file}: give --data and --database as the server has them"
    return str(said.get("message", f"{given.server} refuses"))
