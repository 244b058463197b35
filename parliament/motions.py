"""Kinds of motions, their precedence as a table of data, and the form of a main motion's words.

The table is RULES_OF_ORDER's, after RONR's chart of motions. Ranks compare only within the table; an incidental motion
has none, because it arises out of what is pending and is decided before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from parliament.text import printable
from parliament.votes import Threshold


class MotionKind(StrEnum):
    """Every motion the floor knows by name."""

    MAIN = "main"
    POSTPONE_INDEFINITELY = "postpone_indefinitely"
    AMEND = "amend"
    COMMIT = "commit"
    POSTPONE = "postpone"
    LIMIT_DEBATE = "limit_debate"
    PREVIOUS_QUESTION = "previous_question"
    LAY_ON_TABLE = "lay_on_table"
    ORDERS_OF_THE_DAY = "orders_of_the_day"
    PRIVILEGE = "privilege"
    RECESS = "recess"
    ADJOURN = "adjourn"
    FIX_TIME = "fix_time"
    POINT_OF_ORDER = "point_of_order"
    APPEAL = "appeal"
    SUSPEND_RULES = "suspend_rules"
    WITHDRAW = "withdraw"
    RECONSIDER = "reconsider"
    RESCIND = "rescind"


class MotionClass(StrEnum):
    """What a motion is to the others (RONR 5-6)."""

    MAIN = "main"
    SUBSIDIARY = "subsidiary"
    PRIVILEGED = "privileged"
    INCIDENTAL = "incidental"
    BRING_AGAIN = "bring_again"  # brings a question again before the assembly


class Decides(StrEnum):
    """Who decides a motion."""

    VOTE = "vote"
    CHAIR = "chair"
    DEMAND = "demand"


@dataclass(frozen=True, slots=True)
class MotionRule:
    """One row of the table. `debatable` is None where it follows the target; `vote` is None where nobody votes."""

    kind_class: MotionClass
    rank: int | None
    second: bool
    debatable: bool | None
    amendable: bool
    vote: Threshold | None
    decided_by: Decides = Decides.VOTE


_MAIN, _SUB, _PRIV, _INC, _AGAIN = MotionClass
_M, _T, _NONE = Threshold.MAJORITY, Threshold.TWO_THIRDS, None
_Y, _N, _TARGET = True, False, None

# fmt: off
PRECEDENCE: Mapping[MotionKind, MotionRule] = MappingProxyType({
    #                                             class    rank   S   D        A    vote
    MotionKind.FIX_TIME:              MotionRule(_PRIV,      13, _Y, _N,      _Y,  _M),
    MotionKind.ADJOURN:               MotionRule(_PRIV,      12, _Y, _N,      _N,  _M),
    MotionKind.RECESS:                MotionRule(_PRIV,      11, _Y, _N,      _Y,  _M),
    MotionKind.PRIVILEGE:             MotionRule(_PRIV,      10, _N, _N,      _N,  _NONE, Decides.CHAIR),
    MotionKind.ORDERS_OF_THE_DAY:     MotionRule(_PRIV,       9, _N, _N,      _N,  _NONE, Decides.DEMAND),
    MotionKind.LAY_ON_TABLE:          MotionRule(_SUB,        8, _Y, _N,      _N,  _M),
    MotionKind.PREVIOUS_QUESTION:     MotionRule(_SUB,        7, _Y, _N,      _N,  _T),
    MotionKind.LIMIT_DEBATE:          MotionRule(_SUB,        6, _Y, _N,      _Y,  _T),
    MotionKind.POSTPONE:              MotionRule(_SUB,        5, _Y, _Y,      _Y,  _M),
    MotionKind.COMMIT:                MotionRule(_SUB,        4, _Y, _Y,      _Y,  _M),
    MotionKind.AMEND:                 MotionRule(_SUB,        3, _Y, _TARGET, _Y,  _M),
    MotionKind.POSTPONE_INDEFINITELY: MotionRule(_SUB,        2, _Y, _Y,      _N,  _M),
    MotionKind.MAIN:                  MotionRule(_MAIN,       1, _Y, _Y,      _Y,  _M),
    MotionKind.POINT_OF_ORDER:        MotionRule(_INC,     None, _N, _N,      _N,  _NONE, Decides.CHAIR),
    MotionKind.APPEAL:                MotionRule(_INC,     None, _Y, _N,      _N,  _M),  # put at once on this board
    MotionKind.SUSPEND_RULES:         MotionRule(_INC,     None, _Y, _N,      _N,  _T),
    MotionKind.WITHDRAW:              MotionRule(_INC,     None, _Y, _N,      _N,  _M),
    MotionKind.RECONSIDER:            MotionRule(_AGAIN,   None, _Y, _TARGET, _N,  _M),
    MotionKind.RESCIND:               MotionRule(_AGAIN,   None, _Y, _Y,      _Y,  _T),
})
# fmt: on

NAMES: Mapping[MotionKind, str] = MappingProxyType(
    {
        MotionKind.FIX_TIME: "the motion to fix the time to which to adjourn",
        MotionKind.ADJOURN: "the motion to adjourn",
        MotionKind.RECESS: "the motion to recess",
        MotionKind.PRIVILEGE: "the question of privilege",
        MotionKind.ORDERS_OF_THE_DAY: "the call for the orders of the day",
        MotionKind.LAY_ON_TABLE: "the motion to lay on the table",
        MotionKind.PREVIOUS_QUESTION: "the previous question",
        MotionKind.LIMIT_DEBATE: "the motion to limit or extend debate",
        MotionKind.POSTPONE: "the motion to postpone to a certain time",
        MotionKind.COMMIT: "the motion to commit",
        MotionKind.AMEND: "the amendment",
        MotionKind.POSTPONE_INDEFINITELY: "the motion to postpone indefinitely",
        MotionKind.MAIN: "the main motion",
        MotionKind.POINT_OF_ORDER: "the point of order",
        MotionKind.APPEAL: "the appeal",
        MotionKind.SUSPEND_RULES: "the motion to suspend the rules",
        MotionKind.WITHDRAW: "the request to withdraw",
        MotionKind.RECONSIDER: "the motion to reconsider",
        MotionKind.RESCIND: "the motion to rescind",
    }
)
"""How a chairman speaks of each kind."""


def amendment_rank(target_rank: int | None) -> int:
    """The rank of a pending amendment: that of the motion it would amend, but never under *Amend*'s own (RONR 12)."""
    return max(3, target_rank or 0)


# The words of a main motion ------------------------------------------------------------------------------------------

MIN_BODY = 20
"""Characters after "RESOLVED, That": a shorter one says neither who nor what."""
MAX_WORDING = 4000
"""Characters of a whole motion."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A motion in form: one paragraph that begins with "RESOLVED, That"."""

    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a text is no motion in form: a short `code`, and one sentence that says what to mend."""

    code: str
    reason: str


_FORM = re.compile(r"(?:be it (?:further )?resolved|resolved|i (?:hereby )?move)\s*[,:;]?\s*that\b[,:]?\s*", re.IGNORECASE)
_AGAIN_FORM = re.compile(r"resolved\s*[,:;]?\s*that\b[,:]?\s*", re.IGNORECASE)
_PAIRS = ('""', "“”", "„“", "«»", "''", "‘’", "``", "**")
_PLACEHOLDER = re.compile(
    r"[\[\]{}［］｛｝【】〔〕⟦⟧]"  # square and curly brackets, the full-width ones too
    r"|[<＜]\s*[^\W\d_][^<>＜＞]{0,80}[>＞]"  # <name>, but not "under < 5 and over > 3"
    r"|\b(?:TBD|TBA|TBC|T\.B\.D\.|to be determined|to be decided)(?!\w)"
    r"|\b(?:X{3,}|Y{4,}|N{3,})\b"
    r"|_{2,}|(?<!\w)_(?!\w)"
)
_ELLIPSIS = re.compile(r"(?:…|\.\.)[\s\"'”’»)]*$")
_END = re.compile(r"[.!。！][\"'”’»)]*$")
_DANGLING = re.compile(r"(?:\b(?:the|a|an|and|or|of|shall|will|that|with)|[,;:–—-])\s*[.!]?[\"'”’»)]*$", re.IGNORECASE)


def check_wording(text: str) -> Wording | Problem:
    """The words of a main motion in form, or what is wrong with them (source 000, Motion Parsing).

    "I move that ..." is rewritten to "RESOLVED, That ..."; white space is folded, and quotation marks or emphasis around the
    whole are taken off. Codes: empty, long, paragraphs, form, placeholder, short, unfinished.
    """
    text = printable(text).replace("**", "").strip()
    if len(text) > 1 and text[0] + text[-1] in _PAIRS:
        text = text[1:-1].strip()
    if not text:
        return Problem("empty", 'The motion has no words; write "RESOLVED, That …".')
    if len(text) > MAX_WORDING:
        return Problem("long", f"The motion is longer than {MAX_WORDING} characters; say it in a few sentences.")
    form = _FORM.match(text)
    if form is None:
        return Problem("form", 'The motion does not begin with "RESOLVED, That"; begin it so.')
    if re.search(r"\n[ \t]*\n", text):
        return Problem("paragraphs", "The motion has more than one paragraph; put it into one.")
    body = text[form.end() :]
    if again := _AGAIN_FORM.match(body):  # "I move that RESOLVED, That …"
        body = body[again.end() :]
    body = " ".join(body.split())
    if found := _PLACEHOLDER.search(body):
        return Problem(
            "placeholder", f'The motion holds a placeholder ("{found.group()}"); put in the real name, action or date.'
        )
    if len(body) < MIN_BODY or (" " in body and len(body.split()) < 4):
        return Problem("short", "The motion is too short to act on; say who shall do what by when.")
    if _ELLIPSIS.search(body) or _DANGLING.search(body) or not _END.search(body):
        return Problem("unfinished", "The motion breaks off; end it as a whole sentence with a full stop.")
    return Wording(f"RESOLVED, That {body}")
