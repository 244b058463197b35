"""What is shown when a review is over: the verdict, votes, conditions, dissent, what is missing, and where the files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from cli.entries import SIMULATED, Wrapped
from cli.result import Command
from cli.screen import program, shown_line
from protocols.proposal_review import Outcome
from protocols.review_files import FOLDER, TRACKS, result_words, vote_word

if TYPE_CHECKING:
    from clerk.reviews import Stand

_STYLES = {"APPROVED": "bold green", "APPROVED WITH REVIEW": "bold green", "REJECTED": "bold red", "ESCALATE": "bold yellow"}
_VOTES = {"APPROVE": "green", "REJECT": "red"}


def result(found: Stand) -> RenderableType:
    """The end of a review in short."""
    session, record = found.session, found.record
    if session.outcome is None:
        return Text(f"The review {session.session_id} has no result yet ({session.status.replace('_', ' ')}).")
    review = record.review
    codes = {one.id: shown_line(one.code) for one in record.directors}
    words = result_words(review)
    head = Text(overflow="fold")
    head.append(words, style=_STYLES[words]).append(f"  {review.vote}  ")
    head.append(shown_line(record.title))
    lines: list[RenderableType] = [Text("Result", style="bold underline"), head]
    votes = {vote.director: vote for vote in record.votes}
    row = Text()
    for n, one in enumerate(record.directors):
        word = vote_word(votes.get(one.id))
        row.append(" · " if n else "", style="dim").append(f"{codes[one.id]} ").append(
            word.lower().replace("_", " "), style=_VOTES.get(word, "yellow")
        )
    lines += [Wrapped(row, indent="  "), Text("")]
    if record.decision is not None:
        said = {"approve": "approved", "reject": "rejected"}[record.decision.answer]
        lines.append(_hanging(f"Decided — {said}: ", shown_line(record.decision.because), "magenta"))
    for condition in review.conditions:
        by = ", ".join(codes[one] for one in condition.by)
        label = "To change" if review.outcome is Outcome.REJECTED else "Condition"
        lines.append(_hanging(f"{label} — {by}: ", shown_line(condition.text), "cyan"))
    for dissent in review.dissent:
        lines.append(_hanging(f"Dissent — {codes[dissent.director]}: ", shown_line(dissent.reason), "red"))
    for lack in review.degraded:
        why = f"{lack.phase.replace('_', ' ')}, {lack.why.replace('_', ' ')}"
        lines.append(_hanging("Degraded — ", f"{codes[lack.director]}: {why}", "yellow"))
    lines.append(Text(""))
    for criterion in review.criteria:
        mark, style = ("✓", "green") if criterion.met else ("✗", "yellow")
        why = f" ({shown_line(criterion.why)})" if criterion.why else ""
        lines.append(Wrapped(Text.assemble((f"{mark} ", style), (criterion.name + why, "dim")), indent="  "))
    lines.append(Text(""))
    tail = Text(session.session_id, style="dim")
    if session.simulated:
        tail.append(f" · {SIMULATED}", style="not dim bold yellow")
    lines.append(tail)
    if session.folder is not None:
        place = f"{session.folder}/" + (f"{TRACKS}/{session.track}/" if session.track else "") + FOLDER
        lines.append(Command("Files:     ", shown_line(place), style="dim"))
    lines.append(Command("Transcript:", f"{program()} meetings {session.meeting_id}", style="dim"))
    if found.status == "escalated":
        lines.append(
            Command("Decide:    ", f'{program()} decide {session.session_id} approve|reject --because "…"', style="bold")
        )
    return Group(*lines)


def _hanging(label: str, words: str, style: str) -> RenderableType:
    return Wrapped(Text.assemble((label, style), words), first="  ", indent="    ")
