"""What a simulated voice has to say, before it takes its wire form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Answer:
    """The whisper, the speech, and the purpose's own fields in the order of the wire form."""

    thinking: str
    speaking: str
    fields: dict[str, Any] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)  # of the presiding chairman
