"""What is asked of the running server, and how its answers are shown."""

from __future__ import annotations

import argparse
import time
from typing import Any
from urllib.parse import quote, urlencode

from plenilune.commands.admin.client import ask
from plenilune.commands.admin.printing import done, listed, moment, show

DAY = 24 * 3600 * 1000


def show_online(given: argparse.Namespace) -> None:
    answer = ask(given, "GET", "online")
    columns = ("person", "name", "address", "sockets", "tables", "since")
    rows = [
        (
            one["person"],
            one["name"],
            listed(one["networks"]),
            one["sockets"],
            listed(one["tables"]),
            moment(one["since"]),
        )
        for one in answer["people"]
    ]
    show(given, answer, columns, rows)
    if answer["missing"] and not given.json:
        print(f"{answer['missing']} of {answer['processes'] + answer['missing']} processes have not answered.")


def list_tables(given: argparse.Namespace) -> None:
    wanted = {"search": given.search, "status": given.status}
    answer = ask(given, "GET", "tables?" + urlencode({name: word for name, word in wanted.items() if word}))
    columns = ("match", "game", "status", "players", "ply", "changed")
    rows = [
        (t["id"], t["game"], t["status"], listed(map(_player, t["players"])), t["ply"], moment(t["changed"]))
        for t in answer["tables"]
    ]
    show(given, answer, columns, rows)


def _player(player: Any) -> str:
    return f"{player['name']} ({player['person']})" if player["person"] else player["name"] or "–"


def close_table(given: argparse.Namespace) -> None:
    answer = ask(given, "POST", f"tables/{quote(given.match, '')}/close", {"note": given.note})
    done(given, answer, f"Table {answer['id']} is closed.")


def list_chat(given: argparse.Namespace) -> None:
    answer = ask(given, "GET", f"tables/{quote(given.match, '')}/chat")
    rows = [(line["number"], line["name"], line["person"], _said(line), moment(line["at"])) for line in answer["lines"]]
    show(given, answer, ("line", "name", "person", "text", "at"), rows)


def _said(line: Any) -> str:
    return f"{line['text'] or line['phrase']}{' (deleted)' if line['deleted'] else ''}"


def delete_line(given: argparse.Namespace) -> None:
    path = f"tables/{quote(given.match, '')}/chat/{given.line}/delete"
    done(given, ask(given, "POST", path, {"note": given.note}), f"Line {given.line} is deleted.")


def add_ban(given: argparse.Namespace) -> None:
    until = None if given.days is None else int(time.time() * 1000 + given.days * DAY)
    answer = ask(given, "POST", "bans", {given.kind: given.who, "reason": given.reason, "until": until})
    who = answer["network"] or f"{answer['name']} ({answer['person']})"
    done(given, answer, f"{who} is banned {_until(answer)}; the ban is {answer['id']}.")


def _until(ban: Any) -> str:
    return "for good" if ban["until"] is None else f"until {moment(ban['until'])}"


def list_bans(given: argparse.Namespace) -> None:
    answer = ask(given, "GET", "bans")
    rows = [
        (ban["id"], ban["person"] or ban["network"], ban["name"], ban["reason"], moment(ban["at"]), _until(ban))
        for ban in answer["bans"]
    ]
    show(given, answer, ("ban", "who", "name", "reason", "since", "until"), rows)


def lift_ban(given: argparse.Namespace) -> None:
    answer = ask(given, "POST", f"bans/{quote(given.ban, '')}/lift", {"note": given.note})
    done(given, answer, f"The ban of {answer['network'] or answer['name']} is lifted.")


def list_reports(given: argparse.Namespace) -> None:
    answer = ask(given, "GET", "reports" + ("?closed=true" if given.all else ""))
    columns = ("report", "match", "line", "author", "text", "reported by", "note", "at")
    rows = [
        (r["id"], r["match"], r["line"], f"{r['name']} ({r['author']})", r["text"], r["person"], r["note"],
         moment(r["at"]))
        for r in answer["reports"]
    ]  # fmt: skip
    show(given, answer, columns, rows)


def close_report(given: argparse.Namespace) -> None:
    answer = ask(given, "POST", f"reports/{quote(given.report, '')}/close", {"note": given.note})
    done(given, answer, f"Report {answer['id']} is closed.")


def show_audit(given: argparse.Namespace) -> None:
    answer = ask(given, "GET", "audit")
    rows = [(moment(e["at"]), e["operator"], e["action"], e["target"], e["note"]) for e in answer["entries"]]
    show(given, answer, ("at", "operator", "action", "target", "note"), rows)
