"""The courses of notices whose histories are committed: a notice's own, and those of meetings that tell of themselves.

python -m tests.support.told        # records them anew into tests/histories (until the first release; say why)
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from temporalio import activity
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.worker import Worker

import worker
from activities import interface as act
from clerk import preparing, running
from clerk.preparing import CreateRequest
from parliament.values import MeetingStatus
from tests.support.mailbox import Mailbox, mailbox
from tests.support.meetings import House, agenda, connect, house, temporal_server
from tests.support.messages_service import KEY, Behaviour, served
from workflows.messages import NOTICE, NoticeInput
from workflows.notice import Notice

HISTORIES = Path(__file__).parents[1] / "histories"
PREFIX = "told_"


async def given_up(client: Client) -> tuple[str, bool]:
    """A notice whose delivery ends without success: its workflow's id, and what it said."""

    @activity.defn(name=act.DELIVER_NOTICE)
    async def deliver_notice(_: act.Delivery) -> None:
        raise ApplicationError("mail: The mail server could not be reached.", type="NotDelivered", non_retryable=True)

    queue, id_ = f"q-{uuid4().hex[:8]}", f"notice-test/{uuid4().hex[:8]}"
    runner = worker.workflow_runner()
    async with Worker(client, task_queue=queue, workflows=[Notice], activities=[deliver_notice], workflow_runner=runner):
        said = await client.execute_workflow(
            NOTICE, NoticeInput(id="test", kind="test"), id=id_, task_queue=queue, result_type=bool
        )
    return id_, said


async def _notice(board: House, _: Behaviour, __: Mailbox) -> str:
    handle = await board.open("Should I walk more?")
    await asyncio.wait_for(handle.result(), 60)
    await running.closed(board.client, handle.id)
    return f"notice-{handle.id}/meeting_ended"


async def _halted(board: House, behaviour: Behaviour, _: Mailbox) -> str:
    """A meeting that tells of its start, of a lost quorum, of its resolution and of its end."""
    behaviour.faults.append({"match": "/vote/-/1/(roosevelt|dalio|davinci|musk|jobs|rogers)$", "fault": "400"})
    handle = await board.open("Should I walk more?")

    async def lost() -> bool:
        return (await board.record(handle.id)).status is MeetingStatus.QUORUM_LOST

    await board.until(lost, "the quorum is lost")
    await handle.signal("resume")
    await asyncio.wait_for(handle.result(), 60)
    await running.closed(board.client, handle.id)
    return handle.id


async def _dropped(board: House, _: Behaviour, mail: Mailbox) -> str:
    """An agenda that nobody approves: the person is told that its meeting was dropped."""
    settings = board.settings.model_copy(update={"on_review_deadline": "drop"})
    request = CreateRequest(
        agenda=agenda("Should I walk more?"), provider="anthropic", review_deadline=datetime.now(UTC) + timedelta(seconds=0.3)
    )
    meeting = await preparing.create(board.client, board.store, settings, request)

    async def told() -> bool:
        return bool(mail.mails)

    await board.until(told, "the notice")
    return meeting


COURSES: dict[str, Callable[[House, Behaviour, Mailbox], Awaitable[str]]] = {
    "notice": _notice,
    "meeting": _halted,
    "preparation": _dropped,
}
GIVEN_UP = "given_up"


async def _keep(client: Client, name: str, workflow_id: str) -> None:
    history = await client.get_workflow_handle(workflow_id).fetch_history()
    file = HISTORIES / f"{PREFIX}{name}.json"
    file.write_text(history.to_json().replace(str(HISTORIES.parents[1]), "boardroom") + "\n")
    print(file.name, len(history.events))


async def _record() -> None:
    with temporal_server() as address:
        for name, course in COURSES.items():
            with served() as (url, behaviour), tempfile.TemporaryDirectory() as folder:
                async with mailbox() as mail:
                    settings: dict[str, Any] = {
                        "provider": "anthropic", "designated_dissenter": False, "ANTHROPIC_API_KEY": KEY,
                        "ANTHROPIC_BASE_URL": url, **mail.settings,
                    }  # fmt: skip
                    async with house(address, Path(folder), **settings) as board:
                        await _keep(board.client, name, await course(board, behaviour, mail))
        client = await connect(address)
        await _keep(client, GIVEN_UP, (await given_up(client))[0])


if __name__ == "__main__":
    asyncio.run(_record())
