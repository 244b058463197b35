"""Reading a vote out of words: the asked-for line first, then plain statements of a vote, else no vote at all.

Source 000 looks for `VOTE: FOR|AGAINST|ABSTAIN`, then for keywords anywhere, "which can misinterpret nuanced responses". Here
a word counts only where a member says what its own vote is: not denied, supposed, asked, quoted, or said of others.
"""

from __future__ import annotations

import re
import unicodedata

from parliament.values import Vote
from voices.plain import QUOTED

_F, _A, _N = Vote.FOR, Vote.AGAINST, Vote.ABSTAIN

# fmt: off
_STRONG: dict[Vote, tuple[str, ...]] = {
    _F: ("for", "in favor", "in favour", "favor", "favour", "aye", "yea", "approve", "approved", "adopt", "support", "accept"),
    _A: ("against", "nay", "oppose", "opposed", "reject", "rejected", "not in favor", "not in favour"),
    _N: ("abstain", "abstained", "abstaining", "abstention"),
}
"""Words that are a vote also when something follows them on the line."""

_ALONE: dict[Vote, tuple[str, ...]] = {
    _F: ("yes", "pro", "agree", "agreed", "ja", "dafür", "oui", "pour", "si", "sí", "sì", "a favor", "favorevole", "sim",
         "voor", "za", "tak", "за", "да", "赞成", "贊成", "同意", "賛成", "찬성", "موافق", "के पक्ष में", "पक्ष में"),
    _A: ("no", "contra", "con", "disagree", "nein", "dagegen", "non", "contre", "en contra", "contro", "contrario", "não",
         "tegen", "nie", "przeciw", "против", "нет", "反对", "反對", "반대", "معارض", "विरोध में", "विपक्ष में"),
    _N: ("enthaltung", "enthalte mich", "abstention", "abstiens", "je m'abstiens", "abstención", "me abstengo", "astenuto",
         "mi astengo", "abstenção", "abstenho-me", "onthouding", "wstrzymuję się", "воздержался", "воздерживаюсь", "弃权",
         "棄權", "棄権", "기권", "ممتنع"),
}
"""Words that are a vote only when they are all that is said: in a debate they may mean anything."""
# fmt: on


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    return " ".join(text.split()).strip(" *_`\"'“”‘’«»„.!,:;()[]{}<>#~-–—|=/\\")


_WHOLE = {_fold(word): vote for words in (_STRONG, _ALONE) for vote, found in words.items() for word in found}
_LEADING = re.compile(
    "(?:"
    + "|".join(
        f"(?P<{vote.value}>{'|'.join(re.escape(word) for word in sorted(words, key=len, reverse=True))})"
        for vote, words in _STRONG.items()
    )
    + r")(?!\w)",
    re.I,
)
_ANOTHER = re.compile(r"\b(?:FOR|AGAINST|ABSTAIN)\b")
_HEDGED = re.compile(
    r"\W*(?:or|/|\||if|unless|only\s+if|provided|on\s+condition|but\s+only|assuming|now\b|example|instance)(?!\w)", re.I
)
_VAGUE = re.compile(r"\w+\s+(?:of\s+)?(?:rejecting|the\s+opposite|neither)", re.I)
_DECORATION = " \t*_`\"'“”‘’«»„#~>-•|=[("


def choice_of(words: str) -> Vote | None:
    """The vote that these few words are: in any case, decorated, or translated; None for all else ("9/10", "N/A").

    The template itself ("FOR or AGAINST or ABSTAIN") and a vote under a condition ("FOR if amended") are none.
    """
    whole = _WHOLE.get(_fold(words))
    if whole is not None:
        return whole
    text = unicodedata.normalize("NFKC", words).strip().lstrip(_DECORATION)
    found = _LEADING.match(text)
    if found is None:
        return None
    rest = text[found.end() :].lstrip("*_`\"'”’ \t")
    if _ANOTHER.search(rest) or _HEDGED.match(rest) or _VAGUE.match(text):
        return None
    return Vote(str(found.lastgroup))


_EXACT = re.compile(r"^VOTE: (FOR|AGAINST|ABSTAIN)[ \t]*$", re.M)
_MARKS = r"[ \t*_`#>~\-•|]*"
_LINE = re.compile(
    rf"^{_MARKS}(?:(?:my|final|formal|the|official)[ \t]+)*(?:vote|ballot|voto|stimme|stem)(?:[ \t]+is)?{_MARKS}[:=\uff1a]"
    r"(?P<rest>[^\n]*)$",
    re.I | re.M,
)
_NEXT_FIELD = re.compile(r"\b(?:REASON(?:ING)?|DISSENT|VOTE)[*_ \t]*[:=\uff1a]", re.I)


def vote_in(text: str) -> tuple[Vote | None, bool]:
    """(vote, exact): `exact` when it was written as asked. (None, False) when no vote can be read, or more than one."""
    exact = set(_EXACT.findall(text))
    lines = [choice_of(_NEXT_FIELD.split(found["rest"], maxsplit=1)[0]) for found in _LINE.finditer(text)]
    told = {vote for vote in lines if vote is not None}
    if told:
        return (told.pop(), bool(exact)) if len(told) == 1 else (None, False)
    if lines:
        return None, False  # there was a line for the vote, and no vote on it: nothing else in the text mends that
    return prose_vote(text), False


# -- prose --------------------------------------------------------------------------------------------------------------

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_QUESTION = r"(?:motion|resolution|amendment|question|proposal|appeal|proposition|ruling|decision|chair)"
_THE = rf"(?:the|this|that|our)\s+(?:\w+[\s-]+){{0,2}}?{_QUESTION}"
_END = r"(?=\s*(?:$|[.,;:!*_)\]\u2013\u2014-])|\s+(?:because|as|since|and|with|on|here|today|given|so)\b)"
_IT = rf"(?:\s+{_THE}|\s+(?:it|this|adoption|approval|passage){_END}|{_END})"
_FOR = (
    rf"(?:in\s+favou?r(?:\s+of\s+(?:{_THE}|it\b|this\b|adopt)|{_END})|(?:yes|yea|aye){_END}"
    rf"|to\s+(?:approve|adopt|support|pass)|(?-i:FOR\b)|for{_IT})"
)
_AGAINST = rf"(?:(?-i:AGAINST\b)|against{_IT}|(?:no|nay){_END}|to\s+(?:reject|oppose|defeat))"
_ABSTAIN = r"(?:to\s+abstain|abstain(?:ing)?|(?:an?\s+)?abstention)"
_CHOICE = rf"(?:an?\s+)?[*_\"'“]*(?:(?P<FOR>{_FOR})|(?P<AGAINST>{_AGAINST})|(?P<ABSTAIN>{_ABSTAIN}))"
_WILL = (
    r"(?:['’](?:m|ll)|\s+(?:am|will|shall|must|hereby|therefore|thus|now|do|have\s+to|choose\s+to|want\s+to|intend\s+to|wish\s+to"
    r"|going\s+to|would\s+like\s+to|so|accordingly|gladly|firmly|respectfully|reluctantly|proudly|also|still|formally|too"
    r"|can\s+only|feel\s+bound\s+to),?)*"
)
_CAST = [
    re.compile(pattern, re.I)
    for pattern in (
        rf"\bI{_WILL}\s+(?:vot(?:e|ing)|cast(?:ing)?\s+(?:my|a|this)\s+(?:vote|ballot)(?:\s+(?:is|as))?)\s+{_CHOICE}",
        rf"\bI{_WILL}\s+cast(?:ing)?\s+an?\s+[*_\"'“]*"
        r"(?:(?P<FOR>for|yes|aye)|(?P<AGAINST>against|no|nay)|(?P<ABSTAIN>abstaining))[*_\"'”]*\s+(?:vote|ballot)",
        rf"\bI{_WILL}\s+(?P<ABSTAIN>abstain(?:ing)?)\b(?!\s+from\s+(?!vot|the\s+vot|this\s+vot))",
        rf"\bmy\s+(?:\w+\s+)?(?:vote|ballot)\s*(?:is|goes|will\s+be|shall\s+be|:)\s*(?:cast\s+|to\s+)?{_CHOICE}",
        rf"\b(?:count|record|put|mark)\s+me\s+(?:down\s+)?(?:as\s+)?(?:voting\s+|being\s+|an?\s+)?{_CHOICE}",
        r"\bich\s+(?:stimme\s+(?:(?P<FOR>dafür|mit\s+ja)|(?P<AGAINST>dagegen|mit\s+nein))|(?P<ABSTAIN>enthalte\s+mich))",
        r"\bje\s+(?:vote\s+(?:(?P<FOR>pour|oui)|(?P<AGAINST>contre|non))|(?P<ABSTAIN>m['’]abstiens))",
        r"\bvoto\s+(?:(?P<FOR>a\s+favore?|s[íì])|(?P<AGAINST>en\s+contra|contra|contro))"
        r"|\b(?P<ABSTAIN>(?:me\s+abstengo|mi\s+astengo))",
    )
]
_STANCE = [
    re.compile(
        rf"\bI{_WILL}\s+(?:(?P<FOR>support|approve(?:\s+of)?|endorse|in\s+favou?r\s+of|for)"
        rf"|(?P<AGAINST>oppose|reject|against|opposed\s+to))\s+{_THE}",
        re.I,
    )
]
_SUPPOSED = re.compile(r"^\W*(?:if|unless|were|had|should|suppose|assuming|when|until|once)\b", re.I)
_CONDITION = re.compile(
    r"^\W*(?:\w+\s+){0,4}?(?:only\s+)?(?:if|unless|provided|on\s+(?:the\s+)?condition|once|until|were)\b", re.I
)
_FIRM = re.compile(r"\b(?:because|as|since|even\s+if|for\s+the\s+reason|whether)\b", re.I)
_SAID_OF = re.compile(r"\b(?:said|says|say|told|asked|claims?|wrote|whether|that\s+if|pretend|imagine)\b[^,;:]*$", re.I)


def prose_vote(text: str) -> Vote | None:
    """The one vote that is stated as the speaker's own; None when there is none, or more than one.

    What is cast ("I vote", "my vote is") goes before what is held ("I support the motion"): one may support a motion in
    spirit and vote against it.
    """
    few = _fold(text)
    if few in _WHOLE:
        return _WHOLE[few]
    sentences = [s for s in _SENTENCE.split(QUOTED.sub(" ", text)) if s and not s.rstrip(" *_)").endswith("?")]
    for patterns in (_CAST, _STANCE):
        found = {vote for sentence in sentences for vote in _stated(sentence, patterns)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _stated(sentence: str, patterns: list[re.Pattern[str]]) -> set[Vote]:
    votes: set[Vote] = set()
    for pattern in patterns:
        for found in pattern.finditer(sentence):
            before, after = sentence[: found.start()], sentence[found.end() :]
            condition = _CONDITION.match(after)
            if _SUPPOSED.match(before) or _SAID_OF.search(before) or (condition and not _FIRM.search(condition[0])):
                continue
            votes.add(Vote(str(found.lastgroup)))
    return votes
