"""Law 7 at the scanner: what is private stays private, however its tags are written and however the text is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voices.whispers import Kind, Scanner, part

HIDDEN = [
    "<thinking>CANARY",
    "<thinking>CANARY <speaking>CANARY</speaking>",
    "<thinking>a <thinking>b</thinking> CANARY",
    "<thinking>a <thinking>b</thinking> CANARY</thinking>",
    "<thinking>CANARY<thinking>said",
    "<thinking>CANARY <speaking>CANARY</speaking> CANARY</thinking>",
    "<thinkng>CANARY</thinkng>",
    "<thinkin>CANARY",
    "<tihnking>CANARY",
    "<th1nking>CANARY",
    "<Thinking >CANARY</THINKING>",
    "< thinking >CANARY",
    "<thinking\n>CANARY",
    "<thinking foo='bar'>CANARY",
    "<thinking CANARY",
    "<thinking CANARY</thinking>",
    "<think>CANARY</think>",
    "<thoughts>CANARY</thoughts>",
    "<inner monologue>CANARY</inner monologue>",
    "<my_private_thinking>CANARY",
    "<reasoning>CANARY",
    "<scratch_pad>CANARY",
    "<t\u200bhinking>CANARY",
    "\uff1cthinking\uff1eCANARY\uff1c/thinking\uff1e",
    "\u2039thinking\u203aCANARY",
    "&lt;thinking&gt;CANARY&lt;/thinking&gt;",
    "\\u003cthinking\\u003eCANARY",
    "[thinking]CANARY[/thinking]",
    "[thinking: CANARY]",
    "(whisper: CANARY)",
    "\u3010thinking\u3011CANARY",
    "**Thinking:** CANARY",
    "Thinking: CANARY",
    "My private thoughts (unsaid): CANARY",
    "## Thinking\nCANARY",
    "CANARY</thinking>",
    "CANARY</thnking>",
    "<musing>CANARY <speaking>CANARY</speaking></thinking>",
    "<musing>CANARY</musing>",
    "<!-- CANARY -->",
    "<!-- CANARY",
    "<thinking>CANARY</",
    "<thinking>CANARY</think",
    "<thinking>CANARY</thinking>",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_law_07_every_spelling_of_a_whisper_is_one(text: str) -> None:
    parted = part(text)
    assert "CANARY" not in parted.speech
    assert "CANARY" not in parted.outside or not parted.settled
    assert "CANARY" in parted.whisper or "CANARY" in parted.outside or text.startswith("<thinking CANARY")


@pytest.mark.parametrize("text", HIDDEN)
def test_law_07_a_whisper_inside_of_speech_is_taken_out_of_it(text: str) -> None:
    if text.startswith(("CANARY", "<musing>")):
        return  # there it closes what nothing opened, and is tested below
    assert "CANARY" not in part(f"<speaking>Said.\n{text}").speech
    assert "CANARY" not in part(f"Said.\n{text}", speaking=True).speech
    assert part(f"Said.\n{text}", speaking=True).speech.startswith("Said.")


def test_a_closing_tag_that_nothing_opened_hides_all_before_it() -> None:
    parted = part("CANARY</thinking> said", speaking=True)
    assert parted.speech == "said"
    assert not parted.settled


@pytest.mark.parametrize(
    ("text", "speech"),
    [
        ("<thinking>w</thinking><speaking>said</speaking>", "said"),
        ("<THINKING>w</THINKING>\n\n<Speaking>said</Speaking>\n", "said"),
        ("<thinking>w</thinking><speaking>said", "said"),
        ("<thinking>w</thinking><speaking>said <thi", "said"),
        ("<thinking>w</thnking><speaking>said</speaking>", "said"),
        ("w</thinking><speaking>said</speaking>", "said"),
        ("<response><thinking>w</thinking><speaking>said</speaking></response>", "said"),
        ("<speaking>one</speaking><thinking>w</thinking><speaking> two</speaking>", "one two"),
        ("<speaking>3 < 5, a<b, x > 2 and <b>bold</b></speaking>", "3 < 5, a<b, x > 2 and <b>bold</b>"),
        ("<speaking>I think <this> matters</speaking>", "I think <this> matters"),
        (
            "<speaking>My thoughts are with you. Thinking of it, yes.</speaking>",
            "My thoughts are with you. Thinking of it, yes.",
        ),
        (
            "<speaking>The [draft] and (the reason: cost) {CALL: @jobs}</speaking>",
            "The [draft] and (the reason: cost) {CALL: @jobs}",
        ),
    ],
)
def test_speech_is_what_stands_in_its_tags(text: str, speech: str) -> None:
    assert part(text).speech == speech


@pytest.mark.parametrize(
    ("text", "settled", "outside"),
    [
        ("Only words.", True, "Only words."),
        ("<thinking>w</thinking> Only words.", True, "Only words."),
        ("<thnking>w</thnking> Only words.", True, "Only words."),
        ("Thinking: w\nSpeaking: Only words.", True, "Only words."),
        ("<thinking>w</thinkng> In doubt.", False, "In doubt."),
        ("<thinking>w</thinking In doubt.", False, "In doubt."),
        ("In doubt. <thinking>w", False, "In doubt."),
    ],
)
def test_words_without_speech_tags_are_settled_or_in_doubt(text: str, settled: bool, outside: str) -> None:
    parted = part(text)
    assert (parted.settled, parted.outside) == (settled, outside)


def test_tags_in_a_value_are_words_that_somebody_quotes() -> None:
    assert part("The topic says \uff1c/speaking\uff1e and goes on.", speaking=True).speech.endswith("and goes on.")
    assert part(" <speaking>Wrapped.</speaking>", speaking=True).speech == "Wrapped."


TOKENS = [
    "<thinking>", "</thinking>", "<speaking>", "</speaking>", "<thinkng>", "</thnking>", "<think", "</", "<", ">", "[thinking]",
    "[/thinking]", "[thinking: ", "]", "Thinking:", "**Speaking:** ", "## Thinking", "\n", "&lt;", "&gt;", "&lt;thinking&gt;",
    "\\u003c", "<!--", "-->", "<b>", "<musing>", "</musing>", " words ", "My view: ", "{", "}", "(thinking", "th", "speaking",
    "x" * 90,
]  # fmt: skip
texts = st.lists(st.sampled_from(TOKENS) | st.text(max_size=6), max_size=14).map("".join)


def fed(text: str, cuts: list[int], speaking: bool) -> dict[Kind, str]:
    scanner = Scanner(speaking=speaking)
    bounds = [0, *sorted(c for c in cuts if c <= len(text)), len(text)]
    pieces = [piece for a, b in pairwise(bounds) for piece in scanner.feed(text[a:b])]
    pieces += scanner.finish()
    return {kind: "".join(p.text for p in pieces if p.kind is kind) for kind in Kind}


@given(texts, st.lists(st.integers(0, 200), max_size=30), st.booleans())
def test_the_same_text_is_parted_in_the_same_way_however_it_is_cut(text: str, cuts: list[int], speaking: bool) -> None:
    assert fed(text, cuts, speaking) == fed(text, [], speaking)


@given(texts, st.booleans())
def test_one_character_at_a_time_is_no_different(text: str, speaking: bool) -> None:
    assert fed(text, list(range(len(text))), speaking) == fed(text, [], speaking)


@given(st.lists(st.sampled_from(TOKENS) | st.text(max_size=4), max_size=10).map("".join))
def test_law_07_after_an_open_whisper_nothing_is_speech_until_it_is_closed(text: str) -> None:
    if "/" in text or "\\" in text or "peaking" in text.lower() or "speech" in text.lower() or "spoken" in text.lower():
        return  # something there might close it
    parted = part(f"<thinking>{text} CANARY <speaking>CANARY</speaking>")
    assert "CANARY" not in parted.speech
    assert not parted.settled
