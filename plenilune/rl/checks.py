"""Arguments, checked: a refusal says in one sentence what they may be."""

from __future__ import annotations

from typing import Any

import numpy as np

from plenilune.core.errors import BadSetting


def whole(name: str, number: Any, least: int, most: int) -> int:
    """The number, if it is a whole one between these."""
    try:
        found = int(number.__index__())
    except (AttributeError, TypeError):
        raise BadSetting(f"{name} is a whole number, not {number!r}") from None
    if not least <= found <= most:
        raise BadSetting(f"{name} is between {least} and {most}, not {found}")
    return found


def true_or_false(name: str, given: Any) -> bool:
    if not isinstance(given, bool | np.bool_):
        raise BadSetting(f"{name} is True or False, not {given!r}")
    return bool(given)


def one_of(name: str, word: Any, words: Any) -> str:
    if not isinstance(word, str) or word not in words:
        raise BadSetting(f"{name} is one of {', '.join(words)}, not {word!r}")
    return str(word)
