"""A reply in one text, tool calls and all, so that it can be kept under its call's id and read back exactly (law 5)."""

from __future__ import annotations

import json
import re
from typing import Any

from voices.base import ToolCall, VoiceReply

_MARK = "boardroom-reply-with-tools:"
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
"""What a store or an encoding cannot carry; in JSON it is written as an escape."""


def stored(reply: VoiceReply) -> str:
    """The reply as the ledger keeps it: its own text, or, where that alone would not do, text, calls and how it ended.

    What the ledger has columns for (tokens, model, latency) is not in it. Two halves of a character that a stream had torn
    apart come back as the character.
    """
    plain = reply.stop_reason == "end_turn" and not (reply.tool_calls or reply.opaque)
    if plain and not reply.text.startswith(_MARK) and not _UNKEEPABLE.search(reply.text):
        return reply.text
    kept: dict[str, Any] = {"text": reply.text, "stop": reply.stop_reason}
    kept["calls"] = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in reply.tool_calls]
    if reply.opaque:
        kept["opaque"] = list(reply.opaque)
    return _MARK + json.dumps(kept)


def restored(text: str) -> VoiceReply:
    """The reply that was kept. Raises ValueError for a text that begins like one and is none: the store was tampered with."""
    if not text.startswith(_MARK):
        return VoiceReply(text=text)
    try:
        kept = json.loads(text.removeprefix(_MARK))
        calls = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in kept["calls"])
        opaque = tuple(kept.get("opaque", ()))
        return VoiceReply(text=kept["text"], stop_reason=kept["stop"], tool_calls=calls, opaque=opaque)
    except (ValueError, KeyError, TypeError):
        raise ValueError("a stored reply of the chairman is not whole; have the agenda drafted, or ask, again") from None
