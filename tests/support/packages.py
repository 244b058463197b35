"""What some tests need of the machine, by the name of the Debian package that brings it."""

from __future__ import annotations

import os
import shutil

import pytest

COMMANDS = {"chromium": "chromium", "git": "git", "openssl": "openssl"}
"""Package -> a command that it installs. A package that no test needs is not listed."""


def needs(package: str) -> None:
    """Skip the test when the package is missing, naming it; in CI (BOARDROOM_CI=1), which installs it, fail."""
    if shutil.which(COMMANDS[package]):
        return
    message = f"needs the Debian package {package}: apt-get install {package}"
    if os.environ.get("BOARDROOM_CI"):
        pytest.fail(message)
    pytest.skip(message)


def uv() -> str:
    """The uv that runs the tests (`uv run` names itself), or the one on the PATH; skips without one, fails in CI."""
    found = os.environ.get("UV") or shutil.which("uv")
    if found:
        return found
    message = "needs uv: pip install uv"
    if os.environ.get("BOARDROOM_CI"):
        pytest.fail(message)
    pytest.skip(message)
