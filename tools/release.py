"""Builds the wheel and the sdist, installs each into an empty environment, and plays from there.

    python tools/release.py        what `make release` runs

Dependencies are the newest that the package allows: what somebody gets who installs the release today.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PATIENCE = 60  # seconds for the server to answer

PLAY = """
from plenilune import Match, names
for name in names():
    match = Match(name, seed="release")
    while not match.over:
        match.play(match.legal()[-1])
    assert Match.load(match.save()).scores == match.scores
    print(f"  {match.game.title}: {match.ply} plies, {match.scores}")
"""


def main() -> None:
    files = build()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"PLENILUNE_CACHE": f"{folder}/cache", "PLENILUNE_GAMES": ""}
        for file in files:
            print(f"{file.name}: installing it alone, and playing", flush=True)
            check(file, Path(folder) / file.suffix.removeprefix("."))
    print("Ready:", *files, sep="\n  ")


def build() -> list[Path]:
    """The sdist and the wheel, with pages and modules built from scratch."""
    for folder in (DIST, ROOT / "plenilune" / "web", ROOT / "build" / "modules"):
        shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--target", "wheel", folder=ROOT)
    return sorted(DIST.iterdir())


def check(file: Path, home: Path) -> None:
    venv.create(home, with_pip=True)
    python, command = str(home / "bin" / "python"), str(home / "bin" / "plenilune")
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(file), folder=home)
    run(command, "--version", folder=home)
    run(python, "-c", PLAY, folder=home)
    play_by_command(command, home)
    with serving(command, home) as address:
        check_pages(address)


def play_by_command(command: str, home: Path) -> None:
    """Bots play a match of each game in the terminal; `verify` replays it."""
    games = subprocess.check_output([str(home / "bin" / "python"), "-c", "import plenilune; print(*plenilune.names())"])
    for game in games.decode().split():
        saved = str(home / f"{game}.match")
        run(command, "play", game, "--bot", "1=greedy", "--bot", "2=random", "--save", saved, folder=home, quiet=True)
        run(command, "verify", saved, folder=home)


@contextmanager
def serving(command: str, home: Path) -> Iterator[str]:
    words = [command, "serve", "--port", "0", "--no-browser", "--data", str(home / "data")]
    server = subprocess.Popen(words, cwd=home, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found, "the server does not say where it is"
        yield found[0]
    finally:
        server.terminate()
        server.wait(PATIENCE)


def check_pages(address: str) -> None:
    """The server is well, and every file that its page names is there."""
    page = fetch(address + "/")
    files = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert any(name.endswith(".js") for name in files), page
    for name in ["/api/health", *files]:
        fetch(address + name)
    print(f"  the page and {len(files)} files it names are served")


def fetch(url: str) -> str:
    with urlopen(url, timeout=PATIENCE) as answer:
        return str(answer.read().decode("utf-8", "replace"))


def run(*words: str, folder: Path, quiet: bool = False) -> None:
    subprocess.run(
        words, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL if quiet else None
    )


if __name__ == "__main__":
    main()
