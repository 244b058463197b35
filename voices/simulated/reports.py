"""What the chair says when something is done: action items, the summary of an item, the closing, the adjournment.

Counts, names and ends come from the brief's decisions, which the clerk recorded.
"""

from __future__ import annotations

from datetime import date

from parliament.command_values import AdjournCommand
from voices.base import Brief, DecisionBrief
from voices.simulated.chairing import indirect, maxim, pick_new, with_commands
from voices.simulated.drafting import long_date, tasks_of
from voices.simulated.faults import Course
from voices.simulated.grammar import listed, number
from voices.simulated.matter import matter_of
from voices.simulated.reply import Answer
from voices.simulated.speech import Speaker, join
from voices.simulated.topic import Kind, sayable


def action_items(s: Speaker, course: Course) -> Answer:
    b = s.brief
    decided = next((d for d in reversed(b.decisions) if b.item and d.item_id == b.item.id), None)
    text = b.motion.text if b.motion else decided.text if decided else ""
    tasks = tasks_of(b, text)
    shown = [
        f"{_infinitive(task.task)}, by {long_date(date.fromisoformat(task.deadline))}"
        if task.deadline
        else _infinitive(task.task)
        for task in tasks
    ]
    lead = pick_new(
        s,
        (
            "What was adopted comes down to this for the shareholder:",
            "From the resolution follow these duties:",
            "So that it does not stay on paper, the shareholder is to do the following:",
        ),
        "duties",
    )
    speech = join(lead, "; ".join(shown) + ".")
    items = [{"task": task.task, "owner": task.owner, "deadline": task.deadline} for task in tasks]
    return Answer("Only what the words of the motion ask for, and nothing beyond it.", speech, {"action_items": items})


def _infinitive(task: str) -> str:
    text = task.rstrip(".")
    return text[:1].lower() + text[1:]


def summary(s: Speaker, course: Course) -> Answer:
    t, b = s.topic, s.brief
    points = list(s.points)
    gains = [p for p in points if p.favours][:2]
    risks = [p for p in points if not p.favours][:2]
    heard = [
        s.name(m.id)
        for m in b.seated
        if m.id != b.member.id and any(said.speaker == m.id and b.item and said.item_id == b.item.id for said in b.transcript)
    ]
    parts = [
        f"I sum up what was said on {t.thing}."
        if t.kind is not Kind.HOW
        else f"I sum up the counsel that was given on {t.acting}."
    ]
    if gains:
        parts.append(
            f"{s.name(gains[0].speaker)} held that {gains[0].clause}"
            + (f", and {s.name(gains[1].speaker)} that {gains[1].clause}." if len(gains) > 1 else ".")
        )
    if risks:
        parts.append(f"Against that stands what {s.name(risks[0].speaker)} said, that {risks[0].clause}.")
    if not gains and not risks and heard:
        parts.append(f"{listed(heard)} spoke to it, each from another side.")
    said = "\n".join(line.text.lower() for line in b.transcript if b.item and line.item_id == b.item.id)
    steps = [(s.name(m.id), matter_of(b, t, m).step) for m in b.seated if matter_of(b, t, m).step.lower() in said]
    if steps:
        parts.append(
            f"What the shareholder may take home is {steps[0][0]}'s proposal, to {steps[0][1]}"
            + (f", and {steps[1][0]}'s, to {steps[1][1]}." if len(steps) > 1 else ".")
        )
    else:
        parts.append(f"What remains to be found out is plain enough. {s.matter.question}")
    parts.append(
        pick_new(
            s,
            (
                "Nothing was decided, and nothing needed to be.",
                "The item is closed without a vote, as it should be.",
                "We leave it there.",
            ),
            "closed",
        )
    )
    return Answer(s.whisper(0.1), join(*parts))


def closing(s: Speaker, course: Course) -> Answer:
    b = s.brief
    parts = [
        {
            "deadline": "Our time is over.",
            "budget": "What this meeting may spend is spent.",
            "adjourned": "The board has chosen to adjourn early.",
        }.get(b.ended_by, "")
    ]
    parts.append(
        pick_new(
            s,
            (
                "Before we part, this is what was done.",
                "I give you the account of the meeting.",
                "Let me say what we leave behind us.",
            ),
            "account",
        )
    )
    parts += [_decided(s, decision) for decision in b.decisions]
    if not b.decisions:
        parts.append("No question was put to a vote today.")
    if b.unfinished:
        left = [_topic_words(b, topic) for topic in b.unfinished[:4]]
        parts.append(
            f"We did not reach {listed(left)}; {'it goes' if len(b.unfinished) == 1 else 'they go'} to the "
            f"shareholder as {'a task' if len(b.unfinished) == 1 else 'tasks'}."
        )
    adopted = [d for d in b.decisions if d.status == "adopted"]
    if adopted:
        first = tasks_of(b, adopted[0].text)[0]
        parts.append(f"The first thing for the shareholder to do is to {_infinitive(first.task)}.")
    parts.append(maxim(s, "closing"))
    return Answer("Say what was decided and not what I wish had been.", join(*parts))


def _topic_words(b: Brief, topic: str) -> str:
    item = next((i for i in b.agenda if i.topic == topic), None)
    return f"the question {indirect(item)}" if item and indirect(item).startswith("whether") else f"“{sayable(topic, 90)}”"


def _decided(s: Speaker, d: DecisionBrief) -> str:
    b = s.brief
    item = next((i for i in b.agenda if i.id == d.item_id), None)
    on = (
        f"On the question {indirect(item)}"
        if item and indirect(item).startswith(("whether", "how to", "which", "what", "when", "where"))
        else f"On “{sayable(d.topic, 90)}”"
    )
    for_, against, abstain = len(d.votes_for), len(d.votes_against), len(d.abstain)
    count = f"by {number(for_)} {'vote' if for_ == 1 else 'votes'} to {number(against) if against else 'none'}"
    if abstain:
        count += f", with {number(abstain)} abstaining"
    how = {
        "adopted": f"the motion was adopted {count}" if for_ or against else "the motion was adopted",
        "lost": f"the motion was lost, {number(for_)} in favour and {number(against)} against",
        "tied": f"the vote was a tie at {number(for_)}, and so the motion was lost",
        "unseconded": "the motion found no second and did not come before the board",
        "withdrawn": "the motion was withdrawn",
        "tabled": "the motion was laid on the table until another meeting",
        "out_of_order": "the motion was ruled out of order",
        "fell": "the motion fell with the end of the meeting",
    }.get(d.status, f"the motion ended as {d.status.replace('_', ' ')}")
    dissents = [s.name(member) for member, _ in d.dissents]
    tail = (
        f" {listed(dissents)} dissented, and {'that stands' if len(dissents) == 1 else 'their reasons stand'} in the record."
        if dissents
        else ""
    )
    return f"{on}, {how}.{tail}"


def adjournment(s: Speaker, course: Course) -> Answer:
    words = pick_new(
        s,
        (
            "There is nothing further on the agenda. I thank the members, and declare the meeting adjourned.",
            "Then our work is done for today. The meeting is adjourned.",
            "I thank each of you for your candour; the meeting stands adjourned.",
        ),
        "adjourn",
    )
    if s.brief.ended_by in ("deadline", "budget"):
        words = "We stop here, since we must. I thank the members, and the meeting is adjourned."
    return with_commands(Answer("Nothing more to weigh. Let them go home.", words), AdjournCommand())
