"""The agenda's changes as tools of the chairman: a schema for each, and the operation that a call asks for.

The tools are the operations of `parliament.agenda_changes` and nothing else: none takes a path, all are checked there
(SERVICE_SECURITY 16 and 17).
"""

from __future__ import annotations

import re
from typing import Any

from parliament.agenda import AgendaError
from parliament.agenda_changes import OPERATIONS, Operation, read_operation
from parliament.text import brief, did_you_mean
from voices.base import Tool, ToolCall

PREFIX = "agenda_"
_DESCRIPTIONS = {
    "add": "Put a new item on the agenda, at a place or at its end. Without time_minutes they are planned by the type.",
    "update": "Change the topic, description or desired outcome of an item; what is left out stays as it is.",
    "remove": "Take an item off the agenda. The only item that is left cannot be taken off.",
    "reorder": "Move an item to another place; places are counted from 1.",
    "set_type": "Say what an item is for: decision (with a motion and a vote), review, discussion or information.",
    "set_minutes": "Plan the minutes of an item.",
}
_WHOLE_NUMBER = re.compile(r"\s*(\d{1,4})\s*(?:min|mins|minute|minutes)?\s*", re.IGNORECASE)


def _plain(schema: Any, definitions: dict[str, Any]) -> Any:
    """A schema without references, titles, defaults and nulls: what is optional is left out, and every provider reads it."""
    if isinstance(schema, list):
        return [_plain(one, definitions) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _plain(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        (kept,) = (one for one in schema["anyOf"] if one != {"type": "null"})
        return _plain(kept, definitions)
    return {key: _plain(value, definitions) for key, value in schema.items() if key not in ("title", "default", "$defs")}


def _schema(name: str) -> dict[str, Any]:
    """The operation's schema as a tool takes it: without `op`, which is the tool's name, and closed."""
    schema = OPERATIONS[name].model_json_schema()
    definitions = schema.get("$defs", {})
    fields = {key: _plain(value, definitions) for key, value in schema["properties"].items() if key != "op"}
    if "type" in fields:
        fields["type"] = {"type": "string", "enum": fields["type"]["enum"]}
    required = [key for key in schema.get("required", []) if key != "op"]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


TOOLS = tuple(Tool(f"{PREFIX}{name}", _DESCRIPTIONS[name], _schema(name)) for name in OPERATIONS)


def operation_of(call: ToolCall) -> Operation:
    """The operation that a tool call asks for. Raises AgendaError with a sentence that goes back to the model.

    Forgiven is what can mean one thing only: a number written as text, a type in capitals, null for what is left out.
    """
    name = call.name.removeprefix(PREFIX)
    if name not in OPERATIONS:
        known = [tool.name for tool in TOOLS]
        raise AgendaError(
            f"there is no tool {brief(call.name)!r}{did_you_mean(call.name, known)}; the tools are {', '.join(known)}"
        )
    if call.arguments is None:
        raise AgendaError("the input of this call broke off or is no JSON object; call the tool again")
    if "op" in call.arguments:
        raise AgendaError("unknown key 'op'; the tool's name says what it does")
    return read_operation({"op": name, **forgiven(call.arguments)})


def forgiven(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with what can mean one thing only put as it should be."""
    found: dict[str, Any] = {}
    for key, value in arguments.items():
        if value is None:
            continue
        if key in ("time_minutes", "place") and isinstance(value, str) and (number := _WHOLE_NUMBER.fullmatch(value)):
            value = int(number[1])
        elif key in ("time_minutes", "place") and isinstance(value, float) and value.is_integer():
            value = int(value)
        elif key == "type" and isinstance(value, str):
            value = value.strip().lower()
        elif key == "item_id" and isinstance(value, str):
            value = value.strip()
        found[key] = value
    return found
