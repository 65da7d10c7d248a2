"""Whatever the server refuses, people are told in their own language: every refusal is in every catalogue."""

import ast
import re
import typing
from pathlib import Path

import pytest

from plenilune.server.protocol import Detail, Reason
from plenilune.server.protocol.refusals import DETAILS, STATUS, Denied

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "plenilune" / "server"
MESSAGES = ROOT / "client" / "src" / "i18n" / "messages"
LANGUAGES = sorted(file.stem for file in MESSAGES.glob("*.ts"))
OWN = {"why", "message", "ply", "wait"}  # what `Denied` takes besides the sentence's arguments


def raised() -> list[tuple[str, str, set[str]]]:
    """Every `Denied(…)` in the server: where, the reason or detail, and the names of the sentence's arguments."""
    found = []
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Denied":
                where = f"{file.relative_to(ROOT)}:{node.lineno}"
                args = {keyword.arg for keyword in node.keywords if keyword.arg} - OWN
                found += [(where, word, args) for word in words(node.args[0])]
    return found


def words(node: ast.expr) -> list[str]:
    """What the expression may be, as far as it is written out here."""
    if isinstance(node, ast.IfExp):
        return [*words(node.body), *words(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def messages(language: str) -> dict[str, str]:
    """The refusals in a catalogue; of plurals, all forms."""
    line = re.compile(r'^ *"refused\.(\w+)": (.*),$', re.M)
    return dict(line.findall((MESSAGES / f"{language}.ts").read_text()))


def holes(message: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", message))


def test_there_are_refusals_to_look_at() -> None:
    assert len(raised()) > 60
    assert {"en", "fr", "ru"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_and_detail_has_a_message(language: str) -> None:
    asked = {*typing.get_args(Reason), *typing.get_args(Detail)}
    assert set(messages(language)) == asked


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_gives_what_its_message_names(language: str) -> None:
    said = messages(language)
    for where, word, args in raised():
        assert holes(said[word]) <= args, f"{where}: {word} in {language}"


def test_details_and_reasons_are_all_there_and_all_used() -> None:
    assert set(DETAILS) == set(typing.get_args(Detail))
    assert set(STATUS) == set(typing.get_args(Reason))
    assert set(DETAILS.values()) <= set(STATUS)
    quotas = set(re.findall(r'"(too_many_\w+)"', "".join(file.read_text() for file in SERVER.rglob("*.py"))))
    assert set(DETAILS) - {word for _, word, _ in raised()} <= quotas


def test_a_refusal_says_its_reason_its_detail_and_its_arguments() -> None:
    said = Denied("not_your_seat", "seat 2 is not yours", 7, seat=2).refused("a")
    assert (said.reason, said.detail, said.args, said.ply, said.id) == (
        "forbidden",
        "not_your_seat",
        {"seat": 2},
        7,
        "a",
    )
    plain = Denied("over", "the match is over").refused()
    assert (plain.reason, plain.detail, plain.args) == ("over", None, {})
