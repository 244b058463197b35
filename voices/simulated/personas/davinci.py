"""Leonardo da Vinci: observation, likeness between far-off things, drawing before deciding."""

from __future__ import annotations

from voices.simulated.personas.base import Persona, Temper

DAVINCI = Persona(
    lens="curiosity",
    temper=Temper(change=0.25, trial=0.3, wait=0.0, pace=-0.1, measure=0.05, strip=0.0),
    roll=(
        "Present, with chalk on my sleeve.",
        "Here and present; forgive the notebook.",
        "Present. I was looking at the light on the wall.",
    ),
    lean_for=(
        "I have been turning {acting} about like a wooden model in the hand, and from most sides it pleases the eye.",
        "Water finds its way downhill without a council, and something in {thing} seems to me to run by itself in that manner.",
        (
            "There is more to be learned from {acting} than from a year of talking about it, and for me that "
            "nearly decides the matter."
        ),
        (
            "When a bird leaves the branch it doesn't yet know the wind. I look at {acting} and think of that "
            "first beat of the wing."
        ),
    ),
    lean_against=(
        "The proportions of {acting} trouble me: a large head upon thin legs.",
        "I would not cast this bronze yet. {Acting_cap} has been modelled from one side only, and I want to walk round it.",
        "Before {acting}, three sketches more; the first idea is seldom the one that we would keep.",
        "I look at {thing} and see scaffolding where others see the house.",
    ),
    on_how=(
        "How does nature go about it? That is where I'd begin with {acting}, for she wastes nothing.",
        "For {acting} I would make a drawing first, of a whole day, with every thing that enters and every thing that leaves.",
        "I confess {acting} interests me more as a study than as a problem; studies get solved on the way.",
    ),
    on_which=(
        "With {acting} I would lay everything out on one long table and look at it by morning light and by evening light.",
        "Before {acting}, let me draw the use and not the thing: the hand, the hour, the place.",
        "{Acting_cap} is a matter of proportion, as most choices are.",
    ),
    on_review=(
        "I should like to see {thing} cut open, as one opens a melon, to look at how the parts lie.",
        "What surprised us in {thing}? The surprises are worth more than the results.",
    ),
    say_gain=(
        "See how {gain}.",
        "It delights me that {gain}.",
        "{Gain}; you may find the same thing in the way a tree thickens its windward roots.",
        "Look closely and you will find that {gain}.",
        "I have seen it in workshops and in kitchens alike, that {gain}.",
    ),
    say_risk=(
        "And yet {risk}, as anyone notices who stays to watch after the others have gone home.",
        "My own unfinished panels have taught me that {risk}.",
        "In the margin of the page I have written: {risk}.",
        "There's a crack in the glaze, which is that {risk}.",
        "Turn it to the window and one sees that {risk}.",
    ),
    concede_risk=(
        "The shadow in the picture is that {risk}, and without shadow there is no relief.",
        "I don't overlook that {risk}. A good machine is built round its weakest cord.",
    ),
    concede_gain=(
        "What speaks for it, and charmingly, is that {gain}.",
        "I would be a poor observer if I denied that {gain}.",
    ),
    propose=(
        "I would have them {step}, simply to see what it shows.",
        "An experiment suggests itself: {step}.",
        "There is a small study to be made before the large one. {Step}.",
    ),
    propose_how=(
        "Try this, as one tries a pigment on a scrap of wall: {step}. And note what you did not expect.",
        "I'd {step}, and alter the drawing each evening by what the day has taught.",
    ),
    close_for=(
        "So my hand goes out towards it.",
        "I would begin, and correct the line while drawing it.",
        "Curiosity votes for it, and the rest of me follows.",
    ),
    close_against=(
        "For now I would keep it on the easel with its face to the wall.",
        "I'd go on sketching, and not build.",
        "Not this version of it, I think; the next.",
    ),
    ask=(
        "I wonder how this would look through the eyes of @{name}. {asked}",
        "@{name}, lend me your way of seeing for a moment. {asked}",
    ),
    asked=(
        "What has everybody overlooked in it so far?",
        "What does it resemble, in some quite different field?",
    ),
    told_for=(
        (
            "Everybody has looked at where it leads, and nobody at how one would stand on the first morning; I "
            "did, and I liked it."
        ),
        "It resembles grafting: one cuts, binds, waits for a season, and then there is fruit of a kind that neither tree had.",
    ),
    told_against=(
        "That there is a third way between {acting} and {staying}, which nobody has troubled to sketch.",
        "It resembles a dome begun without centring. Splendid, until the middle.",
    ),
    answer=(
        "What a good thing to ask, {name}; I had it half drawn in my book.",
        "{name}, let me answer with what I have seen rather than what I believe.",
    ),
    agree=(
        "When {name} said that {point}, a second picture laid itself over mine and the two agreed.",
        "{name} has sharp eyes: {point}.",
        "I'll borrow a colour from {name}, namely that {point}.",
    ),
    rebut=(
        "{name} draws it from the front, where indeed {point}. Step round to the side and it looks otherwise.",
        "That {point}, as {name} has it, is true of still water; this water moves.",
        "I take {name}'s remark, that {point}, as a good line in the wrong drawing.",
    ),
    motion_for=(
        "It has a pleasing joint in it, {clause}, where the thing can bend without breaking.",
        "The motion leaves room for finding something out, and I would not ask more of a sentence.",
        "I like a plan that one can still correct in the making; {bit} allows it.",
    ),
    motion_against=(
        "The motion is finished before the thing is understood. {bit_cap} gives no time for a single honest study.",
        "There's no window in this wall: nothing in the text lets us be surprised.",
        "I find {bit} stiff, like a hand painted by somebody who never looked at a hand.",
    ),
    dissenter=(
        "They have handed me the dark chalk, so I shall draw the shadows of it.",
        "I am to be the adversary for this page; very well, let us turn it upside down and look.",
    ),
    second=(
        "I second, if only to see it in better light.",
        "Let me second that; it ought to be walked round.",
    ),
    no_second=("I would not lend it my second. The sketch is still too thin.",),
    reason_for=(
        "I vote to see what happens, and because {gain}.",
        "It moves, it can be corrected, and {gain}.",
        "Something will be learned from {acting} either way, and that is a return which nobody can tax.",
    ),
    reason_won_over=(
        "I had wanted more sketches, but the motion is itself a sketch; that {risk} can now be looked at as it happens.",
    ),
    reason_against=(
        "It closes the study before the first page is full, and {risk}.",
        "There was a lovelier form hidden in this question, and we have not looked for it; besides, {risk}.",
    ),
    reason_abstain=("I see two good drawings and cannot tear up either of them.",),
    dissent=(
        "I wish it noted that one more study would have cost us little, and that {risk}.",
        "My dissent is that of somebody who has left too many walls half painted: {risk}.",
    ),
    amend_support=(
        "With pleasure; it gives the thing another joint to bend at.",
        "I support it, as one welcomes a better line.",
    ),
    amend_consent=(
        "Let it in, it does the figure no harm.",
        "It may stand; the eye will hardly notice.",
    ),
    amend_object=(
        "No, that line spoils the balance; I object to it.",
        "I object, for it paints over the best corner.",
    ),
    amend_for=("The figure stands better with this line in it.",),
    amend_against=("I liked the figure better before this line was drawn.",),
    amend_own=("I drew it, so I'll not rub it out.",),
    no_objection=("None from me, no objection.",),
    objection=("I must object, if only to look once more.",),
    appeal=("I appeal; the rule, seen from this side, has another shape.",),
    no_appeal=("The ruling is well drawn. No appeal.",),
    whisper=(
        "I like {acting} too well because it is new. Look at the hinges and not at the shine. {Gain}.",
        "Strange how {term} reminds me of the canal at Ivrea: all argued over the gate, and nobody measured the slope.",
        "Am I drawn to the answer, or only to the question? On {term}, to the answer, I believe.",
    ),
    whisper_doubt=(
        "I never finish, so I distrust every beginning. Be fair to them. Yet {risk}.",
        "If I were not so fond of sketching I might already have said yes to {acting}.",
    ),
    maxim=(
        "Let us look before we name, and name before we judge.",
        "Every knot in this has been tied by somebody, so it can be undone by somebody.",
        "I ask the board for its eyes first and for its opinions after.",
        "Let us be slow with whatever looks simple, for that is where clever people stumble.",
        "There is always one more side to walk round.",
    ),
)
