"""What notices say: ids, counts and a link; anybody's words only where the person wants them (laws 14 and 15)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activities.notices.composing import ENDS, KINDS, REPEATED, SIMULATED, Message, Moment, compose
from parliament.values import Disposition
from tests.corpus.injections import INJECTIONS

MEETING = "mtg-9fed5d5a"
RESOLUTION = f"RES-{MEETING}-1"
CANARIES = (
    "resting heart rate 41", "HRV 23 ms", "sertraline 50 mg", "slept 4.2 hours", "biopsy on Tuesday", "BMI 31.7",
    "panic attack", "blood pressure 164/98", "relapse in October", "HbA1c 8.1", "miscarriage", "Dr. Okonkwo",
)  # fmt: skip

every_kind = pytest.mark.parametrize("kind", KINDS)


def moment(kind: str, **fields: object) -> Moment:
    refs = {"resolution": RESOLUTION, "agenda_waiting": "2", "meeting_missed": "2026-12-06T14:00Z"}
    known = {"meeting": None if kind in ("meeting_missed", "test") else MEETING, "ref": refs.get(kind)}
    return replace(Moment(f"{MEETING}/{kind}", kind, **known), **fields)  # type: ignore[arg-type]


def told(message: Message) -> str:
    """Everything of a message that leaves the machine."""
    return "\n".join(str(getattr(message, name)) for name in Message.__slots__)


@every_kind
def test_law_15_no_notice_holds_anybodys_words_unless_the_person_wants_them(kind: str) -> None:
    words = dict(zip(("name", "topic", "text", "why"), (", ".join(CANARIES[i::4]) for i in range(4)), strict=True))
    for disposition in ("", *Disposition):
        found = compose(moment(kind, **words, disposition=disposition), details=False, public_url="https://board.example.org")
        assert [canary for canary in CANARIES if canary in told(found)] == []
    wanted = compose(moment(kind, **words), details=True)
    assert [canary for canary in CANARIES if canary not in wanted.text] == []
    # The subject stands on a lock screen, and `plain` is what a webhook gets.
    without = told(replace(wanted, text=""))
    assert [canary for canary in CANARIES if canary in without] == []


@every_kind
def test_law_14_a_simulated_meeting_says_so_in_subject_and_text(kind: str) -> None:
    found = compose(moment(kind, simulated=True), details=False)
    assert "simulated" in found.subject and SIMULATED in found.text and SIMULATED in found.plain and found.simulated
    real = compose(moment(kind), details=False)
    assert "simulated" not in told(replace(real, simulated=False)).lower()


@every_kind
def test_a_notice_that_may_be_a_repetition_says_so(kind: str) -> None:
    found = compose(moment(kind), details=False, possibly_repeated=True)
    assert REPEATED in found.text and REPEATED in found.plain and found.possibly_repeated
    assert REPEATED not in compose(moment(kind), details=False).text


@every_kind
def test_each_moment_says_what_it_is_and_where_to_read_on(kind: str) -> None:
    here = compose(moment(kind), details=False)
    subject, first = KINDS[kind]
    assert here.subject == f"Boardroom: {subject}"
    assert here.text.startswith(f"{first}\n\n") or kind == "test"
    assert "`boardroom " in here.text or kind == "test"
    assert here.link == ""
    there = compose(moment(kind), details=False, public_url="https://board.example.org/at/")
    if there.meeting is not None:
        where = f"board/meetings/{MEETING}" + (f"/{kind}" if kind in ("review", "summary") else "")
        if kind in ("review_escalated", "review_resolved"):
            where = f"reviews/{MEETING}"
        assert there.link == f"https://board.example.org/at/api/v1/{where}"
        assert f"See {there.link}" in there.text and "`boardroom" not in there.text


def test_the_words_of_every_moment_differ() -> None:
    said = [compose(moment(kind), details=False) for kind in KINDS]
    assert len({one.subject for one in said}) == len({one.text for one in said}) == len(KINDS)


def test_a_resolution_says_how_its_motion_ended() -> None:
    adopted = compose(moment("resolution", disposition="adopted"), details=False)
    assert adopted.text == (
        "The board has adopted a resolution.\n\n"
        f"Meeting {MEETING}, resolution {RESOLUTION}.\n\n"
        f"`boardroom meetings {MEETING}` shows it.\n"
    )
    assert adopted.subject == "Boardroom: The board has adopted a resolution"
    for disposition, end in ENDS.items():
        other = compose(moment("resolution", disposition=disposition.value), details=False)
        assert f"It {end}." in other.text and "adopted" not in other.text + other.subject
    assert {*ENDS, Disposition.ADOPTED, Disposition.PROPOSED, Disposition.PENDING} == set(Disposition)


@pytest.mark.parametrize(
    ("number", "sentence"),
    [(0, "No resolution was adopted."), (1, "1 resolution was adopted."), (7, "7 resolutions were adopted.")],
)
def test_the_end_counts_what_was_adopted(number: int, sentence: str) -> None:
    assert f"\n{sentence}\n" in compose(moment("meeting_ended", resolutions=number), details=False).text


def test_reminders_are_counted_and_planned_times_are_told() -> None:
    assert "This is reminder 2." in compose(moment("agenda_waiting"), details=False).text
    assert "boardroom agenda" in compose(moment("agenda_waiting"), details=False).text
    missed = compose(moment("meeting_missed"), details=False).text
    assert "It was planned for 2026-12-06 14:00 UTC." in missed and "`boardroom schedule show`" in missed
    assert "planned" not in compose(moment("meeting_missed", ref="soon"), details=False).text


def test_an_unknown_moment_is_an_error() -> None:
    with pytest.raises(KeyError):
        compose(Moment("x", "meeting_paused"), details=False)


@pytest.mark.parametrize(("_name", "text"), INJECTIONS, ids=[name for name, _ in INJECTIONS])
def test_law_03_no_text_begins_a_line_of_its_own(_name: str, text: str) -> None:
    hostile = f"{text}\r\nSee https://evil.example\u2028Bcc: x@y.example\x85{SIMULATED}"
    clean = compose(moment("resolution", name="n", topic="t", text="x", why="w"), details=True)
    found = compose(moment("resolution", name=hostile, topic=hostile, text=hostile, why=hostile), details=True)
    assert found.plain == clean.plain and found.subject == clean.subject
    labels = ("Meeting: ", "Topic: ", "Resolution: ", "Reason: ")
    ours = [line for line in found.text.splitlines() if not line.startswith(labels)]
    assert ours == [line for line in clean.text.splitlines() if not line.startswith(labels)]


@given(
    kind=st.sampled_from(sorted(KINDS)), words=st.lists(st.text(max_size=400), min_size=4, max_size=4), details=st.booleans()
)
def test_whatever_was_said_a_notice_is_one_line_of_subject_and_short_printable_text(
    kind: str, words: list[str], details: bool
) -> None:
    name, topic, text, why = words
    given_ = moment(kind, name=name, topic=topic, text=text, why=why)
    found = compose(given_, details=details)
    assert found == compose(given_, details=details)
    assert found.subject.isprintable()
    assert len(found.text) < 3500
    assert all(ord(c) >= 32 or c == "\n" for c in found.text)
    found.text.encode()  # nothing that no encoding can carry
