"""The board book of a day: a context folder read, its views held against its raw data, and what is missing named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from activities.book.checking import check
from activities.book.drift import off_track
from activities.book.folder import CHECKINS, GOALS, NOTES, VIEW_NAMES, VIEWS, WEARABLE, FileText, read_folder, shown
from activities.book.reading import NotRead, parse
from activities.book.sources import Parsed, read_checkins, read_days, read_goals
from activities.book.values import (
    BoardBook,
    CheckIn,
    DayOfBody,
    FromTheRecord,
    Goal,
    Missing,
    Note,
    Precedent,
    Skipped,
    View,
)
from activities.book.views import read_views
from parliament.text import is_blank, printable

BODY_DAYS = 3
"""Past days of wearable data that the book shows (source 000, Agenda Generation Prompt)."""
CHECKIN_DAYS = 7
"""Past days of check-ins that the book shows (source 000, Agenda Generation Prompt)."""

NOTHING = FromTheRecord()


class Dated(Protocol):
    @property
    def date(self) -> date: ...


def build_book(folder: Path | None, *, today: date, known: FromTheRecord = NOTHING) -> BoardBook:
    """The board book of `today` (a day in the person's zone) from a context folder, None for none, and the board's record.

    Never raises for what the folder holds: what is missing or was not read is named in the book. Blocking file access of at
    most 8 MiB: call it in a thread.
    """
    if folder is None:
        sentence = "No context folder is set: the book holds only what the board's own record knows."
        return BoardBook(today=today, known=known, missing=(Missing("context folder", sentence),))
    read = read_folder(folder, today=today)
    if not read.there:
        sentence = f"The context folder was not read: {read.skipped[0].why}."
        return BoardBook(today=today, known=known, missing=(Missing("context folder", sentence),))
    parsed, broken = _parsed(file for file in read.files if not _is_note(file.path))
    goals = read_goals(_under(parsed, GOALS))
    views = read_views(_under(parsed, VIEWS))
    days = read_days(_under(parsed, *WEARABLE), today)
    checkins = read_checkins(_under(parsed, *CHECKINS), today)
    notes = tuple(
        Note(shown(f.path), printable(f.text).strip()) for f in read.files if _is_note(f.path) and not is_blank(f.text)
    )
    named: dict[str, View] = {view.name: view for view in views.values}
    book = BoardBook(
        today=today,
        goals=tuple(sorted(goals.values, key=lambda goal: (goal.title.lower(), goal.id))),
        views=named,
        days=tuple(days.values),
        checkins=tuple(checkins.values),
        notes=notes,
        known=known,
        findings=check(tuple(goals.values), named, tuple(days.values), today),
        drifting=off_track(goals.values, named, today),
        skipped=(*read.skipped, *broken, *goals.skipped, *views.skipped, *days.skipped, *checkins.skipped),
    )
    return replace(book, missing=tuple(_missing(book)))


def with_precedents(book: BoardBook, precedents: Iterable[Precedent]) -> BoardBook:
    """The book with the precedents that were found for its topics (they can be looked for only when the book is built)."""
    return replace(book, known=replace(book.known, precedents=tuple(precedents)))


def _is_note(path: str) -> bool:
    return path.lower().endswith(".md") and path.partition("/")[0] in (path, NOTES)


def _parsed(files: Iterable[FileText]) -> tuple[list[Parsed], list[Skipped]]:
    parsed: list[Parsed] = []
    broken: list[Skipped] = []
    for file in files:
        try:
            parsed.append((file.path, parse(file.text)))
        except NotRead as error:
            broken.append(Skipped(shown(file.path), str(error)))
    return parsed, broken


def _under(parsed: list[tuple[str, Any]], *places: str) -> list[tuple[str, Any]]:
    return [
        (path, value) for path, value in parsed if any(PurePosixPath(place) in PurePosixPath(path).parents for place in places)
    ]


def recent(entries: tuple[DayOfBody, ...] | tuple[CheckIn, ...], today: date, length: int) -> tuple[date, date]:
    """First and last of the past `length` days: they end today when there is something of today, else yesterday."""
    end = today if any(entry.date == today for entry in entries) else today - timedelta(days=1)
    return end - timedelta(days=length - 1), end


def shown_days(book: BoardBook, today: date) -> tuple[DayOfBody, ...]:
    """The past BODY_DAYS days that have data, newest first."""
    begin, end = recent(book.days, today, BODY_DAYS)
    return tuple(day for day in book.days if begin <= day.date <= end)


def shown_checkins(book: BoardBook, today: date) -> tuple[CheckIn, ...]:
    """Check-ins of the past CHECKIN_DAYS days, newest first."""
    begin, end = recent(book.checkins, today, CHECKIN_DAYS)
    return tuple(checkin for checkin in book.checkins if begin <= checkin.date <= end)


def _missing(book: BoardBook) -> Iterable[Missing]:
    """Every source of source 000's list that has nothing to give, in its order."""
    goals: tuple[Goal, ...] = book.goals
    if not goals:
        yield Missing("goals", f"There are no active goals ({GOALS}/*.json).")
    for name in VIEW_NAMES:
        if name not in book.views:
            yield Missing(name, f"There is no {name.replace('-', ' ')} ({VIEWS}/{name}.json).")
    if not shown_days(book, book.today):
        newest = f"; the newest is of {book.days[0].date}" if book.days else ""
        yield Missing(
            "wearable data", f"There is no wearable data of the past {BODY_DAYS} days ({WEARABLE[0]}/*.json){newest}."
        )
    if not shown_checkins(book, book.today):
        newest = f"; the newest is of {book.checkins[0].date}" if book.checkins else ""
        yield Missing("check-ins", f"There are no check-ins of the past {CHECKIN_DAYS} days ({CHECKINS[0]}/*.json){newest}.")
    if not book.notes:
        yield Missing("notes", f"There are no notes ({NOTES}/*.md, or *.md at the top).")
