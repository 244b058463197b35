"""A board of directors reviews a proposal: what a review is made of, and the table that decides it (source 001).

Votes are counted over *seats*: a director that is missing, or whose vote cannot be read, is no vote for either side and makes
neither majority easier. Nothing here comes from a model but what the reader of its reply took from it (laws 1 and 2).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

FEWEST, MOST = 3, 9
"""Seats of a board of directors."""
ROUNDS = 3
"""Rounds of the discussion: responses, rebuttals, final positions."""


class Verdict(StrEnum):
    """What a director makes of the proposal before any discussion."""

    APPROVE = "APPROVE"
    CONCERNS = "CONCERNS"
    REJECT = "REJECT"


class FinalVerdict(StrEnum):
    """What a director votes in the end."""

    APPROVE = "APPROVE"
    REJECT = "REJECT"


class Outcome(StrEnum):
    """What came of the review."""

    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    ESCALATE = "ESCALATE"


class ReviewPurpose(StrEnum):
    """What a director is asked for in one call."""

    ASSESSMENT = "assessment"
    RESPONSE = "response"  # round 1: to the concerns and questions that were raised
    REBUTTAL = "rebuttal"  # round 2: rebuttals and clarifications
    POSITION = "position"  # round 3: final positions
    FINAL_VOTE = "final_vote"


DISCUSSION = (ReviewPurpose.RESPONSE, ReviewPurpose.REBUTTAL, ReviewPurpose.POSITION)
"""The rounds of the discussion, in their order."""


class Missing(StrEnum):
    """Why a director's part of a phase is not there (law 8)."""

    NO_REPLY = "no_reply"  # the call failed, or the time was over
    UNREADABLE = "unreadable"  # a reply came, and no verdict could be read from it
    DECLINED = "declined"  # the model declined to speak


# -- what directors say ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Director:
    """A seat. `code` is what source 001 calls a director ("CA"), `title` the office, `domain` what it answers for."""

    id: str
    code: str
    title: str
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Assessment:
    """Phase 1. `score` is 1 to 10, None where none could be read (`score_said` has what was said instead).

    `what_changed`: since the track's earlier decision. `missing`: why there is no verdict.
    """

    director: str
    verdict: Verdict | None = None
    score: int | None = None
    key_points: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    questions_for_board: tuple[str, ...] = ()
    what_changed: str = ""
    score_said: str = ""
    missing: Missing | None = None
    reading: str = "exact"


@dataclass(frozen=True, slots=True)
class Answer:
    """A word to one matter. `to` is the matter's id."""

    to: str
    text: str


@dataclass(frozen=True, slots=True)
class Contribution:
    """Phase 2, one director in one round. `settled`: matters of its own that it regards as settled."""

    director: str
    round: int
    statement: str = ""
    answers: tuple[Answer, ...] = ()
    settled: tuple[str, ...] = ()
    questions_for_board: tuple[str, ...] = ()
    missing: Missing | None = None
    reading: str = "exact"


@dataclass(frozen=True, slots=True)
class FinalVote:
    """Phase 3. `confidence` is 0 to 1, None where none could be read. `reason` stands behind a dissent (law 10)."""

    director: str
    final_verdict: FinalVerdict | None = None
    confidence: float | None = None
    conditions: tuple[str, ...] = ()
    dissent_noted: bool = False
    reason: str = ""
    missing: Missing | None = None
    reading: str = "exact"


# -- what is open ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Matter:
    """A concern or a question. `to`: the directors it was directed to; none: the whole board."""

    id: str
    kind: str  # "concern" or "question"
    director: str
    text: str
    to: tuple[str, ...] = ()
    round: int = 0  # in which it came up; 0: in the assessment


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a matter stands: who answered it, who was asked and has not, and whether it is settled."""

    matter: Matter
    answered_by: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()
    settled: bool = False

    @property
    def open(self) -> bool:
        """A question is open until everyone who was asked has answered (nobody in particular: anyone); a concern until its
        director regards it as settled."""
        if self.settled:
            return False
        if self.matter.kind == "question":
            return bool(self.waits_for) if self.matter.to else not self.answered_by
        return True


_LEAD = re.compile(r"^\s*(?:question\s+(?:for|to)|to|for|@)\s*", re.IGNORECASE)


def asked(question: str, asker: str, directors: Sequence[Director]) -> tuple[str, ...]:
    """The directors that a question is directed to, in seating order; none when it names nobody but its asker.

    "Question for CPO about …", "CPO and COO: …", "@cso …", "to the Chief Architect, …". Where the beginning names nobody, a
    director named by its code anywhere in it is meant.
    """
    head = re.split(r"[:?,.;—–]|\babout\b", question, maxsplit=1)[0]
    lead = _LEAD.match(question) is not None or len(head.split()) <= 4
    named = _named(head, directors, codes_only=False) if lead else ()
    found = named or _named(question, directors, codes_only=True)
    return tuple(one for one in found if one != asker)


def _named(text: str, directors: Sequence[Director], *, codes_only: bool) -> tuple[str, ...]:
    found = []
    for one in directors:
        code = re.search(rf"(?<![\w]){re.escape(one.code)}(?![\w])", text)
        loose = not codes_only and re.search(rf"(?<!\w)@?{re.escape(one.code)}(?!\w)", text, re.IGNORECASE)
        title = not codes_only and re.search(rf"(?<!\w){re.escape(one.title)}(?!\w)", text, re.IGNORECASE)
        if code or loose or title:
            found.append(one.id)
    return tuple(found)


def matters(
    assessments: Iterable[Assessment], contributions: Iterable[Contribution], directors: Sequence[Director]
) -> tuple[Matter, ...]:
    """Every concern and question that was raised, with an id from its place: C-CSO-1, Q-CA-2, and Q-CA-r1-1 of round 1."""
    codes = {one.id: one.code for one in directors}
    found = []
    for one in assessments:
        code = codes[one.director]
        for n, text in enumerate(one.concerns, 1):
            found.append(Matter(f"C-{code}-{n}", "concern", one.director, text))
        for n, text in enumerate(one.questions_for_board, 1):
            found.append(Matter(f"Q-{code}-{n}", "question", one.director, text, asked(text, one.director, directors)))
    for said in contributions:
        for n, text in enumerate(said.questions_for_board, 1):
            id = f"Q-{codes[said.director]}-r{said.round}-{n}"
            found.append(Matter(id, "question", said.director, text, asked(text, said.director, directors), said.round))
    return tuple(found)


def standings(raised: Sequence[Matter], contributions: Sequence[Contribution]) -> tuple[Standing, ...]:
    """Where each matter stands. Nobody answers its own question, and nobody settles another's matter (law 2)."""
    found = []
    for one in raised:
        answered = tuple(
            dict.fromkeys(
                said.director
                for said in contributions
                if said.director != one.director and any(answer.to == one.id for answer in said.answers)
            )
        )
        settled = any(said.director == one.director and one.id in said.settled for said in contributions)
        waits = tuple(each for each in one.to if each not in answered)
        found.append(Standing(one, answered, waits, settled))
    return tuple(found)


def open_for_round(found: Sequence[Standing]) -> tuple[Standing, ...]:
    """What a round of the discussion is held on; with none it is skipped."""
    return tuple(one for one in found if one.open)


# -- the table ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: what a count comes to."""

    outcome: Outcome
    with_review: bool = False


def row_of(seats: int, approve: int, reject: int) -> Row:
    """The one row for a count (source 001, Phase 4; for other sizes and missing votes, issue 5).

    A majority of the seats rejects or approves; four fifths of them approve without review; everything else is escalated.
    Raises ValueError for a count that no board of FEWEST to MOST seats can have.
    """
    if not FEWEST <= seats <= MOST:
        raise ValueError(f"a board of directors has {FEWEST} to {MOST} seats, not {seats}")
    if approve < 0 or reject < 0 or approve + reject > seats:
        raise ValueError(f"{approve} and {reject} votes are not votes of {seats} seats")
    if 2 * reject > seats:
        return Row(Outcome.REJECTED)
    if 5 * approve >= 4 * seats:
        return Row(Outcome.APPROVED)
    if 2 * approve > seats:
        return Row(Outcome.APPROVED, with_review=True)
    return Row(Outcome.ESCALATE)


# -- the resolution ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition, in the words of who asked for it first, and everybody who did."""

    text: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dissent:
    """Who did not vote as the board decided, or asked for its dissent to be noted, and why (law 10)."""

    director: str
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that is missing from a review; it makes its result degraded. `phase` is a purpose's value."""

    director: str
    phase: str
    why: str


@dataclass(frozen=True, slots=True)
class Criterion:
    """One of source 001's success criteria, as code found it."""

    name: str
    met: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that a review came to."""

    outcome: Outcome
    with_review: bool
    approve: int
    reject: int
    seats: int
    conditions: tuple[Condition, ...]
    dissent: tuple[Dissent, ...]
    degraded: tuple[Lack, ...]
    matters: tuple[Standing, ...]
    criteria: tuple[Criterion, ...] = field(default=())

    @property
    def vote(self) -> str:
        """The count as source 001 writes it: "4-1"; seats without a vote make a third number."""
        missing = self.seats - self.approve - self.reject
        return f"{self.approve}-{self.reject}" + (f"-{missing}" if missing else "")


_SAME = re.compile(r"[\W_]+")


def merged(votes: Iterable[FinalVote]) -> tuple[Condition, ...]:
    """The conditions of all votes, none lost: the same words, whatever their case and punctuation, are one condition."""
    found: dict[str, tuple[str, list[str]]] = {}
    for vote in votes:
        for text in vote.conditions:
            key = _SAME.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip() or text.strip()
            _, by = found.setdefault(key, (text, []))
            if vote.director not in by:
                by.append(vote.director)
    return tuple(Condition(text, tuple(by)) for text, by in found.values())


def dissents(outcome: Outcome, votes: Iterable[FinalVote]) -> tuple[Dissent, ...]:
    """Who dissents from the outcome. An escalated proposal has no decision to dissent from but what is asked to be noted."""
    against = {Outcome.APPROVED: FinalVerdict.REJECT, Outcome.REJECTED: FinalVerdict.APPROVE}.get(outcome)
    return tuple(
        Dissent(vote.director, vote.final_verdict.value if vote.final_verdict else "", vote.reason)
        for vote in votes
        if vote.dissent_noted or (against is not None and vote.final_verdict is against)
    )


def lacks(
    assessments: Sequence[Assessment],
    contributions: Sequence[Contribution],
    votes: Sequence[FinalVote],
    *,
    earlier: bool = False,
) -> tuple[Lack, ...]:
    """What is missing, phase by phase: who did not reply, whose reply could not be read, whose score is none."""
    found = []
    for one in assessments:
        if one.missing is not None:
            found.append(Lack(one.director, ReviewPurpose.ASSESSMENT.value, one.missing.value))
        elif one.score is None:
            found.append(Lack(one.director, ReviewPurpose.ASSESSMENT.value, "no_score"))
        if one.missing is None and earlier and not one.what_changed:
            found.append(Lack(one.director, ReviewPurpose.ASSESSMENT.value, "no_word_on_what_changed"))
    for said in contributions:
        if said.missing is not None:
            found.append(Lack(said.director, DISCUSSION[said.round - 1].value, said.missing.value))
    for vote in votes:
        if vote.missing is not None:
            found.append(Lack(vote.director, ReviewPurpose.FINAL_VOTE.value, vote.missing.value))
        elif vote.confidence is None:
            found.append(Lack(vote.director, ReviewPurpose.FINAL_VOTE.value, "no_confidence"))
    return tuple(found)


def resolve(
    directors: Sequence[Director],
    assessments: Sequence[Assessment],
    contributions: Sequence[Contribution],
    votes: Sequence[FinalVote],
    *,
    earlier: bool = False,
    stored: bool = True,
) -> Review:
    """What the review comes to. A seat without an assessment or a vote is missing, not silent consent (law 8).

    `earlier`: the track was decided on before. `stored`: whether the session stands in the record.
    """
    given = {vote.director: vote for vote in votes}
    cast = tuple(given.get(one.id, FinalVote(one.id, missing=Missing.NO_REPLY)) for one in directors)
    known = {one.director: one for one in assessments}
    assessed = tuple(known.get(one.id, Assessment(one.id, missing=Missing.NO_REPLY)) for one in directors)
    approve = sum(vote.final_verdict is FinalVerdict.APPROVE for vote in cast)
    reject = sum(vote.final_verdict is FinalVerdict.REJECT for vote in cast)
    row = row_of(len(directors), approve, reject)
    stands = standings(matters(assessed, contributions, directors), contributions)
    review = Review(
        outcome=row.outcome,
        with_review=row.with_review,
        approve=approve,
        reject=reject,
        seats=len(directors),
        conditions=merged(cast),
        dissent=dissents(row.outcome, cast),
        degraded=lacks(assessed, contributions, cast, earlier=earlier),
        matters=stands,
    )
    return Review(
        **{name: getattr(review, name) for name in Review.__dataclass_fields__ if name != "criteria"},
        criteria=_criteria(directors, assessed, cast, review, stored),
    )


def _criteria(
    directors: Sequence[Director],
    assessments: Sequence[Assessment],
    votes: Sequence[FinalVote],
    review: Review,
    stored: bool,
) -> tuple[Criterion, ...]:
    """Source 001, Success Criteria, in its order."""
    codes = {one.id: one.code for one in directors}
    unassessed = [codes[one.director] for one in assessments if one.missing is not None]
    concerns = [one for one in review.matters if one.matter.kind == "concern"]
    untouched = [one.matter.id for one in concerns if not _addressed(one)]
    settled = sum(one.settled for one in concerns)
    unvoted = [codes[vote.director] for vote in votes if vote.final_verdict is None or vote.confidence is None]
    undocumented = [c.text for c in review.conditions if not c.by]
    return (
        Criterion(f"All {len(directors)} directors assessed the proposal", not unassessed, _list("missing", unassessed)),
        Criterion(
            "Discussion addressed major concerns",
            not untouched,
            _list("without a word to it", untouched) or (f"{settled} of {len(concerns)} settled" if concerns else ""),
        ),
        Criterion("Final votes collected with confidence levels", not unvoted, _list("missing", unvoted)),
        Criterion("Clear resolution reached (APPROVED/REJECTED/ESCALATE)", review.outcome in Outcome),
        Criterion("Conditions for approval documented", not undocumented, _list("nobody's", undocumented)),
        Criterion("Session stored in message bus", stored, "" if stored else "no folder was named for it"),
    )


def _addressed(standing: Standing) -> bool:
    return standing.settled or bool(standing.answered_by)


def _list(why: str, names: Sequence[str]) -> str:
    return f"{why}: {', '.join(names)}" if names else ""


# -- ids ---------------------------------------------------------------------------------------------------------------

_SESSION = re.compile(r"board-[0-9]{8}-[1-9][0-9]{0,5}")
_TRACK = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


def session_id(day: str, n: int) -> str:
    """The id of the n-th review of a day (ISO date): board-20260201-1."""
    return f"board-{day.replace('-', '')}-{n}"


def is_session_id(text: str) -> bool:
    return _SESSION.fullmatch(text) is not None


def is_track_id(text: str) -> bool:
    """Whether a track's id may be the name of a folder: no separator, no leading dot, nothing that leads out of it."""
    return _TRACK.fullmatch(text) is not None and ".." not in text and not text.endswith(".")


def codes_of(directors: Iterable[Director]) -> Mapping[str, str]:
    """Director -> the code that the files use."""
    return {one.id: one.code for one in directors}
