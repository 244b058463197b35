"""Exports in the structures of source 000 (Data Structures: BoardMeeting, MeetingState, Resolution), key for key.

Beside them, in every export: `simulated` (law 14); and in `vote` the lists `absent`, `no_reply` and `invalid` (law 8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from parliament.minutes_data import vote_lists
from parliament.motions import MotionKind
from parliament.record import (
    BallotRecord,
    ItemRecord,
    MeetingRecord,
    MemberRecord,
    MotionRecord,
    ResolutionRecord,
    TurnRecord,
)
from parliament.values import Disposition, MeetingStatus, TurnStatus

_DRAFT = (MeetingStatus.CREATED, MeetingStatus.AGENDA_DRAFT)


def resolution_json(record: MeetingRecord, resolution: ResolutionRecord) -> dict[str, Any]:
    """One resolution of this meeting. The vote is the last one on its motion that was not void; no vote, empty lists.

    Raises ValueError when the record does not hold the resolution's motion.
    """
    motion = next((each for each in record.motions if each.id == resolution.motion_id), None)
    if motion is None:
        raise ValueError(
            f"the record of {record.id} has no motion {resolution.motion_id} for {resolution.id}; load the whole record"
        )
    return {
        "id": resolution.id,
        "meeting_id": resolution.meeting_id,
        "agenda_item_id": resolution.agenda_item_id,
        "topic": resolution.topic,
        "motion": {
            "id": motion.id,
            "text": motion.text,
            "proposed_by": motion.proposed_by,
            "seconded_by": motion.seconded_by,
            "status": motion.status.value,
            "original_text": motion.original_text,
            "created_at": motion.created_at,
        },
        "vote": vote_lists(deciding_ballot(motion)),
        "dissents": [dissent.model_dump(mode="json") for dissent in resolution.dissents],
        "action_items": [
            {
                "id": action.id,
                "task": action.task,
                "owner": action.owner,
                "deadline": action.deadline,
                "resolution_id": action.resolution_id,
                "status": action.status,
            }
            for action in resolution.action_items
        ],
        "user_response": resolution.user_response,
        "created_at": resolution.created_at,
        "simulated": record.simulated,
    }


def deciding_ballot(motion: MotionRecord) -> BallotRecord | None:
    """The vote that decided a motion: its last that was not void. None where it ended without one (by consent, tabled, …).

    A vote that an earlier round closed does not stand for a motion which ended another way afterwards.
    """
    if motion.by_consent or motion.status not in (Disposition.ADOPTED, Disposition.LOST, Disposition.TIED):
        return None
    return next((ballot for ballot in reversed(motion.ballots) if ballot.outcome is not None), None)


class Outline(Protocol):
    """As much of a meeting as its own structure needs; a MeetingRecord has it."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def status(self) -> MeetingStatus: ...
    @property
    def members(self) -> Sequence[MemberRecord]: ...
    @property
    def items(self) -> Sequence[ItemRecord]: ...
    @property
    def standing_items(self) -> Sequence[str]: ...
    @property
    def user_feedback(self) -> str: ...
    @property
    def revision_requested(self) -> bool: ...
    @property
    def scheduled_start(self) -> str | None: ...
    @property
    def created_at(self) -> str | None: ...
    @property
    def started_at(self) -> str | None: ...
    @property
    def completed_at(self) -> str | None: ...
    @property
    def simulated(self) -> bool: ...


def meeting_json(record: Outline) -> dict[str, Any]:
    """The meeting as source 000 keeps it: state, attendees in seating order, and the agenda."""
    return {
        "id": record.id,
        "name": record.name,
        "scheduled_start": record.scheduled_start,
        "status": record.status.value,
        "attendees": [member.id for member in record.members],
        "agenda": {
            "meeting_id": record.id,
            "status": "draft" if record.status in _DRAFT else "approved",
            "items": [
                {
                    "id": item.id,
                    "topic": item.topic,
                    "type": item.type.value,
                    "time_minutes": item.time_minutes,
                    "description": item.description,
                    "desired_outcome": item.desired_outcome,
                    "user_commentary": item.user_commentary,
                }
                for item in record.items
            ],
            "standing_items": list(record.standing_items),
            "user_feedback": record.user_feedback,
            "revision_requested": record.revision_requested,
        },
        "created_at": record.created_at,
        "started_at": record.started_at,
        "completed_at": record.completed_at,
        "simulated": record.simulated,
    }


def state_json(
    record: MeetingRecord,
    transcript: Sequence[TurnRecord],
    *,
    agenda_index: int,
    agent_sessions: Mapping[str, str],
    user_input_pending: Sequence[str],
) -> dict[str, Any]:
    """The checkpoint as source 000 keeps it (MeetingState). The votes are those of the main motion that was voted on last.

    `agenda_index` is 0-based; `user_input_pending` are the shareholder's words that were not put to the board. A vote is
    announced as soon as it is closed.
    """
    question, ballot = _last_vote(record)
    dissents = {
        dissent.member_id: dissent.statement
        for resolution in record.resolutions
        if ballot is not None and resolution.motion_id == question
        for dissent in resolution.dissents
    }
    return {
        "meeting_id": record.id,
        "status": record.status.value,
        "current_agenda_index": agenda_index,
        "current_phase": record.phase.value if record.phase else None,
        "votes_collected": {member: vote.value for member, vote in ballot.votes.items()} if ballot else {},
        "vote_reasons": dict(ballot.reasons) if ballot else {},
        "vote_dissents": dissents,
        "vote_announced": ballot is not None,
        "resolutions_saved": [resolution.id for resolution in record.resolutions],
        "agent_sessions": dict(agent_sessions),
        "present_members": list(record.present),
        "transcript": [[turn.name, turn.text, turn.at] for turn in transcript],
        "last_checkpoint_ts": transcript[-1].at if transcript else record.completed_at or record.started_at,
        "error_count": sum(turn.status == TurnStatus.NO_REPLY for turn in transcript),
        "user_input_pending": list(user_input_pending),
        "simulated": record.simulated,
    }


def _last_vote(record: MeetingRecord) -> tuple[str, BallotRecord | None]:
    for motion in reversed(record.motions):
        if motion.kind == MotionKind.MAIN and (ballot := deciding_ballot(motion)) is not None:
            return motion.id, ballot
    return "", None
