"""What can be typed after `plenilune admin`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from plenilune.commands.admin import client
from plenilune.commands.admin.keys import list_keys, make_key, revoke_key
from plenilune.commands.admin.moderation import (
    add_ban,
    close_report,
    close_table,
    delete_line,
    lift_ban,
    list_bans,
    list_chat,
    list_reports,
    list_tables,
    show_audit,
    show_online,
)
from plenilune.commands.arguments import Command, variable


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
    made.add_argument("--server", metavar="URL", default=client.SERVER, help=f"where it is ({client.SERVER})")
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
