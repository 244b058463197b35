"""An agenda revised by what the shareholder says of it: feedback on the whole, commentary beside single items."""

from __future__ import annotations

from typing import Any

from parliament.agenda import Agenda, AgendaError, AgendaItem
from parliament.agenda_changes import change, read_operation
from voices.base import AgendaBrief, ItemBrief
from voices.simulated.preparing.book import content_words
from voices.simulated.preparing.drafting import drafted
from voices.simulated.preparing.wishes import wishes_in
from voices.simulated.topic import sayable


def revised(brief: AgendaBrief) -> list[dict[str, Any]]:
    """The whole agenda after the feedback, in its wire form. A pure function of the brief.

    What the feedback asks for in so many words is done; feedback that asks for nothing known is put before the board with
    the item that it fits best, so that it is not lost.
    """
    if not brief.items:
        return drafted(brief)
    agenda = Agenda(items=tuple(_as_item(item) for item in brief.items))
    wishes = wishes_in(brief.feedback, brief.items)
    operations = list(wishes.operations)
    for item in brief.items:
        operations += wishes_in(item.user_commentary, brief.items, item).operations
    after = agenda
    for operation in operations:
        try:
            after, _ = change(after, [read_operation(operation)])
        except AgendaError:
            continue  # two wishes that cannot both be had: the first stands
    items = list(after.items)
    if not wishes.operations and brief.feedback.strip():
        at = _nearest(brief.feedback, items)
        said = f"The shareholder says of it: {sayable(brief.feedback, 400)}"
        text = f"{items[at].description} {said}".strip()
        if said not in items[at].description:
            items[at] = items[at].model_copy(update={"description": text})
    return [_as_wire(item) for item in items]


def _nearest(words: str, items: list[AgendaItem]) -> int:
    wanted = content_words(words)
    scores = [len(wanted & content_words(f"{item.topic} {item.description}")) for item in items]
    return scores.index(max(scores))


def _as_item(item: ItemBrief) -> AgendaItem:
    return AgendaItem(
        id=item.id,
        topic=item.topic,
        type=item.type,
        time_minutes=item.time_minutes,
        description=item.description,
        desired_outcome=item.desired_outcome,
    )


def _as_wire(item: AgendaItem) -> dict[str, Any]:
    found = item.model_dump(mode="json")
    return {name: found[name] for name in ("topic", "type", "time_minutes", "description", "desired_outcome")}
