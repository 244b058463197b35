"""A CSV file of action items, guarded against formulas (SERVICE_SECURITY 22). `done` is taken back; other columns are kept."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from activities.tasks.values import SinkError, TaskItem
from parliament.text import one_line

COLUMNS = ("id", "task", "owner", "due", "deadline", "topic", "resolution", "done")
DONE = frozenset(("x", "yes", "true", "1", "done"))
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def guarded(text: str) -> str:
    """The text so that no spreadsheet takes it for a formula."""
    text = one_line(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def merged(text: str, items: Sequence[TaskItem]) -> str:
    """The table with these items in it; what a person wrote into other columns, and other rows, is kept."""
    columns, rows = _read(text)
    at = {row.get("id"): row for row in rows}
    for item in items:
        row = at.get(item.id)
        if row is None:
            row = {}
            rows.append(row)
        row |= {
            "id": item.id,
            "task": guarded(item.task),
            "owner": guarded(item.owner),
            "due": item.due.isoformat() if item.due else "",
            "deadline": guarded(item.deadline or ""),
            "topic": guarded(item.topic),
            "resolution": item.resolution_id or "",
            "done": "yes" if item.done else "",
        }
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def completed(text: str) -> frozenset[str]:
    _, rows = _read(text)
    return frozenset(row["id"] for row in rows if row.get("id") and (row.get("done") or "").strip().lower() in DONE)


def _read(text: str) -> tuple[list[str], list[dict[str, str]]]:
    try:
        reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
        found = [{key: value or "" for key, value in row.items() if isinstance(key, str)} for row in reader]
        columns = [name for name in reader.fieldnames or () if name]
    except csv.Error:
        raise SinkError(
            "The CSV file of BOARDROOM_TASKS_FILE is broken: mend it, or choose another.", retryable=False
        ) from None
    return [*columns, *(name for name in COLUMNS if name not in columns)], found
