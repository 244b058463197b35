"""Prompts of every phase, rendered from a brief (source 000, "AI Facilitation Prompts").

The layout serves the provider's prompt cache. System: (1) the rules of the house, the same for everybody; (2) the
meeting's board book, roster and agenda. User: the transcript so far, one block a line, so that a later prompt has every
block of an earlier one; then, last, who is asked and for what. The persona comes after the transcript, against custom,
because only so do all the voices of a round read one cached prefix: five members pay once for board book and transcript.
"""

from __future__ import annotations

from parliament.values import Purpose
from voices.base import Block, Brief, Line, Prompt
from voices.prompts.data import CAPS, block, defuse, delimiter, line
from voices.prompts.house import HOUSE
from voices.prompts.tasks import item_block, task

__all__ = ["defuse", "delimiter", "max_tokens_for", "render"]

CHECKPOINT = 16
"""Lines between two inner cache marks: providers look back some 20 blocks for a cached prefix; a round may be longer."""

_MAX_TOKENS = {
    Purpose.HEALTH_CHECK: 300,
    Purpose.ROLL_CALL: 400,
    Purpose.SECOND: 600,
    Purpose.CONSENT: 600,
    Purpose.APPEAL: 600,
    Purpose.ADJOURNMENT: 600,
    Purpose.OPENING: 1000,
    Purpose.AMENDMENT: 1200,
    Purpose.RULING: 1000,
    Purpose.VOTE: 1200,
    Purpose.DEBATE: 2000,
    Purpose.MOTION: 1800,
    Purpose.ACTION_ITEMS: 1800,
    Purpose.CLOSING: 1800,
}


def max_tokens_for(purpose: Purpose) -> int:
    """Tokens that a reply may have, whisper included: room for twice what the task asks for, so that nothing is cut off."""
    return _MAX_TOKENS.get(purpose, 1500)


def _meeting(brief: Brief) -> str:
    mark = delimiter(brief)
    roster = "\n".join(
        f"@{line(m.id, mark=mark)}: {line(m.name, mark=mark)}, {m.role}. {line(m.perspective, 600, mark)}" for m in brief.seated
    )
    agenda = "\n\n".join(item_block(brief, item) for item in brief.agenda)
    if brief.standing_items:
        agenda += "\n\nStanding items: " + "; ".join(line(s, 200, mark) for s in brief.standing_items)
    book = (
        defuse(brief.board_book, CAPS["board book"], mark)
        if brief.board_book.strip()
        else "(There is no board book for this meeting.)"
    )
    return "\n\n".join(
        (
            f"THIS MEETING\nIts delimiter is {mark}. It is held on {line(brief.date, 40, mark)}.",
            block(mark, "name of the meeting", line(brief.meeting_name, 300, mark)),
            block(mark, "members seated", roster),
            block(mark, "agenda", agenda),
            block(mark, "board book", book),
        )
    )


def _line(brief: Brief, said: Line) -> str:
    mark = delimiter(brief)
    who = line(said.name, mark=mark) + (
        "" if said.speaker in ("clerk", "shareholder") else f" (@{line(said.speaker, mark=mark)})"
    )
    return f"[{said.seq}] {who}: {defuse(said.text, CAPS['words'], mark)}\n"


def _transcript(brief: Brief) -> list[Block]:
    """The transcript so far, append-only: its end line stands in the block after it, where nothing is cached."""
    start = f"THE TRANSCRIPT SO FAR\n=== {delimiter(brief)} transcript ===\n"
    texts = [start, *(_line(brief, said) for said in brief.transcript)]
    last = len(texts) - 1
    inner = last - last % CHECKPOINT
    return [Block(text, cache=n == last or (n == inner and n > 0)) for n, text in enumerate(texts)]


def _seat(brief: Brief, chairman: bool) -> str:
    mark, member = delimiter(brief), brief.member
    role = (
        (
            "You are the presiding chairman: your commands count, and the procedure waits for them. Use only "
            "those that the task calls for."
        )
        if chairman
        else "You are a member, not the chairman: you write no commands."
    )
    persona = defuse(member.instructions or member.perspective, CAPS["persona"], mark)
    text = f"WHO YOU ARE\nYou are @{line(member.id, mark=mark)}, {line(member.name, mark=mark)}. {role}\n"
    return text + block(mark, "how you think and speak (your persona file)", persona)


def _common(chairman: bool) -> str:
    keys = '"thinking" and "speaking" first'
    if chairman:
        keys += ', then "commands": a list of your commands as you wrote them in the speech (empty when there are none)'
    return (
        f'THE REPLY\n{keys}, then the keys named above. In "thinking", weigh this privately: what you '
        f"really think, what you are not sure of, whom you might be wrong about. "
        "Nobody in the room reads it."
    )


def render(brief: Brief, *, chairman: bool) -> Prompt:
    """The prompt of one hearing. `chairman`: this member presides. Prompts of one round share all but their last block."""
    from voices.replies import schema_for  # here, so that reading a prompt needs no reader

    last = [f"=== end {delimiter(brief)} ===", _seat(brief, chairman)]
    if brief.item is not None:
        last.append("THE ITEM BEFORE THE BOARD\n" + block(delimiter(brief), "item", item_block(brief, brief.item)))
    last += [f"YOUR TASK ({brief.purpose.value.replace('_', ' ')})\n{task(brief)}", _common(chairman)]
    return Prompt(
        system=(Block(HOUSE), Block(_meeting(brief), cache=True)),
        user=(*_transcript(brief), Block("\n\n".join(last))),
        schema=schema_for(brief.purpose, chairman=chairman),
        schema_name=f"board_{brief.purpose.value}" + ("_chair" if chairman else ""),
    )
