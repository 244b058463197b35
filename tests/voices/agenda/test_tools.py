"""The chairman's tools: the six operations and nothing else, in schemas that every provider reads."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parliament.agenda import AgendaError
from parliament.agenda_changes import OPERATIONS, Add, Remove, Reorder, SetMinutes, SetType, Update
from parliament.values import ItemType
from voices.agenda.tools import TOOLS, operation_of
from voices.base import ToolCall


def call(name: str, arguments: Any) -> ToolCall:
    return ToolCall("toolu_1", name, arguments)


def fault(name: str, arguments: Any) -> str:
    with pytest.raises(AgendaError) as error:
        operation_of(call(name, arguments))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_there_is_a_tool_for_each_operation_and_none_takes_a_path() -> None:
    assert [tool.name for tool in TOOLS] == [f"agenda_{name}" for name in OPERATIONS]
    for tool in TOOLS:
        schema = tool.schema
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        assert set(schema["required"]) <= set(schema["properties"])
        assert not {"path", "file", "op", "meeting_id", "user_commentary"} & set(schema["properties"])
        assert tool.description.endswith(".")
        written = json.dumps(schema)
        for word in ("$ref", "$defs", "anyOf", "null", "title", "default"):
            assert f'"{word}"' not in written, (tool.name, word)


def test_the_schemas_carry_the_limits() -> None:
    add = next(tool for tool in TOOLS if tool.name == "agenda_add").schema["properties"]
    assert (add["topic"]["maxLength"], add["time_minutes"]["minimum"], add["time_minutes"]["maximum"]) == (500, 1, 480)
    assert set(add["type"]["enum"]) == set(ItemType)
    assert next(tool for tool in TOOLS if tool.name == "agenda_remove").schema["properties"]["item_id"]["pattern"]


@pytest.mark.parametrize(
    ("name", "arguments", "operation"),
    [
        ("agenda_add", {"topic": "Sleep"}, Add(topic="Sleep")),
        ("agenda_add", {"topic": "A", "type": " Decision ", "time_minutes": "20 min"}, Add(topic="A", time_minutes=20)),
        ("agenda_add", {"topic": "A", "place": 2.0, "time_minutes": None}, Add(topic="A", place=2)),
        ("agenda_update", {"item_id": " agenda-1 ", "topic": "B"}, Update(item_id="agenda-1", topic="B")),
        ("agenda_remove", {"item_id": "agenda-1"}, Remove(item_id="agenda-1")),
        ("agenda_reorder", {"item_id": "agenda-1", "place": "3"}, Reorder(item_id="agenda-1", place=3)),
        ("agenda_set_type", {"item_id": "agenda-1", "type": "REVIEW"}, SetType(item_id="agenda-1", type=ItemType.REVIEW)),
        ("set_minutes", {"item_id": "agenda-1", "time_minutes": 5}, SetMinutes(item_id="agenda-1", time_minutes=5)),
    ],
)
def test_a_call_is_read_and_what_can_mean_one_thing_only_is_forgiven(name: str, arguments: Any, operation: Any) -> None:
    assert operation_of(call(name, arguments)) == operation


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("agenda_edit", {}, "there is no tool 'agenda_edit'"),
        ("agenda_ad", {"topic": "A"}, "(did you mean 'agenda_add'?)"),
        ("Edit", {"file_path": "meeting.json"}, "the tools are agenda_add, agenda_update"),
        ("agenda_add", None, "broke off or is no JSON object; call the tool again"),
        ("agenda_add", {}, "add: topic is missing"),
        ("agenda_add", {"topic": "A", "op": "remove"}, "unknown key 'op'"),
        ("agenda_remove", {"item_id": "agenda-1", "path": "meeting.json"}, "unknown key 'path'; it takes item_id"),
        ("agenda_set_minutes", {"item_id": "agenda-1", "time_minutes": "soon"}, "valid integer"),
        ("agenda_set_minutes", {"item_id": "agenda-1", "time_minutes": 2.5}, "valid integer"),
        ("agenda_reorder", {"item_id": "agenda-1", "place": "0"}, "greater than or equal to 1"),
        ("agenda_set_type", {"item_id": "agenda-1", "type": "motion"}, "'decision', 'review', 'discussion' or 'information'"),
        ("agenda_update", {"item_id": ["agenda-1"], "topic": "A"}, "valid string"),
    ],
)
def test_a_call_that_is_none_is_refused_in_a_sentence_for_the_model(name: str, arguments: Any, words: str) -> None:
    assert words in fault(name, arguments)
