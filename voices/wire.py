"""The JSON form of replies: one object by purpose, its keys in this order, everything required, nothing else allowed."""

from __future__ import annotations

from typing import Any

from parliament.values import Purpose

_TEXT: dict[str, Any] = {"type": "string"}
_FLAG: dict[str, Any] = {"type": "boolean"}
_TEXT_OR_NULL: dict[str, Any] = {"anyOf": [{"type": "string"}, {"type": "null"}]}


def _choice(*words: str, null: bool = False) -> dict[str, Any]:
    words_: dict[str, Any] = {"type": "string", "enum": list(words)}
    return {"anyOf": [words_, {"type": "null"}]} if null else words_


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


_AMENDMENT = {"anyOf": [_object({"text": _TEXT, "summary": _TEXT}), {"type": "null"}]}
_SPOKEN = {"point_of_order": _TEXT_OR_NULL}

FIELDS: dict[Purpose, dict[str, Any]] = {
    Purpose.ROLL_CALL: {"present": _FLAG},
    Purpose.DISCUSSION: _SPOKEN,
    Purpose.MENTION: _SPOKEN,
    Purpose.CALLED: _SPOKEN,
    Purpose.INPUT: _SPOKEN,
    Purpose.DEBATE: {
        "amendment": _AMENDMENT,
        "point_of_order": _TEXT_OR_NULL,
        "procedural": _choice("previous_question", "lay_on_table", "withdraw", null=True),
    },
    Purpose.MOTION: {"motion": _TEXT},
    Purpose.SECOND: {"second": _FLAG},
    Purpose.AMENDMENT: {"position": _choice("SUPPORT", "CONSENT", "OBJECT"), "amendment": _AMENDMENT},
    Purpose.RULING: {"well_taken": _FLAG, "remedy": _choice("none", "out_of_order")},
    Purpose.APPEAL: {"appeal": _FLAG},
    Purpose.CONSENT: {"objection": _FLAG},
    Purpose.VOTE: {"vote": _choice("FOR", "AGAINST", "ABSTAIN"), "reason": _TEXT, "dissent": _TEXT},
    Purpose.ACTION_ITEMS: {
        "action_items": {"type": "array", "items": _object({"task": _TEXT, "owner": _TEXT, "deadline": _TEXT_OR_NULL})}
    },
}
"""What a purpose adds to the common fields; purposes that are not here add nothing."""


def schema_for(purpose: Purpose, *, chairman: bool) -> dict[str, Any]:
    """The JSON schema of a reply: whisper first, so that a model thinks before it speaks, then speech, then the fields."""
    fields: dict[str, Any] = {"thinking": _TEXT, "speaking": _TEXT}
    if chairman:
        fields["commands"] = {"type": "array", "items": _TEXT}
    return _object(fields | FIELDS.get(purpose, {}))


def conforms(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is what one of these schemas asks for (the few words of JSON Schema that they use)."""
    if "anyOf" in schema:
        return any(conforms(value, one) for one in schema["anyOf"])
    if "enum" in schema and value not in schema["enum"]:
        return False
    match schema["type"]:
        case "object":
            fields = schema["properties"]
            return (
                isinstance(value, dict) and value.keys() == fields.keys() and all(conforms(value[k], fields[k]) for k in fields)
            )
        case "array":
            return isinstance(value, list) and all(conforms(item, schema["items"]) for item in value)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case _:
            return value is None
