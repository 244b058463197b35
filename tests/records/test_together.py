"""Writes that share a transaction: one commit, and yet each stands or falls by itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import event, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema, turns
from records.engine import Store
from records.together import Together
from tests.support.stores import turn


async def count(store: Store) -> int:
    async with store.read() as tx:
        return await tx.scalar(select(func.count()).select_from(schema.turns)) or 0


def writing(seq: int, *, fails: bool = False) -> Any:
    async def work(tx: AsyncConnection) -> int:
        await turns.add(tx, **turn(seq))
        if fails:
            raise ValueError(f"turn {seq} is not to be")
        return seq

    return work


async def test_five_writes_are_one_commit(store: Store) -> None:
    commits = []
    engine = store._direct[0]._engine if store._direct is not None else store._writer.sync_engine
    event.listen(engine, "commit", lambda _: commits.append(1))
    together = Together(store)
    assert await asyncio.gather(*(together.write(writing(n)) for n in range(1, 6))) == [1, 2, 3, 4, 5]
    assert len(commits) == 1  # before anything is read: reading ends by a commit too
    assert await count(store) == 5


async def test_an_error_of_one_costs_the_others_nothing(store: Store) -> None:
    together = Together(store)
    found = await asyncio.gather(*(together.write(writing(n, fails=n == 3)) for n in range(1, 6)), return_exceptions=True)
    assert [n for n in found if isinstance(n, int)] == [1, 2, 4, 5]
    assert isinstance(found[2], ValueError)
    assert await count(store) == 4


async def test_a_writer_that_is_cancelled_takes_nobody_elses_write_with_it(store: Store) -> None:
    together = Together(store)
    first = asyncio.create_task(together.write(writing(1)))
    second = asyncio.create_task(together.write(writing(2)))
    await asyncio.sleep(0)
    first.cancel()
    assert await asyncio.wait_for(second, 5) == 2
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await count(store) == 2


async def test_a_later_write_does_not_wait_for_an_earlier_round(store: Store) -> None:
    together = Together(store)
    assert await together.write(writing(1)) == 1
    assert await together.write(writing(2)) == 2
