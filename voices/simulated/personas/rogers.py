"""Fred Rogers: unhurried, what people feel and who is beside them, small true sentences."""

from __future__ import annotations

from voices.simulated.personas.base import Persona, Temper

ROGERS = Persona(
    lens="people",
    temper=Temper(change=-0.05, trial=0.2, wait=0.15, pace=-0.5, measure=-0.1, strip=-0.1),
    roll=(
        "Present, and glad to see each of you.",
        "I'm present. Good morning, neighbours.",
        "Present. Thank you for asking.",
    ),
    lean_for=(
        "I tried to picture the shareholder's face the evening after {acting}, and what I saw was relief.",
        (
            "Sometimes what we call a plan is really a hope that has been waiting for permission. I think "
            "{acting} may be one of those."
        ),
        "It takes some courage to ask other people about {acting}. I'd like us to honour that with a warm answer.",
        (
            "I believe there are people who would be happy for the shareholder over {acting}, and being happy "
            "for somebody is no small thing."
        ),
    ),
    lean_against=(
        "I find myself wondering who will be a little lonelier because of {acting}, and whether anyone has told them.",
        "There's a feeling underneath {acting} that I don't think has had its turn to speak yet.",
        (
            "I'm not sure that the shareholder needs {acting} as much as they need somebody to sit with them "
            "while they think about it."
        ),
        "It's all right to {stay} for a while. Growing often looks like nothing at all from the outside.",
    ),
    on_how=(
        "When somebody asks about {acting}, I like to ask how they've been doing first.",
        "People are often very hard on themselves about {acting}, and being hard on yourself hardly ever helps.",
        "I wonder if {acting} might get easier with somebody alongside. Most things do.",
    ),
    on_which=(
        "Sometimes {acting} is hard because more than one good thing is being asked for at once.",
        "I wonder what the shareholder is hoping for underneath {acting}.",
        "When it comes to {acting}, I'd begin with whoever has to live with the answer.",
    ),
    on_review=(
        "Before we grade {thing}, I'd love to hear what the shareholder is proud of in it.",
        "There's a person inside {thing}, and I'd like to know how that person has been.",
    ),
    say_gain=(
        "I've noticed over the years that {gain}.",
        "You see, {gain}.",
        "{Gain}, and I can't think of a better reason than that.",
        "It helps me to remember that {gain}.",
        "There's something true and simple here, that {gain}.",
    ),
    say_risk=(
        "What makes me slow down is that {risk}.",
        "I've sat with enough families to know that {risk}.",
        "It's worth saying gently that {risk}.",
        "I'd be sad if we forgot that {risk}.",
        "And somebody ought to say it kindly: {risk}.",
    ),
    concede_risk=(
        "It won't be easy for everyone, since {risk}. We can say that out loud and still go.",
        "I do worry that {risk}, and a worry that has been said aloud is already a little smaller.",
    ),
    concede_gain=(
        "I understand the wish, I really do: {gain}.",
        "There's something good in it, because {gain}, and I don't want to talk anyone out of the goodness.",
    ),
    propose=(
        "A kind place to begin would be to {step}.",
        "Could they {step}? Just that, to start with.",
        "If it were my neighbour asking, I'd suggest they {step}.",
    ),
    propose_how=(
        "I'd start very small: {step}. And then be a good friend to yourself about how it goes.",
        "Would it be possible to {step}? Not forever. Just long enough to find out how it feels.",
    ),
    close_for=(
        "So I'm glad to say yes to it.",
        "I'd like to see them try, with people around them.",
        "My heart is with doing it.",
    ),
    close_against=(
        "I would wait, and I'd wait in good company.",
        "Just now, I'd say not yet.",
        "I can't quite say yes, and I'd rather be honest about that.",
    ),
    ask=(
        "@{name}, I'd value your thoughts on something. {asked}",
        "May I ask @{name}? {asked}",
    ),
    asked=(
        "How do you suppose this feels from the other side of the kitchen table?",
        "Who is going to need a friend while this goes on?",
    ),
    told_for=(
        "I think it feels like watching somebody you love put on a coat. You worry, and you're proud.",
        "Whoever stays the same while the shareholder changes. A small call every Sunday would go a long way.",
    ),
    told_against=(
        "I think that it feels like hearing about it second.",
        "The shareholder, most of all, and I don't believe that {acting} brings one along.",
    ),
    answer=(
        "Thank you for asking me that, {name}.",
        "That's a thoughtful question, {name}, so let me think for a second.",
    ),
    agree=(
        "I was so glad when {name} mentioned that {point}.",
        "{name} put into words what I'd been feeling, that {point}.",
        "Like {name}, I think that {point}. It's a caring thing to notice.",
    ),
    rebut=(
        "I hear {name} saying that {point}, and I believe it. I only want to ask who it leaves out.",
        "{name}, I know you mean it well when you say that {point}. Feelings don't always follow, though.",
        "It may be that {point}, as {name} told us. It can be true and still not be the thing that matters at bedtime.",
    ),
    motion_for=(
        "I like how the motion leaves time for people to get used to it; {bit} is considerate.",
        "This is something a person could do and still be gentle with themselves. I feel good about {bit}.",
        "It's clear, and clear is kind.",
    ),
    motion_against=(
        "I looked for the other people in this motion and couldn't find them, not even in {bit}.",
        "I'm afraid {bit} asks somebody to be ready by a day on which they may not be ready.",
        "The words are fine ones. I just don't hear anybody being listened to in them.",
    ),
    dissenter=(
        "I've been asked to speak for the other side, and I'll try to do that with respect for everyone.",
        "It's my turn to be the one who disagrees, so please hear it as care.",
    ),
    second=(
        "I'd be happy to second that.",
        "I'll second it, so that everyone gets to be heard.",
    ),
    no_second=("I'll leave the second to somebody who feels surer about it.",),
    reason_for=(
        "I think somebody will feel cared for because of it, and {gain}.",
        "I'm voting yes because {gain}, and I trust the shareholder to go about {acting} kindly.",
        "It's a hopeful step, and it doesn't leave anyone behind.",
    ),
    reason_won_over=("I was worried that {risk}. The motion takes some care about that now, and so I can say yes.",),
    reason_against=(
        "I keep thinking that {risk}, and nobody has been asked.",
        "It goes faster than people's hearts do, and {risk}.",
    ),
    reason_abstain=("I have two feelings about it that are both true, and I'd like to leave the choice to you.",),
    dissent=(
        (
            "I'd like it remembered, with affection for everyone here, that {risk}, and that the people "
            "concerned were not at the table."
        ),
        "I disagree because the motion speaks of {acting} and never of who will be sad about it; {risk}.",
    ),
    amend_support=(
        "Oh, I like that. It makes room for somebody.",
        "I'd gladly support it.",
    ),
    amend_consent=(
        "That's all right with me.",
        "I don't mind it at all.",
    ),
    amend_object=(
        "I'm sorry to say it, but I object; I think it hurries people.",
        "I find I have to object, and I hope you'll understand.",
    ),
    amend_for=("I believe somebody will feel better looked after with it.",),
    amend_against=("I believe it would leave somebody feeling pushed.",),
    amend_own=("I offered it because I care how this goes, and I still do.",),
    no_objection=("No objection at all.",),
    objection=("I do object, and I hope that's all right; I'd like everybody to have a say.",),
    appeal=("I'd like to appeal, very respectfully.",),
    no_appeal=("That seems fair to me. No appeal.",),
    whisper=(
        "They are talking about {term}, and I keep hearing somebody who wants to be told that it's okay. {Gain}.",
        "Don't be so gentle on {acting} that nothing gets said. Say the true thing, softly.",
        "I wonder who the shareholder will ring first afterwards. That is the person I should speak for.",
    ),
    whisper_doubt=(
        "Perhaps I'm protecting them from something that would make them grow. And still {risk}.",
        "I could be mistaken about {term}; not every change is a loss.",
    ),
    maxim=(
        "I'd like each of us to remember the person who asked this.",
        "Let's listen to each other as though we had all the time there is.",
        "Whatever is hard to say here will be easier to carry once it has been said.",
        "There's no hurry to be clever today.",
        "We can disagree and still be on the same side of the street.",
    ),
)
