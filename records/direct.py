"""SQLite without a hand-over for every statement: a whole transaction runs in one thread of the store's own.

The asynchronous driver hands each step of each statement to a thread and back, which costs more than the statement. Work
that only uses its connection never waits for anything else, so it can be driven to its end where the database is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Dialect, Engine
from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
Work = Callable[[AsyncConnection], Awaitable[T]]


class _Connection:
    """As much of an AsyncConnection as the record's functions use, over a synchronous one: nothing here ever waits."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def dialect(self) -> Dialect:
        return self._connection.dialect

    async def execute(self, statement: Any, parameters: Any = None) -> CursorResult[Any]:
        return self._connection.execute(statement, parameters)

    async def scalar(self, statement: Any, parameters: Any = None) -> Any:
        return self._connection.scalar(statement, parameters)


class Direct:
    """One thread and one connection of `engine`."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Work[T]) -> T:
        """Run `work` in a transaction of its own. It may use nothing that waits but its connection."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Work[T]) -> T:
        with self._engine.begin() as connection:
            coroutine = cast(Coroutine[Any, Any, T], work(cast(AsyncConnection, _Connection(connection))))
            try:
                coroutine.send(None)
            except StopIteration as end:
                return cast(T, end.value)
            coroutine.close()
            raise RuntimeError("work in a store's transaction may wait for nothing but its connection")

    def close(self) -> None:
        self._thread.shutdown(wait=True)
        self._engine.dispose()
