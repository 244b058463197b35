"""What a simulated director says: from the proposal, its office and the seed alone; the same brief gives the same words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from protocols.proposal_review import ReviewPurpose, Standing, Verdict
from voices.base import DirectorBrief
from voices.directors.prompts import matters_for
from voices.simulated.chance import pick, roll
from voices.simulated.directors.aspects import Aspect
from voices.simulated.directors.domains import DOMAINS, Domain, ask_in, aspect_in, domain_of
from voices.simulated.directors.proposal import Proposal, Sentence, look, quoted
from voices.simulated.reply import Wire

_OPEN = re.compile(
    r"\b(?:tbd|todo|to be decided|not (?:yet )?(?:decided|known|clear|agreed|planned|set)|"
    r"undecided|have not|do(?: not|n't) know|unclear|for now|"
    r"open questions?|nobody (?:is on call|has|knows|owns|can say)|no plan|no risks are known|by hand|manual(?:ly)?|hope|asap|"
    r"later we could)\b",
    re.IGNORECASE,
)
_COVERED = (
    "{Name}: the proposal says {quote}.",
    "On {name} there is {quote}.",
    "For {name} I rely on {quote}.",
)
_LEFT = (
    "The proposal does not say {gap}, and {why}; {mend}, and I am content.",
    "I do not find {gap}: {why}. What removes this: {mend}.",
    "Nothing tells me {gap}, though {why}; before this goes ahead, {mend}.",
)
_OPEN_SAID = (
    "{Name}: it is left open, {quote}, and {why}; {mend}, and it is settled.",
    "It is still undecided, {quote}: {why}. What removes this for {name}: {mend}.",
)
_LEANINGS = {
    Verdict.APPROVE: "For {noun} “{proposal}” can go ahead: {have} of the {all} things I look for are there.",
    Verdict.CONCERNS: "For {noun} “{proposal}” is not ready as it stands: {have} of the {all} things I look for are there.",
    Verdict.REJECT: "For {noun} “{proposal}” should not go ahead: {have} of the {all} things that I look for are there.",
}


@dataclass(frozen=True)
class View:
    """What this director found in the proposal."""

    covered: tuple[tuple[Aspect, Sentence], ...]
    left_open: tuple[tuple[Aspect, Sentence], ...]
    missing: tuple[Aspect, ...]
    score: int
    verdict: Verdict


def answer_director(brief: DirectorBrief, faults: set[str]) -> Wire:
    """The reply in its wire form; the faults of replies spoil it as they spoil any other.

    The seed chooses words only: what a director finds, and how it votes, follows from the proposal, so that the same proposal
    before the same board has the same result.
    """
    if "refusal" in faults:
        return Wire("", (), "refusal")
    proposal = look(brief.documents)
    domain = domain_of(brief.director, brief.member.themes)
    view = _view(proposal, domain)
    match brief.purpose:
        case ReviewPurpose.ASSESSMENT:
            said = _assess(brief, proposal, domain, view)
        case ReviewPurpose.FINAL_VOTE:
            said = _vote(brief, domain, view)
        case _:
            said = _discuss(brief, proposal, domain, view)
    return _spoilt(brief, said, faults)


def _spoilt(brief: DirectorBrief, said: dict[str, Any], faults: set[str]) -> Wire:
    thinking, text = str(said["thinking"]), json.dumps(said, ensure_ascii=False)
    if "malformed" in faults:
        return Wire(
            f"As {brief.director.title} I have looked at it, and there is much to be said on either side.", (), "end_turn"
        )
    if "prose_votes" in faults:
        return Wire(_in_prose(brief, said), (), "end_turn")
    if "plain" in faults:
        text = f"<thinking>{thinking}</thinking>\nHere it is:\n```json\n{json.dumps(said, indent=1, ensure_ascii=False)}\n```"
    if "unclosed_tags" in faults:
        return Wire(f"<thinking>{thinking} {text}", (), "end_turn", len(text.split()))
    if "truncated" in faults:
        return Wire(text[: len(text) // 2], (), "max_tokens", len(thinking.split()))
    if "no_score" in faults and "score" in said:
        text = json.dumps(said | {"score": "N/A"}, ensure_ascii=False)
    if "votes_twice" in faults and "final_verdict" in said:
        other = "REJECT" if said["final_verdict"] == "APPROVE" else "APPROVE"
        text += "\n" + json.dumps(said | {"final_verdict": other}, ensure_ascii=False)
    if "early_vote" in faults and "answers" in said:
        text = json.dumps(said | {"final_verdict": "REJECT"}, ensure_ascii=False)
    if "asks_nobody" in faults and "questions_for_board" in said:
        text = json.dumps(said | {"questions_for_board": ["Who pays for all of this in the end?"]}, ensure_ascii=False)
    return Wire(text, (), "end_turn", len(thinking.split()))


def _in_prose(brief: DirectorBrief, said: dict[str, Any]) -> str:
    if "final_verdict" in said:
        return f"{said['speaking']} My vote is {said['final_verdict']}, with a confidence of {said['confidence']}."
    if "verdict" in said:
        points = "\n".join(f"- {point}" for point in said["key_points"])
        return f"{said['speaking']}\n\nVerdict: {said['verdict']}. Score: {said['score']}.\n{points}"
    return str(said["speaking"])


# -- what it makes of the proposal -------------------------------------------------------------------------------------


def _view(proposal: Proposal, domain: Domain) -> View:
    covered, left_open, missing = [], [], []
    used: frozenset[str] = frozenset()
    lost = 0.0
    aspects = domain.aspects(proposal.kind, people=proposal.people)
    for aspect in aspects:
        found = proposal.find(aspect.words, but=used, code=domain.reads_code, outside=aspect.outside)
        if found is None and proposal.is_diff:
            path = next((one for one in proposal.files if aspect.words.search(one.replace("_", " "))), None)
            found = Sentence(path, f"{path} is changed") if path is not None else None
        if found is None:
            missing.append(aspect)
            lost += 1.7 * aspect.weight
            continue
        used = used | {found.text}
        after = proposal.after(found)
        if _OPEN.search(found.text if aspect.outside else f"{found.section}: {found.text}"):
            left_open.append((aspect, found))
            lost += 1.3 * aspect.weight
        elif after is not None and _OPEN.search(after.text):
            left_open.append((aspect, replace(found, text=f"{found.text} {after.text}")))
            lost += 1.3 * aspect.weight
        else:
            covered.append((aspect, found))
    lost *= 5 / max(1, sum(one.weight for one in aspects))
    score = max(1, min(10, round(10 - lost)))
    verdict = Verdict.APPROVE if score >= 7 else Verdict.CONCERNS if score >= 4 else Verdict.REJECT
    return View(tuple(covered), tuple(left_open), tuple(missing), score, verdict)


def _titled(brief: DirectorBrief, proposal: Proposal) -> str:
    """What the proposal is called: as the person called it."""
    return brief.meeting_name or proposal.title


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _assess(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View) -> dict[str, Any]:
    quotable = {sentence.text: (aspect, sentence) for aspect, sentence in reversed(view.covered)}  # each sentence once
    first = sorted(quotable.values(), key=view.covered.index)
    points = [_covered(brief, aspect, sentence) for aspect, sentence in first[:3]]
    if proposal.is_diff:
        office = next((name for name, one in _OFFICES if one is domain), "")
        points = [text for about, text in proposal.facts if about == office][:3] + points[:2]
    if proposal.is_diff and (domain.reads_code or not points):
        shown = ", ".join(proposal.files[:3]) + (" and more" if len(proposal.files) > 3 else "")
        points.append(f"The change adds {proposal.added} lines and removes {proposal.removed}, in {shown}.")
    if not points:
        points = [f"I find nothing in “{_titled(brief, proposal)}” that I could rely on for {domain.noun}."]
    concerns = [_concern(brief, aspect, sentence) for aspect, sentence in _wanting(view)[:4]]
    leaning = _LEANINGS[view.verdict].format(
        noun=domain.noun, proposal=_titled(brief, proposal), have=_number(len(view.covered)), all=_number(_all(view))
    )
    said: dict[str, Any] = {
        "thinking": f"{len(view.covered)} of {_all(view)} things that I need are there.",
        "speaking": leaning,
        "verdict": view.verdict.value,
        "score": view.score,
        "key_points": points,
        "concerns": concerns,
        "questions_for_board": _questions(brief, proposal, domain, view),
    }
    if brief.earlier is not None:
        said["what_changed"] = _changed(brief, proposal, domain, view)
    return said


_OFFICES = (("technical", DOMAINS[0]), ("security", DOMAINS[2]))
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _number(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def _all(view: View) -> int:
    return len(view.covered) + len(view.left_open) + len(view.missing)


def _wanting(view: View) -> list[tuple[Aspect, Sentence | None]]:
    gaps: list[tuple[Aspect, Sentence | None]] = [(aspect, None) for aspect in view.missing]
    return sorted([*view.left_open, *gaps], key=lambda one: -one[0].weight)


def _covered(brief: DirectorBrief, aspect: Aspect, sentence: Sentence) -> str:
    form = pick(_COVERED, brief.seed, brief.director.id, aspect.name)
    return form.format(name=aspect.name, Name=_upper(aspect.name), quote=quoted(sentence))


def _concern(brief: DirectorBrief, aspect: Aspect, sentence: Sentence | None) -> str:
    forms = _LEFT if sentence is None else _OPEN_SAID
    return pick(forms, brief.seed, brief.director.id, aspect.name, "left").format(
        gap=aspect.gap,
        why=aspect.why,
        mend=_lower(aspect.mend),
        name=aspect.name,
        Name=_upper(aspect.name),
        quote=quoted(sentence) if sentence is not None else "",
    )


def _questions(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View) -> list[str]:
    codes = {one.code for one in brief.directors} - {brief.director.code}
    options = [one for one in domain.asks[proposal.kind] if one.to in codes]
    if not options or view.score >= 9:
        return []
    one = pick(options, brief.director.id, proposal.title, "ask")
    return [f"Question for {one.to}: {one.question}"]


def _changed(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View) -> str:
    """By its own conditions: what a director asked for was not there, so what is there now has changed."""
    assert brief.earlier is not None
    asked = [aspect for aspect, _ in _wanting(view) if any(aspect.mend in one for one in brief.earlier.conditions)]
    met = [(aspect, found) for aspect, found in view.covered if any(aspect.mend in one for one in brief.earlier.conditions)]
    said = [f"Since {brief.earlier.session_id} the proposal meets “{one.mend}”: {quoted(found)}." for one, found in met]
    if asked:
        still = ", ".join(f"“{one.mend}”" for one in asked)
        lead = "Still open" if met else "Nothing has changed"
        said.append(f"{lead} of what I asked for in {brief.earlier.session_id}: {still}.")
    if not said:
        said = [f"I set no condition in {brief.earlier.session_id}, and read “{_titled(brief, proposal)}” anew."]
    return " ".join(said)


# -- the discussion ----------------------------------------------------------------------------------------------------

_READ_OUT = "the proposal says"
_CONDITION = "a condition covers it"
_CONSENT = (
    "{asker}, a fair point, but no reason to wait: a condition covers it, {mend}.",
    "I would not hold it up for this, {asker}: a condition covers it. Mine would be {mend}.",
    "{asker} and I differ only on when: a condition covers it, {mend}, and the work can begin.",
)
_SECONDED_OPEN = (
    "{asker} is right: with {quote} nothing is decided, and {why}.",
    "I stumbled over {quote} as {asker} did; {why}.",
)
_SECONDED = (
    "{asker} is right: I looked for it as well, and nothing says {gap}.",
    "{asker} and I miss the same: I cannot tell {gap} either, and {why}.",
    "I am with {asker} here. As long as nobody writes down {gap}, {noun} has to guess.",
)
_SECONDED_OTHER = (
    "{asker} is right to raise it, and for {noun} it weighs as well.",
    "I share what {asker} raises; the proposal leaves {noun} alone with it.",
)


def _discuss(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View) -> dict[str, Any]:
    open_ones = matters_for(brief.matters, brief.director.id)
    questions = [one for one in open_ones if one.matter.kind == "question" and brief.director.id in one.waits_for]
    anybody = [one for one in open_ones if one.matter.kind == "question" and not one.matter.to][:1]
    concerns = sorted(
        (
            one
            for one in open_ones
            if one.matter.kind == "concern" and brief.director.id not in one.answered_by and len(one.answered_by) < 2
        ),
        key=lambda one: (len(one.answered_by), roll(brief.director.id, one.matter.id)),
    )[:2]
    said = [(one, _reply_to(brief, proposal, domain, view, one)) for one in (*questions, *anybody, *concerns)]
    answers = [{"to": one.matter.id, "answer": text} for one, text in said if text]
    silent = [one.matter.id for one, text in said if not text]
    settled = _settled(brief, view) if brief.purpose is not ReviewPurpose.RESPONSE else []
    statement = _statement(brief, proposal, domain, view, settled)
    if silent and brief.purpose is ReviewPurpose.RESPONSE:
        statement += f" {' and '.join(silent)} I cannot answer from the proposal: the team has to write it down."
    return {
        "thinking": f"{len(open_ones)} matters are open to me, {len(answers)} I can say something to.",
        "speaking": statement,
        "answers": answers,
        "settled": settled,
        "questions_for_board": [],
    }


def _reply_to(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View, one: Standing) -> str:
    """What it says to a concern or a question; "" where the proposal gives no answer."""
    asker = next((d.code for d in brief.directors if d.id == one.matter.director), "")
    text = one.matter.text
    if one.matter.kind == "question":
        ask = ask_in(text)
        words = ask.words if ask is not None else _words_of(text.partition(":")[2] or text)
        found = proposal.find(words, code=domain.reads_code) if words is not None else None
        return f"{asker}, {_READ_OUT} {quoted(found)}." if found is not None and not _OPEN.search(found.text) else ""
    aspect = aspect_in(text)
    quote = re.search(r"“[^”]{4,}”", text)
    if aspect is not None and quote is None:  # the asker may not read everything
        found = proposal.find(aspect.words, outside=aspect.outside)
        if found is not None and not _OPEN.search(f"{found.section}: {found.text}"):
            return f"{asker}, {_READ_OUT} {quoted(found)}; does that not answer it?"
    if _approves(brief, view):
        forms, mend = _CONSENT, f"“{aspect.mend}”" if aspect is not None else "what it asks for, done before the end"
    else:
        forms = _SECONDED_OTHER if aspect is None else _SECONDED if quote is None else _SECONDED_OPEN
        mend = ""
    return pick(forms, brief.seed, brief.director.id, one.matter.id).format(
        asker=asker,
        mend=mend,
        quote=quote[0] if quote is not None else "",
        gap=aspect.gap if aspect is not None else "",
        why=aspect.why if aspect is not None else "",
        noun=domain.noun,
    )


def _settled(brief: DirectorBrief, view: View) -> list[str]:
    """Own matters that were answered from the proposal's words, and those that a condition covers where little is wanting."""
    enough = (_READ_OUT, _CONDITION) if view.verdict is not Verdict.REJECT else (_READ_OUT,)
    found = []
    for one in brief.matters:
        if one.matter.director != brief.director.id or one.settled:
            continue
        said = [
            answer.text
            for c in brief.contributions
            for answer in c.answers
            if answer.to == one.matter.id and c.director != brief.director.id
        ]
        if any(words in text for text in said for words in enough):
            found.append(one.matter.id)
    return found


_POSITION = "My position is {position}: "
_FOR, _ON_CONDITIONS, _AGAINST = "for it", "for it, on conditions", "against it as it stands"


def _statement(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View, settled: list[str]) -> str:
    others = [one for one in brief.assessments if one.director != brief.director.id and one.verdict is not None]
    against = [one for one in others if one.verdict is not view.verdict]
    codes = {one.id: one.code for one in brief.directors}
    wanting = _wanting(view)
    lead = f"nothing says {wanting[0][0].gap}" if wanting else f"{domain.noun} finds what it looks for"
    if wanting and wanting[0][1] is not None:
        lead = f"{quoted(wanting[0][1])} is still undecided"
    if brief.purpose is ReviewPurpose.RESPONSE:
        if against:
            other = pick(against, brief.seed, brief.director.id, "against")
            assert other.verdict is not None
            return f"{codes[other.director]} says {other.verdict.value} where I say {view.verdict.value}: {lead}."
        return f"We read it alike, and for {domain.noun} {lead}."
    if brief.purpose is ReviewPurpose.REBUTTAL:
        own = [one for one in brief.matters if one.matter.director == brief.director.id and one.open]
        left = [one.matter.id for one in own if one.matter.id not in settled]
        if settled:
            rest = f"{', '.join(left)} stays open" if left else "nothing of mine is left open"
            return f"What was answered settles {', '.join(settled)} for me; {rest}."
        if left:
            return f"I was agreed with, or heard nothing that the proposal itself says: {', '.join(left)} stays open."
        return f"Nothing of mine is open; I stay at {view.score} of 10."
    approves = _approves(brief, view, settled)
    position = (_ON_CONDITIONS if wanting else _FOR) if approves else _AGAINST
    ground = f"{_number(len(view.covered))} of the {_number(_all(view))} things that {domain.noun} needs are there"
    return _POSITION.format(position=position) + ground + (f", but {lead}." if wanting else ".")


def _words_of(text: str) -> re.Pattern[str] | None:
    """A pattern of the long words of a question that is none of ours."""
    words = [word for word in re.findall(r"[a-z][a-z-]{3,}", text.casefold()) if word not in _STOP]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})", re.IGNORECASE) if words else None


_STOP = frozenset(
    {
        "question", "about", "with", "from", "that", "this", "what", "which", "where", "when", "they", "them", "have", "does",
        "will", "would", "into", "there", "their",
    }
)  # fmt: skip


# -- the vote ----------------------------------------------------------------------------------------------------------


def _strength(brief: DirectorBrief, view: View, settled: Sequence[str] = ()) -> int:
    """Its score, and one more where half of its concerns were settled. `settled`: those that it is just about to settle."""
    own = [one for one in brief.matters if one.matter.director == brief.director.id and one.matter.kind == "concern"]
    done = sum(one.settled or one.matter.id in settled for one in own)
    return view.score + (1 if own and 2 * done >= len(own) else 0)


def _approves(brief: DirectorBrief, view: View, settled: Sequence[str] = ()) -> bool:
    return _strength(brief, view, settled) >= 5


def _vote(brief: DirectorBrief, domain: Domain, view: View) -> dict[str, Any]:
    strength, approve = _strength(brief, view), _approves(brief, view)
    wanting = _wanting(view)
    conditions = [aspect.mend + "." for aspect, _ in wanting[: 3 if approve else 2]]
    positions = [
        _AGAINST not in one.statement
        for one in brief.contributions
        if one.director != brief.director.id and one.statement.startswith(_POSITION.partition("{")[0])
    ]
    alone = sum(one is not approve for one in positions)
    if approve:
        reason = f"{_upper(domain.noun)} can live with it"
        if view.covered:
            aspect, sentence = max(view.covered, key=lambda one: one[0].weight)
            reason += f", above all because of {aspect.name}: {quoted(sentence)}"
        reason += f". {_upper(_number(len(conditions)))} of my conditions must be met" if conditions else ""
    else:
        names = _joined([aspect.name for aspect, _ in wanting[:3]])
        reason = f"As it stands it leaves open, for {domain.noun}: {names}"
    return {
        "thinking": "The office first, then the vote.",
        "speaking": reason + ".",
        "final_verdict": "APPROVE" if approve else "REJECT",
        "confidence": round(min(0.95, 0.55 + abs(strength - 4.5) * 0.08), 2),
        "conditions": conditions,
        # Everybody's position is known by now: who stands with most of the others has no dissent to note.
        "dissent_noted": 2 * alone > len(brief.directors),
    }


def _joined(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
