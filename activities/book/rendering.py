"""The board book as Markdown: one fact a line, in the order of source 000, within a cap, the same for the same book.

Texts stay as they were written, on one line each, and notes stand as quotations: nothing in them can look like a heading
or a line of the book. Making them inert for a prompt or a page is the work of those who show them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from activities.book.building import BODY_DAYS, CHECKIN_DAYS, recent, shown_checkins, shown_days
from activities.book.pressing import deadline_of
from activities.book.reading import figure, words
from activities.book.values import BoardBook, CheckIn, DayOfBody, FindingKind, Goal, OpenAction, Precedent, Standing
from parliament.text import one_line

CAP = 60_000
"""Characters: what a prompt takes of a board book."""
MAX_VIEW_LINES = 80
MAX_NOTE = 12_000
"""Characters of one note."""
_SHOWN_SKIPPED = 30


@dataclass
class Section:
    """A heading and its lines, the most important first. `empty` is said where there is no line."""

    key: str
    heading: str
    lines: list[str]
    empty: str = "Nothing."
    dropped: int = 0
    lead: str = ""

    def text(self) -> str:
        parts = [f"## {self.heading}", ""]
        if self.lead:
            parts += [self.lead, ""]
        parts += self.lines or ([] if self.dropped else [self.empty])
        if self.dropped:
            parts.append(f"- (left out for length: {self.dropped} {'line' if self.dropped == 1 else 'lines'})")
        return "\n".join(parts) + "\n"


_DROPPED_FIRST = (
    "notes",
    "precedents",
    "returning",
    "week-summary",
    "training-status",
    "health-snapshot",
    "goal-progress",
    "skipped",
    "checkins",
    "days",
    "tabled",
    "standing",
    "waiting",
    "actions",
    "opposed",
    "goals",
    "missing",
    "drifting",
    "findings",
)
"""Sections in the order in which a cap takes from them, from their ends: what others wrote and computed before what is raw."""


def render_book(book: BoardBook, *, today: date | None = None, cap: int = CAP) -> str:
    """The book as Markdown of at most `cap` characters (1,000 or more). Deterministic.

    `today` (the book's own day by default) says what is past: the days that are shown, and which action items are overdue.
    Over the cap lines are left out, the oldest and least first, and each section says how many.
    """
    sections = _sections(book, today or book.today)
    _fit(sections, cap - 200)
    text = "\n".join([f"# Board book of {today or book.today}\n", *(section.text() for section in sections)])
    return text if len(text) <= cap else text[: cap - 40].rstrip() + "\n\n(cut here: the cap is too small)\n"


def _fit(sections: list[Section], cap: int) -> None:
    total = sum(len(section.text()) + 1 for section in sections)
    by_key = {section.key: section for section in sections}
    for key in _DROPPED_FIRST:
        section = by_key[key]
        total += 60 if total > cap and section.lines else 0  # the line that will say so
        while total > cap and section.lines:
            total -= len(section.lines.pop()) + 1
            section.dropped += 1


def _sections(book: BoardBook, today: date) -> list[Section]:
    known = book.known
    overdue = [a for a in known.actions if _overdue(a, today)]
    other = [a for a in known.actions if not _overdue(a, today)]
    return [
        Section(
            "findings",
            "Check of the views against the raw data",
            [f"- {_KIND[finding.kind]}: {finding.sentence}" for finding in book.findings],
            "Every figure of a view that can be checked agrees with the raw data."
            if book.views
            else "There is no view to check.",
        ),
        Section("drifting", "Goals off track", [f"- {g.title}: {'; '.join(g.reasons)}." for g in book.drifting], "None."),
        Section("goals", "Active goals", [line for goal in book.goals for line in _goal(goal)], "None were read."),
        _view(book, "goal-progress", "Goal progress (view)"),
        Section("days", *_days(book, today)),
        Section("checkins", *_checkins(book, today)),
        _view(book, "health-snapshot", "Health snapshot (view)"),
        _view(book, "training-status", "Training status (view)"),
        _view(book, "week-summary", "Week summary (view)"),
        Section(
            "waiting",
            "Resolutions that wait for an answer",
            [
                f"- {w.resolution_id}, {one_line(w.topic)}{_since(w.since, today)}: {one_line(w.text)}"
                for w in sorted(known.waiting, key=lambda w: (w.since or date.max, w.resolution_id))
            ],
            "None.",
        ),
        Section(
            "actions", "Open action items", [_action(a, today) for a in _by_deadline(overdue) + _by_deadline(other)], "None."
        ),
        Section(
            "tabled",
            "Tabled items",
            [
                f"- {one_line(t.topic)} ({t.item_id} of {t.meeting_id}{_since(t.since, today)})"
                + (f": {one_line(t.why)}" if t.why else "")
                for t in sorted(known.tabled, key=lambda t: (t.since or date.max, t.meeting_id, t.item_id))
            ],
            "None.",
        ),
        Section(
            "standing",
            "Resolutions that are followed",
            [
                f"- {s.resolution_id}, {one_line(s.topic)}, {s.status.replace('_', ' ').upper()}{_since(s.since, today)}"
                f"{_tasks(s)}: {one_line(s.text)}"
                for s in known.standing
            ],
            "None.",
        ),
        Section(
            "opposed",
            "Decisions that contradict an earlier one",
            [
                f"- {one_line(o.later.topic)}: {o.earlier.resolution_id}{_on(o.earlier)} says: {one_line(o.earlier.text)} "
                f"{o.later.resolution_id}{_on(o.later)} says: {one_line(o.later.text)}"
                for o in known.opposed
            ],
            "None.",
        ),
        Section(
            "returning",
            "Topics that keep coming back",
            [f"- {one_line(r.topic)}: {len(r.meetings)} meetings ({', '.join(r.meetings)})" for r in known.returning],
            "None.",
        ),
        Section("precedents", "Precedent: earlier resolutions on these topics", list(_precedents(book)), "None."),
        Section("notes", "Notes", list(_notes(book)), "None."),
        Section("missing", "Missing sources", [f"- {missing.sentence}" for missing in book.missing], "None."),
        Section("skipped", "Skipped files", list(_skipped(book)), "None."),
    ]


_KIND = {
    FindingKind.DISAGREES: "Disagreement",
    FindingKind.STALE: "Stale view",
    FindingKind.UNCHECKED: "Not checked",
}


def _since(since: date | None, today: date) -> str:
    if since is None:
        return ""
    age = (today - since).days
    return f", since {since}" + (f" ({age} {'day' if age == 1 else 'days'})" if age > 0 else "")


def _goal(goal: Goal) -> Iterator[str]:
    facts = [
        f"target {goal.target}" if goal.target else "",
        f"{figure(goal.progress)} % done" if goal.progress is not None else "progress not said",
        f"begun {goal.start}" if goal.start else "",
        f"due {goal.due}" if goal.due else "no due date",
        f"status {goal.status.replace('_', ' ')}" if goal.status else "",
    ]
    yield f"- {goal.title} ({goal.id}): {', '.join(filter(None, facts))}"
    if goal.why:
        yield f"  - why: {goal.why}"


# ---- days and check-ins ----


def _days(book: BoardBook, today: date) -> tuple[str, list[str], str]:
    begin, end = recent(book.days, today, BODY_DAYS)
    by_date = {day.date: day for day in shown_days(book, today)}
    lines = []
    for back in range(BODY_DAYS if by_date else 0):
        when = end - timedelta(days=back)
        lines.append(f"- {when}: " + (_day(by_date[when]) if when in by_date else "no data"))
    return f"Wearable data of the past {BODY_DAYS} days ({begin} to {end})", lines, "No data."


def _day(day: DayOfBody) -> str:
    battery = [figure(v) for v in (day.battery_low, day.battery_high) if v is not None]
    facts = [
        _measure("sleep", day.sleep_hours, " h"),
        _measure("HRV", day.hrv, " ms"),
        _measure("steps", day.steps, ""),
        f"body battery {' to '.join(battery)}" if battery else "body battery not said",
        _measure("resting heart rate", day.resting_heart_rate, " bpm") if day.resting_heart_rate is not None else "",
    ]
    if day.workouts:
        facts.append("activities: " + ", ".join(_workout(w.kind, w.minutes, w.km) for w in day.workouts))
    elif day.workouts is not None:
        facts.append("no activity")
    return "; ".join(filter(None, facts))


def _measure(name: str, value: float | None, unit: str) -> str:
    return f"{name} not said" if value is None else f"{name} {figure(value)}{unit}"


def _workout(kind: str, minutes: float | None, km: float | None) -> str:
    facts = [f"{figure(round(minutes))} min" if minutes is not None else "", f"{figure(km)} km" if km is not None else ""]
    return " ".join([kind, *filter(None, facts)])


def _checkins(book: BoardBook, today: date) -> tuple[str, list[str], str]:
    begin, end = recent(book.checkins, today, CHECKIN_DAYS)
    return (
        f"Check-ins of the past {CHECKIN_DAYS} days ({begin} to {end})",
        [_checkin(checkin) for checkin in shown_checkins(book, today)],
        "No check-in.",
    )


def _checkin(checkin: CheckIn) -> str:
    facts = [
        f"energy {checkin.energy}" if checkin.energy else "energy not said",
        f"mood {checkin.mood}" if checkin.mood else "mood not said",
        *(_response(question, answer) for question, answer in checkin.responses),
    ]
    return f"- {checkin.date}{f' {checkin.time}' if checkin.time else ''}: {'; '.join(facts)}"


def _response(question: str, answer: str) -> str:
    answer = answer.removesuffix(".")
    if not question:
        return answer
    return f"{question} {answer}" if question[-1] in "?:.!" else f"{question}: {answer}"


# ---- views ----


def _view(book: BoardBook, name: str, heading: str) -> Section:
    view = book.views.get(name)
    if view is None:
        return Section(name, heading, [], "There is none.")
    lines: list[str] = []
    more = 0
    for line in _facts(view.data):
        if len(lines) < MAX_VIEW_LINES:
            lines.append(line)
        else:
            more += 1
    if more:
        lines.append(f"- (and {more} more lines of {view.path})")
    made = f"made on {view.generated}" if view.generated else "not dated"
    said = sum(1 for finding in book.findings if finding.source == view.path and finding.kind is FindingKind.DISAGREES)
    doubt = f" Where it disagrees with the raw data ({said}) is said above." if said else ""
    return Section(name, heading, lines, "It is empty.", lead=f"From {view.path}, {made}.{doubt}")


def _facts(value: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[str]:
    """One line a fact: "- sleep, average hours: 6.4". Objects in lists take one line each; what is nested deeper is named."""
    for key, inner in value.items():
        path = (*above, words(str(key).replace("_", " ").replace("-", " "), 80))
        label = ", ".join(filter(None, path)) or "?"
        if isinstance(inner, Mapping):
            if len(path) < 5:
                yield from _facts(inner, path)
            else:
                yield f"- {label}: (more, nested too deeply to show)"
        elif isinstance(inner, list):
            plain = [words(one) for one in inner if not isinstance(one, Mapping | list)]
            if plain:
                yield f"- {label}: {words('; '.join(filter(None, plain[:40])), 1000)}" + ("; …" if len(plain) > 40 else "")
            for one in inner:
                if isinstance(one, Mapping):
                    facts = [f"{words(str(k).replace('_', ' '), 80)} {_short(v)}" for k, v in list(one.items())[:20]]
                    yield f"- {label}: {words(', '.join(facts), 1000)}"
            if not inner:
                yield f"- {label}: none"
        else:
            yield f"- {label}: {words(inner, 1000) or 'not said'}"


def _short(value: Any) -> str:
    if isinstance(value, list):
        return " + ".join(filter(None, (words(one, 80) for one in value[:10]))) or "(more)"
    return "(more)" if isinstance(value, Mapping) else words(value) or "not said"


# ---- the record, notes, and what was skipped ----


def _overdue(action: OpenAction, today: date) -> bool:
    deadline = deadline_of(action)
    return deadline is not None and deadline < today


def _by_deadline(actions: Iterable[OpenAction]) -> list[OpenAction]:
    return sorted(actions, key=lambda a: (deadline_of(a) or date.max, a.id))


def _action(action: OpenAction, today: date) -> str:
    deadline, said = deadline_of(action), one_line(action.deadline or "")
    if deadline is None:  # words that say no day are shown as such: nobody is to work one out
        when = f"no date (“{said}”)" if said else "no deadline"
    elif deadline < today:
        late = (today - deadline).days
        when = f"OVERDUE since {deadline} ({late} {'day' if late == 1 else 'days'})"
    else:
        when = f"due {deadline}" + (f" (“{said}”)" if said and said != str(deadline) else "")
    origin = (
        f", of {action.resolution_id}" if action.resolution_id else f", of {action.meeting_id}" if action.meeting_id else ""
    )
    return f"- {action.id}, owner {one_line(action.owner)}, {when}{origin}: {one_line(action.task)}"


def _tasks(standing: Standing) -> str:
    if not standing.open_tasks:
        return ""
    late = f", {standing.overdue_tasks} overdue" if standing.overdue_tasks else ""
    return f", {standing.open_tasks} open action item{'s' if standing.open_tasks > 1 else ''}{late}"


def _on(precedent: Precedent) -> str:
    return f" on {precedent.on}" if precedent.on else ""


def _precedents(book: BoardBook) -> Iterator[str]:
    newest = sorted(book.known.precedents, key=lambda p: (p.on or date.min, p.resolution_id), reverse=True)
    for precedent in newest:
        dissents = "".join(f" Dissent of {one_line(who)}: {one_line(why)}" for who, why in precedent.dissents)
        yield (
            f"- {precedent.resolution_id}, {one_line(precedent.topic)}, {one_line(precedent.outcome)}{_on(precedent)}: "
            f"{one_line(precedent.text)}{dissents}"
        )


def _notes(book: BoardBook) -> Iterator[str]:
    for n, note in enumerate(book.notes):
        text, more = note.text[:MAX_NOTE], len(note.text) - MAX_NOTE
        if n:
            yield ""
        yield f"- {note.path}:"
        yield from (f"  > {line}".rstrip() for line in text.rstrip().split("\n"))
        if more > 0:
            yield f"  > (cut here: {more} more characters)"


def _skipped(book: BoardBook) -> Iterator[str]:
    for one in book.skipped[:_SHOWN_SKIPPED]:
        yield f"- {one.path}: {one.why}."
    if len(book.skipped) > _SHOWN_SKIPPED:
        yield f"- and {len(book.skipped) - _SHOWN_SKIPPED} more."
