"""What the project promises about its own files."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support.packages import needs

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+?)(?:\s*;\s*(.+?))?\s*\\?$")


def tracked() -> list[Path]:
    needs("git")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def locked() -> dict[str, list[Version]]:
    found: dict[str, list[Version]] = {}
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        if match := PINNED.match(line):
            found.setdefault(canonicalize_name(match[1]), []).append(Version(match[2]))
    return found


def test_the_lock_has_every_direct_dependency_at_a_compatible_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = locked()
    for text in project["dependencies"]:
        wanted = Requirement(text)
        have = pins.get(canonicalize_name(wanted.name), [])
        assert have, f"requirements.lock lacks {wanted.name}: run .ci/lock"
        assert all(wanted.specifier.contains(version) for version in have), f"{wanted} is locked at {have}: run .ci/lock"


def test_the_lock_is_exact_with_hashes_and_without_addresses() -> None:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    assert "://" not in "\n".join(lines)
    entries = [n for n, line in enumerate(lines) if PINNED.match(line)]
    assert len(entries) > 30
    for n in entries:
        assert lines[n].endswith("\\"), f"line {n + 1} has no hash"
        assert re.match(r"    --hash=sha256:[0-9a-f]{64}", lines[n + 1]), f"line {n + 2} is no hash"
    other = [line for n, line in enumerate(lines) if n not in entries and not line.startswith(("    --hash=sha256:", "#"))]
    assert other == []


def test_no_file_names_a_registry_or_a_place_of_one_machine() -> None:
    """Addresses of registries belong to whoever installs. The names are put together here so that this file has none."""
    forbidden = [".".join(("pypi", "org")), "python" + "hosted", "/".join(("", "work", "main"))]
    found = [
        f"{file.relative_to(ROOT)}: {word}" for file in tracked() for word in forbidden if word.encode() in file.read_bytes()
    ]
    assert found == []
    assert ROOT / "uv.lock" not in tracked()
