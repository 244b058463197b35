"""What happens after a meeting: resolutions that are followed, the ledger of action items, summaries, reviews, imports."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def _meeting() -> sa.Column:
    return sa.Column("meeting_id", sa.String(), sa.ForeignKey("meetings.id", ondelete="CASCADE"), nullable=False)


def _action() -> sa.Column:
    return sa.Column("action_id", sa.String(), sa.ForeignKey("action_items.id", ondelete="CASCADE"), nullable=False)


def _moment(name: str, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    op.add_column("meetings", sa.Column("imported", sa.JSON(), nullable=True))
    op.add_column("resolutions", sa.Column("superseded_by", sa.String(), nullable=True))
    op.create_table(
        "resolution_changes",
        sa.Column("id", sa.String(), primary_key=True),
        _meeting(),
        sa.Column("resolution_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("until", sa.String(), nullable=True),
        _moment("at"),
    )
    op.create_index("ix_resolution_changes_meeting", "resolution_changes", ["meeting_id"])
    op.create_index("ix_resolution_changes_resolution", "resolution_changes", ["resolution_id", "at"])
    _widen_action_items()
    op.create_table(
        "action_changes",
        sa.Column("id", sa.String(), primary_key=True),
        _action(),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        _moment("at"),
    )
    op.create_index("ix_action_changes_action", "action_changes", ["action_id", "at"])
    op.create_table(
        "task_pushes",
        _action(),
        sa.Column("sink", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        _moment("pushed_at"),
        sa.PrimaryKeyConstraint("action_id", "sink"),
    )
    op.create_table(
        "summaries",
        _meeting(),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("problems", sa.JSON(), nullable=False),
        _moment("at"),
        sa.PrimaryKeyConstraint("meeting_id", "version"),
    )
    op.create_table(
        "summary_feedback",
        sa.Column("id", sa.String(), primary_key=True),
        _meeting(),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        _moment("at"),
    )
    op.create_index("ix_summary_feedback_meeting", "summary_feedback", ["meeting_id"])
    op.create_table(
        "reviews",
        _meeting(),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        _moment("at"),
        sa.PrimaryKeyConstraint("meeting_id"),
    )


def _widen_action_items() -> None:
    """An action item may be the person's own, of no meeting. SQLite cannot loosen a column: its table is built anew."""
    with op.batch_alter_table("action_items") as table:
        table.alter_column("meeting_id", existing_type=sa.String(), nullable=True)
        table.add_column(sa.Column("person", sa.String(), server_default="shareholder", nullable=False))
        table.add_column(sa.Column("due", sa.String(), nullable=True))
        table.add_column(sa.Column("reading", sa.String(), server_default="", nullable=False))
        table.add_column(sa.Column("position", sa.Integer(), server_default="0", nullable=False))
        table.add_column(_moment("done_at", nullable=True))
    op.execute(
        "UPDATE action_items SET person = (SELECT owner FROM meetings WHERE meetings.id = action_items.meeting_id) "
        "WHERE meeting_id IS NOT NULL"
    )
    op.create_index("ix_action_items_person", "action_items", ["person", "status"])
