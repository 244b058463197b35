"""Reading what a director said: the structured form first, an object with words around it next, then prose, else not at all.

Never raises, whatever stands in a reply. Nothing is taken from a whisper, and of two different votes in one reply none counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from parliament.text import is_blank, one_line, printable
from parliament.values import Reading, TurnStatus
from protocols.proposal_review import (
    DISCUSSION,
    Answer,
    Assessment,
    Contribution,
    FinalVerdict,
    FinalVote,
    Missing,
    ReviewPurpose,
    Verdict,
)
from voices import loose
from voices.base import VoiceReply
from voices.whispers import part

LONGEST = 120_000
"""Characters of a reply that are read."""
MOST = 20
"""Entries of one list."""
SENTENCE = 2_000
"""Characters of one entry; what is longer is cut, with an ellipsis."""

_KNOWN = frozenset(
    {
        "thinking", "speaking", "director", "verdict", "score", "key_points", "concerns", "questions_for_board", "what_changed",
        "answers", "settled", "final_verdict", "confidence", "conditions", "dissent_noted", "reason",
    }
)  # fmt: skip
_NEEDED = {ReviewPurpose.ASSESSMENT: "verdict", ReviewPurpose.FINAL_VOTE: "final_verdict"}
_VOTES = re.compile(r'"final_verdict"\s*:\s*"?\s*([A-Za-z]+)')
_SAID_VOTE = re.compile(
    r"\b(?:(?:final\s+)?(?:verdict|vote)\s*(?:is|:|=|-|–)+\s*|I\s+(?:hereby\s+)?(?:vote\s+(?:to\s+)?)?)[*_\"'“]*(approve|reject)(?![a-z])",
    re.IGNORECASE,
)
_SAID_VERDICT = re.compile(r"\bverdict\s*(?:is|:|=|-|–)+\s*[*_\"'“]*(approve|concerns|reject)\b", re.IGNORECASE)
_SAID_SCORE = re.compile(
    r"\bscore\s*(?:is|:|=|-|–|of)*\s*[*_\"'“]*([0-9]{1,2})(?:\s*/\s*10|\s+(?:out\s+)?of\s+10)?\b(?![.,][0-9])", re.IGNORECASE
)
_SAID_CONFIDENCE = re.compile(r"\bconfidence\s*(?:is|:|=|-|–|of)*\s*[*_\"'“]*([0-9]{1,3}(?:\.[0-9]{1,4})?\s*%?)", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•]|[0-9]{1,2}[.)])\s+(.+)$", re.MULTILINE)
_NOT = re.compile(
    r"\b(?:not|never|cannot|can't|don't|won't)\W+(?:\w+\W+){0,2}$|\b(?:would|could|might|if|unless|until)\b[^.!?;\n]*$",
    re.IGNORECASE,
)
"""What stands before a vote that is denied, or only supposed."""


@dataclass(frozen=True, slots=True)
class ReadDirector:
    """What stands in one reply. Exactly one of the three values is there, whatever the reply.

    `early_vote`: a vote stood in it although none was called; it does not count.
    """

    speaking: str
    whisper: str
    reading: Reading
    status: TurnStatus
    assessment: Assessment | None = None
    contribution: Contribution | None = None
    vote: FinalVote | None = None
    early_vote: bool = False

    @property
    def missing(self) -> Missing | None:
        return next(one.missing for one in (self.assessment, self.contribution, self.vote) if one is not None)


def read(purpose: ReviewPurpose, director: str, reply: VoiceReply) -> ReadDirector:
    """Read a director's reply to a call of this purpose."""
    text = reply.text[:LONGEST]
    if reply.stop_reason == "refusal":
        return _none(purpose, director, "", printable(text).strip(), TurnStatus.REFUSED, Missing.DECLINED)
    whole = reply.stop_reason in ("end_turn", "stop_sequence") and len(text) == len(reply.text)
    needed = _NEEDED.get(purpose, "speaking")
    found = loose.whole_object(text, _KNOWN, needed) if whole else None
    if found is None and whole and purpose in DISCUSSION:
        found = loose.whole_object(text, _KNOWN, "answers")
    if found is None:
        return _prose(purpose, director, text, whole)
    fields, exact = found
    speaking, marked = _speech(fields.get("speaking"))
    whisper = "\n\n".join(
        one for one in (printable(fields["thinking"]).strip() if isinstance(fields.get("thinking"), str) else "", marked) if one
    )
    reading = Reading.EXACT if exact else Reading.TOLERANT
    if purpose is ReviewPurpose.ASSESSMENT:
        return _assessed(director, fields, speaking, whisper, reading, text)
    if purpose is ReviewPurpose.FINAL_VOTE:
        return _voted(director, fields, speaking, whisper, reading, text)
    return _contributed(purpose, director, fields, speaking, whisper, reading)


def _assessed(director: str, fields: dict[str, Any], speaking: str, whisper: str, reading: Reading, text: str) -> ReadDirector:
    verdict, tolerant = _choice(fields.get("verdict"), Verdict)
    score, said, loosely = _score(fields.get("score"))
    if tolerant or loosely:
        reading = Reading.TOLERANT
    one = Assessment(
        director,
        verdict,
        score,
        _list(fields.get("key_points")),
        _list(fields.get("concerns")),
        _list(fields.get("questions_for_board")),
        _sentence(fields.get("what_changed")),
        said,
        None if verdict is not None else Missing.UNREADABLE,
        reading.value,
    )
    status = TurnStatus.OK if verdict is not None else TurnStatus.INVALID
    if verdict is None:
        reading, one = Reading.FAILED, replace(one, reading="failed")
    return ReadDirector(speaking or _told(one), whisper, reading, status, assessment=one, early_vote=bool(_VOTES.search(text)))


def _contributed(
    purpose: ReviewPurpose, director: str, fields: dict[str, Any], speaking: str, whisper: str, reading: Reading
) -> ReadDirector:
    answers = []
    for one in fields["answers"][:MOST] if isinstance(fields.get("answers"), list) else ():
        if isinstance(one, dict) and isinstance(one.get("to"), str):
            text = _sentence(one.get("answer"))
            if text:
                answers.append(Answer(one_line(printable(one["to"])).strip()[:40], text))
    said = Contribution(
        director,
        DISCUSSION.index(purpose) + 1,
        speaking,
        tuple(answers),
        tuple(one[:40] for one in _list(fields.get("settled"))),
        _list(fields.get("questions_for_board")),
        reading=reading.value,
    )
    return ReadDirector(
        speaking or " ".join(answer.text for answer in answers),
        whisper,
        reading,
        TurnStatus.OK if speaking or answers else TurnStatus.PASS,
        contribution=said,
        early_vote="final_verdict" in fields,
    )


def _voted(director: str, fields: dict[str, Any], speaking: str, whisper: str, reading: Reading, text: str) -> ReadDirector:
    verdict, tolerant = _choice(fields.get("final_verdict"), FinalVerdict)
    if len({word.upper() for word in _VOTES.findall(loose.spoken_words(text) if reading is not Reading.EXACT else text)}) > 1:
        verdict = None  # voted twice, and differently
    confidence, loosely = _confidence(fields.get("confidence"))
    if tolerant or loosely:
        reading = Reading.TOLERANT
    if verdict is None:
        return _none(ReviewPurpose.FINAL_VOTE, director, speaking, whisper, TurnStatus.INVALID, Missing.UNREADABLE)
    vote = FinalVote(
        director,
        verdict,
        confidence,
        _list(fields.get("conditions")),
        fields.get("dissent_noted") is True,
        speaking or _sentence(fields.get("reason")),
        reading=reading.value,
    )
    return ReadDirector(speaking, whisper, reading, TurnStatus.OK, vote=vote)


# -- prose -------------------------------------------------------------------------------------------------------------


def _prose(purpose: ReviewPurpose, director: str, text: str, whole: bool) -> ReadDirector:
    parted = part(text)
    words = printable(loose.spoken_words(text)).strip()
    speech = "" if loose.begin_of(words, _KNOWN) is not None or words.startswith("{") else words
    if not whole or not speech:
        status = TurnStatus.INVALID
        return _none(purpose, director, speech if whole else "", printable(parted.whisper), status, Missing.UNREADABLE)
    early = bool(_one_of(_SAID_VOTE, speech)) and purpose in DISCUSSION
    if purpose is ReviewPurpose.FINAL_VOTE:
        verdict = _one_of(_SAID_VOTE, speech)
        if verdict is None:
            return _none(purpose, director, speech, printable(parted.whisper), TurnStatus.INVALID, Missing.UNREADABLE)
        said = _SAID_CONFIDENCE.search(speech)
        confidence, _ = _confidence(said[1] if said is not None else None)
        vote = FinalVote(director, FinalVerdict(verdict), confidence, reason=_sentence(speech), reading="tolerant")
        return ReadDirector(speech, printable(parted.whisper), Reading.TOLERANT, TurnStatus.OK, vote=vote)
    if purpose is ReviewPurpose.ASSESSMENT:
        verdict = _one_of(_SAID_VERDICT, speech)
        if verdict is None:
            return _none(purpose, director, speech, printable(parted.whisper), TurnStatus.INVALID, Missing.UNREADABLE)
        score = _SAID_SCORE.search(speech)
        number, told, _ = _score(score[1] if score is not None else None)
        points = tuple(_sentence(one) for one in _BULLET.findall(speech)[:MOST]) or (_sentence(speech),)
        one = Assessment(director, Verdict(verdict), number, points, score_said=told, reading="tolerant")
        return ReadDirector(speech, printable(parted.whisper), Reading.TOLERANT, TurnStatus.OK, assessment=one)
    said_so = Contribution(director, DISCUSSION.index(purpose) + 1, _sentence(speech), reading="tolerant")
    return ReadDirector(
        speech, printable(parted.whisper), Reading.TOLERANT, TurnStatus.OK, contribution=said_so, early_vote=early
    )


def _one_of(pattern: re.Pattern[str], text: str) -> str | None:
    """The one word that is said, in capitals; None when none is, when it is denied or supposed, or when two are."""
    found = {
        match[1].upper()
        for match in pattern.finditer(text)
        if not _NOT.search(text[max(0, match.start() - 200) : match.start()])
    }
    return found.pop() if len(found) == 1 else None


def _none(
    purpose: ReviewPurpose, director: str, speaking: str, whisper: str, status: TurnStatus, missing: Missing
) -> ReadDirector:
    base = {"missing": missing, "reading": "failed"}
    return ReadDirector(
        speaking,
        whisper,
        Reading.FAILED,
        status,
        assessment=Assessment(director, **base) if purpose is ReviewPurpose.ASSESSMENT else None,  # type: ignore[arg-type]
        contribution=(
            Contribution(director, DISCUSSION.index(purpose) + 1, **base) if purpose in DISCUSSION else None  # type: ignore[arg-type]
        ),
        vote=FinalVote(director, **base) if purpose is ReviewPurpose.FINAL_VOTE else None,  # type: ignore[arg-type]
    )


# -- values ------------------------------------------------------------------------------------------------------------


def _choice(value: Any, kind: Any) -> tuple[Any, bool]:
    """The member of an enumeration, and whether it took tolerance."""
    if not isinstance(value, str):
        return None, False
    try:
        return kind(value), False
    except ValueError:
        word = value.strip().strip("*_.\"'").upper()
        word = {"APPROVED": "APPROVE", "REJECTED": "REJECT", "CONCERN": "CONCERNS"}.get(word, word)
        return (kind(word), True) if word in tuple(kind) else (None, False)


def _score(value: Any) -> tuple[int | None, str, bool]:
    """The score, else what was said instead; and whether it took tolerance."""
    if isinstance(value, bool) or value is None:
        return None, "" if value is None else str(value), False
    if isinstance(value, (int, float)):
        if 1 <= value <= 10 and value == int(value):
            return int(value), "", isinstance(value, float)
        return None, str(value)[:40], False
    said = _sentence(value)
    number = re.fullmatch(r"([0-9]{1,2})(?:\.0)?(?:\s*(?:/|out of|of)\s*10)?", said.strip())
    if number is not None and 1 <= int(number[1]) <= 10:
        return int(number[1]), "", True
    return None, said[:40], False


def _confidence(value: Any) -> tuple[float | None, bool]:
    """A number from 0 to 1; a percentage is one too. And whether it took tolerance."""
    if isinstance(value, bool):
        return None, False
    loosely = not isinstance(value, (int, float))
    if isinstance(value, str):
        number = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*(%?)\s*", value)
        if number is None:
            return None, False
        value = float(number[1]) / (100 if number[2] else 1)
    if not isinstance(value, (int, float)):
        return None, False
    if 1 < value <= 100 and value == int(value):
        value, loosely = value / 100, True
    return (round(float(value), 4), loosely) if 0 <= value <= 1 else (None, False)


def _list(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):  # one entry where a list was asked for
        value = [value]
    found = (_sentence(one) for one in (value if isinstance(value, list) else [])[:MOST])
    return tuple(dict.fromkeys(one for one in found if one))


def _speech(value: Any) -> tuple[str, str]:
    """What is spoken, and what in it was marked as private."""
    if not isinstance(value, str):
        return "", ""
    parted = part(value, speaking=True)
    return printable(parted.speech).strip(), printable(parted.whisper).strip()


def _sentence(value: Any) -> str:
    """One entry on one line, without whispers."""
    text = one_line(_speech(value)[0]).strip()
    if is_blank(text):
        return ""
    return text if len(text) <= SENTENCE else text[: SENTENCE - 1].rstrip() + "…"


def _told(one: Assessment) -> str:
    return " ".join([*one.key_points, *one.concerns])
