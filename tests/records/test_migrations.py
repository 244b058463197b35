"""A store of an earlier schema is brought up to the present one with everything in it, on both databases."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from sqlalchemy.ext.asyncio import create_async_engine

from records import ledger, migrate
from records.engine import Store, async_url
from tests.support.stores import NOW

BEFORE = "0002"


def at(url: str, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    config.attributes["url"] = async_url(url)
    command.upgrade(config, revision)


MEETING = (
    "INSERT INTO meetings (id, kind, name, status, quorum, chair, chair_named, zone, seed, simulated, provider, config, "
    "attendees, standing_items, created_at, owner) VALUES (:id, 'board', 'Old', 'completed', 2, 'aurelius', 'aurelius', "
    "'UTC', 1, :yes, 'simulated', :config, '[]', '[]', :now, :owner)"
)
ACTION = (
    "INSERT INTO action_items (id, meeting_id, item_id, task, owner, deadline, status, origin, created_at) "
    "VALUES (:id, :meeting, 'agenda-1', :task, 'dalio', 'next Friday', 'pending', 'resolution', :now)"
)


async def fill(url: str) -> None:
    engine = create_async_engine(async_url(url))
    now = NOW.replace(tzinfo=None) if "sqlite" in url else NOW
    async with engine.begin() as connection:
        for n, owner in enumerate(("shareholder", "livia"), 1):
            await connection.execute(
                text(MEETING),
                {"id": f"mtg-0000000{n}", "owner": owner, "now": now, "yes": True, "config": json.dumps({"members": []})},
            )
            await connection.execute(
                text(ACTION), {"id": f"ACT-0000000{n}", "meeting": f"mtg-0000000{n}", "task": f"Task {n}", "now": now}
            )
    await engine.dispose()


@pytest.fixture
def old(url: str) -> str:
    """A store at the schema before, with two persons' meetings and action items in it."""
    if "sqlite" in url:
        create_engine(url.replace("+aiosqlite", "")).dispose()
    at(url, BEFORE)
    asyncio.run(fill(url))
    return url


def test_action_items_keep_their_words_and_find_their_person(old: str) -> None:
    async def look() -> None:
        store = await Store.open(old)
        try:
            for n, owner in enumerate(("shareholder", "livia"), 1):
                (entry,) = await store.look(lambda tx, owner=owner: ledger.entries(tx, owner))
                assert (entry.task, entry.deadline, entry.reading, entry.due) == (f"Task {n}", "next Friday", "", None)
                await store.run(lambda tx, n=n: ledger.settle(tx, f"mtg-0000000{n}"))
                (entry,) = await store.look(lambda tx, owner=owner: ledger.entries(tx, owner))
                assert (entry.reading, str(entry.due)) == ("phrase", "2026-12-11")
        finally:
            await store.close()

    asyncio.run(look())
