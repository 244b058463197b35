"""What the five offices look for in a diff."""

from __future__ import annotations

from voices.simulated.directors.aspects import ask, aspect

TECHNICAL = (
    aspect(
        "the tests beside it",
        r"(?:def |it\(|describe\()?\w*test|assert|expect\(",
        "which test fails without this change",
        "Add a test that fails without the change",
        "the next change may undo this one unseen",
        1.4,
    ),
    aspect(
        "what happens when a new line fails",
        r"rais(?:e|es)$|except|try:|error|return none|time ?out|retry|rollback|catch|fails$",
        "what happens when one of the new lines fails",
        "Say what happens when it fails, and test that",
        "a path that nobody wrote is taken one day",
    ),
    aspect(
        "what becomes of old data and callers",
        r"migrat|upgrade|downgrade|alter table|compat|deprecat|old$|existing|version|no longer|delete",
        "what becomes of old data and callers",
        "Say what becomes of what is there already",
        "the old rows meet the new code on the first day",
    ),
    aspect(
        "the interfaces it changes",
        r"def \w+|class \w+|func \w+|public |interface |create table|alter table|export ",
        "which interface it changes",
        "Name the interfaces that change, and who calls them",
        "a caller that nobody asked breaks first",
        0.7,
    ),
)
TECHNICAL_ASKS = (
    ask("COO", "How is it taken back once it is out?", "downgrade|roll ?back|revert|flag|way back|undo"),
    ask("CSO", "Does any value still stand in the open?", r"hash|digest|encrypt|secret|never the"),
)
PRODUCT = (
    aspect(
        "why it is made",
        r"because|so that|instead|never$|no longer|cannot|must$|in order to|for the|after the fact|only$",
        "why it is made",
        "Say in the change why it is made, in one sentence",
        "in a year nobody dares to touch it",
        0.8,
    ),
    aspect(
        "what users notice",
        r"users?$|customers?$|persons?$|messages?$|e-?mail|sign(?:s|ed)? (?:in|out)|log(?:s|ged)? in|everyone|notify|page$",
        "what a user will notice of it",
        "Say what a user notices, and from which day",
        "users meet a change before its note does",
        1.1,
    ),
    aspect(
        "where it is announced",
        r"changelog|announc|readme|release notes?|docs?/|documentation|a week before",
        "where it is announced",
        "Add a line to the changelog",
        "what is not announced is reported as a defect",
        0.7,
    ),
)
PRODUCT_ASKS = (
    ask("CXO", "What will a user have to do anew?", r"again|once$|sign(?:s|ed)? (?:in|out)|log(?:s|ged)? in|reset"),
    ask("COO", "When may it go out?", r"week|release|deploy|flag"),
)
SECURITY = (
    aspect(
        "how secrets are kept",
        r"tokens?$|secrets?\.|secrets?$|passwords?$|hash|encrypt|digest|credential",
        "whether a secret stands in the open",
        "Show that no secret is stored or logged in plain",
        "a copy of the database would be enough",
        1.2,
    ),
    aspect(
        "what comes in from outside",
        r"valid|sanit|escape|= \?|\(\?|parametri|limit|max_|inputs?$|pars(?:e|er|ing)|schema|where \w+",
        "how what comes in from outside is checked",
        "Check what comes in from outside, with limits",
        "one crafted request is enough where nothing is checked",
    ),
    aspect(
        "who may do what",
        r"auth|permission|roles?$|scopes?$|owner|user_?id|user\.id|login|sessions?$|is none",
        "who may do what after it",
        "Name who may do it, and refuse everybody else",
        "what nobody was denied is soon used by somebody",
    ),
    aspect(
        "how abuse is noticed",
        r"audit|logger|log\.|logged|alert|rate.?limit|metric|monitor",
        "how abuse would be noticed",
        "Log who does it, and limit how often",
        "the first sign of abuse would be the damage",
        0.8,
    ),
)
SECURITY_ASKS = (
    ask("CA", "Which test shows that the old hole is closed?", r"def test\w*|assert"),
    ask("CPO", "Do users have to be told of it?", r"announc|e-?mail|everyone|signed out|log in again|message"),
)
OPERATIONS = (
    aspect(
        "the way back",
        r"downgrade|roll ?back|revert|flag|undo|way back|backup|restore",
        "how it is taken back",
        "Write down the way back, and walk it once",
        "at three in the morning nobody invents one",
        1.3,
    ),
    aspect(
        "what is run on the day",
        r"migrat|alter table|delete from|drop |upgrade|backfill|scan|for key in",
        "what has to be run on the day",
        "Write down what is run on the day, and in which order",
        "the order is found out on the day",
        0.6,
    ),
    aspect(
        "how it is watched",
        r"log|metric|alert|audit|monitor|trace",
        "how it is watched once it runs",
        "Count what it does, and say which count is wrong",
        "whoever is on call sees nothing of it",
    ),
    aspect(
        "the settings it brings",
        r"[a-z_]*(?:days|seconds|limit|timeout|size)$|environ|config|settings?$|ex=\d|expires",
        "which settings it brings",
        "Name the settings, and their values at the start",
        "a value in the code is changed by a release",
        0.6,
    ),
)
OPERATIONS_ASKS = (
    ask("CA", "How long does the migration lock the table?", r"lock|migrat|alter table|delete from|scan"),
    ask("CXO", "When are people told?", r"announc|a week before|e-?mail|message"),
)
EXPERIENCE = (
    aspect(
        "what people are told",
        r"messages?$|error|announc|e-?mail|notif|tells?$|warn|signed out|log in again|says$",
        "what people are told",
        "Write the sentence that people will read, and where they read it",
        "people who are told nothing believe that it is broken",
        1.2,
    ),
    aspect(
        "what people have to do anew",
        r"log(?:s|ged)? in|sign(?:s|ed)? (?:in|out)|again$|once$|reset|expire",
        "what people have to do anew",
        "List what people have to do anew, and tell them a week before",
        "it happens to all of them on one morning",
        1.1,
    ),
    aspect(
        "waiting",
        r"async|time ?out|slow|progress|loading|cache|lock|every user|for key in",
        "whether anybody waits longer than before",
        "Measure the slowest request before and after",
        "a slower page is noticed before a safer one",
        0.6,
    ),
)
EXPERIENCE_ASKS = (
    ask("CPO", "Who writes to the users, and when?", r"announc|a week before|e-?mail"),
    ask("CSO", "How long does a session last now?", r"expire|days|ex=\d|12 hours|session_"),
)
