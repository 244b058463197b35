"""How a line of the transcript looks in a terminal, whatever its width: pure, from turn to renderable."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from clerk.events import Sitting
from cli.screen import shown, shown_line
from parliament.record import TurnRecord
from parliament.values import CLERK, SHAREHOLDER, Phase, Purpose, TurnStatus

MEASURE = 100
"""Columns of running text, however wide the terminal is: longer lines are hard to read."""

PALETTE = ("cyan", "magenta", "green", "yellow", "bright_blue", "bright_red", "bright_cyan", "bright_magenta", "bright_green")

PHASES = {
    Phase.OPENING: "Call to order",
    Phase.QUORUM: "Roll call",
    Phase.INTRO: "Introduction",
    Phase.DISCUSSION: "Discussion",
    Phase.MOTION: "Motion",
    Phase.SECOND: "Second",
    Phase.MOTION_DISCUSSION: "Debate",
    Phase.VOTING: "Vote",
    Phase.ACTION_ITEMS: "Action items",
    Phase.SUMMARY: "Summary",
    Phase.CLOSING: "Closing",
    Phase.ADJOURNMENT: "Adjournment",
    Phase.ASSESSMENT: "Assessments",
    Phase.RESOLUTION: "Resolution",
}

VOTE_STYLES = {"FOR": "green", "AGAINST": "red", "ABSTAIN": "yellow"}
SIMULATED = "Simulated voices"
SIMULATED_AT_LENGTH = "Simulated voices: no model is asked; what is said follows from the topic, the personas and a seed."


class Wrapped:
    """Text wrapped to a measure, its lines indented, without the trailing blanks that a pipe would keep."""

    def __init__(self, text: Text, *, first: str = "", indent: str = "", measure: int = MEASURE, after: int = 0) -> None:
        self.text = text
        self.first = first or indent
        self.indent = indent
        self.measure = measure
        self.after = after

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        width = max(8, min(options.max_width, self.measure) - len(self.indent))
        for n, line in enumerate(self.text.wrap(console, width, overflow="fold")):
            line.rstrip()
            yield Text.assemble(self.first if n == 0 else self.indent, line, no_wrap=True, overflow="fold")
        for _ in range(self.after):
            yield Text("")


VERDICT_STYLES = {"APPROVE": "green", "CONCERNS": "yellow", "REJECT": "red"}


def colour_of(sitting: Sitting, member_id: str) -> str:
    """Each seat keeps one colour through a meeting; the shareholder is white."""
    for n, member in enumerate(sitting.members):
        if member.id == member_id:
            return PALETTE[n % len(PALETTE)]
    return "bright_white"


def name_of(sitting: Sitting, member_id: str, chair: str) -> Text:
    """A speaker's name in its colour, the chair marked."""
    name = "You" if member_id == SHAREHOLDER else shown_line(sitting.name_of(member_id))
    text = Text(name, style=f"bold {colour_of(sitting, member_id)}", overflow="fold")
    if member_id == chair:
        text.append(" (chair)", style="not bold dim")
    return text


def ruled(words: str, width: int) -> RenderableType:
    """A heading with a rule to the end of the measure."""
    return Padding(Rule(Text(words, style="bold"), style="dim", align="left"), (0, max(0, width - MEASURE), 0, 0))


def heading(phase: Phase) -> RenderableType:
    """The line over a phase."""
    return Text(f"── {PHASES[phase]} ──", style="dim")


def header(sitting: Sitting, *, resumed: bool = False) -> RenderableType:
    """What a meeting is shown to be before anything is said."""
    lines: list[RenderableType] = [Text("")]
    if sitting.kind == "review":
        word = "The directors go on to review" if resumed else "The directors review"
    else:
        word = "The board resumes" if resumed else "The board meets"
    lines.append(Text.assemble((f"{word}: ", "bold"), (shown_line(sitting.name), "bold"), overflow="fold"))
    seats = Text("Seated: ", overflow="fold")
    for n, member in enumerate(sitting.members):
        seats.append(", " if n else "").append_text(name_of(sitting, member.id, sitting.chair))
        if not member.voting:
            seats.append(" (no vote)", style="dim")
    if sitting.quorum:
        seats.append(f" — quorum {sitting.quorum}", style="dim")
    lines.append(seats)
    if len(sitting.items) > 1:
        for item in sitting.items:
            lines.append(Text(f"  {item.number}. {shown_line(item.topic)} ({item.type})", style="dim", overflow="fold"))
    if sitting.simulated:
        lines.append(Text(SIMULATED_AT_LENGTH, style="bold yellow"))
    lines.append(Text(f"Meeting {sitting.meeting_id}", style="dim"))
    return Group(*lines)


def entry(turn: TurnRecord, sitting: Sitting, chair: str, width: int) -> RenderableType:
    """One turn, wrapped to the width (and to MEASURE at most)."""
    if turn.member_id == CLERK:
        return _by_the_clerk(turn, width)
    name = name_of(sitting, turn.member_id, chair)
    style = "dim italic" if turn.status in (TurnStatus.NO_REPLY, TurnStatus.INVALID, TurnStatus.REFUSED) else ""
    words = shown(turn.text).strip()
    if turn.status == TurnStatus.NO_REPLY:
        words = words or "did not reply."
    body = Text(words, style=style)
    vote = turn.data.get("vote")
    if vote is not None and turn.purpose == Purpose.VOTE:
        name.append("  ").append(f" {vote} ", style=f"reverse {VOTE_STYLES.get(str(vote), 'dim')}")
    told = _director(turn, name)
    if told:
        return Group(name, Wrapped(body, indent="  "), *told, Text(""))
    if "\n" not in words and len(words) <= 48 and name.cell_len + body.cell_len + 2 <= min(width, MEASURE):
        return Text.assemble(name, "  ", body)
    return Group(name, Wrapped(body, indent="  ", after=1))


def _director(turn: TurnRecord, name: Text) -> list[RenderableType]:
    """What a director of a proposal review says beside its words: verdict and score with its name, then a line each."""
    data = turn.data
    verdict = data.get("final_verdict") or data.get("verdict")
    if verdict is not None:
        score = data.get("confidence") if "final_verdict" in data else data.get("score")
        name.append("  ").append(f" {verdict} ", style=f"reverse {VERDICT_STYLES.get(str(verdict), 'dim')}")
        name.append(
            f" {score:g}{'' if 'final_verdict' in data else ' of 10'}" if score is not None else "", style="not bold dim"
        )
    lines: list[tuple[str, str, str]] = []
    if turn.purpose == "assessment":
        lines += [("Concern: ", text, "yellow") for text in data.get("concerns", ())]
        lines += [("Asks: ", text, "cyan") for text in data.get("questions_for_board", ())]
    lines += [(f"{to}: ", text, "dim") for to, text in data.get("answers", ())]
    if data.get("settled"):
        lines.append(("Settled: ", ", ".join(data["settled"]), "green"))
    lines += [("Condition: ", text, "cyan") for text in data.get("conditions", ())]
    return [Wrapped(Text.assemble((label, style), shown_line(text)), first="  ", indent="    ") for label, text, style in lines]


def _by_the_clerk(turn: TurnRecord, width: int) -> RenderableType:
    words = shown_line(turn.text)
    if turn.purpose == "item":
        if cell_len(words) + 4 <= min(width, MEASURE):
            return ruled(words, width)
        return Wrapped(Text(words, style="bold"))
    style = {"vote": "bold", "halted": "bold red", "adjourned": "bold"}.get(turn.purpose, "italic")
    return Wrapped(Text(words, style=style), first="▪ ", indent="  ", after=1)
