"""The executive summary of a meeting: what it holds, how it reads, and the one that code puts together from the record alone.

Votes and dissents are always written by code, whoever wrote the rest: a summary may leave out much, but no dissent (law 10).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict

from parliament import minutes_words as words
from parliament.export import deciding_ballot
from parliament.record import ActionRecord, MeetingRecord, MotionRecord, ResolutionRecord
from parliament.text import inert, one_line
from parliament.values import SHAREHOLDER, Disposition, ItemStatus, Vote

LONGEST = 600
"""Characters of one sentence of a summary."""


class Summary(BaseModel):
    """What a summary says. Every text is plain, one line each."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    headline: str
    decisions: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        return (self.headline, *self.decisions, *self.next_steps, *self.open_questions)


def summary_from_record(record: MeetingRecord) -> Summary:
    """What the record itself says, without anybody's judgement."""
    papers = (*record.resolutions, *record.removed)
    adopted = [one for one in papers if (m := motion_of(record, one)) and m.status is Disposition.ADOPTED]
    other = len(papers) - len(adopted)
    headline = f"The board adopted {_count(len(adopted), 'resolution')}" if adopted else "The board adopted no resolution"
    if other:
        headline += f"; {_count(other, 'motion')} came to another end"
    return Summary(
        headline=f"{headline}.",
        decisions=tuple(_decision(record, one) for one in record.resolutions),
        next_steps=tuple(_step(record, action) for action in record.actions),
        open_questions=tuple(
            f"{one_line(item.topic)}: {words_of(item.status)}."
            for item in record.items
            if item.status in (ItemStatus.TABLED, ItemStatus.UNFINISHED, ItemStatus.SKIPPED)
        ),
    )


def motion_of(record: MeetingRecord, resolution: ResolutionRecord) -> MotionRecord | None:
    return next((motion for motion in record.motions if motion.id == resolution.motion_id), None)


def votes_of(record: MeetingRecord) -> list[dict[str, Any]]:
    """Each resolution's vote by code: topic, how it ended, and the counts; no counts where no vote was taken."""
    found = []
    for resolution in record.resolutions:
        motion = motion_of(record, resolution)
        ballot = deciding_ballot(motion) if motion is not None else None
        counts = {vote.value: sum(v is vote for v in ballot.votes.values()) for vote in Vote} if ballot is not None else {}
        found.append(
            {
                "resolution_id": resolution.id,
                "topic": resolution.topic,
                "status": motion.status.value if motion is not None else "",
                "counts": {kind: number for kind, number in counts.items() if number or kind in ("FOR", "AGAINST")},
            }
        )
    return found


def dissents_of(record: MeetingRecord) -> list[dict[str, str]]:
    """Every dissent from every resolution."""
    return [
        {"resolution_id": one.id, "topic": one.topic, "member": d.member_name, "statement": d.statement}
        for one in (*record.resolutions, *record.removed)
        for d in one.dissents
    ]


def render_summary(summary: Summary, record: MeetingRecord) -> str:
    """The summary as Markdown: what was written, then the votes and dissents of the record. Deterministic."""
    lines = [f"# {inert(one_line(record.name))}", ""]
    if record.simulated:
        lines += [f"*{words.SIMULATED}*", ""]
    lines += [inert(summary.headline), ""]
    for heading, texts in (
        ("Decisions", summary.decisions),
        ("Next steps", summary.next_steps),
        ("Open questions", summary.open_questions),
    ):
        if texts:
            lines += [f"## {heading}", "", *(f"- {inert(text)}" for text in texts), ""]
    votes = votes_of(record)
    if votes:
        lines += ["## Votes", ""]
        for one in votes:
            counts = ", ".join(f"{n} {kind.replace('_', ' ').lower()}" for kind, n in one["counts"].items()) or "no vote"
            lines.append(f"- {inert(one_line(one['topic']))}: {one['status'].replace('_', ' ')} ({counts})")
        lines.append("")
    dissents = dissents_of(record)
    if dissents:
        lines += ["## Dissents", ""]
        lines += [
            f"- {inert(d['member'])}, on {inert(one_line(d['topic']))}: {inert(one_line(d['statement']))}" for d in dissents
        ]
        lines.append("")
    return "\n".join(lines)


def _decision(record: MeetingRecord, resolution: ResolutionRecord) -> str:
    motion = motion_of(record, resolution)
    if motion is None:
        return f"{one_line(resolution.topic)}."
    ballot = deciding_ballot(motion)
    vote = ""
    if ballot is not None:
        in_favour, against = (sum(v is kind for v in ballot.votes.values()) for kind in (Vote.FOR, Vote.AGAINST))
        vote = f", {in_favour} to {against}"
    return f"{one_line(resolution.topic)}: {words.end_of(motion)}{vote}. {_short(motion.text)}"


def _step(record: MeetingRecord, action: ActionRecord) -> str:
    when = f" ({one_line(action.deadline)})" if action.deadline else ""
    return f"{owner_of(record, action.owner)}: {_short(action.task).rstrip('.')}{when}."


def owner_of(record: MeetingRecord, owner: str) -> str:
    """How the owner of an action item is called."""
    if owner.casefold() == SHAREHOLDER:
        return "You"
    return next((member.name for member in record.members if member.id == owner.casefold()), one_line(owner).capitalize())


def words_of(status: ItemStatus) -> str:
    return {
        ItemStatus.TABLED: "laid on the table",
        ItemStatus.UNFINISHED: "not finished",
        ItemStatus.SKIPPED: "passed over, since no motion was in order",
    }.get(status, status.value)


def texts_of(record: MeetingRecord, speeches: Iterable[str] = ()) -> list[str]:
    """Every text of the record that a summary may take a figure, a date or a name from."""
    found = [record.name, *speeches]
    for item in record.items:
        found += [item.topic, item.description, item.desired_outcome, item.user_commentary, item.why]
    for motion in record.motions:
        found += [motion.text, motion.original_text or ""]
        found += [amendment.text for amendment in motion.amendments] + [amendment.summary for amendment in motion.amendments]
        for ballot in motion.ballots:
            found += list(ballot.reasons.values())
    for resolution in (*record.resolutions, *record.removed):
        found += [resolution.topic, *(dissent.statement for dissent in resolution.dissents)]
    for action in record.actions:
        found += [action.task, action.deadline or ""]
    found += [turn.text for turn in record.user_inputs]
    return [text for text in found if text]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _short(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
