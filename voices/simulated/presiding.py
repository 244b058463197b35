"""What the presiding chairman says, purpose by purpose. Counts and names come from the brief, never from memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from parliament.command_values import (
    Command,
    DiscussCommand,
    PhaseCommand,
    RulingCommand,
    SecondCommand,
)
from parliament.values import ItemType, Phase, Purpose
from voices.base import Brief, DecisionBrief, ItemBrief
from voices.simulated.chairing import indirect, maxim, pick_new, with_commands
from voices.simulated.chance import ordered
from voices.simulated.drafting import draft, long_date, meeting_day
from voices.simulated.faults import Course
from voices.simulated.grammar import capital, listed, number
from voices.simulated.matter import Point
from voices.simulated.member import answer as member_answer
from voices.simulated.reply import Answer
from voices.simulated.reports import action_items, adjournment, closing, summary
from voices.simulated.speech import Speaker, join
from voices.simulated.stance import Direction, leaning
from voices.simulated.topic import Kind, Topic, sayable

_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
PLACEHOLDER = "RESOLVED, That [who] shall [action] by [date]."


def _day(brief: Brief) -> str:
    day: date = meeting_day(brief)
    return f"{_WEEKDAYS[day.weekday()]}, {long_date(day)}"


def health_check(s: Speaker, course: Course) -> Answer:
    return Answer("Nothing to weigh yet. I can preside.", "I am ready to preside.")


def opening(s: Speaker, course: Course) -> Answer:
    b = s.brief
    n = len(b.agenda)
    call = pick_new(
        s,
        (
            "The meeting will come to order.",
            "I call this meeting of the board to order.",
            "Let the meeting come to order; it is {day}, and we have been given work to do.",
        ),
        "call",
    ).format(day=_day(b))
    when = "" if _day(b) in call else f"It is {_day(b)}."
    stands_in = ""
    if b.presider_named:
        stands_in = f"I take the chair in place of {s.name(b.presider_named)}, who could not be reached."
    if n == 1:
        agenda = f"One matter is before us: {indirect(b.agenda[0])}."
    elif n:
        matters = [indirect(item) for item in b.agenda[:4]]
        more = f", and {number(n - 4)} more" if n > 4 else ""
        agenda = f"{capital(number(n))} matters are before us: {'; '.join(matters)}{more}."
    else:
        agenda = ""
    ends = pick_new(s, ("The clerk will call the roll.", "We begin with the roll.", "I ask the clerk for the roll."), "roll")
    thought = s.whisper(0.0) if b.agenda else "Keep it short."
    return Answer(thought, join(call, when, stands_in, agenda, maxim(s, "opening"), ends))


def intro(s: Speaker, course: Course) -> Answer:
    b, t = s.brief, s.topic
    item = b.item or b.agenda[0]
    quote = f"“{t.asked}”"
    before = next((i.id for i in b.agenda if i.number == item.number - 1), "")
    earlier = [d for d in b.decisions if d.item_id == before]
    lead = pick_new(
        s,
        (
            "The question that the shareholder puts to us is this: {quote}",
            "I read the item as it was handed to the board. {quote}",
            "We take up what the shareholder wrote: {quote}",
            "These are the shareholder's words: {quote}",
        ),
        "lead",
    ).format(quote=quote)
    lead = lead if t.asked.endswith(("?", "!", "…")) else f"{lead}."
    if earlier:
        lead = f"With {indirect_of(b, earlier[-1])} behind us, we go on. {lead}"
    stake = _stake(s, t)
    papers = ""
    description = sayable(item.description, 220)
    if description:
        papers = f"The paper before you says: “{description}”"
        papers += "" if description.endswith((".", "?", "!", "…")) else "."
    wanted = sayable(item.desired_outcome, 160).rstrip(".")
    if wanted:
        papers = join(papers, f"What is hoped for at the end: “{wanted}”.")
    note = sayable(item.user_commentary, 200).rstrip(".")
    if note:
        papers = join(papers, f"And the shareholder adds in a note: “{note}”.")
    charge = _charge(s, item)
    command = DiscussCommand()
    return with_commands(Answer(s.whisper(0.2), join(lead, papers, stake, charge)), command)


def indirect_of(b: Brief, decision: DecisionBrief) -> str:
    item = next((i for i in b.agenda if i.id == decision.item_id), None)
    return (
        f"the question {indirect(item)}"
        if item and indirect(item).startswith(("whether", "how", "which", "what"))
        else "the last item"
    )


def _stake(s: Speaker, t: Topic) -> str:
    if t.kind in (Kind.SHOULD, Kind.CHOICE):
        return pick_new(
            s,
            (
                "On the one side stands {acting}, on the other {staying}; what hangs on it is {stake}.",
                "To {act} or to {stay}: either is a choice, and both have a price. At stake is {stake}.",
                "What hangs on it is {stake}, and it is not ours, which ought to make us careful.",
                "It touches {stake}. Neither {acting} nor {staying} comes free of charge.",
            ),
            "stake",
        ).format(acting=t.acting, staying=t.othering, act=t.short, stay=t.other, stake=t.domain.stake)
    if t.kind is Kind.REVIEW:
        return "We are to say what has gone well in it, what has not, and what ought to change."
    return pick_new(
        s,
        (
            "No verdict is wanted here, but a way; it touches {stake}.",
            "We are asked for something that can be done, and it concerns {stake}.",
            "What hangs on it is {stake}, so let us leave the shareholder with deeds and not with advice.",
        ),
        "stake",
    ).format(stake=t.domain.stake)


def _charge(s: Speaker, item: ItemBrief) -> str:
    if item.type is not ItemType.DECISION:
        return pick_new(
            s,
            (
                "Nothing will be put to a vote on this; I shall go round the table once.",
                "This one is for counsel and not for decision. Let each build on what was said before.",
            ),
            "charge",
        )
    return pick_new(
        s,
        (
            "Say which way you lean and what it would cost.",
            "I ask each of you for your leaning, and for the strongest thing that speaks against it.",
            (
                f"We have {number(item.time_minutes) if item.time_minutes < 13 else item.time_minutes} minutes. "
                f"Speak plainly, and disagree where you do."
            ),
            "I shall want a motion from this discussion, so be particular.",
        ),
        "charge",
    )


def _spoke(s: Speaker) -> list[tuple[str, float]]:
    """(first name, leaning) of the members heard on this item, in the order of their words."""
    b = s.brief
    seen: dict[str, float] = {}
    for said in b.transcript:
        member = next((m for m in b.seated if m.id == said.speaker), None)
        if (
            b.item
            and said.item_id == b.item.id
            and member
            and member.id != b.member.id
            and said.purpose == Purpose.DISCUSSION.value
        ):
            seen.setdefault(member.id, leaning(b, s.topic, member))
    return [(s.name(member), lean) for member, lean in seen.items()]


def _heard(s: Speaker) -> str:
    """Who spoke for it and who against, in a sentence."""
    t = s.topic
    spoke = _spoke(s)
    if not spoke:
        return ""
    if t.kind in (Kind.HOW, Kind.REVIEW):
        return f"I have listened to {listed([name for name, _ in spoke])}, and their proposals do not exclude each other."
    pro = [name for name, lean in spoke if lean > 0]
    contra = [name for name, lean in spoke if lean <= 0]
    first, second = t.acting, t.othering if t.kind is Kind.CHOICE else ""
    if not contra:
        return f"{listed(pro)} all {'lean' if len(pro) > 1 else 'leans'} towards {first}."
    if not pro:
        return f"{listed(contra)} would all rather not, and I have listened for the other side in vain."
    for_ = f"{listed(pro)} {'speak' if len(pro) > 1 else 'speaks'} for {first}"
    if second:
        return f"{for_}, {listed(contra)} for {second}."
    mine = ", and so would I" if s.leaning < -0.05 else ""
    return f"{for_}, while {listed(contra)} would hold back{mine}."


def _objection(points: list[Point], s: Speaker, favours: bool) -> str:
    found = [p for p in points if p.favours is favours and p.speaker != s.brief.member.id]
    if not found:
        return ""
    point = ordered(found, s.brief.seed, s.topic.asked, "objection")[0]
    return (
        f"{s.name(point.speaker)}'s warning, that {point.clause},"
        if not favours
        else f"{s.name(point.speaker)}'s argument, that {point.clause},"
    )


def _undecided(s: Speaker) -> str:
    spoke = _spoke(s)
    pro = sum(lean > 0 for _, lean in spoke)
    if abs(2 * pro - len(spoke)) <= 1:
        return "The table is divided, and the honest course for a divided table is to find out."
    return "Nobody was so sure that a trial would be wasted, and a trial commits us to little."


def motion(s: Speaker, course: Course) -> Answer:
    if course.on("placeholder_motion", s.brief):
        return Answer(s.whisper(0.1), f"I move as follows. {PLACEHOLDER}", {"motion": PLACEHOLDER})
    drafted = draft(s.brief, s.topic)
    warned = _objection(s.points, s, favours=False)
    argued = _objection(s.points, s, favours=True)
    why = {
        Direction.GO: f"{warned} deserves an answer, and the motion tries to give one."
        if warned
        else "The weight of it is for going forward.",
        Direction.TRIAL: _undecided(s),
        Direction.HOLD: f"{argued} has not been refuted; yet the board is not ready to act on it."
        if argued
        else "The board is not persuaded, and I take that seriously.",
        Direction.PLAN: f"I have taken up what {listed([s.short(c) for c in drafted.credits])} proposed."
        if drafted.credits
        else "A few things, done surely, will serve better than many.",
    }[drafted.way]
    again = "The last wording was not in order, so I put it anew." if s.brief.problem else ""
    reads = pick_new(
        s, ("I therefore move:", "The chair moves as follows:", "I put this before you:", "My motion reads:"), "reads"
    )
    return Answer(s.whisper(0.4), join(again, _heard(s), why, reads, drafted.text), {"motion": drafted.text})


def debate(s: Speaker, course: Course) -> Answer:
    """The chair takes part as a member, and announces what the record already holds."""
    a = member_answer(s.brief, course)
    assert a is not None
    b = s.brief
    if b.motion and b.motion.seconder and b.round == 1:
        lead = pick_new(
            s,
            (
                "It is moved and seconded, by {name}.",
                "{name} has seconded, so the question is open.",
                "The motion stands in my name, with {name} as seconder.",
            ),
            "seconded",
        ).format(name=s.name(b.motion.seconder))
        commands: tuple[Command, ...] = (SecondCommand(member=b.motion.seconder), PhaseCommand(phase=Phase.MOTION_DISCUSSION))
        a.speaking = join(lead, a.speaking)
        return with_commands(a, *commands)
    return a


_WELL_TAKEN = re.compile(
    r"\b(?:germane|directly|two subjects|not seconded|precedence|out of turn|through the chair|interrupt|quorum)\b",
    re.IGNORECASE,
)


def ruling(s: Speaker, course: Course) -> Answer:
    point = sayable(s.brief.point, 300)
    well = bool(_WELL_TAKEN.search(point))
    if well:
        words = (
            "The point of order is well taken. Members will speak to the question and through the chair; the "
            "motion itself is not touched by it."
        )
    else:
        words = "The point of order is not well taken. It states a difference of opinion, and no rule of order has been broken."
    a = Answer("A rule was broken, or it was not; my liking has no part in it.", words, {"well_taken": well, "remedy": "none"})
    return with_commands(a, RulingCommand(text=words))


def shareholder_input(s: Speaker, course: Course) -> Answer:
    b, t = s.brief, s.topic
    said = sayable(b.user_input, 180) or "nothing that could be read"
    lowered = said.lower()
    quote = f"“{said}”"
    if re.search(r"\b(?:stop|pause|halt|end (?:it|the meeting)|adjourn|cancel)\b", lowered):
        reply = (
            "To pause or to end the sitting is in the shareholder's hands at any time; until then the board "
            "goes on with its order."
        )
    elif re.search(r"\b(?:thanks|thank you|great|good job|well done)\b", lowered):
        reply = "The board thanks the shareholder, and would rather be useful than praised."
    elif said.endswith("?"):
        side = s.say(s.persona.say_gain if s.leaning > 0 else s.persona.say_risk, "answer")
        reply = f"I answer for myself, as the board has not voted. {side} {s.matter.question}"
    elif re.search(r"\d", said) or re.search(r"\b(?:because|actually|already|just|forgot|should know|also)\b", lowered):
        reply = (
            f"That is something we did not have before, and it bears upon {t.term}. I ask every member to weigh "
            f"it before the question is put."
        )
    else:
        reply = (
            f"The board takes it as part of what it knows about {t.thing}. Let those who speak next say whether "
            f"it changes their mind."
        )
    lead = pick_new(
        s,
        (
            "The shareholder tells us: {quote}",
            "We have a word from the shareholder, {quote}",
            "I read what the shareholder has just said: {quote}",
        ),
        f"input {said}",
    )
    lead = lead.format(quote=quote)
    lead = lead if said.endswith(("?", "!", ".", "…")) else f"{lead}."
    return Answer("It is their life. Answer them before anybody else.", join(lead, reply), {"point_of_order": None})


BY_PURPOSE: dict[Purpose, Callable[[Speaker, Course], Answer]] = {
    Purpose.HEALTH_CHECK: health_check,
    Purpose.OPENING: opening,
    Purpose.INTRO: intro,
    Purpose.INPUT: shareholder_input,
    Purpose.MOTION: motion,
    Purpose.DEBATE: debate,
    Purpose.RULING: ruling,
    Purpose.ACTION_ITEMS: action_items,
    Purpose.SUMMARY: summary,
    Purpose.CLOSING: closing,
    Purpose.ADJOURNMENT: adjournment,
}


def answer(brief: Brief, course: Course) -> Answer:
    """The answer of whoever presides: the chairman's own purposes, else what the same person says as a member."""
    by = BY_PURPOSE.get(brief.purpose)
    if by is not None:
        return by(Speaker(brief), course)
    said = member_answer(brief, course)
    assert said is not None, brief.purpose
    return said
