"""What the clerk says in a proposal review; what is the same in every kind of meeting is said as the rules of order say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parliament import announcements

_WORDS = {
    "assessed": "{given} of {seats} directors have assessed the proposal: {approve} for approval, {concerns} with concerns, "
    "{reject} for rejection.",
    "round": "Round {n} of the discussion, {what}: {open} open.",
    "round_skipped": "Round {n} of the discussion is skipped: nothing is open.",
    "early_vote": "{member} put in a vote before the vote was called: it does not count.",
    "vote_called": "The question is the proposal. The directors vote.",
    "resolved": "The proposal is {result}, {vote}.",
    "escalated": "There is no majority of the seats, {vote}. The decision is the person's.",
    "decided": "The person has decided: {answer}.",
    "undecided": "Nobody has decided within the time that was set. The proposal stays escalated.",
}
_SHARED = frozenset({"deadline", "phase_deadline", "budget", "halted", "resumed"})
_OWN = {
    "deadline": "The time set for this review is over. The directors vote on what has been said.",
    "budget": "What this review may spend is spent. It ends with what stands.",
}

KEYS = frozenset(_WORDS) | _SHARED
_ROUNDS = {1: "responses", 2: "rebuttals and clarifications", 3: "final positions"}
_ANSWERS = {"approve": "the proposal is approved", "reject": "the proposal is rejected"}


def words(key: str, args: Mapping[str, Any]) -> str:
    """The clerk's words for `key`. Raises KeyError for an unknown key or a missing argument: both are errors of code."""
    if key in _SHARED and key not in _OWN:
        return announcements.words(key, args)
    shown = dict(args)
    if key == "round":
        shown["what"] = _ROUNDS[args["n"]]
        shown["open"] = f"{args['open']} {'matter is' if args['open'] == 1 else 'matters are'}"
    if key == "decided":
        shown["answer"] = _ANSWERS[args["answer"]]
    return (_OWN | _WORDS)[key].format_map(shown)
