"""Briefs of a chairman before a meeting, with the board book of an invented person as it is rendered for a real one."""

from __future__ import annotations

from dataclasses import replace

from parliament.agenda import Agenda, make_agenda
from parliament.values import ItemType
from tests.support.briefs import MEMBERS
from voices.base import AgendaBrief, AgendaPurpose, ItemBrief

BOOK = """\
# Board book of 2026-11-30

## Check of the views against the raw data

- Disagreement: memory/views/week-summary.json says 5 workouts for 2026-11-22 on; the raw data in garmin/ has 3 workouts.

## Goals off track

- Hold a half-hour conversation in Italian: 40 % done where an even pace has 93 %; status behind.

## Active goals

- Hold a half-hour conversation in Italian (goal-italian): target 30 minutes, 40 % done, due 2026-12-20, status behind
  - why: For the summer with Livia's family.
- Put aside eight months of expenses (goal-savings): target 16800 euros, 80 % done, due 2027-03-31, status on track

## Check-ins of the past 7 days (2026-11-23 to 2026-11-29)

- 2026-11-29 05:40: energy 6; mood calm; What is on your mind? Whether to say yes to the team lead position

## Notes

- notes/2026-11-26-team-lead.md:
  > # Team lead
  >
  > Marguerite offered the team lead position: eleven people, 9,200 euros more a year. An answer is due on 11 December 2026.
"""
TOPICS = (
    "Goal off track: Hold a half-hour conversation in Italian",
    "Workouts: 5 workouts by the week summary, 3 workouts in the raw data",
    "Goal review: Put aside eight months of expenses",
)

ITEMS = make_agenda(
    [
        {"topic": "How do I hold a conversation in Italian?", "type": "decision", "description": "The goal is off track."},
        {
            "topic": "Workouts: which figure is right",
            "type": "review",
            "description": "Two sources disagree: 5 and 3 workouts.",
        },
        {"topic": "Should I sleep seven hours?", "type": "decision", "time_minutes": 20},
        {"topic": "Team lead: what should I answer?", "type": "discussion", "description": "An answer is due on 11 December."},
    ]
)


def brief_of_items(agenda: Agenda) -> tuple[ItemBrief, ...]:
    return tuple(
        ItemBrief(
            item.id,
            item.topic,
            ItemType(item.type),
            item.time_minutes,
            item.description,
            item.desired_outcome,
            item.user_commentary,
            n,
        )
        for n, item in enumerate(agenda.items, 1)
    )


def agenda_brief(
    purpose: AgendaPurpose = AgendaPurpose.CONVERSE, *, chairman: str = "aurelius", **changes: object
) -> AgendaBrief:
    """One brief: for a draft with nothing on the agenda yet, otherwise with the four items above."""
    brief = AgendaBrief(
        meeting_id="mtg-0000000a",
        meeting_name="The last week of November",
        date="2026-11-30",
        chairman=MEMBERS[chairman],
        purpose=purpose,
        board_book=BOOK,
        items=() if purpose is AgendaPurpose.DRAFT else brief_of_items(ITEMS),
        version=0 if purpose is AgendaPurpose.DRAFT else 1,
        topics=TOPICS,
        precedents=("Sleep: adopted on 2026-05-03 (RES-mtg-00000001-agenda-1)",),
        seed=7,
        session_id="0123456789abcdef0123456789abcdef",
    )
    return replace(brief, **changes)  # type: ignore[arg-type]
