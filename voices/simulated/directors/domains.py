"""What each office looks for in a proposal: aspects, the words that show them, and what it says where they are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.proposal_review import Director


@dataclass(frozen=True, slots=True)
class Aspect:
    """`words` show that the proposal speaks of it. `gap` is said where it does not, `mend` removes the gap."""

    name: str
    words: tuple[str, ...]
    gap: str
    mend: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Domain:
    """`asks`: (code of who is asked, the question's matter, words that an answer has).

    `noun`: what the office answers for, in a sentence. `stake`: what a gap costs this office. `reads_code`: whether a line of
    code says something to it.
    """

    words: tuple[str, ...]
    noun: str
    stake: str
    aspects: tuple[Aspect, ...]
    asks: tuple[tuple[str, str, tuple[str, ...]], ...]
    reads_code: bool = False


def _aspect(name: str, words: str, gap: str, mend: str, weight: float = 1.0) -> Aspect:
    return Aspect(name, tuple(words.split(", ")), gap, mend, weight)


def _ask(code: str, matter: str, words: str) -> tuple[str, str, tuple[str, ...]]:
    return code, matter, tuple(words.split(", "))


_TECHNICAL = Domain(
    ("technical", "architect", "engineering"),
    "the architecture",
    "what is not written down cannot be sized or tested",
    (
        _aspect(
            "the boundaries of the parts",
            "service, component, module, interface, api, schema, endpoint, class",
            "which component owns which data",
            "Draw the components and name the owner of each piece of data",
        ),
        _aspect(
            "what happens when a part fails",
            "retry, retries, timeout, fail, idempoten, queue, crash, fallback",
            "what happens when a part fails half-way",
            "Describe the behaviour on failure, with retries and idempotency",
            1.2,
        ),
        _aspect(
            "the first limit that will be hit",
            "scale, load, throughput, latency, requests, per second, capacity, cache, ms",
            "the load that it must bear",
            "State the expected load and the first limit, as numbers",
        ),
        _aspect(
            "how existing data is brought over",
            "migrat, backfill, compatib, version, upgrade, legacy",
            "how existing data and callers are brought over",
            "Write the migration in both directions",
        ),
        _aspect(
            "how it is tested",
            "test, tests, benchmark, ci, staging",
            "how it is tested before it carries load",
            "Add tests for the failure cases, and run them before the release",
            1.1,
        ),
    ),
    (
        _ask("COO", "who restarts it and how it is rolled back", "restart, rollback, roll back, revert, on call, undo"),
        _ask("CSO", "where its credentials are kept", "credential, secret, token, password, vault, key"),
        _ask("CPO", "how many users it must serve in the first month", "users, merchants, guests, customers, pilot"),
    ),
    reads_code=True,
)
_PRODUCT = Domain(
    ("product", "market", "business"),
    "the product",
    "users meet such a gap before we do",
    (
        _aspect(
            "who it is for",
            "user, customer, merchant, guest, reader, subscriber, segment, persona, people, team",
            "whom it is for",
            "Name the users and what they do today instead",
        ),
        _aspect(
            "evidence that it is wanted",
            "asked, interview, survey, feedback, ticket, request, complain, research, churn",
            "any evidence that users want it",
            "Talk to five users, and put what they said into the proposal",
            1.2,
        ),
        _aspect(
            "how success is measured",
            "metric, measure, goal, success, %, percent, kpi, increase, reduce, fewer, conversion",
            "how one will know that it worked",
            "Set one measure with a figure and a date",
            1.1,
        ),
        _aspect(
            "what is left out",
            "out of scope, not in scope, non-goal, scope, mvp, first version, phase, later",
            "what is left out of the first version",
            "List what the first version does not do",
        ),
        _aspect(
            "what it is worth",
            "value, revenue, price, pricing, saves, save, benefit, cost, $, €",
            "what it is worth against what it costs",
            "Compare its worth with its cost in one table",
        ),
    ),
    (
        _ask("CXO", "whether a new user finds it without help", "guide, help, documentation, onboard, training, default"),
        _ask("COO", "what else the team puts down for it", "engineers, team, weeks, months, agency"),
        _ask(
            "CA", "what the smallest version is that could be built", "first version, mvp, smallest, out of scope, phase, pilot"
        ),
    ),
)
_SECURITY = Domain(
    ("security", "risk", "compliance", "legal"),
    "security",
    "what is left undecided is where an attacker begins",
    (
        _aspect(
            "who may do what",
            "auth, permission, role, access, login, scope, token, privilege",
            "who may call it and what stops everybody else",
            "Define the roles, and deny by default",
            1.3,
        ),
        _aspect(
            "which personal data it touches",
            "personal, privacy, gdpr, email, birthday, health, retention, delete, consent, data",
            "which personal data is kept, and for how long",
            "List the personal data, its ground and its retention",
            1.2,
        ),
        _aspect(
            "where the secrets are",
            "secret, key, password, vault, rotate, encrypt, tls, certificate, credential",
            "where its secrets are kept and how they are rotated",
            "Keep the secrets in the vault, and rotate them in a drill",
        ),
        _aspect(
            "how abuse is noticed",
            "audit, log, alert, monitor, detect, rate limit, rate-limit, abuse",
            "how abuse would be noticed",
            "Add an audit log, and rate limiting at every door",
            1.1,
        ),
        _aspect(
            "what comes in from outside",
            "input, upload, webhook, third, vendor, external, validate, inject, sanit",
            "how what comes in from outside is checked",
            "Validate everything that comes in from outside, with limits",
        ),
    ),
    (
        _ask("CA", "where tokens are checked and how they expire", "token, tokens, expire, expires"),
        _ask("COO", "who is called when it is abused at night", "on call, on-call, alert, monitor"),
        _ask(
            "CPO", "whether this data has to be collected at all", "collect, personal, register, stored, kept, birthday, email"
        ),
    ),
    reads_code=True,
)
_OPERATIONS = Domain(
    ("operations", "delivery", "finance"),
    "operations",
    "whoever is on call inherits it",
    (
        _aspect(
            "the timeline",
            "week, month, sprint, quarter, deadline, milestone, date, day, january, february, march, april, in may, by may, "
            "june, july, august, september, october, november, december",
            "when which part is done",
            "Break the timeline into steps of two weeks at most",
        ),
        _aspect(
            "who does it",
            "engineer, owner, team, staff, person, people, hire, contractor, fte",
            "who does the work",
            "Name an owner for each step",
            1.1,
        ),
        _aspect(
            "how it goes out",
            "rollout, roll out, deploy, release, pilot, beta, canary, feature flag, staged, gradual",
            "how it goes out",
            "Roll it out in steps, to a tenth of the users first",
        ),
        _aspect(
            "the way back",
            "rollback, roll back, revert, backup, restore, undo, flag",
            "how it is taken back",
            "Write the rollback down, and rehearse it once",
            1.3,
        ),
        _aspect(
            "what it costs to run",
            "cost, budget, $, €, price, per month, hours, monitor, on-call, runbook, support",
            "what it costs to run, and who is on call",
            "Estimate the monthly cost, and name who is on call",
        ),
    ),
    (
        _ask("CPO", "which part may be dropped if the date moves", "out of scope, later, optional, phase"),
        _ask("CA", "how long the migration takes with the service running", "migrat, backfill, upgrade"),
        _ask("CSO", "how long the compliance review takes", "compliance, audit, legal, gdpr"),
    ),
)
_EXPERIENCE = Domain(
    ("experience", "design", "customer care"),
    "the experience",
    "the person in front of the screen pays for it",
    (
        _aspect(
            "the journey of the person",
            "journey, flow, step, screen, page, click, onboard, form, view",
            "what the person sees, step by step",
            "Walk the journey with three people, and draw it",
        ),
        _aspect(
            "accessibility",
            "accessib, wcag, keyboard, screen reader, contrast, colour, color, aria",
            "anything about accessibility",
            "Check it against WCAG 2.2 AA, with a keyboard and a screen reader",
            1.3,
        ),
        _aspect(
            "what is shown when it fails",
            "error, message, empty, offline, fail, warning, notif",
            "what is shown when something fails",
            "Write the error messages, each with what to do next",
            1.1,
        ),
        _aspect(
            "waiting",
            "loading, wait, fast, slow, seconds, ms, latency, progress, immediate",
            "what is shown while one waits",
            "Show progress for everything that takes longer than a second",
        ),
        _aspect(
            "words and help",
            "wording, language, translat, help, documentation, docs, copy, plain, guide, training",
            "which words it uses and where help is found",
            "Have the words read by somebody from support",
        ),
    ),
    (
        _ask("CPO", "which users have tried it", "pilot, interview, beta, tried, survey"),
        _ask("CA", "how long the slowest step takes", "seconds, ms, latency, per second, slow"),
        _ask("CSO", "how often a person has to sign in again", "sign in, log in, logs in, login, session, expires after"),
    ),
)

DOMAINS = (_TECHNICAL, _PRODUCT, _SECURITY, _OPERATIONS, _EXPERIENCE)


def domain_of(director: Director, themes: Sequence[str]) -> Domain:
    """The domain of a director: by its own words, else one made of what it says that it evaluates."""
    own = f"{director.domain} {director.title}".casefold()
    for one in DOMAINS:
        if any(word in own for word in one.words):
            return one
    aspects = tuple(
        Aspect(
            theme,
            tuple(word for word in theme.casefold().split() if len(word) > 3) or (theme.casefold(),),
            f"anything about {theme}",
            f"Add a section on {theme}",
        )
        for theme in (themes or (director.domain or director.title,))
    )
    return Domain((), director.domain.lower() or "my office", "my office has to live with it", aspects, ())
