"""The minutes as data: the same facts as the Markdown, for programs. Rendered from the record alone (law 9)."""

from __future__ import annotations

from typing import Any

from parliament import minutes_words as words
from parliament.record import AmendmentRecord, BallotRecord, MeetingRecord, MotionRecord
from parliament.values import Disposition, Vote

VOTE_KEYS = {
    Vote.FOR: "for",
    Vote.AGAINST: "against",
    Vote.ABSTAIN: "abstain",
    Vote.ABSENT: "absent",
    Vote.NO_REPLY: "no_reply",
    Vote.INVALID: "invalid",
}
"""How the six are named in JSON: source 000's three lists, and ours beside them (law 8)."""


def vote_lists(ballot: BallotRecord | None) -> dict[str, list[str]]:
    """Member ids by what the record says of them, in seating order; six empty lists where no vote was taken."""
    lists: dict[str, list[str]] = {key: [] for key in VOTE_KEYS.values()}
    for member, vote in ballot.votes.items() if ballot else ():
        lists[VOTE_KEYS[vote]].append(member)
    return lists


def minutes_json(record: MeetingRecord) -> dict[str, Any]:
    """The minutes as one JSON object. Texts are as recorded, not escaped; times are the record's; durations in seconds.

    `simulated` is always there, with the notice where it is true (law 14). Withdrawn motions are in `annex.withdrawn`.
    """
    voters = [member.id for member in record.members if member.voting]
    present = [member for member in record.present if member in voters]
    done = [motion for motion in record.motions if motion.status is not Disposition.WITHDRAWN]
    known = {item.id for item in record.items}
    return {
        "meeting_id": record.id,
        "name": record.name,
        "simulated": record.simulated,
        "notice": words.SIMULATED if record.simulated else None,
        "provider": record.provider,
        "seed": record.seed,
        "status": record.status.value,
        "phase": record.phase.value if record.phase else None,
        "ended_by": record.ended_by.value if record.ended_by else None,
        "scheduled_start": record.scheduled_start,
        "started_at": record.started_at,
        "completed_at": record.completed_at,
        "zone": record.zone,
        "presiding": {"chair": record.chair, "named": record.chair_named, "fallback": record.chair != record.chair_named},
        "members": [member.model_dump(mode="json") for member in record.members],
        "attendance": {
            "present": list(record.present),
            "absent": [member for member, how in record.absent.items() if how != "no_reply"],
            "no_reply": [member for member, how in record.absent.items() if how == "no_reply"],
            "quorum": record.quorum,
            "quorum_present": len(present) >= record.quorum,
        },
        "planned_minutes": sum(item.time_minutes for item in record.items),
        "actual_seconds": sum(item.active_seconds or 0.0 for item in record.items),
        "warnings": list(record.warnings),
        "standing_items": list(record.standing_items),
        "items": [
            {
                **item.model_dump(mode="json"),
                "motions": [_motion(record, motion) for motion in done if motion.item_id == item.id],
                "rulings": [each.model_dump(mode="json") for each in record.rulings if each.item_id == item.id],
            }
            for item in record.items
        ],
        "other_motions": [_motion(record, motion) for motion in done if motion.item_id not in known],
        "other_rulings": [each.model_dump(mode="json") for each in record.rulings if each.item_id not in known],
        "action_items": [action.model_dump(mode="json") for action in record.actions],
        "annex": {
            "dissents": [
                {"resolution_id": resolution.id, "topic": resolution.topic, **dissent.model_dump(mode="json")}
                for resolution in record.resolutions
                for dissent in resolution.dissents
            ],
            "withdrawn": [_motion(record, motion) for motion in record.motions if motion.status is Disposition.WITHDRAWN],
            "user_inputs": [{"seq": turn.seq, "at": turn.at, "text": turn.text} for turn in record.user_inputs],
            "user_responses": {each.id: each.user_response for each in record.resolutions if each.user_response},
        },
    }


def _motion(record: MeetingRecord, motion: MotionRecord) -> dict[str, Any]:
    return {
        "id": motion.id,
        "kind": motion.kind,
        "text": motion.text,
        "original_text": motion.original_text,
        "proposed_by": motion.proposed_by,
        "seconded_by": motion.seconded_by,
        "status": motion.status.value,
        "end": words.end_of(motion),
        "by_consent": motion.by_consent,
        "dissenter": motion.dissenter,
        "created_at": motion.created_at,
        "resolution_ids": [each.id for each in record.resolutions if each.motion_id == motion.id],
        "amendments": [_amendment(amendment) for amendment in motion.amendments],
        "ballots": [_ballot(ballot) for ballot in motion.ballots],
    }


def _amendment(amendment: AmendmentRecord) -> dict[str, Any]:
    return {
        **amendment.model_dump(mode="json", exclude={"ballots"}),
        "end": words.end_of(amendment),
        "ballots": [_ballot(ballot) for ballot in amendment.ballots],
    }


def _ballot(ballot: BallotRecord) -> dict[str, Any]:
    return {
        "round": ballot.round,
        "threshold": ballot.threshold,
        "outcome": ballot.outcome.value if ballot.outcome else None,
        "void": ballot.outcome is None,
        "vote": vote_lists(ballot),
        "count": {VOTE_KEYS[kind]: number for kind, number in words.count(ballot).items()},
        "present": ballot.present,
        "closed_at": ballot.closed_at,
        "reasons": dict(ballot.reasons),
        "raw": dict(ballot.raw),
        "degraded": words.degraded(ballot) or None,
    }
