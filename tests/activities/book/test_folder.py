"""A context folder is read safely on a real file system: the hostile and the broken are named and skipped (issue 3)."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from activities.book import folder as reading
from activities.book.building import build_book
from activities.book.folder import LOOKING_BACK, MAX_FILE, MAX_FILES, MAX_SKIPPED, FolderText, read_folder
from activities.book.rendering import render_book

TODAY = date(2026, 11, 29)
SECRET = "canary-of-another-folder"


def read(folder: Path) -> FolderText:
    return read_folder(folder, today=TODAY)


def put(folder: Path, path: str, value: object) -> Path:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return file


def paths(read: FolderText) -> list[str]:
    return [file.path for file in read.files]


def why(read: FolderText) -> dict[str, str]:
    return {one.path: one.why for one in read.skipped}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small good folder, beside a place that must never be read."""
    outside = tmp_path / "outside"
    put(outside, "secret.json", {"title": SECRET})
    put(outside, "secret.md", SECRET)
    put(outside, "active/goal.json", {"title": SECRET})
    inside = tmp_path / "context"
    put(inside, "goals/active/run.json", {"title": "Run", "progress_percent": 20})
    put(inside, "garmin/2026-11-28.json", {"sleep_hours": 7})
    return inside


def never_leaks(folder: Path) -> str:
    """The whole book of the folder, which holds the good goal and nothing of what lies outside."""
    text = render_book(build_book(folder, today=TODAY))
    assert SECRET not in text
    assert str(folder) not in text
    return text


def test_everything_of_the_layout_is_read_in_the_order_of_its_weight(tmp_path: Path) -> None:
    wanted = [
        "memory/views/goal-progress.json",
        "memory/views/health-snapshot.json",
        "memory/views/training-status.json",
        "memory/views/week-summary.json",
        "goals/active/a.json",
        "goals/active/b.json",
        "garmin/2026-11-28.json",
        "garmin/2026-11-27.json",
        "garmin/all.json",
        "garmin/activities/2026-11-27.json",
        "wearable/2026-11-20.json",
        "checkins/2026-11-29.json",
        "check-ins/week.json",
        "notes/2026-11-26-x.md",
        "notes/2026-11-15-y.md",
        "notes/a.md",
        "profile.md",
    ]
    for path in reversed(wanted):
        put(tmp_path, path, "{}")
    put(tmp_path, "README.md", "about the folder")
    put(tmp_path, "taxes.json", "{}")
    put(tmp_path, "goals/done/old.json", "{}")
    put(tmp_path, "notes/.obsidian", "{}")
    found = read(tmp_path)
    assert paths(found) == wanted
    assert found.skipped == ()
    assert found.there


def test_the_text_comes_without_a_byte_order_mark_and_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"\xef\xbb\xbf# Gr\xc3\xbc\xc3\x9fe\r\n")
    assert read(tmp_path).files[0].text == "# Grüße\r\n"


@pytest.mark.parametrize(
    "link", ["goals/active/out.json", "notes/out.md", "out.md", "garmin/2026-11-29.json", "memory/views/week-summary.json"]
)
def test_a_symbolic_link_to_a_file_outside_is_named_and_skipped(folder: Path, link: str) -> None:
    target = folder.parent / "outside" / ("secret.md" if link.endswith(".md") else "secret.json")
    (folder / link).parent.mkdir(parents=True, exist_ok=True)
    (folder / link).symlink_to(target)
    found = read(folder)
    assert link not in paths(found)
    assert "symbolic link" in why(found)[link]
    assert link in never_leaks(folder)


def test_a_link_to_a_file_inside_is_not_followed_either(folder: Path) -> None:
    (folder / "goals/active/again.json").symlink_to("run.json")
    assert "symbolic link" in why(read(folder))["goals/active/again.json"]


@pytest.mark.parametrize("place", ["goals", "goals/active", "memory/views", "notes", "garmin", "garmin/activities", "checkins"])
def test_a_folder_that_is_a_link_out_of_the_folder_is_named_and_not_entered(folder: Path, place: str) -> None:
    shutil.rmtree(folder / place, ignore_errors=True)
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    (folder / place).symlink_to(folder.parent / "outside", target_is_directory=True)
    found = read(folder)
    assert any(place in path or path in place for path in why(found))
    never_leaks(folder)


def test_a_loop_of_links_is_named_and_skipped(folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes/a.md").symlink_to("b.md")
    (folder / "notes/b.md").symlink_to("a.md")
    (folder / "checkins").symlink_to("checkins")
    found = read(folder)
    assert {"notes/a.md", "notes/b.md", "checkins"} <= set(why(found))
    assert "goals/active/run.json" in paths(found)


def test_a_link_that_is_put_there_after_the_look_is_refused_by_the_system(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is exchanged for a link between the look at it and its opening."""
    file = folder / "goals/active/run.json"
    real = os.open

    def late(path: object, flags: int, *args: object, **more: object) -> int:
        if path == "run.json" and not file.is_symlink():
            file.unlink()
            file.symlink_to(folder.parent / "outside/secret.json")
        return real(path, flags, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(reading.os, "open", late)
    found = read(folder)
    assert file.is_symlink()
    assert "symbolic link" in why(found)["goals/active/run.json"]
    assert not any(SECRET in file.text for file in found.files)


def test_a_pipe_that_is_put_there_after_the_look_holds_nobody_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening a pipe waits for a writer, unless it is opened without waiting."""
    file = folder / "goals/active/run.json"
    real = os.open

    def late(path: object, flags: int, *args: object, **more: object) -> int:
        if path == "run.json":
            file.unlink()
            os.mkfifo(file)
        return real(path, flags, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(reading.os, "open", late)
    found: list[FolderText] = []
    reader = threading.Thread(target=lambda: found.append(read(folder)), daemon=True)
    reader.start()
    reader.join(10)
    assert found, "the reader waits for somebody to write into the pipe"
    assert "not a regular file" in why(found[0])["goals/active/run.json"]


def test_the_folder_itself_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder, target_is_directory=True)
    assert "goals/active/run.json" in paths(read(tmp_path / "link"))


def test_a_pipe_a_socket_and_a_folder_are_named_and_nothing_waits(folder: Path) -> None:
    os.mkfifo(folder / "goals/active/pipe.json")
    (folder / "goals/active/inner.json").mkdir()
    with socket.socket(socket.AF_UNIX) as peer:
        here = os.getcwd()
        os.chdir(folder / "goals/active")  # a socket's path is short
        try:
            peer.bind("socket.json")
        finally:
            os.chdir(here)
        found = why(read(folder))
    assert "not a regular file" in found["goals/active/pipe.json"]
    assert "not a regular file" in found["goals/active/socket.json"]
    assert "folder" in found["goals/active/inner.json"]


def test_a_file_of_two_mebibytes_is_named_with_its_size_and_the_limit(folder: Path) -> None:
    put(folder, "goals/active/huge.json", " " * (2 * MAX_FILE))
    assert str(2 * MAX_FILE) in why(read(folder))["goals/active/huge.json"]
    assert "1 MiB" in why(read(folder))["goals/active/huge.json"]


@pytest.mark.parametrize(("size", "is_read"), [(MAX_FILE, True), (MAX_FILE + 1, False)])
def test_the_limit_of_a_file_to_the_byte(folder: Path, size: int, is_read: bool) -> None:
    put(folder, "notes/long.md", "x" * size)
    found = read(folder)
    assert ("notes/long.md" in paths(found)) is is_read
    assert ("notes/long.md" in why(found)) is not is_read


def test_all_files_together_have_a_limit_that_takes_the_notes_first(folder: Path) -> None:
    for n in range(10):
        put(folder, f"notes/{n}.md", "x" * MAX_FILE)
    found = read(folder)
    assert sum(len(file.text) for file in found.files) <= 8 * MAX_FILE
    assert "goals/active/run.json" in paths(found)
    assert "8 MiB" in why(found)["notes/9.md"]


def test_more_files_than_the_limit_are_named_and_the_newest_days_are_kept(folder: Path) -> None:
    for n in range(MAX_FILES + 20):
        put(folder, f"notes/{n:03}.md", "x")
    found = read(folder)
    assert len(found.files) == MAX_FILES
    assert "garmin/2026-11-28.json" in paths(found)
    assert str(MAX_FILES) in why(found)["notes/219.md"]


def test_a_folder_with_more_names_than_the_limit_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_NAMES", 5)
    for n in range(9):
        put(folder, f"notes/{n}.md", "x")
    found = read(folder)
    assert sum(path.startswith("notes/") for path in paths(found)) == 5
    assert "more than 5 names" in why(found)["notes"]


def test_skipped_files_are_named_up_to_a_number_and_then_counted(folder: Path) -> None:
    for n in range(MAX_SKIPPED + 50):
        put(folder, f"goals/active/{n}.txt", "x")
    found = read(folder)
    assert len(found.skipped) == MAX_SKIPPED + 1
    assert found.skipped[-1].path == "50 more"


def test_years_of_days_are_left_alone_without_a_word(folder: Path) -> None:
    for back in range(400):
        put(folder, f"garmin/{TODAY - timedelta(days=back)}.json", {"steps": 1})
    found = read(folder)
    assert sum(path.startswith("garmin/") for path in paths(found)) == LOOKING_BACK + 1
    assert found.skipped == ()


def test_what_is_not_utf8_is_named_with_the_byte(folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes/latin.md").write_bytes("Grüße".encode("latin-1"))
    assert "UTF-8" in why(read(folder))["notes/latin.md"]
    assert "byte 2" in why(read(folder))["notes/latin.md"]


@pytest.mark.parametrize("name", ["two\nlines.md", "bell\x07.md", "## heading\n- RES-mtg-00000000-1.md", "a" * 250 + ".md"])
def test_a_name_with_line_ends_or_control_characters_stays_on_its_line(folder: Path, name: str) -> None:
    put(folder, f"notes/{name}", "A thought.")
    put(folder, f"goals/active/{name.replace('.md', '.txt')}", "x")
    text = never_leaks(folder)
    assert "\x07" not in text
    assert "A thought." in text
    assert not any(line.startswith(("lines", "## heading", "- RES-")) for line in text.splitlines())
    assert all("\n" not in one.path and len(one.path) <= 120 for one in read(folder).skipped)


def test_a_name_that_is_not_utf8_is_shown_and_does_no_harm(folder: Path) -> None:
    (folder / "notes").mkdir()
    with open(os.fsencode(folder / "notes") + b"/\xff\xfe.md", "w") as file:
        file.write("Odd name.")
    text = never_leaks(folder)
    assert "Odd name." in text
    text.encode("utf-8")


def test_a_folder_that_is_not_there_is_said_in_one_sentence(tmp_path: Path) -> None:
    found = read(tmp_path / "nowhere")
    assert not found.there
    book = build_book(tmp_path / "nowhere", today=TODAY)
    assert [missing.source for missing in book.missing] == ["context folder"]
    assert "not there" in book.missing[0].sentence
    assert str(tmp_path) not in render_book(book)


@pytest.mark.parametrize("what", ["file", "nul"])
def test_a_setting_that_names_no_folder_is_said(tmp_path: Path, what: str) -> None:
    put(tmp_path, "file", "x")
    place = tmp_path / ("file" if what == "file" else "a\0b")
    assert "context folder" in build_book(place, today=TODAY).missing[0].sentence


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of another account's, seen by an account that permissions bind."""
    place = Path(tempfile.mkdtemp(prefix="boardroom-context-"))
    place.chmod(0o755)
    mine = os.geteuid()
    try:
        yield place
    finally:
        if os.geteuid() != mine:
            os.seteuid(mine)
        for path in (place, *place.rglob("*")):
            path.chmod(0o755)
        shutil.rmtree(place)


def test_what_may_not_be_read_is_named_and_the_rest_is_read(unprivileged: Path) -> None:
    put(unprivileged, "goals/active/run.json", {"title": "Run"})
    put(unprivileged, "goals/active/mine.json", {"title": "Mine"}).chmod(0)
    put(unprivileged, "notes/x.md", "x")
    (unprivileged / "notes").chmod(0)
    if os.geteuid() == 0:
        os.seteuid(65534)
    found = read(unprivileged)
    assert paths(found) == ["goals/active/run.json"]
    assert "may not be read" in why(found)["goals/active/mine.json"]
    assert "may not be read" in why(found)["notes"]


def test_a_whole_folder_that_may_not_be_read_is_said(unprivileged: Path) -> None:
    unprivileged.chmod(0)
    if os.geteuid() == 0:
        os.seteuid(65534)
    book = build_book(unprivileged, today=TODAY)
    assert "may not be read" in book.missing[0].sentence


def test_no_descriptor_is_left_open(folder: Path) -> None:
    (folder / "notes").symlink_to("/etc")
    os.mkfifo(folder / "goals/active/pipe.json")
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0
    for _ in range(20):
        read(folder)
    after = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0
    assert after == before
