"""The shape of a persona file and of its shared base (source 000, Agent Configuration Structure).

Ours beside 000's keys: `board.aliases` (names after "@"), `board.themes` (000's AGENT_THEMES, which seat the board) and
`board.interests` (more words of the same mind, for dissent and topicality, never for seating).
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, field_validator

from parliament.text import brief, did_you_mean, is_blank
from parliament.values import CLERK, SHAREHOLDER

PREFIX = "board-"
MAX_SECTION = 32 * 1024
"""Bytes of a section's content in UTF-8."""

MemberName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
"""A member id or an alias: what may stand after "@" in the command language."""
Word = Annotated[str, StringConstraints(min_length=2, max_length=60, to_lower=True, strip_whitespace=True)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]


class PersonaError(ValueError):
    """A persona file that cannot be used; the message is one sentence with the file, the key and the mend."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Section(_Strict):
    """One piece of a persona's instructions. `position`: "start", or "after:" and the beginning of another heading."""

    heading: Line
    content: str
    position: Line

    @field_validator("heading")
    @classmethod
    def _heading(cls, value: str) -> str:
        if not re.match(r"#{1,6} \S", value):
            raise ValueError(f"the heading {brief(value)!r} does not begin with a mark like '## '; write it as a heading")
        return value

    @field_validator("content")
    @classmethod
    def _content(cls, value: str) -> str:
        if is_blank(value):
            raise ValueError("the content is empty; write the section or remove it")
        size = len(value.encode("utf-8", "replace"))
        if size > MAX_SECTION:
            raise ValueError(f"the content has {size} bytes and the limit is {MAX_SECTION} (32 KiB); shorten it")
        return value

    @field_validator("position")
    @classmethod
    def _position(cls, value: str) -> str:
        if value != "start" and not value.removeprefix("after:").strip():
            raise ValueError("'after:' names no heading; write 'after:## Your Identity'")
        if value != "start" and not value.startswith("after:"):
            raise ValueError(f"{brief(value)!r} is no position; write 'start' or 'after:## Your Identity'")
        return value


class Sections(_Strict):
    sections: tuple[Section, ...]

    @field_validator("sections")
    @classmethod
    def _different(cls, value: tuple[Section, ...]) -> tuple[Section, ...]:
        if not value:
            raise ValueError("there are no sections; write at least one with the position 'start'")
        headings = [section.heading for section in value]
        for heading in headings:
            if headings.count(heading) > 1:
                raise ValueError(f"the heading {brief(heading)!r} stands twice; join the two sections or rename one")
        return value


class Board(_Strict):
    """The member's place on the board."""

    role: Literal["chairman", "member"]
    display_name: Line
    voting: bool = True
    perspective: Line
    aliases: tuple[MemberName, ...] = ()
    themes: tuple[Word, ...] = ()
    interests: tuple[Word, ...] = ()

    @field_validator("aliases")
    @classmethod
    def _aliases(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for alias in value:
            if alias in (CLERK, SHAREHOLDER):
                raise ValueError(f"the alias {alias!r} is reserved for the procedure; choose another")
        return value


class PersonaFile(_Strict):
    """A persona file as written."""

    v: Literal[1]
    id: Annotated[str, StringConstraints(pattern=r"^board-[a-z][a-z0-9_]{0,31}$")]
    name: Line
    description: Line
    extends: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")] | None = None
    launchable: bool = False
    tags: tuple[Line, ...] = ()
    board: Board
    claude_md: Sections


class BaseFile(_Strict):
    """A file of sections that personas share: `_<name>.json`, named in `extends`."""

    v: Literal[1]
    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    description: Line
    claude_md: Sections


M = TypeVar("M", bound=BaseModel)


def validate(model: type[M], data: Any, file: str) -> M:
    """The file's content as a value. Raises PersonaError with the first fault: file, key and mend in one sentence."""
    if not isinstance(data, dict):
        raise PersonaError(f'{file}: a persona is an object with v, id, name, …; write it as {{"v": 1, …}}')
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        # An unknown key is the likeliest cause of a missing one beside it: name it first.
        fault = next((each for each in faults if each["type"] == "extra_forbidden"), faults[0])
        raise PersonaError(f"{file}: {_explain(model, fault)}") from None


def _explain(model: type[BaseModel], fault: Any) -> str:
    location: tuple[int | str, ...] = fault["loc"]
    key, context = _dotted(location), fault.get("ctx", {})
    match fault["type"]:
        case "extra_forbidden":
            place = f" in {_dotted(location[:-1])}" if len(location) > 1 else ""
            known = _fields_at(model, location[:-1])
            hint = did_you_mean(str(location[-1]), known) or "; remove it"
            return f"unknown key {brief(str(location[-1]))!r}{place}{hint}"
        case "missing":
            return f"{key} is missing; add it"
        case "literal_error":
            return f"{key} is {brief(repr(fault['input']))}; it must be {context['expected']}"
        case "string_pattern_mismatch":
            return f"{key} is {brief(repr(fault['input']))}; {_PATTERN_MENDS.get(str(location[0]), _NAME_MEND)}"
        case "value_error":
            return f"{key}: {fault['msg'].removeprefix('Value error, ')}"
        case _:
            message = fault["msg"]
            return f"{key} is {brief(repr(fault['input']))}; {message[:1].lower()}{message[1:]}"


_NAME_MEND = "use small letters, digits and underscores, beginning with a letter"
_PATTERN_MENDS = {"id": "write 'board-' and the member's id in small letters, as in 'board-dalio'"}


def _dotted(location: tuple[int | str, ...]) -> str:
    """claude_md.sections[2].heading"""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{brief(part)}" if text else brief(part)
    return text


def _fields_at(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The keys that an object at this place may have."""
    places: dict[tuple[str, ...], type[BaseModel]] = {
        (): model,
        ("board",): Board,
        ("claude_md",): Sections,
        ("claude_md", "sections"): Section,
    }
    return list(places[tuple(part for part in location if isinstance(part, str))].model_fields)
