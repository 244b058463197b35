"""What is shown when a meeting is over, or left: resolutions with their counts, dissents, action items, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.text import Text

from cli.durations import written
from cli.entries import SIMULATED, Wrapped
from cli.screen import program, shown_line

_STYLES = {"adopted": "bold green", "lost": "bold red", "tied": "bold red"}
_ENDS = {
    "agenda": "Everything on the agenda was taken up",
    "adjourned": "The board adjourned early",
    "deadline": "The time set for the meeting was over",
    "budget": "What the meeting may spend was spent",
    "abandoned": "The meeting waited too long to be resumed and was abandoned",
    "imported": "Its record was brought along",
}


class Command:
    """A command after its label; under it where both do not fit on a line, so that the command can be copied whole."""

    def __init__(self, label: str, command: str, *, style: str = "") -> None:
        self.label = label
        self.command = command
        self.style = style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        line = f"{self.label} {self.command}"
        if cell_len(line) > options.max_width:
            line = f"{self.label.rstrip()}\n  {self.command}"
        yield Text(line, style=self.style, overflow="fold")


def count_line(resolution: Mapping[str, Any]) -> str:
    """The count in words, each kind of answer apart (law 8): "4 for, 1 against, 1 abstaining, 1 absent"."""
    vote = resolution.get("vote")
    if not vote or not any(vote.values()):
        return "no vote was taken"
    counts = [f"{len(vote['for'])} for", f"{len(vote['against'])} against"]
    for key, word in (("abstain", "abstaining"), ("absent", "absent"), ("no_reply", "without a reply"), ("invalid", "invalid")):
        if vote.get(key):
            counts.append(f"{len(vote[key])} {word}")
    return ", ".join(counts)


def result(summary: Mapping[str, Any], names: Mapping[str, str], counts: Sequence[int] | None = None) -> RenderableType:
    """The end of a meeting in short. `summary` is the object of `--json`; `counts`: items in the review's three buckets."""
    lines: list[RenderableType] = [Text("Result", style="bold underline")]
    for resolution in summary["resolutions"]:
        lines += _resolution(resolution, names)
    if summary.get("deleted"):
        lines.append(Text(f"Deleted since: {', '.join(summary['deleted'])}. The minutes have the votes.", style="italic"))
    elif not summary["resolutions"]:
        lines.append(Text("No question was put to a vote.", style="italic"))
    for task in summary["unfinished"]:
        lines.append(_hanging("Passed over: " if task["status"] == "skipped" else "Unfinished: ", _left_open(task), "yellow"))
    for warning in summary["warnings"]:  # law 8: what is degraded is said wherever the result is
        lines.append(_hanging("Warning: ", shown_line(warning), "yellow"))
    if counts is not None and any(counts):
        done, recommended, yours = counts
        lines.append(_hanging("Review — ", f"{yours} need your call, {recommended} await a nod, {done} done", "magenta"))
    lines.append(_tail(summary, reviewed=counts is not None))
    return Group(*lines)


def _left_open(item: Mapping[str, Any]) -> str:
    return shown_line(item["topic"]) + (f" ({shown_line(item['why']).rstrip('.')})" if item["why"] else "")


def _resolution(resolution: Mapping[str, Any], names: Mapping[str, str]) -> list[RenderableType]:
    motion = resolution["motion"]
    status = str(motion["status"])
    top = Text(overflow="fold")
    top.append(status.replace("_", " ").upper(), style=_STYLES.get(status, "bold yellow"))
    top.append(f"  {count_line(resolution)}")
    lines: list[RenderableType] = [top, Wrapped(Text(shown_line(motion["text"])), indent="  ")]
    for dissent in resolution.get("dissents", ()):
        who = shown_line(dissent["member_name"])
        lines.append(_hanging(f"Dissent — {who}: ", shown_line(dissent["statement"]), "red"))
    for action in resolution.get("action_items", ()):
        owner = shown_line(names.get(action["owner"], str(action["owner"]).capitalize()))
        until = f", by {shown_line(str(action['deadline']))}" if action.get("deadline") else ""
        lines.append(_hanging(f"To do — {owner}{until}: ", shown_line(action["task"]), "cyan"))
    lines.append(Text(""))
    return lines


def _hanging(label: str, words: str, style: str) -> RenderableType:
    return Wrapped(Text.assemble((label, style), words), indent="  ")


def _tail(summary: Mapping[str, Any], *, reviewed: bool = False) -> RenderableType:
    parts = []
    if summary["ended_by"]:
        parts.append(_ENDS.get(str(summary["ended_by"]), str(summary["ended_by"])))
    if summary["seconds"] is not None:
        parts.append(written(summary["seconds"]))
    parts.append(f"{summary['calls']} calls")
    if total_tokens(summary) and not summary["simulated"]:  # simulated voices cost nothing
        parts.append(f"{total_tokens(summary):,} tokens")
    line = Text(" · ".join(parts), style="dim", overflow="fold")
    if summary["simulated"]:
        line.append(f" · {SIMULATED}", style="not dim bold yellow")
    meeting = summary["meeting_id"]
    read = [
        Command(label, f"{program()} {command} {meeting}", style="dim")
        for label, command in (
            *((("Summary:   ", "summary"),) if reviewed else ()),
            ("Minutes:   ", "minutes"),
            ("Transcript:", "meetings"),
            ("Whispers:  ", "whispers"),
        )
    ]
    return Group(line, *read)


def total_tokens(summary: Mapping[str, Any]) -> int:
    tokens = summary["tokens"]
    return sum(tokens.values()) if isinstance(tokens, Mapping) else int(tokens or 0)


def halted(summary: Mapping[str, Any], why: str) -> RenderableType:
    """What is said when a meeting is left before its end."""
    meeting = summary["meeting_id"]
    lines: list[RenderableType] = [Text(shown_line(why), style="bold", overflow="fold")] if why else []
    return Group(*lines, Command("Go on with:", f"{program()} meet --resume {meeting}"))
