"""Writes that come together share one transaction: the five replies of a round are one commit, not five.

Each piece of work is still written whole or not at all. When one of them fails, all are run again, each in a transaction of
its own, so that an error of one costs the others nothing; a piece of work must therefore bear being run twice (law 4).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from records.engine import Store

T = TypeVar("T")


class Together:
    """Gathers the writes of one process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Callable[[AsyncConnection], Awaitable[Any]], asyncio.Future[Any]]] = []
        self._committing: asyncio.Task[None] | None = None

    async def write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run `work` in a write transaction and give back its result when that is committed."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._committing is None:
            # A task of its own: whoever is cancelled while waiting takes nobody else's write with it.
            self._committing = asyncio.create_task(self._commit_all())
        return await done

    async def _commit_all(self) -> None:
        """Nobody waits for company: who comes while a transaction is written goes into the next one together."""
        try:
            while self._waiting:
                await asyncio.sleep(0)  # whoever is ready at this very moment comes along
                batch, self._waiting = self._waiting, []
                await self._commit(batch)
        finally:
            self._committing = None

    async def _commit(self, batch: list[tuple[Callable[[AsyncConnection], Awaitable[Any]], asyncio.Future[Any]]]) -> None:
        if len(batch) > 1:
            try:
                results = await self._store.run(_all([work for work, _ in batch]))
            except Exception:
                pass  # whose error it was shows when each is run alone
            else:
                for (_, done), result in zip(batch, results, strict=True):
                    if not done.done():
                        done.set_result(result)
                return
        for work, done in batch:
            try:
                result = await self._store.run(work)
            except Exception as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(result)


def _all(works: list[Callable[[AsyncConnection], Awaitable[Any]]]) -> Callable[[AsyncConnection], Awaitable[list[Any]]]:
    """The works one after another, in the order in which they came."""

    async def run(tx: AsyncConnection) -> list[Any]:
        return [await work(tx) for work in works]

    return run
