"""What a member says, purpose by purpose."""

from __future__ import annotations

from collections.abc import Callable

from parliament.values import ItemType, Purpose
from voices.base import Brief
from voices.simulated.chance import ordered, roll
from voices.simulated.drafting import amend
from voices.simulated.faults import Course
from voices.simulated.personas import persona_of
from voices.simulated.reply import Answer
from voices.simulated.speech import Speaker, join, swap_sides
from voices.simulated.stance import Direction, direction, likes_amendment, support
from voices.simulated.topic import Kind, sayable

_VOTES = {
    "FOR": {
        "aurelius": "I vote for the motion.",
        "dalio": "My vote is for.",
        "davinci": "My pebble goes into the white jar: for.",
        "jobs": "For.",
        "musk": "Voting for.",
        "rogers": "I vote yes, for it.",
        "roosevelt": "Aye! I vote for it.",
        "": "I vote in favour.",
    },
    "AGAINST": {
        "aurelius": "I vote against the motion.",
        "dalio": "My vote is against.",
        "davinci": "My pebble is the dark one: against.",
        "jobs": "Against.",
        "musk": "Voting against.",
        "rogers": "I vote no, against it.",
        "roosevelt": "No! I vote against it.",
        "": "I vote against it.",
    },
    "ABSTAIN": {
        "aurelius": "I abstain.",
        "dalio": "I abstain.",
        "davinci": "I abstain, with both drawings in hand.",
        "jobs": "Abstain.",
        "musk": "Abstaining.",
        "rogers": "I'm going to abstain.",
        "roosevelt": "I abstain, and I dislike doing it.",
        "": "I abstain.",
    },
}


def roll_call(s: Speaker, course: Course) -> Answer:
    first = s.topic.term if s.brief.agenda else "the agenda"
    return Answer(
        s.whisper(0.0) if s.brief.agenda else f"Ready. {first}.",
        s.say(s.persona.roll, "roll"),
        {"present": not course.on("absent", s.brief)},
    )


def discussion(s: Speaker, course: Course) -> Answer:
    item = s.brief.item
    if item is not None and item.type is not ItemType.DECISION:
        return _round_robin(s)
    parts = _perspective(s)
    if asks := _asks(s):
        parts.append(asks)
    return Answer(s.whisper(s.leaning), join(*parts), {"point_of_order": _point(s, course)})


def _perspective(s: Speaker) -> list[str]:
    """What a member says of the item by itself: four or five sentences in one of several orders."""
    p, lean, kind = s.persona, s.leaning, s.topic.kind
    aside, shape = s.aside(), s.roll("shape")
    if kind in (Kind.HOW, Kind.REVIEW):
        opening = s.say(_how_lines(s), "opening")
        body = s.gain() if lean > -0.2 else s.risk()
        offer = s.step(p.propose_how if kind is Kind.HOW else p.propose)
        if shape < 0.35:
            return [opening, aside, body, offer]
        if shape < 0.6:
            return [opening, aside, s.question(), offer]
        if shape < 0.8:
            return [aside, body, opening, offer]
        return [opening, offer, s.say(p.concede_risk, "concede"), aside]
    swap = swap_sides(s.topic, lean, s.roll("swap"))
    if lean > 0 or swap:
        opening, close = s.say(p.lean_for, "lean", swap=swap), s.say(p.close_for, "close")
        body = s.risk() if swap else s.gain()
        concede = s.say(p.concede_gain, "concede") if swap else s.say(p.concede_risk, "concede")
        if swap:
            close = ""
    else:
        opening, close = s.say(p.lean_against, "lean"), s.say(p.close_against, "close")
        body, concede = s.risk(), s.say(p.concede_gain, "concede")
    offer = s.step(p.propose)
    if shape < 0.24:
        return [opening, body, aside, concede, close]
    if shape < 0.46:
        return [opening, concede, body, aside, offer]
    if shape < 0.66:
        return [s.question(), aside, opening, body, close]
    if shape < 0.84:
        return [aside, body, opening, concede, offer]
    return [opening, aside, body, s.question()]


def _how_lines(s: Speaker) -> tuple[str, ...]:
    p = s.persona
    if s.topic.kind is Kind.REVIEW:
        return p.on_review
    return p.on_which if s.topic.act.startswith(("settle ", "find an answer", "put ")) else p.on_how


def _asks(s: Speaker) -> str:
    """Now and then a member gives the next word to another: at most two in a round, as the seed has it."""
    b = s.brief
    voters = [m.id for m in b.seated]
    askers = ordered(voters, b.seed, s.topic.asked, "askers")[: 1 if roll(b.seed, s.topic.asked, "how many ask") < 0.7 else 2]
    if b.member.id not in askers or len(voters) < 3 or b.member.id == b.chair:
        return ""
    other = next(
        m for m in ordered(list(b.seated), b.seed, s.topic.asked, b.member.id, "asked") if m.id not in (b.member.id, b.chair)
    )
    questions = ordered(persona_of(other).asked, b.seed, s.topic.asked, "asked")
    asked = questions[askers.index(b.member.id) % len(questions)]
    return s.say(s.persona.ask, "ask", name=other.id, asked=asked)


def _round_robin(s: Speaker) -> Answer:
    """Sighted: the next speaker takes up what the last ones said, and goes on from there."""
    p, kind = s.persona, s.topic.kind
    reply = s.reply_to_others(s.leaning if kind in (Kind.SHOULD, Kind.CHOICE) else 0.3 if s.roll("mood") < 0.6 else -0.3)
    lines = _how_lines(s) if kind in (Kind.HOW, Kind.REVIEW) else p.lean_for if s.leaning > 0 else p.lean_against
    opening = s.say(lines, "opening")
    body = s.gain() if s.leaning > -0.1 else s.risk()
    offer = s.step(p.propose_how if kind is Kind.HOW else p.propose)
    shape = s.roll("shape")
    if reply and shape < 0.5:
        parts = [reply, body, s.question()]
    elif reply:
        parts = [reply, opening, s.aside(), offer]
    else:
        parts = [opening, body, s.aside(), offer]
    return Answer(s.whisper(s.leaning), join(*parts), {"point_of_order": None})


def next_word(s: Speaker, course: Course) -> Answer:
    """MENTION and CALLED: an answer to whoever gave the word."""
    p = s.persona
    name = s.name(s.brief.mentioned_by or s.brief.chair)
    parts = [s.say(p.answer, "answer", name=name)]
    told = p.told_for if s.leaning > 0 else p.told_against
    put = next((said.text for said in reversed(s.brief.transcript) if said.speaker == s.brief.mentioned_by), "")
    parts += [s.say((told[n],), "told") for n, question in enumerate(p.asked) if question in put]
    parts.append(s.risk(later=True) if s.leaning < 0 else s.gain(later=True))
    if s.roll("more") < 0.5:
        parts.append(s.reply_to_others(s.leaning))
    parts.append(s.step(p.propose))
    return Answer(s.whisper(s.leaning), join(*parts), {"point_of_order": None})


def second(s: Speaker, course: Course) -> Answer:
    motion = s.brief.motion
    value = support(s.brief, s.topic, motion.text) if motion else 0.3
    if s.brief.question and (motion is None or s.brief.question != motion.text):
        value = 0.2  # a question of procedure: let it be put
    seconds = value > -0.12
    if course.on("nosecond", s.brief):
        seconds = False
    elif course.any_course:  # a course that was asked for is not to die for want of a second
        seconds = True
    return Answer(s.whisper(value), s.say(s.persona.second if seconds else s.persona.no_second, "second"), {"second": seconds})


def debate(s: Speaker, course: Course) -> Answer:
    b, p = s.brief, s.persona
    text = b.motion.text if b.motion else ""
    value = _value(s, course)
    dissents = b.dissenter == b.member.id
    contra = dissents or value < 0
    lean = -abs(value) if contra else abs(value)
    way = direction(text, s.topic)
    # The designated dissenter argues the other side; everybody else what it has argued all along.
    open_question = s.topic.kind in (Kind.SHOULD, Kind.CHOICE)
    side = (-lean if way is Direction.HOLD else lean) if dissents or not open_question else s.leaning
    parts = []
    if dissents:
        parts.append(s.say(p.dissenter, "dissenter"))
    reply = s.reply_to_others(side)
    verdict = s.say(p.motion_against if contra else p.motion_for, "verdict")
    body = s.risk(later=True) if side < 0 else s.gain(later=True)
    shape = s.roll("shape")
    if dissents:
        parts += [verdict, body, reply]
    elif reply and shape < 0.45:
        parts += [reply, verdict]
    elif reply and shape < 0.75:
        parts += [verdict, reply, body]
    else:
        parts += [verdict, body]
    fields: dict[str, object] = {"amendment": None, "point_of_order": _point(s, course), "procedural": None}
    change = amend(b, s.topic, text) if text and _moves_amendment(s, course, value) else None
    if change is not None:
        fields["amendment"] = {"text": change.text, "summary": change.summary}
        parts.append(_amendment_words(s, change.summary))
    if course.on("table", b):
        fields["procedural"] = "lay_on_table"
        parts.append("I move that the question lie on the table until our next meeting.")
    elif course.on("previous_question", b):
        fields["procedural"] = "previous_question"
        parts.append("I move the previous question.")
    elif course.on("withdraw", b) and b.motion and b.motion.mover == b.member.id:
        fields["procedural"] = "withdraw"
        parts.append("I ask leave to withdraw the motion.")
    return Answer(s.whisper(value), join(*parts), fields)


def _amendment_words(s: Speaker, summary: str) -> str:
    lead = ordered(
        (
            "So I move to amend: my amendment {0}.",
            "I therefore offer an amendment, which {0}.",
            "Let me put that as an amendment. It {0}.",
            "I would mend it in one place, by an amendment that {0}.",
        ),
        s.brief.seed,
        s.brief.member.id,
        "amend",
    )[0]
    return lead.format(summary)


def _moves_amendment(s: Speaker, course: Course, value: float) -> bool:
    """Whether it is this member who amends: on somewhat under half of the motions one of the board does."""
    b = s.brief
    if course.on("amend", b):
        return True
    if course.any_course or b.member.id == b.chair or b.member.id == b.dissenter or (b.motion and b.motion.amended):
        return False
    if roll(b.seed, s.topic.asked, "amended") > 0.45:
        return False
    others = [m.id for m in b.seated if m.id not in (b.chair, b.dissenter)]
    return bool(others) and ordered(others, b.seed, s.topic.asked, "amender")[0] == b.member.id


def _value(s: Speaker, course: Course) -> float:
    motion = s.brief.motion
    if course.on("against", s.brief):
        return -0.6
    return support(s.brief, s.topic, motion.text) if motion else 0.2


def amendment(s: Speaker, course: Course) -> Answer:
    b, p = s.brief, s.persona
    value = _amendment_value(s, course)
    position, lines = (
        ("SUPPORT", p.amend_support)
        if value > 0.22
        else ("CONSENT", p.amend_consent)
        if value > -0.12
        else ("OBJECT", p.amend_object)
    )
    return Answer(
        s.whisper(value),
        s.say(lines, f"position {b.amendment.id if b.amendment else ''}"),
        {"position": position, "amendment": None},
    )


def _amendment_value(s: Speaker, course: Course) -> float:
    b = s.brief
    summary = b.amendment.summary if b.amendment else ""
    value = likes_amendment(s.persona, summary, roll(b.seed, s.topic.asked, b.member.id, "amendment", summary) - 0.5)
    if course.any_on("contest"):
        seats = [m.id for m in b.seated]
        value = 0.6 if seats.index(b.member.id) % 2 == 0 else -0.6
    return value


def appeal(s: Speaker, course: Course) -> Answer:
    appeals = course.on("appeal", s.brief)
    return Answer(s.whisper(0.0), s.say(s.persona.appeal if appeals else s.persona.no_appeal, "appeal"), {"appeal": appeals})


def consent(s: Speaker, course: Course) -> Answer:
    objects = course.on("object", s.brief) or (not course.any_course and s.roll("consent", s.brief.question) < 0.12)
    return Answer(
        s.whisper(0.0), s.say(s.persona.objection if objects else s.persona.no_objection, "consent"), {"objection": objects}
    )


def vote(s: Speaker, course: Course) -> Answer:
    b, p = s.brief, s.persona
    if b.amendment is not None:
        return _vote_amendment(s, course)
    if b.question and (b.motion is None or b.question.strip() != b.motion.text.strip()):
        return _vote_other(s, course)
    value = _value(s, course)
    choice = "FOR" if value > 0 else "ABSTAIN" if value > -0.05 else "AGAINST"
    if course.any_on("tie"):
        seats = [m.id for m in b.seated]
        place = seats.index(b.member.id) if b.member.id in seats else 0
        choice = "ABSTAIN" if place == len(seats) - 1 and len(seats) % 2 else ("FOR", "AGAINST")[place % 2]
    if course.on("against", b):
        choice = "AGAINST"
    way = direction(b.motion.text, s.topic) if b.motion else Direction.GO
    open_question = s.topic.kind in (Kind.SHOULD, Kind.CHOICE)
    turned = way is Direction.HOLD or (open_question and s.leaning > 0 and choice == "AGAINST")
    dissent = ""
    if choice == "FOR" and s.leaning < -0.05 and open_question and way is not Direction.HOLD:
        reason = s.say(p.reason_won_over, "reason")
    elif choice == "FOR":
        reason = _reason(s, p.reason_for, turned)
    elif choice == "AGAINST":
        reason = _reason(s, p.reason_against, turned)
        dissent = _dissent(s, turned)
    else:
        reason = s.say(p.reason_abstain, "reason")
    spoken = _VOTES[choice].get(b.member.id, _VOTES[choice][""])
    return Answer(s.whisper(value), join(spoken, reason), {"vote": choice, "reason": join(reason), "dissent": join(dissent)})


def _reason(s: Speaker, lines: tuple[str, ...], turned: bool) -> str:
    """Where a motion holds a thing back, the risk speaks for it and the gain against it: the clauses change places."""
    m = s.matter
    if not turned:
        return s.say(lines, "reason")
    return s.say(lines, "reason", swap=True, gain=m.risk, risk=m.gain)


def _dissent(s: Speaker, turned: bool) -> str:
    m = s.matter
    if turned:
        return s.say(s.persona.dissent, "dissent", swap=True, risk=m.gain)
    return s.say(s.persona.dissent, "dissent", risk=m.risk)


def _vote_amendment(s: Speaker, course: Course) -> Answer:
    assert s.brief.amendment is not None
    own = s.brief.amendment.mover == s.brief.member.id
    value = 0.8 if own else _amendment_value(s, course)
    choice = "FOR" if value > -0.12 else "AGAINST"
    p = s.persona
    reason = s.say(p.amend_own if own else p.amend_for if choice == "FOR" else p.amend_against, "amendment vote")
    spoken = "For the amendment." if choice == "FOR" else "Against the amendment."
    dissent = (
        ""
        if choice == "FOR"
        else f"I held the motion to be better without this amendment, which {sayable(s.brief.amendment.summary)}."
    )
    return Answer(s.whisper(value), join(spoken, reason), {"vote": choice, "reason": join(reason), "dissent": dissent})


def _vote_other(s: Speaker, course: Course) -> Answer:
    """Tabling, closing debate, adjourning, an appeal: questions of procedure."""
    yes = s.roll("procedure", s.brief.question) < (0.8 if course.any_course else 0.55)
    choice = "FOR" if yes else "AGAINST"
    reason = "The board has what it needs for that." if yes else "I would rather that the board went on with the question."
    spoken = "For." if yes else "Against."
    return Answer(s.whisper(0.1), join(spoken, reason), {"vote": choice, "reason": reason, "dissent": "" if yes else reason})


_POINTS = (
    "Remarks go through the chair; the last speaker addressed a member directly.",
    "The debate has left the question; it ought to be germane to the item before the board.",
)


def _point(s: Speaker, course: Course) -> str | None:
    if not course.on("point", s.brief):
        return None
    return ordered(_POINTS, s.brief.seed, s.brief.member.id)[0]


BY_PURPOSE: dict[Purpose, Callable[[Speaker, Course], Answer]] = {
    Purpose.ROLL_CALL: roll_call,
    Purpose.DISCUSSION: discussion,
    Purpose.MENTION: next_word,
    Purpose.CALLED: next_word,
    Purpose.SECOND: second,
    Purpose.DEBATE: debate,
    Purpose.AMENDMENT: amendment,
    Purpose.APPEAL: appeal,
    Purpose.CONSENT: consent,
    Purpose.VOTE: vote,
}


def answer(brief: Brief, course: Course) -> Answer | None:
    """The member's answer; None where the purpose is the chairman's."""
    by = BY_PURPOSE.get(brief.purpose)
    return by(Speaker(brief), course) if by else None
