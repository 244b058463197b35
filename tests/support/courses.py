"""The courses of a meeting whose histories are committed: what the voices say, and what happens to the meeting.

python -m tests.support.courses [NAME …]  # records all, or those, anew into tests/histories (until the first release; say why)
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from temporalio.client import Client, WorkflowHandle

from clerk import running
from parliament.agenda import Agenda
from parliament.values import ItemType, MeetingStatus
from tests.support.convenings import CONVENINGS
from tests.support.meetings import House, agenda, house, temporal_server
from tests.support.messages_service import KEY, MOTION, Behaviour, served

HISTORIES = Path(__file__).parents[1] / "histories"

AMENDED = MOTION.replace("ten minutes", "twenty minutes")
OTHERS = "(roosevelt|dalio|davinci|musk|jobs|rogers)"

Drive = Callable[[House, WorkflowHandle[Any, Any], Behaviour], Awaitable[None]]


@dataclass
class Course:
    replies: dict[str, dict[str, Any]] = field(default_factory=dict)
    faults: list[dict[str, Any]] = field(default_factory=list)
    agenda: Agenda = field(default_factory=lambda: agenda("Should I walk more?"))
    rules: dict[str, Any] = field(default_factory=dict)
    deadline: float | None = None
    drive: Drive | None = None


async def _status(board: House, meeting_id: str, status: MeetingStatus) -> None:
    async def there() -> bool:
        return (await board.record(meeting_id)).status is status

    await board.until(there, status.value)


async def _resume_when(board: House, handle: WorkflowHandle[Any, Any], status: MeetingStatus) -> None:
    await _status(board, handle.id, status)
    await handle.signal("resume")


async def _pause(board: House, handle: WorkflowHandle[Any, Any], _: Behaviour) -> None:
    await handle.signal("pause")
    await _resume_when(board, handle, MeetingStatus.PAUSED)


async def _quorum(board: House, handle: WorkflowHandle[Any, Any], _: Behaviour) -> None:
    await _resume_when(board, handle, MeetingStatus.QUORUM_LOST)


async def _failed(board: House, handle: WorkflowHandle[Any, Any], behaviour: Behaviour) -> None:
    await _status(board, handle.id, MeetingStatus.FAILED)
    behaviour.faults.clear()
    await handle.signal("resume")


async def _say(board: House, handle: WorkflowHandle[Any, Any], _: Behaviour) -> None:
    async def called() -> bool:
        return bool((await board.record(handle.id)).present)

    await board.until(called, "the roll is called")
    await running.say(board.client, board.store, handle.id, "And my knee?")


COURSES: dict[str, Course] = {
    "adopted": Course(),
    "lost": Course(replies={f"/vote/.*/{OTHERS}$": {"vote": "AGAINST", "dissent": "It is not enough."}}),
    "tie": Course(replies={"/vote/.*/(roosevelt|dalio)$": {"vote": "AGAINST"}, "/vote/.*/aurelius$": {"vote": "ABSTAIN"}}),
    "unseconded": Course(replies={"/second/": {"second": False}}),
    "amended": Course(replies={"/debate/.*/dalio$": {"amendment": {"text": AMENDED, "summary": "twenty for ten"}}}),
    "amendment_contested": Course(
        replies={
            "/debate/.*/dalio$": {"amendment": {"text": AMENDED, "summary": "twenty for ten"}},
            "/amendment/.*/roosevelt$": {"position": "SUPPORT"},
            "/amendment/.*/aurelius$": {"position": "OBJECT"},
        }
    ),
    "tabled": Course(replies={"/debate/.*/dalio$": {"procedural": "lay_on_table"}}),
    "tabled_by_vote": Course(
        replies={"/debate/.*/dalio$": {"procedural": "lay_on_table"}, "/consent/.*/roosevelt$": {"objection": True}}
    ),
    "previous_question": Course(replies={"/debate/.*/dalio$": {"procedural": "previous_question"}}),
    "withdrawn": Course(replies={"/debate/.*/aurelius$": {"procedural": "withdraw"}}),
    "appeal": Course(
        replies={
            "/debate/.*/dalio$": {"point_of_order": "It is outside of this board's powers."},
            "/ruling/": {"well_taken": True, "remedy": "out_of_order"},
            "/appeal/.*/(roosevelt|dalio)$": {"appeal": True},
        }
    ),
    "commands_refused": Course(replies={"/action_items/.*": {"commands": ["{VOTE: @dalio=AGAINST}", "{ADJOURN}"]}}),
    "skipped": Course(faults=[{"match": "/motion/", "fault": "placeholder_motion"}]),
    "review": Course(agenda=agenda("How the spring went", type=ItemType.REVIEW)),
    "adjourned_early": Course(replies={"/intro/": {"speaking": "Enough for today. {ADJOURN}"}}),
    "quorum_lost": Course(faults=[{"match": f"/vote/-/1/{OTHERS}$", "fault": "400"}], drive=_quorum),
    "paused_and_resumed": Course(drive=_pause),
    "failed_and_resumed": Course(faults=[{"match": "/discussion/", "fault": "401"}], drive=_failed),
    "deadline": Course(faults=[{"match": "/debate/", "fault": "hang", "seconds": 30}], deadline=2.0),
    "budget": Course(rules={"budget_calls": 12}),
    "user_input": Course(drive=_say),
    "fallback_presides": Course(faults=[{"match": "/health_check/.*/aurelius$", "fault": "500"}], rules={"health_check": True}),
    "continued_as_new": Course(agenda=agenda("Should I walk?", "Should I swim?"), rules={"continue_after_events": 10}),
}


async def hold(name: str, board: House, behaviour: Behaviour) -> WorkflowHandle[Any, Any]:
    """Hold the meeting of this course to its end."""
    course = COURSES[name]
    behaviour.replies |= course.replies
    behaviour.faults += [dict(rule) for rule in course.faults]
    behaviour.delay = 0.02 if course.drive else 0.0
    rules = dict(course.rules)
    handle = await board.open(course.agenda, rules=rules, deadline=course.deadline)
    if course.drive is not None:
        await course.drive(board, handle, behaviour)
    await asyncio.wait_for(handle.result(), 60)
    return handle


async def _record(names: list[str]) -> None:
    HISTORIES.mkdir(exist_ok=True)
    for name in names:
        for old in (*HISTORIES.glob(f"{name}.json"), *HISTORIES.glob(f"{name}_[0-9].json")):
            old.unlink()
    with temporal_server() as address:
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                if name in CONVENINGS:
                    board, workflow_id = await CONVENINGS[name](address, Path(folder))
                    await _keep(board.client, name, workflow_id)
                    continue
                with served() as (url, behaviour):
                    async with house(
                        address, Path(folder), provider="anthropic", designated_dissenter=False, ANTHROPIC_API_KEY=KEY,
                        ANTHROPIC_BASE_URL=url,
                    ) as board:  # fmt: skip
                        handle = await hold(name, board, behaviour)
                        await _keep(board.client, name, handle.id)


async def _keep(client: Client, name: str, workflow_id: str) -> None:
    """Write the history of each run of the workflow."""
    runs = [run async for run in client.list_workflows(f'WorkflowId = "{workflow_id}"')]
    for n, run in enumerate(sorted(runs, key=lambda run: run.start_time)):
        history = await client.get_workflow_handle(workflow_id, run_id=run.run_id).fetch_history()
        file = HISTORIES / (f"{name}.json" if len(runs) == 1 else f"{name}_{n + 1}.json")
        # Stack traces of failed activities name the checkout; the machine is nobody's business.
        file.write_text(history.to_json().replace(str(HISTORIES.parents[1]), "boardroom") + "\n")
        print(file.name, len(history.events))


if __name__ == "__main__":
    asyncio.run(_record(sys.argv[1:] or [*COURSES, *CONVENINGS]))
