"""Saved matches on disk."""

from __future__ import annotations

import os
from pathlib import Path

from plenilune.core.errors import BadReplay, BadSetting
from plenilune.match import Match


def load_match(file: Path) -> Match:
    try:
        return Match.load(read_text(file))
    except BadReplay as error:
        raise BadReplay(f"{file}: {error}") from error


def read_text(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except OSError as error:
        raise BadReplay(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadReplay(f"is not a saved match (byte {error.start} is not UTF-8)") from error


def save_match(match: Match, file: Path) -> None:
    """Write the whole match beside the file, then replace it: a crash leaves the old one or the new one."""
    new = file.with_name(f".{file.name}.new")
    try:
        with new.open("w", encoding="utf-8", newline="\n") as out:
            out.write(match.save())
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)
    except OSError as error:
        raise BadSetting(f"{file} cannot be written: {error.strerror}") from error
