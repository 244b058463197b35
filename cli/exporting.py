"""`boardroom export` and `import`: meetings as files in a folder, and back (docs/exports.md)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cli.screen import print_json, say

if TYPE_CHECKING:
    from clerk.importing import Brought

Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]
Owner = Annotated[str, Parameter(help="Whose record.")]


def export(
    *meetings: Annotated[str, Parameter(help="Ids of the meetings.")],
    to: Annotated[Path, Parameter(help="The folder to write into; it is made where it is not.")],
    all: Annotated[bool, Parameter(negative=(), help="Every meeting, and the whole ledger of action items.")] = False,
    owner: Owner = "shareholder",
    json: Json = False,
) -> int:
    """Write meetings into a folder. Whispers are never exported."""
    from clerk import exporting
    from clerk.errors import DeskError
    from cli.reading import from_store, has_record, known_place
    from cli.screen import console
    from cli.serving import settings_for

    settings = settings_for()
    if bool(meetings) == all:
        raise DeskError("Name the meetings to export, or say --all.", usage=True)
    for meeting in meetings:
        known_place(settings, meeting)
    if not has_record(settings):
        raise DeskError(f"There is no record in {settings.data_dir} to export: see BOARDROOM_DATA_DIR.", usage=True)
    wanted = None if all else list(dict.fromkeys(meetings))
    done = from_store(settings, lambda store: exporting.export(store, to, wanted, owner=owner))
    if json:
        print_json({"meetings": list(done.meetings), "files": done.files, "folder": str(to)})
    else:
        console().print(f"{_count(len(done.meetings), 'meeting')} in {to}: {done.files} files.", soft_wrap=True)
    return 0


def import_(
    folder: Annotated[Path, Parameter(help="The folder that holds meetings/, resolutions/ and action_items.json.")],
    /,
    *,
    owner: Owner = "shareholder",
    json: Json = False,
) -> int:
    """Take meetings into the record: those of an export, and those that another board kept in the same structures."""
    from clerk import importing
    from cli.reading import from_store
    from cli.serving import settings_for

    settings = settings_for()
    brought = from_store(settings, lambda store: importing.bring(store, settings, folder, owner=owner))
    for problem in brought.problems:
        say(problem)
    if json:
        print_json(
            {
                "imported": brought.new,
                "unchanged": brought.unchanged,
                "action_items": {"imported": brought.new_entries, "unchanged": brought.unchanged_entries},
                "problems": brought.problems,
                "left_alone": brought.left,
            }
        )
    else:
        _tell(brought)
    return 1 if brought.problems else 0


def _tell(brought: Brought) -> None:
    from cli.screen import console, shown

    screen = console()
    screen.print(
        f"Brought along: {_count(len(brought.new), 'meeting')}, {_count(brought.new_entries, 'action item')} of the ledger. "
        f"In the record already: {len(brought.unchanged)} and {brought.unchanged_entries}."
    )
    for name in brought.left:
        screen.print(f"Left alone: {shown(name)}", style="dim")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
