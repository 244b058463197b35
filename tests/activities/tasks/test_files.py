"""Action items in files that other programs write too: todo.txt, iCalendar and CSV."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from activities.tasks import DoerError, SinkError, TaskItem, csv_file, doers_of, ics, owners_of, problems_of, sinks_of, todo_txt
from settings import Settings
from tests.corpus.injections import INJECTIONS

ROOT = Path(__file__).parents[3]
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
    await sink.push([ITEM, OTHER])
    assert file.read_bytes() == first
    assert await sink.completed() == frozenset()
    await sink.push([TaskItem(**{name: getattr(ITEM, name) for name in ITEM.__slots__} | {"done": True})])
    assert await sink.completed() == {ITEM.id}
    assert file.stat().st_mode & 0o777 == 0o600


def test_todo_txt_reads_as_the_format_says() -> None:
    assert todo_txt.merged("", [ITEM]) == (
        "2026-12-01 Schedule 3 cardio sessions +More_cardio @shareholder due:2026-12-11 id:ACT-0000000a\n"
    )


def test_other_lines_and_a_persons_own_words_are_kept() -> None:
    before = "(A) 2026-11-01 Call the bank +money\r\nx old thing id:ACT-not\r\nMy own words for it id:ACT-0000000a"
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
    rows = list(csv.DictReader(io.StringIO(csv_file.merged(text, [OTHER]))))
    assert [row["note"] for row in rows] == ["mine", "free", ""]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text: str) -> None:
    item = TaskItem("ACT-0000000c", text, text, text, topic=text)
    row = next(iter(csv.reader(io.StringIO(csv_file.merged("", [item])[len(",".join(csv_file.COLUMNS)) + 2 :]))))
    assert all(not cell or cell[0] == "'" or cell[0].isalnum() for cell in row)


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
    assert owners_of(settings(tasks_owners="Shareholder, dalio ,")) == {"shareholder", "dalio"}


async def test_a_doer_does_it_once_and_proves_it(tmp_path: Path) -> None:
    doers = doers_of(settings(data_dir=tmp_path))
    assert set(doers) == {"calendar", "ledger"}  # nobody could be reminded
    proof = await doers["calendar"].do(ITEM)
    assert await doers["calendar"].do(ITEM) == proof
    (event,) = Calendar.from_ical((tmp_path / "calendar.ics").read_text()).walk("VEVENT")
    assert event.decoded("dtstart") == ITEM.due
    assert "calendar.ics" in proof
    assert str(event["uid"]) in proof
    with pytest.raises(DoerError, match="date"):
        await doers["calendar"].do(OTHER)
    assert doers_of(settings(data_dir=tmp_path, doers="none")) == {}


CHILD = """
import sys
from pathlib import Path
from activities.tasks import todo_txt
from activities.tasks.files import change_file
from tests.activities.tasks.test_files import OTHER
change_file(Path(sys.argv[1]), lambda text: todo_txt.merged(text, [OTHER]))
"""


def test_killed_before_it_takes_the_files_place_the_old_file_is_whole(tmp_path: Path) -> None:
    file, marks = tmp_path / "tasks.txt", tmp_path / "marks"
    marks.mkdir()
    file.write_text("mine\n")
    environment = os.environ | {"BOARDROOM_HOLD_AT": "tasks_file_written", "BOARDROOM_HOLD_DIR": str(marks)}
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(file)], cwd=ROOT, env=environment)
    until = time.monotonic() + 30
    while not any(marks.iterdir()):
        assert time.monotonic() < until
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait(10)
    assert file.read_text() == "mine\n"
    subprocess.run([sys.executable, "-c", CHILD, str(file)], cwd=ROOT, check=True, timeout=30)
    assert file.read_text() == "mine\nRead the lease @Ray_Dalio id:ACT-0000000b\n"
