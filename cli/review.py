"""`boardroom review`, `reviews` and `decide`: a board of directors reviews a proposal (source 001)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from cli.meet import Pace, default_pace
from cli.options import Seed, whole
from cli.screen import print_json, shown_line

if TYPE_CHECKING:
    from clerk.reviews import Proposal, Stand
    from records.proposals import Session
    from settings import Settings

APPROVED, REJECTED, ESCALATED = 0, 3, 4
"""Exit codes of `review`, so that a pipeline can use it; 1 the review failed, 2 wrong usage."""
OWNER = "shareholder"
Json = Annotated[bool, Parameter(negative=(), help="Print the result as one JSON object, and nothing else.")]


def review(
    *proposal: Annotated[
        Path,
        Parameter(
            allow_leading_hyphen=True, help="The proposal's files: Markdown, plain text or a diff; - reads standard input."
        ),
    ],
    track: Annotated[str | None, Parameter(help="Id of the track: its files and its earlier decision go together.")] = None,
    to: Annotated[Path, Parameter(help="Folder under which the files are written.")] = Path(),
    board: Annotated[
        Path | None, Parameter(help="Other directors: a folder of their files, or a file that lists them.")
    ] = None,
    rounds: Annotated[int, Parameter(converter=whole, help="Rounds of discussion, 0 to 3.")] = 3,
    title: Annotated[str | None, Parameter(help="Title of the review; else the proposal's first heading.")] = None,
    provider: Annotated[str | None, Parameter(help="auto, anthropic or simulated.")] = None,
    seed: Seed = None,
    pace: Annotated[Pace | None, Parameter(help="How fast simulated voices speak: brisk in a terminal, else instant.")] = None,
    deadline: Annotated[
        str | None, Parameter(allow_leading_hyphen=True, help="Time for the whole review: 90s, 30m, 1h.")
    ] = None,
    resume: Annotated[str | None, Parameter(help="Go on with this review instead of opening one.")] = None,
    json: Json = False,
) -> int:
    """Have directors review a proposal: verdict, conditions and dissent, as files and for a program.

    Exit code 0: approved; 3: rejected; 4: escalated, `boardroom decide` decides.
    """
    from activities.review_files import FilesError, check_folder
    from clerk import reviews
    from clerk.errors import DeskError
    from cli.durations import seconds
    from cli.serving import settings_for
    from stack_server import begin_early

    settings = settings_for(provider=provider)
    planned = None
    odd = next((str(path) for path in proposal if str(path).startswith("-") and str(path) != "-"), None)
    if odd is not None:
        raise DeskError(f"Unknown option: {shown_line(odd)[:60]}. See `boardroom review --help`.", usage=True)
    if resume is not None:
        if proposal:
            raise DeskError(f"--resume {resume[:30]} goes on with a review as it was opened: leave the files out.", usage=True)
        given = {"--track": track, "--board": board, "--title": title, "--seed": seed, "--deadline": deadline}
        changed = [name for name, value in given.items() if value is not None]
        changed += (["--to"] if to != Path() else []) + (["--rounds"] if rounds != reviews.ROUNDS else [])
        if changed:
            raise DeskError(
                f"--resume goes on with a review as it was opened: leave {', '.join(changed)} out "
                "(`boardroom reviews ID --to DIR` writes a review's files elsewhere).",
                usage=True,
            )
        _known(settings, reviews.checked(resume))
    else:
        if not proposal:
            raise DeskError("Name the proposal's files, as in `boardroom review PROPOSAL.md`.", usage=True)
        try:
            limit = seconds(deadline) if deadline is not None else None
        except ValueError as error:
            raise DeskError(f"--deadline: {error}", usage=True) from None
        request = reviews.ReviewRequest(
            documents=tuple(read_proposal(path) for path in proposal),
            track=track,
            folder=to,
            board=board,
            rounds=rounds,
            title=title,
            provider=provider,
            seed=seed,
            pace=pace or default_pace(json=json),
            deadline=limit,
        )
        planned = reviews.plan(settings, request)
        try:
            check_folder(str(to.absolute()), track)
        except FilesError as error:
            raise DeskError(f"The files could not be written: {error} Name another folder with --to.", usage=True) from None
    server = begin_early(settings.data_dir, port=settings.temporal_port, ui_port=settings.temporal_ui_port)

    from cli.reviewing import hold_review

    return hold_review(settings, server, planned, resume, as_json=json)


def _known(settings: Settings, review: str) -> None:
    """Before a server is started for it: a record that is empty has no review. DeskError."""
    from clerk.errors import DeskError, Kind
    from cli.reading import has_record

    if not has_record(settings):
        raise DeskError(f"There is no review {review} in this record: it is empty.", kind=Kind.UNKNOWN)


def read_proposal(path: Path) -> Proposal:
    """One file of a proposal; "-" is standard input. DeskError in one sentence when it cannot be read."""
    from clerk.errors import DeskError
    from clerk.reviews import MAX_PROPOSAL, Proposal

    name = "standard input" if str(path) == "-" else path.name
    try:
        if str(path) != "-" and path.is_fifo():
            from cli.screen import say

            say(f"Reading {shown_line(str(path))} until its writer closes it…")
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_PROPOSAL + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_PROPOSAL + 1)
    except FileNotFoundError:
        raise DeskError(f"The proposal {path} does not exist: check its name.", usage=True) from None
    except IsADirectoryError:
        raise DeskError(f"{path} is a folder: name the proposal's files in it.", usage=True) from None
    except OSError as error:
        raise DeskError(f"The proposal {path} cannot be read ({error.strerror}).", usage=True) from None
    if len(data) > MAX_PROPOSAL:
        raise DeskError(f"{path} is larger than 2 MiB: shorten the proposal.", usage=True)
    try:
        return Proposal(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DeskError(f"{path} is not a text file in UTF-8: hand in Markdown, plain text or a diff.", usage=True) from None


def reviews(
    review: Annotated[str | None, Parameter(help="Show this one, such as board-20260201-1.")] = None,
    /,
    *,
    track: Annotated[str | None, Parameter(help="Only those of this track.")] = None,
    to: Annotated[Path | None, Parameter(help="Write the review's files under this folder.")] = None,
    json: Json = False,
) -> int:
    """List the proposal reviews, the newest first, or show one."""
    from clerk import reviews as desk
    from clerk.errors import DeskError
    from cli.reading import from_store, has_record
    from cli.screen import console
    from cli.serving import settings_for

    settings = settings_for()
    if to is not None and review is None:
        raise DeskError("Name the review whose files are to be written, as in `boardroom reviews ID --to DIR`.", usage=True)
    if track is not None and review is not None:
        raise DeskError("A review is shown by its id: leave --track out.", usage=True)
    if review is not None:
        _known(settings, desk.checked(review))
    if not has_record(settings):
        found: list[Session] = []
    elif review is not None:
        one = from_store(settings, lambda store: desk.stand(store, review, OWNER))
        if to is not None:
            _write(one, to)
        if json:
            print_json(one.as_json)
        else:
            show(one)
        return 0
    else:
        found = from_store(settings, lambda store: desk.listing(store, OWNER, track=track))
    if json:
        print_json([desk.line(one) for one in found])
        return 0
    screen = console()
    if not found:
        of = f" of the track {shown_line(track)[:100]}" if track is not None else ""
        screen.print(f"No proposal{of} was reviewed yet: boardroom review PROPOSAL.md", markup=False)
    for one in found:
        screen.print(_shown(one))
    return 0


def _write(found: Stand, to: Path) -> None:
    import asyncio

    from activities.review_files import FilesError, write_files
    from clerk.errors import DeskError, Kind
    from cli.screen import say

    if found.session.outcome is None:
        raise DeskError(f"The review {found.session.session_id} has no result yet.", kind=Kind.REFUSED)
    try:
        say(f"The files are in {asyncio.run(write_files(str(to.absolute()), found.record))}.")
    except FilesError as error:
        raise DeskError(f"The files cannot be written: {error} Name another folder with --to.") from None


def decide(
    review: Annotated[str, Parameter(help="The review's id, such as board-20260201-1.")],
    answer: Annotated[Literal["approve", "reject"], Parameter(help="approve or reject.")],
    /,
    *,
    because: Annotated[str, Parameter(help="Why; it stands in the record.")],
    json: Json = False,
) -> int:
    """Decide a proposal that the directors escalated."""
    from clerk import reviews as desk
    from cli.preparing import desk as with_stack
    from cli.serving import settings_for

    settings = settings_for()
    _known(settings, desk.checked(review))

    async def work(stack: Any) -> Stand:
        from cli.reviewing import settle_files

        found = await desk.decide(stack.client, stack.store, review, answer, because, owner=OWNER)
        return await settle_files(stack, found.session.meeting_id)

    found = with_stack(settings, work)
    if json:
        print_json(found.as_json)
    else:
        show(found)
    return 0


def _shown(one: Session) -> Any:
    from rich.text import Text

    verdict = (one.outcome or one.status.replace("_", " ")) + (" WITH REVIEW" if one.with_review else "")
    if one.decision is not None:
        verdict += f", {one.decision}d by you".replace("rejectd", "rejected")
    track = f" · {shown_line(one.track)}" if one.track else ""
    simulated = " · simulated" if one.simulated else ""
    return Text.assemble(
        (one.session_id, "bold"), f"  {verdict}", (f"{track}{simulated}", "dim"), f"\n  {shown_line(one.name)}"
    )


def show(found: Stand) -> None:
    """What a review came to, as it is shown at its end."""
    from cli.review_result import result
    from cli.screen import console

    console().print(result(found))
