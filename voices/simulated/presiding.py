"""What the presiding chairman says, purpose by purpose. Counts and names come from the brief, never from memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from parliament.command_values import (
    AdjournCommand,
    Command,
    DiscussCommand,
    PhaseCommand,
    RulingCommand,
    SecondCommand,
    render,
)
from parliament.values import ItemType, Phase, Purpose
from voices.base import Brief, DecisionBrief, ItemBrief
from voices.simulated.chance import ordered
from voices.simulated.drafting import draft, long_date, meeting_day, tasks_of
from voices.simulated.faults import Course
from voices.simulated.grammar import capital, listed, number
from voices.simulated.matter import Point, matter_of
from voices.simulated.member import answer as member_answer
from voices.simulated.reply import Answer
from voices.simulated.speech import Speaker, join
from voices.simulated.stance import Direction, leaning
from voices.simulated.topic import Kind, Topic, analyse, sayable

_WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
PLACEHOLDER = "RESOLVED, That [who] shall [action] by [date]."


def _pick(s: Speaker, options: tuple[str, ...], key: str) -> str:
    """One of the options that the transcript does not hold yet, as long as there is one."""
    topic = s.brief.item.topic if s.brief.item else s.brief.meeting_name
    order = ordered(options, s.brief.seed, topic, key)
    return next((text for text in order if _stem(text) not in s.words_of_all), order[0])


def _stem(text: str) -> str:
    return max(re.split(r"\{\w+\}", text), key=len).strip().lower()


def _maxim(s: Speaker, key: str) -> str:
    return _pick(s, s.persona.maxim, f"maxim {key}")


def indirect(item: ItemBrief) -> str:
    """The item as an indirect question or a noun phrase: "whether the shareholder should take the job in Lisbon"."""
    t = analyse(item)
    if t.kind is Kind.REVIEW:
        return f"how things stand with {t.thing}"
    if t.kind is Kind.HOW:
        if t.act.startswith("settle "):
            return t.short.removeprefix("settle ")
        return t.thing if "“" in t.act else f"how to {t.short}"
    alternative = f" or {t.other}" if t.kind is Kind.CHOICE else ""
    return f"whether {t.actor} should {t.short}{alternative}"


def _day(brief: Brief) -> str:
    day: date = meeting_day(brief)
    return f"{_WEEKDAYS[day.weekday()]}, {long_date(day)}"


def health_check(s: Speaker, course: Course) -> Answer:
    return Answer("Nothing to weigh yet. I can preside.", "I am ready to preside.")


def opening(s: Speaker, course: Course) -> Answer:
    b = s.brief
    n = len(b.agenda)
    call = _pick(
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
    ends = _pick(s, ("The clerk will call the roll.", "We begin with the roll.", "I ask the clerk for the roll."), "roll")
    thought = s.whisper(0.0) if b.agenda else "Keep it short."
    return Answer(thought, join(call, when, stands_in, agenda, _maxim(s, "opening"), ends))


def intro(s: Speaker, course: Course) -> Answer:
    b, t = s.brief, s.topic
    item = b.item or b.agenda[0]
    quote = f"“{t.asked}”"
    before = next((i.id for i in b.agenda if i.number == item.number - 1), "")
    earlier = [d for d in b.decisions if d.item_id == before]
    lead = _pick(
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
    return _with_commands(Answer(s.whisper(0.2), join(lead, papers, stake, charge)), command)


def indirect_of(b: Brief, decision: DecisionBrief) -> str:
    item = next((i for i in b.agenda if i.id == decision.item_id), None)
    return (
        f"the question {indirect(item)}"
        if item and indirect(item).startswith(("whether", "how", "which", "what"))
        else "the last item"
    )


def _stake(s: Speaker, t: Topic) -> str:
    if t.kind in (Kind.SHOULD, Kind.CHOICE):
        return _pick(
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
    return _pick(
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
        return _pick(
            s,
            (
                "Nothing will be put to a vote on this; I shall go round the table once.",
                "This one is for counsel and not for decision. Let each build on what was said before.",
            ),
            "charge",
        )
    return _pick(
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


def _with_commands(a: Answer, *commands: Command) -> Answer:
    """The commands as written at the end of the speech, and once more in their own field."""
    written = [render(command) for command in commands]
    a.commands += written
    a.speaking = f"{a.speaking} {' '.join(written)}"
    return a


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
    return f"{for_}, while {listed(contra)} would hold back."


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
    reads = _pick(
        s, ("I therefore move:", "The chair moves as follows:", "I put this before you:", "My motion reads:"), "reads"
    )
    return Answer(s.whisper(0.4), join(again, _heard(s), why, reads, drafted.text), {"motion": drafted.text})


def debate(s: Speaker, course: Course) -> Answer:
    """The chair takes part as a member, and announces what the record already holds."""
    a = member_answer(s.brief, course)
    assert a is not None
    b = s.brief
    if b.motion and b.motion.seconder and b.round == 1:
        lead = _pick(
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
        return _with_commands(a, *commands)
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
    return _with_commands(a, RulingCommand(text=words))


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
    lead = _pick(
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
    lead = _pick(
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
        _pick(
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
        _pick(
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
    parts.append(_maxim(s, "closing"))
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
    words = _pick(
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
    return _with_commands(Answer("Nothing more to weigh. Let them go home.", words), AdjournCommand())


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
