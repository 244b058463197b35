"""The agenda's changes as tools of the chairman, and the same changes read from plain text where a model calls no tools.

The tools are the operations of `parliament.agenda_changes` and nothing else: none takes a path, all are checked there.
"""

from __future__ import annotations

import json
import re
from typing import Any

from parliament.agenda import AgendaError
from parliament.agenda_changes import OPERATIONS, Operation, read_operation
from voices.base import Tool, ToolCall

PREFIX = "agenda_"
_DESCRIPTIONS = {
    "add": "Put a new item on the agenda, at a place or at its end.",
    "update": "Change the topic, description or desired outcome of an item.",
    "remove": "Take an item off the agenda.",
    "reorder": "Move an item to another place; places are counted from 1.",
    "set_type": "Say what an item is for: review, discussion, decision or information.",
    "set_minutes": "Plan the minutes of an item.",
}


def _schema(name: str) -> dict[str, Any]:
    """The operation's schema as a tool takes it: without `op`, which is the tool's name, and closed."""
    schema = OPERATIONS[name].model_json_schema()
    schema.get("properties", {}).pop("op", None)
    schema.pop("description", None)
    schema["additionalProperties"] = False
    return schema


TOOLS = tuple(Tool(f"{PREFIX}{name}", _DESCRIPTIONS[name], _schema(name)) for name in OPERATIONS)


def operation_of(call: ToolCall) -> Operation:
    """The operation that a tool call asks for. Raises AgendaError with a sentence that goes back to the model."""
    if call.arguments is None:
        raise AgendaError("the input of this call broke off or is no JSON object; call the tool again")
    if "op" in call.arguments:
        raise AgendaError("unknown key 'op'; the tool's name says what it does")
    return read_operation({"op": call.name.removeprefix(PREFIX), **call.arguments})


_LINE = re.compile(r"[ \t]*AGENDA[ \t]+(?P<json>\{.*\})[ \t]*")
"""A change in plain text: a line of its own that begins with AGENDA and goes on as the operation's JSON."""
PLAIN_FORM = 'AGENDA {"op": "add", "topic": "…", "type": "decision", "time_minutes": 15}'


def plain_operations(speech: str) -> tuple[str, list[Operation], list[str]]:
    """What is said in a reply without tool calls, the changes that stand in it as lines, and what was wrong with others.

    Only whole lines count, outside of quotations (lines that begin with >) and code; a sentence that mentions a change is
    a sentence.
    """
    said: list[str] = []
    operations: list[Operation] = []
    faults: list[str] = []
    fenced = False
    for line in speech.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        found = _LINE.fullmatch(line) if not fenced else None
        if found is None:
            said.append(line)
            continue
        try:
            operations.append(read_operation(json.loads(found["json"])))
        except (ValueError, RecursionError) as error:
            faults.append(str(error) if isinstance(error, AgendaError) else "a change of the agenda was no JSON object")
    return "\n".join(said).strip(), operations, faults
