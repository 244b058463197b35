"""Proposal reviews over the wire: source 001's structures and names, and what issue 5 adds."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from api.models import MEETING, WHEN, Body, example

SESSION = "board-20260201-1"
_DISSENT = {"director": "CSO", "verdict": "REJECT", "reason": "Tokens are kept in plain text."}
_LACK = {"director": "CXO", "phase": "assessment", "why": "no_reply"}
_LINE: dict[str, Any] = {
    "session_id": SESSION,
    "meeting_id": MEETING,
    "title": "Session tokens",
    "track": "auth_20260201",
    "verdict": "APPROVED",
    "with_review": False,
    "decision": None,
    "status": "completed",
    "simulated": False,
    "created_at": WHEN,
}
_REVIEW: dict[str, Any] = {
    **_LINE,
    "conditions": ["Add caching before production"],
    "vote": "4-1",
    "dissent": [_DISSENT],
    "degraded": [],
    "earlier_session": None,
    "because": None,
    "decided_at": None,
}


class Document(Body):
    """One file of a proposal: Markdown, plain text or a diff."""

    model_config = Body.model_config | example(name="proposal.md", text="# Session tokens\n\nTokens expire after 12 hours.")
    name: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1)


class ReviewCreate(Body):
    """A proposal; all of its files together may have 2 MiB."""

    model_config = Body.model_config | example(
        documents=[{"name": "proposal.md", "text": "# Session tokens\n\nTokens expire after 12 hours."}], track="auth_20260201"
    )
    documents: list[Document] = Field(min_length=1, max_length=50)
    track: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")
    title: str | None = Field(default=None, max_length=200)
    rounds: int = Field(default=3, ge=0, le=3)
    seed: int | None = Field(default=None, ge=0, lt=2**63)


class Decide(Body):
    model_config = Body.model_config | example(answer="approve", because="The risk is worth it for the pilot.")
    answer: Literal["approve", "reject"]
    because: str = Field(min_length=1)


class Dissent(BaseModel):
    model_config = example(**_DISSENT)
    director: str
    verdict: str
    reason: str


class Lack(BaseModel):
    """What a degraded result lacks."""

    model_config = example(**_LACK)
    director: str
    phase: str
    why: str


class ReviewLine(BaseModel):
    model_config = example(**_LINE)
    session_id: str
    meeting_id: str
    title: str
    track: str | None = None
    verdict: Literal["APPROVED", "REJECTED", "ESCALATE"] | None = None
    with_review: bool
    decision: Literal["approve", "reject"] | None = None
    status: str
    simulated: bool
    created_at: str


class Reviews(BaseModel):
    model_config = example(reviews=[_LINE])
    reviews: list[ReviewLine]


class Review(BaseModel):
    """A review. `verdict`, `conditions` and `vote` are source 001's; they are there once there is a result."""

    model_config = example(**_REVIEW)
    session_id: str
    meeting_id: str
    title: str
    track: str | None = None
    status: str
    verdict: Literal["APPROVED", "REJECTED", "ESCALATE"] | None = None
    conditions: list[str] = []
    vote: str | None = None
    with_review: bool = False
    dissent: list[Dissent] = []
    degraded: list[Lack] = []
    decision: Literal["approve", "reject"] | None = None
    because: str | None = None
    decided_at: str | None = None
    earlier_session: str | None = None
    simulated: bool
    created_at: str


class ReviewFiles(BaseModel):
    """Name -> text of the files that source 001 names."""

    model_config = example(files={"resolution.md": "# Board review: Session tokens\n"})
    files: dict[str, str]
