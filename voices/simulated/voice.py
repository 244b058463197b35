"""The simulated provider: a whole board without a model, from the brief and the seed alone (law 14: it says what it is)."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict

from parliament.values import Purpose
from voices.base import (
    AgendaBrief,
    Brief,
    DirectorBrief,
    OnText,
    SecretaryBrief,
    Trouble,
    Usage,
    VoiceError,
    VoiceReply,
    VoiceRequest,
)
from voices.simulated import member, presiding
from voices.simulated.chance import roll
from voices.simulated.directors import answer_director
from voices.simulated.faults import PROVIDER_FAULTS, REPLY_FAULTS, SLOW_SECONDS, Course, parse_faults, trouble
from voices.simulated.forms import spoil
from voices.simulated.preparing import answer_agenda
from voices.simulated.reply import Answer, Wire
from voices.simulated.secretary import answer_secretary

PACES = {"instant": 0.0, "brisk": 28.0, "human": 5.0}
"""Words a second. Five is an unhurried reader; zero stands for no waiting at all."""

BREATH = {"instant": 0.0, "brisk": 0.25, "human": 1.2}
"""Seconds before the first word, at most twice that: members of a round do not start like one choir."""

_CHUNK = re.compile(r"\S+\s*|\s+")
_REMEMBERED_CALLS = 20_000
_CHAIRMANS = frozenset(
    {
        Purpose.HEALTH_CHECK, Purpose.OPENING, Purpose.INTRO, Purpose.INPUT, Purpose.MOTION, Purpose.RULING,
        Purpose.ACTION_ITEMS, Purpose.SUMMARY, Purpose.CLOSING, Purpose.ADJOURNMENT,
    }
)  # fmt: skip


def answer(brief: Brief, course: Course | None = None) -> Answer:
    """What this member says now. A pure function of the brief: the same brief always has the same answer."""
    course = course or Course()
    if brief.purpose in _CHAIRMANS or brief.member.id == brief.chair:
        return presiding.answer(brief, course)
    said = member.answer(brief, course)
    assert said is not None, brief.purpose
    return said


class SimulatedVoice:
    """Implements `voices.base.Voice`. Safe to call concurrently.

    Its only state is which calls a provider's fault has struck.
    """

    name = "simulated"
    simulated = True

    def __init__(self, pace: str = "instant", faults: str = "") -> None:
        """`pace`: instant, brisk or human. `faults`: see `voices.simulated.faults`. Raises VoiceError for an unknown one."""
        if pace not in PACES:
            raise VoiceError(
                Trouble.BAD_REQUEST, f"{pace!r} is not a pace: it is {', '.join(PACES)}.", retryable=False, fatal=True
            )
        try:
            self._faults = parse_faults(faults)
        except ValueError as error:
            raise VoiceError(Trouble.BAD_REQUEST, f"{error}.", retryable=False, fatal=True) from None
        self._pace = pace
        self._struck: OrderedDict[tuple[str, str], None] = OrderedDict()

    async def check(self, tiers: tuple[str, ...] = ("mid",)) -> None:
        """Always fine: there is nothing outside of this process that could be missing."""

    async def close(self) -> None:
        """Nothing to close."""

    async def speak(self, request: VoiceRequest, on_text: OnText | None = None) -> VoiceReply:
        brief = request.brief
        started = time.monotonic()
        striking = [fault for fault in self._faults if fault.strikes(brief)]
        for fault in striking:
            if fault.name == "silent" or (fault.name in PROVIDER_FAULTS and self._first(request.call_id, fault.name)):
                raise trouble(fault)
        names = {fault.name for fault in striking if fault.name in REPLY_FAULTS}
        match brief:
            case AgendaBrief():
                said = answer_agenda(request, names)
            case SecretaryBrief():
                said = answer_secretary(brief, names)
            case DirectorBrief():
                said = answer_director(brief, names)
            case _:
                said = self._heard(request, brief, names)
        slow = any(fault.name == "slow" for fault in striking)
        await self._recite(said.text, said.whispered, roll(brief.seed, request.call_id), slow, on_text)
        return VoiceReply(
            text=said.text,
            usage=Usage(input=_tokens(request), output=max(1, len(said.text) // 4)),
            model="simulated",
            stop_reason=said.stop,
            latency_ms=int((time.monotonic() - started) * 1000),
            tool_calls=said.calls,
        )

    def _heard(self, request: VoiceRequest, brief: Brief, names: set[str]) -> Wire:
        """What is said at a hearing of a meeting."""
        course = Course(self._faults)
        chairman = "commands" in (request.prompt.schema or {}).get("properties", {}) or (
            request.prompt.schema is None and brief.member.id == brief.chair
        )
        said = answer(brief, course)
        if "malformed" in names and brief.purpose is Purpose.HEALTH_CHECK:
            names.discard("malformed")
        text, stop = spoil(said, brief.purpose, course, names, chairman=chairman)
        return Wire(text, (), stop, len(said.thinking.split()))

    def _first(self, call_id: str, name: str) -> bool:
        """Whether this fault has not struck this call yet (in this process)."""
        key = (call_id, name)
        if key in self._struck:
            return False
        self._struck[key] = None
        while len(self._struck) > _REMEMBERED_CALLS:
            self._struck.popitem(last=False)
        return True

    async def _recite(self, text: str, whispered: int, chance: float, slow: bool, on_text: OnText | None) -> None:
        """Hand the reply out in words, at the voice's pace; the whisper takes no longer than a breath."""
        if slow:
            await asyncio.sleep(SLOW_SECONDS)
        if self._pace != "instant":
            await asyncio.sleep(BREATH[self._pace] * (1 + chance))
        words = _CHUNK.findall(text)
        if on_text is None:
            if self._pace != "instant":
                await asyncio.sleep(max(0, len(words) - whispered) / PACES[self._pace])
            return
        if self._pace == "instant":
            for word in words:
                await on_text(word)
            return
        wait = 1 / PACES[self._pace]
        due = time.monotonic()
        for n, word in enumerate(words):
            await on_text(word)
            if n > whispered:
                due += wait
                await asyncio.sleep(max(0.0, due - time.monotonic()))


def _tokens(request: VoiceRequest) -> int:
    """About what the prompt would have cost a model: four characters a token."""
    prompt = request.prompt
    return sum(len(block.text) for block in (*prompt.system, *prompt.user)) // 4
