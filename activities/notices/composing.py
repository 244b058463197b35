"""What a notice says. Without the person's leave it holds ids, counts and a link, and nothing of what was said (law 15)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from parliament.text import brief, with_directions_shown
from parliament.values import Disposition

KINDS: dict[str, tuple[str, str]] = {
    # kind -> subject, first sentence
    "meeting_started": ("The board meets", "A meeting of your board has begun."),
    "resolution": ("A motion of the board came to its end", "The board is done with a motion."),
    "meeting_ended": ("The board has adjourned", "A meeting of your board is over."),
    "meeting_failed": ("A meeting of the board waits", "A meeting of your board halted and waits to be resumed."),
    "quorum_lost": ("The board has lost its quorum", "A meeting of your board has no quorum and waits to be resumed."),
    "agenda_waiting": ("An agenda waits for you", "The agenda of a meeting waits for your approval."),
    "meeting_dropped": (
        "A meeting was dropped",
        "The agenda of a meeting was not approved in time, so the meeting was dropped.",
    ),
    "meeting_missed": ("A meeting was missed", "A scheduled meeting was not held, because nothing was running to hold it."),
    "convening_failed": ("A scheduled meeting failed", "A scheduled meeting could not be held, or halted."),
    "convening_timeout": ("A scheduled meeting takes long", "A scheduled meeting was not over within its limit."),
    "review": ("The secretary's review is there", "The secretary has reviewed a meeting of your board."),
    "summary": ("The summary that you asked for", "This is the summary of a meeting of your board."),
    "resolution_waiting": ("A resolution waits for your answer", "A resolution of your board still waits for your answer."),
    "resolution_returned": (
        "A resolution is back",
        "The day has come to which you deferred a resolution; it waits for your answer.",
    ),
    "action_due": ("An action item is due today", "An action item of a resolution is due today."),
    "action_overdue": ("An action item is overdue", "An action item of a resolution is past its deadline."),
    "resolution_stale": ("A resolution stands still", "Nothing has moved on a resolution for a long time."),
    "resolution_done": ("A resolution is done", "A resolution of your board is carried out."),
    "review_escalated": (
        "A proposal waits for your decision",
        "The directors have no majority: a proposal waits for your decision.",
    ),
    "review_resolved": ("A proposal was reviewed", "The directors have reviewed a proposal."),
    "drift_meeting": ("Goals are off track", "Goals are off track, so the board meets on them."),
    "test": ("A test", "This is a test: notices reach you here."),
}
"""The moments of which the person is told (source 000, Trigger Points, Scheduling and Secretary Review)."""

FOLLOWED = frozenset(
    ("resolution_waiting", "resolution_returned", "action_due", "action_overdue", "resolution_stale", "resolution_done")
)
"""Moments of a resolution after its meeting; their ref is the change's id, which begins with the resolution's."""

REVIEWED = frozenset(("review_escalated", "review_resolved"))
"""Moments of a proposal review (source 001)."""

ADOPTED = ("The board has adopted a resolution", "The board has adopted a resolution.")
ENDS = {
    Disposition.LOST: "was lost",
    Disposition.TIED: "was lost by a tied vote",
    Disposition.UNSECONDED: "was not seconded",
    Disposition.WITHDRAWN: "was withdrawn",
    Disposition.TABLED: "was laid on the table",
    Disposition.POSTPONED: "was postponed",
    Disposition.REFERRED: "was referred",
    Disposition.OUT_OF_ORDER: "was out of order",
    Disposition.FELL: "fell to the ground",
}
"""How a motion may end but by its adoption."""

REPEATED = "You may have had this notice before: whether an earlier attempt reached you is not known."
SIMULATED = "The voices of this meeting are simulated."


@dataclass(frozen=True, slots=True)
class Moment:
    """What happened. `name`, `topic`, `text` and `why` are told only where the person turned details on."""

    id: str
    kind: str
    meeting: str | None = None
    ref: str | None = None  # the resolution, the number of a reminder, or the planned time ("2026-12-06T14:00Z")
    simulated: bool = False
    resolutions: int | None = None  # adopted so far
    disposition: str = ""  # how the motion of a resolution ended
    name: str = ""
    topic: str = ""
    text: str = ""
    why: str = ""
    task: str = ""  # of the action item
    counts: tuple[int, ...] = ()  # of a review: done, recommended, for the person to decide
    whole: str = ""  # a review or a summary as plain text
    title: str = ""  # its subject

    @property
    def resolution(self) -> str | None:
        """The resolution that it is about."""
        return self.ref.partition("/")[0] if self.ref is not None and self.ref.startswith("RES-") else None


@dataclass(frozen=True, slots=True)
class Message:
    """A notice as it is sent: one line of subject, plain text, and whether it may be a repetition.

    `text` has the details if they were asked for; `plain` never has them, and neither has any other field. A channel that
    carries none (the webhook) sends `plain`.
    """

    subject: str
    text: str
    plain: str
    id: str
    kind: str
    meeting: str | None = None
    link: str = ""
    simulated: bool = False
    possibly_repeated: bool = False


def compose(moment: Moment, *, details: bool, public_url: str = "", possibly_repeated: bool = False) -> Message:
    """The message of a moment, from nothing but these arguments. Raises KeyError for a kind that is none."""
    subject, first = KINDS[moment.kind]
    if moment.kind == "resolution" and moment.disposition == Disposition.ADOPTED:
        subject, first = ADOPTED
    link = f"{public_url.rstrip('/')}/api/v1/{_path(moment)}" if public_url and moment.meeting else ""
    # A summary is sent because the person asked for it to be sent: that is leave enough, for mail.
    whole = moment.whole if details or moment.kind == "summary" else ""
    facts, told = [first, *_counts(moment)], [whole.rstrip()] if whole else _details(moment) if details else []
    ends = [*_place(moment, link), *([SIMULATED] if moment.simulated else []), *([REPEATED] if possibly_repeated else [])]
    return Message(
        subject=with_directions_shown(moment.title)
        if whole
        else f"Boardroom{' (simulated)' if moment.simulated else ''}: {subject}",
        text=with_directions_shown(_paragraphs([*facts, *told, *ends])),
        plain=_paragraphs([*facts, *ends]),
        id=moment.id,
        kind=moment.kind,
        meeting=moment.meeting,
        link=link,
        simulated=moment.simulated,
        possibly_repeated=possibly_repeated,
    )


def _path(moment: Moment) -> str:
    if moment.kind in FOLLOWED and moment.resolution is not None:
        return f"board/resolutions/{moment.resolution}"
    if moment.kind in REVIEWED:
        return f"reviews/{moment.meeting}"
    return f"board/meetings/{moment.meeting}" + (f"/{moment.kind}" if moment.kind in ("review", "summary") else "")


def _paragraphs(lines: list[str]) -> str:
    return "\n\n".join(lines) + "\n"


def _counts(moment: Moment) -> list[str]:
    """How it went in numbers, times and the rules' own words."""
    found = []
    if moment.kind == "resolution" and (end := ENDS.get(moment.disposition)):  # type: ignore[call-overload]
        found.append(f"It {end}.")
    if moment.kind == "agenda_waiting" and moment.ref is not None and moment.ref.isdecimal():
        found.append(f"This is reminder {int(moment.ref)}.")
    if moment.kind == "review_escalated" and moment.ref is not None and moment.ref.isdecimal():
        found.append(f"This is reminder {int(moment.ref)}.")
    if moment.kind == "review" and moment.counts:
        done, recommended, yours = moment.counts
        found.append(f"{yours or 'None'} of its action items need your call, {recommended} await a nod, {done} are done.")
    if (planned := _time(moment.ref)) is not None:
        found.append(f"It was planned for {planned:%Y-%m-%d %H:%M} UTC.")
    if moment.resolutions is not None:
        number = moment.resolutions
        found.append(f"{number or 'No'} resolution{'s were' if number > 1 else ' was'} adopted.")
    return found


def _time(ref: str | None) -> datetime | None:
    """The planned time that a convening's notice refers to."""
    try:
        return datetime.strptime(ref or "", "%Y-%m-%dT%H:%MZ")  # noqa: DTZ007 - it is shown as the UTC that it is
    except ValueError:
        return None


def _details(moment: Moment) -> list[str]:
    """What the person wants to read of it, a line each: no text can look like a line of ours."""
    labelled = (
        ("Meeting", moment.name, 200),
        ("Topic", moment.topic, 300),
        ("Resolution", moment.text, 2000),
        ("Action item", moment.task, 500),
        ("Reason", moment.why, 300),
    )
    return [f"{label}: {brief(value, limit)}" for label, value, limit in labelled if value]


def _place(moment: Moment, link: str) -> list[str]:
    """What it is about, by its id, and where more can be read."""
    if moment.meeting is None:
        return [] if moment.kind == "test" else ["`boardroom schedule show` says more."]
    about = f"Meeting {moment.meeting}"
    if moment.resolution is not None:
        about += f", resolution {moment.resolution}"
    if moment.kind in FOLLOWED and moment.resolution is not None:
        return [f"{about}.", f"See {link}" if link else f"`boardroom resolutions show {moment.resolution}` shows it."]
    if moment.kind in ("review", "summary"):
        return [f"{about}.", f"See {link}" if link else f"`boardroom summary {moment.meeting} --review` shows it."]
    if moment.kind in REVIEWED:
        return [f"{about}.", f"See {link}" if link else f"`boardroom reviews {moment.meeting}` shows it."]
    command = "agenda" if moment.kind == "agenda_waiting" else "meetings"
    return [f"{about}.", f"See {link}" if link else f"`boardroom {command} {moment.meeting}` shows it."]
