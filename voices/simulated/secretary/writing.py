"""What the simulated secretary writes: out of what code made of the record, in sentences of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from parliament.triage import Bucket, TriageItem, doable, risks
from voices.base import SecretaryBrief, SecretaryPurpose
from voices.simulated.chance import roll
from voices.simulated.reply import Wire

T = TypeVar("T")

_OPENINGS = (
    "In short: {}",
    "What came of it: {}",
    "{}",
)
_NODS = (
    "It can be taken back, so a nod is enough.",
    "Little is at stake: say yes, and it stands.",
    "It fits the resolution, and nothing is lost if it is changed later.",
)
_CALLS = (
    "It cannot be taken back easily, so it is yours to say.",
    "More than a nod is needed here: it binds you.",
)


def answer_secretary(brief: SecretaryBrief, faults: set[str]) -> Wire:
    """The reply in its wire form; the faults of replies spoil it as they spoil any other."""
    if "refusal" in faults:
        return Wire("", (), "refusal")
    said = _summary(brief) if brief.purpose is SecretaryPurpose.EXECUTIVE_SUMMARY else _review(brief)
    thinking = str(said["thinking"])
    text = json.dumps(said, ensure_ascii=False)
    if "malformed" in faults:
        return Wire(f"As I remember it, {said.get('headline') or said.get('summary')}", (), "end_turn")
    if "plain" in faults:
        text = f"<thinking>{thinking}</thinking>\nHere it is:\n```json\n{json.dumps(said, indent=1, ensure_ascii=False)}\n```"
    if "unclosed_tags" in faults:
        return Wire(f"<thinking>{thinking} {text}", (), "end_turn", len(text.split()))
    if "truncated" in faults:
        return Wire(text[: len(text) // 2], (), "max_tokens", len(thinking.split()))
    return Wire(text, (), "end_turn", len(thinking.split()))


def _summary(brief: SecretaryBrief) -> dict[str, Any]:
    plain = brief.plain
    opening = _choose(_OPENINGS, brief, "opening").format(plain.headline[:1].lower() + plain.headline[1:])
    return {
        "thinking": "The record first; no figure that is not on it.",
        "headline": opening[:1].upper() + opening[1:],
        "decisions": list(plain.decisions),
        "next_steps": list(plain.next_steps),
        "open_questions": list(plain.open_questions),
    }


def _review(brief: SecretaryBrief) -> dict[str, Any]:
    items = [_proposal(brief, item) for item in brief.items]
    return {
        "thinking": "What could hurt goes to the shareholder.",
        "summary": brief.plain.headline,
        "items": items,
    }


def _proposal(brief: SecretaryBrief, item: TriageItem) -> dict[str, Any]:
    doer = doable(item)
    if risks(item):
        bucket, why = Bucket.NEED_YOUR_CALL, _choose(_CALLS, brief, item.task)
    elif doer is not None and doer in brief.doers:
        bucket, why = Bucket.DID_IT, "It took a moment, and it can be undone."
    else:
        bucket, why = Bucket.RECOMMENDING, _choose(_NODS, brief, item.task)
    return {"id": item.id, "bucket": bucket.value, "why": why, "minutes": 5 if doer else 30}


def _choose(options: Sequence[T], brief: SecretaryBrief, place: str) -> T:
    return options[int(roll(brief.seed, "secretary", place) * len(options)) % len(options)]
