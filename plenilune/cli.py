"""The command line. Every refusal is one sentence and a non-zero exit."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from plenilune.commands import admin, backup, restore
from plenilune.errors import BadReplay, BadSetting, Refusal
from plenilune.game import Game, load
from plenilune.match import Match

if TYPE_CHECKING:
    from plenilune.bots import Bot


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadSetting(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our signs shows something else
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whoever read the output has gone; so do we
        return 141
    except OSError as error:
        print(f"plenilune: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return 2


def parser() -> Parser:
    top = Parser(
        prog="plenilune", description="Nova Luna, Via Nebula and Moon Leap. Alone, it serves and opens a browser."
    )
    top.set_defaults(run=serve)
    top.add_argument("--version", action="version", version=f"plenilune {version('plenilune')}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int | None], text: str) -> Parser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        return sub

    server = command("serve", serve, "serve tables to browsers (what plenilune does without a command)")
    for name, meta, text in SERVER_OPTIONS:
        for where in (top, server):
            where.add_argument(f"--{name}", metavar=meta, default=argparse.SUPPRESS, help=f"{text}; {_variable(name)}")
    for where in (top, server):
        quiet = f"do not open a browser; {_variable('browser')}=off"
        where.add_argument(
            "--no-browser", dest="browser", action="store_const", const="off", default=argparse.SUPPRESS, help=quiet
        )

    play = command("play", play_match, "play a match in the terminal, everybody at one screen")
    _add_match(play, game_needed=False)
    play.add_argument("--bot", action="append", default=[], metavar="SEAT=NAME", help="a bot for a seat: 2=random")
    play.add_argument("--save", type=Path, metavar="FILE", help="keep the match in FILE, after every action")
    play.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved match, and keep it there")

    verify = command("verify", verify_matches, "replay saved matches; check actions, dice and scores")
    verify.add_argument("files", nargs="*", type=Path, metavar="FILE")
    verify.add_argument("--database", metavar="URL", help="replay all matches a server has kept there")

    perft = command("perft", count_positions, "count the positions after each number of plies")
    _add_match(perft)
    perft.add_argument("--depth", type=int, required=True, metavar="N", help="how many plies")
    perft.add_argument("--after", type=int, default=0, metavar="N", help="let the seed play N plies first")

    arena = command("arena", hold_arena, "let bots play one another, on all cores, and rate them")
    _add_match(arena)
    arena.add_argument(
        "bots", nargs="+", metavar="BOT", help="random, greedy, beginner … master, mcts:10000, mcts:500ms"
    )
    arena.add_argument("--games", type=int, default=100, metavar="N", help="matches for each pair of bots (100)")
    arena.add_argument("--jobs", type=int, metavar="N", help="how many processes play (one for each core)")
    arena.add_argument("--out", type=Path, metavar="FOLDER", help="keep results, table and chart; go on if there are")

    review = command("review", review_match, "say what a search thinks of every action of a saved match")
    review.add_argument("file", type=Path, metavar="FILE")
    review.add_argument("--bot", default="mcts:2000", metavar="NAME", help="how long to think (mcts:2000)")
    review.add_argument("--seat", type=int, metavar="N", help="one seat's actions only")
    review.add_argument("--out", type=Path, metavar="FILE", help="draw the chances to win as SVG")
    review.add_argument("--annotate", type=Path, metavar="FILE", help="save the match with the remarks in it")

    admin.add(command)
    backup.add(command)
    restore.add(command)
    command("bench", measure, "measure how fast this machine plays every game")

    table = command("components", print_components, "print a game's component table, to make one's own from")
    table.add_argument("game", metavar="GAME")
    return top


def _add_match(sub: Parser, game_needed: bool = True) -> None:
    sub.add_argument("game", metavar="GAME", nargs=None if game_needed else "?")
    sub.add_argument("--seats", type=int, metavar="N", help="how many sit at the table (2)")
    sub.add_argument("--seed", metavar="TEXT", help="the dice's seed")
    sub.add_argument("--option", action="append", default=[], metavar="NAME=WORD", help="an option of the game")


# The commands

SERVER_OPTIONS = (
    ("host", "HOST", "the address to listen at (127.0.0.1)"),
    ("port", "PORT", "the port (7272, or the next free one)"),
    ("database", "URL", "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME (SQLite in the data folder)"),
    ("data", "FOLDER", "where SQLite's file is kept (the user's data folder)"),
    ("workers", "N", "how many processes; more than one need PostgreSQL (1)"),
)


def _variable(name: str) -> str:
    return f"PLENILUNE_{name.upper()}"


def serve(given: argparse.Namespace) -> None:
    from plenilune.server import serve as server
    from plenilune.server.settings import read

    names = [*(name for name, _, _ in SERVER_OPTIONS), "browser"]
    server.run(read({name: getattr(given, name) for name in names if hasattr(given, name)}))


def choose_and_play() -> None:
    from rich.console import Console

    from plenilune import terminal

    console, ask = Console(), terminal.asker()
    try:
        match, bots = terminal.choose(console, ask)
        terminal.Sitting(match, bots, lambda _: None, console, ask).play()
    except terminal.Left:
        console.print("\nYou left the table. Nothing was kept; plenilune play GAME --save FILE keeps a match.")


def play_match(given: argparse.Namespace) -> None:
    from rich.console import Console

    from plenilune import terminal

    if _nothing_said(given):
        choose_and_play()
        return
    match = _resumed(given) if given.resume else _new_match(given, terminal.new_seed)
    file, console = given.resume or given.save, Console()
    sitting = terminal.Sitting(match, _bots(given.bot, match), lambda m: _keep(m, file), console, terminal.asker())
    next_step = "resume it with: plenilune play --resume"
    try:
        sitting.play()
        next_step = "check it with: plenilune verify"
    except terminal.Left:
        console.print("\nYou left the table.")
    if file:
        console.print(f"The match is kept in {file}; {next_step} {file}", highlight=False, markup=False, soft_wrap=True)


def verify_matches(given: argparse.Namespace) -> int:
    if bool(given.files) == bool(given.database):
        raise BadSetting("what shall be verified: files, or a --database? (see plenilune verify --help)")
    return _verify_database(given.database) if given.database else _verify_files(given)


def _verify_database(url: str) -> int:
    from plenilune.server.storage import verify as verifying

    return verifying.main(url)


def _verify_files(given: argparse.Namespace) -> int:
    bad = 0
    for file in given.files:
        try:
            match = Match.load(_read(file), check_dice=True)
        except BadReplay as refusal:
            bad += 1
            print(f"{file}: {refusal}")
        else:
            dice = "dice checked" if match.dice else "no seed, dice not checked"
            state = f"scores {' '.join(map(str, match.scores))}" if match.over else "unfinished"
            print(f"{file}: good ({match.game.name}, {match.ply} plies, {dice}, {state})")
    return 1 if bad else 0


def count_positions(given: argparse.Namespace) -> None:
    from plenilune.perft import perft, start

    game, seats, options = _setting(given)
    match = start(game, seats, "perft" if given.seed is None else given.seed, given.after, **options)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # compiled code would not hear of it for minutes
    for ply, count in enumerate(perft(match, given.depth), 1):
        print(f"{ply:>3} {count:>15,}", flush=True)


def hold_arena(given: argparse.Namespace) -> int:
    from plenilune.bots import arena

    game, seats, options = _setting(given)
    seed = "arena" if given.seed is None else given.seed
    plan = arena.Plan(game.name, tuple(given.bots), seats, options, given.games, seed)
    return arena.main(plan, given.jobs, given.out)


def review_match(given: argparse.Namespace) -> None:
    from plenilune.bots import review

    match = _loaded(given.file)
    seat = None if given.seat is None else given.seat - 1
    remarks = review.main(match, given.bot, seat, given.out)
    if given.annotate:
        _keep(review.annotated(match, remarks), given.annotate)


def measure(given: argparse.Namespace) -> None:
    from plenilune import bench

    bench.main()


def print_components(given: argparse.Namespace) -> None:
    from plenilune import components

    game = load(given.game)
    if not game.components:
        raise BadSetting(f"{game.name} has no component table")
    print(components.table(game.State.home()).path.read_text("utf-8"), end="")


# Their parts


def _new_match(given: argparse.Namespace, new_seed: Callable[[], str]) -> Match:
    if given.save and os.path.exists(given.save):  # noqa: PTH110  Path.exists raises where it may not look
        raise BadSetting(f"{given.save} is already there; go on with it by --resume, or name another file")
    game, seats, options = _setting(given)
    return Match(game, seats, new_seed() if given.seed is None else given.seed, **options)


def _setting(given: argparse.Namespace) -> tuple[Game, int, dict[str, str]]:
    if given.game is None:
        raise BadSetting("which game? (see plenilune play --help)")
    game, options = load(given.game), dict(_pair(word, "NAME=WORD") for word in given.option)
    seats = min(max(2, game.seats[0]), game.seats[-1]) if given.seats is None else given.seats
    return game, seats, game.choices(seats, options)


def _nothing_said(given: argparse.Namespace) -> bool:
    return not (given.game or given.resume or given.save or given.bot or given.option or given.seed or given.seats)


def _resumed(given: argparse.Namespace) -> Match:
    if given.option or any(word is not None for word in (given.game, given.seats, given.seed, given.save)):
        raise BadSetting("--resume takes everything from the file: give no game, seats, seed, option or --save with it")
    return _loaded(given.resume)


def _loaded(file: Path) -> Match:
    try:
        return Match.load(_read(file))
    except BadReplay as error:
        raise BadReplay(f"{file}: {error}") from error


def _bots(words: Sequence[str], match: Match) -> dict[int, Bot]:
    from plenilune import bots

    found = {}
    for word in words:
        seat, name = _pair(word, "SEAT=NAME")
        if seat not in map(str, range(1, match.seats + 1)):
            raise BadSetting(f"a bot sits at a seat from 1 to {match.seats}, not {seat!r}")
        found[int(seat) - 1] = bots.load(name, match.game)
    return found


def _pair(word: str, form: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise BadSetting(f"expected {form}, not {word!r}")
    return name, value


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except OSError as error:
        raise BadReplay(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadReplay(f"is not a saved match (byte {error.start} is no UTF-8)") from error


def _keep(match: Match, file: Path | None) -> None:
    """Write the whole match beside the file, then put it in its place: a crash leaves the old one or the new one."""
    if file is None:
        return
    new = file.with_name(f".{file.name}.new")
    try:
        with new.open("w", encoding="utf-8", newline="\n") as out:
            out.write(match.save())
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)
    except OSError as error:
        raise BadSetting(f"{file} cannot be written: {error.strerror}") from error
