"""`boardroom schedule`: as a person uses it, on an embedded server that comes and goes with each command."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Boardroom, environment
from tests.support.servers import eventually

SET = ("schedule", "set", "--weekly", "sun", "--at", "06:00", "--zone", "America/Los_Angeles")


@pytest.fixture
def told(boardroom: Boardroom, data_dir: Path):  # type: ignore[no-untyped-def]
    """Run a command that is wrong usage where there is nothing yet, and return what is said of it."""

    def run(*arguments: str, **variables: str) -> str:
        done = boardroom(*arguments, **variables)
        said = done.told()
        assert done.code == 2, said
        assert done.out == ""
        assert not data_dir.exists(), "nothing half-written"
        return said

    return run


def test_wrong_usage_is_one_sentence_and_starts_nothing(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert "--weekly sun --at 06:00" in told("schedule", "set")
    assert "--weekly sun --at 06:00" in told("schedule", "set", "--weekly", "sun", "--drift", "daily")
    assert "'Mars/Olympus' is not a time zone" in told("schedule", "set", "--weekly", "sun", "--zone", "Mars/Olympus")
    assert "'25:00' is not a time of day" in told("schedule", "set", "--weekly", "sun", "--at", "25:00")
    assert "'someday' is not a weekday" in told("schedule", "set", "--weekly", "someday")
    assert "02:30 does not come at all on 2027-03-14" in told(*SET[:4], "--at", "02:30", *SET[6:])
    assert "BOARDROOM_CONTEXT_DIR" in told("schedule", "set", "--drift", "daily")
    missing = str(tmp_path / "nowhere")
    assert "BOARDROOM_CONTEXT_DIR" in told("schedule", "set", "--drift", "daily", BOARDROOM_CONTEXT_DIR=missing)
    assert "name of the meetings" in told(*SET, "--name", " ")
    assert "BOARDROOM_SCHEDULE_CATCHUP" in told(*SET, BOARDROOM_SCHEDULE_CATCHUP="1")
    assert '"weekly", "drift"' in told("schedule", "pause", "daily"), "which there are"


@pytest.mark.parametrize("command", ["pause", "resume", "trigger", "delete"])
def test_there_is_nothing_to_change_where_nothing_is_set(told, command: str) -> None:  # type: ignore[no-untyped-def]
    assert "There is no schedule: `boardroom schedule set" in told("schedule", command)
    assert "There is no drift schedule: `boardroom schedule set --drift" in told("schedule", command, "drift")


def test_showing_an_empty_place_makes_nothing(boardroom: Boardroom, data_dir: Path) -> None:
    assert boardroom("schedule", "show", "--json").json() == []
    assert "There is no schedule" in boardroom("schedule", "show").out
    assert boardroom("schedule", "show", "weekly").code == 2
    assert not data_dir.exists()


def test_a_schedule_from_its_setting_to_its_end(boardroom: Boardroom) -> None:
    done = boardroom(*SET, "--name", "Sunday board", "--json")
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = done.json()
    assert [found[key] for key in ("kind", "days", "at", "zone")] == ["weekly", ["sun"], "06:00", "America/Los_Angeles"]
    assert [found[key] for key in ("name", "paused", "polled", "running")] == ["Sunday board", False, False, None]
    times = [datetime.fromisoformat(moment) for moment in found["next"]]
    assert {(moment.isoweekday(), moment.hour, moment.minute) for moment in times} == {(7, 6, 0)}

    again = boardroom(*SET)
    assert again.code == 2
    assert "There is a weekly schedule already (every Sunday at 06:00 (America/Los_Angeles))" in again.told()

    shown = boardroom("schedule", "show")
    assert shown.out.startswith("Weekly: every Sunday at 06:00 (America/Los_Angeles) — Sunday board\n  next  Sun ")
    assert "Nobody is there to hold its meetings" in shown.told()

    paused = boardroom("schedule", "pause", "--json").json()
    assert (paused["paused"], paused["next"]) == (True, [])
    twice = boardroom("schedule", "pause")
    assert (twice.code, "paused already" in twice.told()) == (1, True)
    assert "`boardroom schedule resume weekly` goes on" in boardroom("schedule", "show").out
    assert boardroom("schedule", "resume", "weekly", "--json").json()["next"] == found["next"]

    replaced = boardroom(
        "schedule", "set", "--weekly", "wed,sat", "--at", "7:30", "--zone", "Europe/Lisbon", "--replace", "--json"
    )
    assert replaced.json()["when"] == "every Wednesday and Saturday at 07:30 (Europe/Lisbon)"
    assert replaced.json()["name"] is None

    deleted = boardroom("schedule", "delete", "--json")
    assert deleted.json() == {"deleted": "weekly"}
    assert boardroom("schedule", "show", "--json").json() == []
    assert boardroom("schedule", "delete").code == 2


def test_a_trigger_that_finds_nobody_says_so_and_is_kept(boardroom: Boardroom) -> None:
    boardroom(*SET)
    done = boardroom("schedule", "trigger")
    assert done.code == 0
    assert done.out.startswith("Convened: convene-")
    assert "it begins when `boardroom up` or `boardroom worker` runs" in done.told()
    second = boardroom("schedule", "trigger")
    assert second.code == 1
    assert "still runs" in second.told()
    assert boardroom("schedule", "show", "--json").json()[0]["running"].startswith("convene-")


def test_both_schedules_have_to_be_told_apart(boardroom: Boardroom, tmp_path: Path) -> None:
    (tmp_path / "context").mkdir()
    boardroom(*SET)
    done = boardroom("schedule", "set", "--drift", "daily", "--zone", "UTC", "--json", BOARDROOM_CONTEXT_DIR="context")
    assert (done.json()["kind"], done.json()["at"], len(done.json()["days"])) == ("drift", "07:00", 7)
    assert [one["kind"] for one in boardroom("schedule", "show", "--json").json()] == ["weekly", "drift"]
    assert "weekly or drift" in boardroom("schedule", "pause").told()
    assert boardroom("schedule", "pause", "drift", "--json").json()["paused"]


@pytest.fixture
def up(data_dir: Path, tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    """Start `boardroom up`; it is stopped by Ctrl-C when the test is over."""
    started: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        words = [sys.executable, "-m", "cli.main", "up"]
        env = environment(data_dir, BOARDROOM_PROVIDER="simulated", BOARDROOM_PORT="0")
        started.append(
            subprocess.Popen(words, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        )
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


def said_at_start(process: subprocess.Popen[str]) -> list[str]:
    """What `up` says until its worker is ready."""
    assert process.stderr is not None
    lines: list[str] = []
    while not (lines and lines[-1].startswith("The worker is ready")):
        line = process.stderr.readline()
        assert line, lines
        lines.append(line.rstrip("\n"))
    return lines


def test_up_offers_a_schedule_and_never_sets_one_unasked(boardroom: Boardroom, up: Callable[[], subprocess.Popen[str]]) -> None:
    offered = [line for line in said_at_start(up()) if "No schedule" in line]
    assert len(offered) == 1
    assert "`boardroom schedule set --weekly sun --at 06:00`" in offered[0]
    assert boardroom("schedule", "show", "--json").json() == []


def test_a_passing_meeting_leaves_sundays_meeting_alone_and_up_holds_it(
    boardroom: Boardroom, up: Callable[[], subprocess.Popen[str]]
) -> None:
    boardroom(*SET, BOARDROOM_PROVIDER="simulated")
    assert "it begins when" in boardroom("schedule", "trigger").err
    passing = boardroom("meet", "Should I walk more?", "--json", BOARDROOM_PROVIDER="simulated")
    assert passing.json()["status"] == "completed"
    (waiting,) = boardroom("schedule", "show", "--json").json()
    assert (waiting["running"][:8], waiting["convenings"]) == ("convene-", []), "nobody took it and left"
    assert len(boardroom("meetings", "--json").json()) == 1

    process = up()
    assert any(line.startswith("Weekly schedule: next Sun ") for line in said_at_start(process))

    def held() -> dict[str, Any] | None:
        (found,) = boardroom("schedule", "show", "--json").json()
        return found if found["convenings"] and found["convenings"][0]["ended_at"] and not found["running"] else None

    found = eventually(held, within=90)
    (past,) = found["convenings"]
    assert (past["outcome"], found["running"], found["polled"]) == ("completed", None, True)
    meeting = boardroom("meetings", past["meeting_id"], "--json").json()
    assert meeting["status"] == "completed"
    assert meeting["simulated"] is True
    assert len(meeting["attendees"]) == 5
    assert 3 <= len(meeting["meeting"]["agenda"]["items"]) <= 5, "drafted by the chairman"
    assert meeting["name"].startswith("Board meeting of ")
    assert past["meeting_id"] in boardroom("schedule", "show").out
