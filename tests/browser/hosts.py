"""A web host that knows nothing of Plenilune: it serves files, from a folder within a folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import plenilune

WEB = Path(plenilune.__file__).parent / "web"
BUILD = Path(plenilune.__file__).parents[1] / "client" / "build.py"
WITHIN = Path("games", "moonlit")


class Host:
    def __init__(self, root: Path, port: int = 0) -> None:
        self.root, self.pages = root, root / WITHIN
        if not self.pages.exists():
            shutil.copytree(WEB, self.pages)
            (root / "favicon.ico").touch()  # browsers ask for one, where a page names none
        self.start(port)

    def start(self, port: int = 0) -> None:
        command = [sys.executable, "-u", "-m", "http.server", str(port), "--bind", "127.0.0.1"]
        self.process = subprocess.Popen(
            command, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout
        found = re.search(r"port (\d+)", self.process.stdout.readline())
        assert found, "the host has not started"
        self.port = int(found[1])
        self.above = f"http://127.0.0.1:{self.port}/"  # what else the host has
        self.address = self.above + WITHIN.as_posix()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()

    def release(self, motto: str) -> None:
        """Put a new version of the pages in the place of the old one; what it says is seen in its description."""
        index = self.pages / "index.html"
        index.write_text(re.sub(r'(?<=name="description" content=")[^"]*', motto, index.read_text()))
        subprocess.run(
            [sys.executable, BUILD, "list"], env={**os.environ, "PLENILUNE_WEB": str(self.pages)}, check=True
        )
