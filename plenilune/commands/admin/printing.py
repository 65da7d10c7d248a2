"""Answers as JSON, as tables or in one sentence."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

WIDTH = 200  # columns where the output is not a terminal


def show(given: argparse.Namespace, answer: Any, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    if given.json:
        print_json(answer)
    else:
        print_table(columns, rows)


def done(given: argparse.Namespace, answer: Any, sentence: str) -> None:
    if given.json:
        print_json(answer)
    else:
        print(sentence)


def print_json(answer: Any) -> None:
    print(json.dumps(answer, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    table = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, overflow="fold")  # nothing is cut off
    for row in rows:
        table.add_row(*(Text(_plain(cell)) for cell in row))  # as text: what players write is not markup
    console.print(table if rows else "There is nothing.", width=None if console.is_terminal else WIDTH)


def _plain(cell: Any) -> str:
    """Without characters that a terminal would obey."""
    text = "" if cell is None else str(cell)
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def listed(words: Any) -> str:
    return ", ".join(words)


def moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000):%Y-%m-%d %H:%M}"
