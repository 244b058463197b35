"""What was frozen into a meeting when it opened: its members, provider, models and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from temporalio import activity

from parliament.record import ItemRecord
from parliament.roster import Roster, RosterEntry
from parliament.seating import Seat
from parliament.standing_rules import Rules
from parliament.values import ItemType
from records.calls import Spent
from records.meetings import MeetingRow
from voices.base import ItemBrief, MemberBrief, Voice


@dataclass(frozen=True)
class Frozen:
    """A meeting's unchanging part, read from the store once a process."""

    meeting_id: str
    name: str
    date: str
    seed: int
    provider: str
    tier: str
    rules: Rules
    members: dict[str, MemberBrief]
    seats: tuple[Seat, ...]
    roster: Roster
    agenda: tuple[ItemBrief, ...]
    standing_items: tuple[str, ...]
    board_book: str
    chair_named: str
    budget_calls: int
    budget_microusd: int
    dissenters: bool
    kind: str = "board"
    voice: Voice | None = field(default=None, compare=False)

    @property
    def budgeted(self) -> bool:
        return bool(self.budget_calls or self.budget_microusd)

    def exceeded(self, spent: Spent) -> bool:
        """Is the purse empty? Counted in the store, where every worker adds to it."""
        return bool(self.budget_calls and spent.calls >= self.budget_calls) or bool(
            self.budget_microusd and spent.cost_microusd >= self.budget_microusd
        )

    def item(self, item_id: str | None) -> ItemBrief | None:
        return next((item for item in self.agenda if item.id == item_id), None)

    def decides(self, item_id: str | None) -> bool:
        """Is the item one for decision?"""
        item = self.item(item_id)
        return item is not None and item.type is ItemType.DECISION

    def member_name(self, member: str) -> str:
        return self.members[member].name if member in self.members else member.capitalize()


def meeting_of_activity() -> str:
    """The meeting an activity works for: the id of the workflow that called it."""
    meeting = activity.info().workflow_id
    if meeting is None:
        raise RuntimeError("this activity belongs to a meeting's workflow")
    return meeting


def freeze(meeting: MeetingRow, items: Sequence[ItemRecord], voice: Voice | None) -> Frozen:
    """The meeting's unchanging part from its row. `voice` is None where nobody is heard (the recorder)."""
    config = meeting.config
    members = {data["id"]: member_brief(data) for data in config["members"]}
    return Frozen(
        meeting_id=meeting.id,
        name=meeting.name,
        date=meeting.created_at.astimezone(ZoneInfo(meeting.zone)).date().isoformat(),
        seed=meeting.seed,
        provider=meeting.provider,
        tier=config.get("tier", "mid"),
        rules=Rules(**config["rules"]),
        members=members,
        seats=tuple(seat(data) for data in config["members"]),
        roster=Roster(tuple(RosterEntry(id=m.id, name=m.name, aliases=m.aliases) for m in members.values())),
        agenda=tuple(item_brief(item) for item in items),
        standing_items=tuple(meeting.standing_items),
        board_book=meeting.board_book,
        chair_named=meeting.chair_named,
        budget_calls=config.get("budget_calls", 0),
        budget_microusd=config.get("budget_microusd", 0),
        dissenters=config.get("designated_dissenter", True),
        kind=meeting.kind,
        voice=voice,
    )


def member_brief(data: dict[str, Any]) -> MemberBrief:
    return MemberBrief(
        id=data["id"],
        name=data["name"],
        role=data["role"],
        perspective=data["perspective"],
        themes=tuple(data.get("themes", ())),
        aliases=tuple(data.get("aliases", ())),
        instructions=data.get("instructions", ""),
    )


def seat(data: dict[str, Any]) -> Seat:
    return Seat(
        id=data["id"],
        name=data["name"],
        voting=data.get("voting", True),
        themes=tuple(data.get("themes", ())),
        interests=tuple(data.get("interests", ())),
        aliases=tuple(data.get("aliases", ())),
    )


def item_brief(item: ItemRecord) -> ItemBrief:
    return ItemBrief(
        id=item.id,
        topic=item.topic,
        type=item.type,
        time_minutes=item.time_minutes,
        description=item.description,
        desired_outcome=item.desired_outcome,
        user_commentary=item.user_commentary,
        number=item.number,
    )
