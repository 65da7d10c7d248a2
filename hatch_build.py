"""Puts the built pages, and the rules as WebAssembly, into the sdist and the wheel."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILER = ("numba", "numpy", "platformdirs", "msgspec", "rich")  # what plenilune.wasm needs of the dependencies
SOURCES = ("src", "public", "*.html", "*.ts", "package-lock.json", "build.py")  # what the pages are made from


class ClientHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        client = self._client()
        if not client:
            return []
        compiler = [name for name in self.metadata.core.dependencies if re.split(r"\W", name)[0] in COMPILER]
        return compiler if client.node_of_the_machine() else [client.WHEEL, *compiler]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable install serves whatever is in plenilune/web: `make play` keeps that up to date.
        client = self._client()
        if client and version != "editable":
            if self._stale():
                client.build()
            self._add_modules(client)

    def _add_modules(self, client: Any) -> None:
        made, shipped = Path(self.root) / "build" / "modules", client.WEB / "modules"
        environment = os.environ | {"PYTHONPATH": self.root, "PLENILUNE_GAMES": "", "PLENILUNE_COMPONENTS": ""}
        subprocess.run([sys.executable, "-m", "plenilune.wasm", made], cwd=self.root, env=environment, check=True)
        if _content(made / "index.json") != _content(shipped / "index.json"):
            shutil.rmtree(shipped, ignore_errors=True)
            shutil.copytree(made, shipped, ignore=shutil.ignore_patterns(".*"))
            client.list_pages(client.WEB)

    def _stale(self) -> bool:
        page, client = Path(self.root) / "plenilune" / "web" / "index.html", Path(self.root) / "client"
        found = [path for pattern in SOURCES for top in client.glob(pattern) for path in (top, *top.rglob("*"))]
        return not page.exists() or page.stat().st_mtime < max(path.stat().st_mtime for path in found)

    def _client(self) -> Any:
        """client/build.py; None in an sdist, which holds the built pages and needs no Node."""
        path = Path(self.root) / "client" / "build.py"
        if not path.exists() or (Path(self.root) / "PKG-INFO").exists():
            return None
        spec = importlib.util.spec_from_file_location("client_build", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def _content(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""
