"""The unit that keeps `boardroom up` running: what it says, where it goes, and what is told where there is no systemd."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli import service
from cli.main import run
from settings import Settings
from tests.cli.conftest import Boardroom


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run from, on a machine that systemd runs."""
    (tmp_path / "systemd").mkdir()
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(service, "SYSTEMD", tmp_path / "systemd")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("BOARDROOM_DATA_DIR", "mine")
    for name in ("ANTHROPIC_API_KEY", "TEMPORAL_ADDRESS", "BOARDROOM_TIER", "BOARDROOM_CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path / "folder")
    return tmp_path / "config" / "systemd" / "user" / "boardroom.service"


def lines_of(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))


def test_the_unit_says_all_that_the_service_needs(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["service", "install"]) == 0
    told = capsys.readouterr()
    found = lines_of(place.read_text())
    folder = place.parents[3] / "folder"
    assert found["ExecStart"] == f'"{sys.executable}" -P -m cli.main up'
    assert found["WorkingDirectory"] == str(folder)
    assert found["Environment"] == f'"BOARDROOM_DATA_DIR={folder}/mine"'
    assert found["EnvironmentFile"] == f"-{folder}/.env", "optional"
    assert found["Restart"] == "on-failure"
    assert float(found["TimeoutStopSec"]) > Settings().call_timeout
    assert found["KillMode"] == "process"
    assert found["WantedBy"] == "default.target"
    for command in ("systemctl --user daemon-reload", "systemctl --user enable --now boardroom", "loginctl enable-linger"):
        assert f"  {command}\n" in told.out


def test_what_it_runs_runs(place: Path) -> None:
    words = [sys.executable, "-P", "-m", "cli.main", "up", "--help"]
    done = subprocess.run(words, cwd=place.parents[3] / "folder", capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "until Ctrl-C" in done.stdout


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_itself_finds_nothing_wrong_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / 'a "quoted" $HOME %h folder'
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BOARDROOM_DATA_DIR", "da ta\\")
    assert run(["service", "install", "--print"]) == 0
    text = capsys.readouterr().out
    file = tmp_path / "boardroom.service"
    file.write_text(text)
    (tmp_path / "run").mkdir()

    def verify() -> str:
        words = ["systemd-analyze", "--user", "verify", str(file)]
        env = {"XDG_RUNTIME_DIR": str(tmp_path / "run"), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
        done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert verify() == ""
    file.write_text(text.replace("TimeoutStopSec", "TimeoutStopSecs"))
    assert "Unknown key" in verify(), "it would have said so"


def test_printing_writes_nothing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["service", "install", "--print"]) == 0
    assert capsys.readouterr().out.startswith("[Unit]\n")
    assert not place.exists()


def test_another_unit_is_not_written_over_unless_that_is_said(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["service", "install"]) == 0
    assert run(["service", "install"]) == 0, "the same again is no harm"
    place.write_text("[Unit]\nDescription=mine\n")
    capsys.readouterr()
    assert run(["service", "install"]) == 2
    assert "--replace" in capsys.readouterr().err
    assert "mine" in place.read_text()
    assert run(["service", "install", "--name", "board-two"]) == 0
    assert place.with_name("board-two.service").exists()
    assert run(["service", "install", "--replace"]) == 0
    assert "ExecStart" in place.read_text()


def test_what_the_service_will_not_see_is_told_by_its_name_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("BOARDROOM_TIER", "high")
    assert run(["service", "install"]) == 0
    told = capsys.readouterr()
    assert "ANTHROPIC_API_KEY, BOARDROOM_TIER are set in this shell only" in told.err
    assert "sk-secret" not in told.err + told.out + place.read_text()
    env = Path("keys.env")
    env.write_text("# ANTHROPIC_API_KEY=\nANTHROPIC_API_KEY=sk-secret\n")
    env.chmod(0o644)
    assert run(["service", "install", "--env-file", "keys.env", "--replace"]) == 0
    told = capsys.readouterr()
    assert "BOARDROOM_TIER is set in this shell only" in told.err
    assert "chmod 600" in told.err
    assert lines_of(place.read_text())["EnvironmentFile"] == f"-{env.absolute()}"


def test_showing_and_removing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["service", "show"]) == 0
    assert "No unit is installed" in capsys.readouterr().out
    assert run(["service", "remove"]) == 2
    capsys.readouterr()
    run(["service", "install"])
    capsys.readouterr()
    assert run(["service", "show"]) == 0
    assert place.read_text() in capsys.readouterr().out
    assert run(["service", "remove"]) == 0
    assert not place.exists()


def test_a_service_that_runs_is_stopped_before_its_unit_is_removed(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "systemctl").write_text('#!/bin/sh\n[ "$1 $2 $3" = "--user is-active boardroom" ] && echo active\n')
    (programs / "systemctl").chmod(0o755)
    run(["service", "install"])
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    capsys.readouterr()
    assert run(["service", "show"]) == 0
    assert "boardroom.service: active" in capsys.readouterr().out
    assert run(["service", "remove"]) == 1
    assert "systemctl --user disable --now boardroom" in capsys.readouterr().err
    assert place.exists()


@pytest.mark.parametrize("name", ["../evil", "", "A", "a.b", "x" * 60, "a\nb"])
def test_names_that_are_none(place: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert run(["service", "install", f"--name={name}"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not place.parent.exists()


def test_a_folder_that_no_unit_can_name(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["service", "install", "--env-file", "a\nExecStartPre=evil"]) == 2
    assert "control characters" in capsys.readouterr().err
    assert not place.exists()


@pytest.mark.skipif(service.SYSTEMD.is_dir(), reason="this machine runs systemd")
def test_where_there_is_no_systemd_it_says_so(boardroom: Boardroom, tmp_path: Path) -> None:
    done = boardroom("service", "install", XDG_CONFIG_HOME=str(tmp_path / "config"))
    assert done.code == 1
    assert "There is no systemd on this machine" in done.told()
    assert not (tmp_path / "config").exists()
    printed = boardroom("service", "install", "--print")
    assert (printed.code, printed.out.partition("\n")[0]) == (0, "[Unit]")
    shown = boardroom("service", "show", "--json", XDG_CONFIG_HOME=str(tmp_path / "config")).json()
    assert (shown["installed"], shown["state"]) == (False, None)
