"""What a meeting leaves, over the wire: resolutions, action items, summaries, the review; source 000's structures and names."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, Field

from api.models import MEETING, WHEN, Body, example
from parliament.following import Response

RESOLUTION = f"RES-{MEETING}-1"
_ACTION: dict[str, Any] = {
    "id": "ACT-12345678",
    "task": "Schedule 3 cardio sessions per week on calendar",
    "owner": "shareholder",
    "deadline": "2026-01-10",
    "resolution_id": RESOLUTION,
    "status": "pending",
}
_LEDGER: dict[str, Any] = {
    **_ACTION,
    "due": "2026-01-10",
    "deadline_reading": "date",
    "origin": "resolution",
    "meeting_id": MEETING,
    "topic": "Increase Weekly Cardio",
    "created_at": WHEN,
    "done_at": None,
}
_CHANGE: dict[str, Any] = {
    "kind": "accepted",
    "about": "",
    "origin": "shareholder",
    "note": "From Monday.",
    "until": None,
    "at": WHEN,
}
_RESOLUTION: dict[str, Any] = {
    "id": RESOLUTION,
    "meeting_id": MEETING,
    "agenda_item_id": "agenda-1",
    "topic": "Increase Weekly Cardio",
    "motion": {
        "id": f"MOT-{MEETING}-agenda-1",
        "text": "RESOLVED, That the shareholder shall increase weekly cardio sessions from 2 to 3.",
        "proposed_by": "aurelius",
        "seconded_by": "dalio",
        "status": "adopted",
        "original_text": None,
        "created_at": WHEN,
    },
    "vote": {"for": ["aurelius", "dalio"], "against": ["musk"], "abstain": [], "absent": [], "no_reply": [], "invalid": []},
    "dissents": [],
    "action_items": [_ACTION],
    "user_response": None,
    "created_at": WHEN,
    "simulated": False,
    "status": "waiting",
    "deferred_until": None,
    "superseded_by": None,
    "history": [_CHANGE],
}
_SUMMARY: dict[str, Any] = {
    "meeting_id": MEETING,
    "version": 1,
    "source": "model",
    "headline": "The board adopted one resolution, on weekly cardio.",
    "decisions": ["Weekly cardio goes from 2 to 3 sessions."],
    "next_steps": ["You put the sessions on the calendar by 10 January."],
    "open_questions": [],
    "votes": [],
    "dissents": [],
    "summary": "# Weekly Health Review\n",
    "problems": [],
    "feedback": [],
    "simulated": False,
    "created_at": WHEN,
}
_ENTRY: dict[str, Any] = {
    "id": "ACT-12345678",
    "task": "Sell the car",
    "owner": "shareholder",
    "deadline": None,
    "why": "It is irreversible: that is for you to say.",
    "risks": ["irreversible"],
    "proof": None,
}
_REVIEW: dict[str, Any] = {
    "meeting_id": MEETING,
    "did_it": [],
    "recommending": [],
    "need_your_call": [_ENTRY],
    "summary": "One resolution was adopted.",
    "source": "model",
    "simulated": False,
    "text": "NEEDS YOUR CALL (1)\n",
    "created_at": WHEN,
}


class Motion(BaseModel):
    """The motion that a resolution is the paper of."""

    model_config = example(**_RESOLUTION["motion"])
    id: str
    text: str
    proposed_by: str
    seconded_by: str | None = None
    status: str
    original_text: str | None = None
    created_at: str | None = None


class ActionItem(BaseModel):
    """An action item of a resolution (source 000, Resolution)."""

    model_config = example(**_ACTION)
    id: str
    task: str
    owner: str
    deadline: str | None = None
    resolution_id: str | None = None
    status: str


class ResolutionChange(BaseModel):
    """Something that happened to a resolution; `about` names what it is about, such as an action item."""

    model_config = example(**_CHANGE)
    kind: str
    about: str
    origin: str
    note: str
    until: str | None = None
    at: str


class Resolution(BaseModel):
    """A resolution (source 000), where it stands now, and its history. `status` of one not adopted says how it ended."""

    model_config = example(**_RESOLUTION)
    id: str
    meeting_id: str
    agenda_item_id: str
    topic: str
    motion: Motion
    vote: dict[str, list[str]]
    dissents: list[dict[str, Any]]
    action_items: list[ActionItem]
    user_response: dict[str, Any] | None = None
    created_at: str | None = None
    simulated: bool
    status: str
    deferred_until: str | None = None
    superseded_by: str | None = None
    history: list[ResolutionChange]


class Resolutions(BaseModel):
    model_config = example(resolutions=[_RESOLUTION])
    resolutions: list[Resolution]


class Respond(Body):
    """`until` is the day on which a deferred resolution comes back; only `defer` has one."""

    model_config = Body.model_config | example(response="accept", note="From Monday.", until=None)
    response: Response
    note: str = Field("", max_length=32_768)
    until: date | None = None


class Action(BaseModel):
    """An action item of the ledger. `deadline` in the words that were said, `due` the day they were read as."""

    model_config = example(**_LEDGER)
    id: str
    task: str
    owner: str
    deadline: str | None = None
    resolution_id: str | None = None
    status: str
    due: str | None = None
    deadline_reading: str
    origin: str
    meeting_id: str | None = None
    topic: str | None = None
    created_at: str
    done_at: str | None = None


class Actions(BaseModel):
    model_config = example(actions=[_LEDGER])
    actions: list[Action]


class ActionScope(BaseModel):
    """What is open, by when it is due (source 000, scope)."""

    model_config = example(overdue=[], upcoming_week=[_LEDGER], later=[], open_ended=[])
    overdue: list[Action]
    upcoming_week: list[Action]
    later: list[Action]
    open_ended: list[Action]


class ActionCreate(Body):
    model_config = Body.model_config | example(task="Call the landlord", owner="shareholder", deadline="next Friday")
    task: str = Field(max_length=4000)
    owner: str = Field("shareholder", max_length=200)
    deadline: str | None = Field(None, max_length=400)


class Summary(BaseModel):
    """An executive summary; votes and dissents are the record's, `summary` is all of it as Markdown."""

    model_config = example(**_SUMMARY)
    meeting_id: str
    version: int
    source: Literal["model", "record"]
    headline: str
    decisions: list[str]
    next_steps: list[str]
    open_questions: list[str]
    votes: list[dict[str, Any]]
    dissents: list[dict[str, Any]]
    summary: str
    problems: list[str]
    feedback: list[dict[str, Any]]
    simulated: bool
    created_at: str


class Regenerate(Body):
    """`mail`: send the new summary by mail."""

    model_config = Body.model_config | example(mail=False)
    mail: bool = False


class SummaryFeedback(Body):
    model_config = Body.model_config | example(feedback="Shorter, and the next steps first.")
    feedback: str = Field(max_length=32_768)


class ReviewEntry(BaseModel):
    model_config = example(**_ENTRY)
    id: str
    task: str
    owner: str
    deadline: str | None = None
    why: str
    risks: list[str]
    proof: str | None = None


class Review(BaseModel):
    """The secretary's review (source 000, Post-Meeting Secretary Review)."""

    model_config = example(**_REVIEW)
    meeting_id: str
    did_it: list[ReviewEntry]
    recommending: list[ReviewEntry]
    need_your_call: list[ReviewEntry]
    summary: str
    source: Literal["model", "record"]
    simulated: bool
    text: str
    created_at: str
