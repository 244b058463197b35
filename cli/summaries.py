"""`boardroom summary`: the executive summary of a meeting, and the secretary's review."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from cli.screen import print_json, shown

Json = Annotated[bool, Parameter(negative=(), help="Print JSON, and nothing else, on standard output.")]


def summary(
    meeting: Annotated[str, Parameter(help="The meeting's id.")],
    /,
    *,
    review: Annotated[bool, Parameter(negative=(), help="Print the secretary's review instead.")] = False,
    regenerate: Annotated[bool, Parameter(negative=(), help="Have it written anew, by what you said of it.")] = False,
    mail: Annotated[bool, Parameter(negative=(), help="Send the new one by mail (with --regenerate).")] = False,
    feedback: Annotated[str | None, Parameter(help="Say what you think of it.")] = None,
    json: Json = False,
) -> int:
    """Print the executive summary of a meeting that is over; it is written when there is none yet."""
    from clerk import summaries as desk
    from clerk.errors import DeskError
    from cli.preparing import desk as with_stack
    from cli.reading import from_store, known_place
    from cli.serving import settings_for

    settings = settings_for()
    known_place(settings, meeting)
    if mail and not regenerate:
        raise DeskError("--mail goes with --regenerate: a new summary is written and sent.", usage=True)
    if review:
        found_review = from_store(settings, lambda store: desk.review(store, meeting))
        _print(found_review, str(found_review["text"]), json=json)
        return 0
    if feedback is not None:
        found = from_store(settings, lambda store: desk.give_feedback(store, meeting, feedback))
    else:
        there = None if regenerate else from_store(settings, lambda store: desk.standing(store, meeting))

        async def work(stack: Any) -> desk.Summarized:
            if regenerate:
                return await desk.regenerate(stack.client, stack.store, settings, meeting, mail=mail)
            return await desk.summary(stack.client, stack.store, settings, meeting)

        found = there if there is not None else with_stack(settings, work)
    _print(found.as_json, found.markdown, json=json)
    return 0


def _print(value: dict[str, Any], text: str, *, json: bool) -> None:
    if json:
        print_json(value)
    else:
        print(shown(text).rstrip("\n"))
