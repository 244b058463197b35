"""Alembic's environment, run by `records.migrate` with the store's URL in the configuration's attributes."""

import asyncio

from alembic import context
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from records.engine import _prepare_sqlite
from records.schema import metadata


def _run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata, transaction_per_migration=True, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


async def _main() -> None:
    engine = create_async_engine(context.config.attributes["url"], poolclass=NullPool)
    if engine.dialect.name == "sqlite":
        # DDL is part of the transaction only when the driver does not commit before it.
        _prepare_sqlite(engine, "BEGIN IMMEDIATE", read_only=False)
    async with engine.connect() as connection:
        await connection.run_sync(_run)
        await connection.commit()
    await engine.dispose()


asyncio.run(_main())
