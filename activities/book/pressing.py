"""What a chairman would put on an agenda, as short phrases: the most pressing of a board book first. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from activities.book.building import shown_days
from activities.book.reading import a_date, figure
from activities.book.values import BoardBook, Finding, FindingKind, OpenAction
from parliament.text import brief

MAX_TOPIC = 120
"""Characters of a phrase."""
MAX_TOPICS = 20
LITTLE_SLEEP = 7.0
"""Hours a night; the sample motion of source 000 (Motion Generation Prompt) has it as the minimum."""


def topics(book: BoardBook) -> tuple[str, ...]:
    """At most MAX_TOPICS phrases: goals off track, findings, overdue items, what waits and what was tabled, patterns, goals.

    Worst first within each kind. Empty for a book with nothing in it.
    """
    found: dict[str, None] = {}
    for phrase in _phrases(book):
        found.setdefault(brief(phrase, MAX_TOPIC))
    return tuple(found)[:MAX_TOPICS]


def deadline_of(action: OpenAction) -> date | None:
    """The day of an action item's deadline; None for one whose words could not be read, and for none."""
    return action.due or a_date(action.deadline)


def _phrases(book: BoardBook) -> Iterator[str]:
    off = {goal.id for goal in book.drifting}
    for drifting in book.drifting:
        yield f"Goal off track: {drifting.title}"
    for finding in book.findings:
        if finding.kind is FindingKind.DISAGREES:
            yield _finding(finding)
    overdue = [(deadline, a) for a in book.known.actions if (deadline := deadline_of(a)) is not None and deadline < book.today]
    for deadline, action in sorted(overdue, key=lambda pair: (pair[0], pair[1].id)):
        yield f"Overdue since {deadline}: {action.task}"
    for opposed in book.known.opposed:
        yield f"Decisions that contradict each other: {opposed.later.topic}"
    for standing in book.known.standing:
        if standing.status == "stale":
            yield f"Nothing moves: {standing.topic}"
    for waiting in sorted(book.known.waiting, key=lambda w: (w.since or date.max, w.resolution_id)):
        yield f"Waiting for an answer: {waiting.topic}"
    for tabled in sorted(book.known.tabled, key=lambda t: (t.since or date.max, t.meeting_id, t.item_id)):
        yield f"From the table: {tabled.topic}"
    for returning in book.known.returning:
        yield f"Back again after {len(returning.meetings)} meetings: {returning.topic}"
    yield from _patterns(book)
    for finding in book.findings:
        if finding.kind is FindingKind.STALE:
            yield f"Data out of date: {finding.source}"
    for goal in book.goals:
        if goal.id not in off:
            yield f"Goal review: {goal.title}"


def _finding(finding: Finding) -> str:
    """Both figures in a phrase."""
    name = finding.source.rpartition("/")[2].removesuffix(".json").replace("-", " ")
    return f"{finding.about[:1].upper()}{finding.about[1:]}: {finding.says} by the {name}, {finding.raw_says} in the raw data"


def _patterns(book: BoardBook) -> Iterator[str]:
    nights = [day.sleep_hours for day in shown_days(book, book.today) if day.sleep_hours is not None]
    if nights and (mean := sum(nights) / len(nights)) < LITTLE_SLEEP:
        count = "the past night" if len(nights) == 1 else f"the past {len(nights)} nights"
        yield f"Sleep: {figure(round(mean, 1))} hours a night over {count}"
