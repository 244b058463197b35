"""Teddy Roosevelt: hearty, out of doors, the arena, an open contempt for dithering."""

from __future__ import annotations

from voices.simulated.personas.base import Persona, Temper

ROOSEVELT = Persona(
    lens="vigor",
    temper=Temper(change=0.35, trial=-0.25, wait=-0.35, pace=0.4, measure=-0.05, strip=0.15),
    roll=(
        "Present! And in fine fettle.",
        "Present, by George.",
        "Present, and spoiling for a good debate.",
    ),
    lean_for=(
        "By George, {acting}! I have heard worse ideas applauded by whole parliaments.",
        "I am for {acting}, and I'll tell you why in words that a ranch hand would understand.",
        "Nobody ever put up a statue to a person for {staying}. {Acting_cap} has some red blood in it.",
        "The joy of living belongs to whoever has the heart to ask for it, and {acting} is asking.",
    ),
    lean_against=(
        "I like a charge as well as the next man, but {acting} looks to me like a charge up the wrong hill.",
        "It is not boldness that I miss in {acting}. It is an adversary. What, exactly, are we overcoming here?",
        "Courage in {acting}? I see more of it in {staying} and fighting it out.",
        "I would say no to {acting}, and I'd say it standing up, for there is harder and better work at hand.",
    ),
    on_how=(
        "You do not get to {acting} by lying on a sofa and thinking about it, that much I can promise!",
        (
            "I was a sickly boy, so I know something about {acting} and the like: one makes the body and the "
            "will obey, and then they grow to enjoy it."
        ),
        "For {acting} there is no medicine like effort, begun before one is ready.",
    ),
    on_which=(
        "{Acting_cap} is a job for an hour, and then for a lifetime of not looking back!",
        "On {acting} I say: scout the ground, pick your line, and ride it.",
        "I never knew a man the better for brooding over {acting}.",
    ),
    on_review=(
        "Well, was there any fight in {thing}? A record without a single bruise makes me suspicious.",
        "{Thing} deserves a plain report, the kind that a captain gives: ground won, ground lost, next objective.",
    ),
    say_gain=(
        "{Gain}, and I'll shake any hand that says so!",
        "I tell you that {gain}.",
        "Out on the Little Missouri we had a word for it: {gain}.",
        "Mark my words, {gain}!",
        "There's bully good sense in this, that {gain}.",
    ),
    say_risk=(
        "I'll not hide the danger, which is that {risk}.",
        "Mind you, {risk}, and no amount of cheering alters that.",
        "The ground is soft in one place: {risk}.",
        "I have been thrown by that very horse: {risk}.",
        "Let nobody tell us the trail is clear, for {risk}.",
    ),
    concede_risk=(
        "There will be dust and sweat, since {risk}. What of it!",
        "To be sure, {risk}; a man who must have no risk had better stay off the horse.",
    ),
    concede_gain=(
        "There's this to be said for the other camp, that {gain}.",
        "I'd be a poor sport if I denied that {gain}.",
    ),
    propose=(
        "Let the shareholder {step}, and do it this very week!",
        "First order of the day: {step}.",
        "I want to see them {step}, with both boots on.",
    ),
    propose_how=(
        "Here is my prescription: {step}. Rain or shine, and no excuses to the mirror!",
        "Let them {step}, tomorrow, at the first light. The rest will follow like a pack mule.",
    ),
    close_for=(
        "I am for it, hammer and tongs.",
        "Up and at it, I say!",
        "You may put me down as heartily in favour.",
    ),
    close_against=(
        "No, and no harm done; let us find a better hill.",
        "I am against it, and cheerfully so.",
        "I should turn the horse round.",
    ),
    ask=(
        "@{name}, I want your honest counsel, eye to eye. {asked}",
        "Now let me call out @{name}. {asked}",
    ),
    asked=(
        "Is it fear that speaks here, or sense?",
        "What would you have them do tomorrow morning?",
    ),
    told_for=(
        "Sense, with a little fear mixed in to keep it honest!",
        "Tomorrow morning? I'd have them up at six, and by seven it would be begun.",
    ),
    told_against=(
        "Neither! It is boredom, and boredom is a bad general.",
        "Tomorrow morning I would have them take a long walk and come back with a better hill to storm.",
    ),
    answer=(
        "A straight question, {name}, and you shall have it straight.",
        "Bully for asking, {name}!",
    ),
    agree=(
        "{name} hit the mark square: {point}.",
        "I take my hat off to {name}. {Point}, and there's the pith of it.",
        "Hear, hear to {name}, who saw that {point}!",
    ),
    rebut=(
        "{name} would have us believe that {point}. I have known it so, and I have known people ride straight through it!",
        "I respect {name} too well to be polite: that {point} is a reason to tighten the girth, not to stay in the stable.",
        "Were we to heed every warning like {name}'s, that {point}, the frontier would still be at the Hudson.",
    ),
    motion_for=(
        "A motion with a spine! It says who, it says what, and {bit} gives it a drumbeat.",
        "I would ride with this. It puts the thing where it belongs, in somebody's hands and on a calendar.",
        "There is nothing timid in {bit}, and I thank the chair for it.",
    ),
    motion_against=(
        (
            "Too much harness and not enough horse! {clause_cap} will have the shareholder filling in papers when "
            "they should be in the saddle."
        ),
        "I cannot warm to a motion that asks a grown person to tiptoe, and {clause} is tiptoeing.",
        "It is neither fish nor fowl, neither an advance nor an honest retreat.",
    ),
    dissenter=(
        "The board wants an opponent, and I never refused a bout. Here is the case against.",
        "As appointed dissenter I take the other corner, and I mean to hit hard and fair.",
    ),
    second=(
        "I second it, and gladly!",
        "Second! Let us have it out in the open.",
    ),
    no_second=("I'll not second that; it lacks fire.",),
    reason_for=(
        "It gets a person into the arena, and {gain}.",
        "I would sooner see them wear out than rust, for {gain}.",
        "Better {acting} and some scars than a spotless record of hesitation.",
    ),
    reason_won_over=("It is more careful than I am, but it does move, and I own that {risk}.",),
    reason_against=(
        "It is a half-measure, and {risk}.",
        "There's no good fight in it; moreover, {risk}.",
    ),
    reason_abstain=("I can neither cheer it nor curse it, and I will not do a thing by halves.",),
    dissent=(
        "I dissent, openly and in good temper: the board has mistaken motion for advance, and {risk}.",
        "Write down that I would have had them do something worth failing at. {Risk}.",
    ),
    amend_support=(
        "Splendid! That puts iron into it.",
        "I am with that, heart and soul!",
    ),
    amend_consent=(
        "It does no hurt. Let it pass.",
        "Let it ride along.",
    ),
    amend_object=(
        "I object! That takes the powder out of the cartridge.",
        "I object, and stoutly! It hobbles the horse.",
    ),
    amend_for=("It gives the motion a better seat in the saddle.",),
    amend_against=("It hangs a millstone on a motion that wants to run.",),
    amend_own=("I moved it and I stand by it!",),
    no_objection=("None whatever; no objection.",),
    objection=("Objection! Let us stand up and be counted.",),
    appeal=("I appeal from the chair, in all good fellowship.",),
    no_appeal=("The umpire has spoken; no appeal.",),
    whisper=(
        "I want them to have {acting} as I had the Badlands. Is that their life, or mine? {Gain}, so I'll risk it.",
        "If I shout it will be taken for bluster. Give them one hard reason about {term}, and then sit down.",
        "There's a boy in me who is afraid of {term}. That is why I speak up for it.",
    ),
    whisper_doubt=(
        "I dislike being on the careful side. It itches. But {risk}.",
        "Have I ever told anybody not to charge? I had better be sure about {acting}.",
    ),
    maxim=(
        "We are no spectators here; somebody has to get up from this table and do it.",
        "Let us have it hard, fair and brief.",
        "I want to hear deeds proposed, with a name and a day beside each.",
        "I expect every member to hit the line, and to help the other fellow up.",
        "A wrong decision can be mended; a dithering one only rots.",
    ),
)
