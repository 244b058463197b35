"""How a persona talks: its sentences by purpose, and what it weighs. The matter itself comes from the domains.

Sentences are templates with these slots (filled by `voices.simulated.speech`): {act} "take the job in Lisbon", {acting},
{thing} "the job in Lisbon", {term} "Lisbon", {stay} and {staying} the other way, {gain} and {risk} a clause, {Gain} and
{Risk} the same at the head of a sentence, {step} and {Step} a bare verb phrase, {name} another member, {point} that
member's clause, {bit} the motion's date or term, {clause} its condition, {asked} a question.
"""

from __future__ import annotations

from dataclasses import dataclass

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Temper:
    """What a persona weighs; each from -1 to 1."""

    change: float  # welcomes change for its own sake
    trial: float  # likes reversible first steps
    wait: float  # can wait and gather
    pace: float  # wants dates early (positive) or unhurried (negative)
    measure: float  # wants a figure in the motion
    strip: float  # wants conditions out of the motion


@dataclass(frozen=True, slots=True)
class Persona:
    lens: str
    temper: Temper
    roll: Lines
    lean_for: Lines
    lean_against: Lines
    on_how: Lines
    on_which: Lines  # where a choice is to be settled, or a question to be answered
    on_review: Lines
    say_gain: Lines
    say_risk: Lines
    concede_risk: Lines  # for it, and names the cost
    concede_gain: Lines  # against it, and names what is lost
    propose: Lines
    propose_how: Lines
    close_for: Lines
    close_against: Lines
    ask: Lines  # gives the word to {name}: written @{name}
    asked: Lines  # what people ask of somebody with this lens
    told_for: Lines  # its answers to these questions, in their order, when it leans towards the act
    told_against: Lines
    answer: Lines
    agree: Lines
    rebut: Lines
    motion_for: Lines
    motion_against: Lines
    dissenter: Lines
    second: Lines
    no_second: Lines
    reason_for: Lines
    reason_won_over: Lines
    reason_against: Lines
    reason_abstain: Lines
    dissent: Lines
    amend_support: Lines
    amend_consent: Lines
    amend_object: Lines
    amend_for: Lines  # when it is put to a vote
    amend_against: Lines
    amend_own: Lines  # the mover, when it is put to a vote
    no_objection: Lines
    objection: Lines
    appeal: Lines
    no_appeal: Lines
    whisper: Lines
    whisper_doubt: Lines
    maxim: Lines  # what it says from the chair, on opening, introducing, closing
