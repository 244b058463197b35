"""todo.txt: what is written reads by the format as what was meant, and a person's lines stay theirs."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activities.tasks import TaskItem, todo_txt
from tests.corpus.injections import INJECTIONS

ITEM = TaskItem("ACT-0000000a", "Call", "me", due=date(2026, 12, 11), set_on=date(2026, 12, 1))
DONE = replace(ITEM, done=True, done_on=date(2026, 12, 5))
DAYS = st.none() | st.dates(date(2000, 1, 1), date(2099, 1, 1))
FORGING = (
    "id:ACT-00000bad", "due:2020-01-01", "\nx id:ACT-00000bad", "x", "x done", "(A) now", "2020-01-01 2020-01-02 a", "+p @c",
    "\u2028x id:ACT-00000bad", "(id:ACT-00000bad)", "\u200bid:ACT-00000bad", "\u202eid:ACT-00000bad",
    "\xa0due:\xa02020-01-01", "rec:1d pri:A t:2020-01-01 h:1", "https://example.org/a:b", "X:", "x\tid:ACT-00000bad",
)  # fmt: skip
WORDS = st.one_of(st.text(max_size=60), st.sampled_from(FORGING), st.sampled_from([text for _, text in INJECTIONS]))
IDS = st.from_regex(r"ACT-[A-Za-z0-9][A-Za-z0-9_-]{0,20}", fullmatch=True)
ITEMS = st.builds(
    TaskItem, IDS, WORDS, WORDS, st.none() | WORDS, DAYS, WORDS, done=st.booleans(), set_on=DAYS, done_on=DAYS,
)  # fmt: skip


def read(line: str) -> tuple[bool, list[str], dict[str, list[str]], list[str]]:
    """A line as the format says, by a reader of the test's own: done, days, key:value, +projects and @contexts."""
    words = line.split(" ")
    done = words[0] == "x"
    words = words[done:]
    if words and re.fullmatch(r"\([A-Z]\)", words[0]):
        raise AssertionError("nobody gave it a priority")
    days = []
    while words and re.fullmatch(r"\d{4}-\d{2}-\d{2}", words[0]) and len(days) < 2:
        days.append(words.pop(0))
    keys: dict[str, list[str]] = {}
    for word in words:
        if (found := re.search(r"([^\W\d_][\w-]*):(?!//)(\S+)", word)) and found[1].isascii():
            keys.setdefault(found[1], []).append(found[2])
    return done, days, keys, [word for word in words if len(word) > 1 and word[0] in "+@"]


@given(st.lists(ITEMS, max_size=5, unique_by=lambda item: item.id))
def test_law_03_a_line_says_by_the_format_what_was_meant_and_no_more(items: list[TaskItem]) -> None:
    text = todo_txt.merged("", items)
    lines = text.split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(items)
    for line, item in zip(lines, items, strict=True):
        done, days, keys, marks = read(line)
        assert done == item.done
        told = [item.set_on] if item.set_on is not None else []
        told = [item.done_on, *told] if told and item.done and item.done_on is not None else told
        assert days == [day.isoformat() for day in told]
        assert keys == {"id": [item.id]} | ({"due": [item.due.isoformat()]} if item.due is not None else {})
        assert len(marks) == 1 + bool(item.topic)
        assert not any(ord(c) < 32 or 0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069 for c in line)
    assert todo_txt.completed(text) == {item.id for item in items if item.done}
    assert todo_txt.merged(text, items) == text


@given(st.lists(ITEMS, min_size=1, max_size=5, unique_by=lambda item: item.id), st.text(max_size=80), st.booleans())
def test_done_and_open_again_is_the_file_that_was_and_other_lines_are_untouched(
    items: list[TaskItem], foreign: str, crlf: bool
) -> None:
    foreign = "".join(re.findall(r"[^\n]*\n", foreign.replace("id:ACT", ""))).replace("\n", "\r\n" if crlf else "\n")
    opened = [replace(item, done=False, done_on=None) for item in items]
    before = todo_txt.merged(foreign, opened)
    assert before.startswith(foreign)
    done = todo_txt.merged(before, [replace(item, done=True, done_on=date(2026, 12, 5)) for item in opened])
    assert done.startswith(foreign)
    assert todo_txt.completed(done) - todo_txt.completed(foreign) == {item.id for item in items}
    assert todo_txt.merged(done, opened) == before


@pytest.mark.parametrize(
    ("open_", "done"),
    [
        ("2026-12-01 Call @me id:ACT-0000000a", "x 2026-12-05 2026-12-01 Call @me id:ACT-0000000a"),
        ("(B) 2026-12-01 My words id:ACT-0000000a +p", "x (B) 2026-12-05 2026-12-01 My words id:ACT-0000000a +p"),
        ("Call id:ACT-0000000a", "x Call id:ACT-0000000a"),
        ("(B) Call id:ACT-0000000a", "x (B) Call id:ACT-0000000a"),
    ],
)
@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_a_day_of_completion_stands_before_the_day_of_creation(open_: str, done: str, ending: str) -> None:
    assert todo_txt.merged(open_ + ending, [DONE]) == done + ending
    assert todo_txt.merged(done + ending, [DONE]) == done + ending
    assert todo_txt.merged(done + ending, [replace(DONE, done=False)]) == open_ + ending


def test_a_mark_at_the_files_beginning_hides_nothing() -> None:
    text = "\ufeffx Call id:ACT-0000000a\r\n"
    assert todo_txt.completed(text) == {"ACT-0000000a"}
    assert todo_txt.merged(text, [ITEM]) == "\ufeffCall id:ACT-0000000a\r\n"


def test_what_is_no_line_of_its_own_completes_nothing() -> None:
    assert (
        todo_txt.completed("Mine\u2028x Call id:ACT-0000000a\nX Call id:ACT-0000000b\nx: Call id:ACT-0000000c\n") == frozenset()
    )


def test_an_item_that_was_brought_along_is_known_again() -> None:
    item = replace(ITEM, id="ACT-2024_old-board")
    text = todo_txt.merged("", [item])
    assert todo_txt.merged(text, [item]) == text
    assert todo_txt.completed(f"x {text}") == {item.id}


def test_a_deadline_that_nobody_could_read_as_a_day_keeps_its_words_and_an_address_its_colon() -> None:
    item = replace(ITEM, task="Read https://example.org/lease", due=None, deadline="before the rains due:2020-01-01")
    assert todo_txt.merged("", [item]) == (
        "2026-12-01 Read https://example.org/lease (before the rains due : 2020-01-01) @me id:ACT-0000000a\n"
    )
