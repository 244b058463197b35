"""`boardroom prepare` and `agenda`: the chairman drafts, the person talks it over, changes it, approves it, and meets."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from cyclopts import Parameter

from cli.options import Seed
from cli.screen import print_json, say, shown, shown_line

if TYPE_CHECKING:
    from clerk.preparing import AgendaView
    from settings import Settings
    from stack import Stack

T = TypeVar("T")
Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]

HELP = """\
Say what you think of it, and the chairman answers and changes it. Or:
  /approve   lock the agenda      /meet   approve it and meet now
  /undo      take the last change back      /revise WORDS   have it drafted anew by your words
  /agenda    show it again      /quit   leave; `boardroom agenda {id}` goes on"""


def prepare(
    name: Annotated[str | None, Parameter(help="Name of the meeting.")] = None,
    /,
    *,
    seats: Annotated[str, Parameter(help="all, auto (five, by the agenda's themes), or member ids with commas.")] = "auto",
    provider: Annotated[str | None, Parameter(help="auto, anthropic or simulated.")] = None,
    seed: Seed = None,
    start: Annotated[str | None, Parameter(help="When the approved meeting starts by itself: 2026-12-06T18:00.")] = None,
    json: Json = False,
) -> int:
    """Have the chairman draft an agenda from your goals, notes and earlier decisions, and talk it over.

    The context folder is the setting `context_dir` (BOARDROOM_CONTEXT_DIR).
    """
    from cli.serving import settings_for

    settings = settings_for(provider=provider)
    scheduled = moment(start, settings.zone) if start is not None else None

    async def work(stack: Stack) -> str:
        from clerk import preparing

        request = preparing.CreateRequest(
            name=name,
            attendees=seats if seats in ("all", "auto") else tuple(seats.split(",")),
            seed=seed,
            pace="instant" if json or not sys.stdout.isatty() else "brisk",
            scheduled_start=scheduled,
        )
        meeting_id = await preparing.create(stack.client, stack.store, settings, request, titles=stack.embedded)
        say(f"Meeting {meeting_id}: the chairman drafts the agenda.")
        view, done = await preparing.request_agenda(stack.client, stack.store, meeting_id)
        if not done:
            say(f"The chairman is still at it: `boardroom agenda {meeting_id}` shows the agenda when it is there.")
            return ""
        return await _talk(stack, view, as_json=json)

    return _then(settings, desk(settings, work))


def agenda(
    meeting: Annotated[str, Parameter(help="The meeting's id.")],
    /,
    *,
    tell: Annotated[str | None, Parameter(help="Say this to the chairman, who answers and changes the agenda.")] = None,
    revise: Annotated[str | None, Parameter(help="Have the chairman draft it anew by these words.")] = None,
    undo: Annotated[bool, Parameter(negative=(), help="Take the last change back.")] = False,
    approve: Annotated[bool, Parameter(negative=(), help="Lock the agenda.")] = False,
    edit: Annotated[bool, Parameter(negative=(), help="Open an approved agenda again.")] = False,
    json: Json = False,
) -> int:
    """Show the agenda of a meeting that is being prepared, change it, or talk it over with the chairman."""
    from cli.reading import known_place
    from cli.serving import settings_for

    settings = settings_for()
    known_place(settings, meeting)
    asked = [tell is not None, revise is not None, undo, approve, edit]

    async def work(stack: Stack) -> str:
        from clerk import preparing

        client, store = stack.client, stack.store
        if edit:
            await preparing.edit(client, store, meeting)
        if revise is not None:
            await preparing.revise(client, store, meeting, revise)
        if tell is not None:
            _answered(await preparing.converse(client, store, meeting, tell), quiet=json)
        view = await preparing.agenda(store, meeting)
        if undo:
            view = await preparing.undo(client, store, meeting, view.version)
        if approve:
            view = await preparing.approve(client, store, meeting, view.version)
        if any(asked):
            _print(view, as_json=json)
            return ""
        return await _talk(stack, view, as_json=json)

    return _then(settings, desk(settings, work))


def moment(text: str, zone: str) -> datetime:
    """A time given on the command line; without a zone of its own it is in the configured one. DeskError."""
    from zoneinfo import ZoneInfo

    from clerk.errors import DeskError

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise DeskError(f"{text[:40]!r} is no time: write it as 2026-12-06T18:00.", usage=True) from None
    return found if found.tzinfo is not None else found.replace(tzinfo=ZoneInfo(zone))


def desk(settings: Settings, work: Callable[[Stack], Awaitable[T]]) -> T:
    from cli import logs

    logs.to_file(settings.data_dir)

    async def go() -> T:
        from stack import Stack

        async with Stack.up(settings) as stack:
            return await work(stack)

    return asyncio.run(go())


def _then(settings: Settings, meet: str) -> int:
    """Hold the meeting whose id this is; "" for none."""
    if not meet:
        return 0
    from cli.holding import hold_meeting

    return hold_meeting(settings, None, None, meet, as_json=False)


async def _talk(stack: Stack, view: AgendaView, *, as_json: bool) -> str:
    """Show the agenda, and talk it over where there is somebody to talk to. The meeting's id when it is to meet now."""
    from clerk import preparing
    from clerk.errors import DeskError
    from parliament.values import MeetingStatus

    _print(view, as_json=as_json)
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()) or view.status is MeetingStatus.PREPARED:
        return ""
    print("\n" + HELP.format(id=view.meeting_id))
    client, store, meeting = stack.client, stack.store, view.meeting_id
    while True:
        try:
            line = (await asyncio.to_thread(input, "\n> ")).strip()
        except EOFError:
            return ""
        command, _, rest = line.partition(" ")
        try:
            match command:
                case "":
                    continue
                case "/quit":
                    return ""
                case "/agenda":
                    _print(await preparing.agenda(store, meeting))
                case "/undo":
                    current = await preparing.agenda(store, meeting)
                    _print(await preparing.undo(client, store, meeting, current.version))
                case "/revise":
                    revised, _ = await preparing.revise(client, store, meeting, rest)
                    _print(revised)
                case "/approve" | "/meet":
                    await preparing.approve(client, store, meeting)
                    if command == "/meet":
                        return meeting
                    say(f"Approved. `boardroom meet --resume {meeting}` starts the meeting.")
                    return ""
                case _ if command.startswith("/"):
                    print(HELP.format(id=meeting))
                case _:
                    _answered(await preparing.converse(client, store, meeting, line))
        except DeskError as error:
            say(error.message)


def _answered(exchange: Any, *, quiet: bool = False) -> None:
    """What the chairman said, and what it changed."""
    if quiet:
        return
    print(f"\n{shown(exchange.reply.content)}")
    for line in exchange.lines:
        print(f"  ▪ {shown_line(line)}")


def _print(view: AgendaView, *, as_json: bool = False) -> None:
    if as_json:
        print_json(as_data(view))
        return
    from rich.text import Text

    from cli.entries import Wrapped
    from cli.screen import console

    screen = console()
    state = f"{view.status.value.replace('_', ' ')}, version {view.version}, {view.planned_minutes} minutes planned"
    screen.print(Text.assemble("\n", ("Agenda", "bold"), f" of {view.meeting_id} ", (f"({state})", "dim")))
    for n, item in enumerate(view.agenda.items if view.agenda is not None else (), 1):
        line = Text.assemble(
            (f"{n}. {shown_line(item.topic)}", "bold"), (f"  {item.type.value}, {item.time_minutes} min", "dim")
        )
        screen.print(line)
        for label, text in (("", item.description), ("Outcome: ", item.desired_outcome), ("You: ", item.user_commentary)):
            if text:
                screen.print(Wrapped(Text(label + shown(text)), indent="   "))
    if view.agenda is None:
        screen.print("(nothing is on it yet)")


def as_data(view: AgendaView) -> dict[str, Any]:
    """The one object of `--json`: the agenda in source 000's structure, its version, and its changes."""
    return {
        "meeting_id": view.meeting_id,
        "status": view.status.value,
        "version": view.version,
        "planned_minutes": view.planned_minutes,
        "agenda": view.agenda.model_dump(mode="json") if view.agenda is not None else None,
        "changes": [
            {"version": change.version, "origin": change.origin, "lines": change.lines, "at": change.at.isoformat()}
            for change in view.changes
        ],
    }
