"""Action items in files that other programs write too: todo.txt, iCalendar and CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from activities.tasks import SinkError, TaskItem, csv_file, ics, owners_of, problems_of, sinks_of, todo_txt
from settings import Settings
from tests.corpus.injections import INJECTIONS

ITEM = TaskItem(
    "ACT-0000000a",
    "Schedule 3 cardio sessions",
    "shareholder",
    "next Friday",
    date(2026, 12, 11),
    "More cardio",
    "RES-mtg-00000001-1",
    set_on=date(2026, 12, 1),
)
OTHER = TaskItem("ACT-0000000b", "Read the lease", "Ray Dalio")
KINDS = {".txt": todo_txt, ".csv": csv_file, ".ics": ics}

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", '=HYPERLINK("http://x")', "\uff1d1+1", "|calc", "%0a=1")


def settings(**more: object) -> Settings:
    return Settings(provider="simulated", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_file_takes_items_once_and_gives_completion_back(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"tasks{kind}"
    (sink,) = sinks_of(settings(tasks_file=file))
    await sink.push([ITEM, OTHER])
    first = file.read_bytes()
    await sink.push([ITEM, OTHER, OTHER])
    assert file.read_bytes() == first
    assert await sink.completed() == frozenset()
    await sink.push([replace(ITEM, done=True)])
    assert await sink.completed() == {ITEM.id}
    await sink.push([ITEM])
    assert await sink.completed() == frozenset()
    assert file.read_bytes() == first
    assert file.stat().st_mode & 0o777 == 0o600


def test_todo_txt_reads_as_the_format_says() -> None:
    assert todo_txt.merged("", [ITEM]) == (
        "2026-12-01 Schedule 3 cardio sessions +More_cardio @shareholder due:2026-12-11 id:ACT-0000000a\n"
    )


def test_other_lines_and_a_persons_own_words_are_kept() -> None:
    before = "(A) 2026-11-01 Call the bank +money\r\nx old thing id:act-not id :ACT-x\r\nMy own words for it id:ACT-0000000a"
    after = todo_txt.merged(before, [ITEM, OTHER])
    assert after.startswith(before)
    assert after.count("id:ACT-0000000a") == 1
    assert after.endswith("Read the lease @Ray_Dalio id:ACT-0000000b\r\n")
    done = todo_txt.merged(after.replace("My own", "x My own"), [])
    assert todo_txt.completed(done) == {"ACT-0000000a"}


def test_a_calendar_keeps_the_components_of_others() -> None:
    foreign = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//X//Y//EN\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTAMP:20260101T000000Z\r\n"
        "DTSTART:20260101T100000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    calendar = Calendar.from_ical(ics.merged(foreign, [ITEM]))
    assert [str(e["summary"]) for e in calendar.walk("VEVENT")] == ["Dentist"]
    (todo,) = calendar.walk("VTODO")
    assert (str(todo["summary"]), todo.decoded("due"), str(todo["status"])) == (ITEM.task, ITEM.due, "NEEDS-ACTION")


def test_a_table_keeps_columns_and_rows_of_others() -> None:
    text = "note,id,task,done\r\nmine,ACT-0000000a,old words,YES\r\nfree,,something,\r\n"
    assert csv_file.completed(text) == {"ACT-0000000a"}
    rows = list(csv.DictReader(io.StringIO(csv_file.merged(text, [replace(ITEM, done=True), OTHER]))))
    assert [row["note"] for row in rows] == ["mine", "free", ""]
    assert [(row["task"], row["done"]) for row in rows] == [("old words", "YES"), ("something", ""), ("Read the lease", "")]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text: str) -> None:
    item = TaskItem("ACT-0000000c", text, text, text, topic=text)
    row = next(iter(csv.reader(io.StringIO(csv_file.merged("", [item])[len(",".join(csv_file.COLUMNS)) + 2 :]))))
    assert all(not cell or cell[0] == "'" or cell[0].isalnum() for cell in row)


@pytest.mark.parametrize("text", ["pay;=1+1", "pay, @SUM(A1)", "pay ;\t-1", "pay\t=1", '";=1', "pay,\n+1"])
def test_no_part_of_a_cell_is_a_formula_where_cells_are_parted_otherwise(text: str) -> None:
    table = csv_file.merged("", [TaskItem("ACT-0000000c", text, text, text, topic=text)])
    for sign in ",;\t":
        for cell in (cell for row in table.splitlines() for cell in row.split(sign)):
            assert cell.strip('" ')[:1] not in set("=+-@|%\t\r")


HOSTILE = st.one_of(st.text(max_size=80), st.sampled_from([text for _, text in INJECTIONS]), st.sampled_from(FORMULAS))


@given(HOSTILE, HOSTILE, HOSTILE)
def test_law_03_no_words_forge_an_item_or_its_completion(task: str, owner: str, topic: str) -> None:
    item = TaskItem("ACT-0000000d", f"{task} id:ACT-00000bad x", owner, None, None, topic)
    for module in KINDS.values():
        text = module.merged("", [OTHER, item, ITEM])
        assert module.completed(text) == frozenset()
        assert module.merged(text, [OTHER, item, ITEM]) == text
    lines = todo_txt.merged("", [OTHER, item, ITEM]).splitlines()
    assert len(lines) == 3
    assert sum("id:ACT-" in line.replace("id : ", "") for line in lines) == 3
    assert "id:ACT-00000bad" not in lines[1]
    todos = Calendar.from_ical(ics.merged("", [OTHER, item, ITEM])).walk("VTODO")
    assert [str(todo["uid"]) for todo in todos] == [ics.uid(one) for one in (OTHER, item, ITEM)]


async def test_what_is_no_file_of_tasks_is_told_and_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.txt"
    target.write_text("precious\n")
    link = tmp_path / "tasks.txt"
    link.symlink_to(target)
    for file in (link, tmp_path / "folder.csv", tmp_path / "broken.ics", tmp_path / "latin.txt"):
        if file.suffix == ".csv":
            file.mkdir()
        elif file.suffix == ".ics":
            file.write_text("BEGIN:VCALENDAR\r\nnot closed")
        elif file.name == "latin.txt":
            file.write_bytes(b"caf\xe9\n")
        (sink,) = sinks_of(settings(tasks_file=file))
        with pytest.raises(SinkError, match=r"(mend|choose)"):
            await sink.push([ITEM])
    assert target.read_text() == "precious\n"
    assert (tmp_path / "latin.txt").read_bytes() == b"caf\xe9\n"


def test_settings_that_are_half_set_up_are_told(tmp_path: Path) -> None:
    assert problems_of(settings()) == []
    assert "must end in" in problems_of(settings(tasks_file=tmp_path / "tasks.xls"))[0]
    assert "together" in problems_of(settings(tasks_webhook_url="https://example.com/x"))[0]
    found = problems_of(settings(tasks_webhook_url="https://127.0.0.1/x", tasks_webhook_secret="short"))
    assert len(found) == 2
    assert "names nobody" in problems_of(settings(tasks_file=tmp_path / "tasks.txt", tasks_owners=" , "))[0]
    assert "BOARDROOM_CALENDAR_FILE must end in .ics" in problems_of(settings(calendar_file=tmp_path / "c.txt"))[0]
    assert owners_of(settings(tasks_owners="Shareholder, dalio ,")) == {"shareholder", "dalio"}
