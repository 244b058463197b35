"""Quorum: how many seated members must be present before the board can decide (RONR 40, RULES_OF_ORDER, Quorum).

A quorum is presence, not ballots cast, and comes from the board's configuration (3 of 5 in source 000).
"""

from __future__ import annotations

from collections.abc import Collection

from parliament.motions import MotionKind

IN_ORDER_WITHOUT_QUORUM = frozenset({MotionKind.FIX_TIME, MotionKind.ADJOURN, MotionKind.RECESS})
"""What may be decided without a quorum (RONR 40). Asking the absent members again is the measure to obtain one."""


def has_quorum(present: Collection[str], members: Collection[str], quorum: int) -> bool:
    """Whether enough of the seated voting members are present; who is not seated does not count."""
    return len(set(present) & set(members)) >= quorum


def may_decide(kind: MotionKind, present: Collection[str], members: Collection[str], quorum: int) -> bool:
    """Whether a question of this kind can be decided now. Not even unanimous consent can waive it (RONR 40)."""
    return kind in IN_ORDER_WITHOUT_QUORUM or has_quorum(present, members, quorum)
