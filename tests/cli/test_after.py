"""What follows a meeting, as a person types it: resolutions, action items, the summary, the dashboard."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Boardroom
from tests.corpus.injections import INJECTIONS

NOBODY = "RES-mtg-00000000-1"


def held(boardroom: Boardroom, *topics: str) -> dict[str, Any]:
    run = boardroom("meet", *topics, "--json", "--seed", "7")
    assert run.code == 0, run.err
    found: dict[str, Any] = run.json()
    return found


def test_a_resolution_is_answered_its_items_done_and_all_of_it_shown(
    boardroom: Boardroom, data_dir: Path, tmp_path: Path
) -> None:
    meeting = held(boardroom, "Should I walk more?", "Should I schedule three walks a week?")["meeting_id"]
    waiting = boardroom("resolutions", "list", "--pending-only", "--json").json()
    assert waiting
    resolution = next(one["id"] for one in waiting if one["action_items"])
    shown = boardroom("resolutions", "list")
    assert resolution in shown.out and "simulated" in shown.out

    day = (datetime.now(UTC) + timedelta(days=20)).date().isoformat()
    deferred = boardroom("resolutions", "respond", resolution, "defer", "--until", day, "--json").json()
    assert (deferred["status"], deferred["deferred_until"]) == ("waiting", day)
    accepted = boardroom("resolutions", "respond", resolution, "accept", "--note", "Yes, from Monday.")
    assert accepted.code == 0, accepted.err
    assert "Yes, from Monday." in accepted.out
    again = boardroom("resolutions", "respond", resolution, "reject")
    assert (again.code, "first answer stands" in again.told()) == (1, True)

    for item in boardroom("resolutions", "show", resolution, "--json").json()["action_items"]:
        if item["status"] == "pending":
            assert boardroom("actions", "complete", item["id"], "--note", "Done.").code == 0
            assert boardroom("actions", "complete", item["id"]).code == 1
    assert boardroom("resolutions", "show", resolution, "--json").json()["status"] == "done"

    assert boardroom("actions", "extract", meeting, "--json").json()["added"] == []  # nothing is there twice
    added = boardroom("actions", "add", "Call the landlord", "--deadline", "next Friday", "--json").json()
    assert (added["deadline"], added["deadline_reading"]) == ("next Friday", "phrase")
    odd = boardroom("actions", "add", "Wash the car", "--deadline", "when it rains", "--json").json()
    assert (odd["due"], odd["deadline_reading"]) == (None, "unread")
    scope = boardroom("actions", "scope", "--json").json()
    assert odd["id"] in [one["id"] for one in scope["open_ended"]]
    assert "“when it rains” is no date" in boardroom("actions", "scope").out

    file = tmp_path / "todo.txt"
    assert boardroom("actions", "sync", BOARDROOM_TASKS_FILE=str(file)).code == 0
    lines = file.read_text().splitlines()
    file.write_text("\n".join(f"x {line}" if odd["id"] in line else line for line in lines) + "\n")
    assert boardroom("actions", "sync", BOARDROOM_TASKS_FILE=str(file)).code == 0
    assert odd["id"] in [one["id"] for one in boardroom("actions", "list", "--status", "done", "--json").json()]

    summary = boardroom("summary", meeting, "--json").json()
    assert (summary["version"], summary["simulated"]) == (1, True)
    assert boardroom("summary", meeting, "--feedback", "Shorter.").code == 0
    assert boardroom("summary", meeting, "--regenerate", "--json").json()["version"] == 2
    review = boardroom("summary", meeting, "--review")
    assert "simulated" in review.out and meeting in review.out

    page = tmp_path / "page.html"
    assert boardroom("dashboard", "--out", str(page)).code == 0
    assert page.stat().st_mode & 0o777 == 0o600
    assert resolution in page.read_text()
    assert boardroom("resolutions", "delete", resolution).code == 0
    assert boardroom("resolutions", "show", resolution).code == 2
    assert b"Yes, from Monday." not in (data_dir / "boardroom.db").read_bytes()


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        (["resolutions", "show", "../../etc"], 2, "is not a resolution id"),
        (["resolutions", "show", NOBODY], 2, "no resolution"),
        (["resolutions", "respond", NOBODY, "accept"], 2, "no resolution"),
        (["resolutions", "respond", NOBODY, "perhaps"], 2, "perhaps"),
        (["resolutions", "respond", NOBODY, "defer", "--until", "soon"], 2, "no day"),
        (["actions", "complete", "ACT-0000000g/.."], 2, "is not the id of an action item"),
        (["actions", "complete", "ACT-00000000"], 2, "no action item"),
        (["actions", "add", "   "], 2, "empty"),
        (["actions", "add", "x" * 3000], 2, "limit"),
        (["actions", "extract", "mtg-00000000"], 2, "no meeting"),
        (["actions", "sync"], 2, "BOARDROOM_TASKS_FILE"),
        (["summary", "mtg-00000000"], 2, "no meeting"),
        (["dashboard", "--out", "/nowhere/at/all.html"], 0, ""),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(boardroom: Boardroom, command: list[str], code: int, says: str) -> None:
    run = boardroom(*command)
    assert (run.code, says in run.err + run.out) == (code, True), run.err
    assert "Traceback" not in run.err


def test_law_03_hostile_words_in_the_ledger_are_inert_in_the_terminal(boardroom: Boardroom) -> None:
    texts = [text for _, text in INJECTIONS if "\0" not in text and text.isprintable() is False][:6]
    for text in (*texts, "[red]not a colour[/red]", '{ACTION: "pay" @shareholder}'):
        try:
            text.encode()
        except UnicodeEncodeError:
            continue
        assert boardroom("actions", "add", "--", f"Note {text}").code == 0
    out = boardroom("actions", "list").out
    assert "\x1b" not in out and "\x07" not in out and "\u202e" not in out
    assert "[red]not a colour[/red]" in out
