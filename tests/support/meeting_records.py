"""A record that has one of everything minutes and exports must tell: what was adopted, lost, tied, withdrawn and left open."""

from __future__ import annotations

from parliament.record import (
    ActionRecord,
    AmendmentRecord,
    BallotRecord,
    DissentRecord,
    ItemRecord,
    MeetingRecord,
    MemberRecord,
    MotionRecord,
    ResolutionRecord,
    RulingRecord,
    TurnRecord,
)
from parliament.values import Disposition, EndedBy, ItemStatus, ItemType, MeetingStatus, Phase, Vote

MEETING = "mtg-0a1b2c3d"
SEATS = {
    "aurelius": "Marcus Aurelius",
    "roosevelt": "Teddy Roosevelt",
    "dalio": "Ray Dalio",
    "davinci": "Leonardo da Vinci",
    "musk": "Elon Musk",
}
ADOPTED = "RESOLVED, That the shareholder shall take the post in Lisbon by 2026-03-01, with the rent capped at 1,400 euros."
AS_MOVED = "RESOLVED, That the shareholder shall take the post in Lisbon by 2026-03-01."


def votes(letters: str) -> dict[str, Vote]:
    """One letter a seat: F(or), A(gainst), -(abstain), X (absent), N(o reply), I(nvalid)."""
    names = {
        "F": Vote.FOR,
        "A": Vote.AGAINST,
        "-": Vote.ABSTAIN,
        "X": Vote.ABSENT,
        "N": Vote.NO_REPLY,
        "I": Vote.INVALID,
    }
    return {member: names[letter] for member, letter in zip(SEATS, letters, strict=True)}


def ballot(question: str, letters: str, outcome: Disposition | None, round: int = 1, **more: object) -> BallotRecord:
    present = sum(letter != "X" for letter in letters)
    return BallotRecord.model_validate(
        {
            "question_id": question,
            "round": round,
            "threshold": "majority",
            "votes": votes(letters),
            "outcome": outcome,
            "present": present,
            "closed_at": "2026-01-04T14:20:00+00:00",
            **more,
        }
    )


def motion(item: str, nth: str, text: str, status: Disposition, **more: object) -> MotionRecord:
    fields = {"id": f"MOT-{MEETING}-{item}{nth}", "item_id": item, "kind": "main", "text": text, "proposed_by": "aurelius"}
    return MotionRecord.model_validate({**fields, "status": status, "created_at": "2026-01-04T14:10:00+00:00", **more})


def full_record() -> MeetingRecord:
    m1, m2, m3 = (f"MOT-{MEETING}-agenda-{n}" for n in (1, 2, 3))
    a1, a2 = f"AMD-{MEETING}-21", f"AMD-{MEETING}-22"
    action = ActionRecord(
        id="ACT-00000001",
        task="Sign the lease",
        owner="Shareholder",
        deadline="2026-02-01",
        resolution_id=f"RES-{MEETING}-1",
        item_id="agenda-1",
    )
    unfinished = ActionRecord(
        id="ACT-00000002", task="Take up: Savings", owner="shareholder", item_id="agenda-6", origin="unfinished"
    )
    return MeetingRecord(
        id=MEETING,
        name="Lisbon & after",
        status=MeetingStatus.COMPLETED,
        phase=Phase.ADJOURNMENT,
        simulated=True,
        provider="simulated",
        seed=7,
        chair="dalio",
        chair_named="aurelius",
        members=tuple(
            MemberRecord(id=member, name=name, role="chairman" if member == "dalio" else "member")
            for member, name in SEATS.items()
        ),
        present=("aurelius", "dalio", "davinci"),
        absent={"roosevelt": "absent", "musk": "no_reply"},
        items=(
            ItemRecord(
                id="agenda-1",
                number=1,
                topic="The post in Lisbon",
                type=ItemType.DECISION,
                time_minutes=15,
                status=ItemStatus.DONE,
                active_seconds=750.4,
            ),
            ItemRecord(
                id="agenda-2",
                number=2,
                topic="The flat",
                type=ItemType.DECISION,
                time_minutes=10,
                status=ItemStatus.DONE,
                active_seconds=42.0,
            ),
            ItemRecord(
                id="agenda-3", number=3, topic="The dog", type=ItemType.DECISION, time_minutes=5, status=ItemStatus.TABLED
            ),
            ItemRecord(
                id="agenda-4",
                number=4,
                topic="The piano",
                type=ItemType.DECISION,
                time_minutes=5,
                status=ItemStatus.SKIPPED,
                why="two drafts held blanks",
            ),
            ItemRecord(id="agenda-5", number=5, topic="News", type=ItemType.REVIEW, time_minutes=5, status=ItemStatus.DONE),
            ItemRecord(
                id="agenda-6",
                number=6,
                topic="Savings",
                type=ItemType.DECISION,
                time_minutes=5,
                status=ItemStatus.UNFINISHED,
                why="the time allotted had run out",
            ),
        ),
        standing_items=("Opening remarks", "Closing remarks"),
        motions=(
            motion(
                "agenda-1",
                "",
                ADOPTED,
                Disposition.ADOPTED,
                original_text=AS_MOVED,
                seconded_by="dalio",
                dissenter="davinci",
                amendments=(
                    AmendmentRecord(
                        id=a1,
                        motion_id=m1,
                        target_id=m1,
                        degree=1,
                        mover="dalio",
                        seconder="davinci",
                        text=ADOPTED,
                        summary="caps the rent",
                        status=Disposition.ADOPTED,
                        ballots=(ballot(a1, "FXFAN", Disposition.ADOPTED),),
                    ),
                    AmendmentRecord(
                        id=a2,
                        motion_id=m1,
                        target_id=a1,
                        degree=2,
                        mover="davinci",
                        text=ADOPTED.replace("1,400", "900"),
                        status=Disposition.UNSECONDED,
                    ),
                ),
                ballots=(
                    ballot(m1, "FXFAN", None, round=1),
                    ballot(
                        m1,
                        "F-FAI",
                        Disposition.ADOPTED,
                        round=2,
                        reasons={"aurelius": "It depends on us.", "davinci": "We have not looked."},
                        raw={"musk": "Sure, why not"},
                    ),
                ),
            ),
            motion(
                "agenda-2",
                "",
                "RESOLVED, That the flat be sold by May.",
                Disposition.TIED,
                ballots=(ballot(m2, "FAFA-", Disposition.TIED),),
            ),
            motion(
                "agenda-2",
                "-2",
                "RESOLVED, That the flat be let by May.",
                Disposition.LOST,
                ballots=(ballot(f"{m2}-2", "FAAAX", Disposition.LOST),),
            ),
            motion("agenda-2", "-3", "RESOLVED, That the flat be burnt by May.", Disposition.WITHDRAWN, proposed_by="musk"),
            motion("agenda-2", "-4", "RESOLVED, That the flat be kept for good.", Disposition.UNSECONDED),
            motion("agenda-2", "-5", "RESOLVED, That the keys be copied today.", Disposition.ADOPTED, by_consent=True),
            motion("agenda-3", "", "RESOLVED, That the dog comes along.", Disposition.TABLED),
            MotionRecord(
                id="APP-1",
                item_id="agenda-3",
                kind="appeal",
                text="Shall the decision of the chair stand?",
                proposed_by="davinci",
                status=Disposition.TIED,
                ballots=(ballot("APP-1", "FAFAX", Disposition.TIED),),
            ),
            MotionRecord(
                id="ADJ-1", item_id="", kind="adjourn", text="To adjourn", proposed_by="musk", status=Disposition.LOST
            ),
        ),
        resolutions=(
            ResolutionRecord(
                id=f"RES-{MEETING}-1",
                meeting_id=MEETING,
                agenda_item_id="agenda-1",
                motion_id=m1,
                topic="The post in Lisbon",
                dissents=(
                    DissentRecord(
                        member_id="davinci",
                        member_name="Leonardo da Vinci",
                        statement="We decide before we have looked.\n\nThe river has other mouths.",
                        recorded_at="2026-01-04T14:20:00+00:00",
                    ),
                ),
                action_items=(action,),
                user_response=None,
                created_at="2026-01-04T14:21:00+00:00",
            ),
            ResolutionRecord(
                id=f"RES-{MEETING}-2", meeting_id=MEETING, agenda_item_id="agenda-2", motion_id=m2, topic="The flat"
            ),
            ResolutionRecord(
                id=f"RES-{MEETING}-2-5", meeting_id=MEETING, agenda_item_id="agenda-2", motion_id=f"{m2}-5", topic="The flat"
            ),
            ResolutionRecord(
                id=f"RES-{MEETING}-3", meeting_id=MEETING, agenda_item_id="agenda-3", motion_id=m3, topic="The dog"
            ),
        ),
        actions=(action, unfinished),
        rulings=(
            RulingRecord(
                seq=30,
                kind="point_of_order",
                member_id="davinci",
                item_id="agenda-3",
                text="The question was not stated",
                rule="RONR 23",
            ),
            RulingRecord(
                seq=31,
                kind="ruling",
                member_id="dalio",
                item_id="agenda-3",
                text="It was stated at turn 28",
                result="not well taken",
                rule="RONR 23",
            ),
            RulingRecord(seq=33, kind="appeal", member_id="davinci", item_id="agenda-3", result="sustained", rule="RONR 24"),
            RulingRecord(
                seq=40,
                kind="refused_command",
                member_id="dalio",
                item_id="agenda-1",
                text="{ADJOURN}",
                result="out of order",
                reason="A question is pending.",
                rule="RONR 21",
            ),
        ),
        user_inputs=(
            TurnRecord(
                seq=12,
                id="t12",
                item_id="agenda-1",
                phase=Phase.DISCUSSION,
                purpose="input",
                round=1,
                member_id="shareholder",
                name="Shareholder",
                text="The salary is 3,200 a month.",
                at="2026-01-04T14:05:00+00:00",
            ),
        ),
        warnings=("More than half of the votes needed a tolerant reading.",),
        ended_by=EndedBy.DEADLINE,
        created_at="2026-01-03T22:17:39+00:00",
        started_at="2026-01-04T14:00:00+00:00",
        completed_at="2026-01-04T14:30:05+00:00",
        zone="America/Los_Angeles",
    )
