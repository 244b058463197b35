"""The simulated chairman's answers in their wire forms, and the same with a fault in them.

A draft is JSON by the schema, or the text form of source 000; an answer is whisper and speech in tags with tool calls beside
them, or with lines of changes where no tools are offered. Of the faults of replies those strike here that can.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from parliament.agenda import AgendaError, make_agenda, write_agenda
from parliament.values import ItemType
from voices.base import AgendaBrief, AgendaPurpose, ToolCall, VoiceRequest
from voices.simulated.grammar import number
from voices.simulated.preparing.drafting import drafted
from voices.simulated.preparing.revising import revised
from voices.simulated.preparing.talking import Said, first_word, last_word, told
from voices.simulated.reply import Wire

_TOOL_PREFIX = "agenda_"


def answer_agenda(request: VoiceRequest, faults: Collection[str] = ()) -> Wire:
    """The chairman's reply to a request with an AgendaBrief. A pure function of its arguments.

    `faults`: names of those that strike: refusal, truncated, malformed, unclosed_tags, plain, bad_tool.
    """
    brief = request.brief
    assert isinstance(brief, AgendaBrief)
    if "refusal" in faults:
        return Wire("I'm not able to help with this agenda.", stop="refusal")
    if brief.purpose is AgendaPurpose.CONVERSE:
        return _talked(request, brief, faults)
    items = drafted(brief) if brief.purpose is AgendaPurpose.DRAFT else revised(brief)
    return _written(brief, items, faults)


# -- drafts ----------------------------------------------------------------------------------------------------------------


def _written(brief: AgendaBrief, items: list[dict[str, Any]], faults: Collection[str]) -> Wire:
    decisions = sum(item["type"] == ItemType.DECISION for item in items)
    thinking = (
        f"{number(len(items)).capitalize()} items, {number(decisions)} of them for decision, and what can wait is left out. "
        "Would I miss any of them if it were gone?"
    )
    if "unclosed_tags" in faults:
        return Wire(f"<thinking>{thinking}\n{_as_text(items)}")
    if "plain" in faults:
        text = f"<thinking>{thinking}</thinking>\n<speaking>{_as_text(items)}</speaking>"
    else:
        text = json.dumps({"thinking": thinking, "items": items}, ensure_ascii=False)
    if "malformed" in faults:
        middle = text.find("]", len(text) // 2) if "plain" in faults else text.find('"items"') + 7
        text = text[:middle] + text[middle:].replace('": ', '" ', 1).rstrip("}]") + ",}"
    if "truncated" in faults:
        return Wire(text[: int(len(text) * 0.6)], stop="max_tokens", whispered=len(thinking.split()))
    return Wire(text, whispered=len(thinking.split()))


def _as_text(items: list[dict[str, Any]]) -> str:
    try:
        return write_agenda(make_agenda(items))
    except AgendaError:  # an agenda that breaks a limit is written as it is, for its reader to say so
        return "\n".join(f"{n}. [{item['topic']}] (type: {item['type']})" for n, item in enumerate(items, 1))


# -- answers ---------------------------------------------------------------------------------------------------------------


def _talked(request: VoiceRequest, brief: AgendaBrief, faults: Collection[str]) -> Wire:
    if not request.tools or "plain" in faults:
        return _without_tools(request, brief, faults)
    asked = first_word(brief)
    if not request.exchanges:
        return _with_tools(request, asked, asked.operations, faults)
    results = _results(request)
    spoilt = [n for n, (failed, _) in enumerate(results) if failed]
    if "bad_tool" in faults and len(request.exchanges) == 1 and spoilt:
        mended = [asked.operations[n] for n in spoilt if n < len(asked.operations)]
        return _with_tools(request, Said("That was my slip; I call it as it should be.", ""), mended, ())
    return _in_tags(last_word(brief, results), faults)


def _results(request: VoiceRequest) -> list[tuple[bool, str]]:
    """For each change that was asked for, in its order, how its last try ended: (whether it failed, the words)."""
    first, *later = request.exchanges
    results = [(result.error, result.text) for result in first.results]
    for exchange in later:
        open_ = [n for n, (failed, _) in enumerate(results) if failed]
        for n, result in zip(open_, exchange.results, strict=False):
            results[n] = (result.error, result.text)
    return results


def _with_tools(request: VoiceRequest, spoken: Said, operations: list[dict[str, Any]], faults: Collection[str]) -> Wire:
    names = {tool.name.removeprefix(_TOOL_PREFIX): tool.name for tool in request.tools}
    calls = []
    for n, operation in enumerate(operations):
        arguments: dict[str, Any] | None = {name: value for name, value in operation.items() if name != "op"}
        if n == 0 and "bad_tool" in faults:
            arguments = {"item": "that one", "path": "meeting.json"}
        calls.append(ToolCall(f"toolu_{len(request.exchanges)}_{n}", names.get(operation["op"], operation["op"]), arguments))
    answer = _in_tags(spoken, faults) if spoken.speech else Wire("")
    if not calls:
        return answer
    if "truncated" in faults:
        calls[-1] = ToolCall(calls[-1].id, calls[-1].name, None)
        return Wire(answer.text, tuple(calls), "max_tokens", answer.whispered)
    return Wire(answer.text, tuple(calls), "tool_use", answer.whispered)


def _without_tools(request: VoiceRequest, brief: AgendaBrief, faults: Collection[str]) -> Wire:
    """Changes in lines beside the speech. One that was written wrong on order is mended; what else failed is said."""
    asked = first_word(brief)
    mending = "bad_tool" in faults and len(request.exchanges) == 1 and bool(asked.operations)
    if mending:
        return Wire("\n".join(f"AGENDA {json.dumps(one, ensure_ascii=False)}" for one in asked.operations[:1]))
    if request.exchanges:
        return _in_tags(last_word(brief, [(result.error, result.text) for result in request.exchanges[-1].results]), faults)
    if not asked.operations:
        return _in_tags(asked, faults)
    spoken = _in_tags(Said(asked.thinking, f"{asked.speech} {told(brief, asked.operations)}"), faults)
    lines = [f"AGENDA {json.dumps(operation, ensure_ascii=False)}" for operation in asked.operations]
    if "bad_tool" in faults or "malformed" in faults:
        lines[0] = lines[0].rstrip("}")
    return Wire("\n".join([spoken.text, *lines]), (), spoken.stop, spoken.whispered)


def _in_tags(spoken: Said, faults: Collection[str]) -> Wire:
    closing = "" if "unclosed_tags" in faults else "</thinking>"
    text = f"<thinking>{spoken.thinking}{closing}\n<speaking>{spoken.speech}</speaking>"
    if "truncated" in faults:
        return Wire(text[: int(len(text) * 0.6)], stop="max_tokens", whispered=len(spoken.thinking.split()))
    return Wire(text, whispered=len(spoken.thinking.split()))
