"""`boardroom actions`: the ledger of action items (source 000, Quick Reference)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from cli.screen import print_json, shown_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from records.ledger import Entry

app = App(name="actions", help="Action items: list, add, complete, reopen, extract from a transcript, scope, sync.")
Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]
Id = Annotated[str, Parameter(help="The item's id, such as ACT-12345678.")]
OWNER = "shareholder"


@app.command(name="list")
def listing(
    *,
    status: Annotated[
        Literal["pending", "done", "dropped", "all"], Parameter(help="pending, done, dropped or all.")
    ] = "pending",
    owner: Annotated[str | None, Parameter(help="Only those of this owner.")] = None,
    json: Json = False,
) -> int:
    """List the action items, the oldest first."""
    from clerk import actions as desk
    from cli.reading import from_store, has_record
    from cli.serving import settings_for

    settings = settings_for()
    wanted = None if status == "all" else status
    found = (
        from_store(settings, lambda store: desk.listing(store, OWNER, status=wanted, owner=owner))
        if has_record(settings)
        else []
    )
    if json:
        print_json([desk.as_json(one) for one in found])
    else:
        _print("", found, empty="There are none.")
    return 0


@app.command
def scope(*, json: Json = False) -> int:
    """Show what is open: overdue, within a week, later, and without a date."""
    from clerk import actions as desk
    from cli.reading import from_store, has_record
    from cli.screen import console
    from cli.serving import settings_for
    from parliament.ledger import Scope

    settings = settings_for()
    found: Scope[Entry] = Scope((), (), (), ())
    if has_record(settings):
        found = from_store(settings, lambda store: desk.scope(store, settings, OWNER))
    slots = ("overdue", "upcoming_week", "later", "open_ended")
    if json:
        print_json({slot: [desk.as_json(one) for one in getattr(found, slot)] for slot in slots})
        return 0
    if not any(getattr(found, slot) for slot in slots):
        console().print("Nothing is to be done.")
    for slot in slots:
        if getattr(found, slot):
            _print(slot.replace("_", " ").capitalize(), getattr(found, slot))
    return 0


@app.command
def add(
    task: Annotated[str, Parameter(help="What is to be done.")],
    /,
    *,
    owner: Annotated[str, Parameter(help="Whose it is: shareholder, secretary, or a member.")] = "shareholder",
    deadline: Annotated[str | None, Parameter(help="A date, or words such as 'next Friday'.")] = None,
    json: Json = False,
) -> int:
    """Add an item of your own."""
    from clerk import actions as desk
    from cli.reading import from_store
    from cli.serving import settings_for

    settings = settings_for()
    found = from_store(settings, lambda store: desk.add(store, settings, OWNER, task, owner=owner, deadline=deadline))
    if json:
        print_json(desk.as_json(found))
    else:
        _print("Added", [found])
    return 0


@app.command
def complete(action: Id, /, *, note: Annotated[str, Parameter(help="How it was done.")] = "", json: Json = False) -> int:
    """Complete an item."""
    return _turn(action, done=True, note=note, json=json)


@app.command
def reopen(action: Id, /, *, json: Json = False) -> int:
    """Open an item again."""
    return _turn(action, done=False, json=json)


@app.command
def extract(meeting: Annotated[str, Parameter(help="The meeting's id.")], /, *, json: Json = False) -> int:
    """Read the {ACTION: …} commands of a meeting's transcript again, and add what is new."""
    from clerk import actions as desk
    from cli.reading import from_store, known_place
    from cli.screen import console, say
    from cli.serving import settings_for

    settings = settings_for()
    known_place(settings, meeting)
    found = from_store(settings, lambda store: desk.extract(store, OWNER, meeting))
    if json:
        print_json({"found": found.found, "added": [desk.as_json(one) for one in found.added], "unread": list(found.unread)})
        return 0
    console().print(f"{found.found} in the transcript, {len(found.added)} new.")
    _print("", found.added)
    for one in found.unread:
        say(f"Not read: {shown_line(one)}")
    return 0


@app.command
def sync(*, json: Json = False) -> int:
    """Give items to other programs (BOARDROOM_TASKS_FILE, _WEBHOOK_URL), and take back what was completed there."""
    from activities.bookkeeping import Bookkeeper
    from activities.tasks import owners_of, problems_of, sinks_of
    from clerk.errors import DeskError
    from cli.reading import from_store, has_record
    from cli.screen import console
    from cli.serving import settings_for

    settings = settings_for()
    wrong = problems_of(settings)
    if wrong:
        raise DeskError(wrong[0], usage=True)
    sinks = sinks_of(settings)
    if not sinks:
        raise DeskError(
            "No other program is set up: set BOARDROOM_TASKS_FILE (.txt, .ics or .csv) or BOARDROOM_TASKS_WEBHOOK_URL.",
            usage=True,
        )
    if not has_record(settings):
        console().print("There is nothing to give yet.")
        return 0
    found = from_store(settings, lambda store: Bookkeeper(store, sinks, owners_of(settings)).sync(OWNER))
    if found.troubles:
        raise DeskError(" ".join(map(str, found.troubles)))
    if json:
        print_json({"sinks": [sink.name for sink in sinks], "resolutions": list(found.resolutions)})
    else:
        console().print(f"In step with {', '.join(sink.name for sink in sinks)}.")
    return 0


def _turn(action: str, *, done: bool, note: str = "", json: bool = False) -> int:
    from clerk import actions as desk
    from cli.reading import from_store
    from cli.serving import settings_for

    settings = settings_for()

    async def work(store: Any) -> Entry:
        # The resolution's workflow looks by itself on its next morning; where it stands is computed from the record anyway.
        return await desk.turn(None, store, OWNER, action, done=done, note=note)

    found = from_store(settings, work)
    if json:
        print_json(desk.as_json(found))
    else:
        _print("Done" if done else "Open again", [found])
    return 0


def _print(heading: str, entries: Sequence[Entry], *, empty: str = "") -> None:
    from rich.text import Text

    from cli.entries import Wrapped
    from cli.screen import console

    screen = console()
    if heading:
        screen.print(Text(heading, style="bold"))
    if not entries and empty:
        screen.print(empty)
    for one in entries:
        mark = {"done": "x", "dropped": "-"}.get(one.status, " ")
        line = Text.assemble(
            f"[{mark}] ", shown_line(one.task), "  ", (f"{shown_line(one.owner)}, {_when(one)}, {one.id}", "dim")
        )
        screen.print(Wrapped(line, indent="    "))


def _when(one: Entry) -> str:
    words = shown_line(one.deadline or "")
    if one.due is None:
        return f"“{words}” is no date" if words and one.reading == "unread" else words or "no deadline"
    return one.due.isoformat() if words in ("", one.due.isoformat()) else f"{one.due} (“{words}”)"
