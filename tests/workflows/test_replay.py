"""The committed histories of every course replay: a change of the workflow that breaks open meetings is seen here.

Recorded by `python -m tests.support.courses`. Until the first release they may be recorded anew when a workflow changes.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer

import stack
import worker
from tests.support.convenings import CANARY_WORDS, CONVENINGS
from tests.support.courses import COURSES, HISTORIES
from tests.support.followed import COURSES as FOLLOWED
from tests.support.followed import PREFIX as AFTER
from tests.support.preparations import COURSES as PREPARATIONS
from tests.support.preparations import PREFIX
from tests.support.reviews import COURSES as REVIEWS
from tests.support.reviews import PREFIX as REVIEW

FILES = sorted(HISTORIES.glob("*.json"))


def _history(file: Path) -> WorkflowHistory:
    """The history under the id it was recorded with: the speaking order follows from it."""
    text = file.read_text()
    started = json.loads(text)["events"][0]["workflowExecutionStartedEventAttributes"]
    return WorkflowHistory.from_json(started["workflowId"], text)


def test_every_course_has_its_history() -> None:
    recorded = {file.stem for file in FILES}
    missing = [name for name in (*COURSES, *CONVENINGS) if name not in recorded and f"{name}_1" not in recorded]
    assert not missing, f"record them with python -m tests.support.courses: {missing}"
    missing = [name for name in PREPARATIONS if f"{PREFIX}{name}" not in recorded]
    assert not missing, f"record them with python -m tests.support.preparations: {missing}"
    missing = [name for name in FOLLOWED if f"{AFTER}{name}" not in recorded]
    assert not missing, f"record them with python -m tests.support.followed: {missing}"
    missing = [name for name in REVIEWS if f"{REVIEW}{name}" not in recorded]
    assert not missing, f"record them with python -m tests.support.reviews: {missing}"
    assert len(FILES) >= 9


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_the_history_replays(file: Path) -> None:
    history = _history(file)
    replayer = Replayer(
        workflows=[*worker.WORKFLOWS, *worker.SCHEDULED],
        workflow_runner=worker.workflow_runner(),
        data_converter=stack.data_converter,
    )
    await replayer.replay_workflow(history)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_law_06_a_history_holds_nobodys_words_and_stays_small(file: Path) -> None:
    history = _history(file)
    raw = b"".join(event.SerializeToString() for event in history.events)
    for words in (
        b"WHISPER",
        b"I speak to the",
        b"RESOLVED",
        b"And my knee",
        b"Should I walk",
        b"How the spring",
        b"small step",
        *(word.encode() for word in CANARY_WORDS),
        b"sleep goal",
        b"Make it shorter",
        b"I said no word",
        b"said nobody",
        b"dempotency",
        b"loyalty",
    ):
        assert words not in raw
    heard = sum(e.activity_task_scheduled_event_attributes.activity_type.name == "hear" for e in history.events)
    lines = raw.count(b'"what":"announce"')
    if heard >= 20:
        assert len(raw) / (heard + lines) <= 1024
