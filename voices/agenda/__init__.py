"""The chairman before the meeting: prompts and readers for drafting an agenda, revising it, and talking it over.

`prompts` says what a model is told, `drafts` and `written` read what it drafted, `talk` carries a conversation with its tools,
`tools` names the tools, `plain` reads the same changes from plain text, `keeping` gives a reply its stored form.
"""

from __future__ import annotations

from voices.agenda.drafts import LEAST, MOST, Draft, read_agenda
from voices.agenda.keeping import restored, stored
from voices.agenda.prompts import converse_request, draft_request
from voices.agenda.talk import Conversation, Heard, interpret
from voices.agenda.tools import TOOLS

__all__ = [
    "LEAST",
    "MOST",
    "TOOLS",
    "Conversation",
    "Draft",
    "Heard",
    "converse_request",
    "draft_request",
    "interpret",
    "read_agenda",
    "restored",
    "stored",
]
