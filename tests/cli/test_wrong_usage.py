"""Wrong usage: one sentence that names the thing and the mend, exit code 2, and nothing is started or written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Boardroom, Run, environment
from tests.support.servers import ROOT

LISBON = "Should I take the job in Lisbon?"


@pytest.fixture
def told(boardroom: Boardroom, data_dir: Path):  # type: ignore[no-untyped-def]
    """Run a command that is wrong usage and return what is said of it."""

    def run(*arguments: str, **variables: str) -> str:
        done = boardroom(*arguments, **variables)
        said = done.told()
        assert done.code == 2, said
        assert done.out == ""
        assert not data_dir.exists(), "nothing half-written"
        return said

    return run


def test_no_topic_at_all(told) -> None:  # type: ignore[no-untyped-def]
    assert 'boardroom meet "Should I take the job in Lisbon?"' in told("meet")


@pytest.mark.parametrize("topic", ["", "   ", "\t\n", "\u200b"])
def test_an_empty_topic(told, topic: str) -> None:  # type: ignore[no-untyped-def]
    assert "topic is empty" in told("meet", topic)


def test_a_topic_that_is_far_too_long(told) -> None:  # type: ignore[no-untyped-def]
    said = told("meet", "Lisbon " * 15_000)
    assert "500" in said
    assert len(said) < 300, "the topic is not repeated"


def test_a_200_kb_topic_in_a_file(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "agenda.json"
    file.write_text(json.dumps({"items": [{"topic": "x" * 200_000, "type": "decision"}]}))
    assert "500" in told("meet", "--agenda", str(file))


def test_51_items(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "agenda.txt"
    file.write_text("\n".join(f"{n}. [Topic {n}] (type: decision)" for n in range(1, 52)))
    said = told("meet", "--agenda", str(file))
    assert "51" in said
    assert "50" in said
    assert "51" in told("meet", *(f"Topic {n}" for n in range(51)))


def test_an_agenda_file_that_is_none(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    missing = told("meet", "--agenda", str(tmp_path / "no.txt"))
    assert "does not exist" in missing
    assert "is a folder" in told("meet", "--agenda", str(tmp_path))
    binary = tmp_path / "agenda.bin"
    binary.write_bytes(os.urandom(3000) + b"\0\xff")
    assert "not a text file" in told("meet", "--agenda", str(binary))
    prose = tmp_path / "agenda.md"
    prose.write_text("Dear board,\nplease think about Lisbon.\n")
    assert "Dear board" in told("meet", "--agenda", str(prose))
    broken = tmp_path / "agenda.json"
    broken.write_text('{"items": [{"topic": ')
    assert "JSON" in told("meet", "--agenda", str(broken))
    unknown = tmp_path / "unknown.json"
    unknown.write_text('{"items": [{"topic": "Lisbon", "typ": "decision"}]}')
    assert "'typ'" in told("meet", "--agenda", str(unknown))
    large = tmp_path / "large.txt"
    large.write_text("x" * (1024 * 1024 + 1))
    assert "1 MiB" in told("meet", "--agenda", str(large))
    locked = tmp_path / "fifo"
    locked.symlink_to(locked)
    assert "cannot be read" in told("meet", "--agenda", str(locked))


def test_a_topic_and_an_agenda(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert "not both" in told("meet", LISBON, "--agenda", str(tmp_path / "a.txt"))


def test_seats(told) -> None:  # type: ignore[no-untyped-def]
    unknown = told("meet", LISBON, "--seats", "aurelius,dalio,muskk")
    assert "'muskk'" in unknown
    assert "did you mean 'musk'" in unknown
    assert "quorum of 3" in told("meet", LISBON, "--seats", "aurelius,dalio")
    assert "named twice" in told("meet", LISBON, "--seats", "aurelius,dalio,musk,elon")


@pytest.mark.parametrize("deadline", ["soon", "0", "-5m", "40d", ""])
def test_a_deadline_that_is_none(told, deadline: str) -> None:  # type: ignore[no-untyped-def]
    assert "--deadline" in told("meet", LISBON, f"--deadline={deadline}")


def test_options_that_do_not_exist_or_cannot_be_read(told) -> None:  # type: ignore[no-untyped-def]
    assert "--pase" in told("meet", LISBON, "--pase", "brisk")
    assert "fast" in told("meet", LISBON, "--pace", "fast")
    assert "many" in told("meet", LISBON, "--seed", "many")
    assert "-1" in told("meet", LISBON, "--seed=-1")
    assert "frobnicate" in told("frobnicate")


def test_a_provider_that_does_not_exist_and_a_setting_that_is_wrong(told) -> None:  # type: ignore[no-untyped-def]
    assert "oracle" in told("meet", LISBON, "--provider", "oracle")
    assert "BOARDROOM_TIER" in told("meet", LISBON, BOARDROOM_TIER="huge")


@pytest.mark.parametrize("command", [("meetings",), ("minutes",), ("whispers",), ("meet", "--resume")])
def test_ids_that_are_none_or_unknown(told, command: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    for wrong in ("mtg_XYZ", "mtg-1234abcd\n", "../../etc/passwd", "", "mtg-1234 abcd", "mtg-../x"):
        assert "mtg-9fed5d5a" in told(*command, wrong), "it shows what an id looks like"


@pytest.mark.parametrize("command", [("meetings",), ("minutes",), ("whispers",), ("meet", "--resume")])
def test_asking_for_a_meeting_where_there_is_no_record_makes_none(told, command: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    assert "There is no meeting mtg-1234abcd" in told(*command, "mtg-1234abcd")


def test_resuming_with_a_topic(told) -> None:  # type: ignore[no-untyped-def]
    assert "leave the topic out" in told("meet", LISBON, "--resume", "mtg-1234abcd")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--seats", "all"),
        ("--provider", "simulated"),
        ("--seed", "0"),
        ("--pace", "instant"),
        ("--deadline", "1h"),
        ("--name", "Again"),
    ],
)
def test_resuming_under_other_rules(told, option: str, value: str) -> None:  # type: ignore[no-untyped-def]
    assert f"leave {option} out" in told("meet", "--resume", "mtg-1234abcd", option, value)


def test_what_stands_behind_a_command_and_is_not_its_own(told) -> None:  # type: ignore[no-untyped-def]
    assert "'mtg-99999999'" in told("minutes", "mtg-1234abcd", "mtg-99999999")
    assert "'-5m' is not a duration" in told("meet", LISBON, "--deadline", "-5m")


@pytest.mark.parametrize("command", [("meetings",), ("minutes", "mtg-1234abcd"), ("meet", "--resume", "mtg-1234abcd")])
def test_a_data_directory_that_is_none_is_not_an_empty_record(
    boardroom: Boardroom, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "file").write_text("")
    for wrong in ("file", "file/below", "x" * 300):
        done = boardroom(*command, BOARDROOM_DATA_DIR=str(tmp_path / wrong))
        assert f"The data directory {tmp_path / wrong} " in done.told()
        assert (done.code, done.out) == (1, "")


def test_persona_files_are_named_with_the_key_and_the_mend(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "personas"
    folder.mkdir()
    (folder / "aurelius.json").write_text('{"v": 1, "id": "board-aurelius", "nam": "Marcus Aurelius"}')
    said = told("meet", LISBON, BOARDROOM_PERSONAS_DIR=str(folder))
    assert "aurelius.json" in said
    assert "nam" in said
    missing = told("members", BOARDROOM_PERSONAS_DIR="nowhere")
    assert missing.startswith("nowhere is not a folder"), "a folder keeps its name at the beginning of a sentence"


def test_the_list_of_an_empty_place_is_empty_and_makes_nothing(boardroom: Boardroom, data_dir: Path) -> None:
    done = boardroom("meetings", "--json")
    assert (done.code, done.json(), done.err) == (0, [], "")
    assert "no meetings" in boardroom("meetings").out
    assert not data_dir.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full, a file on a full disk, is Linux's")
@pytest.mark.parametrize("command", [("members",), ("members", "--json")])
def test_an_output_without_room_is_told(tmp_path: Path, data_dir: Path, command: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *command],
            cwd=tmp_path,
            env=environment(data_dir),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode != 0
    assert Run(1, "", done.stderr).told().startswith("The output cannot be written (No space left on device)")


def test_a_terminal_with_few_characters_shows_what_it_can(boardroom: Boardroom, tmp_path: Path) -> None:
    folder = tmp_path / "personas"
    shutil.copytree(ROOT / "personas" / "board", folder)
    file = folder / "jobs.json"
    file.write_text(file.read_text().replace('"Steve Jobs"', '"Stevé Jobs"'))
    few = {"PYTHONIOENCODING": "ascii", "BOARDROOM_PERSONAS_DIR": str(folder)}
    assert "Stev? Jobs" in boardroom("members", **few).out
    assert "Stevé Jobs" in [member["name"] for member in boardroom("members", "--json", **few).json()]
    refused = boardroom("meet", LISBON, "--seats", "Stevé", **few)
    assert refused.told().startswith("No member is called 'Stev\\xe9'")


def test_help_answers_at_once(boardroom: Boardroom) -> None:
    done = boardroom("--help")
    assert done.code == 0
    for command in ("meet", "up", "worker", "meetings", "minutes", "members", "whispers", "doctor"):
        assert f" {command} " in done.out
    assert boardroom("meet", "--help").out.count("--") > 8
