"""A CSV file of action items, guarded against formulas (SERVICE_SECURITY 22). `done` is taken back; all else is kept."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from activities.tasks.values import SinkError, TaskItem
from parliament.text import shown_directions

COLUMNS = ("id", "task", "owner", "due", "deadline", "topic", "resolution", "done")
DONE = frozenset(("x", "yes", "true", "1", "done"))
_FORMULA = r"[=+\-@|%\uff1d\uff0b\uff0d\uff20]"
_FIRST = re.compile(rf"\s*{_FORMULA}")
_LATER = re.compile(rf"([,;]\s*)(?={_FORMULA})")


def guarded(text: str) -> str:
    """The text so that no spreadsheet takes it for a formula, nor what is a cell of its own where cells are parted otherwise.

    What begins with a tab or a carriage return is guarded by these being gone.
    """
    text = _LATER.sub(r"\1'", shown_directions(text))
    return f"'{text}" if _FIRST.match(text) else text


def merged(text: str, items: Sequence[TaskItem]) -> str:
    """The table with these items in it. A row that is there keeps its cells; only `done` is brought up to date."""
    table = _read(text)
    at = {_cell(row, table, "id"): row for row in table.rows}
    changed = False
    for item in items:
        row = at.get(item.id)
        if row is None:
            table.rows.append(row := [])
            at[item.id] = row
            for name, cell in _cells(item).items():
                _put(row, table.column[name], cell)
        elif _done(row, table) != item.done:
            _put(row, table.column["done"], "yes" if item.done else "")
        else:
            continue
        changed = True
    return table.text() if changed else text


def completed(text: str) -> frozenset[str]:
    """Ids of the items in whose column `done` somebody wrote that they are."""
    table = _read(text)
    return frozenset(id for row in table.rows if _done(row, table) and (id := _cell(row, table, "id")))


def _cells(item: TaskItem) -> dict[str, str]:
    return {
        "id": item.id,
        "task": guarded(item.task),
        "owner": guarded(item.called),
        "due": item.due.isoformat() if item.due else "",
        "deadline": guarded(item.deadline or ""),
        "topic": guarded(item.topic),
        "resolution": item.resolution_id or "",
        "done": "yes" if item.done else "",
    }


@dataclass(slots=True)
class _Table:
    """A table as it stands, and the place of each column of ours (those that were missing come last)."""

    names: list[str]
    rows: list[list[str]]
    column: dict[str, int]
    mark: str
    parted_by: str
    ending: str

    def text(self) -> str:
        out = io.StringIO()
        out.write(self.mark)
        csv.writer(out, delimiter=self.parted_by, lineterminator=self.ending).writerows([self.names, *self.rows])
        return out.getvalue()


def _read(text: str) -> _Table:
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    first = body.partition("\n")[0]
    parted_by = max(",;\t", key=first.count)  # spreadsheets write what is usual in their country
    try:
        rows = list(csv.reader(io.StringIO(body, newline=""), delimiter=parted_by, strict=True))
    except csv.Error:
        raise SinkError(
            "The CSV file of BOARDROOM_TASKS_FILE is broken: mend it, or choose another.", retryable=False
        ) from None
    names = rows[0] if rows else []
    column = {name.strip().lower(): n for n, name in reversed(list(enumerate(names)))}
    for name in COLUMNS:
        if name not in column:
            # Not beside the last name, where a row may be longer than the names are.
            column[name] = max([len(names), *map(len, rows)])
            names = [*names, *[""] * (column[name] - len(names)), name]
    return _Table(names, rows[1:], column, mark, parted_by, "\n" if first and not first.endswith("\r") else "\r\n")


def _cell(row: list[str], table: _Table, name: str) -> str:
    at = table.column[name]
    return row[at].strip() if len(row) > at else ""


def _done(row: list[str], table: _Table) -> bool:
    return _cell(row, table, "done").lower() in DONE


def _put(row: list[str], at: int, cell: str) -> None:
    row += [""] * (at + 1 - len(row))
    row[at] = cell
