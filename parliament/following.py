"""What becomes of an adopted resolution: where it stands, what is due next (source 000, Resolution & Action-Item Follow-up).

Everything is computed from what is on the record: the person's answer, what changed since, and the action items. A
resolution's moments fall on a morning in the meeting's own zone, whatever the clocks did in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo


class ResolutionStatus(StrEnum):
    """Where a resolution stands across meetings."""

    WAITING = "waiting"  # for the person's answer; also while it is deferred
    ACCEPTED = "accepted"
    IN_PROGRESS = "in_progress"
    DONE = "done"
    OVERDUE = "overdue"  # accepted, and an action item is past its deadline
    STALE = "stale"  # nothing moved for 30 days (source 000, STALE_DAYS)
    REJECTED = "rejected"
    SUPERSEDED = "superseded"  # a later resolution took its place


ENDED = frozenset({ResolutionStatus.DONE, ResolutionStatus.REJECTED, ResolutionStatus.SUPERSEDED})
"""From here on nothing is followed."""


class Response(StrEnum):
    """What a person may answer (source 000, Respond to resolution)."""

    ACCEPT = "accept"
    REJECT = "reject"
    DEFER = "defer"


class ChangeKind(StrEnum):
    """What may happen to a resolution. Those that follow from the calendar are written by its workflow alone."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DEFERRED = "deferred"
    ACTION_DONE = "action_done"
    ACTION_REOPENED = "action_reopened"
    ACTION_ADDED = "action_added"
    SUPERSEDED = "superseded"
    RETURNED = "returned"  # the date came to which it was deferred
    REMINDED = "reminded"  # of the answer that it waits for
    ACTION_DUE = "action_due"  # an action item's day has come
    ACTION_OVERDUE = "action_overdue"  # and has gone
    STALE = "stale"
    DONE = "done"


MOVES = frozenset(
    {
        ChangeKind.ACCEPTED,
        ChangeKind.DEFERRED,
        ChangeKind.RETURNED,
        ChangeKind.ACTION_DONE,
        ChangeKind.ACTION_REOPENED,
        ChangeKind.ACTION_ADDED,
    }
)
"""Movement: what keeps a resolution from becoming stale. A reminder moves nothing."""
LOOKED_AT = timedelta(days=7)
"""How long what was accepted is left alone at most."""


@dataclass(frozen=True, slots=True)
class Plan:
    """When a person is told. `remind_days` between two reminders; 0: none. `hour` is local."""

    remind_days: int = 7
    stale_days: int = 30
    hour: int = 9


@dataclass(frozen=True, slots=True)
class FollowedTask:
    """An action item of the resolution."""

    id: str
    due: date | None
    done: bool
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class FollowedChange:
    """Something that happened to the resolution. `which` tells changes of one kind apart (a task's id, a number)."""

    kind: ChangeKind
    at: datetime
    which: str = ""
    until: date | None = None  # DEFERRED: the date on which it returns


@dataclass(frozen=True, slots=True)
class Followed:
    """All that is known of one adopted resolution. Times are aware; `zone` is the meeting's."""

    decided_at: datetime
    zone: ZoneInfo
    changes: tuple[FollowedChange, ...] = ()  # the oldest first
    tasks: tuple[FollowedTask, ...] = ()
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A change that the calendar brings. `at` is the moment for which it was due, which may be past."""

    kind: ChangeKind
    at: datetime
    which: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is due now, when to look again (None: only when something happens), and whether it is over."""

    status: ResolutionStatus
    steps: tuple[Step, ...]
    next_at: datetime | None
    ended: bool


def answer(followed: Followed) -> Response | None:
    """The person's answer as it stands: the first final one, else a deferral until its date; it is open again from then on.

    A resolution may return and be answered at one moment of its workflow, so the order of the two rows says nothing: deferrals
    and returns are counted.
    """
    returns = 0
    for change in followed.changes:
        match change.kind:
            case ChangeKind.ACCEPTED:
                return Response.ACCEPT
            case ChangeKind.REJECTED:
                return Response.REJECT
            case ChangeKind.DEFERRED:
                returns -= 1
            case ChangeKind.RETURNED:
                returns += 1
    return Response.DEFER if returns < 0 else None


def deferred_until(followed: Followed) -> date | None:
    """The date to which it is put off now."""
    if answer(followed) is not Response.DEFER:
        return None
    return next(change.until for change in reversed(followed.changes) if change.kind is ChangeKind.DEFERRED)


def refusal(followed: Followed, response: Response) -> str | None:
    """Why an answer is not in order now, in a sentence; None when it is. The first final answer stands."""
    if followed.superseded_by is not None:
        return f"A later resolution took its place ({followed.superseded_by}): answer that one."
    match answer(followed):
        case Response.ACCEPT:
            return "It was accepted already; the first answer stands."
        case Response.REJECT:
            return "It was rejected already; the first answer stands."
        case Response.DEFER if response is Response.DEFER:
            return f"It is deferred to {deferred_until(followed)} already: accept or reject it, or wait until then."
    return None


def status(followed: Followed, now: datetime, plan: Plan | None = None) -> ResolutionStatus:
    """Where the resolution stands at this moment."""
    plan = plan or Plan()
    if followed.superseded_by is not None:
        return ResolutionStatus.SUPERSEDED
    given = answer(followed)
    if given is Response.REJECT:
        return ResolutionStatus.REJECTED
    if given is Response.DEFER:
        return ResolutionStatus.WAITING
    stale = now >= _stale_at(followed, plan)
    if given is None:
        return ResolutionStatus.STALE if stale else ResolutionStatus.WAITING
    tasks = [task for task in followed.tasks if not task.dropped]
    if all(task.done for task in tasks):
        return ResolutionStatus.DONE
    today = now.astimezone(followed.zone).date()
    if any(not task.done and task.due is not None and task.due < today for task in tasks):
        return ResolutionStatus.OVERDUE
    if stale:
        return ResolutionStatus.STALE
    return ResolutionStatus.IN_PROGRESS if any(task.done for task in tasks) else ResolutionStatus.ACCEPTED


def outlook(followed: Followed, now: datetime, plan: Plan | None = None) -> Outlook:
    """What the calendar brings: the steps that are due and not yet on the record, in order, and when the next one is.

    The same facts give the same steps, and a step that stands on the record is not given again (law 4). Of reminders that
    were missed while nothing ran only the last is given, and none beside the word that it is stale: nobody is told four times
    at once. What was accepted is looked at once a week at least.
    """
    plan = plan or Plan()
    known = {(change.kind, change.which) for change in followed.changes}
    due: list[Step] = []
    later: list[datetime] = []

    def at(moment: datetime, kind: ChangeKind, which: str = "") -> None:
        if (kind, which) in known:
            return
        if moment <= now:
            due.append(Step(kind, moment, which))
        else:
            later.append(moment)

    current = status(followed, now, plan)
    if current in ENDED:
        if current is ResolutionStatus.DONE and (ChangeKind.DONE, "") not in known:
            due.append(Step(ChangeKind.DONE, now))
        return Outlook(current, tuple(due), None, True)

    given = answer(followed)
    if given is Response.DEFER:
        until = deferred_until(followed)
        assert until is not None
        deferrals = sum(change.kind is ChangeKind.DEFERRED for change in followed.changes)
        at(morning(until, followed.zone, plan), ChangeKind.RETURNED, str(deferrals))
    else:
        moved = _moved_at(followed)
        stale_at = _stale_at(followed, plan)
        if given is None and plan.remind_days > 0 and now < stale_at:  # who is told that it is stale needs no reminder of it
            _remind(followed, now, plan, moved, stale_at, at)
        at(stale_at, ChangeKind.STALE, _mark(moved))
    if given is Response.ACCEPT:
        for task in followed.tasks:
            if task.due is not None and not (task.done or task.dropped):
                the_day, the_next = (morning(task.due + timedelta(days=n), followed.zone, plan) for n in (0, 1))
                which = f"{task.id}@{task.due}"  # a deadline that is moved is told of anew
                if now < the_next:
                    at(the_day, ChangeKind.ACTION_DUE, which)
                    later.append(the_next)
                else:
                    at(the_next, ChangeKind.ACTION_OVERDUE, which)
        # An item may be completed where the workflow is not told of it.
        later.append(morning(now.astimezone(followed.zone).date() + LOOKED_AT, followed.zone, plan))
    due.sort(key=lambda step: (step.at, step.kind.value, step.which))
    return Outlook(current, tuple(due), min(later, default=None), False)


def morning(day: date, zone: ZoneInfo, plan: Plan) -> datetime:
    """The hour of the plan on that day in that zone, as UTC. An hour that the clocks skip is the one after it."""
    return datetime.combine(day, time(plan.hour), zone).astimezone(UTC)


def _remind(
    followed: Followed,
    now: datetime,
    plan: Plan,
    moved: datetime,
    stale_at: datetime,
    at: Callable[[datetime, ChangeKind, str], None],
) -> None:
    """Reminders every so many days since it began to wait, until it is stale; the last of those that are due."""
    first = moved.astimezone(followed.zone).date()
    moments = []
    n = 1
    while (moment := morning(first + timedelta(days=n * plan.remind_days), followed.zone, plan)) < stale_at:
        moments.append((moment, f"{_mark(moved)}/{n}"))
        n += 1
    past = [one for one in moments if one[0] <= now]
    for moment, which in [*past[-1:], *moments[len(past) : len(past) + 1]]:
        at(moment, ChangeKind.REMINDED, which)


def _mark(moved: datetime) -> str:
    """Names the stretch of waiting that began with the last movement."""
    return moved.astimezone(UTC).strftime("%Y%m%dT%H%M%S")


def _moved_at(followed: Followed) -> datetime:
    """When something last moved."""
    return max((change.at for change in followed.changes if change.kind in MOVES), default=followed.decided_at)


def _stale_at(followed: Followed, plan: Plan) -> datetime:
    """The morning on which it will have stood still for the plan's days. A deadline that was set counts as movement on its
    day: who waits for it is not standing still.
    """
    day = _moved_at(followed).astimezone(followed.zone).date()
    if answer(followed) is Response.ACCEPT:
        day = max([day, *(task.due for task in followed.tasks if task.due and not (task.done or task.dropped))])
    return morning(day + timedelta(days=plan.stale_days), followed.zone, plan)
