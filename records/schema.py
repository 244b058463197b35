"""The tables. Dialect-neutral; times are timezone-aware UTC. Alembic's first revision makes what stands here."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

metadata = MetaData()


class Moment(TypeDecorator[datetime]):
    """A point in time: UTC in the store, aware in Python, on both dialects (SQLite keeps no zone of its own)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be recorded")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def storable(text: str) -> str:
    """The text as either store can keep it: without NUL and halves of characters, which a voice's reply may hold.

    A reply that was paid for is not lost for the sake of a character (law 5). NUL is shown as its picture, two halves that
    belong together become one character, a lone half U+FFFD, as in `parliament.text.printable`.
    """
    text = text.replace("\0", "\u2400")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class Words(TypeDecorator[str]):
    """Text of any length, made `storable`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return storable(value) if value is not None else None


def _meeting() -> Column[Any]:
    return Column("meeting_id", String, ForeignKey("meetings.id", ondelete="CASCADE"), nullable=False)


meta = Table("meta", metadata, Column("key", String, primary_key=True), Column("value", String, nullable=False))

meetings = Table(
    "meetings",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("status", String, nullable=False, index=True),
    Column("phase", String),
    Column("item_index", Integer, nullable=False, server_default="0"),
    Column("quorum", Integer, nullable=False),
    Column("chair", String, nullable=False),
    Column("chair_named", String, nullable=False),
    Column("zone", String, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("simulated", Boolean, nullable=False),
    Column("provider", String, nullable=False),
    Column("config", JSON, nullable=False),
    Column("attendees", JSON, nullable=False),
    Column("standing_items", JSON, nullable=False),
    Column("agenda_status", String, nullable=False, server_default="approved"),
    Column("user_feedback", Words, nullable=False, server_default=""),
    Column("revision_requested", Boolean, nullable=False, server_default="0"),
    Column("board_book", Words, nullable=False, server_default=""),
    Column("scheduled_start", Moment),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("completed_at", Moment),
    Column("ended_by", String),
    Column("error", Words),
    Column("owner", String, nullable=False, server_default="shareholder"),
    Column("agenda_version", Integer, nullable=False, server_default="0"),
    Column("schedule_id", String),
    Column("planned_for", Moment),
    Column("review_deadline", Moment),
    Column("imported", JSON(none_as_null=True)),  # of files that were brought along: what the tables have no place for
)

agenda_items = Table(
    "agenda_items",
    metadata,
    _meeting(),
    Column("id", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("topic", Words, nullable=False),
    Column("type", String, nullable=False),
    Column("time_minutes", Integer, nullable=False),
    Column("description", Words, nullable=False, server_default=""),
    Column("desired_outcome", Words, nullable=False, server_default=""),
    Column("user_commentary", Words, nullable=False, server_default=""),
    Column("status", String, nullable=False, server_default="pending"),
    Column("why", Words, nullable=False, server_default=""),
    Column("active_seconds", Float),
    PrimaryKeyConstraint("meeting_id", "id"),
)

agent_sessions = Table(
    "agent_sessions",
    metadata,
    _meeting(),
    Column("member_id", String, nullable=False),
    Column("session_id", String, nullable=False),
    Column("prompt_hash", String, nullable=False),
    Column("started_at", Moment, nullable=False),
    PrimaryKeyConstraint("meeting_id", "member_id"),
)

attendance = Table(
    "attendance",
    metadata,
    _meeting(),
    Column("member_id", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("status", String, nullable=False),
    Column("seq", Integer),
    PrimaryKeyConstraint("meeting_id", "member_id", "round"),
)

turns = Table(
    "turns",
    metadata,
    _meeting(),
    Column("seq", Integer, nullable=False),
    Column("id", String, nullable=False),
    Column("item_id", String),
    Column("phase", String, nullable=False),
    Column("purpose", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("member_id", String, nullable=False),
    Column("name", String, nullable=False),
    Column("text", Words, nullable=False),
    Column("status", String, nullable=False),
    Column("reading", String, nullable=False),
    Column("data", JSON, nullable=False),
    Column("at", Moment, nullable=False),
    PrimaryKeyConstraint("meeting_id", "seq"),
    UniqueConstraint("meeting_id", "id"),
)

whispers = Table(
    "whispers",
    metadata,
    _meeting(),
    Column("seq", Integer, nullable=False),
    Column("member_id", String, nullable=False),
    Column("text", Words, nullable=False),
    PrimaryKeyConstraint("meeting_id", "seq"),
)

motions = Table(
    "motions",
    metadata,
    Column("id", String, primary_key=True),
    _meeting(),
    Column("item_id", String),
    Column("kind", String, nullable=False),
    Column("text", Words, nullable=False),
    Column("original_text", Words),
    Column("mover", String, nullable=False),
    Column("seconder", String),
    Column("status", String, nullable=False),
    Column("by_consent", Boolean, nullable=False, server_default="0"),
    Column("dissenter", String),
    Column("created_at", Moment, nullable=False),
    Column("closed_at", Moment),
    Index("ix_motions_meeting", "meeting_id"),
)

amendments = Table(
    "amendments",
    metadata,
    Column("id", String, primary_key=True),
    _meeting(),
    Column("motion_id", String, nullable=False),
    Column("target_id", String, nullable=False),
    Column("degree", Integer, nullable=False),
    Column("mover", String, nullable=False),
    Column("seconder", String),
    Column("text", Words, nullable=False),
    Column("summary", Words, nullable=False),
    Column("status", String, nullable=False),
    Column("by_consent", Boolean, nullable=False, server_default="0"),
    Column("created_at", Moment, nullable=False),
    Column("closed_at", Moment),
    Index("ix_amendments_meeting", "meeting_id"),
)

votes = Table(
    "votes",
    metadata,
    Column("question_id", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("member_id", String, nullable=False),
    _meeting(),
    Column("choice", String, nullable=False),
    Column("reason", Words, nullable=False, server_default=""),
    Column("raw", Words, nullable=False, server_default=""),
    Column("reading", String, nullable=False),
    Column("seq", Integer),
    PrimaryKeyConstraint("question_id", "round", "member_id"),
    Index("ix_votes_meeting", "meeting_id"),
)

ballots = Table(
    "ballots",
    metadata,
    Column("question_id", String, nullable=False),
    Column("round", Integer, nullable=False),
    _meeting(),
    Column("threshold", String, nullable=False),
    Column("roll", JSON, nullable=False),
    Column("tally", JSON, nullable=False),
    Column("outcome", String),
    Column("present", Integer, nullable=False),
    Column("closed_at", Moment, nullable=False),
    PrimaryKeyConstraint("question_id", "round"),
    Index("ix_ballots_meeting", "meeting_id"),
)

dissents = Table(
    "dissents",
    metadata,
    Column("question_id", String, nullable=False),
    Column("member_id", String, nullable=False),
    Column("round", Integer, nullable=False),
    _meeting(),
    Column("statement", Words, nullable=False),
    Column("recorded_at", Moment, nullable=False),
    PrimaryKeyConstraint("question_id", "member_id", "round"),
    Index("ix_dissents_meeting", "meeting_id"),
)

rulings = Table(
    "rulings",
    metadata,
    _meeting(),
    Column("seq", Integer, nullable=False),
    Column("n", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("member_id", String, nullable=False),
    Column("item_id", String),
    Column("text", Words, nullable=False),
    Column("result", Words, nullable=False),
    Column("reason", Words, nullable=False),
    Column("rule", Words, nullable=False),
    PrimaryKeyConstraint("meeting_id", "seq", "n", "kind"),
)

user_inputs = Table(
    "user_inputs",
    metadata,
    Column("id", String, primary_key=True),
    _meeting(),
    Column("text", Words, nullable=False),
    Column("received_at", Moment, nullable=False),
    Column("taken_up_seq", Integer),
    Index("ix_user_inputs_meeting", "meeting_id"),
)

resolutions = Table(
    "resolutions",
    metadata,
    Column("id", String, primary_key=True),
    _meeting(),
    Column("item_id", String, nullable=False),
    Column("motion_id", String, nullable=False),
    Column("topic", Words, nullable=False),
    Column("user_response", JSON(none_as_null=True)),
    Column("created_at", Moment, nullable=False),
    Column("superseded_by", String),  # the later resolution that took its place
    Index("ix_resolutions_meeting", "meeting_id"),
)

resolution_changes = Table(
    "resolution_changes",
    metadata,
    Column("id", String, primary_key=True),  # resolution, kind and which: the same change is written once
    _meeting(),
    Column("resolution_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("origin", String, nullable=False),
    Column("note", Words, nullable=False, server_default=""),
    Column("until", String),  # ISO date until which it is deferred
    Column("at", Moment, nullable=False),
    Index("ix_resolution_changes_meeting", "meeting_id"),
    Index("ix_resolution_changes_resolution", "resolution_id", "at"),
)

action_items = Table(
    "action_items",
    metadata,
    Column("id", String, primary_key=True),
    Column("meeting_id", String, ForeignKey("meetings.id", ondelete="CASCADE")),  # none: the person's own
    Column("person", String, nullable=False, server_default="shareholder"),  # whose ledger it stands in
    Column("item_id", String),
    Column("resolution_id", String),
    Column("task", Words, nullable=False),
    Column("owner", String, nullable=False),
    Column("deadline", String),
    Column("status", String, nullable=False),
    Column("origin", String, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("due", String),  # ISO date, as the deadline's words were read against the meeting's date
    Column("reading", String, nullable=False, server_default=""),  # how they were read; "": not looked at yet
    Column("position", Integer, nullable=False, server_default="0"),  # the place in which it was spoken
    Column("done_at", Moment),
    Index("ix_action_items_meeting", "meeting_id"),
    Index("ix_action_items_person", "person", "status"),
)

action_changes = Table(
    "action_changes",
    metadata,
    Column("id", String, primary_key=True),
    Column("action_id", String, ForeignKey("action_items.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String, nullable=False),
    Column("origin", String, nullable=False),
    Column("note", Words, nullable=False, server_default=""),
    Column("at", Moment, nullable=False),
    Index("ix_action_changes_action", "action_id", "at"),
)

task_pushes = Table(
    "task_pushes",
    metadata,
    Column("action_id", String, ForeignKey("action_items.id", ondelete="CASCADE"), nullable=False),
    Column("sink", String, nullable=False),
    Column("content", String, nullable=False),  # hash of what was pushed: pushed anew when it changed
    Column("pushed_at", Moment, nullable=False),
    PrimaryKeyConstraint("action_id", "sink"),
)

summaries = Table(
    "summaries",
    metadata,
    _meeting(),
    Column("version", Integer, nullable=False),
    Column("source", String, nullable=False),  # "model", or "record" where it was put together by code
    Column("content", JSON, nullable=False),
    Column("problems", JSON, nullable=False),  # why a model's summary was not taken, a sentence each
    Column("at", Moment, nullable=False),
    PrimaryKeyConstraint("meeting_id", "version"),
)

summary_feedback = Table(
    "summary_feedback",
    metadata,
    Column("id", String, primary_key=True),
    _meeting(),
    Column("version", Integer, nullable=False),  # of the summary that it speaks of
    Column("text", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_summary_feedback_meeting", "meeting_id"),
)

reviews = Table(
    "reviews",
    metadata,
    _meeting(),
    Column("source", String, nullable=False),
    Column("content", JSON, nullable=False),
    Column("at", Moment, nullable=False),
    PrimaryKeyConstraint("meeting_id"),
)

review_sessions = Table(
    "review_sessions",
    metadata,
    _meeting(),
    Column("session_id", String, nullable=False),
    Column("day", String, nullable=False),  # in the board's zone; the session's number counts by it
    Column("n", Integer, nullable=False),
    Column("track", String),
    Column("folder", Text),  # where its files go
    Column("rounds", Integer, nullable=False),
    Column("earlier", String),  # session id of the track's review before
    Column("skipped", JSON, nullable=False),  # rounds in which nothing was open
    Column("outcome", String),
    Column("with_review", Boolean),
    Column("resolved_at", Moment),
    Column("decision", String),  # a person's, of what was escalated
    Column("because", Words),
    Column("decision_key", String),
    Column("decided_at", Moment),
    PrimaryKeyConstraint("meeting_id"),
    UniqueConstraint("session_id"),
    Index("ix_review_sessions_track", "track"),
)

review_documents = Table(
    "review_documents",
    metadata,
    _meeting(),
    Column("n", Integer, nullable=False),
    Column("name", Words, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("sha256", String, nullable=False),
    Column("text", Words, nullable=False),
    PrimaryKeyConstraint("meeting_id", "n"),
)

calls = Table(
    "calls",
    metadata,
    Column("id", String, primary_key=True),
    _meeting(),
    Column("member_id", String, nullable=False),
    Column("purpose", String, nullable=False),
    Column("state", String, nullable=False),
    Column("lease_owner", String),
    Column("lease_until", Moment),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("reply", Words),
    Column("provider", String),
    Column("model", String),
    Column("stop_reason", String),
    Column("input_tokens", Integer),
    Column("output_tokens", Integer),
    Column("cache_read_tokens", Integer),
    Column("cache_write_tokens", Integer),
    Column("cost_microusd", BigInteger),
    Column("latency_ms", Integer),
    Column("last_trouble", String),
    Column("retry_at", Moment),
    Column("created_at", Moment, nullable=False),
    Column("done_at", Moment),
    Index("ix_calls_meeting", "meeting_id"),
)

agenda_changes = Table(
    "agenda_changes",
    metadata,
    _meeting(),
    Column("version", Integer, nullable=False),  # the agenda's version after the change
    Column("origin", String, nullable=False),
    Column("source_id", String),  # the message or note that asked for it
    Column("operations", JSON, nullable=False),
    Column("lines", JSON, nullable=False),
    Column("before", JSON, nullable=False),
    Column("after", JSON, nullable=False),
    Column("at", Moment, nullable=False),
    PrimaryKeyConstraint("meeting_id", "version"),
)

agenda_notes = Table(
    "agenda_notes",
    metadata,
    Column("id", String, primary_key=True),
    _meeting(),
    Column("kind", String, nullable=False),
    Column("item_id", String),
    Column("text", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_agenda_notes_meeting", "meeting_id"),
)

conversation = Table(
    "conversation",
    metadata,
    Column("id", String, primary_key=True),
    _meeting(),
    Column("n", Integer, nullable=False),
    Column("role", String, nullable=False),
    Column("content", Words, nullable=False),
    Column("timestamp", Moment, nullable=False),
    Column("agenda_action", JSON(none_as_null=True)),
    UniqueConstraint("meeting_id", "n"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("hash", String, nullable=False, unique=True),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment),
    Column("revoked_at", Moment),
    Column("last_used_at", Moment),
)

sessions = Table(
    "sessions",
    metadata,
    Column("hash", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("csrf_hash", String, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("revoked_at", Moment),
)

tickets = Table(
    "tickets",
    metadata,
    Column("hash", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("owner", String, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("meeting_id", String, ForeignKey("meetings.id", ondelete="CASCADE")),
    Column("credential", String),  # the token or session it was asked for with: it is revoked with that one
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("used_at", Moment),
)

notices = Table(
    "notices",
    metadata,
    Column("id", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("meeting_id", String, ForeignKey("meetings.id", ondelete="CASCADE")),
    Column("kind", String, nullable=False),
    Column("ref", String),
    Column("state", String, nullable=False),
    Column("lease_owner", String),
    Column("lease_until", Moment),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("possibly_repeated", Boolean, nullable=False, server_default="0"),
    Column("trouble", Words, nullable=False, server_default=""),
    Column("created_at", Moment, nullable=False),
    Column("sent_at", Moment),
    PrimaryKeyConstraint("id", "channel"),
    Index("ix_notices_meeting", "meeting_id"),
)

convenings = Table(
    "convenings",
    metadata,
    Column("id", String, primary_key=True),  # the convener's workflow id, or what was missed
    Column("schedule_id", String, nullable=False),
    Column("planned_for", Moment, nullable=False),
    Column("meeting_id", String, ForeignKey("meetings.id", ondelete="SET NULL")),
    Column("outcome", String, nullable=False),
    Column("why", Words, nullable=False, server_default=""),
    Column("started_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Index("ix_convenings_schedule", "schedule_id", "planned_for"),
)

search_rows = Table(
    "search_rows",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _meeting(),
    Column("kind", String, nullable=False),
    Column("ref", String, nullable=False),
    Column("text", Words, nullable=False),
    UniqueConstraint("meeting_id", "kind", "ref"),
)
"""What can be found by its words. The index beside it (FTS5, or a generated tsvector) is made by the migrations."""

live_events = Table(
    "live_events",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _meeting(),
    Column("call_id", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("member_id", String, nullable=False),
    Column("seq", Integer),
    Column("kind", String, nullable=False),
    Column("text", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Index("ix_live_events_meeting", "meeting_id", "id"),
    sqlite_autoincrement=True,  # an id is never given again: followers ask for what is newer
)
