"""Changes of an agenda: typed, all or none, within its limits, never a no-op, and each told in one line."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from parliament.agenda import (
    MAX_ITEM_TEXT,
    MAX_ITEMS,
    MAX_MINUTES,
    Agenda,
    AgendaError,
    AgendaStatus,
    agenda_from_topics,
    make_agenda,
)
from parliament.agenda_changes import (
    MAX_OPERATIONS,
    OPERATIONS,
    Add,
    Operation,
    Remove,
    Reorder,
    SetMinutes,
    SetType,
    Update,
    change,
    read_operation,
)
from parliament.values import ItemType
from tests.corpus.injections import NAMES, TEXTS

THREE = agenda_from_topics(["Sleep", "Money", "Garden"])


def after(*operations: Operation, agenda: Agenda | None = THREE, used: set[str] | None = None) -> Agenda:
    return change(agenda, operations, used or set())[0]


def told(*operations: Operation, agenda: Agenda | None = THREE) -> list[str]:
    return change(agenda, operations)[1]


def refusal(*operations: Operation, agenda: Agenda | None = THREE) -> str:
    with pytest.raises(AgendaError) as error:
        change(agenda, operations)
    assert "\n" not in str(error.value)
    return str(error.value)


def topics(agenda: Agenda) -> list[str]:
    return [item.topic for item in agenda.items]


# -- each operation ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "line"),
    [
        (Add(topic="Roof"), "added “Roof” at place 4 (decision, 15 minutes)"),
        (Add(topic="Roof", type=ItemType.REVIEW, place=1), "added “Roof” at place 1 (review, 10 minutes)"),
        (Add(topic="Roof", time_minutes=7, place=50), "added “Roof” at place 4 (decision, 7 minutes)"),
        (Update(item_id="agenda-1", topic="Rest"), "changed the topic of “Sleep” to “Rest”"),
        (Update(item_id="agenda-1", topic="Rest", description="x"), "changed the topic and the description of “Sleep”"),
        (Update(item_id="agenda-2", desired_outcome="a sum"), "changed the desired outcome of “Money”"),
        (Remove(item_id="agenda-2"), "took “Money” off the agenda"),
        (Reorder(item_id="agenda-3", place=1), "moved “Garden” to place 1"),
        (SetType(item_id="agenda-3", type=ItemType.DISCUSSION), "made “Garden” an item for discussion"),
        (SetMinutes(item_id="agenda-3", time_minutes=20), "planned 20 minutes for “Garden”"),
    ],
)
def test_each_operation_says_what_it_did(operation: Operation, line: str) -> None:
    assert told(operation) == [line]


def test_an_operation_touches_only_what_it_names() -> None:
    rich = make_agenda([{"topic": "A", "description": "d", "desired_outcome": "o", "user_commentary": "mine"}, {"topic": "B"}])
    changed = after(
        Update(item_id="agenda-1", topic="C"),
        SetType(item_id="agenda-1", type=ItemType.REVIEW),
        SetMinutes(item_id="agenda-1", time_minutes=9),
        agenda=rich.model_copy(update={"user_feedback": "short", "revision_requested": True, "meeting_id": "mtg-0000000a"}),
    )
    first = changed.items[0]
    assert (first.id, first.topic, first.type, first.time_minutes) == ("agenda-1", "C", ItemType.REVIEW, 9)
    assert (first.description, first.desired_outcome, first.user_commentary) == ("d", "o", "mine")
    assert changed.items[1] == rich.items[1]
    assert (changed.user_feedback, changed.revision_requested, changed.meeting_id) == ("short", True, "mtg-0000000a")


def test_operations_see_what_those_before_them_did() -> None:
    changed = after(
        Add(topic="Roof", place=1), Update(item_id="agenda-4", description="It leaks."), Reorder(item_id="agenda-4", place=2)
    )
    assert topics(changed) == ["Sleep", "Roof", "Money", "Garden"]
    assert changed.items[1].description == "It leaks."


def test_several_new_items_get_ids_of_their_own_also_after_one_was_taken_off_again() -> None:
    changed = after(Add(topic="A"), Add(topic="B"), Remove(item_id="agenda-5"), Add(topic="C"))
    assert [item.id for item in changed.items] == ["agenda-1", "agenda-2", "agenda-3", "agenda-4", "agenda-6"]


def test_an_empty_agenda_begins_with_an_item() -> None:
    assert topics(after(Add(topic="First"), agenda=None)) == ["First"]
    assert "there is no item 'agenda-1'; the items are none" in refusal(Remove(item_id="agenda-1"), agenda=None)


# -- refusals ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operations", "words"),
    [
        ([], "there is no change to make"),
        ([Remove(item_id="agenda-9")], "remove: there is no item 'agenda-9'; the items are agenda-1, agenda-2, agenda-3"),
        ([Reorder(item_id="agenda-1", place=4)], "there is no place 4 among 3 items"),
        ([Reorder(item_id="agenda-1", place=1)], "“Sleep” stands at place 1 already"),
        ([SetType(item_id="agenda-1", type=ItemType.DECISION)], "“Sleep” is for decision already"),
        ([SetMinutes(item_id="agenda-1", time_minutes=10)], "“Sleep” has 10 minutes already"),
        ([Update(item_id="agenda-1", topic=" Sleep ")], "“Sleep” says that already"),
        ([Update(item_id="agenda-1")], "give a topic, a description or a desired outcome"),
        ([Update(item_id="agenda-1", topic="\u200b")], "the topic is empty"),
        ([Add(topic="x" * 501)], "the topic has 501 characters and the limit is 500"),
        ([Add(topic="Roof", description="é" * MAX_ITEM_TEXT)], "the limit is 8192"),
        ([Add(topic="sleep")], "“sleep” is on the agenda already"),
        ([Add(topic="A"), Remove(item_id="agenda-9")], "change 2 (remove): there is no item"),
        ([Add(topic="A"), Remove(item_id="agenda-4")], "the changes take each other back"),
        (
            [Remove(item_id=f"agenda-{n}") for n in (1, 2, 3)],
            "change 3 (remove): “Garden” is the only item; add another one first",
        ),
        ([SetMinutes(item_id="agenda-1", time_minutes=n + 11) for n in range(MAX_OPERATIONS + 1)], "more than 20"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(operations: list[Operation], words: str) -> None:
    assert words in refusal(*operations)


def test_an_approved_agenda_is_locked() -> None:
    approved = THREE.model_copy(update={"status": AgendaStatus.APPROVED})
    assert "approved" in refusal(Remove(item_id="agenda-1"), agenda=approved)


def test_the_fiftieth_item_is_the_last() -> None:
    many = agenda_from_topics([f"Topic {n}" for n in range(MAX_ITEMS - 1)])
    full = after(Add(topic="The last"), agenda=many)
    assert len(full.items) == MAX_ITEMS
    assert "the agenda has 50 items, the most it may have" in refusal(Add(topic="One more"), agenda=full)
    assert len(after(Remove(item_id="agenda-1"), Add(topic="One more"), agenda=full).items) == MAX_ITEMS


def test_ids_go_up_and_when_they_are_used_up_the_gaps_are_taken() -> None:
    assert after(Add(topic="A"), used={"agenda-7", "agenda-x", "other"}).items[-1].id == "agenda-8"
    assert after(Add(topic="A"), used={"agenda-9999"}).items[-1].id == "agenda-4"
    with pytest.raises(AgendaError, match="can number no more"):
        change(THREE, [Add(topic="A")], {f"agenda-{n}" for n in range(1, 10_000)})


# -- the written form --------------------------------------------------------------------------------------------------------


def test_no_operation_has_a_path_and_unknown_keys_are_refused() -> None:
    """SERVICE_SECURITY 17: source 000 had the chairman edit a file."""
    fields = {name for model in OPERATIONS.values() for name in model.model_fields}
    assert fields == {"op", "item_id", "topic", "type", "time_minutes", "description", "desired_outcome", "place"}
    for name, model in OPERATIONS.items():
        assert model.model_json_schema()["additionalProperties"] is False
        with pytest.raises(AgendaError, match=f"{name}: unknown key 'path'|{name}: .* is missing"):
            read_operation({"op": name, "path": "meeting.json"})


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"op": "add"}, "add: topic is missing"),
        ({"op": "add", "topic": "A", "path": "/etc/passwd"}, "unknown key 'path'; it takes topic, type"),
        ({"op": "edit", "item_id": "agenda-1"}, "'edit' is no change of an agenda; it is one of add, update"),
        ({"topic": "A"}, "is no change of an agenda"),
        (["add"], "is no change of an agenda"),
        (None, "is no change of an agenda"),
        ({"op": ["add"]}, "is no change of an agenda"),
        ({"op": "set_type", "item_id": "agenda-1", "type": "vote"}, "set_type: type: input should be 'decision'"),
        ({"op": "set_minutes", "item_id": "agenda-1", "time_minutes": 0}, "greater than or equal to 1"),
        ({"op": "set_minutes", "item_id": "agenda-1", "time_minutes": MAX_MINUTES + 1}, "less than or equal to 480"),
        ({"op": "set_minutes", "item_id": "agenda-1", "time_minutes": True}, "valid integer"),
        ({"op": "reorder", "item_id": "agenda-1", "place": "1"}, "valid integer"),
    ],
)
def test_a_written_operation_that_is_none_is_refused_in_one_sentence(given_: Any, words: str) -> None:
    with pytest.raises(AgendaError) as error:
        read_operation(given_)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_whatever_a_topic_says_it_is_told_on_one_line_and_does_nothing(text: str) -> None:
    changed, lines = change(THREE, [Add(topic=f"x {text}", description=text)])
    assert len(changed.items) == 4
    assert len(lines) == 1
    assert "\n" not in lines[0] and "\x1b" not in lines[0]


# -- properties --------------------------------------------------------------------------------------------------------------

IDS = st.sampled_from([f"agenda-{n}" for n in range(1, 7)])
WORDS = st.text(alphabet="abcXYZ äß{}<>\n", min_size=1, max_size=12)
PLACES = st.integers(1, 8)
OPS = st.one_of(
    st.builds(
        Add, topic=WORDS, type=st.sampled_from(ItemType), place=st.none() | PLACES, time_minutes=st.none() | st.integers(1, 480)
    ),
    st.builds(Update, item_id=IDS, topic=st.none() | WORDS, description=st.none() | WORDS),
    st.builds(Remove, item_id=IDS),
    st.builds(Reorder, item_id=IDS, place=PLACES),
    st.builds(SetType, item_id=IDS, type=st.sampled_from(ItemType)),
    st.builds(SetMinutes, item_id=IDS, time_minutes=st.integers(1, 60)),
)


def outcome(agenda: Agenda, operations: list[Operation], used: set[str]) -> tuple[Agenda, list[str]] | AgendaError:
    try:
        return change(agenda, operations, used)
    except AgendaError as error:
        return error


@given(st.lists(OPS, min_size=1, max_size=8))
def test_all_go_through_as_they_would_one_by_one_or_none_does(operations: list[Operation]) -> None:
    together = outcome(THREE, operations, set())
    agenda, lines, used = THREE, [], {item.id for item in THREE.items}
    for number, operation in enumerate(operations, 1):
        single = outcome(agenda, [operation], used)
        if isinstance(single, AgendaError):
            assert isinstance(together, AgendaError)
            assert f"change {number} ({operation.op})" in str(together) or len(operations) == 1
            return
        agenda, lines = single[0], [*lines, *single[1]]
        used |= {item.id for item in agenda.items}
    if agenda.items == THREE.items:
        assert isinstance(together, AgendaError)
    else:
        assert together == (agenda, lines)
        assert len(lines) == len(operations)


@given(st.lists(st.lists(OPS, min_size=1, max_size=4), max_size=12))
def test_through_a_whole_history_limits_hold_and_no_id_is_given_twice(history: list[list[Operation]]) -> None:
    agenda, used, owner = THREE, {item.id for item in THREE.items}, {item.id: 0 for item in THREE.items}
    for turn, operations in enumerate(history, 1):
        found = outcome(agenda, operations, used)
        if isinstance(found, AgendaError):
            continue
        new = {item.id for item in found[0].items} - {item.id for item in agenda.items}
        assert not new & used
        owner |= dict.fromkeys(new, turn)
        agenda, used = found[0], used | new
        assert Agenda.model_validate(agenda.model_dump()) == agenda
        assert 1 <= len(agenda.items) <= MAX_ITEMS
        assert all("\n" not in line and line for line in found[1])


@given(st.integers(1, 12), st.integers(0, 2**32))
def test_a_reordering_is_a_permutation_with_the_item_at_its_place(size: int, seed: int) -> None:
    agenda = agenda_from_topics([f"Topic {n}" for n in range(size + 1)])
    chance = random.Random(seed)
    item, place = chance.choice(agenda.items), chance.randint(1, size + 1)
    found = outcome(agenda, [Reorder(item_id=item.id, place=place)], set())
    if isinstance(found, AgendaError):
        assert agenda.items[place - 1] == item
        return
    assert found[0].items[place - 1] == item
    assert sorted(one.id for one in found[0].items) == sorted(one.id for one in agenda.items)
    rest = [one for one in found[0].items if one != item]
    assert rest == [one for one in agenda.items if one != item]


@given(OPS)
def test_an_operation_reads_back_from_its_json(operation: Operation) -> None:
    assert read_operation(operation.model_dump(mode="json", exclude_none=True)) == operation
    assert TypeAdapter(Operation).validate_json(operation.model_dump_json()) == operation


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda x: (
            st.lists(x, max_size=3)
            | st.dictionaries(st.sampled_from(["op", "topic", "item_id", "type", "place", "time_minutes", "x"]), x, max_size=4)
        ),
    )
)
def test_reading_anything_gives_an_operation_or_a_sentence(given_: Any) -> None:
    try:
        found = read_operation(given_)
    except AgendaError as error:
        found = str(error)
    assert found and "\n" not in str(found if isinstance(found, str) else "")
