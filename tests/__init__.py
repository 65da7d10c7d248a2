"""The tests. A package, not a mere folder: pgx installs one of the same name, which would otherwise be found first."""
