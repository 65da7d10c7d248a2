"""A digest of everything that decides what a game's compiled rules do."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from plenilune import components

HERE = Path(__file__).parent
CORE = ("record.py", "engine.py", "spaces.py", "search.py")


@functools.cache
def fingerprint(source: Path) -> str:
    """The digest for rules that live in a game's folder (its sources, learned
    weights and component table) or in a file of the package
    that belongs to no game; with what they stand on."""
    import importlib.metadata  # not needed before a game is loaded

    digest = hashlib.sha256(importlib.metadata.version("numba").encode())
    own = [source] if source.is_file() else sorted([*source.glob("*.py"), *source.glob("*.npy")])
    for file in [*(HERE / name for name in CORE), *own]:
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    if source.is_dir():
        digest.update(components.digest(source).encode())
    return digest.hexdigest()[:12]
