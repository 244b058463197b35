"""What runs on which task queue: the meetings and the record on one, model calls on another, what schedules start on a third.

Model calls have their own queue, concurrency and slots, so that a slow model never holds up a pause or the record. What
schedules start is only for those who stay: a `meet` that passes by must not pick up Sunday's meeting and leave.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from importlib.metadata import version
from typing import Any

from temporalio.client import Client
from temporalio.converter import StorageDriverStoreContext
from temporalio.worker import Worker, WorkflowInstance, WorkflowInstanceDetails
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions
from temporalio.workflow import Info

from activities.bookkeeping import Bookkeeper
from activities.chairman import Chairman
from activities.delivering import Courier
from activities.following import Follower
from activities.preparing import Preparer
from activities.providers import Providers
from activities.recording import Recorder
from activities.reviewing import Reviewer
from activities.secretary import Secretary
from activities.speaking import Speaking
from activities.tasks import doers_of, owners_of, sinks_of
from records.engine import Store
from settings import Settings
from workflows.after_meeting import AfterMeeting, Summary
from workflows.board_meeting import BoardMeeting
from workflows.convene import Convene
from workflows.messages import meetings_queue, schedule_queue, voices_queue
from workflows.notice import Notice
from workflows.preparation import Preparation
from workflows.proposal_review import ProposalReview
from workflows.resolution import ResolutionFollowUp

WORKFLOWS = [BoardMeeting, Preparation, Notice, ResolutionFollowUp, AfterMeeting, Summary, ProposalReview]
SCHEDULED = [Convene]

PURE_ROOMS = ("parliament", "protocols", "activities.interface", "pydantic", "pydantic_core")
"""Passed through the sandbox: values and pure functions, loaded once instead of once a workflow."""


class _Runner(SandboxedWorkflowRunner):
    """The SDK's sandbox, entered for workflow code only.

    For every payload the SDK enters the sandbox again to ask for a serialization context, which nothing here reads (the
    converter is the same for all workflows, and there is no external storage). That cost a tenth of a worker's time.
    """

    def create_instance(self, det: WorkflowInstanceDetails) -> WorkflowInstance:
        return _WithoutContexts(super().create_instance(det))


class _WithoutContexts(WorkflowInstance):
    def __init__(self, sandboxed: WorkflowInstance) -> None:
        self._sandboxed = sandboxed

    def activate(self, act: Any) -> Any:
        return self._sandboxed.activate(act)

    def get_serialization_context(self, command_info: Any) -> None:
        return None

    def get_external_store_context(self, command_info: Any) -> StorageDriverStoreContext:
        return StorageDriverStoreContext(target=None)

    def get_info(self) -> Info:
        return self._sandboxed.get_info()

    def get_thread_id(self) -> int | None:
        return self._sandboxed.get_thread_id()


def workflow_runner() -> SandboxedWorkflowRunner:
    return _Runner(restrictions=SandboxRestrictions.default.with_passthrough_modules(*PURE_ROOMS))


@asynccontextmanager
async def running(client: Client, store: Store, settings: Settings, *, schedules: bool = False) -> AsyncIterator[None]:
    """Run this process's workers until the context is left; leaving waits for calls in flight (SIGTERM buys none twice).

    `schedules`: convene what Schedules bring due, too.
    """
    providers = Providers(settings)
    speaking = Speaking(store, providers)
    recorder, preparer = Recorder(store), Preparer(store)
    chairman = Chairman(store, providers, settings.context_dir)
    doers = doers_of(settings)
    courier, follower = Courier(store, settings), Follower(store, doers)
    secretary = Secretary(store, providers, doers)
    reviewer = Reviewer(store)
    bookkeeper = Bookkeeper(store, sinks_of(settings), owners_of(settings))
    # Identity and build stand in every task's events: short ones keep histories small.
    identity, build = f"{os.getpid()}@{socket.gethostname()[:12]}", version("boardroom")
    grace = timedelta(seconds=settings.call_timeout + 10)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(providers.close)
        await stack.enter_async_context(
            Worker(
                client,
                task_queue=meetings_queue(store.store_id),
                workflows=WORKFLOWS,
                activities=[
                    recorder.record,
                    recorder.start_sessions,
                    preparer.keep_preparation,
                    preparer.read_convening,
                    courier.deliver_notice,
                    follower.follow_resolution,
                    follower.answer_resolution,
                    bookkeeper.settle_ledger,
                    bookkeeper.push_tasks,
                    reviewer.look_at_review,
                    reviewer.resolve_review,
                    reviewer.decide_review,
                    reviewer.write_review_files,
                ],
                workflow_runner=workflow_runner(),
                sticky_queue_schedule_to_start_timeout=timedelta(seconds=settings.sticky),
                graceful_shutdown_timeout=timedelta(seconds=10),
                identity=identity,
                build_id=build,
            )
        )
        await stack.enter_async_context(
            Worker(
                client,
                task_queue=voices_queue(store.store_id),
                activities=[
                    speaking.hear,
                    chairman.draft_agenda,
                    chairman.converse,
                    secretary.write_summary,
                    secretary.write_review,
                ],
                max_concurrent_activities=settings.voices_concurrency,
                max_heartbeat_throttle_interval=timedelta(seconds=max(0.2, settings.heartbeat / 2)),
                default_heartbeat_throttle_interval=timedelta(seconds=max(0.2, settings.heartbeat / 2)),
                graceful_shutdown_timeout=grace,
                identity=identity,
                build_id=build,
            )
        )
        if schedules:
            from activities.convening import Convener  # it brings the desk along, which a passing meeting does without

            convener = Convener(store, settings)
            await stack.enter_async_context(
                Worker(
                    client,
                    task_queue=schedule_queue(store.store_id),
                    workflows=SCHEDULED,
                    activities=[convener.open_convening, convener.end_convening],
                    workflow_runner=workflow_runner(),
                    sticky_queue_schedule_to_start_timeout=timedelta(seconds=settings.sticky),
                    graceful_shutdown_timeout=timedelta(seconds=10),
                    identity=identity,
                    build_id=build,
                )
            )
        yield


async def run_until(stop: asyncio.Event, client: Client, store: Store, settings: Settings) -> None:
    """Run the workers until `stop` is set."""
    async with running(client, store, settings):
        await stop.wait()
