"""The log: JSON for programs, lines for people, and nothing in it that is nobody's business."""

from __future__ import annotations

import json
import logging
import stat
from pathlib import Path

from cli import logs


def logged(formatter: logging.Formatter, words: str) -> str:
    try:
        secret = words
        raise ValueError("what went wrong")
    except ValueError:
        import sys

        record = logging.LogRecord("boardroom.x", logging.WARNING, "f.py", 1, "it %s", ("failed",), sys.exc_info())
    record.meeting_id = "mtg-00000001"
    record.transcript = secret
    return formatter.format(record)


def test_a_service_logs_one_json_object_a_line() -> None:
    found = json.loads(logged(logs.formatter(people=False), "canary"))
    assert (found["event"], found["level"], found["logger"], found["meeting_id"]) == (
        "it failed", "warning", "boardroom.x", "mtg-00000001",
    )  # fmt: skip
    assert found["exception"][0]["exc_type"] == "ValueError"
    assert "timestamp" in found


def test_law_15_no_variable_of_a_frame_and_no_extra_of_a_record_is_logged() -> None:
    for people in (False, True):
        found = logged(logs.formatter(people=people), "canary-words")
        assert "canary-words" not in found
        assert "ValueError" in found


def test_people_read_lines() -> None:
    assert "it failed" in logged(logs.formatter(people=True), "x")


def test_the_file_is_the_owners_alone(tmp_path: Path) -> None:
    handler = logs._Lines(tmp_path / "x.log")
    handler.handle(logging.LogRecord("a", logging.WARNING, "f.py", 1, "words", (), None))
    handler.close()
    assert json.loads((tmp_path / "x.log").read_text())["event"] == "words"
    root = logging.getLogger()
    before = root.handlers[:]
    root.handlers.clear()
    try:
        logs.to_file(tmp_path / "data")
        assert stat.S_IMODE((tmp_path / "data" / logs.FILE).stat().st_mode) == 0o600
    finally:
        for handler_ in root.handlers:
            handler_.close()
        root.handlers[:] = before
