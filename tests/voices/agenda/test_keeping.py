"""A reply is kept in one text and read back exactly, tool calls, sealed blocks and all (law 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.schema import storable
from voices.agenda import restored, stored
from voices.base import ToolCall, Usage, VoiceReply

TEXT = st.text(max_size=40) | st.text(st.sampled_from('a\0\ud83d{}"\\é\n'), max_size=8)  # a lone half of a character, and NUL
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT, lambda x: st.lists(x, max_size=3) | st.dictionaries(TEXT, x, max_size=3)
)
CALLS = st.lists(st.builds(ToolCall, TEXT, TEXT, st.none() | st.dictionaries(TEXT, JSON, max_size=3)), max_size=3).map(tuple)
SEALED = st.lists(st.fixed_dictionaries({"type": st.just("thinking"), "thinking": TEXT, "signature": TEXT}), max_size=2).map(
    tuple
)
ENDS = st.sampled_from(["end_turn", "max_tokens", "tool_use", "refusal"])
REPLIES = st.builds(VoiceReply, text=TEXT, stop_reason=ENDS, tool_calls=CALLS, opaque=SEALED)


@given(REPLIES)
def test_law_05_a_reply_reads_back_exactly_and_the_store_can_keep_it(reply: VoiceReply) -> None:
    text = stored(reply)
    assert restored(text) == reply
    assert storable(text) == text


@given(REPLIES)
def test_a_kept_reply_that_is_kept_again_is_a_text_like_others(reply: VoiceReply) -> None:
    text = stored(reply)
    assert restored(stored(VoiceReply(text=text))) == VoiceReply(text=text)


def test_a_plain_reply_is_kept_as_it_is_and_what_the_ledger_knows_is_not_kept_twice() -> None:
    reply = VoiceReply("As it is.", Usage(1, 2, 3, 4), "a-model", latency_ms=5)
    assert stored(reply) == "As it is."
    assert restored("As it is.") == VoiceReply("As it is.")


@pytest.mark.parametrize("rest", ["", "{", "[]", '{"text": "x"}', '{"text": "x", "stop": "end_turn", "calls": [{}]}'])
def test_a_text_that_was_cut_off_is_said_to_be_so(rest: str) -> None:
    mark = stored(VoiceReply("", stop_reason="refusal")).partition("{")[0]
    with pytest.raises(ValueError, match="not whole"):
        restored(mark + rest)
