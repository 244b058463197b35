"""An answer in its wire form: the JSON object of `voices.wire`, or plain text, or either of them with a fault in it."""

from __future__ import annotations

import json

from parliament.values import Purpose
from voices.simulated.faults import Course
from voices.simulated.reply import Answer
from voices.wire import FIELDS

_PROSE = {
    "FOR": "On balance, and for the reason I gave, I vote in favour of the motion.",
    "AGAINST": "I have thought about it, and I must vote against the motion.",
    "ABSTAIN": "I see both sides, and so I abstain.",
}


def as_json(answer: Answer, purpose: Purpose, *, chairman: bool) -> str:
    """The object with the keys of the schema, in its order."""
    found: dict[str, object] = {"thinking": answer.thinking, "speaking": answer.speaking}
    if chairman:
        found["commands"] = answer.commands
    for name in FIELDS.get(purpose, {}):
        found[name] = answer.fields.get(name)
    return json.dumps(found, ensure_ascii=False)


def as_plain(answer: Answer, purpose: Purpose, *, closed: bool = True) -> str:
    """Tags and lines, as source 000 asks for them. `closed=False` leaves the whisper's tag open."""
    fields = answer.fields
    lines: list[str] = []
    if purpose is Purpose.VOTE:
        lines = [f"VOTE: {fields['vote']}", f"REASON: {fields['reason']}"]
        if fields["dissent"]:
            lines.append(f"DISSENT: {fields['dissent']}")
        speech = "\n".join(lines)
    else:
        speech = answer.speaking
        if purpose is Purpose.ROLL_CALL:
            speech = "PRESENT" if fields["present"] else "I am absent."
        elif purpose is Purpose.SECOND:
            speech = "SECOND" if fields["second"] else "PASS"
        elif purpose is Purpose.AMENDMENT:
            speech = f"{fields['position']}\n{speech}"
        elif purpose is Purpose.APPEAL:
            speech = "APPEAL" if fields["appeal"] else "NO APPEAL"
        elif purpose is Purpose.CONSENT:
            speech = "OBJECTION" if fields["objection"] else "NO OBJECTION"
        elif purpose is Purpose.RULING:
            speech = f"{'WELL TAKEN' if fields['well_taken'] else 'NOT WELL TAKEN'}\n{speech}"
        elif purpose is Purpose.MOTION:
            speech = f"{speech.removesuffix(str(fields['motion'])).rstrip()}\n\n{fields['motion']}"
        elif purpose is Purpose.ACTION_ITEMS:
            tasks = fields["action_items"]
            assert isinstance(tasks, list)
            commands = [f'{{ACTION: "{t["task"]}" @{t["owner"]} "{t["deadline"] or ""}"}}' for t in tasks]
            speech = f"{speech}\n" + "\n".join(commands)
    if not closed:
        return f"<thinking>{answer.thinking}\n{speech}"
    return f"<thinking>{answer.thinking}</thinking>\n<speaking>{speech}</speaking>"


def spoil(answer: Answer, purpose: Purpose, course: Course, names: set[str], *, chairman: bool) -> tuple[str, str]:
    """(text, stop reason) of a reply with the faults that strike it."""
    if "refusal" in names:
        return "I'm not able to take part in this discussion.", "refusal"
    if "prose_votes" in names and purpose is Purpose.VOTE:
        return f"{_PROSE[str(answer.fields['vote'])]} {answer.fields['reason']}", "end_turn"
    if "unclosed_tags" in names:
        return as_plain(answer, purpose, closed=False), "end_turn"
    text = as_plain(answer, purpose) if "plain" in names else as_json(answer, purpose, chairman=chairman)
    if "malformed" in names:
        middle = max(text.rfind('", "', 0, -2), len(text) // 2)
        text = text[:middle] + text[middle:].replace('"', "'", 1).rstrip("}") + ",}"
    if "truncated" in names:
        return text[: int(len(text) * 0.6)], "max_tokens"
    return text, "end_turn"
