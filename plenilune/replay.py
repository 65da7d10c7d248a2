"""The text of a saved match: headers, a blank line, one action a line; comments begin with `#`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from plenilune.core.errors import BadCache, BadComponents, BadGame, BadReplay, Refusal

STANDARD = ("game", "rules", "components", "seats", "options", "seed", "nonces", "scores")  # headers, in this order
HEADER = re.compile(r"([a-z][a-z0-9-]*): (\S.*)")
COMMENT = re.compile(r"\s*#.*")
ACTION = re.compile(r"([^\s#]+(?: [^\s#]+)*)(\s+#.*)?")


@dataclass
class Replay:
    """
    >>> replay = Replay.parse("game: chess\\n\\ne2 e4  # the usual\\n# well, well\\ng7 g5\\n")
    >>> replay.headers, replay.actions, replay.line(1)
    ({'game': 'chess'}, ['e2 e4', 'g7 g5'], 5)
    """

    headers: dict[str, str] = field(default_factory=dict)
    actions: list[str] = field(default_factory=list)
    # Comment lines, by what they stand before: a header's key, "" for the blank line, or a ply.
    comments: dict[str | int, list[str]] = field(default_factory=dict)
    remarks: dict[int, str] = field(default_factory=dict)  # what follows an action on its own line, by ply
    is_file: bool = False  # its parts have line numbers

    @classmethod
    def parse(cls, text: str) -> Replay:
        """Split the text into its parts; `Match.load` checks what they say."""
        if not isinstance(text, str):
            raise BadReplay(f"a saved match is text, not {text!r}")
        replay = cls(is_file=True)
        lines = text.split("\n")
        if lines.pop():
            refuse(len(lines) + 1, "a newline at the end", "the end of the file")
        head = lines.index("") if "" in lines else len(lines)
        waiting: list[str] = []
        for number, line in enumerate(lines[:head], 1):
            replay._header(number, line, waiting)
        if head == len(lines):
            refuse(head + 1, "a blank line after the headers", "the end of the file")
        replay._attach("", waiting)
        for number, line in enumerate(lines[head + 1 :], head + 2):
            replay._action(number, line, waiting)
        replay._attach(len(replay.actions), waiting)
        return replay

    def text(self) -> str:
        lines = [
            line for key, value in self.headers.items() for line in (*self.comments.get(key, ()), f"{key}: {value}")
        ]
        lines += [*self.comments.get("", ()), ""]
        for ply, action in enumerate(self.actions):
            lines += [*self.comments.get(ply, ()), action + self.remarks.get(ply, "")]
        return "\n".join([*lines, *self.comments.get(len(self.actions), ()), ""])

    @contextmanager
    def at(self, where: str | int) -> Iterator[None]:
        """Add the header or the ply to every refusal raised in here."""
        try:
            yield
        except (BadCache, BadComponents, BadGame):
            raise  # the file is not at fault
        except Refusal as error:
            raise BadReplay(f"{self._place(where)}: {error}") from error

    def _place(self, where: str | int) -> str:
        if self.is_file:
            return f"line {self.line(where)}"
        return where if isinstance(where, str) else f"ply {where}"

    def forget(self, ply: int) -> None:
        """Drop what was said about actions from that ply on; comments before it stay."""
        self.comments = {key: said for key, said in self.comments.items() if isinstance(key, str) or key <= ply}
        self.remarks = {key: said for key, said in self.remarks.items() if key < ply}

    def line(self, where: str | int) -> int:
        """The number of the line a header or a ply stands on; where it would stand, if it is not there."""
        number = 0
        keys: list[str | int] = [*self.headers, "", *range(len(self.actions))]
        for key in keys:
            number += len(self.comments.get(key, ())) + 1
            if key == where:
                return number
        return number + 1 if isinstance(where, int) else self.line("")

    def _header(self, number: int, line: str, waiting: list[str]) -> None:
        if COMMENT.fullmatch(line):
            waiting.append(line)
            return
        found = HEADER.fullmatch(line)
        if not found or line != line.rstrip():
            refuse(number, "a header such as 'seats: 2', or a blank line", repr(line))
        key, value = found.groups()
        if key in self.headers:
            refuse(number, "another header", f"a second {key!r}")
        self._attach(key, waiting)
        self.headers[key] = value

    def _action(self, number: int, line: str, waiting: list[str]) -> None:
        if COMMENT.fullmatch(line):
            waiting.append(line)
            return
        found = ACTION.fullmatch(line)
        if not found:
            refuse(number, "an action, its words one space apart", repr(line) if line else "an empty line")
        action, remark = found.groups()
        ply = len(self.actions)
        self._attach(ply, waiting)
        if remark:
            self.remarks[ply] = remark
        self.actions.append(action)

    def _attach(self, key: str | int, waiting: list[str]) -> None:
        if waiting:
            self.comments[key] = waiting.copy()
            waiting.clear()


def standard_headers(
    game: str,
    rules: int,
    components: str,
    seats: int,
    options: Mapping[str, str],
    seed: str = "",
    nonces: Sequence[str] = (),
    scores: Sequence[int] = (),
) -> dict[str, str]:
    """The headers of every saved match, without those that have nothing to say.

    >>> standard_headers("moon-leap", 2, "", 2, {}, seed="apollo")
    {'game': 'moon-leap', 'rules': '2', 'seats': '2', 'seed': 'apollo'}
    """
    settings = " ".join(f"{name}={word}" for name, word in options.items())
    words = (game, str(rules), components, str(seats), settings, seed, " ".join(nonces), " ".join(map(str, scores)))
    return {key: value for key, value in zip(STANDARD, words, strict=True) if value}


def refuse(line: int, expected: str, found: str) -> NoReturn:
    raise BadReplay(f"line {line}: expected {expected}, not {found}")
