"""The live view: the transcript scrolls by; under it stand who speaks, the motion on the floor, the phase and the seats.

Drawn by rich, in one write per change, so that nothing flickers. Where standard output is no terminal, `PlainView` prints
the same meeting as plain lines.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from clerk.events import Event, FloorEvent, Sitting, StatusEvent, TurnEvent, WordsEvent
from cli.entries import MEASURE, PHASES, SIMULATED, colour_of, entry, header, heading, name_of
from cli.screen import shown_line
from parliament.record import TurnRecord
from parliament.values import SHAREHOLDER, MeetingStatus, Phase

EVERY = 0.1
"""Seconds between two drawings when only words came."""
MOTION_LINES = 6
SPEECH_LINES = 5


@dataclass
class _Speech:
    """What one call has said so far."""

    member_id: str
    attempt: int
    seq: int
    text: str = ""


@dataclass
class Hall:
    """The state of the view: what was told so far, ready to be drawn."""

    sitting: Sitting
    chair: str = ""
    phase: Phase | None = None
    item_id: str | None = None
    status: MeetingStatus = MeetingStatus.PREPARED
    error: str | None = None
    present: tuple[str, ...] = ()
    floor: FloorEvent | None = None
    speeches: dict[str, _Speech] = field(default_factory=dict)
    heading: Phase | None = None  # the phase under whose heading the transcript stands
    last_seq: int = 0

    def __post_init__(self) -> None:
        self.chair = self.chair or self.sitting.chair

    def take(self, event: Event) -> None:
        """Take in an event."""
        if isinstance(event, WordsEvent):
            if event.seq is not None and event.seq <= self.last_seq:
                return  # the turn itself is already there
            speech = self.speeches.get(event.call_id)
            if speech is None or speech.attempt < event.attempt:
                speech = self.speeches[event.call_id] = _Speech(event.member_id, event.attempt, event.seq or 0)
            if speech.attempt == event.attempt:
                speech.text += event.text
        elif isinstance(event, TurnEvent):
            self.last_seq = event.turn.seq
            self.speeches = {call: s for call, s in self.speeches.items() if s.seq > event.turn.seq}
        elif isinstance(event, StatusEvent):
            self.status, self.phase, self.item_id = event.status, event.phase, event.item_id
            self.error, self.chair, self.present = event.error, event.chair, event.present
        else:
            self.floor = event if event.text else None

    def headed(self, turn: TurnRecord, width: int) -> list[RenderableType]:
        """The turn as it is printed, under a heading where the transcript comes to another phase.

        An item's own line is the heading of its introduction.
        """
        changed, self.heading = turn.phase is not self.heading, turn.phase
        over = [heading(turn.phase)] if changed and turn.purpose != "item" else []
        return [*over, entry(turn, self.sitting, self.chair, width)]


def region(hall: Hall, width: int, height: int, *, typed: str, notice: str, clock: float, can_type: bool) -> RenderableType:
    """What stands under the transcript, never higher than the terminal: phase and seats first, then motion and speech."""
    lines: list[RenderableType] = []
    lines += _speeches(hall, width, max(1, height - 12))
    if hall.floor is not None and height >= 14:
        lines.append(_motion(hall, width))
    lines.append(_place(hall, width, clock))
    lines.append(_seats(hall, width))
    lines.append(_bottom(typed, notice, width, can_type=can_type))
    return Group(*lines)


def _tail_of(text: str, width: int, lines: int) -> list[str]:
    """The last lines of running text, wrapped at words."""
    wrapped = Text(text, overflow="fold").wrap(_MEASURING, max(8, width), overflow="fold")
    return [line.plain.rstrip() for line in list(wrapped)[-lines:]]


_MEASURING = Console(file=None, markup=False, emoji=False, highlight=False)


def _speeches(hall: Hall, width: int, room: int) -> list[RenderableType]:
    """The voices being heard: the one whose turn comes next with its last lines, the others with their last words."""
    going_on = sorted((s for s in hall.speeches.values() if s.text.strip()), key=lambda s: s.seq)
    if not going_on:
        return []
    measure = min(width, MEASURE)
    first, *others = going_on
    drawn: list[RenderableType] = [name_of(hall.sitting, first.member_id, hall.chair)]
    style = colour_of(hall.sitting, first.member_id)
    for line in _tail_of(shown_line(first.text), measure - 2, max(1, min(SPEECH_LINES, room - 1 - len(others)))):
        drawn.append(Text("  " + line, style=style, no_wrap=True, overflow="ellipsis"))
    for speech in others[: max(0, room - len(drawn))]:
        other = Text(
            shown_line(hall.sitting.name_of(speech.member_id)), style=f"bold {colour_of(hall.sitting, speech.member_id)}"
        )
        left = measure - other.cell_len - 3
        words = shown_line(speech.text)
        if left > 8:
            tail = words if len(words) <= left else words[-left:].partition(" ")[2]
            other.append("  …" if tail != words else "  ").append(tail, style="not bold dim")
        other.no_wrap, other.overflow = True, "ellipsis"
        drawn.append(other)
    return [*drawn, Text("")]


def _motion(hall: Hall, width: int) -> RenderableType:
    assert hall.floor is not None
    floor, sitting = hall.floor, hall.sitting
    inner = min(width, MEASURE) - 4
    wrapped = list(Text(shown_line(floor.text or ""), overflow="fold").wrap(_MEASURING, max(8, inner), overflow="fold"))
    body = Text("\n").join(wrapped[:MOTION_LINES])
    if len(wrapped) > MOTION_LINES:
        body.append(" …", style="dim")
    title = "On the floor" if floor.kind == "main" else f"On the floor: {floor.kind.replace('_', ' ')}"
    by = f"moved by {shown_line(sitting.name_of(floor.mover))}"
    if floor.seconder:
        by += f", seconded by {shown_line(sitting.name_of(floor.seconder))}"
    if floor.amended:
        by += ", amended"
    fits = len(by) <= inner
    return Panel(
        body if fits else Text.assemble(body, "\n", (by, "dim")),
        title=title,
        title_align="left",
        subtitle=by if fits else None,
        subtitle_align="right",
        border_style="bright_blue",
        width=min(width, MEASURE),
    )


def _place(hall: Hall, width: int, clock: float) -> RenderableType:
    line = Text(no_wrap=True, overflow="ellipsis")
    if hall.sitting.simulated:
        line.append(f" {SIMULATED} ", style="bold black on yellow").append(" ")
    if hall.status in (MeetingStatus.IN_PROGRESS, MeetingStatus.PREPARED):
        line.append(PHASES[hall.phase] if hall.phase else "Opening", style="bold")
    else:
        line.append(hall.status.value.replace("_", " ").upper(), style="bold red")
    item = next((item for item in hall.sitting.items if item.id == hall.item_id), None)
    minutes = f" · {int(clock) // 60:02d}:{int(clock) % 60:02d}"
    if item is not None:
        number = f" · item {item.number} of {len(hall.sitting.items)}"
        line.append(number + minutes, style="dim")
        left = width - line.cell_len - 3
        if left >= 16:
            topic = shown_line(item.topic)
            line.append(" · ").append(topic if len(topic) <= left else topic[: left - 1] + "…")
    else:
        line.append(minutes, style="dim")
    return line


def _seats(hall: Hall, width: int) -> RenderableType:
    """Who is seated, the chair marked, who is absent dimmed and struck. Last names where the full ones do not fit."""

    def drawn(short: bool) -> Text:
        line = Text(overflow="fold")
        for n, member in enumerate(hall.sitting.members):
            name = shown_line(member.name)
            absent = bool(hall.present) and member.id not in hall.present
            style = f"{colour_of(hall.sitting, member.id)}{' dim strike' if absent else ''}"
            if n:
                line.append(" · " if not short else " ", style="dim")
            if member.id == hall.chair:
                line.append("♛ ", style=f"bold {style}")
            line.append(name.split()[-1] if short and name.split() else name, style=style)
        return line

    full = drawn(short=False)
    return full if full.cell_len <= width else drawn(short=True)


def _bottom(typed: str, notice: str, width: int, *, can_type: bool) -> RenderableType:
    line = Text(no_wrap=True, overflow="crop")
    if typed:
        left = max(8, width - 4)
        line.append("› ", style="bold").append(shown_line(typed)[-left:]).append("▌", style="blink")
    elif notice:  # whole, also where it needs a second line: it says what the next key does
        line.append("› ", style="bold").append(shown_line(notice), style="bold")
        line.no_wrap, line.overflow = False, "fold"
    elif can_type:
        long = "type a line to speak to the board · Ctrl-C pauses"
        line.append("› ", style="bold").append(long if len(long) + 2 <= width else "type to speak · Ctrl-C pauses", style="dim")
    else:
        line.append("Ctrl-C pauses", style="dim")
    return line


class LiveView:
    """Shows a running meeting in a terminal. `begin`, then `show` each event and `tick` now and then, at last `end`."""

    def __init__(self, console: Console, *, can_type: bool) -> None:
        self.console = console
        self.typed = ""
        self.notice = ""
        self._can_type = can_type
        self._hall: Hall | None = None
        self._live: Live | None = None
        self._drawn = 0.0
        self._stale = False
        self._started = time.monotonic()
        self._second = -1

    def begin(self, sitting: Sitting, *, resumed: bool = False) -> None:
        self._hall = Hall(sitting)
        self.console.print(header(sitting, resumed=resumed))
        self._started = time.monotonic()
        self._live = Live(
            self._region(), console=self.console, auto_refresh=False, transient=True,
            redirect_stdout=False, redirect_stderr=False, vertical_overflow="crop",
        )  # fmt: skip
        self._live.start(refresh=True)

    def show(self, event: Event) -> None:
        assert self._hall is not None
        self._hall.take(event)
        if isinstance(event, TurnEvent):
            self._print(event)
        self._stale = True
        if not isinstance(event, WordsEvent):
            self.tick(now=True)

    def _print(self, event: TurnEvent) -> None:
        hall, turn = self._hall, event.turn
        assert hall is not None
        if turn.member_id == SHAREHOLDER:
            self.notice = ""
        if self._live is not None:
            self._live.update(self._region())
        self.console.print(Group(*hall.headed(turn, self.console.width)))

    def type(self, typed: str, notice: str | None = None) -> None:
        """Show the line being typed, and what became of the one before."""
        self.typed = typed
        if notice is not None:
            self.notice = notice
        self._stale = True
        self.tick(now=True)

    def tick(self, *, now: bool = False) -> None:
        """Draw when something changed, or the clock's second did."""
        if self._live is None:
            return
        at = time.monotonic()
        if int(at - self._started) != self._second or (self._stale and (now or at - self._drawn >= EVERY)):
            self._second, self._drawn, self._stale = int(at - self._started), at, False
            self._live.update(self._region(), refresh=True)

    def _region(self) -> RenderableType:
        assert self._hall is not None
        width, height = self.console.size
        return region(
            self._hall, width, height, typed=self.typed, notice=self.notice,
            clock=time.monotonic() - self._started, can_type=self._can_type,
        )  # fmt: skip

    def end(self, *closing: RenderableType) -> None:
        """Take the live part away and print what stays."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        for part in closing:
            self.console.print(part)

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *_: Any) -> None:
        self.end()


class PlainView:
    """The same meeting as plain lines, for a pipe or a file: no colour, no cursor, no words in passing."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.typed = ""
        self._hall: Hall | None = None

    def begin(self, sitting: Sitting, *, resumed: bool = False) -> None:
        self._hall = Hall(sitting)
        self.console.print(header(sitting, resumed=resumed))

    def show(self, event: Event) -> None:
        assert self._hall is not None
        self._hall.take(event)
        if isinstance(event, TurnEvent):
            self.console.print(Group(*self._hall.headed(event.turn, self.console.width)))

    def type(self, typed: str, notice: str | None = None) -> None:
        if notice:
            self.console.print(Text(notice))

    def tick(self, *, now: bool = False) -> None:
        return None

    def end(self, *closing: RenderableType) -> None:
        for part in closing:
            self.console.print(part)

    def __enter__(self) -> PlainView:
        return self

    def __exit__(self, *_: Any) -> None:
        self.end()
