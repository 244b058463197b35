"""Exports in the structures of source 000, key for key."""

from __future__ import annotations

import json

import pytest

from parliament.agenda import read_agenda
from parliament.export import deciding_ballot, meeting_json, resolution_json
from parliament.record import MeetingRecord
from parliament.values import Disposition, MeetingStatus
from tests.support.meeting_records import ADOPTED, AS_MOVED, MEETING, ballot, full_record, motion

RESOLUTION = {  # source 000, Resolution; the vote has our three lists beside, and the whole says when it is simulated
    "id", "meeting_id", "agenda_item_id", "topic", "motion", "vote", "dissents", "action_items", "user_response", "created_at",
    "simulated",
}  # fmt: skip


def exported(number: int = 0, record: MeetingRecord | None = None) -> dict[str, object]:
    record = record or full_record()
    return json.loads(json.dumps(resolution_json(record, record.resolutions[number])))


def test_a_resolution_has_the_structure_of_source_000() -> None:
    resolution = exported()
    assert set(resolution) == RESOLUTION
    assert resolution == {
        "id": f"RES-{MEETING}-1",
        "meeting_id": MEETING,
        "agenda_item_id": "agenda-1",
        "topic": "The post in Lisbon",
        "motion": {
            "id": f"MOT-{MEETING}-agenda-1",
            "text": ADOPTED,
            "proposed_by": "aurelius",
            "seconded_by": "dalio",
            "status": "adopted",
            "original_text": AS_MOVED,
            "created_at": "2026-01-04T14:10:00+00:00",
        },
        "vote": {
            "for": ["aurelius", "dalio"],
            "against": ["davinci"],
            "abstain": ["roosevelt"],
            "absent": [],
            "no_reply": [],
            "invalid": ["musk"],
        },
        "dissents": [
            {
                "member_id": "davinci",
                "member_name": "Leonardo da Vinci",
                "statement": "We decide before we have looked.\n\nThe river has other mouths.",
                "recorded_at": "2026-01-04T14:20:00+00:00",
            }
        ],
        "action_items": [
            {
                "id": "ACT-00000001",
                "task": "Sign the lease",
                "owner": "Shareholder",
                "deadline": "2026-02-01",
                "resolution_id": f"RES-{MEETING}-1",
                "status": "pending",
            }
        ],
        "user_response": None,
        "created_at": "2026-01-04T14:21:00+00:00",
        "simulated": True,
    }


def test_lost_tied_and_tabled_motions_are_exported_with_their_end() -> None:
    assert exported(1)["motion"]["status"] == "tied"  # type: ignore[index]
    assert exported(1)["vote"]["against"] == ["roosevelt", "davinci"]  # type: ignore[index]
    assert exported(3)["motion"]["status"] == "tabled"  # type: ignore[index]


@pytest.mark.parametrize("number", [2, 3])
def test_where_no_vote_decided_the_lists_are_there_and_empty(number: int) -> None:
    vote = exported(number)["vote"]
    assert vote == {"for": [], "against": [], "abstain": [], "absent": [], "no_reply": [], "invalid": []}


def test_the_deciding_vote_is_the_last_that_was_not_void() -> None:
    void = ballot("q", "FFFFF", None, round=2)
    first = ballot("q", "AAAAA", Disposition.LOST, round=1)
    assert deciding_ballot(motion("agenda-1", "", "x", Disposition.LOST, ballots=(first, void))) == first
    assert deciding_ballot(motion("agenda-1", "", "x", Disposition.FELL, ballots=(void,))) is None
    assert deciding_ballot(motion("agenda-1", "", "x", Disposition.TABLED, ballots=(first,))) is None


def test_law_08_missing_seats_never_stand_among_the_abstentions() -> None:
    record = full_record()
    put = record.motions[0].model_copy(update={"ballots": (ballot("q", "FFXNI", Disposition.ADOPTED),)})
    vote = exported(0, record.model_copy(update={"motions": (put, *record.motions[1:])}))["vote"]
    assert vote == {
        "for": ["aurelius", "roosevelt"],
        "against": [],
        "abstain": [],
        "absent": ["dalio"],
        "no_reply": ["davinci"],
        "invalid": ["musk"],
    }


def test_law_10_dissents_are_exported_whatever_the_answer_of_the_shareholder() -> None:
    record = full_record()
    answered = record.resolutions[0].model_copy(update={"user_response": {"response": "rejected"}})
    resolution = resolution_json(record, answered)
    assert resolution["user_response"] == {"response": "rejected"}
    assert [dissent["member_id"] for dissent in resolution["dissents"]] == ["davinci"]


@pytest.mark.parametrize("simulated", [True, False])
def test_law_14_every_export_says_whether_it_is_simulated(simulated: bool) -> None:
    record = full_record().model_copy(update={"simulated": simulated})
    assert exported(0, record)["simulated"] is simulated
    assert meeting_json(record)["simulated"] is simulated


def test_a_resolution_without_its_motion_is_an_error() -> None:
    with pytest.raises(ValueError, match="load the whole record"):
        resolution_json(full_record().model_copy(update={"motions": ()}), full_record().resolutions[0])


def test_a_meeting_has_the_structure_of_source_000() -> None:
    meeting = json.loads(json.dumps(meeting_json(full_record())))
    assert list(meeting) == [
        "id", "name", "scheduled_start", "status", "attendees", "agenda", "created_at", "started_at", "completed_at",
        "simulated",
    ]  # fmt: skip
    assert meeting["attendees"] == ["aurelius", "roosevelt", "dalio", "davinci", "musk"]
    assert list(meeting["agenda"]) == ["meeting_id", "status", "items", "standing_items", "user_feedback", "revision_requested"]
    assert meeting["agenda"]["items"][0] == {
        "id": "agenda-1",
        "topic": "The post in Lisbon",
        "type": "decision",
        "time_minutes": 15,
        "description": "",
        "desired_outcome": "",
        "user_commentary": "",
    }
    assert meeting["status"] == "completed"


def test_the_exported_agenda_can_be_read_again() -> None:
    meeting = meeting_json(full_record())
    assert read_agenda(json.dumps(meeting)).model_dump(mode="json") == meeting["agenda"]


@pytest.mark.parametrize(("status", "agenda"), [("created", "draft"), ("agenda_draft", "draft"), ("prepared", "approved")])
def test_an_agenda_is_a_draft_until_it_is_approved(status: str, agenda: str) -> None:
    record = full_record().model_copy(update={"status": MeetingStatus(status)})
    assert meeting_json(record)["agenda"]["status"] == agenda
