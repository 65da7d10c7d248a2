"""`plenilune admin`: what operators do, from the command line.

Keys are made and revoked in the database. Everything else is asked of the running server, with an operator's key: the
one in PLENILUNE_OPERATOR_KEY, or, on the server's own machine, one that this command keeps in the data folder.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import SplitResult, quote, urlencode, urlsplit

from plenilune.commands.arguments import Command, variable
from plenilune.core.errors import BadSetting, Refusal

if TYPE_CHECKING:
    from plenilune.server.settings import Settings
    from plenilune.server.storage.store import Store

T = TypeVar("T")
SERVER = "http://127.0.0.1:7272"
VARIABLE = "PLENILUNE_OPERATOR_KEY"
FILE = "operator.key"  # in the data folder
PATIENCE = 15.0  # seconds for an answer
WIDTH = 200  # columns where the output is no terminal
DAY = 24 * 3600 * 1000
LOCAL = ("127.0.0.1", "::1", "localhost")


class Failed(Refusal):
    """The server refuses, or does not answer."""


# What can be typed


def add(command: Command) -> None:
    """Add the command to the command line."""
    top = command("admin", lambda given: top.print_help(), "moderate a running server, and make operators' keys")
    actions = top.add_subparsers(title="actions", metavar="ACTION")
    _add_keys(actions)
    _add_people(actions)
    _add_tables(actions)
    _add_reports(actions)


def _action(actions: Any, name: str, run: Callable[[argparse.Namespace], None], text: str) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = actions.add_parser(name, help=text, description=text)
    made.set_defaults(run=run)
    made.add_argument("--server", metavar="URL", default=SERVER, help=f"where it is ({SERVER})")
    made.add_argument("--json", action="store_true", help="print the answer as JSON")
    for option, meta in (("data", "FOLDER"), ("database", "URL")):
        text = f"as given to the server; {variable(option)}"
        made.add_argument(f"--{option}", metavar=meta, default=argparse.SUPPRESS, help=text)
    return made


def _noted(action: argparse.ArgumentParser) -> argparse.ArgumentParser:
    action.add_argument("--note", default="", metavar="TEXT", help="why, for the audit log")
    return action


def _add_keys(actions: Any) -> None:
    key = _action(actions, "key", make_key, "make an operator's key; it is shown once")
    key.add_argument("name", metavar="NAME", help="who will use it")
    _action(actions, "keys", list_keys, "list the operators' keys")
    revoke = _action(actions, "revoke", revoke_key, "revoke an operator's key")
    revoke.add_argument("name", metavar="NAME")


def _add_people(actions: Any) -> None:
    _action(actions, "online", show_online, "who is connected")
    ban = actions.add_parser("ban", help="ban a person or an address")
    kinds = ban.add_subparsers(title="who", metavar="WHO", required=True)
    for kind, meta, text in (
        ("person", "ID", "ban a person by their public id"),
        ("address", "IP", "ban an address; of IPv6, its whole /64"),
    ):
        sub = _action(kinds, kind, add_ban, text)
        sub.add_argument("who", metavar=meta)
        sub.add_argument("--reason", required=True, metavar="TEXT", help="shown to the banned person")
        sub.add_argument("--days", type=float, metavar="N", help="for so long (for good)")
        sub.set_defaults(kind=kind)
    _action(actions, "bans", list_bans, "list the bans in force")
    unban = _noted(_action(actions, "unban", lift_ban, "lift a ban"))
    unban.add_argument("ban", metavar="ID", help="the ban's, as `bans` lists it")


def _add_tables(actions: Any) -> None:
    tables = _action(actions, "tables", list_tables, "list tables, those that changed last first")
    tables.add_argument("search", nargs="?", default="", metavar="TEXT", help="a match, a person, or a part of a name")
    tables.add_argument("--status", choices=("waiting", "playing", "over"))
    close = _noted(_action(actions, "close", close_table, "close a table: it is over, without a result"))
    close.add_argument("match", metavar="MATCH")
    chat = actions.add_parser("chat", help="read a table's chat, or delete a line of it")
    kinds = chat.add_subparsers(title="what", metavar="WHAT", required=True)
    lines = _action(kinds, "list", list_chat, "read a table's chat; the audit log will say so")
    lines.add_argument("match", metavar="MATCH")
    delete = _noted(_action(kinds, "delete", delete_line, "delete a chat line"))
    delete.add_argument("match", metavar="MATCH")
    delete.add_argument("line", type=int, metavar="LINE", help="its number")


def _add_reports(actions: Any) -> None:
    reports = _action(actions, "reports", list_reports, "list the chat lines that players have reported")
    reports.add_argument("--all", action="store_true", help="closed reports too")
    close = _noted(_action(actions, "close-report", close_report, "close a report"))
    close.add_argument("report", metavar="ID", help="the report's, as `reports` lists it")
    _action(actions, "audit", show_audit, "what operators did")


# Keys, in the database


def make_key(given: argparse.Namespace) -> None:
    key = _in_database(_settings(given), lambda store: _register(store, given.name))
    if given.json:
        _print_json({"name": given.name, "key": key})
    else:
        print(f"The key of {given.name}, shown this once:\n{key}")


def list_keys(given: argparse.Namespace) -> None:
    found = _in_database(_settings(given), lambda store: store.moderation.operators())
    if given.json:
        _print_json({"keys": [operator._asdict() for operator in found]})
    else:
        _print_table(("name", "made"), [(operator.name, _time(operator.created)) for operator in found])


def revoke_key(given: argparse.Namespace) -> None:
    from plenilune.server.storage.moderation import entry

    noted = entry(_person(), "revoke_key", given.name)
    if not _in_database(_settings(given), lambda store: store.moderation.remove_operator(given.name, noted)):
        raise Failed(f"there is no operator {given.name!r}")
    _done(given, {"revoked": given.name}, f"The key of {given.name} is revoked.")


def _in_database(settings: Settings, work: Callable[[Store], Awaitable[T]]) -> T:
    """Done beside the server, whether it runs or not."""
    import asyncio

    from plenilune.server.storage.store import Store

    async def run() -> T:
        store = Store(settings.url)
        async with store.open():
            return await work(store)

    return asyncio.run(run())


async def _register(store: Store, name: str, replace: bool = False) -> str:
    """A new key, of which the database keeps the digest."""
    from plenilune.server.http.operators import new_key
    from plenilune.server.storage.moderation import entry
    from plenilune.server.storage.names import a_name
    from plenilune.server.storage.rows import digest

    key, name = new_key(), a_name(name)
    if not await store.moderation.add_operator(name, digest(key), entry(_person(), "add_key", name), replace):
        raise Failed(f"there is an operator {name!r} already: revoke that key first, or choose another name")
    return key


def _person() -> str:
    """Who types, for the audit log and as the name of this machine's key."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # the user has no name
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}"


def _settings(given: argparse.Namespace) -> Settings:
    from plenilune.server.settings import load_settings

    return load_settings({name: getattr(given, name) for name in ("data", "database") if hasattr(given, name)})


# This machine's own key


def _key(given: argparse.Namespace) -> str:
    if key := os.environ.get(VARIABLE):
        return key.strip()
    if urlsplit(given.server).hostname not in LOCAL:
        raise Failed(f"which key? Put one in {VARIABLE}; `plenilune admin key NAME` makes it, on the server's machine")
    settings = _settings(given)
    return _in_database(settings, lambda store: _own_key(store, settings.data / FILE))


async def _own_key(store: Store, file: Path) -> str:
    """The key in the file; a new one if there is none, or if it was revoked."""
    from plenilune.server.storage.rows import digest

    key = _read_key(file)
    if key and await store.moderation.operator(digest(key)) is not None:
        return key
    key = await _register(store, _person(), replace=True)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(key + "\n")
    return key


def _read_key(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except FileNotFoundError:
        return ""
    except PermissionError as error:
        raise Failed(f"{file} cannot be read: be the server's user, or put a key in {VARIABLE}") from error


# Asking the server


def _ask(given: argparse.Namespace, method: str, path: str, body: Any = None) -> Any:
    """What the server answers. A redirection is not followed: the key is for the server that was named alone."""
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    server = _server(given.server)
    kind = HTTPSConnection if server.scheme == "https" else HTTPConnection
    connection = kind(server.hostname or "", server.port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {_key(given)}", "Content-Type": "application/json"}
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
        file = _settings(given).data / FILE
        return f"{given.server} does not know the key in {file}: give --data and --database as the server has them"
    return str(said.get("message", f"{given.server} refuses"))


def show_online(given: argparse.Namespace) -> None:
    answer = _ask(given, "GET", "online")
    columns = ("person", "name", "address", "sockets", "tables", "since")
    rows = [
        (one["person"], one["name"], _list(one["networks"]), one["sockets"], _list(one["tables"]), _time(one["since"]))
        for one in answer["people"]
    ]
    _show(given, answer, columns, rows)
    if answer["missing"] and not given.json:
        print(f"{answer['missing']} of {answer['processes'] + answer['missing']} processes have not answered.")


def list_tables(given: argparse.Namespace) -> None:
    wanted = {"search": given.search, "status": given.status}
    answer = _ask(given, "GET", "tables?" + urlencode({name: word for name, word in wanted.items() if word}))
    columns = ("match", "game", "status", "players", "ply", "changed")
    rows = [
        (t["id"], t["game"], t["status"], _list(map(_player, t["players"])), t["ply"], _time(t["changed"]))
        for t in answer["tables"]
    ]
    _show(given, answer, columns, rows)


def _player(player: Any) -> str:
    return f"{player['name']} ({player['person']})" if player["person"] else player["name"] or "–"


def close_table(given: argparse.Namespace) -> None:
    answer = _ask(given, "POST", f"tables/{quote(given.match, '')}/close", {"note": given.note})
    _done(given, answer, f"Table {answer['id']} is closed.")


def list_chat(given: argparse.Namespace) -> None:
    answer = _ask(given, "GET", f"tables/{quote(given.match, '')}/chat")
    rows = [(line["number"], line["name"], line["person"], _said(line), _time(line["at"])) for line in answer["lines"]]
    _show(given, answer, ("line", "name", "person", "text", "at"), rows)


def _said(line: Any) -> str:
    return f"{line['text'] or line['phrase']}{' (deleted)' if line['deleted'] else ''}"


def delete_line(given: argparse.Namespace) -> None:
    path = f"tables/{quote(given.match, '')}/chat/{given.line}/delete"
    _done(given, _ask(given, "POST", path, {"note": given.note}), f"Line {given.line} is deleted.")


def add_ban(given: argparse.Namespace) -> None:
    until = None if given.days is None else int(time.time() * 1000 + given.days * DAY)
    answer = _ask(given, "POST", "bans", {given.kind: given.who, "reason": given.reason, "until": until})
    who = answer["network"] or f"{answer['name']} ({answer['person']})"
    _done(given, answer, f"{who} is banned {_until(answer)}; the ban is {answer['id']}.")


def _until(ban: Any) -> str:
    return "for good" if ban["until"] is None else f"until {_time(ban['until'])}"


def list_bans(given: argparse.Namespace) -> None:
    answer = _ask(given, "GET", "bans")
    rows = [
        (ban["id"], ban["person"] or ban["network"], ban["name"], ban["reason"], _time(ban["at"]), _until(ban))
        for ban in answer["bans"]
    ]
    _show(given, answer, ("ban", "who", "name", "reason", "since", "until"), rows)


def lift_ban(given: argparse.Namespace) -> None:
    answer = _ask(given, "POST", f"bans/{quote(given.ban, '')}/lift", {"note": given.note})
    _done(given, answer, f"The ban of {answer['network'] or answer['name']} is lifted.")


def list_reports(given: argparse.Namespace) -> None:
    answer = _ask(given, "GET", "reports" + ("?closed=true" if given.all else ""))
    columns = ("report", "match", "line", "author", "text", "reported by", "note", "at")
    rows = [
        (r["id"], r["match"], r["line"], f"{r['name']} ({r['author']})", r["text"], r["person"], r["note"],
         _time(r["at"]))
        for r in answer["reports"]
    ]  # fmt: skip
    _show(given, answer, columns, rows)


def close_report(given: argparse.Namespace) -> None:
    answer = _ask(given, "POST", f"reports/{quote(given.report, '')}/close", {"note": given.note})
    _done(given, answer, f"Report {answer['id']} is closed.")


def show_audit(given: argparse.Namespace) -> None:
    answer = _ask(given, "GET", "audit")
    rows = [(_time(e["at"]), e["operator"], e["action"], e["target"], e["note"]) for e in answer["entries"]]
    _show(given, answer, ("at", "operator", "action", "target", "note"), rows)


# Printing


def _show(given: argparse.Namespace, answer: Any, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    if given.json:
        _print_json(answer)
    else:
        _print_table(columns, rows)


def _done(given: argparse.Namespace, answer: Any, sentence: str) -> None:
    if given.json:
        _print_json(answer)
    else:
        print(sentence)


def _print_json(answer: Any) -> None:
    print(json.dumps(answer, indent=2))


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    table = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, overflow="fold")  # nothing is cut off
    for row in rows:
        table.add_row(*(Text(_plain(cell)) for cell in row))  # as text: what players write is no markup
    console.print(table if rows else "There is nothing.", width=None if console.is_terminal else WIDTH)


def _plain(cell: Any) -> str:
    """Without characters that a terminal would obey."""
    text = "" if cell is None else str(cell)
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _list(words: Any) -> str:
    return ", ".join(words)


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000):%Y-%m-%d %H:%M}"
