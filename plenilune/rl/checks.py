"""Arguments, checked: a refusal says in one sentence what they may be."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np

from plenilune.core.errors import BadSetting


def shown(given: Any) -> str:
    """What was given, on one line and short enough for a sentence."""
    try:
        return " ".join(reprlib.repr(given).split())
    except ValueError:  # Python's, of numbers with thousands of digits
        return f"this {type(given).__name__}"


def whole(name: str, number: Any, least: int, most: int) -> int:
    """The number, if it is a whole one between these."""
    found = index(number)
    if found is None:
        raise BadSetting(f"{name} is a whole number, not {shown(number)}")
    if not least <= found <= most:
        raise BadSetting(f"{name} is between {least} and {most}, not {shown(found)}")
    return found


def index(number: Any) -> int | None:
    """The number as an int, if it is a whole one."""
    if isinstance(number, bool):
        return None
    try:
        return int(number.__index__())
    except (AttributeError, TypeError):  # numpy's, of arrays
        return None


def true_or_false(name: str, given: Any) -> bool:
    if not isinstance(given, bool | np.bool_):
        raise BadSetting(f"{name} is True or False, not {shown(given)}")
    return bool(given)


def one_of(name: str, word: Any, words: Any) -> str:
    if not isinstance(word, str) or word not in words:
        raise BadSetting(f"{name} is one of {', '.join(words)}, not {shown(word)}")
    return str(word)
