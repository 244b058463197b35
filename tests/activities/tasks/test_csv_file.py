"""CSV: a person's table keeps every cell, in whatever form their program writes it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activities.tasks import SinkError, TaskItem, csv_file

ITEM = TaskItem("ACT-0000000a", "Call", "me", due=date(2026, 12, 11))
DONE = replace(ITEM, done=True)
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
ROWS = st.lists(st.lists(CELLS, max_size=7), max_size=5)


def rows(text: str, sign: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=sign))


@given(ROWS)
def test_every_cell_of_a_persons_table_is_kept(table: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([["note", "id", "", "done"], *table])
    after = rows(csv_file.merged(out.getvalue(), [ITEM, DONE]))
    assert len(after) == len(table) + 2
    for now, before in zip(after[1:], rows(out.getvalue())[1:], strict=False):
        assert now == before
    (mine,) = [row for row in after if len(row) > 1 and row[1] == ITEM.id]
    assert mine[3] == "yes"
    names = after[0]
    assert names[:4] == ["note", "id", "", "done"]
    assert all(not any(row[names.index("task") :]) for row in after[1:-1]), "a cell stands under a name that is not its own"


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_table_stays_in_the_form_in_which_a_spreadsheet_saved_it(sign: str, ending: str, mark: str) -> None:
    text = mark + ending.join((sign.join(csv_file.COLUMNS), sign.join(("ACT-0000000a", "My words", *[""] * 5, "No")), ""))
    assert csv_file.merged(text, [ITEM]) == text
    assert csv_file.completed(text) == frozenset()
    done = csv_file.merged(text, [DONE])
    assert done == text.replace("No", "yes")
    assert csv_file.completed(done) == {ITEM.id}
    more = csv_file.merged(done, [replace(ITEM, id="ACT-0000000b")])
    assert more.startswith(done) and more.endswith(ending)
    assert rows(more, sign)[2][:2] == ["ACT-0000000b", "Call"]


@pytest.mark.parametrize("word", ["x", "YES", " true ", "1", "Done"])
def test_what_a_person_writes_into_done_is_read(word: str) -> None:
    assert csv_file.completed(f"ID,Done\nACT-0000000a,{word}\nACT-0000000b,not yet\n,yes\n") == {ITEM.id}


def test_a_new_table_completes_nothing() -> None:
    assert csv_file.completed("") == csv_file.completed(csv_file.merged("", [])) == frozenset()
    assert rows(csv_file.merged("", [replace(ITEM, owner_name="You")])) == [
        list(csv_file.COLUMNS), ["ACT-0000000a", "Call", "You", "2026-12-11", "", "", "", ""]
    ]  # fmt: skip


def test_a_broken_table_is_one_sentence() -> None:
    with pytest.raises(SinkError, match="is broken: mend it") as raised:
        csv_file.merged('id,task\n"ACT-1"x,never', [ITEM])
    assert not raised.value.retryable
