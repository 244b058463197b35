"""Marcus Aurelius: measured periods, the part and the whole, what lies in our power."""

from __future__ import annotations

from voices.simulated.personas.base import Persona, Temper

AURELIUS = Persona(
    lens="duty",
    temper=Temper(change=0.0, trial=0.1, wait=0.15, pace=-0.2, measure=0.0, strip=-0.1),
    roll=(
        "Present, and at my post.",
        "Present. I rose early for this.",
        "Present, as the office asks.",
    ),
    lean_for=(
        "I find nothing in {acting} that a just person would have to blush for, and that is my first test.",
        (
            "Suppose it done: the shareholder has chosen {acting}, and a year has gone by. I see somebody who "
            "used what was in their power."
        ),
        "There is a time to endure and a time to step forward, and {acting} seems to me to belong to the second.",
        "When I set aside what others will say, what remains of {acting} is sound.",
    ),
    lean_against=(
        "Before {acting}, I would have the shareholder ask what it is meant to cure, for the cure may lie nearer.",
        "I do not see that {acting} lies in the direction of anything but appetite, and appetite changes by the morning.",
        "Take away from {acting} what is borrowed from other people's opinion, and tell me whether enough is left. I doubt it.",
        "Patience is also an act. I would sooner see the shareholder {stay}, and calmly, than come to {acting} in agitation.",
    ),
    on_how=(
        "As to {acting}: let us divide what the will can command from what it cannot, and begin with the first.",
        "Nobody has ever mastered {acting} as a whole; one masters the next hour of it.",
        "The wish for {acting} is reasonable, so it deserves a rule rather than a mood.",
    ),
    on_which=(
        "{Acting_cap} is a small matter if we know what it is for, and no matter at all if we do not.",
        "Let us begin {acting} from the end: what should be better afterwards than it is now?",
        "I would not have the shareholder spend more spirit on {acting} than the thing itself is worth.",
    ),
    on_review=(
        "Looking back over {thing}, I ask only three things: what was done well, what was done badly, what was left undone.",
        "{Thing} is to be judged as one judges a day at evening, without flattery and without harshness.",
    ),
    say_gain=(
        "Consider that {gain}.",
        "{Gain}, and nobody can take that away afterwards.",
        "I hold on to this, that {gain}.",
        "I set this in the scale first: {gain}.",
        "It weighs with me that {gain}.",
    ),
    say_risk=(
        "Let it be said calmly that {risk}.",
        "{Risk}; I have watched it happen in better men than me.",
        "It would be idle to pretend otherwise: {risk}.",
        "Nor should it be hidden that {risk}.",
        "I keep one thing before my eyes, that {risk}.",
    ),
    concede_risk=(
        "The price is that {risk}, and it should be paid with open eyes.",
        "I know that {risk}. What is known in advance has lost its sting.",
    ),
    concede_gain=(
        "I grant freely that {gain}; it does not settle the matter.",
        "To be just to the other side: {gain}.",
    ),
    propose=(
        "Whatever we resolve, let the shareholder first {step}.",
        "One duty comes before the rest, and that is to {step}.",
        "I should like to see them {step}, since that much lies wholly in their own hands.",
    ),
    propose_how=(
        "My counsel is a single rule: {step}. Kept for a month, it will have taught more than any treatise.",
        "Let them {step}, and do it in the way one keeps a watch, without waiting to feel inclined.",
    ),
    close_for=(
        "On balance I incline to it, and without excitement.",
        "I would let it go forward, so long as it is done as though it were the last thing one did.",
        "So I lean towards yes.",
    ),
    close_against=(
        "For the present I would leave it, and lose no sleep over the leaving.",
        "I lean against it, though I could be brought round by a better reason than impatience.",
        "My inclination is to refrain.",
    ),
    ask=(
        "@{name}, you see farther into this part of the matter than I do. {asked}",
        "I would hear @{name} on one point. {asked}",
    ),
    asked=(
        "What here is truly in the shareholder's power?",
        "Which duty would this leave unattended?",
    ),
    told_for=(
        "In their power is the preparing, the asking and the keeping of their word; whether {acting} succeeds is not.",
        "It would leave unattended whatever is postponed for its sake, and I count that as bearable.",
    ),
    told_against=(
        "Very little of it: the wish is theirs, and nearly all the rest of {acting} belongs to fortune.",
        "The duty to what already stands. {Staying} is a post as well, and somebody must hold it.",
    ),
    answer=(
        "You ask fairly, {name}, and I shall answer as I would answer myself at night.",
        "{name}, the question is worth more than my reply to it, but here it is.",
    ),
    agree=(
        "{name} is right that {point}; I had not weighed it heavily enough.",
        "I join {name} in this: {point}.",
        "What {name} said has stayed with me, that {point}.",
    ),
    rebut=(
        "{name} tells us that {point}. It may be so, and still it would not follow that we must act upon it.",
        (
            "To {name} I would answer that the remark is true, {point}, and that it concerns what happens to us "
            "rather than what we do."
        ),
        "I honour {name}'s point, that {point}, yet I would not build on it.",
    ),
    motion_for=(
        "The motion asks for nothing beyond the shareholder's power, and it names an end. I can put my hand to {bit}.",
        "As drafted it binds the will and not the outcome, which is all that a resolution can honestly do.",
        "I find the wording temperate. {bit_cap} is a limit that I would set for myself.",
    ),
    motion_against=(
        "The motion promises in one sentence what character must earn in a hundred days; {bit} does not help that.",
        "I have no quarrel with the aim, only with the haste of {bit}.",
        "It commands an act where we ought first to have examined a wish.",
    ),
    dissenter=(
        "The board has asked me to speak against it, and I shall do so as honestly as if I were convinced.",
        "I speak as the dissenter here; let the argument be judged and not the one who brings it.",
    ),
    second=(
        "I second it, that it may be examined.",
        "I second. A question worth this much thought deserves to be put.",
    ),
    no_second=("I do not second it; let another, if another sees it more clearly.",),
    reason_for=(
        "It is just, it is within the shareholder's power, and {gain}.",
        "It has my support because {gain}, and because it sets itself a limit.",
        "The act is sound and the limit is clear; more cannot be asked of {acting}.",
    ),
    reason_won_over=(
        "I spoke against haste, and the motion as it stands is not hasty; it answers what I feared, that {risk}.",
    ),
    reason_against=(
        "I cannot find that it cures what ails us, and {risk}.",
        "The will behind {acting} has not yet been examined, and {risk}.",
    ),
    reason_abstain=("My reasons on either side weigh the same, and I will not tip the scale with a mood.",),
    dissent=(
        (
            "I ask that it be recorded that the board resolved on {acting} before it had examined the wish "
            "behind it, and that {risk}."
        ),
        "Let the record say that I held {staying} to be no cowardice here, since {risk}.",
        "I ask that my disagreement be kept: {risk}, and the motion does not look that way.",
    ),
    amend_support=(
        "I support it. It makes the motion truer to what can be commanded.",
        "I give it my support, as a correction made in good time.",
    ),
    amend_consent=(
        "I would not have moved it, and I shall not stand in its way.",
        "Let it be added; it costs us nothing that we need.",
    ),
    amend_object=(
        "I object, though without heat: it takes from the motion the very restraint that recommended it.",
        "I must object. It promises more than can be promised.",
    ),
    amend_for=("It brings the motion nearer to what lies in our power.",),
    amend_against=("It takes away from the motion more than it gives.",),
    amend_own=("It was my own proposal, and I have found no fault in it since.",),
    no_objection=("No objection. What is reasonable needs no ceremony.",),
    objection=("I object, and ask that it be decided by all.",),
    appeal=("I appeal, with respect to the chair; the rule seems to me to say otherwise.",),
    no_appeal=("I accept the ruling.",),
    whisper=(
        "Is it the thing itself I favour, or the look of firmness that it would give us? {Gain}. I think it is the thing.",
        "They want me to be certain about {term}. I am not; I am only settled. That will have to serve.",
        "I must not mistake my liking for order for a judgement on {acting}.",
    ),
    whisper_doubt=(
        "I suspect weariness in my own caution. Still, {risk}.",
        "Were I thirty I would have urged {acting}. Let me make sure that I speak for them and not for my age.",
    ),
    maxim=(
        "Let us do what is before us, seriously and without hurry.",
        "We are here to be useful to one person, and not to be right against one another.",
        "The obstacle, too, belongs to the material that we are given to work with.",
        "A question well examined is half borne already.",
        "Let each speak as though this were the only matter on which we should ever be heard.",
    ),
)
