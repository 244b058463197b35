"""Bringing a store to the schema of this code, once, whoever comes first."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import secrets
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any, TextIO

from sqlalchemy import Connection, insert, inspect, make_url, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from records import schema
from records.engine import async_url, engines
from records.troubles import StoreError, not_opened

HEAD = "0004"
"""The revision this code stands at; a test holds it to the newest file of `migrations/versions`."""

_LOCK = 0x626F6172  # PostgreSQL advisory lock


async def ready(url: str) -> str:
    """See that the store stands at HEAD and give back its id. Raises StoreError."""
    writer, reader = engines(url)
    try:
        async with reader.connect() as connection:
            found = await connection.run_sync(_standing)
        if found is not None and found[0] == HEAD and found[1]:
            return found[1]
        async with _alone(url):
            await _to_the_end(asyncio.to_thread(_upgrade, url))
            # Under the lock too: of two that came together only one may name the store.
            async with writer.begin() as connection:
                await connection.run_sync(_name)
        async with reader.connect() as connection:
            found = await connection.run_sync(_standing)
        assert found is not None
        return found[1]
    except (DBAPIError, SQLAlchemyError, OSError) as error:
        raise not_opened(async_url(url), error) from None
    finally:
        await writer.dispose()
        await reader.dispose()


def _standing(connection: Connection) -> tuple[str, str] | None:
    """Revision and store id, as far as there are any."""
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" not in tables:
        if tables - {"alembic_version"} and "meta" not in tables and "meetings" not in tables:
            raise StoreError("The database holds tables of another program: give Boardroom a database of its own.")
        return None
    revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if revision is None:
        return None
    if revision > HEAD:
        raise StoreError(
            f"The store is of a newer Boardroom (schema {revision}, this one knows {HEAD}): upgrade Boardroom, or use another "
            "data directory."
        )
    store_id = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.key == "store_id"))
    return str(revision), str(store_id or "")


def _name(connection: Connection) -> None:
    """Give the store its id, once."""
    if connection.scalar(select(schema.meta.c.value).where(schema.meta.c.key == "store_id")) is None:
        connection.execute(insert(schema.meta).values(key="store_id", value=secrets.token_hex(4)))


def _upgrade(url: str) -> None:
    """Run Alembic; imported only when there is something to migrate. Each revision is one transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["url"] = async_url(url)
    command.upgrade(config, "head")


@contextlib.asynccontextmanager
async def _alone(url: str) -> AsyncIterator[None]:
    """One process at a time migrates: a file lock beside SQLite, an advisory lock in PostgreSQL."""
    parsed = make_url(async_url(url))
    if parsed.get_backend_name() == "sqlite":
        lock = Path(f"{parsed.database}.migrating")
        locking = asyncio.ensure_future(asyncio.to_thread(_locked, lock))
        try:
            held = await asyncio.shield(locking)
        except asyncio.CancelledError:
            # The thread may still get the lock; it must not keep it for a caller that is gone.
            locking.add_done_callback(lambda done: done.exception() or done.result().close())
            raise
        try:
            yield
        finally:
            held.close()
        return
    engine = create_async_engine(async_url(url), poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            await connection.execute(text(f"SELECT pg_advisory_lock({_LOCK})"))
            yield
            await connection.execute(text(f"SELECT pg_advisory_unlock({_LOCK})"))
    finally:
        await engine.dispose()


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for work in a thread also when cancelled: its lock may be given back only when it has ended."""
    running = asyncio.ensure_future(work)
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise


def _locked(path: Path) -> TextIO:
    handle = path.open("w")
    path.chmod(0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle
