"""The database's tables, for both SQLite and PostgreSQL. Older databases are brought up to them by `migrations`."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
facts = sa.Table(
    "facts",  # about the database itself
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"),  # last active, to the hour
    sa.Column("network", sa.Text, nullable=False, server_default=""),  # keyed digest of their address
    sa.Column("revoked", sa.BigInteger, nullable=False, server_default="0"),  # when they last lost a credential
    sa.Index("people_seen", "seen"),
    sa.Index("people_revoked", "revoked"),
)
credentials = sa.Table(
    "credentials",  # digests only: reading the database is not enough to act for anybody
    metadata,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False, server_default=""),  # cookie, key; nothing: an older release did not say
    sa.Column("id", sa.Text, nullable=False, server_default=""),  # names an API key; nothing for a cookie
    sa.Column("label", sa.Text, nullable=False, server_default=""),
    sa.Column("created", sa.BigInteger, nullable=False, server_default="0"),  # 0: by 0.1
    sa.Column("used", sa.BigInteger, nullable=False, server_default="0"),  # to the hour
    sa.Index("credentials_person", "person"),
)
matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),  # goes up with every change of the row, its seats or its actions
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("components", sa.Text, nullable=False),
    sa.Column("layout", sa.Text, nullable=False),  # digest of the state record's fields
    sa.Column("options", sa.Text, nullable=False),  # JSON, like everything that is only read as a whole
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("nonces", sa.Text, nullable=False, server_default="[]"),  # what players contributed to the dice
    sa.Column("ticket", sa.Text),  # of the offer that committed to the seed
    sa.Column("status", sa.Text, nullable=False),  # waiting, playing, over
    sa.Column("state", sa.LargeBinary),  # at `ply`
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("to_play", sa.Integer, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),  # the ply at which the turn began
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("network", sa.Text, nullable=False, server_default=""),  # keyed digest of the host's address
    sa.Column("seating", sa.Text, nullable=False, server_default="as_listed"),  # as_listed, host_first, random
    sa.Column("clock", sa.Text, nullable=False),
    sa.Column("left", sa.Text, nullable=False),  # milliseconds in each seat's bank
    sa.Column("since", sa.BigInteger),  # when a person's clock began to run in this turn
    sa.Column("deadline", sa.BigInteger),  # when it runs out
    sa.Column("bot_turn", sa.Boolean, nullable=False),
    sa.Column("claimed", sa.BigInteger, nullable=False),  # until then a process thinks for the bot
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("spectators", sa.Boolean, nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False),
    sa.Column("chat", sa.Boolean, nullable=False),
    sa.Column("stand_in", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("result", sa.Text),
    sa.Column("brief", sa.Boolean, nullable=False, server_default=sa.false()),  # given up before much was played
    sa.Column("score", sa.Integer),  # of a match played alone to its end
    sa.Column("daily", sa.Text),  # the day
    sa.Column("daily_of", sa.Text),  # whose attempt: nobody gets a day's deal twice
    sa.Column("unranked", sa.Text),  # why an attempt is not ranked, as far as that is known when it begins
    sa.Column("script", sa.Text),  # digest of a finished attempt's actions, to detect repetitions
    sa.Column("follows", sa.Text, unique=True),  # the match this is the rematch of
    sa.Column("rematch", sa.Text),  # and the one that follows this
    sa.UniqueConstraint("game", "daily", "daily_of"),
    sa.Index("matches_due", "status", "deadline"),
    sa.Index("matches_bot", "status", "bot_turn", "claimed"),
    sa.Index("matches_lobby", "public", "status", "changed"),
    sa.Index("matches_host", "host", "status"),
    sa.Index("matches_network", "network", "created"),
    sa.Index("matches_ticket", "ticket", unique=True),
    sa.Index("matches_script", "game", "daily", "script"),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("held_by", sa.Text, nullable=False),  # person, bot, friend, open
    sa.Column("person", sa.Text),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("bot", sa.Text),
    sa.Column("absent", sa.Boolean, nullable=False),
    sa.Column("resigned", sa.Boolean, nullable=False),
    sa.Column("secret", sa.Text),  # the invitation's digest
    sa.Column("reserved", sa.Text),  # the person for whom a free seat is held
    sa.Column("opens", sa.Boolean, nullable=False, server_default=sa.false()),  # anybody may take it when it is free
    sa.Column("present", sa.BigInteger, nullable=False),  # connected, to some process, until then
    sa.Index("seats_person", "person"),
    sa.Index("seats_reserved", "reserved"),
)
actions = sa.Table(
    "actions",
    metadata,
    sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("actor", sa.Integer, nullable=False),
    sa.Column("by", sa.Text, nullable=False),  # person, bot, stand-in, chance
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("known", sa.Text, nullable=False),  # how many words each viewer may read, from the spectator on
    sa.Column("request", sa.Text),  # the id of a person's request, on its first action
    sa.Column("last", sa.Integer, nullable=False),  # the ply after the whole request
    sa.Column("hash", sa.Text, nullable=False),  # of what that person saw then; only beside `request`
    sa.UniqueConstraint("match", "request"),
)
chat = sa.Table(
    "chat",
    metadata,
    sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("phrase", sa.Text),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("deleted", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("chat_person", "person"),
)
reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("remarks", sa.Text, nullable=False),
)
operators = sa.Table(
    "operators",
    metadata,
    sa.Column("digest", sa.Text, primary_key=True),  # of the key
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
bans = sa.Table(
    "bans",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("person", sa.Text),  # either a person's public id
    sa.Column("network", sa.Text),  # or an address, as `limits.network` writes it
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger),  # None: for good
)
reports = sa.Table(
    "reports",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("match", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),  # of the chat line
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),  # a copy, since the line may be deleted
    sa.Column("person", sa.Text, nullable=False),  # who reports it
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("closed", sa.BigInteger),
    sa.UniqueConstraint("match", "number", "person"),
)
audit = sa.Table(
    "audit",  # what operators did
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("operator", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Index("audit_at", "at"),
)
