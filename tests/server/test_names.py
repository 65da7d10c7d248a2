"""Names can be seen, in every script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenilune.server.protocol.refusals import Denied
from plenilune.server.storage.names import MARKS, a_name, tidy
from tests.server.attempts import Attempts

INVISIBLE = [
    "\u3164",  # Hangul filler
    "\u2800",  # an empty Braille cell
    "\u115f",
    "\u1160",
    "\uffa0",
    "\u17b4",
    "\u17b5",
    "\u00ad",
    "\u034f",
    "\u180e",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u200e",
    "\u202e",
    "\u2060",
    "\u2065",
    "\u2066",
    "\ufe0f",
    "\ufeff",
    "\U0001d159",
    "\U0001d173",
    "\U000e0020",
    "\U000e0100",
    "\U00013441",
    "\u0301",  # an accent on nothing
    "\u20dd",
    "\u00a0",
    "\u2003",
    "\u3000",
    "\ue000",  # for private use
    "\x00",
    "\x7f",
]


@pytest.mark.parametrize("blank", INVISIBLE, ids=ascii)
def test_a_name_that_cannot_be_seen_is_refused(attempts: Attempts, blank: str) -> None:
    for name in (blank, 24 * blank, f" {blank}\t{blank}", f"{blank}\u200d{blank}", f"{blank}\u0301"):
        with pytest.raises(Denied, match="can be seen"):
            a_name(name)
    attempts.add(5)


@pytest.mark.parametrize("blank", INVISIBLE, ids=ascii)
def test_nobody_looks_like_somebody_else_by_what_cannot_be_seen(blank: str) -> None:
    if unicodedata.category(blank) not in ("Mn", "Me") or blank in "\u034f\u17b4\u17b5\ufe0f\U000e0100":
        assert a_name(f"{blank}Ada{blank}") == "Ada"
        assert a_name(f"Ada{blank}Lovelace") in ("AdaLovelace", "Ada Lovelace")


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "José",
        "Łukasz",
        "Nguyễn",
        "أحمد",
        "علی\u200cرضا",  # Persian, with a non-joiner
        "שָׁלוֹם",
        "श्री",
        "क्षत्रिय",
        "र्\u200dक",  # an eyelash, with a joiner
        "বাংলা",
        "தமிழ்",
        "မြန်မာ",
        "བསྒྲུབས",
        "ไทย",
        "한국어",
        "月",
        "ゆき",
        "R2-D2",
        "7",
        "☾",
        "👩\u200d🚀",
        "👩🏽\u200d🚀",
        "👨\u200d👩\u200d👧\u200d👦",
        "🏳\ufe0f\u200d🌈",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "🇫🇷",
    ],
)
def test_people_are_called_what_they_are_called(name: str) -> None:
    assert a_name(name) == name


def test_a_letter_carries_only_so_many_marks() -> None:
    assert a_name("Z" + 20 * "\u0353" + "o") == "Z" + MARKS * "\u0353" + "o"


@pytest.mark.parametrize("name", ["...", "-", "?!", "_", "'"])
def test_a_name_has_more_than_punctuation(name: str) -> None:
    with pytest.raises(Denied):
        a_name(name)


@given(st.text(max_size=30))
def test_tidy_text_is_tidy(text: str) -> None:
    found = tidy(text)
    assert tidy(found) == found
    assert found == found.strip()
    assert not {unicodedata.category(c) for c in found} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(st.text(alphabet="aक\u094d\u200d\u200c\ufe0f\ufe0e\u20e3☠👩🚀ع\u0301 \u3164\u1100\u1160\u1161", max_size=12))
def test_text_with_joiners_is_tidy_after_once(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)
