"""Names and lines of text that people write: what is shown of them."""

from __future__ import annotations

import unicodedata

from plenilune.server.protocol.refusals import Denied


def tidy(text: str) -> str:
    """In one line, without what cannot be seen.

    >>> tidy("  Ada \\u202e  Lovelace\\n")
    'Ada Lovelace'
    """
    kept = "".join(c if c.isprintable() and unicodedata.category(c) != "Cf" else " " for c in text)
    return " ".join(unicodedata.normalize("NFC", kept).split())


def a_name(text: str) -> str:
    if not (name := tidy(text)):
        raise Denied("bad_request", f"a name is something to read, not {text!r}")
    return name
