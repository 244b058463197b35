"""How a chairman of each lens talks with the shareholder about an agenda: short, and in its own manner.

The slots are filled once, by `said`; what goes in is data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from voices.base import AgendaBrief
from voices.simulated.chance import pick
from voices.simulated.grammar import capital
from voices.simulated.personas import persona_of

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manner:
    agree: Lines  # before a change
    done: Lines  # {what} was changed
    cannot: Lines  # {why} it was not
    why: Lines  # {topic}, {why} it is on the agenda
    which: Lines  # asks which item is meant: {what}, {known}
    offer: Lines  # {topic} that is not on the agenda and presses
    enough: Lines  # nothing is missing
    order: Lines  # {first} comes first because {why}
    listen: Lines  # nothing was asked


_DUTY = Manner(
    agree=(
        "A reasonable wish, and it lies in our power.",
        "You know your days better than I do. Let it be so.",
        "It costs us nothing and may spare you something.",
        "Well asked. What is within our reach should not wait.",
    ),
    done=(
        "It stands so now: {what}. Read it once more before you approve it.",
        "{What}. The rest of the agenda is as it was.",
        "It is done: {what}.",
    ),
    cannot=("That I cannot do: {why}. Let us take it as it is, or ask for something else.", "It was not to be done: {why}."),
    why=(
        "“{topic}” is there for a plain reason. {why}",
        "I put “{topic}” before the board because it will not improve by being looked away from. {why}",
    ),
    which=("I would not touch the wrong thing in haste. Which item do you mean by “{what}”? We have {known}.",),
    offer=(
        "One thing is not on it that the book presses upon us: “{topic}”. Tell me to add it, or leave it; I shall not insist.",
    ),
    enough=("Nothing more is needed. An agenda, like a day, is spoilt by what one adds to it.",),
    order=("“{first}” comes first, since a fresh mind should meet the heaviest matter. {why}",),
    listen=(
        "I have heard you. If it should come before the board, tell me to add it.",
        "That is worth keeping in mind. The agenda stays as it is until you say otherwise.",
    ),
)
_DATA = Manner(
    agree=("Makes sense. I'll change it.", "Fair. Better on paper than in our heads.", "Good, that's a clear request."),
    done=("Done: {what}. Check whether that's what you meant.", "{What}. I've written it down so."),
    cannot=("That didn't go through: {why}.", "I couldn't: {why}. Tell me what you'd rather have."),
    why=("“{topic}” is there because of what the record shows. {why}", "Here's the reasoning for “{topic}”. {why}"),
    which=("I want to be sure I change the right one. What do you mean by “{what}”? There are {known}.",),
    offer=("What's missing, if you ask me, is “{topic}”. Want it on? Then tell me to add it.",),
    enough=("I see no gap. More items would only make each of them thinner.",),
    order=("“{first}” is first because it weighs most. {why}",),
    listen=("Noted. If you want the board to look at it, tell me to add it as an item.",),
)
_PEOPLE = Manner(
    agree=("Of course. I'm glad you said so.", "That's easy to do, and I think it's kind to yourself.", "Yes, let's."),
    done=("There: {what}. Does that feel right?", "{What}. Thank you for telling me."),
    cannot=("I'm sorry, I couldn't do that: {why}.", "That one wouldn't go: {why}. We can find another way."),
    why=("I put “{topic}” there with you in mind. {why}", "“{topic}” is there because it seemed to matter to you. {why}"),
    which=("Help me understand which one you mean by “{what}”. There are {known}.",),
    offer=("I did wonder about “{topic}”. If you'd like to talk about it, tell me to add it.",),
    enough=("I think that's plenty. We can take our time with each of them.",),
    order=("“{first}” is first, so that we come to it while nobody is tired. {why}",),
    listen=("Thank you for telling me that. If you'd like the others to hear it, tell me to add it.",),
)
_FOCUS = Manner(
    agree=("Right. Doing it.", "Good. Simple. Yes.", "Fine, if it earns its place."),
    done=("{What}. That's it.", "Done. {What}."),
    cannot=("No: {why}.", "Can't be done: {why}. Pick something else."),
    why=("“{topic}” made the cut. {why}", "“{topic}”? Because it's the thing. {why}"),
    which=("“{what}” could be anything. Which one of these: {known}?",),
    offer=("I left out “{topic}”. If you can't live without it, tell me to add it.",),
    enough=("Nothing. If anything, take one off.",),
    order=("“{first}” is first. If we only did one thing, it would be that. {why}",),
    listen=("OK. If it's important, tell me to add it. If it isn't, let it go.",),
)
_VIGOR = Manner(
    agree=("Capital! Let us have it so.", "By all means, and at once.", "Quite right. I like a person who says what he wants."),
    done=("{What}, and that's settled!", "There it stands: {what}."),
    cannot=("That will not go: {why}. Give me another order!", "I could not do it: {why}."),
    why=("“{topic}” is there because it wants doing. {why}", "You ask about “{topic}”. {why}"),
    which=("I'll not charge at the wrong hill. Which one is “{what}”: {known}?",),
    offer=("There's “{topic}”, and nobody has put it down! Say add it, and it is added.",),
    enough=("Enough is there for a good hour's work. Let us do that, and do it hard.",),
    order=("“{first}” leads, since one takes the steepest slope in the morning. {why}",),
    listen=("I hear you. Tell me to add it and the board shall hear it too.",),
)
_ENGINEERING = Manner(
    agree=("OK, changing it.", "Yeah, that's cheap to do.", "Sure. Fewer assumptions that way."),
    done=("Changed: {what}.", "{What}. Ship it when you like it."),
    cannot=("That failed: {why}.", "Can't: {why}. Different input?"),
    why=("“{topic}” is there because of this. {why}", "The reason for “{topic}” is pretty basic. {why}"),
    which=("Ambiguous: “{what}”. Options are {known}. Which?",),
    offer=("The obvious gap is “{topic}”. Tell me to add it and I will.",),
    enough=("No gaps that I can see. Adding parts makes it slower.",),
    order=("“{first}” is the bottleneck, so it goes first. {why}",),
    listen=("Understood. If it should be an item, say add it.",),
)
_CURIOSITY = Manner(
    agree=(
        "With pleasure; I should like to see it from that side.",
        "A good stroke to add. I make it.",
        "Let us draw it so, then.",
    ),
    done=("It is drawn in now: {what}.", "{What}. Step back and look whether it is in balance."),
    cannot=("The paper would not take it: {why}.", "That could not be done: {why}."),
    why=("You ask what “{topic}” does there. {why}", "“{topic}” caught my eye in the book. {why}"),
    which=("I see several shapes in “{what}”. Which of these is it: {known}?",),
    offer=("There is a corner still empty, and I would put “{topic}” there. Tell me to add it, if you see it too.",),
    enough=("The picture is full. One more figure, and nobody would look at any of them.",),
    order=("“{first}” comes first, since the eye should fall upon it first. {why}",),
    listen=("I have made a note of it in the margin. Tell me to add it, and it moves onto the page.",),
)
_BY_LENS = {
    "duty": _DUTY,
    "data": _DATA,
    "people": _PEOPLE,
    "focus": _FOCUS,
    "vigor": _VIGOR,
    "engineering": _ENGINEERING,
    "curiosity": _CURIOSITY,
}
_SLOT = re.compile(r"\{(\w+)\}")


def said(brief: AgendaBrief, line: str, /, **slots: str) -> str:
    """A line of the chairman's manner with its slots filled; the same message always gets the same line."""
    manner = _BY_LENS[persona_of(brief.chairman).lens]
    options: Lines = getattr(manner, line)
    turn = len(brief.conversation)  # the same request twice need not get the same words
    form = pick(options, brief.seed, turn, brief.message, line)
    values = slots | {"What": capital(slots.get("what", ""))}
    return re.sub(r"([.!?])\.", r"\1", _SLOT.sub(lambda m: values[m[1]], form)).strip()
