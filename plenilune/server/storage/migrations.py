"""Databases of older releases are brought up to the current schema; an empty one is created from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa

from plenilune.core.errors import BadSetting
from plenilune.server.clock import now
from plenilune.server.storage.schema import facts, metadata

if TYPE_CHECKING:
    from plenilune.server.storage.database import Connection

# One step for each version of the schema. Missing tables are created first, so a step only alters existing ones.
MIGRATIONS: Sequence[Sequence[str]] = (
    (  # 0.2: dice from nonces, reserved seats, who starts, moderation, retention
        "ALTER TABLE people ADD COLUMN seen BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE people ADD COLUMN network TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE people ADD COLUMN revoked BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX people_seen ON people (seen)",
        "CREATE INDEX people_revoked ON people (revoked)",
        "ALTER TABLE credentials ADD COLUMN id TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE credentials ADD COLUMN label TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE credentials ADD COLUMN created BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE credentials ADD COLUMN used BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX credentials_person ON credentials (person)",
        "ALTER TABLE matches ADD COLUMN nonces TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE matches ADD COLUMN ticket TEXT",
        "ALTER TABLE matches ADD COLUMN network TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE matches ADD COLUMN seating TEXT NOT NULL DEFAULT 'as_listed'",
        "ALTER TABLE matches ADD COLUMN unranked TEXT",
        "ALTER TABLE matches ADD COLUMN script TEXT",
        "CREATE INDEX matches_host ON matches (host, status)",
        "CREATE UNIQUE INDEX matches_ticket ON matches (ticket)",
        "CREATE INDEX matches_script ON matches (game, daily, script)",
        "ALTER TABLE seats ADD COLUMN reserved TEXT",
        "CREATE INDEX seats_reserved ON seats (reserved)",
        "ALTER TABLE seats ADD COLUMN opens BOOLEAN NOT NULL DEFAULT false",
        "ALTER TABLE chat ADD COLUMN deleted BOOLEAN NOT NULL DEFAULT false",
        "CREATE INDEX chat_person ON chat (person)",
        # Guests of older releases have not been seen since they came; count from the upgrade (see `store.py`).
        "UPDATE people SET seen = CAST((SELECT value FROM facts WHERE name = 'upgraded') AS BIGINT)",
        "UPDATE seats SET opens = true WHERE held_by = 'open'",
        # 0.1 did not say which credentials are API keys. A person with several has keys, and perhaps a cookie: all can
        # be revoked one by one, except the cookie by itself (see `people.py`).
        "UPDATE credentials SET id = substr(digest, 1, 16), label = '0.1' "
        "WHERE person IN (SELECT person FROM credentials GROUP BY person HAVING count(*) > 1)",
    ),
    (  # 0.2: keys are told from cookies, and matches that were given up from those that were played
        "ALTER TABLE credentials ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
        # Any other may be a cookie or a key; it is a key once a program uses it as one (see `people.py`).
        "UPDATE credentials SET kind = 'key' WHERE id <> '' AND created <> 0",
        "ALTER TABLE matches ADD COLUMN brief BOOLEAN NOT NULL DEFAULT false",
        "UPDATE matches SET brief = true WHERE status = 'over' AND state IS NOT NULL "
        "AND (result IS NULL OR result LIKE '%\"resigned\"\\:true%') "
        "AND (SELECT count(*) FROM actions WHERE actions.match = matches.id AND actions.\"by\" = 'person') < 10",
        "CREATE INDEX matches_network ON matches (network, created)",
    ),
)
LATEST = len(MIGRATIONS) + 1  # the current version of the schema


async def migrate(connection: Connection, shown: str) -> None:
    """Inside a transaction of its own; `shown`: what the database is called in a refusal."""
    version = await _version(connection)
    await connection.run_sync(metadata.create_all)  # creates missing tables
    if version is None:
        await connection.execute(facts.insert().values(name="schema", value=str(LATEST)))
    elif version > LATEST:
        raise BadSetting(
            f"the database {shown} was made by a newer release (schema {version}, this one knows {LATEST})"
        )
    elif version < LATEST:
        await _upgrade(connection, version)


async def _version(connection: Connection) -> int | None:
    """The schema's; None for an empty database."""
    if not await connection.run_sync(lambda c: sa.inspect(c).has_table("facts")):
        return None
    found = await connection.execute(sa.select(facts.c.value).where(facts.c.name == "schema"))
    return int(found.scalar_one())


async def _upgrade(connection: Connection, version: int) -> None:
    if version == 1:  # see `People._look_up`: cookies of 0.1 are good for a while
        await connection.execute(facts.delete().where(facts.c.name == "upgraded"))
        await connection.execute(facts.insert().values(name="upgraded", value=str(now())))
    for statement in (statement for step in MIGRATIONS[version - 1 :] for statement in step):
        await connection.execute(sa.text(statement))
    await connection.execute(facts.update().where(facts.c.name == "schema").values(value=str(LATEST)))
