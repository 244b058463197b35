"""`boardroom delete` and `erase`: a meeting, or everything of a person, deleted everywhere."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cli.screen import print_json, say

if TYPE_CHECKING:
    from clerk.erasing import Erased

Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]
Yes = Annotated[bool, Parameter(negative=(), help="Do it without asking.")]


def delete(meeting: Annotated[str, Parameter(help="The meeting's id.")], /, *, yes: Yes = False, json: Json = False) -> int:
    """Delete a meeting everywhere: its record, its transcript, what can be found of it, its workflow's history."""
    from cli.reading import known_place
    from cli.serving import settings_for

    settings = settings_for()
    known_place(settings, meeting)
    _ask(f"Delete the meeting {meeting} with its record?", yes=yes)

    async def go() -> Erased:
        from clerk import erasing
        from stack import Stack

        async with Stack.up(settings, worker=False) as stack:
            return await erasing.delete(stack.client, stack.store, meeting)

    return _told(asyncio.run(go()), as_json=json)


def erase(
    owner: Annotated[str, Parameter(help="Whose record.")] = "shareholder",
    /,
    *,
    yes: Yes = False,
    force: Annotated[bool, Parameter(negative=(), help="Also end and erase meetings that are still open.")] = False,
    json: Json = False,
) -> int:
    """Erase everything of a person: every meeting with all that hangs on it, and every token."""
    from cli.serving import settings_for

    settings = settings_for()
    _ask(f"Erase every meeting and every token of {owner}?", yes=yes)

    async def go() -> Erased:
        from clerk import erasing
        from stack import Stack

        async with Stack.up(settings, worker=False) as stack:
            return await erasing.erase(stack.client, stack.store, owner, force=force)

    return _told(asyncio.run(go()), as_json=json)


def _ask(question: str, *, yes: bool) -> None:
    from clerk.errors import DeskError

    if yes:
        return
    if not sys.stdin.isatty():
        raise DeskError(f"{question} Say --yes to do it.", usage=True)
    if input(f"{question} It cannot be taken back. Type yes: ").strip().lower() != "yes":
        raise DeskError("Nothing was deleted.")


def _told(erased: Erased, *, as_json: bool) -> int:
    if as_json:
        print_json({"meetings": list(erased.meetings), "log_emptied": erased.log_emptied})
    else:
        say(f"Deleted: {', '.join(erased.meetings) if erased.meetings else 'no meeting'}.")
        if not erased.log_emptied:
            say("Another program reads the store: what was deleted leaves its log when that program ends.")
    return 0
