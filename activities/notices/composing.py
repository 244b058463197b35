"""What a notice says. Without the person's leave it holds ids, counts and a link, and nothing of what was said (law 15)."""

from __future__ import annotations

from dataclasses import dataclass

from parliament.text import brief, one_line

KINDS: dict[str, tuple[str, str]] = {
    # kind -> subject, first sentence
    "meeting_started": ("The board meets", "A meeting of your board has begun."),
    "resolution": ("A resolution of the board", "The board has come to a resolution."),
    "meeting_ended": ("The board has adjourned", "A meeting of your board is over."),
    "meeting_failed": ("A meeting of the board waits", "A meeting of your board halted and waits to be resumed."),
    "quorum_lost": ("The board has lost its quorum", "A meeting of your board has no quorum and waits to be resumed."),
    "agenda_waiting": ("An agenda waits for you", "The agenda of a meeting waits for your approval."),
    "meeting_dropped": (
        "A meeting was dropped",
        "The agenda of a meeting was not approved in time, so the meeting was dropped.",
    ),
    "meeting_missed": ("A meeting was missed", "A scheduled meeting was not held, because nothing was running to hold it."),
    "convening_failed": ("A scheduled meeting failed", "A scheduled meeting could not be held."),
    "convening_timeout": ("A scheduled meeting takes long", "A scheduled meeting was not over within its limit."),
    "drift_meeting": ("Goals are off track", "Goals are off track, so the board meets on them."),
    "test": ("A test", "This is a test: notices reach you here."),
}
"""The moments of which the person is told."""

REPEATED = "This notice may have been sent before: what sent it died before it could say so."
SIMULATED = "The voices of this meeting are simulated."


@dataclass(frozen=True, slots=True)
class Moment:
    """What happened. The fields after `ref` are told only where the person turned details on, except the counts."""

    id: str
    kind: str
    meeting: str | None = None
    ref: str | None = None  # the resolution, or a time
    simulated: bool = False
    resolutions: int | None = None  # adopted so far
    disposition: str = ""  # how the motion of a resolution ended
    name: str = ""
    topic: str = ""
    text: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A notice as it is sent: one line of subject, plain text, and whether it may be a repetition."""

    subject: str
    text: str
    id: str
    kind: str
    meeting: str | None = None
    link: str = ""
    possibly_repeated: bool = False


def compose(moment: Moment, *, details: bool, public_url: str = "", possibly_repeated: bool = False) -> Message:
    """The message of a moment. Raises KeyError for a kind that is none."""
    subject, first = KINDS[moment.kind]
    lines = [first]
    if moment.kind == "resolution" and moment.disposition:
        lines.append(f"Its motion was {moment.disposition.replace('_', ' ')}.")
    if moment.resolutions is not None:
        number = moment.resolutions
        lines.append(f"{number} resolution{'' if number == 1 else 's'} {'was' if number == 1 else 'were'} adopted.")
    if details:
        lines += [
            f"{label}: {brief(one_line(value), limit)}"
            for label, value, limit in (
                ("Meeting", moment.name, 200),
                ("Topic", moment.topic, 300),
                ("Resolution", moment.text, 2000),
                ("Reason", moment.why, 300),
            )
            if value
        ]
    link = ""
    if moment.meeting is not None:
        about = f"Meeting {moment.meeting}"
        if moment.ref and moment.kind == "resolution":
            about += f", resolution {moment.ref}"
        lines.append(about + ".")
        link = f"{public_url.rstrip('/')}/api/v1/board/meetings/{moment.meeting}" if public_url else ""
        command = "agenda" if moment.kind == "agenda_waiting" else "meetings"
        lines.append(f"See {link}" if link else f"`boardroom {command} {moment.meeting}` shows it.")
    if moment.simulated:
        lines.append(SIMULATED)
    if possibly_repeated:
        lines.append(REPEATED)
    return Message(
        subject=f"Boardroom: {subject}",
        text="\n\n".join(lines) + "\n",
        id=moment.id,
        kind=moment.kind,
        meeting=moment.meeting,
        link=link,
        possibly_repeated=possibly_repeated,
    )
