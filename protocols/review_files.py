"""The files of a review (source 001, Message Bus Structure and Output Format): text by name, the same for the same record."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parliament.text import inert
from protocols.proposal_review import (
    DISCUSSION,
    Assessment,
    Contribution,
    Director,
    Dissent,
    FinalVerdict,
    FinalVote,
    Lack,
    Outcome,
    Review,
    codes_of,
)

FOLDER = ".message-bus/board"
"""Under the chosen folder."""
TRACKS = "conductor/tracks"
"""Where a track's folder is, under the chosen folder."""
SESSIONS = "sessions"
"""Under FOLDER: every session's own copy of all five files."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the proposal. `sha256` is of its bytes, in hex."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The person's answer to an escalated proposal. `at` is ISO 8601 in UTC."""

    answer: str  # "approve" or "reject"
    because: str
    at: str


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """A review as it stands on the record. Times are ISO 8601 in UTC; `skipped` names rounds with nothing open."""

    session_id: str
    meeting_id: str
    timestamp: str
    title: str
    documents: tuple[Document, ...]
    directors: tuple[Director, ...]
    assessments: tuple[Assessment, ...]
    contributions: tuple[Contribution, ...]
    votes: tuple[FinalVote, ...]
    review: Review
    rounds: int
    skipped: tuple[int, ...] = ()
    track: str | None = None
    simulated: bool = False
    ended_by: str = ""
    earlier: str | None = None  # session id of the track's review before this one
    earlier_verdict: str = ""
    decision: Decision | None = None


def stamp(timestamp: str) -> str:
    """The time in a file's name: 20260201T180000Z. Who writes the files tells two reviews of one second apart."""
    return re.sub(r"[-:]|\.\d+", "", timestamp).replace("+0000", "Z")


def session_file(record: ReviewRecord) -> str:
    return f"session-{stamp(record.timestamp)}.json"


def summary(record: ReviewRecord) -> dict[str, Any]:
    """What a program gets: source 001's three fields, then ours."""
    review = record.review
    return {
        "verdict": review.outcome.value,
        "conditions": [condition.text for condition in review.conditions],
        "vote": review.vote,
        "with_review": review.with_review,
        "session_id": record.session_id,
        "dissent": [dissent_json(one, record.directors) for one in review.dissent],
        "degraded": [lack_json(one, record.directors) for one in review.degraded],
        "simulated": record.simulated,
    }


def session_json(record: ReviewRecord) -> dict[str, Any]:
    """session-{timestamp}.json, with the fields of source 001's Output Format first."""
    review, codes = record.review, codes_of(record.directors)
    votes = {vote.director: vote for vote in record.votes}
    return {
        "session_id": record.session_id,
        "verdict": review.outcome.value,
        "vote_summary": {code: vote_word(votes.get(id)) for id, code in codes.items()},
        "conditions": [condition.text for condition in review.conditions],
        "dissent": [dissent_json(one, record.directors) for one in review.dissent],
        "timestamp": record.timestamp,
        "vote": review.vote,
        "with_review": review.with_review,
        "conditions_by": {condition.text: [codes[one] for one in condition.by] for condition in review.conditions},
        "degraded": [lack_json(one, record.directors) for one in review.degraded],
        "success_criteria": [{"criterion": c.name, "met": c.met, "why": c.why} for c in review.criteria],
        "unanswered": [one.matter.id for one in review.matters if one.matter.kind == "question" and one.open],
        "simulated": record.simulated,
        "meeting_id": record.meeting_id,
        "track": record.track,
        "earlier_session": record.earlier,
        "ended_by": record.ended_by,
        "proposal": [{"name": d.name, "bytes": d.bytes, "sha256": d.sha256} for d in record.documents],
        "decision": (
            {"answer": record.decision.answer, "because": record.decision.because, "at": record.decision.at}
            if record.decision is not None
            else None
        ),
    }


def vote_word(vote: FinalVote | None) -> str:
    """APPROVE or REJECT, else what is missing, in capitals (law 8)."""
    if vote is None:
        return "NO_REPLY"
    if vote.final_verdict is not None:
        return vote.final_verdict.value
    return vote.missing.value.upper() if vote.missing is not None else "UNREADABLE"


def dissent_json(one: Dissent, directors: Sequence[Director]) -> dict[str, str]:
    return {"director": codes_of(directors)[one.director], "verdict": one.verdict, "reason": one.reason}


def lack_json(one: Lack, directors: Sequence[Director]) -> dict[str, str]:
    return {"director": codes_of(directors)[one.director], "phase": one.phase, "why": one.why}


def assessment_json(one: Assessment, codes: Mapping[str, str]) -> dict[str, Any]:
    """Source 001, Phase 1; then what only some have."""
    found: dict[str, Any] = {
        "director": codes[one.director],
        "verdict": one.verdict.value if one.verdict is not None else None,
        "score": one.score,
        "key_points": list(one.key_points),
        "concerns": list(one.concerns),
        "questions_for_board": list(one.questions_for_board),
    }
    more = {
        "what_changed": one.what_changed,
        "score_said": one.score_said,
        "missing": one.missing.value if one.missing is not None else "",
        "reading": one.reading if one.reading != "exact" else "",
    }
    return found | {name: value for name, value in more.items() if value}


def contribution_json(one: Contribution, codes: Mapping[str, str]) -> dict[str, Any]:
    """One line of discussion.jsonl."""
    found: dict[str, Any] = {
        "round": one.round,
        "kind": DISCUSSION[one.round - 1].value,
        "director": codes[one.director],
        "message": one.statement,
        "answers": [{"to": answer.to, "answer": answer.text} for answer in one.answers],
        "settled": list(one.settled),
        "questions_for_board": list(one.questions_for_board),
    }
    more = {
        "missing": one.missing.value if one.missing is not None else "",
        "reading": one.reading if one.reading != "exact" else "",
    }
    return found | {name: value for name, value in more.items() if value}


def vote_json(one: FinalVote, codes: Mapping[str, str]) -> dict[str, Any]:
    """Source 001, Phase 3; then what only some have."""
    found: dict[str, Any] = {
        "director": codes[one.director],
        "final_verdict": one.final_verdict.value if one.final_verdict is not None else None,
        "confidence": one.confidence,
        "conditions": list(one.conditions),
        "dissent_noted": one.dissent_noted,
    }
    more = {
        "reason": one.reason,
        "missing": one.missing.value if one.missing is not None else "",
        "reading": one.reading if one.reading != "exact" else "",
    }
    return found | {name: value for name, value in more.items() if value}


def files_of(record: ReviewRecord) -> dict[str, str]:
    """Name -> text of the five files."""
    codes = codes_of(record.directors)
    lines: list[dict[str, Any]] = []
    for n in range(1, record.rounds + 1):
        lines += [contribution_json(one, codes) for one in record.contributions if one.round == n]
        if n in record.skipped:
            lines.append({"round": n, "kind": DISCUSSION[n - 1].value, "skipped": "nothing was open"})
    return {
        session_file(record): _json(session_json(record)),
        "assessments.json": _json([assessment_json(one, codes) for one in record.assessments]),
        "discussion.jsonl": "".join(json.dumps(line, ensure_ascii=False).translate(_LINE_ENDS) + "\n" for line in lines),
        "votes.json": _json([vote_json(one, codes) for one in record.votes]),
        "resolution.md": resolution_md(record),
    }


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


# -- resolution.md -----------------------------------------------------------------------------------------------------

_RESULTS = {
    (Outcome.APPROVED, False): "APPROVED",
    (Outcome.APPROVED, True): "APPROVED WITH REVIEW",
    (Outcome.REJECTED, False): "REJECTED",
    (Outcome.ESCALATE, False): "ESCALATE",
}
_LINE_ENDS = {ord(char): f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}
"""What some readers take for the end of a line, and JSON leaves as it is."""


def result_words(review: Review) -> str:
    """The row of the table, in source 001's words."""
    return _RESULTS[review.outcome, review.with_review]


def resolution_md(record: ReviewRecord) -> str:
    """The board's decision for a person. Whatever a voice wrote is escaped: no heading, link or tag comes of it (law 3)."""
    review = record.review
    names = {one.id: f"{one.code} ({one.title})" for one in record.directors}
    codes = {id: _md(code) for id, code in codes_of(record.directors).items()}
    out = [f"# Board review: {_md(record.title)}", ""]
    if record.simulated:
        out += ["> **Simulated.** No model took part in this review; the voices are invented by a program.", ""]
    out += [
        f"**{result_words(review)}**, {review.vote} (approve-reject{'-missing' if review.vote.count('-') > 1 else ''})"
        f" · session {record.session_id} · {record.timestamp}",
        "",
    ]
    if record.track:
        before = f", after {record.earlier} ({record.earlier_verdict})" if record.earlier else ""
        out += [f"Track {_md(record.track)}{before}.", ""]
    out += ["Proposal: " + ", ".join(f"{_md(d.name)} ({d.bytes:,} bytes, sha256 {d.sha256[:12]})" for d in record.documents)]
    out += _decision(record)
    out += _degraded(record, names)
    out += ["", "## Votes", "", "| Director | Vote | Confidence | Assessment | Score |", "|---|---|---|---|---|"]
    votes = {vote.director: vote for vote in record.votes}
    assessed = {one.director: one for one in record.assessments}
    for one in record.directors:
        vote, first = votes.get(one.id), assessed.get(one.id)
        confidence = f"{vote.confidence:g}" if vote is not None and vote.confidence is not None else "–"
        verdict = first.verdict.value if first is not None and first.verdict is not None else "–"
        score = str(first.score) if first is not None and first.score is not None else "–"
        out.append(f"| {_md(names[one.id])} | {vote_word(vote)} | {confidence} | {verdict} | {score} |")
    out += ["", "## Conditions", ""]
    if review.outcome is Outcome.REJECTED and review.conditions:
        out += ["What the directors ask of a proposal that is handed in again:", ""]
    out += [f"- {_md(c.text)} ({', '.join(codes[by] for by in c.by)})" for c in review.conditions] or ["None."]
    out += ["", "## Dissent", ""]
    out += [
        f"- **{codes[d.director]}** ({d.verdict or 'no vote'}): {_md(d.reason) or 'no reason given'}" for d in review.dissent
    ] or ["None."]
    out += _reasons(record, votes, codes)
    changed = [one for one in record.assessments if one.what_changed]
    if record.earlier:
        out += ["", f"## What changed since {record.earlier}", ""]
        out += [f"- **{codes[one.director]}**: {_md(one.what_changed)}" for one in changed] or ["Nobody said."]
    out += _assessments(record, names)
    out += _matters(record, codes)
    out += ["", "## Success criteria", ""]
    out += [f"- [{'x' if c.met else ' '}] {c.name}" + (f" – {_md(c.why)}" if c.why else "") for c in review.criteria]
    return "\n".join(out) + "\n"


def _decision(record: ReviewRecord) -> list[str]:
    if record.decision is not None:
        answer = {"approve": "approved", "reject": "rejected"}[record.decision.answer]
        return ["", f"Escalated and **{answer} by the person** on {record.decision.at}: {_md(record.decision.because)}"]
    if record.review.outcome is not Outcome.ESCALATE:
        return []
    return ["", f"The board has no majority: the decision is a person's. `boardroom decide {record.session_id} approve|reject`"]


def _degraded(record: ReviewRecord, names: Mapping[str, str]) -> list[str]:
    if not record.review.degraded:
        return []
    found = [
        f"- {_md(names[one.director])}: {one.phase.replace('_', ' ')}, {one.why.replace('_', ' ')}"
        for one in record.review.degraded
    ]
    return ["", "## Degraded", "", "This result lacks:", "", *found]


def _reasons(record: ReviewRecord, votes: Mapping[str, FinalVote], codes: Mapping[str, str]) -> list[str]:
    given = [vote for vote in votes.values() if vote.reason and vote.final_verdict is not None]
    if not given:
        return []
    word = {FinalVerdict.APPROVE: "approves", FinalVerdict.REJECT: "rejects"}
    return [
        "",
        "## Reasons",
        "",
        *(f"- **{codes[v.director]}** {word[v.final_verdict]}: {_md(v.reason)}" for v in given if v.final_verdict),
    ]


def _assessments(record: ReviewRecord, names: Mapping[str, str]) -> list[str]:
    out = ["", "## Assessments"]
    for one in record.assessments:
        if one.missing is not None:
            out += ["", f"### {_md(names[one.director])}", "", f"None ({one.missing.value.replace('_', ' ')})."]
            continue
        score = (
            f", {one.score} of 10" if one.score is not None else f", score “{_md(one.score_said)}”" if one.score_said else ""
        )
        verdict = one.verdict.value if one.verdict is not None else "no verdict"
        out += ["", f"### {_md(names[one.director])}: {verdict}{score}", ""]
        out += [f"- {_md(text)}" for text in one.key_points]
        out += [f"- Concern: {_md(text)}" for text in one.concerns]
        out += [
            f"- {'' if text.casefold().startswith('question') else 'Question: '}{_md(text)}" for text in one.questions_for_board
        ]
    return out


def _matters(record: ReviewRecord, codes: Mapping[str, str]) -> list[str]:
    out = ["", "## Discussion", ""]
    for n in range(1, record.rounds + 1):
        if n in record.skipped:
            out.append(f"Round {n} ({DISCUSSION[n - 1].value}) was skipped: nothing was open.")
    if not record.review.matters:
        return [*out, "Nobody raised a concern or a question."]
    if record.skipped:
        out.append("")
    for one in record.review.matters:
        matter = one.matter
        to = f" to {', '.join(codes[each] for each in matter.to)}" if matter.to else ""
        state = "settled" if one.settled else "open" if one.open else "answered"
        waits = f", unanswered by {', '.join(codes[each] for each in one.waits_for)}" if one.waits_for else ""
        out.append(f"- **{_md(matter.id)}** {codes[matter.director]}{to}: {_md(matter.text)} – {state}{waits}")
        for said in record.contributions:
            out += [
                f"  - {codes[said.director]}, round {said.round}: {_md(answer.text)}"
                for answer in said.answers
                if answer.to == matter.id and said.director != matter.director
            ]
    return out


def _md(text: str) -> str:
    """A voice's words on one line of Markdown, as they read."""
    return inert(text)
