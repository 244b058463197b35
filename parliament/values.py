"""The words every room shares: phases, statuses, kinds of items and motions, votes and ends.

The string values are those of source 000 where it names them; they are what the store, the API and the files carry.
"""

from __future__ import annotations

from enum import StrEnum

CLERK = "clerk"
"""The speaker id of the procedure itself: what code does (opens a ballot, takes up an item), never a model."""

SHAREHOLDER = "shareholder"
"""The speaker id of the person the board meets for (source 000, action items and user input)."""


SECRETARY = "secretary"
"""Who may own an action item besides members and the shareholder (source 000, Action Items)."""


class MeetingStatus(StrEnum):
    """The eight states of a board meeting (source 000, State Machine)."""

    CREATED = "created"
    AGENDA_DRAFT = "agenda_draft"
    PREPARED = "prepared"
    IN_PROGRESS = "in_progress"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    QUORUM_LOST = "quorum_lost"


class Phase(StrEnum):
    """The phases of source 000, in their order. SUMMARY closes an item that is not for decision.

    A proposal review (source 001) has ASSESSMENT, DISCUSSION, VOTING and RESOLUTION.
    """

    OPENING = "opening"
    QUORUM = "quorum"
    INTRO = "intro"
    DISCUSSION = "discussion"
    MOTION = "motion"
    SECOND = "second"
    MOTION_DISCUSSION = "motion_discussion"
    VOTING = "voting"
    ACTION_ITEMS = "action_items"
    SUMMARY = "summary"
    CLOSING = "closing"
    ADJOURNMENT = "adjournment"
    ASSESSMENT = "assessment"
    RESOLUTION = "resolution"


class Purpose(StrEnum):
    """What a voice is asked for in one call. Several purposes may belong to one phase."""

    HEALTH_CHECK = "health_check"
    OPENING = "opening"
    ROLL_CALL = "roll_call"
    INTRO = "intro"
    DISCUSSION = "discussion"
    MENTION = "mention"  # the next word to a member named with @ in a speech
    CALLED = "called"  # the chairman's CALL
    INPUT = "input"  # the chairman answers what the shareholder said
    MOTION = "motion"
    SECOND = "second"
    DEBATE = "debate"  # source 000's MOTION_DISCUSSION
    AMENDMENT = "amendment"  # support, consent or objection to a proposed amendment
    RULING = "ruling"  # the chairman rules on a point of order
    APPEAL = "appeal"  # does a member appeal from the ruling
    CONSENT = "consent"  # is there objection to a request for unanimous consent
    VOTE = "vote"  # on whatever question is put
    ACTION_ITEMS = "action_items"
    SUMMARY = "summary"
    CLOSING = "closing"
    ADJOURNMENT = "adjournment"


PHASE_OF: dict[Purpose, Phase] = {
    Purpose.OPENING: Phase.OPENING,
    Purpose.ROLL_CALL: Phase.QUORUM,
    Purpose.INTRO: Phase.INTRO,
    Purpose.DISCUSSION: Phase.DISCUSSION,
    Purpose.MOTION: Phase.MOTION,
    Purpose.SECOND: Phase.SECOND,
    Purpose.DEBATE: Phase.MOTION_DISCUSSION,
    Purpose.AMENDMENT: Phase.MOTION_DISCUSSION,
    Purpose.VOTE: Phase.VOTING,
    Purpose.ACTION_ITEMS: Phase.ACTION_ITEMS,
    Purpose.SUMMARY: Phase.SUMMARY,
    Purpose.CLOSING: Phase.CLOSING,
    Purpose.ADJOURNMENT: Phase.ADJOURNMENT,
}
"""The phase that a purpose belongs to by itself; the others are heard in whatever phase the meeting is."""


class ItemType(StrEnum):
    """Types of agenda items (source 000, Agenda Generation Prompt and Phase Sequence)."""

    DECISION = "decision"
    REVIEW = "review"
    DISCUSSION = "discussion"
    INFORMATION = "information"


class Vote(StrEnum):
    """What the record may say of a seat on a question. Only the first two are votes cast (law 8)."""

    FOR = "FOR"
    AGAINST = "AGAINST"
    ABSTAIN = "ABSTAIN"
    ABSENT = "ABSENT"  # not present when voting opened
    NO_REPLY = "NO_REPLY"  # present, the call failed after its retries
    INVALID = "INVALID"  # replied, but no vote could be read


class Disposition(StrEnum):
    """How a motion ended, or where it stands while it is PROPOSED (moved) or PENDING (seconded and stated)."""

    PROPOSED = "proposed"
    PENDING = "pending"
    ADOPTED = "adopted"
    LOST = "lost"
    TIED = "tied"  # a tie is lost; the record keeps that it was a tie
    UNSECONDED = "unseconded"
    WITHDRAWN = "withdrawn"
    TABLED = "tabled"
    POSTPONED = "postponed"  # to a certain time: it returns by itself
    REFERRED = "referred"  # committed
    OUT_OF_ORDER = "out_of_order"
    FELL = "fell"  # fell to the ground with the motion it adhered to, or at adjournment


class ItemStatus(StrEnum):
    """Where an agenda item stands."""

    PENDING = "pending"
    OPEN = "open"
    DONE = "done"
    SKIPPED = "skipped"  # no motion in order could be had (source 000, Motion Parsing)
    TABLED = "tabled"
    UNFINISHED = "unfinished"  # the meeting ended first; it becomes a task (law 13)


class EndedBy(StrEnum):
    """Why a meeting ended."""

    AGENDA = "agenda"  # everything on the agenda was done
    ADJOURNED = "adjourned"  # the board adjourned early
    DEADLINE = "deadline"
    BUDGET = "budget"
    ABANDONED = "abandoned"  # it waited to be resumed until the time to abandon
    IMPORTED = "imported"  # its record was brought along, and says nothing of it


class Reading(StrEnum):
    """How a reply was read: as asked, with tolerance, or not at all."""

    EXACT = "exact"
    TOLERANT = "tolerant"
    FAILED = "failed"


class TurnStatus(StrEnum):
    """What became of one hearing."""

    OK = "ok"
    PASS = "pass"  # the member passed; that is a turn too
    NO_REPLY = "no_reply"  # the call failed after its retries
    REFUSED = "refused"  # the model declined to speak
    INVALID = "invalid"  # a reply came, but not what was asked for
