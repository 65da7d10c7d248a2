"""The database: its schema, typed rows, and every query by name."""
