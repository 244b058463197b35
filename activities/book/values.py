"""What a board book is made of, as values. Every text in them is printable; every date is a day in the person's own zone.

Field names follow source 000 (Data Structures, Agenda Generation Prompt). None means "not said", which is never zero
(law 8): a day without a step count is not a day of no steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any


@dataclass(frozen=True)
class Skipped:
    """A file, or an entry of one, that was not read. `path` is relative to the context folder; `why` says the mend."""

    path: str
    why: str


@dataclass(frozen=True)
class Missing:
    """A source of the book that has nothing to give. `sentence` says what was looked for."""

    source: str
    sentence: str


@dataclass(frozen=True)
class Goal:
    """An active goal. `progress` is in percent of the target (over 100 when it was passed)."""

    id: str
    title: str
    path: str
    target: str = ""
    progress: float | None = None
    start: date | None = None
    due: date | None = None
    status: str = ""  # normalised: lower case, words joined by underscores
    why: str = ""


@dataclass(frozen=True)
class Workout:
    """One recorded activity. `minutes` of time, `km` of distance. `id` tells two records of the same activity."""

    date: date
    kind: str
    minutes: float | None = None
    km: float | None = None
    id: str = ""


@dataclass(frozen=True)
class DayOfBody:
    """A day of wearable data: hours slept in the night that ended on it, HRV in milliseconds, body battery 0 to 100.

    `workouts` is None when the day does not say, and empty when it says that there were none.
    """

    date: date
    path: str
    sleep_hours: float | None = None
    hrv: float | None = None
    steps: float | None = None
    battery_low: float | None = None
    battery_high: float | None = None
    resting_heart_rate: float | None = None
    workouts: tuple[Workout, ...] | None = None


@dataclass(frozen=True)
class CheckIn:
    """What the person said of a day: `energy` and `mood` as they wrote it, `responses` as (question, answer)."""

    date: date
    path: str
    time: str = ""
    energy: str = ""
    mood: str = ""
    responses: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class View:
    """A view that another program computed from the raw data, as it was given, with its date and the days it is about.

    `start` and `end` are None where the view does not say what days it covers.
    """

    name: str
    path: str
    data: Mapping[str, Any]
    generated: date | None = None
    start: date | None = None
    end: date | None = None


@dataclass(frozen=True)
class Note:
    path: str
    text: str


@dataclass(frozen=True)
class Waiting:
    """A resolution that still waits for the person's answer (source 000: resolutions without user_response)."""

    resolution_id: str
    meeting_id: str
    topic: str
    text: str
    since: date | None = None


@dataclass(frozen=True)
class OpenAction:
    """An action item that is not done. `deadline` in the words of the record, `due` the day that they were read as."""

    id: str
    task: str
    owner: str
    deadline: str | None = None
    resolution_id: str | None = None
    meeting_id: str | None = None
    due: date | None = None


@dataclass(frozen=True)
class Tabled:
    """An agenda item that a meeting laid on the table; it is offered to the next one (DESIGN, Decisions)."""

    item_id: str
    meeting_id: str
    topic: str
    why: str = ""
    since: date | None = None


@dataclass(frozen=True)
class Precedent:
    """An earlier resolution on a topic of this book. `outcome` is how its motion ended; dissents are never dropped (law 10)."""

    resolution_id: str
    meeting_id: str
    topic: str
    text: str
    outcome: str
    on: date | None = None
    dissents: tuple[tuple[str, str], ...] = ()  # (who, why)


@dataclass(frozen=True)
class Standing:
    """An adopted resolution that was answered, or that is stale, and where it stands now (issue 4, 4)."""

    resolution_id: str
    topic: str
    text: str
    status: str
    since: date | None = None
    open_tasks: int = 0
    overdue_tasks: int = 0


@dataclass(frozen=True)
class Opposed:
    """Two decisions on one topic that go opposite ways, the earlier one first; both texts are shown."""

    earlier: Precedent
    later: Precedent


@dataclass(frozen=True)
class Returning:
    """A topic that several meetings have had."""

    topic: str
    meetings: tuple[str, ...]  # ids, the first one first


@dataclass(frozen=True)
class FromTheRecord:
    """What the board's own record gives to the book. Nothing here is read from the context folder."""

    waiting: tuple[Waiting, ...] = ()
    actions: tuple[OpenAction, ...] = ()
    tabled: tuple[Tabled, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    standing: tuple[Standing, ...] = ()
    opposed: tuple[Opposed, ...] = ()
    returning: tuple[Returning, ...] = ()


class FindingKind(StrEnum):
    DISAGREES = "disagrees"
    """The view and the raw data give different figures."""
    STALE = "stale"
    """The view is too old, or is dated in the future."""
    UNCHECKED = "unchecked"
    """There is nothing to check the view against: which is not the same as a view that was found right."""


@dataclass(frozen=True)
class Finding:
    """One result of holding a view against the raw data. `says` and `raw_says` are figures with their unit.

    `source` and `raw_source` are paths relative to the context folder; `days` are the raw data's days that were compared.
    """

    kind: FindingKind
    source: str
    about: str
    says: str
    sentence: str
    raw_source: str = ""
    raw_says: str = ""
    days: tuple[date, ...] = ()


@dataclass(frozen=True)
class DriftingGoal:
    """A goal that is off track and every reason for it. `behind` is in percentage points, None where no plan is known."""

    id: str
    title: str
    reasons: tuple[str, ...]
    overdue_days: int = 0
    behind: float | None = None


@dataclass(frozen=True)
class BoardBook:
    """All that a board is given to read. Days and check-ins come newest first, goals by title, notes newest first."""

    today: date
    goals: tuple[Goal, ...] = ()
    views: Mapping[str, View] = field(default_factory=dict)
    days: tuple[DayOfBody, ...] = ()
    checkins: tuple[CheckIn, ...] = ()
    notes: tuple[Note, ...] = ()
    known: FromTheRecord = FromTheRecord()
    findings: tuple[Finding, ...] = ()
    drifting: tuple[DriftingGoal, ...] = ()
    missing: tuple[Missing, ...] = ()
    skipped: tuple[Skipped, ...] = ()
