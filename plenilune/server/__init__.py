"""The server: tables that are live, lose nothing and leak nothing (docs/server.md)."""
