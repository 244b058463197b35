"""Starting, pausing, resuming and speaking, against a real Temporal server; the errors say which of three things is wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from sqlalchemy import select
from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.service import RPCError

from clerk import running
from clerk.errors import DeskError
from clerk.opening import OpenRequest, open_meeting
from parliament.agenda import agenda_from_topics
from parliament.values import MeetingStatus
from records import schema
from records.engine import Store
from settings import Settings
from stack import data_converter
from tests.support.meetings import connect

pytestmark = pytest.mark.server

AGENDA = agenda_from_topics(["Should I take the job in Lisbon?"])


@pytest.fixture
async def client(server: str) -> Client:
    return await connect(server)


@pytest.fixture
async def meeting_id(client: Client, store: Store, settings: Settings) -> AsyncIterator[str]:
    found = (await open_meeting(store, settings, OpenRequest(agenda=AGENDA, seed=7))).meeting_id
    yield found
    handle = client.get_workflow_handle(found)
    with suppress(RPCError):  # it was never started
        await handle.terminate()


async def signals(client: Client, meeting_id: str) -> list[str]:
    history = await client.get_workflow_handle(meeting_id).fetch_history()
    return [
        event.workflow_execution_signaled_event_attributes.signal_name
        for event in history.events
        if event.HasField("workflow_execution_signaled_event_attributes")
    ]


async def test_a_meeting_is_started_under_its_own_id_on_its_stores_queue(
    client: Client, store: Store, settings: Settings, meeting_id: str
) -> None:
    await running.start(client, store, settings, meeting_id)
    found = await client.get_workflow_handle(meeting_id).describe()
    assert found.status is WorkflowExecutionStatus.RUNNING
    assert found.task_queue == f"boardroom-{store.store_id}"
    assert found.workflow_type == "BoardMeeting"
    assert found.typed_search_attributes[running.KIND] == "board"
    assert found.typed_search_attributes[running.STATUS] == "prepared"


async def test_starting_twice_starts_one(client: Client, store: Store, settings: Settings, meeting_id: str) -> None:
    await running.start(client, store, settings, meeting_id)
    first = (await client.get_workflow_handle(meeting_id).describe()).run_id
    await running.start(client, store, settings, meeting_id)
    assert (await client.get_workflow_handle(meeting_id).describe()).run_id == first


async def test_law_15_topics_are_in_temporal_only_where_they_may_be_shown(
    client: Client, store: Store, settings: Settings, meeting_id: str
) -> None:
    await running.start(client, store, settings, meeting_id)
    handle = client.get_workflow_handle(meeting_id)
    assert "Lisbon" not in str(await handle.fetch_history())
    assert await (await handle.describe()).static_summary() == "Board meeting — 1 item"
    shown = (await open_meeting(store, settings, OpenRequest(agenda=AGENDA))).meeting_id
    await running.start(client, store, settings, shown, titles=True)
    handle = client.get_workflow_handle(shown)
    assert await (await handle.describe()).static_summary() == "Should I take the job in Lisbon?"
    await handle.terminate()
    never = settings.model_copy(update={"titles_in_temporal": False})
    hidden = (await open_meeting(store, never, OpenRequest(agenda=AGENDA))).meeting_id
    await running.start(client, store, never, hidden, titles=True)
    assert "Lisbon" not in str(await client.get_workflow_handle(hidden).fetch_history())
    await client.get_workflow_handle(hidden).terminate()


async def test_what_is_said_is_in_the_store_and_only_its_id_in_temporal(
    client: Client, store: Store, settings: Settings, meeting_id: str
) -> None:
    await running.start(client, store, settings, meeting_id)
    first = await running.say(client, store, meeting_id, "  Think of the taxes\x1b  ", input_id="inp-1")
    assert await running.say(client, store, meeting_id, "Think of the taxes\x1b", input_id="inp-1") == first
    async with store.read() as tx:
        rows = list(await tx.execute(select(schema.user_inputs)))
    assert [(row.id, row.text, row.taken_up_seq) for row in rows] == [("inp-1", "Think of the taxes␛", None)]
    assert "taxes" not in str(await client.get_workflow_handle(meeting_id).fetch_history())
    for wrong, said in (("  \u200b", "nothing to say"), ("x" * 9000, "shorten it")):
        with pytest.raises(DeskError, match=said) as raised:
            await running.say(client, store, meeting_id, wrong)
        assert raised.value.usage


async def test_pause_and_resume_need_no_worker(client: Client, store: Store, settings: Settings, meeting_id: str) -> None:
    await running.start(client, store, settings, meeting_id)
    await running.pause(client, store, meeting_id)
    await running.resume(client, store, settings, meeting_id)
    assert await signals(client, meeting_id) == ["pause", "resume"]


async def test_what_only_the_workflow_knows_needs_a_worker_and_the_error_says_so(
    client: Client, store: Store, settings: Settings, meeting_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "ANSWER", running.ANSWER / 10)
    await running.start(client, store, settings, meeting_id)
    with pytest.raises(DeskError, match="No worker answers"):
        await running.whereabouts(client, store, meeting_id)


async def test_resume_starts_a_meeting_whose_process_died_between_opening_and_starting(
    client: Client, store: Store, settings: Settings, meeting_id: str
) -> None:
    with pytest.raises(DeskError, match="never started"):
        await running.pause(client, store, meeting_id)
    await running.resume(client, store, settings, meeting_id)
    assert (await client.get_workflow_handle(meeting_id).describe()).status is WorkflowExecutionStatus.RUNNING


async def test_unknown_over_and_lost_meetings_are_told_apart(
    client: Client, store: Store, settings: Settings, meeting_id: str
) -> None:
    for call in (
        running.pause(client, store, "mtg-00000000"),
        running.resume(client, store, settings, "mtg-00000000"),
        running.say(client, store, "mtg-00000000", "hello"),
    ):
        with pytest.raises(DeskError, match="There is no meeting mtg-00000000"):
            await call
    with pytest.raises(DeskError, match="is not a meeting id"):
        await running.start(client, store, settings, "../x")

    async def stand(status: MeetingStatus) -> None:
        async with store.write() as tx:
            await tx.execute(schema.meetings.update().where(schema.meetings.c.id == meeting_id).values(status=status.value))

    await stand(MeetingStatus.IN_PROGRESS)
    with pytest.raises(DeskError, match="the Temporal server does not run it"):
        await running.pause(client, store, meeting_id)
    await stand(MeetingStatus.COMPLETED)
    for call in (
        running.resume(client, store, settings, meeting_id),
        running.say(client, store, meeting_id, "hello"),
        running.pause(client, store, meeting_id),
    ):
        with pytest.raises(DeskError, match="is over"):
            await call


async def test_a_server_that_does_not_answer_is_told_in_time(store: Store, settings: Settings) -> None:
    opened = await open_meeting(store, settings, OpenRequest(agenda=AGENDA))
    nowhere = await Client.connect("127.0.0.1:9", lazy=True, data_converter=data_converter)
    with pytest.raises(DeskError, match="does not answer"):
        await running.start(nowhere, store, settings, opened.meeting_id)
