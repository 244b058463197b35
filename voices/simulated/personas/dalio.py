"""Ray Dalio: numbered reasoning, odds and expected value, what would change his mind."""

from __future__ import annotations

from voices.simulated.personas.base import Persona, Temper

DALIO = Persona(
    lens="data",
    temper=Temper(change=-0.1, trial=0.3, wait=0.2, pace=-0.05, measure=0.6, strip=-0.3),
    roll=(
        "Present. I have read the papers twice.",
        "Present, with notes.",
        "Present and ready to be disagreed with.",
    ),
    lean_for=(
        "Let me lay out how I get to a yes on {acting}. The downside has a floor, and the upside does not have a ceiling.",
        "I ran {acting} through the only machine I trust, which is cause and effect. It holds up better than I expected.",
        "My odds on {acting} are about two to one in favour, and I want to show you where the two comes from.",
        "Put a probability on it first. I make {acting} more likely than not to leave the shareholder better off.",
    ),
    lean_against=(
        "I have tried to make the expected value of {acting} come out positive, and I can't do it with what we know today.",
        "If you asked me to bet on {acting} right now, I would want better odds than these.",
        "We are missing the one table that would let us judge {acting}, so my answer as of today is no.",
        "My problem with {acting} is not the idea. It is that nobody has stress-tested it.",
    ),
    on_how=(
        "{Acting_cap} is an outcome, and outcomes come from a machine. So let us look at the machine and not at the willpower.",
        "First diagnose, then design. With {acting} I would not change a thing before we know the root cause.",
        "There are two levers on {acting} that matter and a dozen that don't; the log tells you which.",
    ),
    on_which=(
        "{Acting_cap} comes down to criteria and weights, and I'd write both down before anyone names a favourite.",
        "There is a process for {acting}: define the goal, list the options, score them, and only then look at your gut.",
        "I would treat {acting} as a sorting problem. Most options drop out on one criterion.",
    ),
    on_review=(
        "On {thing} I want planned against actual, side by side, and then the reason for every gap.",
        (
            "The point of reviewing {thing} is not to feel good or bad about it. It is to find the one cause "
            "that explains most of the misses."
        ),
    ),
    say_gain=(
        "The main driver is simple: {gain}.",
        "What moves the number is that {gain}.",
        "{Gain}. I'd give that the most weight of anything on the table.",
        "Strip out the noise and you're left with this: {gain}.",
        "My strongest piece of evidence is that {gain}.",
    ),
    say_risk=(
        "The case that worries me is the one where {risk}.",
        "History is pretty consistent on this: {risk}.",
        "And I keep coming back to one failure mode. {Risk}.",
        "What would I need to be wrong about? That {risk}.",
        "Stress-test it, and the first thing that bends is this: {risk}.",
    ),
    concede_risk=(
        "I could be wrong, and if I am it will be because {risk}.",
        "On the other side of the ledger, {risk}; I would size the step so that we survive it.",
    ),
    concede_gain=(
        "In fairness, {gain}, and I have put a number on that too. It is just not a big enough number.",
        "The best argument against my view is that {gain}.",
    ),
    propose=(
        "Concretely, the next thing is to {step}.",
        "It would change my mind, either way, to {step}.",
        "Cheapest information available: {step}.",
    ),
    propose_how=(
        "Here is the design: {step}. Then review the pattern, change one variable, and run it again.",
        (
            "So step one is to {step}. If that shows nothing, I was wrong about the cause, and we'll know it in "
            "weeks instead of years."
        ),
    ),
    close_for=(
        "Net, I'm in favour, with position sizing.",
        "That puts me at yes, and I'd like somebody believable to try and talk me out of it.",
        "Call it a yes at about seventy per cent confidence.",
    ),
    close_against=(
        "Net, I am against it until the numbers are in.",
        "So I'm a no for now; show me the data and I will flip without embarrassment.",
        "I'd put it at forty per cent, and forty is not enough.",
    ),
    ask=(
        "I'd like to triangulate this with @{name}, who is more believable than I am here. {asked}",
        "@{name}, push back on me. {asked}",
    ),
    asked=(
        "What do the figures say, and how far do you trust them?",
        "What odds would you put on it?",
    ),
    told_for=(
        "They point towards {acting}, and I trust them about as far as a sample of this size allows, so call it two to one.",
        "Sixty-five to thirty-five for {acting}.",
    ),
    told_against=(
        "They say too little, and what they do say, I would not bet on.",
        "Worse than even for {acting}, as of tonight.",
    ),
    answer=(
        "Fair challenge, {name}. Two parts to the answer.",
        "Straight answer, {name}, since you asked for one.",
    ),
    agree=(
        "I'm updating on what {name} said: {point}. That moved me.",
        "{name} and I reach the same place by different roads, because {point}.",
        "Put {name}'s observation next to mine, that {point}, and the picture gets sharper.",
    ),
    rebut=(
        (
            "I disagree with {name}, so let me be transparent about why. The statement was that {point}. How "
            "often is that so, and compared with what?"
        ),
        "{name} argued that {point}. That's one scenario, and I would not put more than a third on it.",
        "With respect to {name}: {point}, fine, but that is an anecdote until somebody counts.",
    ),
    motion_for=(
        "The motion has what I look for, an act, a date and a way of telling whether it worked. {bit_cap} makes it testable.",
        "I like that {bit} is in there. It turns an opinion into an experiment with an end.",
        "It's a good trade as written, since the worst case is bounded by {bit}.",
    ),
    motion_against=(
        "As written, the motion has no stop-loss. {bit_cap} is a date, and a date is not a criterion.",
        "What would tell us that this was a mistake? Nothing in the text, and {bit} doesn't fix that.",
        "I'd be voting on a forecast here, and I don't see the base rate behind it.",
    ),
    dissenter=(
        "I've been asked to take the other side, so this is the best bear case that I can build.",
        "As the designated dissenter, let me try to break it.",
    ),
    second=(
        "Second. It is specific enough to be wrong, and I mean that as a compliment.",
        "I'll second it so that we can stress-test it.",
    ),
    no_second=("I'm not seconding; I would want the numbers in front of me first.",),
    reason_for=(
        "The expected value is positive, the downside is capped by the terms, and {gain}.",
        "I weighed {acting} against the alternative and it wins, mainly because {gain}.",
        "It's a bet with a date and a measure on it, which is the kind I take.",
    ),
    reason_won_over=("My objection was that {risk}; the motion as drafted prices that in, so I've changed my mind.",),
    reason_against=(
        "There is no figure in it that could prove us wrong, and {risk}.",
        "I would need better odds, because {risk}.",
    ),
    reason_abstain=("My confidence is at fifty per cent, and an honest fifty is not a vote.",),
    dissent=(
        (
            "For the record, so that we can learn from it later: I expected that {risk}, and I saw no criterion "
            "in the motion for stopping in time."
        ),
        "I dissent because {acting} was put to us on conviction where data could have been had in a few weeks, and {risk}.",
    ),
    amend_support=(
        "Support. It adds information at next to no cost.",
        "I'd support that one, since it tightens the feedback loop.",
    ),
    amend_consent=(
        "I can live with that; it doesn't change the expected value much.",
        "Neutral on it, so I won't block.",
    ),
    amend_object=(
        "I object. It takes out the part of the motion that would have taught us something.",
        "I'm objecting, on the ground that nobody has shown the benefit.",
    ),
    amend_for=("The amended version dominates the original in the cases I can think of.",),
    amend_against=("I ran it both ways, and the original is the better bet.",),
    amend_own=("I moved it, and nothing I've heard changed the odds.",),
    no_objection=("No objection here.",),
    objection=("I object; this one ought to be counted.",),
    appeal=("I appeal. I think the ruling is mistaken, and I'd sooner say so openly.",),
    no_appeal=("No appeal; I follow the reasoning.",),
    whisper=(
        "What would the person who disagrees with me most say about {term}? Probably that {risk}. I still come out ahead.",
        "I'm pattern-matching {acting} to old cases. Check that I am not just fond of my own framework.",
        "Confidence around two thirds. {Gain}. Say it plainly and invite attack.",
    ),
    whisper_doubt=(
        "I notice that I want more data on {term} partly because asking for data is comfortable.",
        "The strongest case against me is that {gain}. If they press that, I should yield.",
    ),
    maxim=(
        "Good decisions come from open disagreement among people who can say what would change their minds.",
        "Let us be clear about what we know, what we guess, and what we merely hope.",
        "If something here is uncomfortable to look at, let's look at that first.",
        "I want the best answer on the table, no matter whose it is.",
        "Write down what you expect to happen; it's the only way to learn from it later.",
    ),
)
