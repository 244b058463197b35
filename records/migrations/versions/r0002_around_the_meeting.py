"""What happens around a meeting: its agenda's changes, the conversation, who may, notices, schedules, search."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

SEARCH_IN_SQLITE = (
    "CREATE VIRTUAL TABLE search_index USING fts5(text, content='search_rows', content_rowid='id', "
    "tokenize='porter unicode61 remove_diacritics 2')",
    "CREATE TRIGGER search_rows_added AFTER INSERT ON search_rows BEGIN "
    "INSERT INTO search_index(rowid, text) VALUES (new.id, new.text); END",
    "CREATE TRIGGER search_rows_removed AFTER DELETE ON search_rows BEGIN "
    "INSERT INTO search_index(search_index, rowid, text) VALUES('delete', old.id, old.text); END",
    "CREATE TRIGGER search_rows_changed AFTER UPDATE ON search_rows BEGIN "
    "INSERT INTO search_index(search_index, rowid, text) VALUES('delete', old.id, old.text); "
    "INSERT INTO search_index(rowid, text) VALUES (new.id, new.text); END",
)
SEARCH_IN_POSTGRESQL = (
    "ALTER TABLE search_rows ADD COLUMN words tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED",
    "CREATE INDEX ix_search_rows_words ON search_rows USING gin (words)",
)


def _meeting(nullable: bool = False, ondelete: str = "CASCADE") -> sa.Column:
    return sa.Column("meeting_id", sa.String(), sa.ForeignKey("meetings.id", ondelete=ondelete), nullable=nullable)


def _moment(name: str, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    op.add_column("meetings", sa.Column("owner", sa.String(), server_default="shareholder", nullable=False))
    op.add_column("meetings", sa.Column("agenda_version", sa.Integer(), server_default="0", nullable=False))
    op.add_column("meetings", sa.Column("schedule_id", sa.String(), nullable=True))
    op.add_column("meetings", _moment("planned_for", nullable=True))
    op.add_column("meetings", _moment("review_deadline", nullable=True))
    op.create_table(
        "agenda_changes",
        _meeting(),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=True),
        sa.Column("operations", sa.JSON(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        _moment("at"),
        sa.PrimaryKeyConstraint("meeting_id", "version"),
    )
    op.create_table(
        "agenda_notes",
        sa.Column("id", sa.String(), primary_key=True),
        _meeting(),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        _moment("at"),
    )
    op.create_index("ix_agenda_notes_meeting", "agenda_notes", ["meeting_id"])
    op.create_table(
        "conversation",
        sa.Column("id", sa.String(), primary_key=True),
        _meeting(),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        _moment("timestamp"),
        sa.Column("agenda_action", sa.JSON(), nullable=True),
        sa.UniqueConstraint("meeting_id", "n"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False, unique=True),
        _moment("created_at"),
        _moment("expires_at", nullable=True),
        _moment("revoked_at", nullable=True),
        _moment("last_used_at", nullable=True),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(), primary_key=True),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("csrf_hash", sa.String(), nullable=False),
        _moment("created_at"),
        _moment("expires_at"),
        _moment("revoked_at", nullable=True),
    )
    op.create_table(
        "tickets",
        sa.Column("hash", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        _meeting(nullable=True),
        sa.Column("credential", sa.String(), nullable=True),
        _moment("created_at"),
        _moment("expires_at"),
        _moment("used_at", nullable=True),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        _meeting(nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("ref", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("lease_owner", sa.String(), nullable=True),
        _moment("lease_until", nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("possibly_repeated", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("trouble", sa.Text(), server_default="", nullable=False),
        _moment("created_at"),
        _moment("sent_at", nullable=True),
        sa.PrimaryKeyConstraint("id", "channel"),
    )
    op.create_index("ix_notices_meeting", "notices", ["meeting_id"])
    op.create_table(
        "convenings",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("schedule_id", sa.String(), nullable=False),
        _moment("planned_for"),
        _meeting(nullable=True, ondelete="SET NULL"),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("why", sa.Text(), server_default="", nullable=False),
        _moment("started_at"),
        _moment("ended_at", nullable=True),
    )
    op.create_index("ix_convenings_schedule", "convenings", ["schedule_id", "planned_for"])
    op.create_table(
        "search_rows",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        _meeting(),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("ref", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.UniqueConstraint("meeting_id", "kind", "ref"),
    )
    bind = op.get_bind()
    for statement in SEARCH_IN_SQLITE if bind.dialect.name == "sqlite" else SEARCH_IN_POSTGRESQL:
        bind.exec_driver_sql(statement)
