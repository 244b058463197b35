"""iCalendar: components of ours by the library, those of others as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from activities.tasks import SinkError, TaskItem, ics
from parliament.text import shown_directions
from tests.corpus.injections import INJECTIONS

ITEM = TaskItem(
    "ACT-0000000a", "Call the landlord", "shareholder", "soon", date(2026, 12, 11), "The flat", "RES-mtg-00000001-1"
)
DONE = replace(ITEM, done=True)
ODD = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//X//Y//EN\r\nX-WR-CALNAME:Mine\r\n"
    "BEGIN:VTIMEZONE\r\nTZID:Odd/Place\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\n"
    "END:STANDARD\r\nEND:VTIMEZONE\r\n"
    "BEGIN:VTODO\r\nUID:theirs\r\nDUE:whenever\r\nSUMMARY;X-ODD=\"a;b\":A  long\r\n  line\\, folded by them BEGIN:VTODO\r\n"
    "BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nUID:x@boardroom.invalid\r\nEND:VALARM\r\nEND:VTODO\r\n"
    "begin:vevent\r\nUID:1@x\r\nDTSTART:nonsense\r\nend:vevent\r\n"
    "END:VCALENDAR\r\n"
)  # fmt: skip
FORGING = (
    "\r\nEND:VTODO\r\nBEGIN:VTODO\r\nUID:ACT-00000bad@boardroom.invalid\r\nSTATUS:COMPLETED", "a\\nSTATUS:COMPLETED",
    "\x0bSTATUS:COMPLETED", "; , \\ \" :", "x" * 300, "\u202eSTATUS", "<script>alert(1)</script>", "\u2028END:VCALENDAR",
    "\ufeff", "\ufeff \ufeffCall", "C:\\New; \\n",
)  # fmt: skip
WORDS = st.one_of(st.text(max_size=120), st.sampled_from(FORGING), st.sampled_from([text for _, text in INJECTIONS]))
ITEMS = st.builds(
    TaskItem, st.from_regex(r"ACT-[A-Za-z0-9][A-Za-z0-9_-]{0,20}", fullmatch=True), WORDS, WORDS, st.none() | WORDS,
    st.none() | st.dates(date(2000, 1, 1), date(2099, 1, 1)), WORDS, done=st.booleans(),
)  # fmt: skip


@given(st.lists(ITEMS, max_size=4, unique_by=lambda item: item.id), st.sampled_from(["", ODD.replace("DUE:whenever\r\n", "")]))
def test_law_03_a_component_says_what_was_meant_and_no_more(items: list[TaskItem], foreign: str) -> None:
    text = ics.merged(foreign, items)
    todos = [todo for todo in Calendar.from_ical(text).walk("VTODO") if str(todo["uid"]).startswith("ACT-")]
    assert [str(todo["uid"]) for todo in todos] == [ics.uid(item) for item in items]
    for todo, item in zip(todos, items, strict=True):
        assert str(todo["summary"]).replace("\u2060", "") == shown_directions(item.task).lstrip("\ufeff ").replace("\u2060", "")
        assert (todo.decoded("due") if "due" in todo else None) == item.due
        assert set(todo.keys()) <= {"UID", "DTSTAMP", "SUMMARY", "CATEGORIES", "DESCRIPTION", "DUE", "STATUS"}
    assert ics.completed(text) == {item.id for item in items if item.done}
    assert ics.merged(text, items) == text
    opened = [replace(item, done=False) for item in items]
    again = ics.merged(ics.merged(text, [replace(item, done=True) for item in items]), opened)
    assert again == ics.merged(text, opened)


def test_components_of_others_stay_as_they_are_also_where_they_are_wrong() -> None:
    head, end = ODD[: -len("END:VCALENDAR\r\n")], "END:VCALENDAR\r\n"
    for text in (ics.merged(ODD, [ITEM]), ics.merged(ics.merged(ODD, [ITEM]), [DONE])):
        assert text.startswith(head) and text.endswith(end)
    assert ics.merged(ODD, []) == ODD
    assert ics.completed(ics.merged(ODD, [DONE])) == {ITEM.id}
    assert ics.without_event(ics.with_event(ODD, ITEM, date(2026, 12, 11)), ITEM) == ODD


def test_no_words_of_another_program_make_its_component_ours() -> None:
    forged = "SUMMARY:a\u2028UID:ACT-00000bad@boardroom.invalid\r\nSTATUS:COMPLETED"
    assert ics.completed(ODD.replace("DUE:whenever", forged).replace("UID:theirs\r\n", "")) == frozenset()


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_keeps_its_line_ends_and_its_mark(mark: str) -> None:
    text = ics.merged(mark + ODD.replace("\r\n", "\n"), [ITEM])
    assert "\r" not in text and text.startswith(f"{mark}BEGIN:VCALENDAR\n")
    assert ics.merged(text, [ITEM]) == text
    assert ics.completed(ics.merged(text, [DONE])) == {ITEM.id}


def test_what_a_person_changed_of_an_item_stays() -> None:
    text = ics.merged("", [ITEM]).replace("Call the landlord", "My words").replace("20261211", "20270101")
    text = text.replace("STATUS:NEEDS-ACTION", "STATUS:IN-PROCESS\r\nX-MINE:kept")
    assert ics.merged(text, [ITEM]) == text
    done = ics.merged(text, [DONE])
    assert "My words" in done and "20270101" in done and "X-MINE:kept" in done and "STATUS:COMPLETED" in done


def test_what_is_open_again_says_so_in_every_property() -> None:
    text = ics.merged("", [ITEM]).replace(
        "STATUS:NEEDS-ACTION", "STATUS:completed\r\nCOMPLETED:20261205T100000Z\r\nPERCENT-COMPLETE:100"
    )
    assert ics.completed(text) == {ITEM.id}
    assert ics.merged(text, [ITEM]) == ics.merged("", [ITEM])


def test_a_deadline_that_nobody_could_read_as_a_day_keeps_its_words() -> None:
    (todo,) = Calendar.from_ical(ics.merged("", [replace(ITEM, due=None, owner_name="You")])).walk("VTODO")
    assert str(todo["description"]) == "You, soon, RES-mtg-00000001-1"


@pytest.mark.parametrize(
    "text",
    [
        "no calendar", "BEGIN:VCALENDAR\r\n", "END:VCALENDAR\r\n", "BEGIN:VEVENT\r\nEND:VEVENT\r\n",
        "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nEND:VCALENDAR\r\n", "BEGIN:VCALENDAR\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
        "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:ACT-1@boardroom.invalid\r\nDUE:rubbish\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
    ],
)  # fmt: skip
def test_a_broken_calendar_is_one_sentence(text: str) -> None:
    for use in (lambda: ics.merged(text, [ITEM]), lambda: ics.completed(text)):
        with pytest.raises(SinkError, match="is broken: mend it") as raised:
            use()
        assert not raised.value.retryable
