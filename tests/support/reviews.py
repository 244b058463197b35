"""Proposal reviews in tests: opened and held like a team's, and the courses whose histories are committed.

python -m tests.support.reviews        # records them anew into tests/histories (until the first release; say why)
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from clerk import reviews
from clerk.reviews import Opened, Proposal, ReviewRequest, Stand
from tests.support.meetings import House, house, temporal_server

EXAMPLES = Path(__file__).parents[2] / "examples" / "proposals"
PAYMENTS, LOYALTY, TOKENS = (EXAMPLES / name for name in ("payments_api.md", "loyalty_app.md", "session_tokens.diff"))
SEED = 4
HISTORIES = Path(__file__).parents[1] / "histories"
PREFIX = "review_"
SPLIT = "silent:ca:final_vote,silent:cpo:final_vote,silent:coo:final_vote"
"""Faults that leave the payments proposal without a majority: two approve, three do not reply."""


def proposal(*files: Path) -> tuple[Proposal, ...]:
    return tuple(Proposal(file.name, file.read_text(encoding="utf-8")) for file in files)


async def opened(board: House, *files: Path, **request: Any) -> Opened:
    """Open and start a review."""
    asked = {"documents": proposal(*files), "seed": SEED, "provider": board.settings.provider} | request
    found = await reviews.open_review(board.store, board.settings, reviews.plan(board.settings, ReviewRequest(**asked)))
    await reviews.start(board.client, board.store, board.settings, found.meeting_id)
    return found


async def reviewed(board: House, *files: Path, **request: Any) -> Stand:
    """Hold a review until it is over, or waits for a person."""
    found = await opened(board, *files, **request)

    async def resolved() -> Stand | None:
        stand = await reviews.stand(board.store, found.meeting_id, request.get("owner", "shareholder"))
        return stand if stand.session.outcome is not None else None

    stand: Stand = await board.until(resolved, "a result", 60)
    if stand.status != "escalated":
        await asyncio.wait_for(board.client.get_workflow_handle(found.meeting_id).result(), 30)
        stand = await reviews.stand(board.store, found.meeting_id, request.get("owner", "shareholder"))
    return stand


async def _approved(board: House) -> str:
    return (await reviewed(board, PAYMENTS)).session.meeting_id


async def _rejected(board: House) -> str:
    return (await reviewed(board, LOYALTY, rounds=1)).session.meeting_id


async def _decided(board: House) -> str:
    stand = await reviewed(board, PAYMENTS, faults=SPLIT)
    await reviews.decide(
        board.client, board.store, stand.session.session_id, "approve", "It is worth it, said nobody in Temporal."
    )
    await board.client.get_workflow_handle(stand.session.meeting_id).result()
    return stand.session.meeting_id


async def _undecided(board: House) -> str:
    """Nobody decides within the time: half a second here, with a reminder on the way."""
    board.settings = board.settings.model_copy(update={"escalation_days": 2 / 86400, "escalation_reminder_days": 1 / 86400})
    stand = await reviewed(board, PAYMENTS, faults=SPLIT)
    await board.client.get_workflow_handle(stand.session.meeting_id).result()
    return stand.session.meeting_id


async def _paused(board: House) -> str:
    found = await opened(board, PAYMENTS, faults="slow:ca:assessment")
    handle = board.client.get_workflow_handle(found.meeting_id)
    await handle.signal("pause")

    async def paused() -> bool:
        return (await reviews.stand(board.store, found.meeting_id)).session.status == "paused"

    await board.until(paused, "the pause")
    await handle.signal("resume")
    await handle.result()
    return found.meeting_id


COURSES: dict[str, Callable[[House], Awaitable[str]]] = {
    "approved": _approved,
    "rejected": _rejected,
    "decided": _decided,
    "undecided": _undecided,
    "paused": _paused,
}


async def record(address: str) -> None:
    for name, course in COURSES.items():
        with tempfile.TemporaryDirectory() as folder:
            async with house(address, Path(folder), call_retries=0) as board:
                workflow_id = await course(board)
                history = await board.client.get_workflow_handle(workflow_id).fetch_history()
                text = history.to_json().replace(str(HISTORIES.parents[1]), "boardroom")
                (HISTORIES / f"{PREFIX}{name}.json").write_text(text + "\n", encoding="utf-8")
                print(f"{name}: {len(history.events)} events")


def main() -> None:
    with temporal_server() as address:
        asyncio.run(record(address))


if __name__ == "__main__":
    main()
