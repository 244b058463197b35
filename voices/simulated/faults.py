"""Faults and courses that can be switched on, so that every end of a meeting can be shown without a model.

A setting is a comma list of `name`, `name:member`, `name:member:purpose`, or `name::purpose` ("slow:musk,prose_votes").
*Faults* are failures of a provider or of a reply; *courses* are lawful turns that a meeting may take.

Provider's faults (slow apart) strike the first attempt at each call and let the next one through, counted by call id in this
process; `silent` strikes every attempt, so the member has no reply. Faults of the reply strike every matching call. `bad_tool`
has the chairman call a tool wrongly at first, and mend it when the call comes back. `no_score`, `votes_twice`, `early_vote` and
`asks_nobody` are slips of a director in a proposal review.
"""

from __future__ import annotations

from dataclasses import dataclass

from parliament.text import did_you_mean
from parliament.values import Purpose
from protocols.proposal_review import ReviewPurpose
from voices.base import AgendaBrief, AgendaPurpose, Brief, DirectorBrief, SecretaryBrief, SecretaryPurpose, Trouble, VoiceError

PROVIDER_FAULTS = {
    "rate_limited": Trouble.RATE_LIMITED,
    "overloaded": Trouble.OVERLOADED,
    "server_error": Trouble.SERVER,
    "timeout": Trouble.TIMEOUT,
    "connection": Trouble.CONNECTION,
}
REPLY_FAULTS = (
    "truncated",
    "malformed",
    "placeholder_motion",
    "unclosed_tags",
    "prose_votes",
    "refusal",
    "plain",
    "bad_tool",
    "no_score",
    "votes_twice",
    "early_vote",
    "asks_nobody",
)
OTHER_FAULTS = ("slow", "silent")
COURSES = (
    "absent", "against", "amend", "appeal", "contest", "nosecond", "object", "point", "previous_question", "table", "tie",
    "withdraw",
)  # fmt: skip
NAMES = (*PROVIDER_FAULTS, *REPLY_FAULTS, *OTHER_FAULTS, *COURSES)

_ONE_MEMBER = {"amend", "point", "previous_question", "table"}
"""Courses that one member takes: without a member's name, the first voting seat after the chair."""

_PURPOSES: dict[str, Purpose | AgendaPurpose | SecretaryPurpose | ReviewPurpose] = {
    purpose.value: purpose for purpose in (*Purpose, *AgendaPurpose, *SecretaryPurpose, *ReviewPurpose)
}

SLOW_SECONDS = 3.0
RETRY_AFTER = 0.2


@dataclass(frozen=True, slots=True)
class Fault:
    name: str
    member: str | None = None
    purpose: Purpose | AgendaPurpose | SecretaryPurpose | ReviewPurpose | None = None

    def strikes(self, brief: Brief | AgendaBrief | SecretaryBrief | DirectorBrief) -> bool:
        if self.purpose is not None and self.purpose is not brief.purpose:
            return False
        if self.member is not None:
            return brief.member.id == self.member or self.member in brief.member.aliases
        if not isinstance(brief, Brief):
            return self.name not in COURSES  # before and after a meeting there is no procedure to turn
        if self.name in _ONE_MEMBER:
            others = [m.id for m in brief.seated if m.id != brief.chair]
            return bool(others) and brief.member.id == others[0]
        return True


def parse_faults(text: str) -> tuple[Fault, ...]:
    """The faults of a setting. Raises ValueError with one sentence that lists the names."""
    faults = []
    for entry in (part.strip() for part in text.split(",")):
        if not entry:
            continue
        name, _, rest = entry.partition(":")
        member, _, purpose = rest.partition(":")
        if name not in NAMES:
            raise ValueError(
                f"unknown fault {name!r}{did_you_mean(name, NAMES)}; the faults of simulated voices are {', '.join(NAMES)}"
            )
        if purpose and purpose not in _PURPOSES:
            raise ValueError(f"unknown purpose {purpose!r} in the fault {entry!r}{did_you_mean(purpose, _PURPOSES)}")
        faults.append(Fault(name, member.strip().removeprefix("@") or None, _PURPOSES[purpose] if purpose else None))
    return tuple(faults)


@dataclass(frozen=True, slots=True)
class Course:
    """Which lawful turns are switched on, for whoever speaks."""

    faults: tuple[Fault, ...] = ()

    def on(self, name: str, brief: Brief) -> bool:
        return any(fault.name == name and fault.strikes(brief) for fault in self.faults)

    def any_on(self, name: str) -> bool:
        return any(fault.name == name for fault in self.faults)

    @property
    def any_course(self) -> bool:
        return any(fault.name in COURSES for fault in self.faults)


def trouble(fault: Fault) -> VoiceError:
    """The provider's failure that a fault stands for."""
    kind = PROVIDER_FAULTS.get(fault.name, Trouble.SERVER)
    limited = kind in (Trouble.RATE_LIMITED, Trouble.OVERLOADED)
    return VoiceError(
        kind,
        f"The simulated voices were told to fail here ({fault.name}).",
        retryable=True,
        retry_after=RETRY_AFTER if limited else None,
    )
