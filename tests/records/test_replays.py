"""Law 4 and law 5 where writes come late, twice, or out of their turn."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from records import ballots, calls, meetings, motions, papers, schema, turns
from records.assemble import load_record
from records.engine import RecordConflict, Store
from tests.support.stores import NOW, turn

MEETING = "mtg-00000001"
MOTION = f"MOT-{MEETING}-1"
ROLL = ("aurelius", "dalio", "jobs")
FIRST, SECOND, INNER = f"AMD-{MEETING}-4", f"AMD-{MEETING}-7", f"AMD-{MEETING}-5"
"""Two amendments of the motion, adopted one after the other, and one of the first amendment."""


def moment(seconds: float) -> Any:
    return NOW + timedelta(seconds=seconds)


async def move(tx: AsyncConnection) -> Any:
    return await motions.add(
        tx, id=MOTION, meeting_id=MEETING, item_id="agenda-1", kind="main", text="RESOLVED, That we go.", mover="aurelius",
        status="proposed", dissenter=None, created_at=moment(1),
    )  # fmt: skip


async def second(tx: AsyncConnection) -> Any:
    return await motions.second(tx, MOTION, "dalio")


def amend(amendment: str, text: str, at: float, target: str = MOTION) -> Any:
    async def write(tx: AsyncConnection) -> Any:
        return await motions.add_amendment(
            tx, id=amendment, meeting_id=MEETING, motion_id=MOTION, target_id=target, degree=1 if target == MOTION else 2,
            mover="jobs", text=text, summary="when", status="proposed", created_at=moment(at),
        )  # fmt: skip

    return write


def adopt(amendment: str, at: float, target: str = MOTION) -> Any:
    async def write(tx: AsyncConnection) -> Any:
        await motions.end(tx, amendment, status="adopted", by_consent=True, at=moment(at))
        return await motions.take_words(tx, target, amendment)

    return write


def vote(member: str, choice: str, **changes: Any) -> Any:
    row: dict[str, Any] = {
        "question_id": MOTION, "round": 1, "member_id": member, "meeting_id": MEETING, "choice": choice,
        "reason": f"{member} says why", "raw": "", "reading": "exact", "seq": 8,
    }  # fmt: skip

    async def write(tx: AsyncConnection) -> Any:
        return await ballots.add_vote(tx, **(row | changes))

    return write


def missing(member: str, choice: str = "NO_REPLY") -> Any:
    """The entry that the closing of a ballot writes for a seat of which nothing was counted."""
    return vote(member, choice, reason="", reading="failed", seq=None)


def close(**counts: int) -> Any:
    tally = {"FOR": 0, "AGAINST": 0, "ABSTAIN": 0, "ABSENT": 0, "NO_REPLY": 0, "INVALID": 0} | counts

    async def write(tx: AsyncConnection) -> Any:
        await motions.end(tx, MOTION, status="adopted", by_consent=False, at=moment(9))
        return await ballots.close(
            tx, question_id=MOTION, round=1, meeting_id=MEETING, threshold="majority", roll=list(ROLL), tally=tally,
            outcome="adopted", present=3, closed_at=moment(9),
        )  # fmt: skip

    return write


async def resolve(tx: AsyncConnection) -> Any:
    return await papers.add_resolution(
        tx, id=f"RES-{MEETING}-1", meeting_id=MEETING, item_id="agenda-1", motion_id=MOTION, topic="t", created_at=moment(10)
    )


async def dissent(tx: AsyncConnection) -> Any:
    return await ballots.add_dissent(
        tx, question_id=MOTION, member_id="jobs", round=1, meeting_id=MEETING, statement="Too soon.", recorded_at=moment(9)
    )


async def act(tx: AsyncConnection) -> Any:
    return await papers.add_action(
        tx, id="ACT-00000001", meeting_id=MEETING, item_id="agenda-1", task="Book", owner="dalio", deadline=None,
        status="pending", origin="resolution", resolution_id=None, created_at=moment(11),
    )  # fmt: skip


async def rule(tx: AsyncConnection) -> Any:
    return await papers.add_ruling(
        tx, meeting_id=MEETING, seq=2, n=0, kind="refused_command", member_id="aurelius", item_id="agenda-1", text="{ADJOURN}",
        result="out of order", reason="A motion is pending.", rule="RONR 8:2",
    )  # fmt: skip


async def say(tx: AsyncConnection) -> Any:
    await papers.add_input(tx, id="inp-1", meeting_id=MEETING, text="Mind the rent.", received_at=moment(2))
    return await papers.take_up_input(tx, "inp-1", 3)


async def whisper(tx: AsyncConnection) -> Any:
    return await turns.whisper_add(tx, meeting_id=MEETING, seq=1, member_id="dalio", text="They are wrong.")


async def attend(tx: AsyncConnection) -> Any:
    return await meetings.attend(tx, meeting_id=MEETING, member_id="dalio", round=1, status="present", seq=1)


async def session(tx: AsyncConnection) -> Any:
    return await meetings.start_session(
        tx, meeting_id=MEETING, member_id="dalio", session_id="s", prompt_hash="h", started_at=moment(0)
    )


def speak(seq: int) -> Any:
    async def write(tx: AsyncConnection) -> Any:
        return await turns.add(tx, **turn(seq))

    return write


COURSE: list[Any] = [
    session, attend, speak(1), whisper, move, second, speak(2), rule, say, speak(3),
    amend(FIRST, "RESOLVED, That we go in spring.", 4), amend(INNER, "RESOLVED, That we go in May.", 4.2, FIRST),
    adopt(INNER, 4.5, FIRST), adopt(FIRST, 5),
    amend(SECOND, "RESOLVED, That we go in May, by train.", 6), adopt(SECOND, 7),
    vote("aurelius", "FOR"), vote("dalio", "FOR"), vote("jobs", "AGAINST"), dissent, close(FOR=2, AGAINST=1), resolve, act,
]  # fmt: skip
"""What one item leaves in the store, in the order in which it happens."""


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table but the revision's own."""
    async with store.read() as tx:
        return {
            table.name: sorted(tuple(row) for row in await tx.execute(select(*(c for c in table.primary_key), *table.c)))
            for table in schema.metadata.sorted_tables
            if table.name not in ("meta", "meetings")
        }


async def empty(store: Store) -> None:
    async with store.write() as tx:
        for table in reversed(schema.metadata.sorted_tables):
            if table.name not in ("meta", "meetings", "agenda_items"):
                await tx.execute(table.delete())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(again=st.lists(st.tuples(st.integers(0, len(COURSE) - 1), st.integers(0, len(COURSE) - 1)), max_size=20))
async def test_law_04_any_write_may_come_again_at_any_later_time(store: Store, again: list[tuple[int, int]]) -> None:
    """An activity that ran twice, or whose first attempt ends long after its second: the rows are those of one course.

    `again`: (place in the course, which earlier write comes once more after it).
    """

    async def hold(tx: AsyncConnection) -> None:
        for place, write in enumerate(COURSE):
            await write(tx)
            for after, copy in again:
                if after == place:
                    await COURSE[min(copy, place)](tx)

    async def hold_once(tx: AsyncConnection) -> None:
        for write in COURSE:
            await write(tx)

    found = []
    for course in (hold_once, hold):
        await empty(store)
        await store.run(course)
        found.append(await everything(store))
    assert found[1] == found[0]


async def test_law_04_a_late_copy_of_an_earlier_amendment_does_not_undo_a_later_one(store: Store) -> None:
    for write in COURSE:
        await store.run(write)
    await store.run(adopt(FIRST, 5))
    async with store.read() as tx:
        (motion,) = (await load_record(tx, MEETING)).motions
    assert motion.text == "RESOLVED, That we go in May, by train."
    assert motion.original_text == "RESOLVED, That we go."


async def test_an_amendment_of_another_motion_is_in_nobodys_way(store: Store) -> None:
    """Its words are older than an amendment that was adopted since, but of another question."""

    async def elsewhere(tx: AsyncConnection) -> None:
        await motions.add_amendment(
            tx, id="AMD-other", meeting_id=MEETING, motion_id="MOT-other", target_id="MOT-other", degree=1, mover="jobs",
            text="RESOLVED, That we stay.", summary="", status="proposed", created_at=moment(4),
        )  # fmt: skip
        await motions.end(tx, "AMD-other", status="adopted", by_consent=True, at=moment(60))

    for write in (move, amend(FIRST, "RESOLVED, That we go in May.", 4), elsewhere, adopt(FIRST, 5)):
        await store.run(write)
    async with store.read() as tx:
        (motion,) = (await load_record(tx, MEETING)).motions
    assert motion.text == "RESOLVED, That we go in May."


async def test_law_04_one_turn_at_two_places_is_an_error_and_no_silent_hole(store: Store) -> None:
    """A place left empty in silence would stop every follower there for ever."""
    await store.run(speak(1))

    async def elsewhere(tx: AsyncConnection) -> bool:
        return await turns.add(tx, **turn(2, id=turn(1)["id"]))

    with pytest.raises(RecordConflict, match="2"):
        await store.run(elsewhere)


async def test_a_vote_that_lands_after_the_count_is_kept_but_not_counted(store: Store) -> None:
    """A deadline cuts a vote; the reply lands before the ballot is written down. The record says what was counted."""
    for write in (move, second, vote("aurelius", "FOR"), vote("dalio", "FOR"), vote("jobs", "AGAINST")):
        await store.run(write)
    for _ in range(2):  # the closing may come again, too
        await store.run(missing("jobs"))
        await store.run(close(FOR=2, NO_REPLY=1))
    async with store.read() as tx:
        (motion,) = (await load_record(tx, MEETING)).motions
    (ballot,) = motion.ballots
    assert {member: found.value for member, found in ballot.votes.items()} == {
        "aurelius": "FOR", "dalio": "FOR", "jobs": "NO_REPLY",
    }  # fmt: skip
    assert ballot.raw == {"jobs": "AGAINST"}
    assert ballot.reasons["jobs"] == "Too late to be counted: jobs says why"


async def test_a_vote_that_lands_after_its_ballot_was_closed_changes_nothing(store: Store) -> None:
    for write in (move, second, vote("aurelius", "FOR"), vote("dalio", "FOR"), missing("jobs"), close(FOR=2, NO_REPLY=1)):
        await store.run(write)
    with pytest.raises(RecordConflict):
        await store.run(vote("jobs", "AGAINST"))
    async with store.read() as tx:
        (motion,) = (await load_record(tx, MEETING)).motions
    assert motion.ballots[0].votes["jobs"].value == "NO_REPLY"


async def test_a_second_after_the_end_does_not_bring_a_motion_back(store: Store) -> None:
    async def end(tx: AsyncConnection) -> None:
        await motions.end(tx, MOTION, status="unseconded", by_consent=False, at=moment(3))

    for write in (move, end, second):
        await store.run(write)
    async with store.read() as tx:
        (motion,) = (await load_record(tx, MEETING)).motions
    assert (motion.status.value, motion.seconded_by) == ("unseconded", None)


async def test_law_05_who_holds_a_lease_is_not_granted_the_call_a_second_time(store: Store) -> None:
    """A hearing asked for anew while its first call still runs, in the same process: the name of the owner is the same."""

    async def claim(tx: AsyncConnection) -> calls.Claim:
        return await calls.claim(
            tx, "c", meeting_id=MEETING, member_id="dalio", purpose="vote", owner="a:1", lease_seconds=10, now=NOW
        )

    assert await store.run(claim) == calls.Granted(attempt=1, failures=0)
    assert await store.run(claim) == calls.Held(until=NOW + timedelta(seconds=10))
