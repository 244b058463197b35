"""`boardroom doctor`: what is configured, what answers, what is missing and how to mend it."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest
from rich.console import Console
from temporalio.testing import WorkflowEnvironment

import settings as settings_module
from cli import doctor
from stack_server import EmbeddedServer, temporal_binary
from tests.support.servers import of_directory

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("stack")]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("BOARDROOM_", "ANTHROPIC_", "TEMPORAL_")) and name != "BOARDROOM_CI":
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


def of(found: list[doctor.Check], name: str) -> doctor.Check:
    [one] = [check for check in found if check.name == name]
    return one


async def test_a_fresh_place_is_healthy_and_stays_untouched(tmp_path: Path) -> None:
    found = await doctor.checks(settings_module.load())
    assert {check.name for check in found} == {
        "settings",
        "data directory",
        "store",
        "temporal command line",
        "temporal server",
        "search attributes",
        "voices",
        "personas",
        "notices",
        "tasks",
    }
    assert [check for check in found if check.status != "ok"] == []
    assert "simulated" in of(found, "voices").says
    assert os.listdir(tmp_path) == []


async def test_a_used_place_is_healthy_and_says_what_runs(tmp_path: Path) -> None:
    server = await EmbeddedServer.join(tmp_path / "data", ui=True)
    found = await doctor.checks(settings_module.load())
    assert [check for check in found if check.status != "ok"] == []
    says = of(found, "temporal server").says
    assert server.address in says
    assert server.ui_address
    assert server.ui_address in says
    await server.leave()
    assert of_directory(tmp_path / "data") == []


async def test_a_server_elsewhere_without_the_attributes_is_told_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    async with await WorkflowEnvironment.start_local(dev_server_existing_path=str(temporal_binary())) as given:
        monkeypatch.setenv("TEMPORAL_ADDRESS", given.client.service_client.config.target_host)
        found = await doctor.checks(settings_module.load())
    attributes = of(found, "search attributes")
    assert attributes.status == "warning"
    assert attributes.mend.startswith("temporal operator search-attribute create --address")
    assert "--name BoardroomMeetingDate --type Datetime" in attributes.mend


async def test_what_is_broken_is_named_with_its_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BOARDROOM_DATA_DIR", str(tmp_path / "file"))
    monkeypatch.setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
    monkeypatch.setenv("BOARDROOM_PROVIDER", "anthropic")
    monkeypatch.setenv("BOARDROOM_TYER", "low")
    monkeypatch.setenv("BOARDROOM_PERSONAS_DIR", str(tmp_path / "nobody"))
    found = await doctor.checks(settings_module.load())
    failed = {check.name: check for check in found if check.status == "failed"}
    assert set(failed) >= {"data directory", "store", "temporal server", "voices", "personas"}
    assert "BOARDROOM_DATA_DIR" in failed["data directory"].mend
    assert "TEMPORAL_ADDRESS" in failed["temporal server"].says
    assert "ANTHROPIC_API_KEY" in failed["voices"].says
    assert "nobody" in failed["personas"].says
    assert [check.mend for check in found if check.status == "warning"] == ["did you mean BOARDROOM_TIER?"]


async def test_a_folder_that_others_may_read_is_noticed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    data.chmod(0o755)
    [check] = doctor._look_at_data_directory(data)
    assert check.status == "warning"
    assert check.mend == f"chmod -R go= {data}"


def test_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-very-secret")
    monkeypatch.setenv("BOARDROOM_DATABASE_URL", "postgresql://me:very-secret@host/db")
    monkeypatch.setenv("TEMPORAL_API_KEY", "very-secret")
    shown = doctor.configured(settings_module.load())
    by_name = {one.variable: one for one in shown}
    assert by_name["BOARDROOM_DATABASE_URL"].value == "postgresql://me:***@host/db"
    assert by_name["ANTHROPIC_API_KEY"].origin == "ANTHROPIC_API_KEY"
    assert "very-secret" not in repr(shown)


def test_it_prints_for_people_and_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(settings_module.load(), json=True) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["healthy"] is True
    assert {one["variable"] for one in found["settings"]} >= {"BOARDROOM_DATA_DIR", "ANTHROPIC_API_KEY"}
    assert doctor.run(settings_module.load(), json=False) == 0
    text = capsys.readouterr().out
    assert "✓ store" in text
    (tmp_path / "data").write_text("in the way")
    assert doctor.run(settings_module.load(), json=False) == 1
    assert "✗ data directory" in capsys.readouterr().out


def test_what_people_typed_is_printed_as_typed() -> None:
    out = io.StringIO()
    check = {"name": "store", "status": "failed", "says": "[red]not markup[/red]", "mend": "[/]"}
    doctor.render({"boardroom": "1", "python": "3", "settings": [], "checks": [check]}, Console(file=out, width=40))
    assert "✗ store: [red]not markup[/red]" in out.getvalue()
    assert "→ [/]" in out.getvalue()
