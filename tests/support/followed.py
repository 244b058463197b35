"""The courses of what follows a meeting, whose histories are committed: a followed resolution, the after-work, a summary.

python -m tests.support.followed        # records them anew into tests/histories (until the first release; say why)
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from temporalio.client import Client

from clerk import actions, resolutions, summaries
from clerk.access import OWNER
from tests.support.meetings import House, agenda, house, temporal_server

HISTORIES = Path(__file__).parents[1] / "histories"
PREFIX = "followed_"
TOPICS = ("Should I walk more?", "Should I schedule three walks a week?")


async def _held(board: House) -> tuple[str, str]:
    """A meeting that is over and summed up, and one of its adopted resolutions that asks for something."""
    record = await board.hold(agenda(*TOPICS))
    await board.client.get_workflow_handle(f"after-{record.id}").result()
    found = await resolutions.listing(board.store, board.settings, OWNER, pending_only=True)
    asking = [one for one in found if any(item["status"] == "pending" for item in one.paper["action_items"])]
    return record.id, str(asking[0].paper["id"])


async def _meeting(board: House) -> str:
    """A meeting that leaves resolutions to be followed and a secretary at work."""
    return (await _held(board))[0]


async def _after(board: House) -> str:
    return f"after-{(await _held(board))[0]}"


async def _summary(board: House) -> str:
    meeting, _ = await _held(board)
    found = await summaries.regenerate(board.client, board.store, board.settings, meeting)
    return f"summary-{meeting}-{found.version}"


async def _answer(board: House, resolution: str, response: str, **more: object) -> None:
    await resolutions.respond(board.client, board.store, board.settings, resolution, OWNER, response, **more)  # type: ignore[arg-type]


async def _done(board: House) -> str:
    """Deferred, accepted all the same, carried out."""
    _, resolution = await _held(board)
    await _answer(board, resolution, "defer", until=(datetime.now(UTC) + timedelta(days=20)).date())
    await _answer(board, resolution, "accept", note="Yes, and I said no word of it in Temporal.")
    found = await resolutions.resolution(board.store, board.settings, resolution, OWNER)
    for item in found.paper["action_items"]:
        if item["status"] == "pending":
            await actions.turn(board.client, board.store, OWNER, item["id"], done=True)
    assert await board.client.get_workflow_handle(resolution).result() == "done"
    return resolution


async def _rejected(board: House) -> str:
    _, resolution = await _held(board)
    await _answer(board, resolution, "reject")
    assert await board.client.get_workflow_handle(resolution).result() == "rejected"
    return resolution


async def _waiting(board: House) -> str:
    """Still open, with its timer set for the first reminder."""
    return (await _held(board))[1]


COURSES: dict[str, Callable[[House], Awaitable[str]]] = {
    "meeting": _meeting,
    "after": _after,
    "summary": _summary,
    "done": _done,
    "rejected": _rejected,
    "waiting": _waiting,
}


async def _keep(client: Client, name: str, workflow_id: str) -> None:
    history = await client.get_workflow_handle(workflow_id).fetch_history()
    file = HISTORIES / f"{PREFIX}{name}.json"
    file.write_text(history.to_json().replace(str(HISTORIES.parents[1]), "boardroom") + "\n")
    print(file.name, len(history.events))


async def _record() -> None:
    with temporal_server() as address:
        for name, course in COURSES.items():
            with tempfile.TemporaryDirectory() as folder:
                async with house(address, Path(folder)) as board:
                    await _keep(board.client, name, await course(board))


if __name__ == "__main__":
    asyncio.run(_record())
