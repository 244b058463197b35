"""The agenda of a meeting: its items as values, their limits, and the two written forms they are read from.

Field names, the sample ids ("agenda-1") and the text form are those of source 000 (BoardMeeting, Agenda Generation
Prompt); the limits are those of SERVICE_SECURITY 20. Texts are kept as typed: braces, tags and instructions in them
are text (law 3), control characters are kept as their pictures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from parliament.text import brief, did_you_mean, is_blank, one_line, printable
from parliament.values import ItemType

MAX_ITEMS = 50
MAX_TOPIC = 500
"""Characters."""
MAX_ITEM_TEXT = 8 * 1024
"""Bytes in UTF-8 of an item's description, desired outcome and commentary together."""
MAX_MINUTES = 480
MAX_AGENDA_TEXT = 1024 * 1024
"""Bytes in UTF-8 of a written agenda, before anything of it is read."""

STANDING_ITEMS = ("Opening remarks", "Closing remarks")
MINUTES_BY_TYPE: Mapping[ItemType, int] = {
    ItemType.DECISION: 15,
    ItemType.REVIEW: 10,
    ItemType.DISCUSSION: 10,
    ItemType.INFORMATION: 5,
}
"""Planned minutes of an item whose agenda names none."""

_HALF_HOUR = 30
_ITEM_ID = re.compile(r"agenda-[1-9][0-9]{0,3}")


class AgendaError(ValueError):
    """An agenda that breaks a limit; the message is one sentence that names the item, the limit and the mend."""


class NotAnAgenda(AgendaError):
    """A text that cannot be read as an agenda. `line` is 1-based, None where the whole text is meant."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class AgendaStatus(StrEnum):
    """A draft may still be changed; an approved agenda is locked (source 000, Trigger Points)."""

    DRAFT = "draft"
    APPROVED = "approved"


class AgendaItem(BaseModel):
    """One item (source 000, BoardMeeting). `id` is "agenda-<n>"; `time_minutes` is the plan, 1 to MAX_MINUTES."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    topic: str
    type: ItemType = ItemType.DECISION
    time_minutes: int = Field(default=15, ge=1, le=MAX_MINUTES)
    description: str = ""
    desired_outcome: str = ""
    user_commentary: str = ""

    @field_validator("id")
    @classmethod
    def _known_id(cls, value: str) -> str:
        if not _ITEM_ID.fullmatch(value):
            raise ValueError(f"the id {brief(value)!r} is not of the form agenda-1; leave it out to have it numbered")
        return value

    @field_validator("topic")
    @classmethod
    def _topic(cls, value: str) -> str:
        topic = one_line(value)
        if is_blank(topic):
            raise ValueError("the topic is empty; say in a few words what the board is to take up")
        if len(topic) > MAX_TOPIC:
            raise ValueError(
                f"the topic has {len(topic)} characters and the limit is {MAX_TOPIC}; "
                "shorten it and put the rest into the description"
            )
        return topic

    @field_validator("description", "desired_outcome", "user_commentary")
    @classmethod
    def _text(cls, value: str) -> str:
        return printable(value).strip()

    @model_validator(mode="after")
    def _texts(self) -> AgendaItem:
        size = sum(len(text.encode()) for text in (self.description, self.desired_outcome, self.user_commentary))
        if size > MAX_ITEM_TEXT:
            raise ValueError(
                f"description, desired outcome and commentary have {size} bytes together and the limit is "
                f"{MAX_ITEM_TEXT} (8 KiB); shorten them and put long papers into the board book"
            )
        return self


class Agenda(BaseModel):
    """The items of a meeting in their order (source 000, BoardMeeting.agenda). At most MAX_ITEMS, ids all different."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    meeting_id: str = ""
    status: AgendaStatus = AgendaStatus.DRAFT
    items: tuple[AgendaItem, ...]
    standing_items: tuple[str, ...] = STANDING_ITEMS
    user_feedback: str = ""
    revision_requested: bool = False

    @field_validator("items")
    @classmethod
    def _items(cls, value: tuple[AgendaItem, ...]) -> tuple[AgendaItem, ...]:
        _check_count(len(value))
        seen: set[str] = set()
        for item in value:
            if item.id in seen:
                raise ValueError(f"two items have the id {item.id!r}; leave the ids out to have the items numbered")
            seen.add(item.id)
        return value

    @field_validator("standing_items")
    @classmethod
    def _standing(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(value) > MAX_ITEMS:
            raise ValueError(f"there are {len(value)} standing items and the limit is {MAX_ITEMS}; drop some")
        lines = tuple(one_line(text) for text in value)
        if any(is_blank(line) or len(line) > MAX_TOPIC for line in lines):
            raise ValueError(f"each standing item has 1 to {MAX_TOPIC} characters; name it in a few words")
        return lines

    @field_validator("user_feedback")
    @classmethod
    def _feedback(cls, value: str) -> str:
        text = printable(value).strip()
        if len(text.encode()) > MAX_ITEM_TEXT:
            raise ValueError(f"the feedback has more than {MAX_ITEM_TEXT} bytes (8 KiB); shorten it")
        return text

    @property
    def minutes(self) -> int:
        """Planned minutes of all items together."""
        return sum(item.time_minutes for item in self.items)


def _check_count(count: int) -> None:
    if count == 0:
        raise ValueError("the agenda has no items; name at least one topic")
    if count > MAX_ITEMS:
        raise ValueError(f"the agenda has {count} items and the limit is {MAX_ITEMS}; hold the rest for another meeting")


def make_agenda(items: Iterable[Mapping[str, Any]], **fields: Any) -> Agenda:
    """An agenda from items as mappings, numbering those without an id and planning minutes where none are named.

    Raises AgendaError with one sentence that names the item, the limit and the mend.
    """
    given = list(items)
    made: list[AgendaItem] = []
    try:
        _check_count(len(given))
        for number, fields_of_item in enumerate(given, 1):
            try:
                made.append(_item(number, fields_of_item))
            except ValidationError as error:
                raise AgendaError(f"item {number}: {sentence(error, AgendaItem)}") from None
        return Agenda(items=tuple(made), **fields)
    except ValidationError as error:
        raise AgendaError(sentence(error, Agenda)) from None
    except AgendaError:
        raise
    except ValueError as error:
        raise AgendaError(str(error)) from None


def _item(number: int, given: Mapping[str, Any]) -> AgendaItem:
    fields = {key: value for key, value in given.items() if value is not None}
    fields.setdefault("id", f"agenda-{number}")
    if isinstance(fields.get("type"), str):
        fields["type"] = fields["type"].strip().lower()
    item = AgendaItem.model_validate(fields)
    return item if "time_minutes" in fields else item.model_copy(update={"time_minutes": MINUTES_BY_TYPE[item.type]})


def sentence(error: ValidationError, model: type[BaseModel]) -> str:
    """The first fault of a validation in one sentence, without the input (it may be 200 KB long)."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "value_error":
        return first["msg"].removeprefix("Value error, ")
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown key {brief(key)!r}{did_you_mean(key, model.model_fields)}"
    if first["type"] == "enum":
        return f"the {key} is not one of {first['ctx']['expected']}; use one of these"
    return f"{key}: {first['msg'][:1].lower()}{first['msg'][1:]}"


def agenda_from_topics(topics: Sequence[str]) -> Agenda:
    """The agenda of `boardroom meet "…"`: one item for decision per topic.

    Minutes: 15 for one or two, less when more have to share the half hour of a meeting, never under 5. Raises AgendaError.
    """
    minutes = max(5, min(MINUTES_BY_TYPE[ItemType.DECISION], _HALF_HOUR // max(1, len(topics))))
    return make_agenda({"topic": topic, "type": ItemType.DECISION, "time_minutes": minutes} for topic in topics)


# The written form ------------------------------------------------------------------------------------------------------

_LABELS = {
    "description": "description",
    "desired outcome": "desired_outcome",
    "minutes": "time_minutes",
    "commentary": "user_commentary",
}
_NUMBERED = re.compile(r"[ \t]{0,3}(?:#{1,6}[ ]+)?(?:\*\*)?\d{1,3}[.)][ \t]+(?P<rest>.*)")
_TYPE = re.compile(r"\((?:type:)?[ \t]*(?P<type>[A-Za-z]+)[ \t]*\)")
_LABEL = re.compile(
    r"[ \t]{0,5}(?:[-*][ \t]+)?(?:\*\*)?(?P<label>[A-Za-z]+(?: [A-Za-z]+)?)(?:\*\*)?:(?:\*\*)?[ \t]?(?P<value>.*)"
)
_STANDING = re.compile(r"(?i)standing items:[ \t]*")
_MORE = " " * 6
"""Continuation lines of a text are indented so far; that tells them from labels and items, whatever they say."""
_MEND = 'write each item as "1. [Topic] (type: decision)"'


def write_agenda(agenda: Agenda) -> str:
    """The text form of source 000: `1. [TOPIC] (type: …)`, then indented `Description:`, `Desired outcome:`, `Minutes:`.

    `read_agenda` gives the same items back when their ids are agenda-1, agenda-2, … in order. The rest of an agenda
    (status, feedback) is in its JSON form only.
    """
    lines: list[str] = []
    for number, item in enumerate(agenda.items, 1):
        lines.append(f"{number}. [{item.topic}] (type: {item.type.value})")
        if item.description:
            lines += _labelled("Description", item.description)
        if item.desired_outcome:
            lines += _labelled("Desired outcome", item.desired_outcome)
        lines.append(f"   Minutes: {item.time_minutes}")
        if item.user_commentary:
            lines += _labelled("Commentary", item.user_commentary)
        lines.append("")
    if agenda.standing_items != STANDING_ITEMS:
        lines += ["Standing items:", *(f"- {text}" for text in agenda.standing_items), ""]
    return "\n".join(lines)


def _labelled(label: str, text: str) -> list[str]:
    first, *more = text.split("\n")
    return [f"   {label}: {first}", *(_MORE + line if line else "" for line in more)]


def read_agenda(text: str) -> Agenda:
    """An agenda from its text form or its JSON form (the agenda object of source 000, a meeting that holds one, or a list
    of items). Headings and remarks before the first item are passed over.

    Raises NotAnAgenda with the line and the mend, AgendaError for an agenda that breaks a limit.
    """
    if len(text.encode("utf-8", "replace")) > MAX_AGENDA_TEXT:
        raise NotAnAgenda(f"the agenda is larger than {MAX_AGENDA_TEXT} bytes (1 MiB); put long papers into the board book")
    if is_blank(text):
        raise NotAnAgenda(f"the agenda is empty; {_MEND}")
    text = text.removeprefix("\ufeff")
    if re.match(r'\s*(?:\{\s*["}]|\[\s*[{\]])', text):
        return _from_json(text)
    return _Reader(printable(text).split("\n")).read()


def _from_json(text: str) -> Agenda:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotAnAgenda(f"the JSON breaks off or is malformed ({error.msg}); mend it there", error.lineno) from None
    except ValueError:  # an integer of more digits than Python reads
        raise NotAnAgenda("the JSON holds a number that is too long; minutes are 1 to 480") from None
    except RecursionError:
        raise NotAnAgenda("the JSON is nested too deeply; an agenda is an object with a list of items") from None
    if isinstance(data, dict) and isinstance(data.get("agenda"), dict):
        data = data["agenda"]
    if isinstance(data, list):
        data = {"items": data}
    if not isinstance(data.get("items"), list):
        raise NotAnAgenda('the JSON has no list "items"; write {"items": [{"topic": "…", "type": "decision"}]}')
    for number, item in enumerate(data["items"], 1):
        if not isinstance(item, dict):
            raise NotAnAgenda(f'item {number} is not an object; write it as {{"topic": "…", "type": "decision"}}')
        if "topic" not in item:
            raise NotAnAgenda(f'item {number} has no "topic"; say what the board is to take up')
    for key in data:
        if key not in Agenda.model_fields:
            raise NotAnAgenda(f"unknown key {brief(key)!r} in the agenda{did_you_mean(key, Agenda.model_fields)}")
    return make_agenda(data.pop("items"), **data)


class _Reader:
    """Reads the text form line by line; holds the item and the field that the next line may belong to."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.items: list[dict[str, Any]] = []
        self.field: str | None = None
        self.standing: list[str] | None = None

    def read(self) -> Agenda:
        for number, line in enumerate(self.lines, 1):
            self._line(number, line)
        if not self.items:
            number, first = next((n, line) for n, line in enumerate(self.lines, 1) if line.strip())
            raise NotAnAgenda(f"{brief(first)!r} is not an agenda item; {_MEND}", number)
        fields = {} if self.standing is None else {"standing_items": tuple(self.standing)}
        return make_agenda(self.items, **fields)

    def _line(self, number: int, line: str) -> None:
        if self.items and line.startswith(_MORE) and self.field:
            self.items[-1][self.field] += "\n" + line.removeprefix(_MORE)
        elif numbered := _NUMBERED.fullmatch(line):
            self._header(number, numbered["rest"])
        elif not self.items:
            return  # a title or a remark
        elif _STANDING.fullmatch(line):
            self.standing, self.field = [], None
        elif self.standing is not None:
            self._standing(number, line)
        elif (label := _LABEL.fullmatch(line)) and label["label"].lower() in _LABELS:
            self._label(number, _LABELS[label["label"].lower()], label["label"], label["value"])
        elif self.field:
            self.items[-1][self.field] += "\n" + line.lstrip()
        elif line.strip():
            raise NotAnAgenda(f'{brief(line)!r} follows no label; begin it with "Description:"', number)

    def _header(self, number: int, rest: str) -> None:
        rest = rest.strip().removesuffix("**").rstrip()
        opening = max(rest.rfind("("), 0)
        header = _TYPE.fullmatch(rest, opening)
        if header is None:
            raise NotAnAgenda(f"{brief(rest)!r} names no type; end it with (type: decision), review or discussion", number)
        kind = header["type"].lower()
        if kind not in tuple(ItemType):
            known = ", ".join(ItemType)
            raise NotAnAgenda(f"the type {brief(kind)!r} is not one of {known}{did_you_mean(kind, ItemType)}", number)
        topic = rest[:opening].strip()
        if topic.startswith("[") and topic.endswith("]"):
            topic = topic[1:-1]  # as written by us: whatever is inside is the topic
        elif "**" in topic:
            topic = topic.removeprefix("**").removesuffix("**").strip()
        self.items.append({"topic": topic, "type": kind})
        self.field, self.standing = None, None

    def _label(self, number: int, field: str, label: str, value: str) -> None:
        if field in self.items[-1]:
            raise NotAnAgenda(f"a second {label!r} for the same item; keep one, or indent it by six spaces", number)
        if field == "time_minutes":
            minutes = re.fullmatch(r"(\d{1,6})(?: ?(?:min|minutes))?", value.strip())
            if minutes is None:
                raise NotAnAgenda(f"{brief(value)!r} are no minutes; write a whole number like 15", number)
            self.items[-1][field], self.field = int(minutes[1]), None
        else:
            self.items[-1][field], self.field = value, field

    def _standing(self, number: int, line: str) -> None:
        if not line.strip():
            return
        if not re.match(r"[ \t]*[-*][ \t]+\S", line) or self.standing is None:
            raise NotAnAgenda(f'{brief(line)!r} is not a standing item; begin it with "- "', number)
        self.standing.append(re.sub(r"^[ \t]*[-*][ \t]+", "", line))
