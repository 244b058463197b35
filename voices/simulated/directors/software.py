"""What the five offices look for in a plan for software."""

from __future__ import annotations

from voices.simulated.directors.aspects import MONTHS, ask, aspect

TECHNICAL = (
    aspect(
        "the boundaries of the parts",
        "services?$|components?$|modules?$|interfaces?$|api$|schemas?$|endpoints?$|separate|(?:worker|web) (?:process|pod)|"
        "only owner|owns$",
        "which part owns which data",
        "Draw the parts, and name the owner of each piece of data",
        "two owners of one fact disagree one day",
    ),
    aspect(
        "what happens when a part fails",
        r"retr(?:y|ies|ied)$|time[sd]? ?out|fail|idempoten|crash|fallback|lease|attempts?$|dead letter|claimed again|outage",
        "what happens when a part fails half-way",
        "Describe the behaviour on failure, and what makes a second try harmless",
        "the second try is where work and money double",
        1.2,
    ),
    aspect(
        "the first limit that will be hit",
        r"\d[\d.,]*\s*(?:million )?(?:requests?|jobs?|rows|messages|calls|updates)$|per second|throughput|latency|our peak|"
        r"capacity|scal(?:e|es|ing)$|under load",
        "what load it must bear",
        "State the expected load and the first limit, as numbers",
        "a limit that nobody named is found by the users",
    ),
    aspect(
        "how existing data and callers are brought over",
        r"migrat|backfill|compatib|dual-write|existing (?:data|rows|callers|users|customers|accounts|clients)|legacy|"
        r"old (?:rows|data|clients|sessions|tokens)|change nothing|upgrad|one kind at a time|client libraries",
        "how existing data and callers are brought over",
        "Write the migration in both directions",
        "the old and the new run side by side for longer than planned",
    ),
    aspect(
        "how it is tested",
        "tests?$|tested|testing|benchmark|staging|measured|rehears",
        "how it is tested before it carries load",
        "Test the failure cases before the release",
        "a first failure in front of users is the dearest test",
        1.1,
    ),
)
TECHNICAL_ASKS = (
    ask("COO", "Who restarts it, and how is it rolled back?", "restart|roll ?back|revert|undo|going back|switched off|drain"),
    ask("CSO", "Where are its credentials kept?", r"credential|secrets?$|password|vault|api tokens?$|hash"),
    ask(
        "CPO",
        "How many users must it serve in the first month?",
        r"\d[\d.,]* (?:users|merchants|guests|customers)|pilot",
    ),
)
PRODUCT = (
    aspect(
        "who it is for",
        r"users?$|customers?$|merchants?$|guests?$|readers?$|subscribers?$|audience|people$|for (?:our|the) teams?$",
        "whom it is for",
        "Name the users, and what they do today instead",
        "what is for everybody is finished for nobody",
    ),
    aspect(
        "evidence that it is wanted",
        r"asked for|interview|survey|feedback|tickets?$|complain|never got|support (?:spent|hours)|research|churn|doubled?$|"
        r"were lost|are lost|in (?:january|february|march|april|may|june|july|august|september|october|november|december) \d",
        "who has asked for it",
        "Talk to five users, and put what they said into the proposal",
        "we would learn after the release what five talks tell us now",
        1.2,
    ),
    aspect(
        "how success is measured",
        r"goal|metrics?$|kpi|success|fewer than|at most|at least|conversion|target|\d ?%|percent|no more than",
        "how one will know that it worked",
        "Set one measure with a figure and a date",
        "without it every outcome can be called a success",
        1.1,
    ),
    aspect(
        "what is left out",
        "out of scope|not in scope|non-goals?|mvp$|first version|later$|not part of|does not (?:include|cover)|stays? as it is",
        "what the first version leaves out",
        "List what the first version does not do",
        "whatever is not left out is asked for in the second week",
        outside=True,
    ),
    aspect(
        "what it is worth",
        r"value|revenue|pric(?:e|ing)|saves?$|benefit|costs?$|\$ ?\d|€|\d+ hours",
        "what it is worth against what it costs",
        "Compare its worth with its cost in one table",
        "the team could build something else in that time",
    ),
)
PRODUCT_ASKS = (
    ask("CXO", "Does a new user find it without help?", "guide|onboard|training|by default|documentation"),
    ask("COO", "What else does the team put down for it?", r"engineers?$|agency|\w+ for \w+ weeks"),
    ask("CA", "What is the smallest version that could be built?", "first version|mvp$|smallest|pilot|week 1|first step"),
)
SECURITY = (
    aspect(
        "who may do what",
        r"authent|authoriz|authoris|permission|roles?$|access|log ?in|scopes?$|privilege|belongs? to|deny|denied|api token",
        "who may call it, and what stops everybody else",
        "Define the roles, and deny by default",
        "what nobody was denied is soon used by somebody",
        1.3,
    ),
    aspect(
        "which personal data it touches",
        r"personal|privacy|gdpr|e-?mail|addresses$|birthday|phone number|health|retention|consent|card data|"
        r"(?:are|is) (?:kept|stored)",
        "which personal data is kept, and for how long",
        "List the personal data, its ground and its retention",
        "what is kept for no reason leaks for no reason",
        1.2,
    ),
    aspect(
        "where the secrets are",
        r"secrets?$|passwords?$|vault|rotat|encrypt|tls$|certificat|credential|hash(?:es|ed)?$|api tokens?$|keys? belong",
        "where its secrets are kept and how they are rotated",
        "Keep the secrets in the vault, and rotate them in a drill",
        "a secret that cannot be changed is lost only once",
    ),
    aspect(
        "how abuse is noticed",
        r"audit|alert|monitor|detect|rate.?limit|abuse|suspicious|logs?$|logged",
        "how abuse would be noticed",
        "Add an audit log, and a limit at every door",
        "the first sign of abuse would be the bill",
        1.1,
    ),
    aspect(
        "what comes in from outside",
        r"inputs?$|uploads?$|webhook|third part|vendor|external|validat|inject|sanit|payloads?$|headers?$|"
        r"bod(?:y|ies)$",
        "how what comes in from outside is checked",
        "Validate everything that comes in from outside, with limits",
        "one crafted request is enough where nothing is checked",
    ),
)
SECURITY_ASKS = (
    ask("CA", "Where are tokens checked, and when do they expire?", r"tokens? (?:is|are|expire)|expires? after|expire by"),
    ask("COO", "Who is called when it is abused at night?", r"on[- ]call|pages$|alert"),
    ask("CPO", "Does this data have to be collected at all?", r"personal|birthday|e-?mail address|phone number|collect"),
)
OPERATIONS = (
    aspect(
        "the timeline",
        rf"weeks? \d|(?:\d+|two|three|four|six|eight|ten|twelve) (?:weeks|months|sprints)|quarter|deadline|milestone|"
        rf"(?:by|on|of|from|until) (?:the )?(?:\w+ of )?(?:{MONTHS})",
        "when which part is done",
        "Break the timeline into steps of two weeks at most",
        "a single date for everything moves as a whole",
    ),
    aspect(
        "who does it",
        r"engineers?$|owners?$|teams?$|staff$|contractors?$|agency|fte$|led by|developers?$",
        "who does the work",
        "Name an owner for each step",
        "work without a name waits for one",
        1.1,
    ),
    aspect(
        "how it goes out",
        r"roll ?out|deploy|releas|pilot|beta$|canary|flag$|staged|gradual|one kind at a time|goes live|go live|ship$",
        "how it goes out",
        "Let it out in steps, to a tenth of the users first",
        "what goes out at once fails at once",
    ),
    aspect(
        "the way back",
        r"roll(?:ed)? ?back|revert|backups?$|restor|undo$|going back|go back|way back|switched off|=off|downgrad|taken back",
        "how it is taken back",
        "Write down the way back, and walk it once",
        "at three in the morning nobody invents one",
        1.3,
    ),
    aspect(
        "what it costs to run",
        r"costs?$|budget|€|\$ ?\d|per month|a month|on[- ]call|runbook",
        "what it costs to run, and who is on call",
        "Estimate the monthly cost, and name who is on call",
        "whoever is on call inherits it",
    ),
)
OPERATIONS_ASKS = (
    ask("CPO", "Which part may be dropped if the date moves?", "out of scope|not in scope|later$|optional|phase"),
    ask("CA", "How long does the migration take with the service running?", r"migrat|backfill|week \d|weeks \d"),
    ask("CSO", "How long does the review of data protection take?", r"compliance|legal|gdpr|data protection"),
)
EXPERIENCE = (
    aspect(
        "the way of a person through it",
        r"journey|steps?$|screens?$|pages?$|clicks?$|onboard|forms?$|scan|sees?$|change nothing|never got",
        "what a person sees of it, step by step",
        "Walk through it with three people, and draw what they see",
        "a step that nobody walked is where people turn back",
    ),
    aspect(
        "accessibility",
        "accessib|wcag|keyboard|screen reader|contrast|aria$|large type",
        "whether somebody without a mouse or without good sight can use it",
        "Check it against WCAG 2.2 AA, with a keyboard and a screen reader",
        "whoever cannot use it does not write to tell us",
        1.3,
        people=True,
    ),
    aspect(
        "what is shown when it fails",
        r"error|messages?$|empty state|offline|warning|notif|are told|is told|answered with|says which",
        "what a person is told when something fails",
        "Write the error messages, each with what to do next",
        "a person who is told nothing tries again, and again",
        1.1,
    ),
    aspect(
        "waiting",
        r"loading|waits?$|fast|slow|within \d+ seconds|seconds$|\d ?ms$|latency|progress|immediate|settles",
        "how long a person waits, and what they see meanwhile",
        "Show progress for everything that takes longer than a second",
        "a silent minute reads as a failure",
        people=True,
    ),
    aspect(
        "words and help",
        r"wording|translat|help$|documentation|docs$|copy$|plain words|guide|training|support$",
        "which words it uses, and where help is found",
        "Have the words read by somebody from support",
        "support explains every word that we did not",
        people=True,
    ),
)
EXPERIENCE_ASKS = (
    ask("CPO", "Which users have tried it?", "pilot|interview|beta$|tried|survey"),
    ask("CA", "How long does the slowest step take?", r"\d+ seconds|\d ?ms$|latency|slowest"),
    ask("CSO", "How often does a person have to sign in?", r"sign in|logs? in|login|session"),
)
