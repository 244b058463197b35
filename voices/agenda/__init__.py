"""The chairman before the meeting: prompts and readers for drafting an agenda, revising it, and talking it over.

`prompts` says what a model is told, `drafts` reads what it drafted, `talk` carries a conversation with its tools, `tools`
names the tools and reads the same changes from plain text, `keeping` gives a reply its stored form.
"""

from __future__ import annotations

from voices.agenda.drafts import Draft, read_agenda
from voices.agenda.keeping import restored, stored
from voices.agenda.prompts import draft_request
from voices.agenda.talk import Conversation

__all__ = ["Conversation", "Draft", "draft_request", "read_agenda", "restored", "stored"]
