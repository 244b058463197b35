"""Fields of making things: technology, releases, creative work, purchases; and what holds of any question."""

from __future__ import annotations

from voices.simulated.domains.base import Domain
from voices.simulated.lexicon import word_set

TECHNOLOGY = Domain(
    name="technology",
    words=word_set(
        "rewrite rust golang python java kotlin typescript javascript react code codebase service services backend "
        "frontend database postgres kubernetes cloud aws migrate migration refactor monolith microservice microservices api "
        "architecture legacy infrastructure server software framework system ai llm model deploy billing refactoring "
        "mongodb graphql"
    ),
    noun="the rebuilding",
    stake="a year of engineering and the nerves of those on call",
    stay="keep what runs and mend it where it hurts",
    gains=(
        "the present system's incidents and change times are on record, so an improvement could be proved",
        "engineers who dread the pager are already leaving in their heads",
        "half of what the old system does, nobody would ask for today",
        "the worst part of the code is the part that everybody is afraid of, and fear is no architecture",
        "the physical limits are nowhere near, and the present design wastes most of the machine",
        "to rebuild a thing is the only way of finding out how it really works",
        "leaving a debt to those who come after us is a choice as well",
    ),
    risks=(
        "rewrites are planned from what is remembered and delayed by what was forgotten",
        "customers never see the new engine, but they feel every hour in which it stalls",
        "a second system is where every cut feature comes back to live",
        "a long march without a fight on the way wears out the best troops",
        "the old code holds ten years of bug fixes that nobody wrote down",
        "a tool chosen for its beauty is soon asked for in places where it does not fit",
        "changing the language is easier than admitting what was badly decided",
    ),
    questions=(
        "How many incidents in the last two quarters would {term} have prevented, by ticket number?",
        "Who gets woken at night, and have they been asked?",
        "What could be deleted before anything is rewritten?",
        "Which part goes live first, and on which Friday are we willing to be embarrassed?",
        "What is the floor in latency and in cost, and how far above it are we today?",
        "Where is the seam at which old and new could run side by side?",
        "Who will still answer for {term} in five years?",
    ),
    steps=(
        "classify the incidents of the last two quarters by root cause",
        "ask the people on call for the three things that hurt most, and publish the list",
        "delete every path that had no traffic in ninety days",
        "put one thin slice into production within six weeks",
        "profile the hot path and write down the theoretical limit beside it",
        "run old and new side by side on copied traffic and study the differences",
        "name one owner who stays until the old system is switched off",
    ),
    trials=(
        "rebuild the one component with the most incidents first and run it beside the old one for six weeks",
        "time-box a prototype to ten working days and measure it against the present system",
    ),
    provisos=(
        "old and new run side by side until the figures agree for four weeks",
        "no feature is added while it lasts",
        "it goes live in slices, each of which can be rolled back within an hour",
    ),
    measures=("the incidents a month", "the hours from a merged change to production"),
    hold=(
        "classify the incidents of two quarters and profile the hot path before any new line is written",
        "delete what has no traffic and measure again",
    ),
    days=30,
    tilt={"engineering": 0.2, "data": -0.15, "focus": -0.05, "people": -0.1},
)

RELEASE = Domain(
    name="release",
    words=word_set(
        "ship launch release v1 v2 v3 v4 beta mvp product products feature features roadmap "
        "customer users user bugs bug fix app website onboarding churn growth brand subscription redesign pivot"
    ),
    noun="the release",
    stake="the trust of the people who already use the thing",
    stay="hold it back and keep polishing",
    gains=(
        "what is in use produces data, and what is in the drawer produces opinions",
        "the people who asked for it have been patient, and patience is a loan",
        "a date makes it plain which features were never needed",
        "an army that never leaves camp loses to the weather",
        "feedback in days instead of months is the strongest engine there is",
        "a thing shows its true shape only in other people's hands",
        "to put one's name to a thing and to answer for it is honest work",
    ),
    risks=(
        "the open defects have been counted but not weighed, and two of them may be the whole story",
        "the first hour with a broken thing is the hour that people tell their friends about",
        "one visible flaw at the centre spoils everything that is right around it",
        "speed without a rearguard is how victories get lost in the afternoon",
        "every workaround that goes out becomes an interface that somebody depends on",
        "the unfinished corner is often where the beauty was going to be",
        "to hand others what one would not use oneself is a small dishonesty",
    ),
    questions=(
        "How many of the open defects touch money, data or the first five minutes?",
        "Who meets the flaw first, and who will be there to answer them?",
        "If it could do one single thing perfectly on day one, which would it be?",
        "What is the date, and who is willing to say it aloud?",
        "What is the shortest loop from a user's complaint to a fix in their hands?",
        "Has anybody sat behind three strangers and watched in silence?",
        "Would everybody here sign their name on {term} as it is today?",
    ),
    steps=(
        "sort every open defect by who is hit and how badly, and draw one line",
        "write to the users personally about what works and what does not yet",
        "cut whatever is not excellent, and ship what is left",
        "name the day in public",
        "build the rollback first and rehearse it twice",
        "watch three strangers use it without helping them",
        "set down who answers for each complaint, within a day",
    ),
    trials=(
        "release it to one in twenty users for a fortnight",
        "let ten friendly customers use it, and sit beside them while they do",
    ),
    provisos=(
        "no known defect touches money, data or the first five minutes of use",
        "it can be taken back within an hour",
        "every user is told what does not work yet",
    ),
    measures=("the complaints per hundred users in the first week", "how many people come back on the seventh day"),
    hold=(
        "mend every defect that touches money or data, and name the day in public",
        "watch five strangers use it and list what stops them",
    ),
    days=14,
    tilt={"engineering": 0.25, "vigor": 0.2, "focus": -0.2, "data": 0.0, "people": -0.1},
)

CREATIVE = Domain(
    name="creative",
    words=word_set(
        "novel write writing book poem poetry paint painting music song album band film movie photography podcast blog "
        "youtube channel newsletter art artist exhibition gallery publish publisher draw drawing design theatre play "
        "instrument creative story memoir manuscript editor"
    ),
    noun="the work",
    stake="a thing that will not exist unless one person makes it",
    stay="keep it for later",
    gains=(
        "pages a week can be counted, and whoever counts them finishes",
        "somebody out there needs this very thing and does not know whom to ask for it",
        "a limit of form or length is what makes a work begin to breathe",
        "the first bad draft is an act of bravery that the tenth good one never is",
        "output is a matter of iterations, and iterations can be made cheap",
        "a work that is begun draws to itself all that its maker sees",
        "to use a gift is the way of giving thanks for it",
    ),
    risks=(
        "without a finishing date, a project of the heart has no natural end",
        "a closed study door is also closed to the people on its other side",
        "half of it is there because it was hard to make, not because it is good",
        "talking about a work gives the pleasure of it without the labour",
        "the market for it is small, and pretending otherwise distorts the work",
        "a maker who begins everything owns a house full of foundations",
        "applause is a poor master, and silence no verdict",
    ),
    questions=(
        "How many hours did it get in each of the last four weeks?",
        "Who is the one reader it is meant for?",
        "What is the sentence that everything else in it has to serve?",
        "On which day does it leave the house, finished or not?",
        "What is the smallest complete version, and can it exist within a month?",
        "What has the shareholder noticed lately that nobody else would draw?",
        "If no one ever praised {term}, would it still be worth the making?",
    ),
    steps=(
        "count words or hours every day and look at the sum once a week",
        "read it aloud to one friend and watch where they lean forward",
        "throw away a third, beginning with the cleverest parts",
        "promise a finished piece to a named person by a named day",
        "make five rough versions in five days and keep the best",
        "carry a notebook and fill one page a day with things seen",
        "give it the same hour daily, whether the mood comes along or not",
    ),
    trials=(
        "finish one small complete piece in thirty days and show it to three people",
        "work on it an hour a day for four weeks before anything else is rearranged",
    ),
    provisos=(
        "one fixed hour on six days a week is cleared for it",
        "the living is secured without it for the coming year",
        "a first finished part is shown to outside eyes within two months",
    ),
    measures=("the finished pages a week", "what three strangers remember of it a day later"),
    hold=(
        "make one small finished piece first",
        "count for a month the hours that it gets today",
    ),
    days=30,
    tilt={"curiosity": 0.35, "focus": 0.15, "vigor": 0.1, "data": -0.15},
)

PURCHASE = Domain(
    name="purchase",
    words=word_set(
        "buy car laptop phone bike bicycle camera computer watch sofa boat tesla electric van motorbike piano purchase "
        "upgrade tv subscription headphones ipad iphone macbook used second-hand lease"
    ),
    noun="the purchase",
    stake="money, room and attention for years to come",
    stay="make do with what is there",
    gains=(
        "cost per use falls quickly for a thing that is used every day",
        "a thing that is shared brings people to the same table",
        "one excellent object ends the search, and with it the clutter",
        "good equipment has sent many a sitter out of doors",
        "the right tool removes a step that was being paid for daily",
        "a fine instrument teaches its owner what it is able to do",
        "to buy once and take care of it is thrift of the better kind",
    ),
    risks=(
        "the price on the label is usually the smaller half of what it costs to own",
        "a new thing fills an empty evening for about a week",
        "most of the features are there for the comparison table",
        "buying is what we do when we do not dare to begin",
        "next year's is better and cheaper, and that will be true every year",
        "the wish for the tool is often a wish for the time to use it",
        "what we own asks something of us each day",
    ),
    questions=(
        "How often would it be used in an average week, going by the last eight?",
        "Who else in the house would use it, or trip over it?",
        "Which of its functions would be used in the first month, honestly?",
        "What would be done with {term} on the very first Saturday?",
        "What does it cost per year, all in, resale taken off?",
        "Could one be borrowed for a week, to find out what is really wanted?",
        "What is it to take the place of, and may that thing go?",
    ),
    steps=(
        "work out the full cost per year and per use",
        "ask those who live with it, and with the shareholder, what they think",
        "list the three uses that matter and ignore everything else",
        "set a day, buy it or drop it, and look at no further review",
        "compare energy, repair and resale, and not the brochures",
        "borrow or rent one for a week",
        "sell or give away what it replaces on the same day",
    ),
    trials=(
        "rent or borrow one for two weeks",
        "keep a tally for thirty days of every occasion on which it was missed",
    ),
    provisos=(
        "what it replaces is sold first",
        "it is paid for in full without touching the reserve",
        "it can be returned within thirty days",
    ),
    measures=("the uses a week after three months", "the full cost per use"),
    hold=(
        "keep a tally for thirty days of every time it was really missed",
        "borrow one for a fortnight and compare",
    ),
    days=21,
    tilt={"focus": -0.05, "duty": -0.25, "data": -0.1, "curiosity": 0.1},
)

GENERAL = Domain(
    name="general",
    words=frozenset(),
    noun="the matter",
    stake="more than the question itself lets on",
    stay="leave things as they are",
    gains=(
        "a decision with a date and a measure can be learned from, whichever way it goes",
        "a thing that is said aloud among people who care loses half its weight",
        "once the one essential thing is named, the rest arranges itself",
        "most doors that look locked have merely never been pushed",
        "costs that look fixed turn out to be habits when they are taken apart",
        "whatever is new in this can be made to teach something old",
        "to act well on what lies in our power is the whole of the task",
    ),
    risks=(
        "we are arguing from a sample of one, and the one is an interested party",
        "somebody who is not in this room will have to live with it",
        "the question carries three others on its back",
        "a bold beginning with no second step is only noise",
        "the first plan rests on a premise that nobody has checked",
        "we may be looking at the shadow and sketching that",
        "eagerness to be done with a question is not an answer to it",
    ),
    questions=(
        "What would have to be true for {term} to be a mistake, and can that be looked up?",
        "Who will feel it first, and has anybody asked them?",
        "What is the one sentence that this is really about?",
        "What would be done today if it had to be done today?",
        "Which assumption in it would change everything if it were wrong?",
        "What does the same question look like in some quite different trade?",
        "Which part of {term} is in the shareholder's own hands?",
    ),
    steps=(
        "write down the three facts that would settle it, and find them out",
        "hear the two people whom it touches most",
        "put it into one sentence and strike whatever does not serve that",
        "take the first visible step within the week",
        "list the assumptions and test the weakest one first",
        "look at how three others, in other fields, have dealt with the same thing",
        "do the nearest clear duty first",
    ),
    trials=(
        "try it on a small scale for thirty days",
        "do the first tenth of it and look again",
    ),
    provisos=(
        "it can be undone within three months at a known cost",
        "those whom it touches have been heard",
        "a limit in time and money is set beforehand",
    ),
    measures=("one number that is looked at every week", "what those concerned say after a month"),
    hold=(
        "find out the three facts that would settle it",
        "hear those whom it touches and bring their answers to the board",
    ),
    days=21,
)
