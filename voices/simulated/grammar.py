"""Small English: the forms of a verb, the shareholder's own words in the third person, clean ends of sentences."""

from __future__ import annotations

import re

from voices.simulated.lexicon import word_set

BASE_VERBS = word_set(
    "accept adopt apply ask attend automate bake be become begin bet break bring build buy call cancel change charge choose "
    "climb close come commit confess confront consolidate continue cook cut date decide declare delay delegate delete "
    "deploy develop ditch divorce do donate downsize drink drive drop eat emigrate end enrol enroll enter exercise expand "
    "explore fast fight fill find finish fire fix fly forgive found get give go grow have hire hold improve increase invest "
    "join keep kill launch lead learn lease leave lend let lift lock lose lower make manage marry master meet mend merge "
    "migrate move negotiate open outsource paint partner pay pick pivot postpone practise practice prepare propose protect "
    "publish purchase pursue put quit raise read rebuild record redesign reduce refactor refinance refuse relocate remain "
    "remarry remove renovate rent reorganise reorganize repair replace resign restart restore retire return rewrite run "
    "save say see sell send separate set settle shift ship show shut sign skip sleep slow speak spend split stand start "
    "stay step stop stretch study sue swim switch take talk teach tell throw trade train transfer travel trust try turn "
    "upgrade use visit volunteer wait wake walk wean withdraw work write adjust handle deal cope survive celebrate host "
    "fund sponsor license rebrand hibernate freelance reconcile focus stick wear feel think live love help offer plan "
    "organise organize schedule focus stay pass push pull prioritise prioritize"
)
"""Verbs that a topic may begin with. Those that are more often nouns are in NOUNISH."""

NOUNISH = word_set(
    "plan work study date run call cook drink drive fast fire fix focus fund help host lead lease lift love offer paint "
    "partner practice purchase read record rent return show sleep split start step talk trade train travel trust turn use "
    "visit walk wake work exercise schedule end change move bet break cut deal drop fight let set stand stop swim switch "
    "try wait charge push pass"
)

_DOUBLE = word_set("begin commit refer admit forget permit prefer transfer quit") | {
    "enrol",
    "input",
    "format",
}
_NO_DOUBLE = re.compile(r"[wxy]$")
_CVC = re.compile(r"^[^aeiou]*(?:qu)?[aeiou][^aeiouwxy]$")


def gerund(verb: str) -> str:
    """take: taking; ship: shipping; lie: lying; be: being."""
    lower = verb.lower()
    if lower == "be":
        return verb + "ing"
    if lower.endswith("ie"):
        return verb[:-2] + "ying"
    if lower.endswith("e") and not lower.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    if lower in _DOUBLE or _CVC.match(lower):
        return verb + verb[-1] + "ing"
    return verb + "ing"


def third(verb: str) -> str:
    """take: takes; have: has; marry: marries; fix: fixes."""
    lower = verb.lower()
    if lower in ("have", "be"):
        return {"have": "has", "be": "is"}[lower]
    if re.search(r"[^aeiou]y$", lower):
        return verb[:-1] + "ies"
    if re.search(r"(?:s|x|z|ch|sh|o)$", lower):
        return verb + "es"
    return verb + "s"


GERUNDS = {gerund(verb): verb for verb in BASE_VERBS}


def is_verb(word: str) -> bool:
    return word.lower() in BASE_VERBS


def gerund_phrase(phrase: str) -> str:
    """A bare verb phrase as a noun phrase: "sell the house and move" becomes "selling the house and moving"."""
    words = phrase.split(" ")
    first = 0
    while first < len(words) - 1 and words[first].lower() in _ADVERBS:
        first += 1
    words[first] = gerund(words[first])
    for n in range(first + 1, len(words) - 1):
        if (
            words[n] in ("and", "or", "then")
            and is_verb(words[n + 1])
            and words[n + 1].lower() not in NOUNISH - {"move", "start", "stop"}
        ):
            words[n + 1] = gerund(words[n + 1])
    return " ".join(words)


def third_phrase(phrase: str) -> str:
    head, _, rest = phrase.partition(" ")
    return f"{third(head)} {rest}".strip()


_ADVERBS = word_set("not never really just finally also only still actually simply")

_PERSON = (
    (r"\bI['’]m\b", "they are"),
    (r"\bI['’]ve\b", "they have"),
    (r"\bI['’]d\b", "they would"),
    (r"\bI['’]ll\b", "they will"),
    (r"\bI am\b", "they are"),
    (r"\bI was\b", "they were"),
    (r"\bI\b", "they"),
    (r"\bmyself\b", "themselves"),
    (r"\bmine\b", "theirs"),
    (r"\bmy own\b", "their own"),
    (r"\bmy\b", "their"),
    (r"\bme\b", "them"),
    (r"\bwe are\b", "they are"),
    (r"\bwe\b", "they"),
    (r"\bourselves\b", "themselves"),
    (r"\bours\b", "theirs"),
    (r"\bour\b", "their"),
    (r"\bus\b", "them"),
    (r"\bam\b", "are"),
)
_PERSON_RE = tuple((re.compile(pattern, re.IGNORECASE if pattern != r"\bus\b" else 0), to) for pattern, to in _PERSON)


def third_person(text: str) -> str:
    """The shareholder's words as others say them: "quit my job" becomes "quit their job". "US", the country, stays."""
    for pattern, to in _PERSON_RE:
        text = pattern.sub(to, text)
    return text


def capital(text: str) -> str:
    """The text with its first letter in upper case, quotation marks and brackets skipped."""
    for n, c in enumerate(text):
        if c.isalpha():
            return text[:n] + c.upper() + text[n + 1 :]
        if c not in "\"'“‘(":
            break
    return text


def lower_first(text: str) -> str:
    """The first letter in lower case, unless the word is a name, an initialism or "I"."""
    first = re.split(r"\W", text, maxsplit=1)[0]
    if len(first) > 1 and first[1:] != first[1:].lower():
        return text
    return text[:1].lower() + text[1:]


def tidy(text: str) -> str:
    """Joined sentences without the seams: single spaces, no space before a mark, no doubled marks."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,.;:!?])", r"\1", text)
    text = re.sub(r"([!?])[.,](?=\s|$)", r"\1", text)
    text = re.sub(r"\.{2}(?!\.)", ".", text)
    return re.sub(r",,+", ",", text)


def listed(names: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip


def number(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)
