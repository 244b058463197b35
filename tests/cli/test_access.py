"""`boardroom up`, `api` and `tokens` as doors: how one comes in, and that nobody else does."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.cli.conftest import Boardroom, environment

pytestmark = pytest.mark.server


@pytest.fixture
def up(data_dir: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """`boardroom up` on a free port, and what it says: "API", "Your board in a browser, once", …"""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "up", "--port", "0"],
        cwd=tmp_path,
        env=environment(data_dir),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said: dict[str, str] = {}
    assert process.stderr is not None
    try:
        for line in process.stderr:
            name, _, value = line.strip().partition(": ")
            said[name] = value
            if line.startswith("The worker is ready"):
                break
        yield process, said
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=30)


def test_one_comes_in_by_the_link_once_and_by_the_token_in_its_file(
    up: tuple[subprocess.Popen[str], dict[str, str]], data_dir: Path, boardroom: Boardroom
) -> None:
    process, said = up
    url = said["API"]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url)
    page, _, ticket = said["Your board in a browser, once"].partition("#")
    assert page == f"{url}/enter"
    with httpx2.Client(base_url=url, headers={"Origin": url}) as browser:
        assert browser.get("/enter").status_code == 200
        assert browser.post("/api/v1/session", json={"ticket": ticket}).status_code == 201
        assert browser.get("/api/v1/board/meetings").json() == {"meetings": []}
        assert browser.post("/api/v1/session", json={"ticket": ticket}).status_code == 409
    file = data_dir / "owner.token"
    assert file.stat().st_mode & 0o777 == 0o600
    bearer = {"Authorization": f"Bearer {file.read_text().strip()}"}
    assert httpx2.get(f"{url}/readyz", headers=bearer).json()["status"] == "ready"
    made = httpx2.post(f"{url}/api/v1/board/meetings", headers=bearer, json={"name": "By the token"})
    assert made.status_code == 201

    again = boardroom("tokens", "link")
    assert again.out.startswith(f"{url}/enter#")
    with httpx2.Client(base_url=url, headers={"Origin": url}) as browser:
        opened = browser.post("/api/v1/session", json={"ticket": again.out.strip().partition("#")[2]})
        assert opened.status_code == 201

    created = boardroom("tokens", "create", "my laptop", "--scope", "reader", "--days", "1", "--json").json()
    mine = {"Authorization": f"Bearer {created['token']}"}
    assert httpx2.get(f"{url}/api/v1/board/members", headers=mine).status_code == 200
    assert httpx2.post(f"{url}/api/v1/board/meetings", headers=mine, json={"name": "x"}).status_code == 403
    listed = boardroom("tokens", "list", "--json").json()
    assert [token["name"] for token in listed] == ["owner", "my laptop"]
    assert created["token"] not in json.dumps(listed)
    assert boardroom("tokens", "revoke", created["id"]).code == 0
    assert httpx2.get(f"{url}/api/v1/board/members", headers=mine).status_code == 401

    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert not (data_dir / "api.url").exists()


def test_a_token_is_told_once_and_wrong_usage_in_a_sentence(boardroom: Boardroom) -> None:
    assert "No API is served" in boardroom("tokens", "link").err
    made = boardroom("tokens", "create", "phone")
    assert re.fullmatch(r"brd_[A-Za-z0-9_-]{43}\n", made.out)
    assert made.out.strip() not in made.err
    table = boardroom("tokens", "list").out
    assert "phone" in table
    assert made.out.strip() not in table
    for arguments in (
        ("create", ""),
        ("create", "x", "--scope", "root"),
        ("create", "x", "--days", "0"),
        ("create", "x", "--owner", "a b"),
        ("revoke", "tok-00000000"),
        ("revoke", "../x"),
    ):
        done = boardroom("tokens", *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        done.told()


@pytest.mark.parametrize("command", ["api", "up"])
def test_beyond_this_machine_nothing_is_served_without_tokens_and_names(boardroom: Boardroom, command: str) -> None:
    done = boardroom(command, "--host", "0.0.0.0", "--port", "0")
    assert done.code == 2
    assert "BOARDROOM_ALLOWED_HOSTS" in done.err.strip().splitlines()[-1]
    done = boardroom(command, "--host", "0.0.0.0", "--port", "0", BOARDROOM_ALLOWED_HOSTS="board.example")
    assert done.code == 2
    assert "boardroom tokens create" in done.err.strip().splitlines()[-1]
    assert "API:" not in done.err
