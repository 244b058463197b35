"""What governs one meeting: quorum and second, and how long and how often anything may be."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Rules(BaseModel):
    """What governs one meeting, frozen when it opens. Seconds unless a name says otherwise."""

    model_config = ConfigDict(extra="forbid")

    quorum: int = 3
    second_required: bool = True
    health_check: bool = True
    health_check_timeout: float = 30.0
    call_timeout: float = 120.0
    call_retries: int = 2
    heartbeat: float = 15.0
    batch_size: int = 0  # calls of a round at a time; 0: the whole round
    meeting_deadline: float = 1800.0
    phase_deadline: float = 900.0
    closing_allowance: float = 300.0  # for the orderly closing after a deadline
    abandon_after: float = 14 * 86400.0
    max_mentions: int = 2
    max_amendments: int = 2
    max_points: int = 1  # points of order taken up in one round
    continue_after_events: int = 4000  # continue as new at the next item boundary; tests force it early
