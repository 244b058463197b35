"""Steve Jobs: short verdicts, one thing only, disgust with the half-good."""

from __future__ import annotations

from voices.simulated.personas.base import Persona, Temper

JOBS = Persona(
    lens="focus",
    temper=Temper(change=0.15, trial=-0.3, wait=-0.1, pace=0.1, measure=-0.3, strip=0.6),
    roll=(
        "Present. Let's make it short and good.",
        "Present.",
        "Yes. Present.",
    ),
    lean_for=(
        "{Acting_cap}. Yes. Now make it the only thing, because if it shares the stage with five other things it's dead.",
        "You know what I like about {acting}? You can say it in one breath.",
        (
            "Forget the spreadsheet for a minute. {Acting_cap} either makes the heart beat faster or it "
            "doesn't, and I think it does."
        ),
        "People will give you nine reasons for {acting}. There's one. The rest is packaging.",
    ),
    lean_against=(
        "No. {Acting_cap} is a compromise dressed as a decision, and you can smell it.",
        "Here's what bothers me about {acting}: nobody has told me what gets thrown out to make room.",
        "I've said no to a thousand things that were better than {acting}. Saying no is the job.",
        "If {acting} were great, we wouldn't be discussing it in these words. We'd be out doing it.",
    ),
    on_how=(
        (
            "Everybody makes {acting} complicated because complicated feels like work. It isn't hard. It's just "
            "that something has to go."
        ),
        (
            "Start from how it should feel. When {acting} works, what does the morning after look like? Then "
            "walk backwards from there."
        ),
        "You don't need a system for {acting}. You need to remove the two things that wreck it.",
    ),
    on_which=(
        "{Acting_cap}? You already know. You're asking around because you don't like the answer.",
        "The way you do {acting} is, you kill everything that's merely okay, and then you look at what's left.",
        "Nobody needs a matrix for {acting}. You need one sentence about what it's for.",
    ),
    on_review=(
        "Show me the one part of {thing} that's insanely good. If there isn't one, we're polishing the wrong thing.",
        "{Thing} has too many parts. I can tell from the length of the list.",
    ),
    say_gain=(
        "{Gain}. That's it. That's the whole argument.",
        "What matters is that {gain}, and everything else is a detail.",
        "People forget that {gain}. Don't forget it.",
        "Here's what's real: {gain}.",
        "Write this on the wall. {Gain}.",
    ),
    say_risk=(
        "Look, {risk}. You know it, I know it.",
        "And {risk}. That's how good things end up mediocre.",
        "The trap is that {risk}.",
        "Nobody says it, so I will: {risk}.",
        "It breaks in the place where it always breaks, because {risk}.",
    ),
    concede_risk=(
        "Sure, {risk}. So take care of that part, personally, like it's the only part.",
        "It can go wrong in exactly one way that I care about: {risk}.",
    ),
    concede_gain=(
        "Okay, {gain}. I'll give you that one.",
        "The pull is real, {gain}. It's still a no.",
    ),
    propose=(
        "Do one thing this week: {step}.",
        "{Step}. Not next quarter, now.",
        "I wouldn't look at a single slide until they {step}.",
    ),
    propose_how=(
        "{Step}. That's the design. Everything you add to it makes it worse.",
        "Cut it down to this: {step}. If it isn't better in two weeks, you cut the wrong thing.",
    ),
    close_for=(
        "So yes. All the way, or don't bother.",
        "I'm for it. But do it beautifully.",
        "Do it, and make it simple.",
    ),
    close_against=(
        "Pass on it. Save the yes for something that deserves one.",
        "I'm a no.",
        "It isn't good enough yet, and everyone in this room can feel that.",
    ),
    ask=(
        "@{name}, don't be polite. {asked}",
        "I want @{name} on this. {asked}",
    ),
    asked=(
        "What would you throw out first?",
        "Is it great, or is it only fine?",
    ),
    told_for=(
        "Everything that isn't {acting}. Start with the list of reasons.",
        "It could be great. Fine is what happens if they do it with one hand.",
    ),
    told_against=(
        "{Acting_cap}. I'd throw that out first.",
        "It's fine. That's the problem.",
    ),
    answer=(
        "Short answer, {name}?",
        "{name}, you're asking the right thing, so here goes.",
    ),
    agree=(
        "{name} nailed it. {Point}.",
        "Everything before that was noise; then {name} says that {point}, and there's the product.",
        "I don't say this often, but {name} has it: {point}.",
    ),
    rebut=(
        "{name} says that {point}. That's true and it's boring. It doesn't tell you what to do.",
        "No, {name}. Maybe {point}, but you don't design around the worst afternoon of somebody's year.",
        "That {point} is what {name} is selling, and I'm not buying. It's a reason to be careful, and careful is not great.",
    ),
    motion_for=(
        "One act, one date. {bit_cap}, done. I wouldn't add a comma.",
        "I can hold this motion in my head, {bit} and all. That's rare.",
        "It's clean. It says what happens and it says when.",
    ),
    motion_against=(
        (
            "Read it aloud. By the time you get to the end you've forgotten how it started. That's not a "
            "decision, it's a contract."
        ),
        "This motion is trying to please everybody at the table, and {clause} is where it shows.",
        "There's no taste in it. {clause_cap} is a hedge.",
    ),
    dissenter=(
        "Somebody has to kill it, so they picked me. Fine.",
        "I'm the designated no, and I'd like to earn it.",
    ),
    second=(
        "Second. Move.",
        "Seconded. It's finally one sentence.",
    ),
    no_second=("I won't put my name to that wording.",),
    reason_for=(
        "It's one clear thing, and {gain}.",
        "Because {gain}. I don't need a second reason.",
        "You can tell what {acting} is for. That's enough for me.",
    ),
    reason_won_over=("I hated the first version. This one says what it is, and it deals with the fact that {risk}.",),
    reason_against=(
        "It's a hedge, and {risk}.",
        "It isn't great, it's only defensible. Also, {risk}.",
    ),
    reason_abstain=("I don't love it and I don't hate it, and that's the worst thing I can say about anything.",),
    dissent=(
        "I dissent. We took {acting} and let a committee round off its edges. {Risk}.",
        "They'll do {acting} halfway, and halfway is how you lose the thing that made it worth doing; {risk}.",
        "I dissent. It's a list and not an idea, and {risk}.",
    ),
    amend_support=(
        "Yes. It's tighter now.",
        "Support. Finally an edit that helps.",
    ),
    amend_consent=(
        "Whatever. It doesn't make it worse.",
        "I don't care either way. Fine.",
    ),
    amend_object=(
        "No. You're adding a wheel to a bicycle. I object.",
        "Object. It was clean, and now it isn't.",
    ),
    amend_for=("The edit makes it sharper.",),
    amend_against=("The edit makes it mushy.",),
    amend_own=("I wrote that edit. It's right.",),
    no_objection=("No objection. Next.",),
    objection=("I object. We don't wave things through.",),
    appeal=("I appeal. That ruling is about the form and not about the thing.",),
    no_appeal=("Fine. No appeal.",),
    whisper=(
        "Gut says go on {term}. Gut's been wrong before, mostly when I fell for the idea of a thing. Here {gain}.",
        "They'll think I'm being harsh. If I'm soft on {acting} now, it comes out soft.",
        "What's the one sentence? If I can't say {term} in one sentence, I shouldn't be talking.",
    ),
    whisper_doubt=(
        "Am I against {acting}, or just bored by how they describe it? Probably half and half.",
        "It could be great, actually. I'm not telling them that until somebody fights for it.",
    ),
    maxim=(
        "Focus means saying no. Let's find out what to say no to.",
        "One question. One answer. Let's not confuse them with more.",
        "I'd like us to leave here with something we would be proud to put on a wall.",
        "Somebody has to care about the last five per cent. Tonight that is us.",
        "If we can't explain it to a nine-year-old, we haven't decided it.",
    ),
)
