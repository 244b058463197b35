"""Holding a review from the command line: as a meeting is held, with its own end."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from activities.review_files import FilesError, write_files
from clerk import reviews, running
from clerk.errors import DeskError
from clerk.reviews import Stand
from cli import logs
from cli.holding import HALTED, _Evening, _Interrupts
from cli.main import FAILED, INTERRUPTED
from cli.review import APPROVED, ESCALATED, REJECTED
from cli.review_result import result
from cli.screen import console, print_json, program, say
from parliament.values import MeetingStatus
from settings import Settings
from stack import Stack

if TYPE_CHECKING:
    from records.engine import Store
    from stack_server import EmbeddedServer

CODES = {"APPROVED": APPROVED, "REJECTED": REJECTED, "ESCALATE": ESCALATED}


def hold_review(
    settings: Settings, server: EmbeddedServer | None, planned: reviews.Plan | None, resume: str | None, *, as_json: bool
) -> int:
    """Hold the review that was planned, or go on with one. Returns the exit code."""
    logs.to_file(settings.data_dir)
    try:
        return asyncio.run(_hold(settings, server, planned, resume, as_json=as_json))
    except asyncio.CancelledError:
        return INTERRUPTED


async def _hold(
    settings: Settings, server: EmbeddedServer | None, planned: reviews.Plan | None, resume: str | None, *, as_json: bool
) -> int:
    interrupts = _Interrupts()
    task = asyncio.current_task()
    assert task is not None
    interrupts.cancel = task.cancel
    interrupts.install()
    async with Stack.up(settings, server=server) as stack:
        known = None
        if planned is not None:
            meeting_id = (await reviews.open_review(stack.store, settings, planned)).meeting_id
            interrupts.cancel = None
            await reviews.start(stack.client, stack.store, settings, meeting_id)
        else:
            assert resume is not None
            found = await reviews.stand(stack.store, resume)
            meeting_id = found.session.meeting_id
            known = 0
            if found.session.outcome is None:
                interrupts.cancel = None
                if found.session.status == MeetingStatus.PREPARED:
                    await reviews.start(stack.client, stack.store, settings, meeting_id)
                else:
                    await running.resume(stack.client, stack.store, settings, meeting_id)
        hearing = _Hearing(stack, meeting_id, interrupts, known=known, as_json=as_json)
        if await reviews.ended(stack.store, meeting_id):
            return await hearing.show_result()
        return await hearing.attend()


async def settle_files(stack: Stack, meeting_id: str) -> Stand:
    """The review with its files in place. The worker writes them; one on another machine writes them there, so they are written
    here as well, which changes nothing where they stand. DeskError."""
    found = await reviews.stand(stack.store, meeting_id)
    if found.session.folder is not None and found.session.outcome is not None:
        try:
            await write_files(found.session.folder, found.record)
        except FilesError as error:
            raise DeskError(
                f"The review {found.session.session_id} is on the record, but its files cannot be written: {error} "
                f"Mend that, and run `{program()} review --resume {found.session.session_id}`, or write them elsewhere: "
                f"`{program()} reviews {found.session.session_id} --to DIR`."
            ) from None
    return found


async def watched(store: Store, meeting_id: str) -> AsyncGenerator[bool, None]:
    """Whether the review needs no more waiting, look by look."""
    while True:
        yield await reviews.ended(store, meeting_id)
        await asyncio.sleep(0.1)


class _Hearing(_Evening):
    """One process's attendance at a review."""

    async def _follow(self) -> None:
        """Until it is over, halted or paused, or until it is the person's turn."""
        following = asyncio.create_task(super()._follow())
        waiting = asyncio.create_task(self._resolved())
        await asyncio.wait((following, waiting), return_when=asyncio.FIRST_COMPLETED)
        if waiting.done() and not following.done():
            # The last lines are on their way to the view.
            await asyncio.wait((following,), timeout=1.0)
        for task in (following, waiting):
            task.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        with contextlib.suppress(asyncio.CancelledError):
            await following

    async def _resolved(self) -> None:
        async with contextlib.aclosing(watched(self.stack.store, self.meeting_id)) as looks:
            async for over in looks:
                if over:
                    return

    async def _leave(self) -> int:
        if await reviews.ended(self.stack.store, self.meeting_id):
            found = await reviews.stand(self.stack.store, self.meeting_id)
            if found.status != "escalated":
                await running.closed(self.stack.client, self.meeting_id)
            return await self.show_result()
        session = (await reviews.stand(self.stack.store, self.meeting_id)).session
        why = f"The review is halted: {self.why.rstrip('.')}." if self.status in HALTED else "The review is paused."
        say(f"{why} Go on with: {program()} review --resume {session.session_id}")
        return FAILED if self.status in HALTED else INTERRUPTED

    async def show_result(self, counts: list[int] | None = None) -> int:
        found = await settle_files(self.stack, self.meeting_id)
        if self.as_json:
            print_json({name: value for name, value in found.as_json.items() if name in SHOWN})
        else:
            console().print(result(found))
        sys.stdout.flush()
        return CODES[found.record.review.outcome.value]


SHOWN = ("verdict", "conditions", "vote", "with_review", "session_id", "dissent", "degraded", "simulated")
"""What `--json` prints: source 001's three fields and issue 5's."""
