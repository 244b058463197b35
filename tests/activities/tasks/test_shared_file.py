"""A file that several write: no line is lost, nothing of it is ever half there, whose it was it stays."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from activities.tasks import SinkError, files
from activities.tasks.files import SharedFile

ROOT = Path(__file__).parents[3]

CHILD = """
import sys
from pathlib import Path
from activities.tasks import TaskItem, todo_txt
from activities.tasks.files import SharedFile
file, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for n in range(first, first + count):
    item = TaskItem(f"ACT-{n:08x}", "Read the lease", "Ray Dalio")
    SharedFile(file, "BOARDROOM_TASKS_FILE").change(lambda text: todo_txt.merged(text, [item]))
"""


def child(file: Path, first: int, count: int, **more: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", CHILD, str(file), str(first), str(count)], cwd=ROOT, env=os.environ | more)


def shared(file: Path) -> SharedFile:
    return SharedFile(file, "BOARDROOM_TASKS_FILE")


def refusal(file: Path, text: str = "ours\n") -> SinkError:
    with pytest.raises(SinkError) as raised:
        shared(file).change(lambda before: before + text)
    assert raised.value.__cause__ is None
    assert str(raised.value).startswith(f"{file.name} ") and str(file.parent) not in str(raised.value)
    assert str(raised.value).endswith("or choose another with BOARDROOM_TASKS_FILE.")
    return raised.value


def test_killed_before_it_takes_the_files_place_the_old_file_is_whole(tmp_path: Path) -> None:
    file, marks = tmp_path / "tasks.txt", tmp_path / "marks"
    marks.mkdir()
    file.write_text("mine\n")
    held = child(file, 1, 1, BOARDROOM_HOLD_AT="tasks_file_written", BOARDROOM_HOLD_DIR=str(marks))
    try:
        until = time.monotonic() + 60
        while not any(marks.iterdir()):
            assert time.monotonic() < until, "the point was not reached"
            time.sleep(0.02)
    finally:
        held.send_signal(signal.SIGKILL)
        held.wait(10)
    assert file.read_text() == "mine\n"
    assert child(file, 1, 1).wait(30) == 0  # the lock went with the process
    assert file.read_text() == "mine\nRead the lease @Ray_Dalio id:ACT-00000001\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == [".tasks.txt.lock", "marks", "tasks.txt"]


def test_processes_that_write_at_once_lose_no_line(tmp_path: Path) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text("mine\n")
    started = [child(file, first, 40) for first in (0, 100, 200)]
    assert [one.wait(60) for one in started] == [0, 0, 0]
    lines = file.read_text().splitlines()
    assert lines[0] == "mine"
    assert sorted(line.rpartition("id:")[2] for line in lines[1:]) == sorted(
        f"ACT-{n:08x}" for first in (0, 100, 200) for n in range(first, first + 40)
    )


def test_what_another_program_wrote_meanwhile_is_kept(tmp_path: Path) -> None:
    """Other programs know nothing of the lock: the change is made anew upon what they wrote."""
    file = tmp_path / "tasks.txt"
    asked = []

    def change(text: str) -> str:
        asked.append(text)
        if len(asked) == 1:
            file.write_text("theirs\n")
        return text + "ours\n"

    shared(file).change(change)
    assert asked == ["", "theirs\n"]
    assert file.read_text() == "theirs\nours\n"


def test_a_program_that_never_stops_writing_is_told_and_wins(tmp_path: Path) -> None:
    file = tmp_path / "tasks.txt"
    asked = []

    def change(text: str) -> str:
        asked.append(text)
        file.write_text("theirs\n" * len(asked))
        return text + "ours\n"

    with pytest.raises(SinkError, match="by another program all the time") as raised:
        shared(file).change(change)
    assert raised.value.retryable
    assert file.read_text() == "theirs\n" * len(asked)


def test_a_lock_that_is_never_let_go_is_waited_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    file = tmp_path / "tasks.txt"
    with (tmp_path / ".tasks.txt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        error = refusal(file)
    assert "in use by another worker" in str(error) and error.retryable
    shared(file).change(lambda text: text + "ours\n")
    assert file.read_text() == "ours\n"


def test_nothing_changed_is_nothing_written(tmp_path: Path) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text("mine\n")
    before = file.stat()
    shared(file).change(lambda text: text)
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_mode_and_a_new_one_is_the_persons_alone(tmp_path: Path, mode: int) -> None:
    file, new = tmp_path / "tasks.txt", tmp_path / "new.txt"
    file.write_text("mine\n")
    file.chmod(mode)
    shared(file).change(lambda text: text + "ours\n")
    assert file.stat().st_mode & 0o777 == mode
    shared(new).change(lambda text: text + "ours\n")
    assert new.stat().st_mode & 0o777 == (tmp_path / ".new.txt.lock").stat().st_mode & 0o777 == 0o600


AS_SOMEBODY_ELSE = """
import os, sys
from pathlib import Path
from activities.tasks.files import SharedFile
os.chdir(sys.argv[1])  # whose folders above are closed to them
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
SharedFile(Path("tasks.txt"), "BOARDROOM_TASKS_FILE").change(lambda text: text + "ours\\n")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_file_stays_whose_it_was(tmp_path: Path) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text("mine\n")
    os.chown(file, 65533, 65533)
    shared(file).change(lambda text: text + "ours\n")
    assert (file.stat().st_uid, file.stat().st_gid) == (65533, 65533)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_file_that_can_not_be_given_back_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text("mine\n")
    file.chmod(0o666)
    tmp_path.chmod(0o777)
    found = subprocess.run(
        [sys.executable, "-c", AS_SOMEBODY_ELSE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert "tasks.txt belongs to another user or group: give it to the user that runs Boardroom" in found.stderr
    assert (file.read_text(), file.stat().st_uid) == ("mine\n", 0)
    assert sorted(one.name for one in tmp_path.iterdir()) == [".tasks.txt.lock", "tasks.txt"]


def test_what_is_no_file_is_told_once_and_for_all(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("precious\n")
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    error = refusal(link)
    assert "is a link" in str(error) and not error.retryable
    lock = tmp_path / ".fine.txt.lock"
    lock.symlink_to(tmp_path / "made")
    assert "its lock is" in str(refusal(tmp_path / "fine.txt"))
    assert not (tmp_path / "made").exists()
    (tmp_path / "folder.txt").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    for name in ("folder.txt", "pipe.txt"):
        error = refusal(tmp_path / name)
        assert "is no plain file" in str(error) and not error.retryable
    (tmp_path / "large.txt").write_bytes(b"x" * (files.LARGEST + 1))
    assert "is larger than 8 MiB" in str(refusal(tmp_path / "large.txt"))
    assert "would be larger than 8 MiB" in str(refusal(tmp_path / "small.txt", "x" * (files.LARGEST + 1)))
    assert target.read_text() == "precious\n"
    assert not list(tmp_path.glob("*.new")) and not list(tmp_path.glob(".*.new"))


def test_a_folder_that_is_not_there_may_come_back(tmp_path: Path) -> None:
    error = refusal(tmp_path / "unplugged" / "tasks.txt")
    assert str(error).startswith("tasks.txt cannot be used (no such file or directory): ") and error.retryable
    assert shared(tmp_path / "unplugged" / "tasks.txt").read() == ""


def test_a_link_that_lies_in_the_new_files_place_is_not_written_through(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("precious\n")
    (tmp_path / ".tasks.txt.new").symlink_to(target)
    shared(tmp_path / "tasks.txt").change(lambda text: text + "ours\n")
    assert target.read_text() == "precious\n"
    assert (tmp_path / "tasks.txt").read_text() == "ours\n"
