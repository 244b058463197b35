"""Notices through everything: a real meeting on a real server tells a real mail server and a real webhook of its moments."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus

from activities.notices.composing import REPEATED, SIMULATED
from clerk import erasing, preparing, running
from clerk.preparing import CreateRequest
from parliament.values import MeetingStatus
from records import notices
from records.notices import NoticeRow
from tests.support.mailbox import Mailbox, mailbox
from tests.support.meetings import House, agenda, connect
from tests.support.meetings import house as whole_house
from tests.support.messages_service import Behaviour
from tests.support.peers import Peer, peer
from tests.support.told import COURSES, GIVEN_UP, HISTORIES, PREFIX, given_up
from tests.workflows.conftest import anthropic_house
from workflows.messages import NOTICE

CANARY = "my zebrafish biopsy"
SECRET = "whsec-CANARY-0123456789"


@pytest.fixture
async def mail() -> AsyncIterator[Mailbox]:
    async with mailbox() as found:
        yield found


@pytest.fixture
async def hook() -> AsyncIterator[Peer]:
    async with peer() as found:
        yield found


def webhook(hook: Peer) -> dict[str, Any]:
    return {
        "webhook_url": f"http://127.0.0.1:{hook.port}/board?key=CANARY-key",
        "webhook_secret": SECRET,
        "webhook_allowed_hosts": f"127.0.0.1:{hook.port}",
    }


async def told(board: House, meeting_id: str | None = None) -> list[NoticeRow]:
    async with board.store.read() as tx:
        return await notices.listing(tx, meeting_id)


async def settled(board: House, meeting_id: str) -> list[NoticeRow]:
    """The notices of a meeting once all that were begun have come to their end."""

    async def check() -> list[NoticeRow] | None:
        found = await told(board, meeting_id)
        return found if found and all(row.state in ("sent", "failed") for row in found) else None

    found = await board.until(check, "the notices")
    assert isinstance(found, list)
    return found


async def ended(board: House, meeting_id: str) -> list[NoticeRow]:
    """The same, of a meeting that is over."""
    await running.closed(board.client, meeting_id)
    found = await settled(board, meeting_id)
    assert "meeting_ended" in {row.kind for row in found}
    return found


def house(server: str, data_dir: Path, **overrides: Any) -> Any:
    """A house without a secretary: her notices are tested with her work."""
    return whole_house(server, data_dir, secretary=False, **overrides)


async def status(board: House, meeting_id: str, wanted: MeetingStatus) -> None:
    async def there() -> bool:
        return (await board.record(meeting_id)).status is wanted

    await board.until(there, wanted.value)


async def test_a_meeting_tells_its_start_each_resolution_and_its_end_once(
    server: str, tmp_path: Path, mail: Mailbox, hook: Peer, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(server, tmp_path, **mail.settings, **webhook(hook)) as board:
        record = await board.hold(agenda(f"Should I have {CANARY}?", "Should I walk more?"), name=f"On {CANARY}")
        rows = await ended(board, record.id)
        ids = {f"{record.id}/meeting_started", f"{record.id}/meeting_ended"}
        ids |= {f"{record.id}/resolution/{resolution.id}" for resolution in record.resolutions}
        assert len(ids) >= 3
        assert Counter((row.id, row.channel, row.state, row.attempts) for row in rows) == Counter(
            (id_, channel, "sent", 1) for id_ in ids for channel in ("mail", "webhook")
        )
        # Law 15: nothing of it in Temporal but ids.
        for id_ in ids:
            history = await board.client.get_workflow_handle(f"notice-{id_}").fetch_history()
            raw = b"".join(event.SerializeToString() for event in history.events)
            assert b"zebrafish" not in raw and b"CANARY" not in raw and len(raw) < 5000
    posted = [json.loads(request.body) for request in hook.requests]
    assert Counter(one["id"] for one in posted) == dict.fromkeys(ids, 1)
    assert len(mail.mails) == len(mail.ids()) == len(ids)
    everything = mail.text() + "".join(f"{request.line}{request.headers}{request.body!r}" for request in hook.requests)
    assert "zebrafish" not in everything and SECRET not in everything
    assert all(SIMULATED in str(one.get_content()) and "simulated" in str(one["Subject"]) for one in mail.mails)  # law 14
    assert all(SIMULATED in one["text"] and one["simulated"] for one in posted)
    assert REPEATED not in mail.text()
    adopted = sum(motion.kind == "main" and motion.status == "adopted" for motion in record.motions)
    assert mail.subjects()["Boardroom (simulated): The board has adopted a resolution"] == adopted
    last = next(str(one.get_content()) for one in mail.mails if str(one["Subject"]).endswith("adjourned"))
    assert f"{adopted or 'No'} resolution" in last
    assert "CANARY" not in caplog.text and "CANARY" not in repr(rows)


async def test_details_reach_mail_and_never_the_webhook(server: str, tmp_path: Path, mail: Mailbox, hook: Peer) -> None:
    settings = {**mail.settings, **webhook(hook), "notice_details": True, "public_url": "https://board.example.org"}
    async with house(server, tmp_path, **settings) as board:
        record = await board.hold(f"Should I have {CANARY}?")
        await ended(board, record.id)
    by_kind = {one["X-Boardroom-Notice"]: str(one.get_content()) for one in mail.mails}
    assert all(f"https://board.example.org/api/v1/board/meetings/{record.id}" in text for text in by_kind.values())
    assert any(f"Topic: Should I have {CANARY}?" in text for text in by_kind.values())
    assert all("zebrafish" not in str(one["Subject"]) for one in mail.mails)
    assert len(hook.requests) >= 3
    assert not any(b"zebrafish" in request.body for request in hook.requests)


async def test_nobody_is_told_where_no_channel_is_set_up(server: str, tmp_path: Path) -> None:
    async with house(server, tmp_path) as board:
        record = await board.hold("Should I walk more?")
        history = await board.client.get_workflow_handle(record.id).fetch_history()
        assert not any(
            event.start_child_workflow_execution_initiated_event_attributes.workflow_type.name == NOTICE
            for event in history.events
        )
        assert await told(board) == []


async def test_each_halt_is_told_and_what_follows_too(
    server: str, tmp_path: Path, messages: tuple[str, Behaviour], mail: Mailbox
) -> None:
    url, behaviour = messages
    behaviour.faults.append({"match": "/discussion/", "fault": "401"})
    async with anthropic_house(server, tmp_path, url, secretary=False, **mail.settings) as board:
        handle = await board.open("Should I walk more?")
        for halts in (1, 2):

            async def halted(halts: int = halts) -> bool:
                return sum(row.kind == "meeting_failed" and row.state == "sent" for row in await told(board)) == halts

            await board.until(halted, f"halt {halts} is told")
            await status(board, handle.id, MeetingStatus.FAILED)
            if halts == 2:
                behaviour.faults.clear()
            await handle.signal("resume")
        await asyncio.wait_for(handle.result(), 60)
        kinds = Counter(row.kind for row in await ended(board, handle.id))
    assert kinds == {"meeting_started": 1, "meeting_failed": 2, "resolution": 1, "meeting_ended": 1}
    assert len(mail.mails) == len(mail.ids()) == 5
    assert mail.subjects()["Boardroom: A meeting of the board waits"] == 2


async def test_a_lost_quorum_is_told(server: str, tmp_path: Path, messages: tuple[str, Behaviour], mail: Mailbox) -> None:
    url, behaviour = messages
    behaviour.faults.append({"match": "/vote/-/1/(roosevelt|dalio|davinci|musk|jobs|rogers)$", "fault": "400"})
    async with anthropic_house(server, tmp_path, url, secretary=False, **mail.settings) as board:
        handle = await board.open("Should I walk more?")
        await status(board, handle.id, MeetingStatus.QUORUM_LOST)
        await handle.signal("resume")
        await asyncio.wait_for(handle.result(), 60)
        await ended(board, handle.id)
    assert mail.subjects()["Boardroom: The board has lost its quorum"] == 1


async def test_an_agenda_that_waits_is_told_each_time_and_that_it_was_dropped_once(
    server: str, tmp_path: Path, mail: Mailbox
) -> None:
    async with house(server, tmp_path, **mail.settings) as board:
        deadline = datetime.now(UTC) + timedelta(seconds=0.2)
        made = []
        for policy in ("remind", "drop"):
            settings = board.settings.model_copy(update={"on_review_deadline": policy, "remind_every": 0.3})
            request = CreateRequest(agenda=agenda(f"Should I have {CANARY}?"), provider="simulated", review_deadline=deadline)
            made.append(await preparing.create(board.client, board.store, settings, request))
        waiting, dropped = made

        async def reminded() -> bool:
            return sum(row.state == "sent" for row in await told(board, waiting)) >= 2

        await board.until(reminded, "two reminders")
        assert [(row.kind, row.state) for row in await settled(board, dropped)] == [("meeting_dropped", "sent")]
        refs = [row.ref for row in await told(board, waiting)]
        assert sorted(refs, key=int)[:2] == ["1", "2"] and len(set(refs)) == len(refs)  # type: ignore[arg-type]
        await preparing.approve(board.client, board.store, waiting)
        await preparing.start(board.client, board.store, board.settings, waiting)
        await asyncio.wait_for(board.client.get_workflow_handle(waiting).result(), 60)
        kinds = Counter(row.kind for row in await ended(board, waiting))
        assert kinds["meeting_started"] == kinds["resolution"] == kinds["meeting_ended"] == 1
    texts = [str(one.get_content()) for one in mail.mails]
    assert sum("This is reminder 2." in text for text in texts) == 1
    assert "zebrafish" not in mail.text()
    assert len(mail.mails) == len(mail.ids())


async def test_a_mail_server_that_comes_back_gets_each_notice_once_and_the_meeting_does_not_wait(
    server: str, tmp_path: Path, mail: Mailbox, hook: Peer
) -> None:
    mail.answer = "451 not now, CANARY"
    async with house(server, tmp_path, **mail.settings, **webhook(hook)) as board:
        record = await board.hold("Should I walk more?")
        assert record.status is MeetingStatus.COMPLETED and mail.mails == []

        async def refused() -> bool:
            rows = [row for row in await told(board, record.id) if row.channel == "mail"]
            return len(rows) == len(record.resolutions) + 2 and all(row.state == "open" for row in rows)

        await board.until(refused, "the refusals are on the record")
        troubles = {row.trouble for row in await told(board, record.id) if row.channel == "mail"}
        assert troubles == {"The mail server answered 451 and did not take the notice."}
        mail.answer = "250 taken"
        rows = await ended(board, record.id)
    assert {row.state for row in rows} == {"sent"}
    assert len(mail.mails) == len(mail.ids()) == len(record.resolutions) + 2
    assert REPEATED not in mail.text()  # it was refused: it certainly had not arrived
    assert len(hook.requests) == len(record.resolutions) + 2  # a channel that has it gets it no second time


async def test_a_deleted_meeting_tells_nothing_more(server: str, tmp_path: Path, mail: Mailbox) -> None:
    mail.answer = "451 not now"
    async with house(server, tmp_path, **mail.settings) as board:
        record = await board.hold("Should I walk more?")

        async def waits() -> bool:
            return len(await told(board, record.id)) == len(record.resolutions) + 2

        await board.until(waits, "all notices wait")
        await asyncio.wait_for(board.client.get_workflow_handle(record.id).result(), 10)
        await erasing.delete(board.client, board.store, record.id)
        refused, mail.answer = mail.refused, "250 taken"
        assert await told(board) == []

        async def gone() -> bool:
            query = f"WorkflowId STARTS_WITH 'notice-{record.id}/'"
            return [found async for found in board.client.list_workflows(query)] == []

        await board.until(gone, "the notices' workflows are gone")
        await asyncio.sleep(3)  # longer than their next attempt was away
        assert mail.mails == [] and await told(board) == [] and mail.refused <= refused + 1


async def test_what_no_attempt_can_mend_is_given_up_at_once(server: str, tmp_path: Path, mail: Mailbox) -> None:
    mail.answer = "554 no"
    async with house(server, tmp_path, **mail.settings) as board:
        record = await board.hold("Should I walk more?")
        rows = await ended(board, record.id)
        found = await board.client.get_workflow_handle(f"notice-{record.id}/meeting_ended").describe()
        assert found.status is WorkflowExecutionStatus.COMPLETED
    assert {(row.state, row.attempts) for row in rows} == {("failed", 1)}
    assert {row.trouble for row in rows} == {"The mail server answered 554 and did not take the notice."}


async def test_a_notice_that_no_attempt_delivers_ends_and_says_so(server: str) -> None:
    _, said = await given_up(await connect(server))
    assert said is False


def test_the_histories_of_what_is_told_are_committed_and_hold_ids_alone() -> None:
    children = "startChildWorkflowExecutionInitiatedEventAttributes"
    told_of: dict[str, list[str]] = {}
    for name in (*COURSES, GIVEN_UP):
        file = HISTORIES / f"{PREFIX}{name}.json"
        assert file.is_file(), "record them with python -m tests.support.told"
        text = file.read_text()
        assert "walk" not in text and "example.org" not in text
        begun = [event[children]["workflowId"] for event in json.loads(text)["events"] if children in event]
        told_of[name] = ["/".join(id_.split("/")[1:2]) for id_ in begun]
    assert told_of == {
        "notice": [],
        "meeting": ["meeting_started", "quorum_lost", "resolution", "meeting_ended"],
        "preparation": ["meeting_dropped"],
        "given_up": [],
    }
