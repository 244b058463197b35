"""What the tests of sinks and doers share: no settings from outside, a certificate that signs itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.peers import Certificate, certificate

HOST = "tasks.example.org"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("BOARDROOM_", "ANTHROPIC_")) and name != "BOARDROOM_CI":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate of HOST that nobody trusts."""
    return certificate(tmp_path_factory.mktemp("certificate"), HOST)


@pytest.fixture
def trusted(signed: Certificate, monkeypatch: pytest.MonkeyPatch) -> Certificate:
    """The same, trusted the way an operator trusts an authority of their own."""
    monkeypatch.setenv("SSL_CERT_FILE", str(signed.certificate))
    return signed
