"""Names and types of the activities: what workflows may know of them, and all that travels in a history.

Law 6: ids, positions and small typed results, never a transcript or anybody's words. Fields at their default are left
out of the payload (the converter sends only what was set), which keeps a turn under 600 bytes of history.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from parliament.values import (
    Disposition,
    EndedBy,
    ItemStatus,
    MeetingStatus,
    Phase,
    Purpose,
    Reading,
    TurnStatus,
    Vote,
)
from protocols.proposal_review import ReviewPurpose

HEAR = "hear"
RECORD = "record"
START_SESSIONS = "start_sessions"
DRAFT_AGENDA = "draft_agenda"
CONVERSE = "converse"
KEEP_PREPARATION = "keep_preparation"
READ_CONVENING = "read_convening"
DELIVER_NOTICE = "deliver_notice"
OPEN_CONVENING = "open_convening"
END_CONVENING = "end_convening"
FOLLOW_RESOLUTION = "follow_resolution"
ANSWER_RESOLUTION = "answer_resolution"
SETTLE_LEDGER = "settle_ledger"
WRITE_SUMMARY = "write_summary"
WRITE_REVIEW = "write_review"
PUSH_TASKS = "push_tasks"

LOOK_AT_REVIEW = "look_at_review"
RESOLVE_REVIEW = "resolve_review"
DECIDE_REVIEW = "decide_review"
WRITE_REVIEW_FILES = "write_review_files"

PROVIDER_UNAVAILABLE = "ProviderUnavailable"
"""ApplicationError type: no call of this meeting can succeed until a person mends something."""

REFUSED = "Refused"
"""ApplicationError type: what was asked for is not in order now; the message is the reason, for a person to read."""


class _Payload(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Hearing(_Payload):
    """One voice is asked for one thing. The meeting is the workflow's id; the call's id is derived from the place."""

    purpose: Purpose | ReviewPurpose
    member: str
    seq: int = 0  # the place in the transcript that is kept for this turn; 0: not a turn (health check)
    before: int = 0  # the member sees the turns before this seq (rounds are blind); 0: those before its own
    phase: Phase | None = None  # where it differs from the purpose's own phase
    item: str | None = None
    round: int = 1
    about: str = ""  # id of the amendment, other motion, point or input that is spoken to; "": the item's main motion
    by: str = ""  # who gave the next word, or why a draft is asked again
    chair: bool = False  # the member presides: its commands are read


class Heard(_Payload):
    """What came of a hearing. Texts stay in the store; ids name them."""

    seq: int = 0  # the turn's own place, when a command or a point of order in it must be answered
    status: TurnStatus = TurnStatus.OK
    reading: Reading = Reading.EXACT
    present: bool | None = None
    second: bool | None = None
    vote: Vote | None = None
    motion: str | None = None  # id of the motion that was moved in the reply
    problem: str = ""  # why no motion could be taken from it, or what the provider's trouble was
    amendment: str | None = None  # id of the amendment that was moved
    position: Literal["support", "consent", "object"] | None = None
    objection: bool | None = None
    point: bool = False
    procedural: Literal["previous_question", "lay_on_table", "withdraw"] | None = None
    well_taken: bool | None = None
    remedy: Literal["none", "out_of_order"] = "none"
    appeal: bool | None = None
    commands: list[dict[str, Any]] | None = None  # parliament.commands.compact form, in order
    mentions: list[str] | None = None
    purse_empty: bool = False
    verdict: Literal["APPROVE", "CONCERNS", "REJECT"] | None = None  # of a director, in its assessment or its vote
    early_vote: bool = False  # a director voted although no vote was called: it does not count


class Sessions(_Payload):
    members: list[str]


class Entry(_Payload):
    """One thing the procedure itself puts on the record. `what` says which fields count."""

    what: Literal[
        "status",  # status, ended_by, why
        "chair",  # member presides
        "announce",  # seq, key, args: a line by the clerk, its words from parliament.announcements
        "item",  # item, item_status, why, seconds
        "moved",  # id, kind, member, target: a motion whose words code writes (table, adjourn, appeal, …)
        "seconded",  # id, member
        "ended",  # id, disposition, by_consent: a motion or amendment came to its end without a vote
        "ballot",  # id, round, threshold, votes, result (none: the vote is void), present
        "amended",  # id (main or amendment), source: the words of `source` replace those of `id`
        "resolution",  # id (the main motion): it came to its end
        "ruling",  # seq, n, kind, member, result, why, rule: a refused command, the chair's RULING, an appeal
        "dissent",  # seq, n, member: the chair's own DISSENT command in that turn
        "action",  # seq, n: the chair's ACTION command in that turn
        "input",  # id, seq: the shareholder's words become a turn
        "silent",  # seq, member, purpose, phase, why: the place of a turn that never came
        "unfinished",  # item: becomes a task
    ]
    id: str = ""
    seq: int = 0
    n: int = 0
    item: str | None = None
    member: str = ""
    kind: str = ""
    target: str = ""
    source: str = ""
    key: str = ""
    args: dict[str, Any] | None = None
    status: MeetingStatus | None = None
    ended_by: EndedBy | None = None
    why: str = ""
    rule: str = ""
    result: str = ""
    item_status: ItemStatus | None = None
    seconds: float | None = None
    disposition: Disposition | None = None
    by_consent: bool = False
    round: int = 0
    threshold: str = ""
    votes: dict[str, Vote] | None = None
    present: int = 0
    phase: Phase | None = None
    purpose: Purpose | ReviewPurpose | None = None


class Recording(_Payload):
    entries: list[Entry]
    at: str  # workflow time, ISO 8601
    phase: Phase | None = None


class Drafting(_Payload):
    """The chairman drafts the agenda, or revises it by a person's note."""

    n: int  # the how-manieth draft of this meeting: part of the calls' ids
    note: str = ""  # id of the note to revise by; "": a draft from the board book


class Drafted(_Payload):
    version: int
    items: int


class Conversing(_Payload):
    message: str  # id of the person's message


class Conversed(_Payload):
    """`version` is the agenda's after the reply; `problem` says why a change that the chairman wanted was not made."""

    version: int
    changed: bool = False
    problem: str = ""


class Preparing(_Payload):
    """A step of the preparation goes on the record, if the store's state allows it (else ApplicationError `Refused`)."""

    what: Literal["edit", "approve", "drop", "hold"]
    version: int | None = None  # approve: the version that was read, None for whatever stands
    why: str = ""
    unattended: bool = False


class Convened(_Payload):
    """What a meeting starts from, once its agenda is approved: ids and plans, no text but titles where they are allowed."""

    seats: list[dict[str, Any]]  # id, name, voting
    facilitators: list[str]
    items: list[dict[str, Any]]  # id, type, minutes, title
    seed: int
    date: str


class ConveningWanted(_Payload):
    """What `read_convening` is asked for."""

    titles: bool = False


class Delivery(_Payload):
    """One notice, to every channel that is set up."""

    id: str
    kind: str
    meeting: str | None = None
    ref: str | None = None


class ConveningDue(_Payload):
    """A schedule's time has come. The convening's id is the convener's workflow id."""

    schedule_id: str
    kind: Literal["weekly", "drift"]
    planned: str  # ISO 8601


class ConveningOpened(_Payload):
    """The meeting that was opened for it; none when there is nothing to meet about. No text of it (law 6)."""

    meeting: str | None = None
    preparation: dict[str, Any] | None = None  # what the meeting's workflow starts from
    limit: float = 0.0  # seconds after which it counts as timed out
    notices: bool = False


class ConveningEnded(_Payload):
    """How a convening ended, as far as the convener knows. `planned` as in ConveningDue: one that was late never began."""

    schedule_id: str
    planned: str
    outcome: Literal["completed", "failed", "timeout", "missed"]
    meeting: str | None = None
    why: str = ""


class ConveningKept(_Payload):
    """The outcome that stands on the record: a meeting that halted has failed, not timed out."""

    outcome: Literal["completed", "failed", "timeout", "missed", "nothing_to_do"]
    meeting: str | None = None  # None also when it was deleted meanwhile
    notices: bool = False


class Following(_Payload):
    """Look at a resolution (the workflow's id) as of a moment, and write down what the calendar brought."""

    at: str  # workflow time, ISO 8601
    remind_days: int
    stale_days: int
    hour: int


class FollowedNow(_Payload):
    """Where a resolution stands after that look. `tell`: moments of which the person is told, as (kind, ref).

    `key` is that of the answer that stands, `replaced` are the resolutions whose place this one took.
    """

    status: str = "waiting"
    meeting: str = ""
    answer: Literal["accept", "reject", "defer"] | None = None
    until: str | None = None  # ISO date, while it is deferred
    next: str | None = None  # when to look again, ISO 8601
    tell: list[tuple[str, str]] = []
    ended: bool = False
    gone: bool = False  # it was deleted
    key: str | None = None
    replaced: list[str] = []


class Answering(_Payload):
    """The person's answer to a resolution. Its note stands in the store under `note`."""

    response: Literal["accept", "reject", "defer"]
    note: str = ""  # id of the stored note
    until: str | None = None  # ISO date, for defer
    origin: str = "shareholder"
    at: str = ""  # workflow time, set by the workflow


class AfterWork(_Payload):
    """What is done after a meeting starts from its record alone. The meeting's id; texts stay in the store."""

    meeting: str


class Summarizing(_Payload):
    meeting: str
    version: int  # of the summary that is wanted; one that stands is left as it is


class Summarized(_Payload):
    version: int
    source: Literal["model", "record"]


class Reviewed(_Payload):
    """`resolutions`: those whose action items a doer completed; their workflows are let look."""

    source: Literal["model", "record"] = "model"
    counts: list[int] = []  # did_it, recommending, need_your_call
    resolutions: list[str] = []


class Pushed(_Payload):
    """`resolutions`: those whose action items were completed in another program."""

    resolutions: list[str] = []


class ReviewLook(_Payload):
    """Look at a review before a round of its discussion (1 to 3), or at its assessments (0). A round with nothing open is noted
    as skipped."""

    round: int


class ReviewStands(_Payload):
    """Counts of what stands: matters that are open, and the assessments' verdicts."""

    open: int = 0
    approve: int = 0
    concerns: int = 0
    reject: int = 0
    missing: int = 0


class Resolving(_Payload):
    at: str  # workflow time, ISO 8601


class Resolved(_Payload):
    """What the table says of the votes. No words of anybody (law 6)."""

    outcome: Literal["APPROVED", "REJECTED", "ESCALATE"]
    with_review: bool = False
    vote: str = ""
    degraded: int = 0


class Deciding(_Payload):
    """A person's decision on what was escalated. Its reason stands in the store under `note`."""

    answer: Literal["approve", "reject"]
    note: str
    at: str = ""  # workflow time, set by the workflow


class FilesWritten(_Payload):
    """`problem`: why the files could not be written, in a sentence without a path; none where no folder was named."""

    written: bool = False
    problem: str = ""
