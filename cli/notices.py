"""`boardroom notices`: what the person was told, and a test of each channel."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

from cyclopts import App, Parameter

from cli.options import whole
from cli.screen import print_json, say

if TYPE_CHECKING:
    from records.notices import NoticeRow
    from settings import Settings

Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]

app = App(
    name="notices",
    help="Show what you were told, newest first; `boardroom notices test` tries each channel.",
    help_format="plaintext",
)
TRIED_FOR = timedelta(hours=24)
"""As long as a notice is tried (workflows/notice.py); what is open longer than that was given up."""
MOST = 1000


@app.default
def notices(
    *,
    meeting: Annotated[str | None, Parameter(help="Only those of this meeting.")] = None,
    limit: Annotated[int, Parameter(converter=whole, help=f"How many, 1 to {MOST}.")] = 50,
    json: Json = False,
) -> int:
    """List the last notices: of what, by which channel, and what came of each."""
    from clerk.errors import DeskError
    from cli.reading import known_place
    from cli.serving import settings_for
    from records.notices import listing

    if not 1 <= limit <= MOST:
        raise DeskError(f"--limit is {limit}, but it must be from 1 to {MOST}.", usage=True)
    settings = settings_for()
    if meeting is not None:
        known_place(settings, meeting)

    async def read() -> list[NoticeRow]:
        from clerk import reading
        from records.engine import Store

        store = await Store.open(settings.database_url, settings.data_dir)
        try:
            if meeting is not None:
                await reading.known(store, meeting)
            async with store.read() as tx:
                return await listing(tx, meeting, limit)
        finally:
            await store.close()

    # Looking at an empty place must not create a store there.
    found = asyncio.run(read()) if settings.database_url or settings.data_dir.exists() else []
    now = datetime.now(UTC)
    if json:
        print_json([_as_json(row, now) for row in found])
    elif found:
        _show(found, settings, now)
    else:
        say(
            "There were no notices yet."
            if settings.has_notices
            else f"There were no notices yet, and no channel is set up: {MEND}"
        )
    return 0


MEND = "set BOARDROOM_SMTP_HOST, BOARDROOM_TELEGRAM_TOKEN, BOARDROOM_WEBHOOK_URL or BOARDROOM_APPRISE_URLS (docs/notices.md)."


@app.command(name="test")
def try_channels(
    *,
    channel: Annotated[tuple[str, ...], Parameter(help="Only this channel; may be given again.")] = (),
    json: Json = False,
) -> int:
    """Send a test notice through every channel and say what came of it in each."""
    from activities.notices import channels_of, problems_of
    from clerk.errors import DeskError
    from cli import logs
    from cli.serving import settings_for

    logs.to_stderr()
    settings = settings_for()
    channels = channels_of(settings)
    problems = [] if channel else problems_of(settings)
    names = [one.name for one in channels]
    if unknown := [name for name in channel if name not in names]:
        known = f"those that are set up are {', '.join(names)}" if names else "none is set up"
        raise DeskError(f"There is no channel {unknown[0][:40]!r}: {known}.", usage=True)
    if not channels and not problems:
        raise DeskError(f"No channel for notices is set up: {MEND}", usage=True)
    told = asyncio.run(_tell(settings, [one for one in channels if not channel or one.name in channel]))
    well = all(state == "sent" for _, state, _ in told) and bool(told)
    if json:
        print_json(
            {
                "sent": well,
                "channels": [{"channel": name, "state": state, "trouble": trouble} for name, state, trouble in told],
                "problems": problems,
            }
        )
        return 0 if well and not problems else 1
    for name, state, trouble in told:
        print(f"{name}: {'sent' if state == 'sent' else f'not sent. {trouble}'}", flush=True)
    for problem in problems:
        if not any(problem == trouble for _, _, trouble in told):
            say(problem)
    return 0 if well and not problems else 1


async def _tell(settings: Settings, channels: list[Any]) -> list[tuple[str, str, str]]:
    """Each channel, what came of the test in it, and the trouble."""
    from secrets import token_hex

    from activities.delivering import Courier
    from activities.interface import Delivery
    from records.engine import Store

    if not channels:
        return []
    store = await Store.open(settings.database_url, settings.data_dir)
    try:
        courier = Courier(store, settings, channels)
        delivery = Delivery(id=f"test-{token_hex(8)}", kind="test")
        told = await asyncio.gather(*(courier.deliver(one, delivery, last=True) for one in channels))
        return [(one.name, done.state or "failed", done.trouble) for one, done in zip(channels, told, strict=True)]
    finally:
        await store.close()


def _state(row: NoticeRow, now: datetime) -> str:
    """What became of it, in a word or a few."""
    if row.state in ("sent", "failed"):
        return row.state
    return "given up" if now - row.created_at > TRIED_FOR + timedelta(minutes=5) else "on its way"


def _as_json(row: NoticeRow, now: datetime) -> dict[str, Any]:
    data = asdict(row) | {"state": row.state, "shown_as": _state(row, now)}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in data.items()}


def _show(found: list[NoticeRow], settings: Settings, now: datetime) -> None:
    from rich.table import Table
    from rich.text import Text

    from cli.screen import console, shown_line

    zone = ZoneInfo(settings.zone)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("When", "Notice", "Meeting", "Channel", "State"):
        table.add_column(heading, overflow="fold", no_wrap=heading in ("When", "Meeting"))
    for row in found:
        state = _state(row, now) + (", possibly repeated" if row.possibly_repeated else "")
        if row.trouble:
            state += f" ({row.attempts} attempt{'s' if row.attempts != 1 else ''}): {row.trouble}"
        when = row.created_at.astimezone(zone).strftime("%Y-%m-%d %H:%M")
        cells = (when, row.kind.replace("_", " "), row.meeting_id or "", row.channel, state)
        table.add_row(*(Text(shown_line(cell)) for cell in cells))
    console().print(table)
