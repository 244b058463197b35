"""Proposal reviews: the session, what was handed in, what came of it, and a person's decision."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def _meeting() -> sa.Column:
    return sa.Column("meeting_id", sa.String(), sa.ForeignKey("meetings.id", ondelete="CASCADE"), nullable=False)


def _moment(name: str) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=True)


def upgrade() -> None:
    op.create_table(
        "review_sessions",
        _meeting(),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("track", sa.String(), nullable=True),
        sa.Column("folder", sa.Text(), nullable=True),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("earlier", sa.String(), nullable=True),
        sa.Column("skipped", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("with_review", sa.Boolean(), nullable=True),
        _moment("resolved_at"),
        sa.Column("decision", sa.String(), nullable=True),
        sa.Column("because", sa.Text(), nullable=True),
        sa.Column("decision_key", sa.String(), nullable=True),
        _moment("decided_at"),
        sa.PrimaryKeyConstraint("meeting_id"),
        sa.UniqueConstraint("session_id"),
    )
    op.create_index("ix_review_sessions_track", "review_sessions", ["track"])
    op.create_table(
        "review_documents",
        _meeting(),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("meeting_id", "n"),
    )
