"""`boardroom export` and `import` as a person uses them: what they print, where, and how they end."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.clerk.test_exports import BOARD, files_of
from tests.cli.conftest import Boardroom


def test_bring_along_and_write_again(boardroom: Boardroom, tmp_path: Path) -> None:
    first = boardroom("import", str(BOARD), BOARDROOM_ZONE="Europe/Lisbon")
    assert (first.code, first.err) == (0, "")
    assert first.out.startswith("Brought along: 3 meetings, 3 action items of the ledger.")
    again = boardroom("import", str(BOARD), "--json").json()
    assert (again["imported"], again["unchanged"]) == ([], ["mtg-9fed5d5a", "mtg-Old_7", "mtg-abc123"])
    assert again["action_items"] == {"imported": 0, "unchanged": 3}

    out = tmp_path / "out"
    wrote = boardroom("export", "--all", "--to", str(out))
    assert wrote.out == f"3 meetings in {out}: {len(files_of(out))} files.\n"
    assert all(file.stat().st_mode & 0o077 == 0 for file in out.rglob("*"))
    one = boardroom("export", "mtg-abc123", "mtg-Old_7", "--to", str(tmp_path / "one"), "--json").json()
    assert one["meetings"] == ["mtg-abc123", "mtg-Old_7"]
    files, all_files = files_of(tmp_path / "one"), files_of(out)
    assert {name: data for name, data in files.items() if name != "action_items.json"}.items() <= all_files.items()

    listed = {line["meeting_id"]: line for line in boardroom("meetings", "--json").json()}
    assert listed["mtg-abc123"]["ended_by"] == "imported" and listed["mtg-abc123"]["status"] == "completed"
    assert "2026-01-03 10:00:00 WET" in boardroom("minutes", "mtg-abc123").out
    shown = boardroom("meetings", "mtg-abc123").out
    assert "A guest" in shown and "Its record was brought along" in shown
    assert boardroom("minutes", "mtg-Old_7", "--format", "html").code == 0


def test_what_could_not_be_taken_is_told_on_standard_error_and_the_command_fails(boardroom: Boardroom, tmp_path: Path) -> None:
    board = Path(shutil.copytree(BOARD, tmp_path / "board"))
    (board / "meetings/mtg-abc123/state.json").write_text("{")
    (board / "\x1b[31mred.txt").write_text("x")
    ran = boardroom("import", str(board))
    assert ran.code == 1
    assert "meetings/mtg-abc123/state.json is no JSON." in ran.err.split("\n")
    assert "Brought along: 2 meetings" in ran.out
    assert "\x1b" not in ran.out + ran.err and "Left alone: ␛[31mred.txt" in ran.out
    told = boardroom("import", str(board), "--json")
    assert told.code == 1
    assert told.json()["problems"] == [line for line in told.err.split("\n") if line]


def test_wrong_usage(boardroom: Boardroom, tmp_path: Path, data_dir: Path) -> None:
    out = str(tmp_path / "out")
    for command, told in (
        (("export", "--to", out), "--all"),
        (("export", "--all", "mtg-abc123", "--to", out), "--all"),
        (("export", "../../etc", "--to", out), "is not a meeting id"),
        (("export", "mtg-abc123", "--to", out), "There is no meeting mtg-abc123"),
        (("export", "--all", "--to", out), "There is no record"),
        (("export", "--all"), "--to"),
        (("import", str(tmp_path / "nowhere")), "cannot be opened as a folder"),
        (("import", str(tmp_path)), "holds none of meetings/"),
    ):
        ran = boardroom(*command)
        assert (ran.code, ran.out) == (2, "")
        assert told in ran.told()
    assert not (tmp_path / "out").exists()


def test_an_export_is_plain_json_that_says_what_it_is(boardroom: Boardroom, tmp_path: Path) -> None:
    boardroom("import", str(BOARD))
    boardroom("export", "--all", "--to", str(tmp_path / "out"))
    for name, data in files_of(tmp_path / "out").items():
        for text in data.decode().splitlines() if name.endswith(".jsonl") else [data.decode()]:
            assert json.loads(text)["simulated"] is False
