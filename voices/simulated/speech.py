"""A member's sentences: chosen so that nobody repeats anybody, and filled with the topic's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from parliament.values import Purpose
from voices.base import Brief, Line
from voices.simulated.chance import ordered, roll
from voices.simulated.drafting import dates_in, long_date, span_in_words
from voices.simulated.grammar import capital, tidy
from voices.simulated.matter import Matter, Point, fill_topic, matter_of, points_made
from voices.simulated.personas import KNOWN, Persona, persona_of
from voices.simulated.stance import leaning
from voices.simulated.topic import Kind, Topic, analyse, sayable

_STAY_SLOTS = {"stay", "staying", "Staying"}
_ACT_SLOTS = _STAY_SLOTS | {"act", "acting", "Acting_cap", "term", "thing"}
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_SLOT = re.compile(r"\{(\w+)\}")
_FIGURE_LINES = {
    "data": "{figure} is the one hard figure we've been handed, so I anchor on it.",
    "people": "{figure} sounds like a number, and for somebody it's an evening at the kitchen table.",
    "focus": "Everyone will stare at {figure}. Look past it.",
    "vigor": "{figure}! Well, a person has been daunted by less and lived to laugh at it.",
    "engineering": "{figure}, okay, that's an actual number. Start from there.",
    "curiosity": "I wrote {figure} at the top of the page and drew a circle round it, for it is hiding something.",
    "duty": "The figure of {figure} will seem larger tonight than it does in ten years.",
}
_BOOK_LINES = {
    "data": "The board book has this: “{line}”. I'd start from that and not from impressions.",
    "people": "I was touched by one line in the board book, “{line}”, since there's a person behind it.",
    "focus": "One line in the board book matters: “{line}”. Skip the rest.",
    "vigor": "I read in the board book, “{line}”, and it gave me an appetite for action.",
    "engineering": "Board book says “{line}”. That's the data point I'd use.",
    "curiosity": "In the board book somebody has written “{line}”, and I should like to know what lies under it.",
    "duty": "The board book records, “{line}”. Let us judge by that, and not by the mood of the week.",
}
_PAPER_LINES = {
    "data": "The item itself says “{line}”, and that's the part I'd check first.",
    "people": "The paper says “{line}”. I read that sentence twice.",
    "focus": "The whole thing is in one line of the paper: “{line}”.",
    "vigor": "“{line}”, says the paper, and there's the rub!",
    "engineering": "The paper's key input is “{line}”.",
    "curiosity": "What caught my eye in the paper was this: “{line}”.",
    "duty": "We have been told, “{line}”, and that much we may take as given.",
}


@dataclass(frozen=True)
class Speaker:
    """One member about to be heard."""

    brief: Brief

    @cached_property
    def persona(self) -> Persona:
        return persona_of(self.brief.member)

    @cached_property
    def topic(self) -> Topic:
        item = self.brief.item or self.brief.agenda[0]
        return analyse(item)

    @cached_property
    def matter(self) -> Matter:
        return matter_of(self.brief, self.topic)

    @cached_property
    def leaning(self) -> float:
        return leaning(self.brief, self.topic)

    @cached_property
    def points(self) -> list[Point]:
        return points_made(self.brief, self.topic)

    @cached_property
    def _own_words(self) -> str:
        return "\n".join(said.text.lower() for said in self.brief.transcript if said.speaker == self.brief.member.id)

    @cached_property
    def words_of_all(self) -> str:
        return "\n".join(said.text.lower() for said in self.brief.transcript)

    def name(self, member_id: str | None) -> str:
        """The first name by which members call each other; in full where two share it."""
        full = next((m.name for m in self.brief.seated if m.id == member_id), "the last speaker")
        return short_name(full, [m.name for m in self.brief.seated])

    def short(self, full: str) -> str:
        return short_name(full, [m.name for m in self.brief.seated])

    def roll(self, *about: object) -> float:
        b = self.brief
        return roll(
            b.seed, b.item.topic if b.item else b.agenda[0].topic if b.agenda else "", b.purpose, b.round, b.member.id, *about
        )

    def _slots(self, swap: bool) -> dict[str, str]:
        topic, matter = self.topic, self.matter
        act, acting, stay, staying = topic.short, topic.acting, topic.other, topic.othering
        thing, term = topic.thing, topic.term
        if swap:
            act, acting, stay, staying = stay, staying, act, acting
            thing, term = acting, acting
        slots = {
            "act": act,
            "acting": acting,
            "stay": stay,
            "staying": staying,
            "thing": thing,
            "term": term,
            "gain": matter.gain,
            "risk": matter.risk,
            "step": matter.step,
            "noun": topic.domain.noun,
            "stake": topic.domain.stake,
        }
        motion = self.brief.motion.text if self.brief.motion else ""
        slots["bit"], slots["clause"] = self._bits(motion)
        return slots

    def _bits(self, motion: str) -> tuple[str, str]:
        """(its date or term, its condition or its duty to report), in words; the wording itself where it has none."""
        days = dates_in(motion)
        times = [f"the date of {long_date(max(days))}", f"a term of {span_in_words(self.brief, motion)}"] if days else []
        clauses = []
        if "provided that" in motion:
            clauses.append("the condition in the middle of it")
        if "unless" in motion:
            clauses.append("the word “unless” in it")
        if "report" in motion or "to the board" in motion or "before the board" in motion:
            clauses.append("the duty to report back")
        bit = ordered(times or ["the wording as read"], self.brief.seed, self.brief.member.id, "bit")[0]
        return bit, ordered(clauses or times or ["the wording as read"], self.brief.seed, self.brief.member.id, "clause")[0]

    def say(self, lines: Sequence[str], key: str, *, swap: bool = False, **more: str) -> str:
        """One of the lines, filled; one that this member has not used in this meeting, as long as there is one."""
        if self.topic.kind in (Kind.HOW, Kind.REVIEW):
            # There is no act to be for or against, only a way of going about it.
            barred = _ACT_SLOTS if self.brief.purpose is Purpose.VOTE else _STAY_SLOTS
            lines = [text for text in lines if not barred & set(_SLOT.findall(text))] or lines
        order = self._order(lines, key)
        used = self._own_words if self.brief.member.id in KNOWN else self.words_of_all
        slots = self._slots(swap) | more
        fresh = [text for text in order if skeleton(text) not in used]
        new = [text for text in fresh if not self._said(fill(text, slots))]
        return fill((new or fresh or order)[0], slots)

    def _said(self, text: str) -> bool:
        """Whether one of the text's longer sentences stands in the transcript already, word for word."""
        return any(len(part.split()) > 6 and part.lower() in self.words_of_all for part in _SENTENCE_END.split(tidy(text)))

    def _order(self, lines: Sequence[str], key: str) -> list[str]:
        """The lines as this member would try them. Plain speakers share their lines, so each seat starts at another one."""
        b = self.brief
        if b.member.id in KNOWN:
            return ordered(lines, b.seed, self.topic.asked, b.member.id, key, b.round)
        order = ordered(lines, b.seed, self.topic.asked, key, b.round)
        plain = [m.id for m in b.seated if m.id not in KNOWN]
        place = (plain.index(b.member.id) if b.member.id in plain else 0) % len(order)
        return order[place:] + order[:place]

    # -- pieces of speeches ------------------------------------------------------------------------------------------

    def gain(self, *, later: bool = False) -> str:
        return self.say(self.persona.say_gain, "gain", gain=self.matter.more_gain if later else self.matter.gain)

    def risk(self, *, later: bool = False) -> str:
        return self.say(self.persona.say_risk, "risk", risk=self.matter.more_risk if later else self.matter.risk)

    def aside(self) -> str:
        """A sentence on a figure, the board book or the item's own paper, when this member is the one to bring it up."""
        brief, topic = self.brief, self.topic
        if not brief.item:
            return ""
        order = ordered([m.id for m in brief.seated], brief.seed, topic.asked, "aside")
        place = order.index(brief.member.id) if brief.member.id in order else 9
        paper = _sentences(f"{brief.item.description}. {brief.item.user_commentary}")
        book = relevant_lines(brief.board_book, topic)
        offers: list[tuple[dict[str, str], dict[str, str]]] = []
        offers += [(_BOOK_LINES, {"line": line}) for line in book[:2]]
        offers += [(_PAPER_LINES, {"line": line}) for line in paper[:2]]
        offers += [(_FIGURE_LINES, {"figure": figure}) for figure in topic.figures[:1]]
        if place >= len(offers):
            return ""
        lines, slots = offers[place]
        if any(value.lower() in self.words_of_all for value in slots.values() if len(value) > 12):
            return ""
        return capital(fill(lines[self.persona.lens], slots))

    def question(self) -> str:
        """The member's question; "" when it has been asked."""
        return "" if self.matter.question.lower() in self.words_of_all else self.matter.question

    def step(self, lines: Sequence[str]) -> str:
        """The member's proposal; its question instead when the proposal has been made."""
        if self.matter.step.lower() in self.words_of_all:
            return self.question()
        return self.say(lines, "propose")

    def reply_to_others(self, lean: float) -> str:
        """Agreement or rebuttal of something that another member has brought up; "" when nothing is there to answer."""
        if not self.points:
            return ""
        favourable = lean > 0
        mine = {self.matter.gain, self.matter.risk, self.matter.more_gain, self.matter.more_risk}
        open_points = [p for p in self.points if p.clause not in mine]
        against = [p for p in open_points if p.favours is not favourable]
        along = [p for p in open_points if p.favours is favourable]
        rebuts = bool(against) and (not along or self.roll("rebut") < 0.62)
        chosen = against if rebuts else along
        if not chosen:
            return ""
        # Least answered first, so that the board does not fall upon one sentence.
        ranked = sorted(
            ordered(chosen, self.brief.seed, self.topic.asked, self.brief.member.id, self.brief.purpose),
            key=lambda p: self.words_of_all.count(p.clause.lower()),
        )
        seats = [m.id for m in self.brief.seated]
        n = seats.index(self.brief.member.id) if self.brief.member.id in seats else 0
        sighted = self.brief.purpose is Purpose.DISCUSSION  # one after another: the least answered comes next
        point = ranked[0 if sighted else n % min(len(ranked), 3)]
        lines = self.persona.rebut if rebuts else self.persona.agree
        return self.say(lines, "reply", name=self.name(point.speaker), point=point.clause)

    def last_of_others(self) -> Line | None:
        for said in reversed(self.brief.transcript):
            if said.speaker not in ("clerk", "shareholder", self.brief.member.id):
                return said
        return None

    def whisper(self, lean: float) -> str:
        pool = self.persona.whisper_doubt if abs(lean) < 0.3 or self.roll("doubt") < 0.3 else self.persona.whisper
        return tidy(self.say(pool, f"whisper {self.brief.purpose}"))


def short_name(full: str, everybody: Sequence[str]) -> str:
    full = sayable(full, 80) or "the member"  # a persona file's text: nothing in it may act in the chair's mouth
    first = full.split()[0]
    if len(first.strip(".")) < 2:
        return full
    if first.lower() in ("dr", "dr.", "mr", "mrs", "ms", "prof", "prof.", "the", "sir"):
        return full
    return full if sum(sayable(name, 80).split()[:1] == [first] for name in everybody) > 1 else first


def skeleton(template: str) -> str:
    """The longest piece of a template between its slots: what gives a sentence away when it is used again."""
    return max(_SLOT.split(template)[::2], key=len).strip().lower()


def fill(template: str, slots: dict[str, str]) -> str:
    """The template with its slots filled, once: what is filled in is not read again. `{Gain}` is `{gain}` with a capital."""

    def value(match: re.Match[str]) -> str:
        slot = match[1]
        if slot.endswith("_cap"):
            slot = slot[:-4]
            return capital(slots[slot[0].lower() + slot[1:]])
        if slot[0].isupper():
            return capital(slots[slot[0].lower() + slot[1:]])
        return slots[slot]

    return _SLOT.sub(value, template)


def _sentences(text: str) -> list[str]:
    clean = sayable(text, 1200)
    pieces = [s.strip(" .") for s in re.split(r"(?<=[.!?])\s+|;\s|\n", clean)]
    return [s for s in pieces if 3 <= len(s.split()) <= 24]


def relevant_lines(book: str, topic: Topic) -> list[str]:
    """The board book's lines that speak of the topic or of its field, those with figures first."""
    words = {w.lower() for w in re.findall(r"[^\W_]{4,}", f"{topic.asked} {topic.thing}")} | topic.domain.words
    ranked: list[tuple[int, int, str]] = []
    for n, raw in enumerate(book.splitlines()[:400]):
        line = sayable(re.sub(r"^[\s#>*\-•\d.)]+", "", raw), 160).strip(" .")
        found = len(words & {w.lower() for w in re.findall(r"[^\W_]+", line)})
        if found and 3 <= len(line.split()) <= 26 and not raw.lstrip().startswith("#"):
            ranked.append((-found - (1 if re.search(r"\d", line) else 0), n, line))
    return [line for _, _, line in sorted(ranked)[:4]]


def join(*parts: str) -> str:
    return tidy(" ".join(part for part in parts if part))


_STANDING = frozenset({"wait", "stay", "keep", "hold", "delay", "postpone", "remain", "leave"})
"""What nobody argues for as a deed: those who prefer it speak against the other."""


def swap_sides(topic: Topic, lean: float, chance: float) -> bool:
    """Whether a member who prefers the second of two things argues for that one, rather than against the first."""
    return topic.kind is Kind.CHOICE and lean < 0 and chance < 0.6 and topic.other.split(" ", 1)[0] not in _STANDING


def fill_domain(text: str, topic: Topic) -> str:
    return fill_topic(text, topic)
