"""Doers: each does it once, names its proof, and takes it back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from icalendar import Calendar

from activities.tasks import DoerError, TaskItem, doers_of, sinks_of
from settings import Settings

ITEM = TaskItem("ACT-0000000a", "Call the landlord", "shareholder", "next Friday", date(2026, 12, 11), resolution_id="RES-x-1")


def settings(**more: object) -> Settings:
    return Settings(provider="simulated", **more)  # type: ignore[arg-type]


async def test_a_doer_does_it_once_proves_it_and_takes_it_back(tmp_path: Path) -> None:
    folder = tmp_path / "data"  # with PostgreSQL nobody has made it
    doer = doers_of(settings(data_dir=folder))["calendar"]
    proof = await doer.do(ITEM)
    assert await doer.do(ITEM) == proof
    file = folder / "calendar.ics"
    (event,) = Calendar.from_ical(file.read_text()).walk("VEVENT")
    assert (event.decoded("dtstart"), event.decoded("dtend")) == (date(2026, 12, 11), date(2026, 12, 12))
    assert proof == f"an event on 2026-12-11 in calendar.ics, UID {event['uid']}"
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    await doer.undo(ITEM)
    await doer.undo(ITEM)
    assert Calendar.from_ical(file.read_text()).walk("VEVENT") == []
    with pytest.raises(DoerError, match="date"):
        await doer.do(replace(ITEM, due=None))


async def test_a_persons_calendar_is_written_beside_their_own_entries_and_their_tasks(tmp_path: Path) -> None:
    file = tmp_path / "mine.ics"
    mine = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nEND:VEVENT\nEND:VCALENDAR\n"
    file.write_text(mine)
    chosen = settings(data_dir=tmp_path / "data", calendar_file=file, tasks_file=file)
    doer, (sink,) = doers_of(chosen)["calendar"], sinks_of(chosen)
    assert "in mine.ics, UID " in await doer.do(ITEM)
    await sink.push([ITEM])
    found = Calendar.from_ical(file.read_text())
    ids = [str(one["uid"]) for one in found.walk() if "uid" in one]
    assert len(set(ids)) == len(ids) == 3, "two components with one UID"
    await sink.push([replace(ITEM, done=True)])
    assert await sink.completed() == {ITEM.id}
    await doer.undo(ITEM)
    assert [str(one["summary"]) for one in Calendar.from_ical(file.read_text()).walk("VEVENT")] == ["Dentist"]
    assert not (tmp_path / "data").exists()


async def test_a_calendar_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.ics").write_text("no calendar")
    (tmp_path / "data").write_text("no folder")
    for chosen, said in (
        (settings(calendar_file=tmp_path / "mine.ics"), "The calendar file is broken"),
        (settings(calendar_file=tmp_path / "missing" / "mine.ics"), "or choose another with BOARDROOM_CALENDAR_FILE"),
        (settings(data_dir=tmp_path / "data"), "choose another with BOARDROOM_DATA_DIR"),
    ):
        with pytest.raises(DoerError, match=said) as raised:
            await doers_of(chosen)["calendar"].do(ITEM)
        assert raised.value.__cause__ is None and "landlord" not in str(raised.value)


async def test_who_is_registered_is_the_settings_affair(tmp_path: Path) -> None:
    assert set(doers_of(settings())) == {"calendar", "ledger"}  # nobody could be reminded
    told = {"telegram_token": "1:x", "telegram_chat": "1"}
    assert set(doers_of(settings(**told))) == {"calendar", "ledger", "reminder"}
    for nobody in ("none", "", " , "):
        assert doers_of(settings(doers=nobody)) == {}
    assert set(doers_of(settings(doers="Ledger,"))) == {"ledger"}


async def test_the_others_name_their_proof() -> None:
    doers = doers_of(settings(telegram_token="1:x", telegram_chat="1"))
    assert ITEM.id in await doers["ledger"].do(ITEM)
    assert "2026-12-11" in await doers["reminder"].do(ITEM)
    with pytest.raises(DoerError, match="date"):
        await doers["reminder"].do(replace(ITEM, due=None))
    for doer in doers.values():
        await doer.undo(replace(ITEM, id="ACT-0000000b"))  # what was never done
