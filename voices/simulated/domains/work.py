"""Fields of working life: work, money, hiring, learning, time."""

from __future__ import annotations

from voices.simulated.domains.base import Domain
from voices.simulated.lexicon import word_set

WORK = Domain(
    name="work",
    words=word_set(
        "job work career offer salary promotion boss employer manager resign quit freelance consulting role "
        "position sabbatical retire retirement pension interview contract client clients profession office "
        "remote"
    ),
    noun="the change of work",
    stake="the better part of every waking week",
    stay="stay in the present work",
    gains=(
        "pay and prospects grow from whatever base they stand on, and this is how the base gets moved",
        "a person who is glad of the work comes home easier to live with",
        "one piece of work that matters beats three that merely fill the week",
        "careers move in the years when somebody dares to move them",
        "skills grow fastest where the problems are hardest, not where the title is safest",
        "a new trade lends fresh eyes to the old one",
        "work that calls on a person's best part is nearer to duty than to vanity",
    ),
    risks=(
        "the figures that get quoted are silent about the hours, the tax and the odds that it ends within a year",
        "the people at home pay part of the price and were never in the interview",
        "a bigger job is often the same job with more meetings in it",
        "restlessness can put on the uniform of courage",
        "the role that is described is seldom the role that is done",
        "whoever leaves too early never finds out what the present work still had to teach",
        "wanting the title is not the same as wanting the work",
    ),
    questions=(
        "What does it come to per hour, after tax, travel and the pension that is given up?",
        "Who at home has been told, and what did their face say before they answered?",
        "If all of it had to fit on one business card, which single line would be worth printing?",
        "What would the shareholder do on Monday if there were no such thing as failure?",
        "Which skill will be worth twice as much in five years because of {term}?",
        "What would a day there look like, hour by hour, if somebody drew it?",
        "Is {term} a call to better work, or only away from the present one?",
    ),
    steps=(
        "set the pay, the hours and the tax of both paths side by side on one page",
        "speak at home about what changes on an ordinary Tuesday",
        "write down in one sentence what the work is for, and test the offer against it",
        "name the day on which the answer is given, and keep to it",
        "ask the future team to show its hardest current problem and spend an hour on it",
        "talk with three people who did the same work and left it",
        "name the obligations that cannot be handed over, and hand over the rest properly",
    ),
    trials=(
        "spend two working days with the new team before signing anything",
        "take it on for a fixed term of ninety days, with the way back agreed in writing",
    ),
    provisos=(
        "the terms are in writing and include a notice period of at least three months",
        "six months of living costs are set aside beforehand",
        "the first ninety days and what counts as success in them are agreed in advance",
    ),
    measures=("the pay per hour actually worked", "the number of mornings that began with a wish to work"),
    hold=(
        "gather the full terms in writing and speak with three people who know the place from inside",
        "ask the present employer, once and plainly, what staying could look like",
    ),
    days=14,
    tilt={"vigor": 0.1, "people": -0.1},
)

MONEY = Domain(
    name="money",
    words=word_set(
        "money invest investing investment investments savings save stock stocks shares fund funds etf bond bonds crypto "
        "bitcoin loan debt mortgage budget insurance tax taxes inheritance euros dollars pay afford donate spend spending "
        "interest pension portfolio gold index broke bank credit"
    ),
    noun="the use of the money",
    stake="years of saved-up freedom",
    stay="leave the money where it is",
    gains=(
        "money that is put to a known purpose every month stops depending on anybody's mood",
        "a cushion in the bank lets a family sleep through bad news",
        "one account and one rule are easier to keep than nine clever ideas",
        "capital that never takes a risk quietly takes the largest one",
        "returns come from owning things that produce, and time does most of the producing",
        "whoever follows where the money goes learns what the household truly wants",
        "a person who needs less has already grown richer",
    ),
    risks=(
        "a plan that has never been tried against a bad decade is only a hope with decimals",
        "money quarrels are seldom about money, and they start when one partner finds out late",
        "complexity is where the fees live",
        "fear of missing out has ruined more people than idleness",
        "the price already contains what everybody at the table knows",
        "the past is one drawing of a river that never has the same shape twice",
        "wealth that is watched every hour owns its watcher",
    ),
    questions=(
        "What is lost in the worst year that has really happened, and who would have to sell then?",
        "Who would lie awake first if {term} went wrong?",
        "Which two of these accounts could be closed this week without anybody noticing?",
        "What is the shareholder saving for, and when does the using begin?",
        "What does one unit of risk buy here that an index would not give for nothing?",
        "If the money were water, where would it want to run by itself?",
        "How much is enough, said as a number and before the market answers?",
    ),
    steps=(
        "write the rule down: what is bought, how much, on which day, and when it is sold",
        "go through the figures at the kitchen table with whoever shares them",
        "close or merge every account that has no purpose of its own",
        "make the first transfer, small and today, so that it is a habit and no longer an idea",
        "add up all fees and taxes for ten years and compare with the plainest index fund",
        "track every outgoing for one month and read it like a diary",
        "fix the sum that counts as enough for the next five years",
    ),
    trials=(
        "put a tenth of the sum in for six months and watch how it feels as well as how it pays",
        "run the plan on paper for ninety days before real money moves",
    ),
    provisos=(
        "no money is used that is needed within five years",
        "six months of expenses stay in cash",
        "no single position exceeds a tenth of the whole",
    ),
    measures=("the savings rate in per cent of income", "the largest fall from a high that was sat through without selling"),
    hold=(
        "list every asset, debt and fee on one page and bring it back to the board",
        "keep the cash reserve untouched and write down the rule before the first purchase",
    ),
    days=28,
    tilt={"data": -0.15, "duty": -0.1, "vigor": 0.05},
)

HIRING = Domain(
    name="hiring",
    words=word_set(
        "hire hiring fire firing team teams employee employees staff recruit candidate candidates manager cofounder co- "
        "founder partner founder reorganise reorganize organisation organization department delegate contractor freelancer "
        "layoff culture meetings designer engineer assistant salesperson"
    ),
    noun="the change in the team",
    stake="the daily life of everybody on the team",
    stay="keep the team as it is",
    gains=(
        "the work that waits for one overloaded person is a cost that no ledger shows",
        "people do better work when they can tell that somebody is looking after the whole",
        "a small team of first-rate people outruns a large one that manages itself",
        "a vacancy that is left open teaches everybody to expect less",
        "output is set by the tightest bottleneck, and this one has a name and a desk",
        "someone from another craft asks the question nobody inside still hears",
        "naming who answers for what is fairer than letting it be guessed",
    ),
    risks=(
        "a wrong appointment costs far more than the salary, and is admitted months too late",
        "those who stay will read this as a message about themselves",
        "every added person adds conversations faster than hands",
        "haste in choosing people is paid for in slowness in parting from them",
        "headcount is the easiest number to raise and the hardest to bring down",
        "interviews measure talking, and the work is mostly something else",
        "authority given before character is known is hard to take back kindly",
    ),
    questions=(
        "Which number will be better in six months because of {term}, and by how much?",
        "How will the people who are already there hear of it, and from whom?",
        "What would the team stop doing if nobody joined?",
        "Who is the one person the shareholder would be proud to introduce, and have they been asked?",
        "Could the process be deleted before somebody is paid to run it?",
        "What could a candidate make in an afternoon that would show more than an interview?",
        "What does the shareholder owe to the ones who carried the load until now?",
    ),
    steps=(
        "write a scorecard of five outcomes for the first six months and judge everybody by it",
        "tell the present team first, in person, with time for questions",
        "cut the list of duties to the three that matter",
        "call the best person the shareholder knows for it this week",
        "measure where work waits for a fortnight and fix the longest queue",
        "set the last three candidates the same real, paid piece of work",
        "agree in writing who decides what, and say it aloud to all",
    ),
    trials=(
        "start with a paid project of four weeks before any permanent contract",
        "let one person cover the duty for a month and record what it takes",
    ),
    provisos=(
        "the outcomes of the first six months are written down beforehand",
        "two people who will work with the person every day have a veto",
        "the cost is covered by existing revenue for a year",
    ),
    measures=("the days a piece of work waits before somebody takes it up", "how many of the present team would join again"),
    hold=(
        "measure for four weeks where the work waits and for whom",
        "settle with the present team which duties can be dropped",
    ),
    days=30,
    tilt={"people": -0.05, "vigor": 0.1},
)

LEARNING = Domain(
    name="learning",
    words=word_set(
        "learn learning study studying course degree university college phd master masters school exam language languages "
        "japanese spanish french german english portuguese italian chinese mandarin korean piano guitar instrument read "
        "reading book books skill skills certificate class lessons tutor mba bootcamp coding"
    ),
    noun="the study",
    stake="several hundred evenings",
    stay="leave the evenings as they are",
    gains=(
        "half an hour a day is small enough to survive a bad week and large enough to show by spring",
        "learning together with somebody turns a lesson into a friendship",
        "one thing learned to the point of use is worth ten that were sampled",
        "a beginner's courage is the youngest thing a grown person can own",
        "knowledge multiplies with what is already there, so the early hours pay the longest",
        "each new language or craft is a second window in the same wall",
        "a mind that is kept in training ages as a cared-for tool does",
    ),
    risks=(
        "without a way to test it, effort feels like progress long after the progress has stopped",
        "it is lonely work, and people who learn alone stop alone",
        "an app with a streak is a way of not learning that feels like learning",
        "buying the books is the part that takes no courage",
        "most courses are arranged for the convenience of the teacher, not for the speed of the pupil",
        "a curriculum can kill the curiosity that it was bought to feed",
        "study can be a noble name for hiding from the task at hand",
    ),
    questions=(
        "What will the shareholder be able to do in ninety days that a stranger could check?",
        "With whom will they practise when it is dull and raining?",
        "What gets dropped from the week to make room for {term}?",
        "When is the first time they will use it badly, in public?",
        "What are the few hundred pieces that carry most of the use, and why not start there?",
        "What is the most delightful thing that {term} would open, and can it be had in the first week?",
        "Is the wish to know it, or to be somebody who knows it?",
    ),
    steps=(
        "set a test that can be passed or failed and put its date in the calendar",
        "find one partner and two fixed hours a week",
        "choose one book or one teacher and cancel the rest",
        "use it with a stranger in the first fortnight, mistakes and all",
        "list the hundred most used pieces and learn those before anything else",
        "keep a notebook of what surprised, and teach one page of it to somebody every week",
        "give it the first half-hour of the day, before any message is read",
    ),
    trials=(
        "give it thirty minutes on each of thirty days, and decide on the thirty-first",
        "work through the first unit of one course before paying for the whole",
    ),
    provisos=(
        "a fixed half-hour on at least five days a week is cleared for it",
        "a test of real use stands in the calendar before the first lesson",
        "one present commitment of the same size is given up",
    ),
    measures=("the minutes of real use a week", "what can be done without looking anything up"),
    hold=(
        "keep a log of two ordinary weeks to see where thirty free minutes really are",
        "write on one page what it is to be used for, with whom and when",
    ),
    days=30,
    tilt={"curiosity": 0.35, "vigor": 0.1, "duty": 0.1, "people": 0.1},
)

TIME = Domain(
    name="time",
    words=word_set(
        "time productivity calendar schedule focus procrastination procrastinating email emails inbox phone screen social- "
        "media instagram habits habit routine mornings morning evening weekend weekends meetings busy overwhelmed burnout "
        "deadline deadlines goals goal priorities organise organize distraction hours"
    ),
    noun="the new order of the day",
    stake="the only thing that cannot be bought back",
    stay="leave the week as it is",
    gains=(
        "what is written down once a day stops being carried around all day",
        "people notice at once when somebody is truly there",
        "most of a full day could be answered by the word no",
        "an hour seized before breakfast is an hour that nobody can take back",
        "the limit is hardly ever hours and nearly always switching",
        "an idle hour, honestly idle, is where the next idea comes from",
        "whoever rules the morning has ruled the greater part of the self",
    ),
    risks=(
        "a system that is not measured turns into another thing to be behind on",
        "an optimised person can be poor company",
        "tools for doing things are the most popular way of not doing them",
        "endless arranging is retreat by other means",
        "making a task efficient that should not exist at all is the commonest mistake there is",
        "a day with every minute assigned leaves no door open for luck",
        "busyness flatters, and asks for nothing but our life",
    ),
    questions=(
        "Where did the hours of the last seven days really go, by the log and not by memory?",
        "Who has been getting the tired end of the day?",
        "Which three things would be left if {term} were all that counted?",
        "What is the hard thing that all this arranging keeps away?",
        "Which recurring task could simply be deleted, with nobody harmed?",
        "When was the last afternoon that followed no plan, and what came of it?",
        "If this were the last year, which of these duties would still be on the list?",
    ),
    steps=(
        "log every half-hour for seven days and add up the columns",
        "keep one evening a week for the people at home, with the phone in a drawer",
        "strike half of the list, and finish one thing before the next begins",
        "do the hardest task first, before nine, every working day",
        "delete or hand over every standing appointment and restore only what is missed",
        "leave one afternoon a week without any plan",
        "close each day with three lines: what was done well, what badly, what is owed",
    ),
    trials=(
        "hold the new order for three weeks and change nothing else meanwhile",
        "try one change for ten working days, with the log running",
    ),
    provisos=(
        "the log of one full week is kept first",
        "one standing obligation is given up before a new one is taken on",
        "sleep and the shared meals at home are left untouched",
    ),
    measures=("the uninterrupted hours a week", "how often the most important task was done first"),
    hold=(
        "log one ordinary fortnight and bring the sums to the board",
        "find out which obligations could be declined without harm",
    ),
    days=21,
    tilt={"focus": 0.25, "duty": 0.15, "data": 0.1},
)

BUSINESS = Domain(
    name="business",
    words=word_set(
        "company business startup market markets expand expansion funding investor investors revenue profit "
        "pricing price prices "
        "competitor competitors acquire acquisition merger franchise shop store cafe restaurant bakery "
        "customers supplier partner "
        "partnership fundraise fundraising founder sell-company venture export wholesale bankruptcy"
    ),
    noun="the venture",
    stake="the capital, and the years of whoever answers for it",
    stay="keep to the business as it is",
    gains=(
        "customers who pay are the only survey that has ever been accurate",
        "people give their best to something that they helped to begin",
        "a business that does one thing for one kind of customer can be explained at the counter",
        "the one who moves first gets to make the mistakes while they are still cheap",
        "unit costs fall with volume, and volume begins with the first unit",
        "a new market shows what was custom in the old one and what was craft",
        "to answer with one's own name for what one sells is an honest way to live",
    ),
    risks=(
        "cash runs out long before the idea does, and the plan never shows the month",
        "employees and their families are on board of a ship whose course they did not choose",
        "a second line of business begins by starving the first",
        "appetite is easily mistaken for a strategy",
        "the costs come at once and the scale comes later, if the arithmetic was right",
        "what delights the founder is often invisible to the customer",
        "ambition borrows from the future, and the future always collects",
    ),
    questions=(
        "What does it earn per customer after every cost, and how many are needed to break even?",
        "Who else bears the risk of {term}, and were they asked?",
        "What is the one thing that customers would miss if it were gone tomorrow?",
        "Who will be the first paying customer, by name?",
        "What has to be true about the unit cost for {term} to work at ten times the size?",
        "What do people there do today instead, and what does that tell us?",
        "If {term} failed, would it still have been an honourable piece of work?",
    ),
    steps=(
        "draw up a cash plan by the month, with a bad case in which half of the revenue arrives",
        "speak with the people who would have to carry it, before anything is announced",
        "describe it in one sentence that a customer would repeat",
        "win three paying customers before a penny is spent on fitting out",
        "calculate the unit cost from its parts and find the largest of them",
        "spend a week beside people who would buy it, and only watch",
        "set down what will not be done for the sake of growth",
    ),
    trials=(
        "sell it on a small scale for sixty days, with no new fixed cost",
        "open for one season with borrowed means before anything long is signed",
    ),
    provisos=(
        "twelve months of fixed costs are covered in the bad case",
        "three customers have committed themselves in writing",
        "the sum that may be lost is fixed beforehand",
    ),
    measures=("the cash that is left in months", "the share of customers who come back without being asked"),
    hold=(
        "draw up a cash plan with a bad case and bring it to the board",
        "find three customers who would pay today",
    ),
    days=28,
    tilt={"vigor": 0.15, "engineering": 0.1, "data": -0.1, "duty": -0.05},
)
