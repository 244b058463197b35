"""A meeting's rows as JSON and back: what an export carries beside source 000's files so that nothing is lost.

Whispers are not among them (law 7), nor what belongs to this store alone: calls, leases, tokens, notices, search rows.
"""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Column, Float, Integer, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.schema import Moment, storable
from records.writing import add_once

CARRIED: tuple[Table, ...] = (
    schema.meetings,
    schema.agenda_items,
    schema.agenda_changes,
    schema.agenda_notes,
    schema.conversation,
    schema.agent_sessions,
    schema.attendance,
    schema.turns,
    schema.motions,
    schema.amendments,
    schema.votes,
    schema.ballots,
    schema.dissents,
    schema.rulings,
    schema.user_inputs,
    schema.resolutions,
    schema.resolution_changes,
    schema.action_items,
    schema.action_changes,
    schema.summaries,
    schema.summary_feedback,
    schema.reviews,
)
"""In the order in which they can be written."""

STAYS: dict[Table, str] = {
    schema.whispers: "read by `boardroom whispers` alone (law 7)",
    schema.calls: "replies as they came, private reasoning in them (law 7), and what they cost here",
    schema.live_events: "words in passing",
    schema.search_rows: "made anew from what is carried",
    schema.task_pushes: "what other programs have of this store",
    schema.notices: "what was sent from here",
    schema.tickets: "access to this store",
    schema.convenings: "the schedules of this store",
    schema.review_sessions: "a proposal review is written as its own files (`boardroom reviews ID --to DIR`)",
    schema.review_documents: "the team has its proposal",
}
"""Tables that hang on a meeting and are not carried, and why."""

_ID = re.compile(r"[A-Za-z0-9_./-]{1,120}")

Rows = dict[str, list[dict[str, Any]]]
"""Table -> its rows; a column that holds nothing is left out."""


class Unreadable(ValueError):
    """What was brought along cannot be a record; the message says what of it, and repeats none of its texts."""


class Taken(Exception):
    """A row stands in the store already, under another meeting or with another content."""


def _where(table: Table, meeting_id: str) -> Any:
    if table is schema.meetings:
        return table.c.id == meeting_id
    if table is schema.action_changes:
        items = select(schema.action_items.c.id).where(schema.action_items.c.meeting_id == meeting_id)
        return table.c.action_id.in_(items)
    return table.c.meeting_id == meeting_id


async def read(tx: AsyncConnection, meeting_id: str) -> Rows:
    """Everything that is carried of a meeting, in the order of its keys."""
    found: Rows = {}
    for table in CARRIED:
        rows = await tx.execute(select(table).where(_where(table, meeting_id)).order_by(*table.primary_key.columns))
        found[table.name] = [
            {column.name: _json(value) for column, value in zip(table.columns, row, strict=True) if value is not None}
            for row in rows
        ]
    return found


async def write(tx: AsyncConnection, meeting_id: str, rows: Rows) -> None:
    """Write the rows of one meeting that is not in the store. Raises Unreadable and Taken; the transaction is lost then."""
    unknown = sorted(rows.keys() - {table.name for table in CARRIED})
    if unknown:
        raise Unreadable(f"it names a table that this version does not know ({unknown[0][:40]!r})")
    if len(rows.get(schema.meetings.name, ())) != 1:
        raise Unreadable("it does not hold one meeting")
    actions = set()
    for table in CARRIED:
        for row in rows.get(table.name, ()):
            checked = _row(table, row)
            if table is schema.action_changes:
                own = checked.get("action_id") in actions
            else:
                own = checked.get("id" if table is schema.meetings else "meeting_id") == meeting_id
            if not own:
                raise Unreadable(f"a row of {table.name} belongs to something else")
            if table is schema.action_items:
                actions.add(checked.get("id"))
            if not await add_once(tx, table, checked):
                raise Taken(f"{table.name} {_key(table, checked)}")


async def write_row(tx: AsyncConnection, table: Table, given: dict[str, Any]) -> None:
    """Write one row, given as JSON; a column without a value is left out. Raises Unreadable and Taken."""
    checked = _row(table, {name: value for name, value in given.items() if value is not None})
    if not await add_once(tx, table, checked):
        raise Taken(f"{table.name} {_key(table, checked)}")


def moment_json(moment: datetime) -> str:
    """A moment whole, to the microsecond."""
    return moment.astimezone(UTC).isoformat()


def kept_of(note: str | None) -> dict[str, Any] | None:
    """What `keep` wrote into a note; None for none."""
    if note is None:
        return None
    found = json.loads(note)
    return found if isinstance(found, dict) else None


def keep(part: dict[str, Any]) -> str:
    """A leftover as the text of a note: characters that a store cannot keep are escaped in it."""
    return json.dumps(part, sort_keys=True)


def _json(value: Any) -> Any:
    return moment_json(value) if isinstance(value, datetime) else value


def _row(table: Table, given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise Unreadable(f"a row of {table.name} is none")
    row: dict[str, Any] = {}
    for name, value in given.items():
        column = table.columns.get(name)
        if column is None:
            raise Unreadable(f"{table.name} has a column that this version does not know ({name[:40]!r})")
        row[name] = _value(table, column, value)
    return row


def _value(table: Table, column: Column[Any], value: Any) -> Any:
    kind = column.type
    fits: bool
    if isinstance(kind, JSON):
        return value
    if isinstance(kind, Moment):
        return _moment(table, column, value)
    if isinstance(kind, Boolean):
        fits = isinstance(value, bool)
    elif isinstance(kind, Integer):
        bits = 63 if isinstance(kind, BigInteger) else 31
        fits = isinstance(value, int) and not isinstance(value, bool) and -(1 << bits) <= value < 1 << bits
    elif isinstance(kind, Float):
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    else:
        fits = isinstance(value, str) and storable(value) == value
    if not fits:
        raise Unreadable(f"{table.name}.{column.name} holds what it cannot hold")
    return value


def _moment(table: Table, column: Column[Any], value: Any) -> datetime:
    try:
        found = datetime.fromisoformat(value)
        if found.tzinfo is not None:
            return found.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        pass
    raise Unreadable(f"{table.name}.{column.name} is no time with a zone")


def _key(table: Table, row: dict[str, Any]) -> str:
    """The row's key, as far as it is an id and no text of anybody's."""
    parts = [str(row.get(column.name)) for column in table.primary_key]
    return ", ".join(parts) if all(_ID.fullmatch(part) for part in parts) else "(a row)"
