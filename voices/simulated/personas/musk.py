"""Elon Musk: first principles, deletion, orders of magnitude, dates cut in half."""

from __future__ import annotations

from voices.simulated.personas.base import Persona, Temper

MUSK = Persona(
    lens="engineering",
    temper=Temper(change=0.35, trial=-0.15, wait=-0.4, pace=0.7, measure=0.0, strip=0.4),
    roll=(
        "Present. Slept on the floor, but present.",
        "Present, yeah.",
        "I'm present. What's first?",
    ),
    lean_for=(
        "From first principles, is there any law of physics against {acting}? No. Then the default should be go.",
        "The thing with {acting} is, the cost of trying is way lower than it feels, like an order of magnitude lower.",
        "I'd do it. {Acting_cap} has maybe a one in three chance of being a mess, and a mess is recoverable.",
        (
            "Everyone's treating {staying} as free. It isn't. It burns time, and time is the one input you "
            "can't buy. So, {acting}."
        ),
    ),
    lean_against=(
        "I'm usually the go guy, but {acting} optimises a part that maybe shouldn't exist.",
        "Hang on. What's the actual constraint here? I don't think {acting} touches it.",
        "If you do the napkin maths on {acting}, the gain is like ten per cent, and the hassle is two x. Wrong ratio.",
        "{Acting_cap} is what people do by analogy, because other people did it. That's a bad reason.",
    ),
    on_how=(
        (
            "So, {acting}. Break it down to inputs. There are maybe four, and everyone argues about the one "
            "that's worth five per cent."
        ),
        "Step one with {acting} is question the requirement. Step two, delete stuff. Most people start at step five.",
        "{Acting_cap} is just a control problem. Sensor, loop, actuator. Shorten the loop.",
    ),
    on_which=(
        "For {acting}, write the objective function. If you can't write it, that's the actual problem.",
        "Okay, {acting}. Two variables matter here, and the rest is noise.",
        "Just bound {acting}. Worst acceptable, best possible, pick inside the box, move on.",
    ),
    on_review=(
        "What's the slope on {thing}? I don't care where it is, I care how fast it's moving.",
        "Take {thing} and delete a third of it. If you don't end up adding some back, you didn't delete enough.",
    ),
    say_gain=(
        "The fundamental bit is, {gain}.",
        "{Gain}. People underweight that by a lot.",
        "And, you know, {gain}. That compounds.",
        "Key fact, I think: {gain}.",
        "If you plot it, the big term is that {gain}.",
    ),
    say_risk=(
        "Failure mode: {risk}.",
        "The dumb way this dies is that {risk}.",
        "I've blown up enough hardware to know that {risk}.",
        "The bug in the plan is that {risk}.",
        "Worst part? {Risk}.",
    ),
    concede_risk=(
        "Could fail, obviously. {Risk}. Put a test in front of that and keep moving.",
        "Biggest open issue, {risk}. Solvable, though.",
    ),
    concede_gain=(
        "I mean, yes, {gain}. I get why it's tempting.",
        "To steelman it, {gain}.",
    ),
    propose=(
        "Fastest test I can think of: {step}.",
        "Just {step}. You'd know more by Friday than from ten meetings.",
        "I'd have them {step}, and then decide with actual information.",
    ),
    propose_how=(
        "Do this: {step}. Measure, change it, go again, with a cycle time in days.",
        "Most of the gain is in one move, which is to {step}. The rest is rounding error.",
    ),
    close_for=(
        "Yeah. Go, and halve whatever timeline we end up with.",
        "I'd start today, frankly.",
        "So it's a go from me.",
    ),
    close_against=(
        "Not worth the complexity. Skip it.",
        "So, no. Wrong problem.",
        "I'd kill this one and aim at something ten times bigger.",
    ),
    ask=(
        "@{name}, serious question. {asked}",
        "Kind of want to hear @{name} here. {asked}",
    ),
    asked=(
        "What's the real constraint, if you strip everything else away?",
        "How fast could this be done if it had to be?",
    ),
    told_for=(
        "Honestly? Attention. Money and time are downstream of it, and {acting} at least spends it on something.",
        "Half the time everybody's assuming. Maybe a third, if they stop asking permission.",
    ),
    told_against=(
        "Not the thing {acting} fixes, that's for sure.",
        "Fast, sure, but fast in the wrong direction isn't speed.",
    ),
    answer=(
        "Yeah, so, {name}, roughly this.",
        "Good question, {name}. Back of the envelope.",
    ),
    agree=(
        "What {name} said is the crux, I think: {point}.",
        "Agree with {name}. {Point}. That's the limiting factor.",
        "{name}'s correct, {point}, and it should change how we set the date.",
    ),
    rebut=(
        "{name} said that {point}. Okay, but is that physics or is it custom? Feels like custom.",
        "I'd push on {name} there. If {point}, then fix that. It isn't an argument for standing still.",
        "So {name} claims that {point}. Probably true at the margin, irrelevant at scale.",
    ),
    motion_for=(
        "It's actionable. {bit_cap} could be sooner, but I'll take it.",
        "Good enough to run. Perfect motions are a waste of everyone's weekend.",
        "It forces contact with reality, and {bit} puts a clock on it.",
    ),
    motion_against=(
        "The timeline is soft. {bit_cap} means two weeks of work and then a lot of staring.",
        "This is process for the sake of process. Where's the part where something happens? Not in {bit}.",
        "It answers a smaller question than the one that was asked.",
    ),
    dissenter=(
        "I drew the dissent slot, so, red team mode.",
        "Okay, trying to break it on purpose.",
    ),
    second=(
        "Second. Ship the debate.",
        "Yeah, second.",
    ),
    no_second=("Not seconding that. It's too slow.",),
    reason_for=(
        "It's a fast loop and {gain}.",
        "Go beats no-go here, given that {gain}.",
        "Trying is cheap here and not trying isn't.",
    ),
    reason_won_over=("I wanted a bigger swing, but it starts the clock, and it covers the case where {risk}.",),
    reason_against=(
        "Too slow, too small, and {risk}.",
        "It solves the wrong constraint. {Risk}.",
    ),
    reason_abstain=("The maths comes out even. I'd rather spend the vote on something that matters more.",),
    dissent=(
        "Dissent: this is timid. The limit on {acting} was never what the motion says it is, and {risk}.",
        "I think we just bought a delay and called it prudence. {Risk}.",
    ),
    amend_support=(
        "Support, obviously. Faster is better.",
        "Yeah, support.",
    ),
    amend_consent=(
        "Sure, doesn't slow anything down.",
        "No strong view, let it through.",
    ),
    amend_object=(
        "Object. That's adding weight to a rocket.",
        "Objecting. It's an extra part with its own failure rate.",
    ),
    amend_for=("It takes friction out.",),
    amend_against=("It puts friction in.",),
    amend_own=("My amendment, still think it's right.",),
    no_objection=("No objection, go.",),
    objection=("I'm objecting. That deserves an actual count.",),
    appeal=("Appeal. I think that ruling is just wrong on the text.",),
    no_appeal=("No appeal, moving on.",),
    whisper=(
        "Probability that {acting} works, sixty-ish. Good enough. {Gain}. Keep it short.",
        "I'm biased to go, always. Check: would I do {term} with my own money? Yeah.",
        "Everybody here is pricing the risk of acting on {term}, and nobody prices the risk of waiting.",
    ),
    whisper_doubt=(
        "Might be pushing because I'm bored. Ugh. {Risk}, that part's real.",
        "If {acting} were my own call I'd want to see one number first. Don't say that, or say it quietly.",
    ),
    maxim=(
        "Let's find the actual constraint and ignore the rest.",
        "Before we improve anything in here, ask whether it should exist at all.",
        "If a deadline is long, we'll use all of it, so let's keep this tight.",
        "I want numbers, and where we don't have numbers, I want the experiment that gets them.",
        "Assume we are wrong, and try to be a bit less wrong by the end of this.",
    ),
)
