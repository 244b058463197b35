"""The wheel: built, compared with what git tracks, installed elsewhere, and used.

A wheel that silently lacked the single modules, the personas or the migrations was seen; the checkout hides it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.packages import uv
from tests.support.servers import of_directory
from tests.test_imports import ROOMS

ROOT = Path(__file__).parents[1]
SHIPPED = (".py", ".json", ".toml", ".ini", ".mako", ".sql", ".md", ".html", ".css", ".js")

pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run([uv(), "build", "--wheel", "--quiet", "--out-dir", str(out)], cwd=ROOT, check=True)
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a virtual environment that has the wheel and knows nothing of the checkout."""
    venv = tmp_path_factory.mktemp("elsewhere") / "venv"
    subprocess.run([uv(), "venv", "--quiet", "--python", sys.executable, str(venv)], check=True)
    python = venv / "bin" / "python"
    subprocess.run([uv(), "pip", "install", "--quiet", "--python", str(python), str(wheel)], cwd=venv, check=True)
    return venv / "bin"


@pytest.fixture
def bare() -> dict[str, str]:
    """An environment without the checkout, keys and settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return kept | {"XDG_CONFIG_HOME": "/nonexistent"}


def test_the_wheel_has_every_file_of_every_room(wheel: Path) -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = {
        name
        for name in tracked
        if name.partition("/")[0].removesuffix(".py") in ROOMS and name.endswith(SHIPPED) and (ROOT / name).exists()
    }
    assert "settings.py" in wanted
    with zipfile.ZipFile(wheel) as built:
        inside = set(built.namelist())
    assert not wanted - inside, "add to [tool.hatch.build.targets.wheel] only-include"
    assert not [name for name in inside if name.startswith(("tests/", "benchmarks/"))]


def test_the_installed_modules_are_the_wheels(installed: Path, tmp_path: Path, bare: dict[str, str]) -> None:
    code = "import stack, stack_keeper, settings; print(stack.__file__, stack_keeper.__file__, settings.__file__, sep='\\n')"
    done = subprocess.run(
        [str(installed / "python"), "-c", code], cwd=tmp_path, env=bare, capture_output=True, text=True, check=True
    )
    assert all(Path(line).is_relative_to(installed.parent) for line in done.stdout.split())


def run(installed: Path, folder: Path, env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(installed / "boardroom"), *arguments],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.server
def test_a_meeting_is_held_from_the_wheel(installed: Path, tmp_path: Path, bare: dict[str, str]) -> None:
    done = run(installed, tmp_path, bare, "meet", "Should I take the job in Lisbon?", "--pace", "instant", "--json")
    assert done.returncode == 0, done.stderr
    held = json.loads(done.stdout)
    assert held["status"] == "completed"
    assert held["simulated"] is True
    assert len(held["attendees"]) == 5
    assert held["resolutions"]
    assert (tmp_path / "data").is_dir()
    assert of_directory(tmp_path / "data") == []


@pytest.mark.server
def test_a_proposal_is_reviewed_from_the_wheel(installed: Path, tmp_path: Path, bare: dict[str, str]) -> None:
    (tmp_path / "plan.md").write_text("# Plan\n\nHash session tokens with SHA-256, and roll out in two weeks.\n")
    done = run(installed, tmp_path, bare, "review", "plan.md", "--json")
    reviewed = json.loads(done.stdout)
    assert done.returncode == {"APPROVED": 0, "REJECTED": 3, "ESCALATE": 4}[reviewed["verdict"]], done.stderr
    votes = json.loads((tmp_path / ".message-bus" / "board" / "votes.json").read_text())
    assert [one["director"] for one in votes] == ["CA", "CPO", "CSO", "COO", "CXO"]
    assert of_directory(tmp_path / "data") == []
