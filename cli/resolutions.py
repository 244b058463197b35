"""`boardroom resolutions`: what the board adopted, what waits for your answer, and your answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from cli.screen import print_json, shown, shown_line

if TYPE_CHECKING:
    from clerk.resolutions import Resolution

app = App(name="resolutions", help="Resolutions: list and show them, answer them, delete them.")
Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]
Id = Annotated[str, Parameter(help="The resolution's id, such as RES-mtg-9fed5d5a-1.")]

COLOURS = {
    "overdue": "red",
    "stale": "magenta",
    "waiting": "yellow",
    "done": "green",
    "accepted": "cyan",
    "in_progress": "cyan",
}
OWNER = "shareholder"


@app.command(name="list")
def listing(
    *,
    pending_only: Annotated[bool, Parameter(negative=(), help="Only those that wait for your answer.")] = False,
    meeting: Annotated[str | None, Parameter(help="Only those of this meeting.")] = None,
    json: Json = False,
) -> int:
    """List the resolutions, the newest first."""
    from clerk import resolutions as desk
    from clerk.errors import checked_id
    from cli.reading import from_store, has_record
    from cli.serving import settings_for

    settings = settings_for()
    if meeting is not None:
        checked_id(meeting)
    found: list[Resolution] = []
    if has_record(settings):
        found = from_store(
            settings,
            lambda store: desk.listing(store, settings, OWNER, pending_only=pending_only, meeting_id=meeting),
        )
    if json:
        print_json([one.as_json for one in found])
        return 0
    _list(found, pending_only=pending_only)
    return 0


@app.command
def show(resolution: Id, /, *, json: Json = False) -> int:
    """Show a resolution: its text, the vote, dissents, action items, and what became of it."""
    from clerk import resolutions as desk
    from cli.reading import from_store
    from cli.serving import settings_for

    settings = settings_for()
    _known(settings, resolution)
    found = from_store(settings, lambda store: desk.resolution(store, settings, resolution, OWNER))
    if json:
        print_json(found.as_json)
    else:
        _show(found)
    return 0


@app.command
def respond(
    resolution: Id,
    response: Annotated[Literal["accept", "reject", "defer"], Parameter(help="accept, reject or defer.")],
    /,
    *,
    note: Annotated[str, Parameter(help="What you have to say to it.")] = "",
    until: Annotated[str | None, Parameter(help="The day on which a deferred one comes back: 2026-12-20.")] = None,
    json: Json = False,
) -> int:
    """Answer a resolution. The first final answer stands."""
    from datetime import date

    from clerk import resolutions as desk
    from clerk.errors import DeskError
    from cli.preparing import desk as with_stack
    from cli.serving import settings_for

    settings = settings_for()
    desk.checked(resolution)
    day = None
    if until is not None:
        try:
            day = date.fromisoformat(until)
        except ValueError:
            raise DeskError(f"{until[:40]!r} is no day: write it as 2026-12-20.", usage=True) from None
    _known(settings, resolution)

    async def work(stack: Any) -> Resolution:
        return await desk.respond(stack.client, stack.store, settings, resolution, OWNER, response, note=note, until=day)

    found = with_stack(settings, work)
    if json:
        print_json(found.as_json)
    else:
        _show(found)
    return 0


@app.command
def delete(resolution: Id, /) -> int:
    """Delete a resolution with its action items. Its votes and dissents stay in the minutes."""
    from clerk import resolutions as desk
    from cli.preparing import desk as with_stack
    from cli.screen import console
    from cli.serving import settings_for

    settings = settings_for()
    _known(settings, resolution)

    async def work(stack: Any) -> None:
        await desk.delete(stack.client, stack.store, settings, resolution, OWNER)

    with_stack(settings, work)
    console().print(f"{resolution} is deleted.")
    return 0


def _known(settings: Any, resolution: str) -> None:
    """Check the id, and look up nothing where there is no record. DeskError."""
    from clerk import resolutions as desk
    from clerk.errors import DeskError, Kind
    from cli.reading import has_record

    desk.checked(resolution)
    if not has_record(settings):
        raise DeskError(f"There is no resolution {resolution} in this record.", kind=Kind.UNKNOWN)


def _list(found: list[Resolution], *, pending_only: bool) -> None:
    from rich.text import Text

    from cli.entries import Wrapped
    from cli.result import Command
    from cli.screen import console, program

    screen = console()
    if not found:
        screen.print("No resolution waits for your answer." if pending_only else "There are no resolutions yet.")
        return
    for one in found:
        status = one.status.replace("_", " ")
        line = Text.assemble((one.paper["id"], "bold"), "  ", (status, COLOURS.get(one.status, "dim")))
        if one.deferred_until is not None:
            line.append(f" (deferred to {one.deferred_until})", style="dim")
        if one.paper["simulated"]:
            line.append("  simulated", style="yellow")
        screen.print(line)
        screen.print(Wrapped(Text(shown_line(one.paper["topic"])), indent="  "))
    waiting = [one for one in found if one.status in ("waiting", "stale")]
    if waiting:
        screen.print()
        command = f"{program()} resolutions respond {waiting[0].paper['id']} accept|reject|defer"
        screen.print(Command("Answer one:", command, style="dim"))


def _show(one: Resolution) -> None:
    from rich.text import Text

    from cli.entries import Wrapped
    from cli.screen import console

    screen = console()
    paper = one.paper
    screen.print(Text.assemble((paper["id"], "bold"), "  ", (one.status.replace("_", " "), COLOURS.get(one.status, "dim"))))
    screen.print(Wrapped(Text(shown_line(paper["topic"]), style="bold")))
    if paper["simulated"]:
        screen.print(Text("simulated", style="yellow"))
    screen.print(Wrapped(Text(shown(paper["motion"]["text"]))))
    votes = ", ".join(f"{len(who)} {kind.replace('_', ' ')}" for kind, who in paper["vote"].items() if who)
    if votes:
        screen.print(Text(f"Vote: {votes}", style="dim"))
    for dissent in paper["dissents"]:
        screen.print(Wrapped(Text(f"Dissent, {shown_line(dissent['member_name'])}: {shown_line(dissent['statement'])}")))
    for item in paper["action_items"]:
        mark = {"done": "[x]", "dropped": "[-]"}.get(item["status"], "[ ]")
        when = f", {shown_line(item['deadline'])}" if item["deadline"] else ""
        screen.print(
            Wrapped(Text(f"{mark} {shown_line(item['task'])} ({shown_line(item['owner'])}{when}; {item['id']})"), indent="    ")
        )
    for change in one.history:
        note = f": {shown_line(change.note)}" if change.note else ""
        what = change.kind.replace("_", " ")
        until = f" to {change.until}" if change.until else ""
        screen.print(
            Wrapped(
                Text(f"{change.at:%Y-%m-%d %H:%M} {what}{until} ({shown_line(change.origin)}){note}", style="dim"), indent="  "
            )
        )
