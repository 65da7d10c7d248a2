"""Names and chat lines: only visible text, in any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from plenilune.server.protocol.refusals import Denied

MARKS = 4  # combining marks on one letter; Tibetan and Hebrew need that many
ZWNJ, ZWJ, TEXT, EMOJI, KEYCAP = "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\u20e3"
KEYS = "0123456789#*"  # the base characters of keycap emoji
VIRAMA = 9  # the combining class of the sign that joins Indic consonants
# Letters and symbols that are drawn as nothing: Hangul fillers, an empty Braille cell, and others.
BLANK = re.compile("[\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159]")
# Unicode's Default_Ignorable_Code_Point, as far as it is not in the category of control or format characters.
IGNORABLE = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\u2065\ufe00-\ufe0f\ufff0-\ufff8\U000e0000-\U000e0fff]")


def tidy(text: str) -> str:
    """The text as one line, without invisible characters.

    >>> tidy("  Ada \\u202e  Lovelace\\n")
    'Ada Lovelace'
    >>> tidy("A\\u200dd\\u3164a")
    'Ad a'
    """
    while (tidier := _tidier(text)) != text:  # removing a character may make its neighbour removable
        text = tidier
    return text


def _tidier(text: str) -> str:
    text = unicodedata.normalize("NFC", BLANK.sub(" ", text))
    carried = "".join(_carried("".join(_visible(text))))
    return unicodedata.normalize("NFC", " ".join(carried.split()))


def a_name(text: str) -> str:
    """The name, tidied; refused if nothing visible is left."""
    name = tidy(text)
    if not any(unicodedata.category(c)[0] in "LNS" for c in name):
        raise Denied("bad_name", f"a name has at least one letter, digit or symbol that can be seen, unlike {text!r}")
    return name


def _visible(text: str) -> Iterator[str]:
    """Only characters that are visible or change how their neighbours look; every kind of space becomes a space."""
    before = " "
    for character, after in zip(text, text[1:] + " ", strict=False):
        if character.isspace() or unicodedata.category(character) == "Cc":
            before = " "
        elif _seen(character) or _matters(before, character, after):
            before = character
        else:
            continue
        yield before


def _seen(character: str) -> bool:
    return unicodedata.category(character)[0] != "C" and not IGNORABLE.match(character)


def _matters(before: str, character: str, after: str) -> bool:
    """Whether an invisible character changes how the text looks.

    Joiners do after a virama and between Arabic letters (RFC 5892, A.1 and A.2) and in emoji; selectors after a symbol.
    """
    kind, next_kind = unicodedata.category(before), unicodedata.category(after)
    if character in (TEXT, EMOJI):
        return kind in ("So", "Sm") or (before in KEYS and after == KEYCAP)
    if character in (ZWJ, ZWNJ) and unicodedata.combining(before) == VIRAMA:
        return next_kind[0] == "L"
    if character == ZWNJ:
        return unicodedata.bidirectional(before) == "AL" == unicodedata.bidirectional(after)
    return character == ZWJ and (before == EMOJI or kind in ("So", "Sk")) and next_kind == "So"


def _carried(text: str) -> Iterator[str]:
    """Drop marks without a base letter, and marks beyond the limit."""
    marks = MARKS
    for character in text:
        if unicodedata.category(character)[0] != "M":
            marks = MARKS if character == " " else 0
        elif marks >= MARKS:
            continue
        else:
            marks += 1
        yield character
