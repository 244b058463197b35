"""Forms of frequent motions, with slots to fill (source 000, Medium Value 4: increase or decrease something, establish a
routine, review progress). They are help, not law: a motion is in form when `parliament.motions.check_wording` says so.

Filling puts values in once and reads nothing in them: a value that looks like a slot is words (law 3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from parliament.motions import Problem, check_wording
from parliament.text import brief, did_you_mean, has_word, is_blank, one_line

MAX_VALUE = 400
"""Characters of one slot's value."""
MAX_SUGGESTED = 3

_SLOT = re.compile(r"\{([a-z_]+)\}")
_AT_ONCE = ("immediately", "effective immediately", "at once", "now")
_END = ".;,: "


class TemplateError(ValueError):
    """A template that cannot be filled; the message is one sentence that names the slot and the mend."""


@dataclass(frozen=True, slots=True)
class MotionTemplate:
    """A form. `text` has its slots in braces; each is a key of `slots`, which says what goes in. The slot `by` is a date.

    `words`: the template is suggested where one of them stands in an item's topic or description.
    """

    id: str
    name: str
    text: str
    slots: Mapping[str, str]
    words: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The form for people to read: its slots in angle brackets, in words."""
        return _SLOT.sub(lambda m: " by <date>" if m[1] == "by" else f"<{self.slots[m[1]]}>", self.text)


_WHO = "who"
_BY = "a date like 31 January 2027, or immediately"


def _template(id: str, name: str, text: str, words: str, **slots: str) -> MotionTemplate:
    known = {"who": _WHO, **slots, "by": _BY}
    return MotionTemplate(id, name, f"RESOLVED, That {{who}} shall {text}{{by}}.", known, tuple(words.split(", ")))


_ALL = (
    _template(
        "increase",
        "Increase something",
        "increase {what} from {now} to {target}",
        "increase, more, raise, add, grow, improve, build up, extend, higher, longer",
        what="what is counted",
        now="the figure now",
        target="the new figure",
    ),
    _template(
        "decrease",
        "Decrease something",
        "reduce {what} from {now} to {target}",
        "decrease, reduce, less, fewer, lower, cut, cut back, cut down, limit, too much, too many, shorten",
        what="what is counted",
        now="the figure now",
        target="the new figure",
    ),
    _template(
        "routine",
        "Establish a routine",
        "{action} {how_often}, keep a written record of it for {how_long}, and report on it to the board",
        "routine, habit, daily, weekly, every, each, regular, regularly, practice, practise, schedule, morning, evening, sleep",
        action="a bare verb phrase",
        how_often="how often",
        how_long="how long",
    ),
    _template(
        "review",
        "Review progress",
        "review the progress of {what} against {measure} and report the result to the board",
        "review, progress, on track, off track, behind, status, check, measure, evaluate, retrospective, goal",
        what="what is reviewed",
        measure="the figure or the plan it is held against",
    ),
    _template(
        "trial",
        "Try something for a while",
        "{action} on trial for {how_long}, note {measure} as it goes, and decide whether to go on with it",
        "try, trial, experiment, test, pilot, switch, whether, should",
        action="a bare verb phrase",
        how_long="how long",
        measure="what will show whether it works",
    ),
    _template(
        "stop",
        "Stop something",
        "stop {doing} and put {instead} in its place",
        "stop, quit, end, give up, drop, leave, cancel",
        doing="what is done now, ending in -ing",
        instead="what takes its place",
    ),
    _template(
        "choose",
        "Choose between two ways",
        "choose {choice} over {alternative}, provided that {condition}, and act on the choice",
        "or, choose, choice, between, versus, vs, either, decide, accept, offer",
        choice="what is chosen",
        alternative="what is not",
        condition="a condition that can be checked",
    ),
    _template(
        "find_out",
        "Find something out first",
        "obtain {information} from {source} and put {question} to the board again with it",
        "find out, unknown, unclear, uncertain, information, facts, figures, disagree, evidence, doctor, research",
        information="what is to be known",
        source="who or what knows it",
        question="the question that waits for it",
    ),
    _template(
        "spend",
        "Set a limit to spending",
        "spend no more than {amount} on {what}, and record what is spent",
        "spend, spending, budget, buy, cost, costs, money, pay, price, purchase, save, savings",
        amount="a sum with its currency",
        what="what it is spent on",
    ),
    _template(
        "finish",
        "Finish what is open",
        "leave {left_out} aside and complete {task}",
        "overdue, finish, complete, open, unfinished, pending, deadline, postponed, tabled",
        task="the task",
        left_out="what is not needed for it",
    ),
)
TEMPLATES: Mapping[str, MotionTemplate] = {template.id: template for template in _ALL}


def fill(template: str, **fields: str) -> str:
    """The motion that a template makes of these values: always one whole sentence that `check_wording` accepts.

    `by` is a date or a time ("31 January 2027", "the end of March") or "immediately". Raises TemplateError for an unknown
    template, a slot that is missing, unknown or empty, and a value that would leave the motion out of form.
    """
    found = TEMPLATES.get(template)
    if found is None:
        raise TemplateError(f"there is no template {brief(template)!r}{did_you_mean(template, TEMPLATES)}")
    for name in fields:
        if name not in found.slots:
            known = ", ".join(found.slots)
            raise TemplateError(
                f"{found.id} has no slot {brief(name)!r}{did_you_mean(name, found.slots)}; its slots are {known}"
            )
    values: dict[str, str] = {}
    for name, meaning in found.slots.items():
        value = one_line(fields.get(name, "")).rstrip(_END)
        if is_blank(value):
            raise TemplateError(f"the slot {name!r} of {found.id} is empty; say {meaning}")
        if len(value) > MAX_VALUE:
            raise TemplateError(f"the slot {name!r} of {found.id} has more than {MAX_VALUE} characters; say it shorter")
        values[name] = value
    due = values["by"]
    at_once = due.casefold() in _AT_ONCE
    values["by"] = ", effective immediately" if at_once else f" by {due.removeprefix('by ').strip()}"
    checked = check_wording(_SLOT.sub(lambda m: values[m[1]], found.text))
    if isinstance(checked, Problem):
        raise TemplateError(f"{found.id} cannot be filled so: {checked.reason[:1].lower()}{checked.reason[1:].rstrip('.')}")
    return checked.text


def suggest(topic: str, description: str = "") -> tuple[str, ...]:
    """Ids of the templates that may fit an item, the likeliest first, at most MAX_SUGGESTED; () when none does.

    A word in the topic weighs more than one in the description. Words are looked for whole, and nothing else is read.
    """
    scored = [
        (sum(3 * has_word(topic, word) + has_word(description, word) for word in template.words), template.id)
        for template in _ALL
    ]
    best = sorted((score for score, _ in scored if score), reverse=True)[:MAX_SUGGESTED]
    floor = best[-1] if best else 1
    ranked = sorted((pair for pair in scored if pair[0] >= max(floor, 1)), key=lambda pair: -pair[0])
    return tuple(id for _, id in ranked[:MAX_SUGGESTED])
