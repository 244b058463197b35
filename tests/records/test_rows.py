"""What is written once is written once, and what is read back is whole."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from records import ballots, calls, live, motions, papers, schema, turns
from records.assemble import load_record
from records.engine import RecordConflict, Store
from tests.support.stores import NOW, turn

MEETING = "mtg-00000001"


async def test_law_04_a_turn_written_again_is_the_first_one(store: Store) -> None:
    async with store.write() as tx:
        assert await turns.add(tx, **turn(1))
        assert not await turns.add(tx, **turn(1, text="another"))
    async with store.read() as tx:
        assert [t.text for t in await turns.transcript(tx, MEETING)] == ["Turn 1"]


async def test_law_04_everything_written_twice_stands_once(store: Store) -> None:
    vote = {
        "question_id": "MOT-1", "round": 1, "member_id": "dalio", "meeting_id": MEETING, "choice": "FOR", "reason": "",
        "raw": "", "reading": "exact", "seq": 1,
    }  # fmt: skip
    motion = {
        "id": "MOT-1", "meeting_id": MEETING, "item_id": "agenda-1", "kind": "main", "text": "RESOLVED, That x.",
        "mover": "aurelius", "status": "proposed", "dissenter": None, "created_at": NOW,
    }  # fmt: skip
    for _ in range(2):
        async with store.write() as tx:
            await motions.add(tx, **motion)
            await ballots.add_vote(tx, **vote)
            await papers.add_resolution(
                tx, id="RES-1", meeting_id=MEETING, item_id="agenda-1", motion_id="MOT-1", topic="t", created_at=NOW
            )
            await papers.add_input(tx, id="inp-1", meeting_id=MEETING, text="a", received_at=NOW)
    async with store.read() as tx:
        for table in (schema.motions, schema.votes, schema.resolutions, schema.user_inputs):
            assert await tx.scalar(select(func.count()).select_from(table)) == 1, table.name


async def test_law_04_another_vote_under_the_same_id_is_an_error(store: Store) -> None:
    row: dict[str, Any] = {
        "question_id": "MOT-1", "round": 1, "member_id": "dalio", "meeting_id": MEETING, "choice": "FOR", "reason": "",
        "raw": "", "reading": "exact", "seq": 1,
    }  # fmt: skip
    async with store.write() as tx:
        await ballots.add_vote(tx, **row)
    with pytest.raises(RecordConflict):
        async with store.write() as tx:
            await ballots.add_vote(tx, **(row | {"choice": "AGAINST"}))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(1, 9)), after=st.integers(0, 8))
async def test_a_follower_never_skips_a_turn(store: Store, order: list[int], after: int) -> None:
    """Rows of a blind round land in any order; only the run without a gap is given out."""
    async with store.write() as tx:
        await tx.execute(schema.turns.delete())
    seen: list[int] = []
    landed: set[int] = set(range(1, after + 1))
    async with store.write() as tx:
        for seq in landed:
            await turns.add(tx, **turn(seq))
    cursor = after
    for seq in order:
        if seq in landed:
            continue
        async with store.write() as tx:
            await turns.add(tx, **turn(seq))
        landed.add(seq)
        async with store.read() as tx:
            run = [t.seq for t in await turns.released(tx, MEETING, cursor)]
        whole = next((n for n in range(cursor + 1, 10) if n not in landed), 9)
        assert run == list(range(cursor + 1, whole))
        seen += run
        cursor += len(run)
    assert seen == list(range(after + 1, 9))


async def claim(store: Store, owner: str, seconds: float = 10, at: timedelta = timedelta(0)) -> calls.Claim:
    async with store.write() as tx:
        return await calls.claim(
            tx, "c1", meeting_id=MEETING, member_id="dalio", purpose="vote", owner=owner, lease_seconds=seconds, now=NOW + at
        )


async def test_law_05_a_call_in_flight_holds_its_lease_until_it_runs_out(store: Store) -> None:
    assert isinstance(await claim(store, "a"), calls.Granted)
    assert await claim(store, "b") == calls.Held(until=NOW + timedelta(seconds=10))
    async with store.write() as tx:
        assert await calls.renew(tx, "c1", owner="a", lease_seconds=10, now=NOW + timedelta(seconds=5))
    assert isinstance(await claim(store, "b", at=timedelta(seconds=12)), calls.Held)
    assert await claim(store, "b", at=timedelta(seconds=16)) == calls.Granted(attempt=2, failures=0)
    async with store.write() as tx:
        assert not await calls.renew(tx, "c1", owner="a", lease_seconds=10, now=NOW)


async def test_law_05_a_stored_reply_is_given_out_and_never_replaced(store: Store) -> None:
    await claim(store, "a")
    async with store.write() as tx:
        assert await calls.finish(tx, "c1", reply="one", provider="p", now=NOW, model="m", stop_reason="end_turn")
        assert not await calls.finish(tx, "c1", reply="two", provider="p", now=NOW, model="m", stop_reason="end_turn")
    assert await claim(store, "b") == calls.Done(reply="one", stop_reason="end_turn", model="m")


async def test_law_05_of_many_claimants_one_is_granted(store: Store) -> None:
    claims = await asyncio.gather(*(claim(store, f"owner-{n}") for n in range(12)))
    assert sum(isinstance(found, calls.Granted) for found in claims) == 1


async def test_failures_are_counted_by_call_and_waited_for(store: Store) -> None:
    await claim(store, "a")
    later = NOW + timedelta(seconds=4)
    async with store.write() as tx:
        await calls.fail(tx, "c1", owner="a", trouble="rate_limited", now=NOW, retry_at=later, final=False)
    assert await claim(store, "a") == calls.Waiting(retry_at=later)
    assert await claim(store, "a", at=timedelta(seconds=5)) == calls.Granted(attempt=2, failures=1)
    async with store.write() as tx:
        await calls.fail(tx, "c1", owner="a", trouble="overloaded", now=NOW, retry_at=None, final=True)
    assert await claim(store, "b", at=timedelta(seconds=9)) == calls.Failed(trouble="overloaded")


async def test_words_in_passing_go_when_their_turn_is_there_and_no_id_comes_again(store: Store) -> None:
    async with store.write() as tx:
        await live.append(
            tx, meeting_id=MEETING, call_id="c", attempt=1, member_id="dalio", seq=1, kind="words", text="We", at=NOW
        )
    async with store.read() as tx:
        (first,) = await live.since(tx, MEETING)
    async with store.write() as tx:
        await turns.add(tx, **turn(1))
        await live.append(
            tx, meeting_id=MEETING, call_id="d", attempt=1, member_id="jobs", seq=2, kind="words", text="I", at=NOW
        )
    async with store.read() as tx:
        (second,) = await live.since(tx, MEETING, first.id)
    assert second.text == "I"


async def test_law_10_a_dissent_of_an_earlier_round_stays(store: Store) -> None:
    async with store.write() as tx:
        await motions.add(
            tx, id="MOT-1", meeting_id=MEETING, item_id="agenda-1", kind="main", text="RESOLVED, That x.", mover="aurelius",
            status="proposed", dissenter=None, created_at=NOW,
        )  # fmt: skip
        for round_ in (1, 2):
            await ballots.add_dissent(
                tx,
                question_id="MOT-1",
                member_id="dalio",
                round=round_,
                meeting_id=MEETING,
                statement=f"no {round_}",
                recorded_at=NOW,
            )
        await papers.add_resolution(
            tx, id="RES-1", meeting_id=MEETING, item_id="agenda-1", motion_id="MOT-1", topic="t", created_at=NOW
        )
    async with store.read() as tx:
        record = await load_record(tx, MEETING)
    assert [d.statement for d in record.resolutions[0].dissents] == ["no 1", "no 2"]


async def test_a_meeting_that_is_not_there_is_said_not_to_be(store: Store) -> None:
    with pytest.raises(LookupError, match="mtg-ffffffff"):
        async with store.read() as tx:
            await load_record(tx, "mtg-ffffffff")
