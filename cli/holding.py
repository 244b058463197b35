"""Holding a meeting from the command line: bring the stack up, follow what happens, hear what is typed, leave in order."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from clerk import following, opening, reading, running
from clerk.errors import DeskError
from clerk.events import Event, Sitting, StatusEvent, TurnEvent
from cli import logs
from cli.keyboard import Keyboard, keyboard_for
from cli.live import LiveView, PlainView
from cli.main import DONE, FAILED, INTERRUPTED
from cli.result import halted, result
from cli.screen import console, print_json, program, say
from parliament.values import MeetingStatus
from settings import Settings
from stack import Stack

if TYPE_CHECKING:
    from stack_server import EmbeddedServer

PAUSE_PATIENCE = 20.0
"""Seconds until a pause that was asked for is no longer waited for; leaving then still waits for the calls in flight."""
SILENCE = 60.0
"""Seconds without any word after which the person is told where to look."""
SECRETARY = 300.0
"""Seconds that the secretary's work after a meeting is waited for; it goes on when a worker runs again."""
TURNS_BEFORE = 3
"""Turns of an earlier sitting that a resumed meeting shows again."""
HALTED = (MeetingStatus.FAILED, MeetingStatus.QUORUM_LOST)


class _NoView:
    """Shows nothing: `--json`."""

    typed = ""

    def begin(self, sitting: Sitting, *, resumed: bool = False) -> None:
        what = "Review" if sitting.kind == "review" else "Meeting"
        say(f"{what} {sitting.meeting_id} {'goes on' if resumed else 'is open'}.")

    def show(self, event: Event) -> None: ...
    def type(self, typed: str, notice: str | None = None) -> None: ...
    def tick(self, *, now: bool = False) -> None: ...
    def end(self, *closing: Any) -> None: ...


View = LiveView | PlainView | _NoView


def hold_meeting(
    settings: Settings, server: EmbeddedServer | None, planned: opening.Plan | None, resume: str | None, *, as_json: bool
) -> int:
    """Hold the meeting that was planned, or go on with one. Returns the exit code."""
    logs.to_file(settings.data_dir)
    try:
        return asyncio.run(_hold(settings, server, planned, resume, as_json=as_json))
    except asyncio.CancelledError:
        return INTERRUPTED


async def _give_book(stack: Stack, settings: Settings, meeting_id: str) -> None:
    """Lay the person's board book before the board, as a meeting that the chairman prepares has it."""
    from zoneinfo import ZoneInfo

    from activities.board_book import book_for

    meeting = await reading.known(stack.store, meeting_id)
    today = datetime.now(ZoneInfo(meeting.zone)).date()
    await book_for(stack.store, settings.context_dir, meeting, today)


class _Interrupts:
    """Ctrl-C and SIGTERM: the first asks to pause (before the meeting runs: to stop), the second drops everything at once."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.cancel: Callable[[], Any] | None = None  # while there is no meeting to pause
        self.restore: Callable[[], None] = lambda: None

    def install(self) -> None:
        loop = asyncio.get_running_loop()
        for which in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(which, self._interrupt)

    def _interrupt(self) -> None:
        if self.asked.is_set():
            self.restore()
            # The kernel gives the locks back, so the embedded server stops by itself when nobody else uses it.
            os._exit(INTERRUPTED)
        self.asked.set()
        if self.cancel is not None:
            self.cancel()


async def _hold(
    settings: Settings, server: EmbeddedServer | None, planned: opening.Plan | None, resume: str | None, *, as_json: bool
) -> int:
    interrupts = _Interrupts()
    task = asyncio.current_task()
    assert task is not None
    interrupts.cancel = task.cancel
    interrupts.install()
    async with Stack.up(settings, server=server) as stack:
        if planned is not None:
            meeting_id = (await opening.open_meeting(stack.store, settings, planned)).meeting_id
            if settings.context_dir is not None:
                await _give_book(stack, settings, meeting_id)
        else:
            assert resume is not None
            meeting_id = resume
        # Read before it goes on: what comes after this turn belongs to the new sitting.
        known = await reading.last_seq(stack.store, meeting_id) if resume is not None else None
        before = await reading.status(stack.store, meeting_id)
        if before is not MeetingStatus.COMPLETED:
            interrupts.cancel = None
            if planned is not None:
                await running.start(stack.client, stack.store, settings, meeting_id, titles=stack.embedded)
            else:
                await running.resume(stack.client, stack.store, settings, meeting_id, titles=stack.embedded)
        evening = _Evening(stack, meeting_id, interrupts, known=known, as_json=as_json)
        if before is MeetingStatus.COMPLETED:
            return await evening.show_result()
        return await evening.attend()


class _Evening:
    """One process's attendance at a meeting, from its first event to the end, a pause or a halt."""

    def __init__(self, stack: Stack, meeting_id: str, interrupts: _Interrupts, *, known: int | None, as_json: bool) -> None:
        """`known`: the last turn of an earlier sitting; None for a meeting that was just opened."""
        self.stack = stack
        self.meeting_id = meeting_id
        self.interrupts = interrupts
        self.known = known
        self.as_json = as_json
        self.view: View = _NoView()
        self.keyboard: Keyboard | None = None
        self.status = MeetingStatus.PREPARED
        self.why = ""
        self._heard = asyncio.get_running_loop().time()
        self._telling: set[asyncio.Task[None]] = set()

    async def attend(self) -> int:
        sitting = await reading.sitting(self.stack.store, self.meeting_id)
        self._set_the_scene()
        try:
            self.view.begin(sitting, resumed=self.known is not None)
            await self._follow()
        finally:
            self.view.end()
            if self.keyboard is not None:
                self.keyboard.close()
            for task in self._telling:
                task.cancel()
        return await self._leave()

    def _set_the_scene(self) -> None:
        if self.as_json:
            return
        screen = console()
        live = screen.is_terminal and not screen.is_dumb_terminal
        self.keyboard = keyboard_for(self._said, live=live)
        self.view = LiveView(screen, can_type=self.keyboard is not None) if live else PlainView(screen)
        if self.keyboard is not None:
            self.keyboard.open()
            self.interrupts.restore = self.keyboard.restore

    async def _follow(self) -> None:
        known = self.known or 0
        pausing = asyncio.create_task(self._pause_when_asked())
        ticking = asyncio.create_task(self._tick())
        going = self.known is None  # of a resumed meeting the old status may still be told before it goes on
        try:
            async with contextlib.aclosing(self._looks(max(0, known - TURNS_BEFORE))) as looks:
                async for events in looks:
                    for event in events:
                        self._heard = asyncio.get_running_loop().time()
                        self.view.show(event)
                        if isinstance(event, StatusEvent):
                            self.status, self.why = event.status, event.error or ""
                    # It may halt again for the same reason before anybody looked: then no other status is ever told,
                    # but there are turns that were not known.
                    going = going or self.status is MeetingStatus.IN_PROGRESS
                    going = going or any(isinstance(event, TurnEvent) and event.turn.seq > known for event in events)
                    if going and self.status in HALTED:
                        return
        finally:
            for task in (pausing, ticking):
                task.cancel()
            await asyncio.gather(pausing, ticking, return_exceptions=True)

    async def _looks(self, after: int) -> AsyncGenerator[list[Event], None]:
        """The meeting's events, look by look, until it ends or the pause that was asked for took effect."""
        words = isinstance(self.view, LiveView)
        stopping: float | None = None
        async with contextlib.aclosing(following.looks(self.stack.store, self.meeting_id, after, words=words)) as seen:
            async for events in seen:
                yield events
                if self.interrupts.asked.is_set():
                    now = asyncio.get_running_loop().time()
                    stopping = stopping or now
                    if self.status is MeetingStatus.PAUSED or now - stopping > PAUSE_PATIENCE:
                        return

    async def _pause_when_asked(self) -> None:
        await self.interrupts.asked.wait()
        self.view.type("", "Pausing after those who are speaking now. Ctrl-C again drops at once.")
        if self.as_json:
            say("Pausing after those who are speaking now. Ctrl-C again drops at once.")
        with contextlib.suppress(DeskError):  # it ended in this moment
            await running.pause(self.stack.client, self.stack.store, self.meeting_id)

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(0.05)
            if loop.time() - self._heard > SILENCE and self.status is MeetingStatus.IN_PROGRESS:
                self._heard = loop.time()
                log = self.stack.settings.data_dir / logs.FILE
                self.view.type(self.view.typed, f"Nothing was heard for {SILENCE:.0f} s; warnings, if any, are in {log}")
            if self.keyboard is not None and isinstance(self.view, LiveView) and self.keyboard.typed != self.view.typed:
                self.view.type(self.keyboard.typed)
            self.view.tick()

    def _said(self, line: str) -> None:
        task = asyncio.get_running_loop().create_task(self._tell(line))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell(self, line: str) -> None:
        try:
            await running.say(self.stack.client, self.stack.store, self.meeting_id, line)
        except DeskError as error:
            self.view.type("", error.message)
        else:
            self.view.type("", "Your words go to the chair when those who speak now have finished.")

    async def _leave(self) -> int:
        if self.status is MeetingStatus.COMPLETED:
            await running.closed(self.stack.client, self.meeting_id)
            return await self.show_result(await self._summed_up())
        summary = await reading.summary(self.stack.store, self.meeting_id)
        status = MeetingStatus(summary["status"])
        if status in HALTED:
            lost = "The quorum is lost" if status is MeetingStatus.QUORUM_LOST else "The meeting is halted"
            why = f"{lost}: {self.why.rstrip('.')}." if self.why else f"{lost}."
        else:
            why = "The meeting is paused." if status is MeetingStatus.PAUSED else "The meeting pauses at its next checkpoint."
        if self.as_json:
            print_json(summary)
            say(f"{why} Go on with: {program()} meet --resume {self.meeting_id}")
        else:
            self.view.end(halted(summary, why))
        return FAILED if status in HALTED else INTERRUPTED

    async def _summed_up(self) -> list[int] | None:
        """Wait for the secretary; Ctrl-C leaves her work for the next time."""
        if not self.stack.settings.secretary:
            return None
        if not self.as_json and not await self._quick():
            console().print("The secretary sums up. Ctrl-C leaves that for later.", style="dim")
        self.interrupts.asked.clear()
        work = asyncio.create_task(running.summed_up(self.stack.client, self.meeting_id, SECRETARY))
        left = asyncio.create_task(self.interrupts.asked.wait())
        await asyncio.wait((work, left), return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        if not work.done():
            work.cancel()
            return None
        return work.result()

    async def _quick(self) -> bool:
        """Whether the secretary's voice is simulated, and there before anybody could wonder."""
        return (await reading.sitting(self.stack.store, self.meeting_id)).simulated

    async def show_result(self, counts: list[int] | None = None) -> int:
        summary = await reading.summary(self.stack.store, self.meeting_id)
        if self.as_json:
            print_json(summary)
        else:
            sitting = await reading.sitting(self.stack.store, self.meeting_id)
            console().print(result(summary, {member.id: member.name for member in sitting.members}, counts))
        sys.stdout.flush()
        return DONE
