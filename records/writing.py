"""Writing once: every row has an id derived from its place, and writing it again is a no-op (law 4)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sqlalchemy import Column, Executable, Table, UniqueConstraint, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.troubles import RecordConflict


async def add_once(tx: AsyncConnection, table: Table, row: dict[str, Any], *, same: tuple[str, ...] = ()) -> bool:
    """Insert the row unless its primary key is there already. Returns whether it was new.

    `same` names the columns that must then hold what was to be written; another content raises RecordConflict, and so does a
    row that is kept out by something else than its own key (a turn's id that stands at another place).
    """
    result = await tx.execute(_insert(table, tx.dialect.name), row)
    if result.rowcount:
        return True
    if same or any(isinstance(constraint, UniqueConstraint) for constraint in table.constraints):
        key = _key(table, row)
        found = (
            await tx.execute(select(*key, *(table.c[name] for name in same)).where(*(c == row[c.name] for c in key)))
        ).one_or_none()
        if found is None or any(getattr(found, name) != _kept(row[name]) for name in same):
            where = ", ".join(str(row[c.name]) for c in key)
            raise RecordConflict(f"{table.name} {where} stands in the record with another content: nothing is written twice.")
    return False


def _key(table: Table, row: dict[str, Any]) -> list[Column[Any]]:
    """The columns by which the row is found again: its primary key, else the unique ones, where the key is only a number."""
    keys = [list(table.primary_key.columns), *(list(c.columns) for c in table.constraints if isinstance(c, UniqueConstraint))]
    return next(key for key in keys if all(column.name in row for column in key))


@lru_cache(maxsize=128)
def _insert(table: Table, dialect: str) -> Executable:
    """The insert of any row of the table; the row is its parameters. Built once: building costs as much as running."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table).on_conflict_do_nothing()


def _kept(value: Any) -> Any:
    """The value as it is read back."""
    return schema.storable(value) if isinstance(value, str) else value
