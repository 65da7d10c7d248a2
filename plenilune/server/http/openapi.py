"""The OpenAPI document of the HTTP API, generated from the protocol."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec

from plenilune.server import protocol
from plenilune.server.protocol import ENDPOINTS, Endpoint
from plenilune.server.protocol.refusals import STATUS

PARAMETERS: dict[str, dict[str, Any]] = {
    "match": {"type": "string", "pattern": "^[a-z0-9]{16}$"},
    "game": {"type": "string"},
    "key": {"type": "string", "pattern": "^[a-z0-9]{16}$"},
    "line": {"type": "integer", "minimum": 1},
    "ban": {"type": "string", "pattern": "^[a-z0-9]{16}$"},
    "report": {"type": "string", "pattern": "^[a-z0-9]{16}$"},
    "search": {"type": "string", "description": "the id of a match or a person, or a part of a name"},
    "status": {"type": "string", "enum": ["waiting", "playing", "over"]},
    "closed": {"type": "boolean", "description": "closed ones too"},
    "before": {"type": "integer", "minimum": 0, "description": "a time: only what is older"},
    "day": {"type": "string", "format": "date"},
    "ply": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
    "first": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
    "last": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
    "viewer": {"type": "integer", "minimum": -1, "maximum": 15, "description": "a seat of mine, or -1"},
}


@functools.cache
def document(version: str) -> dict[str, Any]:
    """OpenAPI 3.1."""
    kinds = {kind for e in ENDPOINTS for kind in (e.answer, e.body) if kind} | {protocol.Refused}
    kinds |= {protocol.ServerMessage, protocol.ReviewMessage}  # type: ignore[arg-type]
    ordered = sorted(kinds, key=str)
    schemas, components = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    found = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Plenilune",
            "version": version,
            "description": "Tables for people, bots and tools. Say who you are (`POST /api/me` with `key: true`), send "
            "the key as `Authorization: Bearer …`, and play.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer"},
                "operator": {"type": "http", "scheme": "bearer", "description": "`plenilune admin key NAME` makes one"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "plenilune"},
            },
        },
    }


def _operation(endpoint: Endpoint, schemas: dict[Any, Any]) -> dict[str, Any]:
    in_path = re.findall(r"{(\w+)}", endpoint.path)
    parameters = [_parameter(name, "path") for name in in_path] + [_parameter(name, "query") for name in endpoint.query]
    refused = {"application/json": {"schema": schemas[protocol.Refused]}}
    responses: dict[str, Any] = {str(endpoint.status): {"description": "done", "content": _content(endpoint, schemas)}}
    for status in sorted({400, 404, 405, *STATUS.values()}):
        responses[str(status)] = {"description": "refused", "content": refused}
    operation: dict[str, Any] = {"summary": endpoint.summary, "parameters": parameters, "responses": responses}
    if endpoint.body:
        content = {"application/json": {"schema": schemas[endpoint.body]}}
        operation["requestBody"] = {"required": True, "content": content}
    if endpoint.guest:
        operation["security"] = [{"key": []}, {"cookie": []}]
    if endpoint.operator:
        operation["security"] = [{"operator": []}]
    return operation


def _content(endpoint: Endpoint, schemas: dict[Any, Any]) -> dict[str, Any]:
    if endpoint.answer:
        return {endpoint.media: {"schema": schemas[endpoint.answer]}}
    if endpoint.media != protocol.NDJSON:
        return {endpoint.media: {"schema": {"type": "string"}}}
    lines = protocol.ReviewMessage if endpoint.path.endswith("/review") else protocol.ServerMessage
    return {endpoint.media: {"schema": {"type": "string", "description": "one a line"}, "x-line": schemas[lines]}}


def _parameter(name: str, where: str) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": PARAMETERS[name]}
