"""Whole meetings from the command line: real processes, the real embedded server, a terminal where one is needed."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import stack_keeper
from tests.cli.conftest import Boardroom, Run, commands, ending, environment
from tests.support.servers import processes
from tests.support.terminals import Terminal

pytestmark = pytest.mark.server

LISBON = "Should I take the job in Lisbon?"
KEYS = {
    "meeting_id", "status", "ended_by", "attendees", "simulated", "seconds", "calls", "tokens", "resolutions", "unfinished",
}  # fmt: skip
RESOLUTION = {
    "id", "meeting_id", "agenda_item_id", "topic", "motion", "vote", "dissents", "action_items", "user_response", "created_at",
}  # fmt: skip


def nothing_runs(data_dir: Path) -> bool:
    """Whether the embedded server and its keeper are gone; they may need a moment."""
    end = time.monotonic() + 15
    while any(stack_keeper.runs(process) for process in processes(data_dir).values()):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture
def sit(data_dir: Path, tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Run `boardroom …` at a terminal."""
    terminals: list[Terminal] = []

    def start(*arguments: str, columns: int = 80, rows: int = 40, **variables: str) -> Terminal:
        command = [sys.executable, "-m", "cli.main", *arguments]
        terminals.append(Terminal(command, cwd=tmp_path, env=environment(data_dir, **variables), columns=columns, rows=rows))
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close()


@dataclass(frozen=True)
class Held:
    """A meeting that was held to its end, and the folder that it was held in."""

    run: Run
    folder: Path

    @property
    def boardroom(self) -> Boardroom:
        return commands(self.folder)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Held]:
    folder = tmp_path_factory.mktemp("held")
    with ending(folder / "data"):
        yield Held(commands(folder)("meet", LISBON, "--seed", "7", "--json"), folder)


afterwards = pytest.mark.xdist_group("held")
"""The meeting is held once; what changes nothing of it looks at the same one."""


@afterwards
def test_a_meeting_is_held_and_its_result_is_one_object(held: Held) -> None:
    data_dir = held.folder / "data"
    assert held.run.code == 0, held.run.err
    result = held.run.json()
    assert set(result) >= KEYS
    assert (result["status"], result["ended_by"], result["simulated"]) == ("completed", "agenda", True)
    assert len(result["attendees"]) == 5
    assert result["calls"] > 10
    assert set(result["resolutions"][0]) >= RESOLUTION
    assert set(result["resolutions"][0]["vote"]) == {"for", "against", "abstain", "absent", "no_reply", "invalid"}
    assert held.run.err == f"Meeting {result['meeting_id']} is open.\n"
    assert nothing_runs(data_dir)
    assert (data_dir.stat().st_mode & 0o777) == 0o700
    for file in data_dir.iterdir():
        assert file.is_dir() or file.stat().st_mode & 0o077 == 0, f"{file.name} can be read by others"


@afterwards
def test_what_was_held_can_be_read(held: Held) -> None:
    boardroom = held.boardroom
    result = held.run.json()
    meeting = result["meeting_id"]
    listed = boardroom("meetings", "--json")
    assert [row["meeting_id"] for row in listed.json()] == [meeting]
    shown = boardroom("meetings").out
    assert meeting in shown
    assert "simulated" in shown

    detail = boardroom("meetings", meeting, "--json").json()
    assert [turn["seq"] for turn in detail["transcript"]] == list(range(1, len(detail["transcript"]) + 1))
    assert {key: detail[key] for key in KEYS} == {key: result[key] for key in KEYS}
    votes = [
        turn["data"]["vote"] for turn in detail["transcript"] if turn["purpose"] == "vote" and turn["member_id"] != "clerk"
    ]
    assert len(votes) >= 5
    plain = boardroom("meetings", meeting).out
    assert "Simulated voices" in plain
    assert detail["transcript"][0]["text"].split()[0] in plain

    minutes = boardroom("minutes", meeting)
    assert minutes.code == 0
    assert result["resolutions"][0]["motion"]["text"].split()[0] in minutes.out
    assert boardroom("minutes", meeting).out == minutes.out
    as_json = boardroom("minutes", meeting, "--format", "json").json()
    assert as_json["minutes"].strip() == minutes.out.strip()

    listed = boardroom("meetings", COLUMNS="40", BOARDROOM_ZONE="Asia/Tokyo").out
    assert listed.startswith(f"{meeting}  completed\n"), "an id is whole in a narrow terminal too"
    assert " JST\n" in listed
    opened = re.search(r"Called to order: (\S+ \d\d:\d\d):\d\d (\w+)", minutes.out)
    assert opened is not None
    wide = boardroom("meetings").out
    assert f"{opened[1]} {opened[2]}" in wide, "the list and the minutes are of one time zone"

    whispers = boardroom("whispers", meeting, "--json").json()
    assert whispers
    assert boardroom("whispers", meeting).out.count("\n") >= len(whispers)
    spoken = json.dumps(detail, ensure_ascii=False) + minutes.out
    assert not [w for w in whispers if len(w["text"]) > 20 and json.dumps(w["text"], ensure_ascii=False)[1:-1] in spoken]


@afterwards
def test_resuming_a_completed_meeting_prints_its_result(held: Held) -> None:
    boardroom = held.boardroom
    meeting = held.run.json()["meeting_id"]
    again = boardroom("meet", "--resume", meeting, "--json")
    assert (again.code, again.json(), again.err) == (0, held.run.json(), "")
    plain = boardroom("meet", "--resume", meeting)
    assert plain.code == 0
    assert f"boardroom minutes {meeting}" in plain.out


@afterwards
def test_unknown_meetings_are_told(held: Held) -> None:
    for command in (("meet", "--resume"), ("meetings",), ("minutes",), ("whispers",)):
        done = held.boardroom(*command, "mtg-00000000")
        assert done.code == 2
        assert "There is no meeting mtg-00000000" in done.told()


@afterwards
def test_the_same_seed_gives_the_same_meeting_and_another_topic_another(held: Held, boardroom: Boardroom) -> None:
    def motions(run: Run) -> list[str]:
        return [resolution["motion"]["text"] for resolution in run.json()["resolutions"]]

    same = boardroom("meet", LISBON, "--seed", "7", "--json")
    other = boardroom("meet", "Should I learn to play the cello?", "--seed", "7", "--json")
    assert motions(same) == motions(held.run)
    assert motions(other) != motions(held.run)


def test_two_meetings_at_once_in_one_directory(boardroom: Boardroom, data_dir: Path, tmp_path: Path) -> None:
    topics = (LISBON, "Should I sell the car?")
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "cli.main", "meet", topic, "--json"],
            cwd=tmp_path, env=environment(data_dir), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for topic in topics
    ]  # fmt: skip
    ended = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0], ended
    results = [json.loads(out) for out, _ in ended]
    assert [result["name"] for result in results] == list(topics)
    assert all(result["status"] == "completed" for result in results)
    assert len(boardroom("meetings", "--json").json()) == 2
    assert nothing_runs(data_dir)


def test_without_a_terminal_the_meeting_is_plain_lines(boardroom: Boardroom) -> None:
    done = boardroom("meet", LISBON, "--seed", "7")
    assert done.code == 0
    assert "\x1b" not in done.out
    for part in ("Simulated voices", "── Roll call ──", "── Vote ──", "Result", "boardroom minutes mtg-"):
        assert part in done.out
    assert done.err == ""


@pytest.mark.parametrize("columns", [60])
def test_in_a_terminal_a_person_can_watch_speak_pause_and_go_on(
    sit: Callable[..., Terminal], boardroom: Boardroom, data_dir: Path, columns: int
) -> None:
    sitting = sit("meet", LISBON, "--seed", "7", columns=columns)
    sitting.until("Simulated voices")
    sitting.until("Discussion")
    meeting = re.search(r"mtg-[0-9a-f]{8}", sitting.text)
    assert meeting is not None
    sitting.type("Think of the taxes, please")
    sitting.until("taxes")
    sitting.type("\r")
    sitting.until("Your words go to the chair")
    sitting.until(r"You\s+Think of the taxes")
    sitting.process.send_signal(signal.SIGINT)
    sitting.until("Pausing")
    assert sitting.ends() == 130
    assert "boardroom meet --resume" in " ".join(sitting.text.split())
    assert "Traceback" not in sitting.text
    assert sitting.given_back()
    assert nothing_runs(data_dir)

    detail = boardroom("meetings", meeting.group(), "--json").json()
    assert detail["status"] == "paused"
    said = [turn for turn in detail["transcript"] if turn["member_id"] == "shareholder"]
    assert [turn["text"] for turn in said] == ["Think of the taxes, please"]

    again = sit("meet", "--resume", meeting.group(), columns=columns)
    assert again.ends(120) == 0
    assert "boardroom minutes" in again.text
    assert "Traceback" not in again.text
    after = boardroom("meetings", meeting.group(), "--json").json()
    assert after["status"] == "completed"
    assert after["transcript"][: len(detail["transcript"])] == detail["transcript"], "what was said stands as it was"
    assert nothing_runs(data_dir)


def test_ctrl_c_typed_at_the_terminal_pauses_and_a_second_drops_at_once(
    sit: Callable[..., Terminal], boardroom: Boardroom, data_dir: Path
) -> None:
    sitting = sit("meet", LISBON)
    sitting.until("Discussion")
    sitting.type("\x03")
    sitting.until("Ctrl-C again drops")
    sitting.type("\x03")
    started = time.monotonic()
    assert sitting.ends() == 130
    assert time.monotonic() - started < 3
    assert sitting.given_back()
    assert nothing_runs(data_dir)
    meeting = boardroom("meetings", "--json").json()[0]["meeting_id"]
    assert boardroom("meetings", meeting, "--json").json()["status"] in ("in_progress", "paused")


@pytest.mark.chaos  # by default tests/chaos/test_kills.py kills the command line
def test_after_kill_9_the_meeting_goes_on_where_it_was(
    sit: Callable[..., Terminal], boardroom: Boardroom, data_dir: Path
) -> None:
    sitting = sit("meet", LISBON, "--seed", "7", BOARDROOM_HEARTBEAT="2")
    sitting.until("Discussion")
    sitting.process.kill()
    sitting.process.wait(10)
    assert nothing_runs(data_dir)
    listed = boardroom("meetings", "--json").json()[0]
    assert listed["status"] == "in_progress"
    done = boardroom("meet", "--resume", listed["meeting_id"], "--json")
    assert done.code == 0, done.err
    undisturbed = boardroom("meet", LISBON, "--seed", "7", "--json")
    texts = [[resolution["motion"]["text"] for resolution in run.json()["resolutions"]] for run in (done, undisturbed)]
    assert texts[0] == texts[1]
    assert done.json()["calls"] == undisturbed.json()["calls"], "nothing is bought twice"


def test_a_deadline_ends_a_meeting_in_order(boardroom: Boardroom) -> None:
    done = boardroom("meet", LISBON, "Should I sell the car?", "--pace", "brisk", "--deadline", "3s", "--json")
    assert done.code == 0, done.err
    result = done.json()
    assert (result["status"], result["ended_by"]) == ("completed", "deadline")
    assert [item["topic"] for item in result["unfinished"]]


def test_an_item_that_was_passed_over_is_named_in_the_result(boardroom: Boardroom) -> None:
    done = boardroom("meet", LISBON, "--json", BOARDROOM_SIMULATED_FAULTS="placeholder_motion")
    result = done.json()
    assert (done.code, result["resolutions"]) == (0, [])
    (item,) = result["unfinished"]
    assert (item["topic"], item["status"]) == (LISBON, "skipped")
    assert "placeholder" in item["why"]
    shown = boardroom("meetings", result["meeting_id"]).out
    assert f"Passed over: {LISBON}" in shown.partition("\nResult\n")[2]


def test_a_lost_quorum_halts_the_meeting_and_says_how_to_go_on(boardroom: Boardroom, data_dir: Path) -> None:
    done = boardroom("meet", LISBON, BOARDROOM_SIMULATED_FAULTS="absent:dalio,absent:musk,absent:roosevelt,absent:davinci")
    assert done.code == 1
    meeting = re.search(r"mtg-[0-9a-f]{8}", done.out)
    assert meeting is not None
    assert f"Go on with: boardroom meet --resume {meeting.group()}" in done.out
    assert "Traceback" not in done.err
    assert nothing_runs(data_dir)
    again = boardroom("meet", "--resume", meeting.group(), "--json")  # every absentee is asked again, and is absent again
    assert again.code == 1
    assert again.json()["status"] == "quorum_lost"
    assert "The quorum is lost" in again.err
    shown = boardroom("meetings", meeting.group())
    assert "quorum lost" in shown.out


def test_faults_that_do_not_exist_are_told(boardroom: Boardroom) -> None:
    done = boardroom("meet", LISBON, BOARDROOM_SIMULATED_FAULTS="explode")
    assert done.code == 1
    assert "explode" in done.told()


def test_a_place_that_cannot_be_written(boardroom: Boardroom, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for command in (("meet", LISBON), ("worker",)):
        done = boardroom(*command, BOARDROOM_DATA_DIR=str(tmp_path / "file" / "data"))
        assert done.code == 1
        assert "BOARDROOM_DATA_DIR" in done.told()


def test_a_port_in_use(boardroom: Boardroom) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = boardroom("meet", LISBON, BOARDROOM_TEMPORAL_PORT=str(port))
    assert done.code == 1
    assert str(port) in done.told()
    assert "BOARDROOM_TEMPORAL_PORT" in done.told()


def test_a_database_that_is_not_ours(boardroom: Boardroom, data_dir: Path) -> None:
    data_dir.mkdir()
    (data_dir / "boardroom.db").write_bytes(b"this is no database" * 100)
    for command in (("meet", LISBON), ("meetings",)):
        done = boardroom(*command)
        assert done.code == 1
        assert "boardroom.db" in done.told()


def test_a_provider_without_its_key_and_a_server_that_is_not_there(boardroom: Boardroom) -> None:
    done = boardroom("meet", LISBON, "--provider", "anthropic")
    assert done.code == 1
    assert "ANTHROPIC_API_KEY" in done.told()
    assert boardroom("meetings", "--json").json() == []
    done = boardroom("meet", LISBON, TEMPORAL_ADDRESS="127.0.0.1:9")
    assert done.code == 1
    assert "127.0.0.1:9" in done.told()


def test_up_and_worker_run_until_they_are_told_to_stop(data_dir: Path, tmp_path: Path, boardroom: Boardroom) -> None:
    for command, said in (("up", "Temporal Web UI: http://127.0.0.1:"), ("worker", "Temporal server: 127.0.0.1:")):
        process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", command],
            cwd=tmp_path, env=environment(data_dir), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stderr is not None
        lines: list[str] = []
        while not lines or "ready" not in lines[-1]:
            line = process.stderr.readline()
            assert line, "".join(lines)
            lines.append(line)
        assert said in "".join(lines)
        done = boardroom("meet", LISBON, "--json")  # shares the server and, by chance, the work
        assert done.code == 0, done.err
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out) == (0, ""), err
        assert "Traceback" not in err
        assert nothing_runs(data_dir)
