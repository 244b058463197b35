"""Fields of life at home: relocation, housing, relationships, family."""

from __future__ import annotations

from voices.simulated.domains.base import Domain
from voices.simulated.lexicon import word_set

RELOCATION = Domain(
    name="relocation",
    words=word_set(
        "live living move moving relocate relocation abroad emigrate country city visa lisbon berlin london paris madrid "
        "porto tokyo york amsterdam barcelona vienna zurich dublin rome portugal spain germany france italy canada "
        "australia japan countryside expat hometown singapore dubai mexico prague copenhagen stockholm oslo"
    ),
    noun="the move",
    stake="a home, a language and a circle of friends",
    stay="stay where they are",
    gains=(
        "rent, tax and climate are facts of a place, and they work for or against a person every single day",
        "a smaller circle, chosen on purpose, can hold somebody better than a large inherited one",
        "packing shows in a week which possessions and duties are real",
        "a strange city makes a person ten years younger in the first month",
        "changing the place changes every default at once, which no resolution can do",
        "the light, the bread and the manners of another place are an education by themselves",
        "one carries oneself everywhere, and a new place makes that plain, which is worth knowing",
    ),
    risks=(
        "the first year in a new country costs more than any offer letter admits",
        "whoever moves makes two farewells at once, their own and that of the people who stay",
        "a new address does not simplify a complicated life, it only ships it",
        "running towards something and running away look alike from the platform",
        "bureaucracy, not distance, eats the first six months",
        "a place seen on holiday is a sketch made in good light",
        "the discontent that is packed at home is unpacked on arrival",
    ),
    questions=(
        "What is left each month there, after rent, tax and two flights home?",
        "Who would be rung on a bad evening in {place}, and would they pick up?",
        "If only one suitcase could come, what would be in it, and what does that say?",
        "What would the shareholder regret at eighty: having gone, or having stayed?",
        "Which part of the plan cannot be undone within a year, and how few such parts can there be?",
        "What does {place} smell of in February, when no visitor is looking?",
        "What is owed here, to whom, and can it be paid from {place}?",
    ),
    steps=(
        "work out a full monthly budget for {place}, tax and flights included",
        "sit down with each person who would be left behind before anything is announced",
        "decide what is sold, what is stored and what comes along, and keep the third list short",
        "book the journey and a date, even if it is only for a look",
        "list every permit and registration in order, with the slowest one first",
        "live there for a week in the off season, in a plain street, cooking and riding the bus",
        "put the parting with the present place in order, debts and thanks included",
    ),
    trials=(
        "spend four weeks in {place} on a rented flat before giving anything up here",
        "keep the present home for six months while living there",
    ),
    provisos=(
        "the present home can be kept or let for the first six months",
        "the cost of moving and of two journeys home a year is covered",
        "a date is fixed on which staying or returning is decided afresh",
    ),
    measures=("what is left of the income at the end of a month", "the number of people there who would be called in trouble"),
    hold=(
        "spend one week in {place} outside the season and draw up a full budget for it",
        "talk it through with everybody who would be left behind",
    ),
    days=21,
    tilt={"curiosity": 0.15, "people": -0.1, "vigor": 0.1},
)

HOUSING = Domain(
    name="housing",
    words=word_set(
        "house flat apartment home rent renting landlord mortgage property renovate renovation kitchen garden roof move-in "
        "estate agent neighbourhood neighborhood garage cottage condo room roommate downsize solar heating bathroom "
        "extension"
    ),
    noun="the question of the house",
    stake="the largest single figure in most people's lives",
    stay="keep the home as it is",
    gains=(
        "what is tied up in walls cannot be used for anything else, and that has a price every month",
        "a home that fits the life now being lived takes a weight off everybody under its roof",
        "fewer rooms, each of them used, make a better home than many that are heated",
        "a decision about bricks frees hands that have been wringing for years",
        "upkeep is a second rent that grows with the age of the roof",
        "rooms shape the people in them, so to change the rooms is to redraw the days",
        "a house is meant to serve its household, and not to be served by it",
    ),
    risks=(
        "fees, taxes and the move itself swallow more than the price suggests",
        "a house holds somebody's childhood, and that has never yet been in a valuation",
        "it is easy to trade one set of repairs for another and call it a fresh start",
        "a market that looks hurried is being hurried by somebody who earns by it",
        "the price of a single house is a guess until a buyer signs",
        "a house empty of furniture and of memory shows only half its plan",
        "attachment to walls and disgust with walls are both bad advisers",
    ),
    questions=(
        "What does a month in it really cost, with repairs, interest and the return forgone?",
        "What happened in that house that nobody wants to leave behind?",
        "Which rooms were used in the last seven days?",
        "If the shareholder did not own it, would they buy it tomorrow at that price?",
        "What does it cost per year to keep, bottom up, from the boiler to the gutters?",
        "Where does the morning light fall, and who sits there?",
        "Whom is the house serving now, and whom will it serve in ten years?",
    ),
    steps=(
        "get two independent valuations and a table of all costs for ten years",
        "walk through every room with the family and let each say what they would miss",
        "clear out what has not been used in a year, whatever is decided afterwards",
        "set the date by which it is done and tell the people concerned",
        "have the roof, the wiring and the boiler inspected before anybody talks of prices",
        "draw the plan of a week in the present home and of a week in the next",
        "settle who must agree, and hear them before the agent is called",
    ),
    trials=(
        "let it for six months and live elsewhere meanwhile",
        "offer it quietly for thirty days to learn the true price, with no duty to accept",
    ),
    provisos=(
        "two independent valuations agree within a twentieth",
        "the next home is secured in writing first",
        "everybody who lives there has been heard and nobody has a grave objection",
    ),
    measures=("the full monthly cost of a roof", "the rooms in daily use"),
    hold=(
        "obtain two valuations and an inspection of roof, wiring and boiler",
        "draw up the full cost of staying and of going for ten years",
    ),
    days=28,
    tilt={"people": -0.2, "focus": 0.15, "data": 0.0},
)

RELATIONSHIPS = Domain(
    name="relationships",
    words=word_set(
        "marry marriage wedding propose partner girlfriend boyfriend wife husband divorce separate relationship date dating "
        "love friend friends friendship forgive apologise apologize break-up breakup engaged engagement couple trust "
        "jealous lonely together ex"
    ),
    noun="the promise",
    stake="two lives, and the people around them",
    stay="leave things unspoken for now",
    gains=(
        "what two people have already come through together says more than any forecast",
        "being chosen out loud does something for a person that being liked never does",
        "a clear yes ends a thousand small negotiations",
        "hearts are not won from the spectators' bench",
        "two people who can repair a quarrel can build anything, and that can be observed",
        "to know one person for decades is the longest study there is",
        "a promise makes a person steadier than their moods",
    ),
    risks=(
        "nobody has written down what would have to be true in five years, and both may mean different things by yes",
        "a question that is asked too early can make an answer that was growing stop",
        "a great day is easily mistaken for a great decision",
        "to wait for certainty is to let the other one do all the waiting",
        "the hard topics, children, money and place, do not go away by being postponed",
        "we paint the other in the colours that happen to be on our own palette",
        "a vow that is made to quiet a fear will be tested by that same fear",
    ),
    questions=(
        "How did the last three disagreements end, and who spoke first afterwards?",
        "Has {person} been asked what they hope for, and listened to until the end?",
        "If there were no ceremony and no audience, would the answer be the same?",
        "What is the shareholder afraid of, in one honest sentence?",
        "Do the two agree about children, money and where to live, by test and not by feeling?",
        "What is there about {person} that is still a mystery, and is that a joy?",
        "Can the shareholder keep this promise on the days when it is not felt?",
    ),
    steps=(
        "talk through children, money, place and parents, one evening each, and write down what was said",
        "ask {person} what they need, and only listen for an hour",
        "say it plainly and without an occasion",
        "speak within the week, face to face, and with no message sent beforehand",
        "plan one hard thing together, a journey or a repair, and see how it is shared",
        "ask {person} for three stories that have never been told",
        "put in order whatever is owed to anybody from before",
    ),
    trials=(
        "set aside one evening a week for ten weeks for the questions that have been avoided",
        "live for three months as if it had been decided, and speak of it at the end",
    ),
    provisos=(
        "both have spoken openly about children, money and where to live",
        "the other person has been asked and not merely informed",
        "neither is doing it to end a quarrel",
    ),
    measures=("how soon a quarrel is mended", "what both would say separately if they were asked how it is going"),
    hold=(
        "have the four conversations about children, money, place and parents first",
        "speak openly about what the waiting is for, and for how long",
    ),
    days=30,
    tilt={"people": 0.4, "vigor": 0.25, "duty": 0.15, "data": -0.1},
)

FAMILY = Domain(
    name="family",
    words=word_set(
        "child children kid kids baby son daughter parent parents mother father mum mom dad grandmother grandfather sister "
        "brother family school nursery dog cat pet adopt adoption care elderly teenager homeschool birthday christmas "
        "holiday holidays vacation"
    ),
    noun="the plan for the family",
    stake="how a household remembers these years",
    stay="leave the arrangement as it is",
    gains=(
        "a routine that everybody knows saves a family a hundred small decisions a week",
        "children remember who had time far longer than what anything cost",
        "families thrive on a few rituals that are never moved",
        "there is a season for this, and it does not come round twice",
        "shared work, sized to each pair of hands, is how people learn to rely on each other",
        "a household that takes in something new starts asking questions at dinner again",
        "to care for those who are ours is the plainest of duties and the least regretted",
    ),
    risks=(
        "the hours it takes have not been counted, and one person usually ends up giving all of them",
        "the quietest one in the house may be the one who minds the most",
        "good intentions pile up until there is no free afternoon left for anybody",
        "a decision that is put off to spare feelings spares nobody",
        "logistics break families that love never did",
        "what delighted us at that age may be our own memory speaking",
        "we can do for our own sake what we say is for theirs",
    ),
    questions=(
        "How many hours a week does it take, and whose are they?",
        "What does the smallest voice in the house say about {term}?",
        "Which present obligation goes away to make room?",
        "What would the shareholder do if only the next ten years counted?",
        "What is the plan for the day when two people are ill at once?",
        "What would everybody around that table learn from it?",
        "Who is being cared for by this, truly?",
    ),
    steps=(
        "write down the weekly hours and the yearly cost, with a name beside each",
        "hold one family evening where everybody speaks, the youngest first",
        "drop one regular obligation before anything is added",
        "fix the day and begin, with the help that is there",
        "draw up the plan for the worst week, and see whether it holds",
        "spend an afternoon with a family that already lives so",
        "agree what each owes the others, in words that a child understands",
    ),
    trials=(
        "try the arrangement for one month, with a family evening at its end",
        "borrow the situation for two weekends before committing to it",
    ),
    provisos=(
        "everybody in the household has been heard and has agreed",
        "the hours are shared out by name beforehand",
        "there is a second person who can step in",
    ),
    measures=("the shared meals a week", "what each member of the family says when asked alone"),
    hold=(
        "hear everybody in the household, one by one",
        "count for two weeks whose hours are already spoken for",
    ),
    days=21,
    tilt={"people": 0.3, "duty": 0.15, "vigor": 0.1},
)
