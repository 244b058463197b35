"""Twenty false summaries are caught and twenty true ones pass, over one meeting whose record is written out here."""

from __future__ import annotations

import pytest

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
)
from parliament.summary import Summary, render_summary, summary_from_record
from parliament.summary_checks import check_summary
from parliament.values import Disposition, EndedBy, ItemStatus, ItemType, MeetingStatus, Vote
from tests.support.meeting_records import full_record

M = "mtg-0a1b2c3d"
SEATS = {
    "aurelius": "Marcus Aurelius",
    "dalio": "Ray Dalio",
    "davinci": "Leonardo da Vinci",
    "musk": "Elon Musk",
    "rogers": "Fred Rogers",
}


def cast(question: str, letters: str, outcome: Disposition) -> BallotRecord:
    names = {"F": Vote.FOR, "A": Vote.AGAINST, "-": Vote.ABSTAIN}
    votes = {member: names[letter] for member, letter in zip(SEATS, letters, strict=True)}
    return BallotRecord(question_id=question, round=1, threshold="majority", votes=votes, outcome=outcome, present=5)


def motion(n: int, text: str, status: Disposition, letters: str = "", **more: object) -> MotionRecord:
    id = f"MOT-{M}-agenda-{n}"
    ballots = (cast(id, letters, status),) if letters else ()
    return MotionRecord.model_validate(
        {"id": id, "item_id": f"agenda-{n}", "kind": "main", "text": text, "status": status, "ballots": ballots, **more}
    )


def item(n: int, topic: str, minutes: int, status: ItemStatus = ItemStatus.DONE, **more: object) -> ItemRecord:
    fields = {"id": f"agenda-{n}", "number": n, "topic": topic, "type": ItemType.DECISION, "time_minutes": minutes}
    return ItemRecord.model_validate({**fields, "status": status, "active_seconds": 60.0 * n, **more})


def paper(n: int, topic: str, *dissents: tuple[str, str]) -> ResolutionRecord:
    return ResolutionRecord(
        id=f"RES-{M}-{n}",
        meeting_id=M,
        agenda_item_id=f"agenda-{n}",
        motion_id=f"MOT-{M}-agenda-{n}",
        topic=topic,
        dissents=tuple(
            DissentRecord(member_id=who, member_name=SEATS[who], statement=why, recorded_at="2026-12-06T15:00:00+00:00")
            for who, why in dissents
        ),
    )


CARDIO, LISBON, BOAT, SLEEP = "Weekly cardio", "The job in Lisbon", "Buying a boat", "A sleep goal"

RECORD = MeetingRecord(
    id=M,
    name="Weekly Health Review",
    status=MeetingStatus.COMPLETED,
    chair="aurelius",
    chair_named="aurelius",
    members=tuple(MemberRecord(id=k, name=v, role="member") for k, v in SEATS.items()),
    present=tuple(SEATS),
    ended_by=EndedBy.AGENDA,
    created_at="2026-12-06T13:55:00+00:00",
    started_at="2026-12-06T14:00:00+00:00",
    completed_at="2026-12-06T14:30:00+00:00",
    zone="America/Los_Angeles",
    items=(
        item(1, CARDIO, 15, description="The raw data has three workouts, the view says five. Sleep averaged 6.4 hours."),
        item(2, LISBON, 20, description="An offer of 20 % more, at 84,000 euros a year, to be answered by 18 December."),
        item(3, BOAT, 10),
        item(4, SLEEP, 5, ItemStatus.TABLED),
    ),
    motions=(
        motion(
            1,
            "RESOLVED, That the shareholder shall increase weekly cardio from 2 to 3 sessions of at least 30 minutes.",
            Disposition.ADOPTED,
            "FFF-A",
            original_text="RESOLVED, That the shareholder shall increase weekly cardio from 2 to 3 sessions.",
            proposed_by="aurelius",
            seconded_by="dalio",
            amendments=(
                AmendmentRecord(
                    id=f"AMD-{M}-20",
                    motion_id=f"MOT-{M}-agenda-1",
                    target_id=f"MOT-{M}-agenda-1",
                    degree=1,
                    mover="davinci",
                    seconder="rogers",
                    text="RESOLVED, That the shareholder shall increase weekly cardio from 2 to 3 sessions of 30 minutes.",
                    summary="a minimum of 30 minutes",
                    status=Disposition.ADOPTED,
                    ballots=(cast(f"AMD-{M}-20", "FFFFA", Disposition.ADOPTED),),
                ),
            ),
        ),
        motion(2, "RESOLVED, That the shareholder shall decline the job in Lisbon.", Disposition.LOST, "FAAAA",
               proposed_by="aurelius", seconded_by="rogers"),
        motion(3, "RESOLVED, That the shareholder shall buy a boat for 12,000 dollars.", Disposition.UNSECONDED,
               proposed_by="musk"),
        motion(4, "RESOLVED, That the shareholder shall sleep 8 hours.", Disposition.TABLED, proposed_by="aurelius",
               seconded_by="dalio"),
    ),
    resolutions=(
        paper(1, CARDIO, ("rogers", "Rest is training too.")),
        paper(2, LISBON, ("aurelius", "Duty keeps one where one is needed.")),
        paper(3, BOAT),
        paper(4, SLEEP),
    ),
    actions=(
        ActionRecord(id="ACT-00000001", task="Book three sessions in the calendar", owner="shareholder",
                     deadline="2026-12-11", resolution_id=f"RES-{M}-1", item_id="agenda-1"),
        ActionRecord(id="ACT-00000002", task="Measure the resting pulse", owner="dalio", deadline="next Friday",
                     resolution_id=f"RES-{M}-1", item_id="agenda-1"),
    ),
)  # fmt: skip
SPEECHES = (
    "Dalio: In 7 of 10 weeks the plan held.",
    "Musk: A boat costs 12,000 dollars, and 40 % of that again each year.",
    "Marcus Aurelius: We meet again in January.",
)

TRUE = [
    "The board adopted one resolution, on weekly cardio, by 3 to 1 with one abstention.",
    "Weekly cardio goes from 2 to 3 sessions of at least 30 minutes.",
    "The motion to decline the job in Lisbon was lost, 1 to 4.",
    "Buying a boat was not taken up: no second was had for the 12,000 dollars.",
    "A sleep goal was laid on the table.",
    "Fred Rogers dissented on weekly cardio: rest is training too.",
    "Ray Dalio measures the resting pulse by next Friday.",
    "You book three sessions in the calendar by 11 December.",
    "Da Vinci moved the amendment to the cardio motion, and Rogers seconded it.",
    "Marcus Aurelius voted for declining the job in Lisbon; the other four voted against it.",
    "The raw data has three workouts where the view says five.",
    "Sleep averaged 6.4 hours.",
    "The offer in Lisbon is 20 percent more, 84,000 euros a year.",
    "The offer must be answered by December 18.",
    "The plan held in 7 of 10 weeks, says Dalio.",
    "All five members were present on 6 December 2026, a Sunday.",
    "The meeting was planned for 50 minutes.",
    "Two action items follow, due on Friday, 2026-12-11.",
    "Elon Musk moved to buy a boat.",
    "The board meets again in January.",
    "The weekly cardio motion was adopted after 4 to 1 for the amendment.",
    "Elon Musk abstained on weekly cardio.",
]

FALSE = [
    "The board adopted the resolution on weekly cardio by 5 to 0.",
    "Weekly cardio was adopted unanimously.",
    "Weekly cardio goes up to 4 sessions.",
    "The sessions last at least 45 minutes.",
    "The motion to decline the job in Lisbon was adopted.",
    "The Lisbon motion was lost, 2–3.",
    "Buying a boat was approved.",
    "The boat costs 15,000 dollars.",
    "A sleep goal was adopted.",
    "Ray Dalio dissented on weekly cardio.",
    "Elon Musk voted against weekly cardio.",
    "Ray Dalio moved the resolution on weekly cardio.",
    "The cardio motion was seconded by Elon Musk.",
    "You book the sessions by 15 December.",
    "The deadline is 2027-01-11.",
    "Steve Jobs abstained.",
    "The offer is 25 % more.",
    "The board meets again in February.",
    "Three action items follow.",
    "Sleep averaged 7.1 hours.",
    "All seven members were present.",
    "Dalio measures the resting pulse by Wednesday.",
    "The plan held in 9 of 10 weeks.",
    "Warren Buffett was heard as a guest.",
    "The board adopted three resolutions.",
    "The weekly cardio motion was defeated.",
]


def test_there_are_twenty_of_each() -> None:
    assert len(TRUE) >= 20
    assert len(FALSE) >= 20


@pytest.mark.parametrize("sentence", TRUE)
def test_what_the_record_says_passes(sentence: str) -> None:
    assert check_summary(Summary(headline=sentence), RECORD, SPEECHES) == ()


@pytest.mark.parametrize("sentence", FALSE)
def test_what_the_record_does_not_say_is_caught(sentence: str) -> None:
    assert check_summary(Summary(headline="The board met.", decisions=(sentence,)), RECORD, SPEECHES)


@pytest.mark.parametrize("record", [RECORD, full_record()], ids=["plain", "one of everything"])
def test_what_code_writes_from_the_record_is_true_and_drops_no_dissent(record: MeetingRecord) -> None:
    summary = summary_from_record(record)
    assert check_summary(summary, record, SPEECHES) == ()
    text = render_summary(summary, record)
    for resolution in record.resolutions:
        for dissent in resolution.dissents:
            assert dissent.member_name in text
            assert dissent.statement.split()[0] in text
    assert ("simulated" in text) == record.simulated


def test_law_10_a_summary_that_says_nothing_of_a_dissent_shows_it_all_the_same() -> None:
    text = render_summary(Summary(headline="All is well."), RECORD)
    assert "Rest is training too." in text
    assert "Duty keeps one where one is needed." in text
    assert "3 for, 1 against, 1 abstain" in text
