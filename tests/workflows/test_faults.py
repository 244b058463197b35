"""A meeting through the real client with each fault of a provider: it ends in order, and the record says what happened."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from sqlalchemy import select

from parliament.record import MeetingRecord, TurnRecord
from parliament.values import Disposition, EndedBy, MeetingStatus, Vote
from records import calls, schema, turns
from tests.support.meetings import House
from tests.support.messages_service import Behaviour

Messages = tuple[str, Behaviour]


async def transcript(board: House, meeting_id: str) -> list[TurnRecord]:
    async with board.store.read() as tx:
        return await turns.transcript(tx, meeting_id)


async def ledger(board: House, meeting_id: str) -> dict[str, Any]:
    async with board.store.read() as tx:
        rows = await tx.execute(select(schema.calls).where(schema.calls.c.meeting_id == meeting_id))
        return {row.id.split("/", 1)[1]: row for row in rows}


def vote_of(record: MeetingRecord, member: str) -> Vote:
    return record.motions[0].ballots[-1].votes[member]


@pytest.mark.parametrize(
    ("fault", "trouble"),
    [("429", "rate_limited"), ("529", "overloaded"), ("500", "server_error"), ("cut", "connection"), ("hang", "timeout")],
)
async def test_a_failure_that_passes_is_tried_again_and_leaves_no_trace_but_in_the_ledger(
    board: House, messages: Messages, fault: str, trouble: str
) -> None:
    messages[1].faults.append({"match": "/vote/.*/dalio$", "fault": fault, "times": 1, "retry_after": 1})
    started = time.monotonic()
    record = await board.hold("Should I walk more?", rules={"call_timeout": 2.0})
    assert vote_of(record, "dalio") is Vote.FOR
    row = (await ledger(board, record.id))["agenda-1/vote/-/1/dalio"]
    assert (row.state, row.failures, row.attempts, row.last_trouble) == ("done", 1, 2, trouble)
    assert messages[1].count()[f"{record.id}/agenda-1/vote/-/1/dalio"] == 2
    assert time.monotonic() - started >= 1  # it waited as it was told, or 2^attempt seconds


@pytest.mark.parametrize("fault", ["429", "529", "500", "cut"])
async def test_a_failure_that_stays_is_no_reply_and_not_an_abstention(board: House, messages: Messages, fault: str) -> None:
    messages[1].faults.append({"match": "/vote/.*/dalio$", "fault": fault, "retry_after": 0})
    record = await board.hold("Should I walk more?", rules={"call_retries": 1})
    assert vote_of(record, "dalio") is Vote.NO_REPLY
    assert record.motions[0].status is Disposition.ADOPTED
    assert messages[1].count()[f"{record.id}/agenda-1/vote/-/1/dalio"] == 2
    assert any("without a reply" in warning for warning in record.warnings)
    (turn,) = [t for t in await transcript(board, record.id) if t.purpose == "vote" and t.member_id == "dalio"]
    assert (turn.status, turn.text) == ("no_reply", "")


async def test_two_retries_and_then_no_more(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/discussion/.*/dalio$", "fault": "429", "retry_after": 0})
    record = await board.hold("Should I walk more?")
    assert messages[1].count()[f"{record.id}/agenda-1/discussion/-/1/dalio"] == 3


async def test_a_request_that_is_refused_is_not_sent_again(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/vote/.*/dalio$", "fault": "400"})
    record = await board.hold("Should I walk more?")
    assert vote_of(record, "dalio") is Vote.NO_REPLY
    assert messages[1].count()[f"{record.id}/agenda-1/vote/-/1/dalio"] == 1


@pytest.mark.parametrize("fault", ["401", "404"])
async def test_what_no_retry_can_mend_halts_the_meeting_until_it_is_resumed(
    board: House, messages: Messages, fault: str
) -> None:
    rule: dict[str, Any] = {"match": "/discussion/", "fault": fault}
    messages[1].faults.append(rule)
    handle = await board.open("Should I walk more?")

    async def failed() -> bool:
        return (await board.record(handle.id)).status is MeetingStatus.FAILED

    await board.until(failed, "the meeting is halted")
    async with board.store.read() as tx:
        error = await tx.scalar(select(schema.meetings.c.error).where(schema.meetings.c.id == handle.id))
    assert "ANTHROPIC_API_KEY" in error or "BOARDROOM_MODEL" in error
    rule["times"] = 0
    await handle.signal("resume")
    await asyncio.wait_for(handle.result(), 60)
    record = await board.record(handle.id)
    assert (record.status, record.ended_by) == (MeetingStatus.COMPLETED, EndedBy.AGENDA)
    row = (await ledger(board, record.id))["agenda-1/discussion/-/1/dalio"]
    assert row.failures == 0
    assert all(t.status == "ok" for t in await transcript(board, record.id) if t.purpose == "discussion")


async def test_a_truncated_speech_is_kept_as_far_as_it_came_and_marked(board: House, messages: Messages) -> None:
    messages[1].faults.append(
        {"match": "/discussion/.*/dalio$", "fault": "text", "text": '{"thinking": "WHISPER", "speaking": "As far as'}
    )
    record = await board.hold("Should I walk more?")
    (turn,) = [t for t in await transcript(board, record.id) if t.purpose == "discussion" and t.member_id == "dalio"]
    assert (turn.text, turn.reading, turn.status) == ("As far as", "tolerant", "ok")


async def test_a_truncated_vote_without_its_choice_is_invalid(board: House, messages: Messages) -> None:
    messages[1].faults.append(
        {"match": "/vote/.*/dalio$", "fault": "text", "text": '{"thinking": "x", "speaking": "I shall", "vo'}
    )
    record = await board.hold("Should I walk more?")
    assert vote_of(record, "dalio") is Vote.INVALID
    assert record.motions[0].ballots[0].raw["dalio"] == "I shall"


async def test_malformed_json_is_read_where_it_is_positively_there(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/vote/", "fault": "malformed"})
    record = await board.hold("Should I walk more?")
    assert set(record.motions[0].ballots[0].votes.values()) <= {Vote.FOR, Vote.INVALID}
    assert record.status is MeetingStatus.COMPLETED


async def test_prose_votes_are_read_with_tolerance_and_the_meeting_warns(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/vote/", "fault": "prose_vote"})
    record = await board.hold("Should I walk more?")
    assert set(record.motions[0].ballots[0].votes.values()) == {Vote.AGAINST}
    assert record.motions[0].status is Disposition.LOST
    assert any("5 of 5 votes" in warning for warning in record.warnings)


async def test_a_refusal_is_recorded_as_one(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/(discussion|vote)/.*/dalio$", "fault": "refusal"})
    record = await board.hold("Should I walk more?")
    assert vote_of(record, "dalio") is Vote.INVALID
    (turn,) = [t for t in await transcript(board, record.id) if t.purpose == "discussion" and t.member_id == "dalio"]
    assert turn.status == "refused"


async def test_law_07_an_unclosed_whisper_is_heard_by_nobody(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/(discussion|debate|intro)/", "fault": "unclosed_whisper"})
    record = await board.hold("Should I walk more?")
    lines = await transcript(board, record.id)
    assert not any("WHISPER" in line.text or "Nor this" in line.text for line in lines)
    assert not any("WHISPER" in str(request) for request in messages[1].requests)
    async with board.store.read() as tx:
        assert any("must never be heard" in text for _, _, text in await turns.whispers(tx, record.id))


async def test_law_07_no_whisper_reaches_another_voice_or_the_live_words(board: House, messages: Messages) -> None:
    messages[1].delay = 0.05
    record = await board.hold("Should I walk more?")
    assert not any("WHISPER" in str(request) for request in messages[1].requests)
    async with board.store.read() as tx:
        rows = (await tx.execute(select(schema.live_events.c.text))).scalars().all()
    assert not any("WHISPER" in text for text in rows)
    assert record.motions[0].status is Disposition.ADOPTED


async def test_the_ledger_has_tokens_cached_apart_and_costs(board: House, messages: Messages) -> None:
    record = await board.hold("Should I walk more?")
    await board.client.get_workflow_handle(f"after-{record.id}").result()
    async with board.store.read() as tx:
        spent = await calls.spent(tx, record.id)
    made = 1 + 5 + 22 + 2 + sum("/-/executive_summary/" in id or "/-/secretary_review/" in id for id in messages[1].calls)
    assert spent.calls == made > 30
    assert (spent.input_tokens, spent.cache_read_tokens, spent.cache_write_tokens) == (900 * made, 400 * made, 100 * made)
    assert spent.cost_microusd > 0 or spent.unpriced == made


async def test_law_05_a_slow_call_renews_its_lease_and_is_made_once(board: House, messages: Messages) -> None:
    messages[1].faults.append({"match": "/vote/.*/dalio$", "fault": None, "delay": 4.0})
    record = await board.hold("Should I walk more?", rules={"heartbeat": 1.0})
    assert messages[1].count()[f"{record.id}/agenda-1/vote/-/1/dalio"] == 1
