"""A small driver that walks briefs of a whole meeting past a voice: no workflow, no store, only who is asked for what.

It is no second procedure: it follows source 000's phases as far as needed to hear every purpose in its place.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from parliament.roster import Roster, RosterEntry
from parliament.seating import choose_dissenter, select_meeting_attendees
from parliament.values import CLERK, ItemType, Phase, Purpose, Vote
from personas.loader import load_board, load_composition
from voices.base import AmendmentBrief, Brief, DecisionBrief, ItemBrief, Line, MemberBrief, MotionBrief, VoiceReply
from voices.replies import Heard, read
from voices.simulated import answer
from voices.simulated.chance import ordered
from voices.simulated.faults import Course
from voices.simulated.forms import as_json
from voices.simulated.reply import Answer

BOARD = load_board()
MEMBERS = {p.id: MemberBrief(p.id, p.display_name, p.role, p.perspective, p.themes, p.aliases, p.instructions) for p in BOARD}


def item_of(topic: str, type_: ItemType = ItemType.DECISION, number: int = 1, **texts: str) -> ItemBrief:
    return ItemBrief(f"agenda-{number}", topic, type_, 15, number=number, **texts)


def seated_for(items: tuple[ItemBrief, ...]) -> tuple[MemberBrief, ...]:
    themes = {p.id: p.themes for p in BOARD}
    return tuple(MEMBERS[m] for m in select_meeting_attendees(items, load_composition(), themes))


def roster_of(seated: tuple[MemberBrief, ...]) -> Roster:
    return Roster(tuple(RosterEntry(m.id, m.name, m.aliases) for m in seated))


def brief_for(
    purpose: Purpose,
    member: str = "aurelius",
    topic: str = "Should I take the job in Lisbon?",
    *,
    seed: int = 7,
    **changes: object,
) -> Brief:
    """One brief for one purpose, with everything filled in that the purpose speaks of."""
    item = item_of(topic)
    seated = tuple(MEMBERS.values())
    text = "RESOLVED, That the shareholder shall give an answer in writing by 14 December 2026."
    brief = Brief(
        meeting_id="mtg-0000000a",
        meeting_name="A board meeting",
        date="2026-11-23",
        phase=Phase.DISCUSSION,
        purpose=purpose,
        round=1,
        member=MEMBERS[member],
        chair="aurelius",
        seated=seated,
        agenda=(item,),
        item=None if purpose in (Purpose.OPENING, Purpose.ROLL_CALL, Purpose.CLOSING, Purpose.ADJOURNMENT) else item,
        motion=MotionBrief("MOT-1", text, "aurelius", "dalio")
        if purpose not in (Purpose.OPENING, Purpose.DISCUSSION)
        else None,
        amendment=AmendmentBrief(
            "AMD-1", "musk", text.replace("14", "7"), "brings the date forward from 14 December 2026 to 7 December 2026"
        )
        if purpose is Purpose.AMENDMENT
        else None,
        question="That the pending question be laid on the table." if purpose is Purpose.CONSENT else "",
        mentioned_by="dalio" if purpose in (Purpose.MENTION, Purpose.CALLED) else None,
        user_input="I forgot to say that they want an answer by Friday." if purpose is Purpose.INPUT else "",
        point="Remarks go through the chair." if purpose in (Purpose.RULING, Purpose.APPEAL) else "",
        seed=seed,
    )
    return replace(brief, **changes)  # type: ignore[arg-type]


@dataclass
class Walk:
    """A meeting as it was heard."""

    seated: tuple[MemberBrief, ...]
    lines: list[Line] = field(default_factory=list)
    answers: list[tuple[Brief, Answer]] = field(default_factory=list)
    motions: list[str] = field(default_factory=list)  # as finally put
    votes: list[dict[str, str]] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    dissents: list[tuple[str, str]] = field(default_factory=list)
    amendments: list[str] = field(default_factory=list)

    def speeches(self, *purposes: Purpose) -> list[Line]:
        wanted = {p.value for p in purposes}
        return [said for said in self.lines if said.speaker != CLERK and (not wanted or said.purpose in wanted)]

    def text(self) -> str:
        return "\n".join(f"{said.name}: {said.text}" for said in self.lines)


class Walker:
    def __init__(
        self, items: tuple[ItemBrief, ...], seed: int, seats: tuple[str, ...] | None, faults: Course, book: str
    ) -> None:
        self.items, self.seed, self.course = items, seed, faults
        seated = tuple(MEMBERS[m] for m in seats) if seats else seated_for(items)
        self.walk = Walk(seated)
        self.roster = roster_of(seated)
        self.chair = seated[0].id
        self.base = Brief(
            meeting_id="mtg-0000000a",
            meeting_name="A board meeting",
            date="2026-11-23",
            phase=Phase.OPENING,
            purpose=Purpose.OPENING,
            round=1,
            member=seated[0],
            chair=self.chair,
            seated=seated,
            agenda=items,
            item=None,
            board_book=book,
            seed=seed,
        )

    def hear(self, purpose: Purpose, members: list[str], **known: object) -> dict[str, Heard]:
        """A blind round."""
        before = tuple(self.walk.lines)
        heard: dict[str, Heard] = {}
        for member in ordered(members, self.seed, purpose, len(before)):
            brief = replace(self.base, purpose=purpose, member=self.member(member), transcript=before, **known)  # type: ignore[arg-type]
            said = answer(brief, self.course)
            chairman = member == self.chair
            found = read(purpose, VoiceReply(as_json(said, purpose, chairman=chairman)), chairman=chairman, roster=self.roster)
            self.walk.answers.append((brief, said))
            heard[member] = found
            self.line(member, found.speaking, purpose)
        return heard

    def member(self, member_id: str) -> MemberBrief:
        return next(m for m in self.walk.seated if m.id == member_id)

    def line(self, speaker: str, text: str, purpose: Purpose | str) -> None:
        name = "Clerk" if speaker == CLERK else self.member(speaker).name
        item = self.base.item.id if self.base.item else None
        self.walk.lines.append(Line(len(self.walk.lines) + 1, speaker, name, text, str(purpose), item))

    def run(self) -> Walk:
        everybody = [m.id for m in self.walk.seated]
        self.hear(Purpose.OPENING, [self.chair])
        self.hear(Purpose.ROLL_CALL, everybody)
        decisions: list[DecisionBrief] = []
        for item in self.items:
            self.base = replace(self.base, item=item, decisions=tuple(decisions))
            self.line(CLERK, f"Item {item.number}: {item.topic}", "item")
            self.hear(Purpose.INTRO, [self.chair])
            if item.type is not ItemType.DECISION:
                for member in ordered(everybody, self.seed, "robin"):
                    self.hear(Purpose.DISCUSSION, [member])
                self.hear(Purpose.SUMMARY, [self.chair])
                continue
            decisions.append(self.decide(item, everybody))
        self.base = replace(self.base, item=None, decisions=tuple(decisions))
        self.hear(Purpose.CLOSING, [self.chair])
        self.hear(Purpose.ADJOURNMENT, [self.chair])
        return self.walk

    def decide(self, item: ItemBrief, everybody: list[str]) -> DecisionBrief:
        walk = self.walk
        replies = self.hear(Purpose.DISCUSSION, everybody)
        named = {other: by for by, heard in replies.items() for other in heard.mentions if other != by}
        for other, by in list(named.items())[:2]:
            self.hear(Purpose.MENTION, [other], mentioned_by=by)
        moved = self.hear(Purpose.MOTION, [self.chair])[self.chair]
        text = moved.motion or ""
        motion = MotionBrief("MOT-1", text, self.chair)
        others = [m for m in everybody if m != self.chair]
        seconds = [m for m, heard in self.hear(Purpose.SECOND, others, motion=motion).items() if heard.second]
        if not seconds:
            walk.motions.append(text)
            walk.votes.append({})
            walk.statuses.append("unseconded")
            return DecisionBrief(item.id, item.topic, text, "unseconded")
        self.line(CLERK, f"Seconded by {self.member(seconds[0]).name}. The question is before the board.", "clerk")
        motion = replace(motion, seconder=seconds[0])
        seats = [p.seat() for p in BOARD if p.id in everybody]
        dissenter = choose_dissenter(text, seats, exclude={self.chair})
        debate = self.hear(Purpose.DEBATE, everybody, motion=motion, dissenter=dissenter)
        for member, heard in debate.items():
            if heard.amendment is None:
                continue
            amendment = AmendmentBrief(f"AMD-{member}", member, heard.amendment.text, heard.amendment.summary)
            rest = [m for m in everybody if m != member]
            self.line(CLERK, f"{self.member(member).name} moves to amend: {amendment.summary}", "clerk")
            positions = self.hear(Purpose.AMENDMENT, rest, motion=motion, amendment=amendment)
            objects = [m for m, h in positions.items() if h.position == "object"]
            how = "by consent"
            carried = not objects
            if objects:
                supporters = [m for m, h in positions.items() if h.position == "support"]
                how = "unseconded"
                if supporters:
                    ballot = self.hear(Purpose.VOTE, everybody, motion=motion, amendment=amendment)
                    count = Counter(h.vote for h in ballot.values())
                    carried, how = count[Vote.FOR] > count[Vote.AGAINST], "by vote"
            walk.amendments.append(f"{how}, {'carried' if carried else 'lost'}: {amendment.summary}")
            self.line(CLERK, f"The amendment is {'agreed to' if carried else 'not agreed to'} ({how}).", "clerk")
            if carried:
                motion = replace(motion, text=amendment.text, amended=True)
        ballot = self.hear(Purpose.VOTE, everybody, motion=motion, dissenter=dissenter)
        votes = {m: h.vote for m, h in ballot.items()}
        count = Counter(votes.values())
        status = (
            "adopted" if count[Vote.FOR] > count[Vote.AGAINST] else "tied" if count[Vote.FOR] == count[Vote.AGAINST] else "lost"
        )
        dissents = tuple((m, h.dissent) for m, h in ballot.items() if h.dissent)
        walk.motions.append(motion.text)
        walk.votes.append({m: str(v) for m, v in votes.items()})
        walk.statuses.append(status)
        walk.dissents += dissents
        self.line(
            CLERK,
            (f"The motion: {count[Vote.FOR]} for, {count[Vote.AGAINST]} against, {count[Vote.ABSTAIN]} abstaining. {status}"),
            "clerk",
        )
        decision = DecisionBrief(
            item.id,
            item.topic,
            motion.text,
            status,
            tuple(m for m, v in votes.items() if v is Vote.FOR),
            tuple(m for m, v in votes.items() if v is Vote.AGAINST),
            tuple(m for m, v in votes.items() if v is Vote.ABSTAIN),
            dissents,
        )
        if status == "adopted":
            self.base = replace(self.base, decisions=(*self.base.decisions, decision))
            self.hear(Purpose.ACTION_ITEMS, [self.chair], motion=motion)
        return decision


def hold(
    *topics: str | ItemBrief, seed: int = 7, seats: tuple[str, ...] | None = None, course: Course | None = None, book: str = ""
) -> Walk:
    """Hear a whole meeting on these topics."""
    items = tuple(t if isinstance(t, ItemBrief) else item_of(t, number=n) for n, t in enumerate(topics, 1))
    return Walker(items, seed, seats, course or Course(), book).run()
