"""A record in which everything that anybody may type is one hostile text."""

from __future__ import annotations

from typing import Any

from parliament.record import MeetingRecord
from parliament.values import Vote
from tests.support.meeting_records import SEATS, full_record

TYPED = {
    "topic", "text", "original_text", "why", "statement", "task", "deadline", "reason", "summary", "name", "member_name",
    "owner", "warnings", "standing_items",
    "description", "desired_outcome", "user_commentary", "user_feedback", "reasons", "raw",
    *SEATS,
}  # fmt: skip


def hostile_record(text: str) -> MeetingRecord:
    """The full record with `text` in every name, topic, motion, reason, dissent, task and input."""

    def poison(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: poison(each, name) for name, each in value.items()}
        if isinstance(value, list):
            return [poison(each, key) for each in value]
        outcome = value in tuple(Vote) or value in ("absent", "no_reply")
        return text if key in TYPED and isinstance(value, str) and not outcome else value

    return MeetingRecord.model_validate(poison(full_record().model_dump(mode="json")))
