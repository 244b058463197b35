"""`examples/drive_over_http.py` is run as a person runs it: a program of its own, which knows the API and nothing else."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.api.conftest import BOARD, Door
from tests.support.servers import ROOT

EXAMPLE = ROOT / "examples" / "drive_over_http.py"


async def run(*arguments: str, folder: Path, **variables: str) -> tuple[int, str, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("BOARDROOM_", "PYTHONPATH"))}
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(EXAMPLE), *arguments, cwd=folder, env=env | variables,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), 120)
    return process.returncode or 0, out.decode(), err.decode()


@pytest.mark.server
async def test_it_drives_a_meeting_from_its_creation_to_its_minutes(door: Door, tmp_path: Path) -> None:
    code, out, err = await run(
        "My week", "--say", "Can we add an item about the garden?", "--seats", "auto", "--url", door.url, folder=tmp_path,
        BOARDROOM_TOKEN=door.secrets["everything"],
    )  # fmt: skip
    assert (code, err) == (0, "")
    async with door.http() as http:
        [line] = (await http.get(f"{BOARD}/meetings")).json()["meetings"]
        transcript = (await http.get(f"{BOARD}/meetings/{line['meeting_id']}/transcript")).json()["transcript"]
        minutes = (await http.get(f"{BOARD}/meetings/{line['meeting_id']}/minutes")).json()["minutes"]
        seated = (await http.get(f"{BOARD}/meetings/{line['meeting_id']}")).json()["attendees"]
    assert (line["name"], line["status"], len(seated)) == ("My week", "completed", 5)
    assert "(simulated voices)" in out  # law 14
    said, _, rest = out.partition("— opening —")
    assert "The chairman:" in said
    place = 0
    for turn in transcript:  # each once, in order
        words = f"{turn['name']}: {turn['text']}"
        place = rest.index(words, place) + len(words)
    assert rest.rstrip().endswith(minutes.rstrip())


async def test_what_is_missing_is_said_in_a_sentence(lone: Door, tmp_path: Path) -> None:
    code, out, err = await run("x", folder=tmp_path)
    assert (code, out) == (1, "")
    assert "boardroom tokens create" in err
    code, out, err = await run("x", "--url", "http://127.0.0.1:9", folder=tmp_path, BOARDROOM_TOKEN="brd_x")
    assert (code, "run `boardroom up`" in err) == (1, True)
    code, out, err = await run("x", "--url", lone.url, folder=tmp_path, BOARDROOM_TOKEN="brd_x")
    assert (code, "Say who you are" in err) == (1, True)
    code, out, err = await run("x", "--url", lone.url, folder=tmp_path, BOARDROOM_TOKEN=lone.secrets["everything"])
    assert (code, "Temporal" in err) == (1, True)
    assert "Traceback" not in err


def test_it_is_short_and_stands_alone() -> None:
    text = EXAMPLE.read_text()
    assert len(text.splitlines()) < 150
    assert not [room for room in ("api", "clerk", "settings", "parliament", "records") if f"import {room}" in text]
