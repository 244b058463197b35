"""`kill -9` between the sending of a notice and its record: each arrives once, or the second says that it may be a repeat."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowHandle

from activities.notices.composing import REPEATED
from clerk import opening, running
from records import notices
from records.engine import Store
from records.notices import NoticeRow
from settings import Settings
from tests.support import crashing
from tests.support.crashing import Processes, Server, environment
from tests.support.mailbox import Mailbox, mailbox
from tests.support.meetings import agenda, connect

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(240)]


@dataclass
class Post:
    """A Temporal server, a mail server, a store, and worker processes that come and go."""

    folder: Path
    server: Server
    mail: Mailbox
    processes: Processes
    store: Store
    settings: Settings
    client: Client

    def worker(self, **hold: str) -> subprocess.Popen[Any]:
        env = environment(
            self.folder / "data", "-", TEMPORAL_ADDRESS=self.server.address, BOARDROOM_PROVIDER="simulated",
            **self.mail.environment, **hold,
        )  # fmt: skip
        return self.processes.start(["worker"], env)

    async def open(self) -> WorkflowHandle[Any, Any]:
        request = opening.OpenRequest(agenda=agenda("Should I walk more?"), seed=7, provider="simulated")
        opened = await opening.open_meeting(self.store, self.settings, request)
        await running.start(self.client, self.store, self.settings, opened.meeting_id)
        return self.client.get_workflow_handle(opened.meeting_id)

    async def settled(self, meeting_id: str, count: int) -> list[NoticeRow]:
        while True:
            async with self.store.read() as tx:
                found = await notices.listing(tx, meeting_id)
            if len(found) == count and all(row.state == "sent" for row in found):
                return found
            await asyncio.sleep(0.2)


@pytest.fixture
async def post(tmp_path: Path) -> AsyncIterator[Post]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(tmp_path / "temporal.db", port)
    server.start()
    async with mailbox() as mail:
        with crashing.processes() as started:
            settings = Settings(
                data_dir=tmp_path / "data", provider="simulated", health_check=False, secretary=False, **mail.settings
            )
            client = await connect(server.address)
            store = await Store.open(None, settings.data_dir)
            try:
                yield Post(tmp_path, server, mail, started, store, settings, client)
            finally:
                await store.close()
                started.end()
                server.kill()


@pytest.mark.parametrize(
    "nth",
    [
        pytest.param(1, id="the-first", marks=pytest.mark.chaos_ci),
        pytest.param(2, id="a-resolution"),
        pytest.param(3, id="the-last"),
    ],
)
async def test_the_worker_is_killed_between_send_and_record(post: Post, nth: int) -> None:
    worker = post.worker(BOARDROOM_HOLD_AT=f"notice_sent:{nth}", BOARDROOM_HOLD_DIR=str(post.folder))
    handle = await post.open()
    assert await crashing.reached(post.folder, "notice_sent") == worker.pid
    worker.kill()
    worker.wait(20)
    async with post.store.read() as tx:
        assert "sending" in {row.state for row in await notices.listing(tx, handle.id)}
    before = len(post.mail.mails)
    assert before == nth
    post.worker()
    await asyncio.wait_for(handle.result(), 90)
    rows = await asyncio.wait_for(post.settled(handle.id, 3), 120)
    arrived = post.mail.ids()
    assert len(arrived) == 3
    # The notice that was sent and not recorded comes a second time, under its own id, and says so; nothing else does.
    assert Counter(arrived.values()) == {1: 2, 2: 1}
    repeated = [mail for mail in post.mail.mails if REPEATED in str(mail.get_content())]
    assert [mail["X-Boardroom-Possibly-Repeated"] for mail in repeated] == ["yes"]
    assert arrived[str(repeated[0]["Message-ID"])] == 2
    assert post.mail.mails.index(repeated[0]) >= before
    assert sum(row.possibly_repeated for row in rows) == 1


async def test_the_temporal_server_is_killed_while_notices_wait(post: Post) -> None:
    post.mail.answer = "451 not now"
    post.worker()
    handle = await post.open()
    await asyncio.wait_for(handle.result(), 90)
    post.server.kill()
    post.server.start()
    post.mail.answer = "250 taken"
    await asyncio.wait_for(post.settled(handle.id, 3), 150)
    assert len(post.mail.ids()) == 3
    # It had refused them all, so what came after the server was back came once, or says that it may be a repetition.
    twice = [id_ for id_, count in post.mail.ids().items() if count > 1]
    said = [str(mail["Message-ID"]) for mail in post.mail.mails if REPEATED in str(mail.get_content())]
    assert set(twice) <= set(said)
