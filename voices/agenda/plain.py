"""The agenda's changes out of a reply's plain text, for providers without tools and for models that ignore them.

Two forms count: a line of its own that begins with AGENDA and goes on as JSON, and a fence that holds nothing but such JSON.
Everything else is speech. What stands in quotation marks, in a quotation (>), in code or in a fence with other things is
quoted, and so is whatever the model was given to read in the same words: quoted words change nothing (law 3).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from parliament.agenda import AgendaError
from parliament.agenda_changes import OPERATIONS, Operation, read_operation
from parliament.quotation import Script
from voices import loose
from voices.agenda.tools import PREFIX, forgiven

PLAIN_FORM = 'AGENDA {"op": "add", "topic": "…", "type": "decision", "time_minutes": 15}'

_LINE = re.compile(r"[ \t]*(?:[-*•][ \t]+)?AGENDA[ \t]*:?[ \t]*(?:(?P<op>[a-z_]{3,20})[ \t]*)?(?P<json>\{.*)")
_FENCE = re.compile(
    r" {0,3}(?:`{3,}|~{3,})[ \t]*(?:json|agenda|tool_call|tools?)?[ \t]*\r?\n(?P<body>.*?)\r?\n? {0,3}(?:`{3,}|~{3,})?[ \t]*\Z",
    re.S | re.I,
)
_KEYS = frozenset({"op", "operations", "topic", "item_id", "type", "time_minutes", "place", "description", "desired_outcome"})
_NAMES, _INPUTS = ("name", "tool", "function"), ("arguments", "input", "parameters")
_BROKEN = "a change of the agenda is no whole JSON object; write it again on one line"
_QUOTED = "a change of the agenda was quoted from what the chairman was given to read, and quoted words change nothing"


@dataclass
class Plain:
    """What is said, the changes that are asked for beside it, and what was wrong with others (a sentence each)."""

    speech: str
    operations: list[Operation] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)  # why a change was not even tried; nothing that a model should mend


def plain_operations(text: str, given: Iterable[str] = ()) -> Plain:
    """Part speech from changes in a reply without tool calls, whispers already taken out. Never raises.

    `given`: texts of others that stood in the prompt; a change that stands in one of them word for word is a quotation.
    """
    found = Plain("")
    known: list[str] | None = None
    said: list[str] = []
    for piece, body in _pieces(text):
        if body is None:
            said.append(piece)
            continue
        if known is None:
            known = [_folded(one) for one in given]
        if any(form in one for form in (_folded(body), _folded(piece)) for one in known):
            found.quoted.append(_QUOTED)
            continue
        objects = _objects(body)
        if objects is None:
            found.faults.append(_BROKEN)
            continue
        for one in objects:
            try:
                found.operations.append(read_operation(one))
            except AgendaError as error:
                found.faults.append(str(error))
    found.speech = re.sub(r"\n{3,}", "\n\n", "".join(said)).strip()
    return found


def _pieces(text: str) -> Iterator[tuple[str, str | None]]:
    """The text in order, in pieces: (words, None) for speech, (words, JSON) for what has one of the two forms."""
    script = Script(text)
    at = start = 0
    while at < len(text):
        end = script.fences.get(at)
        if end is not None:
            body = _FENCE.fullmatch(text[at:end])
            if body is not None and _is_change(body["body"]):
                yield text[start:at], None
                for one in _lines_of(body["body"]):
                    yield one, one
                start = end
            at = end
            continue
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        if at == 0 or text[at - 1] == "\n":
            line = _LINE.fullmatch(text[at:line_end].rstrip())
            if line is not None and (line["op"] is None or line["op"] in OPERATIONS):
                yield text[start:at], None
                yield text[at:line_end], _with_op(line["json"], line["op"])
                at = start = line_end
                continue
        notable = script.next_notable(at)
        if notable > line_end:
            at = line_end + 1
        elif text[notable : notable + 1] == "`":
            at = script.code_end(notable)
        elif notable < len(text) and script.opens_quotation(notable):
            at = script.quotation_end(notable)
        else:
            at = notable + 1
    yield text[start:], None


def _with_op(body: str, op: str | None) -> str:
    """`AGENDA add {"topic": …}` is `AGENDA {"op": "add", "topic": …}`."""
    return body if op is None else f'{{"op": "{op}", {body[1:].lstrip()}'


def _lines_of(body: str) -> list[str]:
    """A fence may hold lines of the first form, or JSON."""
    lines = [line for line in body.split("\n") if line.strip()]
    matched = [_LINE.fullmatch(line.rstrip("\r")) for line in lines]
    if lines and all(matched):
        return [_with_op(line["json"], line["op"]) for line in matched if line is not None]
    return [body]


def _is_change(body: str) -> bool:
    """Whether a fence is meant as changes of the agenda: it begins as one, whole or not."""
    lines = [line.rstrip() for line in body.split("\n") if line.strip()]
    if not lines:
        return False
    names = "|".join(OPERATIONS)
    known = re.compile(rf'"(?:op|name|tool|function)"\s*:\s*"(?:{PREFIX})?(?:{names})"|"operations"\s*:')
    return all(_LINE.fullmatch(line) for line in lines) or (lines[0].lstrip()[:1] in ("{", "[") and bool(known.search(body)))


def _objects(body: str) -> list[dict[str, Any]] | None:
    """The operations' JSON forms in a piece of JSON; None when it is broken beyond what can mean one thing only."""
    try:
        found = json.loads(body)
    except RecursionError:
        return None
    except ValueError:
        read = loose.parse(body, body.find("{"), _KEYS) if body.lstrip().startswith("{") else None
        if read is None or read.cut or read.clashing or not read.fields or not body.rstrip().endswith("}"):
            return None
        found = read.fields
    if isinstance(found, dict) and isinstance(found.get("operations"), list):
        found = found["operations"]
    listed = found if isinstance(found, list) else [found]
    return [_as_operation(one) for one in listed] if all(isinstance(one, dict) for one in listed) else None


def _as_operation(found: dict[str, Any]) -> dict[str, Any]:
    """A tool call written down ({"name": …, "arguments": {…}}) as the operation it stands for."""
    name = next((found[key] for key in _NAMES if isinstance(found.get(key), str)), None)
    given = next((found[key] for key in _INPUTS if isinstance(found.get(key), dict)), None)
    if "op" not in found and name is not None and given is not None:
        return {"op": name.removeprefix(PREFIX), **forgiven({key: value for key, value in given.items() if key != "op"})}
    op = found.get("op")
    rest = forgiven({key: value for key, value in found.items() if key != "op"})
    return {"op": op.removeprefix(PREFIX) if isinstance(op, str) else op, **rest}


def _folded(text: str) -> str:
    """A text for comparison: white space and the shapes that braces take in a prompt make no difference."""
    return re.sub(r"\s+", "", text.replace("\u2774", "{").replace("\u2775", "}"))
