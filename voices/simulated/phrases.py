"""What a person's line asks, as English patterns tell: the kind of question, the act, the alternative, the thing.

The line is people's text (law 3): what could act in a command, a motion or a mention (braces, brackets, @) is dropped before a
simulated voice says it. What fits no pattern is quoted as it stands rather than bent into a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from parliament.text import printable
from voices.simulated.grammar import GERUNDS, NOUNISH, is_verb, lower_first
from voices.simulated.lexicon import word_set


class Kind(StrEnum):
    SHOULD = "should"  # whether to do something
    CHOICE = "choice"  # one of two things
    HOW = "how"  # in which way, how much, when, where, which
    REVIEW = "review"  # how something has been going


_SHOULD = re.compile(
    r"^(?:should|shall|must|ought|can|could|may|dare|would|will|do|did)\s+(?P<who>i\s+and\s+(?:my\s+)?\w+|(?:my\s+)?\w+\s+and\s+i|i|we|the\s+\w+|our\s+\w+|my\s+\w+)\s+"
    r"(?:really |actually |just |finally |now |still |also |ever )*"
    r"(?:(?:have|need|want|wish|plan|intend)\s+to\s+|need\s+to\s+|be\s+able\s+to\s+|to\s+|afford\s+to\s+)?(?P<vp>.+)$",
    re.IGNORECASE,
)
_TIME_TO = re.compile(
    r"^(?:is|was|would|isn['’]t|wouldn['’]t)\s+(?:it|now|this|today)\s+(?:be\s+)?(?:finally\s+|really\s+)?"
    r"(?:(?:a|the)\s+)?(?:good\s+|right\s+|best\s+)?(?:high\s+)?(?:time|moment|idea|thing|wise|smart|sensible|right|better|worth|worth\s+it|"
    r"reasonable|crazy|foolish|too\s+late|too\s+early|too\s+soon|ok|okay|fair)\s+"
    r"(?:for\s+(?P<who>me|us|the\s+\w+)\s+)?(?P<to>to\s+)?(?P<vp>.+)$",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"^(?:how\s+(?:do|can|could|should|would|might|shall|will)\s+(?P<who>i|we|the\s+\w+)\s+(?:best\s+|possibly\s+|ever\s+)?|how\s+(?:best\s+)?to\s+|"
    r"(?:what|which)(?:['’]s|\s+is)\s+(?:the|a)\s+(?:best|right|good|better)\s+way\s+(?:for\s+me\s+|for\s+us\s+)?(?:to|of)\s+)(?P<vp>.+)$",
    re.IGNORECASE,
)
_WH = re.compile(
    r"^(?P<wh>(?:how\s+(?:much|many|long|often|far|soon|big|early|late|hard)|which|what|when|where|who|whom)(?:\s+[^?]*?)?)\s+"
    r"(?:should|shall|do|can|could|must|would)\s+(?P<who>i|we|the\s+\w+)\s+(?P<vp>.+)$",
    re.IGNORECASE,
)
_WH_TO = re.compile(
    r"^(?P<wh>(?:how\s+(?:much|many|long|often)|which|what|when|where|whom)\b.*?)\s+to\s+(?P<vp>.+)$", re.IGNORECASE
)
_WISH = re.compile(
    r"^(?:i|we)(?:['’]d|['’]m|['’]re|\s+am|\s+are|\s+would)?\s+(?:really\s+)?(?:want|like|wish|hope|plan|intend|need|have)\s+to\s+(?P<vp>.+)$|"
    r"^(?:whether|if)\s+(?:or\s+not\s+)?(?:i|we)\s+(?:should|can|could|ought\s+to)\s+(?P<vp2>.+)$|^whether\s+(?:or\s+not\s+)?to\s+(?P<vp3>.+)$|^to\s+(?P<vp5>.+)$|"
    r"^(?:i|we)(?:['’]m|['’]re|\s+am|\s+are)\s+(?:thinking\s+(?:of|about)|considering)\s+(?P<vp4>.+)$|"
    r"^(?:thinking\s+(?:of|about)|considering)\s+(?P<vp6>.+)$",
    re.IGNORECASE,
)
_REVIEW = re.compile(
    r"^(?:please\s+)?(?:(?P<when>(?:weekly|monthly|quarterly|annual|yearly|half-yearly|mid-year|year-end|end-of-\w+)\s+)?"
    r"(?:review|retrospective|retro|check-in|check-up|status|update|report|progress|assessment|evaluation|look\s+back)"
    r"\s+(?:of|on|about|for|at|with)?\s*)(?P<np>.+)$",
    re.IGNORECASE,
)
_REVIEW_END = re.compile(r"^(?P<np>.+?)\s+(?:review|retrospective|retro|check-in|status|update|report)$", re.IGNORECASE)
_WORTH = re.compile(
    r"^(?:is|are)\s+(?P<np>.+?)\s+(?:worth\s+it|a\s+good\s+idea|right\s+for\s+(?:me|us)|the\s+right\s+\w+|worth\s+\w+)$",
    re.IGNORECASE,
)

_SUBORDINATE = re.compile(
    (
        r",|;|:| – | — |\s(?:that|which|who|because|so that|even "
        r"though|although|given|while|when|if|unless|since|despite|whereas|before|after|instead of)\s"
    ),
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"^(?:the|a|an|my|our|his|her|their|this|that|these|those|your|some|another|one)\s", re.IGNORECASE)
_OWN = re.compile(r"^(?:my|our)\s+", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\s(?:in|on|at|for|to|with|from|of|into|by|under|over|near|against|about|between|without|now|first|this|next|again|before|after|"
    r"today|tomorrow|soon|and|or)\s?(?=\s|$|\w)",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b(?:[A-Z][\w’'-]*[a-zà-ÿ][\w’'-]*|[A-Z]{2,}\w*|[vV]\d+(?:\.\d+)*|[A-Z]\w*\d+)\b")

_COMMON_CAPITALS = word_set(
    "I Should Is How Do Does What Which When Where Who Why Can Could Would Will Shall May Must A An The My Our We It "
    "Quarterly Weekly Monthly Annual Review To If Whether Buy Sell Ship Take Move Learn Leave Hire Start Stop Quit Let And "
    "Or But Not Yes No On In At For With Are Was Were Did Has Have"
)
_MONTHS = word_set(
    "January February March April May June July August September October November December Monday Tuesday Wednesday "
    "Thursday Friday Saturday Sunday Christmas Easter"
)
_UNSAYABLE = str.maketrans(
    dict.fromkeys("{}[]<>`|\\^~*#｛｝﹛﹜", " ") | {"@": "", '"': "", "“": "", "”": "", "„": "", "«": "", "»": ""}
)
_SHORT = 56


def sayable(text: str, limit: int = 240) -> str:
    """A person's text on one line, without what could act in a command, a motion or a mention."""
    kept = "".join(c for c in printable(text) if unicodedata.category(c) not in ("Cf", "Cc") or c in "\n\t")
    kept = re.sub(r"_{2,}|(?<!\w)_(?!\w)", " ", kept.translate(_UNSAYABLE))
    kept = re.sub(r"[\u2400-\u2421]", "", kept)
    kept = re.sub(r"\s+", " ", kept).strip()
    if len(kept) > limit:
        kept = kept[:limit].rsplit(" ", 1)[0].rstrip(" ,;:-") + " …"
    return re.sub(r"\s+([,.;:!?])", r"\1", kept)


def question_of(text: str) -> str:
    """The sentence that asks, of a topic with several."""
    sentences = [s for s in re.split(r"(?<=[.!?])\s+", text) if s.strip()]
    if len(sentences) > 1:
        for sentence in sentences:
            if sentence.endswith("?"):
                return sentence
        return sentences[0]
    return text


def cut(phrase: str) -> str:
    """The phrase without what hangs on it, when it is long."""
    if len(phrase) <= _SHORT:
        return phrase
    for match in _SUBORDINATE.finditer(phrase):
        if len(phrase[: match.start()].split()) >= 2:
            phrase = phrase[: match.start()].strip()
            break
    if len(phrase) > 90:
        words = phrase.split()
        while len(" ".join(words)) > 80:
            words.pop()
        while words and words[-1].lower() in (
            "the",
            "a",
            "an",
            "of",
            "to",
            "in",
            "and",
            "or",
            "for",
            "my",
            "with",
            "their",
            "at",
            "on",
        ):
            words.pop()
        phrase = " ".join(words)
    return phrase


def _bare(vp: str) -> str | None:
    """A bare verb phrase from one that may start with a gerund or an adverb; None when no verb is found at its head."""
    words = vp.split()
    while len(words) > 1 and words[0].lower() in (
        "really",
        "just",
        "finally",
        "now",
        "still",
        "also",
        "either",
        "please",
        "rather",
    ):
        words.pop(0)
    if not words:
        return None
    head = words[0].lower().strip(",")
    if head in GERUNDS:
        words[0] = GERUNDS[head]
    elif not is_verb(head):
        return None
    else:
        words[0] = words[0].lower()
    return " ".join(words)


def _split_or(phrase: str) -> tuple[str, str] | None:
    match = re.match(
        r"^(?:either\s+)?(?P<a>.+?),?\s+(?:or(?:\s+rather|\s+should\s+(?:i|we))?|vs\.?|versus)\s+(?P<b>.+)$",
        phrase,
        re.IGNORECASE,
    )
    if not match or match["b"].lower() in ("not", "no", "else", "so", "what", "not?", "leave it"):
        return None
    return match["a"].strip(" ,"), match["b"].strip(" ,")


def _second_option(first: str, second: str) -> str:
    """The second of two options as a verb phrase of its own: "hire a designer or an engineer", "move to Porto or Faro"."""
    bare = _bare(second)
    if bare is not None and not (bare.split()[0] in NOUNISH and len(bare.split()) > 1 and _DETERMINER.match(second)):
        return bare
    verb = first.split()[0]
    if not _DETERMINER.match(second):
        tail = re.match(r"^(?P<head>.*\s(?:in|to|at|for|from|with|by|on|into|as))\s+(?P<tail>\S+(?:\s\S+)?)$", first)
        if tail and not _DETERMINER.match(tail["tail"] + " "):
            return f"{tail['head']} {second}"
    if re.match(r"^(?:in|to|at|for|from|with|by|on|into|as|without)\s", second):
        return f"{verb} {second}"
    return f"{verb} {second}"


def thing_of(act: str) -> str | None:
    """The object of a verb phrase, when it is a noun phrase with a determiner: "the job in Lisbon"."""
    rest = act.split(" ", 1)[1] if " " in act else ""
    rest = re.sub(
        r"^(?:out|up|down|off|over|on|in|away|back|into|to|for|about|with)\s+(?=(?:the|a|an|my|our|their|this)\s)", "", rest
    )
    if not _DETERMINER.match(rest):
        return None
    rest = re.sub(r"\s(?:to|into)\s.+$", "", rest) if act.split(" ", 1)[0] in _CARRYING else rest
    rest = re.sub(r"\s(?:now|first|again|today|soon|this year|next year|by .+|before .+|until .+)$", "", cut(rest))
    return re.sub(r"^(?:my|our|their|his|her|your)\s+", "the ", rest, flags=re.IGNORECASE)


_CARRYING = word_set("move migrate switch sell give lend send shift transfer port")


def head(noun_phrase: str) -> str:
    match = _PREPOSITION.search(noun_phrase)
    return (noun_phrase[: match.start()] if match else noun_phrase).strip(" ,")


def _with_article(np: str) -> str:
    np = re.sub(r"^(?:weekly|monthly|quarterly|annual|yearly)\s+", "", np, flags=re.IGNORECASE)
    if re.match(r"^(?:my\s+)?[a-z]+$", np, re.IGNORECASE) and np.split()[-1].lower() in _MASS:
        return f"the shareholder's {np.split()[-1].lower()}"
    np = _OWN.sub("the ", np)
    if _DETERMINER.match(np) or re.match(r"^\d", np):
        return np
    first = np.split()[0]
    named = _looks_named(first, np) or (_is_name(first) and len(np.split()) == 1)
    if not named:
        np = lower_first(np)
    return np if named and len(np.split()) == 1 else f"the {np}"


def _is_name(word: str) -> bool:
    return bool(_NAME.fullmatch(word)) and word not in _COMMON_CAPITALS and word.lower() not in _PLAIN_WORDS


_PLAIN_WORDS = word_set("career training budget health sleep time plan")
_MASS = word_set(
    "sleep health training money productivity time work weight diet fitness writing career finances goals focus stress week "
    "year"
)


@dataclass(frozen=True, slots=True)
class Asked:
    kind: Kind
    who: str
    act: str
    other: str | None = None
    thing: str | None = None


def read(text: str) -> Asked:
    bare_text = text.rstrip(" ?!.…")
    lowered = bare_text.lower()
    if match := _HOW.match(bare_text):
        vp = _bare(match["vp"]) or match["vp"]
        return Asked(Kind.HOW, match["who"] or "i", lower_first(vp))
    if match := _WH.match(bare_text):
        return Asked(Kind.HOW, match["who"], f"settle {lower_first(match['wh'])} to {match['vp']}")
    if match := (_WORTH.match(bare_text)):
        thing = _with_article(match["np"])
        gerund_act = _bare(match["np"])
        return Asked(Kind.SHOULD, "i", gerund_act or f"go ahead with {thing}", thing=None if gerund_act else thing)
    for pattern in (_TIME_TO, _SHOULD):
        if match := pattern.match(bare_text):
            vp = re.sub(r"^it\s+", "", match["vp"])
            vp = re.sub(r"^to\s+", "", vp)
            if re.match(r"^(?:a|an|the|my|our|some)\s", vp):
                vp = f"get {vp}"
            vp = re.sub(r"^afford\s+", "commit to ", vp)
            vp = re.sub(r"^need\s+(?=(?:a|an|the|some|another|my)\b)", "get ", vp)
            bare = _bare(vp)
            if bare is None and match["vp"].split()[0].lower().endswith("ing"):
                bare = None
            if bare is not None or pattern is _SHOULD:
                return _choice(Kind.SHOULD, match["who"] or "i", bare or lower_first(vp))
    if match := _WISH.match(bare_text):
        vp = next(group for group in match.groups() if group)
        if bare := _bare(vp):
            return _choice(Kind.SHOULD, "i", bare)
    if match := _REVIEW.match(bare_text):
        thing = _with_article(match["np"])
        return Asked(Kind.REVIEW, "i", f"carry on with {thing}", thing=thing)
    if match := _REVIEW_END.match(bare_text):
        thing = _with_article(match["np"])
        return Asked(Kind.REVIEW, "i", f"carry on with {thing}", thing=thing)
    if match := _WH_TO.match(bare_text):
        return Asked(Kind.HOW, "i", f"settle {lower_first(bare_text)}")
    first = lowered.split()[0] if lowered.split() else ""
    words = bare_text.split()
    imperative = is_verb(first) and (
        first not in NOUNISH
        or (
            len(words) > 1
            and re.match(r"^(?:the|a|an|my|our|to|in|out|up|for|with|more|less|\d)", words[1].lower()) is not None
        )
        or (len(words) > 1 and words[1].lower() in GERUNDS)
        or " or " in lowered
    )
    if imperative or first in GERUNDS:
        act = _bare(bare_text)
        if act is not None and (len(words) > 1 or imperative):
            return _choice(Kind.SHOULD, "we" if re.search(r"\bour\b|\bwe\b", lowered) else "i", act)
    if text.endswith("?") and " or " not in lowered and len(words) > 2:
        return _quoted_question(text.strip())
    options = _split_or(bare_text)
    if options is not None:
        a, b = options
        tail = ""
        if (match := re.search(r"\s(?:for|as|in|to)\s.+$", b)) is not None and not re.search(r"\s(?:for|as|in|to)\s", a):
            tail = match.group()
            b = b[: match.start()]
        return Asked(Kind.CHOICE, "we" if re.search(r"\bour\b", lowered) else "i", f"choose {a}{tail}", f"choose {b}{tail}")
    if _foreign(bare_text):
        return _quoted_question(text.strip())
    thing = _with_article(cut(bare_text))
    if _PROJECT.search(bare_text):
        return Asked(Kind.SHOULD, "i", f"go ahead with {thing}", thing=thing)
    return Asked(Kind.HOW, "i", f"put {thing} in order", thing=thing)


_PROJECT = re.compile(
    r"\b(?:change|move|switch|trip|journey|purchase|launch|release|marathon|race|wedding|renovation|rewrite|migration|sabbatical|"
    r"increase|reduction|cut|hire|offer|sale|investment|business|startup|company|baby|dog|cat|surgery|course|degree|at \d+)\b",
    re.IGNORECASE,
)


def _quoted_question(text: str) -> Asked:
    """What no pattern fits is quoted, word for word, and the board is asked to find an answer to it."""
    quoted = f"the question “{cut(text) if len(text) > 90 else text.rstrip(' .,;:')}”"
    return Asked(Kind.HOW, "i", f"find an answer to {quoted}", thing=quoted)


_ENGLISH = word_set(
    "the a an of to in on for and or my our with is at by from as new about plan this that not i we it be how should first "
    "now more less better change review"
)


def _foreign(text: str) -> bool:
    """Whether the text is no English noun phrase, as far as small words and its length tell."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return (
        (len(words) > 4 and not _ENGLISH & set(words))
        or not any("a" <= c <= "z" for c in text.lower())
        or len(words) > 9
        or any(c in text for c in "=:;!?/")
        or len(max(text.split(), key=len)) > 24
    )


def untitled(text: str) -> str:
    """A heading in Title Case as a sentence would write it; names are kept where they are known as names."""
    words = text.split()
    long = [w for w in words if len(w) > 3 and w[0].isalpha()]
    if len(long) < 2 or not all(w[0].isupper() for w in long):
        return text
    return " ".join(
        w if n == 0 or w.lower() in _KNOWN_NAMES or w in _MONTHS or not w[1:].islower() or w == "I" else w.lower()
        for n, w in enumerate(words)
    )


def _choice(kind: Kind, who: str, act: str) -> Asked:
    options = _split_or(act)
    if options is None:
        return Asked(kind, who, re.sub(r"\s+or\s+not$", "", act))
    first, second = options
    return Asked(Kind.CHOICE, who, first, _second_option(first, second))


def names_in(text: str) -> list[str]:
    found = []
    for match in _NAME.finditer(text):
        word = re.sub(r"['’]s$", "", match.group())
        start = match.start() == 0 or text[: match.start()].rstrip().endswith((".", "?", "!", ":"))
        if word in _COMMON_CAPITALS or word in _MONTHS or (start and (is_verb(word) or not _looks_named(word, text))):
            continue
        if word not in found:
            found.append(word)
    return found


def _looks_named(word: str, text: str) -> bool:
    """A capital at the start of a sentence names something only when the word is not a plain one elsewhere known."""
    return bool(re.fullmatch(r"[A-Z]{2,}\w*|[vV]\d.*|[A-Z]\w*\d+", word)) or word.lower() in _KNOWN_NAMES


_KNOWN_NAMES = word_set("rust python java go kotlin lisbon berlin london paris porto anna japanese spanish french german")
