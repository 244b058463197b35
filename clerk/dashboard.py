"""What a dashboard shows: resolutions by status and age, who voted how and with whom, what is to be done, how long it took."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import combinations
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from parliament.following import MOVES, Plan, ResolutionStatus, deferred_until, status
from parliament.tracking import Contradiction, Decision, contradictions
from records import figures, following, ledger
from records.figures import CastVote, Duration
from records.following import Tracked
from records.ledger import Entry
from settings import Settings

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from records.engine import Store

CAST = ("FOR", "AGAINST")
"""Votes cast: agreement is counted over questions on which both members cast one."""


@dataclass(frozen=True, slots=True)
class Paper:
    """An adopted resolution: where it stands, and how many days it is old and has stood still."""

    id: str
    topic: str
    text: str
    status: ResolutionStatus
    decided_on: date
    age: int
    still: int
    deferred_until: date | None
    open_tasks: int
    simulated: bool


@dataclass(frozen=True, slots=True)
class Voter:
    """How a member voted on main motions: choice -> how often."""

    id: str
    name: str
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two members: on how many questions both cast a vote, and on how many of these the same one."""

    one: str
    other: str
    together: int
    same: int

    @property
    def share(self) -> float | None:
        return self.same / self.together if self.together else None


@dataclass(frozen=True, slots=True)
class Dashboard:
    """Everything on the page, of one day in the person's zone."""

    today: date
    made_at: datetime
    papers: tuple[Paper, ...]
    opposed: tuple[Contradiction, ...]
    voters: tuple[Voter, ...]
    agreements: tuple[Agreement, ...]
    actions: tuple[Entry, ...]
    durations: tuple[Duration, ...]
    readings: dict[str, int]
    choices: dict[str, int]
    names: dict[str, str]
    simulated: bool  # some or all of it comes from simulated voices (law 14)


async def dashboard(store: Store, settings: Settings, owner: str = "shareholder", *, now: datetime | None = None) -> Dashboard:
    """Read the figures as of `now` (default: this moment), in one look at the record."""
    moment = now or datetime.now(UTC)
    zone = ZoneInfo(settings.zone)
    plan = Plan(remind_days=settings.remind_days, stale_days=settings.stale_days, hour=settings.remind_hour)

    async def read(tx: AsyncConnection) -> Dashboard:
        tracked = await following.tracked_of(tx, owner)
        votes = await figures.votes(tx, owner)
        names = await figures.names(tx, owner)
        durations = tuple(await figures.durations(tx, owner))
        papers = tuple(_paper(one, moment, plan) for one in tracked)
        standing = {one.id for one in papers if one.status not in (ResolutionStatus.REJECTED, ResolutionStatus.SUPERSEDED)}
        return Dashboard(
            today=moment.astimezone(zone).date(),
            made_at=moment.astimezone(zone),
            papers=papers,
            opposed=tuple(contradictions([Decision(one.id, one.topic, one.text) for one in tracked if one.id in standing])),
            voters=_voters(votes, names),
            agreements=_agreements(votes),
            actions=tuple(await ledger.entries(tx, owner)),
            durations=durations,
            readings=await figures.readings(tx, owner),
            choices=await figures.choices(tx, owner),
            names=names,
            simulated=any(one.simulated for one in durations),
        )

    return await store.look(read)


def _paper(one: Tracked, now: datetime, plan: Plan) -> Paper:
    today = now.astimezone(one.zone).date()
    moved = max((change.at for change in one.followed.changes if change.kind in MOVES), default=one.decided_at)
    decided = one.decided_at.astimezone(one.zone).date()
    return Paper(
        id=one.id,
        topic=one.topic,
        text=one.text,
        status=status(one.followed, now, plan),
        decided_on=decided,
        age=(today - decided).days,
        still=(today - moved.astimezone(one.zone).date()).days,
        deferred_until=deferred_until(one.followed),
        open_tasks=sum(not (task.done or task.dropped) for task in one.followed.tasks),
        simulated=one.simulated,
    )


def _voters(votes: list[CastVote], names: dict[str, str]) -> tuple[Voter, ...]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for vote in votes:
        counts[vote.member_id][vote.choice] += 1
    return tuple(Voter(member, names.get(member, member), dict(counts[member])) for member in sorted(counts))


def _agreements(votes: list[CastVote]) -> tuple[Agreement, ...]:
    by_question: dict[str, dict[str, str]] = defaultdict(dict)
    for vote in votes:
        if vote.choice in CAST:
            by_question[vote.question_id][vote.member_id] = vote.choice
    members = sorted({vote.member_id for vote in votes})
    found = []
    for one, other in combinations(members, 2):
        both = [cast for cast in by_question.values() if one in cast and other in cast]
        found.append(Agreement(one, other, len(both), sum(cast[one] == cast[other] for cast in both)))
    return tuple(found)
