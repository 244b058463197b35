"""`boardroom meetings`, `minutes`, `members` and `whispers`: what is on the record, and who can be seated."""

from __future__ import annotations

import asyncio
import stat
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar
from zoneinfo import ZoneInfo

from cyclopts import Parameter

from cli.screen import json_text, print_json, shown, shown_line

if TYPE_CHECKING:
    from records.engine import Store

Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]
T = TypeVar("T")


def from_store(settings: Any, read: Callable[[Store], Awaitable[T]]) -> T:
    """Read from the store and close it again."""

    async def go() -> T:
        from records.engine import Store

        store = await Store.open(settings.database_url, settings.data_dir)
        try:
            return await read(store)
        finally:
            await store.close()

    return asyncio.run(go())


def has_record(settings: Any) -> bool:
    """Whether there is anything to read: looking at an empty place must not create a store there. DeskError."""
    if settings.database_url is not None:
        return True
    from clerk.errors import DeskError

    folder = settings.data_dir
    try:
        is_folder = stat.S_ISDIR(folder.stat().st_mode)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise DeskError(f"The data directory {folder} cannot be read ({error.strerror}): correct BOARDROOM_DATA_DIR.") from None
    if not is_folder:
        raise DeskError(f"The data directory {folder} is not a folder: correct BOARDROOM_DATA_DIR.")
    return True


def known_place(settings: Any, meeting_id: str) -> str:
    """The id when it is one and there is a record to look it up in. DeskError."""
    from clerk.errors import DeskError, checked_id, unknown

    checked_id(meeting_id)
    if not has_record(settings):
        raise DeskError(unknown(meeting_id), usage=True)
    return meeting_id


def meetings(
    meeting: Annotated[str | None, Parameter(help="Show this meeting with its transcript.")] = None, /, *, json: Json = False
) -> int:
    """List the meetings, newest first, or show one with its transcript."""
    from clerk import reading
    from cli.serving import settings_for

    settings = settings_for()
    if meeting is not None:
        known_place(settings, meeting)
        return _one_meeting(settings, meeting, as_json=json)
    found = from_store(settings, reading.listing) if has_record(settings) else []
    if json:
        print_json(found)
    else:
        _list(found, str(settings.data_dir), settings.zone)
    return 0


NARROW = 60
"""Columns below which each meeting is listed on lines of its own: an id that is cropped cannot be typed."""


def _list(found: list[dict[str, Any]], where: str, zone: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from cli.entries import Wrapped
    from cli.screen import console

    screen = console()
    if not found:
        screen.print(f'There are no meetings in {where} yet. Hold one: boardroom meet "Should I take the job in Lisbon?"')
        return
    narrow = screen.width < NARROW
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("Meeting", "Status", "Opened", "Name"):
        table.add_column(heading, no_wrap=heading != "Name", overflow="fold")
    for row in found:
        status = str(row["status"]).replace("_", " ")
        name = Text(shown_line(row["name"]))
        if row["simulated"]:
            name.append("  simulated", style="yellow")
        opened = _opened(row["created_at"], zone)
        if narrow:
            screen.print(Text.assemble((row["meeting_id"], "bold"), f"  {status}"))
            screen.print(Wrapped(name, indent="  "))
            screen.print(Text(f"  {opened}", style="dim"))
        else:
            table.add_row(row["meeting_id"], status, opened, name)
    if not narrow:
        screen.print(table)


def _opened(moment: str | None, zone: str) -> str:
    """A moment as the minutes write it, to the minute: "2026-11-30 21:27 PST"."""
    return datetime.fromisoformat(moment).astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M %Z") if moment else ""


def _one_meeting(settings: Any, meeting_id: str, *, as_json: bool) -> int:
    from clerk import reading, reviews
    from clerk.events import TurnEvent

    if as_json:
        print_json(from_store(settings, lambda store: reading.detail(store, meeting_id)))
        return 0

    async def read(store: Store) -> Any:
        return (
            await reading.sitting(store, meeting_id),
            await reading.transcript(store, meeting_id),
            await reading.summary(store, meeting_id),
            await reviews.stand(store, meeting_id) if await reviews.is_review(store, meeting_id) else None,
        )

    from cli.live import PlainView
    from cli.result import halted, result
    from cli.review_result import result as review_result
    from cli.screen import console

    sitting, turns, summary, review = from_store(settings, read)
    view = PlainView(console())
    view.begin(sitting)
    for turn in turns:
        view.show(TurnEvent(turn))
    if review is not None:
        view.end(review_result(review))
    elif summary["status"] == "completed":
        view.end(result(summary, {member.id: member.name for member in sitting.members}))
    else:
        view.end(halted(summary, f"The meeting is {summary['status'].replace('_', ' ')}."))
    return 0


def minutes(
    meeting: Annotated[str, Parameter(help="Id of the meeting.")],
    /,
    *,
    format: Annotated[
        Literal["md", "html", "pdf", "json"],
        Parameter(help="Markdown, a page to look at or print, PDF, or the record as JSON."),
    ] = "md",
    out: Annotated[Path | None, Parameter(help="The file to write; without it the minutes go to standard output.")] = None,
    json: Json = False,
) -> int:
    """Print the minutes of a meeting, rendered from the record."""
    from clerk import reading
    from cli.serving import settings_for

    settings = settings_for()
    known_place(settings, meeting)
    if json or format == "json":
        data = from_store(settings, lambda store: reading.minutes_data(store, meeting))
        if out is None:
            print_json(data)
            return 0
        made: str | bytes = json_text(data)
    elif format == "md":
        made = from_store(settings, lambda store: reading.minutes(store, meeting)).rstrip("\n") + "\n"
    else:
        made = _page(settings, meeting, pdf=format == "pdf", shown=out is None)
    if out is not None:
        from cli.dashboard import write_whole

        write_whole(out, made)
    elif isinstance(made, bytes):
        sys.stdout.flush()
        sys.stdout.buffer.write(made)
        sys.stdout.buffer.flush()
    else:
        sys.stdout.write(made)
    return 0


def _page(settings: Any, meeting_id: str, *, pdf: bool, shown: bool) -> bytes:
    """The minutes as a page of HTML, in the encoding that it names itself, or as PDF. DeskError."""
    from clerk import reading
    from clerk.errors import DeskError
    from parliament.minutes_html import minutes_html

    if pdf and shown and sys.stdout.isatty():
        raise DeskError("A terminal cannot show PDF: name a file with --out minutes.pdf.", usage=True)
    html = minutes_html(from_store(settings, lambda store: reading.record_of(store, meeting_id)))
    if not pdf:
        return html.encode()
    from clerk.printing import html_pdf

    return html_pdf(html)


def members(*, json: Json = False) -> int:
    """List who can be seated, and who the composition seats."""
    from clerk.opening import members as everybody
    from cli.serving import settings_for

    found = everybody(settings_for())
    if json:
        print_json(found)
        return 0
    from rich.table import Table
    from rich.text import Text

    from cli.screen import console

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("Id", "Name", "Seat", "Perspective"):
        table.add_column(heading, no_wrap=heading in ("Id", "Seat"), overflow="fold")
    for member in found:
        seat = member["seat"] + ("" if member["voting"] else ", no vote")
        table.add_row(
            member["id"], Text(shown_line(member["name"]), style="bold"), seat, Text(shown_line(member["perspective"]))
        )
    console().print(table)
    return 0


def whispers(meeting: Annotated[str, Parameter(help="Id of the meeting.")], /, *, json: Json = False) -> int:
    """Print what the members thought and did not say. Nobody else is ever shown this."""
    from clerk import reading
    from cli.serving import settings_for

    settings = settings_for()
    known_place(settings, meeting)
    found = from_store(settings, lambda store: reading.whispers(store, meeting))
    if json:
        print_json(found)
        return 0
    from rich.text import Text

    from cli.entries import Wrapped
    from cli.screen import console

    screen = console()
    if not found:
        screen.print("Nobody whispered anything in this meeting.")
    for whisper in found:
        screen.print(Text(f"{whisper['seq']:>4}  {shown_line(whisper['name'])}", style="bold"))
        screen.print(Wrapped(Text(shown(whisper["text"]), style="italic"), indent="      ", after=1))
    return 0
