"""Speech in passing: only what is positively speech, the same however the reply is cut into chunks (law 7)."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.voices.test_whispers import HIDDEN, TOKENS
from voices.stream import SpeechStream


def streamed(text: str, size: int = 1) -> str:
    stream = SpeechStream()
    return "".join(stream.feed(text[n : n + size]) for n in range(0, len(text), size))


JSON = [
    ('{"thinking": "CANARY", "speaking": "Said.", "vote": "FOR"}', "Said."),
    ('```json\n{"thinking": "CANARY", "speaking": "Said."}\n```', "Said."),
    ('  {\n  "speaking" :\t"Said.", "thinking": "CANARY"}', "Said."),
    ('{"thinking": "the key \\"speaking\\": \\"CANARY\\"", "speaking": "Said."}', "Said."),
    ('{"thinking": {"speaking": "CANARY"}, "speaking": "Said."}', "Said."),
    ('{"thinking": ["speaking", "CANARY"], "speaking": "Said."}', "Said."),
    ('{"thinking": "CANARY" "speaking": "CANARY"}', ""),
    ('{"thinking": "a "speaking": "CANARY" b", "speaking": "s"}', ""),
    ('{"thinking": "CANARY", "speaking": "Said." } "speaking": "CANARY"', "Said."),
    ('{"speaking": "\\u201eQuoted\\u201c \\ud83d\\ude00\\n\\"x\\" a\\/b"}', '\u201eQuoted\u201c \U0001f600\n"x" a/b'),
    ('{"speaking": "\\ud83d alone"}', " alone"),
    ('{"speaking": "bad \\u00zz CANARY"}', "bad "),
    ('{"thinking": "CANARY", "speaking": "As far as', "As far as"),
    ('{"thinking": "CANARY", "speaking": null}', ""),
    ('{"thinking": "CANARY", "speaking": ["CANARY"]}', ""),
    ('{"speaking": "{\\"thinking\\": \\"CANARY\\", \\"speaking\\": \\"CANARY\\"}"}', ""),
    ('{"speaking": "{CALL: @jobs} Steve?"}', "{CALL: @jobs} Steve?"),
    ('{"present": true, "n": -1.5e3, "speaking": "Said."}', "Said."),
    ('{"speaking": "One.", "speaking": "CANARY"}', "One."),
    ('[{"thinking": "CANARY", "speaking": "CANARY"}]', ""),
    ("{'thinking': 'CANARY', 'speaking': 'CANARY'}", ""),
]

PLAIN = [
    ("<thinking>CANARY</thinking><speaking>Said.</speaking>", "Said."),
    ("<thinking>CANARY</thinking>\n<speaking>Said.</speaking>\nVOTE: FOR", "Said."),
    ("<thinking>CANARY</thinking><speaking>As far as", "As far as"),
    ("<speaking>3 < 5 {CALL: @jobs}</speaking>", "3 < 5 {CALL: @jobs}"),
    ("{CALL: @jobs}<speaking>Said.</speaking>", "Said."),
    ("<thinking>CANARY <speaking>CANARY</speaking>", ""),
    ("CANARY, since nothing marks this as speech.", ""),
    ("<thinking>CANARY</thinking> CANARY, for the same reason.", ""),
    ("Here: {\"speaking\": \"CANARY\"}", ""),
    ("```\n<thinking>CANARY</thinking><speaking>Said.</speaking>\n```", "Said."),
]  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(("text", "speech"), JSON + PLAIN)
def test_law_07_the_stream_gives_the_speech_and_nothing_else(text: str, speech: str, size: int) -> None:
    said = streamed(text, size)
    assert said == speech
    assert "CANARY" not in said


@pytest.mark.parametrize("text", HIDDEN)
def test_law_07_a_whisper_in_any_spelling_is_not_streamed(text: str) -> None:
    assert "CANARY" not in streamed(text)
    if text.startswith(("CANARY", "<musing>")):
        return  # inside of speech these are closed without having been opened: nobody can tell before it is said
    assert "CANARY" not in streamed(f"<speaking>Said.\n{text}")
    assert "CANARY" not in streamed(json.dumps({"thinking": "CANARY", "speaking": f"Said.\n{text}"}))


def test_words_come_as_soon_as_they_are_certain() -> None:
    stream = SpeechStream()
    assert stream.feed('{"thinking": "w", "speaking": "Good ') == "Good "
    assert stream.feed("morn") == "morn"
    assert stream.feed("ing <b") == "ing "
    assert stream.feed('>all</b>"') == "<b>all</b>"
    assert stream.feed(', "vote": "FOR"}') == ""


whispered = st.text(max_size=30).map(lambda text: f"CANARY{text}CANARY".replace("\x00", ""))


@given(st.text(max_size=60), st.text(max_size=60), st.booleans(), st.lists(st.integers(0, 300), max_size=20))
def test_law_07_json_is_streamed_the_same_for_any_chunking(
    thinking: str, speaking: str, ascii_only: bool, cuts: list[int]
) -> None:
    text = json.dumps({"thinking": f"CANARY {thinking} CANARY", "speaking": speaking, "vote": "FOR"}, ensure_ascii=ascii_only)
    bounds = [0, *sorted(c for c in cuts if c <= len(text)), len(text)]
    stream = SpeechStream()
    said = "".join(stream.feed(text[a:b]) for a, b in pairwise(bounds))
    assert "CANARY" not in said
    assert said.replace("\r", "\n") == streamed(text, len(text)).replace("\r", "\n")
    if all(c.isalnum() or c in " .,'" for c in speaking):
        assert said == speaking


@given(st.lists(st.sampled_from(TOKENS) | st.text(max_size=4), max_size=12).map("".join), st.integers(1, 9))
def test_law_07_tags_are_streamed_the_same_for_any_chunking(text: str, size: int) -> None:
    assert streamed(text, size) == streamed(text, max(1, len(text)))


@given(st.lists(st.sampled_from(TOKENS) | st.text(max_size=4), max_size=10).map("".join), st.integers(1, 9))
def test_law_07_a_canary_in_a_closed_whisper_never_comes_out(inside: str, size: int) -> None:
    if "/" in inside or "\\" in inside or "peaking" in inside.lower():
        return  # it might close the whisper
    said = streamed(f"<thinking>{inside} CANARY</thinking><speaking>Said.</speaking>", size)
    assert "CANARY" not in said
