"""`boardroom schedule …`: meetings that are held every week, or when goals drift, without anybody asking."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from cyclopts import App, Parameter

from cli.screen import print_json, say, shown_line

if TYPE_CHECKING:
    from clerk.scheduling import ScheduleKind, ScheduleView
    from settings import Settings
    from stack import Stack

Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]
Which = Annotated[
    Literal["weekly", "drift"] | None, Parameter(help="weekly or drift; may be left out where only one of them is set.")
]
T = TypeVar("T")

NOBODY = "Nobody is there to hold its meetings: run `boardroom up`, or have it kept running by `boardroom service install`."

app = App(name="schedule", help="Have meetings held by themselves: every week, or when goals drift.", help_format="plaintext")


@app.command(name="set")
def set_(
    *,
    weekly: Annotated[str | None, Parameter(help="Weekday of the meeting: sun, or several with commas, or daily.")] = None,
    drift: Annotated[str | None, Parameter(help="Instead: when to look whether goals are off track, e.g. daily.")] = None,
    at: Annotated[str | None, Parameter(help="Time of day in the zone, e.g. 06:00.")] = None,
    zone: Annotated[str | None, Parameter(help="IANA time zone; else the setting BOARDROOM_ZONE.")] = None,
    name: Annotated[str | None, Parameter(help="What its meetings are called; else by their date.")] = None,
    replace: Annotated[bool, Parameter(negative=(), help="Set it in place of the one that is there.")] = False,
    json: Json = False,
) -> int:
    """Set the weekly schedule, or the one that looks for goals that drift.

    A meeting is held when `boardroom up` (or a server and `boardroom worker`) runs at that time, or soon after.
    """
    from clerk import scheduling
    from clerk.errors import DeskError
    from clerk.timetable import timetable
    from cli.serving import settings_for

    if (weekly is None) == (drift is None):
        raise DeskError("Say when: boardroom schedule set --weekly sun --at 06:00 (or --drift daily --at 07:00).", usage=True)
    kind: ScheduleKind = "weekly" if weekly is not None else "drift"
    settings = settings_for()
    today = datetime.now(UTC).date()
    days = weekly if weekly is not None else drift
    assert days is not None
    table = timetable(days, at or ("06:00" if kind == "weekly" else "07:00"), zone or settings.zone, today=today)
    scheduling.checked(settings, kind, name)

    async def work(stack: Stack) -> ScheduleView:
        return await scheduling.set_schedule(stack.client, stack.store, settings, kind, table, name=name, replace=replace)

    return _tell(_with_stack(settings, work), as_json=json)


@app.command
def show(which: Which = None, /, *, json: Json = False) -> int:
    """Show the schedules: when they fire next, and what came of the last times."""
    from clerk import scheduling
    from cli.serving import settings_for

    settings = settings_for()
    found: list[ScheduleView] = []
    if _has_record(settings):

        async def work(stack: Stack) -> list[ScheduleView]:
            if which is not None:
                return [await scheduling.view(stack.client, stack.store, which)]
            return await scheduling.views(stack.client, stack.store)

        found = _with_stack(settings, work)
    elif which is not None:
        raise _unset(which)
    if json:
        print_json([_json(one) for one in found])
    elif not found:
        _print(scheduling.unset())
    for one in () if json else found:
        _show(one)
    return 0


@app.command
def pause(which: Which = None, /, *, json: Json = False) -> int:
    """Let a schedule fire no more until it is resumed."""
    return _tell(_change("pause", which), as_json=json)


@app.command
def resume(which: Which = None, /, *, json: Json = False) -> int:
    """Let a paused schedule fire again."""
    return _tell(_change("resume", which), as_json=json)


@app.command
def trigger(which: Which = None, /, *, json: Json = False) -> int:
    """Convene now, as if the time had come. Not beside a meeting of the same schedule that still runs."""
    from clerk import scheduling
    from cli.serving import settings_for

    async def work(stack: Stack) -> dict[str, Any]:
        kind = which or await scheduling.only(stack.client, stack.store)
        convener = await scheduling.trigger(stack.client, stack.store, kind)
        return {"kind": kind, "convener": convener, "polled": await scheduling.polled(stack.client, stack.store)}

    done = _on_record(settings_for(), which, work)
    if json:
        print_json(done)
        return 0
    _print(f"Convened: {done['convener']}.")
    if not done["polled"]:
        say("Nobody is there to hold the meeting: it begins when `boardroom up` or `boardroom worker` runs.")
    return 0


@app.command
def delete(which: Which = None, /, *, json: Json = False) -> int:
    """Take a schedule away. What it did stays on the record."""
    from clerk import scheduling
    from cli.serving import settings_for

    async def work(stack: Stack) -> ScheduleKind:
        kind = which or await scheduling.only(stack.client, stack.store)
        await scheduling.delete(stack.client, stack.store, kind)
        return kind

    kind = _on_record(settings_for(), which, work)
    if json:
        print_json({"deleted": kind})
    else:
        _print(f"The {kind} schedule is deleted. What it did stays on the record.")
    return 0


def _change(what: Literal["pause", "resume"], which: ScheduleKind | None) -> ScheduleView:
    from clerk import scheduling
    from cli.serving import settings_for

    async def work(stack: Stack) -> ScheduleView:
        kind = which or await scheduling.only(stack.client, stack.store)
        change = scheduling.pause if what == "pause" else scheduling.resume
        return await change(stack.client, stack.store, kind)

    return _on_record(settings_for(), which, work)


def _on_record(settings: Settings, which: ScheduleKind | None, work: Callable[[Stack], Awaitable[T]]) -> T:
    """Work where there is a record. Where there is none there is no schedule either, and none is made by looking."""
    if not _has_record(settings):
        raise _unset(which)
    return _with_stack(settings, work)


def _with_stack(settings: Settings, work: Callable[[Stack], Awaitable[T]]) -> T:
    from cli import logs

    logs.to_file(settings.data_dir)

    async def go() -> T:
        from stack import Stack

        async with Stack.up(settings, worker=False) as stack:
            return await work(stack)

    return asyncio.run(go())


def _has_record(settings: Settings) -> bool:
    return settings.database_url is not None or settings.data_dir.is_dir()


def _unset(which: ScheduleKind | None) -> Exception:
    from clerk.errors import DeskError
    from clerk.scheduling import unset

    return DeskError(unset(which), usage=True)


async def outlook(stack: Stack) -> str:
    """What `up` says of the schedules: when they fire next, or that one can be set. It never sets one unasked."""
    from clerk import scheduling
    from clerk.errors import DeskError

    try:
        found = await scheduling.views(stack.client, stack.store)
    except DeskError as error:
        return error.message
    if not found:
        return "No schedule is set: `boardroom schedule set --weekly sun --at 06:00` has a meeting held every Sunday at six."
    return "; ".join(
        f"{one.kind.capitalize()} schedule: "
        + (f"next {local_words(one.local(one.next[0]))}" if one.next else "paused" if one.paused else "comes no more")
        for one in found
    )


# -- printing ----------------------------------------------------------------------------------------------------------


def _tell(one: ScheduleView, *, as_json: bool) -> int:
    if as_json:
        print_json(_json(one))
        return 0
    _show(one)
    return 0


def _json(one: ScheduleView) -> dict[str, Any]:
    """A schedule as `--json` prints it. Times in the schedule's zone, with their offset."""

    def moment(value: datetime | None) -> str | None:
        return one.local(value).isoformat(timespec="seconds") if value is not None else None

    table = one.timetable
    return {
        "kind": one.kind,
        "schedule_id": one.schedule_id,
        "when": one.words,
        "days": [_day(day) for day in table.days] if table is not None else None,
        "at": f"{table.at:%H:%M}" if table is not None else None,
        "zone": table.zone if table is not None else None,
        "name": one.name,
        "paused": one.paused,
        "note": one.note,
        "next": [moment(value) for value in one.next],
        "running": one.running,
        "polled": one.polled,
        "missed": one.missed,
        "skipped": one.skipped,
        "convenings": [
            {
                "id": past.id,
                "planned_for": moment(past.planned_for),
                "outcome": past.outcome,
                "why": past.why,
                "meeting_id": past.meeting_id,
                "started_at": moment(past.started_at),
                "ended_at": moment(past.ended_at),
            }
            for past in one.convenings
        ],
    }


def _day(day: int) -> str:
    from clerk.timetable import WEEKDAYS

    return WEEKDAYS[day][:3].lower()


def _show(one: ScheduleView) -> None:
    title = f"{one.kind.capitalize()}: {one.words}"
    _print(title + (f" — {shown_line(one.name)}" if one.name else ""))
    if one.paused:
        _print(f"  paused ({shown_line(one.note) or 'elsewhere'}): `boardroom schedule resume {one.kind}` goes on")
    for n, moment in enumerate(one.next):
        _print(f"  {'next' if n == 0 else '    '}  {local_words(one.local(moment))}")
    if one.running is not None:
        _print(f"  runs  {one.meeting or one.running}")
    for n, past in enumerate(one.convenings):
        meeting = f"  {past.meeting_id}" if past.meeting_id else ""
        why = f"  {shown_line(past.why)}" if past.why else ""
        _print(
            f"  {'last' if n == 0 else '    '}  {local_words(one.local(past.planned_for))}  "
            f"{past.outcome.replace('_', ' ')}{meeting}{why}"
        )
    if not one.polled and not one.paused:
        say(NOBODY)


def local_words(moment: datetime) -> str:
    """ "Sun 6 Dec 2026, 06:00 PST": a local time with the name of its zone."""
    return f"{moment:%a} {moment.day} {moment:%b %Y, %H:%M} {moment.tzname()}"


def _print(line: str) -> None:
    from cli.screen import console

    console().print(line, soft_wrap=True)
