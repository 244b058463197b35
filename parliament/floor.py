"""The floor: what is pending, what is in order, and what each act does. Code disposes (law 1).

`apply(floor, act, speaker)` is the whole of it: a pure function from one immutable floor to the next. An act that is out of
order comes back as `OutOfOrder` with the sentence a chairman could say and the rule it rests on; the floor it was given
stays as it is. Who speaks decides as much as what is said: the clerk's acts are the procedure's own (the speaker is
`parliament.values.CLERK`), the others count only from a seated member for itself (law 2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parliament import acts, balloting, procedure, questions
from parliament.floor_values import Ballot, Closed, Floor, Motion, OutOfOrder, Point, Refusal
from parliament.values import CLERK

__all__ = ["Ballot", "Closed", "Floor", "Motion", "OutOfOrder", "Point", "apply"]

_Handler = Callable[[Floor, Any, str], Floor]

_BY_CLERK: dict[type, _Handler] = {
    acts.EnterPhase: procedure.enter_phase,
    acts.Preside: procedure.preside,
    acts.TakeUp: procedure.take_up,
    acts.FinishItem: procedure.finish_item,
    acts.MarkAbsent: procedure.mark_absent,
    acts.Adjourn: procedure.adjourn,
    acts.FallToGround: procedure.fall_to_ground,
    acts.DieUnseconded: questions.die_unseconded,
    acts.WithdrawByConsent: questions.withdraw_by_consent,
    acts.AdoptByConsent: questions.adopt_by_consent,
    acts.AcceptRuling: questions.accept_ruling,
    acts.DropPoint: questions.drop_point,
    acts.OpenBallot: balloting.open_ballot,
    acts.NoVote: balloting.no_vote,
    acts.CloseBallot: balloting.close_ballot,
    acts.VoidBallot: balloting.void_ballot,
}
_BY_MEMBER: dict[type, _Handler] = {
    acts.Answer: procedure.answer,
    acts.Move: questions.move,
    acts.Second: questions.second,
    acts.Withdraw: questions.withdraw,
    acts.RaisePoint: questions.raise_point,
    acts.Rule: questions.rule_on_point,
    acts.Cast: balloting.cast,
}


def apply(floor: Floor, act: acts.Act, speaker: str) -> Floor | OutOfOrder:
    """The floor after `speaker` did `act`, or why it is out of order; then nothing has changed.

    `speaker` is a member id or CLERK, and comes from whoever heard the voice, never from its words. Raises TypeError for a
    value that is not an act.
    """
    kind = type(act)
    if kind in _BY_CLERK:
        if speaker != CLERK:
            return OutOfOrder("That is for the procedure to do, not for a member.", "law 1")
        handler = _BY_CLERK[kind]
    elif kind in _BY_MEMBER:
        handler = _BY_MEMBER[kind]
    else:
        raise TypeError(f"{kind.__name__} is not an act of the floor")
    try:
        return handler(floor, act, speaker)
    except Refusal as refused:
        return refused.refusal
