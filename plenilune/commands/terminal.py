"""A match in the terminal, for any game: draws the view, lists what may be done, completes it token by token."""

from __future__ import annotations

import math
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from plenilune.bots import Bot
from plenilune.bots import load as load_bot
from plenilune.core.drawing import FAINT, GOLD, is_terminal, mark, plain
from plenilune.core.errors import IllegalAction, Refusal, UnknownAction
from plenilune.core.record import CHANCE, SPECTATOR
from plenilune.game import load as load_game
from plenilune.game import names
from plenilune.match import Match

COMMANDS = {
    "undo": "take back your last action, as far as the last roll or another seat's action",
    "history": "everything played so far",
    "help": "this list",
    "quit": "leave the table",
}
FORGET_SCROLLBACK = "\x1b[3J"
MANY = 12  # actions of one verb
USUAL_LEVEL, PEOPLE = "casual", "people at this screen"  # the usual opponents
Ask = Callable[[str, Sequence[str]], str]  # (what is asked, the whole texts that may be answered)


class Left(Exception):
    """The person has left the table."""


# What is typed


def next_tokens(typed: str, texts: Iterable[str]) -> list[str]:
    """What the token being typed can become.

    >>> texts = ["split 3 1", "split 1 3", "move 4"]
    >>> next_tokens("", texts), next_tokens("sp", texts), next_tokens("split ", texts), next_tokens("split 3 ", texts)
    (['split', 'move'], ['split'], ['3', '1'], ['1'])
    """
    *done, last = typed.split(" ")
    found = [
        words[len(done)]
        for words in (text.split() for text in texts)
        if len(words) > len(done) and words[: len(done)] == done and words[len(done)].startswith(last)
    ]
    return list(dict.fromkeys(found))


def meant(typed: str, texts: Sequence[str]) -> str:
    """The text that was typed, or the one text whose tokens begin like those typed.

    >>> meant("s 3", ["split 3 1", "split 1 3", "move 4"])
    'split 3 1'
    """
    tokens = typed.split()
    if " ".join(tokens) in texts:
        return " ".join(tokens)
    found = [text for text in texts if _begins(text.split(), tokens)]
    if len(found) > 1:
        raise UnknownAction(f"{typed!r} may mean: {', '.join(found[:12])}{' …' if len(found) > 12 else ''}")
    return found[0] if found else typed


def _begins(words: Sequence[str], tokens: Sequence[str]) -> bool:
    return 0 < len(tokens) <= len(words) and all(w.startswith(t) for w, t in zip(words, tokens, strict=False))


def asker() -> Ask:
    """Asks with completion at a terminal, and plainly where the answers come from elsewhere."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return _ask_plainly
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.formatted_text import ANSI

    class Tokens(Completer):
        texts: Sequence[str] = ()

        def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
            typed = document.text_before_cursor.lstrip()
            for token in next_tokens(typed, self.texts):
                yield Completion(token, start_position=-len(typed.split(" ")[-1]))

    tokens, session = Tokens(), PromptSession[str]()

    def ask(question: str, texts: Sequence[str]) -> str:
        tokens.texts = texts
        try:
            return session.prompt(ANSI(_coloured(question)), completer=tokens, complete_while_typing=True)
        except (EOFError, KeyboardInterrupt) as error:
            raise Left from error

    return ask


def _ask_plainly(question: str, texts: Sequence[str]) -> str:
    try:
        return input(_coloured(question))
    except (EOFError, KeyboardInterrupt, RuntimeError) as error:  # the last: there is no input at all
        raise Left from error


def _coloured(markup: str) -> str:
    console = Console(force_terminal=is_terminal(sys.stdout))
    with console.capture() as capture:
        console.print(markup, end="", highlight=False, soft_wrap=True)
    return capture.get()


# Choosing a match


def choose(console: Console, ask: Ask) -> tuple[Match, dict[int, Bot]]:
    """Ask a newcomer what to play; Enter takes the first answer."""
    console.print(f"[bold {GOLD}]☾ Plenilune[/]  [{FAINT}]Enter takes the answer in brackets[/]")
    game = load_game(_choose(console, ask, "Game", names()))
    two_first = sorted(game.seats, key=lambda seats: seats != 2)
    seats = int(_choose(console, ask, "Seats", [str(n) for n in two_first]))
    words = game.choices(seats, {})
    for name, offered in game.options.items():
        fitting = [word for word in offered if not game.objection(seats, {**words, name: word})]
        words[name] = _choose(console, ask, name.capitalize(), fitting)
    levels = sorted(game.levels or ["greedy"], key=lambda level: level != USUAL_LEVEL)
    company = _choose(console, ask, "Against", [*levels, PEOPLE]) if seats > 1 else PEOPLE
    bots = {seat: load_bot(company, game) for seat in range(1, seats)} if company != PEOPLE else {}
    return Match(game, seats, new_seed(), **words), bots


def _choose(console: Console, ask: Ask, what: str, answers: Sequence[str]) -> str:
    if len(answers) == 1:
        console.print(f"{what}: {answers[0]}", highlight=False)
        return answers[0]
    while True:
        others = " | ".join(answers[1:])
        typed = ask(f"{what} \\[[bold]{escape(answers[0])}[/]] {escape(others)}: ", answers).strip()
        try:
            answer = meant(typed, answers) if typed else answers[0]
        except Refusal as refusal:
            answer = str(refusal)
        if answer in answers:
            return answer
        console.print(f"  [red]{escape(answer)}[/]: one of {', '.join(answers)}", highlight=False)


def new_seed() -> str:
    return secrets.token_hex(16)


# Playing it


class Sitting:
    """One match at one terminal: who is a bot, where it is saved after every action."""

    def __init__(
        self, match: Match, bots: Mapping[int, Bot], keep: Callable[[Match], None], console: Console, ask: Ask
    ) -> None:
        self.match, self.keep, self.console, self.ask = match, keep, console, ask
        self.bots = {seat: bot.sit() for seat, bot in bots.items()}
        self.in_front = -1  # the seat that looks at the screen

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        self.keep(self.match)
        if self.match.dice and not self.match.over:
            self._say(f"[{FAINT}]Dice are fair: their seed's SHA-256 is {self.match.dice.commitment}[/]")
        while not self.match.over:
            if self.match.to_play in self.bots:
                self._let_bot_play()
            else:
                self._let_person_play()
            self.keep(self.match)
        self._show_result()

    def _let_bot_play(self) -> None:
        match, seat = self.match, self.match.to_play
        thought = self.bots[seat].think(match.game, match.seen_by(seat), seat, secrets.randbits(63))
        match.play(match.game.actions.text(thought.action))

    def _let_person_play(self) -> None:
        seat, ply = self.match.to_play, self.match.ply
        if seat != CHANCE:
            self._draw_curtain(seat)
        self._show(seat)
        while self.match.ply == ply:
            self._show_legal()
            typed = self.ask(self._prompt(seat), [*self.match.legal(), *COMMANDS]).strip()
            try:
                self._answer(typed)
            except Refusal as refusal:
                self._say(f"[red]{escape(str(refusal))}[/]")

    def _answer(self, typed: str) -> None:
        legal = self.match.legal()
        if typed:
            text = meant(typed, [*legal, *COMMANDS])
            command = getattr(self, f"_{text}") if text in COMMANDS else lambda: self.match.play(text)
            command()
        elif len(legal) == 1:
            self.match.play(legal[0])

    def _undo(self) -> None:
        """Nothing that chance or another seat has answered can be taken back."""
        seat, actors = self.match.to_play, self.match.actors
        if not actors or actors[-1] != seat or seat == CHANCE:
            raise IllegalAction("nothing of yours can be undone now: a roll or another seat's action came after it")
        self.match.undo()

    def _history(self) -> None:
        self._say(self._told(0))

    def _help(self) -> None:
        for command, what in COMMANDS.items():
            self._say(f"  [bold]{command:<8}[/] {what}")
        self._say("  Anything else is an action; the beginning of each word is enough, and Enter plays the only one.")

    def _quit(self) -> None:
        raise Left

    # What is shown

    def _say(self, markup: str) -> None:
        self.console.print(markup, highlight=False)

    def _draw_curtain(self, seat: int) -> None:
        """Where there are secrets, nothing is drawn before the next person sits in front of the screen."""
        people = [s for s in range(self.match.seats) if s not in self.bots]
        if self.match.game.secrets and len(people) > 1 and self.in_front != seat:
            self.console.clear()
            if self.console.is_terminal:
                self.console.file.write(FORGET_SCROLLBACK)
            self.ask(f"{mark(seat)} Seat {seat + 1}, press Enter when nobody else is looking ", [])
        self.in_front = seat

    def _show(self, seat: int) -> None:
        match = self.match
        self.console.rule(f"[bold {GOLD}]☾ {match.game.title}[/]", style=FAINT)
        if recent := self._told(self._last_own(seat) + 1):
            self._say(f"[{FAINT}]Since your last action:[/] {recent}" if self._last_own(seat) >= 0 else recent)
        self._say("")
        self._draw(seat)
        self._say("")

    def _draw(self, seat: int) -> None:
        drawing = self.match.game.draw(self.match.view(seat))
        needed = max(map(len, plain(drawing).splitlines()))
        if needed > self.console.width:
            self._say(f"[{FAINT}]The table needs {needed} columns; this terminal has {self.console.width}.[/]")
        self.console.print(drawing, highlight=False, no_wrap=True, overflow="ellipsis")

    def _last_own(self, seat: int) -> int:
        own = [ply for ply, actor in enumerate(self.match.actors) if actor == seat]
        return own[-1] if own else -1

    def _told(self, start: int) -> str:
        """The actions from that ply on, as the seat in front of the screen may read them, grouped by who played."""
        told = zip(self.match.actors, self.match.history_seen_by(self.in_front), strict=True)
        groups = groupby(list(told)[start:], key=lambda item: item[0])
        return "  ".join(f"{_who(actor)} {escape(', '.join(text for _, text in group))}" for actor, group in groups)

    def _show_legal(self) -> None:
        by_verb = groupby(self.match.legal(), key=lambda text: text.split()[0])
        parts = [f"[bold {GOLD}]{verb}[/] {escape(folded([t.split()[1:] for t in texts]))}" for verb, texts in by_verb]
        self._say(f"[{FAINT}]You may:[/] " + "   ".join(part.rstrip() for part in parts))

    def _prompt(self, seat: int) -> str:
        return f"{_who(seat)} {'chance' if seat == CHANCE else f'seat {seat + 1}'} › "

    def _show_result(self) -> None:
        match = self.match
        self.console.rule(f"[bold {GOLD}]☾ {match.game.title}: the end[/]", style=FAINT)
        self._say("")
        self._draw(SPECTATOR)
        self._say("")
        table = Table("place", "seat", "score", box=None, header_style=FAINT)
        for place, seat, score in sorted(zip(match.places, range(match.seats), match.scores, strict=True)):
            who = "bot" if seat in self.bots else ""
            table.add_row(str(place), f"{mark(seat)} seat {seat + 1} {who}", str(score))
        self.console.print(table)
        if match.dice:
            self._say(f"[{FAINT}]The seed was {escape(match.dice.seed)}[/]")


def _who(actor: int) -> str:
    return f"[{FAINT}]⚄[/]" if actor == CHANCE else mark(actor)


def folded(texts: Sequence[Sequence[str]]) -> str:
    """The words that may follow a verb; every combination written as such where there are many and all are allowed.

    >>> folded([["3", "1"], ["1", "3"]])
    '3 1 | 1 3'
    >>> folded([[slot, cell] for slot in "123" for cell in ("a1", "a2", "b1", "b2", "c1")])
    '1|2|3 and a1|a2|b1|b2|c1'
    """
    columns = [list(dict.fromkeys(column)) for column in zip(*texts, strict=False)]
    if len(texts) > MANY and len(columns) > 1 and math.prod(map(len, columns)) == len(texts):
        return " and ".join("|".join(column) for column in columns)
    return " | ".join(" ".join(words) for words in texts)
