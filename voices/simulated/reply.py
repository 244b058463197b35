"""What a simulated voice has to say, before it takes its wire form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from voices.base import ToolCall


@dataclass(slots=True)
class Answer:
    """The whisper, the speech, and the purpose's own fields in the order of the wire form."""

    thinking: str
    speaking: str
    fields: dict[str, Any] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)  # of the presiding chairman


@dataclass(frozen=True, slots=True)
class Wire:
    """An answer in its wire form: what is said, the tools that are called with it, how it ended.

    `whispered`: words of the text that nobody hears.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    stop: str = "end_turn"
    whispered: int = 0
