"""What the clerk says: the words of every line that code, not a voice, puts into the transcript (law 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORDS: dict[str, str] = {
    "presides": "{member} presides in place of {other}, who did not answer.",
    "quorum": "The roll is called: {present} of {seated} seated members are present. The quorum of {quorum} is established.",
    "no_quorum": "{present} of {seated} seated members are present, and the quorum is {quorum}. The board cannot decide"
    " anything; the meeting waits until it is resumed, and then every absent member is asked again.",
    "quorum_back": "{present} of {seated} seated members are present again. The quorum is restored.",
    "returned": "{member} has returned.",
    "item": "Item {number}: {topic}",
    "carried_draft": "The motion was moved during the discussion; it is taken up at once.",
    "seconded": "Seconded by {member}. The question is before the board.",
    "no_second_needed": "The standing rules require no second. The question is before the board.",
    "unseconded": "There is no second. The motion is not before the board.",
    "skipped": "No motion in order was offered on this item ({why}). The item is passed over.",
    "no_motion": "The chair moves on without a motion.",
    "amendment": "{member} moves to amend: {summary}",
    "amendment_refused": "The amendment offered by {member} is not taken up: {why}",
    "consent": "Without objection, {what} is agreed to.",
    "contested": "{objectors} object, so {what} is put to a vote.",
    "vote": "{what}: {for_} for, {against} against, {abstain} abstaining{missing}. {result}",
    "void": "The vote is void: the quorum was lost before it closed.",
    "moved": "{member} moves {what}.",
    "point": "{member} rises to a point of order: {text}",
    "ruling": "The chair rules: the point is {result}.",
    "no_ruling": "{member} gives no ruling that can be read. The point is dropped without one.",
    "appeal": "{member} appeals from the decision of the chair, and {other} joins.",
    "appeal_unseconded": "The appeal finds no second. The ruling stands.",
    "refused": "Out of order: {why}",
    "tabled": "The motion lies on the table. The item is offered to the next meeting.",
    "withdrawn": "The motion is withdrawn.",
    "out_of_order": "The motion is ruled out of order and falls.",
    "fell": "The question falls to the ground with the end of the meeting.",
    "debate_closed": "Debate is closed.",
    "deadline": "The time set for this meeting is over. The chair goes to the closing; what is unfinished becomes a task.",
    "phase_deadline": "The time set for this part is over. Who has not spoken is recorded as not having replied.",
    "budget": "What this meeting may spend is spent. The chair goes to the closing; what is unfinished becomes a task.",
    "halted": "The meeting is halted: {why}",
    "resumed": "The meeting goes on.",
    "called": "The chair calls on {members}.",
    "adjourned": "The meeting is adjourned.",
}

KEYS = frozenset(_WORDS)


def words(key: str, args: Mapping[str, Any]) -> str:
    """The clerk's words for `key`. Raises KeyError for an unknown key or a missing argument: both are errors of code."""
    return _WORDS[key].format_map(args)


_QUESTIONS: dict[str, str] = {
    "lay_on_table": "That the pending question be laid on the table.",
    "previous_question": "That debate on the pending question be closed now.",
    "adjourn": "That the board adjourn now.",
    "withdraw": "That the mover be allowed to withdraw the motion.",
    "appeal": "Shall the decision of the chair stand as the judgment of the board?",
}


def question_words(kind: str) -> str:
    """The words of a question that code writes, by its kind: how it is put to the members and stands in the minutes."""
    return _QUESTIONS.get(kind, f"That the board {kind.replace('_', ' ')}.")
