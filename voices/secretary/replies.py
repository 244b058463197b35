"""Reading what the secretary wrote: the structured form first, an object with words around it next, else not at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from parliament.summary import LONGEST, Summary
from parliament.text import is_blank, one_line, printable
from parliament.triage import Bucket, Proposal
from voices import loose
from voices.base import VoiceReply
from voices.whispers import part

MOST = 60
"""Sentences of one list, and characters of a reply by the thousand, that are read."""

_SUMMARY = frozenset({"thinking", "headline", "decisions", "next_steps", "open_questions"})
_REVIEW = frozenset({"thinking", "summary", "items"})


@dataclass(frozen=True, slots=True)
class ReadSummary:
    """`problem`: why nothing could be taken from the reply, in one sentence."""

    summary: Summary | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ReadProposals:
    """What a model proposes for each item, by id, and its own few sentences. The last word on an id is a doubt: none counts."""

    proposals: dict[str, Proposal]
    summary: str = ""
    problem: str = ""


def read_summary(reply: VoiceReply) -> ReadSummary:
    """Read a summary. Never raises, whatever stands in the reply; nothing is taken from a whisper or from half a reply."""
    found, problem = _fields(reply, _SUMMARY, "headline")
    if found is None:
        return ReadSummary(None, problem)
    headline = _sentence(found.get("headline"))
    if not headline:
        return ReadSummary(None, 'The reply has no "headline": say in a sentence what came of the meeting.')
    return ReadSummary(
        Summary(
            headline=headline,
            decisions=tuple(_sentences(found.get("decisions"))),
            next_steps=tuple(_sentences(found.get("next_steps"))),
            open_questions=tuple(_sentences(found.get("open_questions"))),
        )
    )


def read_review(reply: VoiceReply) -> ReadProposals:
    """Read the buckets of a review. Never raises. An id that is named twice is proposed for nothing."""
    found, problem = _fields(reply, _REVIEW, "items")
    if found is None:
        return ReadProposals({}, problem=problem)
    listed = found.get("items")
    if not isinstance(listed, list):
        return ReadProposals({}, problem='The reply has no list "items".')
    proposals: dict[str, Proposal] = {}
    doubtful: set[str] = set()
    for one in listed[:500]:
        if not isinstance(one, dict) or not isinstance(one.get("id"), str):
            continue
        bucket = str(one.get("bucket", "")).strip().lower()
        if bucket not in tuple(Bucket):
            continue
        if one["id"] in proposals:
            doubtful.add(one["id"])
        minutes = one.get("minutes")
        proposals[one["id"]] = Proposal(
            Bucket(bucket),
            _sentence(one.get("why")),
            minutes if isinstance(minutes, int) and not isinstance(minutes, bool) else None,
        )
    return ReadProposals(
        {id: proposal for id, proposal in proposals.items() if id not in doubtful}, _sentence(found.get("summary"), 1200)
    )


def _fields(reply: VoiceReply, known: frozenset[str], needed: str) -> tuple[dict[str, Any] | None, str]:
    """The object of a reply, or why there is none."""
    if reply.stop_reason == "refusal":
        return None, "The secretary declined to write it."
    if reply.stop_reason == "max_tokens" or len(reply.text) > MOST * 1000:
        return None, "The reply broke off before its end: write it shorter."
    found = loose.whole_object(reply.text, known, needed)
    if found is not None:
        return found[0], ""
    return None, "The reply holds no JSON object of the form that was asked for."


def _sentences(value: Any) -> Iterable[str]:
    for one in value if isinstance(value, list) else ():
        text = _sentence(one)
        if text:
            yield text


def _sentence(value: Any, longest: int = LONGEST) -> str:
    """One text of a reply on one line, without whispers."""
    if not isinstance(value, str):
        return ""
    text = one_line(printable(part(value, speaking=True).speech)).strip()
    if is_blank(text):
        return ""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
