"""What all speeches of the chair draw on: fresh sentences, the item as an indirect question, commands as written."""

from __future__ import annotations

import re

from parliament.command_values import Command, render
from voices.base import ItemBrief
from voices.simulated.chance import ordered
from voices.simulated.reply import Answer
from voices.simulated.speech import Speaker
from voices.simulated.topic import Kind, analyse


def pick_new(s: Speaker, options: tuple[str, ...], key: str) -> str:
    """One of the options that the transcript does not hold yet, as long as there is one."""
    topic = s.brief.item.topic if s.brief.item else s.brief.meeting_name
    order = ordered(options, s.brief.seed, topic, key)
    return next((text for text in order if _skeleton(text) not in s.words_of_all), order[0])


def _skeleton(text: str) -> str:
    return max(re.split(r"\{\w+\}", text), key=len).strip().lower()


def maxim(s: Speaker, key: str) -> str:
    return pick_new(s, s.persona.maxim, f"maxim {key}")


def indirect(item: ItemBrief) -> str:
    """The item as an indirect question or a noun phrase: "whether the shareholder should take the job in Lisbon"."""
    t = analyse(item)
    if t.kind is Kind.REVIEW:
        return f"how things stand with {t.thing}"
    if t.kind is Kind.HOW:
        if t.act.startswith("settle "):
            return t.short.removeprefix("settle ")
        return t.thing if "“" in t.act else f"how to {t.short}"
    alternative = f" or {t.other}" if t.kind is Kind.CHOICE else ""
    return f"whether {t.actor} should {t.short}{alternative}"


def with_commands(a: Answer, *commands: Command) -> Answer:
    """The commands as written at the end of the speech, and once more in their own field."""
    written = [render(command) for command in commands]
    a.commands += written
    a.speaking = f"{a.speaking} {' '.join(written)}"
    return a
