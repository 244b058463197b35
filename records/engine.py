"""Opening the store: SQLite in the data directory, or PostgreSQL by a URL, with one schema and one migration history."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, make_url, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, StaticPool

from records import schema
from records.direct import Direct, T, Work
from records.troubles import RecordConflict as RecordConflict
from records.troubles import StoreError as StoreError
from records.troubles import told

FILE = "boardroom.db"
BUSY = 30.0
"""Seconds a writer waits for another writer's transaction."""


class Store:
    """A store that is open. `write()` and `read()` give a connection in a transaction; reads take no write lock."""

    def __init__(self, url: str, writer: AsyncEngine, reader: AsyncEngine, store_id: str) -> None:
        self.url = url
        self.store_id = store_id
        self._writer = writer
        self._reader = reader
        # One writer at a time within the process saves SQLite's busy-waiting; other processes wait for the file's lock.
        self._turn: asyncio.Lock | None = asyncio.Lock() if writer.dialect.name == "sqlite" else None
        self._direct = direct(url)

    @classmethod
    async def open(cls, url: str | None = None, data_dir: Path | None = None) -> Store:
        """Open, and make or migrate the schema where needed. Raises StoreError.

        Without `url` the store is `boardroom.db` in `data_dir`; that directory is 0700 and the file 0600.
        """
        from records import migrate

        url = sqlite_url(data_dir or Path("data")) if url is None else async_url(url)
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            private_file(Path(parsed.database or ""))
        store_id = await migrate.ready(url)
        return cls(url, *engines(url), store_id)

    async def close(self) -> None:
        if self._direct is not None:
            for one in self._direct:
                await asyncio.to_thread(one.close)
        await self._writer.dispose()
        await self._reader.dispose()

    async def run(self, work: Work[T]) -> T:
        """Run `work` in a write transaction. It may wait for nothing but its connection, and is quicker than `write`.

        Raises StoreError where room, rights or another program are in the way; nothing of `work` is written then.
        """
        if self._direct is not None:
            with self._in_words():
                return await self._direct[0].run(work)
        async with self.write() as connection:
            return await work(connection)

    async def look(self, work: Work[T]) -> T:
        """Run `work` in one consistent look at the store; the reading sibling of `run`."""
        if self._direct is not None:
            with self._in_words():
                return await self._direct[1].run(work)
        async with self.read() as connection:
            return await work(connection)

    async def forget_log(self, patience: float = 5.0) -> bool:
        """Write the log back and empty it: what was deleted must not wait in it. False when readers were in the way.

        On PostgreSQL that is the server's own affair (True).
        """
        if self._direct is None:
            return True
        return await asyncio.to_thread(_empty_log, str(make_url(async_url(self.url)).database), patience)

    async def revision(self) -> str:
        """The schema's revision that the store stands at."""
        async with self.read() as connection:
            return str(await connection.scalar(text("SELECT version_num FROM alembic_version")))

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that may write; committed when the block ends without an error. Raises StoreError like `run`."""
        with self._in_words():
            if self._turn is None:
                async with self._writer.begin() as connection:
                    yield connection
                return
            async with self._turn, self._writer.begin() as connection:
                yield connection

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """One consistent look at the store, by a connection that cannot write."""
        with self._in_words():
            async with self._reader.begin() as connection:
                yield connection

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """An error that people can mend becomes a sentence; any other stays what it is."""
        try:
            yield
        except DBAPIError as error:
            known = told(self.url, error)
            if known is None:
                raise
            raise known from None


def sqlite_url(data_dir: Path) -> str:
    """The default store's URL; makes the directory and the file. Raises StoreError when they cannot be written."""
    return f"sqlite+aiosqlite:///{private_file(data_dir / FILE).resolve()}"


def private_file(file: Path) -> Path:
    """Make the store's file, 0600, and its directory, 0700, and close those that stand to others. Raises StoreError.

    A directory that is everybody's by intent (like /tmp) or somebody else's is left as it is; the file is closed anyway, and
    SQLite gives its companions the same mode.
    """
    folder = file.parent
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        standing = folder.stat()
        if standing.st_uid == os.geteuid() and standing.st_mode & 0o077 and not standing.st_mode & stat.S_ISVTX:
            folder.chmod(0o700)
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        if file.stat().st_uid == os.geteuid():
            file.chmod(0o600)
    except OSError as error:
        raise StoreError(
            f"The data directory {folder} cannot be written ({error.strerror}): choose another with BOARDROOM_DATA_DIR, or "
            "give this user the right to write it."
        ) from None
    return file


def async_url(url: str) -> str:
    """The URL with the driver this project uses. Raises StoreError for another database."""
    try:
        parsed = make_url(url)
    except SQLAlchemyError:
        raise StoreError("BOARDROOM_DATABASE_URL is not a database URL: write postgresql://user:password@host/name.") from None
    backend = parsed.get_backend_name()
    if backend == "postgres":
        backend = "postgresql"
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    if backend not in drivers:
        raise StoreError(f"BOARDROOM_DATABASE_URL names {backend!r}: the store is SQLite or PostgreSQL.")
    if backend == "sqlite" and (parsed.database or ":memory:") == ":memory:":
        raise StoreError("BOARDROOM_DATABASE_URL names no file: write sqlite:////path/to/boardroom.db, or leave it unset.")
    return parsed.set(drivername=drivers[backend]).render_as_string(hide_password=False)


def engines(url: str) -> tuple[AsyncEngine, AsyncEngine]:
    """The engine that writes and the one that cannot."""
    # hide_parameters: an error's message reaches logs and histories, and the parameters are people's words (laws 6, 7, 15).
    url = async_url(url)
    if url.startswith("sqlite"):
        options: dict[str, Any] = {
            "poolclass": AsyncAdaptedQueuePool,
            "connect_args": {"timeout": BUSY},
            "hide_parameters": True,
            "pool_reset_on_return": None,  # every use is one transaction that ends itself: no second rollback
        }
        writer = create_async_engine(url, pool_size=1, max_overflow=0, **options)
        reader = create_async_engine(url, pool_size=4, max_overflow=8, **options)
        _prepare_sqlite(writer, "BEGIN IMMEDIATE", read_only=False)
        _prepare_sqlite(reader, "BEGIN", read_only=True)
        return writer, reader
    writer = create_async_engine(url, pool_size=8, max_overflow=16, pool_pre_ping=True, hide_parameters=True)
    reader = writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return writer, reader


def direct(url: str) -> tuple[Direct, Direct] | None:
    """Writer and reader that run whole transactions in a thread, where the store is SQLite."""
    url = async_url(url)
    if not url.startswith("sqlite"):
        return None
    found = []
    for name, begin, read_only in (("store-writer", "BEGIN IMMEDIATE", False), ("store-reader", "BEGIN", True)):
        engine = create_engine(
            make_url(url).set(drivername="sqlite"),
            poolclass=StaticPool,
            connect_args={"timeout": BUSY, "check_same_thread": False},
            pool_reset_on_return=None,
            hide_parameters=True,
        )
        _prepare_sqlite(engine, begin, read_only=read_only)
        found.append(Direct(engine, name))
    return found[0], found[1]


def _prepare_sqlite(engine: AsyncEngine | Engine, begin: str, *, read_only: bool) -> None:
    engine = engine if isinstance(engine, Engine) else engine.sync_engine

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        # The driver's own transaction handling silently loses updates; BEGIN IMMEDIATE takes the lock before the read.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        # NORMAL: a killed process loses nothing; a power failure may lose the last moments, never the file.
        cursor.execute("PRAGMA synchronous = NORMAL")
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.execute("PRAGMA foreign_keys = ON")
        if read_only:
            cursor.execute("PRAGMA query_only = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)


def _empty_log(file: str, patience: float) -> bool:
    with contextlib.closing(sqlite3.connect(file, timeout=patience, isolation_level=None)) as connection:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


async def stored_id(connection: AsyncConnection) -> str:
    value = await connection.scalar(select(schema.meta.c.value).where(schema.meta.c.key == "store_id"))
    return str(value)
