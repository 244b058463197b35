"""`kill -9` between any two steps of the work after a meeting: one summary, one review, one mail, one set of items."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from clerk import opening, running
from parliament.triage import Bucket
from records import schema
from records.engine import Store
from settings import Settings
from tests.support import crashing
from tests.support.crashing import Server, environment
from tests.support.mailbox import mailbox
from tests.support.meetings import agenda, connect

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(240)]

SEED = 3
TOPICS = ("Should I walk more?", "Should I schedule a check-in?", "Should I sell the car?")
POINTS = (
    "ledger_settled", "summary_checked", "summary_written", "items_done", "review_written", "tasks_pushed",
    "tasks_file_written", "notice_sent",
)  # fmt: skip


async def rows(store: Store, table: Any) -> list[Any]:
    async with store.read() as tx:
        return list((await tx.execute(select(table))).all())


@pytest.mark.parametrize(
    "point",
    [pytest.param(p, marks=pytest.mark.chaos_ci if p == "items_done" else ()) for p in POINTS],
)
async def test_killed_after_this_step_everything_is_there_once(tmp_path: Path, point: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(tmp_path / "temporal.db", port)
    server.start()
    file = tmp_path / "todo.txt"
    async with mailbox() as mail:
        with crashing.processes() as started:
            settings = Settings(
                data_dir=tmp_path / "data", provider="simulated", health_check=False, secretary=True, **mail.settings
            )
            client = await connect(server.address)
            store = await Store.open(None, settings.data_dir)
            env = environment(
                settings.data_dir, "-", TEMPORAL_ADDRESS=server.address, BOARDROOM_PROVIDER="simulated",
                BOARDROOM_SECRETARY="true", BOARDROOM_TASKS_FILE=str(file), BOARDROOM_TASKS_OWNERS="all",
                **mail.environment,
            )  # fmt: skip
            try:
                # The notices of the meeting itself come before that of its review.
                nth = 2 + len(TOPICS) + 1 if point == "notice_sent" else 1
                hold = {"BOARDROOM_HOLD_AT": f"{point}:{nth}", "BOARDROOM_HOLD_DIR": str(tmp_path)}
                worker = started.start(["worker"], env | hold)
                request = opening.OpenRequest(agenda=agenda(*TOPICS), seed=SEED, provider="simulated")
                opened = await opening.open_meeting(store, settings, request)
                await running.start(client, store, settings, opened.meeting_id)
                assert await crashing.reached(tmp_path, point) == worker.pid
                worker.kill()
                worker.wait(20)
                started.start(["worker"], env)
                after = client.get_workflow_handle(f"after-{opened.meeting_id}")
                counts = await asyncio.wait_for(after.result(), 120)
                await asyncio.wait_for(client.get_workflow_handle(f"notice-{opened.meeting_id}/review").result(), 120)

                (summary,) = await rows(store, schema.summaries)
                (review,) = await rows(store, schema.reviews)
                items = await rows(store, schema.action_items)
                changes = await rows(store, schema.action_changes)
                calls = Counter(row.purpose for row in await rows(store, schema.calls))
                assert summary.source == "model"
                everywhere = [entry["id"] for bucket in Bucket for entry in review.content[bucket.value]]
                assert sorted(everywhere) == sorted(item.id for item in items)
                assert counts == [len(review.content[bucket.value]) for bucket in Bucket]
                assert {item.id for item in items if item.status == "done"} == {
                    entry["id"] for entry in review.content["did_it"]
                }
                assert Counter(change.kind for change in changes) == Counter(
                    {"added": len(items), "completed": len(review.content["did_it"])}
                )
                assert (calls["executive_summary"], calls["secretary_review"]) == (1, 1)  # nothing was bought twice
                # What was done before it was ever pushed is nobody else's affair.
                pending = sorted(item.id for item in items if item.status == "pending")
                pushed = [line.rpartition("id:")[2] for line in file.read_text().splitlines() if not line.startswith("x ")]
                assert sorted(pushed) == pending
                reviews = [one for one in mail.mails if str(one["Subject"]).endswith("The secretary's review is there")]
                assert len({str(one["Message-ID"]) for one in reviews}) == 1
                assert len(reviews) == 1 or any(one["X-Boardroom-Possibly-Repeated"] == "yes" for one in reviews)
            finally:
                await store.close()
                started.end()
                server.kill()
