"""Without a worker what needs one is 503 and says so, soon; nothing is lost."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from records import motions, papers, summaries
from records.engine import Store
from settings import Settings
from tests.api.conftest import BOARD, Door, opened
from tests.support import stores
from tests.support.meetings import connect

MEETING = "mtg-00000001"
RESOLUTION = f"RES-{MEETING}-1"

pytestmark = pytest.mark.server


@pytest.fixture
async def idle(server: str, store: Store, settings: Settings) -> AsyncIterator[Door]:
    """A Temporal server, a store with a meeting that is over, and nobody who works."""

    async def write(tx: Any) -> None:
        await stores.create_meeting(tx, MEETING, status="completed", ended_by="agenda", config=_config())
        motion = f"MOT-{MEETING}-agenda-1"
        await motions.add(
            tx, id=motion, meeting_id=MEETING, item_id="agenda-1", kind="main", text="RESOLVED, That it be done.",
            mover="dalio", status="adopted", created_at=stores.NOW,
        )  # fmt: skip
        await papers.add_resolution(
            tx, id=RESOLUTION, meeting_id=MEETING, item_id="agenda-1", motion_id=motion, topic="It", created_at=stores.NOW
        )

    await store.run(write)
    async with opened(await connect(server), store, settings) as door:
        yield door


def _config() -> dict[str, Any]:
    return {"members": [stores.member("aurelius", "Marcus Aurelius"), stores.member("dalio", "Ray Dalio")], "rules": {}}


async def test_an_answer_and_a_summary_wait_for_a_worker(idle: Door) -> None:
    async with idle.http() as http:
        began = time.monotonic()
        answer = await http.post(f"{BOARD}/resolutions/{RESOLUTION}/respond", json={"response": "accept"})
        assert (answer.status_code, "boardroom up" in answer.json()["detail"]) == (503, True)
        summary = await http.get(f"{BOARD}/meetings/{MEETING}/summary")
        assert (summary.status_code, "boardroom up" in summary.json()["detail"]) == (503, True)
        assert time.monotonic() - began < 40
        assert (await http.get(f"{BOARD}/resolutions/{RESOLUTION}")).json()["user_response"] is None
    assert await idle.store.look(lambda tx: summaries.latest(tx, MEETING)) is None
