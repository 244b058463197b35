"""`boardroom meet`: from the arguments to a meeting that is opened, or one that goes on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from cli.options import Seed

if TYPE_CHECKING:
    from clerk.opening import OpenRequest
    from parliament.agenda import Agenda

Pace = Literal["instant", "brisk", "human"]


def meet(
    *topic: Annotated[str, Parameter(help="What the board is to decide; several topics in quotation marks are several items.")],
    agenda: Annotated[Path | None, Parameter(help="An agenda file instead, as text or JSON.")] = None,
    seats: Annotated[str, Parameter(help="auto (by the agenda's themes), all, or member ids with commas.")] = "auto",
    provider: Annotated[str | None, Parameter(help="auto, anthropic or simulated.")] = None,
    seed: Seed = None,
    pace: Annotated[Pace | None, Parameter(help="How fast simulated voices speak: brisk in a terminal, else instant.")] = None,
    deadline: Annotated[
        str | None, Parameter(allow_leading_hyphen=True, help="Time for the whole meeting: 90s, 30m, 1h.")
    ] = None,
    name: Annotated[str | None, Parameter(help="Name of the meeting; else its first topic.")] = None,
    resume: Annotated[str | None, Parameter(help="Go on with this meeting instead of opening one.")] = None,
    json: Annotated[bool, Parameter(negative=(), help="Print the result as one JSON object, and nothing else.")] = False,
) -> int:
    """Hold a meeting and watch it.

    Type a line while it runs to speak to the board. Ctrl-C pauses it; `--resume` goes on, also after a crash.
    """
    from clerk.opening import plan
    from cli.reading import known_place
    from cli.serving import settings_for
    from stack_server import begin_early

    if resume is not None:
        _alone(resume, topic, agenda)
        rules = {"--provider": provider, "--seed": seed, "--pace": pace, "--deadline": deadline, "--name": name}
        given = ["--seats"] if seats != "auto" else []
        _as_opened(resume, given + [option for option, value in rules.items() if value is not None])
        request = None
    else:
        request = _request(topic, agenda, seats, seed, pace or default_pace(json=json), deadline, name)
    settings = settings_for(provider=provider)
    planned = plan(settings, request) if request is not None else None
    if resume is not None:
        known_place(settings, resume)
    # The server starts while the rest of the program is being loaded.
    server = begin_early(settings.data_dir, port=settings.temporal_port, ui_port=settings.temporal_ui_port)

    from cli.holding import hold_meeting

    return hold_meeting(settings, server, planned, resume, as_json=json)


def default_pace(*, json: bool) -> Pace:
    """A reader can follow in a terminal; a program need not wait."""
    return "instant" if json or not sys.stdout.isatty() else "brisk"


def _alone(resume: str, topic: tuple[str, ...], agenda: Path | None) -> None:
    from clerk.errors import DeskError

    if topic or agenda is not None:
        raise DeskError(f"--resume {resume[:20]} goes on with a meeting as it was opened: leave the topic out.", usage=True)


def _as_opened(resume: str, options: list[str]) -> None:
    """All of these were frozen when the meeting was opened; to take them and do nothing would mislead."""
    from clerk.errors import DeskError

    if options:
        raise DeskError(
            f"--resume {resume[:20]} goes on with a meeting as it was opened: leave {' and '.join(options)} out.", usage=True
        )


def _request(
    topic: tuple[str, ...],
    agenda: Path | None,
    seats: str,
    seed: int | None,
    pace: Pace,
    deadline: str | None,
    name: str | None,
) -> OpenRequest:
    from clerk.errors import DeskError
    from clerk.opening import OpenRequest
    from cli.durations import seconds
    from parliament.agenda import agenda_from_topics

    if topic and agenda is not None:
        raise DeskError("Give a topic or --agenda FILE, not both.", usage=True)
    if agenda is not None:
        items = read_agenda_file(agenda)
    elif topic:
        items = agenda_from_topics(topics(topic))
    else:
        raise DeskError('Say what the board is to decide: boardroom meet "Should I take the job in Lisbon?"', usage=True)
    try:
        limit = seconds(deadline) if deadline is not None else None
    except ValueError as error:
        raise DeskError(f"--deadline: {error}", usage=True) from None
    return OpenRequest(agenda=items, seats=seats, seed=seed, pace=pace, deadline=limit, name=name)


def topics(words: tuple[str, ...]) -> list[str]:
    """The topics of the arguments. Several arguments of one word each are one topic whose quotation marks were forgotten."""
    if len(words) > 1 and not any(any(c.isspace() for c in word.strip()) for word in words):
        return [" ".join(words)]
    return list(words)


def read_agenda_file(path: Path) -> Agenda:
    """The agenda in a file. DeskError in one sentence when it cannot be read or is none."""
    from clerk.errors import DeskError
    from parliament.agenda import MAX_AGENDA_TEXT, AgendaError, read_agenda

    try:
        with path.open("rb") as file:
            data = file.read(MAX_AGENDA_TEXT + 1)
        text = data.decode("utf-8") if len(data) <= MAX_AGENDA_TEXT else None
    except FileNotFoundError:
        raise DeskError(f"The agenda file {path} does not exist: check its name.", usage=True) from None
    except IsADirectoryError:
        raise DeskError(f"{path} is a folder: name the agenda file in it.", usage=True) from None
    except OSError as error:
        raise DeskError(f"The agenda file {path} cannot be read ({error.strerror}).", usage=True) from None
    except UnicodeDecodeError:
        text = "\0"
    if text is None:
        raise DeskError(f"The agenda file {path} is larger than 1 MiB: put long papers into the board book.", usage=True)
    if "\0" in text:
        raise DeskError(
            f"{path} is not a text file: write the agenda as UTF-8 text, each item as 1. [Topic] (type: decision).", usage=True
        )
    try:
        return read_agenda(text)
    except AgendaError as error:
        raise DeskError(f"{path}: {error}.", usage=True) from None
