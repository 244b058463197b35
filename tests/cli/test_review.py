"""`boardroom review`, `reviews` and `decide` as a pipeline and a person use them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Boardroom, environment
from tests.support.reviews import LOYALTY, PAYMENTS, SEED, SPLIT

FIELDS = ["verdict", "conditions", "vote", "with_review", "session_id", "dissent", "degraded", "simulated"]
BOARD = Path(".message-bus") / "board"

pytestmark = pytest.mark.server


def test_a_pipeline_gets_a_verdict_by_json_exit_code_and_files(boardroom: Boardroom, data_dir: Path, tmp_path: Path) -> None:
    run = boardroom("review", str(PAYMENTS), "--seed", str(SEED), "--to", "out", "--json")
    assert run.code == 0, run.err
    found = run.json()
    assert list(found) == FIELDS
    assert (found["verdict"], found["vote"], found["with_review"], found["degraded"]) == ("APPROVED", "5-0", False, [])
    assert found["simulated"] is True and found["session_id"].startswith("board-")
    board = tmp_path / "out" / BOARD
    votes = json.loads((board / "votes.json").read_text())
    assert [vote["director"] for vote in votes] == ["CA", "CPO", "CSO", "COO", "CXO"]

    rejected = boardroom("review", str(LOYALTY), "--track", "loyalty", "--rounds", "1", "--to", "out", "--json")
    assert (rejected.code, rejected.json()["verdict"]) == (3, "REJECTED"), rejected.err
    track = tmp_path / "out" / "conductor" / "tracks" / "loyalty" / BOARD
    assert rejected.json()["session_id"] in (track / "resolution.md").read_text().replace("\\", "")

    listed = boardroom("reviews", "--json").json()
    assert [(one["session_id"], one["verdict"]) for one in listed] == [
        (rejected.json()["session_id"], "REJECTED"), (found["session_id"], "APPROVED")
    ]  # fmt: skip
    assert [one["track"] for one in boardroom("reviews", "--track", "loyalty", "--json").json()] == ["loyalty"]
    for id in (found["session_id"], listed[1]["meeting_id"]):
        shown = boardroom("reviews", id)
        assert shown.code == 0 and "APPROVED  5-0" in shown.out and "Simulated voices" in shown.out
    again = boardroom("reviews", found["session_id"], "--to", "again")
    assert again.code == 0, again.err
    assert (tmp_path / "again" / BOARD / "votes.json").read_bytes() == (board / "votes.json").read_bytes()
    refused = boardroom("decide", found["session_id"], "reject", "--because", "I do not like it.")
    assert (refused.code, "needs no decision" in refused.told()) == (1, True)
    shown = boardroom("meetings", listed[1]["meeting_id"]).out
    assert "APPROVED  5-0" in shown and "No question was put" not in shown
    summed = boardroom("summary", listed[1]["meeting_id"])
    assert (summed.code, f"boardroom reviews {found['session_id']}" in summed.told()) == (1, True)
    minutes = boardroom("minutes", listed[1]["meeting_id"])
    assert minutes.out.startswith("# Board review") and minutes.code == 0
    assert [one["id"] for one in boardroom("meetings", "--json").json()] == []


def test_what_is_escalated_ends_at_once_with_4_and_the_person_decides(boardroom: Boardroom, tmp_path: Path) -> None:
    faults = {"BOARDROOM_SIMULATED_FAULTS": SPLIT, "BOARDROOM_CALL_RETRIES": "0"}
    run = boardroom("review", str(PAYMENTS), "--seed", str(SEED), "--to", "out", "--json", **faults)
    assert run.code == 4, run.err
    found = run.json()
    assert (found["verdict"], found["vote"]) == ("ESCALATE", "2-0-3")
    assert {one["director"] for one in found["degraded"]} == {"CA", "CPO", "COO"}
    shown = boardroom("reviews", found["session_id"])
    assert f"decide {found['session_id']} approve|reject" in " ".join(shown.out.split())
    for wrong in (["--because", " "], ["--because", ""]):
        assert boardroom("decide", found["session_id"], "approve", *wrong).code == 2
    assert boardroom("decide", found["session_id"], "maybe", "--because", "x").code == 2
    decided = boardroom("decide", found["session_id"], "approve", "--because", "The pilot is small: {ADJOURN}.", "--json")
    assert decided.code == 0, decided.err
    assert (decided.json()["decision"], decided.json()["because"]) == ("approve", "The pilot is small: {ADJOURN}.")
    text = (tmp_path / "out" / BOARD / "resolution.md").read_text()
    assert "approved by the person" in text and "{ADJOURN}" in text
    second = boardroom("decide", found["session_id"], "reject", "--because", "No.")
    assert (second.code, "first decision stands" in second.told()) == (1, True)
    # The review is over: going on with it shows the result again, with its code.
    assert boardroom("review", "--resume", found["session_id"], "--json").json()["verdict"] == "ESCALATE"


def test_standard_input_is_a_proposal(data_dir: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "review", "-", "--title", "From a pipe", "--rounds", "0", "--json"],
        cwd=tmp_path, env=environment(data_dir), input=LOYALTY.read_bytes(), capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    session = next((tmp_path / BOARD).glob("session-*.json"))
    assert json.loads(session.read_text())["proposal"][0]["name"] == "standard input"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Name the proposal's files"),
        (["nowhere.md"], "does not exist"),
        (["."], "is a folder"),
        (["empty.md"], "is empty"),
        (["binary.md"], "not a text file"),
        (["nul.md"], "not a text file"),
        (["huge.md"], "2 MiB"),
        (["fine.md", "--track", "../x"], "not the id of a track"),
        (["fine.md", "--to", "fine.md"], "is no folder"),
        (["fine.md", "--to", "fine.md/sub"], "is no folder"),
        (["fine.md", "--to", "dangling"], "is no folder"),
        (["fine.md", "--to", "linked"], "is a link or a file"),
        (["fine.md", "--board", "piped"], "_board.json"),
        (["--resume", "board-20260201-1", "--to", "x", "--rounds", "1"], "leave --to, --rounds out"),
        (["fine.md", "--board", "nowhere"], "name a folder of directors"),
        (["fine.md", "--board", "."], "."),
        (["fine.md", "--rounds", "4"], "0 to 3"),
        (["fine.md", "--rounds", "many"], "many"),
        (["fine.md", "--rounds", "1.5"], "not a whole number"),
        (["fine.md", "--to", "x" * 300], "name too long"),
        (["fine.md", "--deadline", "-5"], "-5"),
        (["fine.md", "--deadline", "soon"], "soon"),
        (["fine.md", "--title", " "], "title"),
        (["fine.md", "--provider", "oracle"], "oracle"),
        (["fine.md", "--resume", "board-20260201-1"], "leave the files out"),
        (["--resume", "yesterday"], "board-20260201-1"),
        (["fine.md", "--verdict", "APPROVED"], "--verdict"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)  # fmt: skip
def test_wrong_usage_is_2_and_one_sentence_and_leaves_nothing(
    boardroom: Boardroom, tmp_path: Path, data_dir: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "fine.md").write_text("# Fine\n\nA proposal.\n")
    (tmp_path / "empty.md").write_text(" \n")
    (tmp_path / "binary.md").write_bytes(b"\x89PNG\r\n\x1a\n\xff")
    (tmp_path / "nul.md").write_text("a\0b")
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".message-bus").symlink_to(tmp_path)
    (tmp_path / "piped").mkdir()
    os.mkfifo(tmp_path / "piped" / "_board.json")
    (tmp_path / "huge.md").write_bytes(b"x" * (2 * 1024 * 1024 + 1))
    run = boardroom("review", *arguments)
    assert (run.code, run.out) == (2, ""), run
    assert words in run.told()
    assert not (tmp_path / ".message-bus").exists() and not (data_dir / "boardroom.db").exists()


def test_a_review_by_its_id_takes_no_track(boardroom: Boardroom) -> None:
    run = boardroom("reviews", "board-20260201-1", "--track", "auth")
    assert (run.code, run.out) == (2, "") and "leave --track out" in run.told()


def test_an_id_that_nobody_has_is_said_for_each_command(boardroom: Boardroom) -> None:
    for arguments in (["reviews", "board-20260201-1"], ["decide", "board-20260201-1", "approve", "--because", "x"]):
        run = boardroom(*arguments)
        assert (run.code, "There is no review board-20260201-1" in run.told()) == (2, True)
    assert boardroom("reviews", "--json").json() == []
    assert "boardroom review PROPOSAL.md" in boardroom("reviews").out
    assert boardroom("reviews", "--to", "x").code == 2


def test_another_board_reviews_as_files_say(boardroom: Boardroom, tmp_path: Path) -> None:
    folder = tmp_path / "council"
    folder.mkdir()
    for code, title, domain in (("PL", "Planner", "Permits"), ("NB", "Neighbour", "Noise"), ("TR", "Treasurer", "Money")):
        file = {
            "v": 1, "id": f"board-{code.lower()}", "name": code, "description": title, "launchable": False, "tags": [],
            "board": {"role": "member", "display_name": title, "voting": True, "perspective": domain, "aliases": [],
                      "themes": [domain.lower(), "hours"]},
            "claude_md": {"sections": [{"heading": "## Office", "content": f"You are the {title}.", "position": "start"}]},
        }  # fmt: skip
        (folder / f"{code.lower()}.json").write_text(json.dumps(file))
    (tmp_path / "market.md").write_text(
        "# A night market\n\nNoise ends at ten. Permits are asked for. Money: 3,000 € a year.\n"
    )
    run = boardroom("review", "market.md", "--board", "council", "--seed", "1", "--json")
    assert run.code in (0, 3, 4), run.err
    votes = json.loads((tmp_path / BOARD / "votes.json").read_text())
    assert [vote["director"] for vote in votes] == ["NB", "PL", "TR"]


@pytest.mark.parametrize(("command", "code"), [(("review", str(LOYALTY), "--rounds", "1"), 3), (("meet", "Should I walk?"), 0)])
def test_a_reader_that_leaves_early_changes_no_exit_code(
    data_dir: Path, tmp_path: Path, command: tuple[str, ...], code: int
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *command, "--seed", "1"],
        cwd=tmp_path, env=environment(data_dir), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    try:
        for _ in range(6):
            assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == code
        assert process.stderr.read() == b""
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)


def test_files_that_cannot_be_written_cost_nothing(boardroom: Boardroom, tmp_path: Path) -> None:
    in_the_way = tmp_path / "out" / BOARD / "votes.json"
    in_the_way.mkdir(parents=True)
    run = boardroom("review", str(LOYALTY), "--rounds", "0", "--to", "out", "--json")
    assert (run.code, run.out) == (1, "")
    assert "on the record" in run.err and "--resume board-" in run.err
    in_the_way.rmdir()
    session = boardroom("reviews", "--json").json()[0]["session_id"]
    again = boardroom("review", "--resume", session, "--json")
    assert (again.code, again.json()["verdict"]) == (3, "REJECTED")
    assert (tmp_path / "out" / BOARD / "votes.json").is_file()
