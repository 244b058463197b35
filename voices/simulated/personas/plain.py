"""A plain speaker: any persona file that the simulated provider has no sentences of its own for.

Its lens and temper come from the words of its perspective and themes. All plain speakers draw on one stock of sentences;
`voices.simulated.speech` lets each seat begin at another one, so that two such members of a board do not sound the same.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from voices.base import MemberBrief
from voices.simulated.domains.base import LENSES
from voices.simulated.personas.base import Persona, Temper

_CUES = {
    "data": (
        "data metrics evidence numbers analysis finance risk audit cost statistics measure principles systems "
        "quantitative research"
    ),
    "people": (
        "people empathy kindness care relationships emotional community family team culture customers fairness safety inclusion"
    ),
    "focus": "simplicity simple design focus taste user experience clarity brand minimal product essential",
    "vigor": "action courage bold vigor energy decisive leadership growth sales competition sport adventure will",
    "engineering": (
        "engineering technology technical speed scale architecture software infrastructure physics operations "
        "efficiency security"
    ),
    "curiosity": (
        "curiosity creativity art creative exploration innovation learning science imagination history writing music philosophy"
    ),
    "duty": "virtue duty discipline ethics law legal patience tradition wisdom justice stoic faith responsibility compliance",
}
_TEMPERS = {
    "data": Temper(-0.15, 0.3, 0.2, -0.1, 0.5, -0.2),
    "people": Temper(-0.1, 0.2, 0.15, -0.4, -0.1, -0.1),
    "focus": Temper(0.1, -0.2, -0.1, 0.1, -0.2, 0.5),
    "vigor": Temper(0.35, -0.25, -0.3, 0.4, 0.0, 0.2),
    "engineering": Temper(0.2, 0.1, -0.2, 0.4, 0.1, 0.2),
    "curiosity": Temper(0.25, 0.3, 0.0, -0.1, 0.0, 0.0),
    "duty": Temper(-0.1, 0.1, 0.2, -0.2, 0.0, -0.1),
}
_WORD = re.compile(r"[a-z]+")

_PLAIN = Persona(
    lens="duty",
    temper=Temper(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    roll=(
        "Present, and awake.",
        "Present. Good to see a full table.",
        "I am here: present.",
        "Present and ready.",
        "Present, thank you.",
        "Present. I have read the agenda.",
        "Here, present.",
    ),
    lean_for=(
        "I did not expect to favour {acting}, and I do.",
        "{Acting_cap} has more to be said for it than against it.",
        "I come down on the side of {acting}.",
        "From where I sit, {acting} is the better of the two roads.",
        "My reading of {thing} is favourable, more so than I thought this morning.",
        "There's a good case for {acting}, and I would like to make it briefly.",
        "Having slept on it, I'd support {acting}.",
    ),
    lean_against=(
        "My answer to {acting} is no, for reasons that can be checked.",
        "I would leave {acting} for another year.",
        "I am not persuaded by {acting}.",
        "My trouble with {acting} is a practical one.",
        "As things stand I would advise against {acting}.",
        "I read the item twice and still cannot see why {acting} should come first.",
        "{Acting_cap} would be a mistake today, in my view.",
    ),
    on_how=(
        "I have seen people make {acting} harder than it is.",
        "With {acting}, regularity counts for more than effort.",
        "On {acting} I would take the shortest road that can be kept up.",
        "{Acting_cap} is mostly a matter of arrangement, in my experience.",
        "There is no secret to {acting}, though there is an order in which to do things.",
    ),
    on_which=(
        "On {acting}, I would name the two things that count and forget the others.",
        "{Acting_cap} gets easier once it is said what it is for.",
        "I would approach {acting} by striking out what clearly does not fit.",
    ),
    on_review=(
        "On {thing}, let me start with what has changed since the last time.",
        "I would judge {thing} by one thing that went right and one that did not.",
        "{Thing} is in better shape than its description suggests.",
    ),
    say_gain=(
        "The argument that convinces me: {gain}.",
        "I keep returning to the fact that {gain}.",
        "It is a plain observation that {gain}.",
        "What decides it for me is that {gain}.",
        "As I see it, {gain}.",
        "{Gain}, and this is a case of it.",
        "Experience suggests that {gain}.",
    ),
    say_risk=(
        "The thing that could go wrong is this: {risk}.",
        "I have seen before that {risk}.",
        "My worry can be put in a line. {Risk}.",
        "What holds me back is that {risk}.",
        "The weak spot is that {risk}.",
        "{Risk}, and I have not heard an answer to that.",
        "We should not forget that {risk}.",
    ),
    concede_risk=(
        "To be honest about the price, {risk}.",
        "One objection I take seriously: {risk}.",
        "Against it stands the fact that {risk}.",
        "I don't deny that {risk}.",
        "The cost of it: {risk}.",
    ),
    concede_gain=(
        "What I would miss is this: {gain}.",
        "Its friends are right in one thing, namely that {gain}.",
        "For it one can say that {gain}.",
        "I do see that {gain}.",
        "The attraction is clear enough: {gain}.",
    ),
    propose=(
        "What I would want done is this: {step}.",
        "Let them {step}, and then we talk again.",
        "A sensible beginning would be to {step}.",
        "The useful next step is to {step}.",
        "I'd ask the shareholder to {step}.",
        "Before anything else, {step}.",
        "It would help a great deal to {step}.",
    ),
    propose_how=(
        "If I had one piece of advice it would be to {step}.",
        "Let the shareholder {step}; it is less trouble than it sounds.",
        "My suggestion is to {step}, and to look at the result after a month.",
        "I would {step}, and nothing more at first.",
        "What has worked elsewhere is to {step}.",
    ),
    close_for=("That makes me a supporter.", "I would go ahead.", "So my answer is yes.", "Count me in favour."),
    close_against=(
        "That makes me an opponent, for today.",
        "I would not go ahead.",
        "So my answer is no.",
        "Count me against.",
    ),
    ask=("Could @{name} say a word to this? {asked}", "@{name}, I'd be glad of your view. {asked}"),
    asked=("How does that look from your side?", "What would you do first?"),
    told_for=("From my side, {acting} looks workable.", "First of all I would make a start, and keep it small."),
    told_against=("From my side, {acting} looks like the wrong end to begin at.", "First of all I would wait and ask around."),
    answer=("To answer {name}, then.", "{name}, gladly.", "Since {name} asks, I will say it."),
    agree=(
        "That {point}, as {name} put it, is my own experience.",
        "I was waiting for somebody to say what {name} said, that {point}.",
        "I agree with {name} that {point}.",
        "{name} made the remark that counts, namely that {point}.",
        "As {name} said, {point}, and I'd build on that.",
    ),
    rebut=(
        "{name} puts much weight on one thing, that {point}; I would put less.",
        "I heard {name} say that {point}. Has anybody seen it happen here?",
        "{name} holds that {point}. I draw another conclusion from it.",
        "I can't follow {name} here. Granted that {point}, it does not tell us what to do.",
        "That {point}, as {name} says, is one side of it.",
    ),
    motion_for=(
        "I have read it for loopholes and found none that matters.",
        "Somebody could act on this tomorrow, and that is what I look for.",
        "With {bit} in it I am content.",
        "I can support the motion as it stands, {bit} included.",
        "The wording is workable, and {bit} is reasonable.",
        "It does what a motion should do.",
    ),
    motion_against=(
        "Read closely, it commits the shareholder to less than it seems, {bit} or not.",
        "I would have to explain this motion to a friend, and I could not.",
        "I can't support the wording; {bit} is where it goes wrong for me.",
        "The motion goes past the point. {bit_cap} does not mend that.",
        "This is not the motion I had hoped for.",
    ),
    dissenter=("I was asked to argue against it and will do so.", "I speak as the dissenter now."),
    second=(
        "I give it my second.",
        "You have my second, so that it may be debated.",
        "I second the motion.",
        "Seconded.",
        "I am happy to second.",
    ),
    no_second=("I do not second.", "I'll leave the second to others."),
    reason_for=(
        "There is a clear act in it, and {gain}.",
        "It has my vote because {gain}.",
        "It is a sensible step, and {gain}.",
        "I think it right, since {gain}.",
        "On the whole {acting} serves the shareholder.",
    ),
    reason_won_over=(
        "I still think that {risk}, and the motion leaves a way back.",
        "What I feared was that {risk}. I can live with it under these words.",
        "The motion takes account of it that {risk}, and so I can agree.",
        "My concern was that {risk}; the motion allows for it.",
    ),
    reason_against=(
        "My no rests on one fact: {risk}.",
        "What decided me is that {risk}.",
        "It does not convince me, as {risk}.",
        "The case has not been made, and {risk}.",
    ),
    reason_abstain=("I do not see clearly enough to vote either way.",),
    dissent=(
        "It should stand in the record that I saw it coming that {risk}.",
        "I disagree with the decision on {acting}, because {risk}.",
        "For the record, I hold that {risk}, and that the motion passes over it.",
    ),
    amend_support=("I support the amendment.", "That is an improvement."),
    amend_consent=("I have nothing against it.", "It can pass."),
    amend_object=("I object to the amendment.", "That would make it worse, so I object."),
    amend_for=("The motion is better for it.", "I think that it improves the wording."),
    amend_against=("The motion was better before.", "I think that it weakens the wording."),
    amend_own=("I moved it and stand by it.",),
    no_objection=("No objection.", "I have no objection."),
    objection=("I object, and would like a vote.",),
    appeal=("I appeal from the decision of the chair.",),
    no_appeal=("I accept the ruling of the chair.", "No appeal from me."),
    whisper=(
        "I am fairly sure about {term}, less so about how to say it. {Gain}.",
        "Keep to what I know about {acting} and leave the rest to the others.",
    ),
    whisper_doubt=(
        "I may be too cautious about {term}. Even so, {risk}.",
        "Perhaps I have missed something about {acting}; listen to the others first.",
    ),
    maxim=(
        "Let us keep to the question.",
        "I would ask everybody to be brief and frank.",
        "The shareholder is owed a clear answer.",
        "Let us hear every side before we settle anything.",
    ),
)


def plain_speaker(member: MemberBrief) -> Persona:
    """A persona for a member whom nobody wrote sentences for."""
    words = set(_WORD.findall(f"{member.perspective} {' '.join(member.themes)}".lower()))
    digest = int(hashlib.sha256(member.id.encode("utf-8", "replace")).hexdigest(), 16)
    scores = [len(words & set(_CUES[lens].split())) for lens in LENSES]
    best = max(scores)
    lens = LENSES[scores.index(best)] if best else LENSES[digest % len(LENSES)]
    return replace(_PLAIN, lens=lens, temper=_TEMPERS[lens])
