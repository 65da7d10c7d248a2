"""The command line. Every refusal is one sentence and a non-zero exit status."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import NoReturn

# These modules import what is slow (numba, rich, the server) only when they run: `plenilune --help` takes no time.
from plenilune.commands import (
    admin,
    arena,
    backup,
    bench,
    components,
    dataset,
    perft,
    play,
    restore,
    review,
    serve,
    train,
    verify,
)
from plenilune.core.errors import BadSetting, Refusal

COMMANDS = (serve, play, verify, perft, arena, dataset, review, admin, backup, restore, bench, train, components)


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadSetting(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # for terminals that cannot show our symbols
    try:
        given = parser().parse_args(arguments)
        code = int(given.run(given) or 0)
        if sys.stdout:
            sys.stdout.flush()
        return code
    except Refusal as refusal:
        print(f"plenilune: {refusal}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads the output any more
        return 141
    except OSError as error:
        print(f"plenilune: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return 2


def parser() -> Parser:
    top = Parser(
        prog="plenilune",
        description="Board games in the moonlight. Without a command it serves them and opens a browser.",
    )
    top.add_argument("--version", action="version", version=f"plenilune {version('plenilune')}")
    top.set_defaults(run=serve.run)
    serve.add_options(top)
    subparsers = top.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int | None], text: str) -> Parser:
        made = subparsers.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        return made

    for module in COMMANDS:
        module.add(command)
    return top
