"""A reply in one text, tool calls and all, so that it can be kept under its call's id and read back (law 5)."""

from __future__ import annotations

import json

from voices.base import ToolCall, VoiceReply

_MARK = "boardroom-reply-with-tools:"


def stored(reply: VoiceReply) -> str:
    """The reply as the ledger keeps it: its own text, or text and tool calls where it called some."""
    if not reply.tool_calls and not reply.text.startswith(_MARK):
        return reply.text
    calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in reply.tool_calls]
    return _MARK + json.dumps({"text": reply.text, "stop": reply.stop_reason, "calls": calls}, ensure_ascii=False)


def restored(text: str) -> VoiceReply:
    """The reply that was kept."""
    if not text.startswith(_MARK):
        return VoiceReply(text=text)
    kept = json.loads(text.removeprefix(_MARK))
    calls = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in kept["calls"])
    return VoiceReply(text=kept["text"], stop_reason=kept["stop"], tool_calls=calls)
