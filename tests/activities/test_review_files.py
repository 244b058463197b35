"""A review's files: where source 001 wants them, whole or not at all, under the chosen folder and nowhere else."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from activities.review_files import FilesError, board_folder, write_files
from protocols.proposal_review import Assessment, Condition, Contribution, Director, FinalVerdict, FinalVote, Verdict, resolve
from protocols.review_files import Document, ReviewRecord, files_of, session_file
from tests.corpus.injections import INJECTIONS
from tests.support.servers import ROOT

FIVE = tuple(Director(code.lower(), code, f"Chief {code}") for code in ("CA", "CPO", "CSO", "COO", "CXO"))
BOARD = Path(".message-bus") / "board"


def record(n: int = 1, *, track: str | None = None, word: str = "Fine.", at: str = "09:00:00") -> ReviewRecord:
    assessments = tuple(Assessment(one.id, Verdict.APPROVE, 8, (word,), (word,)) for one in FIVE)
    contributions = tuple(Contribution(one.id, 1, word) for one in FIVE)
    votes = tuple(FinalVote(one.id, FinalVerdict.APPROVE, 0.9, (word,), reason=word) for one in FIVE)
    return ReviewRecord(
        session_id=f"board-20260201-{n}",
        meeting_id=f"mtg-0000000{n}",
        timestamp=f"2026-02-01T{at}+00:00",
        title=word,
        documents=(Document("proposal.md", 12, "0" * 64),),
        directors=FIVE,
        assessments=assessments,
        contributions=contributions,
        votes=votes,
        review=resolve(FIVE, assessments, contributions, votes),
        rounds=3,
        skipped=(2, 3),
        track=track,
        simulated=True,
        ended_by="agenda",
        earlier=None,
        earlier_verdict="",
        decision=None,
    )


def listed(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != ".lock")


async def test_the_five_files_are_where_source_001_says(tmp_path: Path) -> None:
    written = await write_files(str(tmp_path), record())
    assert written == tmp_path / BOARD
    names = {"session-20260201T090000Z.json", "assessments.json", "discussion.jsonl", "votes.json", "resolution.md"}
    assert {path.name for path in written.iterdir() if path.is_file()} - {".lock"} == names
    session = json.loads((written / "session-20260201T090000Z.json").read_text())
    assert list(session)[:6] == ["session_id", "verdict", "vote_summary", "conditions", "dissent", "timestamp"]
    assert session["vote_summary"] == dict.fromkeys(("CA", "CPO", "CSO", "COO", "CXO"), "APPROVE")
    lines = [json.loads(line) for line in (written / "discussion.jsonl").read_text().splitlines()]
    assert [line["round"] for line in lines] == [1, 1, 1, 1, 1, 2, 3] and lines[-1]["skipped"]


async def test_a_track_has_a_folder_of_its_own_and_keeps_earlier_copies(tmp_path: Path) -> None:
    await write_files(str(tmp_path), record(1, track="auth_20260201", word="First."))
    board = await write_files(str(tmp_path), record(2, track="auth_20260201", word="Second.", at="10:00:00"))
    assert board == tmp_path / "conductor" / "tracks" / "auth_20260201" / BOARD
    assert "Second" in (board / "resolution.md").read_text()
    assert "First" in (board / "sessions" / "board-20260201-1" / "resolution.md").read_text()
    assert len(list(board.glob("session-*.json"))) == 2


async def test_an_older_session_that_is_written_late_leaves_the_newest_files_alone(tmp_path: Path) -> None:
    await write_files(str(tmp_path), record(2, word="Second.", at="10:00:00"))
    await write_files(str(tmp_path), record(1, word="First."))
    board = tmp_path / BOARD
    assert "Second" in (board / "resolution.md").read_text()
    assert "First" in (board / "sessions" / "board-20260201-1" / "resolution.md").read_text()
    assert (board / session_file(record(1))).exists()


async def test_writing_again_changes_nothing_not_even_a_time(tmp_path: Path) -> None:
    board = await write_files(str(tmp_path), record())
    before = {path: path.stat().st_mtime_ns for path in board.rglob("*") if path.is_file()}
    await write_files(str(tmp_path), record())
    assert before == {path: path.stat().st_mtime_ns for path in board.rglob("*") if path.is_file()}


async def test_what_is_left_of_a_killed_writer_is_taken_away(tmp_path: Path) -> None:
    board = await write_files(str(tmp_path), record())
    (board / ".votes.json.new").write_text('{"half":')
    await write_files(str(tmp_path), record(word="Other."))
    assert not list(board.rglob("*.new"))
    assert json.loads((board / "votes.json").read_text())[0]["reason"] == "Other."


@pytest.mark.parametrize("track", ["../x", "/etc", "a/b", ".", "..", "", "a b", "ä", "x" * 101, "-x", "a\n", "con\0"])
async def test_law_14_a_track_that_is_no_name_of_a_folder_is_refused(tmp_path: Path, track: str) -> None:
    with pytest.raises(FilesError, match="not the id of a track"):
        board_folder(str(tmp_path / "out"), track)
    with pytest.raises(FilesError):
        await write_files(str(tmp_path / "out"), record(track=track))
    assert listed(tmp_path) == []


@pytest.mark.parametrize(
    "link", [".message-bus", ".message-bus/board", "conductor", "conductor/tracks", "conductor/tracks/auth"]
)
async def test_a_link_on_the_way_leads_nowhere(tmp_path: Path, link: str) -> None:
    elsewhere, out = tmp_path / "elsewhere", tmp_path / "out"
    elsewhere.mkdir()
    (out / link).parent.mkdir(parents=True)
    (out / link).symlink_to(elsewhere)
    with pytest.raises(FilesError, match="link or a file where a folder should be"):
        await write_files(str(out), record(track="auth" if link.startswith("conductor") else None))
    assert listed(elsewhere) == []


async def test_a_link_in_a_files_place_is_replaced_and_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("mine")
    board = await write_files(str(tmp_path / "out"), record())
    for name in ("votes.json", ".votes.json.new"):
        (board / name).unlink(missing_ok=True)
        (board / name).symlink_to(secret)
    await write_files(str(tmp_path / "out"), record(word="Other."))
    assert secret.read_text() == "mine"
    assert not (board / "votes.json").is_symlink() and "Other" in (board / "votes.json").read_text()
    (board / ".lock").unlink()
    (board / ".lock").symlink_to(secret)
    with pytest.raises(FilesError):
        await write_files(str(tmp_path / "out"), record(word="Third."))


async def test_a_pipe_in_a_files_place_is_replaced_and_not_waited_for(tmp_path: Path) -> None:
    board = await write_files(str(tmp_path), record())
    (board / "votes.json").unlink()
    os.mkfifo(board / "votes.json")
    await write_files(str(tmp_path), record())
    assert (board / "votes.json").is_file()


async def test_two_reviews_of_one_second_keep_a_session_file_each(tmp_path: Path) -> None:
    first, second = record(1), replace(record(1), session_id=f"{record(1).session_id.rpartition('-')[0]}-2")
    for one in (first, second, first, second):
        board = await write_files(str(tmp_path), one)
    kept = {json.loads(path.read_text())["session_id"] for path in board.glob("session-*.json")}
    assert kept == {first.session_id, second.session_id}
    (board / "session-zzz.json").write_text("{}")
    await write_files(str(tmp_path), record(2, word="Later."))
    assert "Later." in (board / "resolution.md").read_text()


async def test_a_file_where_the_folder_should_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(FilesError, match="out") as error:
        await write_files(str(tmp_path / "out"), record())
    assert str(tmp_path) not in error.value.kind


@pytest.mark.skipif(os.geteuid() != 0, reason="a read-only place is a file system that only the superuser has here")
async def test_a_place_that_takes_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(FilesError, match=r"/proc/self.*"):
        await write_files("/proc/self", record())


async def test_two_who_write_at_once_leave_whole_files(tmp_path: Path) -> None:
    """Two threads and two processes, each with its own session, on one folder."""
    code = (
        "import asyncio, sys; from tests.activities.test_review_files import record; "
        "from activities.review_files import write_files; n = int(sys.argv[2])\n"
        "for _ in range(20): asyncio.run(write_files(sys.argv[1], record(n, word=str(n) * 5000, at=f'1{n}:00:00')))"
    )
    others = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(n)], cwd=ROOT) for n in (3, 4)]
    for _ in range(10):
        await asyncio.gather(*(write_files(str(tmp_path), record(n, word=str(n) * 5000, at=f"1{n}:00:00")) for n in (1, 2)))
    assert [one.wait(60) for one in others] == [0, 0]
    board = tmp_path / BOARD
    newest = files_of(record(4, word="4" * 5000, at="14:00:00"))
    for name, text in newest.items():
        assert (board / name).read_text() == text
    for n in range(1, 5):
        wanted = files_of(record(n, word=str(n) * 5000, at=f"1{n}:00:00"))
        copies = board / "sessions" / f"board-20260201-{n}"
        assert {path.name: path.read_text() for path in copies.iterdir()} == wanted


@pytest.mark.parametrize(("name", "text"), INJECTIONS, ids=[name for name, _ in INJECTIONS])
def test_law_03_words_stay_words_in_every_file(name: str, text: str) -> None:
    one = record(word=text or "x")
    one = replace(one, review=replace(one.review, conditions=(Condition(text, ("ca",)),)))
    files = files_of(one)
    session = json.loads(files[session_file(one)])
    assert session["conditions"] == [text] and session["verdict"] == "APPROVED"
    assert len(files["discussion.jsonl"].splitlines()) == 7
    for line in files["discussion.jsonl"].split("\n")[:-1]:
        json.loads(line)
    headings = [line for line in files["resolution.md"].splitlines() if line.startswith("#")]
    assert [line for line in headings if not line.startswith(("# Board review", "### "))] == [
        "## Votes", "## Conditions", "## Dissent", "## Reasons", "## Assessments", "## Discussion", "## Success criteria"
    ]  # fmt: skip
    assert "<script" not in files["resolution.md"].replace("\\<script", "")
