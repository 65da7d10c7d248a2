"""Python with a player's own component table."""

import os
import subprocess
import sys
from pathlib import Path

from plenilune.core import components

LOAD = "import sys; from plenilune import Match; print(Match.load(sys.stdin.read()).save(), end='')"


def python(
    code: str, folder: Path | None = None, said: str = "", compiled: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run Python with this folder as the player's components."""
    settings = {components.VARIABLE: str(folder or ""), "NUMBA_DISABLE_JIT": "0" if compiled else "1"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=os.environ | settings, input=said, capture_output=True, text=True, check=False)


def refused(ran: subprocess.CompletedProcess[str]) -> str:
    """The last line of what went wrong."""
    assert ran.returncode == 1
    return ran.stderr.rstrip().splitlines()[-1]
