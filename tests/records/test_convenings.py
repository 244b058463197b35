"""What schedules did, on both stores: what began and did not end, what came after a time, and what meetings are called."""

from __future__ import annotations

from datetime import timedelta

from records import convenings
from records.engine import Store
from tests.support.stores import NOW

WEEK = timedelta(weeks=1)


async def test_what_came_due_since_a_time_is_found_the_oldest_first(store: Store) -> None:
    async with store.write() as tx:
        for n in (2, 0, 1):
            await convenings.begin(tx, id=f"c{n}", schedule_id="s", planned_for=NOW + n * WEEK, now=NOW + n * WEEK)
        await convenings.begin(tx, id="other", schedule_id="t", planned_for=NOW + WEEK, now=NOW)
        assert await convenings.missed(tx, schedule_id="s", planned_for=NOW + 3 * WEEK, now=NOW + 4 * WEEK, why="nobody")
    async with store.read() as tx:
        found = await convenings.since(tx, "s", NOW + WEEK)
    assert [row.id for row in found] == ["c1", "c2", f"s-missed-{NOW + 3 * WEEK:%Y%m%dT%H%M%SZ}"]
    assert [row.planned_for for row in found] == [NOW + n * WEEK for n in (1, 2, 3)]


async def test_what_runs_is_what_has_no_end(store: Store) -> None:
    async with store.write() as tx:
        for n in range(3):
            await convenings.begin(tx, id=f"c{n}", schedule_id="s", planned_for=NOW + n * WEEK, now=NOW)
        await convenings.end(tx, "c1", outcome="completed", now=NOW)
    async with store.read() as tx:
        assert [row.id for row in await convenings.running(tx)] == ["c0", "c2"]


async def test_the_name_of_a_schedules_meetings_is_kept_changed_and_forgotten(store: Store) -> None:
    async def called() -> str | None:
        async with store.read() as tx:
            return await convenings.meetings_called(tx, "s")

    assert await called() is None
    for name in ("Sunday board", "Sonntagsrat — früh"):
        async with store.write() as tx:
            await convenings.call_meetings(tx, "s", name)
            await convenings.call_meetings(tx, "t", "another")
        assert await called() == name
    async with store.write() as tx:
        await convenings.call_meetings(tx, "s", None)
    assert await called() is None
    assert store.store_id, "the store's own name is untouched"


async def test_forgetting_a_schedule_leaves_those_of_others(store: Store) -> None:
    async with store.write() as tx:
        for schedule in ("s", "t"):
            await convenings.begin(tx, id=f"c-{schedule}", schedule_id=schedule, planned_for=NOW, now=NOW)
            await convenings.call_meetings(tx, schedule, f"name of {schedule}")
        await convenings.forget(tx, ["s", "u"])
    async with store.read() as tx:
        assert [row.id for row in await convenings.listing(tx)] == ["c-t"]
        assert await convenings.meetings_called(tx, "s") is None
        assert await convenings.meetings_called(tx, "t") == "name of t"
