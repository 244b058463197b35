"""What the five offices look for in a proposal that is no software: a price, a rule, a place, a purchase."""

from __future__ import annotations

from voices.simulated.directors.aspects import MONTHS, ask, aspect

TECHNICAL = (
    aspect(
        "which systems must change",
        r"systems?$|software|tools?$|billing|integration|database|spreadsheet|app$|automat|price lists?|"
        r"a page$|machines?$|equipment",
        "which systems must change for it",
        "List the systems that must change, and who changes them",
        "a rule that no system knows is kept by hand",
        0.9,
    ),
    aspect(
        "what happens to the exceptions",
        r"except|unless|cap$|cannot be|charit|special|edge|case by case|otherwise|not (?:apply|count)|without asking",
        "what happens to the exceptions",
        "List the exceptions, and who decides on them",
        "a rule is tested at its exceptions",
    ),
    aspect(
        "how old and new live side by side",
        rf"existing|renewal|transition|side by side|until|phase|keep the old|old (?:price|rule|plan|contract)|"
        rf"from (?:\d{{1,2}} )?(?:{MONTHS}|next)|for those",
        "how the old and the new live side by side",
        "Say from which day it holds for whom",
        "for a while both hold, and somebody has to know which",
    ),
    aspect(
        "the figures it rests on",
        r"\d[\d.,]* ?%|expect|assum|estimat|on average|at most|forecast|about \d",
        "which figures it rests on",
        "Put the figures it rests on into one table, each with its source",
        "a figure without a source is a hope",
        1.1,
    ),
    aspect(
        "how it is tried out first",
        r"pilot|trials?$|tried|test(?:ed)?$|experiment|first with|one (?:team|place|shop)|sample|rehears",
        "how it is tried out first",
        "Try it in one place first, with a day on which the trial is judged",
        "a mistake in one place costs less than everywhere",
        0.8,
    ),
)
TECHNICAL_ASKS = (
    ask("COO", "Who keeps the exceptions up to date?", r"decides|exceptions|has the list|responsible"),
    ask("CPO", "On which figure does it rest most?", r"\d[\d.,]* ?%|on average|expect"),
)
PRODUCT = (
    aspect(
        "whom it concerns",
        r"customers?$|clients?$|users?$|employees?$|staff$|members?$|guests?$|accounts?$|people$|families|"
        r"students?$|residents?$|"
        r"readers?$|visitors?$|everybody",
        "whom it concerns",
        "Name those whom it concerns, and how many they are",
        "what concerns everybody is decided for nobody",
    ),
    aspect(
        "evidence that it is wanted",
        r"survey|asked for|have asked|interview|feedback|petition|rose by|complain|competitors?$|research|voted",
        "who has asked for it",
        "Ask ten of those concerned, and put what they said into the proposal",
        "we would learn afterwards what ten talks tell us now",
        1.2,
    ),
    aspect(
        "how success is measured",
        r"goal|measured?$|we expect|target|by the end|fewer than|more than \d|at least|success|judged",
        "how one will know that it worked",
        "Set one measure with a figure and a date",
        "without it every outcome can be called a success",
        1.1,
    ),
    aspect(
        "what it leaves as it is",
        r"stays?$|remains?$|not (?:in scope|part|included|covered)|nobody is|unchanged|out of scope|keep the|no change",
        "what it leaves as it is",
        "Say what it leaves as it is",
        "people fear what they are not told stays",
        0.9,
        outside=True,
    ),
    aspect(
        "what it is worth",
        r"\d[\d.,]* (?:euros?|dollars?)|€|\$ ?\d|costs?$|revenue|saves?$|worth|budget|benefit",
        "what it is worth against what it costs",
        "Compare its worth with its cost in one table",
        "the same money could do something else",
    ),
)
PRODUCT_ASKS = (
    ask("CXO", "How do those hear of it whom it concerns most?", r"e-?mail|letter|told?$|tell people|announc|inform|meeting"),
    ask("CSO", "Which contract stands against it?", r"contracts?$|legal|works council|law$"),
)
SECURITY = (
    aspect(
        "the law and the contracts",
        r"contracts?$|legal$|laws?$|lawyers?$|compliance|regulat|works council|union|gdpr|permits?$|"
        r"licen[cs]e|insur|tax(?:es)?$",
        "which laws and contracts bind it",
        "Have it read by a lawyer, and name the contracts that stand against it",
        "a contract that was forgotten is remembered by the other side",
        1.3,
    ),
    aspect(
        "what may go wrong",
        r"risks?$|leaves?$|lose|goes wrong|if more than|worst|fraud|danger|safe(?:ty)?$|accident|look at something else",
        "what may go wrong, and who would notice it",
        "Name the three things that may go wrong, and who notices each",
        "a risk that nobody names is carried by whoever is there",
        1.2,
    ),
    aspect(
        "who may decide",
        r"decides?$|approv|signs? off|ceo$|board$|above that|authority|permission|vote",
        "who may decide what under it",
        "Name who decides, and up to which amount",
        "where nobody may decide, everybody does",
    ),
    aspect(
        "which personal data it touches",
        r"personal|privacy|health|salar|confidential|addresses|names$|records?$|owner's contact|anonym",
        "which personal data it touches",
        "List the personal data that it touches, and who sees it",
        "what is known about people is asked for later",
        0.7,
    ),
    aspect(
        "whether it is fair",
        r"fair|equal|charit|schools?$|part-time|discriminat|everybody|nobody is|consent|voluntar|the same for",
        "how it treats those who can defend themselves least",
        "Say how it treats those who can defend themselves least",
        "what is unfair is contested, and rightly",
        0.8,
    ),
)
SECURITY_ASKS = (
    ask("COO", "Who notices first when it goes wrong?", r"if more than|watch|monthly|reports?$|support"),
    ask("CXO", "What may somebody do who feels treated unfairly?", r"reply|appeal|complain|ask|contact"),
)
OPERATIONS = (
    aspect(
        "the timeline",
        rf"(?:from|by|on|after|in|until|before|since) (?:the )?(?:\d{{1,2}}(?:st|nd|rd|"
        rf"th)? )?(?:of )?(?:{MONTHS})|weeks?$|months?$|"
        rf"quarter|deadline|days? ahead",
        "when which part begins",
        "Give each part a day",
        "what has no day is always next",
    ),
    aspect(
        "who does it",
        r"decides$|responsible|owners?$|leads?$|from (?:sales|support|finance|legal|hr)|engineers?$|staff$|"
        r"hr$|managers?$|agency|"
        r"volunteers?$|who:|team$",
        "who does the work",
        "Name a person for each step",
        "work without a name waits for one",
        1.1,
    ),
    aspect(
        "what work and money it takes",
        r"days? of work|\d+ hours|effort|costs?$|budget|\d[\d.,]* (?:euros?|dollars?)|€|\$ ?\d|capacity",
        "what work and money it takes",
        "Estimate the hours and the money, month by month",
        "the hours come out of somebody else's plan",
    ),
    aspect(
        "the way back",
        r"we stop|stop the|taken back|take it back|revers|undo|go(?:ing)? back|return to|end the trial|"
        r"ends? if|review(?:ed)? after|"
        r"decide(?:d)? again|cancel",
        "how it is taken back",
        "Say on which sign it is stopped, and how one goes back",
        "what cannot be stopped has to be right",
        1.3,
    ),
    aspect(
        "in which steps it comes",
        r"first$|then$|steps?$|phases?$|pilot|gradual|renewal|at a time|trial|begin(?:s|ning)? with|new customers",
        "in which steps it comes",
        "Begin with those for whom it is easiest",
        "what comes for all at once fails for all at once",
    ),
)
OPERATIONS_ASKS = (
    ask("CPO", "Which part may be dropped if the date moves?", r"later$|optional|phase|renewal|exceptions"),
    ask("CA", "Which system is not ready for it?", r"billing|system|software|price lists?|three days of work"),
)
EXPERIENCE = (
    aspect(
        "how people are told",
        r"e-?mails?$|letters?$|tell people|told$|announc|inform|messages?$|explain|notices?$|assembly",
        "how people are told",
        "Write what people are told, and have three of them read it",
        "people hear it from somebody else first",
        1.2,
    ),
    aspect(
        "what changes in people's day",
        r"their own|day$|hours?$|shifts?$|visit|queue|pay$|pays$|computes|for their|each week|at home|every week",
        "what changes in the day of those concerned",
        "Tell one day of one person, before and after",
        "a change is judged by the first day with it",
    ),
    aspect(
        "whom people can ask",
        r"repl(?:y|ies)|reply-to|contact|ask(?:s|ed)? (?:us|for help)|support$|help|desk|a person reads|"
        r"questions$|appeal|talk to",
        "whom people can ask",
        "Name a person whom people can ask, and answer within a day",
        "a question without an address becomes a rumour",
    ),
    aspect(
        "people with other needs",
        r"accessib|disab|charit|schools?$|part-time|parents?$|child|language|elder|special needs|families|wheelchair",
        "what it means for people with other needs",
        "Ask somebody whom the rule fits badly, before it holds",
        "those whom it fits badly leave without a word",
        0.9,
    ),
    aspect(
        "what choice people have",
        r"choos|choice|option|opt (?:in|out)|voluntar|keep the|nobody is moved|go down to|switch|may stay|either",
        "what choice people have",
        "Give people a choice, or say why there is none",
        "what one may choose one minds less",
        0.8,
    ),
)
EXPERIENCE_ASKS = (
    ask("CPO", "Has anybody been asked whom it fits badly?", r"survey|asked|interview|would look"),
    ask("CSO", "Who hears of it when people are treated unfairly?", r"a person reads|decides|ceo$|appeal|legal"),
)
