"""What goes over the wire, in source 000's structures and names, each with an example."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from parliament.agenda import MAX_ITEMS, MAX_MINUTES, MAX_TOPIC
from parliament.agenda_changes import MAX_OPERATIONS, Operation
from parliament.values import ItemType, MeetingStatus

MEETING = "mtg-9fed5d5a"
WHEN = "2026-01-03T22:17:39.174118+00:00"


def example(**value: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [value]})


class Body(BaseModel):
    """A request's body: unknown fields are an error, so that a misspelt one is not silently lost."""

    model_config = ConfigDict(extra="forbid")


_ITEM: dict[str, Any] = {
    "id": "agenda-1",
    "topic": "Goal Structure and Early Momentum",
    "type": "decision",
    "time_minutes": 15,
    "description": "We enter 2026 with 12 active goals.",
    "desired_outcome": "Decide on a framework for tracking.",
    "user_commentary": "",
}
_AGENDA: dict[str, Any] = {
    "meeting_id": MEETING,
    "status": "draft",
    "items": [_ITEM],
    "standing_items": ["Opening remarks", "Closing remarks"],
    "user_feedback": "",
    "revision_requested": False,
}
_MEETING: dict[str, Any] = {
    "id": MEETING,
    "name": "Weekly Health Review",
    "scheduled_start": None,
    "status": "agenda_draft",
    "attendees": ["aurelius", "dalio", "davinci", "jobs", "musk", "rogers", "roosevelt"],
    "agenda": _AGENDA,
    "created_at": WHEN,
    "started_at": None,
    "completed_at": None,
    "simulated": False,
}
_MESSAGE: dict[str, Any] = {
    "id": "msg-abc123",
    "role": "user",
    "content": "Can we add a sleep goal?",
    "timestamp": WHEN,
    "agenda_action": None,
}
_TURN: dict[str, Any] = {
    "seq": 1,
    "id": "-/opening/-/1/aurelius",
    "item_id": None,
    "phase": "opening",
    "purpose": "opening",
    "round": 1,
    "member_id": "aurelius",
    "name": "Marcus Aurelius",
    "text": "This meeting is now called to order.",
    "status": "ok",
    "reading": "exact",
    "at": WHEN,
}
_CHANGE: dict[str, Any] = {"version": 2, "origin": "chairman", "lines": ["added “Sleep” at place 2"], "at": WHEN}
_VIEW: dict[str, Any] = {
    "meeting_id": MEETING,
    "status": "agenda_draft",
    "version": 2,
    "planned_minutes": 15,
    "agenda": _AGENDA,
    "changes": [_CHANGE],
}


class AgendaItem(BaseModel):
    model_config = example(**_ITEM)
    id: str
    topic: str
    type: ItemType
    time_minutes: int
    description: str = ""
    desired_outcome: str = ""
    user_commentary: str = ""


class Agenda(BaseModel):
    model_config = example(**_AGENDA)
    meeting_id: str
    status: str
    items: list[AgendaItem]
    standing_items: list[str]
    user_feedback: str
    revision_requested: bool


class BoardMeeting(BaseModel):
    """A meeting (source 000, BoardMeeting). `simulated` says whether its voices are (law 14)."""

    model_config = example(**_MEETING)
    id: str
    name: str
    scheduled_start: str | None
    status: MeetingStatus
    attendees: list[str]
    agenda: Agenda
    created_at: str
    started_at: str | None
    completed_at: str | None
    simulated: bool


class MeetingLine(BaseModel):
    model_config = example(
        meeting_id=MEETING, name="Weekly Health Review", status="completed", ended_by="agenda", simulated=False,
        created_at=WHEN, started_at=WHEN, completed_at=WHEN,
    )  # fmt: skip
    meeting_id: str
    name: str
    status: MeetingStatus
    ended_by: str | None
    simulated: bool
    created_at: str | None
    started_at: str | None
    completed_at: str | None


class Meetings(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"meetings": [MeetingLine.model_config["json_schema_extra"]["examples"][0]]}]  # type: ignore[index, call-overload]
        }
    )
    meetings: list[MeetingLine]


class NewItem(Body):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"topic": "Should I sleep more?", "type": "decision"}]}
    )
    topic: Annotated[str, Field(max_length=MAX_TOPIC)]
    type: ItemType = ItemType.DECISION
    time_minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES)] | None = None
    description: str = ""
    desired_outcome: str = ""


class MeetingCreate(Body):
    """A meeting to be prepared. Without items the chairman drafts the agenda when it is requested."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "Weekly Health Review", "attendees": None, "items": None}]},
    )
    name: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    attendees: Annotated[list[str], Field(min_length=1, max_length=25)] | Literal["all", "auto"] | None = None
    items: Annotated[list[NewItem], Field(min_length=1, max_length=MAX_ITEMS)] | None = None
    scheduled_start: datetime | None = None
    review_deadline: datetime | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None


class Change(BaseModel):
    model_config = example(**_CHANGE)
    version: int
    origin: str
    lines: list[str]
    at: str


class AgendaView(BaseModel):
    """The agenda as it stands, the version that a change of it must name, and every change so far."""

    model_config = example(**_VIEW)
    meeting_id: str
    status: MeetingStatus
    version: int
    planned_minutes: int
    agenda: Agenda | None
    changes: list[Change]


class Operations(Body):
    """Typed changes of the agenda at a version: all or none."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"version": 1, "operations": [{"op": "reorder", "item_id": "agenda-2", "place": 1}]}]},
    )
    version: Annotated[int, Field(ge=0, lt=2**31)]
    operations: Annotated[list[Operation], Field(min_length=1, max_length=MAX_OPERATIONS)]


OPERATIONS: dict[str, dict[str, Any]] = {
    "Add": {"op": "add", "topic": "Should I sleep more?", "type": "decision"},
    "Update": {"op": "update", "item_id": "agenda-1", "description": "Seven hours, not six."},
    "Remove": {"op": "remove", "item_id": "agenda-3"},
    "Reorder": {"op": "reorder", "item_id": "agenda-2", "place": 1},
    "SetType": {"op": "set_type", "item_id": "agenda-1", "type": "review"},
    "SetMinutes": {"op": "set_minutes", "item_id": "agenda-1", "time_minutes": 20},
}
"""An example of each kind of change (parliament.agenda_changes has the kinds)."""


class Version(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"version": 2}]})
    version: Annotated[int, Field(ge=0, lt=2**31)]


class Approval(Body):
    """What is approved: the agenda at this version; without one, as it stands."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"version": 2}]})
    version: Annotated[int, Field(ge=0, lt=2**31)] | None = None


class Words(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"message": "Can we add a sleep goal?"}]})
    message: str


class Revision(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"feedback": "Shorter, and sleep first."}]})
    feedback: str


class Commentary(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"commentary": "My knee hurts."}]})
    commentary: str


class Feedback(Body):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"feedback": "Keep it short.", "request_revision": False}]}
    )
    feedback: str
    request_revision: bool = False


class UserInput(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"text": "What would it cost me?"}]})
    text: str


class InputTaken(BaseModel):
    model_config = example(input_id="inp-0123456789abcdef")
    input_id: str


class Message(BaseModel):
    """One message of the conversation with the chairman (source 000, ConversationHistory)."""

    model_config = example(**_MESSAGE)
    id: str
    role: str
    content: str
    timestamp: str
    agenda_action: dict[str, Any] | None = None


class Conversation(BaseModel):
    model_config = example(messages=[_MESSAGE])
    messages: list[Message]


class Exchange(BaseModel):
    """The chairman's answer, what it changed, and the agenda after it."""

    model_config = example(
        message_id="msg-abc123", reply=_MESSAGE | {"role": "assistant", "content": "So be it."}, lines=[], view=_VIEW
    )
    message_id: str
    reply: Message
    lines: list[str]
    view: AgendaView


class Cleared(BaseModel):
    model_config = example(cleared=4)
    cleared: int


class Turn(BaseModel):
    model_config = example(**_TURN)
    seq: int
    id: str
    item_id: str | None
    phase: str
    purpose: str
    round: int
    member_id: str
    name: str
    text: str
    status: str
    reading: str
    at: str
    vote: str | None = None


class Transcript(BaseModel):
    model_config = example(meeting_id=MEETING, status="in_progress", last_seq=1, transcript=[_TURN])
    meeting_id: str
    status: MeetingStatus
    last_seq: int
    transcript: list[Turn]


class Minutes(BaseModel):
    model_config = example(meeting_id=MEETING, minutes="# Minutes")
    meeting_id: str
    minutes: str


_MEMBER: dict[str, Any] = {
    "id": "dalio",
    "name": "Ray Dalio",
    "seat": "fixed",
    "voting": True,
    "perspective": "Principles, radical transparency, data.",
    "aliases": ["ray"],
    "themes": ["efficiency", "data", "principles", "systems", "metrics"],
}


class Member(BaseModel):
    model_config = example(**_MEMBER)
    id: str
    name: str
    seat: str
    voting: bool
    perspective: str
    aliases: list[str]
    themes: list[str]


class Members(BaseModel):
    model_config = example(members=[_MEMBER])
    members: list[Member]


class Done(BaseModel):
    """Where the meeting stands after what was asked for."""

    model_config = example(meeting_id=MEETING, status="in_progress")
    meeting_id: str
    status: MeetingStatus


class Broadcast(Body):
    """A passing event: words under a member's id, or a notice."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"event": "notice", "text": "Back in a minute."}]}
    )
    event: Literal["words", "notice"]
    text: Annotated[str, Field(min_length=1, max_length=4096)]
    member_id: Annotated[str, Field(max_length=100)] | None = None


class Accepted(BaseModel):
    model_config = example(accepted=True)
    accepted: bool


class Ticket(BaseModel):
    model_config = example(ticket="kq…", expires_in=30)
    ticket: str
    expires_in: int


class Entering(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"ticket": "kq3vbR2s"}]})
    ticket: Annotated[str, Field(min_length=1, max_length=200)]


class Session(BaseModel):
    model_config = example(owner="shareholder", scopes=["operator", "reader"], csrf="x1…", expires_at=WHEN)
    owner: str
    scopes: list[str]
    csrf: str | None
    expires_at: str | None


class Health(BaseModel):
    model_config = example(status="ok")
    status: str


class Readiness(BaseModel):
    model_config = example(status="ready", store="ok", temporal="ok", worker="ok")
    status: str
    store: str
    temporal: str
    worker: str


class Problem(BaseModel):
    """RFC 9457. `detail` says what to do."""

    model_config = example(
        type="about:blank", title="Conflict", status=409, detail="The agenda is approved: edit it again before you change it.",
        instance=f"/api/v1/board/meetings/{MEETING}/approve-agenda",
    )  # fmt: skip
    type: str
    title: str
    status: int
    detail: str
    instance: str | None = None
    errors: list[dict[str, str]] | None = None


def examples() -> dict[str, list[dict[str, Any]]]:
    """The examples of every model here, and of every kind of change of an agenda, by the schema's name."""
    found: dict[str, list[dict[str, Any]]] = {name: [example] for name, example in OPERATIONS.items()}
    for name, model in globals().items():
        if isinstance(model, type) and issubclass(model, BaseModel) and "json_schema_extra" in model.model_config:
            found[name] = model.model_config["json_schema_extra"]["examples"]  # type: ignore[index, call-overload]
    return found
