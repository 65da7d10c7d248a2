"""Puts the built client into the wheel."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        client = self._client()
        return [client.WHEEL] if client and not client.node_of_the_machine() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable install serves whatever is in plenilune/web: `make play` keeps that up to date.
        client = self._client()
        if client and version != "editable":
            client.build()

    def _client(self) -> Any:
        """client/build.py, if this is the source and not an sdist without it."""
        path = Path(self.root) / "client" / "build.py"
        if not path.exists():
            return None
        spec = importlib.util.spec_from_file_location("client_build", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
