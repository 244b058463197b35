"""The secretary's three buckets (source 000, Post-Meeting Secretary Review): which item goes where is decided here, by code.

A model proposes; what is irreversible, costly, medical, legal or financial is the person's call whatever it says, and nothing
counts as done but what a registered doer did and can prove.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Bucket(StrEnum):
    """The names are those of source 000's review.json."""

    DID_IT = "did_it"
    RECOMMENDING = "recommending"
    NEED_YOUR_CALL = "need_your_call"


class Risk(StrEnum):
    """Why an item is the person's own call."""

    IRREVERSIBLE = "irreversible"
    COSTLY = "costly"
    MEDICAL = "medical"
    LEGAL = "legal"
    FINANCIAL = "financial"


@dataclass(frozen=True, slots=True)
class TriageItem:
    """An action item as it is sorted. `context` is the resolution it carries out."""

    id: str
    task: str
    owner: str
    deadline: str | None = None
    due: date | None = None
    context: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a model says of an item: where it belongs, why, and how many minutes it would take."""

    bucket: Bucket
    why: str = ""
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Doing:
    """What a registered doer did, and where it can be seen."""

    doer: str
    proof: str


@dataclass(frozen=True, slots=True)
class Sorted:
    """An item in its bucket. `risks` are by code; `proof` only in DID_IT."""

    item: TriageItem
    bucket: Bucket
    why: str
    risks: tuple[Risk, ...] = ()
    doing: Doing | None = None


SHORT = 15
"""Minutes: what takes longer is not done by the way (source 000: under about 15 minutes)."""

_RISKS: tuple[tuple[Risk, str], ...] = (
    (
        Risk.MEDICAL,
        r"doctor|physician|surge|medic|prescri|\bdos(?:e|age)|drug|pill|vaccin|therap|diagnos|hospital|clinic|fast(?:ing|s)?\b|"
        r"supplement|hormon|insulin|blood (?:test|pressure)|biops|dentist|psychiat|antidepress|steroid|\bdiet\b|"
        r"\bscan\b|mri\b|\bchest pain",
    ),
    (
        Risk.LEGAL,
        r"contract|\bsign(?:s|ed|ing)?\b|sue[ds]?\b|lawsuit|lawyer|attorney|legal|court\b|notar|licen[cs]e|visa\b|"
        r"custody|\bwill and testament|"
        r"testament|divorc|marr(?:y|iage)|prenup|permit\b|citizenship|immigra|patent|trademark|liabilit|settlement|"
        r"\blease\b|deed\b",
    ),
    (
        Risk.FINANCIAL,
        r"invest|\bloan|mortgage|\btax|insur|pension|\bstock|\bshares?\b|bond\b|crypto|bitcoin|savings?\b|salary|\bdebt|"
        r"borrow|\blend|"
        r"bank account|wire\b|transfer (?:the )?(?:money|funds)|portfolio|retirement account|\bequity|budget|dividend",
    ),
    (
        Risk.COSTLY,
        r"\bbuy|purchas|\bpay(?:s|ing|ment)?\b|deposit|\brent(?:ed|ing|al|s)?\b|order (?:a|an|the) (?:car|house|boat)|"
        r"hire\b|hiring|"
        r"subscri|donat|"
        r"[$€£]\s?\d|\d\s?(?:\$|€|£|euros?|dollars?|pounds?|usd|eur|gbp)\b|\bcosts?\b",
    ),
    (
        Risk.IRREVERSIBLE,
        r"\bquit|resign|\bsell|\bsold\b|\bdelete|destroy|\berase|cancel|terminat|dismiss|\bfire[ds]?\b|\bfiring\b|"
        r"give notice|hand in|"
        r"\bmove (?:to|out|house|in with)|relocat|emigrat|break up|separat(?:e|ion) from|adopt a|have a child|\bpublish|"
        r"\bannounc|"
        r"send (?:the|a|an) (?:letter|e-?mail|message)|accept the (?:job|offer|post)|take the (?:job|offer|post)|"
        r"decline the|turn down|enlist|donate|"
        r"close (?:the )?account|burn|demolish|tattoo|\bdrop out|withdraw from",
    ),
)
_PATTERNS = tuple((risk, re.compile(pattern, re.IGNORECASE)) for risk, pattern in _RISKS)
"""Stems, generous on purpose: an item too many in the person's hands costs a glance, one too few may cost much."""

_CALENDAR = re.compile(
    r"(?:put|add|enter|note|book)\b.{0,60}\b(?:calendar|diary)\b|"
    r"block(?: out)?\b.{0,40}\b(?:time|evening|morning|afternoon|hour)|"
    r"schedule\b.{0,60}\b(?:session|meeting|review|check-?in|call|walk|run|time)s?\b",
    re.IGNORECASE,
)
_REMINDER = re.compile(r"(?:set|add|create)\b.{0,20}\breminders?\b|remind\b", re.IGNORECASE)
_LEDGER = re.compile(
    r"take up again:|(?:note|record|log|enter|write down|put)\b.{0,60}\b(?:ledger|minutes|record|(?:next )?agenda)\b",
    re.IGNORECASE,
)
"""Each is matched at the task's beginning: what it asks for in its first words is what it asks for."""
_MORE = re.compile(r"\b(?:and|then|after|before|until|so that)\b|;", re.IGNORECASE)
"""What asks for more than one thing is not done by an entry somewhere."""


def risks(item: TriageItem) -> tuple[Risk, ...]:
    """What makes an item the person's own call, by its own words and by those of the resolution it carries out."""
    text = f"{item.task}\n{item.context}"
    return tuple(risk for risk, pattern in _PATTERNS if pattern.search(text))


def doable(item: TriageItem) -> str | None:
    """The doer that could do an item at all: it must itself ask for an entry somewhere, and no deed of the person's."""
    task = item.task.strip()
    if risks(item) or _MORE.search(task):
        return None
    if _LEDGER.match(task):
        return "ledger"
    if item.due is not None and _REMINDER.match(task):
        return "reminder"
    if item.due is not None and _CALENDAR.match(task):
        return "calendar"
    return None


def triage(items: Sequence[TriageItem], proposals: Mapping[str, Proposal], doings: Mapping[str, Doing]) -> tuple[Sorted, ...]:
    """Every item in exactly one bucket, in the order given. Proposals and doings for what is no item are nothing."""
    found: dict[str, Sorted] = {}
    for item in items:
        if item.id not in found:
            found[item.id] = _sort(item, proposals.get(item.id), doings.get(item.id))
    return tuple(found.values())


def _sort(item: TriageItem, proposal: Proposal | None, doing: Doing | None) -> Sorted:
    why = proposal.why if proposal is not None else ""
    risky = risks(item)
    if risky:
        return Sorted(item, Bucket.NEED_YOUR_CALL, why or f"It is {_and(risky)}: that is for you to say.", risky)
    if doing is not None and doable(item) == doing.doer and doing.proof and _short(proposal):
        return Sorted(item, Bucket.DID_IT, why or "It could be done at once, and undone.", (), doing)
    if proposal is not None and proposal.bucket is Bucket.NEED_YOUR_CALL:
        return Sorted(item, Bucket.NEED_YOUR_CALL, why or "It needs your judgement.")
    return Sorted(item, Bucket.RECOMMENDING, why or "Low stakes: a nod is enough.")


def _short(proposal: Proposal | None) -> bool:
    return proposal is None or proposal.minutes is None or proposal.minutes <= SHORT


def _and(risky: Sequence[Risk]) -> str:
    names = [risk.value for risk in risky]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
