"""The secretary's review of a meeting: three buckets and a few sentences, as they are kept (review.json) and mailed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from parliament.minutes_words import SIMULATED
from parliament.text import one_line
from parliament.triage import Bucket, Sorted

LONGEST = 400
"""Characters of one text in a mail."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReviewEntry(_Value):
    """One action item in its bucket. `proof` names where what was done can be seen; only `did_it` has one."""

    id: str
    task: str
    owner: str
    deadline: str | None = None
    why: str = ""
    risks: tuple[str, ...] = ()
    proof: str | None = None


class Review(_Value):
    """A review; the names of the buckets are those of source 000."""

    meeting_id: str
    did_it: tuple[ReviewEntry, ...] = ()
    recommending: tuple[ReviewEntry, ...] = ()
    need_your_call: tuple[ReviewEntry, ...] = ()
    summary: str = ""
    source: Literal["model", "record"] = "model"
    simulated: bool = False

    @property
    def counts(self) -> tuple[int, int, int]:
        return len(self.did_it), len(self.recommending), len(self.need_your_call)


def make_review(
    meeting_id: str, items: Sequence[Sorted], *, summary: str, source: Literal["model", "record"], simulated: bool
) -> Review:
    """The review of these sorted items."""
    return Review(
        meeting_id=meeting_id,
        **{bucket.value: tuple(_entry(one) for one in items if one.bucket is bucket) for bucket in Bucket},
        summary=one_line(summary),
        source=source,
        simulated=simulated,
    )


def subject(name: str) -> str:
    """The subject of the mail (source 000: "Board Review: {meeting_name}")."""
    return f"Board Review: {one_line(name)[:180]}"


def render_review(review: Review, name: str) -> str:
    """The review as plain text, short: what needs the person first."""
    lines = [f"{one_line(name)}, {review.meeting_id}"]
    if review.simulated:
        lines += ["", SIMULATED]
    if review.summary:
        lines += ["", _short(review.summary)]
    for heading, entries in (
        ("NEEDS YOUR CALL", review.need_your_call),
        ("RECOMMENDED, AWAITING A NOD", review.recommending),
        ("DONE", review.did_it),
    ):
        if not entries:
            continue
        lines += ["", f"{heading} ({len(entries)})"]
        for entry in entries:
            when = f", {one_line(entry.deadline)}" if entry.deadline else ""
            lines.append(f"- {_short(entry.task)} [{one_line(entry.owner)}{when}; {entry.id}]")
            if entry.why:
                lines.append(f"  {_short(entry.why)}")
            if entry.proof:
                lines.append(f"  Proof: {_short(entry.proof)}")
    if not any(review.counts):
        lines += ["", "The meeting left nothing to do."]
    return "\n".join(lines) + "\n"


def review_json(review: Review) -> dict[str, Any]:
    """As it is kept, and exported as review.json."""
    return review.model_dump(mode="json")


def _entry(one: Sorted) -> ReviewEntry:
    return ReviewEntry(
        id=one.item.id,
        task=one_line(one.item.task),
        owner=one_line(one.item.owner),
        deadline=one.item.deadline,
        why=one_line(one.why),
        risks=tuple(risk.value for risk in one.risks),
        proof=f"{one.doing.doer}: {one_line(one.doing.proof)}" if one.doing is not None else None,
    )


def _short(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
