"""Action items in other programs, and the doers who do small reversible things (issue 4, 3 and 6)."""

from __future__ import annotations

from activities.tasks.doers import doers_of
from activities.tasks.sinks import owners_of, problems_of, sinks_of
from activities.tasks.values import Doer, DoerError, Sink, SinkError, TaskItem

__all__ = ["Doer", "DoerError", "Sink", "SinkError", "TaskItem", "doers_of", "owners_of", "problems_of", "sinks_of"]
