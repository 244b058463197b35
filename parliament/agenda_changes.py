"""Changes of a draft agenda as typed operations: what a chairman's tools and a person's hand may do to it, and nothing else.

SERVICE_SECURITY 17: no operation has a path or touches a file; all are checked by the agenda's own limits, go through
together or not at all, say in words what they did, and can be taken back by whoever keeps what stood before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from parliament.agenda import (
    MAX_ITEM_TEXT,
    MAX_ITEMS,
    MAX_MINUTES,
    MAX_TOPIC,
    MINUTES_BY_TYPE,
    Agenda,
    AgendaError,
    AgendaItem,
    AgendaStatus,
    sentence,
)
from parliament.text import brief
from parliament.values import ItemType

MAX_OPERATIONS = 20
"""Operations that go through together."""

_LAST_NUMBER = 9999
"""The highest number that an item's id can carry."""

# Limits of texts stand in the schema for whoever writes an operation; the agenda's own validators say what to mend.
_TOPIC: dict[str, Any] = {"minLength": 1, "maxLength": MAX_TOPIC}
_TEXT: dict[str, Any] = {"maxLength": MAX_ITEM_TEXT}
_ID: dict[str, Any] = {"pattern": "^agenda-[1-9][0-9]{0,3}$"}

Topic = Annotated[str, Field(json_schema_extra=_TOPIC, description="what the board takes up, in a few words")]
Text = Annotated[str, Field(json_schema_extra=_TEXT)]
ItemId = Annotated[str, Field(json_schema_extra=_ID, description="id of an item on the agenda, such as agenda-2")]
Minutes = Annotated[int, Field(strict=True, ge=1, le=MAX_MINUTES, description="planned minutes")]
Place = Annotated[int, Field(strict=True, ge=1, le=MAX_ITEMS, description="place on the agenda, counted from 1")]


class _Operation(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Add(_Operation):
    """Put a new item on the agenda. `place` is 1-based; None is the end. Minutes are planned by the type when None."""

    op: Literal["add"] = "add"
    topic: Topic
    type: ItemType = ItemType.DECISION
    time_minutes: Minutes | None = None
    description: Text = ""
    desired_outcome: Text = ""
    place: Place | None = None


class Update(_Operation):
    """Change an item's words; what is None stays."""

    op: Literal["update"] = "update"
    item_id: ItemId
    topic: Topic | None = None
    description: Text | None = None
    desired_outcome: Text | None = None


class Remove(_Operation):
    """Take an item off the agenda; the last one cannot be taken off."""

    op: Literal["remove"] = "remove"
    item_id: ItemId


class Reorder(_Operation):
    """Move an item to a place, 1-based."""

    op: Literal["reorder"] = "reorder"
    item_id: ItemId
    place: Place


class SetType(_Operation):
    """Say what becomes of an item: review, discussion, decision or information."""

    op: Literal["set_type"] = "set_type"
    item_id: ItemId
    type: ItemType


class SetMinutes(_Operation):
    """Plan an item's minutes."""

    op: Literal["set_minutes"] = "set_minutes"
    item_id: ItemId
    time_minutes: Minutes


Operation = Annotated[Add | Update | Remove | Reorder | SetType | SetMinutes, Field(discriminator="op")]
OPERATIONS: dict[str, type[_Operation]] = {
    "add": Add,
    "update": Update,
    "remove": Remove,
    "reorder": Reorder,
    "set_type": SetType,
    "set_minutes": SetMinutes,
}
_ADAPTER: TypeAdapter[Operation] = TypeAdapter(Operation)


def read_operation(given: object) -> Operation:
    """An operation from its JSON form. Raises AgendaError with one sentence that names the fault and the mend."""
    name = given.get("op") if isinstance(given, dict) else None
    if not isinstance(name, str) or name not in OPERATIONS:
        raise AgendaError(f"{brief(str(name))!r} is no change of an agenda; it is one of {', '.join(OPERATIONS)}")
    try:
        return _ADAPTER.validate_python(given)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in fault["loc"][1:])
        if fault["type"] == "missing":
            raise AgendaError(f"{name}: {key} is missing") from None
        if fault["type"] == "extra_forbidden":
            known = ", ".join(field for field in OPERATIONS[name].model_fields if field != "op")
            raise AgendaError(f"{name}: unknown key {brief(key)!r}; it takes {known}") from None
        raise AgendaError(f"{name}: {key}: {fault['msg'][:1].lower()}{fault['msg'][1:]}") from None


def change(agenda: Agenda | None, operations: Sequence[Operation], used: Collection[str] = ()) -> tuple[Agenda, list[str]]:
    """The agenda after all the operations, and a line for people on each. `agenda` None: nothing is on it yet.

    `used`: ids that items of this agenda had before; a new item gets another. Raises AgendaError naming the operation, the
    fault and the mend: nothing is changed then. An operation that changes nothing is a fault, and so are operations that
    take each other back, and an approved agenda.
    """
    if not operations:
        raise AgendaError("there is no change to make; name at least one")
    if len(operations) > MAX_OPERATIONS:
        raise AgendaError(f"{len(operations)} changes at once are more than {MAX_OPERATIONS}; make them in two goes")
    if agenda is not None and agenda.status is AgendaStatus.APPROVED:
        raise AgendaError("the agenda is approved; edit it again before you change it")
    items = list(agenda.items) if agenda is not None else []
    taken = {*used, *(item.id for item in items)}
    lines = []
    for number, operation in enumerate(operations, 1):
        try:
            lines.append(_apply(items, operation, taken))
        except ValidationError as error:
            raise AgendaError(f"{_named(number, operation, operations)}: {sentence(error, AgendaItem)}") from None
        except AgendaError as error:
            raise AgendaError(f"{_named(number, operation, operations)}: {error}") from None
    if agenda is not None and tuple(items) == agenda.items:
        raise AgendaError("the changes take each other back, so nothing would change; leave them out")
    fields = agenda.model_dump(exclude={"items"}) if agenda is not None else {}
    try:
        return Agenda(items=tuple(items), **fields), lines
    except ValidationError as error:
        raise AgendaError(sentence(error, Agenda)) from None


def _named(number: int, operation: Operation, operations: Sequence[Operation]) -> str:
    return operation.op if len(operations) == 1 else f"change {number} ({operation.op})"


def _apply(items: list[AgendaItem], operation: Operation, taken: set[str]) -> str:
    if isinstance(operation, Add):
        return _add(items, operation, taken)
    place = _place(items, operation.item_id)
    item = items[place]
    said = f"“{brief(item.topic)}”"
    match operation:
        case Update():
            words = {
                name: value
                for name in ("topic", "description", "desired_outcome")
                if (value := getattr(operation, name)) is not None
            }
            changed = _with(item, **words)
            names = [name.replace("_", " ") for name in words if getattr(changed, name) != getattr(item, name)]
            _must_change(bool(words), "it says nothing of what to change; give a topic, a description or a desired outcome")
            _must_change(bool(names), f"{said} says that already; say other words, or leave it")
            items[place] = changed
            return f"changed the {' and the '.join(names)} of {said}" + (
                f" to “{brief(changed.topic)}”" if names == ["topic"] else ""
            )
        case Remove():
            if len(items) == 1:
                raise AgendaError(f"{said} is the only item; add another one first")
            del items[place]
            return f"took {said} off the agenda"
        case Reorder():
            if operation.place > len(items):
                raise AgendaError(f"there is no place {operation.place} among {len(items)} items; count from 1")
            _must_change(operation.place - 1 != place, f"{said} stands at place {operation.place} already; leave it there")
            items.insert(operation.place - 1, items.pop(place))
            return f"moved {said} to place {operation.place}"
        case SetType():
            _must_change(item.type is not operation.type, f"{said} is for {item.type.value} already; leave it")
            items[place] = _with(item, type=operation.type)
            return f"made {said} an item for {operation.type.value}"
        case SetMinutes():
            _must_change(
                item.time_minutes != operation.time_minutes, f"{said} has {item.time_minutes} minutes already; leave it"
            )
            items[place] = _with(item, time_minutes=operation.time_minutes)
            return f"planned {operation.time_minutes} minutes for {said}"


def _add(items: list[AgendaItem], operation: Add, taken: set[str]) -> str:
    item = AgendaItem(
        id=_next_id(taken),
        topic=operation.topic,
        type=operation.type,
        time_minutes=operation.time_minutes or MINUTES_BY_TYPE[operation.type],
        description=operation.description,
        desired_outcome=operation.desired_outcome,
    )
    if any(other.topic.casefold() == item.topic.casefold() for other in items):
        raise AgendaError(f"“{brief(item.topic)}” is on the agenda already; change that item instead")
    if len(items) >= MAX_ITEMS:
        raise AgendaError(f"the agenda has {MAX_ITEMS} items, the most it may have; take one off first")
    place = min(operation.place or len(items) + 1, len(items) + 1)
    items.insert(place - 1, item)
    taken.add(item.id)
    return f"added “{brief(item.topic)}” at place {place} ({item.type.value}, {item.time_minutes} minutes)"


def _next_id(taken: Collection[str]) -> str:
    """The id after the highest that was ever used; when that is used up, the lowest that never was."""
    numbers = {int(known) for one in taken if (known := one.removeprefix("agenda-")).isascii() and known.isdecimal()}
    number = max(numbers, default=0) + 1
    if number > _LAST_NUMBER:
        number = next((n for n in range(1, _LAST_NUMBER + 1) if n not in numbers), 0)
    if not number:
        raise AgendaError(f"this agenda has had {_LAST_NUMBER} items and can number no more; prepare another meeting")
    return f"agenda-{number}"


def _with(item: AgendaItem, **fields: object) -> AgendaItem:
    """The item with these fields, checked by its own limits (model_copy checks nothing)."""
    return AgendaItem(**{**item.model_dump(), **fields})


def _place(items: Sequence[AgendaItem], item_id: str) -> int:
    for place, item in enumerate(items):
        if item.id == item_id:
            return place
    known = ", ".join(item.id for item in items) or "none"
    raise AgendaError(f"there is no item {brief(item_id)!r}; the items are {known}")


def _must_change(changes: bool, otherwise: str) -> None:
    if not changes:
        raise AgendaError(otherwise)
