"""The protocol every voice speaks: a request goes in, words come out as they are spoken, a reply comes back.

A request carries the *brief* (the typed facts of this hearing) and the *prompt* rendered from it. Providers that talk to
a model send the prompt; the simulated provider speaks from the brief. Both see the same facts and nothing else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from parliament.summary import Summary
from parliament.triage import TriageItem
from parliament.values import ItemType, Phase, Purpose
from protocols.proposal_review import Assessment, Contribution, Director, ReviewPurpose, Standing


@dataclass(frozen=True, slots=True)
class MemberBrief:
    """A seated member as a voice needs it: who it is and how it thinks."""

    id: str
    name: str
    role: str  # "chairman" or "member"
    perspective: str
    themes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    instructions: str = ""  # the persona's sections, assembled in order


@dataclass(frozen=True, slots=True)
class ItemBrief:
    id: str
    topic: str
    type: ItemType
    time_minutes: int
    description: str = ""
    desired_outcome: str = ""
    user_commentary: str = ""
    number: int = 1  # 1-based place on the agenda


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the transcript as other voices may see it. Never a whisper."""

    seq: int
    speaker: str  # member id, "clerk" or "shareholder"
    name: str
    text: str
    purpose: str
    item_id: str | None = None


@dataclass(frozen=True, slots=True)
class MotionBrief:
    """The question on the floor: its exact words, and who brought it there."""

    id: str
    text: str
    mover: str
    seconder: str | None = None
    amended: bool = False


@dataclass(frozen=True, slots=True)
class AmendmentBrief:
    id: str
    mover: str
    text: str  # the full text of the motion if this amendment is adopted
    summary: str  # what it changes
    degree: int = 1
    seconder: str | None = None


@dataclass(frozen=True, slots=True)
class DecisionBrief:
    """How an earlier question of this meeting ended (for summaries, action items, closing)."""

    item_id: str
    topic: str
    text: str
    status: str
    votes_for: tuple[str, ...] = ()
    votes_against: tuple[str, ...] = ()
    abstain: tuple[str, ...] = ()
    dissents: tuple[tuple[str, str], ...] = ()  # member id, statement


@dataclass(frozen=True, slots=True)
class Brief:
    """Everything a voice may know when it is heard (law 6: put together from the store by reference)."""

    meeting_id: str
    meeting_name: str
    date: str  # ISO date of the meeting, in its zone
    phase: Phase
    purpose: Purpose
    round: int
    member: MemberBrief
    chair: str  # member id of who presides
    seated: tuple[MemberBrief, ...]
    agenda: tuple[ItemBrief, ...]
    item: ItemBrief | None
    standing_items: tuple[str, ...] = ()
    board_book: str = ""
    transcript: tuple[Line, ...] = ()  # up to the start of this round: rounds are blind
    motion: MotionBrief | None = None
    amendment: AmendmentBrief | None = None
    decisions: tuple[DecisionBrief, ...] = ()
    question: str = ""  # what is put, in words, when it is neither the motion nor an amendment
    mentioned_by: str | None = None  # who gave this member the next word, for MENTION and CALLED
    user_input: str = ""  # what the shareholder said, for INPUT
    point: str = ""  # the point of order to be ruled on or appealed from, and the ruling once it is made
    problem: str = ""  # why the previous try was not accepted (motion drafting)
    dissenter: str | None = None  # the member asked to argue against this motion
    presider_named: str | None = None  # set when a fallback presides: who should have
    ended_by: str = ""  # for CLOSING and ADJOURNMENT
    unfinished: tuple[str, ...] = ()  # topics that time did not reach
    seed: int = 0
    session_id: str = ""  # MD5 of meeting and member (source 000, Crash Recovery 5)


class AgendaPurpose(StrEnum):
    """What the chairman is asked for before a meeting (source 000, Trigger Points)."""

    DRAFT = "draft"
    REVISE = "revise"
    CONVERSE = "converse"


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the conversation with the chairman; `role` is "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class AgendaBrief:
    """Everything the chairman may know when it works on an agenda (source 000, Agenda Generation and Conversation Prompts)."""

    meeting_id: str
    meeting_name: str
    date: str  # ISO date, in the meeting's zone
    chairman: MemberBrief
    purpose: AgendaPurpose
    board_book: str = ""
    items: tuple[ItemBrief, ...] = ()  # the agenda as it stands
    version: int = 0
    feedback: str = ""  # what the person said of the agenda, for REVISE
    topics: tuple[str, ...] = ()  # what presses, most pressing first
    precedents: tuple[str, ...] = ()  # earlier decisions, a line each
    conversation: tuple[Said, ...] = ()  # the last messages before this one
    message: str = ""  # what the person says now, for CONVERSE
    seed: int = 0
    session_id: str = ""

    @property
    def member(self) -> MemberBrief:
        """Who speaks: the name that a hearing's brief has for it, so that whoever passes words on need not ask which it is."""
        return self.chairman


class SecretaryPurpose(StrEnum):
    """What the secretary is asked for after a meeting (source 000, Summary Generator and Secretary Review)."""

    EXECUTIVE_SUMMARY = "executive_summary"
    SECRETARY_REVIEW = "secretary_review"


@dataclass(frozen=True, slots=True)
class SecretaryBrief:
    """Everything the secretary may know when it sums up a meeting."""

    meeting_id: str
    meeting_name: str
    date: str  # ISO date of the meeting, in its zone
    member: MemberBrief
    purpose: SecretaryPurpose
    minutes: str  # rendered from the record
    plain: Summary  # what code makes of the record
    transcript: tuple[Line, ...] = ()
    items: tuple[TriageItem, ...] = ()  # the action items, for SECRETARY_REVIEW
    doers: tuple[str, ...] = ()  # who could do small things
    feedback: tuple[str, ...] = ()  # what the person said of earlier summaries
    seed: int = 0
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class EarlierDecision:
    """What the board decided on the same track before."""

    session_id: str
    date: str
    result: str  # in the table's words
    conditions: tuple[str, ...] = ()
    dissent: tuple[str, ...] = ()  # "CSO: why"


@dataclass(frozen=True, slots=True)
class DirectorBrief:
    """Everything a director may know in a proposal review (source 001): the proposal whole, and of the others what was said
    before the round (rounds are blind)."""

    meeting_id: str
    meeting_name: str
    date: str  # ISO date of the review, in its zone
    member: MemberBrief
    director: Director
    directors: tuple[Director, ...]
    purpose: ReviewPurpose
    documents: tuple[tuple[str, str], ...]  # name, text
    assessments: tuple[Assessment, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    matters: tuple[Standing, ...] = ()  # with an answer or without, in the order in which they were raised
    earlier: EarlierDecision | None = None
    user_input: tuple[str, ...] = ()  # what the person has said to the board meanwhile
    seed: int = 0
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """Something the chairman may call. No tool takes a path or touches a file (SERVICE_SECURITY 17)."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool as a model called it. `arguments` None: its input was cut off or is no object."""

    id: str
    name: str
    arguments: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of a call. `call_id` "": the change was written in words, as a model without tools writes it."""

    call_id: str
    text: str
    error: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier reply of this same answer, and what came of the changes it asked for."""

    text: str  # as the model wrote it, whispers and all: it goes back to that model alone
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]
    opaque: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a prompt. `cache` marks the end of a prefix that a provider may cache."""

    text: str
    cache: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """What goes to a model: system blocks (the same for a whole meeting first) and one user turn of blocks."""

    system: tuple[Block, ...]
    user: tuple[Block, ...]
    schema: dict[str, Any] | None = None  # JSON schema of the reply
    schema_name: str = ""


@dataclass(frozen=True, slots=True)
class VoiceRequest:
    call_id: str
    brief: Brief | AgendaBrief | SecretaryBrief | DirectorBrief
    prompt: Prompt
    tier: str = "mid"  # low, mid or high; mapped to models in the settings
    max_tokens: int = 1500
    timeout: float = 120.0  # seconds for the whole call
    tools: tuple[Tool, ...] = ()
    exchanges: tuple[Exchange, ...] = ()  # what went before in this answer


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `input` counts only what was neither read from nor written to the cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class VoiceReply:
    text: str  # the raw reply: JSON by the schema where the provider has it, else plain text
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    stop_reason: str = "end_turn"  # end_turn, tool_use, max_tokens (cut off) or refusal
    latency_ms: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    opaque: tuple[dict[str, Any], ...] = ()
    """Blocks that a provider wants back, as they are, with the results of these calls: a model's own thinking, signed. Kept
    only with calls, stored as a whisper is, and read by nobody (law 7)."""


class Trouble(StrEnum):
    """What went wrong at a provider, as the ledger and the minutes name it."""

    RATE_LIMITED = "rate_limited"  # 429
    OVERLOADED = "overloaded"  # 529, 503
    SERVER = "server_error"  # 500 and its like
    TIMEOUT = "timeout"  # 408, or no answer in time
    CONNECTION = "connection"  # no network, stream cut
    CONFLICT = "conflict"  # 409
    BAD_REQUEST = "bad_request"  # other 4xx: the same call would fail again
    AUTH = "auth"  # 401, 403: no call of this meeting can succeed
    NO_MODEL = "no_model"  # 404: the model does not exist for this key
    BILLING = "billing"  # 402 or a credit message


class VoiceError(Exception):
    """A provider's failure.

    `retryable`: another attempt at the same call may succeed. `fatal`: no call of this meeting can succeed until a
    person mends something (a key, a model's name), so the meeting waits instead of losing its members one by one.
    `retry_after`: seconds, when the provider said so. The message never holds the key, the prompt or the reply.
    """

    def __init__(
        self, trouble: Trouble, message: str, *, retryable: bool, fatal: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.trouble = trouble
        self.retryable = retryable
        self.fatal = fatal
        self.retry_after = retry_after


OnText = Callable[[str], Awaitable[None]]
"""Called with each piece of the *raw* reply as it arrives; the caller decides what of it is speech (law 7)."""


class Voice(Protocol):
    """A provider of voices. Implementations are safe to call concurrently."""

    name: str
    simulated: bool

    async def check(self, tiers: tuple[str, ...] = ("mid",)) -> None:
        """Raise VoiceError with one clear sentence when meetings cannot be held with this provider."""
        ...

    async def speak(self, request: VoiceRequest, on_text: OnText | None = None) -> VoiceReply:
        """One attempt at one call, without retries of its own. Raises VoiceError."""
        ...

    async def close(self) -> None: ...
