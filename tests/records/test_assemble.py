"""The whole record of a meeting, and what it warns of."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.record import MeetingRecord
from records import ballots, meetings, motions, papers, schema, turns
from records.assemble import load_record
from records.engine import Store
from tests.support.stores import NOW, create_meeting, turn

MEETING = "mtg-00000001"
MOTION = f"MOT-{MEETING}-1"


async def loaded(store: Store, meeting_id: str = MEETING) -> MeetingRecord:
    async with store.read() as tx:
        return await load_record(tx, meeting_id)


async def votes(tx: AsyncConnection, *choices: str, round_: int = 1, readings: tuple[str, ...] = ()) -> None:
    """A ballot of the three seats, with a turn for each."""
    members = ("aurelius", "dalio", "jobs")
    for n, (member, choice) in enumerate(zip(members, choices, strict=True)):
        seq = round_ * 10 + n
        reading = readings[n] if readings else "exact"
        status = {"NO_REPLY": "no_reply", "INVALID": "invalid"}.get(choice, "ok")
        if choice != "ABSENT":
            await turns.add(
                tx, **turn(seq, id=f"v/{seq}", member_id=member, purpose="vote", phase="voting", reading=reading, status=status)
            )
        await ballots.add_vote(
            tx, question_id=MOTION, round=round_, member_id=member, meeting_id=MEETING, choice=choice, reason="",
            raw="Hm." if choice == "INVALID" else "", reading=reading, seq=seq,
        )  # fmt: skip
    await ballots.close(
        tx, question_id=MOTION, round=round_, meeting_id=MEETING, threshold="majority", roll=list(members), tally={},
        outcome=None, present=3, closed_at=NOW,
    )  # fmt: skip


async def moved(tx: AsyncConnection) -> None:
    await motions.add(
        tx, id=MOTION, meeting_id=MEETING, item_id="agenda-1", kind="main", text="RESOLVED, That we go.", mover="aurelius",
        status="proposed", dissenter="jobs", created_at=NOW,
    )  # fmt: skip


async def test_what_the_agenda_said_of_itself_is_in_the_record(store: Store) -> None:
    start = NOW + timedelta(days=2)
    async with store.write() as tx:
        await create_meeting(
            tx, "mtg-00000002", user_feedback="Be brief.", revision_requested=True, scheduled_start=start, zone="Europe/Lisbon"
        )
    record = await loaded(store, "mtg-00000002")
    assert (record.user_feedback, record.revision_requested, record.zone) == ("Be brief.", True, "Europe/Lisbon")
    assert record.scheduled_start == "2026-12-03T06:00:00.000+00:00"


async def test_every_entry_of_a_ballot_is_in_seating_order_with_what_was_not_read(store: Store) -> None:
    async with store.write() as tx:
        await moved(tx)
        await votes(tx, "INVALID", "FOR", "ABSENT")
    (motion,) = (await loaded(store)).motions
    (ballot,) = motion.ballots
    assert list(ballot.votes.items()) == [("aurelius", "INVALID"), ("dalio", "FOR"), ("jobs", "ABSENT")]
    assert ballot.raw == {"aurelius": "Hm."}
    assert ballot.outcome is None


async def test_law_08_each_place_where_nothing_was_cast_is_warned_of(store: Store) -> None:
    async with store.write() as tx:
        await moved(tx)
        await votes(tx, "FOR", "ABSTAIN", "AGAINST")
    assert (await loaded(store)).warnings == ()
    async with store.write() as tx:
        await votes(tx, "NO_REPLY", "INVALID", "ABSENT", round_=2, readings=("failed", "failed", "failed"))
    assert (await loaded(store)).warnings == tuple(
        f"1 of 6 places on the rolls of the votes: {words}. Nothing was cast there."
        for words in ("without a reply", "not readable", "absent")
    )


async def test_more_than_half_of_the_votes_read_with_tolerance_are_warned_of(store: Store) -> None:
    """Of those that were read: a call that failed says nothing of the form that voices keep to."""
    async with store.write() as tx:
        await moved(tx)
        await votes(tx, "FOR", "FOR", "NO_REPLY", readings=("tolerant", "exact", "failed"))
    assert not any("tolerance" in warning for warning in (await loaded(store)).warnings)
    async with store.write() as tx:
        await votes(tx, "FOR", "NO_REPLY", "NO_REPLY", round_=2, readings=("tolerant", "failed", "failed"))
    assert any(warning.startswith("2 of 3 votes") for warning in (await loaded(store)).warnings)


async def test_what_the_shareholder_said_too_late_is_warned_of_when_the_meeting_is_over(store: Store) -> None:
    async with store.write() as tx:
        for name in ("a", "b"):
            await papers.add_input(tx, id=f"inp-{name}", meeting_id=MEETING, text=name, received_at=NOW)
        assert await papers.take_up_input(tx, "inp-a", 1) == "a"
        await turns.add(tx, **turn(1, purpose="user_input", member_id="shareholder", text="a"))
        await turns.add(tx, **turn(2))
    record = await loaded(store)
    assert ([each.text for each in record.user_inputs], record.warnings) == (["a"], ())
    async with store.write() as tx:
        await meetings.set_status(tx, MEETING, status="completed", at=NOW, ended_by="deadline")
    assert (await loaded(store)).warnings == ("1 of the shareholder's inputs came too late to be put to the board.",)


async def test_the_roll_is_each_members_first_answer(store: Store) -> None:
    async with store.write() as tx:
        for seq, member, status in (
            (1, "jobs", "no_reply"),
            (2, "dalio", "absent"),
            (3, "aurelius", "present"),
            (9, "jobs", "present"),
        ):
            await meetings.attend(tx, meeting_id=MEETING, member_id=member, round=seq, status=status, seq=seq)
    record = await loaded(store)
    assert (record.present, record.absent) == (("aurelius",), {"dalio": "absent", "jobs": "no_reply"})


async def test_law_07_a_whisper_is_nowhere_in_the_record(store: Store) -> None:
    async with store.write() as tx:
        await turns.add(tx, **turn(1))
        assert await turns.whisper_add(tx, meeting_id=MEETING, seq=1, member_id="dalio", text="I trust none of them.")
        assert not await turns.whisper_add(tx, meeting_id=MEETING, seq=1, member_id="dalio", text="Another.")
    async with store.read() as tx:
        record = await load_record(tx, MEETING)
        told: list[Any] = [record.model_dump_json(), *(t.model_dump_json() for t in await turns.transcript(tx, MEETING))]
        assert await turns.whispers(tx, MEETING) == [(1, "dalio", "I trust none of them.")]
    assert not any("trust none" in text for text in told)


async def test_the_record_is_the_same_whatever_the_order_in_which_rows_landed(store: Store) -> None:
    """One blind round: its rows land as the voices end."""
    records = []
    actions = [("ACT-2", "agenda-2"), ("ACT-1", "agenda-1"), ("ACT-3", "agenda-1")]
    async with store.write() as tx:
        await tx.execute(update(schema.agenda_items).values(number=2))
        item = {"meeting_id": MEETING, "id": "agenda-2", "number": 1, "topic": "First", "type": "decision", "time_minutes": 5}
        await tx.execute(schema.agenda_items.insert().values(**item))
    for order in (actions, actions[::-1]):
        async with store.write() as tx:
            await tx.execute(schema.action_items.delete())
            for id_, item_id in order:
                await papers.add_action(
                    tx, id=id_, meeting_id=MEETING, item_id=item_id, task=id_, owner="dalio", deadline=None, status="pending",
                    origin="resolution", resolution_id=None, created_at=NOW,
                )  # fmt: skip
        records.append(await loaded(store))
    assert records[0] == records[1]
    assert [action.id for action in records[0].actions] == ["ACT-2", "ACT-1", "ACT-3"]  # by the items' numbers
