"""The server: live tables that lose no acknowledged action and leak no secret (docs/server.md)."""
