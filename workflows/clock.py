"""A meeting's clock: it runs while the meeting runs and stands while it is paused or halted."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from temporalio import workflow


class MeetingClock:
    """Counts active seconds and says when the meeting's or the phase's time is over.

    One timer at a time, set for the next deadline known when it is set; a phase that begins later is looked at when that
    timer fires. So a meeting of any length has a handful of timers in its history, not one a round.
    """

    def __init__(self, active: float, meeting_deadline: float, phase_deadline: float) -> None:
        self._active = active
        self._since: float | None = None
        self._meeting_due = meeting_deadline
        self._phase_allowance = phase_deadline
        self._phase_due = active + phase_deadline
        self.meeting_over = False
        self.phase_over = False

    @property
    def active(self) -> float:
        """Seconds the meeting has been active so far."""
        return self._active + (0.0 if self._since is None else workflow.time() - self._since)

    @property
    def running(self) -> bool:
        return self._since is not None

    def go(self) -> None:
        if self._since is None:
            self._since = workflow.time()

    def stand(self) -> None:
        self._active = self.active
        self._since = None

    def enter_phase(self) -> None:
        self._phase_due = self.active + self._phase_allowance
        self.phase_over = False

    def allow(self, seconds: float) -> None:
        """Give the closing its own time, after the meeting's is over."""
        self._meeting_due = self.active + seconds
        self.meeting_over = False
        self.enter_phase()

    async def keep(self, finished: Callable[[], bool]) -> None:
        """Run beside the meeting until `finished`; sets `meeting_over` and `phase_over`."""
        while not finished():
            await workflow.wait_condition(lambda: self.running or finished())
            due = min(
                [d for d, over in ((self._meeting_due, self.meeting_over), (self._phase_due, self.phase_over)) if not over],
                default=None,
            )
            if due is None:
                await self._changed((self._meeting_due, self._phase_due), None, finished)
                continue
            left = due - self.active
            if left > 0:
                await self._changed((self._meeting_due, None), left, finished)
                continue
            # Later phases moved their own deadline on; only what is due now is over.
            self.meeting_over = self.meeting_over or self.active >= self._meeting_due
            self.phase_over = self.phase_over or self.active >= self._phase_due

    async def _changed(self, dues: tuple[float, float | None], left: float | None, finished: Callable[[], bool]) -> None:
        """Wait until the time is up, the clock stands, or a deadline was set anew (the phase's only where it is given)."""
        meeting, phase = dues
        with contextlib.suppress(asyncio.TimeoutError):
            await workflow.wait_condition(
                lambda: (
                    finished()
                    or not self.running
                    or self._meeting_due != meeting
                    or (phase is not None and self._phase_due != phase)
                ),
                timeout=left,
                timeout_summary="Time of the meeting",
            )
