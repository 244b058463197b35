"""Fields of body and mind: sleep, health, training."""

from __future__ import annotations

from voices.simulated.domains.base import Domain
from voices.simulated.lexicon import word_set

SLEEP = Domain(
    name="sleep",
    words=word_set(
        "sleep sleeping insomnia tired nap naps bed bedtime night nights rest wake waking snore apnea caffeine melatonin"
    ),
    noun="the matter of sleep",
    stake="the mood and judgement of every following day",
    stay="leave the nights as they are",
    gains=(
        "a fortnight of honest records usually shows one cause that guessing had missed",
        "a rested person is kinder before breakfast, and the whole house notices",
        "a bedroom that is for sleeping and for nothing else does half of the work",
        "a body that has been used hard in daylight asks for its bed by itself",
        "light, heat and caffeine are physical inputs, and all three can be set",
        "the night is a workshop, and the mind repairs there what the day has bent",
        "rising at one fixed hour is the part of sleep that the will can govern",
    ),
    risks=(
        "watching the tracker every morning can become the reason for lying awake",
        "worry does not keep office hours, and no gadget has ever tucked anybody in",
        "a bedtime routine of eleven steps is just one more job",
        "lying in bed and trying is not an effort that anything rewards",
        "five changes at once will tell nobody which of them mattered",
        "to force sleep is to chase a cat: it comes when we are looking elsewhere",
        "some of the evening is given away for no better reason than unwillingness to end the day",
    ),
    questions=(
        "At what time did the shareholder lie down and rise on each of the last seven days?",
        "What is on their mind at the moment the light goes out?",
        "What is in that bedroom which has nothing to do with sleep?",
        "When did they last go to bed bone-tired from the open air?",
        "How warm, how dark and how quiet is the room, measured?",
        "What were the best nights of the past year made of?",
        "What is being avoided by staying up?",
    ),
    steps=(
        "log bedtime, waking and caffeine for fourteen days",
        "agree on a quiet last half-hour with whoever shares the house, and keep worries out of it",
        "charge the phone in another room",
        "be outdoors and moving within an hour of waking, in all weathers",
        "keep the bedroom at eighteen degrees, dark, and free of caffeine after noon",
        "change one thing a week and note what the night makes of it",
        "rise at the same hour on all seven days",
    ),
    trials=(
        "hold one fixed hour of rising for fourteen days, with a log",
        "leave the phone outside the bedroom for two weeks",
    ),
    provisos=(
        "a doctor is seen if there is no improvement after four weeks",
        "only one thing is changed in any week",
        "the log is kept on paper and read on Sundays only",
    ),
    measures=(
        "the nights a week with seven hours or more in bed",
        "how rested the shareholder feels at eleven in the morning",
    ),
    hold=(
        "keep a two-week log of bedtime, waking, caffeine and light before anything is changed",
        "see a doctor about the nights first",
    ),
    days=14,
    tilt={"duty": 0.15, "data": 0.2, "people": 0.1, "focus": 0.1},
)

HEALTH = Domain(
    name="health",
    words=word_set(
        "health doctor surgery operation knee back pain diet weight lose eat eating food sugar alcohol drinking drink "
        "smoking smoke vegan vegetarian therapy therapist anxiety stress depression medication blood pressure cholesterol "
        "dentist meditation fasting checkup symptom illness allergies"
    ),
    noun="the matter of health",
    stake="the body that every other plan has to be carried out in",
    stay="carry on as before",
    gains=(
        "the body keeps its own ledger, and small entries add up sooner than anybody expects",
        "to ask for help early is a kindness to everybody who would worry later",
        "one rule that is never argued about beats a diet with a hundred exceptions",
        "vigour returns to those who use it, at nearly any age",
        "most of the result comes from two or three inputs, and they are dull",
        "a body that is observed with interest rather than with blame gives good answers",
        "temperance is freedom, since it shortens the list of masters",
    ),
    risks=(
        "a single reading, or a single good week, proves nothing",
        "shame has never made anybody healthier, and it hides in strict plans",
        "every new supplement or device is a way of postponing the plain thing",
        "pushing through pain is sometimes bravery and sometimes vanity",
        "treating a number is easier than finding the cause of it",
        "the body is one piece, and whoever repairs one part bends another",
        "a resolve that rests on disgust lasts as long as the disgust",
    ),
    questions=(
        "What are the figures, from when, and against which earlier ones?",
        "Who will sit beside the shareholder when it gets hard?",
        "Which single rule could be kept on the worst day of the month?",
        "What is it that the shareholder can no longer do and badly wants to do again?",
        "What is the mechanism, and what would show within four weeks that it is at work?",
        "What does the body say in the hour after {term}?",
        "What part of this lies in the shareholder's power, and what part does not?",
    ),
    steps=(
        "have the relevant values measured now and again after eight weeks",
        "tell one trusted person and ask them to inquire every Sunday",
        "keep one rule, written on the kitchen door, and drop the other nine",
        "walk briskly for forty minutes every day, whatever else is decided",
        "get a second opinion from somebody who gains nothing by the answer",
        "keep a small journal of food, pain and mood for two weeks",
        "eat, drink and rest by the clock and not by the mood",
    ),
    trials=(
        "follow it strictly for four weeks and compare the values before and after",
        "try the mildest remedy for six weeks before the strongest",
    ),
    provisos=(
        "a physician has been asked and sees no reason against it",
        "the values are measured before and after",
        "it is stopped at the first clear sign of harm",
    ),
    measures=("the values of a blood test eight weeks apart", "the days a week on which the rule was kept"),
    hold=(
        "obtain a second medical opinion and the present values",
        "keep a journal for two weeks and take it to a doctor",
    ),
    days=28,
    tilt={"people": 0.1, "vigor": 0.1, "duty": 0.1},
)

TRAINING = Domain(
    name="training",
    words=word_set(
        "training train workout workouts marathon half-marathon run running race cycling triathlon gym strength lifting "
        "swim swimming yoga cardio fitness exercise climb climbing coach vo2 km miles ironman sport football tennis "
        "sessions zone"
    ),
    noun="the training",
    stake="a body that should still be willing in ten years",
    stay="keep the present routine",
    gains=(
        "load and rest that are written down can be steered, and what can be steered improves",
        "a training partner at the corner is worth more than any plan on the wall",
        "three sessions that always happen beat six that are planned",
        "nothing wakes a person like a date with something hard",
        "adaptation follows from stress and recovery, and both are adjustable",
        "a body that learns a new movement is a child again for an hour",
        "the habit of finishing what is uncomfortable carries over into everything",
    ),
    risks=(
        "fatigue comes three weeks after its cause, so the plan feels right exactly when it is wrong",
        "a goal can eat up the Saturdays that other people were counting on",
        "gear and apps are the sport of people who are not training",
        "the will is usually fit before the tendons are",
        "more volume is the lazy answer where the limit lies somewhere else",
        "doing one thing only makes a strong body in a narrow street",
        "pride reads every twinge as weakness, and then pays for it",
    ),
    questions=(
        "What were load, sleep and resting pulse in the last four weeks, in one table?",
        "Who has been waiting with breakfast?",
        "Which session would be left if there could be only one?",
        "What is the day of reckoning, and is it entered yet?",
        "What is the limiting factor right now: engine, legs, recovery or the calendar?",
        "When was it last fun, and what was different?",
        "Is the shareholder training for a day, or for a life?",
    ),
    steps=(
        "log every session, sleep and resting pulse, and read them on Sundays",
        "train once a week with somebody slower, and enjoy the talk",
        "cut the plan to three sessions a week that are never missed",
        "enter an event with a date and pay the fee",
        "test the limiting factor once a month and train only that",
        "replace one session a week by a sport never tried before",
        "keep one full day of rest a week, by rule and not by tiredness",
    ),
    trials=(
        "follow the revised plan for four weeks and then take an easy one",
        "hold three fixed sessions a week for twenty-one days",
    ),
    provisos=(
        "the weekly load rises by no more than a tenth",
        "one full day of rest a week is kept",
        "any pain that lasts beyond three days is shown to a physiotherapist",
    ),
    measures=("the sessions done of sessions planned", "the resting pulse on Sunday mornings"),
    hold=(
        "put the last eight weeks of sessions, sleep and pulse into one table",
        "take one easy week and be looked at by a coach",
    ),
    days=28,
    tilt={"vigor": 0.3, "duty": 0.1, "people": -0.05},
)
