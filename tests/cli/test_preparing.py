"""Preparing a meeting from the command line, who may use the API, and deleting: as a person types it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Boardroom
from tests.support.servers import ROOT

CONTEXT = ROOT / "examples" / "context"


def test_the_chairman_drafts_and_the_person_changes_approves_and_meets(boardroom: Boardroom, data_dir: Path) -> None:
    made = boardroom("prepare", "The last week of November", "--json", "--seed", "7", BOARDROOM_CONTEXT_DIR=str(CONTEXT))
    assert made.code == 0, made.err
    view = made.json()
    meeting = view["meeting_id"]
    assert (view["status"], view["version"]) == ("agenda_draft", 1)
    assert any("Italian" in item["topic"] for item in view["agenda"]["items"])
    told = boardroom("agenda", meeting, "--tell", "Can we add a sleep goal?")
    assert told.code == 0, told.err
    assert "added “Should I set a goal for sleep?”" in told.out
    assert boardroom("agenda", meeting, "--undo", "--json").json()["version"] == 3
    early = boardroom("meet", "--resume", meeting, "--json")
    assert early.code == 1
    assert "approve its agenda" in early.err
    assert boardroom("agenda", meeting, "--approve", "--json").json()["status"] == "prepared"
    again = boardroom("agenda", meeting, "--tell", "One more thing")
    assert again.code == 1
    assert "edit it again" in again.told()
    held = boardroom("meet", "--resume", meeting, "--json")
    assert held.code == 0, held.err
    assert held.json()["status"] == "completed"
    assert len(held.json()["attendees"]) == 5
    open_ = boardroom("delete", meeting)
    assert open_.code == 2
    assert "--yes" in open_.told()
    assert boardroom("delete", meeting, "--yes").code == 0
    assert boardroom("meetings", meeting).code == 2
    content = b"".join(file.read_bytes() for file in data_dir.glob("boardroom.db*"))
    assert b"Italian" not in content


def test_a_meeting_of_meet_has_the_board_book_too(boardroom: Boardroom) -> None:
    held = boardroom("meet", "Should I sleep more?", "--json", "--seed", "7", BOARDROOM_CONTEXT_DIR=str(CONTEXT))
    assert held.code == 0, held.err
    shown = boardroom("meetings", held.json()["meeting_id"], "--json").json()
    assert any("board book" in turn["text"].lower() or "hours" in turn["text"] for turn in shown["transcript"])


def test_tokens_are_made_listed_and_revoked(boardroom: Boardroom, data_dir: Path) -> None:
    made = boardroom("tokens", "create", "laptop", "--scope", "reader", "--days", "30", "--json").json()
    assert made["token"].startswith("brd_")
    listed = boardroom("tokens", "list", "--json").json()
    assert [(token["id"], token["state"]) for token in listed] == [(made["id"], "valid")]
    assert "token" not in listed[0]
    assert boardroom("tokens", "revoke", made["id"]).code == 0
    assert boardroom("tokens", "revoke", made["id"]).code == 1
    assert boardroom("tokens", "revoke", "tok-00000000").code == 2
    assert boardroom("tokens", "list", "--json").json()[0]["state"] == "revoked"
    assert made["token"].encode() not in b"".join(file.read_bytes() for file in data_dir.glob("boardroom.db*"))
    assert stat.S_IMODE((data_dir / "boardroom.db").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "words",
    [
        ("tokens", "create", " "),
        ("tokens", "create", "x", "--scope", "king"),
        ("tokens", "create", "x", "--days", "-1"),
        ("tokens", "create", "x", "--owner", "../me"),
        ("prepare", "--start", "tomorrow"),
        ("prepare", "--seats", "nobody"),
        ("agenda", "mtg-zz"),
        ("agenda", "mtg-00000000"),
        ("delete", "mtg-00000000", "--yes"),
        ("erase",),
    ],
)
def test_wrong_usage_is_one_sentence(boardroom: Boardroom, words: tuple[str, ...]) -> None:
    found = boardroom(*words)
    assert found.code == 2, found.err
    found.told()
    assert found.out == ""
