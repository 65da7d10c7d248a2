"""Web hosts that know nothing of Plenilune: they serve files."""

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


class Files:
    """What is in a folder."""

    def __init__(self, root: Path, port: int = 0) -> None:
        self.root = root
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
        self.above = f"http://127.0.0.1:{self.port}/"

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


class Host(Files):
    """The pages, in a folder within a folder."""

    def __init__(self, root: Path, port: int = 0) -> None:
        self.pages = root / WITHIN
        if not self.pages.exists():
            shutil.copytree(WEB, self.pages)
        super().__init__(root, port)

    @property
    def address(self) -> str:
        return self.above + WITHIN.as_posix()

    def release(self, motto: str) -> None:
        """Put a new version of the pages in the place of the old one; it carries this motto."""
        index = self.pages / "index.html"
        index.write_text(re.sub(r'<html( data-motto="[^"]*")?', f'<html data-motto="{motto}"', index.read_text()))
        subprocess.run(
            [sys.executable, BUILD, "list"], env={**os.environ, "PLENILUNE_WEB": str(self.pages)}, check=True
        )
