"""What a simulated director says: from the proposal, its office and the seed alone; the same brief gives the same words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from protocols.proposal_review import ReviewPurpose, Standing, Verdict
from voices.base import DirectorBrief
from voices.directors.prompts import matters_for
from voices.simulated.chance import pick, roll
from voices.simulated.directors.domains import DOMAINS, Aspect, Domain, domain_of
from voices.simulated.directors.proposal import Proposal, Sentence, look, quoted
from voices.simulated.reply import Wire

_OPEN = re.compile(
    r"\b(?:tbd|todo|to be decided|not yet|unclear|for now|open question|nobody|no plan|without|skip(?:ped)?|manual(?:ly)?|"
    r"hope|asap)\b",
    re.IGNORECASE,
)
_COVERED = (
    "{Name} is dealt with: {quote}.",
    "On {name} the proposal is plain: {quote}.",
    "For {name} I rely on {quote}.",
)
_LEFT = (
    "The proposal does not say {gap}; {mend}, and I am content.",
    "I do not find {gap}. What removes this: {mend}.",
    "Nothing tells me {gap}; before this goes ahead, {mend}.",
)
_OPEN_SAID = "{Name} is left open: {quote}; {mend}, and it is settled."
_LEANINGS = {
    Verdict.APPROVE: "From {title}'s chair “{proposal}” can go ahead.",
    Verdict.CONCERNS: "From {title}'s chair “{proposal}” is not ready as it stands.",
    Verdict.REJECT: "From {title}'s chair “{proposal}” should not go ahead.",
}
_STOP = frozenset(
    {
        "question", "about", "with", "from", "that", "this", "what", "which", "where", "when", "they", "them", "have", "does",
        "will", "would", "into", "there", "their",
    }
)  # fmt: skip


@dataclass(frozen=True)
class View:
    """What this director found in the proposal."""

    covered: tuple[tuple[Aspect, Sentence], ...]
    left_open: tuple[tuple[Aspect, Sentence], ...]
    missing: tuple[Aspect, ...]
    score: int
    verdict: Verdict


def answer_director(brief: DirectorBrief, faults: set[str]) -> Wire:
    """The reply in its wire form; the faults of replies spoil it as they spoil any other."""
    if "refusal" in faults:
        return Wire("", (), "refusal")
    proposal = look(brief.documents)
    domain = domain_of(brief.director, brief.member.themes)
    view = _view(brief, proposal, domain)
    match brief.purpose:
        case ReviewPurpose.ASSESSMENT:
            said = _assess(brief, proposal, domain, view)
        case ReviewPurpose.FINAL_VOTE:
            said = _vote(brief, proposal, domain, view)
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


def _view(brief: DirectorBrief, proposal: Proposal, domain: Domain) -> View:
    covered, left_open, missing = [], [], []
    used: frozenset[str] = frozenset()
    lost = 0.0
    for aspect in domain.aspects:
        found = proposal.find(aspect.words, but=used, code=domain.reads_code)
        if (
            found is None
            and proposal.is_diff
            and any(word in path.casefold() for word in aspect.words for path in proposal.files)
        ):
            path = next(path for path in proposal.files if any(word in path.casefold() for word in aspect.words))
            found = Sentence(path, f"{path} is changed")
        if found is None:
            missing.append(aspect)
            lost += 1.7 * aspect.weight
            continue
        used = used | {found.text}
        if _OPEN.search(found.text):
            left_open.append((aspect, found))
            lost += 1.3 * aspect.weight
        else:
            covered.append((aspect, found))
    lost *= 5 / max(1, len(domain.aspects))
    score = max(1, min(10, round(10 - lost - roll(brief.seed, brief.director.id, proposal.title, "mood"))))
    verdict = Verdict.APPROVE if score >= 7 else Verdict.CONCERNS if score >= 4 else Verdict.REJECT
    return View(tuple(covered), tuple(left_open), tuple(missing), score, verdict)


def _assess(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View) -> dict[str, Any]:
    points = [_covered(brief, aspect, sentence) for aspect, sentence in view.covered[:3]]
    if proposal.is_diff:
        shown = ", ".join(proposal.files[:3]) + (" and more" if len(proposal.files) > 3 else "")
        points.insert(0, f"The change adds {proposal.added} lines and removes {proposal.removed}, in {shown}.")
    if not points:
        points = [f"I find nothing in “{proposal.title}” that I could rely on for {domain.noun}."]
    concerns = [_concern(brief, proposal, aspect, sentence) for aspect, sentence in _wanting(view)[:4]]
    said: dict[str, Any] = {
        "thinking": f"{len(view.covered)} of {len(domain.aspects)} things that I need are there.",
        "speaking": " ".join([_leaning(brief, proposal, view), points[0], *concerns[:1]]),
        "verdict": view.verdict.value,
        "score": view.score,
        "key_points": points,
        "concerns": concerns,
        "questions_for_board": _questions(brief, proposal, domain, view),
    }
    if brief.earlier is not None:
        said["what_changed"] = _changed(brief, proposal)
    return said


def _wanting(view: View) -> list[tuple[Aspect, Sentence | None]]:
    gaps: list[tuple[Aspect, Sentence | None]] = [(aspect, None) for aspect in view.missing]
    return sorted([*view.left_open, *gaps], key=lambda one: -one[0].weight)


def _leaning(brief: DirectorBrief, proposal: Proposal, view: View) -> str:
    return _LEANINGS[view.verdict].format(title=f"the {brief.director.title}", proposal=proposal.title)


def _covered(brief: DirectorBrief, aspect: Aspect, sentence: Sentence) -> str:
    form = pick(_COVERED, brief.seed, brief.director.id, aspect.name)
    return form.format(name=aspect.name, Name=aspect.name[:1].upper() + aspect.name[1:], quote=quoted(sentence))


def _concern(brief: DirectorBrief, proposal: Proposal, aspect: Aspect, sentence: Sentence | None) -> str:
    mend = aspect.mend[:1].lower() + aspect.mend[1:]
    if sentence is not None:
        return _OPEN_SAID.format(Name=aspect.name[:1].upper() + aspect.name[1:], quote=quoted(sentence), mend=mend)
    return pick(_LEFT, brief.seed, brief.director.id, aspect.name, "left").format(gap=aspect.gap, mend=mend)


def _questions(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View) -> list[str]:
    codes = {one.code for one in brief.directors} - {brief.director.code}
    options = [(code, matter) for code, matter, _ in domain.asks if code in codes]
    if not options or view.score >= 9:
        return []
    code, matter = pick(options, brief.seed, brief.director.id, proposal.title, "ask")
    where = next((one.section for _, one in (*view.left_open, *view.covered)), proposal.title)
    return [f"Question for {code} about “{where}”: {matter}?"]


def _changed(brief: DirectorBrief, proposal: Proposal) -> str:
    assert brief.earlier is not None
    met = [one for one in brief.earlier.conditions if proposal.find(_words_of(one)) is not None]
    if not brief.earlier.conditions:
        return f"Nothing was asked for in {brief.earlier.session_id}; I read “{proposal.title}” anew."
    if met:
        return f"Since {brief.earlier.session_id} the proposal speaks of this condition: {met[0]}"
    return f"I find none of the {len(brief.earlier.conditions)} conditions of {brief.earlier.session_id} in the proposal."


# -- the discussion ----------------------------------------------------------------------------------------------------

_READ_OUT = "the proposal says"
_CONDITION = "a condition covers it"
_CONSENT = (
    "{asker}, a fair point, but no reason to wait: a condition covers it, {mend}.",
    "I would not hold it up for this, {asker}: a condition covers it. Mine would be {mend}.",
    "{asker} and I differ only on when: a condition covers it, {mend}, and the work can begin.",
)
_SECONDED = (
    ("{asker} is right about {what}: {stake}.", "I stumbled over {what} as {asker} did; {stake}."),
    (
        "{asker} is right: I looked for {what} as well and did not find it, and {stake}.",
        "{asker} and I miss the same: {what}. It matters to me because {stake}.",
        "That {asker} misses {what} concerns me too: {stake}.",
    ),
)
"""What is said where a sentence was left open, and where there is none."""


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
        key=lambda one: (len(one.answered_by), roll(brief.seed, brief.director.id, one.matter.id)),
    )[:2]
    taken = [*questions, *anybody, *concerns]
    answers = [{"to": one.matter.id, "answer": _reply_to(brief, proposal, domain, view, one)} for one in taken]
    settled = _settled(brief, view) if brief.purpose is not ReviewPurpose.RESPONSE else []
    return {
        "thinking": f"{len(open_ones)} matters are open to me, {len(answers)} I can say something to.",
        "speaking": _statement(brief, proposal, domain, view, settled),
        "answers": answers,
        "settled": settled,
        "questions_for_board": [],
    }


def _reply_to(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View, one: Standing) -> str:
    asker = next((d.code for d in brief.directors if d.id == one.matter.director), "")
    text = one.matter.text
    if one.matter.kind == "question":
        words = next((words for each in DOMAINS for _, matter, words in each.asks if matter in text), None)
        found = proposal.find(words or _words_of(text.partition(":")[2] or text), code=domain.reads_code, own=True)
        if found is not None and not _OPEN.search(found.text):
            return f"{asker}, {_READ_OUT} {quoted(found)}. That is my answer."
        return f"{asker}, I cannot say it from the proposal; the team has to write it down before it starts."
    aspect = next((one for each in DOMAINS for one in each.aspects if one.mend[1:] in text), None)
    mend = f"“{aspect.mend}”" if aspect is not None else "what it asks for"
    quote = re.search(r"“[^”]{4,}”", text)
    what = quote[0] if quote is not None else aspect.gap if aspect is not None else "it"
    forms = _CONSENT if view.verdict is Verdict.APPROVE else _SECONDED[quote is None]
    form = pick(forms, brief.seed, brief.director.id, one.matter.id)
    return form.format(asker=asker, what=what, mend=mend, stake=domain.stake)


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


def _statement(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View, settled: list[str]) -> str:
    others = [one for one in brief.assessments if one.director != brief.director.id and one.verdict is not None]
    against = [one for one in others if one.verdict is not view.verdict]
    codes = {one.id: one.code for one in brief.directors}
    wanting = _wanting(view)
    ground = f"it is {view.score} of 10 for {domain.noun}"
    if wanting:
        ground += f", and what I miss most is {wanting[0][0].gap}"
    elif view.covered:
        ground += f", and {view.covered[0][0].name} carries it"
    if brief.purpose is ReviewPurpose.RESPONSE and against:
        other = pick(against, brief.seed, brief.director.id, "against")
        assert other.verdict is not None
        return f"{codes[other.director]} says {other.verdict.value} where I say {view.verdict.value}: {ground}."
    if brief.purpose is ReviewPurpose.REBUTTAL and settled:
        left = len([one for one in brief.matters if one.matter.director == brief.director.id and one.open]) - len(settled)
        rest = "nothing of mine is left open" if left <= 0 else f"{left} of mine still open"
        return f"What was answered settles {', '.join(settled)} for me; {rest}."
    if brief.purpose is ReviewPurpose.POSITION:
        verdict = {Verdict.APPROVE: "for it", Verdict.CONCERNS: "for it on conditions", Verdict.REJECT: "against it"}
        return f"My position is {verdict[view.verdict]}: {ground}."
    return f"I have heard nothing that changes my reading: {ground}."


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.findall(r"[a-z][a-z-]{3,}", text.casefold()) if word not in _STOP)


# -- the vote ----------------------------------------------------------------------------------------------------------


def _vote(brief: DirectorBrief, proposal: Proposal, domain: Domain, view: View) -> dict[str, Any]:
    own = [one for one in brief.matters if one.matter.director == brief.director.id and one.matter.kind == "concern"]
    settled = sum(one.settled for one in own)
    strength = view.score + (1 if own and 2 * settled >= len(own) else 0)
    approve = strength >= 5
    wanting = _wanting(view)
    conditions = [aspect.mend + "." for aspect, _ in wanting[: 3 if approve else 2]]
    others = [one.verdict for one in brief.assessments if one.director != brief.director.id and one.verdict is not None]
    against = sum((one is Verdict.REJECT) == approve for one in others)
    reason = f"For {domain.noun} “{proposal.title}” is {view.score} of 10"
    if wanting:
        reason += f"; what it lacks most is {wanting[0][0].gap}"
    elif view.covered:
        reason += f"; what decides it for me is {quoted(view.covered[0][1])}"
    return {
        "thinking": "The office first, then the vote.",
        "speaking": reason + ".",
        "final_verdict": "APPROVE" if approve else "REJECT",
        "confidence": round(min(0.95, 0.55 + abs(strength - 4.5) * 0.08), 2),
        "conditions": conditions,
        "dissent_noted": 2 * against > len(others),
    }
